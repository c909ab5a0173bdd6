//! Blending in lanes (spec/ge-raster.md §11.8).

use fearless_simd::{Simd, SimdBase, i16x32, prelude::*, u16x32, u32x16};

use super::color::{Pairs, doubled};
use super::lanes::inlined;
use crate::code::{BlendEquation, BlendFactor};
use crate::state::Blend;

/// Red, green and blue, neither dithered nor clamped: -255 to 763. What the fourth component holds is of no use.
#[derive(Clone, Copy)]
pub(super) struct Signed<S: Simd> {
    pub(super) even: i16x32<S>,
    pub(super) odd: i16x32<S>,
}

impl<S: Simd> Signed<S> {
    #[inline(always)]
    pub(super) fn of(color: Pairs<S>) -> Self {
        Self {
            even: color.even.bitcast(),
            odd: color.odd.bitcast(),
        }
    }

    /// Red, green and blue with the entries of the dither matrix, clamped; alpha is whatever fits 8 bits.
    #[inline(always)]
    pub(super) fn clamped(self, simd: S) -> Pairs<S> {
        let (least, most) = (i16x32::splat(simd, 0), i16x32::splat(simd, 255));
        Pairs {
            even: self.even.max(least).min(most).bitcast(),
            odd: self.odd.max(least).min(most).bitcast(),
        }
    }
}

/// The hardware's product ((2c + 1) * (2f + 1)) >> 10 of components and factors up to 255 (hw: commands/blend).
///
/// That is the floor of (c f + (c + f) / 2 + 1 / 4) / 256; the quarter never reaches the next integer.
#[inline(always)]
pub(super) fn product<S: Simd>(component: u16x32<S>, factor: u16x32<S>) -> u16x32<S> {
    (component * factor + ((component + factor) >> 1)) >> 8
}

/// The same with twice `half`, up to 510, for the factor: the floor of (c h + (c / 2 + h) / 2) / 128.
#[inline(always)]
pub(super) fn product_with_double<S: Simd>(component: u16x32<S>, half: u16x32<S>) -> u16x32<S> {
    (component * half + (((component >> 1) + half) >> 1)) >> 7
}

/// A side's colour times its factor.
#[inline(always)]
fn weighted<S: Simd>(
    simd: S,
    factor: BlendFactor,
    fixed: u32,
    color: Pairs<S>,
    other: Pairs<S>,
    [source_alpha, stored_alpha]: [u16x32<S>; 2],
) -> Pairs<S> {
    let all = u16x32::splat(simd, 255);
    let by = inlined(
        #[inline(always)]
        |factor: Pairs<S>| Pairs {
            even: product(color.even, factor.even),
            odd: product(color.odd, factor.odd),
        },
    );
    let by_same = inlined(
        #[inline(always)]
        |factor: u16x32<S>| {
            by(Pairs {
                even: factor,
                odd: factor,
            })
        },
    );
    let by_double = inlined(
        #[inline(always)]
        |half: u16x32<S>| Pairs {
            even: product_with_double(color.even, half),
            odd: product_with_double(color.odd, half),
        },
    );
    let inverse_of_double = inlined(
        #[inline(always)]
        |alpha: u16x32<S>| all - (alpha << 1).min(all),
    );
    match factor {
        BlendFactor::OTHER_COLOR => by(other),
        BlendFactor::INVERSE_OTHER_COLOR => by(Pairs {
            even: all - other.even,
            odd: all - other.odd,
        }),
        BlendFactor::SOURCE_ALPHA => by_same(source_alpha),
        BlendFactor::INVERSE_SOURCE_ALPHA => by_same(all - source_alpha),
        BlendFactor::DESTINATION_ALPHA => by_same(stored_alpha),
        BlendFactor::INVERSE_DESTINATION_ALPHA => by_same(all - stored_alpha),
        BlendFactor::DOUBLE_SOURCE_ALPHA => by_double(source_alpha),
        BlendFactor::INVERSE_DOUBLE_SOURCE_ALPHA => by_same(inverse_of_double(source_alpha)),
        BlendFactor::DOUBLE_DESTINATION_ALPHA => by_double(stored_alpha),
        BlendFactor::INVERSE_DOUBLE_DESTINATION_ALPHA => by_same(inverse_of_double(stored_alpha)),
        _ => by(Pairs::splat(simd, fixed & 0x00FF_FFFF)),
    }
}

/// Source and stored colours blended.
#[inline(always)]
pub(super) fn blended<S: Simd>(simd: S, blend: &Blend, source: Pairs<S>, stored: Pairs<S>) -> Signed<S> {
    let (least, most) = (source.min(stored), source.max(stored));
    match blend.equation {
        BlendEquation::MINIMUM => return Signed::of(least),
        BlendEquation::MAXIMUM => return Signed::of(most),
        BlendEquation::ABSOLUTE_DIFFERENCE => {
            return Signed::of(Pairs {
                even: most.even - least.even,
                odd: most.odd - least.odd,
            });
        }
        BlendEquation::SOURCE => return Signed::of(source),
        _ => {}
    }
    let alpha = inlined(
        #[inline(always)]
        |color: Pairs<S>| doubled(color.odd.bitcast::<u32x16<S>>() >> 16),
    );
    let alphas = [alpha(source), alpha(stored)];
    let from_source = weighted(simd, blend.source, blend.fixed_source, source, stored, alphas);
    let from_stored = weighted(
        simd,
        blend.destination,
        blend.fixed_destination,
        stored,
        source,
        alphas,
    );
    let (a, b) = (Signed::of(from_source), Signed::of(from_stored));
    match blend.equation {
        BlendEquation::SUBTRACT => Signed {
            even: a.even - b.even,
            odd: a.odd - b.odd,
        },
        BlendEquation::REVERSE_SUBTRACT => Signed {
            even: b.even - a.even,
            odd: b.odd - a.odd,
        },
        _ => Signed {
            even: a.even + b.even,
            odd: a.odd + b.odd,
        },
    }
}

/// [`blended`] for the common case: source times its alpha plus stored times the rest.
#[inline(always)]
pub(super) fn blended_by_alpha<S: Simd>(simd: S, source: Pairs<S>, stored: Pairs<S>) -> Signed<S> {
    let alpha = doubled(source.odd.bitcast::<u32x16<S>>() >> 16);
    let rest = u16x32::splat(simd, 255) - alpha;
    Signed::of(Pairs {
        even: product(source.even, alpha) + product(stored.even, rest),
        odd: product(source.odd, alpha) + product(stored.odd, rest),
    })
}
