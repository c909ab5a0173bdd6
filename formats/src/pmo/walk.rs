//! The state that a list's commands change, and the spans of data that its draws read.

use vertex::{IndexFormat, VertexType};

use super::list::{FrontFace, ListCommand, PrimitiveKind};

/// Addresses have 28 bits.
const ADDRESS: u32 = 0x0FFF_FFFF;

/// How a stored argument becomes an address (`spec/mhp-formats.md §3.4`).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Addresses {
    base: u32,
    offset: Offset,
}

/// What is added to a stored address.
#[derive(Clone, Copy, Debug, Default)]
enum Offset {
    /// Nothing yet, or an OFFSETADDR: the address is absolute, and so meaningless inside a file.
    Absolute(u32),
    /// No command has set it.
    #[default]
    Unset,
    /// The address of an ORIGIN command inside the geometry region.
    Origin(u32),
}

impl Addresses {
    /// Follows a command that stands at byte `place` of the region.
    pub(super) fn apply(&mut self, command: ListCommand, place: u32) {
        match command {
            ListCommand::Base(argument) => self.base = (argument & 0x000F_0000) << 8,
            ListCommand::OffsetAddr(argument) => self.offset = Offset::Absolute(argument << 8),
            ListCommand::Origin(_) => self.offset = Offset::Origin(place),
            _ => {}
        }
    }

    /// The address of a stored argument.
    pub(super) fn resolve(self, argument: u32) -> u32 {
        let offset = match self.offset {
            Offset::Unset => 0,
            Offset::Absolute(offset) | Offset::Origin(offset) => offset,
        };
        offset.wrapping_add(self.base | argument) & ADDRESS
    }

    /// The place in the region of a stored argument, `None` where the address is absolute.
    pub(super) fn place(self, argument: u32) -> Option<u32> {
        matches!(self.offset, Offset::Origin(_)).then(|| self.resolve(argument))
    }

    /// The argument that leads to a place in the region, `None` where none does.
    pub(super) fn argument_of(self, place: u32) -> Option<u32> {
        let Offset::Origin(origin) = self.offset else {
            return None;
        };
        let argument = place.wrapping_sub(origin).wrapping_sub(self.base) & ADDRESS;
        (argument <= 0x00FF_FFFF).then_some(argument)
    }
}

/// Why a list cannot be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// A draw before any VTYPE.
    #[error("a draw before any vertex type")]
    NoVertexType,
    /// A VTYPE that differs from the one before.
    #[error("a second vertex type in one list")]
    SecondVertexType,
    /// A draw without a VADDR that follows an ORIGIN.
    #[error("a draw without a vertex address relative to an ORIGIN")]
    NoVertexAddress,
    /// An indexed draw without an IADDR that follows an ORIGIN.
    #[error("an indexed draw without an index address relative to an ORIGIN")]
    NoIndexAddress,
    /// A draw that begins inside a vertex.
    #[error("a draw that begins {0:#x} bytes from the vertex buffer's start, inside a vertex")]
    InsideVertex(
        /// Bytes from the start of the vertex buffer.
        usize,
    ),
    /// A draw that reads past the vertex buffer.
    #[error("a draw that reaches vertex {0}, past the vertex buffer")]
    PastVertices(
        /// The last vertex it reaches.
        usize,
    ),
    /// A draw that reads past the index buffer.
    #[error("a draw that reads indices up to byte {0:#x}, past the index buffer")]
    PastIndices(
        /// The end of its indices, in bytes from the start of the index buffer.
        usize,
    ),
    /// A command that needs memory which a file does not have.
    #[error("{0}, which needs memory that a file does not have")]
    Refused(
        /// The command's name.
        &'static str,
    ),
    /// An IADDR into the index buffer in a list whose vertex type has no indices.
    #[error("an index address in a list without indices")]
    IndexAddressWithoutIndices,
    /// A list without RET or END, or with commands after it.
    #[error("a list whose RET or END is not its last command")]
    NotEnded,
}

/// What a draw reads. Positions are bytes from wherever the walk counts: the region when a file is
/// read, the block's buffers afterwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) kind: PrimitiveKind,
    pub(super) front_face: FrontFace,
    pub(super) vertex_type: VertexType,
    /// Where vertex 0 of the draw stands.
    pub(super) vertices: usize,
    /// Where its indices stand; `None` for a draw without.
    pub(super) indices: Option<usize>,
    /// How many vertices or indices it takes.
    pub(super) count: usize,
}

