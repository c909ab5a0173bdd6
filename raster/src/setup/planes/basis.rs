//! How attributes of corners become planes.

use super::division::Divisor;
use super::{ExactPlane, Fixed64, Fixed96, PERSPECTIVE_FRACTION, Plane32, Plane64, Texel24};
use crate::setup::reciprocal;

/// How attributes of corners become planes: the differences of a triangle's corners, in sub units, and where the
/// first pixel's sample lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Basis {
    /// From corner 0 to the corners 1 and 2.
    pub(crate) x1: i64,
    pub(crate) y1: i64,
    pub(crate) x2: i64,
    pub(crate) y2: i64,
    /// Twice the signed area; not 0.
    pub(crate) area: i64,
    /// From corner 0 to the sample of the first pixel.
    pub(crate) sample_x: i64,
    pub(crate) sample_y: i64,
}

impl Basis {
    /// Numerators of the changes per sub unit; the denominator is the area.
    #[inline]
    pub(crate) fn numerators(&self, step1: i64, step2: i64) -> (i64, i64) {
        (
            step1 * self.y2 - step2 * self.y1,
            step2 * self.x1 - step1 * self.x2,
        )
    }

    /// Planes of a colour's components, one after the other.
    pub(crate) fn colors(&self) -> ColorPlanes<'_> {
        let reciprocal = reciprocal::truncated(self.area.unsigned_abs());
        ColorPlanes {
            basis: self,
            reciprocal: i64::from(reciprocal.mantissa) * self.area.signum(),
            shift: reciprocal.shift - 14,
        }
    }

    /// Depth, 16 bits before the point and 14 after, so that kernels show the value >> 14, clamped: gradients with
    /// 14 bits per pixel, exact but for the floor. Unverified (spec/ge-raster.md §7.4).
    pub(crate) fn depth(&self, [z0, z1, z2]: [u32; 3]) -> Plane32 {
        let (step1, step2) = (i64::from(z1) - i64::from(z0), i64::from(z2) - i64::from(z0));
        let (x, y) = self.numerators(step1, step2);
        let (x, y) = if self.area < 0 { (-x, -y) } else { (x, y) };
        let right = (x << 18).div_euclid(self.area.abs());
        let down = (y << 18).div_euclid(self.area.abs());
        let base = (i64::from(z0) << 18)
            .wrapping_add(right.wrapping_mul(self.sample_x))
            .wrapping_add(down.wrapping_mul(self.sample_y));
        Plane32 {
            base: (base >> 4) as i32,
            right: right as i32,
            down: down as i32,
        }
    }

    /// Planes of coordinates in perspective, one after the other.
    pub(crate) fn perspective(&self) -> PerspectivePlanes<'_> {
        let reciprocal = reciprocal::perspective(self.area.unsigned_abs());
        let anchor = self.anchor();
        let (anchor_x, anchor_y) = [(0, 0), (self.x1, self.y1), (self.x2, self.y2)][anchor];
        PerspectivePlanes {
            basis: self,
            reciprocal: i64::from(reciprocal.mantissa) * self.area.signum(),
            shift: reciprocal.shift - PERSPECTIVE_FRACTION,
            anchor,
            sample_x: self.sample_x - anchor_x,
            sample_y: self.sample_y - anchor_y,
        }
    }

    /// The corner that planes of coordinates in perspective start from: an end of the edge from the top to the bottom,
    /// the one farther from the third corner's side, so that the triangle lies on one side of it. In five of eight
    /// triangles of hw: reflection and rendertarget both other corners contradict more pixels, in none this one does.
    /// That it is the top where both ends lie in one column is a choice.
    fn anchor(&self) -> usize {
        let corners = [(0, 0), (self.x1, self.y1), (self.x2, self.y2)];
        // From top to bottom, then from left to right, in an order that the index completes. Columns have 23 bits.
        let keys = [0, 1, 2].map(|index: usize| {
            let (x, y) = corners[index];
            (((y << 24) + x) << 2) | index as i64
        });
        let first = keys[0].min(keys[1]).min(keys[2]);
        let last = keys[0].max(keys[1]).max(keys[2]);
        let [top, bottom] = [first, last].map(|key| (key & 3) as usize % 3);
        let middle = (3 - top - bottom) % 3;
        let from_top = |index: usize| {
            (
                corners[index].0 - corners[top].0,
                corners[index].1 - corners[top].1,
            )
        };
        let ((middle_x, middle_y), (bottom_x, bottom_y)) = (from_top(middle), from_top(bottom));
        let middle_is_left = bottom_x * middle_y > bottom_y * middle_x;
        let bottom_is_farther = if middle_is_left {
            bottom_x > 0
        } else {
            bottom_x < 0
        };
        if bottom_is_farther { bottom } else { top }
    }

    /// Affine texture coordinates (spec/ge-raster.md §7.6, hw: vertices/texcoords); where there are no corners,
    /// coordinate 0.
    pub(crate) fn exact(&self, coordinates: [Option<[Texel24; 3]>; 2]) -> [ExactPlane; 2] {
        let divisor = Divisor::new(self.area.unsigned_abs());
        let mut planes = [ExactPlane::default(); 2];
        for (plane, corners) in planes.iter_mut().zip(coordinates) {
            let Some([c0, c1, c2]) = corners else { continue };
            // With the area's sign.
            let sign = self.area >> 63;
            let (step1, step2) = (((c1.0 - c0.0) ^ sign) - sign, ((c2.0 - c0.0) ^ sign) - sign);
            let product = |step: i64, distance: i64| i128::from(step) * i128::from(distance);
            let x = product(step1, self.y2) - product(step2, self.y1);
            let y = product(step2, self.x1) - product(step1, self.x2);
            *plane = exact_plane(c0, (x, y), &divisor, (self.sample_x, self.sample_y));
        }
        planes
    }

    /// A plane of numbers that are given in the scale of the result, within +-2^52 at the corners.
    ///
    /// In doubles: the error of a gradient is about 2^-52 of the largest corner, times the square of the longest
    /// side over the area. A plane that is too steep for the format stops at its steepest.
    pub(crate) fn approximate(&self, [c0, c1, c2]: [f64; 3]) -> Plane64 {
        let (step1, step2) = (c1 - c0, c2 - c0);
        let area = self.area as f64;
        let x = (step1 * self.y2 as f64 - step2 * self.y1 as f64) / area;
        let y = (step2 * self.x1 as f64 - step1 * self.x2 as f64) / area;
        let base = c0 + (x * self.sample_x as f64 + y * self.sample_y as f64);
        Plane64::rounded(base, 16.0 * x, 16.0 * y)
    }
}

