//! A tile of the frame: its colours and depths while primitives draw into them.

use super::lanes::{LANES, SIDE};
use crate::code::FrameFormat;
use crate::format;
use crate::setup::PixelRectangle;
use crate::state::Target;
use crate::vram::Vram;

const SIZE_MASK: u32 = Vram::SIZE as u32 - 1;
/// Pixels in a row of the largest tile.
const LARGEST: usize = 64;

/// Colours are kept as 8888, expanded from the frame's format and cut to it again after each write; only their layout
/// changes at the edges. Pixels lie block by block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tile {
    /// Column of the first pixel.
    pub(super) left: i32,
    /// Row of the first pixel.
    pub(super) top: i32,
    /// Pixels in a row, a multiple of four.
    pub(super) size: i32,
    pub(super) colors: Vec<[u32; LANES]>,
    pub(super) depths: Vec<[u32; LANES]>,
    /// What is loaded, and stored again.
    area: PixelRectangle,
    pub(super) color_written: bool,
    pub(super) depth_written: bool,
}

impl Tile {
    /// Moves the tile to a place of the frame and loads the pixels of `area`, which lies inside.
    pub(crate) fn load(
        &mut self,
        vram: &Vram,
        target: &Target,
        (left, top, size): (i32, i32, i32),
        area: PixelRectangle,
        with_depth: bool,
    ) {
        (self.left, self.top, self.size, self.area) = (left, top, size, area);
        (self.color_written, self.depth_written) = (false, false);
        let blocks = ((size / SIDE) * (size / SIDE)) as usize;
        if self.colors.len() < blocks {
            self.colors.resize(blocks, [0; LANES]);
            self.depths.resize(blocks, [0; LANES]);
        }
        let columns = (area.right - area.left) as usize;
        let (mut colors, mut depths) = ([0; LARGEST], [0; LARGEST]);
        for y in area.top..area.bottom {
            let row = &mut colors[..columns];
            load_colors(vram, target, area.left, y, row);
            self.scatter(y, row, |tile| &mut tile.colors);
            if with_depth {
                let row = &mut depths[..columns];
                vram.read_depth(depth_offset(target, area.left, y), row);
                let mut wide = [0; LARGEST];
                for (wide, &depth) in wide.iter_mut().zip(&*row) {
                    *wide = depth.into();
                }
                self.scatter(y, &wide[..columns], |tile| &mut tile.depths);
            }
        }
    }

    /// Stores what was written, depth first.
    pub(crate) fn store(&self, vram: &mut Vram, target: &Target) {
        let columns = (self.area.right - self.area.left) as usize;
        let mut row = [0; LARGEST];
        let row = &mut row[..columns];
        for y in self.area.top..self.area.bottom {
            if self.depth_written {
                self.gather(y, &self.depths, row);
                let mut narrow = [0; LARGEST];
                for (narrow, &depth) in narrow.iter_mut().zip(&*row) {
                    *narrow = depth as u16;
                }
                vram.write_depth(depth_offset(target, self.area.left, y), &narrow[..columns]);
            }
            if self.color_written {
                self.gather(y, &self.colors, row);
                store_colors(vram, target, self.area.left, y, row);
            }
        }
    }

    /// The blocks of a row: the first one's index, the lane of the row's first pixel there, and the lane of the next.
    fn place(&self, x: i32, y: i32) -> (usize, usize) {
        let (column, row) = (x - self.left, y - self.top);
        let block = (row / SIDE) * (self.size / SIDE) + column / SIDE;
        (block as usize, ((row % SIDE) * SIDE + column % SIDE) as usize)
    }

    fn scatter(&mut self, y: i32, row: &[u32], buffer: impl Fn(&mut Self) -> &mut Vec<[u32; LANES]>) {
        let (mut block, lane) = self.place(self.area.left, y);
        let blocks = buffer(self);
        let first_lane = lane - lane % SIDE as usize;
        let head = (SIDE as usize - lane % SIDE as usize).min(row.len());
        let (first, rest) = row.split_at(head);
        blocks[block][lane..lane + head].copy_from_slice(first);
        let mut chunks = rest.chunks_exact(SIDE as usize);
        for chunk in &mut chunks {
            block += 1;
            blocks[block][first_lane..first_lane + SIDE as usize].copy_from_slice(chunk);
        }
        let tail = chunks.remainder();
        if !tail.is_empty() {
            blocks[block + 1][first_lane..first_lane + tail.len()].copy_from_slice(tail);
        }
    }

    fn gather(&self, y: i32, blocks: &[[u32; LANES]], row: &mut [u32]) {
        let (mut block, lane) = self.place(self.area.left, y);
        let first_lane = lane - lane % SIDE as usize;
        let head = (SIDE as usize - lane % SIDE as usize).min(row.len());
        let (first, rest) = row.split_at_mut(head);
        first.copy_from_slice(&blocks[block][lane..lane + head]);
        let mut chunks = rest.chunks_exact_mut(SIDE as usize);
        for chunk in &mut chunks {
            block += 1;
            chunk.copy_from_slice(&blocks[block][first_lane..first_lane + SIDE as usize]);
        }
        let tail = chunks.into_remainder();
        if !tail.is_empty() {
            let length = tail.len();
            tail.copy_from_slice(&blocks[block + 1][first_lane..first_lane + length]);
        }
    }
}

