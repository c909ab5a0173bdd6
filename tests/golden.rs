//! Pictures of the sample models, pixel for pixel, at several numbers of threads.
//!
//! `GOLDEN=bless cargo test --test golden` writes them anew. Look at each before it is kept.

#[path = "support/gpu.rs"]
mod support;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use formats::bfres::Bfres;
use ge_harness::backend::Backend;
use ge_harness::model::{Companions, Model, Morphs, Tail};
use ge_harness::picture::{self, Picture, compare};
use ge_harness::render::{RenderOptions, Renderer};
use ge_harness::scene::{Background, Shading};
use motion::library::Selection;
use motion::rig::entry::{ClipNumber, Entry};
use raster::Threads;
use support::gpu;

/// One picture.
struct Shot {
    /// Its file is `golden/pictures/NAME.png`.
    name: &'static str,
    model: &'static str,
    /// `None` for the bind pose.
    selection: Option<Selection>,
    frame: f64,
    options: fn() -> RenderOptions,
}

const fn entry(number: u32) -> Option<Selection> {
    Some(Selection::Entry(Entry(number)))
}

const fn clip(number: u32) -> Option<Selection> {
    Some(Selection::Clip(ClipNumber(number)))
}

fn seen(view: &str) -> RenderOptions {
    RenderOptions {
        view: view.parse().unwrap(),
        ..RenderOptions::default()
    }
}

const WYVERN: &str = "wyvern.pac";

