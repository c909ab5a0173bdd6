//! Pictures for keeping: named after what is shown, never over a file that is there.

use std::path::{Path, PathBuf};

use crate::error::HarnessError;
use crate::files;

/// Numbers that are tried: whoever has more pictures of one thing in a folder gives them another.
const MOST: u32 = 9_999;

/// Writes bytes into a folder as `STEM-001.png`, or with the first number that is free.
///
/// # Errors
/// What the system says, or that all names are taken.
pub(super) fn write(folder: &Path, stem: &str, bytes: &[u8]) -> Result<PathBuf, HarnessError> {
    for number in 1..=MOST {
        let path = folder.join(format!("{stem}-{number:03}.png"));
        // Others may write here at the same time, so that only the writing itself tells what is free.
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match files::write_new(&path, bytes) {
            Err(HarnessError::Exists { .. }) => {}
            written => return written.map(|()| path),
        }
    }
    Err(HarnessError::refused(
        folder.display(),
        format_args!("has {stem}-001.png to {stem}-{MOST}.png already"),
        "move some of them to another folder",
    ))
}

/// What pictures of a file are called: its name up to the first dot, `em75` for `a/em75.pac#2`.
#[must_use]
pub(super) fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.split(['.', '#']).next().unwrap_or_default();
    if stem.is_empty() {
        "picture".to_owned()
    } else {
        stem.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        std::fs::write(folder.join("wyvern-002.png"), b"mine").unwrap();
        for (bytes, name) in [(b"one", "wyvern-001.png"), (b"two", "wyvern-003.png")] {
            assert_eq!(write(folder, "wyvern", bytes).unwrap(), folder.join(name));
            assert_eq!(std::fs::read(folder.join(name)).unwrap(), bytes);
        }
        assert_eq!(std::fs::read(folder.join("wyvern-002.png")).unwrap(), b"mine");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 3);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_nowhere_is_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("elsewhere");
        std::os::unix::fs::symlink(&target, folder.path().join("a-001.png")).unwrap();
        assert_eq!(
            write(folder.path(), "a", b"x").unwrap(),
            folder.path().join("a-002.png")
        );
        assert!(!target.exists());
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, b"x").unwrap();
        assert!(matches!(write(&file, "a", b"x"), Err(HarnessError::Write { .. })));
    }

    #[test]
    fn pictures_are_called_after_their_file() {
        for (path, expected) in [
            ("a/em75.pac#2", "em75"),
            ("10755_0001.ppdmp.zip", "10755_0001"),
            (".hidden", "picture"),
            ("", "picture"),
        ] {
            assert_eq!(stem(Path::new(path)), expected);
        }
    }
}
