//! Comparing pictures, and replaying frames into them.
use ge_harness::picture::{Picture, write_png};
use serde_json::Value;

use crate::support::{Workplace, shared};

fn pictures() -> Workplace {
    let place = Workplace::new();
    let mut picture = Picture::filled(480, 272, [10, 20, 30, 255]);
    write_png(&place.path("a.png"), &picture).unwrap();
    picture.set_pixel(7, 3, [124, 134, 144, 255]);
    write_png(&place.path("b.png"), &picture).unwrap();
    write_png(&place.path("small.png"), &Picture::filled(48, 27, [0; 4])).unwrap();
    let mut saved = Picture::filled(512, 272, [0, 0, 0, 255]);
    saved.paste(&Picture::filled(480, 272, [10, 20, 30, 255]), 0, 0);
    write_png(&place.path("saved.png"), &saved).unwrap();
    place
}

#[test]
fn the_exit_status_says_same_or_different() {
    let place = pictures();
    for (arguments, code, says) in [
        (&["diff", "a.png", "a.png"][..], 0, "same: 480x272"),
        (&["diff", "a.png", "saved.png"], 0, "same: 480x272"),
        (&["diff", "a.png", "b.png"], 1, "different: 480x272"),
        (
            &["diff", "a.png", "b.png", "--max-mse", "0.1"],
            0,
            "within the limit: 480x272",
        ),
        (
            &["diff", "a.png", "b.png", "--max-mse", "0.09"],
            1,
            "MSE                 0.099540, limit 0.09",
        ),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, code, "{arguments:?}: {}", run.stdout);
        assert!(run.stdout.contains(says), "{arguments:?}: {}", run.stdout);
    }
    let line = place.fail(&["diff", "a.png", "small.png"]);
    assert!(
        line.contains("cannot be compared: 480x272 pixels against 48x27"),
        "{line}"
    );
}

#[test]
fn the_heat_map_stands_beside_its_pictures() {
    let place = pictures();
    assert_eq!(
        place
            .run(&["diff", "a.png", "b.png", "-o", "heat/three.png"])
            .code,
        1
    );
    let heat = ge_harness::picture::read(&place.path("heat/three.png")).unwrap();
    assert_eq!((heat.width(), heat.height()), (3 * 480 + 2 * 4, 272));
    assert_eq!(
        place
            .run(&["diff", "a.png", "b.png", "-o", "map.png", "--map-only"])
            .code,
        1
    );
    assert_eq!(
        ge_harness::picture::read(&place.path("map.png")).unwrap().width(),
        480
    );
}

#[test]
fn the_numbers_come_as_json() {
    let place = pictures();
    let run = place.run(&["diff", "a.png", "b.png", "--json"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["same"], false);
    assert_eq!(json["differing_pixels"], 1);
    assert_eq!(json["largest_difference"], 114);
    assert_eq!(json["first_difference"], serde_json::json!([7, 3]));
    assert_eq!(json["mse"], 3.0 * 114.0 * 114.0 / (480.0 * 272.0 * 3.0));
}

#[test]
fn alpha_counts_on_request() {
    let place = pictures();
    write_png(
        &place.path("clear.png"),
        &Picture::filled(480, 272, [10, 20, 30, 0]),
    )
    .unwrap();
    let run = place.run(&["diff", "a.png", "clear.png"]);
    assert_eq!(run.code, 0);
    assert!(
        run.stdout.contains("alpha differs in 130560 pixels"),
        "{}",
        run.stdout
    );
    assert_eq!(place.run(&["diff", "a.png", "clear.png", "--alpha"]).code, 1);
}

#[test]
fn a_public_capture_replays_out_of_its_archive() {
    let Some(dumps) = shared("data/frametests/dumps") else {
        return;
    };
    let place = Workplace::new();
    let archive = dumps.join("10914-sengoku-cannon-issue-dump.zip");
    let archive = archive.to_str().unwrap();
    let text = place.succeed(&["inspect", archive]);
    assert!(
        text.contains("ULJM05021_0006.ppdmp (the last of 2 captures in it)"),
        "{text}"
    );
    let text = place.succeed(&["replay", archive, "-o", "frame.png", "--stats"]);
    assert!(text.contains("wrote frame.png"), "{text}");
    let picture = ge_harness::picture::read(&place.path("frame.png")).unwrap();
    assert_eq!((picture.width(), picture.height()), (480, 272));
    place.succeed(&["replay", archive, "-o", "one.png", "--threads", "1"]);
    assert!(
        place.read("frame.png") == place.read("one.png"),
        "threads change nothing"
    );
    let json: Value = serde_json::from_str(&place.succeed(&[
        "replay",
        archive,
        "--json",
        "--compare",
        "frame.png",
        "--order",
        "faithful",
    ]))
    .unwrap();
    assert_eq!(json["same"], true);
    assert_eq!(json["comparison"]["mse"], 0.0);
    let disassembly = place.succeed(&["disasm", archive]);
    assert!(disassembly.contains("PRIM "));
}
