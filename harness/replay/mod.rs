//! Captures replayed for the commands: opening them, what is shown of them, and what a run met.
mod follow;
mod report;
mod shown;
mod steps;
mod texture;

use std::path::Path;

use formats::capture::Capture;
use formats::detect::{Kind, detect};

pub use follow::Follower;
pub use report::{MetReport, StatisticsReport};
pub use shown::{Image, NotShown, Shown, Targets, screen};
pub use steps::Steps;

use crate::error::HarnessError;
use crate::files::{CaptureChoice, Input, capture_in_zip};
use crate::inspect::described;

/// What the commands on captures work on.
const WANTED: &str = "a GE capture (.ppdmp)";

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
    /// As [`Input::open`] and [`of`](Self::of).
    pub fn open(path: &Path) -> Result<Self, HarnessError> {
        Self::of(&Input::open(path)?)
    }

    /// The capture in bytes that are open: they themselves, or the last one in the zip archive that they are.
    ///
    /// # Errors
    /// A file of another kind, as [`capture_in_zip`], and what [`Capture::parse`] refuses.
    pub fn of(input: &Input) -> Result<Self, HarnessError> {
        match detect(&input.bytes) {
            Kind::Capture => Ok(Self {
                name: input.name.clone(),
                capture: Capture::parse(&input.bytes).map_err(|source| input.format_error(source))?,
                archive: None,
            }),
            Kind::Zip => {
                let (bytes, choice) = capture_in_zip(&input.name, &input.bytes)?;
                let file = format!("{} ({})", input.name, choice.name);
                if detect(&bytes) != Kind::Capture {
                    return Err(HarnessError::WrongKind {
                        file,
                        found: described(&bytes),
                        wanted: WANTED,
                        hint: "take it out of the archive: the last .ppdmp in it counts".into(),
                    });
                }
                Ok(Self {
                    name: input.name.clone(),
                    capture: Capture::parse(&bytes)
                        .map_err(|source| HarnessError::Format { file, source })?,
                    archive: Some(choice),
                })
            }
            Kind::Unknown => Err(HarnessError::WrongKind {
                file: input.name.clone(),
                found: described(&input.bytes),
                wanted: WANTED,
                hint: "PPSSPP's GE debugger records one, and so does ge-harness record".into(),
            }),
            _ => Err(HarnessError::wrong_kind(&input.name, &input.bytes, WANTED)),
        }
    }

    /// What stopped a replay of it.
    #[must_use]
    pub fn replay_error(&self, error: replay::ReplayError) -> HarnessError {
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
