//! What is broken, missing or misnamed ends in one line with a hint.
use crate::support::{Scatter, Workplace};

/// Commands that take one file, up to the file.
const READERS: [&[&str]; 7] = [
    &["inspect"],
    &["disasm"],
    &["entries"],
    &["validate"],
    &["unpack"],
    &["replay"],
    &["draws"],
];

/// The command on `file`, with what it needs besides.
fn on<'a>(command: &[&'a str], file: &'a str) -> Vec<&'a str> {
    let mut arguments = command.to_vec();
    arguments.push(file);
    if command == ["unpack"] {
        arguments.extend(["out", "--force"]);
    }
    if command == ["replay"] {
        arguments.extend(["-o", "out.png"]);
    }
    arguments
}

#[test]
fn missing_files_folders_and_empty_files() {
    let place = Workplace::new();
    place.write("empty.pac", b"");
    place.write("folder/file", b"x");
    for command in READERS {
        for (file, expected) in [
            ("none.pac", "none.pac: no such file"),
            ("folder", "folder: is a folder, not a file"),
            ("empty.pac", "empty.pac: the file is empty"),
        ] {
            let line = place.fail(&on(command, file));
            assert!(
                line.starts_with(&format!("error: {expected} (hint: ")),
                "{command:?}: {line}"
            );
        }
    }
}

#[test]
fn files_of_the_wrong_kind() {
    let place = Workplace::with_samples();
    place.write(
        "text.txt",
        b"Nothing of the kind that is wanted here, but some words.",
    );
    place.write("zeros.bin", &[0; 4096]);
    for command in READERS {
        for file in ["text.txt", "zeros.bin"] {
            let line = place.fail(&on(command, file));
            assert!(line.contains(file), "{line}");
        }
    }
    for (arguments, says) in [
        (
            &["disasm", "loose/wyvern.tmh"][..],
            "is a texture bank (TMH), not a model",
        ),
        (
            &["unpack", "loose/wyvern.pmo", "out"],
            "is a model (PMO), not a container",
        ),
        (
            &["diff", "wyvern.pac", "wyvern.pac"],
            "is a container (PAC), not a picture",
        ),
        (
            &["inspect", "wyvern.pac#9"],
            "no member 9: its members are 0 to 6",
        ),
        (&["inspect", "wyvern.pac#4"], "no member 4: that member is empty"),
        (
            &["inspect", "wyvern.pac#1#0"],
            "wyvern.pac#1: is a model (PMO), not a container (PAC) with members",
        ),
    ] {
        let line = place.fail(arguments);
        assert!(line.contains(says), "{arguments:?}: {line}");
    }
}

/// Cuts through every table of every format: whatever is left is refused, or is a whole file with less after it.
#[test]
fn truncated_files() {
    let place = Workplace::with_samples();
    let mut scatter = Scatter(1);
    for file in [
        "wyvern.pac",
        "loose/wyvern.pmo",
        "loose/wyvern.tmh",
        "loose/wyvern.skeleton",
        "loose/wyvern.animation",
    ] {
        let bytes = place.read(file);
        let cuts = [1, 3, 4, 8, 16, 63, 64]
            .into_iter()
            .chain((0..8).map(|_| scatter.below(bytes.len())));
        for cut in cuts {
            place.write("cut.bin", &bytes[..cut.min(bytes.len() - 1)]);
            for command in [&["inspect"][..], &["disasm"], &["entries"], &["unpack"]] {
                check_ending(&place, &on(command, "cut.bin"));
            }
        }
    }
}

#[test]
fn flipped_bits() {
    let place = Workplace::with_samples();
    let mut scatter = Scatter(2);
    for file in [
        "wyvern.pac",
        "loose/wyvern.pmo",
        "loose/wyvern.animation",
        "loose/wyvern.tmh",
    ] {
        let bytes = place.read(file);
        for round in 0..24 {
            let mut flipped = bytes.clone();
            // Most of a file is payload; the tables that decide are at its start.
            let reach = if round % 2 == 0 {
                bytes.len().min(512)
            } else {
                bytes.len()
            };
            for _ in 0..=round % 4 {
                flipped[scatter.below(reach)] ^= 1 << scatter.below(8);
            }
            place.write("flipped.bin", &flipped);
            for command in [
                &["inspect"][..],
                &["disasm"],
                &["entries"],
                &["validate"],
                &["unpack"],
            ] {
                check_ending(&place, &on(command, "flipped.bin"));
            }
        }
    }
}

/// Success, or exit status 1 with one line of error; `validate` may also fail by its findings.
fn check_ending(place: &Workplace, arguments: &[&str]) {
    let run = place.run(arguments);
    match run.code {
        0 => {}
        1 if arguments[0] == "validate" && run.stdout.contains("error ") => {}
        1 => {
            run.error_line(arguments);
        }
        code => panic!("{arguments:?} ended with {code}:\n{}", run.stderr),
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let place = Workplace::new();
    for arguments in [
        &["nonsense"][..],
        &["inspect"],
        &["inspect", "a", "b"],
        &["inspect", "a", "--colour"],
        &["diff", "a.png"],
        &["diff", "a.png", "b.png", "--max-mse", "-1"],
        &["diff", "a.png", "b.png", "--max-mse", "many"],
        &["disasm", "a", "--address", "16"],
        &["disasm", "a", "--raw", "--address", "0xG"],
        &["replay", "a", "--order", "random"],
        &["replay", "a", "--repeat", "0"],
        &["replay", "a", "--max-mse", "1"],
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("error: "), "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.is_empty());
    }
}

#[test]
fn a_failed_command_leaves_old_outputs_alone() {
    let place = Workplace::with_samples();
    place.write("kept.pac", b"mine");
    place.write("kept.png", b"mine too");
    place.write("full/notes.txt", b"mine as well");
    place.write("broken.ppdmp", b"PPSSPPGE\x06\0\0\0");
    place.write("manifest-only/manifest.json", b"{}");
    place.write("text.txt", b"some words");
    let before = place.contents();
    for arguments in [
        &["unpack", "wyvern.pac", "full"][..],
        &["unpack", "wyvern.pac", "kept.pac"],
        &["unpack", "text.txt", "new-folder"],
        &["pack", "manifest-only", "kept.pac", "--force"],
        &["pack", "full", "new.pac"],
        &["replay", "broken.ppdmp", "-o", "kept.png"],
        &["diff", "text.txt", "text.txt", "-o", "kept.png"],
        &["sample", "kept.pac"],
    ] {
        place.fail(arguments);
        assert!(place.contents() == before, "{arguments:?} touched a file");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let place = Workplace::with_samples();
    place.write("file", b"x");
    let line = place.fail(&["unpack", "wyvern.pac", "file/below"]);
    assert!(line.contains("cannot write"), "{line}");
}
