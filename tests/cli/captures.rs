//! Recording a model's frame, replaying it, and looking into it.
use formats::capture::{CaptureBuilder, InitialState, RecordKind};
use ge_harness::picture;
use replay::draw_white_rectangle;
use serde_json::Value;

use crate::support::{Workplace, shared};

/// With `roar.ppdmp`, a frame of the sample, and `roar.png`, its render.
pub(crate) fn recorded() -> Workplace {
    let place = Workplace::with_samples();
    let shown = [
        "wyvern.pac",
        "--entry",
        "24",
        "--frame",
        "40",
        "--camera",
        "30,10",
    ];
    place.succeed(&[&["record"], &shown[..], &["-o", "roar.ppdmp"]].concat());
    place.succeed(&[&["render"], &shown[..], &["-o", "roar.png"]].concat());
    place
}

pub(crate) fn json(place: &Workplace, arguments: &[&str]) -> Value {
    let text = place.succeed(arguments);
    let json: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{text}"));
    assert_eq!(json["version"], 1, "{arguments:?}");
    json
}

#[test]
fn a_recorded_render_replays_to_the_bit() {
    let place = Workplace::with_samples();
    let shots: &[&[&str]] = &[
        &["wyvern.pac", "--bind"],
        &["wyvern.pac", "--entry", "0"],
        &["wyvern.pac", "--entry", "1", "--frame", "20", "--camera", "left"],
        &["wyvern.pac", "--entry", "24", "--over", "0"],
        &["wyvern.pac", "--entry", "100", "--camera", "front", "--unlit"],
        &[
            "wyvern.pac",
            "--entry",
            "0",
            "--tail",
            "cut",
            "--background",
            "204080",
        ],
        &["wyvern.pac", "--entry", "0", "--background", "transparent"],
        &[
            "wyvern-p3rd.pac",
            "--clip",
            "24",
            "--geometry",
            "wyvern-p3rd.geometry.bin",
        ],
        &["stage.pac", "--camera", "game"],
    ];
    for shot in shots {
        place.succeed(&[&["record"], *shot, &["-o", "shot.ppdmp"]].concat());
        place.succeed(&[&["render"], *shot, &["-o", "shot.png"]].concat());
        for order in ["faithful", "reference"] {
            let text = place.succeed(&["replay", "shot.ppdmp", "--order", order, "--compare", "shot.png"]);
            assert!(text.contains("same: 480x272"), "{shot:?}: {text}");
        }
    }
}

#[test]
fn a_recording_is_a_capture_like_any_other() {
    let place = recorded();
    let report = json(&place, &["inspect", "roar.ppdmp", "--json"]);
    let content = &report["content"];
    assert_eq!(content["file_version"], 6);
    assert_eq!(content["initial_layout"], "b");
    let displays = content["displays"].as_array().unwrap();
    assert_eq!(displays.len(), 2);
    assert_eq!(displays[0]["record"], 1);
    assert_eq!(displays[1]["record"], content["records"].as_u64().unwrap() - 1);
    let text = place.succeed(&["disasm", "roar.ppdmp"]);
    for steering in ["BASE", "VADDR", "IADDR", "CALL", "RET", "JUMP", "FINISH", "END"] {
        assert!(!text.contains(&format!("  {steering}")), "{steering}");
    }
    let bound = text.lines().find(|line| line.contains("  TEXBUFW0 ")).unwrap();
    assert!(bound.contains(", high 0x08000000  -> 0x88"), "{bound}");
    // Each texture's row length is in the capture before its first use (spec/capture.md §12).
    assert!(text.find("  TEXBUFW0").unwrap() < text.find("TEXTURE0,").unwrap());
}

