//! The bytes of a mip level.

use raster::{LevelSize, TexelOrder, TextureFormat};

use crate::command::Opcode;
use crate::pixel_state::level_size;
use crate::{Address, Registers};

/// A mip level: its address and extent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct LevelPlace {
    pub(crate) address: Address,
    /// Texels from one row to the next, rounded.
    pub(crate) buffer_width: u32,
    pub(crate) size: LevelSize,
    /// Bytes from the first to the last that sampling can reach.
    pub(crate) length: u32,
}

impl LevelPlace {
    /// Level `level` of the registers (`spec/ge-raster.md §8.1`).
    pub(crate) fn of(registers: &Registers, level: u8) -> Self {
        let stride = Opcode::TEXBUFW0.nth(level);
        let low = registers.argument(Opcode::TEXADDR0.nth(level)) & 0xFF_FFF0;
        let format = TextureFormat::from_bits(registers.argument(Opcode::TEXFORMAT));
        let size = level_size(registers, level);
        let buffer_width = buffer_width(format, registers.field(stride, 10, 0));
        let order = texel_order(registers);
        Self {
            address: Address::new(registers.field(stride, 19, 16) << 24 | low),
            buffer_width,
            size,
            length: length(format, order, buffer_width, size),
        }
    }
}

/// The order of texels in memory.
pub(crate) fn texel_order(registers: &Registers) -> TexelOrder {
    if registers.field(Opcode::TEXMODE, 0, 0) == 1 {
        TexelOrder::Swizzled
    } else {
        TexelOrder::Linear
    }
}

/// A buffer width rounded down to whole units of 16 bytes, at least one; DXT formats take theirs as
/// it is, but for 0 (`spec/ge-raster.md §8.1`).
fn buffer_width(format: TextureFormat, texels: u32) -> u32 {
    let bits = format.bits_per_texel();
    if bits == 0 {
        return texels;
    }
    let unit = 128 / bits;
    let rounded = match format {
        TextureFormat::DXT1 | TextureFormat::DXT3 | TextureFormat::DXT5 => texels,
        _ => texels / unit * unit,
    };
    if rounded == 0 { unit } else { rounded }
}

/// How many bytes sampling can reach.
fn length(format: TextureFormat, order: TexelOrder, buffer_width: u32, size: LevelSize) -> u32 {
    let (width, height) = (size.sampled_width(), size.sampled_height());
    let bits = format.bits_per_texel();
    let block_bytes = match format {
        TextureFormat::DXT1 => 8,
        TextureFormat::DXT3 | TextureFormat::DXT5 => 16,
        TextureFormat::INVALID => return 0,
        _ => {
            let row_bytes = buffer_width * bits / 8;
            let used = (width * bits).div_ceil(8);
            return match order {
                TexelOrder::Linear => (height - 1) * row_bytes + used,
                TexelOrder::Swizzled => (height - 1) / 8 * row_bytes * 8 + used.div_ceil(16) * 128,
            };
        }
    };
    let row_blocks = buffer_width / 4;
    ((height.div_ceil(4) - 1) * row_blocks + width.div_ceil(4)) * block_bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffer_widths_are_whole_units() {
        for (format, texels, expected) in [
            (TextureFormat::RGBA8888, 7, 4),
            (TextureFormat::RGBA8888, 0, 4),
            (TextureFormat::CLUT4, 33, 32),
            (TextureFormat::CLUT8, 8, 16),
            (TextureFormat::RGB565, 480, 480),
            (TextureFormat::DXT1, 6, 6),
            (TextureFormat::DXT5, 0, 16),
        ] {
            assert_eq!(buffer_width(format, texels), expected, "{format:?} {texels}");
        }
    }

    #[test]
    fn lengths_reach_the_last_texel() {
        let size = LevelSize {
            log2_width: 4,
            log2_height: 3,
        };
        let of = |format, order| length(format, order, 16, size);
        assert_eq!(of(TextureFormat::RGBA8888, TexelOrder::Linear), 512);
        assert_eq!(of(TextureFormat::RGBA8888, TexelOrder::Swizzled), 512);
        assert_eq!(of(TextureFormat::CLUT4, TexelOrder::Linear), 64);
        assert_eq!(
            of(TextureFormat::CLUT4, TexelOrder::Swizzled),
            128,
            "blocks are 16 bytes wide"
        );
        assert_eq!(of(TextureFormat::DXT1, TexelOrder::Linear), 64);
        let huge = LevelSize {
            log2_width: 15,
            log2_height: 15,
        };
        assert_eq!(
            length(TextureFormat::CLUT8, TexelOrder::Linear, 512, huge),
            512 * 512
        );
    }
}
