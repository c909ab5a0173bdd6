//! What must not matter does not: threads, tiles, batches, and the kernel that draws.

use std::num::NonZeroUsize;
use std::path::Path;

use formats::capture::Capture;
use ge::replay::{ReplayOptions, Replayer};
use ge::{GeOptions, Profile};
use raster::{Method, Rasterizer, Threads, TileSize, Tuning};

fn count(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).expect("not zero")
}

/// The way that defines what is right.
pub(crate) fn reference() -> Tuning {
    Tuning {
        threads: Threads::Count(count(1)),
        method: Method::Reference,
        ..Tuning::default()
    }
}

/// Ways that have to agree with it.
pub(crate) fn tunings() -> [Tuning; 5] {
    let way = |threads, tile_size, batch| Tuning {
        threads: Threads::Count(count(threads)),
        tile_size,
        batch_primitives: count(batch),
        method: Method::Tiles,
    };
    [
        way(1, TileSize::Medium, 0x1_0000),
        way(1, TileSize::Small, 3),
        way(2, TileSize::Medium, 0x1_0000),
        way(8, TileSize::Small, 0x1_0000),
        way(2, TileSize::Large, 1),
    ]
}

/// VRAM after the replay of a capture.
fn replayed(capture: &Capture, profile: Profile, tuning: Tuning) -> Vec<u8> {
    let options = ReplayOptions {
        ge: GeOptions {
            profile,
            ..GeOptions::default()
        },
        ..ReplayOptions::default()
    };
    let mut replayer = Replayer::new(capture, options);
    replayer
        .ge_mut()
        .set_rasterizer(Rasterizer::with_tuning(profile, tuning));
    replayer.run().expect("a capture that replays");
    replayer.ge_mut().memory().vram().bytes().to_vec()
}

#[test]
fn captures_of_overlapping_buffers_are_drawn_in_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/cases");
    for name in ["threads-a.ppdmp", "threads-b.ppdmp"] {
        let path = folder.join(name);
        let Ok(bytes) = std::fs::read(&path) else {
            assert!(
                std::env::var_os("GE_HARNESS_REQUIRE_DATA").is_none(),
                "{} is not there",
                path.display()
            );
            println!("skipped: {} is not there", path.display());
            continue;
        };
        let capture = Capture::parse(&bytes).expect("a capture");
        for profile in [Profile::Hardware, Profile::Ppsspp] {
            let expected = replayed(&capture, profile, reference());
            for tuning in tunings() {
                let found = replayed(&capture, profile, tuning);
                let unlike = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
                assert_eq!(unlike, 0, "bytes of {name}, {profile:?}, {tuning:?}");
            }
        }
    }
}