/// Planes of colours, which share the reciprocal of a triangle's area.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColorPlanes<'a> {
    basis: &'a Basis,
    /// With the area's sign.
    reciprocal: i64,
    shift: u32,
}

impl ColorPlanes<'_> {
    /// A colour component, 8 bits before the point and 22 after, so that kernels show `sat8(value >> 22)`.
    ///
    /// spec/ge-raster.md §7.1, hw: triangle/triangle, primitives/bezier. The gradients have 10 bits per pixel,
    /// that is 14 per sub unit; the other 8 bits are room for a profile with finer ones. At a covered pixel the value
    /// leaves 0..=255 by rounding alone, so that wrapping sums are right there.
    #[inline]
    pub(crate) fn component(&self, [c0, c1, c2]: [u8; 3]) -> Plane32 {
        let (step1, step2) = (i64::from(c1) - i64::from(c0), i64::from(c2) - i64::from(c0));
        let (x, y) = self.basis.numerators(step1, step2);
        // No bits above the 32nd show.
        let right = ((x * self.reciprocal) >> self.shift) as i32;
        let down = ((y * self.reciprocal) >> self.shift) as i32;
        let base = (i32::from(c0) << 14)
            .wrapping_add(right.wrapping_mul(self.basis.sample_x as i32))
            .wrapping_add(down.wrapping_mul(self.basis.sample_y as i32));
        Plane32 {
            base: base << 8,
            right: right << 12,
            down: down << 12,
        }
    }
}

