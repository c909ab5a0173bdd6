//! What the commands say about sound files, to people and to programs.
use std::process::Stdio;

use serde_json::Value;

use crate::support::Workplace;

fn json(place: &Workplace, arguments: &[&str]) -> Value {
    let text = place.succeed(arguments);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}\n{text}"))
}

#[test]
fn without_a_command_there_is_an_overview() {
    let place = Workplace::new();
    let text = place.succeed(&[]);
    assert!(text.contains("inspect FILE") && text.contains("--help"), "{text}");
    assert!(place.succeed(&["--help"]).contains("Exit status"));
    assert!(place.succeed(&["--version"]).starts_with("ge-harness "));
}

#[test]
fn inspect_knows_every_sample_by_its_content() {
    let place = Workplace::with_samples();
    for (file, kind) in [
        ("wyvern.pac", "pac"),
        ("wyvern.pac#0", "skeleton"),
        ("wyvern.pac#1", "pmo"),
        ("wyvern.pac#2", "tmh"),
        ("wyvern.pac#3", "animation_pack"),
        ("wyvern-p3rd.pac", "pac"),
        ("wyvern-p3rd.moveset.bin", "animation_pack"),
        ("loose/wyvern.pmo", "pmo"),
    ] {
        let report = json(&place, &["inspect", file, "--json"]);
        assert_eq!(report["version"], 1, "{file}");
        assert_eq!(report["kind"], kind, "{file}");
        assert_eq!(report["file"], file);
        assert!(report["size"].as_u64() > Some(0), "{file}");
        let text = place.succeed(&["inspect", file]);
        assert!(text.starts_with(&format!("{file}: ")), "{text}");
        assert!(
            text.lines().all(|line| line == line.trim_end()),
            "{file}: spaces at a line's end"
        );
    }
}

#[test]
fn a_container_tells_what_its_members_are_for() {
    let place = Workplace::with_samples();
    let report = json(&place, &["inspect", "wyvern.pac", "--json"]);
    let members = report["content"]["members"].as_array().unwrap();
    let roles: Vec<_> = members
        .iter()
        .map(|member| member["role"].as_str().unwrap_or(""))
        .collect();
    assert_eq!(roles, ["skeleton", "model", "textures", "animation", "", "", ""]);
    let alone = json(&place, &["inspect", "wyvern.pac#1", "--json"]);
    assert_eq!(
        members[1]["content"], alone["content"],
        "a member reads the same inside and alone"
    );
}

#[test]
fn a_model_without_its_geometry_asks_for_it() {
    let place = Workplace::with_samples();
    let text = place.succeed(&["inspect", "wyvern-p3rd.pac"]);
    assert!(text.contains("name that with --geometry"), "{text}");
    let with = [
        "inspect",
        "wyvern-p3rd.pac#1",
        "--geometry",
        "wyvern-p3rd.geometry.bin",
        "--json",
    ];
    let portable = json(&place, &with);
    let unite = json(&place, &["inspect", "wyvern.pac#1", "--json"]);
    assert_eq!(portable["content"]["geometry"], "companion");
    assert_eq!(portable["content"]["triangles"], unite["content"]["triangles"]);
    let line = place.fail(&["disasm", "wyvern-p3rd.pac"]);
    assert!(line.contains("--geometry"), "{line}");
}

#[test]
fn entries_of_both_games() {
    let place = Workplace::with_samples();
    let unite = json(&place, &["entries", "wyvern.pac", "--json"]);
    assert_eq!(unite["kind"], "entries");
    let head_alone = unite["playable"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["number"] == 24)
        .unwrap();
    assert_eq!(head_alone["partial"], true);
    assert_eq!(head_alone["clips"][1]["stream"], 2);
    let portable = json(&place, &["entries", "wyvern-p3rd.pac", "--json"]);
    assert_eq!(portable["kind"], "clips");
    assert_eq!(portable["record_maps"][0]["guessed"], true);
    assert!(place.succeed(&["entries", "wyvern-p3rd.pac"]).contains("guessed"));
}

