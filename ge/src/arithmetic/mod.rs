//! The arithmetic of the geometry unit.
//!
//! Everything between a vertex's numbers and its screen coordinates is computed by the functions of
//! one [`Geometry`] type, so that another arithmetic can stand in the hardware's place for a
//! comparison (`spec/ge-frontend.md §4.2`).

mod matrix;
mod power;
mod t24;

pub use matrix::{
    multiply_4x3, multiply_projection, transform_direction, transform_point, transform_projection,
};
pub use power::power;
pub use t24::T24;

/// The operations that the vertex stage needs beyond those of morphing and skinning.
///
/// Values travel as `f32`; an implementation with fewer bits drops the surplus of its operands.
pub trait Geometry: vertex::Arithmetic {
    /// `value` as this arithmetic holds it: what reading a register or a vertex does.
    fn load(value: f32) -> f32;

    /// `a / b`.
    fn divide(a: f32, b: f32) -> f32;

    /// The square root.
    fn square_root(value: f32) -> f32;

    /// A screen coordinate in pixels to sixteenths, `offset` sixteenths subtracted.
    fn subpixel(pixels: f32, offset: u16) -> i32;

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
}
