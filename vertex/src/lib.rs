//! Decodes, morphs and skins the vertices of the PSP's Graphics Engine.
//!
//! Bytes and a [`VertexType`] go in; a structure of arrays comes out. There are no addresses here, no
//! registers and no state between calls: the caller finds the bytes, and remembers what a vertex
//! without a normal, coordinate or colour takes over from an earlier one.
//!
//! | Step | Here |
//! |---|---|
//! | what a vertex holds, and where | [`VertexType`], [`VertexLayout`] |
//! | indices | [`index::decode`], [`index::range`] |
//! | bytes to numbers | [`Decoder`] into [`Vertices`]; [`scalar`] is its definition |
//! | morph targets into one | [`morph::morph`] |
//! | bones | [`skin::skin`] |
//!
//! The last two are generic over an [`Arithmetic`]: [`F32`] for exporters and the `ppsspp` profile,
//! the 24-bit arithmetic of the `ge` crate for the hardware's results.
//!
//! An indexed draw decodes the range of its indices once and looks vertices up by row:
//!
//! ```
//! use vertex::{Decoder, F32, VertexError, VertexType, Vertices, index, skin};
//!
//! # fn main() -> Result<(), VertexError> {
//! // One weight and a normal of 8 bits, a position of 16, indices of 8.
//! let vertex_type = VertexType::from_argument(0x0B20);
//! let vertex_buffer = [
//!     128, 0, 0, 127, 0x00, 0x40, 0, 0, 0, 0, // x = 0.5
//!     128, 0, 0, 127, 0, 0, 0x00, 0x80, 0, 0, // y = -1
//! ];
//! let mut indices = Vec::new();
//! index::decode(vertex_type.index(), &[1, 1, 0], 3, &mut indices)?;
//!
//! let mut vertices = Vertices::new();
//! let range = index::range(&indices).expect("three indices");
//! Decoder::new(vertex_type).decode_range(&vertex_buffer, range, &mut vertices)?;
//!
//! // A bone that doubles, then moves along x.
//! let mut bones = [[0.0; 12]; 8];
//! bones[0] = [2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 10.0, 0.0, 0.0];
//! skin::skin::<F32>(&mut vertices, &bones);
//!
//! let [x, y, _] = vertices.position().expect("the type has positions");
//! let corners: Vec<_> =
//!     indices.iter().filter_map(|&index| vertices.row(index)).map(|row| (x[row], y[row])).collect();
//! assert_eq!(corners, [(10.0, -2.0), (10.0, -2.0), (11.0, 0.0)]);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod arithmetic;
mod decode;
mod error;
mod format;
pub mod index;
mod layout;
pub mod morph;
pub mod skin;
mod vertex_type;
mod vertices;

pub use arithmetic::{Arithmetic, F32, LANES};
pub use decode::{Decoder, scalar};
pub use error::VertexError;
pub use format::{Component, IndexFormat, VertexColor};
pub use layout::VertexLayout;
pub use vertex_type::{CoordinateMode, UpToEight, VertexType};
pub use vertices::{Blocks, Target, Vertices};
