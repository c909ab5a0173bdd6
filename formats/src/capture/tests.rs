use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::FormatError;

const VERSIONS: [Version; 5] = [Version::V2, Version::V3, Version::V4, Version::V5, Version::V6];

fn level(level: u8) -> MipLevel {
    MipLevel::new(level).unwrap()
}

/// One record of each kind, with payloads that overlap and stand at odd offsets.
fn example(version: Version) -> Capture {
    let mut push_buffer = InitialState::blank().to_bytes();
    push_buffer.extend((0..100).map(|byte| byte as u8));
    let record = |kind, offset, size| Record { kind, offset, size };
    let records = vec![
        record(RecordKind::Init, 0, 2048),
        record(RecordKind::Registers, 2049, 8),
        record(RecordKind::Vertices, 2050, 50),
        record(RecordKind::Indices, 2060, 3),
        record(RecordKind::Clut, 2048, 32),
        record(RecordKind::TransferSource, 2064, 16),
        record(RecordKind::MemorySet, 2048, 12),
        record(RecordKind::CopyDestination, 2052, 4),
        record(RecordKind::CopyData, 0, 0),
        record(RecordKind::ClutAddress, 2048, 8),
        record(RecordKind::EdramTranslation, 2148 - 4, 4),
        record(RecordKind::Texture(level(7)), 2048, 100),
        record(RecordKind::Framebuffer(level(3)), 2048, 20),
        record(RecordKind::Display, 2051, 12),
    ];
    Capture::new(version, *b"NPJB40001", records, push_buffer).unwrap()
}

fn error(bytes: &[u8]) -> FormatError {
    Capture::parse(bytes).expect_err("these bytes are no capture")
}

#[test]
fn every_version_reads_back() {
    for version in VERSIONS {
        let capture = example(version);
        let bytes = capture.write();
        assert_eq!(&bytes[..8], b"PPSSPPGE");
        assert_eq!(bytes[8], version.number() as u8);
        let read = Capture::parse(&bytes).unwrap();
        assert_eq!(read, capture);
        let id = (version >= Version::V4).then_some(&b"NPJB40001"[..]);
        assert_eq!(read.game_id(), id);

        let mut longer = bytes;
        longer.extend([1, 2, 3]);
        let read = Capture::parse(&longer).unwrap();
        assert_eq!(read.trailing(), [1, 2, 3]);
        assert_eq!(read.records(), capture.records());
    }
}

#[test]
fn payloads_say_what_the_specification_says() {
    let capture = example(Version::V6);
    let payloads: Vec<_> = capture
        .records()
        .iter()
        .map(|record| capture.payload(record))
        .collect();
    assert_eq!(payloads[0], Payload::Init(Box::new(InitialState::blank())));
    let Payload::Registers(words) = payloads[1] else {
        panic!("{:?}", payloads[1]);
    };
    assert_eq!(words.iter().collect::<Vec<_>>(), [0x0403_0201, 0x0807_0605]);
    assert_eq!((words.len(), words.get(2)), (2, None));
    assert_eq!(payloads[3], Payload::Indices(&[12, 13, 14]));
    assert_eq!(
        payloads[6],
        Payload::MemorySet(MemorySet {
            address: 0x0302_0100,
            value: 4,
            size: 0x0B0A_0908
        })
    );
    assert_eq!(payloads[7], Payload::CopyDestination(0x0706_0504));
    assert_eq!(payloads[8], Payload::CopyData(&[]));
    let Payload::ClutAddress { address, flags } = payloads[9] else {
        panic!("{:?}", payloads[9]);
    };
    assert_eq!(address, 0x0302_0100);
    assert!(!flags.is_target() && !flags.is_unchanged() && flags.may_be_drawn_over());
    assert_eq!(payloads[10], Payload::EdramTranslation(0x6362_6160));
    assert!(matches!(&payloads[11], Payload::Texture { level, texels }
        if level.index() == 7 && texels.len() == 100));
    assert_eq!(
        payloads[12],
        Payload::Framebuffer(FramebufferTexture {
            level: level(3),
            address: 0x0302_0100,
            width: 0x0706_0504,
            flags: VramFlags(0x0B0A_0908),
            texels: &[16, 17, 18, 19],
        })
    );
    let display = Display {
        address: 0x0605_0403,
        stride: 0x0A09_0807,
        format: 0x0E0D_0C0B,
    };
    assert_eq!(payloads[13], Payload::Display(display));
    assert_eq!(capture.shown(), Some(display));
    assert_eq!(capture.saved_clut(), None);
}

