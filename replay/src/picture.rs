//! The picture of a shown buffer (`spec/capture.md §8`).

use formats::capture::Display;
use ge::{Address, Memory};
use raster::FrameFormat;

/// What the screen shows: 480 by 272 pixels, top row first, red, green, blue and an alpha of 255.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The pixels, row after row.
    pub pixels: Vec<[u8; 4]>,
}

/// Why there is no picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PictureError {
    /// No buffer is shown.
    #[error("no buffer is shown")]
    NothingShown,
    /// The buffer's stride is negative or beyond any buffer.
    #[error("the shown buffer has a stride of {0} pixels, expected 0 to 65535")]
    Stride(i32),
    /// The buffer's pixel format is none of the four.
    #[error("the shown buffer has pixel format {0}, expected 0 to 3")]
    Format(i32),
}

impl Picture {
    /// Pixels in a row.
    pub const WIDTH: usize = 480;
    /// Rows.
    pub const HEIGHT: usize = 272;

    /// The picture of a buffer. What is not mapped is black.
    ///
    /// # Errors
    ///
    /// [`PictureError`] where stride or format are none.
    pub fn of(memory: &Memory, display: Display) -> Result<Self, PictureError> {
        let stride = u16::try_from(display.stride).map_err(|_| PictureError::Stride(display.stride))?;
        let format = match display.format {
            0..=3 => FrameFormat::from_bits(display.format as u32),
            other => return Err(PictureError::Format(other)),
        };
        // Without a top byte the address is an offset into VRAM.
        let base = match display.address >> 24 {
            0 => 0x0400_0000 | display.address,
            _ => display.address,
        };
        let mut pixels = Vec::with_capacity(Self::WIDTH * Self::HEIGHT);
        let mut row = [0; Self::WIDTH * 4];
        let bytes = format.bytes() as usize;
        for y in 0..Self::HEIGHT as u32 {
            let address = Address::new(base.wrapping_add(y * u32::from(stride) * format.bytes()));
            memory.read(address, &mut row[..Self::WIDTH * bytes]);
            pixels.extend(
                row[..Self::WIDTH * bytes]
                    .chunks_exact(bytes)
                    .map(|pixel| expand(pixel, format)),
            );
        }
        Ok(Self { pixels })
    }

    /// The pixel at a place, if there is one.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 4]> {
        if x < Self::WIDTH {
            self.pixels.get(y * Self::WIDTH + x).copied()
        } else {
            None
        }
    }
}

/// A pixel in 8 bits a part, by bit replication; its alpha is not shown.
fn expand(pixel: &[u8], format: FrameFormat) -> [u8; 4] {
    let five = |value: u16| ((value & 31) << 3 | (value & 31) >> 2) as u8;
    let four = |value: u16| ((value & 15) * 17) as u8;
    match *pixel {
        [red, green, blue, _] => [red, green, blue, 255],
        [low, high] => {
            let word = u16::from_le_bytes([low, high]);
            match format {
                FrameFormat::RGB565 => {
                    let green = word >> 5 & 63;
                    [five(word), (green << 2 | green >> 4) as u8, five(word >> 11), 255]
                }
                FrameFormat::RGBA5551 => [five(word), five(word >> 5), five(word >> 10), 255],
                _ => [four(word), four(word >> 4), four(word >> 8), 255],
            }
        }
        _ => [0, 0, 0, 255],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_expand_by_replication() {
        assert_eq!(expand(&[0x1F, 0x84], FrameFormat::RGB565), [255, 130, 132, 255]);
        assert_eq!(expand(&[0x10, 0x80], FrameFormat::RGBA5551), [132, 0, 0, 255]);
        assert_eq!(expand(&[0x21, 0x43], FrameFormat::RGBA4444), [17, 34, 51, 255]);
        assert_eq!(expand(&[1, 2, 3, 4], FrameFormat::RGBA8888), [1, 2, 3, 255]);
    }

    #[test]
    fn a_buffer_without_a_top_byte_is_in_vram() {
        let mut memory = Memory::default();
        memory.write(Address::new(0x0400_0004), &[9, 8, 7, 6]);
        let display = Display {
            address: 0x4,
            stride: 0,
            format: 3,
        };
        let picture = Picture::of(&memory, display).expect("a picture");
        assert_eq!(
            picture.pixel(0, 271),
            Some([9, 8, 7, 255]),
            "stride 0 repeats one line"
        );
        assert_eq!(picture.pixel(480, 0), None);
        let odd = Display {
            stride: -1,
            ..display
        };
        assert_eq!(Picture::of(&memory, odd), Err(PictureError::Stride(-1)));
    }
}
