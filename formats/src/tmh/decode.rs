//! From stored bytes to colours.

use super::dxt;
use super::format::Storage;
use super::{Rgba, RgbaImage, TmhImage};
use crate::FormatError;

/// Pixels of the largest texture that the GE samples, 512 x 512. A picture beyond it is decoded
/// only if its bytes are there, so that a lying size costs no memory.
const LARGEST_TEXTURE: u64 = 512 * 512;

impl TmhImage {
    /// The picture's colours, with one of the palettes of an indexed image.
    ///
    /// `palette` is ignored where pixels are not indices. Pixels whose bytes are missing (the end of
    /// a short last band) decode as index or colour 0.
    ///
    /// # Errors
    ///
    /// Where there is no such palette, an index goes past its palette, or a picture of more than
    /// 512 x 512 pixels lacks bytes. Offsets count from the start of
    /// [`pixel_bytes`](Self::pixel_bytes), for a missing palette from the start of
    /// [`clut_bytes`](Self::clut_bytes).
    ///
    /// ```
    /// use formats::tmh::{Clut, ColorFormat, PixelFormat, TmhImage};
    ///
    /// let clut = Clut::new(ColorFormat::Rgba8888, &[[0, 0, 0, 255], [255, 0, 0, 255]]);
    /// let image = TmhImage::from_parts(PixelFormat::Clut4, 2, 1, vec![0x01], Some(clut))?;
    /// assert_eq!(image.decode(0)?.pixels, [[255, 0, 0, 255], [0, 0, 0, 255]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decode(&self, palette: usize) -> Result<RgbaImage, FormatError> {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        self.expect_bytes()?;
        let pixels = match self.format.storage() {
            Storage::Direct(color) => self
                .stored_pixels(color.size() * 8)
                .map(|(_, stored)| color.decode(stored))
                .collect(),
            Storage::Indexed { bits } => self.decode_indices(bits, palette)?,
            Storage::Blocks { .. } => self.decode_blocks(),
        };
        Ok(RgbaImage {
            width,
            height,
            pixels,
        })
    }

    /// Refuses a picture that would take memory out of all proportion to the file.
    pub(super) fn expect_bytes(&self) -> Result<(), FormatError> {
        let needed = self.needed_length();
        let pixels = u64::from(self.width) * u64::from(self.height);
        if pixels <= LARGEST_TEXTURE || self.pixels.len() as u64 >= needed {
            return Ok(());
        }
        Err(FormatError {
            format: "TMH",
            field: format!("pixels of a picture of {} x {}", self.width, self.height).into(),
            offset: self.pixels.len() as u64,
            found: format!("{:#x} bytes", self.pixels.len()).into(),
            expected: format!("{needed:#x} bytes, as it is larger than the GE's largest texture").into(),
        })
    }

    /// The byte at which each pixel begins and its stored number of `bits` bits, row by row.
    /// Missing bytes read as 0.
    pub(super) fn stored_pixels(&self, bits: usize) -> impl Iterator<Item = (usize, u32)> + '_ {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let layout = self.layout();
        let mask = u32::MAX >> (32 - bits);
        (0..height).flat_map(move |y| {
            (0..width).map(move |x| {
                let bit = layout.bit_of(bits, width, x, y);
                let stored = self.word_at(bit / 8) >> (bit % 8);
                (bit / 8, stored & mask)
            })
        })
    }

    /// Four stored bytes from `offset` on, those past the end as 0.
    fn word_at(&self, offset: usize) -> u32 {
        let mut word = [0; 4];
        let stored = self.pixels.get(offset..).unwrap_or_default();
        for (target, byte) in word.iter_mut().zip(stored) {
            *target = *byte;
        }
        u32::from_le_bytes(word)
    }

    fn decode_indices(&self, bits: usize, palette: usize) -> Result<Vec<Rgba>, FormatError> {
        if self.width == 0 || self.height == 0 {
            return Ok(Vec::new());
        }
        let colors = self.palette(palette).ok_or_else(|| FormatError {
            format: "TMH",
            field: "palette".into(),
            offset: self.clut_bytes().len() as u64,
            found: format!("palette {palette}").into(),
            expected: format!("one of {} palettes", self.palette_count()).into(),
        })?;
        let width = usize::from(self.width);
        self.stored_pixels(bits)
            .enumerate()
            .map(|(pixel, (offset, index))| {
                let color = usize::try_from(index).ok().and_then(|index| colors.get(index));
                color.copied().ok_or_else(|| FormatError {
                    format: "TMH",
                    field: format!("index of pixel ({}, {})", pixel % width, pixel / width).into(),
                    offset: offset as u64,
                    found: format!("{index:#x}").into(),
                    expected: format!("below the palette's {:#x} entries", colors.len()).into(),
                })
            })
            .collect()
    }

    fn decode_blocks(&self) -> Vec<Rgba> {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let mut pixels = vec![[0; 4]; width * height];
        let size = self.format.bits() * 2;
        let columns = width.div_ceil(4);
        for row in 0..height.div_ceil(4) {
            for column in 0..columns {
                let mut block = [0; 16];
                let stored = self
                    .pixels
                    .get((row * columns + column) * size..)
                    .unwrap_or_default();
                for (target, byte) in block.iter_mut().zip(stored.iter().take(size)) {
                    *target = *byte;
                }
                let colors = dxt::decode(self.format, &block);
                for (y, colors) in colors.chunks_exact(4).enumerate() {
                    let y = row * 4 + y;
                    let x = column * 4;
                    if y < height {
                        let visible = (width - x).min(4);
                        pixels[y * width + x..][..visible].copy_from_slice(&colors[..visible]);
                    }
                }
            }
        }
        pixels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tmh::{Clut, ColorFormat, PixelFormat};

    fn image(format: PixelFormat, width: u16, height: u16, pixels: Vec<u8>, clut: Option<Clut>) -> TmhImage {
        TmhImage::from_parts(format, width, height, pixels, clut).expect("small")
    }

    fn greys(count: usize) -> Clut {
        let colors: Vec<Rgba> = (0..count)
            .map(|grey| [grey as u8, grey as u8, grey as u8, 255])
            .collect();
        Clut::new(ColorFormat::Rgba8888, &colors)
    }

    /// `spec/mhp-formats.md §2.4`: in the cut band the left columns are there, the right are not.
    #[test]
    fn a_short_last_band_ends_in_index_0() {
        let picture = image(PixelFormat::Clut4, 64, 12, vec![0x33; 384], Some(greys(16)));
        let decoded = picture.decode(0).expect("valid");
        for (pixel, color) in decoded.pixels.iter().enumerate() {
            let (x, y) = (pixel % 64, pixel / 64);
            let expected = if y >= 8 && x >= 32 { 0 } else { 3 };
            assert_eq!(color[0], expected, "({x}, {y})");
        }
    }

    #[test]
    fn swizzled_bytes_come_back_in_rows() {
        // Pitch 32: the byte of (17, 3) stands at 177, that of (0, 8) at 256.
        let mut stored = vec![0; 512];
        stored[177] = 7;
        stored[256] = 9;
        let decoded = image(PixelFormat::Clut8, 32, 16, stored, Some(greys(256)))
            .decode(0)
            .expect("valid");
        let set: Vec<(usize, u8)> = (0..)
            .zip(decoded.pixels.iter().map(|color| color[0]))
            .filter(|(_, grey)| *grey != 0)
            .collect();
        assert_eq!(set, [(3 * 32 + 17, 7), (8 * 32, 9)]);
    }

    #[test]
    fn a_narrow_image_is_padded_only_if_its_length_says_so() {
        let mut padded = vec![0; 128];
        padded[16] = 0x21;
        let decoded = image(PixelFormat::Clut4, 4, 5, padded, Some(greys(16)))
            .decode(0)
            .expect("valid");
        assert_eq!(decoded.pixels[4][0], 1);
        assert_eq!(decoded.pixels[5][0], 2);

        let linear = image(
            PixelFormat::Clut4,
            3,
            3,
            vec![0x10, 0x32, 0x54, 0x76, 0x08],
            Some(greys(16)),
        );
        let decoded = linear.decode(0).expect("valid");
        assert!(decoded.pixels.iter().map(|color| color[0]).eq(0..9));
    }

    #[test]
    fn several_palettes_stand_back_to_back() {
        let picture = image(PixelFormat::Clut4, 2, 1, vec![0x51], Some(greys(40)));
        assert_eq!(picture.palette_count(), 3);
        let grey = |palette| {
            picture
                .decode(palette)
                .map(|decoded| [decoded.pixels[0][0], decoded.pixels[1][0]])
        };
        assert_eq!(grey(0), Ok([1, 5]));
        assert_eq!(grey(1), Ok([17, 21]));
        assert_eq!(grey(2), Ok([33, 37]));
        let error = grey(3).expect_err("no fourth palette").to_string();
        assert_eq!(
            error,
            "TMH: palette at 0xa0: found palette 3, expected one of 3 palettes"
        );
    }

    #[test]
    fn wide_indices_take_the_whole_table() {
        let picture = image(
            PixelFormat::Clut16,
            2,
            1,
            vec![0x00, 0x01, 0x2B, 0x01],
            Some(greys(300)),
        );
        let decoded = picture.decode(0).expect("valid");
        assert_eq!([decoded.pixels[0][0], decoded.pixels[1][0]], [0, 43]);
        let picture = image(
            PixelFormat::Clut32,
            1,
            1,
            vec![0x2C, 0x01, 0, 0],
            Some(greys(300)),
        );
        let error = picture.decode(0).expect_err("past the palette").to_string();
        assert_eq!(
            error,
            "TMH: index of pixel (0, 0) at 0x0: found 0x12c, expected below the palette's 0x12c entries"
        );
    }

    #[test]
    fn an_indexed_image_needs_a_table_and_a_direct_one_does_not() {
        assert!(image(PixelFormat::Clut8, 1, 1, vec![0], None).decode(0).is_err());
        assert!(image(PixelFormat::Clut8, 0, 0, vec![], None).decode(0).is_ok());
        let direct = image(PixelFormat::Rgb565, 1, 1, vec![0x10, 0x84], None);
        assert_eq!(direct.decode(7).expect("valid").pixels, [[132, 130, 132, 255]]);
        assert_eq!(
            image(PixelFormat::Rgb565, 1, 1, vec![0x10], None)
                .decode(0)
                .expect("valid")
                .pixels,
            [[132, 0, 0, 255]]
        );
    }

    #[test]
    fn a_lying_size_costs_no_memory() {
        for format in PixelFormat::ALL {
            let error = image(format, u16::MAX, u16::MAX, vec![0; 64], Some(greys(256))).decode(0);
            assert!(error.is_err(), "{format:?}");
        }
        assert!(
            image(PixelFormat::Clut4, 512, 512, Vec::new(), Some(greys(16)))
                .decode(0)
                .is_ok()
        );
    }

    #[test]
    fn blocks_are_cropped_and_stand_row_by_row() {
        // 5 x 5 pixels in four blocks; each is a flat colour given by its first end.
        let ends: [u16; 4] = [0xF800, 0x07E0, 0x001F, 0xFFFF];
        let stored: Vec<u8> = ends
            .iter()
            .flat_map(|end| [[0; 4], [end.to_le_bytes()[0], end.to_le_bytes()[1], 0, 0]].concat())
            .collect();
        let decoded = image(PixelFormat::Dxt1, 5, 5, stored, None)
            .decode(0)
            .expect("valid");
        assert_eq!(decoded.pixels[0], [248, 0, 0, 255]);
        assert_eq!(decoded.pixels[4], [0, 252, 0, 255]);
        assert_eq!(decoded.pixels[4 * 5 + 3], [0, 0, 248, 255]);
        assert_eq!(decoded.pixels[24], [248, 252, 248, 255]);
    }
}
