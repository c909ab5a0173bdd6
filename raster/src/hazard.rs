//! Whether bytes of VRAM overlap what pending primitives draw (spec/gpu-notes.md §6).
//!
//! Pixels are as if each primitive were drawn when it is submitted, pixel after pixel in rows, each loaded from VRAM and
//! stored there. Primitives may wait in a batch, be drawn tile by tile and in parallel as long as nobody can tell. What
//! waits is drawn first, for the [`FlushReason`] named here, when
//!
//! - the target changes, since a batch has one ([`FlushReason::TargetChanged`]);
//! - a primitive would bring a second pixel to bytes of VRAM that belong to another pixel of the batch, as colour or as
//!   depth. That is asked of the rectangle around them all, of colours whether they are written or not, and of depth as
//!   soon as one primitive looks at it: tiles load and store whole rectangles, so that a pixel must own its bytes. A
//!   primitive that shares bytes with itself is drawn by the reference kernel ([`FlushReason::OverlappingTarget`]);
//! - a primitive samples a texture where pending ones write. A texture is decoded when its primitive is submitted: one
//!   that lies where the primitive itself draws shows what was there before ([`FlushReason::TextureRead`]);
//! - bytes that pending primitives write are read: by the loading of a CLUT, as vertices or lists, by a block transfer,
//!   by the processor ([`FlushReason::ClutLoad`], [`FlushReason::VertexRead`], [`FlushReason::TransferRead`],
//!   [`FlushReason::ProcessorRead`]);
//! - bytes that they write or load are written: all their colours, and depths as soon as one looks at them
//!   ([`FlushReason::TransferWrite`], [`FlushReason::ProcessorWrite`]);
//! - the batch is full, or the picture is wanted ([`FlushReason::BatchFull`], [`FlushReason::Finished`]).
//!
//! The permutation of the copies decides where depth lies: whoever changes it has everything drawn first.
//!
//! [`FlushReason`]: crate::statistics::FlushReason
//! [`FlushReason::TargetChanged`]: crate::statistics::FlushReason::TargetChanged
//! [`FlushReason::OverlappingTarget`]: crate::statistics::FlushReason::OverlappingTarget
//! [`FlushReason::TextureRead`]: crate::statistics::FlushReason::TextureRead
//! [`FlushReason::ClutLoad`]: crate::statistics::FlushReason::ClutLoad
//! [`FlushReason::VertexRead`]: crate::statistics::FlushReason::VertexRead
//! [`FlushReason::TransferRead`]: crate::statistics::FlushReason::TransferRead
//! [`FlushReason::ProcessorRead`]: crate::statistics::FlushReason::ProcessorRead
//! [`FlushReason::TransferWrite`]: crate::statistics::FlushReason::TransferWrite
//! [`FlushReason::ProcessorWrite`]: crate::statistics::FlushReason::ProcessorWrite
//! [`FlushReason::BatchFull`]: crate::statistics::FlushReason::BatchFull
//! [`FlushReason::Finished`]: crate::statistics::FlushReason::Finished

use crate::draw::VramRange;
use crate::setup::PixelRectangle;
use crate::state::Target;
use crate::vram::{EdramTranslation, PageSet, View, Vram, any_piece};

const SIZE: u32 = Vram::SIZE as u32;

/// The pixels of a buffer that may be written, as rows of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rows {
    /// The first byte of the first row.
    first: u32,
    /// Bytes from row to row.
    stride: u32,
    /// Bytes of a row.
    length: u32,
    count: u32,
}

impl Rows {
    fn color(target: &Target, area: PixelRectangle) -> Self {
        Self::new(
            target.color_offset,
            target.color_stride,
            target.format.bytes(),
            area,
        )
    }

    fn depth(target: &Target, area: PixelRectangle) -> Self {
        Self::new(target.depth_offset, target.depth_stride, 2, area)
    }

