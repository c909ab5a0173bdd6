//! Models drawn and exported: what is asked for, what is missing, what cannot be.
use formats::capture::{Capture, InitialState, Record, RecordKind, Version};
use formats::pac::Pac;
use formats::pmo::{BlockCommand, Pmo, list::ListCommand};
use ge_harness::picture;

use crate::support::Workplace;

#[test]
fn a_frame_is_drawn_where_it_is_asked_for() {
    let place = Workplace::with_samples();
    let said = place.succeed(&[
        "render",
        "wyvern.pac",
        "--entry",
        "24",
        "--frame",
        "40",
        "-o",
        "new/roar.png",
    ]);
    assert_eq!(said, "new/roar.png: entry 24, frame 40 of 0 to 130\n");
    let drawn = picture::read(&place.path("new/roar.png")).unwrap();
    assert_eq!((drawn.width(), drawn.height()), (480, 272));
    let corner = drawn.pixel(0, 0);
    assert!(
        drawn.pixels().filter(|&pixel| Some(pixel) != corner).count() > 5_000,
        "a wyvern"
    );
    // Without a name the picture goes into the current folder.
    place.succeed(&["render", "loose/wyvern.pmo", "--bind"]);
    assert!(place.path("wyvern.png").is_file());
}

#[test]
fn frames_are_pictures_with_numbers_or_an_animation() {
    let place = Workplace::with_samples();
    let small = ["--size", "48x27"];
    let run = |arguments: &[&str]| {
        place.succeed(&[&["render", "wyvern.pac", "--entry", "1"], arguments, &small].concat())
    };
    let said = run(&["--frames", "0..20", "--step", "10", "-o", "walk.png"]);
    assert_eq!(said, "walk-0.png to walk-2.png: entry 1, 3 frames from 0 to 20\n");
    for (number, frame) in ["0", "10", "20"].into_iter().enumerate() {
        run(&["--frame", frame, "-o", "one.png"]);
        let numbered = picture::read(&place.path(&format!("walk-{number}.png"))).unwrap();
        assert!(
            numbered == picture::read(&place.path("one.png")).unwrap(),
            "frame {frame}"
        );
    }
    run(&["-o", "walk.gif"]);
    assert!(place.read("walk.gif").starts_with(b"GIF89a"));
    run(&["--frames", "0..8", "-o", "walk.apng"]);
    let apng = place.read("walk.apng");
    assert!(apng.windows(4).any(|chunk| chunk == b"acTL"), "an animated PNG");
}

#[test]
fn a_contact_sheet_shows_what_is_filled() {
    let place = Workplace::with_samples();
    let said = place.succeed(&["render", "wyvern.pac", "--contact-sheet", "-o", "sheet.png"]);
    assert_eq!(said, "sheet.png: the middle frames of 0-2, 24, 25, 100-110\n");
    let sheet = picture::read(&place.path("sheet.png")).unwrap();
    assert!(sheet.width() > 4 * 160 && sheet.height() > 4 * 90);
}

