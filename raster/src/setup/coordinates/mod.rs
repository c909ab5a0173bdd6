//! Texture coordinates and the level of detail (spec/ge-raster.md §6.3, §6.4, §7.6, §9.4).

use crate::code::LevelMode;
use crate::draw::ScreenVertex;
use crate::profile::Profile;
use crate::setup::planes::{self, Basis, ExactPlane, Plane64, Slope, Texel24, power_of_two};
use crate::setup::record::{
    AffineCoordinates, Attributes, PerspectiveCoordinates, Primitive, PrimitiveFlags, push,
};
use crate::setup::stepped_rectangle::{Rounding, Steps};
use crate::setup::{PixelRectangle, Setup, TextureScale, level, position, reciprocal};
use crate::state::StateFlags;

/// Corners of perspective planes are scaled below two to this power. Thirteen bits are left for planes that are
/// steep between pixels.
const PERSPECTIVE_BITS: i32 = 50;

/// The bits of corners of perspective planes on hardware. Of 925 pixels beside a border between two weights of the
/// bilinear filter 4 contradict them, next to 78 that contradict exact planes (spec/ge-raster.md §7.6, hw: reflection,
/// rendertarget).
const CORNER_BITS: i32 = 15;

/// What texture coordinates of a corner are divided by: q and clip w, 1 where they have no say.
#[derive(Clone, Copy, Debug)]
struct Divisors {
    q: f64,
    w: f64,
}

