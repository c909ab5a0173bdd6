//! A group's geometry: its display list with the vertex and index buffers it draws.

use vertex::VertexType;

use super::list::ListCommand;

/// A word of a block's list, free of where the buffers will stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockCommand {
    /// VADDR: drawing goes on at this byte of [`Block::vertices`].
    Vertices(u32),
    /// IADDR: drawing goes on at this byte of [`Block::indices`].
    Indices(u32),
    /// Any other command, as it stands in the file; among them a VADDR or IADDR whose address no
    /// draw uses and that leads out of the block.
    Plain(ListCommand),
}

/// A display list with the vertex and index buffers that it draws.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// The list, its RET or END included.
    pub list: Vec<BlockCommand>,
    /// The vertex buffer: as many whole vertices as the draws reach.
    pub vertices: Vec<u8>,
    /// The index buffer; empty where the list draws without indices.
    pub indices: Vec<u8>,
}

impl Block {
    /// The vertex type that the list sets, `None` where it sets none (and so draws nothing).
    #[must_use]
    pub fn vertex_type(&self) -> Option<VertexType> {
        self.list.iter().find_map(|command| match command {
            BlockCommand::Plain(ListCommand::VertexType(vertex_type)) => Some(*vertex_type),
            _ => None,
        })
    }

    /// How many vertices the vertex buffer holds.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertex_type().map_or(0, |vertex_type| {
            self.vertices.len() / vertex_type.layout().vertex_size.max(1)
        })
    }
}
