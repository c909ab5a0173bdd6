//! Fresh blocks.

use vertex::{IndexFormat, VertexType};

use super::list::{FrontFace, ListCommand};
use super::{Block, BlockCommand, Draw};

/// How a fresh block's draws find their vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Indexing {
    /// By indices: of one byte up to 256 vertices, else of two.
    Smallest,
    /// In the order in which they are stored; the builder copies vertices that draws take more than
    /// once.
    None,
}

/// Why a block cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The vertex bytes are no whole number of vertices.
    #[error("{length:#x} vertex bytes, no multiple of the vertex type's {stride:#x}")]
    Stride {
        /// Bytes given.
        length: usize,
        /// Bytes of a vertex.
        stride: usize,
    },
    /// A draw takes a vertex that does not exist.
    #[error("draw {draw} takes vertex {vertex} of {count}")]
    Vertex {
        /// The draw's number.
        draw: usize,
        /// The vertex it takes.
        vertex: u32,
        /// How many vertices there are.
        count: usize,
    },
    /// More vertices than indices of two bytes can tell apart.
    #[error("{0} vertices, at most 65536 can be indexed")]
    TooManyVertices(
        /// How many were given.
        usize,
    ),
    /// A draw takes more vertices than PRIM can count.
    #[error("draw {draw} takes {count} vertices, at most 65535 fit a PRIM")]
    TooManyInDraw {
        /// The draw's number.
        draw: usize,
        /// How many it takes.
        count: usize,
    },
}

impl Block {
    /// A fresh block: ORIGIN, BASE, IADDR (with indices), VADDR, VTYPE, FFACE, the PRIMs with an
    /// FFACE where it changes, OFFSETADDR 0, RET (`spec/mhp-formats.md §3.3`).
    ///
    /// `vertices` are whole vertices of `vertex_type`, whose index format is replaced by what
    /// `indexing` asks for. The game's own models draw strips with front face as given, then
    /// reversed ones, then at most one triangle list; the builder keeps the order it is given.
    ///
    /// # Errors
    ///
    /// See [`BuildError`].
    ///
    /// ```
    /// use formats::pmo::list::{FrontFace, PrimitiveKind};
    /// use formats::pmo::{Block, Draw, Indexing};
    /// use vertex::VertexType;
    ///
    /// let strip = Draw {
    ///     kind: PrimitiveKind::TriangleStrip,
    ///     front_face: FrontFace::AsGiven,
    ///     vertices: vec![0, 1, 2, 3],
    /// };
    /// let two_weights = VertexType::from_argument(0x4322);
    /// let block = Block::build(two_weights, &[0; 4 * 16], &[strip], Indexing::Smallest)?;
    /// assert_eq!(block.list.len(), 9);
    /// assert_eq!(block.triangles(), Ok(vec![[0, 1, 2], [2, 1, 3]]));
    /// # Ok::<(), formats::pmo::BuildError>(())
    /// ```
    pub fn build(
        vertex_type: VertexType,
        vertices: &[u8],
        draws: &[Draw],
        indexing: Indexing,
    ) -> Result<Self, BuildError> {
        let stride = vertex_type.layout().vertex_size;
        let length = vertices.len();
        if !length.is_multiple_of(stride) {
            return Err(BuildError::Stride { length, stride });
        }
        let count = length / stride;
        for (number, draw) in draws.iter().enumerate() {
            if u16::try_from(draw.vertices.len()).is_err() {
                return Err(BuildError::TooManyInDraw {
                    draw: number,
                    count: draw.vertices.len(),
                });
            }
            if let Some(&vertex) = draw.vertices.iter().find(|&&vertex| vertex as usize >= count) {
                return Err(BuildError::Vertex {
                    draw: number,
                    vertex,
                    count,
                });
            }
        }

        let taken = draws.iter().flat_map(|draw| draw.vertices.iter().copied());
        let (format, vertices, indices) = match indexing {
            Indexing::None => {
                let copies = taken.flat_map(|vertex| &vertices[vertex as usize * stride..][..stride]);
                (IndexFormat::None, copies.copied().collect(), Vec::new())
            }
            Indexing::Smallest if count <= 0x100 => (
                IndexFormat::U8,
                vertices.to_vec(),
                taken.map(|vertex| vertex as u8).collect(),
            ),
            Indexing::Smallest if count <= 0x1_0000 => {
                let indices = taken.flat_map(|vertex| (vertex as u16).to_le_bytes());
                (IndexFormat::U16, vertices.to_vec(), indices.collect())
            }
            Indexing::Smallest => return Err(BuildError::TooManyVertices(count)),
        };
        let list = list(vertex_type.with_index(format), draws);
        Ok(Self {
            list,
            vertices,
            indices,
        })
    }
}

fn list(vertex_type: VertexType, draws: &[Draw]) -> Vec<BlockCommand> {
    let mut front_face = draws.first().map_or(FrontFace::AsGiven, |draw| draw.front_face);
    let mut list = vec![
        BlockCommand::Plain(ListCommand::Origin(0)),
        BlockCommand::Plain(ListCommand::Base(0)),
    ];
    if vertex_type.index() != IndexFormat::None {
        list.push(BlockCommand::Indices(0));
    }
    list.push(BlockCommand::Vertices(0));
    list.push(BlockCommand::Plain(ListCommand::VertexType(vertex_type)));
    list.push(BlockCommand::Plain(ListCommand::front_face(front_face)));
    for draw in draws {
        if draw.front_face != front_face {
            front_face = draw.front_face;
            list.push(BlockCommand::Plain(ListCommand::front_face(front_face)));
        }
        // No truncation: the caller has counted.
        list.push(BlockCommand::Plain(ListCommand::prim(
            draw.kind,
            draw.vertices.len() as u16,
        )));
    }
    list.push(BlockCommand::Plain(ListCommand::OffsetAddr(0)));
    list.push(BlockCommand::Plain(ListCommand::Ret(0)));
    list
}
