//! What PPSSPP's software renderer does otherwise than the hardware (spec/ppsspp-profile.md). Set-up asks for it through
//! [`Rules`]; nothing else in set-up knows of it.

mod bands;
mod degenerate;
mod perspective;
mod rectangle;
mod rounded;
mod single_depth;
mod sprite;
mod stepped_line;
mod stepped_rectangle;

use crate::draw::ScreenVertex;
use crate::setup::planes::{Along, Basis, Plane32, Plane64};
use crate::setup::{
    Attributes, EdgeBases, Gouraud, PixelRectangle, Primitive, PrimitiveFlags, Rules, Setup, gouraud,
};

/// The rules of PPSSPP's software renderer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PpssppRules;

impl Rules for PpssppRules {
    /// spec/ppsspp-profile.md §4.1.
    const SAMPLE_SHIFT: i64 = 1;
    /// A bit to round by (spec/ppsspp-profile.md §7.1).
    const EXTRA_COORDINATE_BITS: u8 = 1;
    /// Thirteen bits are left for planes that are steep between pixels.
    const CORNER_BITS: i32 = 50;
    const PERSPECTIVE: PrimitiveFlags =
        PrimitiveFlags::PERSPECTIVE.with(PrimitiveFlags::EXACT_QUOTIENT, true);

    /// By the third corner, which has to lie a whole sub unit left of the edge for the edge to be a right one
    /// (spec/ppsspp-profile.md §4.2). So both long edges of a sliver can belong to it.
    fn includes_edge((px, py): (i64, i64), (qx, qy): (i64, i64), (x, y): (i64, i64)) -> bool {
        match qy - py {
            0 => y >= py,
            height => x >= px + (qx - px) * (y - py) / height,
        }
    }

    fn degenerate_triangle(
        setup: &Setup<'_, Self>,
        corners: [(i64, i64); 3],
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
    ) -> Option<(Primitive, EdgeBases)> {
        setup.degenerate_triangle(corners, vertices, attributes)
    }

    fn triangle_parts(
        setup: &Setup<'_, Self>,
        triangle: (Primitive, EdgeBases),
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive, EdgeBases),
    ) {
        setup.single_depth_parts(triangle, vertices, attributes, emit);
    }

    fn depth(basis: &Basis, depths: [u32; 3]) -> Plane32 {
        rounded::depth(basis, depths)
    }

    fn colors(basis: &Basis, vertices: [&ScreenVertex; 3]) -> Gouraud {
        gouraud(vertices, |components| rounded::color(basis, components))
    }

    fn over_w<const N: usize>(mut values: [[f64; N]; 3], w: [f64; N]) -> [[f64; N]; 3] {
        for values in &mut values {
            for (value, w) in values.iter_mut().zip(w) {
                *value /= w;
            }
        }
        values
    }

    fn perspective(basis: &Basis, corners: [[f64; 3]; 3]) -> [Plane64; 3] {
        corners.map(|corners| basis.approximate(corners))
    }

    fn perspective_along(corners: [[f64; 2]; 3], along: [Along; 3]) -> [Plane64; 3] {
        [0, 1, 2].map(|axis: usize| perspective::along(corners[axis], along[axis]))
    }

    fn rectangle_as_triangles(
        setup: &Setup<'_, Self>,
        vertices: [&ScreenVertex; 2],
    ) -> Option<[[ScreenVertex; 3]; 2]> {
        setup.projected_rectangle(vertices)
    }

    fn rectangle_extension(setup: &Setup<'_, Self>, coordinates: (i64, i64), clip: i32, end: i32) -> i32 {
        i32::from(setup.is_extended(coordinates, clip, end))
    }

    fn rectangle_parts(
        setup: &Setup<'_, Self>,
        rectangle: PixelRectangle,
        fog_factor: f32,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive),
    ) {
        setup.stepped_rectangle(rectangle, fog_factor, vertices, attributes, emit);
    }

    fn line(
        setup: &Setup<'_, Self>,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive),
    ) {
        setup.stepped_line(vertices, attributes, emit);
    }
}

#[cfg(test)]
mod tests;
