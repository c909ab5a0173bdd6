//! What a block draws: its draws with their vertex numbers, and their triangles.

use super::list::{FrontFace, PrimitiveKind};
use super::walk::{self, ListError, Span, Walk};
use super::{Block, BlockCommand};

/// One PRIM with the vertices it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// What the vertices make.
    pub kind: PrimitiveKind,
    /// Which way round its triangles face.
    pub front_face: FrontFace,
    /// The vertices, by their number in [`Block::vertices`].
    pub vertices: Vec<u32>,
}

impl Block {
    /// The block's draws, in order. Draws of no vertices are left out: they have no effect.
    ///
    /// # Errors
    ///
    /// See [`ListError`]; a block that was read from a file has none.
    pub fn draws(&self) -> Result<Vec<Draw>, ListError> {
        let mut draws = Vec::new();
        self.for_each_span(|span| {
            self.check_span(&span)?;
            let first = span.first_vertex(0)? as u32;
            let vertices = match span.indices {
                None => (first..).take(span.count).collect(),
                Some(_) => self
                    .indices_of(&span)?
                    .map(|index| first.saturating_add(index))
                    .collect(),
            };
            draws.push(Draw {
                kind: span.kind,
                front_face: span.front_face,
                vertices,
            });
            Ok(())
        })?;
        Ok(draws)
    }

