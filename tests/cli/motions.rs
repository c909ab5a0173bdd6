//! MOT files on a model's skeleton, and motions converted between formats.
use ge_harness::picture;

use crate::support::Workplace;

/// A camera of its own, the same for whatever is played.
const CAMERA: [&str; 4] = ["--camera", "30,10,3000", "--size", "160x90"];

/// The mean square difference of two pictures' channels.
fn difference(place: &Workplace, a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(|name| picture::read(&place.path(name)).unwrap());
    assert_eq!((a.width(), a.height()), (b.width(), b.height()));
    let squares = a
        .rgba()
        .iter()
        .zip(b.rgba())
        .map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
    squares.sum::<f64>() / a.rgba().len() as f64
}

fn render(place: &Workplace, output: &str, arguments: &[&str]) {
    let all: Vec<&str> = ["render"]
        .iter()
        .chain(arguments)
        .chain(&CAMERA)
        .copied()
        .chain(["-o", output])
        .collect();
    place.succeed(&all);
}

#[test]
fn a_mot_drives_the_skeleton() {
    let place = Workplace::with_samples();
    let mot = ["wyvern.pac", "--mot", "loose/wyvern.mot"];
    render(&place, "still.png", &[&mot[..], &["--frame", "0"]].concat());
    render(&place, "moved.png", &[&mot[..], &["--frame", "15"]].concat());
    render(&place, "bind.png", &["wyvern.pac", "--bind"]);
    assert!(difference(&place, "still.png", "moved.png") > 1.0);
    assert!(difference(&place, "bind.png", "moved.png") > 1.0);
    let arguments = [
        "render",
        "wyvern.pac",
        "--mot",
        "loose/wyvern.mot",
        "--frames",
        "0..3",
        "-o",
        "look.gif",
    ];
    let told = place.succeed(&[&arguments[..], &CAMERA].concat());
    // A MOT has 30 frames a second, and each of them is drawn.
    assert!(told.contains("the motion, 4 frames from 0 to 3"), "{told}");
    // A map that moves the head's bone alone leaves the rest at bind.
    place.write("head.txt", b"# MOT bone, bone of the model\n2 3\n");
    render(
        &place,
        "mapped.png",
        &[&mot[..], &["--frame", "15", "--bone-map", "head.txt"]].concat(),
    );
    assert!(difference(&place, "mapped.png", "moved.png") > 1.0);
}