#[test]
fn validate_says_what_it_checked_and_fails_on_errors() {
    let place = Workplace::with_samples();
    let text = place.succeed(&["validate", "wyvern.pac"]);
    assert!(
        text.trim_end().ends_with("(checked: skeleton, animation, model)"),
        "{text}"
    );
    let text = place.succeed(&["validate", "wyvern.pac", "--template", "wyvern.pac"]);
    assert!(text.contains("template"), "{text}");

    // A bone whose parent comes after it: word 0x08 of section 0 of the first bone is its parent.
    let mut bones = place.read("loose/wyvern.skeleton");
    let skeleton = formats::skeleton::Skeleton::parse(&bones).unwrap();
    let mut wrong = skeleton.clone();
    wrong.bones[5].parent = Some(9);
    bones = wrong.write();
    place.write("wrong.skeleton", &bones);
    let run = place.run(&[
        "validate",
        "wyvern.pac",
        "--skeleton",
        "wrong.skeleton",
        "--template",
        "wyvern.pac",
    ]);
    assert_eq!(run.code, 1, "{}", run.stdout);
    assert!(
        run.stdout.contains("error PARENT_ORDER: bones 5 (fix: "),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("error TEMPLATE: "), "{}", run.stdout);
    let report = place.run(&["validate", "wyvern.pac", "--skeleton", "wrong.skeleton", "--json"]);
    let report: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(report["findings"][0]["code"], "PARENT_ORDER");
}

#[test]
fn disasm_shows_each_groups_list_to_its_end() {
    let place = Workplace::with_samples();
    let text = place.succeed(&["disasm", "wyvern.pac"]);
    let groups = json(&place, &["inspect", "wyvern.pac#1", "--json"])["content"]["groups"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(
        text.lines().filter(|line| line.ends_with("  RET")).count(),
        groups
    );
    assert!(
        text.starts_with("wyvern.pac#1: group 0, mesh 0"),
        "{}",
        &text[..80]
    );
    place.write("list.bin", &[0x18, 0, 4, 4, 0, 0, 0, 0x0B]);
    let text = place.succeed(&["disasm", "list.bin", "--raw", "--address", "0x08800000"]);
    assert_eq!(
        text,
        "  8800000  04040018  PRIM triangle strip, 24 vertices\n  8800004  0B000000  RET\n"
    );
}

#[test]
fn samples_are_written_with_what_to_try_next() {
    let place = Workplace::new();
    let text = place.succeed(&["sample", "new/folder"]);
    assert!(text.contains("new/folder/wyvern.pac"), "{text}");
    assert!(text.contains("ge-harness render new/folder/"), "{text}");
    for file in ge_harness::sample::files().unwrap() {
        assert!(
            place.read(&format!("new/folder/{}", file.name)) == file.bytes,
            "{}",
            file.name
        );
    }
}

#[test]
fn text_in_a_pipe_has_no_colours() {
    let place = Workplace::with_samples();
    let run = place.run(&["validate", "wyvern.pac"]);
    assert!(!run.stdout.contains('\x1b') && !run.stderr.contains('\x1b'));
    assert!(!place.run(&["inspect", "none"]).stderr.contains('\x1b'));
}

/// `ge-harness disasm wyvern.pac | head -1`: the reader goes away and nothing is wrong.
#[test]
#[cfg(unix)]
fn a_closed_pipe_is_success() {
    let place = Workplace::with_samples();
    let mut child = place
        .command(&["disasm", "wyvern.pac"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_stage_tells_its_roles_and_has_no_entries() {
    let place = Workplace::with_samples();
    let text = place.succeed(&["inspect", "stage.pac"]);
    for role in ["terrain", "textures", "props", "environment  fog ", "collision"] {
        assert!(text.contains(role), "{role}:\n{text}");
    }
    let line = place.fail(&["entries", "stage.pac"]);
    assert!(line.starts_with("error: stage.pac: is not animated"), "{line}");
    assert!(
        place
            .succeed(&["validate", "stage.pac"])
            .contains("(checked: model)")
    );
}
