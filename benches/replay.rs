//! Replays of public captures and renders of the sample model, on one thread: how long a frame takes from its first
//! command to its last pixel, files and unpacking excluded.
//!
//! The captures are not part of the repository; without them the samples alone are measured.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use criterion::{Criterion, criterion_group, criterion_main};
use formats::capture::Capture;
use ge::GeOptions;
use ge_harness::files::read_capture;
use ge_harness::model::{Companions, Model};
use ge_harness::render::{RenderOptions, Renderer};
use motion::library::Selection;
use motion::rig::entry::Entry;
use raster::Threads;
use replay::{ReplayMode, ReplayOptions, Replayer};

const ONE: Threads = Threads::Count(NonZeroUsize::MIN);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn captures(criterion: &mut Criterion) {
    let folder = root().join("../shared/data/frametests/dumps");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: no captures at {}", folder.display());
        return;
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut group = criterion.benchmark_group("replay");
    group.sample_size(10);
    for path in paths {
        let (bytes, _) = read_capture(&path).unwrap_or_else(|error| panic!("{error}"));
        let capture = Capture::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let options = ReplayOptions {
            mode: ReplayMode::Reference,
            ge: GeOptions {
                threads: ONE,
                ..GeOptions::default()
            },
            ..ReplayOptions::default()
        };
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        group.bench_function(name.trim_end_matches(".ppdmp"), |bencher| {
            bencher.iter(|| {
                let mut replayer = Replayer::new(&capture, options);
                replayer.run().unwrap_or_else(|error| panic!("{error}"));
                replayer.ge_mut().finish();
            });
        });
    }
    group.finish();
}

fn samples(criterion: &mut Criterion) {
    let path = root().join("golden/models/wyvern.pac");
    let model = Model::open(&path, &Companions::default(), None).unwrap_or_else(|error| panic!("{error}"));
    let options = RenderOptions {
        threads: ONE,
        ..RenderOptions::default()
    };
    let mut renderer = Renderer::new(&model, options).unwrap_or_else(|error| panic!("{error}"));
    let walk = renderer
        .take(Some(Selection::Entry(Entry(1))))
        .unwrap_or_else(|error| panic!("{error}"));
    let mut frame = 0.0;
    criterion.bench_function("render/wyvern walk, a frame", |bencher| {
        bencher.iter(|| {
            frame = (frame + 2.0) % 96.0;
            renderer
                .draw(&walk, frame)
                .unwrap_or_else(|error| panic!("{error}"))
        });
    });
}

criterion_group!(benches, samples, captures);
criterion_main!(benches);
