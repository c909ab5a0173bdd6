//! The level of detail of a pixel, and what it selects (spec/ge-raster.md §9.4, §9.5).

use super::{Pixel, quotient};
use crate::setup::{NONE, PerspectiveCoordinates, PrimitiveFlags, fixed_log2};
use crate::texture::{Filter, Sampler};

/// Bits behind the point of 1/256 texel, where changes of coordinates are looked at.
const FINER: u32 = 8;

/// What a level of detail selects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Selection {
    pub(super) filter: Filter,
    pub(super) level: usize,
    /// How much of the next level is mixed in, in sixteenths.
    pub(super) mix: u32,
}

/// The level of detail in 1/16 level, bias included.
pub(super) fn detail(pixel: Pixel<'_>) -> i32 {
    let primitive = pixel.primitive;
    let has = |flag| primitive.flags.contains(flag);
    let (dx, dy) = quad_steps(pixel);
    let found = if has(PrimitiveFlags::DETAIL_FROM_SLOPE) {
        let plane = pixel.attributes.planes[primitive.slope as usize];
        fixed_log2(plane.at(dx, dy).unsigned_abs(), 24)
    } else if has(PrimitiveFlags::DETAIL_PER_QUAD)
        && has(PrimitiveFlags::PERSPECTIVE)
        && primitive.coordinates != NONE
    {
        let coordinates = &pixel.attributes.perspective[primitive.coordinates as usize];
        of_quad(coordinates, pixel.state.sampler.first_shifts, dx, dy)
    } else {
        0
    };
    found.saturating_add(primitive.detail)
}

/// The first pixel of the quad, from the primitive's first: it may lie outside the primitive. Quads begin at even
/// columns and rows of the target, or at odd ones.
fn quad_steps(pixel: Pixel<'_>) -> (i32, i32) {
    let odd = |flag| i32::from(pixel.primitive.flags.contains(flag));
    let column = (pixel.x - odd(PrimitiveFlags::ODD_QUAD_COLUMN)).rem_euclid(2);
    let row = (pixel.y - odd(PrimitiveFlags::ODD_QUAD_ROW)).rem_euclid(2);
    let (dx, dy) = pixel.steps();
    (dx - column, dy - row)
}

/// The level of detail of a quad, without the bias: from the change of s to the right in its upper row and that of t
/// down its left column, in texels of level 0. Whether hardware does it so is unverified. Changes are taken of exact
/// quotients, whatever the coordinates use.
fn of_quad(coordinates: &PerspectiveCoordinates, first_shifts: [u32; 2], dx: i32, dy: i32) -> i32 {
    let at = |axis: usize, dx: i32, dy: i32| {
        quotient::exact_finer(
            coordinates.numerators[axis].at(dx, dy),
            coordinates.denominator.at(dx, dy),
            coordinates.shifts[axis],
            FINER,
        )
    };
    // Level 0 may be smaller than the largest level: both axes have 15 more bits, less that difference.
    let in_first = |change: u64, axis: usize| change << (15 - first_shifts[axis].min(15));
    let change_s = in_first(at(0, dx + 1, dy).abs_diff(at(0, dx, dy)), 0);
    let change_t = in_first(at(1, dx, dy + 1).abs_diff(at(1, dx, dy)), 1);
    fixed_log2(change_s.max(change_t), 8 + FINER + 15)
}

/// The filter, the level and the mixture for a level of detail in 1/16 level.
pub(super) fn select(sampler: &Sampler, detail: i32) -> Selection {
    let filter = if detail > 0 {
        sampler.minify
    } else {
        sampler.magnify
    };
    if !sampler.mipmaps || detail <= 0 {
        return Selection {
            filter,
            level: 0,
            mix: 0,
        };
    }
    let detail = (detail as usize).min(16 * sampler.highest_level);
    if sampler.mix_levels {
        return Selection {
            filter,
            level: detail / 16,
            mix: (detail % 16) as u32,
        };
    }
    Selection {
        filter,
        level: (detail + 8) / 16,
        mix: 0,
    }
}
