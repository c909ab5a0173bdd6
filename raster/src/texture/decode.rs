//! Whole levels to texels (spec/ge-raster.md §8.4 to §8.8).

use super::palette::Palette;
use super::{Level, Texture, dxt};
use crate::code::{FrameFormat, TextureFormat};
use crate::draw::TexelOrder;
use crate::format;
use crate::state::LevelSize;

/// A level's bytes and their shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelBytes<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) buffer_width: u32,
    pub(super) size: LevelSize,
}

/// How a texture's bytes are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub(super) format: TextureFormat,
    pub(super) order: TexelOrder,
}

impl Layout {
    /// Bytes from one row of texels to the next; for DXT from one row of blocks.
    pub(super) fn row_bytes(self, level: &LevelBytes<'_>) -> usize {
        match self.block_bytes() {
            Some(block) => (level.buffer_width / 4) as usize * block,
            None => (level.buffer_width as usize * self.format.bits_per_texel() as usize) / 8,
        }
    }

    /// Bytes of a DXT block.
    fn block_bytes(self) -> Option<usize> {
        match self.format {
            TextureFormat::DXT1 => Some(8),
            TextureFormat::DXT3 | TextureFormat::DXT5 => Some(16),
            _ => None,
        }
    }

    /// How many bytes from a level's address on can be sampled.
    pub(super) fn used_bytes(self, level: &LevelBytes<'_>) -> usize {
        let (width, height) = (
            level.size.sampled_width() as usize,
            level.size.sampled_height() as usize,
        );
        let row = self.row_bytes(level);
        match (self.block_bytes(), self.order) {
            (Some(block), _) => (height.div_ceil(4) - 1) * row + width.div_ceil(4) * block,
            (None, TexelOrder::Swizzled) => {
                let columns = (width * self.format.bits_per_texel() as usize).div_ceil(128);
                (height.div_ceil(8) - 1) * row * 8 + columns * 128
            }
            (None, TexelOrder::Linear) => {
                (height - 1) * row + (width * self.format.bits_per_texel() as usize).div_ceil(8)
            }
        }
    }
}

/// Bytes of the longest row of texels: 512 of 32 bits.
const LONGEST_ROW: usize = 2048;

/// Decodes all levels. `per_level` shifts the palette of CLUT4 by 16 entries a level.
pub(super) fn decode(
    layout: Layout,
    levels: &[LevelBytes<'_>],
    palette: &Palette<'_>,
    per_level: bool,
) -> Texture {
    let size_of = |level: &LevelBytes<'_>| {
        let size = level.size;
        (size.sampled_width() as usize, size.sampled_height() as usize)
    };
    let count = levels
        .iter()
        .map(size_of)
        .map(|(width, height)| width * height)
        .sum();
    let mut texels = Vec::with_capacity(count);
    let mut places = Vec::with_capacity(levels.len());
    for (number, level) in levels.iter().enumerate() {
        let (width, height) = size_of(level);
        places.push(Level {
            first: texels.len() as u32,
            log2_width: width.ilog2(),
            log2_height: height.ilog2(),
        });
        if let Some(block) = layout.block_bytes() {
            decode_blocks(layout, level, block, &mut texels);
            continue;
        }
        let offset = if per_level && layout.format == TextureFormat::CLUT4 {
            16 * number as u32
        } else {
            0
        };
        let lookup = Lookup::new(layout.format, palette, offset);
        let length = (width * layout.format.bits_per_texel() as usize).div_ceil(8);
        let mut buffer = [0; LONGEST_ROW];
        for y in 0..height {
            let row = row(layout, level, y, &mut buffer[..length]);
            lookup.decode_row(row, width, &mut texels);
        }
    }
    Texture {
        levels: places,
        texels,
    }
}

/// Decodes the blocks of a level, a row of them at a time.
fn decode_blocks(layout: Layout, level: &LevelBytes<'_>, block: usize, texels: &mut Vec<u32>) {
    let (width, height) = (
        level.size.sampled_width() as usize,
        level.size.sampled_height() as usize,
    );
    // Blocks stick out of the smallest levels.
    let stride = width.next_multiple_of(4);
    let mut rows = [0; 4 * 512];
    for block_y in 0..height.div_ceil(4) {
        let start = block_y * layout.row_bytes(level);
        for block_x in 0..stride / 4 {
            let mut bytes = [0; 16];
            copy_or_zero(&mut bytes[..block], level.bytes, start + block_x * block);
            let decoded = dxt::decode_block(layout.format, &bytes);
            for (row, decoded) in rows.chunks_exact_mut(stride).zip(decoded.chunks_exact(4)) {
                row[4 * block_x..4 * block_x + 4].copy_from_slice(decoded);
            }
        }
        for row in rows.chunks_exact(stride).take((height - 4 * block_y).min(4)) {
            texels.extend_from_slice(&row[..width]);
        }
    }
}