/// Planes of coordinates in perspective, which share the reciprocal of a triangle's area and the corner that they start
/// from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PerspectivePlanes<'a> {
    basis: &'a Basis,
    /// With the area's sign.
    reciprocal: i64,
    shift: u32,
    anchor: usize,
    /// From the anchor to the sample of the first pixel.
    sample_x: i64,
    sample_y: i64,
}

impl PerspectivePlanes<'_> {
    /// A numerator or the denominator, [`PERSPECTIVE_FRACTION`] bits after the point, from corners within +-2^16.
    ///
    /// As a colour, with gradients floored to 10 bits per pixel, but from another corner: [`Basis::anchor`]
    /// (spec/ge-raster.md §7.6, hw: reflection, rendertarget).
    #[inline]
    pub(crate) fn plane(&self, corners: [i64; 3]) -> Plane64 {
        let (x, y) = self
            .basis
            .numerators(corners[1] - corners[0], corners[2] - corners[0]);
        perspective_plane(
            corners[self.anchor],
            ((x * self.reciprocal) >> self.shift, self.sample_x),
            ((y * self.reciprocal) >> self.shift, self.sample_y),
        )
    }
}

/// The plane of a value, and of changes per sub unit, each with the distance to the first pixel's sample.
#[inline]
fn perspective_plane(from: i64, (right, sample_x): (i64, i64), (down, sample_y): (i64, i64)) -> Plane64 {
    let base = (i128::from(from) << PERSPECTIVE_FRACTION)
        + i128::from(right) * i128::from(sample_x)
        + i128::from(down) * i128::from(sample_y);
    Plane64 {
        base: Fixed64::saturating(base),
        right: Fixed64::new(right.saturating_mul(16)),
        down: Fixed64::new(down.saturating_mul(16)),
    }
}

/// The plane that has the value `origin` at a distance in sub units left of and above the first pixel's sample. The changes per sub
/// unit are numerators over the divisor, with 24 bits after the point.
#[inline]
fn exact_plane(
    origin: Texel24,
    (x, y): (i128, i128),
    divisor: &Divisor,
    (sample_x, sample_y): (i64, i64),
) -> ExactPlane {
    // The 24 bits after the point become 64, so quotients are scaled by 2^40; by 2^44 per pixel. Nothing but bits above
    // the 96th is lost.
    let scaled = |numerator: i128, bits: u32| match numerator {
        0 => 0,
        _ => divisor.ceiling(numerator, bits),
    };
    let offset = x * i128::from(sample_x) + y * i128::from(sample_y);
    ExactPlane {
        base: Fixed96::new((i128::from(origin.0) << 40).wrapping_add(scaled(offset, 40))),
        right: Fixed96::new(scaled(x, 44)),
        down: Fixed96::new(scaled(y, 44)),
    }
}

/// The change of a texture coordinate along an axis, from one to another over a distance in sub units that is not 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    change: i64,
    distance: i64,
    is_across: bool,
}

impl Slope {
    /// To the right.
    pub(crate) fn across(from: Texel24, to: Texel24, distance: i64) -> Self {
        Self {
            change: to.0 - from.0,
            distance,
            is_across: true,
        }
    }

    /// Downwards.
    pub(crate) fn along(from: Texel24, to: Texel24, distance: i64) -> Self {
        Self {
            is_across: false,
            ..Self::across(from, to, distance)
        }
    }

    /// The plane that has the value `origin` at a distance in sub units left of and above the first pixel's sample.
    pub(crate) fn plane(self, origin: Texel24, sample_x: i64, sample_y: i64) -> ExactPlane {
        if self.change == 0 {
            return ExactPlane::flat(origin);
        }
        let divisor = Divisor::new(self.distance.unsigned_abs());
        let change = i128::from(self.change) * i128::from(self.distance.signum());
        let changes = match self.is_across {
            true => (change, 0),
            false => (0, change),
        };
        exact_plane(origin, changes, &divisor, (sample_x, sample_y))
    }
}

/// The distances in sub units, in columns and in rows, that a plane changes over from one end to the other, or 0; and
/// those from the first end to the first pixel's sample.
pub(crate) type Along = [(i64, i64); 2];

