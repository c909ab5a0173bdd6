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

#[cfg(test)]
mod tests {
    use super::*;

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
