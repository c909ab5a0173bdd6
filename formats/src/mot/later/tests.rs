use proptest::prelude::*;

use super::super::HermiteKey;
use super::super::tests::dump;
use super::*;

/// Vector M11 of `spec/mot.md` §11.
fn bayonetta() -> Vec<u8> {
    dump(
        "0000: 6D 6F 74 00 01 00 0B 00 10 00 00 00 03 00 00 00
         0010: FF FF 01 00 02 00 FF FF 00 00 40 3F 05 00 03 06
         0020: 02 00 FF FF 34 00 00 00 FF 7F FF FF 00 00 00 00
         0030: 00 00 00 00 00 00 00 4E 00 00 00 00 00 00 00 00
         0040: 00 00 00 00 0A C8 00 00",
    )
}

/// Vector M12.
fn nier() -> Vec<u8> {
    dump(
        "0000: 6D 6F 74 00 05 04 12 20 00 00 2D 01 2C 00 00 00
         0010: 01 00 00 00 00 00 00 00 74 65 73 74 00 00 00 00
         0020: 00 00 00 00 00 00 00 00 00 00 00 00 05 00 03 08
         0030: 02 00 FF FF 18 00 00 00 FF 7F 00 00 00 00 00 00
         0040: 00 00 00 00 00 00 00 4E 00 00 00 00 00 00 00 00
         0050: 00 00 00 00 00 01 2C C8 00 00 00 00",
    )
}

fn flat(frames_and_values: [(u32, f64); 2]) -> Keys {
    Keys::Hermite(
        frames_and_values
            .map(|(frame, value)| HermiteKey {
                frame,
                value,
                ..HermiteKey::default()
            })
            .to_vec(),
    )
}

#[test]
fn the_first_generation_reads() {
    let motion = LaterMot::parse(&bayonetta()).unwrap();
    assert_eq!(
        (motion.generation, motion.byte_order),
        (Generation::First, ByteOrder::Little)
    );
    assert_eq!((motion.is_looping(), motion.frame_count), (true, 11));
    let [whole, bone] = &motion.records[..] else {
        panic!("two records");
    };
    assert_eq!(
        (whole.bone, whole.track, whole.keys()),
        (
            -1,
            LaterTrack::Bone(Track::Position(Axis::Y)),
            Keys::Constant(0.75)
        )
    );
    assert_eq!(
        (bone.bone, bone.track),
        (5, LaterTrack::Bone(Track::Rotation(Axis::X)))
    );
    assert_eq!(bone.curve.curve_type(), CurveType::Hermite8Relative);
    assert_eq!(bone.keys(), flat([(0, 0.0), (10, 0.78125)]));
}

#[test]
fn the_second_generation_reads() {
    let motion = LaterMot::parse(&nier()).unwrap();
    assert_eq!(motion.generation, Generation::Second);
    assert_eq!((motion.frame_count, &motion.name[..]), (301, &b"test"[..]));
    let [bone] = &motion.records[..] else {
        panic!("one record");
    };
    assert_eq!(bone.keys(), flat([(0, 0.0), (300, 0.78125)]));
}

#[test]
fn a_big_endian_file_reads_like_the_other() {
    // M11 with every number turned round; the two 16-bit floats of the header among them.
    let bytes = dump(
        "0000: 6D 6F 74 00 00 01 00 0B 00 00 00 10 00 00 00 03
         0010: FF FF 01 00 00 02 FF FF 3F 40 00 00 00 05 03 06
         0020: 00 02 FF FF 00 00 00 34 7F FF FF FF 00 00 00 00
         0030: 00 00 00 00 00 00 4E 00 00 00 00 00 00 00 00 00
         0040: 00 00 00 00 0A C8 00 00",
    );
    let big = LaterMot::parse(&bytes).unwrap();
    assert_eq!(big.byte_order, ByteOrder::Big);
    let little = LaterMot::parse(&bayonetta()).unwrap();
    let keys = |motion: &LaterMot| motion.records.iter().map(LaterRecord::keys).collect::<Vec<_>>();
    assert_eq!(keys(&big), keys(&little));
}

