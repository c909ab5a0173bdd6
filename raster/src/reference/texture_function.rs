//! How the primitive's colour and the texel combine (spec/ge-raster.md §10).

use crate::code::TextureFunction;
use crate::compiled::Combiner;

/// One colour component of the result, not clamped: up to 510. P is the primitive's, T the texel's, E the
/// environment's, `alpha` the texel's alpha.
#[inline]
fn component(combiner: Combiner, p: u32, t: u32, e: u32, alpha: u32) -> u32 {
    let double = u32::from(combiner.doubles);
    match combiner.function {
        TextureFunction::MODULATE => (((p + 1) * t) << double) >> 8,
        TextureFunction::DECAL if combiner.uses_alpha => {
            ((p + 1) * (255 - alpha) + (t + 1) * alpha) >> (8 - double)
        }
        TextureFunction::BLEND => ((255 - t) * p + t * e + 255) >> (8 - double),
        TextureFunction::DECAL | TextureFunction::REPLACE => t << double,
        _ => (p + t) << double,
    }
}

/// The alpha of the result.
#[inline]
fn alpha(combiner: Combiner, primitive: u32, texel: u32) -> u32 {
    if !combiner.uses_alpha {
        return primitive;
    }
    match combiner.function {
        TextureFunction::DECAL => primitive,
        TextureFunction::REPLACE => texel,
        _ => ((primitive + 1) * texel) >> 8,
    }
}

/// Primitive colour, texel and secondary colour combined and clamped.
///
/// What exceeds 255 is kept until the secondary colour is added (unverified for doubled colours, where it makes no
/// difference).
#[inline]
pub(crate) fn combine(combiner: Combiner, primitive: u32, texel: u32, secondary: u32) -> u32 {
    let (p, t) = (
        primitive.to_le_bytes().map(u32::from),
        texel.to_le_bytes().map(u32::from),
    );
    let s = secondary.to_le_bytes().map(u32::from);
    let color = |index: usize| {
        (component(combiner, p[index], t[index], combiner.environment[index], t[3]) + s[index]).min(255)
    };
    color(0) | (color(1) << 8) | (color(2) << 16) | (alpha(combiner, p[3], t[3]) << 24)
}

/// The same for a primitive colour that is no number ([`PrimitiveFlags::COLOR_WITHOUT_NUMBER`]). Modulated, what an odd
/// component of the texel gives is half the range or, doubled, all of it; the other functions take it for 0.
///
/// [`PrimitiveFlags::COLOR_WITHOUT_NUMBER`]: crate::setup::PrimitiveFlags::COLOR_WITHOUT_NUMBER
pub(crate) fn combine_without_number(combiner: Combiner, texel: u32, secondary: u32) -> u32 {
    if combiner.function != TextureFunction::MODULATE {
        return combine(combiner, 0, texel, secondary);
    }
    let products = texel
        .to_le_bytes()
        .map(|texel| (0x8001 * u32::from(texel)) & 0xFFFF);
    let s = secondary.to_le_bytes().map(u32::from);
    let color = |index: usize| (((products[index] << u32::from(combiner.doubles)) >> 8) + s[index]).min(255);
    let alpha = if combiner.uses_alpha { products[3] >> 8 } else { 0 };
    color(0) | (color(1) << 8) | (color(2) << 16) | (alpha << 24)
}

