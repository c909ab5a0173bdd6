//! Captures whose results a real PSP has recorded: pictures, and values read back from VRAM.
//!
//! They are shared data; without them the tests are skipped.

mod images;
mod reads;

use std::path::{Path, PathBuf};

use formats::capture::Capture;
use ge::replay::{ReplayOptions, Replayer};

/// The captures of a folder, by name; `None` with a printed reason where there are none.
fn captures(folder: &str) -> Option<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data/hardware")
        .join(folder);
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) => {
            eprintln!("skipped: {} is not there: {error}", folder.display());
            return None;
        }
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ppdmp"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} holds captures", folder.display());
    Some(paths)
}

fn read_capture(path: &Path) -> Capture {
    Capture::parse(&std::fs::read(path).expect("a file")).expect("a capture")
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name")
}

fn replay(capture: &Capture) -> Replayer<'_> {
    Replayer::new(capture, ReplayOptions::default())
}
