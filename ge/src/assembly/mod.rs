//! Primitive assembly: from a run of vertices to points, lines, triangles and rectangles, those that
//! cannot be seen left out (`spec/ge-frontend.md §9, §14`).

mod clip;
mod code;
mod patch;
mod reject;

pub use code::PrimitiveCode;
pub(crate) use patch::PatchPrimitive;
pub(crate) use reject::{Culling, Rules, Shading};

use raster::{Primitives, ScreenVertex};

use crate::arithmetic::Geometry;
use crate::vertex_stage::{ClipVertex, StagedVertices};

#[cfg(test)]
mod tests;

/// Whether the next triangle of a strip keeps or inverts the culling test: odd ones have the
/// opposite order of vertices (`spec/ge-frontend.md §14.3`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Parity {
    #[default]
    Even,
    Odd,
}

impl Parity {
    const fn flipped(self) -> Self {
        match self {
            Self::Even => Self::Odd,
            Self::Odd => Self::Even,
        }
    }
}

/// What is left of one draw for a draw that continues it: its type, the vertices that the next
/// primitive shares or lacks, and the parity of a strip.
///
/// Vertices stay as their own draw computed them (`spec/ge-frontend.md §14.2`, hw:
/// primitives/continue).
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembler {
    code: Option<PrimitiveCode>,
    carried: [(ScreenVertex, ClipVertex); 2],
    carried_count: usize,
    parity: Parity,
    ids: Vec<u32>,
}

/// The primitives of a draw, as indices into its staged vertices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembled {
    kind: PrimitiveKind,
    points: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum PrimitiveKind {
    #[default]
    Points,
    Lines,
    Triangles,
    Rectangles,
}

impl Assembled {
    /// The primitives as the rasteriser takes them.
    pub(crate) fn primitives(&self) -> Primitives<'_> {
        match self.kind {
            PrimitiveKind::Points => Primitives::Points(&self.points),
            PrimitiveKind::Lines => Primitives::Lines(&self.pairs),
            PrimitiveKind::Triangles => Primitives::Triangles(&self.triangles),
            PrimitiveKind::Rectangles => Primitives::Rectangles(&self.pairs),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points.is_empty() && self.pairs.is_empty() && self.triangles.is_empty()
    }

    pub(crate) fn clear(&mut self, code: PrimitiveCode) {
        self.points.clear();
        self.pairs.clear();
        self.triangles.clear();
        self.kind = match code {
            PrimitiveCode::Points | PrimitiveCode::Continue => PrimitiveKind::Points,
            PrimitiveCode::Lines | PrimitiveCode::LineStrip => PrimitiveKind::Lines,
            PrimitiveCode::Triangles | PrimitiveCode::TriangleStrip | PrimitiveCode::TriangleFan => {
                PrimitiveKind::Triangles
            }
            PrimitiveCode::Rectangles => PrimitiveKind::Rectangles,
        };
    }
}

impl Assembler {
    /// Starts a draw: a type begins anew, `Continue` goes on with the type before. Puts the vertices
    /// that are carried over into the empty `staged`, and says which type it is; `None` when there is
    /// nothing to continue.
    pub(crate) fn begin(
        &mut self,
        code: PrimitiveCode,
        staged: &mut StagedVertices,
    ) -> Option<PrimitiveCode> {
        staged.clear();
        if code != PrimitiveCode::Continue {
            (self.code, self.carried_count, self.parity) = (Some(code), 0, Parity::Even);
        }
        for &(screen, clip) in &self.carried[..self.carried_count] {
            staged.push(screen, clip);
        }
        self.code
    }

    /// Forms the primitives of the vertices that [`begin`](Self::begin) put into `staged` and of those
    /// that were added behind them, taken in the given order of rows.
    pub(crate) fn assemble<A: Geometry>(
        &mut self,
        rows: impl Iterator<Item = u32>,
        rules: &Rules,
        staged: &mut StagedVertices,
        out: &mut Assembled,
    ) {
        let code = self.code.unwrap_or(PrimitiveCode::Points);
        let carried = self.carried_count as u32;
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        ids.extend(0..carried);
        ids.extend(rows.map(|row| carried + row));
        out.clear(code);
        let fan;
        let left = match code {
            PrimitiveCode::Points | PrimitiveCode::Continue => {
                out.points
                    .extend(ids.iter().filter(|&&id| rules.keeps_point(staged, id)));
                &[][..]
            }
            PrimitiveCode::Lines => {
                let pairs = ids.chunks_exact(2);
                let left = pairs.remainder();
                for pair in pairs {
                    rules.line::<A>([pair[0], pair[1]], staged, &mut out.pairs);
                }
                left
            }
            PrimitiveCode::LineStrip => {
                for pair in ids.windows(2) {
                    rules.line::<A>([pair[0], pair[1]], staged, &mut out.pairs);
                }
                last(&ids, 1)
            }
            PrimitiveCode::Rectangles => {
                let pairs = ids.chunks_exact(2);
                let left = pairs.remainder();
                let kept = pairs
                    .map(|pair| [pair[0], pair[1]])
                    .filter(|&pair| rules.keeps_rectangle(staged, pair));
                out.pairs.extend(kept);
                left
            }
            PrimitiveCode::Triangles => {
                let triples = ids.chunks_exact(3);
                let left = triples.remainder();
                for triple in triples {
                    let corners = [triple[0], triple[1], triple[2]];
                    rules.triangle::<A>(corners, Parity::Even, staged, &mut out.triangles);
                }
                left
            }
            PrimitiveCode::TriangleStrip => {
                for triple in ids.windows(3) {
                    let corners = [triple[0], triple[1], triple[2]];
                    rules.triangle::<A>(corners, self.parity, staged, &mut out.triangles);
                    self.parity = self.parity.flipped();
                }
                last(&ids, 2)
            }
            PrimitiveCode::TriangleFan => {
                if let [center, rim @ ..] = &ids[..] {
                    for pair in rim.windows(2) {
                        let corners = [*center, pair[0], pair[1]];
                        rules.triangle::<A>(corners, Parity::Even, staged, &mut out.triangles);
                    }
                }
                match &ids[..] {
                    [center, .., newest] => {
                        fan = [*center, *newest];
                        &fan
                    }
                    few => few,
                }
            }
        };
        self.carry(left, staged);
        self.ids = ids;
    }

    fn carry(&mut self, ids: &[u32], staged: &StagedVertices) {
        self.carried_count = ids.len().min(self.carried.len());
        for (slot, &id) in self.carried.iter_mut().zip(ids) {
            *slot = (staged.screen[id as usize], staged.clip[id as usize]);
        }
    }
}

/// The last `count` items, or all if there are fewer.
fn last(ids: &[u32], count: usize) -> &[u32] {
    &ids[ids.len().saturating_sub(count)..]
}
