//! Writes the seeds of motions and shape animations that the project makes itself.
//! `cargo run --example make_animation_seeds` in this folder.

use std::fs;
use std::path::Path;

use formats::bfres::{Bfres, Version};
use formats::fsha::{self, Fsha, Generation, KeyWeight, ShapeAnimation, VertexShapeAnimation};
use formats::mot::{self, Content, Form, Mot, Record};

fn save(target: &str, name: &str, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    fs::create_dir_all(&folder).expect("a folder for the seeds");
    fs::write(folder.join(name), bytes).expect("a seed");
}

/// A motion with a curve of every family and a record of unknown meaning.
fn motion(form: Form) -> Mot {
    let key = |frame, value| mot::HermiteKey {
        frame,
        value,
        incoming: 0.25,
        outgoing: -0.5,
    };
    let keys = [key(0, -1.0), key(10, 0.3), key(40, 2.0)];
    let fit = |bound| mot::Curve::fit(&keys, bound).expect("a curve");
    let samples = mot::Curve::Linear {
        header: mot::Steps {
            bias: -1.0,
            step: 0.5,
        },
        samples: vec![0, 4, 2],
    };
    let curves = [fit(9.0), fit(0.05), fit(0.0005), fit(0.0), samples];
    let mut records: Vec<_> = (-1..)
        .zip(mot::Track::ALL)
        .zip(curves)
        .map(|((bone, track), curve)| Record::new(bone, track, curve))
        .collect();
    records.push(Record {
        bone: 3,
        flags: [0; 4],
        content: Content::Unknown {
            property: 0x77,
            key_count: 2,
            word: 9,
        },
    });
    if form == Form::GodHand {
        records[1].flags = [0, 1, 0, 0];
    }
    Mot::new(form, records).expect("a motion").looping()
}

/// A little-endian motion of the first generation, byte by byte: later files are never written.
fn first_generation() -> Vec<u8> {
    let mut bytes = b"mot\0\x01\0\x0B\0\x10\0\0\0\x03\0\0\0".to_vec();
    bytes.extend([0xFF, 0xFF, 1, 0, 2, 0, 0xFF, 0xFF, 0, 0, 0x40, 0x3F]);
    bytes.extend([5, 0, 3, 6, 2, 0, 0xFF, 0xFF, 0x34, 0, 0, 0]);
    bytes.extend([0xFF, 0x7F, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0, 0, 0, 0x4E, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0, 0, 0, 0, 10, 200, 0, 0]);
    bytes
}

/// A big-endian motion of the second generation.
fn second_generation() -> Vec<u8> {
    let mut bytes = b"mot\0\x20\x12\x04\x05\0\0\x01\x2D\0\0\0\x2C\0\0\0\x01\0\0\0\0test".to_vec();
    bytes.resize(0x2C, 0);
    bytes.extend([0, 5, 3, 8, 0, 2, 0xFF, 0xFF, 0, 0, 0, 0x18]);
    bytes.extend([0x7F, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0, 0, 0x4E, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([0, 0, 0, 0, 0, 1, 0x2C, 200, 0, 0, 0, 0]);
    bytes
}

/// An animation with a curve of every type that can be made, and of every size of elements.
fn shape_animation(name: &str) -> ShapeAnimation {
    let key = |frame, value| fsha::HermiteKey {
        frame,
        value,
        slope_in: 0.1,
        slope_out: -0.1,
    };
    let keys = [key(0.0, 0.0), key(12.5, 0.7), key(30.0, 0.2)];
    let points = [(0.0, 0.0), (12.3, 0.7), (30.0, 0.2)];
    let curves = [
        fsha::Curve::cubic(&keys, 0.05),
        fsha::Curve::cubic(&keys, 0.001),
        fsha::Curve::linear(&points, 0.0),
        fsha::Curve::baked(3.0, &[0.0, 0.5, 0.25], 0.01),
        fsha::Curve::step(&[(0.0, 0), (10.0, 70_000)]),
    ];
    let mut face = VertexShapeAnimation::new("face", "base").with_key("blink", KeyWeight::Constant(0.25));
    for (key, curve) in ["a", "e", "i", "o", "u"].into_iter().zip(curves) {
        face = face.with_key(key, KeyWeight::Animated(curve.expect("a curve")));
    }
    let body = VertexShapeAnimation::new("body", "base");
    ShapeAnimation::new(name, 30, vec![face, body]).looping()
}

fn main() {
    for (name, form) in [("okami", Form::Okami), ("god_hand", Form::GodHand)] {
        save("mot", name, &motion(form).write());
    }
    let empty = Mot::new(Form::Okami, vec![]).expect("a motion");
    save("mot", "empty", &empty.write());
    save("mot", "first_generation", &first_generation());
    save("mot", "second_generation", &second_generation());

    for (name, generation) in [("early", Generation::Early), ("late", Generation::Late)] {
        let file = Fsha::new(generation, shape_animation("talk")).expect("an animation");
        save("fsha", name, &file.write());
    }
    for (name, version) in [("early", Version(0x0303_0000)), ("late", Version::LATEST)] {
        let animations = vec![shape_animation("talk"), shape_animation("laugh")];
        let file = Bfres::new("demo", version, animations).expect("a container");
        save("bfres", name, &file.write());
    }
    let empty = Bfres::new("empty", Version::LATEST, vec![]).expect("a container");
    save("bfres", "empty", &empty.write());
    save("bfres", "switch", b"FRES    \0\0\x04\0");
}
