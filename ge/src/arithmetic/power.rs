//! The power function of lights.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, f64x8, i32x16, mask32x16, u32x16, u64x8};

/// `value` to the power of `exponent`, by a logarithm and an exponential that are straight lines
/// between powers of two (`spec/ge-frontend.md §12.5`, fitted to all 201 pixels of hw:
/// commands/light).
///
/// An exponent of 0 or less, or a negative NaN, gives 1; a value of 0 or less comes back as it is; an
/// exponent of plus infinity, or a positive NaN, gives 0 below 1 and 1 from 1 on.
///
/// ```
/// use ge::arithmetic::power;
///
/// assert_eq!(power(0.5, 2.0), 0.25);
/// assert_eq!(power(0.5, 0.5), 0.75);
/// ```
#[must_use]
pub fn power(value: f32, exponent: f32) -> f32 {
    if exponent <= 0.0 || exponent.is_nan() && exponent.is_sign_negative() {
        return 1.0;
    }
    if value <= 0.0 {
        return value;
    }
    if !exponent.is_finite() {
        return if value < 1.0 { 0.0 } else { 1.0 };
    }
    if !value.is_normal() {
        return value;
    }
    let bits = value.to_bits();
    // 8 bits before and 23 behind the point, times 16 significant bits: exact in a double.
    let logarithm = f64::from(bits as i32 - 0x3F80_0000) / f64::from(1 << 23);
    let product = f64::from(exponent) * logarithm;
    if product < -126.0 {
        return 0.0;
    }
    if product >= 128.0 {
        return f32::INFINITY;
    }
    // 2^floor(product) * (1 + the rest): bias the exponent and cut at 15 bits of fraction.
    let biased = (product + 127.0) * f64::from(1 << 15);
    f32::from_bits((biased as u32) << 8)
}

/// [`power`] of each lane.
#[inline(always)]
pub(super) fn power_lanes<S: Simd>(value: f32x16<S>, exponent: f32) -> f32x16<S> {
    let simd = value.token();
    let one = f32x16::splat(simd, 1.0);
    if exponent <= 0.0 || exponent.is_nan() && exponent.is_sign_negative() {
        return one;
    }
    let zero = f32x16::splat(simd, 0.0);
    let is_low = value.simd_le(0.0);
    if !exponent.is_finite() {
        return is_low.select(value, value.simd_lt(1.0).select(zero, one));
    }
    // An integer as a double: in the low bits of 2^52, once it is not negative.
    let bits = (value.bitcast::<u32x16<S>>() - 0x3F80_0000) ^ 0x8000_0000;
    let (low, high) = bits.widen();
    let low = product(low, exponent);
    let high = product(high, exponent);
    let is_tiny: mask32x16<S> = low.simd_lt(-126.0).narrow(high.simd_lt(-126.0));
    let is_huge: mask32x16<S> = low.simd_ge(128.0).narrow(high.simd_ge(128.0));
    // Whole numbers of 23 bits.
    let biased: f32x16<S> = biased(low).narrow(biased(high));
    let result: f32x16<S> = (biased.to_int::<i32x16<S>>() << 8).bitcast();
    let result = is_tiny.select(zero, result);
    let result = is_huge.select(f32x16::splat(simd, f32::INFINITY), result);
    (is_low | !value.is_normal()).select(value, result)
}

/// The exponent times the logarithm, from its bits as [`power_lanes`] prepares them.
#[inline(always)]
fn product<S: Simd>(bits: u64x8<S>, exponent: f32) -> f64x8<S> {
    const TWO_TO_52: u64 = 1075 << 52;
    let integer: f64x8<S> = (bits | TWO_TO_52).bitcast();
    let logarithm =
        (integer - (f64::from_bits(TWO_TO_52) + f64::from(1_u32 << 31))) * (1.0 / f64::from(1 << 23));
    logarithm * f64::from(exponent)
}

/// The bits of a product's power of two, 8 low ones left out.
#[inline(always)]
fn biased<S: Simd>(product: f64x8<S>) -> f64x8<S> {
    ((product + 127.0) * f64::from(1 << 15)).floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_specification() {
        assert_eq!(power(0.5, 2.0), 0.25);
        assert_eq!(power(0.5, 0.5), 0.75);
        assert!((power(0.866, 2.0) - 0.732).abs() < 0.001);
        assert!((power(0.581, 2.0) - 0.331).abs() < 0.001);
    }

    #[test]
    fn special_exponents() {
        assert_eq!(power(0.3, 0.0), 1.0);
        assert_eq!(power(-0.3, 0.0), 1.0);
        assert_eq!(power(0.3, -f32::NAN), 1.0);
        assert_eq!(power(-0.3, 2.0), -0.3);
        assert_eq!(power(0.3, f32::INFINITY), 0.0);
        assert_eq!(power(1.0, f32::from_bits(0x7FC0_0000)), 1.0);
        assert_eq!(power(0.75, 1.0), 0.75);
    }

    #[test]
    fn extreme_results_stay_finite_or_infinite() {
        assert_eq!(power(1e-30, 1e30), 0.0);
        assert_eq!(power(1e30, 1e30), f32::INFINITY);
        assert_eq!(
            power(1.9, 139.0),
            f32::from_bits(0x7E0C_CC00),
            "not a NaN near the end"
        );
    }
}
