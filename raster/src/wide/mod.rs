//! The kernel for processors: blocks of 4 x 4 pixels, a pixel a lane.
//!
//! It gives the bits of the reference kernel at every width, by arithmetic of its own; of the reference it calls the exact
//! quotients alone, in lanes where its narrow forms could be wrong. What the state decides is asked once a block, never a
//! pixel; pixels that drop out leave a mask, and a block without pixels is left early: after coverage, and after depth.
//! Tiles hold their pixels block by block, so that a block's colours are one load.

mod blend;
mod color;
mod combine;
mod coordinates;
mod detail;
mod kernel;
mod lanes;
mod level;
mod plane;
mod portable;
mod sample;
mod stencil;
#[cfg(test)]
mod tests;
mod tile;

pub(crate) use kernel::{PixelCounts, Work, draw_visits};
pub(crate) use level::Instructions;
pub use level::SimdLevel;
pub(crate) use tile::Tile;
