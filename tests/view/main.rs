//! `ge-harness view` in a window: real keys and a real mouse on a virtual display, whose adapter draws in software.
//!
//! Without Xvfb, xdotool, ImageMagick or a Vulkan adapter these tests say so and pass, unless GE_HARNESS_REQUIRE_GPU
//! is set: then they fail.
#![cfg(all(feature = "viewer", target_os = "linux"))]

mod dropping;
mod support;

use std::process::{Command, Output};

use support::{Display, Viewer, Workplace, decoded, place_of, skip, wait_for};

#[test]
fn a_model_is_shown_and_follows_keys_and_mouse() {
    let display = match Display::open() {
        Ok(display) => display,
        Err(reason) => return skip(&reason),
    };
    let place = Workplace::new();
    let model = ["wyvern.pac", "--entry", "24"];
    let render = |more: &[&str]| place.written(&[&["render"], &model[..], more].concat());
    let expected = render(&[]);
    let Some(mut viewer) = Viewer::open(&place, &display, "wyvern", &model) else {
        return;
    };

    // The window shows the picture, pixel for pixel in squares of two.
    let picture = decoded(&expected);
    let [left, top] = wait_for("picture in the window", || {
        place_of(&display.screen(), &picture, 2)
    });
    assert_eq!(viewer.save(), expected);

    // Keys: a frame on, another camera, no light, no tail.
    viewer.key("Right");
    let middle = playable_middle();
    let next = format!("{}", middle + 1);
    assert_eq!(viewer.save(), render(&["--frame", &next]));
    viewer.key("2");
    viewer.key("u");
    viewer.key("t");
    let front = ["--frame", &next, "--camera", "front", "--unlit", "--tail", "cut"];
    assert_eq!(viewer.save(), render(&front));
    viewer.key("t");
    viewer.key("t");
    viewer.key("u");
    viewer.key("1");
    viewer.key("Left");
    wait_for("first picture again", || place_of(&display.screen(), &picture, 2));

    // Space plays, and stops at one of the clip's frames.
    viewer.key("space");
    wait_for("another frame", || {
        place_of(&display.screen(), &picture, 2).is_none().then_some(())
    });
    viewer.key("space");
    let stopped = viewer.save();

    // The mouse goes round the model, and the wheel goes nearer.
    let middle_of_picture = [left + picture.width(), top + picture.height()].map(|at| at.to_string());
    let [x, y] = &middle_of_picture;
    let to_the_left = (left + picture.width() - 90).to_string();
    display.tool("xdotool", &["mousemove", x, y]);
    for step in [
        ["mousedown", "1"].as_slice(),
        &["mousemove", &to_the_left, y],
        &["mouseup", "1"],
        &["click", "4"],
    ] {
        display.tool("xdotool", step);
    }
    let turned = wait_for("picture from elsewhere", || {
        Some(viewer.save()).filter(|picture| *picture != stopped)
    });
    let mut last = turned;
    // Events of the mouse may come one by one.
    let turned = wait_for("picture that stays", || {
        let picture = viewer.save();
        let stays = picture == last;
        last = picture;
        stays.then(|| last.clone())
    });

    // Each picture is the one that the command beside it draws.
    let pictures = viewer.pictures;
    let printed = viewer.quit();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 2 * pictures, "{printed}");
    assert_eq!(lines[0], "wrote ./wyvern-001.png");
    for (line, expected) in [(lines[7], &stopped), (lines[2 * pictures - 1], &turned)] {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..2], ["ge-harness", "render"], "{line}");
        assert_eq!(place.written(&words[1..]), *expected, "{line}");
    }
    assert!(lines[2 * pictures - 1].contains("--camera"), "{printed}");
}

/// The frame that `render` draws of entry 24 of the sample.
fn playable_middle() -> u32 {
    use ge_harness::model::{Companions, Model};
    let place = Workplace::new();
    let model = Model::open(&place.path("wyvern.pac"), &Companions::default(), None).unwrap();
    let entry = motion::library::Selection::Entry(motion::rig::entry::Entry(24));
    let motion = ge_harness::render::motion_of(&model, Some(entry))
        .unwrap()
        .unwrap();
    motion.timeline().end as u32 / 2
}

#[test]
fn a_capture_is_gone_through_draw_by_draw() {
    let display = match Display::open() {
        Ok(display) => display,
        Err(reason) => return skip(&reason),
    };
    let place = Workplace::new();
    let recorded = place
        .command(&["record", "wyvern.pac", "-o", "frame.ppdmp"])
        .output()
        .unwrap();
    assert!(recorded.status.success(), "{recorded:?}");
    let replay = |more: &[&str]| place.written(&[&["replay", "frame.ppdmp"], more].concat());
    let whole = replay(&[]);
    let Some(mut viewer) = Viewer::open(&place, &display, "frame", &["frame.ppdmp"]) else {
        return;
    };
    let picture = decoded(&whole);
    wait_for("picture in the window", || {
        place_of(&display.screen(), &picture, 2)
    });
    assert_eq!(viewer.save(), whole);
    viewer.key("Home");
    viewer.key("Right");
    viewer.key("Right");
    let third = viewer.save();
    assert_eq!(third, replay(&["--until-draw", "2"]));
    assert_ne!(third, whole);
    viewer.key("3");
    assert_eq!(viewer.save(), replay(&["--until-draw", "2", "--target", "depth"]));
    viewer.key("End");
    viewer.key("4");
    assert_eq!(viewer.save(), replay(&["--target", "stencil"]));

    // Nothing is shown of a file that is gone; what was shown stays, and the viewer goes on.
    std::fs::remove_file(place.path("frame.ppdmp")).unwrap();
    viewer.key("r");
    viewer.key("1");
    assert_eq!(viewer.save(), whole);
    let printed = viewer.quit();
    assert!(printed.contains("  ge-harness replay frame.ppdmp --until-draw 2 --target depth\n"));
}

