//! How far two curves lie apart at most, at any real frame.

use crate::curve::Curve;

/// The largest distance of two curves from frame `from` to frame `to`.
///
/// Between two neighbouring keys of either, both are cubics, and so is their difference: four
/// samples give its coefficients, and its extremes are at its ends and where its slope is 0. The
/// samples lie inside, so that a jump at a key counts with the values on both its sides.
pub(super) fn distance(a: &Curve, b: &Curve, from: f64, to: f64) -> f64 {
    let difference = |frame: f64| a.sample(frame) - b.sample(frame);
    let mut largest = difference(from).abs().max(difference(to).abs());
    let inside = |&frame: &f64| from < frame && frame < to;
    let mut knots: Vec<f64> = a.frames().chain(b.frames()).filter(inside).collect();
    knots.extend([from, to]);
    knots.sort_by(f64::total_cmp);
    knots.dedup();
    for (left, right) in knots.iter().zip(knots.iter().skip(1)) {
        let width = right - left;
        // At u = 1/8, 3/8, 5/8 and 7/8.
        let [d0, d1, d2, d3] = [0.125, 0.375, 0.625, 0.875].map(|u| difference(left + width * u));
        largest = largest.max(largest_of_cubic([d0, d1, d2, d3]));
    }
    largest
}

/// The largest magnitude from u = 0 to 1 of the cubic with these values at 1/8, 3/8, 5/8 and 7/8.
fn largest_of_cubic([d0, d1, d2, d3]: [f64; 4]) -> f64 {
    // Newton's form in s = 4 u - 1/2, where the samples are at 0, 1, 2 and 3.
    let (e1, e2, e3) = (
        d1 - d0,
        (d2 - 2.0 * d1 + d0) / 2.0,
        (d3 - 3.0 * d2 + 3.0 * d1 - d0) / 6.0,
    );
    let (c0, c1, c2, c3) = (d0, e1 - e2 + 2.0 * e3, e2 - 3.0 * e3, e3);
    let at = |s: f64| (((c3 * s + c2) * s + c1) * s + c0).abs();
    let mut largest = at(-0.5).max(at(3.5));
    // Zeros of the slope c1 + 2 c2 s + 3 c3 s^2, by the form that does not cancel.
    let discriminant = c2 * c2 - 3.0 * c3 * c1;
    if discriminant >= 0.0 {
        let q = -(c2 + discriminant.sqrt().copysign(c2));
        for s in [q / (3.0 * c3), c1 / q] {
            if (-0.5..=3.5).contains(&s) {
                largest = largest.max(at(s));
            }
        }
    }
    largest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_sample_is_farther(
            a in prop::collection::vec((-9.0_f64..9.0, -9.0_f64..9.0), 1..6),
            b in prop::collection::vec((-9.0_f64..9.0, -9.0_f64..9.0), 1..6),
            frame in 0.0_f64..40.0,
        ) {
            let curve = |keys: &[(f64, f64)], spacing: f64| {
                let keys: Vec<crate::curve::HermiteKey> = keys
                    .iter()
                    .enumerate()
                    .map(|(index, &(value, slope))| crate::curve::HermiteKey {
                        frame: spacing * index as f64,
                        value,
                        slope_in: slope,
                        slope_out: -slope,
                    })
                    .collect();
                Curve::hermite(&keys, crate::curve::Slopes::PerFrame).unwrap()
            };
            let (a, b) = (curve(&a, 7.0), curve(&b, 5.5));
            let largest = distance(&a, &b, 0.0, 40.0);
            prop_assert!((a.sample(frame) - b.sample(frame)).abs() <= largest + 1e-9);
            // And it is reached: some fine sample comes close to it.
            let sampled = (0..=8000)
                .map(|step| f64::from(step) / 200.0)
                .map(|frame| (a.sample(frame) - b.sample(frame)).abs())
                .fold(0.0, f64::max);
            prop_assert!(largest <= sampled + 0.05, "{} and {}", largest, sampled);
        }
    }

    #[test]
    fn a_jump_counts_on_both_sides() {
        let jump = Curve::step(&[(0.0, 0.0), (10.0, 5.0), (20.0, 5.0)]).unwrap();
        let flat = Curve::step(&[(0.0, 5.0)]).unwrap();
        assert!((distance(&jump, &flat, 5.0, 15.0) - 5.0).abs() < 1e-12);
        assert!((distance(&jump, &flat, 10.0, 15.0)).abs() < 1e-12);
    }
}
