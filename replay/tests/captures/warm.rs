//! A GE that has run before draws what a new one draws.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use formats::capture::Capture;
use ge::{Ge, GeOptions, Profile};
use raster::Threads;
use replay::{ReplayMode, ReplayOptions, Replayer};

use crate::shared::{captures, read};

fn options(mode: ReplayMode, profile: Profile) -> ReplayOptions {
    ReplayOptions {
        mode,
        ge: GeOptions {
            profile,
            threads: Threads::Count(NonZeroUsize::MIN),
            ..GeOptions::default()
        },
        ..ReplayOptions::default()
    }
}

/// VRAM after a replay, and the GE.
fn run(mut replayer: Replayer<'_>) -> (Vec<u8>, Ge) {
    replayer.run().expect("the capture runs");
    let mut ge = replayer.into_ge();
    (ge.memory().vram().bytes().to_vec(), ge)
}

/// Replays a capture on a new GE, then again on that GE, and on one that has drawn something else.
fn check(path: &Path, capture: &Capture, options: ReplayOptions, other: &mut Option<Ge>) {
    let (cold, ge) = run(Replayer::new(capture, options));
    let same = |found: &[u8], what: &str| {
        let first = cold.iter().zip(found).position(|(a, b)| a != b);
        assert_eq!(first, None, "{}: {options:?}, {what}", path.display());
    };
    let (again, ge) = run(Replayer::on(ge, capture, options));
    same(&again, "the second time");
    if let Some(other) = other.take() {
        let (after_another, _) = run(Replayer::on(other, capture, options));
        same(&after_another, "after another capture");
    }
    *other = Some(ge);
}

fn check_all(paths: &[PathBuf], mode: ReplayMode, profile: Profile) {
    let mut other = None;
    for path in paths {
        check(path, &read(path), options(mode, profile), &mut other);
    }
}

#[test]
fn games_are_the_same_in_the_hardware_profile() {
    let Some(paths) = captures("frametests/dumps") else {
        return;
    };
    check_all(&paths, ReplayMode::Faithful, Profile::Hardware);
}

#[test]
fn games_are_the_same_in_the_profile_of_ppsspp() {
    let Some(paths) = captures("frametests/dumps") else {
        return;
    };
    check_all(&paths, ReplayMode::Reference, Profile::Ppsspp);
}

#[test]
fn test_programs_are_the_same() {
    for folder in ["hardware/images", "hardware/reads"] {
        let Some(paths) = captures(folder) else { return };
        check_all(&paths, ReplayMode::Faithful, Profile::Hardware);
    }
}
