//! Colours in pairs of components, 16 bits each: all that the pixel pipeline multiplies fits.

use fearless_simd::{Simd, SimdBase, i32x16, prelude::*, u16x32, u32x16};

use super::lanes::inlined;
use crate::code::FrameFormat;

/// Two components of 8 bits in a word of 32.
const PAIR: u32 = 0x00FF_00FF;

/// The colours of a block: red and blue in `even`, green and alpha in `odd`, the lower one first.
#[derive(Clone, Copy)]
pub(super) struct Pairs<S: Simd> {
    pub(super) even: u16x32<S>,
    pub(super) odd: u16x32<S>,
}

impl<S: Simd> Pairs<S> {
    /// Colours of 8888.
    #[inline(always)]
    pub(super) fn of(colors: u32x16<S>) -> Self {
        Self {
            even: (colors & PAIR).bitcast(),
            odd: ((colors >> 8) & PAIR).bitcast(),
        }
    }

    /// Colours of 8888; all components are at most 255.
    #[inline(always)]
    pub(super) fn words(self) -> u32x16<S> {
        let (even, odd): (u32x16<S>, u32x16<S>) = (self.even.bitcast(), self.odd.bitcast());
        even | (odd << 8)
    }

    /// From components of 32 bits, none above 255.
    #[inline(always)]
    pub(super) fn of_components([red, green, blue, alpha]: [u32x16<S>; 4]) -> Self {
        Self {
            even: (red | (blue << 16)).bitcast(),
            odd: (green | (alpha << 16)).bitcast(),
        }
    }

    /// The smaller of each component.
    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        Self {
            even: self.even.min(other.even),
            odd: self.odd.min(other.odd),
        }
    }

    /// The larger of each component.
    #[inline(always)]
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            even: self.even.max(other.even),
            odd: self.odd.max(other.odd),
        }
    }

    /// The same colour in every lane.
    #[inline(always)]
    pub(super) fn splat(simd: S, color: u32) -> Self {
        Self::of(u32x16::splat(simd, color))
    }
}

/// Numbers below 2^16, each in both halves of its word.
#[inline(always)]
pub(super) fn doubled<S: Simd>(numbers: u32x16<S>) -> u16x32<S> {
    (numbers | (numbers << 16)).bitcast()
}

/// `sixteenths` of the way from one colour to the other, cut to 8 bits (spec/ge-raster.md §9.3, §9.5). Sixteenths are
/// 0 to 15, in both halves.
#[inline(always)]
pub(super) fn mixed<S: Simd>(from: Pairs<S>, to: Pairs<S>, sixteenths: u16x32<S>) -> Pairs<S> {
    // 16 * from + (to - from) * sixteenths is never negative, so that the sum modulo 2^16 is right.
    let mix = inlined(
        #[inline(always)]
        |from: u16x32<S>, to: u16x32<S>| ((from << 4) + (to - from) * sixteenths) >> 4,
    );
    Pairs {
        even: mix(from.even, to.even),
        odd: mix(from.odd, to.odd),
    }
}

/// A component of a colour plane as shown.
#[inline(always)]
pub(super) fn shown<S: Simd>(simd: S, value: i32x16<S>) -> u32x16<S> {
    let (least, most) = (i32x16::splat(simd, 0), i32x16::splat(simd, 255));
    (value >> 22).max(least).min(most).bitcast()
}

/// What remains of 8888 colours that are stored in the format and read back.
#[inline(always)]
pub(super) fn quantized<S: Simd>(colors: u32x16<S>, format: FrameFormat) -> u32x16<S> {
    match format {
        FrameFormat::RGB565 => {
            let kept = colors & 0x00F8_FCF8;
            kept | ((kept >> 5) & 0x0007_0007) | ((kept >> 6) & 0x0000_0300)
        }
        FrameFormat::RGBA5551 => {
            let kept = colors & 0x00F8_F8F8;
            let alpha: u32x16<S> = (colors.bitcast::<i32x16<S>>() >> 31).bitcast();
            kept | ((kept >> 5) & 0x0007_0707) | (alpha & 0xFF00_0000)
        }
        FrameFormat::RGBA4444 => {
            let kept = colors & 0xF0F0_F0F0;
            kept | (kept >> 4)
        }
        _ => colors,
    }
}
