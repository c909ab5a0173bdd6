//! Public captures of real games against PPSSPP's pictures of them.
//!
//! The captures are not part of the repository; without them these tests say so and pass.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use formats::capture::Capture;
use ge::replay::{ReplayMode, ReplayOptions, Replayer};
use ge::{GeOptions, Report};
use ge_harness::files::read_capture;
use ge_harness::picture::{self, Picture, compare};
use raster::Threads;

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/frametests");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no captures at {}", folder.display());
    None
}

/// Replays as PPSSPP does, on a number of threads.
fn replay(path: &Path, threads: usize) -> (Picture, Report) {
    let (bytes, _) = read_capture(path).unwrap_or_else(|error| panic!("{error}"));
    let capture = Capture::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let threads = Threads::Count(NonZeroUsize::new(threads).unwrap());
    let options = ReplayOptions {
        mode: ReplayMode::Reference,
        ge: GeOptions { threads, ..GeOptions::default() },
        ..ReplayOptions::default()
    };
    let mut replayer = Replayer::new(&capture, options);
    replayer.run().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let shown = replayer.picture().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let picture = Picture::new(480, 272, shown.pixels.concat()).unwrap();
    (picture, replayer.ge().report().clone())
}

fn mse(folder: &Path, name: &str) -> f64 {
    let (picture, report) = replay(&folder.join("dumps").join(name).with_extension("zip"), 2);
    let stem = name.trim_end_matches(".ppdmp");
    let reference = picture::read(&folder.join("ref").join(format!("{stem}-soft.png"))).unwrap().visible_screen();
    let mse = compare(&reference, &picture).unwrap().mse;
    eprintln!("{name}: MSE {mse:.3}; {report}");
    mse
}

/// The first five steps of the ladder: 2D, depth, culling, lighting. What remains is the sample point, a
/// sixteenth of a pixel beside PPSSPP's on purpose (spec/ge-raster.md §2.4).
#[test]
fn the_first_captures_show_what_their_references_show() {
    let Some(folder) = folder() else { return };
    for name in [
        "20204-beam--em-up-npuz00087_0001",
        "15816-boku-no-natsuyasumi-4-issue-ucjs10095",
        "21797-taiko-no-tatsujin-npjh50426_0002",
        "15826-hot-pixel-ulus10298",
        "7932-hokuto-no-ken-raoh-gaiden-ten-uljm05404_0001",
    ] {
        let mse = mse(&folder, name);
        assert!(mse <= 60.0, "{name}: MSE {mse}");
    }
}

#[test]
fn monster_hunter_shows_its_hunter() {
    let Some(folder) = folder() else { return };
    let mse = mse(&folder, "21776-monster-hunter-3rd-npjb40001_0001");
    assert!(mse <= 80.0, "MSE {mse}");
}

/// Every capture runs to its end on any number of threads with the same bits, and says what it met that is not built.
#[test]
fn every_capture_runs_and_threads_do_not_matter() {
    let Some(folder) = folder() else { return };
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder.join("dumps")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let start = Instant::now();
        let (one, report) = replay(&path, 1);
        let seconds = start.elapsed().as_secs_f64();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        eprint!("{name}: {seconds:.2} s\n{report}");
        let (eight, _) = replay(&path, 8);
        assert!(one == eight, "{name}: 1 and 8 threads differ");
    }
}
