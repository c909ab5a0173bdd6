//! Where the bytes of a picture stand among an image's stored bytes.

use super::PixelFormat;

/// Bytes in one row of a swizzle block, and the shortest row that the GE reads.
const BLOCK_ROW: usize = 16;
/// Rows of a swizzle block.
const BLOCK_HEIGHT: usize = 8;

/// How an image's stored bytes are ordered. No field of the file says so: it follows from format,
/// size and stored length (`spec/mhp-formats.md §2.4`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelLayout {
    /// Blocks of 16 bytes x 8 rows, left to right, then top to bottom: every image whose row is a
    /// whole number of 16-byte blocks. The last band of blocks may be cut short.
    Swizzled {
        /// Bytes of a picture row, a multiple of 16.
        pitch: usize,
    },
    /// Rows narrower than 16 bytes, each padded to 16, and the height padded to 8: swizzling such
    /// rows changes nothing, so the GE reads them as they are. Recognised by the stored length
    /// alone. Unverified on shipped files.
    Padded,
    /// Pixels one after the other without any padding, even where a row of 4-bit pixels ends inside
    /// a byte. The GE cannot read such an image as it is: it takes every texture the engine binds as
    /// swizzled, with rows of 16 bytes at least. Unverified on shipped files.
    Linear,
    /// Blocks of 4 x 4 pixels, left to right, then top to bottom (DXT).
    Blocks,
}

impl PixelLayout {
    /// The layout of `stored` bytes that hold `width` x `height` pixels of `format`.
    #[must_use]
    pub fn of(format: PixelFormat, width: u16, height: u16, stored: usize) -> Self {
        if format.is_block_compressed() {
            return Self::Blocks;
        }
        let row_bits = usize::from(width) * format.bits();
        if row_bits == 0 {
            return Self::Linear;
        }
        if row_bits.is_multiple_of(BLOCK_ROW * 8) {
            return Self::Swizzled { pitch: row_bits / 8 };
        }
        if row_bits < BLOCK_ROW * 8 && stored == padded_length(height) {
            return Self::Padded;
        }
        Self::Linear
    }

    /// The bit at which pixel (`x`, `y`) begins among the stored bytes, for pixels of `bits` bits in
    /// rows of `width`. Not for [`Blocks`](Self::Blocks).
    pub(super) fn bit_of(self, bits: usize, width: usize, x: usize, y: usize) -> usize {
        match self {
            Self::Swizzled { pitch } => {
                let bit = x * bits;
                swizzled_offset(pitch, bit / 8, y) * 8 + bit % 8
            }
            Self::Padded => y * BLOCK_ROW * 8 + x * bits,
            Self::Linear | Self::Blocks => (y * width + x) * bits,
        }
    }
}

/// Bytes of an image of narrow rows that is stored [`Padded`](PixelLayout::Padded).
pub(super) fn padded_length(height: u16) -> usize {
    BLOCK_ROW * usize::from(height).next_multiple_of(BLOCK_HEIGHT)
}

/// Bytes that a picture needs at least: `ceil(width x height x bits / 8)`, or its DXT blocks.
pub(super) fn needed_length(format: PixelFormat, width: u16, height: u16) -> u64 {
    let (width, height) = (u64::from(width), u64::from(height));
    if format.is_block_compressed() {
        width.div_ceil(4) * height.div_ceil(4) * format.bits() as u64 * 2
    } else {
        (width * height * format.bits() as u64).div_ceil(8)
    }
}

/// Bytes from row to row of a texture that the GE can read swizzled: whole blocks.
pub(super) fn drawable_pitch(format: PixelFormat, width: u16) -> usize {
    (usize::from(width) * format.bits())
        .div_ceil(8)
        .next_multiple_of(BLOCK_ROW)
}