impl Setup<'_> {
    /// The divisors of some vertices, w being 1 where it is the same for all.
    fn divisors<const N: usize>(&self, vertices: [&ScreenVertex; N]) -> [Divisors; N] {
        let projected = self.state.flags.contains(StateFlags::PROJECTED) && !self.is_through();
        let same_w = vertices.iter().all(|vertex| vertex.w == vertices[0].w);
        vertices.map(|vertex| Divisors {
            q: if projected { f64::from(vertex.q) } else { 1.0 },
            w: if self.is_through() || same_w {
                1.0
            } else {
                f64::from(vertex.w)
            },
        })
    }

    /// The powers of two that s and t are multiplied with, to give 1/256 texel of the largest level.
    pub(super) fn scales(&self, texture: TextureScale) -> [i32; 2] {
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
    pub(super) fn triangle_coordinates(
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
            let [v0, v1, v2] = vertices.map(|vertex| [f64::from(vertex.s), f64::from(vertex.t)]);
            let q = divisors[0].q;
            let s = affine_corners([v0[0], v1[0], v2[0]], q, scales[0]);
            let t = affine_corners([v0[1], v1[1], v2[1]], q, scales[1]);
            let planes = basis.exact([s, t]);
            self.affine_record(planes, texture, attributes, record);
        } else {
            let planes = basis.perspective();
            let coordinates = perspective(
                divisors,
                scaled_coordinates(vertices, scales),
                |_, corners| basis.approximate(corners),
                |_, corners| planes.plane(corners),
                self.profile,
            );
            self.perspective_record(coordinates, attributes, record);
        }
        self.slope_detail(basis, vertices, attributes, record);
    }

    /// Fills in the texture coordinates and the level of detail of a rectangle, given the distances from the first
    /// vertex to the second and to the first pixel's sample, in columns and rows. What is added to the coordinates
    /// that run across and down, the [steps](Self::rectangle_steps) say.
    pub(super) fn rectangle_coordinates(
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
            let planes = [0, 1].map(|axis| {
                let corners = affine_corners(
                    vertices.map(|vertex| coordinate(vertex, axis)),
                    divisors[0].q,
                    scales[axis],
                );
                match corners {
                    None => ExactPlane::default(),
                    Some([from, to]) if (axis == 0) != turned => {
                        Slope::across(from, to, distance_x).plane(from.corrected(across), sample_x, sample_y)
                    }
                    Some([from, to]) => {
                        Slope::along(from, to, distance_y).plane(from.corrected(down), sample_x, sample_y)
                    }
                }
            });
            self.affine_record(planes, texture, attributes, record);
        } else {
            let coordinates = perspective(
                divisors,
                scaled_coordinates(vertices, scales),
                |axis, [from, to]| {
                    // q runs with s; if turned, that is unverified (spec/ge-raster.md §6.4).
                    let across = (axis != 1) != turned;
                    let (distance_x, distance_y) = if across { (distance_x, 0) } else { (0, distance_y) };
                    planes::approximate_along(from, to, (distance_x, sample_x), (distance_y, sample_y))
                },
                |axis, corners| {
                    let across = (axis != 1) != turned;
                    let (distance_x, distance_y) = if across { (distance_x, 0) } else { (0, distance_y) };
                    planes::perspective_along(corners, (distance_x, sample_x), (distance_y, sample_y))
                },
                self.profile,
            );
            self.perspective_record(coordinates, attributes, record);
        }
        self.flat_slope_detail(vertices[1], record);
    }

    /// The steps in which PPSSPP walks a rectangle's coordinates, across and down; none where it does not, or where a
    /// coordinate is no finite number.
    pub(super) fn rectangle_steps(
        &self,
        rectangle: PixelRectangle,
        [v0, v1]: [&ScreenVertex; 2],
    ) -> Option<[Steps; 2]> {
        let texture = self.texture?;
        if self.profile == Profile::Hardware {
            return None;
        }
        let scales = self.scales(texture);
        let [(x0, y0), (x1, y1)] = [v0, v1].map(position);
        let turned = (x1 > x0) != (y1 > y0);
        let rounding = match self.state.flags.contains(StateFlags::CUT_COORDINATES) {
            true => Rounding::Down,
            false => Rounding::Nearest,
        };
        let steps = |axis: usize, is_across: bool| {
            let (c0, c1, pixels) = match is_across {
                true => (x0, x1, rectangle.left..rectangle.right),
                false => (y0, y1, rectangle.top..rectangle.bottom),
            };
            let [from, to] = [v0, v1].map(|vertex| if axis == 0 { vertex.s } else { vertex.t });
            let corners = [f64::from(from), f64::from(to)];
            let [first, last] = affine_corners(corners, 1.0, scales[axis])?;
            let distance = c1 - c0;
            let sample = 16 * i64::from(pixels.start) + 8;
            let exact = match is_across {
                true => Slope::across(first, last, distance).plane(first, sample - c0, 0),
                false => Slope::along(first, last, distance).plane(first, 0, sample - c0),
            };
            let ends = if c0 <= c1 { (from, to) } else { (to, from) };
            Some(Steps::new(
                pixels,
                ends,
                (distance.abs(), sample - c0.min(c1)),
                scales[axis],
                (exact, is_across),
                rounding,
            ))
        };
        let (across, down) = if turned { (1, 0) } else { (0, 1) };
        Some([steps(across, true)?, steps(down, false)?])
    }

    /// Fills in the texture coordinates of a single pixel: s and t are already divided. `change` is that of s and t
    /// from pixel to pixel.
    pub(super) fn pixel_coordinates(
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
        if self.detail {
            let largest = [texture.largest.log2_width, texture.largest.log2_height];
            let first = [texture.first.log2_width, texture.first.log2_height];
            let texels = [0, 1].map(|axis| {
                let scale = scales[axis] - 8 - i32::from(largest[axis]) + i32::from(first[axis]);
                (change[axis] * power_of_two(scale)).abs()
            });
            record.detail = self.flat_detail(texels, w);
        }
    }

    /// Fills in texture coordinates that are no number (spec/ppsspp-profile.md §7.2): the nearest filter takes texel 0, the
    /// linear one the last where coordinates are clamped, and half of it and half of texel 0 where they are repeated.
    pub(super) fn coordinates_without_number(
        &self,
        flat: &ScreenVertex,
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        let Some(texture) = self.texture else { return };
        let is_linear = self.state.flags.contains(StateFlags::MAGNIFY_LINEAR);
        // The texture's end is its start again, half a texel before the middle of texel 0.
        let sizes = [texture.largest.log2_width, texture.largest.log2_height];
        let planes = sizes.map(|log2_size| match is_linear {
            true => ExactPlane::flat(Texel24::new(1.0, 8 + i32::from(log2_size))),
            false => ExactPlane::default(),
        });
        record.coordinates = push(&mut attributes.affine, AffineCoordinates { planes });
        if self.detail {
            // Nor is the change of coordinates a number, and what is none counts as large.
            record.detail = match self.state.texture.level_mode {
                LevelMode::AUTOMATIC | LevelMode::SLOPE => 0x1000,
                _ => self.flat_detail([0.0; 2], flat.w),
            };
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
        if self.detail && self.state.texture.level_mode == LevelMode::AUTOMATIC {
            // In texels of level 0. The change of s goes to the right, that of t down; the others have no say
            // (spec/ge-raster.md §9.4).
            let scale_s = i32::from(texture.first.log2_width) - i32::from(texture.largest.log2_width);
            let scale_t = i32::from(texture.first.log2_height) - i32::from(texture.largest.log2_height);
            let texels = [
                (planes[0].right() as f64 * power_of_two(scale_s - 72)).abs(),
                (planes[1].down() as f64 * power_of_two(scale_t - 72)).abs(),
            ];
            record.detail = self.flat_detail(texels, 1.0);
        }
    }

    fn perspective_record(
        &self,
        coordinates: PerspectiveCoordinates,
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        record.coordinates = push(&mut attributes.perspective, coordinates);
        record.flags = record
            .flags
            .with(PrimitiveFlags::PERSPECTIVE, true)
            .with(PrimitiveFlags::EXACT_QUOTIENT, self.profile == Profile::Ppsspp);
        if self.detail && self.state.texture.level_mode == LevelMode::AUTOMATIC {
            record.flags = record.flags.with(PrimitiveFlags::DETAIL_PER_QUAD, true);
            record.detail = self.state.texture.level_bias;
        }
    }

    /// The level of detail of a primitive over which it does not change; `texels` are what a pixel steps over.
    fn flat_detail(&self, texels: [f64; 2], w: f32) -> i32 {
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

    fn flat_slope_detail(&self, vertex: &ScreenVertex, record: &mut Primitive) {
        if self.detail && self.state.texture.level_mode != LevelMode::AUTOMATIC {
            record.detail = self.flat_detail([0.0; 2], vertex.w);
        }
    }

    /// The level of detail of a triangle in the modes that do not look at the coordinates.
    fn slope_detail(
        &self,
        basis: &Basis,
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        let same_w = vertices.iter().all(|vertex| vertex.w == vertices[0].w);
        if self.state.texture.level_mode != LevelMode::SLOPE || self.is_through() || same_w {
            return self.flat_slope_detail(vertices[0], record);
        }
        if self.detail {
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

/// s or t of a vertex.
fn coordinate(vertex: &ScreenVertex, axis: usize) -> f64 {
    f64::from(if axis == 0 { vertex.s } else { vertex.t })
}

/// The corners of an affine coordinate; none where the hardware takes coordinate 0 for it: where it is no finite
/// number (spec/ge-raster.md §7.6, hw: vertices/texcoords).
fn affine_corners<const N: usize>(coordinates: [f64; N], q: f64, scale: i32) -> Option<[Texel24; N]> {
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

/// Planes of s/w, t/w and q/w; `coordinates` gives the corners of s or t in 1/256 texel, the others make a plane of
/// corners (axis 2 is the denominator), `fixed` in hardware's profile. A coordinate that is no finite number somewhere
/// is 0 everywhere.
///
/// Hardware's corners are cut to 15 bits below the power of two above the largest one, 1/w being a 24-bit float.
///
/// The other planes' own error is that of 50 bits of the largest corner. For triangles that are no slivers (area at
/// least 1/64 of the longest side's square), w within a factor of ten and coordinates up to 2^20 it is below 2^-8 of
/// 1/256 texel.
#[inline]
fn perspective<const N: usize>(
    divisors: [Divisors; N],
    coordinates: [[f64; N]; 2],
    plane: impl Fn(usize, [f64; N]) -> Plane64,
    fixed: impl Fn(usize, [i64; N]) -> Plane64,
    profile: Profile,
) -> PerspectiveCoordinates {
    let [s, t] = coordinates;
    let mut axes = [s, t, [0.0; N]];
    for (corner, Divisors { q, w }) in divisors.into_iter().enumerate() {
        axes[2][corner] = q;
        let reciprocal = match profile {
            Profile::Hardware => reciprocal::of_w(w as f32),
            Profile::Ppsspp => 0.0,
        };
        for axis in &mut axes {
            match profile {
                Profile::Hardware => axis[corner] *= reciprocal,
                Profile::Ppsspp => axis[corner] /= w,
            }
        }
    }
    let scaled = |axis: usize| {
        let corners = axes[axis];
        let mut largest = 0.0;
        for corner in corners {
            if !corner.is_finite() {
                return (Plane64::default(), 0);
            }
            largest = f64::max(largest, corner.abs());
        }
        let exponent = exponent_above(largest);
        let plane = match profile {
            Profile::Hardware => {
                let scale = power_of_two(CORNER_BITS - exponent);
                // Less than 2^15.
                let mut whole = [0; N];
                for (whole, corner) in whole.iter_mut().zip(corners) {
                    *whole = i64::from((corner * scale) as i32);
                }
                fixed(axis, whole)
            }
            Profile::Ppsspp => {
                let scale = power_of_two(PERSPECTIVE_BITS - exponent);
                plane(axis, corners.map(|corner| corner * scale))
            }
        };
        (plane, exponent)
    };
    let (s, above_s) = scaled(0);
    let (t, above_t) = scaled(1);
    let (denominator, below) = scaled(2);
    PerspectiveCoordinates {
        numerators: [s, t],
        denominator,
        shifts: [above_s - below, above_t - below],
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