#[test]
fn a_picture_larger_than_the_screen_is_no_capture() {
    let place = Workplace::with_samples();
    let run = place.run(&["record", "wyvern.pac", "--size", "481x272"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let line = run.error_line(&[]);
    assert!(
        line.contains("481x272") && line.contains("at most 480x272"),
        "{line}"
    );
    assert!(!place.path("wyvern.ppdmp").exists());
    place.succeed(&["record", "wyvern.pac", "--size", "100x80"]);
    place.succeed(&["replay", "wyvern.ppdmp"]);
    let picture = picture::read(&place.path("wyvern.png")).unwrap();
    assert_eq!(
        picture.pixel(100, 80),
        Some([0, 0, 0, 255]),
        "nothing is drawn outside"
    );
    assert_ne!(picture.pixel(99, 79), Some([0, 0, 0, 255]));
}

#[test]
fn draws_are_listed_with_their_state() {
    let place = recorded();
    let report = json(&place, &["draws", "roar.ppdmp", "--json"]);
    let draws = report["draws"].as_array().unwrap();
    assert_eq!(draws[0]["state"]["clear"], "colour+alpha+depth");
    assert_eq!(draws[0]["pixels_passed"], 480 * 272);
    let textured = &draws[1];
    assert_eq!(textured["texture"]["format"], "CLUT8");
    assert_eq!(textured["state"]["depth"], "<=");
    assert_eq!(textured["state"]["alpha_test"], ">= 0xC0");
    assert_eq!(textured["state"]["light"], "0+1+2");
    for (number, draw) in draws.iter().enumerate() {
        assert_eq!(draw["draw"], number);
        assert!(
            draw["pixels_passed"].as_u64() <= draw["pixels_covered"].as_u64(),
            "{draw}"
        );
    }
    let text = place.succeed(&["draws", "roar.ppdmp"]);
    assert_eq!(
        text.lines().count(),
        draws.len() + 2,
        "a line a draw, and two of heading"
    );
    let state = text.lines().nth(1).unwrap().find("state").unwrap();
    assert!(
        text.lines()
            .skip(2)
            .all(|line| line.is_char_boundary(state) && line[..state].ends_with("  "))
    );
    let text = place.succeed(&["draws", "roar.ppdmp", "--draws", "5..6", "--verbose"]);
    assert!(text.starts_with("draw 5, record "), "{text}");
    assert_eq!(text.matches("\n  projection ").count(), 2);
    assert!(text.contains("    DE000005  ZTEST LESS_OR_EQUAL\n"), "{text}");
    let changed = place.succeed(&["draws", "roar.ppdmp", "--draws", "1", "--verbose"]);
    assert!(
        changed.contains("  * 12"),
        "the vertex type is another than the clear's: {changed}"
    );
}

#[test]
fn a_replay_stops_behind_a_draw() {
    let place = recorded();
    let last = json(&place, &["draws", "roar.ppdmp", "--json"])["draws"]
        .as_array()
        .unwrap()
        .len()
        - 1;
    let until = |draw: usize, output: &str| {
        place.succeed(&[
            "replay",
            "roar.ppdmp",
            "--until-draw",
            &draw.to_string(),
            "-o",
            output,
        ]);
        picture::read(&place.path(output)).unwrap()
    };
    let cleared = until(0, "first.png");
    let background = cleared.pixel(0, 0);
    assert!(
        cleared.pixels().all(|pixel| Some(pixel) == background),
        "the clear alone"
    );
    assert!(until(last, "last.png") == picture::read(&place.path("roar.png")).unwrap());
    assert!(until(last / 2, "half.png") != cleared);
    let line = place.fail(&["replay", "roar.ppdmp", "--until-draw", "99999"]);
    assert!(
        line.contains("has no draw 99999") && line.contains(&format!("0 to {last}")),
        "{line}"
    );
}

#[test]
fn every_target_can_be_shown() {
    let place = recorded();
    let show = |target: &str| {
        let output = format!("{target}.png");
        let report = json(
            &place,
            &[
                "replay",
                "roar.ppdmp",
                "--until-draw",
                "300",
                "--target",
                target,
                "-o",
                &output,
                "--json",
            ],
        );
        assert_eq!(report["target"], target);
        (
            place.read(&output),
            report["width"].as_u64().unwrap(),
            report["height"].as_u64().unwrap(),
        )
    };
    let (display, ..) = show("display");
    assert!(show("colour").0 == display, "what is drawn is what is shown");
    let (depth, width, height) = show("depth");
    assert_eq!((width, height), (480, 272));
    // The header's depth and colour type: 16 bits of grey.
    assert_eq!(depth[24..26], [16, 0]);
    assert_eq!(show("stencil").1, 480);
    let (_, width, height) = show("texture");
    assert!(width.is_power_of_two() && height.is_power_of_two());
    let line = place.fail(&["replay", "roar.ppdmp", "--until-draw", "0", "--target", "texture"]);
    assert!(line.contains("no draw up to there has a texture"), "{line}");
    let run = place.run(&[
        "replay",
        "roar.ppdmp",
        "--target",
        "depth",
        "--compare",
        "roar.png",
    ]);
    assert_eq!(run.code, 2);
}

#[test]
fn every_draw_that_changes_the_picture_has_one() {
    let place = recorded();
    let report = json(
        &place,
        &[
            "replay",
            "roar.ppdmp",
            "--every-draw",
            "steps",
            "--until-draw",
            "60",
            "--json",
        ],
    );
    let draws = json(&place, &["draws", "roar.ppdmp", "--draws", "0..60", "--json"]);
    let pictures = report["pictures"].as_array().unwrap();
    let drawing = draws["draws"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|draw| draw["pixels_passed"] != 0)
        .count();
    assert!(
        pictures.len() > 10 && pictures.len() <= drawing,
        "{} of {drawing}",
        pictures.len()
    );
    assert_eq!(pictures[0], "steps/draw-0000.png");
    let read = |name: &Value| picture::read(&place.path(name.as_str().unwrap())).unwrap();
    for pair in pictures.windows(2) {
        assert!(read(&pair[0]) != read(&pair[1]), "{}", pair[1]);
    }
    let text = place.succeed(&[
        "replay",
        "roar.ppdmp",
        "--every-draw",
        "late",
        "--from-draw",
        "1000",
    ]);
    assert!(text.contains("late/draw-10"), "{text}");
    assert!(!place.path("late/draw-0999.png").exists());
    assert!(!place.path("roar-0.png").exists());
}

/// Commands that draw nothing, and immediate vertices, which draw without a command of their own.
fn drawing_little() -> Workplace {
    let mut builder = CaptureBuilder::new(&InitialState::blank());
    let nothing = |builder: &mut CaptureBuilder, command: u32| {
        builder.bytes(RecordKind::Vertices, &[0; 64]);
        builder.words(RecordKind::Registers, &[command]);
    };
    draw_white_rectangle(&mut builder);
    // No vertices; fewer control points than a patch has.
    nothing(&mut builder, 0x0406_0000);
    nothing(&mut builder, 0x0500_0403);
    nothing(&mut builder, 0x0600_0304);
    // Two immediate points, of which the second ends the first.
    builder.words(
        RecordKind::Registers,
        &[0xF000_8010, 0xF100_8010, 0xF700_0001, 0xF700_0002],
    );
    draw_white_rectangle(&mut builder);
    builder.words(RecordKind::Display, &[0x0400_0000, 64, 3]);
    let place = Workplace::new();
    place.write("little.ppdmp", &builder.build(*b"TEST00000").unwrap().write());
    place
}

#[test]
fn inspect_and_draws_count_alike() {
    let place = drawing_little();
    let numbers = |report: &Value| -> Vec<(u64, u64, String, u64)> {
        let draws = report["draws"].as_array().unwrap().iter();
        draws
            .map(|draw| {
                let number = |key: &str| draw[key].as_u64().unwrap();
                let primitive = draw["primitive"].as_str().unwrap();
                (
                    number("draw"),
                    number("record"),
                    primitive.to_owned(),
                    number("vertices"),
                )
            })
            .collect()
    };
    let drawn = numbers(&json(&place, &["draws", "little.ppdmp", "--json"]));
    let inspected = numbers(&json(&place, &["inspect", "little.ppdmp", "--json"])["content"]);
    assert_eq!(drawn, inspected);
    assert_eq!(drawn.len(), 4, "{drawn:?}");
    let text = place.succeed(&["inspect", "little.ppdmp", "--all"]);
    assert!(text.contains(" 4 draws, "), "{text}");
}

#[test]
fn a_capture_whose_replay_stops_is_inspected_all_the_same() {
    let mut builder = CaptureBuilder::new(&InitialState::blank());
    draw_white_rectangle(&mut builder);
    // A jump to the list's start, which no recorder writes.
    builder.words(RecordKind::Registers, &[0x1008_0000, 0x0800_0000]);
    draw_white_rectangle(&mut builder);
    let place = Workplace::new();
    place.write("loop.ppdmp", &builder.build(*b"TEST00000").unwrap().write());
    let stops = "record 4: JUMP steers the list, which no recorded command does";
    let text = place.succeed(&["inspect", "loop.ppdmp"]);
    assert!(text.contains(&format!("the replay stops at {stops}")), "{text}");
    let report = json(&place, &["inspect", "loop.ppdmp", "--json"]);
    assert_eq!(report["content"]["stopped"], stops);
    assert_eq!(report["content"]["draws"].as_array().unwrap().len(), 1);
    let line = place.fail(&["draws", "loop.ppdmp"]);
    assert!(line.contains(stops), "{line}");
}

#[test]
fn draws_of_a_public_capture_have_the_numbers_of_its_replay() {
    let Some(dumps) = shared("data/frametests/dumps") else {
        return;
    };
    let place = Workplace::new();
    let archive = dumps.join("20204-beam--em-up-npuz00087_0001.zip");
    let archive = archive.to_str().unwrap();
    let report = json(&place, &["draws", archive, "--json"]);
    let draws = report["draws"].as_array().unwrap();
    assert_eq!(draws.len(), 68);
    assert_eq!(draws[1]["state"]["blend"], "srcA, 1-srcA");
    for draw in ["3", "40", "67"] {
        for target in ["display", "colour", "texture"] {
            let shown = ["--until-draw", draw, "--target", target, "-o", "shown.png"];
            place.succeed(&[&["replay", archive], &shown[..]].concat());
        }
    }
    let line = place.fail(&["replay", archive, "--target", "depth"]);
    assert!(
        line.contains("the depth buffer of the draw has a stride of 0"),
        "{line}"
    );
}

#[test]
fn repeats_are_told_cold_and_warm() {
    let place = recorded();
    let text = place.succeed(&["replay", "roar.ppdmp", "--repeat", "3", "-o", "warm.png"]);
    assert!(
        text.contains(" ms, again on the same GE in ") && text.contains(" ms (fastest of 2)"),
        "{text}"
    );
    let text = place.succeed(&["replay", "roar.ppdmp", "--compare", "warm.png"]);
    assert!(
        !text.contains("again") && text.contains("same: 480x272"),
        "{text}"
    );
    let report = json(&place, &["replay", "roar.ppdmp", "--repeat", "3", "--json"]);
    let [cold, warm, fastest] =
        ["cold_seconds", "warm_seconds", "seconds"].map(|name| report[name].as_f64().expect("a time"));
    assert_eq!((report["repeats"].as_u64(), fastest), (Some(3), cold.min(warm)));
    let once = json(&place, &["replay", "roar.ppdmp", "--json"]);
    assert!(once["warm_seconds"].is_null() && once["cold_seconds"] == once["seconds"]);
}
