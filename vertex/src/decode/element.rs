//! The numbers and colours a vertex is made of: bytes to value, one type for each meaning.

/// A number of `W` bytes in memory.
pub(super) trait Element<const W: usize> {
    /// The number, little endian.
    fn value(bytes: [u8; W]) -> f32;
}

/// Unsigned, a whole being the type's half range: 128 or 32768 stand for 1.0.
pub(super) enum UnsignedFraction {}
/// Signed, from -1.0 to just below 1.0.
pub(super) enum SignedFraction {}
/// Unsigned, as it is.
pub(super) enum UnsignedInteger {}
/// Signed, as it is.
pub(super) enum SignedInteger {}
/// An IEEE single, whose bits are kept: NaN and infinity too (`spec/ge-frontend.md §4.3`).
pub(super) enum Float {}
/// Zero whatever the bytes: an 8-bit position in through mode (hw: primitives/points).
pub(super) enum Zero {}

impl Element<1> for UnsignedFraction {
    #[inline]
    fn value([byte]: [u8; 1]) -> f32 {
        f32::from(byte) * (1.0 / 128.0)
    }
}

impl Element<2> for UnsignedFraction {
    #[inline]
    fn value(bytes: [u8; 2]) -> f32 {
        f32::from(u16::from_le_bytes(bytes)) * (1.0 / 32768.0)
    }
}

impl Element<1> for SignedFraction {
    #[inline]
    fn value([byte]: [u8; 1]) -> f32 {
        f32::from(byte.cast_signed()) * (1.0 / 128.0)
    }
}

impl Element<2> for SignedFraction {
    #[inline]
    fn value(bytes: [u8; 2]) -> f32 {
        f32::from(i16::from_le_bytes(bytes)) * (1.0 / 32768.0)
    }
}

impl Element<2> for UnsignedInteger {
    #[inline]
    fn value(bytes: [u8; 2]) -> f32 {
        f32::from(u16::from_le_bytes(bytes))
    }
}

impl Element<2> for SignedInteger {
    #[inline]
    fn value(bytes: [u8; 2]) -> f32 {
        f32::from(i16::from_le_bytes(bytes))
    }
}

impl Element<4> for Float {
    #[inline]
    fn value(bytes: [u8; 4]) -> f32 {
        f32::from_le_bytes(bytes)
    }
}

impl Element<1> for Zero {
    #[inline]
    fn value(_: [u8; 1]) -> f32 {
        0.0
    }
}

/// A colour of `W` bytes in memory.
pub(super) trait ColorElement<const W: usize> {
    /// The colour: red in the low byte, then green, blue, alpha, each widened to 8 bits by repeating
    /// its top bits (`spec/ge-frontend.md §6.7`, hw: vertices/colors).
    fn value(bytes: [u8; W]) -> u32;
}

pub(super) enum Rgb565 {}
pub(super) enum Rgba5551 {}
pub(super) enum Rgba4444 {}
pub(super) enum Rgba8888 {}

impl ColorElement<2> for Rgb565 {
    #[inline]
    fn value(bytes: [u8; 2]) -> u32 {
        let word = u32::from(u16::from_le_bytes(bytes));
        // Red and blue stand 16 bits apart, each with 3 bits below it to fill.
        let red_blue = (word & 0x1F) << 3 | (word & 0xF800) << 8;
        let green = (word & 0x07E0) << 5;
        red_blue | red_blue >> 5 & 0x07_0007 | green | green >> 6 & 0x300 | 0xFF00_0000
    }
}

impl ColorElement<2> for Rgba5551 {
    #[inline]
    fn value(bytes: [u8; 2]) -> u32 {
        let word = u32::from(u16::from_le_bytes(bytes));
        let color = (word & 0x1F) << 3 | (word & 0x3E0) << 6 | (word & 0x7C00) << 9;
        color | color >> 5 & 0x07_0707 | ((word >> 15) * 0xFF00_0000)
    }
}

impl ColorElement<2> for Rgba4444 {
    #[inline]
    fn value(bytes: [u8; 2]) -> u32 {
        let word = u32::from(u16::from_le_bytes(bytes));
        let nibbles = word & 0xF | (word & 0xF0) << 4 | (word & 0xF00) << 8 | (word & 0xF000) << 12;
        nibbles * 17
    }
}

impl ColorElement<4> for Rgba8888 {
    #[inline]
    fn value(bytes: [u8; 4]) -> u32 {
        u32::from_le_bytes(bytes)
    }
}
