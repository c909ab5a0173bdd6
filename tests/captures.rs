//! Public captures of real games against PPSSPP's pictures of them.
//!
//! The captures are not part of the repository; without them these tests say so and pass.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use formats::capture::Capture;
use ge::{GeOptions, Report};
use ge_harness::files::read_capture;
use ge_harness::picture::{self, Picture, compare};
use raster::{Profile, Threads};
use replay::{ReplayMode, ReplayOptions, Replayer};

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
        ge: GeOptions {
            threads,
            ..GeOptions::default()
        },
        ..ReplayOptions::default()
    };
    let mut replayer = Replayer::new(&capture, options);
    replayer
        .run()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let shown = replayer
        .picture()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let picture = Picture::new(480, 272, shown.pixels.concat()).unwrap();
    (picture, replayer.ge().report().clone())
}

fn mse(folder: &Path, name: &str) -> f64 {
    let (picture, report) = replay(&folder.join("dumps").join(name).with_extension("zip"), 2);
    let stem = name.trim_end_matches(".ppdmp");
    let reference = picture::read(&folder.join("ref").join(format!("{stem}-soft.png")))
        .unwrap()
        .visible_screen();
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
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder.join("dumps"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
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

/// Numbers that are the same in every run (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) % limit.max(1) as u64) as usize
    }
}

/// A capture's bytes, damaged: some flipped, or the end cut off. Little of this survives unpacking.
fn damaged_bytes(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    if numbers.below(4) == 0 {
        damaged.truncate(numbers.below(bytes.len()));
    }
    for _ in 0..1 + numbers.below(8) {
        let at = numbers.below(damaged.len());
        if let Some(byte) = damaged.get_mut(at) {
            *byte ^= 1 << numbers.below(8);
        }
    }
    damaged
}

/// A capture with bytes of its push buffer changed, and lengths and places of its records.
fn damaged_content(capture: &Capture, numbers: &mut Numbers) -> Option<Capture> {
    let mut push_buffer = capture.push_buffer().to_vec();
    let mut records = capture.records().to_vec();
    for _ in 0..1 + numbers.below(200) {
        let at = numbers.below(push_buffer.len());
        if let Some(byte) = push_buffer.get_mut(at) {
            *byte = numbers.below(256) as u8;
        }
    }
    for _ in 0..numbers.below(4) {
        let at = 1 + numbers.below(records.len() - 1);
        let length = push_buffer.len();
        if let Some(record) = records.get_mut(at) {
            match numbers.below(3) {
                0 => record.size = record.size.saturating_sub(4 * numbers.below(8) as u32),
                1 => record.size += 4 * numbers.below(64) as u32,
                _ => record.offset = numbers.below(length) as u32,
            }
        }
    }
    Capture::new(capture.version(), [0; 9], records, push_buffer).ok()
}

/// Damaged captures give an error or a picture. `MUTATIONS=200 cargo test --release --test captures damaged` does more of
/// each.
#[test]
fn damaged_captures_are_errors_or_pictures() {
    let Some(folder) = folder() else { return };
    let count = std::env::var("MUTATIONS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(4);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder.join("dumps"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for (seed, path) in (0..).zip(paths) {
        let mut numbers = Numbers(seed);
        let (bytes, _) = read_capture(&path).unwrap_or_else(|error| panic!("{error}"));
        let capture = Capture::parse(&bytes).unwrap_or_else(|error| panic!("{error}"));
        let (mut pictures, mut slowest) = (0, 0.0_f64);
        for _ in 0..count {
            let parsed = Capture::parse(&damaged_bytes(&bytes, &mut numbers)).ok();
            for damaged in parsed.into_iter().chain(damaged_content(&capture, &mut numbers)) {
                let start = Instant::now();
                let threads = Threads::Count(NonZeroUsize::MIN);
                let profile = match numbers.below(2) {
                    0 => Profile::Hardware,
                    _ => Profile::Ppsspp,
                };
                let options = ReplayOptions {
                    ge: GeOptions {
                        threads,
                        profile,
                        ..GeOptions::default()
                    },
                    ..ReplayOptions::default()
                };
                let mut replayer = Replayer::new(&damaged, options);
                if replayer.run().is_ok() && replayer.picture().is_ok() {
                    pictures += 1;
                }
                slowest = slowest.max(start.elapsed().as_secs_f64());
            }
        }
        eprintln!("{}: {pictures} pictures, slowest {slowest:.2} s", path.display());
    }
}