/// [`PerspectivePlanes::plane`] along one axis, from the first corner.
pub(crate) fn perspective_along(
    [from, to]: [i64; 2],
    [(distance_x, sample_x), (distance_y, sample_y)]: Along,
) -> Plane64 {
    let gradient = |distance: i64| {
        if distance == 0 {
            return 0;
        }
        let reciprocal = reciprocal::perspective(distance.unsigned_abs());
        let signed = i64::from(reciprocal.mantissa) * distance.signum();
        ((to - from) * signed) >> (reciprocal.shift - PERSPECTIVE_FRACTION)
    };
    perspective_plane(
        from,
        (gradient(distance_x), sample_x),
        (gradient(distance_y), sample_y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn basis(corners: [(i64, i64); 3]) -> Basis {
        let [(x0, y0), (x1, y1), (x2, y2)] = corners;
        let (x1, y1, x2, y2) = (x1 - x0, y1 - y0, x2 - x0, y2 - y0);
        Basis {
            x1,
            y1,
            x2,
            y2,
            area: x1 * y2 - y1 * x2,
            sample_x: 8 - x0,
            sample_y: 8 - y0,
        }
    }

    #[test]
    fn gradients_of_the_recorded_triangle() {
        // spec/ge-raster.md §18.3, in 1/1024 level per pixel.
        let basis = basis([(4466, 1679), (3711, 3299), (2716, 2047)]);
        let gradients = |plane: Plane32| (plane.right >> 12, plane.down >> 12);
        assert_eq!(gradients(basis.colors().component([255, 0, 0])), (2045, -1626));
        assert_eq!(gradients(basis.colors().component([0, 255, 0])), (601, 2859));
        assert_eq!(gradients(basis.colors().component([0, 0, 255])), (-2647, -1234));
    }

    #[test]
    fn whole_levels_come_out_one_lower_on_a_rising_gradient() {
        // spec/ge-raster.md §7.1: green from 255 at row 10 to 127 at row 50.
        let basis = basis([(0, 160), (640, 800), (0, 800)]);
        let green = basis.colors().component([255, 127, 127]);
        assert_eq!(green.down, -3277 << 12);
        for (row, level) in [(10, 253), (11, 250), (12, 246), (13, 243), (17, 230), (47, 134)] {
            assert_eq!(green.at(0, row) >> 22, level, "row {row}");
        }
    }

    /// The exact floor of an affine coordinate, spec/ge-raster.md §7.6.
    fn exact_floor(corners: [(i64, i64); 3], values: [i64; 3], x: i64, y: i64) -> i128 {
        let [(x0, y0), (x1, y1), (x2, y2)] = corners;
        let edge = |(px, py): (i64, i64), (qx, qy): (i64, i64)| {
            i128::from((qx - px) * (y - py) - (qy - py) * (x - px))
        };
        let area = i128::from((x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0));
        let sum = edge((x1, y1), (x2, y2)) * i128::from(values[0])
            + edge((x2, y2), (x0, y0)) * i128::from(values[1])
            + edge((x0, y0), (x1, y1)) * i128::from(values[2]);
        let (sum, area) = if area < 0 { (-sum, -area) } else { (sum, area) };
        sum.div_euclid(area << 24)
    }

    proptest! {
        #[test]
        fn affine_coordinates_are_exact(
            corners in prop::array::uniform3((-8000i64..8000, -8000i64..8000)),
            values in prop::array::uniform3(-(1i64 << 42)..1i64 << 42),
            whole in any::<bool>(),
            (px, py) in (0i32..1024, 0i32..1024),
        ) {
            let basis = basis(corners);
            prop_assume!(basis.area != 0);
            prop_assert!(basis.area.abs() <= 1 << 29);
            let values = if whole { values.map(|value| value >> 30 << 30) } else { values };
            let [plane, _] = basis.exact([Some(values.map(Texel24)), None]);
            let (x, y) = (16 * i64::from(px) + 8, 16 * i64::from(py) + 8);
            let expected = exact_floor(corners, values, x, y);
            prop_assert_eq!((plane.at(px, py) >> 64) as i32, expected as i32);
        }

        #[test]
        fn rectangle_coordinates_are_exact(
            c0 in -30_000i64..30_000,
            distance in -30_000i64..30_000,
            (from, to) in (-(1i64 << 42)..1i64 << 42, -(1i64 << 42)..1i64 << 42),
            pixel in 0i32..1024,
        ) {
            prop_assume!(distance != 0);
            let plane = Slope::across(Texel24(from), Texel24(to), distance).plane(Texel24(from), 8 - c0, 77);
            let c = 16 * i128::from(pixel) + 8;
            let (c0, c1) = (i128::from(c0), i128::from(c0 + distance));
            // spec/ge-raster.md §6.3.
            let numerator = i128::from(from) * (c1 - c) + i128::from(to) * (c - c0);
            let sign = (c1 - c0).signum();
            let expected = (numerator * sign).div_euclid(((c1 - c0) * sign) << 24);
            prop_assert_eq!((plane.at(pixel, 3) >> 64) as i32, expected as i32);
        }

        #[test]
        fn depth_stays_within_the_plane(
            corners in prop::array::uniform3((0i64..8192, 0i64..8192)),
            values in prop::array::uniform3(0u32..65536),
            weights in (0.0f64..1.0, 0.0f64..1.0),
        ) {
            let basis = basis(corners);
            prop_assume!(basis.area.abs() > 4096);
            // A pixel near a point inside the triangle; its sample may lie outside by less than a pixel.
            let (a, b) = if weights.0 + weights.1 > 1.0 { (1.0 - weights.0, 1.0 - weights.1) } else { weights };
            let px = ((corners[0].0 as f64 + a * basis.x1 as f64 + b * basis.x2 as f64) / 16.0) as i32;
            let py = ((corners[0].1 as f64 + a * basis.y1 as f64 + b * basis.y2 as f64) / 16.0) as i32;
            let (x, y) = (16 * i64::from(px) + 8, 16 * i64::from(py) + 8);
            let exact = exact_floor(corners, values.map(|z| i64::from(z) << 24), x, y);
            // The samples of slivers that lie outside can be far beyond any depth; those are not shown.
            prop_assume!((-0x8000..0x1_8000).contains(&exact));
            let value = basis.depth(values).at(px, py) >> 14;
            // Two gradients, each low by less than 2^-14 per pixel, over 512 pixels.
            prop_assert!((i128::from(value) - exact).abs() <= 1, "{value} {exact}");
        }

        #[test]
        fn colours_agree_with_unbounded_arithmetic(
            corners in prop::array::uniform3((-70_000i64..70_000, -70_000i64..70_000)),
            values in prop::array::uniform3(any::<u8>()),
            (px, py) in (0i32..1024, 0i32..1024),
        ) {
            let basis = basis(corners);
            prop_assume!(basis.area != 0);
            // spec/ge-raster.md §7.1, literally.
            let [c0, c1, c2] = values.map(i128::from);
            let [(x0, y0), (x1, y1), (x2, y2)] = corners.map(|(x, y)| (i128::from(x), i128::from(y)));
            let area = i128::from(basis.area);
            let mut shift = 15;
            while (1i128 << shift) / area.abs() < 1 << 15 {
                shift += 1;
            }
            let r = (1i128 << shift) / area.abs() * area.signum();
            let gx = (16384 * ((c1 - c0) * (y2 - y0) - (c2 - c0) * (y1 - y0)) * r) >> shift;
            let gy = (16384 * ((c2 - c0) * (x1 - x0) - (c1 - c0) * (x2 - x0)) * r) >> shift;
            let x = 16 * i128::from(px) + 8 - x0;
            let y = 16 * i128::from(py) + 8 - y0;
            let value = ((c0 << 14) + gx * x + gy * y) >> 14;
            // Beyond this a value is not shown by any covered pixel.
            if (-512..512).contains(&value) {
                prop_assert_eq!(i128::from(basis.colors().component(values).at(px, py) >> 22), value);
            }
        }
    }
}
