//! Rasterises screen-space primitives as the PSP's Graphics Engine does.
//!
//! The crate starts where a primitive has vertices on the screen and ends where bytes change in
//! VRAM. It knows no addresses of the PSP and no display lists: a [`Draw`] brings the
//! [`PixelState`], the vertices, the primitives and the texture's bytes; everything else is an
//! offset in [`Vram`].
//!
//! After the set-up everything is integers, so that every back end, width and number of threads
//! gives the same bits.
//!
//! With the feature `gpu` a `Gpu` can draw instead: `Rasterizer::with_gpu`.
#![forbid(unsafe_code)]

mod batch;
mod change;
mod code;
mod compiled;
mod draw;
mod format;
#[cfg(feature = "gpu")]
mod gpu;
mod hazard;
mod history;
mod ppsspp;
mod profile;
mod rasterizer;
mod reference;
mod setup;
mod state;
mod statistics;
mod texture;
mod vram;
mod wide;

pub use batch::TileSize;
pub use change::{Change, PageChanges};
pub use code::{
    BlendEquation, BlendFactor, ColorTestFunction, CompareFunction, FrameFormat, LevelMode, LogicOperation,
    StencilOperation, TextureFormat, TextureFunction,
};
pub use draw::{
    Clut, Draw, Primitives, ScreenVertex, Stamp, Subpixel, TexelOrder, TextureLevel, TextureSource, VramRange,
};
#[cfg(feature = "gpu")]
pub use gpu::{AdapterChoice, AdapterDescription, AdapterKind, Gpu, GpuError, GpuOptions, adapters};
pub use history::{Fragment, PixelValue, PrimitiveKind, Step};
pub use profile::Profile;
pub use rasterizer::{Method, Rasterizer, Threads, Tuning};
pub use state::{
    Blend, ColorTest, LevelSize, MaskedTest, PixelState, Scissor, StateFlags, StencilOperations, Target,
    TextureState,
};
pub use statistics::{DeviceStatistics, FlushReason, Statistics};
pub use texture::Texels;
pub use vram::{EdramTranslation, Vram};
pub use wide::SimdLevel;
