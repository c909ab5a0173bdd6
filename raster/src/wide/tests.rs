//! The lanes' narrow forms against the wide ones that they stand for, for every operand, at every level of the machine.

use fearless_simd::{Simd, SimdBase, u16x32, u32x16};

use super::blend::{product, product_with_double};
use super::color::quantized;
use super::coordinates::reciprocal;
use super::lanes::LANES;
use super::level::{Instructions, SimdLevel, at_level};
use crate::code::FrameFormat;
use crate::format;
use crate::reference::by_reciprocal;

/// What an operation on sixteen words gives at a level, if the machine has it.
macro_rules! at_each_level {
    ($simd:ident => $operation:expr) => {
        for level in [SimdLevel::Sse4, SimdLevel::Avx2, SimdLevel::Avx512] {
            if let Instructions::Vector(level) = level.resolve() {
                at_level!(level, $simd => $operation, ());
            }
        }
    };
}

#[inline(always)]
fn all_reciprocals<S: Simd>(simd: S) {
    for first in (0x8000..=0xFFFFu32).step_by(LANES) {
        let numbers = u32x16::from_fn(simd, |lane| first + lane as u32);
        let found = reciprocal(simd, numbers).to_array();
        for (lane, &found) in found.iter().enumerate() {
            // 1 * 2^31 over a number of 16 bits is the reciprocal itself.
            let number = first + lane as u32;
            assert_eq!(i64::from(found), by_reciprocal(1, number.into(), 31), "{number}");
        }
    }
}

#[test]
fn reciprocals_are_the_references() {
    at_each_level!(simd => all_reciprocals(simd));
}

#[inline(always)]
fn all_products<S: Simd>(simd: S) {
    for component in 0..=255u16 {
        for first in (0..=255u16).step_by(32) {
            let components = u16x32::splat(simd, component);
            let factors = u16x32::from_fn(simd, |lane| first + lane as u16);
            let (single, double) = (
                product(components, factors),
                product_with_double(components, factors),
            );
            for lane in 0..32 {
                let wide = |factor: u32| ((2 * u32::from(component) + 1) * (2 * factor + 1)) >> 10;
                let factor = u32::from(first) + lane as u32;
                assert_eq!(
                    u32::from(single.to_array()[lane]),
                    wide(factor),
                    "{component} by {factor}"
                );
                assert_eq!(
                    u32::from(double.to_array()[lane]),
                    wide(2 * factor),
                    "{component} by twice {factor}"
                );
            }
        }
    }
}

#[test]
fn products_of_blending_fit_sixteen_bits() {
    at_each_level!(simd => all_products(simd));
}

#[inline(always)]
fn all_quantized<S: Simd>(simd: S) {
    for step in 0..20_000u32 {
        let colors = u32x16::from_fn(simd, |lane| (step * 16 + lane as u32).wrapping_mul(0x9E37_79B1));
        for code in 0..4 {
            let format = FrameFormat::from_bits(code);
            let found = quantized(colors, format).to_array();
            for (&color, found) in colors.to_array().iter().zip(found) {
                assert_eq!(found, format::quantize(color, format), "{color:#x} in {format:?}");
            }
        }
    }
}

#[test]
fn what_is_stored_is_what_is_read_back() {
    at_each_level!(simd => all_quantized(simd));
}
