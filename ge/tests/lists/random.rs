//! Lists of random words: nothing may panic, hang or run out of memory.

use ge::command::{Command, Opcode, disassemble};
use ge::{Address, Ge, GeOptions};
use proptest::collection::vec;
use proptest::prelude::*;
use raster::Rasterizer;

use crate::LIST;
use crate::tuning::{reference, tunings};

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

/// A small target, and pointers into memory with something in it.
fn prepared(words: &[u32]) -> Ge {
    let mut ge = Ge::new(GeOptions::default());
    let noise: Vec<u8> = (0..0x8000_u32)
        .map(|index| (index.wrapping_mul(0x9E37_79B9) >> 13) as u8)
        .collect();
    ge.write(Address::new(0x0810_0000), &noise);
    let mut list = vec![
        Command::new(Opcode::BASE, 0x08_0000),
        Command::new(Opcode::VADDR, 0x10_0000),
        Command::new(Opcode::IADDR, 0x10_4000),
        Command::new(Opcode::FBWIDTH, 64),
        Command::new(Opcode::SCISSOR2, 31 << 10 | 31),
        Command::new(Opcode::REGION2, 31 << 10 | 31),
    ];
    list.extend(words.iter().map(|&word| Command::from_word(word)));
    list.extend([Command::new(Opcode::FINISH, 0), Command::new(Opcode::END, 0)]);
    ge.write_list(LIST, &list);
    ge
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn lists_of_random_words_end(words in vec(word(), 1..120)) {
        let mut ge = prepared(&words);
        let _ = ge.run(LIST, None, 400);
        ge.finish();
    }

    #[test]
    fn the_same_list_draws_the_same_pixels(words in vec(word(), 1..60), way in 0..5_usize) {
        let run = |tuning| {
            let mut ge = prepared(&words);
            ge.set_rasterizer(Rasterizer::with_tuning(GeOptions::default().profile, tuning));
            let stop = ge.run(LIST, None, 300);
            (stop, ge.memory().vram().bytes().to_vec(), ge.registers().clone())
        };
        prop_assert!(run(reference()) == run(tunings()[way]));
    }

    #[test]
    fn every_word_has_a_text(word: u32) {
        prop_assert!(!disassemble(word).is_empty());
    }
}

#[test]
fn the_largest_surface_is_bounded() {
    let words = [0x1280_0100, 0x3600_7F7F, 0x0600_FFFF, 0x0500_FFFF];
    let mut ge = prepared(&words);
    ge.run(LIST, None, 10_000_000).expect("the list ends");
    assert_eq!(
        ge.report().get(ge::Feature::PatchTooFine).map(|met| met.count),
        Some(2)
    );
}
