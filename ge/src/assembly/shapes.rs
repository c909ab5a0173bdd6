//! Triangles that PPSSPP draws as rectangles (`spec/ppsspp-profile.md §6`). It shows: rectangles are sampled
//! elsewhere than triangles, and have no perspective.

use raster::{CompareFunction, PixelState, ScreenVertex, StateFlags};
use vertex::CoordinateMode;

use super::Culling;
use crate::vertex_stage::{Placement, StagedVertices};

/// The largest difference of w that counts as none, when a texture is mapped (§6.1).
const SAME_W: f32 = 1.0 / 1024.0;

/// The largest difference of fog factors that counts as none (§6.1).
const SAME_FOG: f32 = 1.0 / 510.0;

/// What vertices must have in common to be corners of a rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shapes {
    mode: CoordinateMode,
    textured: bool,
    fogged: bool,
    /// Whether depth can be seen.
    depth: bool,
    turned_around: bool,
}

/// The two corners that a rectangle is drawn from.
pub(super) type Pair = [u32; 2];

impl Shapes {
    /// For a state, with the culling of a draw.
    pub(crate) fn of(state: &PixelState, culling: Culling) -> Self {
        let on = |flag| state.flags.contains(flag);
        let clear = on(StateFlags::CLEAR);
        let tested = on(StateFlags::DEPTH_WRITE) || state.depth_function != CompareFunction::ALWAYS;
        Self {
            mode: if on(StateFlags::THROUGH) {
                CoordinateMode::Through
            } else {
                CoordinateMode::Transform
            },
            textured: on(StateFlags::TEXTURE),
            fogged: on(StateFlags::FOG),
            depth: if clear {
                on(StateFlags::CLEAR_DEPTH)
            } else {
                on(StateFlags::DEPTH_TEST) && tested
            },
            turned_around: culling == Culling::Off,
        }
    }

    /// Whether vertices differ in nothing but place and texture coordinates. What is no number differs from
    /// nothing.
    fn are_flat(&self, ids: &[u32], staged: &StagedVertices) -> bool {
        let Some((&first, others)) = ids.split_first() else {
            return false;
        };
        let a = &staged.screen[first as usize];
        let transform = self.mode == CoordinateMode::Transform;
        let same = others.iter().all(|&id| {
            let b = &staged.screen[id as usize];
            let same_place = a.color == b.color && (!self.depth || a.z == b.z);
            let differs = a.secondary != b.secondary
                || self.textured && ((a.w - b.w).abs() > SAME_W || a.q != b.q)
                || self.fogged && (a.fog - b.fog).abs() > SAME_FOG;
            same_place && !(transform && differs)
        });
        let on_screen = |id: &u32| {
            let placement = staged.clip[*id as usize].placement;
            [Placement::OUTSIDE, Placement::NEGATIVE_W, Placement::BEHIND]
                .iter()
                .all(|&place| !placement.has(place))
        };
        same && (!transform || ids.iter().all(on_screen))
    }

    /// Whether two vertices lie in one column, and their texture coordinates too.
    fn share_column(&self, a: &ScreenVertex, b: &ScreenVertex) -> bool {
        a.x == b.x && (!self.textured || a.s == b.s)
    }

    /// Whether two vertices lie in one row, and their texture coordinates too.
    fn share_row(&self, a: &ScreenVertex, b: &ScreenVertex) -> bool {
        a.y == b.y && (!self.textured || a.t == b.t)
    }

    /// The rectangle of four vertices of a strip.
    pub(super) fn of_strip(&self, ids: &[u32], staged: &StagedVertices) -> Option<Pair> {
        if !self.turned_around || ids.len() != 4 || !self.are_flat(ids, staged) {
            return None;
        }
        let corner = |index: usize| &staged.screen[ids[index] as usize];
        let [a, b, c, d] = [0, 1, 2, 3].map(corner);
        let by_columns = self.share_column(a, b)
            && self.share_column(c, d)
            && self.share_row(a, c)
            && self.share_row(b, d);
        let by_rows = self.share_column(a, c)
            && self.share_column(b, d)
            && self.share_row(a, b)
            && self.share_row(c, d);
        (by_columns || by_rows).then(|| corners(ids, staged))
    }

