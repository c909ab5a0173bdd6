//! What can be wrong with the bytes of a draw.

use crate::{IndexFormat, VertexType};

/// Why vertices or indices could not be decoded.
///
/// The only fault a byte slice can have here is to be too short: every bit pattern is a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VertexError {
    /// The slice ends before the vertices do.
    #[error(
        "vertices {first}..{end} of {vertex_size} bytes each ({vertex_type}) need {needed:#x} \
         bytes, {available:#x} were given"
    )]
    VerticesTooShort {
        /// The type that was to be decoded.
        vertex_type: VertexType,
        /// The first vertex wanted.
        first: usize,
        /// One past the last vertex wanted.
        end: usize,
        /// Bytes of one vertex, all its morph targets included.
        vertex_size: usize,
        /// The slice length that the request asks for; `usize::MAX` where it exceeds that.
        needed: usize,
        /// The length of the slice.
        available: usize,
    },
    /// The slice ends before the indices do.
    #[error("{count} indices of {size} bytes each need {needed:#x} bytes, {available:#x} were given", size = format.size())]
    IndicesTooShort {
        /// How the indices are stored.
        format: IndexFormat,
        /// How many were wanted.
        count: usize,
        /// The slice length that the request asks for; `usize::MAX` where it exceeds that.
        needed: usize,
        /// The length of the slice.
        available: usize,
    },
}
