//! Planes in integers of 128 bits, as the contract states them: what the narrow forms have to agree with.

use super::{Basis, ExactPlane, Fixed64, Fixed96, PERSPECTIVE_FRACTION, Plane32, Plane64, Slope, Texel24};
use crate::setup::reciprocal;
use proptest::prelude::*;

fn color(basis: &Basis, [c0, c1, c2]: [u8; 3]) -> Plane32 {
    let (step1, step2) = (i64::from(c1) - i64::from(c0), i64::from(c2) - i64::from(c0));
    let (x, y) = basis.numerators(step1, step2);
    let reciprocal = reciprocal::truncated(basis.area.unsigned_abs());
    let signed = i128::from(reciprocal.mantissa) * i128::from(basis.area.signum());
    let right = ((i128::from(x) * signed) << 14) >> reciprocal.shift;
    let down = ((i128::from(y) * signed) << 14) >> reciprocal.shift;
    let base =
        (i128::from(c0) << 14) + right * i128::from(basis.sample_x) + down * i128::from(basis.sample_y);
    Plane32 {
        base: (base << 8) as i32,
        right: (right << 12) as i32,
        down: (down << 12) as i32,
    }
}

fn anchor(basis: &Basis) -> usize {
    let corners = [(0, 0), (basis.x1, basis.y1), (basis.x2, basis.y2)];
    let mut order = [0, 1, 2];
    order.sort_by_key(|&index: &usize| (corners[index].1, corners[index].0));
    let [top, middle, bottom] = order;
    let from_top = |index: usize| {
        let ((x, y), (top_x, top_y)) = (corners[index], corners[top]);
        (x - top_x, y - top_y)
    };
    let ((middle_x, middle_y), (bottom_x, bottom_y)) = (from_top(middle), from_top(bottom));
    match bottom_x * middle_y > bottom_y * middle_x {
        true if bottom_x > 0 => bottom,
        false if bottom_x < 0 => bottom,
        _ => top,
    }
}

fn perspective(basis: &Basis, corners: [i64; 3]) -> Plane64 {
    let (x, y) = basis.numerators(corners[1] - corners[0], corners[2] - corners[0]);
    let reciprocal = reciprocal::perspective(basis.area.unsigned_abs());
    let signed = i128::from(reciprocal.mantissa) * i128::from(basis.area.signum());
    let gradient =
        |numerator: i64| ((i128::from(numerator) * signed) << PERSPECTIVE_FRACTION) >> reciprocal.shift;
    let (right, down) = (gradient(x), gradient(y));
    let anchor = anchor(basis);
    let (anchor_x, anchor_y) = [(0, 0), (basis.x1, basis.y1), (basis.x2, basis.y2)][anchor];
    let base = (i128::from(corners[anchor]) << PERSPECTIVE_FRACTION)
        + right * i128::from(basis.sample_x - anchor_x)
        + down * i128::from(basis.sample_y - anchor_y);
    Plane64 {
        base: Fixed64::saturating(base),
        right: Fixed64::saturating(16 * right),
        down: Fixed64::saturating(16 * down),
    }
}

/// A plane with changes per sub unit over a denominator that is not 0.
fn exact(
    origin: Texel24,
    [x, y]: [i128; 2],
    denominator: i128,
    [sample_x, sample_y]: [i64; 2],
) -> ExactPlane {
    let sign = denominator.signum();
    let (x, y, denominator) = (x * sign, y * sign, denominator * sign);
    let scaled = |numerator: i128, bits: u32| {
        let whole = numerator.div_euclid(denominator);
        let rest = (numerator.rem_euclid(denominator) << bits) + (denominator - 1);
        (whole << bits).wrapping_add(rest / denominator)
    };
    let offset = x * i128::from(sample_x) + y * i128::from(sample_y);
    ExactPlane {
        base: Fixed96::new((i128::from(origin.0) << 40).wrapping_add(scaled(offset, 40))),
        right: Fixed96::new(scaled(x, 44)),
        down: Fixed96::new(scaled(y, 44)),
    }
}

