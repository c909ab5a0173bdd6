//! Fog factors (spec/ge-raster.md §7.5).

/// The factor in 8 bits: 0 for nothing but fog, 255 for none. A positive NaN is no fog, a negative one all fog, as
/// their bits have it.
pub(crate) fn level(factor: f32) -> u32 {
    if factor.is_sign_negative() {
        return 0;
    }
    if factor.is_nan() {
        return 255;
    }
    // The conversion truncates and saturates; what is below 2^-8 becomes 0 of itself.
    (factor * 256.0).min(255.0) as u32
}

/// 256 times the factor, finite, for interpolation.
pub(crate) fn scaled(factor: f32) -> f64 {
    const LIMIT: f64 = (1 << 20) as f64;
    if factor.is_nan() {
        return if factor.is_sign_negative() { 0.0 } else { 256.0 };
    }
    (f64::from(factor) * 256.0).clamp(-LIMIT, LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_become_eight_bits() {
        let vectors = [
            (0.5, 128),
            (0.998, 255),
            (1.0, 255),
            (0.0039, 0),
            (0.00390625, 1),
            (-3.0, 0),
            (0.0, 0),
        ];
        for (factor, expected) in vectors {
            assert_eq!(level(factor), expected, "{factor}");
        }
        assert_eq!((level(f32::INFINITY), level(f32::NEG_INFINITY)), (255, 0));
        assert_eq!((level(f32::NAN), level(-f32::NAN)), (255, 0));
    }
}