#[test]
fn dropped_files_are_shown() {
    let display = match Display::open() {
        Ok(display) => display,
        Err(reason) => return skip(&reason),
    };
    let place = Workplace::new();
    let Some(mut viewer) = Viewer::open(&place, &display, "stage", &["stage.pac"]) else {
        return;
    };
    let stage = place.written(&["render", "stage.pac"]);
    assert_eq!(viewer.save(), stage);
    let drop = |name: &str, viewer: &Viewer<'_>| {
        dropping::drop_file(&display.name, &viewer.window, &place.path(name));
    };

    // A file of no use is said to be so; the picture stays.
    std::fs::write(place.path("notes.txt"), "no model").unwrap();
    drop("notes.txt", &viewer);
    assert_eq!(viewer.save(), stage);

    // A model takes the place of the one that is shown, then a skeleton goes with it, then a capture comes.
    let bare = place.written(&["render", "loose/wyvern.pmo"]);
    drop("loose/wyvern.pmo", &viewer);
    wait_for("dropped model", || {
        place_of(&display.screen(), &decoded(&bare), 2)
    });
    viewer.stem = "wyvern";
    viewer.pictures = 0;
    assert_eq!(viewer.save(), bare);
    drop("loose/wyvern.mot", &viewer);
    let moved = place.written(&["render", "loose/wyvern.pmo", "--mot", "loose/wyvern.mot"]);
    wait_for("dropped motion", || {
        place_of(&display.screen(), &decoded(&moved), 2)
    });
    let recorded = place
        .command(&["record", "wyvern.pac", "--camera", "left", "-o", "frame.ppdmp"])
        .output()
        .unwrap();
    assert!(recorded.status.success(), "{recorded:?}");
    drop("frame.ppdmp", &viewer);
    let frame = place.written(&["replay", "frame.ppdmp"]);
    wait_for("dropped capture", || {
        place_of(&display.screen(), &decoded(&frame), 2)
    });
    viewer.quit();
}

#[test]
fn without_a_display_there_is_one_line_with_a_hint() {
    let place = Workplace::new();
    let mut command = place.command(&["view", "wyvern.pac"]);
    command
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    refused(&mut command, "error: no window: ");
    let mut command = place.command(&["view", "wyvern.pac"]);
    command
        .env("DISPLAY", ":no-such-display")
        .env_remove("WAYLAND_DISPLAY");
    refused(&mut command, "error: no window: ");
}

#[test]
fn without_an_adapter_there_is_one_line_with_a_hint() {
    let display = match Display::open() {
        Ok(display) => display,
        Err(reason) => return skip(&reason),
    };
    let place = Workplace::new();
    let mut command = place.command(&["view", "wyvern.pac"]);
    command
        .env("DISPLAY", &display.name)
        .env("VK_DRIVER_FILES", "/no/such/driver.json")
        .env("XDG_RUNTIME_DIR", place.0.path());
    refused(&mut command, "error: no graphics adapter for a window: ");
}

#[test]
fn what_cannot_be_shown_opens_no_window() {
    let place = Workplace::new();
    std::fs::write(place.path("odd.zip"), b"PK\x03\x04 and no archive").unwrap();
    for (file, message) in [
        ("none.pac", "error: none.pac: no such file"),
        ("odd.zip", "error: odd.zip: the zip archive cannot be read"),
        ("README.md", "error: README.md: is a text, not a model"),
    ] {
        let mut command = place.command(&["view", file]);
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        if file == "README.md" {
            std::fs::write(place.path(file), b"# A text").unwrap();
        }
        refused(&mut command, message);
    }
}

#[test]
fn a_capture_has_no_animations() {
    let place = Workplace::new();
    let recorded = place
        .command(&["record", "wyvern.pac", "-o", "frame.ppdmp"])
        .output()
        .unwrap();
    assert!(recorded.status.success(), "{recorded:?}");
    for option in [&["--entry", "1"][..], &["--play"], &["--bind"]] {
        let output = place
            .command(&[&["view", "frame.ppdmp"], option].concat())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains("frame.ppdmp is a capture"), "{errors}");
    }
}

/// Runs a command that has to end with an error: one line, with a hint, and status 1.
fn refused(command: &mut Command, message: &str) {
    let Output { status, stderr, .. } = command.output().unwrap();
    let errors = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(1), "{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    let lines: Vec<&str> = errors
        .lines()
        .filter(|line| !line.starts_with("note: "))
        .collect();
    assert_eq!(lines.len(), 1, "{errors}");
    assert!(
        lines[0].starts_with(message) && lines[0].contains("(hint: "),
        "{errors}"
    );
}