#[test]
fn a_big_endian_file_of_the_second_generation_reads() {
    // M12 turned round: big-endian frame numbers are in file order then.
    let bytes = dump(
        "0000: 6D 6F 74 00 20 12 04 05 00 00 01 2D 00 00 00 2C
         0010: 00 00 00 01 00 00 00 00 74 65 73 74 00 00 00 00
         0020: 00 00 00 00 00 00 00 00 00 00 00 00 00 05 03 08
         0030: 00 02 FF FF 00 00 00 18 7F FF 00 00 00 00 00 00
         0040: 00 00 00 00 00 00 4E 00 00 00 00 00 00 00 00 00
         0050: 00 00 00 00 00 01 2C C8 00 00 00 00",
    );
    let big = LaterMot::parse(&bytes).unwrap();
    let little = LaterMot::parse(&nier()).unwrap();
    assert_eq!((big.frame_count, &big.name), (301, &little.name));
    assert_eq!(big.records[0].keys(), little.records[0].keys());
    assert_eq!(Variant::of(&bytes), Some(Variant::Second(ByteOrder::Big)));
}

/// A first- or second-generation little-endian file of one record with this block.
fn one_curve(generation: Generation, number: u8, count: u8, block: &[u8]) -> Vec<u8> {
    let mut bytes = match generation {
        Generation::First => bayonetta()[..0x10].to_vec(),
        Generation::Second => nier()[..0x2C].to_vec(),
    };
    let (count_at, start) = match generation {
        Generation::First => (0x0C, bytes.len() + 12),
        Generation::Second => (0x10, 12),
    };
    bytes[count_at] = 1;
    bytes.extend([0, 0, 9, number, count, 0, 0xFF, 0xFF, start as u8, 0, 0, 0]);
    bytes.extend(block);
    bytes
}

#[test]
fn every_curve_type_reads() {
    use Generation::{First, Second};
    let keys = |generation, number, count, block: &str| {
        let bytes = one_curve(generation, number, count, &dump(block));
        let motion = LaterMot::parse(&bytes).unwrap_or_else(|error| panic!("type {number}: {error}"));
        assert_eq!(motion.records[0].track, LaterTrack::Bone(Track::Scale(Axis::Z)));
        motion.records[0].keys()
    };
    let linear = Keys::Linear(vec![1.0, 2.0]);
    let floats = "00 00 80 3F 00 00 00 40";
    for generation in [First, Second] {
        assert_eq!(keys(generation, 1, 2, floats), linear);
    }
    // A bias of 1 and a step of 1/2, then integers 0 and 2.
    let float_steps = "00 00 80 3F 00 00 00 3F";
    assert_eq!(keys(First, 3, 2, &format!("{float_steps} 00 00 02 00")), linear);
    assert_eq!(keys(Second, 2, 2, &format!("{float_steps} 00 00 02 00")), linear);
    assert_eq!(keys(First, 5, 2, &format!("{float_steps} 00 02")), linear);
    assert_eq!(keys(Second, 3, 2, "00 5E 00 5C 00 02"), linear);
    let hermite = Keys::Hermite(vec![
        HermiteKey {
            frame: 3,
            value: 1.0,
            incoming: 0.0,
            outgoing: 0.5,
        },
        HermiteKey {
            frame: 8,
            value: 2.0,
            incoming: 1.0,
            outgoing: 0.0,
        },
    ]);
    let full = "03 00 FF FF 00 00 80 3F 00 00 00 00 00 00 00 3F
                08 00 FF FF 00 00 00 40 00 00 80 3F 00 00 00 00";
    assert_eq!(keys(First, 2, 2, full), hermite);
    assert_eq!(keys(Second, 4, 2, full), hermite);
    let semi = format!(
        "{float_steps} 00 00 00 00 00 00 00 3F 00 00 00 00 00 00 00 3F
         03 00 00 00 00 00 01 00 08 00 02 00 02 00 00 00"
    );
    assert_eq!(keys(First, 4, 2, &semi), hermite);
    assert_eq!(keys(Second, 5, 2, &semi), hermite);
    let half_steps = "00 5E 00 5C 00 00 00 5C 00 00 00 5C";
    let bytes = |keys_: &str| format!("{half_steps} {keys_}");
    assert_eq!(keys(Second, 6, 2, &bytes("03 00 00 01 08 02 02 00")), hermite);
    assert_eq!(keys(First, 6, 2, &bytes("03 00 00 01 05 02 02 00")), hermite);
    assert_eq!(keys(Second, 7, 2, &bytes("03 00 00 01 05 02 02 00")), hermite);
    assert_eq!(
        keys(First, 7, 2, &bytes("03 00 AA 00 00 01 08 00 AA 02 02 00")),
        hermite
    );
    assert_eq!(
        keys(Second, 8, 2, &bytes("00 03 00 00 01 00 08 02 02 00")),
        hermite
    );
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let error = |bytes: &[u8]| LaterMot::parse(bytes).unwrap_err().to_string();
    let patched = |mut bytes: Vec<u8>, at: usize, byte: u8| {
        bytes[at] = byte;
        error(&bytes)
    };
    assert_eq!(
        patched(bayonetta(), 8, 0x11),
        "MOT: header at 0x0: found unknown mot variant, expected mot of version 0x20120405 or with \
         records at 0x10"
    );
    assert_eq!(
        error(b"mtb3\0\0\0\0"),
        "MOT: header at 0x0: found Okami motion, expected mot of version 0x20120405 or with records at \
         0x10"
    );
    assert_eq!(
        error(b"png!"),
        "MOT: magic at 0x0: found \"png!\", expected \"mot\\0\""
    );
    assert_eq!(
        patched(bayonetta(), 0x1F, 8),
        "MOT: record 1, curve type at 0x1f: found 8, expected 0 to 7, the types of Bayonetta 1"
    );
    assert_eq!(
        patched(nier(), 0x2F, 9),
        "MOT: record 0, curve type at 0x2f: found 9, expected 0 to 8, the types of Bayonetta 2"
    );
    assert_eq!(
        patched(bayonetta(), 0x20, 0),
        "MOT: record 1, key count at 0x20: found 0, expected 1 to 32767"
    );
    assert_eq!(
        patched(bayonetta(), 0x44, 0),
        "MOT: record 1, block at 0x34: found key 1 that does not lie behind key 0, expected finite \
         numbers, and frames that ascend"
    );
    assert_eq!(
        patched(bayonetta(), 0x35, 0x7E),
        "MOT: record 1, block at 0x34: found key 0 with a number that is not finite, expected finite \
         numbers, and frames that ascend"
    );
    assert_eq!(
        patched(bayonetta(), 0x24, 0xF4),
        "MOT: record 1, block at 0xf4: found a file of 0x48 bytes, expected at least 0x108 bytes"
    );
    assert_eq!(
        patched(bayonetta(), 0x0F, 0xFF),
        "MOT: record table at 0x10: found a file of 0x48 bytes, expected at least 0xbf4000034 bytes"
    );
}

