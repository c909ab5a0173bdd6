//! Captures replayed for the commands: opening them, what is shown of them, and what a run met.
mod follow;
mod report;
mod shown;
mod steps;
mod texture;

use std::path::Path;

use formats::capture::Capture;

pub use follow::Follower;
pub use report::{MetReport, StatisticsReport};
pub use shown::{Image, NotShown, Shown, Targets, screen};
pub use steps::Steps;

use crate::error::HarnessError;
use crate::files::{self, CaptureChoice};

/// A capture with the name that messages call it by.
#[derive(Debug, Clone)]
pub struct NamedCapture {
    /// The path as it was given.
    pub name: String,
    /// What was recorded.
    pub capture: Capture,
    /// Which file of an archive it is.
    pub archive: Option<CaptureChoice>,
}

impl NamedCapture {
    /// Reads a capture: a `.ppdmp` file, or the last one in a zip archive.
    ///
    /// # Errors
    /// As [`files::read_capture`], and what [`Capture::parse`] refuses.
    pub fn open(path: &Path) -> Result<Self, HarnessError> {
        let name = path.display().to_string();
        let (bytes, archive) = files::read_capture(path)?;
        let capture = Capture::parse(&bytes).map_err(|source| {
            let file = archive
                .as_ref()
                .map_or(name.clone(), |choice| format!("{name} ({})", choice.name));
            HarnessError::Format { file, source }
        })?;
        Ok(Self {
            name,
            capture,
            archive,
        })
    }

    /// What stopped a replay of it.
    #[must_use]
    pub fn replay_error(&self, error: ge::replay::ReplayError) -> HarnessError {
        let hint = format!("ge-harness disasm {} shows the record", self.name);
        HarnessError::refused(&self.name, error, hint)
    }
}

/// A capture's name without the folder and the extensions: `frame` for `a/frame.ppdmp.zip`.
///
/// ```
/// use std::path::Path;
/// use ge_harness::replay::stem;
/// assert_eq!(stem(Path::new("a/NPJB40001_0001.ppdmp")), "NPJB40001_0001");
/// assert_eq!(stem(Path::new("10755_0001.ppdmp.zip")), "10755_0001");
/// assert_eq!(stem(Path::new("odd")), "odd");
/// ```
#[must_use]
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".zip").unwrap_or(&name);
    stem.strip_suffix(".ppdmp").unwrap_or(stem).to_owned()
}
