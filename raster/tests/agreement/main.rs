//! What must not matter does not: tiles, threads, batches and the order in which pixels are visited. Draws of random
//! states, textures and vertices leave the same 2 MiB, whichever way they are drawn.
#![forbid(unsafe_code)]

#[cfg(feature = "gpu")]
mod gpu;
mod history;
mod program;
mod soup;

use std::num::NonZeroUsize;

use program::{agrees, random_program, tunings_of};
use raster::{FlushReason, Profile, Rasterizer, Threads, TileSize, Tuning, Vram};
use soup::{Case, Random, random_case, submit};

fn noise() -> Vram {
    let mut vram = Vram::default();
    let mut random = Random(7);
    for word in vram.bytes_mut().chunks_exact_mut(8) {
        word.copy_from_slice(&random.bits().to_le_bytes());
    }
    vram
}

/// Draws all cases on VRAM full of noise.
fn drawn(tuning: Tuning, cases: &[Case]) -> (Vram, [u64; 2]) {
    let mut vram = noise();
    let mut rasterizer = Rasterizer::with_tuning(Profile::Hardware, tuning);
    for case in cases {
        submit(&mut rasterizer, &mut vram, case);
    }
    rasterizer.flush(&mut vram, FlushReason::Finished);
    let statistics = rasterizer.statistics();
    (vram, [statistics.pixels_covered, statistics.pixels_passed])
}

fn count(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).expect("not zero")
}

fn tunings() -> Vec<Tuning> {
    let one = Tuning {
        threads: Threads::Count(count(1)),
        ..Tuning::default()
    };
    vec![
        one,
        Tuning {
            tile_size: TileSize::Small,
            ..one
        },
        Tuning {
            tile_size: TileSize::Large,
            ..one
        },
        Tuning {
            threads: Threads::Count(count(3)),
            ..one
        },
        Tuning {
            threads: Threads::Count(count(2)),
            tile_size: TileSize::Small,
            ..one
        },
        Tuning {
            batch_primitives: count(1),
            ..one
        },
        Tuning {
            batch_primitives: count(3),
            tile_size: TileSize::Small,
            ..one
        },
    ]
}

/// Draws of a program.
const DRAWS: u32 = 16;

/// A number that the environment may set.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Runs programs of 10,000 draws in several ways each: `GE_HARNESS_SOUP_DRAWS` asks for more, `GE_HARNESS_SOUP_SEED` for
/// others. A failure prints a program's seed and what is left of it when all that does not matter is left out.
fn soup(profile: Profile) {
    let draws = setting("GE_HARNESS_SOUP_DRAWS", 10_000);
    let first = setting("GE_HARNESS_SOUP_SEED", 0);
    let mut covered = 0;
    for seed in first..first + draws.div_ceil(DRAWS.into()) {
        let counts = agrees(profile, &random_program(seed, DRAWS), &tunings_of(seed));
        covered += counts[6];
    }
    assert!(covered > 100 * draws, "{covered} pixels covered");
}

#[test]
fn register_soup_agrees_with_the_reference() {
    soup(Profile::Hardware);
}

#[test]
fn register_soup_agrees_with_the_reference_in_ppsspps_profile() {
    soup(Profile::Ppsspp);
}

#[test]
fn a_difference_would_be_seen() {
    let cases: Vec<Case> = (0..40).map(random_case).collect();
    let (full, counts) = drawn(tunings()[0], &cases);
    let (less, _) = drawn(tunings()[0], &cases[..39]);
    assert!(counts[0] > 1000 && counts[1] > 500, "{counts:?}");
    assert!((0..40).any(|last| {
        let (shorter, _) = drawn(tunings()[0], &cases[..last]);
        shorter.bytes() != full.bytes()
    }));
    assert_eq!(less.bytes().len(), full.bytes().len());
}
