//! The bank around the images: headers, sizes, constants.

use std::borrow::Cow;

use super::{Clut, ColorFormat, PixelFormat, Tmh, TmhImage};
use crate::{FormatError, Reader};

/// The first 8 bytes of a bank.
pub(super) const MAGIC: &[u8; 8] = b".TMH0.14";
const BANK_HEADER: usize = 0x10;
const IMAGE_HEADER: usize = 0x10;
/// Bytes of the header of a pixel block and of a CLUT block, which their stored sizes include.
const BLOCK_HEADER: usize = 0x10;

impl Tmh {
    /// Reads a bank and everything after it as [`tail`](Self::tail).
    ///
    /// # Errors
    ///
    /// Where a constant differs, a size disagrees with the sum of its parts, a format code is
    /// unknown, a CLUT's entry count is not what its bytes hold, or the file ends early.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let reader = Reader::new("TMH", bytes);
        let magic = reader.slice(0, MAGIC.len(), "magic")?;
        if magic != MAGIC {
            return Err(reader.error(
                "magic",
                0,
                format!("{:?}", String::from_utf8_lossy(magic)),
                format!("{:?}", String::from_utf8_lossy(MAGIC)),
            ));
        }
        let count = reader.u32(0x08, "image count")? as usize;
        expect_constant(reader, 0x0C, "reserved word", 0)?;

        // The count is not trusted: each image takes 32 bytes at least, so a lying count ends at the
        // end of the file.
        let mut images = Vec::new();
        let mut offset = BANK_HEADER;
        for number in 0..count {
            let (image, size) = parse_image(reader.within("image", number), offset)?;
            images.push(image);
            offset += size;
        }
        let tail = bytes.get(offset..).unwrap_or_default().to_vec();
        Ok(Self { images, tail })
    }

    /// Writes the bank, its tail included.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put_words(&mut bytes, &[stored_length(self.images.len()), 0]);
        for image in &self.images {
            write_image(image, &mut bytes);
        }
        bytes.extend_from_slice(&self.tail);
        bytes
    }
}

fn error(
    reader: Reader<'_>,
    offset: usize,
    field: &'static str,
    found: u32,
    expected: impl Into<Cow<'static, str>>,
) -> FormatError {
    reader.error(field, offset, format!("{found:#x}"), expected)
}

fn expect_constant(
    reader: Reader<'_>,
    offset: usize,
    field: &'static str,
    expected: u32,
) -> Result<(), FormatError> {
    let found = reader.u32(offset, field)?;
    if found == expected {
        Ok(())
    } else {
        Err(error(reader, offset, field, found, format!("{expected:#x}")))
    }
}

/// A block's size, and its bytes without the header.
fn read_block(
    reader: Reader<'_>,
    offset: usize,
    field: &'static str,
) -> Result<(usize, Vec<u8>), FormatError> {
    let stored = reader.u32(offset, field)?;
    let length = usize::try_from(stored)
        .ok()
        .and_then(|size| size.checked_sub(BLOCK_HEADER))
        .ok_or_else(|| {
            error(
                reader,
                offset,
                field,
                stored,
                "at least 0x10, the header's own bytes",
            )
        })?;
    let bytes = reader.slice(offset.saturating_add(BLOCK_HEADER), length, field)?;
    Ok((length + BLOCK_HEADER, bytes.to_vec()))
}

/// Reads the image at `offset`, and tells its size in bytes.
fn parse_image(reader: Reader<'_>, offset: usize) -> Result<(TmhImage, usize), FormatError> {
    let stated_size = reader.u32(offset, "size")?;
    expect_constant(reader, offset + 0x04, "word at +0x04", 0)?;
    expect_constant(reader, offset + 0x08, "word at +0x08", 1)?;
    let clut_flag = reader.u32(offset + 0x0C, "CLUT flag")?;
    if clut_flag > 1 {
        return Err(error(reader, offset + 0x0C, "CLUT flag", clut_flag, "0 or 1"));
    }

    let block = offset + IMAGE_HEADER;
    expect_constant(reader, block + 0x04, "pixel block's word at +0x04", 1)?;
    let code = reader.u32(block + 0x08, "pixel format")?;
    let format = PixelFormat::from_code(code)
        .ok_or_else(|| error(reader, block + 0x08, "pixel format", code, "0 to 10"))?;
    let width = reader.u16(block + 0x0C, "width")?;
    let height = reader.u16(block + 0x0E, "height")?;
    let (pixel_size, pixels) = read_block(reader, block, "pixel block size")?;

    let mut size = IMAGE_HEADER + pixel_size;
    let clut = if clut_flag == 1 {
        let (clut_size, clut) = parse_clut(reader, offset + size)?;
        size += clut_size;
        Some(clut)
    } else {
        None
    };
    if usize::try_from(stated_size) != Ok(size) {
        let expected = format!("{size:#x}, the sum of its parts");
        return Err(error(reader, offset, "size", stated_size, expected));
    }
    let image = TmhImage {
        format,
        width,
        height,
        pixels,
        clut,
    };
    Ok((image, size))
}

fn parse_clut(reader: Reader<'_>, offset: usize) -> Result<(usize, Clut), FormatError> {
    expect_constant(reader, offset + 0x04, "CLUT block's word at +0x04", 2)?;
    let code = reader.u32(offset + 0x08, "CLUT format")?;
    let format = ColorFormat::from_code(code)
        .ok_or_else(|| error(reader, offset + 0x08, "CLUT format", code, "0 to 3"))?;
    let stated_count = reader.u32(offset + 0x0C, "CLUT entry count")?;
    let (size, bytes) = read_block(reader, offset, "CLUT block size")?;
    let clut = Clut { format, bytes };
    if usize::try_from(stated_count) != Ok(clut.entry_count()) {
        let expected = format!("{:#x}, the entries that its bytes hold", clut.entry_count());
        return Err(error(
            reader,
            offset + 0x0C,
            "CLUT entry count",
            stated_count,
            expected,
        ));
    }
    Ok((size, clut))
}

