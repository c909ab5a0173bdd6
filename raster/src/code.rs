//! The small codes of the pixel pipeline's registers.
//!
//! Each is one byte of plain data that can hold only what the hardware tells apart: the constructor
//! folds codes that act alike, so that two states that draw the same are equal.

use std::fmt;

use bytemuck::{Pod, Zeroable};

macro_rules! code {
    (
        $(#[$meta:meta])*
        $name:ident from $bits:ident by $fold:expr;
        $($(#[$variant_meta:meta])* $variant:ident = $value:literal,)+
    ) => {
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Pod, Zeroable)]
        pub struct $name(u8);

        impl $name {
            $($(#[$variant_meta])* pub const $variant: Self = Self($value);)+

            /// The code that a register's field holds; bits above the field are ignored.
            #[must_use]
            pub const fn from_bits($bits: u32) -> Self {
                Self($fold as u8)
            }

            /// The folded code.
            #[must_use]
            pub const fn code(self) -> u8 {
                self.0
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(Self::$variant => formatter.write_str(stringify!($variant)),)+
                    Self(other) => write!(formatter, "{}({other})", stringify!($name)),
                }
            }
        }
    };
}

/// `bits` when it is below `limit`, else `otherwise`.
const fn fold(bits: u32, limit: u32, otherwise: u32) -> u32 {
    if bits < limit { bits } else { otherwise }
}

code! {
    /// How a test compares, "incoming against stored" (spec/ge-raster.md §0.2).
    CompareFunction from bits by (bits & 7);
    /// Never passes.
    NEVER = 0,
    /// Always passes.
    ALWAYS = 1,
    /// Passes when equal.
    EQUAL = 2,
    /// Passes when not equal.
    NOT_EQUAL = 3,
    /// Passes when less.
    LESS = 4,
    /// Passes when less or equal.
    LESS_OR_EQUAL = 5,
    /// Passes when greater.
    GREATER = 6,
    /// Passes when greater or equal.
    GREATER_OR_EQUAL = 7,
}

code! {
    /// How the colour test compares (spec/ge-raster.md §11.5).
    ColorTestFunction from bits by (bits & 3);
    /// Never passes.
    NEVER = 0,
    /// Always passes.
    ALWAYS = 1,
    /// Passes when all masked bits are equal.
    EQUAL = 2,
    /// Passes when a masked bit differs.
    NOT_EQUAL = 3,
}

code! {
    /// Pixel format of a colour buffer; red in the lowest bits (spec/ge-raster.md §12).
    FrameFormat from bits by (bits & 3);
    /// 16 bits: 5 red, 6 green, 5 blue, no alpha.
    RGB565 = 0,
    /// 16 bits: 5 each and 1 of alpha.
    RGBA5551 = 1,
    /// 16 bits: 4 each.
    RGBA4444 = 2,
    /// 32 bits: 8 each.
    RGBA8888 = 3,
}

impl FrameFormat {
    /// Bytes of a pixel: 2 or 4.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        if self.0 == 3 { 4 } else { 2 }
    }
}

code! {
    /// What happens to the stencil value (spec/ge-raster.md §11.6). Codes 6 and 7 keep
    /// (unverified).
    StencilOperation from bits by fold(bits & 7, 6, 0);
    /// Keeps the value.
    KEEP = 0,
    /// Sets it to zero.
    ZERO = 1,
    /// Sets it to the unmasked reference.
    REPLACE = 2,
    /// Inverts its bits.
    INVERT = 3,
    /// Adds one step, saturating.
    INCREMENT = 4,
    /// Takes one step away, saturating.
    DECREMENT = 5,
}

code! {
    /// A factor of the blend equation (spec/ge-raster.md §11.8). "Other" is the destination's
    /// colour for the source factor, and the source's for the destination factor.
    BlendFactor from bits by fold(bits & 15, 10, 10);
    /// The other colour.
    OTHER_COLOR = 0,
    /// 255 minus the other colour.
    INVERSE_OTHER_COLOR = 1,
    /// Source alpha.
    SOURCE_ALPHA = 2,
    /// 255 minus source alpha.
    INVERSE_SOURCE_ALPHA = 3,
    /// Destination alpha: what was stored before the stencil update.
    DESTINATION_ALPHA = 4,
    /// 255 minus destination alpha.
    INVERSE_DESTINATION_ALPHA = 5,
    /// Twice the source alpha, up to 510.
    DOUBLE_SOURCE_ALPHA = 6,
    /// 255 minus twice the source alpha, not below 0.
    INVERSE_DOUBLE_SOURCE_ALPHA = 7,
    /// Twice the destination alpha, up to 510.
    DOUBLE_DESTINATION_ALPHA = 8,
    /// 255 minus twice the destination alpha, not below 0.
    INVERSE_DOUBLE_DESTINATION_ALPHA = 9,
    /// The fixed colour of the factor's register; codes 10 to 15.
    FIXED = 10,
}

code! {
    /// The blend equation (spec/ge-raster.md §11.8). Codes 6 and 7 leave the source (unverified).
    BlendEquation from bits by fold(bits & 7, 7, 6);
    /// Source plus destination.
    ADD = 0,
    /// Source minus destination.
    SUBTRACT = 1,
    /// Destination minus source.
    REVERSE_SUBTRACT = 2,
    /// The smaller, factors ignored.
    MINIMUM = 3,
    /// The larger, factors ignored.
    MAXIMUM = 4,
    /// The distance, factors ignored.
    ABSOLUTE_DIFFERENCE = 5,
    /// The source.
    SOURCE = 6,
}

code! {
    /// Bitwise operation between the source s and the stored colour d (spec/ge-raster.md §11.11).
    LogicOperation from bits by (bits & 15);
    /// 0.
    CLEAR = 0,
    /// `s & d`.
    AND = 1,
    /// `s & !d`.
    AND_REVERSE = 2,
    /// `s`.
    COPY = 3,
    /// `!s & d`.
    AND_INVERTED = 4,
    /// `d`.
    NO_OPERATION = 5,
    /// `s ^ d`.
    XOR = 6,
    /// `s | d`.
    OR = 7,
    /// `!(s | d)`.
    NOR = 8,
    /// `!(s ^ d)`.
    EQUIVALENCE = 9,
    /// `!d`.
    INVERTED = 10,
    /// `s | !d`.
    OR_REVERSE = 11,
    /// `!s`.
    COPY_INVERTED = 12,
    /// `!s | d`.
    OR_INVERTED = 13,
    /// `!(s & d)`.
    NAND = 14,
    /// All ones.
    SET = 15,
}

code! {
    /// How texels are stored (spec/ge-raster.md §8.5). Codes 11 to 15 read as a null texture
    /// (unverified).
    TextureFormat from bits by fold(bits & 15, 11, 11);
    /// 16 bits: 5 red, 6 green, 5 blue.
    RGB565 = 0,
    /// 16 bits: 5 each and 1 of alpha.
    RGBA5551 = 1,
    /// 16 bits: 4 each.
    RGBA4444 = 2,
    /// 32 bits: 8 each.
    RGBA8888 = 3,
    /// 4-bit index.
    CLUT4 = 4,
    /// 8-bit index.
    CLUT8 = 5,
    /// 16-bit index.
    CLUT16 = 6,
    /// 32-bit index.
    CLUT32 = 7,
    /// Blocks of 4 x 4, 8 bytes each.
    DXT1 = 8,
    /// Blocks of 4 x 4, 16 bytes each, 4-bit alpha.
    DXT3 = 9,
    /// Blocks of 4 x 4, 16 bytes each, interpolated alpha.
    DXT5 = 10,
    /// No such format.
    INVALID = 11,
}

impl TextureFormat {
    /// Bits of a texel: 4, 8, 16 or 32; for DXT the mean (4 or 8). 0 for an invalid format.
    #[must_use]
    pub const fn bits_per_texel(self) -> u32 {
        match self.0 {
            0..=2 | 6 => 16,
            3 | 7 => 32,
            4 | 8 => 4,
            5 | 9 | 10 => 8,
            _ => 0,
        }
    }

    /// Whether texels are indices into the CLUT.
    #[must_use]
    pub const fn is_indexed(self) -> bool {
        matches!(self.0, 4..=7)
    }
}

code! {
    /// How texel and primitive colour combine (spec/ge-raster.md §10). Codes 5 to 7 add
    /// (unverified).
    TextureFunction from bits by fold(bits & 7, 5, 4);
    /// Product.
    MODULATE = 0,
    /// Texel over primitive, by the texel's alpha.
    DECAL = 1,
    /// From the primitive's colour to the environment colour, by the texel.
    BLEND = 2,
    /// The texel.
    REPLACE = 3,
    /// Sum.
    ADD = 4,
}

code! {
    /// How the level of detail is found (spec/ge-raster.md §9.4). Code 3 is constant (unverified).
    LevelMode from bits by fold(bits & 3, 3, 1);
    /// From the size of the texture on the screen.
    AUTOMATIC = 0,
    /// Zero, so that the bias alone decides.
    CONSTANT = 1,
    /// From the distance and the slope register.
    SLOPE = 2,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_act_alike_are_equal() {
        assert_eq!(BlendFactor::from_bits(0x1F), BlendFactor::FIXED);
        assert_eq!(StencilOperation::from_bits(6), StencilOperation::KEEP);
        assert_eq!(TextureFunction::from_bits(7), TextureFunction::ADD);
        assert_eq!(TextureFormat::from_bits(15), TextureFormat::INVALID);
        assert_eq!(LevelMode::from_bits(3), LevelMode::CONSTANT);
        assert_eq!(BlendEquation::from_bits(7), BlendEquation::SOURCE);
        assert_eq!(format!("{:?}", CompareFunction::from_bits(0xFD)), "LESS_OR_EQUAL");
    }
}