    /// The numbers in the index buffer that an indexed draw takes.
    fn indices_of(&self, span: &Span) -> Result<impl Iterator<Item = u32> + '_, ListError> {
        let start = span.indices.unwrap_or_default();
        let end = start + span.index_bytes();
        let bytes = self.indices.get(start..end).ok_or(ListError::PastIndices(end))?;
        Ok(walk::indices(span.vertex_type.index(), bytes))
    }

    /// Whether the buffers hold what a draw reads.
    pub(super) fn check_span(&self, span: &Span) -> Result<(), ListError> {
        let last = match span.indices {
            None => span.count - 1,
            Some(_) => self.indices_of(span)?.max().unwrap_or_default() as usize,
        };
        let last = span.first_vertex(0)?.saturating_add(last);
        if last < self.vertices.len() / span.vertex_type.layout().vertex_size {
            Ok(())
        } else {
            Err(ListError::PastVertices(last))
        }
    }

    /// The block's triangles in drawing order, by vertex number.
    ///
    /// A strip swaps the first two vertices of every other triangle, FFACE those of all; degenerate
    /// triangles are kept. Points, lines and rectangles give none. Source: `spec/mhp-formats.md
    /// §3.4`.
    ///
    /// # Errors
    ///
    /// See [`ListError`]; a block that was read from a file has none.
    pub fn triangles(&self) -> Result<Vec<[u32; 3]>, ListError> {
        let mut triangles = Vec::new();
        let mut assembler = Assembler {
            kind: PrimitiveKind::Points,
            run: Vec::new(),
        };
        for draw in self.draws()? {
            assembler.draw(&draw, &mut triangles);
        }
        Ok(triangles)
    }

    /// Calls `visit` with what each draw reads, in bytes of this block's buffers.
    pub(super) fn for_each_span(
        &self,
        mut visit: impl FnMut(Span) -> Result<(), ListError>,
    ) -> Result<(), ListError> {
        let mut walk = Walk::default();
        for command in &self.list {
            match *command {
                BlockCommand::Vertices(byte) => walk.vertices = Some(byte as usize),
                BlockCommand::Indices(byte) => walk.indices = Some(byte as usize),
                BlockCommand::Plain(command) => {
                    match command.opcode() {
                        // An address that leads out of the block.
                        0x01 => walk.vertices = None,
                        0x02 => walk.indices = None,
                        _ => {}
                    }
                    if let Some(span) = walk.step(command)? {
                        visit(span)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Collects vertices into triangles; a draw of kind Continue goes on with the run before it.
struct Assembler {
    kind: PrimitiveKind,
    /// The vertices since the run began.
    run: Vec<u32>,
}

impl Assembler {
    fn draw(&mut self, draw: &Draw, triangles: &mut Vec<[u32; 3]>) {
        if draw.kind != PrimitiveKind::Continue {
            self.kind = draw.kind;
            self.run.clear();
        }
        for &vertex in &draw.vertices {
            self.run.push(vertex);
            let Some(number) = self.run.len().checked_sub(3) else {
                continue;
            };
            let (corners, swaps) = match self.kind {
                PrimitiveKind::TriangleStrip => {
                    ([self.run[number], self.run[number + 1], vertex], number % 2 == 1)
                }
                PrimitiveKind::TriangleFan => ([self.run[0], self.run[number + 1], vertex], false),
                PrimitiveKind::Triangles if number.is_multiple_of(3) => {
                    ([self.run[number], self.run[number + 1], vertex], false)
                }
                _ => continue,
            };
            let [first, second, third] = corners;
            let reversed = draw.front_face == FrontFace::Reversed;
            triangles.push(if swaps == reversed {
                [first, second, third]
            } else {
                [second, first, third]
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pmo::Indexing;
    use vertex::VertexType;

    /// A block of one-byte positions whose draws take vertices from 10 on.
    fn triangles(draws: &[(PrimitiveKind, FrontFace, usize)]) -> Vec<[u32; 3]> {
        let mut next = 10;
        let draws: Vec<Draw> = draws
            .iter()
            .map(|&(kind, front_face, count)| {
                let vertices = (next..next + count as u32).collect();
                next += count as u32;
                Draw {
                    kind,
                    front_face,
                    vertices,
                }
            })
            .collect();
        let vertex_type = VertexType::from_argument(0x0080);
        let block = Block::build(vertex_type, &[0; 3 * 64], &draws, Indexing::Smallest).expect("64 vertices");
        assert_eq!(block.draws().as_ref(), Ok(&draws));
        block.triangles().expect("valid")
    }

    /// `spec/mhp-formats.md §3.4`, tests.
    #[test]
    fn winding_follows_strip_parity_and_front_face() {
        use FrontFace::{AsGiven, Reversed};
        use PrimitiveKind::*;
        assert_eq!(
            triangles(&[(TriangleStrip, AsGiven, 5)]),
            [[10, 11, 12], [12, 11, 13], [12, 13, 14]]
        );
        assert_eq!(
            triangles(&[(TriangleStrip, Reversed, 5)]),
            [[11, 10, 12], [11, 12, 13], [13, 12, 14]]
        );
        assert_eq!(
            triangles(&[(Triangles, AsGiven, 7)]),
            [[10, 11, 12], [13, 14, 15]]
        );
        assert_eq!(
            triangles(&[(Triangles, Reversed, 7)]),
            [[11, 10, 12], [14, 13, 15]]
        );
        assert_eq!(
            triangles(&[(TriangleFan, AsGiven, 5)]),
            [[10, 11, 12], [10, 12, 13], [10, 13, 14]]
        );
        for kind in [Points, Lines, LineStrip, Rectangles] {
            assert_eq!(triangles(&[(kind, AsGiven, 6)]), [[0; 3]; 0]);
        }
    }

    /// `spec/ge-frontend.md §14.2`: one and three more make what four make at once; a new draw starts
    /// anew.
    #[test]
    fn a_draw_can_continue_the_one_before() {
        use FrontFace::AsGiven;
        use PrimitiveKind::*;
        assert_eq!(
            triangles(&[(TriangleStrip, AsGiven, 1), (Continue, AsGiven, 3)]),
            [[10, 11, 12], [12, 11, 13]]
        );
        assert_eq!(
            triangles(&[(Triangles, AsGiven, 1), (Continue, AsGiven, 3)]),
            [[10, 11, 12]]
        );
        assert_eq!(
            triangles(&[(TriangleStrip, AsGiven, 4), (TriangleStrip, AsGiven, 3)]),
            [[10, 11, 12], [12, 11, 13], [14, 15, 16]]
        );
    }
}
