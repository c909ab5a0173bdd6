//! Captures whose colour and depth overlap: every number of threads draws as the reference does.

use std::num::NonZeroUsize;
use std::path::Path;

use formats::capture::Capture;
use ge::{GeOptions, Profile};
use raster::{Method, Rasterizer, Threads, Tuning};
use replay::{ReplayOptions, Replayer};

fn tuning(threads: usize, method: Method) -> Tuning {
    Tuning {
        threads: Threads::Count(NonZeroUsize::new(threads).expect("not zero")),
        method,
        ..Tuning::default()
    }
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
            let expected = replayed(&capture, profile, tuning(1, Method::Reference));
            for tuning in [1, 2, 8].map(|threads| tuning(threads, Method::Tiles)) {
                let found = replayed(&capture, profile, tuning);
                let unlike = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
                assert_eq!(unlike, 0, "bytes of {name}, {profile:?}, {tuning:?}");
            }
        }
    }
}