    fn new(offset: u32, stride: u16, pixel: u32, area: PixelRectangle) -> Self {
        let stride = u32::from(stride) * pixel;
        Self {
            first: (offset & !15).wrapping_add(area.top as u32 * stride + area.left as u32 * pixel) % SIZE,
            stride,
            length: (area.right - area.left) as u32 * pixel,
            count: (area.bottom - area.top) as u32,
        }
    }

    /// Bytes from the first to the last.
    fn extent(self) -> u32 {
        (self.count - 1) * self.stride + self.length
    }

    /// Whether two pixels lie at the same place.
    fn overlap_themselves(self) -> bool {
        (self.count > 1 && self.length > self.stride) || self.extent() > SIZE
    }

    /// Whether some bytes lie in a row. Exact for rows that do not overlap themselves; never misses one.
    fn overlap(self, start: u32, length: u32) -> bool {
        if length == 0 {
            return false;
        }
        if self.extent() > SIZE {
            // What goes around lies between the rows that came first.
            return true;
        }
        let from_first = start.wrapping_sub(self.first) % SIZE;
        if from_first >= self.extent() {
            // Only by going on at the beginning of VRAM can it reach the first row.
            return u64::from(from_first) + u64::from(length) > u64::from(SIZE);
        }
        let in_row = from_first.checked_rem(self.stride).unwrap_or(from_first);
        in_row < self.length || u64::from(in_row) + u64::from(length) > u64::from(self.stride)
    }
}

/// What pending primitives may write: the pixels of a rectangle around them all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PendingWrites {
    pub(crate) target: Target,
    pub(crate) area: PixelRectangle,
    pub(crate) color: bool,
    pub(crate) depth: bool,
}

impl PendingWrites {
    /// Whether a range of VRAM holds bytes that may be written.
    pub(crate) fn overlap(&self, range: VramRange, translation: EdramTranslation) -> bool {
        if self.area.is_empty() {
            return false;
        }
        let color = Rows::color(&self.target, self.area);
        let depth = Rows::depth(&self.target, self.area);
        (self.color
            && any_piece(range, translation, View::Primary, |start, length| {
                color.overlap(start, length)
            }))
            || (self.depth
                && any_piece(range, translation, View::Linear, |start, length| {
                    depth.overlap(start, length)
                }))
    }

    /// Whether two of the pixels share bytes: rows that are longer than the stride, or colour and depth.
    /// `uses_depth` tells whether depth is even looked at.
    pub(crate) fn overlap_themselves(&self, uses_depth: bool, translation: EdramTranslation) -> bool {
        if self.area.is_empty() {
            return false;
        }
        let color = Rows::color(&self.target, self.area);
        if color.overlap_themselves() {
            return true;
        }
        if !uses_depth {
            return false;
        }
        let depth = Rows::depth(&self.target, self.area);
        if depth.overlap_themselves() {
            return true;
        }
        // Rows of colours as the linear view shows them. They wrap inside the primary copy, where a range of the
        // window would go on in the next one.
        let meets_depth = |start: u32, length: u32| {
            let start = start % SIZE;
            let before_end = length.min(SIZE - start);
            [(start, before_end), (0, length - before_end)]
                .into_iter()
                .any(|(start, length)| {
                    let range = VramRange { start, length };
                    any_piece(range, translation, View::Linear, |start, length| {
                        depth.overlap(start, length)
                    })
                })
        };
        meets_depth(color.first, color.extent())
            && (0..color.count).any(|y| meets_depth(color.first + y * color.stride, color.length))
    }
}

#[cfg(feature = "gpu")]
impl PendingWrites {
    /// The same with whole pairs of pixels, which share a word where they have 16 bits.
    pub(crate) fn in_pairs(self) -> Self {
        Self {
            area: PixelRectangle {
                left: self.area.left & !1,
                right: (self.area.right + 1) & !1,
                ..self.area
            },
            ..self
        }
    }
}

