//! The GPU draws what the processor draws: every blessed picture, every public capture, and what the commands say.
//!
//! Where there is no adapter these tests say so and pass, unless `GE_HARNESS_REQUIRE_GPU` is set: then they fail.

#[path = "support/gpu.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use formats::capture::Capture;
use ge::GeOptions;
use ge_harness::backend::Backend;
use ge_harness::files::read_capture;
use ge_harness::model::{Companions, Model};
use ge_harness::render::{RenderOptions, Renderer};
use ge_harness::scene::View;
use raster::{Profile, Threads, Vram};
use replay::{ReplayMode, ReplayOptions, Replayer};
use support::gpu;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn difference(first: &Vram, second: &Vram) -> Option<usize> {
    first.bytes().iter().zip(second.bytes()).position(|(a, b)| a != b)
}

/// Replays a capture and takes VRAM as it is then.
fn replayed(capture: &Capture, profile: Profile, backend: &Backend) -> Vram {
    let options = ReplayOptions {
        mode: ReplayMode::Reference,
        ge: GeOptions {
            profile,
            ..GeOptions::default()
        },
        ..ReplayOptions::default()
    };
    let mut replayer = Replayer::new(capture, options);
    backend.equip(replayer.ge_mut(), profile, Threads::Automatic);
    replayer.run().unwrap_or_else(|error| panic!("{error}"));
    let vram = replayer.ge_mut().memory().vram().clone();
    let rasterizer = replayer.ge().rasterizer();
    assert_eq!(rasterizer.device_lost(), None);
    if let Backend::Gpu(_) = backend {
        let statistics = rasterizer.device_statistics().expect("a GPU");
        assert!(statistics.batches > 0, "{statistics}");
    }
    vram
}

fn captures(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = root().join("../shared/data").join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: no captures at {}", folder.display());
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut captures: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    captures.sort();
    captures
}

#[test]
fn captures_are_drawn_to_the_same_bits() {
    let Some(gpu) = gpu() else { return };
    let games = captures("frametests/dumps", "zip");
    let tests = captures("hardware/images", "ppdmp");
    for (path, profile) in (games.iter().map(|path| (path, Profile::Hardware)))
        .chain(games.iter().map(|path| (path, Profile::Ppsspp)))
        .chain(tests.iter().map(|path| (path, Profile::Hardware)))
    {
        let (bytes, _) = read_capture(path).unwrap_or_else(|error| panic!("{error}"));
        let capture = Capture::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let expected = replayed(&capture, profile, &Backend::Processor);
        let found = replayed(&capture, profile, &gpu);
        assert_eq!(
            difference(&found, &expected),
            None,
            "{} {profile:?}",
            path.display()
        );
    }
}

#[test]
fn models_are_drawn_to_the_same_bits() {
    let Some(gpu) = gpu() else { return };
    for name in ["wyvern.pac", "wyvern-p3rd.pac", "wyvern-head.pac", "stage.pac"] {
        let path = root().join("golden/models").join(name);
        let model =
            Model::open(&path, &Companions::default(), None).unwrap_or_else(|error| panic!("{error}"));
        for view in [View::THREE_QUARTER, View::Game] {
            let options = RenderOptions {
                view,
                size: [600, 400],
                ..RenderOptions::default()
            };
            let draw = |backend: &Backend| {
                let mut renderer = Renderer::new(&model, options.clone()).unwrap();
                renderer.set_backend(backend);
                let take = renderer.take(None).unwrap_or_else(|_| renderer.bind());
                let frame = f64::from(take.last_frame() / 2);
                renderer.draw(&take, frame).unwrap()
            };
            assert!(draw(&gpu) == draw(&Backend::Processor), "{name}");
        }
    }
}

fn command(arguments: &[&str]) -> Output {
    command_with(arguments, &[])
}

