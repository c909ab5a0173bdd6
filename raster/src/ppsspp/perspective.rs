//! Planes of coordinates in perspective with 50 bits, divided exactly (spec/ppsspp-profile.md §4.4).
//!
//! Their own error is that of 50 bits of the largest corner. For triangles that are no slivers (area at least 1/64 of the
//! longest side's square), w within a factor of ten and coordinates up to 2^20 it is below 2^-8 of 1/256 texel.

use crate::setup::planes::{Along, Plane64};

/// A plane of numbers that change along one axis, for rectangles with projected coordinates, as
/// [`Basis::approximate`](crate::setup::planes::Basis::approximate).
pub(super) fn along(
    [from, to]: [f64; 2],
    [(distance_x, sample_x), (distance_y, sample_y)]: Along,
) -> Plane64 {
    let slope = |distance: i64| match distance {
        0 => 0.0,
        _ => (to - from) / distance as f64,
    };
    let (x, y) = (slope(distance_x), slope(distance_y));
    let base = from + (x * sample_x as f64 + y * sample_y as f64);
    Plane64::rounded(base, 16.0 * x, 16.0 * y)
}
