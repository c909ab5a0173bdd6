//! The arithmetic that morphing and skinning compute in.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};

/// Vertices that are computed side by side.
pub const LANES: usize = 16;

/// Multiplication and addition of the geometry unit.
///
/// Values travel as `f32`, and operands may be any `f32`: an implementation that computes with fewer
/// bits, as the hardware's 24-bit floats do (`spec/ge-frontend.md §4.2`), drops the surplus itself.
/// That the hardware skins and morphs in its 24-bit arithmetic too is an extrapolation there.
pub trait Arithmetic {
    /// `a * b`.
    fn mul(a: f32, b: f32) -> f32;

    /// `a + b`.
    fn add(a: f32, b: f32) -> f32;

    /// `(x*a + y*b) + z*c`, the order that the recorded data allow (`spec/ge-frontend.md §4.2`).
    #[inline]
    fn dot3([x, y, z]: [f32; 3], [a, b, c]: [f32; 3]) -> f32 {
        Self::add(Self::add(Self::mul(x, a), Self::mul(y, b)), Self::mul(z, c))
    }

    /// `(x*a + y*b) + (z*c + d)`: one coordinate of a point times a matrix with a translation.
    #[inline]
    fn affine([x, y, z]: [f32; 3], [a, b, c, d]: [f32; 4]) -> f32 {
        Self::add(
            Self::add(Self::mul(x, a), Self::mul(y, b)),
            Self::add(Self::mul(z, c), d),
        )
    }

    /// [`mul`](Self::mul) of each lane, the same bits unless the result is not a number.
    #[inline(always)]
    fn mul_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        f32x16::from_fn(a.token(), |lane| Self::mul(a[lane], b[lane]))
    }

    /// [`add`](Self::add) of each lane, the same bits unless the result is not a number.
    #[inline(always)]
    fn add_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        f32x16::from_fn(a.token(), |lane| Self::add(a[lane], b[lane]))
    }

    /// [`dot3`](Self::dot3) of each lane.
    #[inline(always)]
    fn dot3_lanes<S: Simd>([x, y, z]: [f32x16<S>; 3], [a, b, c]: [f32x16<S>; 3]) -> f32x16<S> {
        let xy = Self::add_lanes(Self::mul_lanes(x, a), Self::mul_lanes(y, b));
        Self::add_lanes(xy, Self::mul_lanes(z, c))
    }

    /// [`affine`](Self::affine) of each lane.
    #[inline(always)]
    fn affine_lanes<S: Simd>([x, y, z]: [f32x16<S>; 3], [a, b, c, d]: [f32x16<S>; 4]) -> f32x16<S> {
        let xy = Self::add_lanes(Self::mul_lanes(x, a), Self::mul_lanes(y, b));
        Self::add_lanes(xy, Self::add_lanes(Self::mul_lanes(z, c), d))
    }
}

/// IEEE single precision, each step rounded to nearest: what PPSSPP and exporters compute in
/// (`spec/ppsspp-profile.md §2.1`). Nothing is fused, so every machine gives the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum F32 {}

impl Arithmetic for F32 {
    #[inline]
    fn mul(a: f32, b: f32) -> f32 {
        a * b
    }

    #[inline]
    fn add(a: f32, b: f32) -> f32 {
        a + b
    }

    #[inline(always)]
    fn mul_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        a * b
    }

    #[inline(always)]
    fn add_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        a + b
    }
}