/// Triangles of all sizes, the largest with corners at the ends of the range of set-up.
fn bases() -> impl Strategy<Value = Basis> {
    let corners = prop::array::uniform3((-(1i64 << 20)..=1 << 20, -(1i64 << 20)..=1 << 20));
    let samples = (-(1i64 << 20)..=1 << 20, -(1i64 << 20)..=1 << 20);
    (corners, samples, 0u32..20).prop_filter_map("no area", |(corners, samples, shift)| {
        let [(x0, y0), (x1, y1), (x2, y2)] = corners.map(|(x, y)| (x >> shift, y >> shift));
        let (x1, y1, x2, y2) = (x1 - x0, y1 - y0, x2 - x0, y2 - y0);
        let basis = Basis {
            x1,
            y1,
            x2,
            y2,
            area: x1 * y2 - y1 * x2,
            sample_x: samples.0 - x0,
            sample_y: samples.1 - y0,
        };
        (basis.area != 0).then_some(basis)
    })
}

/// Texture coordinates of all sizes.
fn texels<const N: usize>() -> impl Strategy<Value = [Texel24; N]> {
    let numbers = std::array::from_fn::<_, N, _>(|_| -(1i64 << 54)..=1 << 54);
    (numbers, 0u32..54).prop_map(|(numbers, shift)| numbers.map(|number| Texel24(number >> shift)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    #[test]
    fn planes_of_colors_agree(basis in bases(), components in any::<[u8; 3]>()) {
        prop_assert_eq!(basis.colors().component(components), color(&basis, components));
    }

    #[test]
    fn planes_of_perspective_agree(
        basis in bases(),
        corners in prop::array::uniform3(-(1i64 << 15)..=1 << 15),
    ) {
        prop_assert_eq!(basis.perspective().plane(corners), perspective(&basis, corners));
    }

    #[test]
    fn planes_of_small_triangles_in_perspective_agree(
        (x1, y1, x2, y2) in (-3i64..=3, -3i64..=3, -3i64..=3, -3i64..=3),
        corners in prop::array::uniform3(-(1i64 << 15)..=1 << 15),
        (sample_x, sample_y) in (-(1i64 << 20)..=1 << 20, -(1i64 << 20)..=1 << 20),
    ) {
        let basis = Basis { x1, y1, x2, y2, area: x1 * y2 - y1 * x2, sample_x, sample_y };
        prop_assume!(basis.area != 0);
        prop_assert_eq!(basis.perspective().plane(corners), perspective(&basis, corners));
    }

    #[test]
    fn planes_of_affine_coordinates_agree(basis in bases(), s in texels(), t in texels()) {
        let found = basis.exact([Some(s), Some(t)]);
        for (found, [c0, c1, c2]) in found.into_iter().zip([s, t]) {
            let (step1, step2) = (i128::from(c1.0 - c0.0), i128::from(c2.0 - c0.0));
            let x = step1 * i128::from(basis.y2) - step2 * i128::from(basis.y1);
            let y = step2 * i128::from(basis.x1) - step1 * i128::from(basis.x2);
            let samples = [basis.sample_x, basis.sample_y];
            prop_assert_eq!(found, exact(c0, [x, y], basis.area.into(), samples));
        }
    }

    #[test]
    fn planes_along_an_axis_agree(
        [from, to, origin] in texels(),
        distance in -(1i64 << 21)..=1 << 21,
        (sample_x, sample_y) in (-(1i64 << 21)..=1 << 21, -(1i64 << 21)..=1 << 21),
    ) {
        prop_assume!(distance != 0);
        let (change, samples) = (i128::from(to.0 - from.0), [sample_x, sample_y]);
        prop_assert_eq!(
            Slope::across(from, to, distance).plane(origin, sample_x, sample_y),
            exact(origin, [change, 0], distance.into(), samples)
        );
        prop_assert_eq!(
            Slope::along(from, to, distance).plane(origin, sample_x, sample_y),
            exact(origin, [0, change], distance.into(), samples)
        );
    }
}
