//! Quotients with many bits after the point, without divisions of 128 bits.

/// A divisor with its reciprocal: one division when it is made, multiplications for each quotient.
///
/// Two words are divided by one as in N. Möller and T. Granlund, "Improved division by invariant integers" (2011),
/// algorithm 4.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    /// The divisor, shifted left until its highest bit is set.
    normalized: u64,
    shift: u32,
    /// `(2^128 - 1) / normalized - 2^64`.
    reciprocal: u64,
}

impl Divisor {
    /// `value` is 1 to 2^63; 0 is taken for 1.
    pub(super) fn new(value: u64) -> Self {
        debug_assert!((1..=1 << 63).contains(&value));
        let value = value.max(1);
        let shift = value.leading_zeros();
        let normalized = value << shift;
        let numerator = (u128::from(!normalized) << 64) | u128::from(u64::MAX);
        Self {
            normalized,
            shift,
            reciprocal: (numerator / u128::from(normalized)) as u64,
        }
    }

    /// Quotient and remainder of two words by `normalized`; `high` is less than that.
    #[inline]
    fn divide(&self, high: u64, low: u64) -> (u64, u64) {
        let estimate = (u128::from(self.reciprocal) * u128::from(high))
            .wrapping_add((u128::from(high) << 64) | u128::from(low));
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut rest = low.wrapping_sub(quotient.wrapping_mul(self.normalized));
        if rest > estimate as u64 {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(self.normalized);
        }
        if rest >= self.normalized {
            quotient = quotient.wrapping_add(1);
            rest -= self.normalized;
        }
        (quotient, rest)
    }

    /// `numerator * 2^bits` over the divisor, rounded up, modulo 2^128. `bits` is 1 to 63.
    #[inline]
    pub(super) fn ceiling(&self, numerator: i128, bits: u32) -> i128 {
        debug_assert!((1..64).contains(&bits));
        // For the floor of a negative numerator: -1 - the quotient of -1 - numerator, the remainder likewise.
        let sign = numerator >> 127;
        let magnitude = (numerator ^ sign) as u128;
        let value = self.normalized >> self.shift;
        let mut high = (magnitude >> 64) as u64;
        let mut above = 0;
        if high >= value {
            (above, high) = (high / value, high % value);
        }
        let shifted = ((u128::from(high) << 64) | u128::from(magnitude as u64)) << self.shift;
        let (quotient, rest) = self.divide((shifted >> 64) as u64, shifted as u64);
        let whole = (((u128::from(above) << 64) | u128::from(quotient)) as i128) ^ sign;
        // The remainder is shifted as the divisor is.
        let rest = match sign {
            0 => rest,
            _ => self.normalized - (1 << self.shift) - rest,
        };
        let (fraction, rest) = self.divide(rest >> (64 - bits), rest << bits);
        (whole << bits).wrapping_add(i128::from(fraction) + i128::from(rest > 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same in integers of 128 bits.
    fn ceiling(numerator: i128, divisor: i128, bits: u32) -> i128 {
        let whole = numerator.div_euclid(divisor);
        let rest = (numerator.rem_euclid(divisor) << bits) + (divisor - 1);
        (whole << bits).wrapping_add(rest / divisor)
    }

    proptest! {
        #[test]
        fn quotients_are_those_of_128_bits(
            numerator in any::<i128>(),
            numerator_bits in 1u32..=128,
            divisor in 1u64..1 << 46,
            divisor_bits in 1u32..=46,
            bits in 1u32..=63,
        ) {
            let numerator = numerator >> (128 - numerator_bits);
            let divisor = (divisor >> (46 - divisor_bits)).max(1);
            let found = Divisor::new(divisor).ceiling(numerator, bits);
            prop_assert_eq!(found, ceiling(numerator, divisor.into(), bits));
        }

        #[test]
        fn quotients_near_whole_numbers_are_exact(
            divisor in 1u64..1 << 46,
            quotient in any::<i64>(),
            near in -2i128..=2,
            bits in 1u32..=63,
        ) {
            let numerator = i128::from(divisor) * i128::from(quotient) + near;
            let found = Divisor::new(divisor).ceiling(numerator, bits);
            prop_assert_eq!(found, ceiling(numerator, divisor.into(), bits));
        }
    }

    #[test]
    fn ends_of_the_ranges_are_exact() {
        let divisors = (0..46).flat_map(|bit| [(1u64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        for divisor in divisors.filter(|&divisor| divisor > 0) {
            let wide = i128::from(divisor);
            let around = [
                0,
                wide,
                wide << 63,
                wide << 64,
                (wide << 64) - 1,
                1 << 64,
                1 << 63,
            ];
            let numerators = around
                .into_iter()
                .flat_map(|middle| [middle - 1, middle, middle + 1]);
            for numerator in numerators.chain([i128::MAX]) {
                for numerator in [numerator, -numerator, !numerator] {
                    for bits in [1, 40, 44, 63] {
                        assert_eq!(
                            Divisor::new(divisor).ceiling(numerator, bits),
                            ceiling(numerator, wide, bits),
                            "{numerator} * 2^{bits} / {divisor}"
                        );
                    }
                }
            }
        }
    }
}
