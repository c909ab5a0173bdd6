//! A picture behind every draw that changes it.
use std::path::PathBuf;

use ge::Ge;

use super::{Image, Targets};
use crate::error::HarnessError;
use crate::files;
use crate::picture::Effort;

/// Pictures beyond these are not written: whoever wants to see more looks at parts of the frame.
const MOST_PICTURES: usize = 10_000;

/// Writes what is shown into a folder, as often as it changes.
#[derive(Debug)]
pub struct Steps {
    folder: PathBuf,
    /// Draws of the capture, which decide the digits of the names.
    draws: usize,
    /// Pictures of earlier draws are left out.
    first: u64,
    last: Option<Image>,
    pixels_passed: u64,
    /// What was written, in order.
    pub pictures: Vec<PathBuf>,
}

impl Steps {
    /// Writes into `folder` from draw `first` of `draws` on.
    #[must_use]
    pub fn new(folder: PathBuf, draws: usize, first: u64) -> Self {
        Self {
            folder,
            draws,
            first,
            last: None,
            pixels_passed: 0,
            pictures: Vec::new(),
        }
    }

    /// Writes the picture behind draw `number`, if it is another than before.
    ///
    /// # Errors
    /// As [`Image::write`], and 10,000 pictures already written.
    pub fn behind_draw(&mut self, targets: &Targets, ge: &mut Ge, number: u64) -> Result<(), HarnessError> {
        ge.finish();
        let passed = std::mem::replace(&mut self.pixels_passed, ge.statistics().pixels_passed);
        // Without a new pixel only another buffer, or another texture, can make another picture.
        if passed == self.pixels_passed && !targets.moved() {
            return Ok(());
        }
        // What a draw does not have to show, the next may.
        let Ok(image) = targets.image(ge) else {
            return Ok(());
        };
        if self.last.as_ref() == Some(&image) {
            return Ok(());
        }
        if number >= self.first {
            if self.pictures.len() == MOST_PICTURES {
                return Err(HarnessError::refused(
                    self.folder.display(),
                    format_args!("{MOST_PICTURES} pictures are written, and draw {number} would be one more"),
                    format_args!("go on with --from-draw {number}"),
                ));
            }
            let name = self.folder.join("draw.png");
            let path = files::numbered(&name, usize::try_from(number).unwrap_or(usize::MAX), self.draws);
            image.write(&path, Effort::Fast)?;
            self.pictures.push(path);
        }
        self.last = Some(image);
        Ok(())
    }
}
