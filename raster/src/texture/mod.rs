//! Textures: from bytes to texels in 8888, and from there to what a filter sees.

mod cache;
mod decode;
#[cfg(feature = "gpu")]
mod device;
mod dxt;
mod hash;
mod memo;
mod palette;
mod sample;
mod texels;

pub(crate) use cache::TextureCache;
#[cfg(feature = "gpu")]
pub(crate) use device::{DeviceDecode, LevelRecord, OwnedSource};
pub(crate) use hash::FastHash;
pub(crate) use sample::{Filter, LevelChoice, LevelView, Sampler, choose_level};
pub use texels::Texels;

/// A texture as texels of 8888, ready to be sampled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Texture {
    /// The levels from 0 on, at least one.
    pub(crate) levels: Vec<Level>,
    /// All texels, level after level, row after row; none where they are on a device alone.
    pub(crate) texels: Vec<u32>,
}

/// Where a level's texels are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    /// Index of its first texel.
    pub(crate) first: u32,
    /// Base-2 logarithm of its width in texels, 0..=9.
    pub(crate) log2_width: u32,
    /// Base-2 logarithm of its height in texels, 0..=9.
    pub(crate) log2_height: u32,
}

impl Texture {
    /// Whether a device decoded it, which alone has its texels.
    pub(crate) fn is_on_device(&self) -> bool {
        self.texels.is_empty()
    }

    /// Texels of all levels.
    pub(crate) fn texel_count(&self) -> usize {
        let sizes = self
            .levels
            .iter()
            .map(|level| level.log2_width + level.log2_height);
        sizes.map(|log2_size| 1 << log2_size).sum()
    }

    /// What stands for a texture that cannot be read: colour and alpha 0 everywhere (spec/ge-raster.md §8.9).
    pub(crate) fn null() -> Self {
        Self {
            levels: vec![Level {
                first: 0,
                log2_width: 0,
                log2_height: 0,
            }],
            texels: vec![0],
        }
    }
}
