use formats::capture::{CaptureBuilder, InitialState, RecordKind};

use ge::MatrixKind;

use super::*;
use crate::initial::restore;

fn blank() -> CaptureBuilder {
    CaptureBuilder::new(&InitialState::blank())
}

fn build(builder: CaptureBuilder) -> Capture {
    builder.build(*b"TEST00000").expect("a capture")
}

fn replayed(capture: &Capture, mode: ReplayMode) -> Replayer<'_> {
    let mut replayer = Replayer::new(
        capture,
        ReplayOptions {
            mode,
            ..ReplayOptions::default()
        },
    );
    replayer.run().expect("the capture runs");
    replayer
}

const BOTH: [ReplayMode; 2] = [ReplayMode::Faithful, ReplayMode::Reference];

fn framebuffer(level: u8) -> RecordKind {
    RecordKind::from_byte(0x18 + level).expect("a kind")
}

#[test]
fn copies_to_vram_wait_or_do_not() {
    let mut builder = blank();
    draw_white_rectangle(&mut builder);
    let mut texture = [0x0400_0000, 64, 0, 0].map(u32::to_le_bytes).concat();
    texture.extend([0x11; 16]);
    builder.bytes(framebuffer(0), &texture);
    builder.words(RecordKind::Display, &[0x0400_0000, 64, 3]);
    let capture = build(builder);
    let corner = |mode| {
        let picture = replayed(&capture, mode).picture().expect("a picture");
        [picture.pixel(0, 0), picture.pixel(0, 1)]
    };
    let white = Some([255; 4]);
    assert_eq!(
        corner(ReplayMode::Faithful),
        [Some([0x11, 0x11, 0x11, 255]), white]
    );
    assert_eq!(
        corner(ReplayMode::Reference),
        [white, white],
        "the draw came later"
    );
}

#[test]
fn fills_are_made_or_not() {
    let mut builder = blank();
    builder.words(RecordKind::Registers, &[0]);
    builder.words(RecordKind::MemorySet, &[0x0400_0100, 0x0000_0077, 0x2001]);
    builder.words(RecordKind::CopyDestination, &[0x0400_0000]);
    builder.bytes(RecordKind::CopyData, &[1, 2, 3]);
    let capture = build(builder);
    for (mode, filled) in BOTH.into_iter().zip([0x77, 0]) {
        let mut replayer = replayed(&capture, mode);
        let bytes = replayer.ge_mut().memory().vram().bytes();
        assert_eq!(bytes[..4], [1, 2, 3, 0]);
        assert_eq!(
            [bytes[0xFF], bytes[0x100], bytes[0x2100], bytes[0x2101]],
            [0, filled, filled, 0]
        );
    }
}

#[test]
fn what_a_folded_copy_brought_is_read_through_its_own_mirror() {
    const UNCHANGED: u32 = 2;
    const DRAWN_OVER: u32 = 4;
    // The program wrote 16 bytes through the third copy, and the recorder put them into the first.
    let clut = |flags| {
        let mut builder = blank();
        builder.words(RecordKind::Registers, &[0xB012_3450, 0xB104_0000]);
        builder.words(RecordKind::CopyDestination, &[0x0412_3450]);
        builder.bytes(RecordKind::CopyData, &[0x42; 16]);
        builder.words(RecordKind::Registers, &[0xB072_3450]);
        builder.words(RecordKind::ClutAddress, &[0x0472_3450, flags]);
        builder.bytes(RecordKind::Clut, &[0x42; 16]);
        builder.words(RecordKind::Registers, &[0xC400_0001]);
        build(builder)
    };
    let loaded = |flags, mode| replayed(&clut(flags), mode).ge().clut()[..16].to_vec();
    let target = 1;
    assert_eq!(loaded(target | UNCHANGED, ReplayMode::Faithful), [0x42; 16]);
    for flags in [target, target | UNCHANGED | DRAWN_OVER] {
        assert_eq!(
            loaded(flags, ReplayMode::Faithful),
            [0; 16],
            "the replay draws a target"
        );
    }
    assert_eq!(loaded(target | UNCHANGED, ReplayMode::Reference), [0; 16]);

    // A texture likewise; copy 2 is not permuted.
    for (window, copied) in [(0x0440_0000, false), (0x0420_0000, true), (0x0460_0000, true)] {
        let mut builder = blank();
        let mut texture = [window, 64, UNCHANGED, 0].map(u32::to_le_bytes).concat();
        texture.extend([0x11; 16]);
        builder.bytes(framebuffer(0), &texture);
        builder.words(RecordKind::Registers, &[0]);
        let capture = build(builder);
        let mut replayer = replayed(&capture, ReplayMode::Faithful);
        let mut bytes = [0; 16];
        replayer.ge_mut().memory().read(Address::new(window), &mut bytes);
        assert_eq!(bytes, [if copied { 0x11 } else { 0 }; 16], "{window:#x}");
    }
}

#[test]
fn the_saved_clut_is_loaded_or_not() {
    let mut builder = blank();
    builder.bytes(RecordKind::Clut, &[0x42; 1024]);
    builder.words(RecordKind::Registers, &[0]);
    let capture = build(builder);
    for (mode, byte) in BOTH.into_iter().zip([0x42, 0]) {
        assert_eq!(replayed(&capture, mode).ge().clut(), &[byte; 1024]);
    }
}

