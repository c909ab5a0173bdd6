//! The texture function and fog in lanes (spec/ge-raster.md §10, §11.4).

use fearless_simd::{Simd, SimdBase, prelude::*, u16x32, u32x16};

use super::color::{Pairs, doubled};
use super::lanes::inlined;
use crate::code::TextureFunction;
use crate::compiled::Combiner;

/// The upper of two halves: alpha among the odd components.
const UPPER: u32 = 0xFFFF_0000;

/// The odd components with another alpha.
#[inline(always)]
fn with_alpha<S: Simd>(odd: u16x32<S>, alpha: u16x32<S>) -> u16x32<S> {
    let (odd, alpha): (u32x16<S>, u32x16<S>) = (odd.bitcast(), alpha.bitcast());
    ((odd & !UPPER) | (alpha & UPPER)).bitcast()
}

/// Primitive colour, texel and secondary colour combined and clamped.
#[inline(always)]
pub(super) fn combined<S: Simd>(
    simd: S,
    combiner: &Combiner,
    primitive: Pairs<S>,
    texel: Pairs<S>,
    secondary: Option<Pairs<S>>,
) -> Pairs<S> {
    // Doubled products lose a bit less: (x << 1) >> 8 is x >> 7.
    let shift = 8 - u32::from(combiner.doubles);
    let double = u32::from(combiner.doubles);
    let product = inlined(
        #[inline(always)]
        |p: u16x32<S>, t: u16x32<S>| (p + 1) * t,
    );
    let [red, green, blue] = combiner.environment;
    let Pairs { even, odd } = match combiner.function {
        TextureFunction::MODULATE => Pairs {
            even: product(primitive.even, texel.even) >> shift,
            odd: product(primitive.odd, texel.odd) >> shift,
        },
        TextureFunction::DECAL if combiner.uses_alpha => {
            let alpha = doubled(texel.odd.bitcast::<u32x16<S>>() >> 16);
            let rest = u16x32::splat(simd, 255) - alpha;
            let decal = inlined(
                #[inline(always)]
                |p: u16x32<S>, t: u16x32<S>| ((p + 1) * rest + (t + 1) * alpha) >> shift,
            );
            Pairs {
                even: decal(primitive.even, texel.even),
                odd: decal(primitive.odd, texel.odd),
            }
        }
        TextureFunction::BLEND => {
            let all = u16x32::splat(simd, 255);
            let environment = Pairs::splat(simd, red | (green << 8) | (blue << 16));
            let blend = inlined(
                #[inline(always)]
                |p: u16x32<S>, t: u16x32<S>, e: u16x32<S>| ((all - t) * p + t * e + 255) >> shift,
            );
            Pairs {
                even: blend(primitive.even, texel.even, environment.even),
                odd: blend(primitive.odd, texel.odd, environment.odd),
            }
        }
        TextureFunction::DECAL | TextureFunction::REPLACE => Pairs {
            even: texel.even << double,
            odd: texel.odd << double,
        },
        _ => Pairs {
            even: (primitive.even + texel.even) << double,
            odd: (primitive.odd + texel.odd) << double,
        },
    };
    let alpha = if !combiner.uses_alpha {
        primitive.odd
    } else {
        match combiner.function {
            TextureFunction::DECAL => primitive.odd,
            TextureFunction::REPLACE => texel.odd,
            _ => product(primitive.odd, texel.odd) >> 8,
        }
    };
    let sum = Pairs { even, odd };
    let sum = match secondary {
        Some(secondary) => Pairs {
            even: sum.even + secondary.even,
            odd: sum.odd + secondary.odd,
        },
        None => sum,
    };
    let most = u16x32::splat(simd, 255);
    Pairs {
        even: sum.even.min(most),
        odd: with_alpha(sum.odd.min(most), alpha),
    }
}

/// The same for a primitive colour that is NaN in PPSSPP's arithmetic: modulated, the product is that of 16 bits with
/// -2^15; other functions take it for 0.
#[inline(always)]
pub(super) fn combined_without_number<S: Simd>(
    simd: S,
    combiner: &Combiner,
    texel: Pairs<S>,
    secondary: Option<Pairs<S>>,
) -> Pairs<S> {
    if combiner.function != TextureFunction::MODULATE {
        return combined(simd, combiner, Pairs::splat(simd, 0), texel, secondary);
    }
    let shift = 8 - u32::from(combiner.doubles);
    let zero = u16x32::splat(simd, 0);
    let (even, odd) = (texel.even * 0x8001, texel.odd * 0x8001);
    let secondary = secondary.unwrap_or(Pairs {
        even: zero,
        odd: zero,
    });
    let alpha = if combiner.uses_alpha { odd >> 8 } else { zero };
    let most = u16x32::splat(simd, 255);
    Pairs {
        even: ((even >> shift) + secondary.even).min(most),
        odd: with_alpha(((odd >> shift) + secondary.odd).min(most), alpha),
    }
}

/// Primitive and secondary colour added and clamped. The secondary colour has no alpha.
#[inline(always)]
pub(super) fn added<S: Simd>(simd: S, primitive: Pairs<S>, secondary: Pairs<S>) -> Pairs<S> {
    let most = u16x32::splat(simd, 255);
    Pairs {
        even: (primitive.even + secondary.even).min(most),
        odd: (primitive.odd + secondary.odd).min(most),
    }
}

/// The colours in the fog: factors of 255 leave them, 0 is nothing but fog; in both halves.
#[inline(always)]
pub(super) fn fogged<S: Simd>(
    simd: S,
    color: Pairs<S>,
    factor: u16x32<S>,
    [red, green, blue]: [u32; 3],
) -> Pairs<S> {
    let fog = Pairs::splat(simd, red | (green << 8) | (blue << 16));
    let rest = u16x32::splat(simd, 255) - factor;
    let mix = inlined(
        #[inline(always)]
        |color: u16x32<S>, fog: u16x32<S>| (color * factor + fog * rest + 255) >> 8,
    );
    Pairs {
        even: mix(color.even, fog.even),
        odd: with_alpha(mix(color.odd, fog.odd), color.odd),
    }
}
