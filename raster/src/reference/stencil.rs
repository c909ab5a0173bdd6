//! Stencil operations (spec/ge-raster.md §11.6). The stencil value is the frame buffer's alpha.

use crate::code::{FrameFormat, StencilOperation};

/// The value after the operation; the frame format cuts it when it is stored.
#[inline]
pub(crate) fn operate(operation: StencilOperation, stored: u32, reference: u32, format: FrameFormat) -> u32 {
    match operation {
        StencilOperation::ZERO => 0,
        StencilOperation::REPLACE => reference,
        StencilOperation::INVERT => !stored & 0xFF,
        StencilOperation::INCREMENT => match format {
            FrameFormat::RGBA8888 => (stored + 1).min(255),
            FrameFormat::RGBA4444 if stored < 0xF0 => stored + 0x10,
            FrameFormat::RGBA4444 => stored,
            _ => 0xFF,
        },
        StencilOperation::DECREMENT => match format {
            FrameFormat::RGBA8888 => stored.saturating_sub(1),
            FrameFormat::RGBA4444 if stored >= 0x10 => stored - 0x10,
            FrameFormat::RGBA4444 => stored,
            _ => 0,
        },
        _ => stored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::quantize;

    /// All operations on a stored value, as stored afterwards.
    fn results(format: FrameFormat, stored: u32) -> [u32; 8] {
        let kept = |alpha: u32| quantize(alpha << 24, format) >> 24;
        [0, 1, 2, 3, 4, 5, 6, 7].map(|code| {
            kept(operate(
                StencilOperation::from_bits(code),
                kept(stored),
                0xAB,
                format,
            ))
        })
    }

    #[test]
    fn table_of_the_specification() {
        assert_eq!(
            results(FrameFormat::RGBA8888, 0x40),
            [0x40, 0, 0xAB, 0xBF, 0x41, 0x3F, 0x40, 0x40]
        );
        assert_eq!(results(FrameFormat::RGBA8888, 0xFF)[4], 0xFF);
        assert_eq!(results(FrameFormat::RGBA8888, 0)[5], 0);
        assert_eq!(
            results(FrameFormat::RGBA4444, 0x44),
            [0x44, 0, 0xAA, 0xBB, 0x55, 0x33, 0x44, 0x44]
        );
        assert_eq!(results(FrameFormat::RGBA4444, 0xFF)[4], 0xFF);
        assert_eq!(results(FrameFormat::RGBA4444, 0)[5], 0);
        assert_eq!(
            results(FrameFormat::RGBA5551, 0),
            [0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0]
        );
        assert_eq!(
            results(FrameFormat::RGBA5551, 0xFF),
            [0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0xFF]
        );
        assert_eq!(results(FrameFormat::RGB565, 0xFF), [0; 8]);
    }
}
