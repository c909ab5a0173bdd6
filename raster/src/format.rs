//! Pixel formats: conversion between 8888 and the 16-bit formats (spec/ge-raster.md §8.5, §12).
//!
//! To a frame format components are cut, from one they are widened by repeating their high bits.

use crate::code::FrameFormat;

const fn widen4(bits: u32) -> u32 {
    bits * 17
}

const fn widen5(bits: u32) -> u32 {
    (bits << 3) | (bits >> 2)
}

const fn widen6(bits: u32) -> u32 {
    (bits << 2) | (bits >> 4)
}

const fn color(red: u32, green: u32, blue: u32, alpha: u32) -> u32 {
    red | (green << 8) | (blue << 16) | (alpha << 24)
}

/// A 16-bit pixel as 8888. The alpha of 565 is 0, as blending and the stencil read it. 8888 has no 16-bit
/// pixels: its low half comes back.
#[must_use]
pub(crate) const fn expand(pixel: u16, format: FrameFormat) -> u32 {
    let bits = pixel as u32;
    match format {
        FrameFormat::RGB565 => color(widen5(bits & 31), widen6((bits >> 5) & 63), widen5(bits >> 11), 0),
        FrameFormat::RGBA5551 => color(
            widen5(bits & 31),
            widen5((bits >> 5) & 31),
            widen5((bits >> 10) & 31),
            (bits >> 15) * 255,
        ),
        FrameFormat::RGBA4444 => color(
            widen4(bits & 15),
            widen4((bits >> 4) & 15),
            widen4((bits >> 8) & 15),
            widen4(bits >> 12),
        ),
        _ => bits,
    }
}

/// A 16-bit texel or palette entry as 8888. Unlike a pixel of the frame buffer, 565 is opaque.
#[must_use]
pub(crate) const fn expand_texel(texel: u16, format: FrameFormat) -> u32 {
    let expanded = expand(texel, format);
    if format.code() == FrameFormat::RGB565.code() {
        expanded | 0xFF00_0000
    } else {
        expanded
    }
}

/// An 8888 colour as a 16-bit pixel, cut. 8888 has no 16-bit pixels: the low half comes back.
#[must_use]
pub(crate) const fn pack(color: u32, format: FrameFormat) -> u16 {
    let (red, green, blue, alpha) = (color & 255, (color >> 8) & 255, (color >> 16) & 255, color >> 24);
    let bits = match format {
        FrameFormat::RGB565 => (red >> 3) | ((green >> 2) << 5) | ((blue >> 3) << 11),
        FrameFormat::RGBA5551 => {
            (red >> 3) | ((green >> 3) << 5) | ((blue >> 3) << 10) | ((alpha >> 7) << 15)
        }
        FrameFormat::RGBA4444 => (red >> 4) | ((green >> 4) << 4) | ((blue >> 4) << 8) | ((alpha >> 4) << 12),
        _ => color & 0xFFFF,
    };
    bits as u16
}

/// What remains of an 8888 colour that is stored in the format and read back.
#[cfg(test)]
#[must_use]
pub(crate) const fn quantize(color: u32, format: FrameFormat) -> u32 {
    match format {
        FrameFormat::RGB565 => {
            let kept = color & 0x00F8_FCF8;
            kept | ((kept >> 5) & 0x0007_0007) | ((kept >> 6) & 0x0000_0300)
        }
        FrameFormat::RGBA5551 => {
            let kept = color & 0x00F8_F8F8;
            kept | ((kept >> 5) & 0x0007_0707) | (((color >> 31) * 255) << 24)
        }
        FrameFormat::RGBA4444 => {
            let kept = color & 0xF0F0_F0F0;
            kept | (kept >> 4)
        }
        _ => color,
    }
}

/// The bits of an 8888 write mask that protect something in the format (spec/ge-raster.md §11.12).
#[must_use]
pub(crate) const fn effective_mask(mask: u32, format: FrameFormat) -> u32 {
    mask & match format {
        FrameFormat::RGB565 => 0x00F8_FCF8,
        FrameFormat::RGBA5551 => 0x80F8_F8F8,
        FrameFormat::RGBA4444 => 0xF0F0_F0F0,
        _ => 0xFFFF_FFFF,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [FrameFormat; 3] = [FrameFormat::RGB565, FrameFormat::RGBA5551, FrameFormat::RGBA4444];

    #[test]
    fn every_pixel_survives() {
        for format in FORMATS {
            for pixel in 0..=u16::MAX {
                let expanded = expand(pixel, format);
                assert_eq!(pack(expanded, format), pixel);
                assert_eq!(quantize(expanded, format), expanded, "{format:?} {pixel:04x}");
            }
        }
    }

    #[test]
    fn quantizing_is_packing_and_expanding() {
        for format in FORMATS {
            for step in 0..200_000u32 {
                let color = step.wrapping_mul(0x9E37_79B1);
                assert_eq!(quantize(color, format), expand(pack(color, format), format));
            }
        }
        assert_eq!(quantize(0x1234_5678, FrameFormat::RGBA8888), 0x1234_5678);
    }

    #[test]
    fn texels_of_565_are_opaque() {
        // Vectors of spec/ge-raster.md §8.5.
        assert_eq!(expand_texel(0x000E, FrameFormat::RGB565), 0xFF00_0073);
        assert_eq!(expand_texel(0x8410, FrameFormat::RGB565), 0xFF84_8284);
        assert_eq!(expand_texel(0x2825, FrameFormat::RGB565), 0xFF29_0429);
        assert_eq!(expand(0x8410, FrameFormat::RGB565), 0x0084_8284);
        assert_eq!(expand_texel(0x8000, FrameFormat::RGBA5551), 0xFF00_0000);
    }
}
