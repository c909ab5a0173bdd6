//! Triangles (spec/ge-raster.md §3, §7).

use super::planes::{Basis, Plane32, power_of_two};
use super::record::{Attributes, EdgeBases, EdgeStep, Gouraud, Primitive, PrimitiveFlags, push};
use super::{PixelRectangle, Rules, Setup, after_last_sample_to, first_sample_from, fog, position};
use crate::draw::ScreenVertex;

impl<R: Rules> Setup<'_, R> {
    /// Sets up a triangle: no record if it covers nothing, or several.
    #[inline]
    pub(crate) fn triangle_parts(
        &self,
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive, EdgeBases),
    ) {
        if let Some(triangle) = self.triangle(vertices, attributes) {
            R::triangle_parts(self, triangle, vertices, attributes, emit);
        }
    }

    /// The record of all of a triangle's pixels. None if it covers no pixel of the scissor's rectangle.
    pub(crate) fn triangle(
        &self,
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
    ) -> Option<(Primitive, EdgeBases)> {
        let corners = vertices.map(position);
        // Quads begin at the bounding box of the pixels, not of the samples (spec/ge-raster.md §3.5: hardware's
        // alignment is unverified).
        let first = |values: [i64; 3]| (values[0].min(values[1]).min(values[2]) >> 4) as i32;
        let quad_left = first(corners.map(|corner| corner.0)).max(self.clip.left);
        let quad_top = first(corners.map(|corner| corner.1)).max(self.clip.top);
        // The same as sampling to the left of the centre and above it.
        let corners = corners.map(|(x, y)| (x + R::SAMPLE_SHIFT, y + R::SAMPLE_SHIFT));
        let [(x0, y0), (x1, y1), (x2, y2)] = corners;
        let area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
        if area == 0 {
            return R::degenerate_triangle(self, corners, vertices, attributes);
        }
        let rectangle = PixelRectangle {
            left: first_sample_from(x0.min(x1).min(x2)),
            top: first_sample_from(y0.min(y1).min(y2)),
            right: after_last_sample_to(x0.max(x1).max(x2)),
            bottom: after_last_sample_to(y0.max(y1).max(y2)),
        };
        let rectangle = rectangle.intersection(self.clip);
        if rectangle.is_empty() {
            return None;
        }
        let [v0, v1, v2] = vertices;
        if v0.z == v2.z && v1.z == v2.z && self.refuses(v2.z) {
            return None;
        }

        let mut record = self.flat_record(rectangle, v2);
        record.flags = record
            .flags
            .with(PrimitiveFlags::EDGES, true)
            .with(PrimitiveFlags::ODD_QUAD_COLUMN, quad_left & 1 == 1)
            .with(PrimitiveFlags::ODD_QUAD_ROW, quad_top & 1 == 1);

        // Winding matters for the edges alone: everything else keeps the order of submission.
        let clockwise = if area > 0 {
            [(x0, y0), (x1, y1), (x2, y2)]
        } else {
            [(x0, y0), (x2, y2), (x1, y1)]
        };
        let mut bases = EdgeBases::default();
        for (index, base) in bases.iter_mut().enumerate() {
            let [from, to, third] = [index, index + 1, index + 2].map(|corner| clockwise[corner % 3]);
            (record.edges[index], *base) = edge(from, to, R::includes_edge(from, to, third));
        }

        let basis = Basis {
            x1: x1 - x0,
            y1: y1 - y0,
            x2: x2 - x0,
            y2: y2 - y0,
            area,
            sample_x: 16 * i64::from(rectangle.left) + 8 - x0,
            sample_y: 16 * i64::from(rectangle.top) + 8 - y0,
        };
        if v0.z != v2.z || v1.z != v2.z {
            let depths = vertices.map(|vertex| vertex.z.min(0xFFFF));
            record.depth = R::depth(&basis, depths);
        }
        let same_colors = |a: &ScreenVertex, b: &ScreenVertex| {
            a.color == b.color && (a.secondary ^ b.secondary) & 0x00FF_FFFF == 0
        };
        if self.gouraud && !(same_colors(v0, v2) && same_colors(v1, v2)) {
            record.gouraud = push(&mut attributes.gouraud, R::colors(&basis, vertices));
        }
        if self.fog && (v0.fog != v2.fog || v1.fog != v2.fog) {
            let scaled = vertices.map(|vertex| fog::scaled(vertex.fog) * power_of_two(32));
            record.flags = record.flags.with(PrimitiveFlags::FOG_PLANE, true);
            record.fog = push(&mut attributes.planes, basis.approximate(scaled));
        }
        self.triangle_coordinates(&basis, vertices, attributes, &mut record);
        Some((record, bases))
    }
}

/// The planes of both colours, each made of a component of the three corners.
#[inline]
pub(crate) fn gouraud(vertices: [&ScreenVertex; 3], plane: impl Fn([u8; 3]) -> Plane32) -> Gouraud {
    let [v0, v1, v2] = vertices;
    let colors = [v0.color, v1.color, v2.color].map(u32::to_le_bytes);
    let secondary = [v0.secondary, v1.secondary, v2.secondary].map(u32::to_le_bytes);
    let at = |[c0, c1, c2]: [[u8; 4]; 3], index: usize| plane([c0[index], c1[index], c2[index]]);
    let mut planes = Gouraud::default();
    for (index, plane) in planes.primary.iter_mut().enumerate() {
        *plane = at(colors, index);
    }
    if (v0.secondary | v1.secondary | v2.secondary) & 0x00FF_FFFF == 0 {
        planes.secondary = [plane([0; 3]); 3];
    } else {
        for (index, plane) in planes.secondary.iter_mut().enumerate() {
            *plane = at(secondary, index);
        }
    }
    planes
}

