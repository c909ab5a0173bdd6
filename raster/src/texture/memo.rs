//! Textures and bytes known again by where they are and when that changed last, without a look at them.

use std::collections::HashMap;
use std::sync::Arc;

use super::Texture;
use super::decode::{Layout, LevelBytes};
use super::hash::{FastHash, Hasher};
use crate::change::Change;
use crate::draw::{Clut, Stamp, TexelOrder};
use crate::vram::EdramTranslation;

/// Places whose hash is kept at most.
const CAPACITY: usize = 4096;

/// Where the bytes of a texture are, and how they are read as texels: with a [`Version`] all that hashing them looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    layout: u64,
    levels: [[u64; 2]; 8],
    count: usize,
}

/// The latest change of each level's bytes.
pub(super) type Version = [Change; 8];

/// A palette as a draw describes it; equal keys, equal colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PaletteKey {
    parameters: u64,
    change: Change,
}

impl Place {
    /// No levels yet, in a format and order, and of a VRAM with that translation.
    pub(super) fn new(layout: Layout, translation: EdramTranslation) -> Self {
        let swizzled = layout.order == TexelOrder::Swizzled;
        let translation = translation.width().map_or(0, |width| u64::from(width) + 1);
        Self {
            layout: u64::from(layout.format.code()) | (u64::from(swizzled) << 8) | (translation << 16),
            levels: [[0; 2]; 8],
            count: 0,
        }
    }

    /// Adds a level: its place, and its shape, of whose bytes only the number counts.
    pub(super) fn push(&mut self, stamp: Stamp, in_vram: bool, length: usize, shape: &LevelBytes<'_>) {
        let size = shape.size;
        if let Some(level) = self.levels.get_mut(self.count) {
            let length = u64::from(u32::try_from(length).unwrap_or(u32::MAX));
            let sizes =
                u64::from(size.sampled_width().ilog2()) << 4 | u64::from(size.sampled_height().ilog2());
            *level = [
                stamp.place,
                length | u64::from(shape.buffer_width) << 32 | sizes << 48 | u64::from(in_vram) << 63,
            ];
            self.count += 1;
        }
    }
}

impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.layout);
        for level in &self.levels[..self.count] {
            state.write_u64(level[0]);
            state.write_u64(level[1]);
        }
    }
}

impl PaletteKey {
    /// The key of a palette; `None` where nobody knows when it changed. `indexed` says whether texels are looked up in it
    /// at all.
    pub(super) fn of(clut: &Clut<'_>, indexed: bool) -> Option<Self> {
        if !indexed {
            return Some(Self {
                parameters: 0,
                change: Change::NONE,
            });
        }
        let bytes = [
            1,
            clut.format.code(),
            clut.shift,
            clut.mask,
            clut.start,
            clut.per_level.into(),
            0,
            0,
        ];
        Some(Self {
            parameters: u64::from_le_bytes(bytes),
            change: clut.change?,
        })
    }
}

/// The texture of the draw before.
#[derive(Debug)]
struct Last {
    place: Place,
    version: Version,
    palette: PaletteKey,
    texture: Arc<Texture>,
}

/// What is known of places.
#[derive(Debug, Default)]
pub(super) struct Memo {
    last: Option<Last>,
    hashes: HashMap<Place, (Version, u128), FastHash>,
    palette: Option<(PaletteKey, Layout, usize, u128)>,
}

impl Memo {
    /// The texture of the draw before, if it is this one too.
    pub(super) fn last(
        &self,
        place: &Place,
        version: &Version,
        palette: PaletteKey,
    ) -> Option<&Arc<Texture>> {
        let last = self.last.as_ref()?;
        let same = last.version == *version && last.palette == palette && last.place == *place;
        same.then_some(&last.texture)
    }

    /// Keeps a texture for the draw after it.
    pub(super) fn set_last(
        &mut self,
        place: Place,
        version: Version,
        palette: PaletteKey,
        texture: &Arc<Texture>,
    ) {
        self.last = Some(Last {
            place,
            version,
            palette,
            texture: Arc::clone(texture),
        });
    }

    /// The hash of the bytes at a place, if they are still of that version.
    pub(super) fn hash(&self, place: &Place, version: &Version) -> Option<u128> {
        let &(known, hash) = self.hashes.get(place)?;
        (known == *version).then_some(hash)
    }

    /// Keeps the hash of the bytes at a place.
    pub(super) fn set_hash(&mut self, place: Place, version: Version, hash: u128) {
        if self.hashes.len() >= CAPACITY {
            self.hashes.clear();
        }
        self.hashes.insert(place, (version, hash));
    }

    /// The hash of a palette's colours for so many levels: of the palette before, if it is this one.
    pub(super) fn palette_hash(
        &mut self,
        key: Option<PaletteKey>,
        layout: Layout,
        level_count: usize,
        hash: impl FnOnce(&mut Hasher),
    ) -> u128 {
        if let (Some(key), Some((last, last_layout, last_count, hash))) = (key, self.palette)
            && (key, layout, level_count) == (last, last_layout, last_count)
        {
            return hash;
        }
        let mut hasher = Hasher::new();
        hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(key) = key {
            self.palette = Some((key, layout, level_count, hash));
        }
        hash
    }
}