/// Bytes of a picture that the GE can draw as it is: whole bands of whole blocks.
pub(super) fn drawable_length(format: PixelFormat, width: u16, height: u16) -> u64 {
    if format.is_block_compressed() {
        return needed_length(format, width, height);
    }
    drawable_pitch(format, width) as u64 * u64::from(height).next_multiple_of(BLOCK_HEIGHT as u64)
}

/// Whether rows are whole blocks, or narrower than one: what [`drawable_length`] bytes of such a
/// picture read as.
pub(super) fn has_drawable_rows(format: PixelFormat, width: u16) -> bool {
    let row_bits = usize::from(width) * format.bits();
    format.is_block_compressed() || row_bits < BLOCK_ROW * 8 || row_bits.is_multiple_of(BLOCK_ROW * 8)
}

/// Writes one number of `bits` bits a pixel over a picture's bytes; what they lack is left out.
pub(super) fn store(
    target: &mut [u8],
    layout: PixelLayout,
    bits: usize,
    width: usize,
    pixels: impl Iterator<Item = u32>,
) {
    for (pixel, stored) in pixels.enumerate() {
        let bit = layout.bit_of(bits, width, pixel % width, pixel / width);
        let target = target.get_mut(bit / 8..).unwrap_or_default();
        if bits == 4 {
            if let Some(byte) = target.first_mut() {
                let shift = bit % 8;
                *byte = *byte & !(0xF << shift) | (stored as u8 & 0xF) << shift;
            }
        } else {
            for (target, byte) in target.iter_mut().zip(stored.to_le_bytes()).take(bits / 8) {
                *target = byte;
            }
        }
    }
}

/// Where the byte at column `x`, row `y` of a picture with rows of `pitch` bytes stands when
/// swizzled (`spec/mhp-formats.md §2.4`, `spec/ge-raster.md §8.4`).
fn swizzled_offset(pitch: usize, x: usize, y: usize) -> usize {
    (y / BLOCK_HEIGHT) * BLOCK_HEIGHT * pitch
        + (x / BLOCK_ROW) * BLOCK_ROW * BLOCK_HEIGHT
        + (y % BLOCK_HEIGHT) * BLOCK_ROW
        + x % BLOCK_ROW
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `spec/mhp-formats.md §2.4`, checks.
    #[test]
    fn bytes_stand_where_the_swizzle_puts_them() {
        assert_eq!(swizzled_offset(32, 17, 3), 177);
        assert_eq!(swizzled_offset(32, 0, 8), 256);
        assert_eq!(swizzled_offset(64, 40, 9), 792);
        for y in 0..40 {
            for x in 0..16 {
                assert_eq!(swizzled_offset(16, x, y), y * 16 + x);
            }
        }
    }

    #[test]
    fn swizzling_permutes_whole_bands() {
        for pitch in [16, 32, 48, 128] {
            let mut places: Vec<usize> = (0..16)
                .flat_map(|y| (0..pitch).map(move |x| swizzled_offset(pitch, x, y)))
                .collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(0..pitch * 16));
        }
    }

    #[test]
    fn the_layout_follows_from_format_size_and_length() {
        use PixelFormat::*;
        use PixelLayout::*;
        for (format, width, height, stored, layout) in [
            (Clut4, 32, 8, 128, Swizzled { pitch: 16 }),
            (Clut8, 64, 8, 512, Swizzled { pitch: 64 }),
            (Rgba8888, 4, 1, 16, Swizzled { pitch: 16 }),
            (Clut4, 64, 12, 384, Swizzled { pitch: 32 }),
            (Clut4, 8, 8, 32, Linear),
            (Clut4, 8, 8, 128, Padded),
            (Clut8, 8, 12, 256, Padded),
            (Clut8, 8, 12, 96, Linear),
            (Clut8, 24, 8, 192, Linear),
            (Clut8, 0, 8, 128, Linear),
            (Dxt1, 128, 8, 512, Blocks),
        ] {
            assert_eq!(
                PixelLayout::of(format, width, height, stored),
                layout,
                "{format:?} {width} x {height} in {stored}"
            );
        }
    }
}