fn write_image(image: &TmhImage, bytes: &mut Vec<u8>) {
    let pixel_size = BLOCK_HEADER + image.pixels.len();
    let clut_size = image
        .clut
        .as_ref()
        .map_or(0, |clut| BLOCK_HEADER + clut.bytes.len());
    put_words(
        bytes,
        &[
            stored_length(IMAGE_HEADER + pixel_size + clut_size),
            0,
            1,
            u32::from(image.clut.is_some()),
            stored_length(pixel_size),
            1,
            image.format.code(),
            u32::from(image.width) | u32::from(image.height) << 16,
        ],
    );
    bytes.extend_from_slice(&image.pixels);
    if let Some(clut) = &image.clut {
        let entries = stored_length(clut.entry_count());
        put_words(bytes, &[stored_length(clut_size), 2, clut.format.code(), entries]);
        bytes.extend_from_slice(&clut.bytes);
    }
}

fn put_words(bytes: &mut Vec<u8>, words: &[u32]) {
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
}

/// A length as the file stores it. No image reaches 4 GiB: [`TmhImage::from_parts`] refuses it.
fn stored_length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Whether an image of these lengths can state its size.
pub(super) fn fits_size_field(pixels: usize, clut: Option<usize>) -> bool {
    clut.map_or(Some(0), |clut| clut.checked_add(BLOCK_HEADER))
        .and_then(|clut| clut.checked_add(IMAGE_HEADER + BLOCK_HEADER)?.checked_add(pixels))
        .is_some_and(|size| u32::try_from(size).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_image() -> Vec<u8> {
        let clut = Clut::new(ColorFormat::Rgba8888, &[[9, 8, 7, 6]; 16]);
        let image = TmhImage::from_parts(PixelFormat::Clut4, 32, 8, vec![0x21; 128], Some(clut));
        Tmh {
            images: vec![image.expect("small")],
            tail: vec![1, 2, 3],
        }
        .write()
    }

    fn word(bytes: &[u8], offset: usize) -> u32 {
        Reader::new("test", bytes).u32(offset, "word").expect("inside")
    }

    /// `spec/mhp-formats.md §2.6`, layout check.
    #[test]
    fn sizes_stand_where_the_specification_puts_them() {
        let bytes = one_image();
        assert_eq!(bytes.len(), 16 + 240 + 3);
        assert_eq!(&bytes[..8], MAGIC);
        assert_eq!(word(&bytes, 0x10), 240);
        assert_eq!(word(&bytes, 0x20), 144);
        assert_eq!(word(&bytes, 0x20 + 144), 80);
        assert_eq!(word(&bytes, 0x20 + 144 + 12), 16);
        assert_eq!(word(&bytes, 0x2C), 0x0008_0020);
        let bank = Tmh::parse(&bytes).expect("valid");
        assert_eq!(bank.tail, [1, 2, 3]);
        assert_eq!(bank.write(), bytes);
    }

    #[test]
    fn an_image_without_pixels_is_legal() {
        let image = TmhImage::from_parts(PixelFormat::Rgb565, 0, 0, Vec::new(), None).expect("small");
        let bank = Tmh {
            images: vec![image],
            tail: Vec::new(),
        };
        assert_eq!(Tmh::parse(&bank.write()), Ok(bank));
    }

    #[test]
    fn each_field_is_checked_and_named() {
        let cases: [(usize, u32, &str); 12] = [
            (0x00, 0, "TMH: magic at 0x0"),
            (
                0x08,
                u32::MAX,
                "TMH: image 1, size at 0x100: found a file of 0x103 bytes",
            ),
            (0x0C, 1, "TMH: reserved word at 0xc: found 0x1, expected 0x0"),
            (
                0x10,
                241,
                "TMH: image 0, size at 0x10: found 0xf1, expected 0xf0, the sum",
            ),
            (
                0x14,
                2,
                "TMH: image 0, word at +0x04 at 0x14: found 0x2, expected 0x0",
            ),
            (
                0x1C,
                2,
                "TMH: image 0, CLUT flag at 0x1c: found 0x2, expected 0 or 1",
            ),
            (
                0x20,
                15,
                "TMH: image 0, pixel block size at 0x20: found 0xf, expected at least 0x10",
            ),
            (
                0x20,
                u32::MAX,
                "TMH: image 0, pixel block size at 0x30: found a file of 0x103 bytes",
            ),
            (
                0x28,
                11,
                "TMH: image 0, pixel format at 0x28: found 0xb, expected 0 to 10",
            ),
            (
                0xB4,
                3,
                "TMH: image 0, CLUT block's word at +0x04 at 0xb4: found 0x3",
            ),
            (
                0xB8,
                4,
                "TMH: image 0, CLUT format at 0xb8: found 0x4, expected 0 to 3",
            ),
            (
                0xBC,
                17,
                "TMH: image 0, CLUT entry count at 0xbc: found 0x11, expected 0x10",
            ),
        ];
        for (offset, value, message) in cases {
            let mut bytes = one_image();
            bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
            let error = Tmh::parse(&bytes).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error} instead of {message}");
        }
        for length in 0..one_image().len() - 3 {
            assert!(Tmh::parse(&one_image()[..length]).is_err(), "cut to {length}");
        }
    }
}