/// The byte of VRAM at which a pixel's colour begins.
fn color_offset(target: &Target, x: i32, y: i32) -> u32 {
    let pixel = (y as u32)
        .wrapping_mul(u32::from(target.color_stride))
        .wrapping_add(x as u32);
    (target.color_offset & !15).wrapping_add(pixel.wrapping_mul(target.format.bytes())) & SIZE_MASK
}

fn depth_offset(target: &Target, x: i32, y: i32) -> u32 {
    let pixel = (y as u32)
        .wrapping_mul(u32::from(target.depth_stride))
        .wrapping_add(x as u32);
    (target.depth_offset & !15).wrapping_add(2 * pixel) & SIZE_MASK
}

fn load_colors(vram: &Vram, target: &Target, x: i32, y: i32, row: &mut [u32]) {
    let start = color_offset(target, x, y) as usize;
    let bytes = target.format.bytes() as usize;
    let Some(stored) = vram.bytes().get(start..start + row.len() * bytes) else {
        // Across the end of VRAM.
        for (column, color) in row.iter_mut().enumerate() {
            *color = vram.color(color_offset(target, x + column as i32, y), target.format);
        }
        return;
    };
    let expand = |row: &mut [u32], format: FrameFormat| {
        for (color, pixel) in row.iter_mut().zip(stored.chunks_exact(2)) {
            *color = format::expand(u16::from_le_bytes([pixel[0], pixel[1]]), format);
        }
    };
    match target.format {
        FrameFormat::RGB565 => expand(row, FrameFormat::RGB565),
        FrameFormat::RGBA5551 => expand(row, FrameFormat::RGBA5551),
        FrameFormat::RGBA4444 => expand(row, FrameFormat::RGBA4444),
        _ => {
            for (color, pixel) in row.iter_mut().zip(stored.chunks_exact(4)) {
                *color = u32::from_le_bytes([pixel[0], pixel[1], pixel[2], pixel[3]]);
            }
        }
    }
}

fn store_colors(vram: &mut Vram, target: &Target, x: i32, y: i32, row: &[u32]) {
    let start = color_offset(target, x, y) as usize;
    let bytes = target.format.bytes() as usize;
    if let Some(stored) = vram.slice_mut(start, row.len() * bytes) {
        let mut pack = |format: FrameFormat| {
            for (&color, pixel) in row.iter().zip(stored.chunks_exact_mut(2)) {
                pixel.copy_from_slice(&format::pack(color, format).to_le_bytes());
            }
        };
        match target.format {
            FrameFormat::RGB565 => pack(FrameFormat::RGB565),
            FrameFormat::RGBA5551 => pack(FrameFormat::RGBA5551),
            FrameFormat::RGBA4444 => pack(FrameFormat::RGBA4444),
            _ => {
                for (&color, pixel) in row.iter().zip(stored.chunks_exact_mut(4)) {
                    pixel.copy_from_slice(&color.to_le_bytes());
                }
            }
        }
        return;
    }
    for (column, &color) in row.iter().enumerate() {
        let start = color_offset(target, x + column as i32, y) as usize;
        if let Some(pixel) = vram.slice_mut(start, bytes) {
            if bytes == 4 {
                pixel.copy_from_slice(&color.to_le_bytes());
            } else {
                pixel.copy_from_slice(&format::pack(color, target.format).to_le_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_loaded_is_stored_again_across_the_end() {
        for code in 0..4 {
            let format = FrameFormat::from_bits(code);
            let mut vram = Vram::default();
            for (index, byte) in vram.bytes_mut().iter_mut().enumerate() {
                *byte = (index * 31 + index / 256) as u8;
            }
            let before = vram.bytes().to_vec();
            let target = Target {
                color_offset: 0x1F_FFD0,
                color_stride: 64,
                depth_stride: 64,
                depth_offset: 0x1F_FFF0,
                format,
                ..Target::default()
            };
            for (left, right) in [(1, 31), (0, 32), (5, 6), (6, 9), (4, 8)] {
                let area = PixelRectangle {
                    left,
                    top: 0,
                    right,
                    bottom: 7,
                };
                let mut tile = Tile::default();
                tile.load(&vram, &target, (0, 0, 32), area, true);
                (tile.color_written, tile.depth_written) = (true, true);
                tile.store(&mut vram, &target);
                assert_eq!(vram.bytes(), before);
            }
            let area = PixelRectangle {
                left: 1,
                top: 0,
                right: 31,
                bottom: 7,
            };
            let mut tile = Tile::default();
            tile.load(&vram, &target, (0, 0, 32), area, true);
            let (block, lane) = tile.place(20, 3);
            tile.depths[block][lane] = 0xABCD;
            tile.depth_written = true;
            tile.store(&mut vram, &target);
            let mut depth = [0; 2];
            vram.read(
                0x60_0000 + ((0x1F_FFF0 + 2 * (3 * 64 + 20)) & SIZE_MASK),
                &mut depth,
            );
            assert_eq!(depth, [0xCD, 0xAB]);
        }
    }
}
