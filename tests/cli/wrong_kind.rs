//! A sound file that a command does not work on: the message says what it is, and which command reads it.
use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::Workplace;

/// A file of each kind, what it is called, and the command of the hint for those who wanted another kind.
const FILES: [(&str, &str, &str); 11] = [
    ("wyvern.pac", "a container (PAC)", "ge-harness inspect wyvern.pac"),
    ("stage.pac", "a stage (PAC)", "ge-harness render stage.pac"),
    ("wyvern.pac#1", "a model (PMO)", "ge-harness render wyvern.pac#1"),
    (
        "wyvern.pac#2",
        "a texture bank (TMH)",
        "ge-harness inspect wyvern.pac#2",
    ),
    (
        "wyvern.pac#0",
        "a skeleton",
        "render MODEL --skeleton wyvern.pac#0",
    ),
    (
        "wyvern.pac#3",
        "an animation pack",
        "render MODEL --animation wyvern.pac#3",
    ),
    (
        "wyvern-head.bfres",
        "a resource container (BFRES)",
        "render MODEL --fsha wyvern-head.bfres",
    ),
    (
        "frame.ppdmp",
        "a GE capture (.ppdmp)",
        "ge-harness replay frame.ppdmp",
    ),
    ("frame.png", "a picture (PNG)", "ge-harness diff frame.png"),
    ("words.txt", "a text", ""),
    ("noise.bin", "an unknown file", ""),
];

/// Commands with the file that they are given for `FILE`, and the kinds that they take.
const READERS: [(&[&str], &[&str]); 15] = [
    (&["replay", "FILE", "-o", "out.png"], &["frame.ppdmp"]),
    (&["draws", "FILE"], &["frame.ppdmp"]),
    (&["pixel", "FILE", "1,1"], &["frame.ppdmp"]),
    (
        &["disasm", "FILE"],
        &["frame.ppdmp", "wyvern.pac", "stage.pac", "wyvern.pac#1"],
    ),
    (
        &["render", "FILE", "-o", "out.png"],
        &["wyvern.pac", "stage.pac", "wyvern.pac#1"],
    ),
    (&["entries", "FILE"], &["wyvern.pac", "stage.pac", "wyvern.pac#1"]),
    (
        &["export", "FILE", "-o", "out.obj"],
        &["wyvern.pac", "stage.pac", "wyvern.pac#1"],
    ),
    (
        &["unpack", "FILE", "out", "--force"],
        &["wyvern.pac", "stage.pac"],
    ),
    (
        &["validate", "FILE"],
        &["wyvern.pac", "stage.pac", "wyvern.pac#1"],
    ),
    (&["diff", "FILE", "frame.png"], &["frame.png"]),
    (
        &["render", "wyvern.pac", "--skeleton", "FILE", "-o", "out.png"],
        &["wyvern.pac#0"],
    ),
    (
        &["render", "wyvern.pac", "--animation", "FILE", "-o", "out.png"],
        &["wyvern.pac#3"],
    ),
    (
        &["render", "wyvern.pac", "--textures", "FILE", "-o", "out.png"],
        &["wyvern.pac#2"],
    ),
    (&["render", "wyvern.pac", "--mot", "FILE", "-o", "out.png"], &[]),
    (&["replay", "frame.ppdmp", "--compare", "FILE"], &["frame.png"]),
];

fn place() -> Workplace {
    let place = Workplace::with_samples();
    let shown = ["wyvern.pac", "--bind"];
    place.succeed(&[&["record"], &shown[..], &["-o", "frame.ppdmp"]].concat());
    place.succeed(&[&["render"], &shown[..], &["-o", "frame.png"]].concat());
    place.write("words.txt", "Keine Aufnahme, sondern Wörter.\n".as_bytes());
    place.write(
        "noise.bin",
        &[0x81, 0xFE, 0x03, 0xFF, 0x90, 0x0C, 0xEE, 0x07, 0xB1],
    );
    place
}

#[test]
fn every_command_says_what_the_file_is_instead() {
    let place = place();
    for (command, takes) in READERS {
        for (file, is, reads_it) in FILES {
            if takes.contains(&file) {
                continue;
            }
            let arguments: Vec<_> = command
                .iter()
                .map(|&argument| if argument == "FILE" { file } else { argument })
                .collect();
            let line = place.fail(&arguments);
            assert!(
                line.starts_with(&format!("error: {file}: is {is}, not a")),
                "{arguments:?}: {line}"
            );
            // disasm has its own way to show any file.
            assert!(
                line.contains(reads_it) || line.contains("--raw"),
                "{arguments:?}: {line}"
            );
        }
    }
}

#[test]
fn a_capture_by_its_name_only() {
    let place = place();
    let picture = place.read("frame.png");
    place.write("frames/named.ppdmp", &picture);
    place.write("frames/named.png", &picture);
    let run = place.run(&["conformance", "frames"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout
            .contains("named.ppdmp: is a picture (PNG), not a GE capture"),
        "{}",
        run.stdout
    );

    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer
        .start_file("inside.ppdmp", SimpleFileOptions::default())
        .unwrap();
    writer.write_all(&picture).unwrap();
    place.write("named.zip", &writer.finish().unwrap().into_inner());
    for command in ["replay", "draws", "inspect", "disasm"] {
        let line = place.fail(&[command, "named.zip"]);
        assert!(
            line.starts_with("error: named.zip (inside.ppdmp): is a picture (PNG), not a GE capture"),
            "{line}"
        );
    }
}

#[test]
fn a_capture_that_is_one_and_damaged_is_called_damaged() {
    let place = place();
    let capture = place.read("frame.ppdmp");
    place.write("cut.ppdmp", &capture[..capture.len() / 2]);
    let line = place.fail(&["replay", "cut.ppdmp"]);
    assert!(line.contains("damaged or cut short"), "{line}");
}
