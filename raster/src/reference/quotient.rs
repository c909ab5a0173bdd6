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

/// The floor of `numerator * 2^shift` times the denominator's [`reciprocal`], of which the top 16 bits count; 0 for a
/// denominator of 0. The product is exact.
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
    let reciprocal = i128::from(reciprocal(((magnitude << zeros) >> 48) as u32));
    // The denominator is its top 16 bits times 2^(48 - zeros), its reciprocal `reciprocal` * 2^(zeros - 79).
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

/// 2^31 over a number of 16 bits, as hardware has it at each pixel: 2^15 to 2^16.
///
/// A seed of nine bits, 1 over the middle of the 128th of the octave that the number lies in, and one step of Newton's
/// method, seed * (2 - number * seed), whose inner product is cut to 17 bits behind the point (hw: texmtx/*, reflection,
/// rendertarget). Pixels of the recorded pictures leave a range for the reciprocal of 1716 denominators: 25 of them do
/// not contain it. With 16 bits or all of the inner product it would be 56 or 43, and 43 for the quotient with one
/// rounding of its own, each with the constant that suits it best. So the last bit is not known yet; the constants here
/// stand for roundings that are not either. That a power of two is exact is a choice (spec/ge-raster.md §7.6).
fn reciprocal(number: u32) -> u32 {
    debug_assert!(number >> 15 == 1);
    if number == 1 << 15 {
        return 1 << 16;
    }
    let middle = (number & !0xFF) + 0x80;
    let seed = ((1 << 24) + middle / 2) / middle;
    let rest = (1 << 18) + 1 - ((number * seed) >> 7);
    (seed * rest + 212) >> 10
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

    #[test]
    fn reciprocals_are_those_of_recorded_pictures() {
        // hw: texmtx/prims, where single values are left for q / 1024, which is `number` / 2^16, and rounding to the
        // nearest gives another one for the last four.
        for (q, recorded) in [
            (522, 64_281),
            (530, 63_310),
            (610, 55_007),
            (682, 49_200),
            (734, 45_715),
            (846, 39_662),
            (958, 35_025),
            (562, 59_706),
            (566, 59_284),
            (570, 58_868),
            (642, 52_266),
        ] {
            assert_eq!(reciprocal(q << 6), recorded, "{q}");
        }
        // hw: reflection, pixels (224, 104), (293, 42) and (237, 111): the nearest would be 60,367, 61,367 and 58,492.
        for (number, recorded) in [(35_574, 60_366), (34_994, 61_368), (36_714, 58_493)] {
            assert_eq!(reciprocal(number), recorded, "{number}");
        }
    }

    #[test]
    fn reciprocals_are_near_the_quotient() {
        for number in 1 << 15..1 << 16 {
            let exact = (1u64 << 31) as f64 / f64::from(number);
            let difference = f64::from(reciprocal(number)) - exact;
            assert!((-1.5..1.5).contains(&difference), "{number}: {difference}");
        }
    }

    proptest! {
        /// The denominator is cut to 16 bits, an error below 2^-15 of it, and the reciprocal is off by less than 1.5 of
        /// at least 2^15: together less than 2.5 * 2^-15.
        #[test]
        fn both_agree_to_fourteen_bits(
            denominator in 1i64..1 << 52, numerator in -(1i64 << 52)..1 << 52, shift in -20i32..20,
        ) {
            let (a, b) = (exact(numerator, denominator, shift), by_reciprocal(numerator, denominator, shift));
            prop_assert!((a - b).abs() <= ((5 * a.abs()) >> 16) + 2, "{a} {b}");
        }

        #[test]
        fn nothing_overflows(numerator in any::<i64>(), denominator in any::<i64>(), shift in any::<i32>()) {
            exact(numerator, denominator, shift);
            exact_finer(numerator, denominator, shift, 8);
            by_reciprocal(numerator, denominator, shift);
        }
    }
}
