//! Whose arithmetic set-up follows.

use std::fmt::Debug;

use super::planes::{self, Along, Basis, Plane32, Plane64};
use super::record::{Attributes, EdgeBases, Gouraud, Primitive, PrimitiveFlags};
use super::triangle::gouraud;
use super::{PixelRectangle, Setup, reciprocal};
use crate::draw::ScreenVertex;

/// The places at which the profiles differ in set-up. A draw chooses its rules once; all of set-up is compiled for them.
pub(crate) trait Rules: Copy + Debug {
    /// How far the sample of a pixel lies left of and above its centre, in sub units.
    const SAMPLE_SHIFT: i64;
    /// Fraction bits of texture coordinates beyond those of 1/256 texel.
    const EXTRA_COORDINATE_BITS: u8;
    /// Corners of planes of coordinates in perspective are scaled below two to this power.
    const CORNER_BITS: i32;
    /// Flags of all records with coordinates in perspective.
    const PERSPECTIVE: PrimitiveFlags;

    /// Whether the samples on the edge between two corners of a triangle, clockwise on the screen, belong to it.
    fn includes_edge(from: (i64, i64), to: (i64, i64), third: (i64, i64)) -> bool;

    /// A triangle whose corners lie on one line.
    fn degenerate_triangle(
        setup: &Setup<'_, Self>,
        corners: [(i64, i64); 3],
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
    ) -> Option<(Primitive, EdgeBases)>;

    /// Hands on the records of a triangle, given the one of all its pixels.
    fn triangle_parts(
        setup: &Setup<'_, Self>,
        triangle: (Primitive, EdgeBases),
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive, EdgeBases),
    );

    /// The plane of depths, in the format of [`Primitive::depth`].
    fn depth(basis: &Basis, depths: [u32; 3]) -> Plane32;

    /// The planes of both colours.
    fn colors(basis: &Basis, vertices: [&ScreenVertex; 3]) -> Gouraud;

    /// Values of corners, such as s, t and q, divided by w.
    fn over_w<const N: usize>(values: [[f64; N]; 3], w: [f64; N]) -> [[f64; N]; 3];

    /// Planes of coordinates in perspective over a triangle. Corners have [`Self::CORNER_BITS`] bits.
    fn perspective(basis: &Basis, corners: [[f64; 3]; 3]) -> [Plane64; 3];

    /// The same over rectangles, each plane along an axis.
    fn perspective_along(corners: [[f64; 2]; 3], along: [Along; 3]) -> [Plane64; 3];

    /// The triangles that are drawn in place of a rectangle, where they are.
    fn rectangle_as_triangles(
        setup: &Setup<'_, Self>,
        vertices: [&ScreenVertex; 2],
    ) -> Option<[[ScreenVertex; 3]; 2]>;

    /// How many more pixels a rectangle covers between two coordinates, of the pixels from `clip` on to before `end`.
    fn rectangle_extension(setup: &Setup<'_, Self>, coordinates: (i64, i64), clip: i32, end: i32) -> i32;

    /// Hands on the records of a rectangle's pixels inside the scissor, with a fog factor.
    fn rectangle_parts(
        setup: &Setup<'_, Self>,
        rectangle: PixelRectangle,
        fog_factor: f32,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive),
    );

    /// Hands on the records of a line.
    fn line(
        setup: &Setup<'_, Self>,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive),
    );
}

/// The rules of the hardware (spec/ge-raster.md).
#[derive(Clone, Copy, Debug)]
pub(crate) struct HardwareRules;

impl Rules for HardwareRules {
    const SAMPLE_SHIFT: i64 = 0;
    const EXTRA_COORDINATE_BITS: u8 = 0;
    /// Of 925 pixels beside a border between two weights of the bilinear filter 4 contradict corners of 15 bits, next to
    /// 78 that contradict exact planes (spec/ge-raster.md §7.6, hw: reflection, rendertarget).
    const CORNER_BITS: i32 = 15;
    const PERSPECTIVE: PrimitiveFlags = PrimitiveFlags::PERSPECTIVE;

    /// Left and top edges are (spec/ge-raster.md §3.3).
    #[inline]
    fn includes_edge((px, py): (i64, i64), (qx, qy): (i64, i64), _: (i64, i64)) -> bool {
        let (dx, dy) = (qx - px, qy - py);
        dy < 0 || (dy == 0 && dx > 0)
    }

    #[inline]
    fn degenerate_triangle(
        _: &Setup<'_, Self>,
        _: [(i64, i64); 3],
        _: [&ScreenVertex; 3],
        _: &mut Attributes,
    ) -> Option<(Primitive, EdgeBases)> {
        None
    }

    #[inline]
    fn triangle_parts(
        _: &Setup<'_, Self>,
        (record, bases): (Primitive, EdgeBases),
        _: [&ScreenVertex; 3],
        _: &mut Attributes,
        mut emit: impl FnMut(Primitive, EdgeBases),
    ) {
        emit(record, bases);
    }

    #[inline]
    fn depth(basis: &Basis, depths: [u32; 3]) -> Plane32 {
        basis.depth(depths)
    }

    #[inline]
    fn colors(basis: &Basis, vertices: [&ScreenVertex; 3]) -> Gouraud {
        let planes = basis.colors();
        gouraud(vertices, |components| planes.component(components))
    }

    /// 1/w is a 24-bit float.
    #[inline]
    fn over_w<const N: usize>(mut values: [[f64; N]; 3], w: [f64; N]) -> [[f64; N]; 3] {
        for (corner, w) in w.into_iter().enumerate() {
            let reciprocal = reciprocal::of_w(w as f32);
            for values in &mut values {
                values[corner] *= reciprocal;
            }
        }
        values
    }

    #[inline]
    fn perspective(basis: &Basis, corners: [[f64; 3]; 3]) -> [Plane64; 3] {
        let planes = basis.perspective();
        let [s, t, q] = corners;
        [planes.plane(cut(s)), planes.plane(cut(t)), planes.plane(cut(q))]
    }

    fn perspective_along([s, t, q]: [[f64; 2]; 3], along: [Along; 3]) -> [Plane64; 3] {
        [
            planes::perspective_along(cut(s), along[0]),
            planes::perspective_along(cut(t), along[1]),
            planes::perspective_along(cut(q), along[2]),
        ]
    }

    #[inline]
    fn rectangle_as_triangles(_: &Setup<'_, Self>, _: [&ScreenVertex; 2]) -> Option<[[ScreenVertex; 3]; 2]> {
        None
    }

    #[inline]
    fn rectangle_extension(_: &Setup<'_, Self>, _: (i64, i64), _: i32, _: i32) -> i32 {
        0
    }

    #[inline]
    fn rectangle_parts(
        setup: &Setup<'_, Self>,
        rectangle: PixelRectangle,
        fog_factor: f32,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        mut emit: impl FnMut(Primitive),
    ) {
        emit(setup.rectangle_part(rectangle, fog_factor, vertices, [0; 2], attributes));
    }

    fn line(
        setup: &Setup<'_, Self>,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive),
    ) {
        setup.interpolated_line(vertices, attributes, emit);
    }
}

/// Corners truncated to integers; they are below 2^15.
#[inline]
fn cut<const N: usize>(corners: [f64; N]) -> [i64; N] {
    let mut whole = [0; N];
    for (whole, corner) in whole.iter_mut().zip(corners) {
        *whole = i64::from(corner as i32);
    }
    whole
}
