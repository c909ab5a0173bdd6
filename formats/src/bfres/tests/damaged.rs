//! Vector F11 of `spec/fsha.md` §12 and the rest of §11.

use super::*;
use crate::fsha::CurveWarning;

fn with(at: usize, patch: &[u8]) -> Vec<u8> {
    let mut bytes = talk();
    bytes[at..at + patch.len()].copy_from_slice(patch);
    bytes
}

fn error(bytes: &[u8]) -> String {
    let text = Bfres::parse(bytes)
        .expect_err("these bytes are no container")
        .to_string();
    assert!(!text.contains('\n'));
    text
}

#[test]
fn files_are_refused_with_the_place() {
    for (at, patch, message) in [
        (
            0,
            &b"BRES"[..],
            "magic at 0x0: found \"BRES\", expected \"FRES\" of the Wii U",
        ),
        (
            0,
            b"Yaz0",
            "magic at 0x0: found a Yaz0-compressed file, expected \"FRES\" of the Wii U",
        ),
        (
            4,
            b"    ",
            "magic at 0x0: found a Switch BFRES, expected \"FRES\" of the Wii U",
        ),
        (4, &[2, 9], "version at 0x4: found 2.9.0.4, expected 3.0 or later"),
        (
            8,
            &[0xFF, 0xFE],
            "byte order mark at 0x8: found a little-endian FRES, which is not supported, expected 0xfeff",
        ),
        (
            8,
            &[0, 0],
            "byte order mark at 0x8: found 0x0000, expected 0xfeff",
        ),
        (
            0x47,
            &[0xF0],
            "dictionary size at 0x134: found 0x0, expected 0x18 for 0 entries",
        ),
        (
            0x44,
            &[0x7F],
            "group at 0x44: found an offset to 2130706540, expected one into the file of 456 bytes",
        ),
        (
            0x70,
            &[0xFF; 4],
            "dictionary size at 0x6c: found 0x28, expected 0x1000000008 for 4294967295 entries",
        ),
        (
            0x90,
            &[0; 4],
            "dictionary entry 0, data at 0x90: found none, expected an offset",
        ),
        (
            0x94,
            b"X",
            "animation 0, magic at 0x94: found \"XSHA\", expected \"FSHA\"",
        ),
        (
            0xA4,
            &[0x80],
            "animation 0, frame count at 0xa4: found -2147483618, expected 0 or more",
        ),
        (
            0xAA,
            &[0, 2],
            "animation 0, key count at 0xaa: found 2, expected 3, that of the vertex shape animations \
             together",
        ),
        (
            0xCA,
            &[0, 0],
            "animation 0, shape 0, key count at 0xca: found 0, expected 1 or more",
        ),
        (
            0xEC,
            &[2],
            "animation 0, shape 0, curve index at 0xec: found 2, expected -1, or one of 2 curves",
        ),
        (
            0xED,
            &[0x80],
            "animation 0, shape 0, sub bind index at 0xed: found -128, expected -1 or an index",
        ),
        (
            0xFD,
            &[0x1B],
            "animation 0, shape 0, curve 0, flags at 0xfc: found 0x001b, frame type 3, expected frame \
             type 0, 1 or 2",
        ),
        (
            0x14D,
            &[0x1E, 0x14],
            "animation 0, shape 0, curve 0, keys at 0x14e: found key 2 that does not lie behind the key \
             before it, expected frames that ascend",
        ),
        (
            0x148,
            &[0x7F, 0xC0, 0, 0],
            "animation 0, shape 0, base value at 0x148: found NaN, expected a finite number",
        ),
        (
            0x1C4,
            &[0xFF],
            "animation 0, name at 0x1c0: found other bytes, expected 4 bytes of UTF-8 and a zero",
        ),
    ] {
        let text = error(&with(at, patch));
        // A name is read by the dictionary first.
        let text = text.replace("dictionary entry 0, name", "animation 0, name");
        assert_eq!(text, format!("BFRES: {message}"));
    }
    // Nine keys run into the curves, and are more than the header counts.
    assert!(error(&with(0xCB, &[9])).starts_with("BFRES: animation 0, "));
    assert!(error(&talk()[..0x60]).contains("header at 0x0"));
}

