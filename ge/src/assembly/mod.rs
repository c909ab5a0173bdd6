//! Primitive assembly: from a run of vertices to points, lines, triangles and rectangles, those that
//! cannot be seen left out (`spec/ge-frontend.md §9, §14`).

mod clip;
mod code;
mod patch;
mod reject;
mod rules;
mod shapes;
mod slots;

pub use code::PrimitiveCode;
pub(crate) use patch::PatchPrimitive;
pub(crate) use rules::{Culling, Rules, Shading};
pub(crate) use shapes::Shapes;

use raster::{Primitives, ScreenVertex};
use slots::Slots;

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
    const fn of(number: u32) -> Self {
        if number.is_multiple_of(2) {
            Self::Even
        } else {
            Self::Odd
        }
    }
}

/// Whether a draw begins its primitives or goes on with those of the draw before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Start {
    #[default]
    Fresh,
    Continued,
}

/// What is left of one draw for a draw that continues it: its type, the vertices that the next
/// primitive shares or lacks, and the number of triangles formed.
///
/// Vertices stay as their own draw computed them (`spec/ge-frontend.md §14.2`, hw:
/// primitives/continue).
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembler {
    code: Option<PrimitiveCode>,
    carried: [(ScreenVertex, ClipVertex); 2],
    carried_count: usize,
    /// Triangles of the strip or fan so far, modulo 6.
    formed: u32,
    start: Start,
    ids: Vec<u32>,
}

/// The primitives of a draw, as indices into its staged vertices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembled {
    /// What the draw consists of, in order: one kind, unless some triangles are drawn as rectangles.
    parts: Vec<Part>,
    points: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
}

/// Primitives of one kind that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    kind: PrimitiveKind,
    /// Where they start in the list of their kind.
    start: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PrimitiveKind {
    Points,
    Lines,
    Triangles,
    Rectangles,
}

