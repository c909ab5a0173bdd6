//! Triangles whose corners lie on one slanting line. Hardware draws none; PPSSPP draws the samples that lie on the line
//! exactly (spec/ppsspp-profile.md §4.2).

use super::record::{EdgeBases, EdgeStep, Primitive, PrimitiveFlags};
use super::{PixelRectangle, Setup};
use crate::draw::ScreenVertex;
use crate::state::StateFlags;

impl Setup<'_> {
    /// Sets up a triangle of which two corners are one, as strips have them where they go on elsewhere. None if no
    /// sample can be inside, and where an attribute varies: it would be divided by the area, which is 0, and
    /// what comes of that is not defined.
    ///
    /// The edge between the two corners that are one counts as horizontal: the sample is inside if that
    /// is a top edge, with the third corner below.
    pub(super) fn collapsed_triangle(
        &self,
        corners: [(i64, i64); 3],
        vertices: [&ScreenVertex; 3],
        rectangle: PixelRectangle,
    ) -> Option<(Primitive, EdgeBases)> {
        if self.state.flags.contains(StateFlags::TEXTURE) || !self.is_flat(vertices) {
            return None;
        }
        let [a, b, c] = corners;
        let ((px, py), (qx, qy)) = [(a, b, c), (b, c, a), (c, a, b)]
            .into_iter()
            .find_map(|(single, first, second)| (first == second).then_some((first, single)))?;
        let (dx, dy) = (qx - px, qy - py);
        if dx == 0 || dy <= 0 {
            return None;
        }
        let mut record = self.flat_record(rectangle, vertices[2]);
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

    /// Whether colours, depth and fog are those of any vertex.
    fn is_flat(&self, [v0, v1, v2]: [&ScreenVertex; 3]) -> bool {
        [v0, v1].into_iter().all(|vertex| {
            let same_colors =
                vertex.color == v2.color && (vertex.secondary ^ v2.secondary) & 0x00FF_FFFF == 0;
            vertex.z == v2.z && (same_colors || !self.gouraud) && (vertex.fog == v2.fog || !self.fog)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::draw::{ScreenVertex, Subpixel};
    use crate::profile::Profile;
    use crate::setup::{Attributes, Setup};
    use crate::state::{PixelState, Scissor, StateFlags};

    fn covered(profile: Profile, flags: StateFlags, corners: [(i32, i32, u32); 3]) -> Vec<(i64, i64)> {
        let state = PixelState {
            flags,
            scissor: Scissor {
                right: 1023,
                bottom: 1023,
                ..Scissor::default()
            },
            depth_maximum: 0xFFFF,
            ..PixelState::default()
        };
        let vertices = corners.map(|(x, y, color)| ScreenVertex {
            x: Subpixel(x),
            y: Subpixel(y),
            color,
            w: 1.0,
            ..ScreenVertex::default()
        });
        let setup = Setup::new(profile, &state, None);
        let Some((record, bases)) = setup.triangle(vertices.each_ref(), &mut Attributes::default()) else {
            return Vec::new();
        };
        let columns = i64::from(record.left)..i64::from(record.right);
        let rows = i64::from(record.top)..i64::from(record.bottom);
        rows.flat_map(|y| columns.clone().map(move |x| (x, y)))
            .filter(|&(x, y)| {
                record
                    .edges
                    .iter()
                    .zip(bases)
                    .all(|(step, base)| base + i64::from(step.right) * x + i64::from(step.down) * y >= 0)
            })
            .collect()
    }

    #[test]
    fn samples_on_the_line_are_covered() {
        let flags = StateFlags::GOURAUD;
        // The corner of a strip of capture 13462: its one sample is the end at 7/16.
        let strip = [(3799, 2135, 1), (3793, 2086, 1), (3793, 2086, 1)];
        assert_eq!(covered(Profile::Ppsspp, flags, strip), [(237, 133)]);
        assert_eq!(covered(Profile::Hardware, flags, strip), []);
        let long = [(55, 71, 1), (7, 23, 1), (7, 23, 1)];
        let diagonal = [(0, 1), (1, 2), (2, 3), (3, 4)];
        assert_eq!(covered(Profile::Ppsspp, flags, long), diagonal);
    }

    #[test]
    fn upside_down_upright_or_shaded_nothing_is() {
        let flags = StateFlags::GOURAUD;
        let none = |flags, corners| assert_eq!(covered(Profile::Ppsspp, flags, corners), []);
        none(flags, [(3799, 2135, 1), (3799, 2135, 1), (3793, 2086, 1)]);
        none(flags, [(7, 55, 1), (7, 7, 1), (7, 7, 1)]);
        none(flags, [(55, 7, 1), (7, 7, 1), (7, 7, 1)]);
        none(flags, [(55, 71, 1), (7, 23, 1), (7, 23, 2)]);
        none(
            flags.with(StateFlags::TEXTURE, true),
            [(55, 71, 1), (7, 23, 1), (7, 23, 1)],
        );
        assert_eq!(
            covered(
                Profile::Ppsspp,
                StateFlags::empty(),
                [(55, 71, 1), (7, 23, 1), (7, 23, 2)]
            )
            .len(),
            4
        );
    }
}