#[test]
fn oddities_are_warnings_and_survive() {
    let odd = |at, patch: &[u8], expected: Warning| {
        let bytes = with(at, patch);
        let mut file = Bfres::parse(&bytes).unwrap();
        assert!(file.warnings().contains(&expected), "{:?}", file.warnings());
        assert!(!expected.to_string().contains('\n'));
        let animation = file.animations()[0].clone();
        file.replace(0, animation).unwrap();
        assert_eq!(file.write(), bytes);
    };
    let of_animation = |warning| Warning::Animation {
        animation: 0,
        warning,
    };
    let of_curve = |curve, warning| {
        of_animation(fsha::Warning::Curve {
            shape: 0,
            curve,
            warning,
        })
    };
    odd(0x63, &[7], Warning::Count { stated: 7, found: 1 });
    odd(0xA0, &[0x10], of_animation(fsha::Warning::UnknownFlags(0x1000)));
    odd(0xA1, &[1], of_animation(fsha::Warning::Baked));
    odd(
        0xAB,
        &[9],
        of_animation(fsha::Warning::KeyCount { stated: 9, found: 3 }),
    );
    odd(
        0xAD,
        &[9],
        of_animation(fsha::Warning::CurveCount { stated: 9, found: 2 }),
    );
    odd(0xE4, &[0], of_animation(fsha::Warning::CurveOnBase { shape: 0 }));
    odd(
        0xE0,
        &[0; 4],
        of_animation(fsha::Warning::NoBaseValues { shape: 0 }),
    );
    odd(0xFC, &[0x40], of_curve(0, CurveWarning::UnknownFlags(0x4000)));
    odd(
        0xFC,
        &[0x32],
        of_curve(
            0,
            CurveWarning::Wrap {
                before: Wrap::Mirror,
                after: Wrap::RelativeRepeat,
            },
        ),
    );
    odd(0x10C, &[0; 4], of_curve(0, CurveWarning::NoScale));
    odd(
        0x114,
        &[0x3F],
        of_curve(
            0,
            CurveWarning::Delta {
                delta: 1.0,
                rise: 0.25,
            },
        ),
    );
    odd(0x155, &[9], of_curve(0, CurveWarning::LastKey));
    odd(
        0x158,
        &[0xFF, 0xE0],
        of_curve(1, CurveWarning::NegativeFrame(-1.0)),
    );
    odd(
        0x158,
        &[0xFF, 0xE0],
        of_curve(
            1,
            CurveWarning::Span {
                start: 0.0,
                end: 30.0,
                first: -1.0,
                last: 30.0,
            },
        ),
    );
    // Integers: a step curve of the linear one's bytes.
    let mut step = with(0xFD, &[0x4A]);
    step[0x110..0x114].fill(0);
    let file = Bfres::parse(&step).unwrap();
    assert!(file.warnings().contains(&of_curve(0, CurveWarning::Integers)));
}

#[test]
fn entries_that_share_an_animation_are_bounded() {
    // A thousand names for one animation of several hundred bytes.
    let mut animations = Vec::new();
    for index in 0..1000 {
        let mut animation = eight_targets();
        animation.name = format!("{index:04}").as_str().into();
        if index > 0 {
            animation.shapes.clear();
        }
        animations.push(animation);
    }
    let mut bytes = Bfres::new("demo", Version::LATEST, animations).unwrap().write();
    let data = |index: usize| 0x6C + 8 + 16 * (index + 1) + 12;
    let read = |bytes: &[u8], at: usize| {
        let word: [u8; 4] = bytes[at..at + 4].try_into().unwrap();
        at + u32::from_be_bytes(word) as usize
    };
    let first = read(&bytes, data(0));
    for index in 1..1000 {
        let offset = (first - data(index)) as u32;
        bytes[data(index)..data(index) + 4].copy_from_slice(&offset.to_be_bytes());
    }
    let error = error(&bytes);
    assert!(error.contains("overlap"), "{error}");
}

#[test]
fn files_that_only_start_alike_are_refused() {
    assert!(error(b"").contains("magic at 0x0"));
    assert!(error(b"FRES").contains("version at 0x4"));
    assert!(error(b"FRES    \0\0\0\0").contains("Switch"));
}
