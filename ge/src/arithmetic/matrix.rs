//! Matrix products, in upload order: vectors are rows, multiplied from the left
//! (`spec/ge-frontend.md §5.3`).

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
