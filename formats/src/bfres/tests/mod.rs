use super::*;
use crate::fsha::tests::{dump, sample};
use crate::fsha::{Curve, CurveType, Elements, Frames, KeyWeight, Offset, VertexShapeAnimation, Wrap};

mod damaged;
mod models;
mod properties;

/// Vector F1 of `spec/fsha.md` §12.
pub(super) fn talk() -> Vec<u8> {
    dump(
        "0000: 46 52 45 53 03 04 00 04 FE FF 00 10 00 00 01 C8
         0010: 00 00 00 04 00 00 01 88 00 00 00 50 00 00 01 5C
         0020: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         0030: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         0040: 00 00 00 00 00 00 00 28 00 00 00 00 00 00 00 00
         0050: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         0060: 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00 28
         0070: 00 00 00 01 FF FF FF FF 00 01 00 00 00 00 00 00
         0080: 00 00 00 00 00 00 00 1E 00 00 00 01 00 00 01 34
         0090: 00 00 00 04 46 53 48 41 00 00 01 28 00 00 00 E0
         00A0: 00 04 00 00 00 00 00 1E 00 01 00 03 00 02 00 00
         00B0: 00 00 01 20 00 00 00 00 00 00 00 0C 00 00 00 0C
         00C0: 00 00 00 00 FF FF 00 00 00 02 00 03 00 00 00 00
         00D0: 00 00 00 00 00 00 00 D4 00 00 00 0C 00 00 00 20
         00E0: 00 00 00 64 FF 00 00 00 00 00 00 9C 00 01 00 00
         00F0: 00 00 00 C4 01 02 00 00 00 00 00 98 00 1A 00 03
         0100: 00 00 00 04 00 00 00 00 41 F0 00 00 3C 00 00 00
         0110: 3F 00 00 00 3E 80 00 00 00 00 00 34 00 00 00 34
         0120: 00 05 00 03 00 00 00 08 00 00 00 00 41 F0 00 00
         0130: 3A 80 00 00 00 00 00 00 00 00 00 00 00 00 00 1C
         0140: 00 00 00 20 00 00 00 00 3E 80 00 00 00 14 1E 00
         0150: C0 40 00 E0 E0 00 00 00 00 00 01 90 03 C0 00 00
         0160: 00 00 00 00 0C 00 F8 00 04 00 00 00 F4 00 08 00
         0170: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
         0180: 00 00 00 04 62 61 73 65 00 00 00 00 00 00 00 05
         0190: 62 6C 69 6E 6B 00 00 00 00 00 00 04 64 65 6D 6F
         01A0: 00 00 00 00 00 00 00 04 66 61 63 65 00 00 00 00
         01B0: 00 00 00 05 73 6D 69 6C 65 00 00 00 00 00 00 04
         01C0: 74 61 6C 6B 00 00 00 00",
    )
}

/// The same animation, made from its numbers.
fn talk_animation() -> ShapeAnimation {
    let curve = |curve_type, scale, offset, delta, frames, elements| Curve {
        curve_type,
        target: 0,
        start: 0.0,
        end: 30.0,
        scale,
        offset: Offset::Float(offset),
        delta: Some(delta),
        before: Wrap::Clamp,
        after: Wrap::Clamp,
        unknown_flags: 0,
        frames,
        elements,
    };
    let smile = curve(
        CurveType::Linear,
        1.0 / 128.0,
        0.5,
        0.25,
        Frames::Bytes([0, 20, 30].into()),
        Elements::Bytes([-64, 64, 0, -32, -32, 0].into()),
    );
    let blink = curve(
        CurveType::Cubic,
        1.0 / 1024.0,
        0.0,
        0.0,
        Frames::Fixed([0, 400, 960].into()),
        Elements::Shorts([0, 0, 3072, -2048, 1024, 0, -3072, 2048, 0, 0, 0, 0].into()),
    );
    let mut face = VertexShapeAnimation::new("face", "base")
        .with_key("smile", KeyWeight::Animated(smile))
        .with_key("blink", KeyWeight::Animated(blink));
    face.base_values[1] = 0.25;
    for (index, key) in face.keys.iter_mut().enumerate() {
        key.sub_bind = Some(index as u8);
    }
    ShapeAnimation::new("talk", 30, vec![face]).looping()
}

