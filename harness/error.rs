//! What stops a command: one readable line, and what to do about it.
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use formats::FormatError;
use raster::GpuError;

use crate::inspect::{described, reader_of};

/// Why a command did not do what it was asked.
///
/// [`Display`](fmt::Display) gives the line without `error:`, beginning with the file it is about; [`hint`](Self::hint)
/// gives what the user can do. Paths name a member of a PAC as `em75.pac#2`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HarnessError {
    /// There is no such file.
    #[error("{path}: no such file", path = path.display())]
    Missing {
        /// The path as it was given.
        path: PathBuf,
    },
    /// A folder stands where a file was expected.
    #[error("{path}: is a folder, not a file", path = path.display())]
    Folder {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The file has no bytes at all.
    #[error("{path}: the file is empty", path = path.display())]
    Empty {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The file is larger than any input of this program can be.
    #[error("{path}: {size} bytes are more than the {limit} this program reads", path = path.display())]
    TooLarge {
        /// The path as it was given.
        path: PathBuf,
        /// The file's size in bytes, or where reading stopped.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The system did not let a file be read.
    #[error("{path}: cannot read: {source}", path = path.display())]
    Read {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system did not let a file be written. The file that stood there, if any, is unchanged.
    #[error("{path}: cannot write: {source}", path = path.display())]
    Write {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file stands where the command would write, and it was not told to replace it.
    #[error("{path}: already exists", path = path.display())]
    Exists {
        /// The file or folder that stands in the way.
        path: PathBuf,
    },
    /// The bytes are not what their format demands.
    #[error("{file}: {source}")]
    Format {
        /// The file, with the PAC member.
        file: String,
        /// Which field, where, and the two values that disagree.
        #[source]
        source: FormatError,
    },
    /// The file is sound, but not of a kind that the command works on.
    #[error("{file}: is {found}, not {wanted}")]
    WrongKind {
        /// The file, with the PAC member.
        file: String,
        /// What it is, with its article: `a texture bank (TMH)`.
        found: String,
        /// What the command works on, with its article.
        wanted: &'static str,
        /// What to do about it.
        hint: String,
    },
    /// A PAC member was named that the PAC does not have.
    #[error("{file}: no member {member}: {members}")]
    Member {
        /// The PAC.
        file: String,
        /// What was asked for.
        member: String,
        /// What there is, in words: `its members are 0 to 6`.
        members: String,
    },
    /// A picture could not be read or written.
    #[error("{file}: {message}")]
    Picture {
        /// The file.
        file: String,
        /// What the picture library said.
        message: String,
    },
    /// A zip archive could not be opened or holds no capture.
    #[error("{file}: {message}")]
    Zip {
        /// The file.
        file: String,
        /// What is wrong with it.
        message: String,
    },
    /// A GPU cannot be used.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Anything else, said by whoever found it.
    #[error("{subject}: {message}")]
    Refused {
        /// The file or thing that the message is about.
        subject: String,
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// The arguments contradict each other in a way that the argument parser cannot see.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: String,
    },
    /// Standard output could not be written. A closed pipe ends up here too, and is success: see
    /// [`is_closed_pipe`](Self::is_closed_pipe).
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl HarnessError {
    /// An error that only its finder can word.
    pub fn refused(subject: impl fmt::Display, message: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Self::Refused {
            subject: subject.to_string(),
            message: message.to_string(),
            hint: hint.to_string(),
        }
    }

    /// Arguments that contradict each other; exit status 2.
    pub fn usage(message: impl fmt::Display, hint: impl fmt::Display) -> Self {
        Self::Usage {
            message: message.to_string(),
            hint: hint.to_string(),
        }
    }

    /// A sound file of a kind that the command does not work on.
    ///
    /// The hint is the command that reads such files.
    pub(crate) fn wrong_kind(file: &str, bytes: &[u8], wanted: &'static str) -> Self {
        Self::WrongKind {
            file: file.to_owned(),
            found: described(bytes),
            wanted,
            hint: reader_of(bytes, file),
        }
    }

    /// What reading `path` gave, as the variant that fits.
    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::IsADirectory => Self::Folder { path },
            _ => Self::Read { path, source },
        }
    }

    /// What writing `path` gave.
    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            source,
        }
    }

    /// The process exit status: 2 for wrong usage, as the argument parser's own errors, else 1.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Usage { .. } => 2,
            _ => 1,
        }
    }

    /// Whether the reader of standard output went away, which is no failure: `ge-harness ... | head`.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// What the user can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Missing { .. } => "check the spelling; a PAC's member is written model.pac#2".into(),
            Self::Folder { .. } => "name one file inside it".into(),
            Self::Empty { .. } => "extract or record it again".into(),
            Self::TooLarge { path, .. } if is_disc(path) => {
                "extract the game's DATA.BIN first and give one of its files".into()
            }
            Self::TooLarge { .. } => {
                "models, textures and captures are far smaller: is this the right file?".into()
            }
            Self::Read { .. } => "check the file's permissions".into(),
            Self::Write { .. } => "check the folder's permissions and the free space".into(),
            Self::Exists { .. } => "give --force to replace it, or another name".into(),
            Self::Format { file, .. } => match file.rsplit_once('#') {
                Some((outer, _)) => format!("the rest may be sound: ge-harness inspect {outer}"),
                None => "the file is damaged or cut short: extract or record it again".into(),
            },
            Self::WrongKind { hint, .. } => hint.clone(),
            Self::Member { file, .. } => format!("ge-harness inspect {file} lists them"),
            Self::Picture { .. } => "PNG, BMP and GIF pictures are read".into(),
            Self::Zip { .. } => "give a .ppdmp file, or a zip that holds one".into(),
            Self::Gpu(GpuError::UnknownAdapter { .. }) => "ge-harness adapters lists them".into(),
            Self::Gpu(GpuError::NoAdapter) => {
                "--backend cpu draws the same pixels; a software driver is in Debian's mesa-vulkan-drivers"
                    .into()
            }
            Self::Gpu(_) => "--backend cpu draws the same pixels".into(),
            Self::Refused { hint, .. } | Self::Usage { hint, .. } => hint.clone(),
            Self::Output(_) => "check where standard output goes".into(),
        }
    }
}

