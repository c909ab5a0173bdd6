//! Planes whose floor is the exact value rounded to the nearest, ties upwards: what PPSSPP's means of singles come
//! to, but for their own rounding (spec/ppsspp-profile.md §4.3 to §4.5).

use super::{Basis, Plane32, power_of_two, rounded};

impl Basis {
    /// A colour component, in the format of [`Basis::color`].
    ///
    /// A gradient has 22 bits per pixel; with 18 about 0.01 % of the values would differ from PPSSPP's.
    pub(crate) fn rounded_color(&self, components: [u8; 3]) -> Plane32 {
        self.rounded(components.map(i64::from), 22)
    }

    /// Depth, in the format of [`Basis::depth`].
    pub(crate) fn rounded_depth(&self, depths: [u32; 3]) -> Plane32 {
        self.rounded(depths.map(i64::from), 14)
    }

    /// A plane with so many bits behind the point. Only what no covered pixel shows can wrap.
    fn rounded(&self, [c0, c1, c2]: [i64; 3], bits: i32) -> Plane32 {
        let (x, y) = self.numerators(c1 - c0, c2 - c0);
        let scale = power_of_two(bits);
        let area = self.area as f64;
        let offset = (x * self.sample_x + y * self.sample_y) as f64 / area;
        // The casts to 32 bits keep the low ones.
        let fixed = |value: f64| rounded(value * scale) as i32;
        Plane32 {
            base: fixed(c0 as f64 + offset + 0.5),
            right: fixed(16.0 * x as f64 / area),
            down: fixed(16.0 * y as f64 / area),
        }
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
            let color = basis.rounded_color(colors).at(px, py) >> 22;
            prop_assert!((f64::from(color) - mean(colors.map(i64::from))).abs() < 0.501);
            let depth = basis.rounded_depth(depths).at(px, py) >> 14;
            prop_assert!((f64::from(depth) - mean(depths.map(i64::from))).abs() < 0.55);
        }
    }
}
