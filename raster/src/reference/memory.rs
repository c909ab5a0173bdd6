//! A pixel's places in VRAM (spec/ge-raster.md §12).

use super::Stored;
use crate::code::FrameFormat;
use crate::compiled::Pipeline;
use crate::format;
use crate::state::Target;
use crate::vram::Vram;

const SIZE: u32 = Vram::SIZE as u32;

/// The third copy, in which depth is linear.
const DEPTH_WINDOW: u32 = 3 * SIZE;

/// Bytes from the start of a buffer to a pixel.
fn pixel_bytes(x: i32, y: i32, stride: u16, pixel: u32) -> u32 {
    let index = (y as u32).wrapping_mul(stride.into()).wrapping_add(x as u32);
    index.wrapping_mul(pixel)
}

/// The byte of the primary copy at which a pixel's colour begins. What is beyond the end of VRAM is at its beginning.
pub(crate) fn color_offset(target: &Target, x: i32, y: i32) -> u32 {
    let pixel = pixel_bytes(x, y, target.color_stride, target.format.bytes());
    (target.color_offset & !15).wrapping_add(pixel) % SIZE
}

/// The byte of the window at which a pixel's depth begins.
fn depth_offset(target: &Target, x: i32, y: i32) -> u32 {
    let pixel = pixel_bytes(x, y, target.depth_stride, 2);
    DEPTH_WINDOW + (target.depth_offset & !15).wrapping_add(pixel) % SIZE
}

/// What VRAM holds for a pixel.
pub(crate) fn load(vram: &Vram, target: &Target, x: i32, y: i32) -> Stored {
    let color = vram.color(color_offset(target, x, y), target.format);
    let mut depth = [0; 2];
    vram.read(depth_offset(target, x, y), &mut depth);
    Stored {
        color,
        depth: u16::from_le_bytes(depth),
    }
}

/// Stores the pixel, depth first: where both share bytes the colour stays (spec/ge-raster.md §12).
pub(crate) fn store(
    vram: &mut Vram,
    target: &Target,
    (x, y): (i32, i32),
    pixel: Stored,
    pipeline: &Pipeline,
) {
    if pipeline.writes_depth {
        vram.write(depth_offset(target, x, y), &pixel.depth.to_le_bytes());
    }
    if pipeline.writes_color {
        let start = color_offset(target, x, y);
        match target.format {
            FrameFormat::RGBA8888 => vram.write(start, &pixel.color.to_le_bytes()),
            packed => vram.write(start, &format::pack(pixel.color, packed).to_le_bytes()),
        }
    }
}
