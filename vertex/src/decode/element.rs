//! The numbers and colours a vertex is made of: bits to values, one type for each meaning.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16, u32x16};

/// A number in memory.
pub(super) trait Element {
    /// Bytes of a number: 1, 2 or 4.
    const WIDTH: usize;

    /// Number `index` of the little-endian words that hold several, side by side.
    fn value<S: Simd>(words: u32x16<S>, index: u32) -> f32x16<S>;
}

/// Unsigned, a whole being the type's half range: 128 or 32768 stand for 1.0.
pub(super) enum UnsignedFraction<const W: usize> {}
/// Signed, from -1.0 to just below 1.0.
pub(super) enum SignedFraction<const W: usize> {}
/// Unsigned, as it is.
pub(super) enum UnsignedInteger {}
/// Signed, as it is.
pub(super) enum SignedInteger {}
/// An IEEE single, whose bits are kept: NaN and infinity too (`spec/ge-frontend.md §4.3`).
pub(super) enum Float {}
/// Zero whatever the bytes: an 8-bit position in through mode (hw: primitives/points).
pub(super) enum Zero {}

/// Bits of a number of `W` bytes.
const fn bits(width: usize) -> u32 {
    8 * width as u32
}

/// One over half the range of a number of `W` bytes.
const fn fraction(width: usize) -> f32 {
    1.0 / (1_u32 << (bits(width) - 1)) as f32
}

/// Number `index` of `W` bytes, unsigned.
#[inline(always)]
fn unsigned<S: Simd>(words: u32x16<S>, width: usize, index: u32) -> f32x16<S> {
    let bits = bits(width);
    let value: i32x16<S> = (words >> (bits * index) & ((1 << bits) - 1)).bitcast();
    value.to_float()
}

/// Number `index` of `W` bytes, signed.
#[inline(always)]
fn signed<S: Simd>(words: u32x16<S>, width: usize, index: u32) -> f32x16<S> {
    let bits = bits(width);
    let top: i32x16<S> = (words << (32 - bits * (index + 1))).bitcast();
    (top >> (32 - bits)).to_float()
}

impl<const W: usize> Element for UnsignedFraction<W> {
    const WIDTH: usize = W;

    #[inline(always)]
    fn value<S: Simd>(words: u32x16<S>, index: u32) -> f32x16<S> {
        unsigned(words, W, index) * fraction(W)
    }
}

impl<const W: usize> Element for SignedFraction<W> {
    const WIDTH: usize = W;

    #[inline(always)]
    fn value<S: Simd>(words: u32x16<S>, index: u32) -> f32x16<S> {
        signed(words, W, index) * fraction(W)
    }
}

impl Element for UnsignedInteger {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn value<S: Simd>(words: u32x16<S>, index: u32) -> f32x16<S> {
        unsigned(words, 2, index)
    }
}

impl Element for SignedInteger {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn value<S: Simd>(words: u32x16<S>, index: u32) -> f32x16<S> {
        signed(words, 2, index)
    }
}

impl Element for Float {
    const WIDTH: usize = 4;

    #[inline(always)]
    fn value<S: Simd>(words: u32x16<S>, _: u32) -> f32x16<S> {
        words.bitcast()
    }
}

impl Element for Zero {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn value<S: Simd>(words: u32x16<S>, _: u32) -> f32x16<S> {
        f32x16::splat(words.token(), 0.0)
    }
}

/// A colour in memory.
pub(super) trait ColorElement {
    /// The colours in the low bits of words: red in the low byte, then green, blue, alpha, each widened to 8 bits by
    /// repeating its top bits (`spec/ge-frontend.md §6.7`, hw: vertices/colors).
    fn value<S: Simd>(words: u32x16<S>) -> u32x16<S>;
}

pub(super) enum Rgb565 {}
pub(super) enum Rgba5551 {}
pub(super) enum Rgba4444 {}
pub(super) enum Rgba8888 {}

impl ColorElement for Rgb565 {
    #[inline(always)]
    fn value<S: Simd>(word: u32x16<S>) -> u32x16<S> {
        // Red and blue stand 16 bits apart, each with 3 bits below it to fill.
        let red_blue = (word & 0x1F) << 3 | (word & 0xF800) << 8;
        let green = (word & 0x07E0) << 5;
        red_blue | red_blue >> 5 & 0x07_0007 | green | green >> 6 & 0x300 | 0xFF00_0000
    }
}

impl ColorElement for Rgba5551 {
    #[inline(always)]
    fn value<S: Simd>(word: u32x16<S>) -> u32x16<S> {
        let color = (word & 0x1F) << 3 | (word & 0x3E0) << 6 | (word & 0x7C00) << 9;
        // The top bit of the 16 fills all of alpha.
        let alpha: i32x16<S> = (word << 16).bitcast();
        let alpha: u32x16<S> = (alpha >> 31).bitcast();
        color | color >> 5 & 0x07_0707 | alpha & 0xFF00_0000
    }
}

impl ColorElement for Rgba4444 {
    #[inline(always)]
    fn value<S: Simd>(word: u32x16<S>) -> u32x16<S> {
        let nibbles = word & 0xF | (word & 0xF0) << 4 | (word & 0xF00) << 8 | (word & 0xF000) << 12;
        nibbles | nibbles << 4
    }
}

impl ColorElement for Rgba8888 {
    #[inline(always)]
    fn value<S: Simd>(word: u32x16<S>) -> u32x16<S> {
        word
    }
}
