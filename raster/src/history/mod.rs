//! The history of a pixel: what each primitive that covers a place in VRAM did there, step by step.
//!
//! Nothing is computed a second time: primitives that cover a watched place are drawn by the reference kernel, which
//! tells its steps to a [`Trace`].

mod fragment;
mod trace;
mod watch;

pub use fragment::{Fragment, PixelValue, PrimitiveKind, Step};
pub(crate) use trace::{Steps, Trace};
pub(crate) use watch::Watch;
