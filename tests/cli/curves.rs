//! Plots of curves, shape animations in pictures, and what `inspect` says of MOT and BFRES files.
use formats::bfres::{Bfres, Version};
use formats::fsha::{Curve, Fsha, Generation, KeyWeight, ShapeAnimation, VertexShapeAnimation};
use ge_harness::picture::{self, Picture};
use serde_json::Value;

use crate::support::Workplace;

fn picture(place: &Workplace, name: &str) -> Picture {
    picture::read(&place.path(name)).unwrap()
}

fn pixels_that_differ(one: &Picture, other: &Picture) -> usize {
    one.pixels()
        .zip(other.pixels())
        .filter(|(one, other)| one != other)
        .count()
}

/// A BFRES file of one animation of one shape.
fn shapes(place: &Workplace, name: &str, shape: VertexShapeAnimation) {
    let file = Bfres::new(
        "test",
        Version::LATEST,
        vec![ShapeAnimation::new("test", 30, vec![shape])],
    )
    .unwrap();
    place.write(name, &file.write());
}

fn ramp() -> KeyWeight {
    KeyWeight::Animated(Curve::linear(&[(0.0, 0.0), (30.0, 1.0)], 0.01).unwrap())
}

#[test]
fn every_format_is_plotted() {
    let place = Workplace::with_samples();
    for (arguments, says) in [
        (
            &["wyvern.pac", "--entry", "24"][..],
            "wyvern.pac, entry 24, frames 0 to 130 at 60 a second, plays once; 21 channels",
        ),
        (
            &["wyvern.pac#3", "--clip", "0"],
            "wyvern.pac#3, clip 0, frames 0 to 180 at 60 a second, loops;",
        ),
        (&["wyvern-p3rd.pac", "--clip", "24"], "clip 24"),
        (&["loose/wyvern.mot"], "frames 0 to 60 at 30 a second, loops;"),
        (
            &["wyvern-head.bfres", "--shapes", "roar"],
            "shape animation roar, frames 0 to 120 at 60 a second, loops; 4 channels",
        ),
    ] {
        for output in ["plot.png", "plot.svg"] {
            let text = place.succeed(&[&["curves"], arguments, &["-o", output]].concat());
            assert!(text.contains(says), "{arguments:?}: {text}");
        }
        let plot = picture(&place, "plot.png");
        let drawn = plot.pixels().filter(|pixel| *pixel != [255; 4]).count();
        assert!(
            drawn > 3000,
            "{arguments:?}: {drawn} pixels of {}x{}",
            plot.width(),
            plot.height()
        );
        let svg = String::from_utf8(place.read("plot.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("<polyline") && svg.contains("<text"));
    }
    let one = place.succeed(&["curves", "loose/wyvern.mot", "--bone", "36", "-o", "jaw.svg"]);
    assert!(one.contains("1 channel"), "{one}");
}

#[test]
fn numbers_are_those_of_the_file() {
    let place = Workplace::new();
    let shape = VertexShapeAnimation::new("face", "base")
        .with_key("smile", ramp())
        .with_key("blink", KeyWeight::Constant(0.25));
    shapes(&place, "face.bfres", shape);
    place.succeed(&["curves", "face.bfres", "-o", "face.csv"]);
    let csv = String::from_utf8(place.read("face.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "frame,shape face weights base,shape face weights smile,shape face weights blink"
    );
    assert_eq!(lines.len(), 32);
    for (frame, line) in lines[1..].iter().enumerate() {
        let numbers: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        let smile = frame as f64 / 30.0;
        for (number, expected) in numbers.iter().zip([frame as f64, 0.75 - smile, smile, 0.25]) {
            assert!((number - expected).abs() < 0.011, "{line}");
        }
    }
}

#[test]
fn what_cannot_be_plotted_is_refused() {
    let place = Workplace::with_samples();
    for (arguments, says) in [
        (&["stage.pac"][..], "has no curves: it is a stage"),
        (&["wyvern-head.pac"], "has no animations"),
        (&["wyvern.pac#3", "--clip", "9999"], "has no clip 9999"),
        (
            &["wyvern-head.bfres", "--shapes", "sing"],
            "it has \"idle\", \"roar\"",
        ),
        (
            &["loose/wyvern.mot", "--bone", "99"],
            "there are no channels to plot",
        ),
    ] {
        let line = place.fail(&[&["curves"], arguments, &["-o", "plot.png"]].concat());
        assert!(line.contains(says), "{arguments:?}: {line}");
        assert!(!place.path("plot.png").exists());
    }
    let run = place.run(&["curves", "loose/wyvern.mot", "-o", "plot.gif"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn shape_animations_move_the_head() {
    let place = Workplace::with_samples();
    let render = |extra: &[&str], output: &str| {
        place.succeed(
            &[
                &["render", "wyvern-head.pac", "--camera", "-35,10,700"],
                extra,
                &["-o", output],
            ]
            .concat(),
        )
    };
    render(&[], "rest.png");
    let roar = ["--fsha", "wyvern-head.bfres", "--shapes", "roar"];
    let text = render(&[&roar[..], &["--frame", "60"]].concat(), "roar.png");
    assert!(
        text.contains("shape animation roar, frame 60 of 0 to 120"),
        "{text}"
    );
    let rest = picture(&place, "rest.png");
    let moved = pixels_that_differ(&rest, &picture(&place, "roar.png"));
    assert!(moved > 2000, "{moved} pixels");
    // Every weight fixed at 0 is the head at rest; blinking moves little but the lids.
    let still = ["--key", "blink=0", "--key", "open=0", "--key", "flare=0"];
    render(&[&roar[..], &still].concat(), "still.png");
    assert_eq!(pixels_that_differ(&rest, &picture(&place, "still.png")), 0);
    render(&["--key", "1=1"], "blink.png");
    let moved = pixels_that_differ(&rest, &picture(&place, "blink.png"));
    assert!((50..2000).contains(&moved), "{moved} pixels");
    let text = render(&[&roar[..], &["--frames", "0..2"]].concat(), "frame.png");
    assert!(
        text.contains("frame-0.png to frame-2.png: shape animation roar"),
        "{text}"
    );
}

/// `spec/fsha.md` §6.3.
#[test]
fn what_the_ge_cannot_morph_is_refused_with_its_reason() {
    let place = Workplace::with_samples();
    let shape = |count: usize, weight: fn() -> KeyWeight| {
        let base = VertexShapeAnimation::new("head", "base");
        (1..count).fold(base, |shape, key| shape.with_key(&format!("key{key}"), weight()))
    };
    shapes(&place, "nine.bfres", shape(9, || KeyWeight::Constant(0.0)));
    shapes(&place, "five.bfres", shape(5, ramp));
    shapes(&place, "idle.bfres", shape(5, || KeyWeight::Constant(0.0)));
    let named = VertexShapeAnimation {
        name: "mesh7".into(),
        ..shape(4, ramp)
    };
    shapes(&place, "mesh.bfres", named);
    for (model, file, says) in [
        (
            "wyvern-head.pac",
            "nine.bfres",
            "shape \"head\" has 8 key shapes; the GE morphs at most 7",
        ),
        (
            "wyvern-head.pac",
            "five.bfres",
            "key shape \"key4\" of shape \"head\" has no target among the mesh's 4",
        ),
        (
            "wyvern-head.pac",
            "mesh.bfres",
            "shape \"mesh7\" is for mesh 7, which has no morph targets",
        ),
        ("wyvern.pac", "idle.bfres", "none of its groups has morph targets"),
        (
            "wyvern-head.pac",
            "wyvern-head.pac",
            "holds no shape animations: it is a container",
        ),
    ] {
        let line = place.fail(&["render", model, "--fsha", file, "-o", "out.png"]);
        assert!(line.contains(says), "{file}: {line}");
    }
    // A key without a target that moves nothing does no harm.
    place.succeed(&[
        "render",
        "wyvern-head.pac",
        "--fsha",
        "idle.bfres",
        "-o",
        "out.png",
    ]);
    let line = place.fail(&[
        "render",
        "wyvern-head.pac",
        "--fsha",
        "wyvern-head.bfres",
        "--key",
        "wink=1",
    ]);
    assert!(
        line.contains("no key shape \"wink\"") && line.contains("\"blink\", \"open\", \"flare\""),
        "{line}"
    );
    let run = place.run(&["render", "wyvern-head.pac", "--key", "blink"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}

#[test]
fn inspect_explains_motions_and_shape_animations() {
    let place = Workplace::with_samples();
    let text = place.succeed(&["inspect", "loose/wyvern.mot"]);
    assert!(
        text.contains("61 frames at 30 a second, loops, as in Okami"),
        "{text}"
    );
    assert!(text.contains("rotation Y  quantized"), "{text}");
    let json: Value =
        serde_json::from_str(&place.succeed(&["inspect", "loose/wyvern.mot", "--json"])).unwrap();
    assert_eq!(
        (&json["kind"], &json["content"]["game"]),
        (&"mot".into(), &"okami".into())
    );
    let records = json["content"]["records"].as_array().unwrap();
    let jaw = records.iter().find(|record| record["bone"] == 36).unwrap();
    assert_eq!(jaw["keys"]["unit"], "degrees");
    assert_eq!(jaw["keys"]["last_frame"], 60);
    // It opens between 1 and 9 degrees.
    let range = ["lowest", "highest"].map(|end| jaw["keys"][end].as_f64().unwrap());
    assert!(
        (0.0..3.0).contains(&range[0]) && (7.0..10.0).contains(&range[1]),
        "{range:?}"
    );

    let text = place.succeed(&["inspect", "wyvern-head.bfres"]);
    for says in [
        "\"wyvern-head\", version 3.4.0.4: 2 shape animations",
        "roar: 120 frames, loops",
        "baked float curve",
        "what the others leave of 1",
        "always 0",
    ] {
        assert!(text.contains(says), "{says}: {text}");
    }
    let json: Value =
        serde_json::from_str(&place.succeed(&["inspect", "wyvern-head.bfres", "--json"])).unwrap();
    let key = &json["content"]["animations"][1]["shapes"][0]["keys"][2];
    assert_eq!(
        (&key["name"], &key["curve"]["kind"], &key["curve"]["keys"]),
        (&"open".into(), &"cubic".into(), &9.into())
    );

    let ramp = VertexShapeAnimation::new("face", "base").with_key("smile", ramp());
    let alone = Fsha::new(Generation::Late, ShapeAnimation::new("talk", 30, vec![ramp])).unwrap();
    place.write("talk.fsha", &alone.write());
    let text = place.succeed(&["inspect", "talk.fsha"]);
    assert!(
        text.contains("talk: 30 frames, plays once") && text.contains("linear curve"),
        "{text}"
    );
}