impl PendingWrites {
    /// The pages that are written, and perhaps some between them.
    pub(crate) fn pages(&self, translation: EdramTranslation) -> PageSet {
        let mut pages = PageSet::default();
        if self.area.is_empty() {
            return pages;
        }
        if self.color {
            let rows = Rows::color(&self.target, self.area);
            pages.add(rows.first, rows.extent());
        }
        if self.depth {
            let rows = Rows::depth(&self.target, self.area);
            let chunk = translation.chunk_size();
            let (first, last) = (rows.first / chunk, (rows.first + rows.extent() - 1) / chunk);
            for number in first..=last {
                pages.add(translation.swap_chunk(number * chunk % SIZE), chunk);
            }
        }
        pages
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::code::FrameFormat;
    use proptest::prelude::*;

    fn pending(color_offset: u32, depth_offset: u32, stride: u16, area: PixelRectangle) -> PendingWrites {
        let target = Target {
            color_offset,
            color_stride: stride,
            depth_stride: stride,
            depth_offset,
            format: FrameFormat::RGB565,
            ..Target::default()
        };
        PendingWrites {
            target,
            area,
            color: true,
            depth: true,
        }
    }

    /// Every byte of every pixel, in the primary copy: colours, then depths.
    fn pixel_bytes(pending: &PendingWrites, vram: &Vram) -> [Vec<u32>; 2] {
        let area = pending.area;
        let pixels = || (area.top..area.bottom).flat_map(|y| (area.left..area.right).map(move |x| (x, y)));
        let bytes = |offset: u32, stride: u16| {
            let pixel = move |(x, y)| offset + 2 * (y as u32 * u32::from(stride) + x as u32);
            pixels()
                .map(pixel)
                .flat_map(|first| [first % SIZE, (first + 1) % SIZE])
        };
        let target = &pending.target;
        let linear = bytes(target.depth_offset, target.depth_stride);
        [
            bytes(target.color_offset, target.color_stride).collect(),
            linear
                .map(|offset| vram.primary_offset(3 * SIZE + offset))
                .collect(),
        ]
    }

    /// Byte by byte.
    fn bytes_overlap(pending: &PendingWrites, range: VramRange, vram: &Vram) -> bool {
        let written: HashSet<u32> = pixel_bytes(pending, vram).concat().into_iter().collect();
        (0..range.length).any(|byte| written.contains(&vram.primary_offset(range.start + byte)))
    }

    fn translations() -> impl Strategy<Value = EdramTranslation> {
        prop::sample::select(vec![0x400, 0, 0x200, 0x800, 0x1000, u32::MAX])
            .prop_map(|width| EdramTranslation::from_width(width).unwrap_or(EdramTranslation::IDENTITY))
    }

    proptest! {
        #[test]
        fn no_overlap_is_missed(
            (color, depth) in (0u32..0x2_0000, 0u32..0x2_0000),
            stride in 0u16..16, (left, top) in (0i32..40, 0i32..10), (width, height) in (1i32..24, 1i32..20),
            copy in 0u32..4, start in -200i64..0x4000, length in 0u32..600, translation in translations(),
        ) {
            let area = PixelRectangle { left, top, right: left + width, bottom: top + height };
            let color = (color * 16) % SIZE;
            let depth = (depth * 16) % SIZE;
            let pending = pending(color, depth, stride * 4, area);
            let vram = Vram::new(translation);
            let start = (i64::from(color) + start).rem_euclid(i64::from(SIZE)) as u32 + copy * SIZE;
            let range = VramRange { start, length };
            let (found, real) = (pending.overlap(range, translation), bytes_overlap(&pending, range, &vram));
            prop_assert!(found || !real);
            // Without permutation the answer for colours is exact.
            if copy % 2 == 0 && !pending.overlap_themselves(false, translation) {
                let colors = PendingWrites { depth: false, ..pending };
                let bytes = pixel_bytes(&pending, &vram);
                let real = (0..length).any(|byte| bytes[0].contains(&((start + byte) % SIZE)));
                prop_assert_eq!(colors.overlap(range, translation), real);
            }
        }

        /// What is called free of overlaps is: no byte belongs to two pixels, or to a colour and a depth.
        #[test]
        fn no_shared_byte_is_missed(
            color in 0u32..0x2_0000, apart in 0u32..0x400, (stride, depth_stride) in (0u16..12, 0u16..12),
            (left, top) in (0i32..40, 0i32..10), (width, height) in (1i32..40, 1i32..12), uses_depth: bool,
            translation in translations(),
        ) {
            let area = PixelRectangle { left, top, right: left + width, bottom: top + height };
            let color = (color * 16) % SIZE;
            let mut pending = pending(color, (color + 16 * apart) % SIZE, stride * 4, area);
            pending.target.depth_stride = depth_stride * 4;
            let [mut bytes, depths] = pixel_bytes(&pending, &Vram::new(translation));
            if uses_depth {
                bytes.extend(depths);
            }
            let distinct: HashSet<u32> = bytes.iter().copied().collect();
            let shared = distinct.len() < bytes.len();
            prop_assert!(!shared || pending.overlap_themselves(uses_depth, translation));
            // Rows alone are told exactly.
            prop_assert!(uses_depth || shared == pending.overlap_themselves(false, translation));
        }
    }

    #[test]
    fn rows_that_go_around_are_seen_between_the_first_ones() {
        let area = PixelRectangle {
            left: 0,
            top: 0,
            right: 16,
            bottom: 1024,
        };
        // Row 600 lies 8 bytes before another one.
        let pending = pending(0, 0, 2044, area);
        let range = VramRange {
            start: 600 * 4088 - SIZE,
            length: 2,
        };
        assert!(bytes_overlap(&pending, range, &Vram::default()));
        assert!(pending.overlap(range, EdramTranslation::default()));
    }

    #[test]
    fn colours_that_wrap_into_depth_are_seen() {
        let area = PixelRectangle {
            left: 0,
            top: 0,
            right: 128,
            bottom: 100,
        };
        let wrapping = pending(0x1F_F000, 0x1000, 128, area);
        assert!(wrapping.overlap_themselves(true, EdramTranslation::default()));
        let apart = pending(0x1F_F000, 0x1_0000, 128, area);
        assert!(!apart.overlap_themselves(true, EdramTranslation::default()));
    }

    #[test]
    fn a_texture_between_rows_is_no_hazard() {
        let area = PixelRectangle {
            left: 0,
            top: 0,
            right: 480,
            bottom: 272,
        };
        let pending = PendingWrites {
            depth: false,
            ..pending(0, 0, 512, area)
        };
        let translation = EdramTranslation::default();
        let overlap = |start, length| pending.overlap(VramRange { start, length }, translation);
        assert!(!overlap(960, 64) && overlap(960, 65) && overlap(959, 1));
        assert!(!overlap(271 * 1024 + 960, 0x10_0000) && overlap(0x1F_FFFF, 2));
        assert!(!overlap(0x5F_FFFF, 1) && overlap(0x40_0000, 1));
    }

    #[test]
    fn buffers_side_by_side_do_not_overlap() {
        let area = PixelRectangle {
            left: 0,
            top: 0,
            right: 480,
            bottom: 272,
        };
        let translation = EdramTranslation::default();
        let apart = pending(0, 0x8_8000, 512, area);
        assert!(!apart.overlap_themselves(true, translation));
        let same = pending(0, 0, 512, area);
        assert!(same.overlap_themselves(true, translation) && !same.overlap_themselves(false, translation));
        let narrow = pending(0, 0x10_0000, 256, area);
        assert!(narrow.overlap_themselves(false, translation));
        let one_row = PixelRectangle { bottom: 1, ..area };
        assert!(!pending(0, 0x10_0000, 256, one_row).overlap_themselves(true, translation));
    }
}
