//! Texture coordinates and the level of detail (spec/ge-raster.md §6.3, §6.4, §7.6, §9.4).

use crate::code::LevelMode;
use crate::draw::ScreenVertex;
use crate::setup::planes::{Basis, ExactPlane, Plane64, Slope, Texel24, power_of_two};
use crate::setup::record::{
    AffineCoordinates, Attributes, PerspectiveCoordinates, Primitive, PrimitiveFlags, push,
};
use crate::setup::{Rules, Setup, TextureScale, level};
use crate::state::StateFlags;

/// What texture coordinates of a corner are divided by: q and clip w, 1 where they have no say.
#[derive(Clone, Copy, Debug)]
struct Divisors {
    q: f64,
    w: f64,
}

impl<R: Rules> Setup<'_, R> {
    /// The divisors of some vertices, w being 1 where it is the same for all.
    fn divisors<const N: usize>(&self, vertices: [&ScreenVertex; N]) -> [Divisors; N] {
        let projected = self.state.flags.contains(StateFlags::PROJECTED) && !self.is_through();
        let same_w = vertices.iter().all(|vertex| vertex.w == vertices[0].w);
        let uses_w = !self.is_through() && !same_w;
        let mut divisors = [Divisors { q: 1.0, w: 1.0 }; N];
        for (divisors, vertex) in divisors.iter_mut().zip(vertices) {
            if projected {
                divisors.q = f64::from(vertex.q);
            }
            if uses_w {
                divisors.w = f64::from(vertex.w);
            }
        }
        divisors
    }

    /// The powers of two that s and t are multiplied with, to give 1/256 texel of the largest level.
    pub(crate) fn scales(&self, texture: TextureScale) -> [i32; 2] {
        let (largest, first) = (texture.largest, texture.first);
        if self.is_through() {
            [
                8 + i32::from(largest.log2_width) - i32::from(first.log2_width),
                8 + i32::from(largest.log2_height) - i32::from(first.log2_height),
            ]
        } else {
            [
                8 + i32::from(largest.log2_width),
                8 + i32::from(largest.log2_height),
            ]
        }
    }

    /// Fills in the texture coordinates and the level of detail of a triangle.
    pub(crate) fn triangle_coordinates(
        &self,
        basis: &Basis,
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        let Some(texture) = self.texture else { return };
        let scales = self.scales(texture);
        let divisors = self.divisors(vertices);
        if divisors
            .iter()
            .all(|corner| corner.q == divisors[0].q && corner.w == divisors[0].w)
        {
            let [v0, v1, v2] = vertices;
            let q = divisors[0].q;
            let s = affine_corners([v0.s, v1.s, v2.s].map(f64::from), q, scales[0]);
            let t = affine_corners([v0.t, v1.t, v2.t].map(f64::from), q, scales[1]);
            let planes = basis.exact([s, t]);
            self.affine_record(planes, texture, attributes, record);
        } else {
            let coordinates = scaled_coordinates(vertices, scales);
            let coordinates =
                perspective::<R, 3>(divisors, coordinates, |corners| R::perspective(basis, corners));
            self.perspective_record(coordinates, attributes, record);
        }
        self.slope_lod(basis, vertices, attributes, record);
    }

    /// Fills in the texture coordinates and the level of detail of a rectangle, given the distances from the first
    /// vertex to the second and to the first pixel's sample, in columns and rows. What is added to the coordinates
    /// that run across and down, `corrections` say.
    pub(crate) fn rectangle_coordinates(
        &self,
        (distance_x, sample_x): (i64, i64),
        (distance_y, sample_y): (i64, i64),
        vertices: [&ScreenVertex; 2],
        [across, down]: [i64; 2],
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        let Some(texture) = self.texture else { return };
        let scales = self.scales(texture);
        // A rectangle has no perspective: w is ignored (spec/ge-raster.md §6.3). From top right to bottom left, or
        // back, s runs down the rows (hw: textures/rotate).
        let divisors = self
            .divisors(vertices)
            .map(|corner| Divisors { w: 1.0, ..corner });
        let turned = (distance_x > 0) != (distance_y > 0);
        if divisors[0].q == divisors[1].q {
            let [v0, v1] = vertices;
            let mut planes = [ExactPlane::default(); 2];
            for (axis, (plane, ends)) in planes.iter_mut().zip([[v0.s, v1.s], [v0.t, v1.t]]).enumerate() {
                let corners = affine_corners(ends.map(f64::from), divisors[0].q, scales[axis]);
                let Some([from, to]) = corners else { continue };
                let (slope, correction) = match (axis == 0) != turned {
                    true => (Slope::across(from, to, distance_x), across),
                    false => (Slope::along(from, to, distance_y), down),
                };
                *plane = slope.plane(from.corrected(correction), sample_x, sample_y);
            }
            self.affine_record(planes, texture, attributes, record);
        } else {
            // q runs with s; if turned, that is unverified (spec/ge-raster.md §6.4).
            let along = [false, true, false].map(|is_t| match is_t != turned {
                false => [(distance_x, sample_x), (0, sample_y)],
                true => [(0, sample_x), (distance_y, sample_y)],
            });
            let coordinates = scaled_coordinates(vertices, scales);
            let coordinates = perspective::<R, 2>(divisors, coordinates, |corners| {
                R::perspective_along(corners, along)
            });
            self.perspective_record(coordinates, attributes, record);
        }
        self.flat_slope_lod(vertices[1], record);
    }

    /// Fills in the texture coordinates of a single pixel: s and t are already divided. `change` is that of s and t
    /// from pixel to pixel.
    pub(crate) fn pixel_coordinates(
        &self,
        coordinates: [f64; 2],
        change: [f64; 2],
        w: f32,
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        let Some(texture) = self.texture else { return };
        let scales = self.scales(texture);
        let planes = [0, 1].map(|axis| {
            let at = coordinates[axis];
            if at.is_finite() {
                ExactPlane::flat(Texel24::new(at, scales[axis]))
            } else {
                ExactPlane::default()
            }
        });
        record.coordinates = push(&mut attributes.affine, AffineCoordinates { planes });
        if self.lod {
            let largest = [texture.largest.log2_width, texture.largest.log2_height];
            let first = [texture.first.log2_width, texture.first.log2_height];
            let texels = [0, 1].map(|axis| {
                let scale = scales[axis] - 8 - i32::from(largest[axis]) + i32::from(first[axis]);
                (change[axis] * power_of_two(scale)).abs()
            });
            record.detail = self.flat_lod(texels, w);
        }
    }

    fn affine_record(
        &self,
        planes: [ExactPlane; 2],
        texture: TextureScale,
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        record.coordinates = push(&mut attributes.affine, AffineCoordinates { planes });
        if self.lod && self.state.texture.level_mode == LevelMode::AUTOMATIC {
            // In texels of level 0. The change of s goes to the right, that of t down; the others have no say
            // (spec/ge-raster.md §9.4).
            let scale_s = i32::from(texture.first.log2_width) - i32::from(texture.largest.log2_width);
            let scale_t = i32::from(texture.first.log2_height) - i32::from(texture.largest.log2_height);
            let texels = [
                (planes[0].right() as f64 * power_of_two(scale_s - 72)).abs(),
                (planes[1].down() as f64 * power_of_two(scale_t - 72)).abs(),
            ];
            record.detail = self.flat_lod(texels, 1.0);
        }
    }

    fn perspective_record(
        &self,
        coordinates: PerspectiveCoordinates,
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        record.coordinates = push(&mut attributes.perspective, coordinates);
        record.flags = record.flags.with(R::PERSPECTIVE, true);
        if self.lod && self.state.texture.level_mode == LevelMode::AUTOMATIC {
            record.flags = record.flags.with(PrimitiveFlags::DETAIL_PER_QUAD, true);
            record.detail = self.state.texture.level_bias;
        }
    }

    /// The level of detail of a primitive over which it does not change; `texels` are what a pixel steps over.
    pub(crate) fn flat_lod(&self, texels: [f64; 2], w: f32) -> i32 {
        let detail = match self.state.texture.level_mode {
            LevelMode::AUTOMATIC => level::log2(texels[0].max(texels[1]) as f32),
            LevelMode::SLOPE => {
                let w = if self.is_through() { 1.0 } else { w };
                level::log2(2.0 * w * f32::from_bits(self.state.texture.level_slope))
            }
            _ => 0,
        };
        detail.saturating_add(self.state.texture.level_bias)
    }

    fn flat_slope_lod(&self, vertex: &ScreenVertex, record: &mut Primitive) {
        if self.lod && self.state.texture.level_mode != LevelMode::AUTOMATIC {
            record.detail = self.flat_lod([0.0; 2], vertex.w);
        }
    }

    /// The level of detail of a triangle in the modes that do not look at the coordinates.
    fn slope_lod(
        &self,
        basis: &Basis,
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        let same_w = vertices.iter().all(|vertex| vertex.w == vertices[0].w);
        if self.state.texture.level_mode != LevelMode::SLOPE || self.is_through() || same_w {
            return self.flat_slope_lod(vertices[0], record);
        }
        if self.lod {
            const LIMIT: f64 = (1u64 << 52) as f64;
            let slope = f64::from(f32::from_bits(self.state.texture.level_slope));
            let corners = vertices.map(|vertex| {
                let scaled = 2.0 * f64::from(vertex.w) * slope * f64::from(1 << 24);
                if scaled.is_nan() {
                    LIMIT
                } else {
                    scaled.clamp(-LIMIT, LIMIT)
                }
            });
            record.flags = record.flags.with(PrimitiveFlags::DETAIL_FROM_SLOPE, true);
            record.slope = push(&mut attributes.planes, basis.approximate(corners));
            record.detail = self.state.texture.level_bias;
        }
    }
}

