//! An image as the GE's texture registers take it.

use std::borrow::Cow;

use super::format::Storage;
use super::layout::{drawable_length, drawable_pitch, store};
use super::{PixelLayout, TmhImage};
use crate::FormatError;

/// Pixel bytes for the GE's memory.
///
/// They are swizzled: the engine sets TEXMODE's swizzle bit for every texture, and so may a renderer
/// (DXT ignores it). Rows are whole blocks of 16 bytes, and bands of 8 rows are whole, so that no
/// read passes the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeTexture<'a> {
    /// What `TEXADDR0` points at: the stored bytes where the GE can read them as they are.
    pub pixels: Cow<'a, [u8]>,
    /// `TEXBUFWIDTH0`: pixels from row to row.
    pub buffer_width: usize,
}

impl TmhImage {
    /// The image's pixels for the GE.
    ///
    /// The stored bytes, wherever the GE reads from them what [`decode`](Self::decode) shows. A
    /// short last band is filled with zeros, and an image of [`PixelLayout::Linear`] rows is swizzled;
    /// the real engine would draw such an image garbled (`spec/mhp-formats.md §2.4`, unverified on
    /// shipped files).
    ///
    /// # Errors
    ///
    /// Where a picture of more than 512 x 512 pixels lacks bytes.
    ///
    /// ```
    /// use std::borrow::Cow;
    ///
    /// use formats::tmh::{ColorFormat, PixelFormat, TmhImage};
    ///
    /// let image = TmhImage::new(PixelFormat::Clut8, 64, 32, &[[9; 4]; 64 * 32], Some(ColorFormat::Rgb565))?;
    /// let texture = image.ge_texture()?;
    /// assert!(matches!(texture.pixels, Cow::Borrowed(_)));
    /// assert_eq!(texture.buffer_width, 64);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ge_texture(&self) -> Result<GeTexture<'_>, FormatError> {
        self.expect_bytes()?;
        let width = usize::from(self.width);
        let (bits, buffer_width) = match self.format.storage() {
            Storage::Blocks { .. } => (0, width.next_multiple_of(4)),
            Storage::Direct(color) => (color.size() * 8, self.drawable_width()),
            Storage::Indexed { bits } => (bits, self.drawable_width()),
        };
        let layout = self.layout();
        // Bounded: the picture has at most 512 x 512 pixels, or its bytes are there.
        let length = usize::try_from(drawable_length(self.format, self.width, self.height)).unwrap_or(0);
        let pixels = if layout == PixelLayout::Linear && width > 0 {
            let mut pixels = vec![0; length];
            let swizzled = PixelLayout::Swizzled {
                pitch: drawable_pitch(self.format, self.width),
            };
            store(
                &mut pixels,
                swizzled,
                bits,
                width,
                self.stored_pixels(bits).map(|(_, stored)| stored),
            );
            Cow::Owned(pixels)
        } else if self.pixels.len() < length {
            let mut pixels = self.pixels.clone();
            pixels.resize(length, 0);
            Cow::Owned(pixels)
        } else {
            Cow::Borrowed(self.pixels.as_slice())
        };
        Ok(GeTexture { pixels, buffer_width })
    }

    fn drawable_width(&self) -> usize {
        drawable_pitch(self.format, self.width) * 8 / self.format.bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tmh::{Clut, ColorFormat, PixelFormat};

    fn greys() -> Clut {
        let colors: Vec<[u8; 4]> = (0..=255).map(|grey| [grey, grey, grey, 255]).collect();
        Clut::new(ColorFormat::Rgba8888, &colors)
    }

    /// Reads a texture as the GE does: swizzled, with rows of the buffer width.
    fn sample(image: &TmhImage) -> Vec<u32> {
        let texture = image.ge_texture().expect("small");
        let bits = image.format().bits();
        let pitch = texture.buffer_width * bits / 8;
        let layout = PixelLayout::Swizzled { pitch };
        let (width, height) = (usize::from(image.width()), usize::from(image.height()));
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let read = pixels.map(|(x, y)| {
            let bit = layout.bit_of(bits, width, x, y);
            u32::from(texture.pixels[bit / 8]) >> (bit % 8) & (0xFF >> (8 - bits))
        });
        read.collect()
    }

    #[test]
    fn the_ge_reads_what_decoding_shows() {
        for (format, width, height, stored) in [
            (PixelFormat::Clut8, 64, 16, 1024),
            (PixelFormat::Clut4, 64, 12, 384),
            (PixelFormat::Clut4, 3, 3, 5),
            (PixelFormat::Clut4, 8, 9, 256),
            (PixelFormat::Clut8, 24, 10, 240),
            (PixelFormat::Clut8, 24, 10, 100),
            (PixelFormat::Clut8, 5, 9, 45),
        ] {
            let bytes: Vec<u8> = (0..stored).map(|byte| ((byte * 37) >> 2) as u8).collect();
            let image = TmhImage::from_parts(format, width, height, bytes, Some(greys())).expect("small");
            let decoded = image.decode(0).expect("256 entries").pixels;
            assert!(
                sample(&image)
                    .into_iter()
                    .eq(decoded.iter().map(|color| u32::from(color[0]))),
                "{format:?} {width} x {height}"
            );
        }
    }

    #[test]
    fn drawable_bytes_are_handed_over_as_they_are() {
        let owned = |format, width, height, stored| {
            let image = TmhImage::from_parts(format, width, height, vec![0; stored], None).expect("small");
            let texture = image.ge_texture().expect("small");
            (
                matches!(texture.pixels, Cow::Owned(_)),
                texture.pixels.len(),
                texture.buffer_width,
            )
        };
        assert_eq!(owned(PixelFormat::Clut4, 64, 16, 512), (false, 512, 64));
        assert_eq!(owned(PixelFormat::Clut4, 64, 12, 384), (true, 512, 64));
        assert_eq!(owned(PixelFormat::Clut4, 8, 8, 128), (false, 128, 32));
        assert_eq!(owned(PixelFormat::Clut4, 8, 8, 32), (true, 128, 32));
        assert_eq!(owned(PixelFormat::Dxt1, 6, 6, 32), (false, 32, 8));
        assert_eq!(owned(PixelFormat::Rgba8888, 0, 8, 0), (false, 0, 0));
        let lying =
            TmhImage::from_parts(PixelFormat::Clut4, u16::MAX, u16::MAX, vec![0; 9], None).expect("small");
        assert!(lying.ge_texture().is_err());
    }
}
