//! The processor and a GPU side by side: the sample creature, three public captures, and what starting a GPU takes.
//!
//! The GPU is the best adapter, or the one that `GE_HARNESS_ADAPTER` names; without one the processor alone is
//! measured. The captures are not part of the repository.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use formats::capture::Capture;
use ge::GeOptions;
use ge_harness::backend::Backend;
use ge_harness::files::read_capture;
use ge_harness::model::{Companions, Model};
use ge_harness::render::{RenderOptions, Renderer};
use motion::library::Selection;
use motion::rig::entry::Entry;
use raster::{
    AdapterChoice, Draw, FlushReason, FrameFormat, Gpu, GpuOptions, PixelState, Primitives, Profile,
    Rasterizer, Scissor, ScreenVertex, StateFlags, Subpixel, Target, Threads, Tuning, Vram,
};
use replay::{ReplayMode, ReplayOptions, Replayer};

/// An interface with one sprite on top of another, a 3D scene of small triangles, and one of Monster Hunter.
const CAPTURES: [&str; 3] = ["20204-", "21780-", "21776-"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn adapter() -> AdapterChoice {
    std::env::var("GE_HARNESS_ADAPTER").map_or(AdapterChoice::Best, AdapterChoice::Named)
}

/// What is measured: name, back end, threads.
fn contenders() -> Vec<(String, Backend, Threads)> {
    let one = Threads::Count(NonZeroUsize::MIN);
    let mut contenders = vec![
        ("processor, 1 thread".to_owned(), Backend::Processor, one),
        (
            "processor, all threads".to_owned(),
            Backend::Processor,
            Threads::Automatic,
        ),
    ];
    match Backend::gpu(adapter()) {
        Ok(backend) => contenders.push((backend.name(), backend, one)),
        Err(error) => eprintln!("no GPU is measured: {error}"),
    }
    contenders
}

fn creature(criterion: &mut Criterion) {
    let path = root().join("golden/models/wyvern.pac");
    let model = Model::open(&path, &Companions::default(), None).unwrap_or_else(|error| panic!("{error}"));
    let mut group = criterion.benchmark_group("wyvern walk, a frame");
    for (name, backend, threads) in contenders() {
        let options = RenderOptions {
            threads,
            ..RenderOptions::default()
        };
        let mut renderer = Renderer::new(&model, options).unwrap_or_else(|error| panic!("{error}"));
        renderer.set_backend(&backend);
        let walk = renderer
            .take(Some(Selection::Entry(Entry(1))))
            .unwrap_or_else(|error| panic!("{error}"));
        let mut frame = 0.0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                frame = (frame + 2.0) % 96.0;
                renderer
                    .draw(&walk, frame)
                    .unwrap_or_else(|error| panic!("{error}"))
            });
        });
    }
    group.finish();
}

fn captures(criterion: &mut Criterion) {
    let folder = root().join("../shared/data/frametests/dumps");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: no captures at {}", folder.display());
        return;
    };
    let paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    for prefix in CAPTURES {
        let named = |path: &&PathBuf| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().starts_with(prefix)
        };
        let Some(path) = paths.iter().find(named) else {
            eprintln!("skipped: no capture {prefix}*");
            continue;
        };
        let (bytes, _) = read_capture(path).unwrap_or_else(|error| panic!("{error}"));
        let capture = Capture::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut group = criterion.benchmark_group(format!("replay {}", prefix.trim_end_matches('-')));
        group.sample_size(10);
        for (name, backend, threads) in contenders() {
            let options = ReplayOptions {
                mode: ReplayMode::Reference,
                ge: GeOptions {
                    threads,
                    ..GeOptions::default()
                },
                ..ReplayOptions::default()
            };
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let mut replayer = Replayer::new(&capture, options);
                    backend.equip(replayer.ge_mut(), options.ge.profile, threads);
                    replayer.run().unwrap_or_else(|error| panic!("{error}"));
                    replayer.ge_mut().finish();
                });
            });
        }
        group.finish();
    }
}

/// A rectangle of one tile, drawn and fetched.
fn one_tile(gpu: &Gpu) -> Duration {
    let state = PixelState {
        flags: StateFlags::THROUGH,
        target: Target {
            color_stride: 512,
            format: FrameFormat::RGBA8888,
            ..Target::default()
        },
        scissor: Scissor {
            left: 0,
            top: 0,
            right: 479,
            bottom: 271,
        },
        ..PixelState::default()
    };
    let corner = |at| ScreenVertex {
        x: Subpixel(16 * at),
        y: Subpixel(16 * at),
        color: 0xFF,
        ..ScreenVertex::default()
    };
    let vertices = [corner(0), corner(8)];
    let draw = Draw {
        state: &state,
        texture: None,
        vertices: &vertices,
        primitives: Primitives::Rectangles(&[[0, 1]]),
    };
    let mut vram = Vram::default();
    let mut rasterizer = Rasterizer::with_gpu(Profile::Hardware, Tuning::default(), gpu.clone());
    let started = Instant::now();
    rasterizer.draw(&mut vram, &draw);
    rasterizer.flush(&mut vram, FlushReason::Finished);
    let time = started.elapsed();
    assert_eq!(vram.bytes()[0], 255, "nothing was drawn");
    time
}

fn start(criterion: &mut Criterion) {
    let options = GpuOptions {
        adapter: adapter(),
        ..GpuOptions::default()
    };
    let open = || Gpu::open(&options).unwrap_or_else(|error| panic!("{error}"));
    if let Err(error) = Gpu::open(&options) {
        eprintln!("no GPU is measured: {error}");
        return;
    }
    let mut group = criterion.benchmark_group("GPU start");
    group.sample_size(10);
    group.bench_function("open", |bencher| bencher.iter(open));
    group.bench_function("first dispatch, driver's cache warm", |bencher| {
        bencher.iter_custom(|count| (0..count).map(|_| one_tile(&open())).sum());
    });
    let gpu = open();
    group.bench_function("later dispatch of one tile", |bencher| {
        bencher.iter_custom(|count| (0..count).map(|_| one_tile(&gpu)).sum());
    });
    group.finish();
}

criterion_group! {
    name = benches;
    // Plots need a font that the program does not register for others.
    config = Criterion::default().without_plots();
    targets = start, creature, captures
}
criterion_main!(benches);
