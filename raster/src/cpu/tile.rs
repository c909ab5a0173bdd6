//! A tile of the frame: its colours and depths while primitives draw into them.

use crate::code::FrameFormat;
use crate::format;
use crate::setup::PixelRectangle;
use crate::state::Target;
use crate::vram::Vram;

const SIZE_MASK: u32 = Vram::SIZE as u32 - 1;

/// Colours are kept as 8888, expanded from the frame's format and cut to it again after each write; only their layout
/// changes at the edges.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tile {
    /// Column of the first pixel.
    pub(super) left: i32,
    /// Row of the first pixel.
    pub(super) top: i32,
    /// Pixels in a row.
    pub(super) size: i32,
    pub(super) colors: Vec<u32>,
    pub(super) depths: Vec<u16>,
    /// What is loaded, and stored again.
    pub(super) area: PixelRectangle,
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
        let count = (size * size) as usize;
        if self.colors.len() < count {
            self.colors.resize(count, 0);
            self.depths.resize(count, 0);
        }
        let columns = (area.right - area.left) as usize;
        for y in area.top..area.bottom {
            let start = self.index(area.left, y);
            load_colors(
                vram,
                target,
                area.left,
                y,
                &mut self.colors[start..start + columns],
            );
            if with_depth {
                vram.read_depth(
                    depth_offset(target, area.left, y),
                    &mut self.depths[start..start + columns],
                );
            }
        }
    }

    /// Stores what was written, depth first.
    pub(crate) fn store(&self, vram: &mut Vram, target: &Target) {
        let columns = (self.area.right - self.area.left) as usize;
        for y in self.area.top..self.area.bottom {
            let start = self.index(self.area.left, y);
            if self.depth_written {
                vram.write_depth(
                    depth_offset(target, self.area.left, y),
                    &self.depths[start..start + columns],
                );
            }
            if self.color_written {
                store_colors(
                    vram,
                    target,
                    self.area.left,
                    y,
                    &self.colors[start..start + columns],
                );
            }
        }
    }

    /// Where a pixel's colour and depth are.
    #[inline]
    pub(super) fn index(&self, x: i32, y: i32) -> usize {
        ((y - self.top) * self.size + (x - self.left)) as usize
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
    if target.format == FrameFormat::RGBA8888 {
        for (color, pixel) in row.iter_mut().zip(stored.chunks_exact(4)) {
            *color = u32::from_le_bytes([pixel[0], pixel[1], pixel[2], pixel[3]]);
        }
    } else {
        for (color, pixel) in row.iter_mut().zip(stored.chunks_exact(2)) {
            *color = format::expand(u16::from_le_bytes([pixel[0], pixel[1]]), target.format);
        }
    }
}

fn store_colors(vram: &mut Vram, target: &Target, x: i32, y: i32, row: &[u32]) {
    let start = color_offset(target, x, y) as usize;
    let bytes = target.format.bytes() as usize;
    let store = |pixel: &mut [u8], color: u32| {
        if bytes == 4 {
            pixel.copy_from_slice(&color.to_le_bytes());
        } else {
            pixel.copy_from_slice(&format::pack(color, target.format).to_le_bytes());
        }
    };
    if let Some(stored) = vram.slice_mut(start, row.len() * bytes) {
        for (&color, pixel) in row.iter().zip(stored.chunks_exact_mut(bytes)) {
            store(pixel, color);
        }
        return;
    }
    for (column, &color) in row.iter().enumerate() {
        let start = color_offset(target, x + column as i32, y) as usize;
        if let Some(pixel) = vram.slice_mut(start, bytes) {
            store(pixel, color);
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
            let area = PixelRectangle {
                left: 1,
                top: 0,
                right: 31,
                bottom: 7,
            };
            let mut tile = Tile::default();
            tile.load(&vram, &target, (0, 0, 32), area, true);
            tile.color_written = true;
            tile.store(&mut vram, &target);
            assert_eq!(vram.bytes(), before);
            let index = tile.index(20, 3);
            tile.depths[index] = 0xABCD;
            (tile.color_written, tile.depth_written) = (false, true);
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