    /// The rectangle of a fan's four vertices.
    pub(super) fn of_fan(&self, ids: &[u32], staged: &StagedVertices) -> Option<Pair> {
        if !self.turned_around || ids.len() != 4 || !self.are_flat(ids, staged) {
            return None;
        }
        let pair = corners(ids, staged);
        let [first, last] = pair.map(|id| &staged.screen[id as usize]);
        if !self.grows(first, last) {
            return None;
        }
        // Around the hub and back: each side is a column or a row, and opposite corners are two of four.
        let corner = |index: usize| &staged.screen[ids[index % 4] as usize];
        let side = |index: usize| [corner(index), corner(index + 1)];
        let is = |index: usize, column: bool| {
            let [a, b] = side(index);
            if column {
                self.share_column(a, b)
            } else {
                self.share_row(a, b)
            }
        };
        let around = |column: bool| (0..4).all(|index| is(index, column == (index % 2 == 0)));
        (around(true) || around(false)).then_some(pair)
    }

    /// The rectangle of six vertices of triangles.
    pub(super) fn of_triangles(&self, ids: &[u32], staged: &StagedVertices) -> Option<Pair> {
        if self.mode == CoordinateMode::Transform || !self.turned_around || ids.len() != 6 {
            return None;
        }
        if !self.are_flat(ids, staged) {
            return None;
        }
        let corner = |index: usize| &staged.screen[ids[index] as usize];
        let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(corner);
        let same = |a: &ScreenVertex, b: &ScreenVertex| self.share_column(a, b) && self.share_row(a, b);
        let fits = same(a, d)
            && same(c, e)
            && self.share_row(a, b)
            && self.share_column(b, c)
            && self.share_row(c, f)
            && self.share_column(f, a)
            && self.grows(a, c);
        fits.then_some([ids[0], ids[2]])
    }

    /// Whether the second vertex lies right of and below the first, and its coordinates too.
    fn grows(&self, a: &ScreenVertex, b: &ScreenVertex) -> bool {
        b.x > a.x && b.y > a.y && (!self.textured || (b.s > a.s && b.t > a.t))
    }

    /// Whether the second rectangle goes on where the first ends, pixel for texel.
    pub(super) fn continues(&self, [a, b]: Pair, [c, d]: Pair, staged: &StagedVertices) -> bool {
        if self.mode == CoordinateMode::Transform {
            return false;
        }
        let [a, b, c, d] = [a, b, c, d].map(|id| &staged.screen[id as usize]);
        let flat = b.color == d.color && b.z == d.z;
        let beside = a.y == c.y && b.y == d.y && b.x == c.x && a.x < b.x && c.x < d.x;
        let one_to_one = |from: &ScreenVertex, to: &ScreenVertex| {
            (16.0 * (to.s - from.s)) as i32 == to.x.0.saturating_sub(from.x.0)
        };
        let textured =
            !self.textured || a.t == c.t && b.t == d.t && b.s == c.s && one_to_one(a, b) && one_to_one(c, d);
        flat && beside && textured
    }
}

/// The vertices that lie farthest to the top left and to the bottom right.
fn corners(ids: &[u32], staged: &StagedVertices) -> Pair {
    let place = |id: u32| {
        let vertex = &staged.screen[id as usize];
        (vertex.x, vertex.y)
    };
    let (mut first, mut last) = (ids[0], ids[0]);
    for &id in &ids[1..] {
        let (x, y) = place(id);
        let ((left, top), (right, bottom)) = (place(first), place(last));
        if x <= left && y <= top {
            first = id;
        }
        if x >= right && y >= bottom {
            last = id;
        }
    }
    [first, last]
}

