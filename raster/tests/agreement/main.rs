//! What must not matter does not: tiles, threads, batches and the order in which pixels are visited. Draws of random
//! states, textures and vertices leave the same 2 MiB, whichever way they are drawn.
#![forbid(unsafe_code)]

#[cfg(feature = "gpu")]
mod gpu;
mod history;
mod soup;

use std::num::NonZeroUsize;

use proptest::prelude::*;
use raster::{FlushReason, Method, Profile, Rasterizer, Threads, TileSize, Tuning, Vram};
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

/// The body of the property: a failure shrinks by leaving out draws.
fn all_ways_agree(seeds: &[u64]) -> Result<(), TestCaseError> {
    let cases: Vec<Case> = seeds.iter().map(|&seed| random_case(seed)).collect();
    let reference = Tuning {
        method: Method::Reference,
        ..tunings()[0]
    };
    let (expected, expected_counts) = drawn(reference, &cases);
    for tuning in tunings() {
        let (vram, counts) = drawn(tuning, &cases);
        let difference = vram
            .bytes()
            .iter()
            .zip(expected.bytes())
            .position(|(a, b)| a != b);
        prop_assert_eq!(difference, None, "{:?}", tuning);
        prop_assert_eq!(counts, expected_counts, "{:?}", tuning);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_must_not_matter_does(seeds in prop::collection::vec(any::<u64>(), 1..12)) {
        all_ways_agree(&seeds)?;
    }
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

#[test]
fn register_soup_is_survived() {
    // Seeds apart from the property's, in one go: no panic, and an end.
    let cases: Vec<Case> = (1000..3000).map(random_case).collect();
    let (_, counts) = drawn(tunings()[3], &cases);
    assert!(counts[0] > 100_000, "{counts:?}");
}
