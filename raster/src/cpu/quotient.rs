//! Quotients of texture coordinates (spec/ge-raster.md §7.6).

/// Results stop here: far beyond any texel, and small enough to shift and add to.
const LIMIT: i128 = 1 << 30;

/// The floor of `numerator * 2^shift / denominator`, exactly; 0 for a denominator of 0.
pub(crate) fn exact(numerator: i64, denominator: i64, shift: i32) -> i64 {
    exact_within(numerator, denominator, shift, LIMIT)
}

/// [`exact`] with `extra` more bits behind the point.
pub(crate) fn exact_finer(numerator: i64, denominator: i64, shift: i32, extra: u32) -> i64 {
    exact_within(
        numerator,
        denominator,
        shift.saturating_add(extra as i32),
        LIMIT << extra,
    )
}

fn exact_within(numerator: i64, denominator: i64, shift: i32, limit: i128) -> i64 {
    if denominator == 0 {
        return 0;
    }
    let (numerator, denominator) = if denominator < 0 {
        (-i128::from(numerator), -i128::from(denominator))
    } else {
        (i128::from(numerator), i128::from(denominator))
    };
    // Set-up keeps both near 2^50, so that real shifts are far smaller.
    let shift = shift.clamp(-63, 63);
    let quotient = if shift >= 0 {
        (numerator << shift).div_euclid(denominator)
    } else {
        numerator.div_euclid(denominator << -shift)
    };
    quotient.clamp(-limit, limit) as i64
}

/// The floor of `numerator * 2^shift` times the denominator's reciprocal, which is rounded to 16 significant bits; 0
/// for a denominator of 0.
///
/// The reciprocal is made of the denominator's top 32 bits; the product is exact (hw: texmtx/source and prims, all but
/// 289 of 262,144 coordinates; hardware's table is not known).
pub(crate) fn by_reciprocal(numerator: i64, denominator: i64, shift: i32) -> i64 {
    if denominator == 0 {
        return 0;
    }
    let numerator = if denominator < 0 {
        -i128::from(numerator)
    } else {
        i128::from(numerator)
    };
    let magnitude = denominator.unsigned_abs();
    let zeros = magnitude.leading_zeros();
    let top = (magnitude << zeros) >> 32;
    // 2^47 / top lies in 2^15..=2^16.
    let reciprocal = i128::from(((1u64 << 48) / top).div_ceil(2));
    // The denominator is top * 2^(32 - zeros), its reciprocal `reciprocal` * 2^(zeros - 79).
    let down = (79 - zeros as i32).saturating_sub(shift);
    let product = numerator * reciprocal;
    let quotient = if down >= 0 {
        product >> down.min(127)
    } else {
        // 81 bits at most, so that 46 more fit; what would need them is beyond the limit anyway.
        product << (-down).min(46)
    };
    quotient.clamp(-LIMIT, LIMIT) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn zero_and_signs() {
        assert_eq!((exact(5, 0, 3), by_reciprocal(5, 0, 3)), (0, 0));
        assert_eq!((exact(-1, 3, 0), exact(1, -3, 0), exact(-7, -2, 0)), (-1, -1, 3));
        assert_eq!(
            (
                by_reciprocal(-1, 4, 0),
                by_reciprocal(1, -4, 0),
                by_reciprocal(-12, -4, 0)
            ),
            (-1, -1, 3)
        );
        assert_eq!(exact(1, 1, 100), 1 << 30);
        assert_eq!(by_reciprocal(-1, 1, 100), -(1 << 30));
        assert_eq!(exact_finer(1, 3, 0, 8), 85);
    }

    proptest! {
        #[test]
        fn reciprocal_is_rounded_to_the_nearest(denominator in 1i64..1 << 32, numerator in -(1i64 << 40)..1 << 40) {
            // The definition, with the reciprocal as a fraction: m / 2^k nearest to 1 / denominator, 2^15 <= m <= 2^16.
            let k = 16 + denominator.ilog2();
            let m = ((1i128 << (k + 1)) / i128::from(denominator) + 1) >> 1;
            prop_assert!((1 << 15..=1 << 16).contains(&m));
            let expected = (i128::from(numerator) * m) >> k;
            let expected = expected.clamp(-(1 << 30), 1 << 30);
            prop_assert_eq!(i128::from(by_reciprocal(numerator, denominator, 0)), expected);
        }

        #[test]
        fn both_agree_to_sixteen_bits(
            denominator in 1i64..1 << 52, numerator in -(1i64 << 52)..1 << 52, shift in -20i32..20,
        ) {
            let (a, b) = (exact(numerator, denominator, shift), by_reciprocal(numerator, denominator, shift));
            prop_assert!((a - b).abs() <= (a.abs() >> 15) + 1, "{a} {b}");
        }

        #[test]
        fn nothing_overflows(numerator in any::<i64>(), denominator in any::<i64>(), shift in any::<i32>()) {
            exact(numerator, denominator, shift);
            exact_finer(numerator, denominator, shift, 8);
            by_reciprocal(numerator, denominator, shift);
        }
    }
}
