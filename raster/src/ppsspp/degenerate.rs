//! Triangles whose corners lie on one slanting line. Hardware draws none; PPSSPP draws the samples that lie on the line
//! exactly (spec/ppsspp-profile.md §4.2).

use super::PpssppRules;
use crate::code::LevelMode;
use crate::draw::ScreenVertex;
use crate::setup::planes::{ExactPlane, Texel24};
use crate::setup::record::{AffineCoordinates, EdgeStep, push};
use crate::setup::{
    Attributes, EdgeBases, PixelRectangle, Plane32, Primitive, PrimitiveFlags, Setup, position,
};
use crate::state::StateFlags;

impl Setup<'_, PpssppRules> {
    /// Sets up a degenerate triangle. None if no sample can be inside: PPSSPP drops those whose corners lie in one
    /// column or row, and on a slanting line only an edge between two corners that are one can leave samples out. It
    /// counts as horizontal, and they are inside if it is a top edge, with the third corner below. The line does not end
    /// at the corners: all weights are 0 beyond them too, in the pixels of the bounding box.
    ///
    /// An attribute that varies is 0/0, as the area that means are divided by is 0 too (§4.3). A depth that is NaN
    /// lies in no depth range; coordinates are those of §7.2; fog is full, unless no corner has any.
    pub(super) fn degenerate_triangle(
        &self,
        corners: [(i64, i64); 3],
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
    ) -> Option<(Primitive, EdgeBases)> {
        let unshifted = vertices.map(position);
        let pixels = |axis: fn((i64, i64)) -> i64| {
            let [a, b, c] = unshifted.map(|corner| axis(corner) >> 4);
            (a.min(b).min(c) as i32, a.max(b).max(c) as i32 + 1)
        };
        let ((left, right), (top, bottom)) = (pixels(|corner| corner.0), pixels(|corner| corner.1));
        let rectangle = PixelRectangle {
            left,
            top,
            right,
            bottom,
        };
        let rectangle = rectangle.intersection(self.clip);
        if rectangle.is_empty() {
            return None;
        }
        let [a, b, c] = corners;
        let below = |(_, single_y): (i64, i64), (_, y): (i64, i64)| single_y > y;
        let hidden = [(a, b, c), (b, c, a), (c, a, b)]
            .into_iter()
            .any(|(single, first, second)| first == second && !below(single, first));
        let (px, py) = corners.into_iter().min_by_key(|corner| corner.1)?;
        let (qx, qy) = corners.into_iter().max_by_key(|corner| corner.1)?;
        let (dx, dy) = (qx - px, qy - py);
        if hidden || dx == 0 || dy == 0 {
            return None;
        }
        let [v0, v1, v2] = vertices;
        let mut record = self.flat_record(rectangle, v2);
        if v0.z != v2.z || v1.z != v2.z {
            if !self.is_through() {
                return None;
            }
            record.depth = Plane32::flat(0);
        } else if self.refuses(v2.z) {
            return None;
        }
        let same_colors = |a: &ScreenVertex, b: &ScreenVertex| {
            a.color == b.color && (a.secondary ^ b.secondary) & 0x00FF_FFFF == 0
        };
        if self.gouraud && !(same_colors(v0, v2) && same_colors(v1, v2)) {
            (record.color, record.secondary) = (0, 0);
            record.flags = record.flags.with(PrimitiveFlags::COLOR_WITHOUT_NUMBER, true);
        }
        if self.fog {
            // Not below 1 anywhere is no fog (§4.6).
            let is_clear = vertices.iter().all(|vertex| vertex.fog >= 1.0);
            record.fog = if is_clear { 255 } else { 0 };
        }
        self.nan_coordinates(v2, attributes, &mut record);
        record.flags = record.flags.with(PrimitiveFlags::EDGES, true);
        // Neither on one side of the line nor on the other. Divided by 16, rounding down, as other edges are.
        let value = dx * (8 - py) - dy * (8 - px);
        let (right, down) = (-dy as i32, dx as i32);
        record.edges[0] = EdgeStep { right, down };
        record.edges[1] = EdgeStep {
            right: -right,
            down: -down,
        };
        Some((record, [value >> 4, -value >> 4, 0]))
    }

    /// Fills in texture coordinates that are NaN (spec/ppsspp-profile.md §7.2): the nearest filter takes texel 0, the
    /// linear one the last where coordinates are clamped, and half of it and half of texel 0 where they are repeated.
    fn nan_coordinates(&self, flat: &ScreenVertex, attributes: &mut Attributes, record: &mut Primitive) {
        let Some(texture) = self.texture else { return };
        let is_linear = self.state.flags.contains(StateFlags::MAGNIFY_LINEAR);
        // The texture's end is its start again, half a texel before the middle of texel 0.
        let sizes = [texture.largest.log2_width, texture.largest.log2_height];
        let planes = sizes.map(|log2_size| match is_linear {
            true => ExactPlane::flat(Texel24::new(1.0, 8 + i32::from(log2_size))),
            false => ExactPlane::default(),
        });
        record.coordinates = push(&mut attributes.affine, AffineCoordinates { planes });
        if self.lod {
            // The change of coordinates is NaN too, which counts as large.
            record.detail = match self.state.texture.level_mode {
                LevelMode::AUTOMATIC | LevelMode::SLOPE => 0x1000,
                _ => self.flat_lod([0.0; 2], flat.w),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::draw::{ScreenVertex, Subpixel};
    use crate::ppsspp::PpssppRules;
    use crate::setup::{
        Attributes, HardwareRules, Primitive, PrimitiveFlags, Rules, Setup, TextureScale, whole_frame,
    };
    use crate::state::{LevelSize, StateFlags};

    /// A vertex with a depth and, in all components, a colour.
    fn vertex((x, y): (i32, i32), z: u32, color: u8) -> ScreenVertex {
        ScreenVertex {
            x: Subpixel(x),
            y: Subpixel(y),
            z,
            color: u32::from_le_bytes([color; 4]),
            fog: 1.0,
            w: 1.0,
            ..ScreenVertex::default()
        }
    }

    type Drawn = (Primitive, Vec<(i64, i64)>, Attributes);

    fn drawn<R: Rules>(flags: StateFlags, vertices: [ScreenVertex; 3]) -> Option<Drawn> {
        let state = whole_frame(flags);
        let size = LevelSize {
            log2_width: 6,
            log2_height: 5,
        };
        let texture = flags.contains(StateFlags::TEXTURE).then_some(TextureScale {
            first: size,
            largest: size,
        });
        let mut attributes = Attributes::default();
        let setup = Setup::<R>::new(&state, texture);
        let (record, bases) = setup.triangle(vertices.each_ref(), &mut attributes)?;
        let columns = i64::from(record.left)..i64::from(record.right);
        let rows = i64::from(record.top)..i64::from(record.bottom);
        let pixels = rows
            .flat_map(|y| columns.clone().map(move |x| (x, y)))
            .filter(|&(x, y)| {
                record
                    .edges
                    .iter()
                    .zip(bases)
                    .all(|(step, base)| base + i64::from(step.right) * x + i64::from(step.down) * y >= 0)
            })
            .collect();
        Some((record, pixels, attributes))
    }

    fn covered<R: Rules>(corners: [(i32, i32); 3]) -> Vec<(i64, i64)> {
        let vertices = corners.map(|corner| vertex(corner, 7, 1));
        drawn::<R>(StateFlags::GOURAUD, vertices).map_or_else(Vec::new, |(_, pixels, _)| pixels)
    }

    #[test]
    fn samples_on_the_line_are_covered() {
        // The corner of a strip of capture 13462: its one sample is the end at 7/16.
        let strip = [(3799, 2135), (3793, 2086), (3793, 2086)];
        assert_eq!(covered::<PpssppRules>(strip), [(237, 133)]);
        assert_eq!(covered::<HardwareRules>(strip), []);
        let diagonal = [(0, 1), (1, 2), (2, 3), (3, 4)];
        assert_eq!(covered::<PpssppRules>([(55, 71), (7, 23), (7, 23)]), diagonal);
        // Three corners that are not one.
        assert_eq!(covered::<PpssppRules>([(7, 23), (39, 55), (55, 71)]), diagonal);
    }

    #[test]
    fn the_line_goes_on_in_the_pixels_of_the_corners() {
        // Capture 9545 at (356, 125): the sample is (5703, 2007).
        let skin = [(5702, 2005), (5701, 2003), (5701, 2003)];
        assert_eq!(covered::<PpssppRules>(skin), [(356, 125)]);
    }

    #[test]
    fn upside_down_or_upright_nothing_is() {
        let none = |corners| assert_eq!(covered::<PpssppRules>(corners), []);
        none([(3799, 2135), (3799, 2135), (3793, 2086)]);
        none([(7, 55), (7, 7), (7, 7)]);
        none([(55, 7), (7, 7), (7, 7)]);
        none([(7, 7), (7, 7), (7, 7)]);
    }

    #[test]
    fn what_varies_is_nan() {
        let corners = [(55, 71), (7, 23), (7, 23)];
        let with = |depths: [u32; 3], colors: [u8; 3], flags| {
            let vertices = [0, 1, 2].map(|index| vertex(corners[index], depths[index], colors[index]));
            drawn::<PpssppRules>(flags, vertices)
        };
        let textured = StateFlags::GOURAUD.with(StateFlags::TEXTURE, true);
        assert!(with([7, 7, 8], [1; 3], textured).is_none());
        let (record, pixels, _) = with([7; 3], [1, 1, 2], textured).expect("a record");
        assert_eq!((pixels.len(), record.color, record.depth.base), (4, 0, 7 << 14));
        assert!(record.flags.contains(PrimitiveFlags::COLOR_WITHOUT_NUMBER));
        // Flat shading takes the last corner's.
        let flat = StateFlags::TEXTURE.with(StateFlags::MAGNIFY_LINEAR, true);
        let (record, _, attributes) = with([7; 3], [1, 1, 2], flat).expect("a record");
        assert_eq!(record.color, 0x0202_0202);
        assert!(!record.flags.contains(PrimitiveFlags::COLOR_WITHOUT_NUMBER));
        let planes = attributes.affine[record.coordinates as usize].planes;
        assert_eq!(planes.map(|plane| plane.at(1, 2) >> 64), [64 << 8, 32 << 8]);
    }

    #[test]
    fn fog_is_full_or_none() {
        let fog = |factors: [f32; 3]| {
            let corners = [(55, 71), (7, 23), (7, 23)];
            let vertices = [0, 1, 2].map(|index| ScreenVertex {
                fog: factors[index],
                ..vertex(corners[index], 7, 1)
            });
            let (record, ..) = drawn::<PpssppRules>(StateFlags::FOG, vertices).expect("a record");
            record.fog
        };
        assert_eq!(
            (fog([1.5, 1.0, 1.2]), fog([1.5, 0.9, 0.8]), fog([0.5; 3])),
            (255, 0, 0)
        );
    }
}
