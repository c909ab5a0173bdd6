//! The level of detail (spec/ge-raster.md §9.4), in 1/16 level.

/// The GE's base-2 logarithm times 16: the exponent and the top four bits of the mantissa, whatever the sign. 0 gives
/// -2032.
pub(crate) fn log2(number: f32) -> i32 {
    ((number.to_bits() >> 19) & 0xFFF) as i32 - 2032
}

/// [`log2`] of a number with a given number of fraction bits.
pub(crate) fn fixed_log2(number: u64, fraction_bits: u32) -> i32 {
    if number == 0 {
        return -2032;
    }
    let exponent = number.ilog2();
    let mantissa = if exponent >= 4 {
        number >> (exponent - 4)
    } else {
        number << (4 - exponent)
    };
    16 * (exponent as i32 - fraction_bits as i32) + (mantissa & 15) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_linear_in_the_mantissa() {
        // spec/ge-raster.md §9.4.
        for (number, detail) in [(1.0, 0), (1.5, 8), (2.0, 16), (3.0, 24), (0.5, -16), (0.0, -2032)] {
            assert_eq!(log2(number), detail);
        }
        assert_eq!(log2(-1.0), 0);
    }

    #[test]
    fn integers_give_what_floats_give() {
        for number in (1u64..100_000).chain([1 << 40, (1 << 40) + (1 << 35)]) {
            // Doubles that are cut to singles: their bits above the mantissa's fourth are the same.
            let single = (number as f64 / f64::from(1 << 16)) as f32;
            if f64::from(single) * f64::from(1 << 16) <= number as f64 {
                assert_eq!(fixed_log2(number, 16), log2(single), "{number}");
            }
        }
        assert_eq!(fixed_log2(0, 16), log2(0.0));
    }
}
