//! What was handed to a device and has not come back: enough to draw it again without the device.

use std::collections::HashMap;
use std::sync::Arc;

use crate::batch::Batch;
use crate::compiled::DrawState;
use crate::setup::{Attributes, PixelRectangle, Primitive, Visit};
use crate::state::Target;
use crate::statistics::Statistics;
use crate::texture::{OwnedSource, Texture, TextureCache};
use crate::vram::Vram;
use crate::wide::{self, PixelCounts, SimdLevel, Tile, Work};

use super::records::TileRecord;

/// The side of a tile in pixels, as the shader has it.
pub(super) const TILE: i32 = 8;

/// Textures by the address of those that they stand for, which had no texels.
pub(crate) type Replacements = HashMap<usize, Arc<Texture>>;

/// Something that a device did.
#[derive(Debug)]
pub(super) enum Entry {
    /// It drew.
    Batch(FlatBatch),
    /// It decoded a texture.
    Decode {
        texture: Arc<Texture>,
        source: OwnedSource,
    },
}

impl Entry {
    /// Does it on the processor.
    pub(super) fn redo(&mut self, vram: &mut Vram, decoded: &mut Replacements) -> PixelCounts {
        match self {
            Self::Batch(batch) => {
                replace(&mut batch.states, decoded);
                batch.draw(vram)
            }
            Self::Decode { texture, source } => {
                let levels = texture.levels.len();
                let again = source
                    .with(|source| TextureCache::new().get(source, levels, vram, &mut Statistics::default()));
                decoded.insert(Arc::as_ptr(texture).addr(), again);
                PixelCounts::default()
            }
        }
    }
}

/// Gives states textures that have texels.
pub(crate) fn replace(states: &mut [DrawState], replacements: &Replacements) {
    for state in states {
        if let Some(texture) = replacements.get(&Arc::as_ptr(&state.texture).addr()) {
            state.texture = Arc::clone(texture);
        }
    }
}

/// A batch, its bins one behind the other.
#[derive(Debug, Default)]
pub(super) struct FlatBatch {
    pub(super) target: Target,
    pub(super) uses_depth: bool,
    pub(super) primitives: Vec<Primitive>,
    pub(super) attributes: Attributes,
    pub(super) states: Vec<DrawState>,
    pub(super) tiles: Vec<TileRecord>,
    pub(super) visits: Vec<Visit>,
    /// What is drawn of each tile.
    areas: Vec<PixelRectangle>,
}

impl FlatBatch {
    /// Copies a batch whose tiles have the shader's size.
    pub(super) fn fill(&mut self, batch: &Batch) {
        self.target = batch.target;
        self.uses_depth = batch.uses_depth;
        self.primitives.clone_from(&batch.primitives);
        self.attributes.clone_from(&batch.attributes);
        self.states.clone_from(&batch.states);
        self.tiles.clear();
        self.visits.clear();
        self.areas.clear();
        for ((left, top, _), bin) in batch.tiles() {
            self.tiles.push(TileRecord {
                left: left as u32,
                top: top as u32,
                first: self.visits.len() as u32,
                count: bin.visits.len() as u32,
            });
            self.areas.push(bin.area);
            self.visits.extend_from_slice(&bin.visits);
        }
    }

    /// Draws it on the processor.
    pub(super) fn draw(&self, vram: &mut Vram) -> PixelCounts {
        let work = Work {
            primitives: &self.primitives,
            attributes: &self.attributes,
            states: &self.states,
        };
        let simd = SimdLevel::default().resolve();
        let mut tile = Tile::default();
        let mut counts = PixelCounts::default();
        for (record, &area) in self.tiles.iter().zip(&self.areas) {
            let place = (record.left as i32, record.top as i32, TILE);
            tile.load(vram, &self.target, place, area, self.uses_depth);
            let first = record.first as usize;
            let visits = &self.visits[first..first + record.count as usize];
            counts.add(wide::draw_visits(simd, &mut tile, work, visits));
            tile.store(vram, &self.target);
        }
        counts
    }

    /// Bytes that it keeps, textures aside.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.primitives) + size_of_val(&*self.visits) + 4 * self.attributes.words()
    }

    /// Lets go of textures, and keeps its memory for another batch.
    pub(super) fn empty(&mut self) {
        self.states.clear();
    }
}
