//! The arithmetic of the geometry unit.
//!
//! Everything between a vertex's numbers and its screen coordinates is computed by the functions of
//! one [`Geometry`] type, so that another arithmetic can stand in the hardware's place for a
//! comparison: [`T24`] is the hardware's (`spec/ge-frontend.md §4.2`), [`F32`] is PPSSPP's
//! (`spec/ppsspp-profile.md §2, §3`).

mod f32;
#[cfg(test)]
mod lane_tests;
mod matrix;
mod plain_power;
mod power;
mod t24;

pub(crate) use matrix::{
    affine_shared, dot3_shared, transform_direction_lanes, transform_point_lanes, transform_projection_lanes,
};
pub use matrix::{
    multiply_4x3, multiply_projection, transform_direction, transform_point, transform_projection,
};
pub use power::power;
pub use t24::T24;
pub use vertex::F32;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16};
use raster::Profile;

/// Does something in the arithmetic of a profile, by the name given to it.
macro_rules! in_arithmetic {
    ($profile:expr, $name:ident => $body:expr) => {
        match $profile {
            raster::Profile::Hardware => {
                type $name = $crate::arithmetic::T24;
                $body
            }
            raster::Profile::Ppsspp => {
                type $name = $crate::arithmetic::F32;
                $body
            }
        }
    };
}
pub(crate) use in_arithmetic;

/// The operations that the vertex stage needs beyond those of morphing and skinning.
///
/// Values travel as `f32`; an implementation with fewer bits drops the surplus of its operands.
pub trait Geometry: vertex::Arithmetic {
    /// Whose arithmetic it is.
    const PROFILE: Profile;

    /// `value` as this arithmetic holds it: what reading a register or a vertex does.
    fn load(value: f32) -> f32;

    /// `a / b`.
    fn divide(a: f32, b: f32) -> f32;

    /// The square root.
    fn square_root(value: f32) -> f32;

    /// A screen coordinate in pixels to sixteenths, `offset` sixteenths subtracted.
    fn subpixel(pixels: f32, offset: u16) -> i32;

    /// The power function of lights.
    fn power(value: f32, exponent: f32) -> f32;

    /// An element of a product of matrices: three terms, and the fourth as its product.
    #[inline]
    fn matrix_product(row: [f32; 3], [x, y, z]: [f32; 3], last: f32) -> f32 {
        Self::affine(row, [x, y, z, last])
    }

    /// `a - b`.
    #[inline]
    fn subtract(a: f32, b: f32) -> f32 {
        Self::add(a, -b)
    }

    /// `(x*a + y*b) + z*c` with itself: the squared length.
    #[inline]
    fn length_squared(v: [f32; 3]) -> f32 {
        Self::dot3(v, v)
    }

    /// The direction of `v`: each component divided by the length. A zero vector becomes (0, 0, 1)
    /// (`spec/ge-frontend.md §12.2`).
    #[inline]
    fn normalize(v: [f32; 3]) -> [f32; 3] {
        let length = Self::square_root(Self::length_squared(v));
        if length == 0.0 {
            return [0.0, 0.0, 1.0];
        }
        v.map(|component| Self::divide(component, length))
    }

    /// [`load`](Self::load) of each lane.
    fn load_lanes<S: Simd>(value: f32x16<S>) -> f32x16<S>;

    /// [`divide`](Self::divide) of each lane.
    fn divide_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S>;

    /// [`square_root`](Self::square_root) of each lane.
    fn square_root_lanes<S: Simd>(value: f32x16<S>) -> f32x16<S>;

    /// [`subpixel`](Self::subpixel) of each lane.
    fn subpixel_lanes<S: Simd>(pixels: f32x16<S>, offset: u16) -> i32x16<S>;

    /// [`power`](Self::power) of each lane.
    #[inline(always)]
    fn power_lanes<S: Simd>(value: f32x16<S>, exponent: f32) -> f32x16<S> {
        let mut value = value;
        for lane in value.iter_mut() {
            *lane = Self::power(*lane, exponent);
        }
        value
    }

    /// [`subtract`](Self::subtract) of each lane.
    #[inline(always)]
    fn subtract_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        Self::add_lanes(a, -b)
    }

    /// [`length_squared`](Self::length_squared) of each lane.
    #[inline(always)]
    fn length_squared_lanes<S: Simd>(v: [f32x16<S>; 3]) -> f32x16<S> {
        Self::dot3_lanes(v, v)
    }

    /// [`normalize`](Self::normalize) of each lane.
    #[inline(always)]
    fn normalize_lanes<S: Simd>(v: [f32x16<S>; 3]) -> [f32x16<S>; 3] {
        let length = Self::square_root_lanes(Self::length_squared_lanes(v));
        let is_zero = length.simd_eq(0.0);
        let (zero, one) = (
            f32x16::splat(length.token(), 0.0),
            f32x16::splat(length.token(), 1.0),
        );
        let [x, y, z] = v;
        [
            is_zero.select(zero, Self::divide_lanes(x, length)),
            is_zero.select(zero, Self::divide_lanes(y, length)),
            is_zero.select(one, Self::divide_lanes(z, length)),
        ]
    }
}
