//! Damaged MOT and BFRES files: each a line with the place, what stood there and what to do.
use crate::support::Workplace;

/// A change to a file's bytes.
type Damage = (&'static str, Box<dyn Fn(&mut Vec<u8>)>);

fn patch(what: &'static str, at: usize, bytes: &'static [u8]) -> Damage {
    (
        what,
        Box::new(move |file| file[at..at + bytes.len()].copy_from_slice(bytes)),
    )
}

fn cut(what: &'static str, length: usize) -> Damage {
    (what, Box::new(move |file| file.truncate(length)))
}

/// Every command that reads the file says the same of each damage, in one line.
fn refused(place: &Workplace, file: &str, commands: &[&[&str]], format: &str, damages: &[Damage]) {
    let sound = place.read(file);
    for (what, damage) in damages {
        let mut bytes = sound.clone();
        damage(&mut bytes);
        place.write("bad.bin", &bytes);
        for command in commands {
            let line = place.fail(command);
            assert!(line.contains(&format!("bad.bin: {format}: ")), "{what}: {line}");
            assert!(
                line.contains(" at 0x") && line.contains(": found "),
                "{what}: {line}"
            );
            assert!(line.contains(", expected "), "{what}: {line}");
        }
    }
    assert!(!place.path("x.png").exists());
}

/// `spec/mot.md` §10.
#[test]
fn motions() {
    let place = Workplace::with_samples();
    let bytes = place.read("loose/wyvern.mot");
    let count = usize::from(u16::from_le_bytes([bytes[6], bytes[7]]));
    // Records of 8 bytes: bone, property, number of keys, offset of the curve.
    let curve = (0..count)
        .map(|record| 8 + 8 * record)
        .find(|&record| matches!(bytes[record + 1] & 0xF0, 0x10 | 0x30 | 0x50))
        .expect("a curve with keys");
    let damages = [
        cut("shorter than its header", 7),
        patch("no records", 6, &[0, 0]),
        cut("a table that ends early", 8 + 8 * count - 4),
        patch("a curve inside the table", curve + 4, &[9, 0, 0, 0]),
        patch("a curve behind the file", curve + 4, &[0xFF; 4]),
        patch("a curve without keys", curve + 2, &[0, 0]),
        patch("a curve with too many keys", curve + 2, &[0xFF, 0xFF]),
        patch("a family that nobody knows", curve + 1, &[0x24]),
    ];
    let render: &[&str] = &["render", "wyvern.pac", "--mot", "bad.bin", "-o", "x.png"];
    // Another version, and the other byte order, are no MOT at all.
    for magic in [b"mtb4", b"3btm"] {
        place.write("bad.bin", &[magic, &bytes[4..]].concat());
        let line = place.fail(render);
        assert!(line.contains("is an unknown file, not a motion (MOT)"), "{line}");
    }
    refused(&place, "loose/wyvern.mot", &[render], "MOT", &damages);
}

/// `spec/fsha.md` §11.
#[test]
fn shape_animations() {
    let place = Workplace::with_samples();
    let bytes = place.read("wyvern-head.bfres");
    let animation = bytes
        .windows(4)
        .position(|magic| magic == b"FSHA")
        .expect("an animation");
    let damages = [
        patch("the little-endian mark", 8, &[0xFF, 0xFE]),
        patch("no mark", 8, &[0, 0]),
        patch("a version that is too old", 4, &[2, 9]),
        patch("a Switch file", 4, b"    "),
        patch("a group outside the file", 0x44, &[0x7F]),
        patch("a group inside the header", 0x44, &[0xFF, 0xFF, 0xFF, 0xF0]),
        patch("an animation of another kind", animation, b"X"),
        patch("a negative length", animation + 0x10, &[0x80]),
        patch("fewer keys than its shapes have", animation + 0x16, &[0, 1]),
        cut("an end that is missing", animation + 0x20),
        cut("nothing but a header", 0x60),
    ];
    let render: &[&str] = &["render", "wyvern-head.pac", "--fsha", "bad.bin", "-o", "x.png"];
    refused(&place, "wyvern-head.bfres", &[render], "BFRES", &damages);
}