#[test]
fn shared_blocks_are_kept_once() {
    let mut bytes = bayonetta()[..0x10].to_vec();
    bytes[0x0C..0x10].copy_from_slice(&1000u32.to_le_bytes());
    let start = (0x10 + 1000 * RECORD_SIZE) as u32;
    for _ in 0..1000 {
        bytes.extend([0, 0, 0, 1, 0, 0x10, 0xFF, 0xFF]);
        bytes.extend(start.to_le_bytes());
    }
    bytes.resize(bytes.len() + 4 * 0x2000, 0);
    assert_eq!(LaterMot::parse(&bytes).unwrap().records.len(), 1000);
    // Apart, they would fill memory.
    for record in 0..1000u32 {
        let at = 0x10 + RECORD_SIZE * record as usize + 8;
        bytes[at..at + 4].copy_from_slice(&(start + 4 * record).to_le_bytes());
    }
    let error = LaterMot::parse(&bytes).unwrap_err().to_string();
    assert!(error.contains("overlap"), "{error}");
}

proptest! {
    #[test]
    fn damage_never_panics(
        is_first in any::<bool>(),
        damage in prop::collection::vec((0usize..0x60, any::<u8>()), 1..8),
        length in 0usize..0x60,
    ) {
        let mut bytes = if is_first { bayonetta() } else { nier() };
        for (place, value) in damage {
            let place = place % bytes.len();
            bytes[place] = value;
        }
        let _ = LaterMot::parse(&bytes[..length.min(bytes.len())]);
        if let Ok(motion) = LaterMot::parse(&bytes) {
            for record in &motion.records {
                let _ = record.keys();
            }
        }
    }
}