fn command_with(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ge-harness"))
        .current_dir(root().join("golden/models"))
        .args(arguments)
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn temporary(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.display().to_string()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_command_draws_blessed_pictures_on_a_gpu() {
    if gpu().is_none() {
        return;
    }
    let path = temporary("gpu-sheet.png");
    let drawn = command(&[
        "render",
        "wyvern.pac",
        "--contact-sheet",
        "--backend",
        "gpu",
        "-o",
        &path,
    ]);
    assert!(drawn.status.success(), "{drawn:?}");
    let blessed = root().join("golden/pictures/contact-sheet.png");
    let read = |path: &Path| ge_harness::picture::read(path).unwrap_or_else(|error| panic!("{error}"));
    assert!(read(Path::new(&path)) == read(&blessed));

    let compared = command(&["compare-backends", "wyvern.pac", "--entry", "24"]);
    assert!(compared.status.success(), "{compared:?}");
    assert!(String::from_utf8_lossy(&compared.stdout).contains("agree to the bit"));
    let adapters = command(&["adapters"]);
    assert!(
        String::from_utf8_lossy(&adapters.stdout).contains("exact"),
        "{adapters:?}"
    );
}

/// A folder where the driver is to keep compiled shaders, full of what are none.
#[test]
fn a_broken_shader_cache_loses_no_picture() {
    if gpu().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().display().to_string();
    let variables = [
        ("MESA_SHADER_CACHE_DIR", cache.as_str()),
        ("XDG_CACHE_HOME", cache.as_str()),
    ];
    let draw = |name: &str| {
        let path = temporary(name);
        let arguments = [
            "render",
            "wyvern.pac",
            "--entry",
            "24",
            "--backend",
            "gpu",
            "-o",
            &path,
        ];
        let drawn = command_with(&arguments, &variables);
        assert!(drawn.status.success(), "{drawn:?}");
        ge_harness::picture::read(Path::new(&path)).unwrap_or_else(|error| panic!("{error}"))
    };
    let first = draw("cache-cold.png");
    let mut broken = 0;
    let mut folders = vec![folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let length = std::fs::metadata(&path).unwrap().len() as usize;
                std::fs::write(&path, vec![0x5A; length]).unwrap();
                broken += 1;
            }
        }
    }
    eprintln!("{broken} files of the driver's cache broken");
    assert!(draw("cache-broken.png") == first);
}

#[test]
fn without_an_adapter_the_processor_draws_and_says_so_once() {
    // No driver can be loaded from there.
    let none = [
        ("VK_DRIVER_FILES", "/nonexistent.json"),
        ("VK_ICD_FILENAMES", "/nonexistent.json"),
    ];
    let path = temporary("gpu-none.png");
    let arguments = |backend| {
        [
            "render",
            "wyvern.pac",
            "--entry",
            "24",
            "--backend",
            backend,
            "-o",
            &path,
        ]
    };
    let refused = command_with(&arguments("gpu"), &none);
    if cfg!(target_os = "linux") {
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(errors(&refused).contains("no GPU adapter found"), "{refused:?}");
        assert!(errors(&refused).contains("--backend cpu"), "{refused:?}");
        let drawn = command_with(&arguments("auto"), &none);
        assert!(drawn.status.success(), "{drawn:?}");
        assert_eq!(errors(&drawn).matches("drawing on the processor").count(), 1);
        let adapters = command_with(&["adapters"], &none);
        assert!(String::from_utf8_lossy(&adapters.stdout).starts_with("no GPU adapter"));
    }
}

#[test]
fn adapters_are_named_as_they_are() {
    if gpu().is_none() {
        return;
    }
    let arguments = ["render", "wyvern.pac", "--backend", "gpu", "--adapter", "voodoo"];
    let refused = command(&arguments);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        errors(&refused).contains("no GPU adapter is called `voodoo`"),
        "{refused:?}"
    );
    let contradiction = command(&["render", "wyvern.pac", "--adapter", "0"]);
    assert_eq!(contradiction.status.code(), Some(2));
}
