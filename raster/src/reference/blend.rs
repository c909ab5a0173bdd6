//! Blending (spec/ge-raster.md §11.8).

use super::each;
use crate::code::{BlendEquation, BlendFactor};
use crate::state::Blend;

/// The hardware's product of a component and a factor of up to 510 (hw: commands/blend).
#[inline]
pub(crate) fn multiply(component: u32, factor: u32) -> i32 {
    (((2 * component + 1) * (2 * factor + 1)) >> 10) as i32
}

/// The three factors, red, green, blue. `other` is the colour of the other side.
#[inline]
fn factors(
    factor: BlendFactor,
    other: [u32; 4],
    source_alpha: u32,
    stored_alpha: u32,
    fixed: u32,
) -> [u32; 3] {
    let inverse_of_double = |alpha: u32| 255 - (2 * alpha).min(255);
    let same = match factor {
        BlendFactor::OTHER_COLOR => return [other[0], other[1], other[2]],
        BlendFactor::INVERSE_OTHER_COLOR => return [255 - other[0], 255 - other[1], 255 - other[2]],
        BlendFactor::SOURCE_ALPHA => source_alpha,
        BlendFactor::INVERSE_SOURCE_ALPHA => 255 - source_alpha,
        BlendFactor::DESTINATION_ALPHA => stored_alpha,
        BlendFactor::INVERSE_DESTINATION_ALPHA => 255 - stored_alpha,
        BlendFactor::DOUBLE_SOURCE_ALPHA => 2 * source_alpha,
        BlendFactor::INVERSE_DOUBLE_SOURCE_ALPHA => inverse_of_double(source_alpha),
        BlendFactor::DOUBLE_DESTINATION_ALPHA => 2 * stored_alpha,
        BlendFactor::INVERSE_DOUBLE_DESTINATION_ALPHA => inverse_of_double(stored_alpha),
        _ => return [fixed & 255, (fixed >> 8) & 255, (fixed >> 16) & 255],
    };
    [same; 3]
}

/// Red, green and blue of source and stored colour blended; neither dithered nor clamped.
#[inline]
pub(crate) fn blended(blend: &Blend, source: u32, stored: u32) -> [i32; 3] {
    let (s, d) = (
        source.to_le_bytes().map(u32::from),
        stored.to_le_bytes().map(u32::from),
    );
    match blend.equation {
        BlendEquation::MINIMUM => return each(|index| s[index].min(d[index]) as i32),
        BlendEquation::MAXIMUM => return each(|index| s[index].max(d[index]) as i32),
        BlendEquation::ABSOLUTE_DIFFERENCE => return each(|index| s[index].abs_diff(d[index]) as i32),
        BlendEquation::SOURCE => return each(|index| s[index] as i32),
        _ => {}
    }
    let source_factors = factors(blend.source, d, s[3], d[3], blend.fixed_source);
    let stored_factors = factors(blend.destination, s, s[3], d[3], blend.fixed_destination);
    each(|index| {
        // Each product is cut before they are added.
        let (source, stored) = (
            multiply(s[index], source_factors[index]),
            multiply(d[index], stored_factors[index]),
        );
        match blend.equation {
            BlendEquation::SUBTRACT => source - stored,
            BlendEquation::REVERSE_SUBTRACT => stored - source,
            _ => source + stored,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clamped(blend: &Blend, source: u32, stored: u32) -> u32 {
        let [red, green, blue] =
            blended(blend, source, stored).map(|component| component.clamp(0, 255) as u32);
        (blue << 16) | (green << 8) | red
    }

    #[test]
    fn vectors_of_the_specification() {
        // spec/ge-raster.md §18.1: stored, source, equation, factors, fixed factors, result.
        let (zero, one) = (0, 0xFF_FFFF);
        let vectors = [
            (0x4444_4444, 0xEEDD_CCBB, 0, 10, 10, one, zero, 0xDD_CCBB),
            (0x4444_4444, 0xEEDD_CCBB, 0, 2, 3, zero, zero, 0xD2_C2B2),
            (0x4040_4040, 0x9080_8080, 0, 6, 10, zero, zero, 0x90_9090),
            (0x4040_4040, 0x7FFF_FFFF, 0, 6, 10, zero, zero, 0xFE_FEFE),
            (0x4040_4040, 0xFF90_9090, 0, 6, 10, zero, zero, 0xFF_FFFF),
            (0x4040_4040, 0x4080_8080, 0, 7, 10, zero, zero, 0x3F_3F3F),
            (0x9040_4040, 0x8080_8080, 0, 8, 10, zero, zero, 0x90_9090),
            (0x5040_4040, 0x9080_8080, 0, 0, 10, zero, zero, 0x20_2020),
            (0x5040_4040, 0x9080_8080, 0, 1, 10, zero, zero, 0x60_6060),
            (0x5040_4040, 0x9080_8080, 0, 4, 10, zero, zero, 0x28_2828),
            (0x5040_4040, 0x9080_8080, 0, 5, 10, zero, zero, 0x58_5858),
            (0x5040_4040, 0x9080_8080, 0, 9, 10, zero, zero, 0x2F_2F2F),
            (0x5040_4040, 0x9080_8080, 0, 10, 0, zero, zero, 0x20_2020),
            (0x5040_4040, 0x9080_8080, 0, 10, 9, zero, zero, 0x18_1818),
            (
                0xFFFF_FFFF,
                0xFFFF_FFFF,
                1,
                10,
                10,
                0xF0_F0F0,
                0x0F_0F0F,
                0xE1_E1E1,
            ),
            (0xFFFF_FFFF, 0xFFFF_FFFF, 1, 10, 10, 0x0F_0F0F, 0xF0_F0F0, 0),
            (
                0xFFFF_FFFF,
                0xFFFF_FFFF,
                2,
                10,
                10,
                0x0F_0F0F,
                0xF0_F0F0,
                0xE1_E1E1,
            ),
            (
                0xF0F0_F0F0,
                0x0F0F_0F0F,
                3,
                10,
                10,
                0x80_8080,
                0x80_8080,
                0x0F_0F0F,
            ),
            (
                0xF0F0_F0F0,
                0x0F0F_0F0F,
                4,
                10,
                10,
                0x80_8080,
                0x80_8080,
                0xF0_F0F0,
            ),
            (
                0xF0F0_F0F0,
                0x0F0F_0F0F,
                5,
                10,
                10,
                0x80_8080,
                0x80_8080,
                0xE1_E1E1,
            ),
        ];
        for (stored, source, equation, fs, fd, fixed_s, fixed_d, expected) in vectors {
            let blend = Blend::from_codes(equation, [fs, fd], [fixed_s, fixed_d]);
            assert_eq!(clamped(&blend, source, stored), expected, "{blend:?}");
        }
    }

    #[test]
    fn ends_of_the_product_are_exact() {
        for component in 0..=255 {
            assert_eq!(multiply(component, 255), component as i32);
            assert_eq!(multiply(component, 0), 0);
        }
    }
}
