use ge::{GeOptions, Stop};
use replay::{ReplayMode, ReplayOptions, Replayer};

use super::*;

const LIST: Address = Address::new(0x0880_0000);
const DISPLAY: Display = Display {
    address: 0x0400_0000,
    stride: 512,
    format: 3,
};

fn record(list: &[Command], data: &[(u32, &[u8])]) -> (Ge, Result<Capture, RecordError>) {
    let mut ge = Ge::new(GeOptions::default());
    ge.write_list(LIST, list);
    for &(address, bytes) in data {
        ge.write(Address::new(address), bytes);
    }
    let mut recorder = Recorder::new(DISPLAY);
    let stop = ge.run_with(LIST, None, 10_000, &mut recorder);
    assert!(
        matches!(stop, Ok(Stop::Finished { .. } | Stop::Observed { .. })),
        "{stop:?}"
    );
    let capture = recorder.finish();
    (ge, capture)
}

fn command(opcode: Opcode, argument: u32) -> Command {
    Command::new(opcode, argument)
}

/// A textured, indexed rectangle under a palette, called from a list of its own.
fn rectangle() -> Vec<Command> {
    vec![
        command(Opcode::BASE, 0x08_0000),
        command(Opcode::FBFORMAT, 3),
        command(Opcode::FBWIDTH, 512),
        command(Opcode::SCISSOR2, 271 << 10 | 479),
        command(Opcode::REGION2, 271 << 10 | 479),
        command(Opcode::CALL, 0x80_0100),
        command(Opcode::FINISH, 0),
        command(Opcode::END, 0),
    ]
}

fn called() -> Vec<Command> {
    vec![
        command(Opcode::TEXENABLE, 1),
        command(Opcode::TEXFORMAT, 5),
        command(Opcode::TEXADDR0, 0x81_0000),
        command(Opcode::TEXBUFW0, 0x08_0000 | 16),
        command(Opcode::TEXSIZE0, 0x0104),
        command(Opcode::TEXFUNC, 0x103),
        command(Opcode::CLUTADDR, 0x82_0000),
        command(Opcode::CLUTADDRHI, 0x08_0000),
        command(Opcode::CLUTFORMAT, 0xFF03),
        command(Opcode::LOADCLUT, 2),
        // Texture coordinates, positions and indices of 16, 16 and 8 bits, through mode.
        command(Opcode::VTYPE, 0x80_0902),
        command(Opcode::IADDR, 0x83_0000),
        command(Opcode::VADDR, 0x84_0000),
        command(Opcode::PRIM, 6 << 16 | 2),
        command(Opcode::RET, 0),
    ]
}

fn recorded() -> (Ge, Capture) {
    let texels: Vec<u8> = (0..32).map(|texel| texel % 16).collect();
    let palette: Vec<u8> = (0..64).map(|byte| byte * 4).collect();
    let vertices: Vec<u8> = [[0_u16; 5], [0, 0, 9, 9, 9], [16, 2, 16, 2, 0]]
        .concat()
        .into_iter()
        .flat_map(u16::to_le_bytes)
        .collect();
    let called: Vec<u8> = called()
        .iter()
        .flat_map(|command| command.word().to_le_bytes())
        .collect();
    let data: [(u32, &[u8]); 5] = [
        (0x0880_0100, &called),
        (0x0881_0000, &texels),
        (0x0882_0000, &palette),
        (0x0883_0000, &[0, 2]),
        (0x0884_0000, &vertices),
    ];
    let (ge, capture) = record(&rectangle(), &data);
    (ge, capture.expect("a capture"))
}

#[test]
fn records_stand_where_the_format_wants_them() {
    let (_, capture) = recorded();
    let texture = RecordKind::Texture(MipLevel::new(0).expect("a level"));
    let seen: Vec<_> = capture
        .records()
        .iter()
        .map(|record| (record.kind, record.size))
        .collect();
    assert_eq!(
        seen,
        [
            (RecordKind::Init, 2048),
            (RecordKind::Display, 12),
            (RecordKind::Registers, 4 * 13),
            (RecordKind::Clut, 64),
            (RecordKind::Registers, 4 * 2),
            (texture, 32),
            (RecordKind::Indices, 2),
            // The highest index is 2: three vertices of 10 bytes.
            (RecordKind::Vertices, 30),
            (RecordKind::Registers, 4),
            (RecordKind::Display, 12),
        ]
    );
    for record in capture.records() {
        let aligned = matches!(record.kind, RecordKind::Texture(_) | RecordKind::Clut);
        assert!(!aligned || record.offset % 16 == 0, "{record:?}");
    }
    let steering = capture
        .records()
        .iter()
        .flat_map(|record| match capture.payload(record) {
            formats::capture::Payload::Registers(words) => words.iter().collect::<Vec<_>>(),
            _ => Vec::new(),
        });
    assert!(
        steering
            .map(Command::from_word)
            .all(|command| !steers(command.opcode()))
    );
}

#[test]
fn a_recorded_list_replays_to_the_same_pixels_in_both_orders() {
    let (mut ge, capture) = recorded();
    let expected = replay::Picture::of(ge.memory(), DISPLAY).expect("a picture");
    assert_ne!(expected.pixel(15, 1), Some([0, 0, 0, 255]), "something is drawn");
    let read = Capture::parse(&capture.write()).expect("the file is sound");
    for mode in [ReplayMode::Faithful, ReplayMode::Reference] {
        let options = ReplayOptions {
            mode,
            ..ReplayOptions::default()
        };
        let mut replayer = Replayer::new(&read, options);
        replayer.run().expect("the capture runs");
        assert!(replayer.picture().expect("a picture") == expected);
    }
}

#[test]
fn what_cannot_be_recorded_has_a_name() {
    let end = [command(Opcode::FINISH, 0), command(Opcode::END, 0)];
    let error = |commands: &[Command]| record(&[commands, &end].concat(), &[]).1.expect_err("refused");
    let second = LIST.offset(4);
    assert_eq!(
        error(&[command(Opcode::NOP, 0), command(Opcode::XFERSTART, 0)]),
        RecordError::Transfer { address: second }
    );
    assert_eq!(
        error(&[
            command(Opcode::CLUTADDRHI, 0x04_0000),
            command(Opcode::LOADCLUT, 1)
        ]),
        RecordError::FromVram {
            address: second,
            what: "a palette"
        }
    );
    assert_eq!(
        error(&[command(Opcode::NOP, 0), command(Opcode::VAP, 1 << 21)]),
        RecordError::ImmediateTexture { address: second }
    );
}

#[test]
fn a_long_list_is_split() {
    let nops = vec![command(Opcode::NOP, 7); 9000];
    let (_, capture) = record(
        &[&nops[..], &[command(Opcode::FINISH, 0), command(Opcode::END, 0)]].concat(),
        &[],
    );
    let sizes: Vec<_> = capture
        .expect("a capture")
        .records()
        .iter()
        .filter(|record| record.kind == RecordKind::Registers)
        .map(|record| record.size / 4)
        .collect();
    assert_eq!(sizes, [8192, 808]);
}
