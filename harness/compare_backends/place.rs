//! Which pixel a byte of VRAM belongs to.
use raster::{PixelState, Vram};
use serde::Serialize;

/// The buffer that a byte lies in, as a draw sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Buffer {
    /// Where the draw's colours go.
    Color,
    /// Where its depths go.
    Depth,
    /// Neither.
    Other,
}

/// A pixel, or a byte that is part of none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// What it is a pixel of.
    pub buffer: Buffer,
    /// Column and row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixel: Option<[u32; 2]>,
    /// Bytes of its value.
    pub size: usize,
}

impl Place {
    /// The place of a byte of the primary copy, in the buffers of a draw.
    pub(super) fn of(offset: u32, state: &PixelState, vram: &Vram) -> Self {
        let target = &state.target;
        let size = target.format.bytes();
        let scissor = state.scissor;
        let reached = |[x, y]: [u32; 2]| x <= scissor.right.into() && y <= scissor.bottom.into();
        let color = pixel(offset, target.color_offset, target.color_stride, size);
        if let Some(pixel) = color.filter(|&pixel| reached(pixel)) {
            return Self {
                buffer: Buffer::Color,
                pixel: Some(pixel),
                size: size as usize,
            };
        }
        // The depth buffer lies in order in the third mirror.
        let wanted = offset & !1;
        let rows = 0..=u32::from(scissor.bottom);
        let depth = rows
            .flat_map(|y| (0..=u32::from(scissor.right)).map(move |x| [x, y]))
            .find(|&[x, y]| {
                let linear = target.depth_offset + 2 * (y * u32::from(target.depth_stride) + x);
                vram.primary_offset(3 * Vram::SIZE as u32 + linear % Vram::SIZE as u32) == wanted
            });
        Self {
            buffer: if depth.is_some() {
                Buffer::Depth
            } else {
                Buffer::Other
            },
            pixel: depth,
            size: if depth.is_some() { 2 } else { 1 },
        }
    }

    /// The value that the byte at `offset` is a part of.
    pub(super) fn value(self, bytes: &[u8], offset: usize) -> u32 {
        let first = offset / self.size * self.size;
        let value = bytes.get(first..first + self.size).unwrap_or_default();
        value
            .iter()
            .rev()
            .fold(0, |word, &byte| (word << 8) | u32::from(byte))
    }
}

/// The pixel of a linear buffer that a byte belongs to.
fn pixel(offset: u32, start: u32, stride: u16, size: u32) -> Option<[u32; 2]> {
    let number = offset.checked_sub(start)? / size;
    let stride = u32::from(stride);
    (stride > 0).then(|| [number % stride, number / stride])
}

#[cfg(test)]
mod tests {
    use raster::{FrameFormat, Scissor, Target};

    use super::*;

    #[test]
    fn bytes_are_told_by_the_draws_buffers() {
        let state = PixelState {
            target: Target {
                color_offset: 0x1000,
                color_stride: 512,
                depth_stride: 512,
                depth_offset: 0x11_0000,
                format: FrameFormat::RGB565,
                ..Target::default()
            },
            scissor: Scissor {
                left: 0,
                top: 0,
                right: 479,
                bottom: 271,
            },
            ..PixelState::default()
        };
        let vram = Vram::default();
        let color = Place::of(0x1000 + 2 * (3 * 512 + 7) + 1, &state, &vram);
        assert_eq!(
            (color.buffer, color.pixel, color.size),
            (Buffer::Color, Some([7, 3]), 2)
        );
        let linear = 0x11_0000 + 2 * (5 * 512 + 9);
        let depth = Place::of(vram.primary_offset(0x60_0000 + linear), &state, &vram);
        assert_eq!((depth.buffer, depth.pixel), (Buffer::Depth, Some([9, 5])));
        let other = Place::of(0x1F_0000, &state, &vram);
        assert_eq!((other.buffer, other.pixel, other.size), (Buffer::Other, None, 1));
        assert_eq!(color.value(&[1, 2, 3, 4], 3), 0x0403);
    }
}