#[test]
fn kinds_have_their_bytes() {
    let known = (0..=255).filter_map(|byte| {
        let kind = RecordKind::from_byte(byte)?;
        assert_eq!(kind.byte(), byte);
        Some(byte)
    });
    assert!(known.eq((0..12).chain(0x10..0x20)));
}

#[test]
fn layout_b_has_24_bit_floats_behind_command_words() {
    let mut words = *InitialState::blank().words();
    words[5..8].copy_from_slice(&[0x0880_0000, 0x0890_0000, 0x100]);
    words[227] = 0x2B3F_8000; // the first bone value: 1.0
    words[227 + 95] = 0x2BC0_0000; // the last: -2.0
    words[324] = 0x3B40_4000; // world: 3.0
    words[337 + 11] = 0x3D3F_0000; // view, the last: 0.5
    words[350 + 15] = 0x3F41_2000; // projection, the last: 10.0
    words[367] = 0x41BF_8000; // texture: -1.0
    words[379..384].copy_from_slice(&[0x2A00_00FF, 0x3A00_000C, 0x3C00_0001, 0x3E00_0010, 0x4000_0003]);
    let state = InitialState::from_words(words);
    assert_eq!(state.layout, Layout::B);
    assert_eq!(
        (state.vertex_address, state.index_address, state.offset_address),
        (0x0880_0000, 0x0890_0000, 0x100)
    );
    let float = f32::from_bits;
    let matrices = &state.matrices;
    assert_eq!(float(matrices.bone[0]), 1.0);
    assert_eq!(float(matrices.bone[95]), -2.0);
    assert_eq!(float(matrices.world[0]), 3.0);
    assert_eq!(float(matrices.view[11]), 0.5);
    assert_eq!(float(matrices.projection[15]), 10.0);
    assert_eq!(float(matrices.texture[0]), -1.0);
    assert_eq!(
        state.counters,
        MatrixCounters {
            bone: 0x7F,
            world: 0xC,
            view: 1,
            projection: 0,
            texture: 3
        }
    );
}

#[test]
fn layout_a_has_singles_and_perhaps_the_clut_load() {
    for has_load_clut in [false, true] {
        let mut words = *InitialState::blank().words();
        words[226..].fill(0);
        let mut at = 226;
        if has_load_clut {
            words[at] = 0xC400_0020;
            at += 1;
        }
        words[at..at + 5].copy_from_slice(&[0x2A00_000C, 0x3A00_0000, 0x3C00_0000, 0x3E00_0000, 0x4000_0005]);
        words[at + 5] = 0.1f32.to_bits();
        words[at + 5 + 96 + 12 + 12 + 16 + 11] = 0.7f32.to_bits();
        let state = InitialState::from_words(words);
        assert_eq!(state.layout, Layout::A);
        assert_eq!(
            state.registers[0xC4],
            if has_load_clut { 0xC400_0020 } else { 0xC400_0000 }
        );
        assert_eq!(state.matrices.bone[0], 0.1f32.to_bits());
        assert_eq!(state.matrices.texture[11], 0.7f32.to_bits());
        assert_eq!((state.counters.bone, state.counters.texture), (12, 5));
        // As PPSSPP's player reads it: nonsense, but the same nonsense.
        let as_b = InitialState::with_layout(words, Layout::B);
        assert_eq!(as_b.layout, Layout::B);
        assert_ne!(as_b.matrices, state.matrices);
        assert_eq!(as_b.registers[..0xC4], state.registers[..0xC4]);
    }
}

