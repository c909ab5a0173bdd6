//! Which primitives are drawn at all: range, depth, w and culling
//! (`spec/ge-frontend.md §9.1, §9.2, §9.4, §14.3`).

use raster::Profile;

use super::{Culling, Parity, Rules, Slots, clip};
use crate::arithmetic::Geometry;
use crate::vertex_stage::{DepthRange, Placement, StagedVertices};

impl Rules {
    fn placement(staged: &StagedVertices, id: u32) -> Placement {
        staged.clip[id as usize].placement
    }

    /// Whether the range and the depth of the vertices allow the primitive.
    fn keeps(&self, any: Placement, all: Placement) -> bool {
        if any.has(Placement::OUTSIDE) {
            return false;
        }
        let out_of_depth = match self.viewport.depth_range {
            DepthRange::Reject => any,
            DepthRange::Clamp => all,
        };
        !out_of_depth.has(Placement::TOO_FAR) && !out_of_depth.has(Placement::TOO_NEAR)
    }

    /// Points have no depth rejection.
    pub(super) fn keeps_point(&self, staged: &StagedVertices, id: u32) -> bool {
        !Self::placement(staged, id).has(Placement::OUTSIDE)
    }

    /// Rectangles are neither clipped nor culled.
    pub(super) fn keeps_rectangle(&self, staged: &StagedVertices, pair: [u32; 2]) -> bool {
        let [a, b] = pair.map(|id| Self::placement(staged, id));
        self.keeps(a.or(b), a.and(b))
    }

    pub(super) fn line<A: Geometry>(
        &self,
        pair: [u32; 2],
        staged: &mut StagedVertices,
        out: &mut Vec<[u32; 2]>,
    ) {
        let [a, b] = pair.map(|id| Self::placement(staged, id));
        if !self.keeps(a.or(b), a.and(b)) {
            return;
        }
        if a.or(b).has(Placement::BEHIND) {
            out.extend(clip::line::<A>(pair, self, staged));
        } else {
            out.push(pair);
        }
    }

    pub(super) fn triangle<A: Geometry>(
        &self,
        corners: [u32; 3],
        parity: Parity,
        slots: Slots,
        staged: &mut StagedVertices,
        out: &mut Vec<[u32; 3]>,
    ) {
        let [a, b, c] = corners.map(|id| Self::placement(staged, id));
        let (any, all) = (a.or(b).or(c), a.and(b).and(c));
        if !self.keeps(any, all) || all.has(Placement::NEGATIVE_W) {
            return;
        }
        let is_cut = any.has(Placement::BEHIND);
        match A::PROFILE {
            Profile::Hardware if is_cut => {
                let faces = |rules: &Self, piece, staged: &_| rules.faces(piece, parity, staged);
                clip::triangle::<A>(corners, corners[2], faces, self, staged, out);
            }
            Profile::Hardware => {
                if self.faces(corners, parity, staged) {
                    out.push(corners);
                }
            }
            Profile::Ppsspp => {
                for order in slots.orders(self.culling) {
                    if is_cut {
                        let faces = |_: &Self, piece, staged: &_| turn(piece, staged) >= 0;
                        clip::triangle::<A>(order, corners[2], faces, self, staged, out);
                    } else if turn(order, staged) >= 0 {
                        out.push(clip::provoked(order, corners[2], self, staged));
                    }
                }
            }
        }
    }

    /// Whether culling keeps a triangle. The orientation is that on the screen, in either mode.
    pub(super) fn faces(&self, corners: [u32; 3], parity: Parity, staged: &StagedVertices) -> bool {
        if self.culling == Culling::Off {
            return true;
        }
        let turn = turn(corners, staged);
        let turn = if parity == Parity::Odd { -turn } else { turn };
        match self.culling {
            Culling::Off => true,
            Culling::Clockwise => turn < 0,
            Culling::CounterClockwise => turn > 0,
        }
    }
}

/// Twice the signed area on the screen: positive for corners that turn right.
fn turn(corners: [u32; 3], staged: &StagedVertices) -> i64 {
    let [[x0, y0], [x1, y1], [x2, y2]] = corners.map(|id| {
        let vertex = &staged.screen[id as usize];
        [i64::from(vertex.x.0), i64::from(vertex.y.0)]
    });
    (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
}
