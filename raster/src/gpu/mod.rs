//! The back end for GPUs: compute shaders through wgpu (spec/gpu-notes.md §5).
//!
//! It takes the batches that the processor's kernel takes and draws the same bits. A workgroup owns a tile of 8 x 8
//! pixels and walks the primitives that touch it in order, so that order needs no atomics; no float decides a pixel.

mod adapter;
mod backend;
mod batch_buffers;
mod buffers;
mod decode;
mod device;
mod error;
mod heap;
mod journal;
mod records;
mod self_test;
mod variant;

pub use adapter::{AdapterChoice, AdapterDescription, AdapterKind, adapters};
pub(crate) use backend::{Backend, Settled, TILE_SIZE};
pub use device::{Gpu, GpuOptions};
pub use error::GpuError;
pub(crate) use journal::replace as replace_textures;
