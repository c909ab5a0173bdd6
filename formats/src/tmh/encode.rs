//! From colours to stored bytes.

use std::collections::HashMap;

use super::format::Storage;
use super::layout::{self, drawable_length, has_drawable_rows};
use super::{Clut, ColorFormat, PixelFormat, Rgba, TmhImage, dxt, quantize};

/// Entries of a CLUT that the engine can reach: it sets the GE's index mask to 0xFF
/// (`spec/mhp-formats.md §2.3`).
const REACHABLE_ENTRIES: usize = 256;

/// Why a picture cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The picture has not the image's number of pixels.
    #[error("{found} pixels given, {width} x {height} = {} expected", usize::from(*width) * usize::from(*height))]
    PixelCount {
        /// How many were given.
        found: usize,
        /// The image's width in pixels.
        width: u16,
        /// The image's height in pixels.
        height: u16,
    },
    /// The image has no such palette.
    #[error("there is no palette {palette}, the image has {count}")]
    NoPalette {
        /// The palette that was asked for.
        palette: usize,
        /// How many there are.
        count: usize,
    },
    /// An indexed image needs a format for its CLUT's entries, and a direct one has none.
    #[error("{format:?} and CLUT format {clut:?} do not go together")]
    ClutFormat {
        /// The format of the pixels.
        format: PixelFormat,
        /// The format that was given for the CLUT.
        clut: Option<ColorFormat>,
    },
    /// An index has more bits than the format.
    #[error("index {index:#x} of pixel {pixel} does not fit {format:?}")]
    Index {
        /// The pixel's number, counted row by row.
        pixel: usize,
        /// Its index.
        index: u32,
        /// The format of the pixels.
        format: PixelFormat,
    },
    /// DXT3 and DXT5 are read only: neither game ships them.
    #[error("{0:?} can be decoded but not encoded")]
    NotEncoded(PixelFormat),
    /// A row is longer than 16 bytes and not a multiple of it, which the GE cannot read swizzled,
    /// as the engine draws every texture.
    #[error("a row of {width} pixels of {format:?} is not a whole number of 16-byte blocks")]
    Row {
        /// The format of the pixels.
        format: PixelFormat,
        /// The width in pixels.
        width: u16,
    },
    /// The image exceeds 4 GiB.
    #[error("an image cannot exceed 4 GiB")]
    TooLong,
}

