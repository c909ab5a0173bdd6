//! The level of detail of a block's quads (spec/ge-raster.md §9.4).

use fearless_simd::{Simd, SimdBase, f64x8, i32x16, i64x8, prelude::*, u32x16};

use super::lanes::{LANES, SIDE, inlined};
use super::plane::Anchor;
use crate::reference::exact_finer;
use crate::setup::{PerspectiveCoordinates, Plane64, Primitive, PrimitiveFlags, fixed_log2};
use crate::texture::{Filter, Sampler};

/// Fraction bits of 1/256 texel, where changes of coordinates are looked at.
const FINER: u32 = 8;
/// Fraction bits of changes that both axes share: [`FINER`], 1/256 texel, and up to 15 of the levels' sizes.
const CHANGE_BITS: u32 = 8 + FINER + 15;

/// Where the level of detail comes from.
#[derive(Clone, Copy)]
pub(super) enum QuadDetail<'a> {
    /// The change of the coordinates: of s to the right in a quad's upper row, of t down its left column, in texels of
    /// level 0. Changes are taken of exact quotients, whatever the coordinates use. Whether hardware does it so is
    /// unverified.
    Quotients(&'a PerspectiveCoordinates),
    /// A plane of twice w times the slope, at a quad's first pixel.
    Slope(&'a Plane64),
}

/// The quads of a block by alignment: `TABLES[odd column][odd row]` gives each lane its quad, of a grid four wide whose
/// first quad begins at the block's first pixel, or one before it where quads begin at odd columns or rows.
const QUADS: [[[usize; LANES]; 2]; 2] = {
    let mut tables = [[[0; LANES]; 2]; 2];
    let mut index = 0;
    while index < 4 * LANES {
        let (odd_column, odd_row, lane) = (index / (2 * LANES), (index / LANES) % 2, index % LANES);
        let (column, row) = (lane % 4, lane / 4);
        tables[odd_column][odd_row][lane] = 4 * ((row + odd_row) / 2) + (column + odd_column) / 2;
        index += 1;
    }
    tables
};

/// The level of detail in each lane, in 1/16 level, with what the primitive adds.
#[inline(always)]
pub(super) fn details<S: Simd>(
    simd: S,
    source: QuadDetail<'_>,
    primitive: &Primitive,
    sampler: &Sampler,
    anchor: Anchor,
    (column, row): (i32, i32),
) -> i32x16<S> {
    let flags = primitive.flags;
    let odd_column = flags.contains(PrimitiveFlags::ODD_QUAD_COLUMN);
    let odd_row = flags.contains(PrimitiveFlags::ODD_QUAD_ROW);
    // Blocks begin at even columns and rows.
    let dx = anchor.dx + SIDE * column - i32::from(odd_column);
    let dy = anchor.dy + SIDE * row - i32::from(odd_row);
    let quads = &QUADS[usize::from(odd_column)][usize::from(odd_row)];
    // Two rows of quads fill one half of the lanes.
    let halves = 1 + usize::from(odd_row);
    let mut of_quads = [0; LANES];
    for half in 0..halves {
        let dy = dy + 4 * half as i32;
        let of_half = match source {
            QuadDetail::Quotients(coordinates) => {
                from_quotients(simd, coordinates, sampler.first_shifts, dx, dy)
            }
            QuadDetail::Slope(plane) => {
                let mut details = [0; 8];
                for (quad, detail) in details.iter_mut().enumerate() {
                    let (dx, dy) = (dx + 2 * (quad as i32 % 4), dy + 2 * (quad as i32 / 4));
                    *detail = fixed_log2(plane.at(dx, dy).unsigned_abs(), 24);
                }
                details
            }
        };
        of_quads[8 * half..8 * half + 8].copy_from_slice(&of_half);
    }
    let mut details = [0; LANES];
    for (detail, &quad) in details.iter_mut().zip(quads) {
        *detail = of_quads[quad % LANES].saturating_add(primitive.detail);
    }
    i32x16::simd_from(simd, details)
}

/// The levels of detail of eight quads: four beside each other, and four below them.
#[inline(always)]
fn from_quotients<S: Simd>(
    simd: S,
    coordinates: &PerspectiveCoordinates,
    first_shifts: [u32; 2],
    dx: i32,
    dy: i32,
) -> [i32; 8] {
    /// More than a quotient is off, relative to it: three roundings of 53 bits.
    const UNIT: f64 = 1.0 / (1u64 << 50) as f64;
    /// Where exact quotients stop.
    const LIMIT: f64 = (1u64 << (30 + FINER)) as f64;
    let columns = f64x8::simd_from(simd, [0.0, 2.0, 4.0, 6.0, 0.0, 2.0, 4.0, 6.0]);
    let rows = f64x8::simd_from(simd, [0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0]);
    let [plane_s, plane_t] = &coordinates.numerators;
    // Sums of planes are exact in doubles where they stay below 2^53; elsewhere all quads are worked out exactly.
    let mut is_exact = true;
    let mut values = inlined(
        #[inline(always)]
        |plane: &Plane64, x: i32, y: i32| {
            const STEEPEST: i64 = 1 << 49;
            let (first, right, down) = (plane.at(dx + x, dy + y), plane.right(), plane.down());
            is_exact &= first.unsigned_abs() < 1 << 51
                && right.unsigned_abs() < STEEPEST as u64
                && down.unsigned_abs() < STEEPEST as u64;
            columns * right as f64 + rows * down as f64 + first as f64
        },
    );
    let denominator = &coordinates.denominator;
    let corner = values(denominator, 0, 0);
    let (beside, below) = (values(denominator, 1, 0), values(denominator, 0, 1));
    let (s_corner, s_beside) = (values(plane_s, 0, 0), values(plane_s, 1, 0));
    let (t_corner, t_below) = (values(plane_t, 0, 0), values(plane_t, 0, 1));
    let [shift_s, shift_t] = coordinates.shifts;
    let [scale_s, scale_t] = [power(shift_s), power(shift_t)];
    let one = f64x8::splat(simd, 1.0);
    let mut certain = 0xFF;
    let mut floor = inlined(
        #[inline(always)]
        |numerator: f64x8<S>, denominator: f64x8<S>, scale: f64| {
            let quotient = numerator * scale / denominator;
            let error = quotient.abs() * UNIT + UNIT;
            let floor = quotient.floor();
            let fraction = quotient - floor;
            // NaN is not certain. That a quotient is an integer is known only where it is one of doubles: then the division
            // is exact or rounds to it.
            certain &= (fraction.simd_ge(error) & (one - fraction).simd_ge(error)).to_bitmask();
            floor
                .max(f64x8::splat(simd, -LIMIT))
                .min(f64x8::splat(simd, LIMIT))
        },
    );
    let change_s = floor(s_beside, beside, scale_s) - floor(s_corner, corner, scale_s);
    let change_t = floor(t_below, below, scale_t) - floor(t_corner, corner, scale_t);
    let widened = inlined(
        #[inline(always)]
        |change: f64x8<S>, shift: u32| change.abs() * f64::from(1u32 << (15 - shift.min(15))),
    );
    let change = widened(change_s, first_shifts[0]).max(widened(change_t, first_shifts[1]));
    // The exponent and the highest four bits of the fraction are the logarithm.
    let bits: i64x8<S> = change.bitcast();
    let logarithm = (bits >> 48) - (16 * (1023 + i64::from(CHANGE_BITS)));
    let logarithms = logarithm.to_array();
    let zeros = change.simd_eq(f64x8::splat(simd, 0.0)).to_bitmask();
    let mut details = [0; 8];
    for (quad, (detail, logarithm)) in details.iter_mut().zip(logarithms).enumerate() {
        *detail = if (zeros >> quad) & 1 == 1 {
            -2032
        } else {
            logarithm as i32
        };
    }
    if !is_exact {
        certain = 0;
    }
    if certain != 0xFF {
        for (quad, detail) in details.iter_mut().enumerate() {
            if (certain >> quad) & 1 == 0 {
                let (dx, dy) = (dx + 2 * (quad as i32 % 4), dy + 2 * (quad as i32 / 4));
                *detail = exactly(coordinates, first_shifts, dx, dy);
            }
        }
    }
    details
}

/// 2^(shift + [`FINER`]), as exact quotients have it.
fn power(shift: i32) -> f64 {
    let shift = shift.saturating_add(FINER as i32).clamp(-63, 63);
    f64::from_bits(((1023 + i64::from(shift)) as u64) << 52)
}

/// The definition.
#[cold]
#[inline(never)]
fn exactly(coordinates: &PerspectiveCoordinates, first_shifts: [u32; 2], dx: i32, dy: i32) -> i32 {
    let at = |axis: usize, dx: i32, dy: i32| {
        exact_finer(
            coordinates.numerators[axis].at(dx, dy),
            coordinates.denominator.at(dx, dy),
            coordinates.shifts[axis],
            FINER,
        )
    };
    let change_s = at(0, dx + 1, dy).abs_diff(at(0, dx, dy)) << (15 - first_shifts[0].min(15));
    let change_t = at(1, dx, dy + 1).abs_diff(at(1, dx, dy)) << (15 - first_shifts[1].min(15));
    fixed_log2(change_s.max(change_t), CHANGE_BITS)
}

/// The level and filter of each lane, as one number, and how much of the next level each mixes in.
pub(super) struct LaneLevels<S: Simd> {
    pub(super) keys: u32x16<S>,
    pub(super) mixes: u32x16<S>,
}

/// In a key: the filter is the one for minification.
const MINIFIED: u32 = 1 << 8;

/// [`choose_level`](crate::texture::choose_level) in lanes.
#[inline(always)]
pub(super) fn levels<S: Simd>(simd: S, sampler: &Sampler, details: i32x16<S>) -> LaneLevels<S> {
    let zero = i32x16::splat(simd, 0);
    let none = u32x16::splat(simd, 0);
    let filters = if sampler.minify == sampler.magnify {
        none
    } else {
        details.simd_gt(zero).select(u32x16::splat(simd, MINIFIED), none)
    };
    if !sampler.mipmaps {
        return LaneLevels {
            keys: filters,
            mixes: none,
        };
    }
    let most = i32x16::splat(simd, 16 * sampler.highest_level as i32);
    let details: u32x16<S> = details.max(zero).min(most).bitcast();
    if sampler.mix_levels {
        LaneLevels {
            keys: filters | (details >> 4),
            mixes: details & 15,
        }
    } else {
        LaneLevels {
            keys: filters | ((details + 8) >> 4),
            mixes: none,
        }
    }
}

/// The level and the filter that a key stands for.
#[inline(always)]
pub(super) fn of_key(sampler: &Sampler, key: u32) -> (usize, Filter) {
    let filter = if key & MINIFIED != 0 {
        sampler.minify
    } else {
        sampler.magnify
    };
    ((key & 0xFF) as usize, filter)
}
