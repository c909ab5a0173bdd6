//! The primitives of a tessellated surface (`spec/ge-frontend.md §15.6`).

use super::{Assembled, Parity, PrimitiveCode, Rules, Slots};
use crate::arithmetic::Geometry;
use crate::vertex_stage::StagedVertices;

/// What a surface is drawn as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PatchPrimitive {
    /// Two triangles for each quad.
    Triangles,
    /// The vertical lines and one diagonal of each quad.
    Lines,
    /// A point for each vertex.
    Points,
}

impl PatchPrimitive {
    /// The primitive of PATCHPRIM's argument: 3 acts as 2, and higher bits do not count (hw).
    pub(crate) const fn of(argument: u32) -> Self {
        match argument & 3 {
            0 => Self::Triangles,
            1 => Self::Lines,
            _ => Self::Points,
        }
    }

    pub(crate) const fn code(self) -> PrimitiveCode {
        match self {
            Self::Triangles => PrimitiveCode::Triangles,
            Self::Lines => PrimitiveCode::Lines,
            Self::Points => PrimitiveCode::Points,
        }
    }

    /// Forms the primitives of staged vertices that stand row by row, `width` in each, for quads by
    /// their top left corners (u, v).
    pub(crate) fn assemble<A: Geometry>(
        self,
        width: usize,
        quads: impl Iterator<Item = [usize; 2]>,
        rules: &Rules,
        staged: &mut StagedVertices,
        out: &mut Assembled,
    ) {
        out.clear(self.code());
        if self == Self::Points {
            let ids = 0..staged.screen.len() as u32;
            out.points.extend(ids.filter(|&id| rules.keeps_point(staged, id)));
            return;
        }
        for [u, v] in quads {
            let top_left = (v * width + u) as u32;
            let bottom_left = top_left + width as u32;
            let (top_right, bottom_right) = (top_left + 1, bottom_left + 1);
            if self == Self::Lines {
                for pair in [
                    [top_left, bottom_left],
                    [top_right, bottom_right],
                    [top_right, bottom_left],
                ] {
                    rules.line::<A>(pair, staged, &mut out.pairs);
                }
            } else {
                // A strip of four.
                for (number, corners) in [
                    (0, [top_left, bottom_left, top_right]),
                    (1, [bottom_left, top_right, bottom_right]),
                ] {
                    let (parity, slots) = (Parity::of(number), Slots::of_strip(corners, number));
                    rules.triangle::<A>(corners, parity, slots, staged, &mut out.triangles);
                }
            }
        }
    }
}