#[test]
fn the_whole_file_reads() {
    let bytes = talk();
    assert_eq!(bytes.len(), 0x1C8);
    let file = Bfres::parse(&bytes).unwrap();
    assert_eq!((file.name(), file.version()), ("demo", Version::LATEST));
    assert_eq!(file.version().to_string(), "3.4.0.4");
    assert_eq!(file.animations(), [talk_animation()]);
    assert_eq!(file.animation("talk"), file.animations().first());
    assert_eq!(file.animation("walk"), None);
    assert_eq!(file.animations()[0].baked_length, 288);
    assert_eq!(file.warnings(), []);
    assert_eq!(file.models(), Ok(vec![]));
    assert_eq!(file.model_of(0), None);
    assert_eq!(file.write(), bytes);
}

#[test]
fn the_whole_file_is_what_the_writer_makes() {
    let file = Bfres::new("demo", Version::LATEST, vec![talk_animation()]).unwrap();
    assert_eq!(file.write(), talk());
}

#[test]
fn the_curves_give_the_specified_weights() {
    // Vector F2, before the cut to 24 bits.
    let file = Bfres::parse(&talk()).unwrap();
    let face = &file.animations()[0].shapes[0];
    let (smile, blink) = (face.curve_of(1).unwrap(), face.curve_of(2).unwrap());
    for (frame, smiles, blinks) in [
        (0.0, 0.0, 0.0),
        (5.0, 0.125, 0.352),
        (10.0, 0.25, 0.896),
        (12.5, 0.3125, 1.0),
        (19.0, 0.475, 0.688606414),
        (20.0, 0.5, 0.606413994),
        (21.25, 0.46875, 0.5),
        (25.0, 0.375, 0.198250729),
        (30.0, 0.25, 0.0),
    ] {
        assert!((sample(smile, frame) - smiles).abs() < 1e-6, "smile at {frame}");
        assert!((sample(blink, frame) - blinks).abs() < 1e-6, "blink at {frame}");
    }
}

#[test]
fn a_key_without_a_curve_has_its_base_value() {
    // Vector F3.
    let mut bytes = talk();
    bytes[0xF4] = 0xFF;
    let file = Bfres::parse(&bytes).unwrap();
    let face = &file.animations()[0].shapes[0];
    assert_eq!(face.curve_of(2), None);
    assert_eq!((face.base_value(2), face.base_value(0)), (0.25, 0.0));
}

/// An animation of eight targets, as many as the GE morphs.
fn eight_targets() -> ShapeAnimation {
    let weights = [0.1, 0.2, 0.05, 0.15, 0.1, 0.05, 0.1];
    let mut face = VertexShapeAnimation::new("face", "base");
    for (index, weight) in weights.into_iter().enumerate() {
        let curve = Curve::linear(&[(0.0, 0.0), (10.0 + index as f32, weight), (30.0, 0.0)], 0.001);
        let name = format!("key {}", index + 1);
        face = face.with_key(&name, KeyWeight::Animated(curve.unwrap()));
    }
    ShapeAnimation::new("eight", 30, vec![face]).looping()
}

#[test]
fn eight_morph_targets_are_driven() {
    let file = Bfres::new("demo", Version::LATEST, vec![talk_animation(), eight_targets()]).unwrap();
    let read = Bfres::parse(&file.write()).unwrap();
    let face = &read.animation("eight").unwrap().shapes[0];
    assert_eq!(face.keys.len(), 8);
    for (key, weight) in (1..).zip([0.1, 0.2, 0.05, 0.15, 0.1, 0.05, 0.1]) {
        let curve = face.curve_of(key).unwrap();
        assert_eq!(curve.target, 4 * key as u32);
        assert!((sample(curve, 9.0 + key as f64) - weight).abs() <= 0.001);
        assert_eq!(sample(curve, 30.0), sample(curve, 0.0));
    }
    assert_eq!(read.warnings(), []);
}

