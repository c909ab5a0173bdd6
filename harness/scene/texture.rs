//! A bank's images as the GE reads them.

use formats::tmh::{PixelFormat, TmhImage};
use ge::Address;
use ge::command::Opcode;

use super::DisplayList;

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

impl PlacedTexture {
    /// `image` whose pixels stand at `address`, `buffer_width` pixels a row, drawn with the palette at
    /// `clut`.
    #[must_use]
    pub fn new(image: &TmhImage, address: Address, buffer_width: u32, clut: Option<PlacedClut>) -> Self {
        let size = [image.width(), image.height()].map(u32::from);
        let log2_size = size.map(|side| side.next_power_of_two().ilog2());
        let coordinate_scale =
            [0, 1].map(|axis| size[axis].max(1) as f32 / (1_u32 << log2_size[axis]) as f32);
        Self {
            address,
            clut,
            format: image.format(),
            log2_size,
            buffer_width,
            coordinate_scale,
        }
    }

    /// The commands with which the engine binds a texture: texel order, format, address, stride,
    /// size, the palette's format, address and load, and a flush (`spec/mhp-formats.md §3.6`).
    pub fn bind(&self, list: &mut DisplayList) {
        list.switch(Opcode::TEXENABLE, true)
            .command(Opcode::TEXMODE, 1)
            .command(Opcode::TEXFORMAT, self.format.code())
            .split_address(
                Opcode::TEXADDR0,
                Opcode::TEXBUFW0,
                self.address,
                self.buffer_width,
            )
            .command(Opcode::TEXSIZE0, self.log2_size[0] | self.log2_size[1] << 8);
        if let Some(clut) = self.clut {
            list.command(Opcode::CLUTFORMAT, clut.format | 0xFF << 8)
                .split_address(Opcode::CLUTADDR, Opcode::CLUTADDRHI, clut.address, 0)
                .command(Opcode::LOADCLUT, clut.blocks);
        }
        list.command(Opcode::TEXFLUSH, 0);
    }
}
