//! A bank's images as the GE reads them.

use formats::tmh::{PixelFormat, PixelLayout, TmhImage};
use ge::Address;
use ge::command::Opcode;

use super::DisplayList;

/// Bytes in the shortest row that the GE reads.
const SHORTEST_ROW: usize = 16;

/// An image, laid out for the GE at an address.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedTexture {
    /// Where the texels begin, a multiple of 16.
    pub address: Address,
    /// Where the palette begins; `None` for direct colours.
    pub clut: Option<PlacedClut>,
    format: PixelFormat,
    log2_size: [u32; 2],
    buffer_width: u32,
    swizzled: bool,
    /// What texture coordinates are multiplied by, because the GE's sizes are powers of two: 1 in
    /// shipped files.
    pub coordinate_scale: [f32; 2],
}

/// A palette, laid out for the GE at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedClut {
    /// Where the entries begin, a multiple of 16.
    pub address: Address,
    /// Format of the entries, as the CLUT format register holds it.
    pub format: u32,
    /// Blocks of 32 bytes to load.
    pub blocks: u32,
}

/// The texels of `image` in an order that the GE can read, with the stride in texels and whether
/// they are swizzled. Rows that are no whole number of 16 bytes are moved: the GE cannot read them as
/// they are stored.
#[must_use]
pub fn texels(image: &TmhImage) -> (Vec<u8>, u32, bool) {
    let bits = image.format().bits();
    let width = usize::from(image.width());
    let stored = image.pixel_bytes();
    match image.layout() {
        PixelLayout::Swizzled { pitch } => {
            // A short last band: what is missing of its blocks reads as zero.
            let mut bytes = stored.to_vec();
            bytes.resize(bytes.len().max(pitch * usize::from(image.height()).next_multiple_of(8)), 0);
            (bytes, u32::from(image.width()), true)
        }
        PixelLayout::Blocks => (stored.to_vec(), width.next_multiple_of(4) as u32, false),
        PixelLayout::Padded => (stored.to_vec(), (SHORTEST_ROW * 8 / bits.max(1)) as u32, false),
        PixelLayout::Linear => {
            let row_bits = width * bits;
            let pitch = row_bits.div_ceil(8).next_multiple_of(SHORTEST_ROW);
            let mut rows = vec![0; pitch * usize::from(image.height())];
            for (y, row) in rows.chunks_exact_mut(pitch.max(1)).enumerate() {
                for nibble in 0..row_bits.div_ceil(4) {
                    let at = y * row_bits / 4 + nibble;
                    let value = stored.get(at / 2).map_or(0, |byte| byte >> (at % 2 * 4) & 0xF);
                    row[nibble / 2] |= value << (nibble % 2 * 4);
                }
            }
            (rows, (pitch * 8 / bits.max(1)) as u32, false)
        }
    }
}

impl PlacedTexture {
    /// `image` whose [`texels`] stand at `address`, drawn with the palette at `clut`.
    #[must_use]
    pub fn new(image: &TmhImage, address: Address, clut: Option<PlacedClut>) -> Self {
        let (_, buffer_width, swizzled) = texels(image);
        let size = [image.width(), image.height()].map(u32::from);
        let log2_size = size.map(|side| side.next_power_of_two().ilog2());
        let coordinate_scale = [0, 1].map(|axis| size[axis].max(1) as f32 / (1_u32 << log2_size[axis]) as f32);
        Self { address, clut, format: image.format(), log2_size, buffer_width, swizzled, coordinate_scale }
    }

    /// The commands with which the engine binds a texture: texel order, format, address, stride,
    /// size, the palette's format, address and load, and a flush (`spec/mhp-formats.md §3.6`).
    pub fn bind(&self, list: &mut DisplayList) {
        list.switch(Opcode::TEXENABLE, true)
            .command(Opcode::TEXMODE, u32::from(self.swizzled))
            .command(Opcode::TEXFORMAT, self.format.code())
            .split_address(Opcode::TEXADDR0, Opcode::TEXBUFW0, self.address, self.buffer_width)
            .command(Opcode::TEXSIZE0, self.log2_size[0] | self.log2_size[1] << 8);
        if let Some(clut) = self.clut {
            list.command(Opcode::CLUTFORMAT, clut.format | 0xFF << 8)
                .split_address(Opcode::CLUTADDR, Opcode::CLUTADDRHI, clut.address, 0)
                .command(Opcode::LOADCLUT, clut.blocks);
        }
        list.command(Opcode::TEXFLUSH, 0);
    }
}