#[test]
fn a_state_has_209_registers_and_defaults_for_the_rest() {
    let mut words = *InitialState::blank().words();
    assert_eq!(words[17], 0);
    assert_eq!(words[225], 0xF900_0000);
    words[20] = 0x1000_1234;
    let state = InitialState::from_words(words);
    assert_eq!(state.registers[0x10], 0x1000_1234);
    assert_eq!(state.registers[0xEA], 0xEA00_0000);
    for (number, word) in state.registers.iter().enumerate() {
        assert_eq!((word >> 24) as usize, number);
    }
    assert_eq!(state.words(), &words);
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let bytes = example(Version::V6).write();
    let with = |at: usize, word: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        error(&bytes).to_string()
    };
    assert_eq!(
        with(0, 0x4E50_5350),
        "capture: magic at 0x0: found \"PSPNPPGE\", expected \"PPSSPPGE\""
    );
    assert_eq!(with(8, 1), "capture: version at 0x8: found 1, expected 2 to 6");
    assert_eq!(
        with(24, u32::MAX),
        "capture: record count at 0x18: found 4294967295, expected 29826161 at most"
    );
    assert_eq!(
        with(28, u32::MAX),
        "capture: push buffer size at 0x1c: found 4294967295, expected 268435456 at most"
    );
    assert_eq!(
        with(24, 13),
        "capture: records at 0x24: found 126 bytes unpacked, expected 117 bytes, packed"
    );
    assert!(with(24, 15).contains("found 126 bytes unpacked, expected 135 bytes, packed"));
    assert!(with(32, u32::MAX).contains("capture: records at 0x24: found a file of"));
    assert_eq!(error(&bytes[..20]).field, "game id");
    assert_eq!(error(b"").field, "magic");
    assert!(error(&bytes[..bytes.len() - 1]).field.contains("push buffer"));
}

#[test]
fn records_that_break_a_rule_are_refused_with_their_number() {
    let good = example(Version::V6);
    let with = |index: usize, record: Record| {
        let mut records = good.records().to_vec();
        records[index] = record;
        Capture::new(Version::V6, [0; 9], records, good.push_buffer().to_vec())
            .expect_err("this record breaks a rule")
            .to_string()
    };
    let record = |kind, offset, size| Record { kind, offset, size };
    assert_eq!(
        with(2, record(RecordKind::Vertices, u32::MAX, 2)),
        "capture, unpacked records: record 2, end of payload at 0x17: found 4294967297, \
         expected 2148, the push buffer's, at most"
    );
    assert_eq!(
        with(0, record(RecordKind::Clut, 0, 32)),
        "capture, unpacked records: first record at 0x0: found Clut, expected INIT"
    );
    for (kind, size, expected) in [
        (RecordKind::Init, 2044, "2048 bytes for INIT"),
        (RecordKind::Registers, 6, "whole words"),
        (RecordKind::MemorySet, 16, "12 bytes for MEMSET"),
        (RecordKind::CopyDestination, 8, "4 bytes for MEMCPYDEST"),
        (RecordKind::Display, 11, "12 bytes for DISPLAY"),
        (RecordKind::ClutAddress, 4, "8 bytes for CLUTADDR"),
        (RecordKind::EdramTranslation, 0, "4 bytes for EDRAMTRANS"),
        (RecordKind::Framebuffer(level(0)), 15, "16 bytes or more"),
    ] {
        let message = with(4, record(kind, 0, size));
        assert!(message.contains("record 4, size at 0x25"), "{message}");
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(
        with(5, record(RecordKind::Init, 1, 2048)),
        "capture, unpacked push buffer: record 5, INIT word 18 at 0x49: found 0x00010000, \
         expected register 0x01 in the top byte"
    );

    let no_records = Capture::new(Version::V6, [0; 9], vec![], vec![]).unwrap_err();
    assert_eq!(no_records.found, "no record");
    let ring = vec![0; 256 << 10];
    let long = |size| {
        let mut push_buffer = InitialState::blank().to_bytes();
        push_buffer.extend_from_slice(&ring);
        let records = vec![
            record(RecordKind::Init, 0, 2048),
            record(RecordKind::Registers, 2048, size),
        ];
        Capture::new(Version::V6, [0; 9], records, push_buffer)
    };
    assert!(long((256 << 10) - 12).is_ok());
    assert!(long((256 << 10) - 8).is_err());
}

#[test]
fn unknown_types_are_refused() {
    for version in [Version::V2, Version::V6] {
        let good = example(version);
        let mut table: Vec<u8> = Vec::new();
        for record in good.records() {
            table.push(record.kind.byte());
            table.extend(record.size.to_le_bytes());
            table.extend(record.offset.to_le_bytes());
        }
        table[9] = 0x20;
        let bytes = good.write();
        let header = if version == Version::V2 { 20 } else { 32 };
        let mut broken = bytes[..header].to_vec();
        for block in [&table[..], good.push_buffer()] {
            let packed = pack::pack(version, block);
            broken.extend((packed.len() as u32).to_le_bytes());
            broken.extend(packed);
        }
        assert_eq!(
            error(&broken).to_string(),
            "capture, unpacked records: record 1, type at 0x9: found 0x20, \
             expected 0x00 to 0x0b or 0x10 to 0x1f"
        );
    }
}

#[test]
fn bombs_stop_at_the_stated_size() {
    // Zstandard: a frame of 4000 run-length blocks of 128 KiB each, 500 MiB in 16 KB.
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0, 0x88];
    for _ in 0..4000 {
        let header: u32 = (128 << 10) << 3 | 1 << 1;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.push(7);
    }
    let message = pack::unpack(Version::V5, &frame, 9).unwrap_err();
    assert_eq!(message, "a Zstandard frame that goes on");
    // Snappy: a header that promises 256 MiB over a few bytes.
    let lie = [0x80, 0x80, 0x80, 0x80, 0x01, 0, 0];
    let message = pack::unpack(Version::V2, &lie, 256 << 20).unwrap_err();
    assert_eq!(message, "7 bytes, too few to unpack to as many");
    let message = pack::unpack(Version::V2, &lie, 9).unwrap_err();
    assert_eq!(message, "a Snappy block of 268435456 bytes");
}

