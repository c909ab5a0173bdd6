//! Vector M10 of `spec/mot.md` §11 and the rest of §10.

use super::*;
use crate::FormatError;

fn with(bytes: Vec<u8>, at: usize, patch: &[u8]) -> Vec<u8> {
    let mut bytes = bytes;
    bytes[at..at + patch.len()].copy_from_slice(patch);
    bytes
}

fn error(bytes: &[u8]) -> String {
    let error: FormatError = Mot::parse(bytes).expect_err("these bytes are no motion");
    let text = error.to_string();
    assert!(!text.contains('\n'));
    text
}

#[test]
fn files_are_refused_with_the_place() {
    for (bytes, message) in [
        (
            vec![],
            "magic at 0x0: found a file of 0x0 bytes, expected at least 0x4 bytes",
        ),
        (
            okami()[..7].to_vec(),
            "header at 0x4: found a file of 0x7 bytes, expected at least 0x8 bytes",
        ),
        (
            with(okami(), 3, b"4"),
            "magic at 0x0: found \"mtb4\", expected \"mtb3\"",
        ),
        (
            with(okami(), 0, b"3btm"),
            "magic at 0x0: found a motion in big-endian order, expected \"mtb3\"",
        ),
        (
            with(okami(), 0, b"mot\0"),
            "magic at 0x0: found unknown mot variant, expected \"mtb3\"",
        ),
        (
            with(okami(), 6, &[0]),
            "record count at 0x6: found 0, expected 1 or more, the terminator being counted, or a file \
             that ends with its header",
        ),
        (
            okami()[..0x2C].to_vec(),
            "record table at 0x8: found a file of 0x2c bytes, expected at least 0x30 bytes",
        ),
        (
            with(with(okami(), 0x28, &[3, 0x77]), 0x21, &[0x77]),
            "record table at 0x8: found 5 records of neither 8 nor 12 bytes, expected a terminator, or \
             records that make sense in one of the sizes (little-endian)",
        ),
    ] {
        assert_eq!(error(&bytes), format!("MOT: {message}"));
    }
}

#[test]
fn curves_are_refused_with_the_place() {
    for (at, patch, message) in [
        (
            0x14,
            &[0x9C][..],
            "record 1, block at 0x9c: found a file of 0x9c bytes, expected at least 0xb8 bytes",
        ),
        (
            0x14,
            &[0x2F],
            "record 1, block offset at 0x14: found 0x2f, expected at least 0x30, where the record table \
             ends",
        ),
        (
            0x14,
            &[0xFF; 4],
            "record 1, block at 0xffffffff: found a file of 0x9c bytes, expected at least 0x10000001b \
             bytes",
        ),
        (
            0x12,
            &[0, 0],
            "record 1, curve at 0x12: found a curve without keys, expected 1 key or more",
        ),
        (
            0x40,
            &[0],
            "record 1, curve at 0x40: found key 1 at frame 0, where the key before it is at frame 0, \
             expected frames that ascend",
        ),
        (
            0x30,
            &[0, 0x7E],
            "record 1, curve at 0x30: found a header with a number that is not finite, expected finite \
             numbers",
        ),
        (
            0x6C,
            &[0, 0],
            "record 2, curve at 0x6c: found key 1 at frame 0, where the key before it is at frame 0, \
             expected frames that ascend",
        ),
        (
            0x94,
            &[0, 0, 0xC0, 0x7F],
            "record 3, curve at 0x8c: found key 1 with a number that is not finite, expected finite \
             numbers",
        ),
        (
            0x0C,
            &[0, 0, 0x80, 0x7F],
            "record 0, constant at 0xc: found inf, expected a finite number",
        ),
        (
            0x11,
            &[0x24],
            "record 1, property at 0x11: found 0x24, of a family whose layout is unknown, expected \
             0x00, 0x10, 0x30, 0x40 or 0x50 and a track",
        ),
    ] {
        assert_eq!(error(&with(okami(), at, patch)), format!("MOT: {message}"));
    }
}

#[test]
fn oddities_are_warnings_and_survive() {
    let odd = |at, patch: &[u8], warning: Warning| {
        let bytes = with(okami(), at, patch);
        let motion = Mot::parse(&bytes).unwrap();
        assert!(motion.warnings().contains(&warning), "{:?}", motion.warnings());
        assert_eq!(motion.write(), bytes);
        assert!(!warning.to_string().is_empty());
    };
    odd(7, &[2], Warning::LoopFlag(2));
    odd(4, &[0, 0], Warning::NoFrames);
    odd(4, &[20, 0], Warning::BeyondLastFrame { record: 1, frame: 20 });
    odd(
        0x11,
        &[0x77],
        Warning::UnknownProperty {
            record: 1,
            property: 0x77,
        },
    );
    odd(8, &[0xFE], Warning::Bone { record: 0, bone: -2 });
    odd(
        0x8E,
        &[1, 2],
        Warning::Filler {
            record: 3,
            filler: 0x0201,
        },
    );
}