const SHOTS: &[Shot] = &[
    Shot {
        name: "bind",
        model: WYVERN,
        selection: None,
        frame: 0.0,
        options: RenderOptions::default,
    },
    Shot {
        name: "idle-0",
        model: WYVERN,
        selection: entry(0),
        frame: 0.0,
        options: RenderOptions::default,
    },
    Shot {
        name: "idle-30",
        model: WYVERN,
        selection: entry(0),
        frame: 30.0,
        options: RenderOptions::default,
    },
    Shot {
        name: "idle-110",
        model: WYVERN,
        selection: entry(0),
        frame: 110.0,
        options: RenderOptions::default,
    },
    Shot {
        name: "idle-150",
        model: WYVERN,
        selection: entry(0),
        frame: 150.0,
        options: RenderOptions::default,
    },
    Shot {
        name: "walk-20",
        model: WYVERN,
        selection: entry(1),
        frame: 20.0,
        options: || seen("left"),
    },
    Shot {
        name: "roar-65",
        model: WYVERN,
        selection: entry(24),
        frame: 65.0,
        options: RenderOptions::default,
    },
    Shot {
        name: "flap-20",
        model: WYVERN,
        selection: entry(100),
        frame: 20.0,
        options: || seen("front"),
    },
    Shot {
        name: "game-camera",
        model: WYVERN,
        selection: entry(0),
        frame: 0.0,
        options: || seen("game"),
    },
    Shot {
        name: "unlit",
        model: WYVERN,
        selection: entry(0),
        frame: 0.0,
        options: || RenderOptions {
            shading: Shading::Unlit,
            ..RenderOptions::default()
        },
    },
    Shot {
        name: "tail-cut",
        model: WYVERN,
        selection: entry(0),
        frame: 0.0,
        options: || RenderOptions {
            tail: Tail::Cut,
            ..seen("150,15")
        },
    },
    Shot {
        name: "tail-dropped",
        model: WYVERN,
        selection: None,
        frame: 0.0,
        options: || RenderOptions {
            tail: Tail::Dropped,
            ..RenderOptions::default()
        },
    },
    Shot {
        name: "transparent-large",
        model: WYVERN,
        selection: entry(0),
        frame: 0.0,
        options: || RenderOptions {
            background: Some(Background::Transparent),
            size: [601, 401],
            ..RenderOptions::default()
        },
    },
    Shot {
        name: "p3rd-roar",
        model: "wyvern-p3rd.pac",
        selection: clip(24),
        frame: 65.0,
        options: RenderOptions::default,
    },
    Shot {
        name: "stage",
        model: "stage.pac",
        selection: None,
        frame: 0.0,
        options: RenderOptions::default,
    },
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn model(name: &str) -> Model {
    let path = root().join("golden/models").join(name);
    Model::open(&path, &Companions::default(), None).unwrap_or_else(|error| panic!("{error}"))
}

fn draw(shot: &Shot, threads: usize, backend: &Backend) -> Picture {
    let model = model(shot.model);
    let threads = Threads::Count(NonZeroUsize::new(threads).unwrap());
    let options = RenderOptions {
        threads,
        ..(shot.options)()
    };
    let mut renderer = Renderer::new(&model, options).unwrap();
    renderer.set_backend(backend);
    let take = match shot.selection {
        Some(selection) => renderer.take(Some(selection)).unwrap(),
        None => renderer.bind(),
    };
    let picture = renderer.draw(&take, shot.frame).unwrap();
    assert!(
        renderer.report().is_empty(),
        "{}: {}",
        shot.name,
        renderer.report()
    );
    picture
}

fn golden(name: &str) -> PathBuf {
    root().join("golden/pictures").join(name).with_extension("png")
}

/// Compares a picture with its blessed one, or blesses it.
fn check(name: &str, actual: &Picture) {
    let path = golden(name);
    if std::env::var_os("GOLDEN").is_some_and(|value| value == "bless") {
        picture::write_png(&path, actual).unwrap();
        return;
    }
    let expected = picture::read(&path).unwrap_or_else(|error| panic!("{error}"));
    if expected.rgba() == actual.rgba() && expected.width() == actual.width() {
        return;
    }
    let failed = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(name)
        .with_extension("png");
    picture::write_png(&failed, actual).unwrap();
    let difference = compare(&expected, actual);
    panic!(
        "{name}: not the blessed picture; see {}: {difference:?}",
        failed.display()
    );
}

#[test]
fn every_shot_is_its_blessed_picture_at_any_number_of_threads() {
    for shot in SHOTS {
        for threads in [1, 2, 8] {
            check(shot.name, &draw(shot, threads, &Backend::Processor));
        }
    }
}

#[test]
fn every_shot_is_its_blessed_picture_on_a_gpu() {
    let Some(gpu) = gpu() else { return };
    for shot in SHOTS {
        check(shot.name, &draw(shot, 1, &gpu));
    }
}

/// Shape animations of the head: picture, animation, frame.
const MORPHS: &[(&str, &str, f64)] = &[
    ("head-rest", "idle", 0.0),
    ("head-blink", "idle", 30.0),
    ("head-half-open", "roar", 26.0),
    ("head-roar", "roar", 60.0),
];

#[test]
fn shape_animations_are_their_blessed_pictures_at_any_number_of_threads_and_on_a_gpu() {
    let model = model("wyvern-head.pac");
    let file = std::fs::read(root().join("golden/models/wyvern-head.bfres")).unwrap();
    let file = Bfres::parse(&file).unwrap();
    let gpu = gpu();
    for &(name, animation, frame) in MORPHS {
        let backends = [1, 2, 8].map(|threads| (threads, Backend::Processor));
        for (threads, backend) in backends.into_iter().chain(gpu.clone().map(|gpu| (1, gpu))) {
            let morphs = Morphs::new(&model, file.animation(animation), &[]).unwrap();
            let threads = Threads::Count(NonZeroUsize::new(threads).unwrap());
            let options = RenderOptions {
                threads,
                morphs,
                ..RenderOptions::default()
            };
            let mut renderer = Renderer::new(&model, options).unwrap();
            renderer.set_backend(&backend);
            let take = renderer.bind();
            check(name, &renderer.draw(&take, frame).unwrap());
            assert!(renderer.report().is_empty(), "{name}: {}", renderer.report());
        }
    }
}

/// Holds what the command draws against its blessed picture, at any number of threads and on a GPU.
fn check_command(name: &str, arguments: &[&str]) {
    let ways = [
        ["--threads", "1"],
        ["--threads", "2"],
        ["--threads", "8"],
        ["--backend", "gpu"],
    ];
    let count = if gpu().is_some() { 4 } else { 3 };
    for (number, way) in ways.iter().enumerate().take(count) {
        let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{number}.png"));
        let made = std::process::Command::new(env!("CARGO_BIN_EXE_ge-harness"))
            .current_dir(root().join("golden/models"))
            .args(arguments)
            .args(way)
            .arg("-o")
            .arg(&drawn)
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        check(name, &picture::read(&drawn).unwrap());
    }
}

#[test]
fn the_contact_sheet_is_its_blessed_picture() {
    check_command("contact-sheet", &["render", WYVERN, "--contact-sheet"]);
}

#[test]
fn a_motion_file_is_its_blessed_pictures() {
    for (name, frame) in [("motion-15", "15"), ("motion-45", "45")] {
        check_command(
            name,
            &["render", WYVERN, "--mot", "loose/wyvern.mot", "--frame", frame],
        );
    }
}

#[test]
fn the_comparison_can_fail() {
    let actual = draw(&SHOTS[0], 1, &Backend::Processor);
    let mut changed = actual.clone();
    let [red, green, blue, alpha] = actual.pixel(240, 136).unwrap();
    changed.set_pixel(240, 136, [red ^ 1, green, blue, alpha]);
    let difference = compare(&actual, &changed).unwrap();
    assert_eq!(
        (difference.differing_pixels, difference.largest_difference),
        (1, 1)
    );
}

/// Both games' files hold the same beast; only the scale's place differs.
#[test]
fn both_games_give_the_same_picture() {
    let shot = |model, selection| Shot {
        name: "",
        model,
        selection,
        frame: 40.0,
        options: RenderOptions::default,
    };
    for number in [0, 1, 24, 100, 105] {
        let freedom_unite = draw(&shot(WYVERN, entry(number)), 1, &Backend::Processor);
        let portable_3rd = draw(&shot("wyvern-p3rd.pac", clip(number)), 1, &Backend::Processor);
        assert!(
            freedom_unite == portable_3rd,
            "{number}: {:?}",
            compare(&freedom_unite, &portable_3rd)
        );
    }
}

/// A renderer draws a frame alike whatever it drew before.
#[test]
fn frames_do_not_depend_on_those_before() {
    let model = model(WYVERN);
    let mut renderer = Renderer::new(&model, RenderOptions::default()).unwrap();
    let roar = renderer.take(entry(24)).unwrap();
    let idle = renderer.take(entry(0)).unwrap();
    let first = renderer.draw(&roar, 40.0).unwrap();
    renderer.draw(&idle, 3.0).unwrap();
    assert!(renderer.draw(&roar, 40.0).unwrap() == first);
}

/// The bare model with its companions beside it is the model in the PAC.
#[test]
fn loose_files_give_the_picture_of_the_pac() {
    let shot = |model| Shot {
        name: "",
        model,
        selection: entry(24),
        frame: 40.0,
        options: RenderOptions::default,
    };
    assert!(
        draw(&shot("loose/wyvern.pmo"), 1, &Backend::Processor)
            == draw(&shot(WYVERN), 1, &Backend::Processor)
    );
}
