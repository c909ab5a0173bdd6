//! The history of a pixel, held against replays of the same capture.
use ge_harness::picture;
use serde_json::Value;

use crate::captures::{json, recorded};
use crate::support::{Scatter, Workplace, shared};

/// What a replay shows at a pixel.
fn shown(place: &Workplace, capture: &str, order: &str, until: Option<u64>, [x, y]: [u32; 2]) -> [u8; 3] {
    let until = until.map(|draw| draw.to_string());
    let mut arguments = vec!["replay", capture, "--order", order, "-o", "shown.png"];
    if let Some(until) = &until {
        arguments.extend(["--until-draw", until]);
    }
    place.succeed(&arguments);
    let [red, green, blue, _] = picture::read(&place.path("shown.png"))
        .unwrap()
        .pixel(x, y)
        .unwrap();
    [red, green, blue]
}

fn history(place: &Workplace, capture: &str, order: &str, [x, y]: [u32; 2]) -> Value {
    json(
        place,
        &["pixel", capture, &format!("{x},{y}"), "--order", order, "--json"],
    )
}

fn rgb(value: &Value) -> [u8; 3] {
    [0, 1, 2].map(|index| value["rgba"][index].as_u64().unwrap() as u8)
}

/// Holds a pixel's history against the frame and against what draws before it left; says how many draws it names.
fn agrees_with_replay(place: &Workplace, capture: &str, order: &str, position: [u32; 2]) -> usize {
    let report = history(place, capture, order, position);
    let context = format!("{capture} {order} {position:?}");
    let end = rgb(&report["value"]);
    assert_eq!(end, shown(place, capture, order, None, position), "{context}");
    let events = report["events"].as_array().unwrap();
    let draws: Vec<&Value> = events.iter().filter(|event| event["event"] == "draw").collect();
    for draw in &draws {
        let fragments = draw["fragments"].as_array().unwrap();
        for pair in fragments.windows(2) {
            assert_eq!(pair[0]["after"], pair[1]["before"], "{context}");
        }
    }
    for draw in draws.iter().rev().take(3) {
        let number = draw["draw"].as_u64().unwrap();
        let fragments = draw["fragments"].as_array().unwrap();
        let (first, last) = (&fragments[0], &fragments[fragments.len() - 1]);
        let left = shown(place, capture, order, Some(number), position);
        assert_eq!(rgb(&last["after"]), left, "{context}, behind draw {number}");
        if let Some(before) = number.checked_sub(1) {
            let left = shown(place, capture, order, Some(before), position);
            assert_eq!(rgb(&first["before"]), left, "{context}, before draw {number}");
        }
    }
    draws.len()
}

#[test]
fn a_pixels_history_is_what_replays_show() {
    let place = recorded();
    let mut scatter = Scatter(5);
    let mut draws = 0;
    for _ in 0..6 {
        let position = [
            (180 + scatter.below(120)) as u32,
            (80 + scatter.below(110)) as u32,
        ];
        draws += agrees_with_replay(&place, "roar.ppdmp", "faithful", position);
    }
    assert!(
        draws > 12,
        "pixels on the model have more than the clear: {draws}"
    );
}

#[test]
fn public_captures_are_told_as_they_are_replayed() {
    let Some(dumps) = shared("data/frametests/dumps") else {
        return;
    };
    let place = Workplace::new();
    let pixels = [
        ("20204-beam--em-up-npuz00087_0001.zip", [[200, 100], [10, 260]]),
        (
            "21776-monster-hunter-3rd-npjb40001_0001.zip",
            [[240, 136], [30, 20]],
        ),
    ];
    for (name, positions) in pixels {
        let archive = dumps.join(name);
        for order in ["faithful", "reference"] {
            for position in positions {
                agrees_with_replay(&place, archive.to_str().unwrap(), order, position);
            }
        }
    }
    let archive = dumps.join(pixels[1].0);
    let report = history(&place, archive.to_str().unwrap(), "faithful", [240, 136]);
    assert_eq!(report["made_by"]["draw"], 6521);
    let steps = &report["events"][2]["fragments"][0]["steps"];
    let names: Vec<&str> = steps
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["step"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        ["vertices", "texel", "source", "alpha_test", "fog", "depth_test"]
    );
}

#[test]
fn the_text_names_draws_tests_and_the_end() {
    let place = recorded();
    let text = place.succeed(&["pixel", "roar.ppdmp", "0,0"]);
    assert!(
        text.starts_with("roar.ppdmp: pixel 0,0 at 04"),
        "first the place: {text}"
    );
    assert!(
        text.contains("\ndraw 0, record ") && text.contains("clear colour+alpha+depth\n  rectangle 0 of "),
        "{text}"
    );
    assert!(
        text.ends_with("made by draw 0\n"),
        "nothing else covers it: {text}"
    );
}

#[test]
fn pixels_that_are_not_on_the_screen_are_wrong_usage() {
    let place = recorded();
    for position in ["480,0", "0,272", "-1,0", "7", "a,b"] {
        let run = place.run(&["pixel", "roar.ppdmp", position]);
        assert_eq!(run.code, 2, "{position}: {}", run.stderr);
    }
    let run = place.run(&["pixel", "roar.ppdmp", "480,0"]);
    assert!(run.stderr.contains("0,0 to 479,271"), "{}", run.stderr);
}
