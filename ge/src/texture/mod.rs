//! Textures and palettes: where their bytes are.

mod clut;
mod level;

pub(crate) use clut::ClutMemory;
pub(crate) use level::{LevelPlace, texel_order};