#[test]
fn what_is_wrong_with_a_mot_is_one_line() {
    let place = Workplace::with_samples();
    let run = place.run(&[
        "render",
        "wyvern.pac",
        "--mot",
        "loose/wyvern.mot",
        "--entry",
        "0",
    ]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let run = place.run(&["render", "wyvern.pac", "--bone-map", "x.txt"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let line = place.fail(&["render", "wyvern.pac", "--mot", "loose/wyvern.skeleton"]);
    assert!(line.contains("is a skeleton, not a motion (MOT)"), "{line}");
    place.write("cut.mot", &place.read("loose/wyvern.mot")[..100]);
    let line = place.fail(&["render", "wyvern.pac", "--mot", "cut.mot"]);
    assert!(line.contains("cut.mot: MOT: "), "{line}");
    place.write("map.txt", b"1 2\nhead 5\n");
    let line = place.fail(&[
        "render",
        "wyvern.pac",
        "--mot",
        "loose/wyvern.mot",
        "--bone-map",
        "map.txt",
    ]);
    assert!(line.contains("line 2: \"head 5\" is not"), "{line}");
    place.write("far.txt", b"root 4000\n");
    let line = place.fail(&[
        "render",
        "wyvern.pac",
        "--mot",
        "loose/wyvern.mot",
        "--bone-map",
        "far.txt",
    ]);
    assert!(line.contains("moves no bone of wyvern.pac"), "{line}");
    let line = place.fail(&["render", "stage.pac", "--mot", "loose/wyvern.mot"]);
    assert!(line.contains("has no skeleton"), "{line}");
}

#[test]
fn a_mot_in_an_entry_looks_like_the_mot() {
    let place = Workplace::with_samples();
    let arguments = [
        "convert",
        "loose/wyvern.mot",
        "--into",
        "wyvern.pac",
        "--entry",
        "3",
        "-o",
        "look.pac",
    ];
    let told = place.succeed(&arguments);
    assert!(told.contains("off by at most: rotation 0."), "{told}");
    render(
        &place,
        "mot.png",
        &["wyvern.pac", "--mot", "loose/wyvern.mot", "--frame", "15"],
    );
    // Clips have twice as many frames.
    render(
        &place,
        "entry.png",
        &["look.pac", "--entry", "3", "--frame", "30"],
    );
    assert!(difference(&place, "mot.png", "entry.png") < 40.0);
    // The other entries are as they were, and the game's rules are kept.
    for entry in ["0", "108"] {
        render(&place, "before.png", &["wyvern.pac", "--entry", entry]);
        render(&place, "after.png", &["look.pac", "--entry", entry]);
        assert_eq!(place.read("before.png"), place.read("after.png"), "entry {entry}");
    }
    place.succeed(&["validate", "look.pac"]);
}

#[test]
fn a_clip_goes_to_mot_and_back() {
    let place = Workplace::with_samples();
    let to_mot = [
        "convert",
        "wyvern.pac",
        "--from-entry",
        "24",
        "--to",
        "god-hand",
        "-o",
        "roar.mot",
    ];
    let line = place.fail(&to_mot);
    let (_, enough) = line
        .split_once("steps at best, where 1 are allowed (hint: allow more with --error ")
        .expect(&line);
    place.succeed(&[&to_mot[..], &["--error", enough.trim_end_matches(')')]].concat());
    render(
        &place,
        "entry.png",
        &["wyvern.pac", "--entry", "24", "--frame", "40"],
    );
    render(
        &place,
        "mot.png",
        &["wyvern.pac", "--mot", "roar.mot", "--frame", "20"],
    );
    assert!(difference(&place, "entry.png", "mot.png") < 40.0);
    let back = [
        "convert",
        "roar.mot",
        "--into",
        "wyvern.pac",
        "--slot",
        "2/25",
        "-o",
        "back.pac",
    ];
    place.succeed(&back);
    render(
        &place,
        "back.png",
        &["back.pac", "--entry", "25", "--frame", "40"],
    );
    assert!(difference(&place, "entry.png", "back.png") < 40.0);
}

#[test]
fn what_a_pack_cannot_hold_is_refused() {
    let place = Workplace::with_samples();
    let into = |pack: &str, more: &[&str]| {
        let start = ["convert", "loose/wyvern.mot", "--into", pack, "-o", "never.pac"];
        place.fail(&[&start[..], more].concat())
    };
    let line = into("wyvern.pac", &["--slot", "9/0"]);
    assert!(line.contains("cannot be put into stream 9 slot 0"), "{line}");
    let line = into("wyvern.pac", &["--slot", "0/999"]);
    assert!(line.contains("cannot be put into stream 0 slot 999"), "{line}");
    let line = into("wyvern.pac", &["--entry", "200"]);
    assert!(line.contains("past the table"), "{line}");
    let line = into("wyvern-p3rd.pac", &["--slot", "0"]);
    assert!(line.contains("is a PAC without an animation pack"), "{line}");
    let line = into("wyvern-p3rd.moveset.bin", &["--entry", "3"]);
    assert!(line.contains("clips have no entries"), "{line}");
    let line = into("loose/wyvern.animation", &["--entry", "3"]);
    assert!(line.contains("not known without a skeleton"), "{line}");
    let line = into("wyvern.pac", &["--entry", "3", "--error", "0.01"]);
    assert!(
        line.contains("steps at best, where 0.01 are allowed (hint: allow more with --error "),
        "{line}"
    );
    assert!(!place.path("never.pac").exists());
    for wrong in [
        &["convert", "loose/wyvern.mot", "-o", "x"][..],
        &["convert", "loose/wyvern.mot", "--into", "wyvern.pac", "-o", "x"],
        &[
            "convert",
            "loose/wyvern.mot",
            "--to",
            "mhfu",
            "--error",
            "0",
            "-o",
            "x",
        ],
    ] {
        assert_eq!(place.run(wrong).code, 2, "{wrong:?}");
    }
}