impl Assembled {
    /// The primitives as the rasteriser takes them: at least one part, which may be empty.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Primitives<'_>> {
        self.parts.iter().enumerate().map(|(index, part)| {
            let mut later = self.parts[index + 1..].iter();
            let next = later.find(|next| next.kind == part.kind).map(|next| next.start);
            let range = |length: usize| part.start..next.unwrap_or(length);
            match part.kind {
                PrimitiveKind::Points => Primitives::Points(&self.points[range(self.points.len())]),
                PrimitiveKind::Lines => Primitives::Lines(&self.pairs[range(self.pairs.len())]),
                PrimitiveKind::Triangles => {
                    Primitives::Triangles(&self.triangles[range(self.triangles.len())])
                }
                PrimitiveKind::Rectangles => Primitives::Rectangles(&self.pairs[range(self.pairs.len())]),
            }
        })
    }

    /// Lets a part of a kind follow, unless the last one is of that kind.
    fn turn_to(&mut self, kind: PrimitiveKind) {
        let start = match kind {
            PrimitiveKind::Points => self.points.len(),
            PrimitiveKind::Lines | PrimitiveKind::Rectangles => self.pairs.len(),
            PrimitiveKind::Triangles => self.triangles.len(),
        };
        match self.parts.last_mut() {
            Some(last) if last.kind == kind => {}
            // The last part is empty still.
            Some(last) if self.points.is_empty() && self.pairs.is_empty() && self.triangles.is_empty() => {
                *last = Part { kind, start };
            }
            _ => self.parts.push(Part { kind, start }),
        }
    }

    /// Adds a rectangle in place of triangles, if its corners allow it.
    fn rectangle(&mut self, pair: [u32; 2], rules: &Rules, staged: &StagedVertices) {
        self.turn_to(PrimitiveKind::Rectangles);
        if rules.keeps_rectangle(staged, pair) {
            self.pairs.push(pair);
        }
    }

    /// Whether there are lines among them.
    pub(crate) fn has_lines(&self) -> bool {
        let lines = |part: &Part| part.kind == PrimitiveKind::Lines;
        !self.pairs.is_empty() && self.parts.iter().any(lines)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points.is_empty() && self.pairs.is_empty() && self.triangles.is_empty()
    }

    pub(crate) fn clear(&mut self, code: PrimitiveCode) {
        self.points.clear();
        self.pairs.clear();
        self.triangles.clear();
        self.parts.clear();
        self.turn_to(match code {
            PrimitiveCode::Points | PrimitiveCode::Continue => PrimitiveKind::Points,
            PrimitiveCode::Lines | PrimitiveCode::LineStrip => PrimitiveKind::Lines,
            PrimitiveCode::Triangles | PrimitiveCode::TriangleStrip | PrimitiveCode::TriangleFan => {
                PrimitiveKind::Triangles
            }
            PrimitiveCode::Rectangles => PrimitiveKind::Rectangles,
        });
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
        self.start = Start::Continued;
        if code != PrimitiveCode::Continue {
            self.start = Start::Fresh;
            (self.code, self.carried_count, self.formed) = (Some(code), 0, 0);
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
        let fresh = rules.shapes.as_ref().filter(|_| self.start == Start::Fresh);
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
                match &rules.shapes {
                    None => out.pairs.extend(kept),
                    Some(shapes) => {
                        for pair in kept {
                            match out.pairs.last_mut() {
                                Some(last) if shapes.continues(*last, pair, staged) => last[1] = pair[1],
                                _ => out.pairs.push(pair),
                            }
                        }
                    }
                }
                left
            }
            PrimitiveCode::Triangles => {
                let triples = ids.chunks_exact(3);
                let left = triples.remainder();
                match fresh {
                    Some(shapes) if ids.len().is_multiple_of(6) => {
                        for six in ids.chunks_exact(6) {
                            if let Some(pair) = shapes.of_triangles(six, staged) {
                                out.rectangle(pair, rules, staged);
                                continue;
                            }
                            out.turn_to(PrimitiveKind::Triangles);
                            for corners in [[six[0], six[1], six[2]], [six[3], six[4], six[5]]] {
                                rules.triangle::<A>(
                                    corners,
                                    Parity::Even,
                                    Slots::of_triangle(corners),
                                    staged,
                                    &mut out.triangles,
                                );
                            }
                        }
                    }
                    _ => {
                        for triple in triples {
                            let corners = [triple[0], triple[1], triple[2]];
                            rules.triangle::<A>(
                                corners,
                                Parity::Even,
                                Slots::of_triangle(corners),
                                staged,
                                &mut out.triangles,
                            );
                        }
                    }
                }
                left
            }
            PrimitiveCode::TriangleStrip => {
                let mut rest = &ids[..];
                if let Some(shapes) = fresh
                    && ids.len().is_multiple_of(2)
                {
                    while let Some(four) = rest.get(..4)
                        && let Some(pair) = shapes.of_strip(four, staged)
                    {
                        out.rectangle(pair, rules, staged);
                        self.formed = (self.formed + 2) % 6;
                        rest = &rest[2..];
                    }
                    if rest.len() > 2 {
                        out.turn_to(PrimitiveKind::Triangles);
                    }
                }
                for triple in rest.windows(3) {
                    let corners = [triple[0], triple[1], triple[2]];
                    let slots = Slots::of_strip(corners, self.formed);
                    let parity = Parity::of(self.formed);
                    rules.triangle::<A>(corners, parity, slots, staged, &mut out.triangles);
                    self.formed = (self.formed + 1) % 6;
                }
                last(&ids, 2)
            }
            PrimitiveCode::TriangleFan => {
                if let Some(pair) = fresh.and_then(|shapes| shapes.of_fan(&ids, staged)) {
                    out.rectangle(pair, rules, staged);
                } else if let [center, rim @ ..] = &ids[..] {
                    for pair in rim.windows(2) {
                        let corners = [*center, pair[0], pair[1]];
                        let slots = Slots::of_fan(corners, self.formed);
                        rules.triangle::<A>(corners, Parity::Even, slots, staged, &mut out.triangles);
                        self.formed = (self.formed + 1) % 6;
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
