//! Matrix products, in upload order: vectors are rows, multiplied from the left
//! (`spec/ge-frontend.md §5.3`).

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};

use super::Geometry;

/// A point times a 4x3 matrix, whose elements 9 to 11 are the translation.
#[inline]
#[must_use]
pub fn transform_point<A: Geometry>(point: [f32; 3], m: &[f32; 12]) -> [f32; 3] {
    [0, 1, 2].map(|j| A::affine(point, [m[j], m[3 + j], m[6 + j], m[9 + j]]))
}

/// A direction times a 4x3 matrix: the translation is left out.
#[inline]
#[must_use]
pub fn transform_direction<A: Geometry>(direction: [f32; 3], m: &[f32; 12]) -> [f32; 3] {
    [0, 1, 2].map(|j| A::dot3(direction, [m[j], m[3 + j], m[6 + j]]))
}

/// A point times a 4x4 matrix: clip coordinates x, y, z, w.
#[inline]
#[must_use]
pub fn transform_projection<A: Geometry>(point: [f32; 3], m: &[f32; 16]) -> [f32; 4] {
    [0, 1, 2, 3].map(|j| A::affine(point, [m[j], m[4 + j], m[8 + j], m[12 + j]]))
}

// No closures below: one that is not inlined into its caller is compiled without the caller's instructions.

/// One coordinate of points times a column of a matrix: [`Arithmetic::affine`](vertex::Arithmetic::affine) of each
/// lane.
#[inline(always)]
pub(crate) fn affine_shared<A: Geometry, S: Simd>(
    point: [f32x16<S>; 3],
    [a, b, c, d]: [f32; 4],
) -> f32x16<S> {
    let simd = point[0].token();
    let column = [
        f32x16::splat(simd, a),
        f32x16::splat(simd, b),
        f32x16::splat(simd, c),
        f32x16::splat(simd, d),
    ];
    A::affine_lanes(point, column)
}

/// The product of vectors and a vector that all lanes share.
#[inline(always)]
pub(crate) fn dot3_shared<A: Geometry, S: Simd>(vector: [f32x16<S>; 3], [a, b, c]: [f32; 3]) -> f32x16<S> {
    let simd = vector[0].token();
    let column = [
        f32x16::splat(simd, a),
        f32x16::splat(simd, b),
        f32x16::splat(simd, c),
    ];
    A::dot3_lanes(vector, column)
}

/// [`transform_point`] of each lane.
#[inline(always)]
pub(crate) fn transform_point_lanes<A: Geometry, S: Simd>(
    point: [f32x16<S>; 3],
    m: &[f32; 12],
) -> [f32x16<S>; 3] {
    [
        affine_shared::<A, S>(point, [m[0], m[3], m[6], m[9]]),
        affine_shared::<A, S>(point, [m[1], m[4], m[7], m[10]]),
        affine_shared::<A, S>(point, [m[2], m[5], m[8], m[11]]),
    ]
}

/// [`transform_direction`] of each lane.
#[inline(always)]
pub(crate) fn transform_direction_lanes<A: Geometry, S: Simd>(
    direction: [f32x16<S>; 3],
    m: &[f32; 12],
) -> [f32x16<S>; 3] {
    [
        dot3_shared::<A, S>(direction, [m[0], m[3], m[6]]),
        dot3_shared::<A, S>(direction, [m[1], m[4], m[7]]),
        dot3_shared::<A, S>(direction, [m[2], m[5], m[8]]),
    ]
}

/// [`transform_projection`] of each lane.
#[inline(always)]
pub(crate) fn transform_projection_lanes<A: Geometry, S: Simd>(
    point: [f32x16<S>; 3],
    m: &[f32; 16],
) -> [f32x16<S>; 4] {
    [
        affine_shared::<A, S>(point, [m[0], m[4], m[8], m[12]]),
        affine_shared::<A, S>(point, [m[1], m[5], m[9], m[13]]),
        affine_shared::<A, S>(point, [m[2], m[6], m[10], m[14]]),
        affine_shared::<A, S>(point, [m[3], m[7], m[11], m[15]]),
    ]
}

/// The 4x3 matrix that acts as `first`, then `second`.
#[must_use]
pub fn multiply_4x3<A: Geometry>(first: &[f32; 12], second: &[f32; 12]) -> [f32; 12] {
    std::array::from_fn(|index| {
        let (row, column) = (index / 3, index % 3);
        // The fourth column of a 4x3 matrix is (0, 0, 0, 1).
        let translation = if row == 3 { second[9 + column] } else { 0.0 };
        A::matrix_product(
            [first[3 * row], first[3 * row + 1], first[3 * row + 2]],
            [second[column], second[3 + column], second[6 + column]],
            translation,
        )
    })
}

/// The 4x4 matrix that acts as the 4x3 matrix `first`, then `projection`.
#[must_use]
pub fn multiply_projection<A: Geometry>(first: &[f32; 12], projection: &[f32; 16]) -> [f32; 16] {
    std::array::from_fn(|index| {
        let (row, column) = (index / 4, index % 4);
        let translation = if row == 3 { projection[12 + column] } else { 0.0 };
        A::matrix_product(
            [first[3 * row], first[3 * row + 1], first[3 * row + 2]],
            [projection[column], projection[4 + column], projection[8 + column]],
            translation,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::T24;

    const IDENTITY: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

    /// Rotates x to y, y to z, z to x, then moves by (1, 2, 3).
    const TURN: [f32; 12] = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 2.0, 3.0];

    #[test]
    fn rows_are_the_images_of_the_axes() {
        assert_eq!(transform_point::<T24>([1.0, 0.0, 0.0], &TURN), [1.0, 3.0, 3.0]);
        assert_eq!(
            transform_direction::<T24>([1.0, 0.0, 0.0], &TURN),
            [0.0, 1.0, 0.0]
        );
    }

    #[test]
    fn a_product_acts_as_its_factors_one_after_the_other() {
        let twice = multiply_4x3::<T24>(&TURN, &TURN);
        let point = [4.0, 5.0, 6.0];
        let one_by_one = transform_point::<T24>(transform_point::<T24>(point, &TURN), &TURN);
        assert_eq!(transform_point::<T24>(point, &twice), one_by_one);
        assert_eq!(multiply_4x3::<T24>(&TURN, &IDENTITY), TURN);
    }

    #[test]
    fn the_projection_keeps_w() {
        let mut projection = [0.0; 16];
        (projection[0], projection[5], projection[10]) = (2.0, 3.0, 1.0);
        (projection[11], projection[14]) = (-1.0, -5.0);
        let combined = multiply_projection::<T24>(&TURN, &projection);
        assert_eq!(
            transform_projection::<T24>([4.0, 5.0, 6.0], &combined),
            [14.0, 18.0, 3.0, -8.0]
        );
    }
}
