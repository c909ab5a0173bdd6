//! The state of a draw, compiled: made once per change of state, read by every kernel and by the shader.
//!
//! A [`PixelState`] is registers. A [`DrawState`] is what they come to: steps without an effect are left out, codes that do
//! the same are one, and the texture is decoded. No kernel looks at registers.
//!
//! [`PixelState`]: crate::state::PixelState

mod blending;
mod dither;
mod pipeline;

use std::sync::Arc;

pub(crate) use blending::Blending;
pub(crate) use pipeline::{AlphaSource, Combiner, Pipeline, Stencil};

use crate::texture::{Sampler, Texture};

/// A state of a batch, with its texture.
#[derive(Clone, Debug)]
pub(crate) struct DrawState {
    pub(crate) pipeline: Pipeline,
    pub(crate) sampler: Sampler,
    pub(crate) texture: Arc<Texture>,
}
