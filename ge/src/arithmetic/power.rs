//! The power function of lights.

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
