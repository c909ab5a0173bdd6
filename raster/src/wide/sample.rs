//! From coordinates to filtered texels in lanes (spec/ge-raster.md §8.3, §9).

use fearless_simd::{Simd, SimdBase, i32x16, prelude::*, u16x32, u32x16};

use super::color::{Pairs, doubled, mixed};
use super::detail::{LaneLevels, of_key};
use super::lanes::{ALL, LANES, bits, each_lane, inlined, mask as lanes_of};
use crate::texture::{Filter, LevelChoice, LevelView, Sampler, Texture};

/// An axis' texel indices, wrapped or clamped.
#[inline(always)]
fn wrapped<S: Simd>(simd: S, index: i32x16<S>, [low, high, mask]: [i32; 3]) -> u32x16<S> {
    let (low, high) = (i32x16::splat(simd, low), i32x16::splat(simd, high));
    (index.max(low).min(high) & mask).bitcast()
}

/// The texels at indices.
#[inline(always)]
fn fetched<S: Simd>(simd: S, texels: &[u32], indices: u32x16<S>) -> u32x16<S> {
    let at = indices.to_array();
    u32x16::simd_from(simd, each_lane!(lane => texels[at[lane] as usize]))
}

/// The texels at indices and those after them; right in lanes that do not name the last texel.
#[inline(always)]
fn fetched_pairs<S: Simd>(simd: S, texels: &[u32], indices: u32x16<S>) -> [u32x16<S>; 2] {
    let last = (texels.len() as u32).saturating_sub(2);
    let at = indices.min(u32x16::splat(simd, last)).to_array();
    let pairs = each_lane!(lane => {
        let first = at[lane] as usize;
        let pair = &texels[first..first + 2];
        u64::from(pair[0]) | (u64::from(pair[1]) << 32)
    });
    let half = inlined(
        #[inline(always)]
        |half: usize| {
            let at = 8 * half;
            let numbers = [
                pairs[at],
                pairs[at + 1],
                pairs[at + 2],
                pairs[at + 3],
                pairs[at + 4],
                pairs[at + 5],
                pairs[at + 6],
                pairs[at + 7],
            ];
            fearless_simd::u64x8::simd_from(simd, numbers).bitcast::<u32x16<S>>()
        },
    );
    let (lower, upper) = (half(0), half(1));
    [lower.unzip_low(upper), lower.unzip_high(upper)]
}

#[inline(always)]
fn nearest<S: Simd>(simd: S, level: &LevelView, texels: &[u32], [s, t]: [i32x16<S>; 2]) -> Pairs<S> {
    let column = wrapped(simd, s >> (level.shift_s + 8), level.wrap_s.parts());
    let row = wrapped(simd, t >> (level.shift_t + 8), level.wrap_t.parts());
    Pairs::of(fetched(simd, texels, (row << level.log2_width) | column))
}

