//! Pictures from disk.
use std::io::Cursor;
use std::path::Path;

use image::{ImageReader, Limits};

use super::Picture;
use crate::error::HarnessError;
use crate::files::{self, Input};

/// The widest and highest picture that is read.
const LARGEST_SIDE: u32 = 16_384;

/// Reads a PNG, BMP or GIF (its first frame), told by content; no colour profile or gamma is
/// applied. A picture without alpha is opaque.
///
/// PPSSPP's screenshots are PNGs with alpha 255, and BMPs of 32 bits, bottom row first, whose fourth
/// byte means nothing (`spec/capture.md` §8).
///
/// # Errors
/// As [`Input::open`]; a file that is no such picture, or is larger than 16384 on a side.
pub fn read(path: &Path) -> Result<Picture, HarnessError> {
    let input = Input::open(path)?;
    decode(&input.name, &input.bytes)
}

fn decode(file: &str, bytes: &[u8]) -> Result<Picture, HarnessError> {
    let fail = |message: String| HarnessError::Picture {
        file: file.to_owned(),
        message,
    };
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| fail(format!("cannot be read: {error}")))?;
    let Some(format) = reader.format() else {
        return Err(HarnessError::wrong_kind(file, bytes, "a picture (PNG, BMP, GIF)"));
    };
    let mut limits = Limits::default();
    limits.max_image_width = Some(LARGEST_SIDE);
    limits.max_image_height = Some(LARGEST_SIDE);
    limits.max_alloc = Some(files::LARGEST_INPUT * 2);
    reader.limits(limits);
    let name = format
        .extensions_str()
        .first()
        .copied()
        .unwrap_or("picture")
        .to_ascii_uppercase();
    let image = reader
        .decode()
        .map_err(|error| {
            fail(format!(
                "the {name} cannot be read: {}",
                one_line(&error.to_string())
            ))
        })?
        .into_rgba8();
    let (width, height) = image.dimensions();
    Picture::new(width, height, image.into_raw())
        .ok_or_else(|| fail(format!("the {name} has a strange size")))
}

/// A library's message without its line breaks.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::places;
    use super::super::write::encode_png;
    use super::*;

    /// PPSSPP's BMP: 54 bytes of header, then BGRA, bottom row first.
    fn ppsspp_bmp(picture: &Picture, fourth: u8) -> Vec<u8> {
        let (width, height) = (picture.width(), picture.height());
        let size = 54 + width * height * 4;
        let mut bytes = b"BM".to_vec();
        for word in [
            size,
            0,
            54,
            40,
            width,
            height,
            1 | 32 << 16,
            0,
            width * height * 4,
            0,
            0,
            0,
            0,
        ] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        for y in (0..height).rev() {
            for x in 0..width {
                let [r, g, b, _] = picture.pixel(x, y).unwrap();
                bytes.extend_from_slice(&[b, g, r, fourth]);
            }
        }
        bytes
    }

    #[test]
    fn a_png_comes_back_as_it_was() {
        let mut picture = places(7, 5);
        picture.set_pixel(1, 1, [200, 100, 50, 0]);
        picture.set_pixel(2, 1, [200, 100, 50, 77]);
        assert_eq!(decode("a.png", &encode_png(&picture)).unwrap(), picture);
    }

    #[test]
    fn ppsspps_bmp_is_the_right_way_up_and_opaque() {
        let picture = places(512, 272);
        for fourth in [0, 255] {
            assert_eq!(
                decode("a.bmp", &ppsspp_bmp(&picture, fourth)).unwrap(),
                picture,
                "{fourth}"
            );
        }
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        let error = decode("a.png", b"pmo\x001.0\x00").unwrap_err().to_string();
        assert_eq!(error, "a.png: is an unknown file, not a picture (PNG, BMP, GIF)");
        let png = encode_png(&places(20, 20));
        for cut in 0..png.len() - 12 {
            let error = decode("a.png", &png[..cut]).unwrap_err().to_string();
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_header_that_lies_about_its_size_is_refused_before_memory_is_taken() {
        let mut png = encode_png(&places(2, 2));
        png[16..20].copy_from_slice(&0x7FFF_FFFFu32.to_be_bytes());
        assert!(decode("a.png", &png).is_err());
    }
}
