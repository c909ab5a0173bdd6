//! Models as other programs read them.
//!
//! Wavefront OBJ is here; a format that carries bones and clips has its place beside it.

pub mod obj;
