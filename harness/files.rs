//! Reading inputs and writing outputs: the only module that opens files by name.
//!
//! An output is written beside its place and then renamed, so that a command that fails, or is
//! killed, leaves what stood there before.
mod member;
mod zipped;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

pub use member::Input;
pub use zipped::{CaptureChoice, capture_in_zip, read_capture};

use crate::error::HarnessError;

/// The largest file that is read: far above any model, and above a capture of all of PSP memory.
pub const LARGEST_INPUT: u64 = 512 << 20;

/// Reads a whole file.
///
/// # Errors
/// A missing path, a folder, an empty file, a file over [`LARGEST_INPUT`], or what the system says.
pub fn read(path: &Path) -> Result<Vec<u8>, HarnessError> {
    read_limited(path, LARGEST_INPUT)
}

/// [`read`] with another limit in bytes.
///
/// # Errors
/// As [`read`].
pub fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, HarnessError> {
    let fail = |source| HarnessError::read(path, source);
    let file = File::open(path).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    if metadata.is_dir() {
        return Err(HarnessError::Folder {
            path: path.to_owned(),
        });
    }
    let too_large = |size| HarnessError::TooLarge {
        path: path.to_owned(),
        size,
        limit,
    };
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    // A pipe or a device states no length, so the limit holds while reading too.
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
    file.take(limit + 1).read_to_end(&mut bytes).map_err(fail)?;
    match bytes.len() as u64 {
        0 => Err(HarnessError::Empty {
            path: path.to_owned(),
        }),
        length if length > limit => Err(too_large(length)),
        _ => Ok(bytes),
    }
}

/// Writes a file whole or not at all, replacing one that stands there; its folders are created.
///
/// # Errors
/// What the system says. The old file is then unchanged.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("new/picture.bin");
/// ge_harness::files::write(&path, b"bytes")?;
/// assert_eq!(std::fs::read(&path)?, b"bytes");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), HarnessError> {
    write_with(path, |file| {
        file.write_all(bytes)
            .map_err(|source| HarnessError::write(path, source))
    })
}

/// [`write()`] that never replaces a file.
///
/// # Errors
/// [`HarnessError::Exists`] where one stands there, or what the system says.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), HarnessError> {
    let fail = |source| HarnessError::write(path, source);
    let mut temporary = temporary_beside(path)?;
    temporary.write_all(bytes).map_err(fail)?;
    match temporary.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(HarnessError::Exists {
            path: path.to_owned(),
        }),
        Err(error) => Err(fail(error.error)),
    }
}

/// [`write()`] for producers that stream into the file.
///
/// # Errors
/// What the producer returns, or what the system says. The old file is then unchanged.
pub fn write_with(
    path: &Path,
    produce: impl FnOnce(&mut File) -> Result<(), HarnessError>,
) -> Result<(), HarnessError> {
    let fail = |source| HarnessError::write(path, source);
    if path.is_dir() {
        return Err(HarnessError::Folder {
            path: path.to_owned(),
        });
    }
    let mut temporary = temporary_beside(path)?;
    produce(temporary.as_file_mut())?;
    if let Ok(replaced) = fs::metadata(path) {
        temporary
            .as_file()
            .set_permissions(replaced.permissions())
            .map_err(fail)?;
    }
    temporary.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// A temporary file in the folder of `path`, which is made if it is missing.
fn temporary_beside(path: &Path) -> Result<tempfile::NamedTempFile, HarnessError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    create_folder(folder)?;
    temporary_file(folder).map_err(|source| HarnessError::write(path, source))
}

/// A temporary file in `folder` with the rights that any new file has; on its own, a temporary
/// file is private to its user.
fn temporary_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ge-harness-");
    #[cfg(unix)]
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(permissions);
    builder.tempfile_in(folder)
}

/// Makes a folder and those above it.
///
/// # Errors
/// What the system says, such as a file that stands where a folder is needed.
pub fn create_folder(folder: &Path) -> Result<(), HarnessError> {
    fs::create_dir_all(folder).map_err(|source| HarnessError::write(folder, source))
}

/// The name of output `index` of `count`: the number goes before the extension, with as many
/// digits as the last one needs.
///
/// ```
/// use std::path::Path;
/// use ge_harness::files::numbered;
/// assert_eq!(numbered(Path::new("out/walk.png"), 7, 120), Path::new("out/walk-007.png"));
/// assert_eq!(numbered(Path::new("walk.png"), 0, 1), Path::new("walk-0.png"));
/// ```
#[must_use]
pub fn numbered(path: &Path, index: usize, count: usize) -> PathBuf {
    let digits = count.saturating_sub(1).to_string().len();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = format!("{stem}-{index:0digits$}");
    if let Some(extension) = path.extension() {
        name.push('.');
        name.push_str(&extension.to_string_lossy());
    }
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_says_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        assert!(matches!(read(&path("none")), Err(HarnessError::Missing { .. })));
        assert!(matches!(read(folder.path()), Err(HarnessError::Folder { .. })));
        fs::write(path("empty"), b"").unwrap();
        assert!(matches!(read(&path("empty")), Err(HarnessError::Empty { .. })));
        fs::write(path("nine"), b"123456789").unwrap();
        assert!(matches!(
            read_limited(&path("nine"), 8),
            Err(HarnessError::TooLarge {
                size: 9,
                limit: 8,
                ..
            })
        ));
        assert_eq!(read_limited(&path("nine"), 9).unwrap(), b"123456789");
    }

    #[test]
    fn a_failed_write_keeps_the_old_file_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.bin");
        write(&path, b"old").unwrap();
        let failed = write_with(&path, |file| {
            file.write_all(b"half").unwrap();
            Err(HarnessError::refused("kept.bin", "stopped", "none"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.bin");
        write_new(&path, b"old").unwrap();
        assert!(matches!(
            write_new(&path, b"new"),
            Err(HarnessError::Exists { .. })
        ));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_is_not_replaced_by_a_file() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            write(folder.path(), b"x"),
            Err(HarnessError::Folder { .. })
        ));
    }

    #[test]
    fn a_file_in_the_way_of_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, b"x").unwrap();
        assert!(matches!(
            write(&file.join("below"), b"y"),
            Err(HarnessError::Write { .. })
        ));
    }

    #[test]
    #[cfg(unix)]
    fn an_output_can_be_read_by_others() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        write(&path, b"x").unwrap();
        let other = folder.path().join("other");
        fs::write(&other, b"x").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), mode(&other));
    }
}