/// Copies bytes from `start` on; what is missing is zero.
fn copy_or_zero(into: &mut [u8], bytes: &[u8], start: usize) {
    let available = bytes.get(start..).unwrap_or_default();
    let count = available.len().min(into.len());
    into[..count].copy_from_slice(&available[..count]);
    into[count..].fill(0);
}

/// The bytes of a row of texels side by side, in `buffer` where they are not so in memory; what is missing is zero.
fn row<'a>(layout: Layout, level: &LevelBytes<'a>, y: usize, buffer: &'a mut [u8]) -> &'a [u8] {
    let row_bytes = layout.row_bytes(level);
    match layout.order {
        TexelOrder::Linear => {
            let start = y * row_bytes;
            if let Some(whole) = level.bytes.get(start..start + buffer.len()) {
                return whole;
            }
            copy_or_zero(buffer, level.bytes, start);
        }
        TexelOrder::Swizzled => {
            let start = (y / 8) * row_bytes * 8 + (y % 8) * 16;
            let stored = level.bytes.get(start..).unwrap_or_default();
            let (pieces, last) = buffer.as_chunks_mut::<16>();
            let mut blocks = stored.chunks(128);
            for (column, piece) in pieces.iter_mut().enumerate() {
                match blocks.next().and_then(<[u8]>::first_chunk) {
                    Some(whole) => *piece = *whole,
                    None => copy_or_zero(piece, stored, column * 128),
                }
            }
            copy_or_zero(last, stored, pieces.len() * 128);
        }
    }
    buffer
}

/// How the bits of a texel become a colour.
enum Lookup {
    Direct16(FrameFormat),
    Direct32,
    Nibbles([u32; 16]),
    Bytes(Box<[u32; 256]>),
    Indexed16(Masked),
    Indexed32(Masked),
}

/// A palette for texels of more than eight bits, by the bits that its mask leaves.
struct Masked {
    shift: u32,
    mask: u32,
    colors: Box<[u32; 256]>,
}

impl Masked {
    fn new(palette: &Palette<'_>) -> Self {
        let mut colors = Box::new([0; 256]);
        for (index, color) in colors.iter_mut().enumerate() {
            *color = palette.masked_color(index as u32);
        }
        Self {
            shift: palette.shift(),
            mask: palette.mask(),
            colors,
        }
    }

    #[inline]
    fn color(&self, texel: u32) -> u32 {
        self.colors[usize::from(((texel >> self.shift) & self.mask) as u8)]
    }
}

impl Lookup {
    fn new(format: TextureFormat, palette: &Palette<'_>, level_offset: u32) -> Self {
        match format {
            TextureFormat::RGB565 => Self::Direct16(FrameFormat::RGB565),
            TextureFormat::RGBA5551 => Self::Direct16(FrameFormat::RGBA5551),
            TextureFormat::RGBA4444 => Self::Direct16(FrameFormat::RGBA4444),
            TextureFormat::CLUT4 => {
                let mut colors = [0; 16];
                for (texel, color) in colors.iter_mut().enumerate() {
                    *color = palette.color(texel as u32, level_offset);
                }
                Self::Nibbles(colors)
            }
            TextureFormat::CLUT8 => {
                let mut colors = Box::new([0; 256]);
                for (texel, color) in colors.iter_mut().enumerate() {
                    *color = palette.color(texel as u32, 0);
                }
                Self::Bytes(colors)
            }
            TextureFormat::CLUT16 => Self::Indexed16(Masked::new(palette)),
            TextureFormat::CLUT32 => Self::Indexed32(Masked::new(palette)),
            _ => Self::Direct32,
        }
    }

