//! PPSSPP's arithmetic: IEEE singles (`spec/ppsspp-profile.md §2, §3`).

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16};
use raster::Profile;
use vertex::F32;

use super::{Geometry, plain_power};

impl Geometry for F32 {
    const PROFILE: Profile = Profile::Ppsspp;

    #[inline]
    fn load(value: f32) -> f32 {
        value
    }

    #[inline]
    fn divide(a: f32, b: f32) -> f32 {
        a / b
    }

    #[inline]
    fn square_root(value: f32) -> f32 {
        value.sqrt()
    }

    #[inline]
    fn subpixel(pixels: f32, offset: u16) -> i32 {
        // From 2048 on 16 times a coordinate has a step of 1/256, so that coordinates round up from 0.625 on;
        // `as` truncates towards zero, left of the origin too (§2.4).
        ((pixels * 16.0 + 0.375) - f32::from(offset)) as i32
    }

    #[inline]
    fn matrix_product([a, b, c]: [f32; 3], [x, y, z]: [f32; 3], last: f32) -> f32 {
        ((a * x + b * y) + c * z) + last
    }

    #[inline]
    fn length_squared([x, y, z]: [f32; 3]) -> f32 {
        x * x + (y * y + z * z)
    }

    #[inline(always)]
    fn load_lanes<S: Simd>(value: f32x16<S>) -> f32x16<S> {
        value
    }

    #[inline(always)]
    fn divide_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        a / b
    }

    #[inline(always)]
    fn square_root_lanes<S: Simd>(value: f32x16<S>) -> f32x16<S> {
        value.sqrt()
    }

    #[inline(always)]
    fn subpixel_lanes<S: Simd>(pixels: f32x16<S>, offset: u16) -> i32x16<S> {
        ((pixels * 16.0 + 0.375) - f32::from(offset)).to_int_precise()
    }

    #[inline(always)]
    fn length_squared_lanes<S: Simd>([x, y, z]: [f32x16<S>; 3]) -> f32x16<S> {
        x * x + (y * y + z * z)
    }

    /// Correctly rounded for practical purposes, as a C library's power function (§3).
    fn power(value: f32, exponent: f32) -> f32 {
        if exponent <= 0.0 || exponent.is_nan() && exponent.is_sign_negative() {
            return 1.0;
        }
        if value <= 0.0 {
            return value;
        }
        if exponent.is_nan() {
            return if value < 1.0 { 0.0 } else { 1.0 };
        }
        plain_power::power(value, exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_round_up_from_five_eighths_on() {
        let step = 1.0 / 16.0;
        for (fraction, expected) in [(0.0, 0), (0.5, 0), (0.621, 0), (0.625, 1), (0.999, 1)] {
            for start in [2048.0, 4000.0] {
                let subpixel = F32::subpixel(start + fraction * step, 0);
                assert_eq!(subpixel, 16 * start as i32 + expected, "{fraction}");
            }
        }
        assert_eq!(F32::subpixel(100.0 - 0.9 * step, 1600), 0, "towards zero");
        assert_eq!(F32::subpixel(100.0 - 1.9 * step, 1600), -1);
    }

    #[test]
    fn powers_are_exact() {
        assert_eq!(F32::power(0.5, 0.5), 0.707_106_77);
        assert_eq!(F32::power(0.3, 0.0), 1.0);
        assert_eq!(F32::power(-0.3, 2.0), -0.3);
        assert_eq!(F32::power(0.5, f32::INFINITY), 0.0);
    }
}
