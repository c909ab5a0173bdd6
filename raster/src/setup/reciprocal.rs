//! The reciprocals of the GE: 16 significant bits.

/// A reciprocal that stands for `mantissa / 2^shift`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reciprocal {
    /// 2^15 to 2^16 - 1.
    pub(super) mantissa: u32,
    pub(super) shift: u32,
}

/// 1 / `value` truncated to 16 significant bits, as colour gradients use it (spec/ge-raster.md §7.1).
/// `value` is 1 to 2^46.
pub(super) fn truncated(value: u64) -> Reciprocal {
    debug_assert!((1..=1 << 46).contains(&value));
    // The exponent is chosen so that the quotient has its highest bit at 15; a power of two is exact.
    let shift = if value.is_power_of_two() { 15 } else { 16 } + value.ilog2();
    Reciprocal {
        mantissa: ((1u64 << shift) / value) as u32,
        shift,
    }
}

/// 1 / `value` for coordinates in perspective: `value`, which is 1 to 2^46, rounded to 16 significant bits, and its
/// reciprocal to as many, of which a fraction from about a half rounds up.
pub(super) fn perspective(value: u64) -> Reciprocal {
    debug_assert!((1..=1 << 46).contains(&value));
    if value.is_power_of_two() {
        return truncated(value);
    }
    // Seventeen bits, the last of which rounds.
    let zeros = value.leading_zeros();
    let rounded = (((value << zeros) >> 47) as u32 + 1) >> 1;
    Reciprocal {
        mantissa: of_sixteen_bits(rounded),
        shift: 31 + 48 - zeros,
    }
}

/// 1 / `w` as corners have it: both of 16 significant bits, w cut to them. Not finite for 0.
pub(super) fn of_w(w: f32) -> f64 {
    let bits = w.to_bits();
    let exponent = (bits >> 23 & 0xFF) as i32;
    if exponent == 0 || exponent == 0xFF {
        return 1.0 / f64::from(w);
    }
    let mantissa = of_sixteen_bits((bits & 0x7F_FFFF | 0x80_0000) >> 8);
    // w is its mantissa times 2^(exponent - 142), so that the reciprocal is `mantissa` * 2^(111 - exponent).
    let magnitude = f64::from(mantissa) * super::planes::power_of_two(111 - exponent);
    if w < 0.0 { -magnitude } else { magnitude }
}

/// 2^31 / `number`, a number of 16 bits, as set-up has it: 2^15 to 2^16.
///
/// The quotient is made larger by 0.74 * 2^-16 of itself before it is cut. Ten triangles in perspective determine the
/// reciprocals of their areas and corners to within one of these steps (hw: reflection, rendertarget); of rules with
/// one constant this agrees with all but a small one. The unit itself is not known (spec/ge-raster.md §7.6).
fn of_sixteen_bits(number: u32) -> u32 {
    0x8000_5EB8 / number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_areas_are_those_of_recorded_triangles() {
        // hw: reflection and rendertarget. The exact quotients end in .93, .02, .05, .38, .25, .86, .31 and .70.
        for (area, recorded) in [
            (2_678_760, 51_307),
            (2_638_337, 52_093),
            (1_735_689, 39_592),
            (1_584_516, 43_369),
            (6_739_806, 40_784),
            (3_247_546, 42_321),
            (4_583_261, 59_974),
            (8_988_564, 61_161),
        ] {
            assert_eq!(perspective(area).mantissa, recorded, "{area}");
        }
        for value in (1..5000).chain([65_535, 65_537, (1 << 46) - 1, 1 << 46, (1 << 46) - (1 << 29)]) {
            let Reciprocal { mantissa, shift } = perspective(value);
            let relative = f64::from(mantissa) * value as f64 / 2f64.powi(shift as i32) - 1.0;
            assert!((1 << 15..1 << 16).contains(&mantissa), "{value}");
            assert!(relative.abs() < 2f64.powi(-14), "{value}: {relative}");
        }
    }

    #[test]
    fn those_of_w_are_those_of_recorded_corners() {
        // hw: rendertarget and reflection, cut to the bits of the largest of their triangle.
        let cut = |w: f32, bits: i32| (of_w(w) * 2f64.powi(bits)) as i64;
        assert_eq!(cut(2.667_114_3, 14), 6143);
        assert_eq!(cut(0.997_436_5, 14), 16_426);
        assert_eq!(cut(1.191_162_1, 14), 13_754);
        assert_eq!(cut(3.913_574_2, 16), 16_746);
        assert_eq!(cut(4.913_574, 16), 13_337);
        assert_eq!(cut(2.852_050_8, 16), 22_978);
        assert_eq!(cut(-2.852_050_8, 16), -22_978);
        assert_eq!(of_w(1.0), 1.0);
        assert_eq!(of_w(-0.25), -4.0);
        assert_eq!(of_w(0.0), f64::INFINITY);
        assert_eq!(of_w(f32::INFINITY), 0.0);
    }

    #[test]
    fn has_sixteen_bits_and_is_truncated() {
        for value in (1..5000).chain([900, 65_535, 65_537, (1 << 46) - 1, 1 << 46, 4_294_967_297]) {
            let Reciprocal { mantissa, shift } = truncated(value);
            assert_eq!(mantissa >> 15, 1, "{value}");
            let product = u128::from(mantissa) * u128::from(value);
            assert!(product <= 1 << shift, "{value}");
            assert!(product + u128::from(value) > 1 << shift, "{value}");
        }
        assert_eq!(
            truncated(1024),
            Reciprocal {
                mantissa: 0x8000,
                shift: 25
            }
        );
    }
}
