//! Decodes, morphs and skins the vertices of the PSP's Graphics Engine.
#![forbid(unsafe_code)]

mod arithmetic;
mod decode;
mod error;
pub mod index;
mod layout;
pub mod morph;
pub mod skin;
mod vertex_type;
mod vertices;

pub use arithmetic::{Arithmetic, F32};
pub use decode::{Decoder, scalar};
pub use error::VertexError;
pub use layout::VertexLayout;
pub use vertex_type::{Component, CoordinateMode, IndexFormat, UpToEight, VertexColor, VertexType};
pub use vertices::{Target, Vertices};