/// Primitive and secondary colour added and clamped, where there is no texture.
#[inline]
pub(crate) fn add_secondary(primitive: u32, secondary: u32) -> u32 {
    let (p, s) = (
        primitive.to_le_bytes().map(u32::from),
        secondary.to_le_bytes().map(u32::from),
    );
    let color = |index: usize| (p[index] + s[index]).min(255);
    color(0) | (color(1) << 8) | (color(2) << 16) | (p[3] << 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combiner(function: TextureFunction, uses_alpha: bool, doubles: bool, environment: u32) -> Combiner {
        Combiner {
            function,
            uses_alpha,
            doubles,
            environment: [environment; 3],
        }
    }

    fn grey(level: u32, alpha: u32) -> u32 {
        (level * 0x01_0101) | (alpha << 24)
    }

    #[test]
    fn vectors_of_the_specification() {
        // spec/ge-raster.md §10: function, RGBA, T, Ta, P, E, doubled, result.
        let (modulate, decal, blend) = (
            TextureFunction::MODULATE,
            TextureFunction::DECAL,
            TextureFunction::BLEND,
        );
        let (replace, add) = (TextureFunction::REPLACE, TextureFunction::ADD);
        let vectors = [
            (modulate, true, 0x7F, 0x7F, 0x7F, 0, false, 0x3F),
            (modulate, true, 0x7F, 0xFF, 0x3F, 0, false, 0x1F),
            (modulate, true, 0xFF, 0xFF, 0x7F, 0, true, 0xFF),
            (modulate, true, 0x7F, 0xFF, 0xFF, 0, true, 0xFE),
            (modulate, true, 0x3F, 0xFF, 0x7F, 0, true, 0x3F),
            (modulate, true, 0xB9, 0xFF, 0x7F, 0, false, 0x5C),
            (decal, true, 0x7F, 0x7F, 0x3F, 0, false, 0x5F),
            (decal, true, 0x3F, 0x3F, 0x7F, 0, true, 0xDF),
            (decal, false, 0x3F, 0xFF, 0x7F, 0, true, 0x7E),
            (decal, true, 0x25, 0x7F, 0, 0, false, 0x13),
            (blend, true, 0x7F, 0xFF, 0x7F, 0xFF, false, 0xBF),
            (blend, true, 0x7F, 0xFF, 0x3F, 0xFF, false, 0x9F),
            (blend, true, 0x7F, 0xFF, 0x7F, 0x5F, true, 0xDF),
            (blend, true, 0x3F, 0xFF, 0x7F, 0x5F, true, 0xEF),
            (blend, true, 0x80, 0xFF, 0x4A, 0, false, 0x25),
            (replace, true, 0x7F, 0xFF, 0x12, 0, true, 0xFE),
            (add, true, 0x7F, 0xFF, 0x3F, 0, false, 0xBE),
            (add, true, 0x0F, 0xFF, 0x0F, 0, true, 0x3C),
        ];
        for (function, uses_alpha, t, ta, p, e, doubles, expected) in vectors {
            let result = combine(
                combiner(function, uses_alpha, doubles, e),
                grey(p, 255),
                grey(t, ta),
                0,
            );
            assert_eq!(result & 0xFF_FFFF, grey(expected, 0), "{function:?} {t:x} {p:x}");
        }
    }

    #[test]
    fn alpha_follows_its_own_rule() {
        for (function, expected) in [(0, 0x3F), (1, 0x7F), (2, 0x3F), (3, 0x7F), (4, 0x3F)] {
            let function = TextureFunction::from_bits(function);
            let both = combine(combiner(function, true, true, 0), 0x7F00_0000, 0x7F00_0000, 0);
            assert_eq!(both >> 24, expected, "{function:?}");
            let without = combine(combiner(function, false, true, 0), 0x1200_0000, 0x7F00_0000, 0);
            assert_eq!(without >> 24, 0x12, "{function:?}");
        }
    }

    #[test]
    fn a_colour_without_number_leaves_the_texels_lowest_bit() {
        // What PPSSPP's pictures show: captures 9545 at (356, 125) and (356, 136), and 15875.
        let doubled = combiner(TextureFunction::MODULATE, true, true, 0);
        let result = combine_without_number(doubled, 0xFF65_849C, 0);
        assert_eq!(result, 0x80FF_0101);
        assert_eq!(combine_without_number(doubled, 0xFF1E_382C, 0), 0x8000_0000);
        let plain = combiner(TextureFunction::MODULATE, false, false, 0);
        assert_eq!(combine_without_number(plain, 0xF94B_4E51, 0), 0x0080_0080);
        let replace = combiner(TextureFunction::REPLACE, true, false, 0);
        assert_eq!(combine_without_number(replace, 0x1234_5678, 0), 0x1234_5678);
    }

    #[test]
    fn secondary_colour_is_added_before_the_clamp() {
        assert_eq!(add_secondary(0x807F_7F7F, 0xFF_007F), 0x80FF_7FFE);
        let doubled = combiner(TextureFunction::REPLACE, false, true, 0);
        assert_eq!(combine(doubled, 0, 0x00FF_4010, 0x0010_1010), 0x00FF_9030);
    }
}
