//! Stencil operations in lanes (spec/ge-raster.md §11.6).

use fearless_simd::{Simd, SimdBase, prelude::*, u32x16};

use super::lanes::inlined;
use crate::code::{FrameFormat, StencilOperation};

/// The values after the operation; the frame format cuts them when they are stored.
#[inline(always)]
pub(super) fn operated<S: Simd>(
    simd: S,
    operation: StencilOperation,
    stored: u32x16<S>,
    reference: u32,
    format: FrameFormat,
) -> u32x16<S> {
    let splat = inlined(
        #[inline(always)]
        |value: u32| u32x16::splat(simd, value),
    );
    match operation {
        StencilOperation::ZERO => splat(0),
        StencilOperation::REPLACE => splat(reference),
        StencilOperation::INVERT => stored ^ 0xFF,
        StencilOperation::INCREMENT => match format {
            FrameFormat::RGBA8888 => (stored + 1).min(splat(255)),
            FrameFormat::RGBA4444 => stored.simd_lt(splat(0xF0)).select(stored + 0x10, stored),
            _ => splat(0xFF),
        },
        StencilOperation::DECREMENT => match format {
            FrameFormat::RGBA8888 => stored.max(splat(1)) - 1,
            FrameFormat::RGBA4444 => stored.simd_ge(splat(0x10)).select(stored - 0x10, stored),
            _ => splat(0),
        },
        _ => stored,
    }
}
