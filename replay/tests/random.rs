//! Captures of random words: nothing may panic, hang or run out of memory.

use formats::capture::{Capture, InitialState, MipLevel, Record, RecordKind, Version};
use proptest::collection::vec;
use proptest::prelude::*;
use replay::{ReplayMode, ReplayOptions, Replayer};

/// Any word, with those that draw or move data more often than chance.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => any::<u32>(),
        // Small draws of every type.
        2 => (0..8_u32, 0..40_u32).prop_map(|(primitive, count)| 0x0400_0000 | primitive << 16 | count),
        1 => any::<u32>().prop_map(|argument| 0x1200_0000 | argument & 0xFF_FFFF),
        1 => (0..12_u32, 0..12_u32, 0..16_u32, any::<bool>()).prop_map(|(u, v, edges, spline)| {
            (if spline { 0x0600_0000 } else { 0x0500_0000 }) | edges << 16 | v << 8 | u
        }),
        1 => (0x15..0x29_u32, any::<bool>()).prop_map(|(opcode, on)| opcode << 24 | u32::from(on)),
        1 => (0xB0..0xB6_u32, any::<u32>()).prop_map(|(opcode, argument)| opcode << 24 | argument & 0xFF_FFFF),
        1 => Just(0xEA00_0001),
        1 => Just(0xC400_003F),
        1 => (0xF0..0xFA_u32, any::<u32>()).prop_map(|(opcode, argument)| opcode << 24 | argument & 0xFF_FFFF),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn captures_of_random_words_replay(
        words in vec(word(), 1..60),
        payload in vec(any::<u8>(), 64..512),
        kinds in vec(0..32_u8, 1..12),
        reference: bool,
    ) {
        let mut push_buffer = InitialState::blank().to_bytes();
        let start = push_buffer.len() as u32;
        push_buffer.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        let data = push_buffer.len() as u32;
        push_buffer.extend(&payload);
        let mut records = vec![Record { kind: RecordKind::Init, offset: 0, size: 2048 }];
        for kind in kinds {
            let Some(kind) = RecordKind::from_byte(kind) else { continue };
            let size = match kind {
                RecordKind::Init => continue,
                RecordKind::MemorySet | RecordKind::Display => 12,
                RecordKind::CopyDestination | RecordKind::EdramTranslation => 4,
                RecordKind::ClutAddress => 8,
                _ => payload.len() as u32,
            };
            records.push(Record { kind, offset: data, size: if kind == RecordKind::Registers { 64 } else { size } });
            records.push(Record { kind: RecordKind::Registers, offset: start, size: 4 * words.len() as u32 });
        }
        records.push(Record { kind: RecordKind::Texture(MipLevel::new(0).expect("a level")), offset: data, size: 16 });
        let capture = Capture::new(Version::V6, *b"TEST00000", records, push_buffer).expect("a capture");
        let mode = if reference { ReplayMode::Reference } else { ReplayMode::Faithful };
        let mut replayer = Replayer::new(&capture, ReplayOptions { mode, budget: 300, ..ReplayOptions::default() });
        let _ = replayer.run();
        let _ = replayer.picture();
    }
}
