//! Planes whose floor is the exact value rounded to the nearest, ties upwards: what PPSSPP's means of singles come
//! to, but for their own rounding (spec/ppsspp-profile.md §4.3 to §4.5).

use crate::setup::Plane32;
use crate::setup::planes::{Basis, power_of_two, rounded};

/// A colour component, in the format of [`Gouraud`](crate::setup::Gouraud).
///
/// A gradient has 22 fraction bits per pixel; with 18 about 0.01 % of the values would differ from PPSSPP's.
pub(super) fn color(basis: &Basis, components: [u8; 3]) -> Plane32 {
    plane(basis, components.map(i64::from), 22)
}

/// Depth, in the format of [`Primitive::depth`](crate::setup::Primitive::depth).
pub(super) fn depth(basis: &Basis, depths: [u32; 3]) -> Plane32 {
    plane(basis, depths.map(i64::from), 14)
}

/// A plane with a number of fraction bits. Only what no covered pixel shows can wrap.
fn plane(basis: &Basis, [c0, c1, c2]: [i64; 3], fraction_bits: i32) -> Plane32 {
    let (x, y) = basis.numerators(c1 - c0, c2 - c0);
    let scale = power_of_two(fraction_bits);
    let area = basis.area as f64;
    let offset = (x * basis.sample_x + y * basis.sample_y) as f64 / area;
    // The casts to 32 bits keep the low ones.
    let fixed = |value: f64| rounded(value * scale) as i32;
    Plane32 {
        base: fixed(c0 as f64 + offset + 0.5),
        right: fixed(16.0 * x as f64 / area),
        down: fixed(16.0 * y as f64 / area),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn values_are_rounded_to_the_nearest(
            corners in prop::array::uniform3((0i64..8192, 0i64..4352)),
            colors in prop::array::uniform3(any::<u8>()),
            depths in prop::array::uniform3(0u32..65536),
            (a, b) in (0.0f64..1.0, 0.0f64..1.0),
        ) {
            let [(x0, y0), (x1, y1), (x2, y2)] = corners;
            let area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
            prop_assume!(area.abs() > 4096);
            let basis = Basis {
                x1: x1 - x0, y1: y1 - y0, x2: x2 - x0, y2: y2 - y0, area, sample_x: 8 - x0, sample_y: 8 - y0,
            };
            let (a, b) = if a + b > 1.0 { (1.0 - a, 1.0 - b) } else { (a, b) };
            let px = ((x0 as f64 + a * basis.x1 as f64 + b * basis.x2 as f64) / 16.0) as i32;
            let py = ((y0 as f64 + a * basis.y1 as f64 + b * basis.y2 as f64) / 16.0) as i32;
            let (x, y) = (16 * i64::from(px) + 8, 16 * i64::from(py) + 8);
            let edge = |(px, py): (i64, i64), (qx, qy): (i64, i64)| (qx - px) * (y - py) - (qy - py) * (x - px);
            let weights = [edge(corners[1], corners[2]), edge(corners[2], corners[0]), edge(corners[0], corners[1])];
            prop_assume!(weights.iter().all(|weight| weight.signum() == area.signum()));
            let mean = |values: [i64; 3]| {
                let sum: i64 = (0..3).map(|corner| weights[corner] * values[corner]).sum();
                sum as f64 / area as f64
            };
            let color = super::color(&basis, colors).at(px, py) >> 22;
            prop_assert!((f64::from(color) - mean(colors.map(i64::from))).abs() < 0.501);
            let depth = super::depth(&basis, depths).at(px, py) >> 14;
            prop_assert!((f64::from(depth) - mean(depths.map(i64::from))).abs() < 0.55);
        }
    }
}