#[cfg(test)]
mod tests {
    use raster::Subpixel;

    use super::*;
    use crate::vertex_stage::ClipVertex;

    const THROUGH: Shapes = Shapes {
        mode: CoordinateMode::Through,
        textured: true,
        fogged: false,
        depth: true,
        turned_around: true,
    };

    /// Vertices at pixels, their texture coordinates the same numbers.
    fn vertices(places: &[(i32, i32)]) -> StagedVertices {
        let mut staged = StagedVertices::default();
        for &(x, y) in places {
            let vertex = ScreenVertex {
                x: Subpixel(16 * x),
                y: Subpixel(16 * y),
                s: x as f32,
                t: y as f32,
                ..ScreenVertex::default()
            };
            staged.push(vertex, ClipVertex::default());
        }
        staged
    }

    #[test]
    fn strips_are_rectangles_by_columns_or_rows() {
        let ids = [0, 1, 2, 3];
        let columns = vertices(&[(1, 1), (1, 5), (9, 1), (9, 5)]);
        assert_eq!(THROUGH.of_strip(&ids, &columns), Some([0, 3]));
        let rows = vertices(&[(9, 5), (1, 5), (9, 1), (1, 1)]);
        assert_eq!(THROUGH.of_strip(&ids, &rows), Some([3, 0]));
        let skewed = vertices(&[(1, 1), (2, 5), (9, 1), (9, 5)]);
        assert_eq!(THROUGH.of_strip(&ids, &skewed), None);
        let culled = Shapes {
            turned_around: false,
            ..THROUGH
        };
        assert_eq!(culled.of_strip(&ids, &columns), None);
        let mut colored = columns.clone();
        colored.screen[2].color = 1;
        assert_eq!(THROUGH.of_strip(&ids, &colored), None);
    }

    #[test]
    fn fans_and_triangles_are_rectangles() {
        let around = vertices(&[(9, 1), (9, 5), (1, 5), (1, 1)]);
        assert_eq!(THROUGH.of_fan(&[0, 1, 2, 3], &around), Some([3, 1]));
        assert_eq!(THROUGH.of_fan(&[0, 2, 1, 3], &around), None, "across the middle");
        let six = vertices(&[(1, 1), (9, 1), (9, 5), (1, 1), (9, 5), (1, 5)]);
        let ids = [0, 1, 2, 3, 4, 5];
        assert_eq!(THROUGH.of_triangles(&ids, &six), Some([0, 2]));
        let transform = Shapes {
            mode: CoordinateMode::Transform,
            ..THROUGH
        };
        assert_eq!(transform.of_triangles(&ids, &six), None);
    }

    #[test]
    fn neighbours_continue_each_other_pixel_for_texel() {
        let mut pair = vertices(&[(0, 0), (4, 4), (4, 0), (8, 4)]);
        assert!(THROUGH.continues([0, 1], [2, 3], &pair));
        assert!(!THROUGH.continues([2, 3], [0, 1], &pair));
        pair.screen[3].s = 9.0;
        assert!(!THROUGH.continues([0, 1], [2, 3], &pair));
    }

    #[test]
    fn flat_vertices_may_differ_a_little() {
        let shapes = Shapes {
            mode: CoordinateMode::Transform,
            ..THROUGH
        };
        let mut staged = vertices(&[(1, 1), (1, 5), (9, 1), (9, 5)]);
        staged.screen[1].w = 0.0009;
        assert!(shapes.of_strip(&[0, 1, 2, 3], &staged).is_some());
        staged.screen[1].w = f32::NAN;
        assert!(shapes.of_strip(&[0, 1, 2, 3], &staged).is_some());
        staged.screen[1].w = 0.001;
        assert!(shapes.of_strip(&[0, 1, 2, 3], &staged).is_none());
    }
}
