//! What may be chosen about drawing, without a pixel changing.

use std::num::NonZeroUsize;

use crate::batch::TileSize;
use crate::wide::SimdLevel;

/// How many threads draw. The pixels do not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Threads {
    /// As many as the machine runs at a time.
    #[default]
    Automatic,
    /// So many; one draws on the caller's thread.
    Count(NonZeroUsize),
}

/// How primitives are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Collected, sorted into tiles, and drawn tile by tile.
    #[default]
    Tiles,
    /// At once, pixel by pixel, each loaded from VRAM and stored there, by a kernel of its own that is the definition:
    /// slow, and what [`Self::Tiles`] has to agree with. Targets whose pixels overlap in memory are always drawn so.
    Reference,
}

/// What may be chosen without a pixel changing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tuning {
    /// How many threads draw.
    pub threads: Threads,
    /// The side of a tile.
    pub tile_size: TileSize,
    /// How primitives are drawn.
    pub method: Method,
    /// The instructions that the kernel uses.
    pub simd: SimdLevel,
    /// Primitives that are collected at most before they are drawn.
    pub batch_primitives: NonZeroUsize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            threads: Threads::Automatic,
            tile_size: TileSize::default(),
            method: Method::default(),
            simd: SimdLevel::default(),
            batch_primitives: NonZeroUsize::MIN.saturating_add(0xFFFF),
        }
    }
}