impl TmhImage {
    /// A fresh image of a picture, stored so that the GE can draw it as it is: whole bands of whole
    /// swizzle blocks, narrow rows padded to 16 bytes.
    ///
    /// An indexed image gets one full palette of `clut_format` (16 or 256 entries), quantised as
    /// [`replace`](Self::replace) does; unused entries are 0. `clut_format` is `None` for the
    /// others.
    ///
    /// # Errors
    ///
    /// See [`EncodeError`].
    ///
    /// ```
    /// use formats::tmh::{ColorFormat, PixelFormat, TmhImage};
    ///
    /// let pixels = vec![[255, 0, 0, 255]; 32 * 8];
    /// let image = TmhImage::new(PixelFormat::Clut4, 32, 8, &pixels, Some(ColorFormat::Rgba5551))?;
    /// assert_eq!(image.pixel_bytes().len(), 128);
    /// assert_eq!(image.decode(0)?.pixels, pixels);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        format: PixelFormat,
        width: u16,
        height: u16,
        pixels: &[Rgba],
        clut_format: Option<ColorFormat>,
    ) -> Result<Self, EncodeError> {
        if format.is_indexed() != clut_format.is_some() {
            return Err(EncodeError::ClutFormat {
                format,
                clut: clut_format,
            });
        }
        let clut = clut_format.map(|color| {
            let entries = format.palette_entries().unwrap_or(REACHABLE_ENTRIES);
            Clut::from_bytes(color, vec![0; entries * color.size()])
        });
        let mut image = Self::blank(format, width, height, clut)?;
        image.replace(0, pixels)?;
        Ok(image)
    }

    /// A fresh DXT1 image of a picture; alpha below 128 becomes transparent black.
    ///
    /// # Errors
    ///
    /// Where the picture has not `width * height` pixels.
    pub fn new_dxt1(width: u16, height: u16, pixels: &[Rgba]) -> Result<Self, EncodeError> {
        Self::new(PixelFormat::Dxt1, width, height, pixels, None)
    }

    /// A fresh indexed image of indices, row by row, and a CLUT of one palette or several.
    ///
    /// # Errors
    ///
    /// Where the format is not an indexed one, an index does not fit it, or the number of indices is
    /// not `width * height`. An index past the palette is no error here but when decoded, since it
    /// depends on the palette.
    pub fn from_indices(
        format: PixelFormat,
        width: u16,
        height: u16,
        indices: &[u32],
        clut: Clut,
    ) -> Result<Self, EncodeError> {
        let Storage::Indexed { bits } = format.storage() else {
            return Err(EncodeError::ClutFormat {
                format,
                clut: Some(clut.format()),
            });
        };
        if let Some((pixel, &index)) = indices
            .iter()
            .enumerate()
            .find(|&(_, &index)| u64::from(index) >> bits != 0)
        {
            return Err(EncodeError::Index { pixel, index, format });
        }
        let mut image = Self::blank(format, width, height, Some(clut))?;
        image.expect_pixels(indices.len())?;
        image.store(bits, indices.iter().copied());
        Ok(image)
    }

    /// Writes a picture over the stored one at the same format, size and length.
    ///
    /// An indexed image takes the colours into palette `palette`: the palette stays as it is where
    /// it holds every colour, few enough colours are kept exactly, more are quantised, weighted by
    /// how often each occurs. Where a palette holds a colour twice, the last index is
    /// taken. Other palettes and stored bytes outside the picture stay; pixels for which no bytes are
    /// stored (the end of a short last band) are left out. `palette` is ignored where pixels are not
    /// indices.
    ///
    /// # Errors
    ///
    /// See [`EncodeError`]; the image is then unchanged.
    pub fn replace(&mut self, palette: usize, pixels: &[Rgba]) -> Result<(), EncodeError> {
        self.expect_pixels(pixels.len())?;
        match self.format.storage() {
            Storage::Direct(color) => {
                self.store(color.size() * 8, pixels.iter().map(|&pixel| color.encode(pixel)));
            }
            Storage::Indexed { bits } if !pixels.is_empty() => {
                let indices = self.take_colors(bits, palette, pixels)?;
                self.store(bits, indices.into_iter());
            }
            Storage::Indexed { .. } => {}
            Storage::Blocks { .. } if self.format == PixelFormat::Dxt1 => self.store_dxt1(pixels),
            Storage::Blocks { .. } => return Err(EncodeError::NotEncoded(self.format)),
        }
        Ok(())
    }

    /// A zeroed image with a length that the GE can draw.
    fn blank(format: PixelFormat, width: u16, height: u16, clut: Option<Clut>) -> Result<Self, EncodeError> {
        if !has_drawable_rows(format, width) {
            return Err(EncodeError::Row { format, width });
        }
        // Checked before the bytes exist: 65535 x 65535 pixels of 4 bytes exceed 4 GiB.
        let length =
            u32::try_from(drawable_length(format, width, height)).map_err(|_| EncodeError::TooLong)?;
        let length = length as usize;
        Self::from_parts(format, width, height, vec![0; length], clut)
    }

    fn expect_pixels(&self, found: usize) -> Result<(), EncodeError> {
        let (width, height) = (self.width, self.height);
        if found == usize::from(width) * usize::from(height) {
            Ok(())
        } else {
            Err(EncodeError::PixelCount { found, width, height })
        }
    }

    /// Stores one number of `bits` bits a pixel.
    fn store(&mut self, bits: usize, pixels: impl Iterator<Item = u32>) {
        let layout = self.layout();
        layout::store(&mut self.pixels, layout, bits, usize::from(self.width), pixels);
    }

    /// Puts the picture's colours into a palette and gives the index of each pixel.
    fn take_colors(&mut self, bits: usize, palette: usize, pixels: &[Rgba]) -> Result<Vec<u32>, EncodeError> {
        let count = self.palette_count();
        let no_palette = EncodeError::NoPalette { palette, count };
        let (Some(range), Some(clut)) = (self.palette_range(palette), self.clut.as_mut()) else {
            return Err(no_palette);
        };
        let format = clut.format;
        let first = range.start;
        let addressable = 1_usize.checked_shl(bits as u32).unwrap_or(usize::MAX);
        let entries: Vec<u32> = range
            .take(addressable)
            .filter_map(|entry| clut.stored(entry))
            .collect();

        let stored: Vec<u32> = pixels.iter().map(|&pixel| format.encode(pixel)).collect();
        let colors = Census::of(&stored);
        let entries = match keep_exactly(&entries, &colors.distinct) {
            Some(entries) => entries,
            None => {
                let weighted: Vec<(Rgba, u64)> = colors
                    .distinct
                    .iter()
                    .zip(&colors.frequencies)
                    .map(|(&stored, &frequency)| (format.decode(stored), frequency))
                    .collect();
                let capacity = entries.len().min(REACHABLE_ENTRIES);
                quantize::reduce(&weighted, capacity)
                    .into_iter()
                    .map(|color| format.encode(color))
                    .chain(entries.iter().copied().skip(capacity))
                    .collect()
            }
        };
        for (number, &entry) in entries.iter().enumerate() {
            clut.set_stored(first + number, entry);
        }

        // Later entries overwrite earlier ones: of a colour that stands twice, the last index wins.
        let indices: HashMap<u32, u32> = entries.iter().copied().zip(0..).collect();
        let reachable: Vec<Rgba> = entries
            .iter()
            .take(REACHABLE_ENTRIES)
            .map(|&entry| format.decode(entry))
            .collect();
        let index_of: Vec<u32> = colors
            .distinct
            .iter()
            .map(|stored| match indices.get(stored) {
                Some(&index) => index,
                None => quantize::nearest(&reachable, format.decode(*stored)),
            })
            .collect();
        Ok(colors
            .number_of_pixel
            .iter()
            .map(|&number| index_of[number as usize])
            .collect())
    }

    fn store_dxt1(&mut self, pixels: &[Rgba]) {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let columns = width.div_ceil(4);
        for (block, target) in self
            .pixels
            .chunks_mut(8)
            .enumerate()
            .take(columns * height.div_ceil(4))
        {
            let (left, top) = (block % columns * 4, block / columns * 4);
            let mut colors = [[0; 4]; 16];
            for (pixel, color) in colors.iter_mut().enumerate() {
                // What a block has beyond the picture repeats its edge, and so costs no colour.
                let x = (left + pixel % 4).min(width - 1);
                let y = (top + pixel / 4).min(height - 1);
                *color = pixels[y * width + x];
            }
            let encoded = dxt::encode_dxt1(&colors);
            target.copy_from_slice(&encoded[..target.len()]);
        }
    }
}