/// Whether a name looks like a whole game rather than a file out of one.
fn is_disc(path: &Path) -> bool {
    let extension = path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();
    ["iso", "cso", "bin"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_error_names_file_field_and_both_values() {
        let source = FormatError {
            format: "PMO",
            field: "group 3, vertex buffer".into(),
            offset: 0x48,
            found: "0x900".into(),
            expected: "at most 0x8c0".into(),
        };
        let error = HarnessError::Format {
            file: "em75.pac#1".into(),
            source,
        };
        assert_eq!(
            error.to_string(),
            "em75.pac#1: PMO: group 3, vertex buffer at 0x48: found 0x900, expected at most 0x8c0"
        );
        assert!(error.hint().contains("inspect em75.pac"));
        assert_eq!(error.exit_code(), 1);
    }

    #[test]
    fn only_a_broken_pipe_is_a_closed_pipe() {
        assert!(HarnessError::Output(io::ErrorKind::BrokenPipe.into()).is_closed_pipe());
        assert!(!HarnessError::Output(io::ErrorKind::StorageFull.into()).is_closed_pipe());
        let write = HarnessError::write(Path::new("out.png"), io::ErrorKind::BrokenPipe.into());
        assert!(
            !write.is_closed_pipe(),
            "only standard output has a reader that may leave"
        );
    }

    #[test]
    fn usage_exits_with_two() {
        assert_eq!(
            HarnessError::usage("a and b together", "choose one").exit_code(),
            2
        );
    }
}