#[test]
fn a_second_curve_for_a_track_is_a_warning() {
    let bytes = with(god_hand(), 0x14, &[3, 0x10]);
    let motion = Mot::parse(&bytes).unwrap();
    assert!(motion.warnings().contains(&Warning::SecondCurve {
        record: 1,
        bone: 3,
        track: Track::Position(Axis::X)
    }));
}

#[test]
fn bytes_between_blocks_survive() {
    let mut bytes = okami();
    bytes.extend([1, 2, 3]);
    let motion = Mot::parse(&bytes).unwrap();
    assert!(motion.warnings().contains(&Warning::UnusedBytes(3)));
    assert_eq!(motion.write(), bytes);
    // Zeros behind are no oddity.
    bytes = okami();
    bytes.resize(170, 0);
    let motion = Mot::parse(&bytes).unwrap();
    assert_eq!(motion.warnings(), [Warning::SemiPrecisionBaseAssumed]);
    assert_eq!(motion.write(), bytes);
}

#[test]
fn overlapping_blocks_are_bounded() {
    // 254 curves of 60,000 bytes, each of them two bytes further on.
    let mut bytes = Mot::new(
        Form::Okami,
        vec![Record::new(0, Track::Position(Axis::X), Curve::single_pose(0.0)); 254],
    )
    .unwrap()
    .write();
    let table_end = bytes.len();
    bytes.resize(table_end + 61_000, 0);
    for record in 0..254 {
        let at = HEADER_SIZE + 8 * record;
        bytes[at + 1] = 0x40;
        bytes[at + 2..at + 4].copy_from_slice(&30_000u16.to_le_bytes());
        bytes[at + 4..at + 8].copy_from_slice(&((table_end + 2 * record) as u32).to_le_bytes());
    }
    let error = error(&bytes);
    assert!(
        error.contains("record 4, block") && error.contains("overlap"),
        "{error}"
    );
    let mended = Mot::mend(&bytes).unwrap();
    assert_eq!(mended.motion.records().len(), 4);
}

#[test]
fn keys_on_one_frame_are_mended() {
    // spec/mot.md §11, M10: the key at frame 0 becomes the second one.
    let mended = Mot::mend(&with(okami(), 0x40, &[0])).unwrap();
    assert_eq!(mended.repairs, [(1, Repair::KeysOnOneFrame(1))]);
    let (_, _, curve) = mended.motion.curves().nth(1).unwrap();
    assert_eq!(
        curve.keys(),
        hermite(&[
            (0, 1.984375, 0.125, 2.0),
            (10, 0.0, -0.5, 6.0),
            (15, -1.0, 0.0, 0.0)
        ])
    );
    let mended = Mot::mend(&with(okami(), 0x6C, &[0, 0])).unwrap();
    assert_eq!(mended.repairs, [(2, Repair::KeysOnOneFrame(1))]);
    assert_eq!(Mot::parse(&mended.motion.write()), Ok(mended.motion));
}

#[test]
fn a_key_too_many_is_mended() {
    // spec/mot.md §10: the old exporter's count of keys and one, here for every curve.
    let mut bytes = okami();
    for (at, count) in [(0x12, 5), (0x1A, 4), (0x22, 3)] {
        bytes[at] = count;
    }
    assert!(Mot::parse(&bytes).is_err());
    let mended = Mot::mend(&bytes).unwrap();
    assert_eq!(
        mended.repairs,
        [1, 2, 3].map(|record| (record, Repair::KeyTooMany))
    );
    let sound = Mot::parse(&okami()).unwrap();
    assert!(mended.motion.curves().eq(sound.curves()));
}

#[test]
fn what_cannot_be_mended_is_left_out() {
    let mended = Mot::mend(&with(okami(), 0x30, &[0, 0x7E])).unwrap();
    assert!(matches!(&mended.repairs[..], [(1, Repair::LeftOut(_))]));
    assert_eq!(mended.motion.curves().count(), 3);
    let sound = Mot::mend(&okami()).unwrap();
    assert_eq!(sound.repairs, []);
    assert!(Mot::mend(b"mtb4").is_err());
}
