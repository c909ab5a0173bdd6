//! Still pictures to disk.
use std::path::Path;

use super::Picture;
use crate::error::HarnessError;
use crate::files;

/// How hard the packing of a PNG is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// For pictures that are kept.
    #[default]
    Small,
    /// For hundreds of them: many times as fast, and larger.
    Fast,
}

impl Effort {
    const fn compression(self) -> png::Compression {
        match self {
            Self::Small => png::Compression::Balanced,
            Self::Fast => png::Compression::Fast,
        }
    }
}

/// The picture as a PNG: RGBA, 8 bits, no gamma chunk. Equal pictures give equal bytes.
#[must_use]
pub fn encode_png(picture: &Picture) -> Vec<u8> {
    encode_png_with(picture, Effort::Small)
}

/// [`encode_png`] with another effort.
#[must_use]
pub fn encode_png_with(picture: &Picture, effort: Effort) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(effort.compression());
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

/// One value a pixel as a PNG of grey with 16 bits; `None` unless there are `width` times `height` values.
#[must_use]
pub fn encode_grey_png(width: u32, height: u32, values: &[u16], effort: Effort) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_compression(effort.compression());
    let samples: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&samples));
    written.ok().map(|()| bytes)
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

    #[test]
    fn grey_keeps_its_16_bits() {
        let values = [0, 1, 0x1234, 0x8000, 0xFFFE, 0xFFFF];
        for effort in [Effort::Small, Effort::Fast] {
            let bytes = encode_grey_png(3, 2, &values, effort).unwrap();
            let read = image::load_from_memory(&bytes).unwrap();
            assert_eq!(read.as_luma16().unwrap().as_raw(), &values);
        }
        assert!(encode_grey_png(3, 3, &values, Effort::Small).is_none());
    }

    #[test]
    fn effort_changes_bytes_alone() {
        let picture = super::super::tests::places(60, 40);
        for effort in [Effort::Small, Effort::Fast] {
            let read = image::load_from_memory(&encode_png_with(&picture, effort)).unwrap();
            assert_eq!(read.as_rgba8().unwrap().as_raw(), picture.rgba());
        }
    }
}