#[test]
fn the_densest_snappy_blocks_are_not_refused() {
    let zeros = vec![0; 1 << 20];
    let packed = pack::pack(Version::V3, &zeros);
    assert_eq!(pack::unpack(Version::V3, &packed, zeros.len()), Ok(zeros));
}

prop_compose! {
    fn any_capture()(
        version in prop::sample::select(VERSIONS.to_vec()),
        id in any::<[u8; 9]>(),
        bytes in prop::collection::vec(any::<u8>(), 16..200),
        kinds in prop::collection::vec((0u8..0x20, any::<Index>(), any::<Index>()), 0..20),
    ) -> Capture {
        let mut push_buffer = InitialState::blank().to_bytes();
        push_buffer.extend(bytes);
        let mut records = vec![Record { kind: RecordKind::Init, offset: 0, size: 2048 }];
        for (byte, start, length) in kinds {
            let Some(kind) = RecordKind::from_byte(byte) else { continue };
            let length = length.index(push_buffer.len());
            let size = match kind {
                RecordKind::Init => continue,
                RecordKind::Registers => length / 4 * 4,
                RecordKind::MemorySet | RecordKind::Display => 12,
                RecordKind::CopyDestination | RecordKind::EdramTranslation => 4,
                RecordKind::ClutAddress => 8,
                RecordKind::Framebuffer(_) => length.max(16),
                _ => length,
            };
            let offset = start.index(push_buffer.len() - size + 1) as u32;
            records.push(Record { kind, offset, size: size as u32 });
        }
        Capture::new(version, id, records, push_buffer).unwrap()
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(capture in any_capture()) {
        prop_assert_eq!(Capture::parse(&capture.write()).unwrap(), capture);
    }

    #[test]
    fn damage_is_an_error_or_another_capture_and_never_a_panic(
        capture in any_capture(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6),
        length in any::<Index>(),
    ) {
        let mut bytes = capture.write();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        for bytes in [&bytes[..], &bytes[..length.index(bytes.len())]] {
            if let Ok(read) = Capture::parse(bytes) {
                for record in read.records() {
                    prop_assert_eq!(read.bytes(record).len(), record.size as usize);
                    let _ = read.payload(record);
                }
                prop_assert_eq!(Capture::parse(&read.write()).unwrap(), read);
            }
        }
    }
}