#[inline(always)]
fn linear<S: Simd>(
    simd: S,
    level: &LevelView,
    texels: &[u32],
    [s, t]: [i32x16<S>; 2],
    mask: u32,
    takes_mean_at_once: bool,
) -> Pairs<S> {
    let s = ((s + level.half_s) >> level.shift_s) - 128;
    let t = ((t + level.half_t) >> level.shift_t) - 128;
    let (column, row) = (s >> 8, t >> 8);
    let left = wrapped(simd, column, level.wrap_s.parts());
    let right = wrapped(simd, column + 1, level.wrap_s.parts());
    let top = wrapped(simd, row, level.wrap_t.parts()) << level.log2_width;
    let bottom = wrapped(simd, row + 1, level.wrap_t.parts()) << level.log2_width;
    // Texels beside each other are one load; where the texture's edge lies between, they are not.
    let side_by_side = bits(right.simd_eq(left + 1)) | (!mask & ALL);
    let [corners_top, corners_bottom] = if side_by_side == ALL {
        [
            fetched_pairs(simd, texels, top | left),
            fetched_pairs(simd, texels, bottom | left),
        ]
    } else {
        [
            [
                fetched(simd, texels, top | left),
                fetched(simd, texels, top | right),
            ],
            [
                fetched(simd, texels, bottom | left),
                fetched(simd, texels, bottom | right),
            ],
        ]
    };
    let fraction = inlined(
        #[inline(always)]
        |coordinate: i32x16<S>| ((coordinate >> 4) & 15).bitcast::<u32x16<S>>(),
    );
    let (fraction_s, fraction_t) = (fraction(s), fraction(t));
    let (top_left, top_right) = (Pairs::of(corners_top[0]), Pairs::of(corners_top[1]));
    let (bottom_left, bottom_right) = (Pairs::of(corners_bottom[0]), Pairs::of(corners_bottom[1]));
    if !takes_mean_at_once {
        // hw: reflection, rendertarget: each mean is cut to 8 bits.
        let across = doubled(fraction_s);
        let upper = mixed(top_left, top_right, across);
        let lower = mixed(bottom_left, bottom_right, across);
        return mixed(upper, lower, doubled(fraction_t));
    }
    // Weights add up to 256, so that no half overflows.
    let sixteen = u32x16::splat(simd, 16);
    let (rest_s, rest_t) = (sixteen - fraction_s, sixteen - fraction_t);
    let weights = [
        doubled(rest_s * rest_t),
        doubled(fraction_s * rest_t),
        doubled(rest_s * fraction_t),
        doubled(fraction_s * fraction_t),
    ];
    let mean = inlined(
        #[inline(always)]
        |corners: [u16x32<S>; 4]| {
            (corners[0] * weights[0]
                + corners[1] * weights[1]
                + corners[2] * weights[2]
                + corners[3] * weights[3])
                >> 8
        },
    );
    Pairs {
        even: mean([top_left.even, top_right.even, bottom_left.even, bottom_right.even]),
        odd: mean([top_left.odd, top_right.odd, bottom_left.odd, bottom_right.odd]),
    }
}

/// The levels that a block's lanes are sampled from.
pub(super) enum Choices<S: Simd> {
    /// The same for all.
    One(LevelChoice),
    /// One for each lane.
    Lanes(LaneLevels<S>),
}

/// The filtered texels of a block, right in the lanes of `mask`. Lanes of one level and filter are sampled together.
#[inline(always)]
pub(super) fn sampled<S: Simd>(
    simd: S,
    sampler: &Sampler,
    texture: &Texture,
    choices: &Choices<S>,
    coordinates: [i32x16<S>; 2],
    mask: u32,
) -> Pairs<S> {
    let none = u32x16::splat(simd, 0);
    let mut result = none;
    let mut rest = mask;
    // One place for the filter: it is most of the kernel's code.
    let mut upper: Option<Pairs<S>> = None;
    loop {
        let (level, filter, same, mixes, is_mixed) = match choices {
            Choices::One(choice) => {
                let mixes = u32x16::splat(simd, choice.mix);
                (choice.level, choice.filter, mask, mixes, choice.mix != 0)
            }
            Choices::Lanes(levels) => {
                let first = rest.trailing_zeros() as usize % LANES;
                let key = levels.keys.to_array()[first];
                let same = bits(levels.keys.simd_eq(u32x16::splat(simd, key))) & rest;
                let is_mixed = bits(levels.mixes.simd_ne(none)) & same != 0;
                let (level, filter) = of_key(sampler, key);
                (level, filter, same, levels.mixes, is_mixed)
            }
        };
        let level = sampler.level(level + usize::from(upper.is_some()));
        let texels = level.texels_of(texture);
        let texel = match filter {
            Filter::Nearest => nearest(simd, level, texels, coordinates),
            Filter::Linear => linear(
                simd,
                level,
                texels,
                coordinates,
                same,
                sampler.takes_mean_at_once(),
            ),
        };
        let texel = match upper.take() {
            None if is_mixed => {
                upper = Some(texel);
                continue;
            }
            None => texel,
            Some(upper) => mixed(upper, texel, doubled(mixes)),
        };
        rest &= !same;
        if same == mask {
            return texel;
        }
        result = lanes_of(simd, same).select(texel.words(), result);
        if rest == 0 {
            return Pairs::of(result);
        }
    }
}
