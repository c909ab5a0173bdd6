//! One image of a bank: stored bytes with their format, size and CLUT.

use super::layout::needed_length;
use super::{ColorFormat, EncodeError, PixelFormat, PixelLayout, Rgba, bank};

/// A decoded picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RgbaImage {
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width * height` colours, row by row from the top left; alpha is not premultiplied.
    pub pixels: Vec<Rgba>,
}

/// The colour table of an image: one palette or several back to back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clut {
    pub(super) format: ColorFormat,
    pub(super) bytes: Vec<u8>,
}

impl Clut {
    /// A table of `colors`, each rounded to `format`.
    #[must_use]
    pub fn new(format: ColorFormat, colors: &[Rgba]) -> Self {
        let mut bytes = vec![0; colors.len() * format.size()];
        for (target, &color) in bytes.chunks_exact_mut(format.size()).zip(colors) {
            format.put(format.encode(color), target);
        }
        Self { format, bytes }
    }

    /// A table of stored bytes.
    #[must_use]
    pub fn from_bytes(format: ColorFormat, bytes: Vec<u8>) -> Self {
        Self { format, bytes }
    }

    /// The format of the entries.
    #[must_use]
    pub fn format(&self) -> ColorFormat {
        self.format
    }

    /// The stored bytes, as the GE's `LOADCLUT` reads them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many whole entries there are.
    #[must_use]
    pub fn entry_count(&self) -> usize {
        self.bytes.len() / self.format.size()
    }

    /// The stored number of an entry.
    pub(super) fn stored(&self, entry: usize) -> Option<u32> {
        let size = self.format.size();
        let start = entry.checked_mul(size)?;
        let bytes = self.bytes.get(start..start.checked_add(size)?)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |stored, &byte| stored << 8 | u32::from(byte)),
        )
    }

    /// The colour of an entry.
    #[must_use]
    pub fn color(&self, entry: usize) -> Option<Rgba> {
        self.stored(entry).map(|stored| self.format.decode(stored))
    }

    /// Overwrites an entry; nothing happens where there is none.
    pub(super) fn set_stored(&mut self, entry: usize, stored: u32) {
        if entry < self.entry_count() {
            let size = self.format.size();
            self.format.put(stored, &mut self.bytes[entry * size..][..size]);
        }
    }
}

/// One image of a bank.
///
/// The stored bytes are what the engine hands to the GE; [`decode`](Self::decode) shows them,
/// [`replace`](Self::replace) writes a picture over them at the same format, size and length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmhImage {
    pub(super) format: PixelFormat,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) pixels: Vec<u8>,
    pub(super) clut: Option<Clut>,
}

impl TmhImage {
    /// An image of stored bytes. Any length is legal: what the picture lacks decodes as 0, what
    /// goes beyond it is kept.
    ///
    /// # Errors
    ///
    /// Where the bytes exceed 4 GiB, so that the image could not state its size.
    pub fn from_parts(
        format: PixelFormat,
        width: u16,
        height: u16,
        pixels: Vec<u8>,
        clut: Option<Clut>,
    ) -> Result<Self, EncodeError> {
        if !bank::fits_size_field(pixels.len(), clut.as_ref().map(|clut| clut.bytes.len())) {
            return Err(EncodeError::TooLong);
        }
        Ok(Self {
            format,
            width,
            height,
            pixels,
            clut,
        })
    }

    /// The format of the pixels.
    #[must_use]
    pub fn format(&self) -> PixelFormat {
        self.format
    }

    /// Width in pixels, 0 to 65535.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Height in pixels, 0 to 65535.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// The stored pixel bytes, in the order of [`layout`](Self::layout): what `TEXADDR0` points at.
    #[must_use]
    pub fn pixel_bytes(&self) -> &[u8] {
        &self.pixels
    }

    /// The colour table. A direct image has none, but a file may store one all the same.
    #[must_use]
    pub fn clut(&self) -> Option<&Clut> {
        self.clut.as_ref()
    }

    /// The stored bytes of the colour table: what `CLUTADDR` points at. Empty without a table.
    #[must_use]
    pub fn clut_bytes(&self) -> &[u8] {
        self.clut.as_ref().map_or(&[], Clut::bytes)
    }

    /// How the stored bytes are ordered.
    #[must_use]
    pub fn layout(&self) -> PixelLayout {
        PixelLayout::of(self.format, self.width, self.height, self.pixels.len())
    }

    /// How many palettes the CLUT holds, a partial last one included; 0 where pixels are not
    /// indices or there is no CLUT.
    #[must_use]
    pub fn palette_count(&self) -> usize {
        match (&self.clut, self.format.palette_entries()) {
            (Some(clut), Some(entries)) => clut.entry_count().div_ceil(entries),
            (Some(clut), None) if self.format.is_indexed() => clut.entry_count().min(1),
            _ => 0,
        }
    }

    /// The entries of one palette, as a range of CLUT entries.
    pub(super) fn palette_range(&self, palette: usize) -> Option<std::ops::Range<usize>> {
        if palette >= self.palette_count() {
            return None;
        }
        let entries = self.clut.as_ref()?.entry_count();
        let size = self.format.palette_entries().unwrap_or(entries);
        Some(palette * size..entries.min((palette + 1) * size))
    }

    /// The colours of one palette, or `None` where there is no such palette.
    #[must_use]
    pub fn palette(&self, palette: usize) -> Option<Vec<Rgba>> {
        let clut = self.clut.as_ref()?;
        self.palette_range(palette)?
            .map(|entry| clut.color(entry))
            .collect()
    }

    /// Bytes that the picture needs at least.
    pub(super) fn needed_length(&self) -> u64 {
        needed_length(self.format, self.width, self.height)
    }
}