impl Span {
    /// Bytes of the draw's indices.
    pub(super) fn index_bytes(&self) -> usize {
        self.count * self.vertex_type.index().size()
    }

    /// The number of the draw's vertex 0, when the vertex buffer stands at `buffer`.
    pub(super) fn first_vertex(&self, buffer: usize) -> Result<usize, ListError> {
        let stride = self.vertex_type.layout().vertex_size;
        let distance = self
            .vertices
            .checked_sub(buffer)
            .ok_or(ListError::NoVertexAddress)?;
        match distance.checked_rem(stride) {
            Some(0) => Ok(distance / stride),
            _ => Err(ListError::InsideVertex(distance)),
        }
    }
}

/// The part of the GE's state that decides what a model's draws read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walk {
    pub(super) vertex_type: Option<VertexType>,
    pub(super) vertices: Option<usize>,
    pub(super) indices: Option<usize>,
    front_face: FrontFace,
}

impl Walk {
    /// Follows a command that is no address; gives what it reads if it draws.
    pub(super) fn step(&mut self, command: ListCommand) -> Result<Option<Span>, ListError> {
        if let Some(name) = command.refused() {
            return Err(ListError::Refused(name));
        }
        match command {
            ListCommand::VertexType(vertex_type) => match self.vertex_type.replace(vertex_type) {
                Some(before) if before != vertex_type => Err(ListError::SecondVertexType),
                _ => Ok(None),
            },
            ListCommand::FrontFace(argument) => {
                self.front_face = if argument & 1 == 0 {
                    FrontFace::AsGiven
                } else {
                    FrontFace::Reversed
                };
                Ok(None)
            }
            ListCommand::Prim { kind, count, .. } => self.draw(kind, usize::from(count)),
            _ => Ok(None),
        }
    }

    fn draw(&mut self, kind: PrimitiveKind, count: usize) -> Result<Option<Span>, ListError> {
        let vertex_type = self.vertex_type.ok_or(ListError::NoVertexType)?;
        if count == 0 {
            // No effect at all (`spec/ge-frontend.md §2.8`).
            return Ok(None);
        }
        let vertices = self.vertices.ok_or(ListError::NoVertexAddress)?;
        let mut span = Span {
            kind,
            front_face: self.front_face,
            vertex_type,
            vertices,
            indices: None,
            count,
        };
        // The address steps by what was read: IADDR when indexed, else VADDR. So a second PRIM reads
        // on where this one ended, and models count on it.
        if vertex_type.index() == IndexFormat::None {
            self.vertices = Some(vertices + count * vertex_type.layout().vertex_size);
        } else {
            let indices = self.indices.ok_or(ListError::NoIndexAddress)?;
            span.indices = Some(indices);
            self.indices = Some(indices + span.index_bytes());
        }
        Ok(Some(span))
    }
}

/// The numbers in an index buffer.
pub(super) fn indices(format: IndexFormat, bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(format.size().max(1)).map(|index| {
        index
            .iter()
            .rev()
            .fold(0, |number, &byte| number << 8 | u32::from(byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `spec/mhp-formats.md §3.4`, the list test.
    #[test]
    fn addresses_add_offset_and_base() {
        let mut addresses = Addresses::default();
        assert_eq!(addresses.place(0x10), None);
        addresses.apply(ListCommand::Origin(0), 0x50);
        assert_eq!(addresses.resolve(0x10), 0x60);
        assert_eq!(addresses.place(0x10), Some(0x60));
        assert_eq!(addresses.argument_of(0x60), Some(0x10));
        addresses.apply(ListCommand::OffsetAddr(0x12), 0x54);
        assert_eq!(addresses.resolve(0x10), 0x1210);
        assert_eq!(addresses.place(0x10), None);
        assert_eq!(addresses.argument_of(0x1210), None);
        addresses.apply(ListCommand::Base(0x05_0000), 0x58);
        assert_eq!(addresses.resolve(0x10), 0x0500_1210);
    }

    #[test]
    fn an_argument_leads_back_to_its_place() {
        let mut addresses = Addresses::default();
        addresses.apply(ListCommand::Origin(0), 0x300);
        assert_eq!(addresses.argument_of(0x300 + 0xFF_FFFF), Some(0xFF_FFFF));
        assert_eq!(addresses.argument_of(0x300 + 0x100_0000), None);
        assert_eq!(addresses.argument_of(0x2FC), None);
        addresses.apply(ListCommand::Base(0x01_0000), 0x304);
        assert_eq!(addresses.argument_of(0x300 + 0x100_0010), Some(0x10));
    }
}