#[test]
fn textures_get_addresses_of_the_copy() {
    let mut builder = blank();
    // The game's own addresses mean nothing; its buffer widths do.
    builder.words(RecordKind::Registers, &[0xA012_3450, 0xA804_0080]);
    builder.bytes(RecordKind::from_byte(0x10).expect("a kind"), &[0; 64]);
    builder.words(RecordKind::Registers, &[0xA804_0080]);
    let capture = build(builder);
    let replayer = replayed(&capture, ReplayMode::Faithful);
    let registers = replayer.ge().registers();
    // The texture follows the initial state and two words in the first slab.
    let address = 0x0810_0000 + 2048 + 8;
    assert_eq!(registers.argument(Opcode::TEXADDR0), address & 0xFF_FFFF);
    assert_eq!(registers.argument(Opcode::TEXBUFW0), (address >> 24) << 16 | 0x80);
}

#[test]
fn a_long_frame_goes_round_the_ring() {
    let mut builder = blank();
    let filler = vec![0xFF00_0000; 15_000];
    for number in 0..12 {
        builder.words(RecordKind::Registers, &filler);
        builder.words(RecordKind::Registers, &[0xEF00_0000 | number]);
        builder.bytes(RecordKind::Vertices, &[0; 8]);
    }
    builder.words(RecordKind::Registers, &[0]);
    let capture = build(builder);
    let replayer = replayed(&capture, ReplayMode::Faithful);
    assert_eq!(replayer.ge().registers().argument(Opcode(0xEF)), 11);
    assert_eq!(replayer.ge().pointers().vertex.get() >> 24, 0x08);
}

#[test]
fn initial_states_of_either_layout_are_taken_over() {
    let mut words = *InitialState::blank().words();
    words[5] = 0x0801_2340;
    words[17 + 3] = 0x1008_0000;
    let new = InitialState::from_words(words);
    // The older layout: counters, then matrices as singles, with element 0 of the world matrix 1.5.
    let mut old = words;
    old[226..512].fill(0);
    for (word, number) in old[226..231].iter_mut().zip([0x2A, 0x3A, 0x3C, 0x3E, 0x40]) {
        *word = number << 24 | 3;
    }
    old[231 + 96] = 1.5_f32.to_bits();
    let old = InitialState::from_words(old);
    for (state, element, counter) in [(&new, 0.0, 0), (&old, 1.5, 3)] {
        let mut ge = Ge::new(GeOptions::default());
        restore(&mut ge, state);
        assert_eq!(ge.pointers().vertex, Address::new(0x0801_2340));
        assert_eq!(ge.registers().command(Opcode::BASE).word(), 0x1008_0000);
        assert_eq!(ge.matrices().world[0], element);
        assert_eq!(ge.matrices().counter(MatrixKind::World), counter);
        assert_eq!(ge.matrices().visible(MatrixKind::World)[0].to_f32(), element);
    }
}

#[test]
fn a_frame_that_shows_nothing_has_no_picture() {
    let capture = build(blank());
    assert_eq!(
        replayed(&capture, ReplayMode::Faithful).picture(),
        Err(PictureError::NothingShown)
    );
}

#[test]
fn captures_that_steer_the_list_are_refused() {
    for opcode in [Opcode::JUMP, Opcode::BJUMP, Opcode::CALL, Opcode::RET] {
        let mut builder = blank();
        draw_white_rectangle(&mut builder);
        // To the list's start, again and again.
        builder.words(
            RecordKind::Registers,
            &[0x1008_0000, Command::new(opcode, 0).word()],
        );
        let capture = build(builder);
        let mut replayer = Replayer::new(&capture, ReplayOptions::default());
        assert_eq!(replayer.run(), Err(ReplayError::Steers { record: 4, opcode }));
    }
}

#[test]
fn a_budget_is_for_the_whole_replay() {
    let mut builder = blank();
    builder.words(RecordKind::Registers, &[0; 30]);
    builder.words(RecordKind::Registers, &[0; 30]);
    let capture = build(builder);
    let mut replayer = Replayer::new(
        &capture,
        ReplayOptions {
            budget: 50,
            ..ReplayOptions::default()
        },
    );
    let source = GeError::BudgetExhausted {
        address: Address::new(RING + 4 * 50),
        // The list's first NOP has taken one.
        budget: 49,
    };
    assert_eq!(replayer.run(), Err(ReplayError::List { record: 3, source }));
}

/// Stops behind a draw, and notes the corner pixel as that draw left it.
struct StopBehind {
    draw: u64,
    corner: Option<u32>,
}

impl Observer for StopBehind {
    fn after_draw(&mut self, ge: &mut Ge, number: u64) {
        if number == self.draw {
            self.corner = ge.memory().word(Address::new(0x0400_0000));
        }
    }

    fn stops(&self) -> bool {
        self.corner.is_some()
    }
}

#[test]
fn an_observer_stops_a_replay_behind_a_draw() {
    let mut builder = blank();
    draw_white_rectangle(&mut builder);
    // The second draw is red, and a copy behind it must not happen either.
    builder.words(RecordKind::Registers, &[0x5500_00FF]);
    builder.bytes(RecordKind::Vertices, &[0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0]);
    builder.words(RecordKind::Registers, &[0x0406_0002]);
    builder.words(RecordKind::CopyDestination, &[0x0400_0000]);
    builder.bytes(RecordKind::CopyData, &[7; 4]);
    let capture = build(builder);
    for (draw, corner) in [(0, 0xFF_FFFF), (1, 0xFF)] {
        let mut replayer = Replayer::new(&capture, ReplayOptions::default());
        let mut observer = StopBehind { draw, corner: None };
        // Both draws wait for the copy, which is record 8.
        let stopped = replayer.run_with(&mut observer);
        assert_eq!(stopped, Err(ReplayError::Stopped { record: 8 }));
        assert_eq!(observer.corner, Some(corner));
        assert_eq!(replayer.step(), Ok(false), "it does not go on");
        assert_eq!(
            replayer.ge_mut().memory().word(Address::new(0x0400_0000)),
            Some(corner)
        );
    }
}
