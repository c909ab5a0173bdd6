//! Captures inside zip archives, chosen as PPSSPP chooses them (`spec/capture.md` §1).
use std::io::{Cursor, Read};
use std::path::Path;

use zip::ZipArchive;

use super::{LARGEST_INPUT, read};
use crate::error::HarnessError;

/// Which file of an archive was taken for the capture.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CaptureChoice {
    /// The name inside the archive.
    pub name: String,
    /// All names that could have been taken, in the archive's directory order; the last one won.
    pub candidates: Vec<String>,
}

/// Reads a capture: a bare `.ppdmp` file, or the one inside a zip archive.
///
/// # Errors
/// As [`read`] and [`capture_in_zip`].
pub fn read_capture(path: &Path) -> Result<(Vec<u8>, Option<CaptureChoice>), HarnessError> {
    let bytes = read(path)?;
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        let (capture, choice) = capture_in_zip(&path.display().to_string(), &bytes)?;
        return Ok((capture, Some(choice)));
    }
    Ok((bytes, None))
}

/// Takes the capture out of a zip archive: of all entries that end in `.ppdmp`, whatever their
/// folder and case, except those under `__MACOSX/`, **the last in the directory**.
///
/// # Errors
/// An archive that cannot be read, holds no capture, or one over the size limit.
pub fn capture_in_zip(file: &str, bytes: &[u8]) -> Result<(Vec<u8>, CaptureChoice), HarnessError> {
    let fail = |message: String| HarnessError::Zip {
        file: file.to_owned(),
        message,
    };
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| fail(format!("the zip archive cannot be read: {error}")))?;
    let mut candidates = Vec::new();
    let mut chosen = None;
    for index in 0..archive.len() {
        let Some(Ok(name)) = archive.name_for_index(index) else {
            continue;
        };
        let is_capture = name.len() >= 6
            && name.as_bytes()[name.len() - 6..].eq_ignore_ascii_case(b".ppdmp")
            && !name.starts_with("__MACOSX/");
        if is_capture {
            candidates.push(name.into_owned());
            chosen = Some(index);
        }
    }
    let Some(index) = chosen else {
        let count = archive.len();
        return Err(fail(format!(
            "the zip archive holds no .ppdmp capture among its {count} files"
        )));
    };
    let name = candidates.last().cloned().unwrap_or_default();
    let entry = archive
        .by_index(index)
        .map_err(|error| fail(format!("the capture in the zip archive cannot be read: {error}")))?;
    let mut capture = Vec::new();
    // The size an archive states is its maker's word; the limit is ours.
    entry
        .take(LARGEST_INPUT + 1)
        .read_to_end(&mut capture)
        .map_err(|error| fail(format!("{name} in the zip archive cannot be unpacked: {error}")))?;
    if capture.len() as u64 > LARGEST_INPUT {
        return Err(fail(format!("{name} unpacks to more than {LARGEST_INPUT} bytes")));
    }
    if capture.is_empty() {
        return Err(fail(format!("{name} in the zip archive is empty")));
    }
    Ok((capture, CaptureChoice { name, candidates }))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn the_last_capture_in_the_directory_wins() {
        let bytes = archive(&[
            ("first.ppdmp", b"one"),
            ("deep/er/LAST.PPDMP", b"two"),
            ("__MACOSX/deep/._LAST.ppdmp", b"resource fork"),
            ("readme.txt", b"text"),
        ]);
        let (capture, choice) = capture_in_zip("a.zip", &bytes).unwrap();
        assert_eq!(capture, b"two");
        assert_eq!(choice.name, "deep/er/LAST.PPDMP");
        assert_eq!(choice.candidates.len(), 2);
    }

    #[test]
    fn an_archive_without_a_capture_says_so() {
        let error = capture_in_zip("a.zip", &archive(&[("readme.txt", b"text")])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.zip: the zip archive holds no .ppdmp capture among its 1 files"
        );
    }

    #[test]
    fn broken_archives_are_errors() {
        let bytes = archive(&[("a.ppdmp", &[7; 4000])]);
        for cut in 0..bytes.len() {
            assert!(capture_in_zip("cut.zip", &bytes[..cut]).is_err(), "cut at {cut}");
        }
    }
}
