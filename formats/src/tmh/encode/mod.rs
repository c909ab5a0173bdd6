//! From colours to stored bytes.

mod palette;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use palette::{Census, REACHABLE_ENTRIES, keep_exactly};

use super::format::Storage;
use super::layout::{self, drawable_length, has_drawable_rows};
use super::{Clut, ColorFormat, PixelFormat, Rgba, TmhImage, dxt, quantize};

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
