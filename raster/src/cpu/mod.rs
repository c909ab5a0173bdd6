//! The back end for processors: spans of pixels in tiles.

mod coverage;
mod interpolate;
mod kernel;
mod texturing;
mod tile;

pub(crate) use kernel::{PixelCounts, Scratch, Work, draw};
pub(crate) use tile::Tile;

#[cfg(feature = "gpu")]
pub(crate) use crate::compiled::{AlphaSource, Blending};
pub(crate) use crate::compiled::{DrawState, Pipeline};
#[cfg(all(test, feature = "gpu"))]
pub(crate) use crate::reference::passes;
#[cfg(feature = "gpu")]
pub(crate) use crate::reference::{by_reciprocal as quotient_by_reciprocal, exact, exact_finer};

/// Something of red, green and blue. Unlike a map over an array it is certain to be inlined.
#[inline(always)]
fn each<T>(component: impl Fn(usize) -> T) -> [T; 3] {
    [component(0), component(1), component(2)]
}
