//! A place in VRAM that is watched.

use super::Fragment;
use crate::batch;
use crate::draw::VramRange;
use crate::reference::{self, color_offset};
use crate::setup::{EdgeBases, Primitive};
use crate::state::Target;
use crate::vram::Vram;

const SIZE_MASK: u32 = Vram::SIZE as u32 - 1;

/// Bytes of VRAM, as the primary copy shows them, and what primitives did there.
#[derive(Debug)]
pub(crate) struct Watch {
    start: u32,
    length: u32,
    pub(crate) fragments: Vec<Fragment>,
}

impl Watch {
    /// Bytes of one pixel: four at most.
    pub(crate) fn new(range: VramRange) -> Self {
        Self {
            start: range.start & SIZE_MASK,
            length: range.length.min(4),
            fragments: Vec::new(),
        }
    }

    /// Whether a pixel of a target lies there, or a part of it.
    pub(crate) fn is_at(&self, target: &Target, x: i32, y: i32) -> bool {
        let pixel = color_offset(target, x, y);
        (0..self.length).any(|byte| self.distance(byte, pixel) < target.format.bytes())
    }

    /// Whether a record covers a pixel there.
    pub(crate) fn is_covered_by(&self, target: &Target, record: &Primitive, bases: EdgeBases) -> bool {
        let area = batch::rectangle(record);
        (area.top..area.bottom).any(|y| {
            let first = color_offset(target, area.left, y);
            (0..self.length).any(|byte| {
                let column = (self.distance(byte, first) / target.format.bytes()) as i32;
                column < area.right - area.left && reference::covers(record, bases, area.left + column, y)
            })
        })
    }

    /// Bytes from a place on to a watched byte.
    fn distance(&self, byte: u32, from: u32) -> u32 {
        self.start.wrapping_add(byte).wrapping_sub(from) & SIZE_MASK
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::FrameFormat;

    #[test]
    fn pixels_that_share_a_byte_are_there() {
        let target = |format| Target {
            color_offset: 0x1F_FFF0,
            color_stride: 64,
            format,
            ..Target::default()
        };
        // The pixel (6, 0) in 8888, behind the end of VRAM.
        let watch = Watch::new(VramRange {
            start: 0x20_0008,
            length: 4,
        });
        let found = |format| -> Vec<(i32, i32)> {
            let places = (0..2).flat_map(|y| (-8..64).map(move |x| (x, y)));
            let target = target(format);
            places.filter(|&(x, y)| watch.is_at(&target, x, y)).collect()
        };
        assert_eq!(found(FrameFormat::RGBA8888), [(6, 0)]);
        assert_eq!(found(FrameFormat::RGB565), [(12, 0), (13, 0)]);
    }
}