/// The corners of an affine coordinate; none where the hardware takes coordinate 0 for it: where it is not finite
/// (spec/ge-raster.md §7.6, hw: vertices/texcoords).
pub(crate) fn affine_corners<const N: usize>(
    coordinates: [f64; N],
    q: f64,
    scale: i32,
) -> Option<[Texel24; N]> {
    let mut corners = [Texel24::default(); N];
    for (corner, coordinate) in corners.iter_mut().zip(coordinates) {
        let divided = if q == 1.0 { coordinate } else { coordinate / q };
        if !divided.is_finite() {
            return None;
        }
        *corner = Texel24::new(divided, scale);
    }
    Some(corners)
}

/// s and t of vertices in 1/256 texel.
#[inline]
fn scaled_coordinates<const N: usize>(vertices: [&ScreenVertex; N], scales: [i32; 2]) -> [[f64; N]; 2] {
    let factors = scales.map(power_of_two);
    let mut scaled = [[0.0; N]; 2];
    for (corner, vertex) in vertices.into_iter().enumerate() {
        scaled[0][corner] = f64::from(vertex.s) * factors[0];
        scaled[1][corner] = f64::from(vertex.t) * factors[1];
    }
    scaled
}

/// Planes of s/w, t/w and q/w, given those functions that make planes of all three corners, scaled to the bits of the
/// rules below the power of two above the largest one. A coordinate that is not finite somewhere is 0 everywhere.
#[inline]
fn perspective<R: Rules, const N: usize>(
    divisors: [Divisors; N],
    [s, t]: [[f64; N]; 2],
    planes: impl Fn([[f64; N]; 3]) -> [Plane64; 3],
) -> PerspectiveCoordinates {
    let (mut q, mut w) = ([0.0; N], [0.0; N]);
    for (corner, divisors) in divisors.into_iter().enumerate() {
        (q[corner], w[corner]) = (divisors.q, divisors.w);
    }
    let mut axes = R::over_w([s, t, q], w);
    let mut exponents = [0; 3];
    for (corners, exponent) in axes.iter_mut().zip(&mut exponents) {
        let largest = corners
            .iter()
            .fold(0.0, |largest, corner| f64::max(largest, corner.abs()));
        if !corners.iter().all(|corner| corner.is_finite()) {
            *corners = [0.0; N];
            continue;
        }
        *exponent = exponent_above(largest);
        let scale = power_of_two(R::CORNER_BITS - *exponent);
        for corner in corners {
            *corner *= scale;
        }
    }
    let [s, t, denominator] = planes(axes);
    PerspectiveCoordinates {
        numerators: [s, t],
        denominator,
        shifts: [exponents[0] - exponents[2], exponents[1] - exponents[2]],
    }
}

/// The exponent of the smallest power of two above a number that is not negative; 0 for 0.
fn exponent_above(number: f64) -> i32 {
    if number == 0.0 {
        0
    } else {
        ((number.to_bits() >> 52) & 0x7FF) as i32 - 1022
    }
}

#[cfg(test)]
mod tests;
