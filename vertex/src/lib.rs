//! Decodes, morphs and skins the vertices of the PSP's Graphics Engine.
#![forbid(unsafe_code)]

mod layout;
mod vertex_type;

pub use layout::VertexLayout;
pub use vertex_type::{Component, CoordinateMode, IndexFormat, UpToEight, VertexColor, VertexType};