/// The edge from P to Q of a triangle that is clockwise on the screen: its changes per pixel and its value at
/// pixel (0, 0). Not negative is inside.
///
/// A sample on the edge has the value 0; where the edge is not included, one is taken off. Then all values are divided by
/// 16, rounding down: steps per pixel are multiples of 16, so that no sign changes and tiles of 64 pixels fit 32 bits for
/// any vertex (spec/ge-raster.md §17.2).
fn edge((px, py): (i64, i64), (qx, qy): (i64, i64), is_included: bool) -> (EdgeStep, i64) {
    let (dx, dy) = (qx - px, qy - py);
    let value = dx * (8 - py) - dy * (8 - px) - i64::from(!is_included);
    (
        EdgeStep {
            right: -dy as i32,
            down: dx as i32,
        },
        value >> 4,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Subpixel;
    use crate::setup::HardwareRules;
    use crate::state::{PixelState, Scissor};
    use proptest::prelude::*;

    fn vertex(x: i32, y: i32) -> ScreenVertex {
        ScreenVertex {
            x: Subpixel(x),
            y: Subpixel(y),
            w: 1.0,
            q: 1.0,
            ..ScreenVertex::default()
        }
    }

    fn wide_open() -> PixelState {
        PixelState {
            scissor: Scissor {
                left: 0,
                top: 0,
                right: 1023,
                bottom: 1023,
            },
            depth_maximum: 0xFFFF,
            ..PixelState::default()
        }
    }

    fn covered(corners: [(i32, i32); 3]) -> Vec<(i32, i32)> {
        let state = wide_open();
        let vertices = corners.map(|(x, y)| vertex(x, y));
        let setup = Setup::<HardwareRules>::new(&state, None);
        let Some((record, bases)) = setup.triangle(vertices.each_ref(), &mut Attributes::default()) else {
            return Vec::new();
        };
        let mut pixels = Vec::new();
        for y in record.top..record.bottom {
            for x in record.left..record.right {
                let inside = record.edges.iter().zip(bases).all(|(step, base)| {
                    base + i64::from(step.right) * i64::from(x) + i64::from(step.down) * i64::from(y) >= 0
                });
                if inside {
                    pixels.push((i32::from(x), i32::from(y)));
                }
            }
        }
        pixels
    }

    #[test]
    fn covers_what_hardware_covers() {
        // spec/ge-raster.md §3.7.
        let pixels = covered([(960, 800), (960, 160), (1600, 800)]);
        let expected: Vec<_> = (11..=49)
            .flat_map(|y| (60..=60 + y - 11).map(move |x| (x, y)))
            .collect();
        assert_eq!(pixels, expected);
        assert_eq!(covered([(4466, 1679), (3711, 3299), (2716, 2047)]).len(), 4995);
    }

    #[test]
    fn lines_and_points_cover_nothing() {
        assert!(covered([(0, 0), (160, 160), (320, 320)]).is_empty());
        assert!(covered([(8, 8), (8, 8), (8, 8)]).is_empty());
        assert!(covered([(1, 1), (7, 1), (1, 7)]).is_empty());
    }

    proptest! {
        #[test]
        fn a_diagonal_is_drawn_once(
            a in (0i32..600, 0i32..600), b in (0i32..600, 0i32..600),
            c in (0i32..600, 0i32..600), d in (0i32..600, 0i32..600),
        ) {
            // Two triangles on both sides of the edge from a to b share no pixel.
            let side = |p: (i32, i32)| (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
            let opposite = |p: (i32, i32)| (a.0 + b.0 - p.0, a.1 + b.1 - p.1);
            let c = if side(c) > 0 { c } else { opposite(c) };
            let d = if side(d) < 0 { d } else { opposite(d) };
            prop_assume!(side(c) > 0 && side(d) < 0);
            let (first, second) = (covered([a, b, c]), covered([b, d, a]));
            prop_assert!(first.iter().all(|pixel| !second.contains(pixel)));
        }

        #[test]
        fn order_of_corners_does_not_matter(
            a in (-900i32..900, -900i32..900), b in (0i32..900, 0i32..900), c in (0i32..900, 0i32..900),
        ) {
            let pixels = covered([a, b, c]);
            prop_assert_eq!(&covered([b, c, a]), &pixels);
            prop_assert_eq!(&covered([c, b, a]), &pixels);
        }

        #[test]
        fn any_vertex_is_survived(
            corners in prop::array::uniform3((any::<i32>(), any::<i32>())),
            z in prop::array::uniform3(any::<u32>()),
        ) {
            let state = PixelState { flags: crate::StateFlags::GOURAUD, ..wide_open() };
            let mut vertices = corners.map(|(x, y)| vertex(x, y));
            for (vertex, z) in vertices.iter_mut().zip(z) {
                (vertex.z, vertex.color) = (z, z);
            }
            Setup::<HardwareRules>::new(&state, None).triangle(vertices.each_ref(), &mut Attributes::default());
        }
    }
}
