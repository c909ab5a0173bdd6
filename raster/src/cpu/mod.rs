//! The back end for processors: the definition of what a record draws.

mod blend;
mod compare;
mod coverage;
mod dither;
mod fog;
mod interpolate;
mod kernel;
mod logic;
mod pipeline;
mod quotient;
mod stencil;
mod texture_function;
mod texturing;
mod tile;

use std::sync::Arc;

#[cfg(all(test, feature = "gpu"))]
pub(crate) use compare::passes;
pub(crate) use kernel::{PixelCounts, Scratch, Work, draw};
pub(crate) use pipeline::Pipeline;
pub(crate) use pipeline::{AlphaSource, Blending, Stencil};
pub(crate) use quotient::{by_reciprocal as quotient_by_reciprocal, exact, exact_finer};
pub(crate) use texture_function::Combiner;
pub(crate) use tile::{Tile, color_offset};

use crate::texture::{Sampler, Texture};

/// A state of a batch, ready for the kernel.
#[derive(Clone, Debug)]
pub(crate) struct DrawState {
    pub(crate) pipeline: Pipeline,
    pub(crate) sampler: Sampler,
    pub(crate) texture: Arc<Texture>,
}

/// Something of red, green and blue. Unlike a map over an array it is certain to be inlined.
#[inline(always)]
fn each<T>(component: impl Fn(usize) -> T) -> [T; 3] {
    [component(0), component(1), component(2)]
}