#[test]
fn what_is_missing_is_said_and_the_rest_is_drawn() {
    let place = Workplace::with_samples();
    place.write("alone/beast.pmo", &place.read("loose/wyvern.pmo"));
    let run = place.run(&["render", "alone/beast.pmo", "-o", "alone.png"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for warning in [
        "no texture bank: drawn without textures",
        "no skeleton: drawn in the bind pose",
    ] {
        let line = run
            .stderr
            .lines()
            .find(|line| line.contains(warning))
            .expect(warning);
        assert!(line.starts_with("warning: alone/beast.pmo: "), "{line}");
    }
    // Each can be named.
    let named = [
        "render",
        "alone/beast.pmo",
        "--textures",
        "loose/wyvern.tmh",
        "--skeleton",
        "loose/wyvern.skeleton",
        "--animation",
        "loose/wyvern.animation",
        "--entry",
        "24",
        "-o",
        "named.png",
    ];
    let run = place.run(&named);
    assert!(run.code == 0 && !run.stderr.contains("warning"), "{}", run.stderr);
    place.succeed(&["render", "wyvern.pac", "--entry", "24", "-o", "packed.png"]);
    assert!(place.read("named.png") == place.read("packed.png"));
    let line = place.fail(&[
        "render",
        "alone/beast.pmo",
        "--textures",
        "loose/wyvern.skeleton",
        "-o",
        "x.png",
    ]);
    assert!(line.contains("not a texture bank (TMH)"), "{line}");
    // Portable 3rd keeps geometry in another file, without which there is nothing to draw.
    place.write("alone/05248.pac", &place.read("wyvern-p3rd.pac"));
    let line = place.fail(&["render", "alone/05248.pac", "-o", "x.png"]);
    assert!(line.contains("its geometry is in another file"), "{line}");
    place.write("alone/05249.pac", &place.read("wyvern-p3rd.geometry.bin"));
    place.write("alone/05250.pac", &place.read("wyvern-p3rd.moveset.bin"));
    place.succeed(&["render", "alone/05248.pac", "--clip", "24", "-o", "numbered.png"]);
    assert!(!place.path("x.png").exists());
}

#[test]
fn selections_that_are_not_there_are_told_with_those_that_are() {
    let place = Workplace::with_samples();
    for (arguments, expected) in [
        (
            ["wyvern.pac", "--entry", "7"],
            "entry 7 is empty: no part has a clip for it (hint: filled: 0-2, 24, 25, 100-110)",
        ),
        (
            ["wyvern.pac", "--entry", "200"],
            "entry 200 is past the table: entries are 0 to 199",
        ),
        (["wyvern.pac", "--entry", "4294967295"], "past the table"),
        (
            ["wyvern.pac", "--clip", "3"],
            "is played by entries (hint: use --entry with one of 0-2, 24, 25, 100-110)",
        ),
        (
            ["wyvern-p3rd.pac", "--entry", "0"],
            "whose clips have no entries (hint: use --clip with one of ",
        ),
        (["wyvern-p3rd.pac", "--clip", "999999"], "is empty"),
        (["stage.pac", "--entry", "0"], "has no skeleton"),
        (
            ["wyvern.pac", "--mask", "0,7"],
            "has no mesh 7 (hint: its meshes are 0 to 6)",
        ),
        (["loose/wyvern.tmh", "-o", "x.png"], "not a model"),
    ] {
        let line = place.fail(&[&["render"], &arguments[..]].concat());
        assert!(line.contains(expected), "{arguments:?}: {line}");
    }
    for usage in [
        &["--size", "0x9"][..],
        &["--size", "4096x9"],
        &["--camera", "sideways"],
        &["--frames", "9..1"],
        &["--frame", "-1"],
        &["--frame", "nan"],
        &["--background", "blue"],
        &["--entry", "1", "--clip", "1"],
        &["--threads", "0"],
    ] {
        let run = place.run(&[&["render", "wyvern.pac"], usage].concat());
        assert_eq!(run.code, 2, "{usage:?}: {}", run.stderr);
    }
}

/// Changes a model inside `wyvern.pac` and writes the PAC as `changed.pac`.
fn change(place: &Workplace, change: impl FnOnce(&mut Pmo)) {
    let mut pac = Pac::parse(&place.read("wyvern.pac")).unwrap();
    let mut pmo = Pmo::parse(pac.entry(1).unwrap()).unwrap();
    change(&mut pmo);
    pac.replace(1, pmo.write().unwrap()).unwrap();
    place.write("changed.pac", &pac.write());
}

#[test]
fn a_list_that_does_not_return_is_an_error() {
    let place = Workplace::with_samples();
    // FINISH and END where RET belongs.
    change(&place, |pmo| {
        let list = &mut pmo.blocks[0].list;
        let last = list.len() - 1;
        list[last] = BlockCommand::Plain(ListCommand::End(0));
        list.insert(
            last,
            BlockCommand::Plain(ListCommand::Other {
                opcode: 0x0F,
                argument: 0,
            }),
        );
    });
    let line = place.fail(&["render", "changed.pac", "-o", "x.png"]);
    assert!(line.contains("ends the frame instead of returning"), "{line}");
    // A capture whose list jumps to itself: no recorder writes that.
    let words = [0x1008_0000_u32, 0x0800_0008];
    let mut push_buffer = InitialState::blank().to_bytes();
    let offset = push_buffer.len() as u32;
    push_buffer.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let records = vec![
        Record {
            kind: RecordKind::Init,
            offset: 0,
            size: 2048,
        },
        Record {
            kind: RecordKind::Registers,
            offset,
            size: 8,
        },
    ];
    let capture = Capture::new(Version::V6, *b"LOOP00000", records, push_buffer).unwrap();
    place.write("loop.ppdmp", &capture.write());
    let line = place.fail(&["replay", "loop.ppdmp", "-o", "x.png"]);
    assert!(line.contains("JUMP steers the list"), "{line}");
    assert!(!place.path("x.png").exists());
}

#[test]
fn an_export_is_posed_triangles_with_materials_and_pictures() {
    let place = Workplace::with_samples();
    let said = place.succeed(&[
        "export",
        "wyvern.pac",
        "--entry",
        "24",
        "--frame",
        "65",
        "-o",
        "out/roar.obj",
    ]);
    assert!(said.starts_with("out/roar.obj: 6"), "{said}");
    let obj = String::from_utf8(place.read("out/roar.obj")).unwrap();
    let count = |key: &str| {
        obj.lines()
            .filter(|line| line.split(' ').next() == Some(key))
            .count()
    };
    assert!(count("g") > 80 && count("f") > 6_000 && count("v") > 4_000);
    assert_eq!(count("v"), count("vt"));
    assert_eq!(count("v"), count("vn"));
    for line in obj.lines().filter(|line| line.starts_with("f ")) {
        for corner in line[2..].split(' ') {
            for index in corner.split('/') {
                let index: usize = index.parse().unwrap();
                assert!((1..=count("v")).contains(&index));
            }
        }
    }
    let mtl = String::from_utf8(place.read("out/roar.mtl")).unwrap();
    for texture in mtl.lines().filter_map(|line| line.strip_prefix("map_Kd ")) {
        picture::read(&place.path("out").join(texture)).unwrap();
    }
    for used in obj.lines().filter_map(|line| line.strip_prefix("usemtl ")) {
        assert!(mtl.contains(&format!("newmtl {used}\n")), "{used}");
    }
    let run = place.run(&["export", "wyvern.pac", "-o", "wyvern.fbx"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
}
