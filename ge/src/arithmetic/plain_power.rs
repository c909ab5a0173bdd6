//! The power function of PPSSPP's lights, in plain arithmetic: the same bits on every machine, which the functions of
//! platforms' libraries do not promise.

/// For `i` from 0 to 16: a number near `1 / (1 + i / 16)` with 8 bits of fraction, and minus its logarithm to base 2, in
/// a multiple of 2^-40 and the rest.
const RECIPROCALS: [(f64, f64, f64); 17] = [
    (1.0, 0.0, 0.0),
    (241.0 / 256.0, 0.08711066376963572, 4.0265990645955853e-13),
    (228.0 / 256.0, 0.16710998583494074, 3.1758065446573327e-13),
    (216.0 / 256.0, 0.24511249783608946, 4.4199545957345896e-13),
    (205.0 / 256.0, 0.32051990049421875, 3.3521322916665474e-13),
    (195.0 / 256.0, 0.3926696862499739, 4.154175792018807e-13),
    (186.0 / 256.0, 0.4608411888921182, -1.4961559966266254e-13),
    (178.0 / 256.0, 0.5242665690338981, -2.9587710728051e-13),
    (171.0 / 256.0, 0.5821474851145467, -4.4458222744937533e-13),
    (164.0 / 256.0, 0.6424479953820992, -1.82872716976671e-13),
    (158.0 / 256.0, 0.696219251823095, -1.978889203524144e-13),
    (152.0 / 256.0, 0.7520724865562443, 1.7024883460791358e-13),
    (146.0 / 256.0, 0.810175441120009, -2.6284293846288795e-14),
    (141.0 / 256.0, 0.8604486476015154, -3.0895757327396804e-13),
    (137.0 / 256.0, 0.9019679170396557, -1.8244685526246436e-13),
    (132.0 / 256.0, 0.9556058806419969, -4.5035636491329477e-13),
    (128.0 / 256.0, 1.0, 0.0),
];

/// 1 / ln 2 in a multiple of 2^-20 and the rest.
const INVERSE_LN_2: [f64; 2] = [1.4426946640014648, 3.768874985636099e-07];

/// The bits of a double that its product with a single can hold exactly.
const UPPER_HALF: u64 = !((1 << 27) - 1);

/// `value` to the power of `exponent`, both above 0; rounded once, from a result whose relative error is below
/// 2^-50 (checked against the platform's library).
pub(super) fn power(value: f32, exponent: f32) -> f32 {
    if value.is_nan() || value == f32::INFINITY {
        return value;
    }
    if exponent == f32::INFINITY {
        return match value.total_cmp(&1.0) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => f32::INFINITY,
        };
    }
    let [high, low] = logarithm(value);
    let exponent = f64::from(exponent);
    // The product of the upper half is exact.
    let upper = f64::from_bits(high.to_bits() & UPPER_HALF);
    let product = exponent * upper;
    let rest = exponent * (high - upper) + exponent * low;
    // Beyond these everything is 0 or infinite.
    let whole = (product + rest).clamp(-200.0, 200.0).round();
    let fraction = (product - whole) + rest;
    if !(-1.0..=1.0).contains(&fraction) {
        return if whole < 0.0 { 0.0 } else { f32::INFINITY };
    }
    let scale = f64::from_bits(((1023 + whole as i64) as u64) << 52);
    (exponential(fraction) * scale) as f32
}

/// The logarithm to base 2, in two parts.
fn logarithm(value: f32) -> [f64; 2] {
    const ONE: u64 = 1023 << 52;
    let bits = f64::from(value).to_bits();
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | ONE);
    let power = ((bits >> 52) as i32 - 1023) as f64;
    // 0 to 16, the nearest: near 1 from both sides the reciprocal is exact, so that nothing cancels.
    let index = ((mantissa - 1.0) * 16.0 + 0.5) as usize;
    let (reciprocal, high, low) = RECIPROCALS[index];
    // 24 bits by 9 bits: exact, and less than 1/28.
    let r = mantissa * reciprocal - 1.0;
    // The series of ln(1 + r), from the square on.
    let mut series = 0.0;
    for term in (2..=14).rev() {
        let sign = if term % 2 == 0 { -1.0 } else { 1.0 };
        series = series * r + sign / f64::from(term);
    }
    let series = series * r * r * (INVERSE_LN_2[0] + INVERSE_LN_2[1]);
    let table = power + high;
    let first = r * INVERSE_LN_2[0];
    let sum = table + first;
    let error = (table - sum) + first;
    [sum, error + (low + r * INVERSE_LN_2[1] + series)]
}

/// 2 to the power of a number from -1 to 1.
fn exponential(fraction: f64) -> f64 {
    let x = fraction * std::f64::consts::LN_2;
    let mut sum = 1.0;
    for term in (1..=18).rev() {
        sum = 1.0 + sum * x / f64::from(term);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far `exact` lies from the middle between two singles, relative to it.
    fn distance_from_the_middle(exact: f64) -> f64 {
        let single = exact as f32;
        let towards = if f64::from(single) < exact {
            single.next_up()
        } else {
            single.next_down()
        };
        let middle = f64::midpoint(f64::from(single), f64::from(towards));
        ((exact - middle) / exact).abs()
    }

    #[test]
    fn powers_are_those_of_the_library_but_for_ties() {
        let (mut compared, mut different) = (0, 0);
        let mut compare = |value: f32, exponent: f32| {
            let exact = f64::from(value).powf(f64::from(exponent));
            let (got, want) = (power(value, exponent), exact as f32);
            compared += 1;
            if got.to_bits() != want.to_bits() {
                different += 1;
                assert!(
                    distance_from_the_middle(exact) < 1e-15,
                    "{value} ^ {exponent}: {got}, not {want}"
                );
            }
        };
        // A light's: cosines to the exponents that lists set.
        for exponent in 1..200 {
            for step in 1..=2000 {
                compare(step as f32 / 2000.0, exponent as f32 * 0.5);
            }
        }
        // Everything else: steps through all singles.
        let mut bits = 1_u32;
        while bits < 0x7F80_0000 {
            for exponent in [
                1e-6_f32, 0.01, 0.3, 1.0, 1.5, 2.0, 7.7, 31.0, 128.0, 1000.0, 1e6, 1e30,
            ] {
                compare(f32::from_bits(bits), exponent);
            }
            bits += 104_729;
        }
        // Around 1, where exponents may be large.
        for step in 0..4000_u32 {
            for exponent in [3.0, 1e3, 1e5, 1e7, 2.5e8_f32] {
                compare(f32::from_bits(0x3F80_0000 - step * 61), exponent);
                compare(f32::from_bits(0x3F80_0000 + step * 61), exponent);
            }
        }
        println!("{different} of {compared} differ");
        assert!(different <= compared / 1_000_000, "{different} of {compared}");
    }

    #[test]
    fn ends() {
        assert_eq!(power(f32::INFINITY, 2.0), f32::INFINITY);
        assert!(power(f32::NAN, 2.0).is_nan());
        assert_eq!(
            [0.5, 1.0, 2.0].map(|value| power(value, f32::INFINITY)),
            [0.0, 1.0, f32::INFINITY]
        );
        assert_eq!(power(f32::from_bits(1), 1.0), f32::from_bits(1));
        assert_eq!(power(f32::MAX, 1.0), f32::MAX);
        assert_eq!(power(f32::MAX, f32::MAX), f32::INFINITY);
        assert_eq!(power(0.5, f32::MAX), 0.0);
    }
}
