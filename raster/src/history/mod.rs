//! The history of a pixel: what each primitive that covers a place in VRAM did there, step by step.
//!
//! Nothing is computed a second time: primitives that cover a watched place are drawn pixel by pixel, and the kernel
//! tells its steps to a [`Trace`].

mod fragment;
mod trace;
mod watch;

pub use fragment::{Fragment, PixelValue, PrimitiveKind, Step};
pub(crate) use trace::{Steps, Trace};
pub(crate) use watch::Watch;