    /// Adds the texels of a row of `width`.
    fn decode_row(&self, row: &[u8], width: usize, texels: &mut Vec<u32>) {
        match self {
            // Each format its own loop, without a question per texel.
            Self::Direct16(FrameFormat::RGB565) => {
                extend16(texels, row, |texel| {
                    format::expand_texel(texel, FrameFormat::RGB565)
                });
            }
            Self::Direct16(FrameFormat::RGBA5551) => {
                extend16(texels, row, |texel| {
                    format::expand_texel(texel, FrameFormat::RGBA5551)
                });
            }
            Self::Direct16(_) => {
                extend16(texels, row, |texel| {
                    format::expand_texel(texel, FrameFormat::RGBA4444)
                });
            }
            Self::Direct32 => extend32(texels, row, |texel| texel),
            Self::Nibbles(colors) => {
                let color = |nibble: u8| colors[usize::from(nibble & 15)];
                let (pieces, rest) = row.as_chunks::<16>();
                for piece in pieces {
                    let mut decoded = [0; 32];
                    for (pair, &byte) in decoded.as_chunks_mut::<2>().0.iter_mut().zip(piece) {
                        *pair = [color(byte), color(byte >> 4)];
                    }
                    texels.extend_from_slice(&decoded);
                }
                for &byte in rest {
                    // A row of one texel has half a byte.
                    texels.extend_from_slice(&[color(byte), color(byte >> 4)][..width.min(2)]);
                }
            }
            Self::Bytes(colors) => texels.extend(row.iter().map(|&byte| colors[usize::from(byte)])),
            Self::Indexed16(palette) => extend16(texels, row, |texel| palette.color(texel.into())),
            Self::Indexed32(palette) => extend32(texels, row, |texel| palette.color(texel)),
        }
    }
}

#[inline]
fn extend16(texels: &mut Vec<u32>, row: &[u8], color: impl Fn(u16) -> u32) {
    let pairs = row.as_chunks::<2>().0;
    texels.extend(pairs.iter().map(|&pair| color(u16::from_le_bytes(pair))));
}

