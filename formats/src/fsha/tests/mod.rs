use super::place::CurvePlace;
use super::read_curve::parse_curve;
use super::write::put_curve;
use super::*;
use crate::bfres::source::Source;

mod encoding;
pub(crate) mod properties;

/// Bytes of a dump in hexadecimal, line addresses left out.
pub(crate) fn dump(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .filter(|word| !word.ends_with(':'))
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

/// Reads a curve's header at the start of `bytes` and checks that it writes back.
fn curve(bytes: &[u8], generation: Generation) -> Curve {
    let (curve, place) = try_curve(bytes, generation).unwrap_or_else(|error| panic!("{error}"));
    let mut written = vec![0; bytes.len()];
    // The offsets are the layout's.
    let offsets = generation.curve_frames()..generation.curve_size();
    written[offsets.clone()].copy_from_slice(&bytes[offsets]);
    put_curve(&mut written, &place, &curve, generation);
    assert_eq!(written, bytes);
    curve
}

fn try_curve(bytes: &[u8], generation: Generation) -> Result<(Curve, CurvePlace), crate::FormatError> {
    let mut source = Source::new("FSHA", bytes);
    let reader = source.reader;
    parse_curve(&mut source, &mut Arrays::default(), &reader, 0, generation)
}

/// The curve's value at `frame`, outside its keys the nearest one's.
pub(crate) fn sample(curve: &Curve, frame: f64) -> f64 {
    let segments = curve.segments();
    let next = segments.partition_point(|segment| segment.frame <= frame);
    let from = segments[next.saturating_sub(1)];
    let t = match segments.get(next) {
        Some(to) if next > 0 => (frame - from.frame) / (to.frame - from.frame),
        _ => 0.0,
    };
    let [c0, c1, c2, c3] = from.coefficients;
    (((c3 * t + c2) * t + c1) * t + c0) * curve.scale_factor() + curve.offset_value()
}

/// Vector F4 of `spec/fsha.md` §12.
fn linear() -> Vec<u8> {
    dump(
        "0000: 00 1A 00 03 00 00 00 00 00 00 00 00 41 F0 00 00
         0010: 40 00 00 00 43 48 00 00 43 96 00 00 00 00 00 08
         0020: 00 00 00 08 00 14 1E 00 9C 7F 64 CE 32 00 00 00",
    )
}

/// Vector F8.
fn baked() -> Vec<u8> {
    dump(
        "0000: 00 2A 00 05 00 00 00 00 00 00 00 00 40 80 00 00
         0010: 3C 00 00 00 00 00 00 00 3F 7E 00 00 00 00 00 08
         0020: 00 00 00 0C 00 01 02 03 04 00 00 00 00 10 40 60
         0030: 7F 00 00 00",
    )
}

#[test]
fn the_base_document_s_line_jumps_where_a_key_was_dropped() {
    let curve = curve(&linear(), Generation::Late);
    assert_eq!(curve.curve_type, CurveType::Linear);
    assert_eq!(curve.delta, Some(300.0));
    assert_eq!(curve.rise(), 300.0);
    for (frame, value) in [
        (-5.0, 0.0),
        (0.0, 0.0),
        (10.0, 127.0),
        (20.0, 400.0),
        (25.0, 350.0),
        (30.0, 300.0),
        (40.0, 300.0),
    ] {
        assert_eq!(sample(&curve, frame), value, "{frame}");
    }
    assert!((sample(&curve, 20.0 - 1e-9) - 254.0).abs() < 1e-6);
}

#[test]
fn step_integers_take_their_offset_and_no_scale() {
    // Vector F5.
    let curve = curve(
        &dump(
            "0000: 00 4A 00 03 00 00 00 00 00 00 00 00 41 C8 00 00
             0010: 00 00 00 00 00 00 00 03 40 A0 00 00 00 00 00 08
             0020: 00 00 00 08 00 0A 19 00 FD FF 02 00",
        ),
        Generation::Late,
    );
    assert_eq!(curve.curve_type, CurveType::StepInteger);
    assert_eq!(curve.offset, Offset::Integer(3));
    for (frame, value) in [
        (0.0, 0.0),
        (9.0, 0.0),
        (10.0, 2.0),
        (24.0, 2.0),
        (25.0, 5.0),
        (99.0, 5.0),
    ] {
        assert_eq!(sample(&curve, frame), value, "{frame}");
    }
    assert_eq!(curve.baked_length(), 26 + 8);
}

#[test]
fn an_early_cubic_is_the_worked_example() {
    // Vector F6.
    let curve = curve(
        &dump(
            "0000: 00 00 00 02 00 00 00 00 00 00 00 00 41 00 00 00
             0010: 3F 80 00 00 00 00 00 00 00 00 00 08 00 00 00 0C
             0020: 00 00 00 00 41 00 00 00 3E 80 00 00 3F 00 00 00
             0030: 3F C0 00 00 BF A0 00 00 3F 80 00 00 00 00 00 00
             0040: 00 00 00 00 00 00 00 00",
        ),
        Generation::Early,
    );
    assert_eq!(curve.delta, None);
    assert_eq!(curve.segments()[0].coefficients, [0.25, 0.5, 1.5, -1.25]);
    for (frame, value) in [
        (0.0, 0.25),
        (2.0, 0.44921875),
        (4.0, 0.71875),
        (6.0, 0.94140625),
        (8.0, 1.0),
        (9.0, 1.0),
    ] {
        assert_eq!(sample(&curve, frame), value, "{frame}");
    }
}

#[test]
fn wrap_modes_are_read() {
    // Vector F7.
    let curve = curve(
        &dump(
            "0000: 11 15 00 02 00 00 00 00 41 20 00 00 41 F0 00 00
             0010: 3A 80 00 00 3F 00 00 00 3F 80 00 00 00 00 00 08
             0020: 00 00 00 08 01 40 03 C0 FE 00 04 00 02 00 00 00",
        ),
        Generation::Late,
    );
    assert_eq!((curve.before, curve.after), (Wrap::Repeat, Wrap::Repeat));
    assert!(matches!(curve.frames, Frames::Fixed(_)));
    for (frame, value) in [(10.0, 0.0), (15.0, 0.25), (20.0, 0.5), (25.0, 0.75), (30.0, 1.0)] {
        assert_eq!(sample(&curve, frame), value, "{frame}");
    }
}

#[test]
fn baked_floats_are_samples_with_lines_between() {
    let with_frames = curve(&baked(), Generation::Late);
    for (frame, value) in [0.0, 0.125, 0.5, 0.75, 0.9921875].into_iter().enumerate() {
        assert_eq!(sample(&with_frames, frame as f64), value);
    }
    assert_eq!(sample(&with_frames, 1.5), 0.3125);
    // Without the array the frames count from the start on.
    let mut bytes = baked();
    bytes[0x1C..0x20].fill(0);
    bytes[0x24..0x2C].fill(0);
    let without = curve(&bytes, Generation::Late);
    assert_eq!(without.frames, Frames::Consecutive(FrameType::Byte));
    assert_eq!(without.segments(), with_frames.segments());
    bytes[3] = 4;
    let error = try_curve(&bytes, Generation::Late).unwrap_err().to_string();
    assert_eq!(
        error,
        "FSHA: keys at 0x1c: found 4 keys without frames, which only a baked curve from start to end \
         has, expected an offset to frames"
    );
}

#[test]
fn fixed_point_frames_have_five_bits_behind_the_point() {
    // spec/fsha.md §4.2.
    for (raw, frame) in [
        (0x0010, 0.5),
        (0x0020, 1.0),
        (0x0190, 12.5),
        (0x03C0, 30.0),
        (0x7FFF, 1023.96875),
        (0x8000, -1024.0),
        (0xFFE0, -1.0),
    ] {
        let mut curve = Curve::linear(&[(0.0, 0.0)], 0.0).unwrap();
        curve.frames = Frames::Fixed([raw as u16 as i16].into());
        assert_eq!(curve.frame(0), Some(frame));
    }
}

#[test]
fn a_scale_of_0_counts_as_1_and_a_negative_one_as_itself() {
    let mut bytes = linear();
    bytes[0x10..0x14].fill(0);
    assert_eq!(curve(&bytes, Generation::Late).key_value(0), Some(100.0));
    bytes[0x10..0x14].copy_from_slice(&(-2.0f32).to_be_bytes());
    assert_eq!(curve(&bytes, Generation::Late).key_value(0), Some(400.0));
}

#[test]
fn broken_curves_are_refused_with_the_place() {
    let error = |at: usize, patch: &[u8]| {
        let mut bytes = linear();
        bytes[at..at + patch.len()].copy_from_slice(patch);
        let error = try_curve(&bytes, Generation::Late).unwrap_err().to_string();
        error.strip_prefix("FSHA: ").unwrap().to_owned()
    };
    for (at, patch, message) in [
        (
            1,
            &[0x1B][..],
            "flags at 0x0: found 0x001b, frame type 3, expected frame type 0, 1 or 2",
        ),
        (
            1,
            &[0x1E],
            "flags at 0x0: found 0x001e, key type 3, expected key type 0, 1 or 2",
        ),
        (
            1,
            &[0x3A],
            "flags at 0x0: found 0x003a, curve type 3, expected a curve type of 0 to 2, or 4 or 5",
        ),
        (
            1,
            &[0x6A],
            "flags at 0x0: found 0x006a, a boolean curve, expected a curve with a number, which a \
             weight is",
        ),
        (
            1,
            &[0x7A],
            "flags at 0x0: found 0x007a, a boolean curve, expected a curve with a number, which a \
             weight is",
        ),
        (
            3,
            &[0],
            "keys at 0x2: found 0 keys, where a curve holds 1 to 65535, expected 1 key or more",
        ),
        (
            3,
            &[99],
            "frames at 0x24: found a file of 0x30 bytes, expected at least 0x87 bytes",
        ),
        (
            0x25,
            &[0x1E, 0x14],
            "keys at 0x26: found key 2 that does not lie behind the key before it, expected frames that \
             ascend",
        ),
        (
            0x10,
            &[0x7F, 0x80, 0, 0],
            "keys at 0x8: found a scale, offset, start, end or delta that is not finite, expected finite \
             numbers",
        ),
        (0x1C, &[0; 4], "frames at 0x1c: found none, expected an offset"),
        (
            0x1C,
            &[0x80, 0, 0, 0],
            "frames at 0x1c: found an offset to -2147483620, expected one into the file of 48 bytes",
        ),
    ] {
        assert_eq!(error(at, patch), message);
    }
}

#[test]
fn an_animation_on_its_own_reads_and_writes_back() {
    let curve = Curve::linear(&[(0.0, 0.0), (30.0, 1.0)], 0.01).unwrap();
    let face = VertexShapeAnimation::new("face", "base").with_key("smile", KeyWeight::Animated(curve));
    for generation in [Generation::Early, Generation::Late] {
        let animation = ShapeAnimation::new("talk", 30, vec![face.clone()]);
        let file = Fsha::new(generation, animation.clone()).unwrap();
        assert_eq!(file.animation(), &animation.in_generation(generation));
        assert_eq!(file.warnings(), []);
        let bytes = file.write();
        assert_eq!(Fsha::parse(&bytes), Ok(file));
        // Cut out without its names.
        let cut = Fsha::parse(&bytes[..bytes.len() - 40]).unwrap_err();
        assert_eq!(cut.format, "FSHA");
    }
    let archive = Fsha::parse(b"FSHAarchive of shaders, which starts alike, of a few dozen bytes....");
    assert!(archive.is_err());
}

#[test]
fn replacing_needs_the_same_room() {
    let curve = |value| Curve::linear(&[(0.0, 0.0), (30.0, value)], 0.01).unwrap();
    let animation = |value, name: &str| {
        let face = VertexShapeAnimation::new("face", "base")
            .with_key(name, KeyWeight::Animated(curve(value)))
            .with_key("blink", KeyWeight::Constant(value));
        ShapeAnimation::new("talk", 30, vec![face])
    };
    let original = Fsha::new(Generation::Late, animation(1.0, "smile")).unwrap();
    let mut file = original.clone();
    file.replace(animation(2.0, "smile").looping()).unwrap();
    assert_ne!(file.write(), original.write());
    assert_eq!(file.animation(), &animation(2.0, "smile").looping());
    assert_eq!(
        file.replace(animation(2.0, "frown")),
        Err(InvalidReplacement::Room)
    );
    let mut shorter = animation(1.0, "smile");
    shorter.shapes[0].curves[0] = Curve::linear(&[(0.0, 0.0)], 0.01).unwrap();
    assert_eq!(file.replace(shorter), Err(InvalidReplacement::Room));
    file.replace(animation(1.0, "smile")).unwrap();
    assert_eq!(file.write(), original.write());
}

#[test]
fn what_no_file_holds_is_refused() {
    let face = || VertexShapeAnimation::new("face", "base").with_key("smile", KeyWeight::Constant(0.5));
    let check = |shape: VertexShapeAnimation| {
        let animation = ShapeAnimation::new("talk", 30, vec![shape]);
        Fsha::new(Generation::Late, animation).map(|_| ())
    };
    assert_eq!(check(face()), Ok(()));
    let index = |key, index, most| {
        Err(InvalidAnimation::Index {
            shape: 0,
            key,
            index,
            most,
        })
    };
    let mut shape = face();
    shape.keys[1].curve = Some(0);
    assert_eq!(check(shape), index(1, 0, 0));
    let mut shape = face();
    shape.keys[1].sub_bind = Some(128);
    assert_eq!(check(shape), index(1, 128, 127));
    let mut shape = face();
    shape.base_values.clear();
    assert_eq!(
        check(shape),
        Err(InvalidAnimation::BaseValues {
            shape: 0,
            values: 0,
            keys: 2
        })
    );
    let mut shape = face();
    shape.base_values[0] = f32::NAN;
    assert_eq!(check(shape), Err(InvalidAnimation::BaseValueNotFinite(0)));
    let mut shape = face();
    shape.keys.clear();
    assert_eq!(check(shape), Err(InvalidAnimation::NoKeys(0)));
    let mut shape = face();
    shape.name = "fa\0ce".into();
    assert_eq!(check(shape), Err(InvalidAnimation::Name("fa\0ce".into())));
    let mut shape = face();
    shape.bind_index = Some(0xFFFF);
    assert_eq!(check(shape), Err(InvalidAnimation::BindIndex(0)));
    let long = ShapeAnimation::new("talk", 65536, vec![face()]);
    assert!(Fsha::new(Generation::Late, long.clone()).is_ok());
    assert_eq!(
        Fsha::new(Generation::Early, long).unwrap_err(),
        InvalidAnimation::FrameCount(65536)
    );
    let mut curve = Curve::step(&[(0.0, 1)]).unwrap();
    curve.offset = Offset::Float(0.0);
    assert_eq!(curve.check(), Err(InvalidCurve::ElementType));
}