/// The different numbers in a picture, in order of appearance.
struct Census {
    distinct: Vec<u32>,
    frequencies: Vec<u64>,
    number_of_pixel: Vec<u32>,
}

impl Census {
    fn of(stored: &[u32]) -> Self {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut census = Self {
            distinct: Vec::new(),
            frequencies: Vec::new(),
            number_of_pixel: Vec::with_capacity(stored.len()),
        };
        for &color in stored {
            let number = *numbers.entry(color).or_insert_with(|| {
                census.distinct.push(color);
                census.frequencies.push(0);
                census.distinct.len() as u32 - 1
            });
            census.frequencies[number as usize] += 1;
            census.number_of_pixel.push(number);
        }
        census
    }
}

/// The palette with every wanted colour in it, or `None` where there are more than it holds.
///
/// An entry that is wanted stays in its place, so that a picture of the palette's own colours changes
/// nothing; the others give way in order.
fn keep_exactly(entries: &[u32], wanted: &[u32]) -> Option<Vec<u32>> {
    let places: HashMap<u32, usize> = entries.iter().copied().zip(0..).collect();
    let kept: Vec<usize> = wanted
        .iter()
        .filter_map(|color| places.get(color).copied())
        .collect();
    let missing = wanted.iter().filter(|color| !places.contains_key(color));
    if wanted.len() == kept.len() {
        return Some(entries.to_vec());
    }
    if wanted.len() > entries.len().min(REACHABLE_ENTRIES) {
        return None;
    }
    let mut is_kept = vec![false; entries.len()];
    for place in kept {
        is_kept[place] = true;
    }
    let mut result = entries.to_vec();
    let free = (0..entries.len()).filter(|&place| !is_kept[place]);
    for (place, &color) in free.zip(missing) {
        result[place] = color;
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tmh::PixelLayout;

    const RED: Rgba = [255, 0, 0, 255];
    const GREEN: Rgba = [0, 255, 0, 255];
    const BLUE: Rgba = [0, 0, 255, 255];

    fn image(format: PixelFormat, width: u16, height: u16, length: usize, clut: Option<Clut>) -> TmhImage {
        TmhImage::from_parts(format, width, height, vec![0xEE; length], clut).expect("small")
    }

    #[test]
    fn bytes_outside_the_picture_stay() {
        let clut = Clut::new(ColorFormat::Rgba8888, &[RED, GREEN]);
        let mut padded = image(PixelFormat::Clut4, 3, 2, 128, Some(clut));
        padded
            .replace(0, &[RED, GREEN, RED, GREEN, GREEN, GREEN])
            .expect("two colours");
        assert_eq!(padded.pixel_bytes()[..4], [0x10, 0xE0, 0xEE, 0xEE]);
        assert_eq!(padded.pixel_bytes()[16..20], [0x11, 0xE1, 0xEE, 0xEE]);
        assert!(padded.pixel_bytes()[20..].iter().all(|&byte| byte == 0xEE));

        let mut long = image(PixelFormat::Rgba8888, 4, 1, 16 * 9 + 3, None);
        assert_eq!(long.layout(), PixelLayout::Swizzled { pitch: 16 });
        long.replace(0, &[[1, 2, 3, 4]; 4]).expect("direct");
        assert_eq!(long.pixel_bytes()[..16], [1, 2, 3, 4].repeat(4));
        assert_eq!(long.pixel_bytes()[16..], [0xEE].repeat(16 * 8 + 3));
    }

    #[test]
    fn other_palettes_stay() {
        let clut = Clut::new(ColorFormat::Rgba5551, &[[[8, 8, 8, 255]; 16], [RED; 16]].concat());
        let before = clut.bytes().to_vec();
        let mut picture = image(PixelFormat::Clut4, 32, 8, 128, Some(clut));
        let pixels: Vec<Rgba> = (0..32 * 8)
            .map(|pixel| [(pixel % 16 * 16) as u8, 0, 0, 255])
            .collect();
        picture.replace(1, &pixels).expect("sixteen colours");
        assert_eq!(picture.clut_bytes()[..32], before[..32]);
        assert_ne!(picture.clut_bytes()[32..], before[32..]);
        let rounded: Vec<Rgba> = pixels
            .iter()
            .map(|&color| ColorFormat::Rgba5551.round(color))
            .collect();
        assert_eq!(picture.decode(1).expect("valid").pixels, rounded);
        assert_eq!(
            picture.replace(2, &pixels),
            Err(EncodeError::NoPalette { palette: 2, count: 2 })
        );
    }

    #[test]
    fn of_a_color_that_stands_twice_the_last_index_is_taken() {
        let clut = Clut::new(ColorFormat::Rgba8888, &[RED, GREEN, RED, BLUE]);
        let before = clut.clone();
        let mut picture = image(PixelFormat::Clut8, 2, 1, 2, Some(clut));
        picture.replace(0, &[RED, GREEN]).expect("both are there");
        assert_eq!(picture.pixel_bytes(), [2, 1]);
        assert_eq!(picture.clut(), Some(&before));
    }

    #[test]
    fn new_colors_take_the_places_of_those_that_go() {
        let clut = Clut::new(ColorFormat::Rgba8888, &[RED, GREEN, RED]);
        let mut picture = image(PixelFormat::Clut8, 2, 1, 2, Some(clut));
        picture.replace(0, &[BLUE, RED]).expect("two of three");
        assert_eq!(picture.palette(0), Some(vec![BLUE, GREEN, RED]));
        assert_eq!(picture.pixel_bytes(), [0, 2]);
    }

    #[test]
    fn a_short_band_takes_what_it_has_room_for() {
        let clut = Clut::new(ColorFormat::Rgba8888, &[RED, GREEN]);
        let mut picture = image(PixelFormat::Clut4, 64, 12, 384, Some(clut));
        picture.replace(0, &[GREEN; 64 * 12]).expect("one colour");
        // Rows 12 to 15 of the last block stand outside the picture.
        assert_eq!(picture.pixel_bytes()[..320], [0x11; 320]);
        assert_eq!(picture.pixel_bytes()[320..], [0xEE; 64]);
    }

    #[test]
    fn more_colors_than_entries_are_quantised() {
        let pixels: Vec<Rgba> = (0..64 * 64)
            .map(|pixel| [(pixel % 64) as u8 * 4, (pixel / 64) as u8 * 4, 128, 255])
            .collect();
        let picture = TmhImage::new(PixelFormat::Clut8, 64, 64, &pixels, Some(ColorFormat::Rgba8888))
            .expect("drawable");
        let decoded = picture.decode(0).expect("valid").pixels;
        let worst = pixels
            .iter()
            .zip(&decoded)
            .map(|(a, b)| a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])))
            .max();
        // 4096 colours on a plane in 256 entries: squares of 4 x 4 steps of 4, centre to corner 8.
        assert!(worst <= Some(12), "{worst:?}");
    }

    #[test]
    fn what_cannot_be_stored_is_refused() {
        let four = [RED; 4];
        assert_eq!(
            TmhImage::new(PixelFormat::Clut4, 2, 2, &four, None),
            Err(EncodeError::ClutFormat {
                format: PixelFormat::Clut4,
                clut: None
            })
        );
        assert_eq!(
            TmhImage::new(PixelFormat::Rgb565, 3, 1, &four, None),
            Err(EncodeError::PixelCount {
                found: 4,
                width: 3,
                height: 1
            })
        );
        assert_eq!(
            TmhImage::new(PixelFormat::Rgba8888, 6, 1, &[RED; 6], None),
            Err(EncodeError::Row {
                format: PixelFormat::Rgba8888,
                width: 6
            })
        );
        assert_eq!(
            TmhImage::new(PixelFormat::Dxt5, 2, 2, &four, None),
            Err(EncodeError::NotEncoded(PixelFormat::Dxt5))
        );
        assert_eq!(
            TmhImage::new(PixelFormat::Rgba8888, 65532, u16::MAX, &four, None),
            Err(EncodeError::TooLong)
        );
        let clut = Clut::new(ColorFormat::Rgb565, &four);
        assert_eq!(
            TmhImage::from_indices(PixelFormat::Clut4, 2, 1, &[3, 16], clut),
            Err(EncodeError::Index {
                pixel: 1,
                index: 16,
                format: PixelFormat::Clut4
            })
        );
    }

    #[test]
    fn indices_and_palettes_can_be_given() {
        let clut = Clut::new(ColorFormat::Rgba8888, &[[RED; 16], [BLUE; 16]].concat());
        let indices: Vec<u32> = (0..32 * 8).map(|pixel| pixel % 16).collect();
        let picture = TmhImage::from_indices(PixelFormat::Clut4, 32, 8, &indices, clut).expect("drawable");
        assert_eq!(picture.palette_count(), 2);
        assert_eq!(
            picture.pixel_bytes()[..8],
            [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]
        );
        assert_eq!(picture.decode(1).expect("valid").pixels, [BLUE; 32 * 8]);
    }
}
