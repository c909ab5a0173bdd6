//! Finding and reading the shared captures.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use formats::capture::Capture;

/// A folder of the shared data; `None` with a printed reason where it is not there.
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data")
        .join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(
        std::env::var_os("GE_HARNESS_REQUIRE_DATA").is_none(),
        "{} is required and not there",
        folder.display()
    );
    eprintln!("skipped: {} is not there", folder.display());
    None
}

/// The captures of a folder of the shared data, in order of their names: `.ppdmp`, and zips with one.
pub(crate) fn captures(name: &str) -> Option<Vec<PathBuf>> {
    let folder = folder(name)?;
    let entries = std::fs::read_dir(&folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|found| found == "ppdmp" || found == "zip")
        })
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} holds captures", folder.display());
    Some(paths)
}

/// The name of a capture without its extensions.
pub(crate) fn name(path: &Path) -> &str {
    let file = path.file_name().and_then(|name| name.to_str()).expect("a name");
    file.trim_end_matches(".zip").trim_end_matches(".ppdmp")
}

/// Reads a capture, of a zip the last, which is the one that counts (`spec/capture.md §1`).
pub(crate) fn read(path: &Path) -> Capture {
    let mut bytes = std::fs::read(path).expect("a readable file");
    if path.extension().is_some_and(|extension| extension == "zip") {
        bytes = last_of_zip(bytes);
    }
    Capture::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn last_of_zip(zip: Vec<u8>) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).expect("a zip");
    let index = (0..archive.len())
        .rfind(|&index| {
            archive
                .name_for_index(index)
                .and_then(Result::ok)
                .is_some_and(|name| name.to_lowercase().ends_with(".ppdmp") && !name.starts_with("__MACOSX/"))
        })
        .expect("a capture in the zip");
    let mut bytes = Vec::new();
    let mut file = archive.by_index(index).expect("a file of the zip");
    file.read_to_end(&mut bytes).expect("a whole file");
    bytes
}