#[test]
fn early_versions_have_their_own_layout() {
    let version = Version(0x0303_0000);
    let file = Bfres::new("demo", version, vec![talk_animation()]).unwrap();
    let bytes = file.write();
    // Four bytes less for the header and for each of two curves; shapes are as wide.
    assert_eq!(bytes.len(), talk().len() - 12);
    let early = Bfres::parse(&bytes).unwrap();
    assert_eq!(
        early.animations(),
        [talk_animation().in_generation(Generation::Early)]
    );
    let shape = bytes.windows(4).position(|counts| counts == [2, 3, 0, 0]);
    assert!(shape.is_some(), "counts of a byte each");
}

#[test]
fn the_base_document_s_shapes_are_read_where_only_they_fit() {
    // F1 with a shape of 0x20 bytes at the end of the file, its last offsets four bytes on.
    let mut bytes = talk();
    let at = bytes.len();
    bytes.extend_from_within(0xC8..0xD8);
    bytes.extend([0; 16]);
    let mut point = |field: usize, target: usize| {
        let offset = (target as i64 - field as i64) as i32;
        bytes[field..field + 4].copy_from_slice(&offset.to_be_bytes());
    };
    point(0x94 + 0x28, at);
    point(at + 0x0C, 0x1A8);
    point(at + 0x14, 0xE4);
    point(at + 0x18, 0xFC);
    point(at + 0x1C, 0x144);
    let file = Bfres::parse(&bytes).unwrap();
    assert_eq!(file.animations(), [talk_animation()]);
    assert_eq!(
        file.warnings(),
        [Warning::Animation {
            animation: 0,
            warning: fsha::Warning::WideShapes
        }]
    );
    let mut again = file.clone();
    again.replace(0, talk_animation()).unwrap();
    assert_eq!(again.write(), bytes);
}

#[test]
fn curve_indices_may_count_from_the_first_curve_of_all() {
    let face = talk_animation().shapes.remove(0);
    let mut body = face.clone();
    body.name = "body".into();
    let animation = ShapeAnimation::new("talk", 30, vec![face, body]);
    let file = Bfres::new("demo", Version::LATEST, vec![animation.clone()]).unwrap();
    let mut bytes = file.write();
    let keys: Vec<usize> = (0..bytes.len() - 8)
        .filter(|&at| bytes[at..at + 4] == [0, 1, 0, 0] && bytes[at + 8..at + 12] == [1, 2, 0, 0])
        .collect();
    let [_, second] = keys[..] else {
        panic!("the keys of two shapes");
    };
    bytes[second] = 2;
    bytes[second + 8] = 3;
    let mut global = Bfres::parse(&bytes).unwrap();
    assert_eq!(global.animations(), file.animations());
    global.replace(0, animation).unwrap();
    assert_eq!(global.write(), bytes, "an index keeps its way of counting");
    bytes[second] = 4;
    assert!(Bfres::parse(&bytes).is_err());
}

#[test]
fn what_is_no_container_is_refused() {
    let new = |version, animations| Bfres::new("demo", version, animations).unwrap_err();
    assert_eq!(
        new(Version(0x0204_0000), vec![]),
        InvalidBfres::Version(Version(0x0204_0000))
    );
    assert_eq!(
        new(Version::LATEST, vec![talk_animation(), talk_animation()]),
        InvalidBfres::Names(2)
    );
    let mut broken = talk_animation();
    broken.frame_count = -1;
    assert_eq!(
        new(Version::LATEST, vec![eight_targets(), broken]),
        InvalidBfres::Animation {
            animation: 1,
            invalid: InvalidAnimation::FrameCount(-1)
        }
    );
    assert_eq!(
        Bfres::new("de\0mo", Version::LATEST, vec![]),
        Err(InvalidBfres::Name)
    );
    let empty = Bfres::new("demo", Version::LATEST, vec![]).unwrap();
    assert_eq!(Bfres::parse(&empty.write()), Ok(empty.clone()));
    let mut file = empty;
    assert_eq!(
        file.replace(0, talk_animation()),
        Err(InvalidReplacement::NoSuchAnimation { index: 0, count: 0 })
    );
}