#[inline]
fn extend32(texels: &mut Vec<u32>, row: &[u8], color: impl Fn(u32) -> u32) {
    let words = row.as_chunks::<4>().0;
    texels.extend(words.iter().map(|&word| color(u32::from_le_bytes(word))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Clut;
    use proptest::prelude::*;

    /// A palette whose entries are their own indices.
    fn palette() -> Palette<'static> {
        static MEMORY: [u8; 1024] = {
            let mut memory = [0; 1024];
            let mut index = 0;
            while index < 256 {
                memory[4 * index] = index as u8;
                index += 1;
            }
            memory
        };
        let format = FrameFormat::RGBA8888;
        Palette::new(&Clut {
            change: None,
            memory: &MEMORY,
            format,
            shift: 0,
            mask: 0xFF,
            start: 0,
            per_level: false,
        })
    }

    fn size(log2_width: u8, log2_height: u8) -> LevelSize {
        LevelSize {
            log2_width,
            log2_height,
        }
    }

    /// Texel by texel, as spec/ge-raster.md §8.4 has it.
    fn reference(format: TextureFormat, order: TexelOrder, level: &LevelBytes<'_>) -> Vec<u32> {
        let bits = format.bits_per_texel();
        let row = level.buffer_width * bits / 8;
        let byte = |at: u32| u32::from(level.bytes.get(at as usize).copied().unwrap_or(0));
        let mut texels = Vec::new();
        for v in 0..level.size.sampled_height() {
            for u in 0..level.size.sampled_width() {
                let x = u * bits / 8;
                let at = match order {
                    TexelOrder::Linear => v * row + x,
                    TexelOrder::Swizzled => (v >> 3) * (row * 8) + (x >> 4) * 128 + (v & 7) * 16 + (x & 15),
                };
                texels.push(match bits {
                    4 => (byte(at) >> (4 * (u & 1))) & 15,
                    8 => byte(at),
                    16 => byte(at) | (byte(at + 1) << 8),
                    _ => byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24),
                });
            }
        }
        texels
    }

    #[test]
    fn rows_and_blocks_are_found() {
        let bytes: Vec<u8> = (0..40_000u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect();
        let formats = [
            TextureFormat::CLUT4,
            TextureFormat::CLUT8,
            TextureFormat::CLUT16,
            TextureFormat::RGBA8888,
        ];
        for format in formats {
            for order in [TexelOrder::Linear, TexelOrder::Swizzled] {
                for (size, buffer_width) in [
                    (size(6, 5), 64),
                    (size(0, 0), 32),
                    (size(5, 4), 96),
                    (size(6, 3), 32),
                ] {
                    for cut in [0, 1, 100, 5000, 40_000] {
                        let level = LevelBytes {
                            bytes: &bytes[..cut],
                            buffer_width,
                            size,
                        };
                        let layout = Layout { format, order };
                        let texture = decode(layout, &[level], &palette(), false);
                        let expected = reference_colors(layout, &level, &palette(), 0);
                        assert_eq!(texture.texels, expected, "{format:?} {order:?}");
                        let used = Layout { format, order }.used_bytes(&level);
                        let exact = LevelBytes {
                            bytes: &bytes[..used.min(cut)],
                            ..level
                        };
                        let again = decode(Layout { format, order }, &[exact], &palette(), false);
                        assert_eq!(texture, again, "{format:?} {order:?} {size:?}");
                    }
                }
            }
        }
    }

    /// Texel by texel, in every format but DXT's.
    fn reference_colors(
        layout: Layout,
        level: &LevelBytes<'_>,
        palette: &Palette<'_>,
        offset: u32,
    ) -> Vec<u32> {
        let texels = reference(layout.format, layout.order, level);
        let color = |texel: u32| match layout.format {
            TextureFormat::RGB565 => format::expand_texel(texel as u16, FrameFormat::RGB565),
            TextureFormat::RGBA5551 => format::expand_texel(texel as u16, FrameFormat::RGBA5551),
            TextureFormat::RGBA4444 => format::expand_texel(texel as u16, FrameFormat::RGBA4444),
            TextureFormat::RGBA8888 => texel,
            _ => palette.color(texel, offset),
        };
        texels.into_iter().map(color).collect()
    }

    /// Texel by texel, in DXT's formats.
    fn reference_blocks(layout: Layout, level: &LevelBytes<'_>) -> Vec<u32> {
        let mut texels = Vec::new();
        for y in 0..level.size.sampled_height() as usize {
            for x in 0..level.size.sampled_width() as usize {
                let length = layout.block_bytes().expect("a format of blocks");
                let start = y / 4 * layout.row_bytes(level) + x / 4 * length;
                let mut block = [0; 16];
                for (at, byte) in block[..length].iter_mut().enumerate() {
                    *byte = level.bytes.get(start + at).copied().unwrap_or(0);
                }
                texels.push(dxt::decode_block(layout.format, &block)[y % 4 * 4 + x % 4]);
            }
        }
        texels
    }

    proptest! {
        #[test]
        fn levels_are_their_texels(
            bytes in prop::collection::vec(any::<u8>(), 0..6000),
            memory in prop::collection::vec(any::<u8>(), 1024),
            (code, swizzled, per_level) in (0..11u32, any::<bool>(), any::<bool>()),
            (log2_width, log2_height, units) in (0..7u8, 0..6u8, 1..6u32),
            (shift, mask, start, entries) in (0..32u8, any::<u8>(), 0..32u8, 0..4u32),
        ) {
            let format = TextureFormat::from_bits(code);
            let order = if swizzled { TexelOrder::Swizzled } else { TexelOrder::Linear };
            let layout = Layout { format, order };
            let buffer_width = units * 128 / format.bits_per_texel();
            let level = LevelBytes { bytes: &bytes, buffer_width, size: size(log2_width, log2_height) };
            let memory: &[u8; 1024] = memory.as_slice().try_into().expect("1024 bytes");
            let palette = Palette::new(&Clut {
                change: None,
                memory,
                format: FrameFormat::from_bits(entries),
                shift,
                mask,
                start,
                per_level,
            });
            let decoded = decode(layout, &[level; 2], &palette, per_level);
            let expected = [0, 1].map(|number| match layout.block_bytes() {
                Some(_) => reference_blocks(layout, &level),
                None => {
                    let offset = if per_level && format == TextureFormat::CLUT4 { 16 * number } else { 0 };
                    reference_colors(layout, &level, &palette, offset)
                }
            });
            prop_assert_eq!(decoded.levels[1].first as usize, expected[0].len());
            prop_assert_eq!(decoded.texels, expected.concat());
        }
    }

    #[test]
    fn each_level_may_have_its_own_palette() {
        let bytes = [0x21; 64];
        let level = LevelBytes {
            bytes: &bytes,
            buffer_width: 32,
            size: size(1, 0),
        };
        let layout = Layout {
            format: TextureFormat::CLUT4,
            order: TexelOrder::Linear,
        };
        assert_eq!(
            decode(layout, &[level; 3], &palette(), true).texels,
            [1, 2, 17, 18, 33, 34]
        );
        assert_eq!(
            decode(layout, &[level; 2], &palette(), false).texels,
            [1, 2, 1, 2]
        );
    }

    #[test]
    fn sizes_stop_at_512() {
        let level = LevelBytes {
            bytes: &[7],
            buffer_width: 512,
            size: size(15, 15),
        };
        let layout = Layout {
            format: TextureFormat::CLUT8,
            order: TexelOrder::Linear,
        };
        assert_eq!(
            decode(layout, &[level], &palette(), false).texels.len(),
            512 * 512
        );
    }
}
