//! Textures and palettes: where their bytes are.

mod clut;
mod level;
#[cfg(test)]
mod tests;

pub(crate) use clut::ClutMemory;
pub(crate) use level::{LevelPlace, texel_order};
