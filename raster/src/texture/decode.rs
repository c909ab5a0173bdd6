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

/// Decodes all levels. `per_level` shifts the palette of CLUT4 by 16 entries a level.
pub(super) fn decode(
    layout: Layout,
    levels: &[LevelBytes<'_>],
    palette: &Palette<'_>,
    per_level: bool,
) -> Texture {
    let mut texture = Texture {
        levels: Vec::with_capacity(levels.len()),
        texels: Vec::new(),
    };
    for (number, level) in levels.iter().enumerate() {
        let width = level.size.sampled_width() as usize;
        let height = level.size.sampled_height() as usize;
        let first = texture.texels.len();
        texture.texels.resize(first + width * height, 0);
        texture.levels.push(Level {
            first: first as u32,
            log2_width: width.ilog2(),
            log2_height: height.ilog2(),
        });
        let texels = &mut texture.texels[first..];
        if let Some(block) = layout.block_bytes() {
            decode_blocks(layout, level, block, texels, width);
            continue;
        }
        let offset = if per_level && layout.format == TextureFormat::CLUT4 {
            16 * number as u32
        } else {
            0
        };
        let lookup = Lookup::new(layout.format, palette, offset);
        let mut row = vec![0; (width * layout.format.bits_per_texel() as usize).div_ceil(8)];
        for (y, texels) in texels.chunks_exact_mut(width).enumerate() {
            gather_row(layout, level, y, &mut row);
            lookup.decode_row(&row, texels);
        }
    }
    texture
}

fn decode_blocks(layout: Layout, level: &LevelBytes<'_>, block: usize, texels: &mut [u32], width: usize) {
    let height = texels.len() / width;
    for block_y in 0..height.div_ceil(4) {
        for block_x in 0..width.div_ceil(4) {
            let start = block_y * layout.row_bytes(level) + block_x * block;
            let bytes = level.bytes.get(start..).unwrap_or_default();
            let decoded = dxt::decode_block(layout.format, &bytes[..block.min(bytes.len())]);
            for (y, row) in decoded.chunks_exact(4).enumerate().take(height - 4 * block_y) {
                let columns = (width - 4 * block_x).min(4);
                let at = (4 * block_y + y) * width + 4 * block_x;
                texels[at..at + columns].copy_from_slice(&row[..columns]);
            }
        }
    }
}

/// The bytes of a row of texels side by side; what is missing is zero.
fn gather_row(layout: Layout, level: &LevelBytes<'_>, y: usize, row: &mut [u8]) {
    let copy = |into: &mut [u8], start: usize| {
        let available = level.bytes.get(start..).unwrap_or_default();
        let count = available.len().min(into.len());
        into[..count].copy_from_slice(&available[..count]);
        into[count..].fill(0);
    };
    let row_bytes = layout.row_bytes(level);
    match layout.order {
        TexelOrder::Linear => copy(row, y * row_bytes),
        TexelOrder::Swizzled => {
            let start = (y / 8) * row_bytes * 8 + (y % 8) * 16;
            for (column, piece) in row.chunks_mut(16).enumerate() {
                copy(piece, start + column * 128);
            }
        }
    }
}

/// How the bits of a texel become a colour.
enum Lookup<'a> {
    Direct16(FrameFormat),
    Direct32,
    Nibbles([u32; 16]),
    Bytes(Box<[u32; 256]>),
    Indexed16(Palette<'a>),
    Indexed32(Palette<'a>),
}

impl<'a> Lookup<'a> {
    fn new(format: TextureFormat, palette: &Palette<'a>, level_offset: u32) -> Self {
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
            TextureFormat::CLUT16 => Self::Indexed16(*palette),
            TextureFormat::CLUT32 => Self::Indexed32(*palette),
            _ => Self::Direct32,
        }
    }

    fn decode_row(&self, row: &[u8], texels: &mut [u32]) {
        let half = |pair: &[u8]| u16::from_le_bytes([pair[0], pair[1]]);
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        match self {
            Self::Direct16(pixel_format) => {
                for (texel, pair) in texels.iter_mut().zip(row.chunks_exact(2)) {
                    *texel = format::expand_texel(half(pair), *pixel_format);
                }
            }
            Self::Direct32 => {
                for (texel, bytes) in texels.iter_mut().zip(row.chunks_exact(4)) {
                    *texel = word(bytes);
                }
            }
            Self::Nibbles(colors) => {
                for (pair, &byte) in texels.chunks_mut(2).zip(row) {
                    pair[0] = colors[usize::from(byte & 15)];
                    if let Some(odd) = pair.get_mut(1) {
                        *odd = colors[usize::from(byte >> 4)];
                    }
                }
            }
            Self::Bytes(colors) => {
                for (texel, &byte) in texels.iter_mut().zip(row) {
                    *texel = colors[usize::from(byte)];
                }
            }
            Self::Indexed16(palette) => {
                for (texel, pair) in texels.iter_mut().zip(row.chunks_exact(2)) {
                    *texel = palette.color(u32::from(half(pair)), 0);
                }
            }
            Self::Indexed32(palette) => {
                for (texel, bytes) in texels.iter_mut().zip(row.chunks_exact(4)) {
                    *texel = palette.color(word(bytes), 0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Clut;

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
                    16 => (byte(at) | (byte(at + 1) << 8)) & 0xFF,
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
                        let texture = decode(Layout { format, order }, &[level], &palette(), false);
                        assert_eq!(
                            texture.texels,
                            reference(format, order, &level),
                            "{format:?} {order:?}"
                        );
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
