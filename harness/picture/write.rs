//! Still pictures to disk.
use std::path::Path;

use super::Picture;
use crate::error::HarnessError;
use crate::files;

/// The picture as a PNG: RGBA, 8 bits, no gamma chunk. Equal pictures give equal bytes.
#[must_use]
pub fn encode_png(picture: &Picture) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(picture.rgba()));
    debug_assert!(
        written.is_ok() || picture.width() == 0 || picture.height() == 0,
        "{written:?}"
    );
    bytes
}

/// Writes a PNG, whole or not at all.
///
/// # Errors
/// A picture of no pixels, which PNG cannot hold, and as [`files::write`].
pub fn write_png(path: &Path, picture: &Picture) -> Result<(), HarnessError> {
    if picture.width() == 0 || picture.height() == 0 {
        return Err(HarnessError::Picture {
            file: path.display().to_string(),
            message: format!(
                "a PNG cannot hold {} x {} pixels",
                picture.width(),
                picture.height()
            ),
        });
    }
    files::write(path, &encode_png(picture))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_no_pixels_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("none.png");
        assert!(write_png(&path, &Picture::filled(0, 4, [0; 4])).is_err());
        assert!(!path.exists());
    }
}
