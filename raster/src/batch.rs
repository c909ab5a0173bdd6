//! A batch: the primitives that are pending, in the form that back ends take (spec/gpu-notes.md §1, §5).

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::compiled::{DrawState, Pipeline};
use crate::setup::{Attributes, EdgeBases, PixelRectangle, Primitive, PrimitiveFlags, Visit};
use crate::state::{PixelState, Target};
use crate::texture::{FastHash, Sampler, Texture};

/// Columns and rows that a scissor can reach.
const FRAME: i32 = 1024;

/// Edge values stay within this, so that steps inside a tile keep them in 32 bits and their sign right
/// (spec/ge-raster.md §17.2): a step is at most 2^21, a tile has at most 64 of them in each direction.
const EDGE_LIMIT: i64 = 1 << 30;

/// The side of a tile in pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TileSize {
    /// 16.
    Small,
    /// 32.
    Medium,
    /// 64: the fewest visits, and colours and depths still fit a core's first cache.
    #[default]
    Large,
}

impl TileSize {
    pub(crate) const fn pixels(self) -> i32 {
        match self {
            Self::Small => 16,
            Self::Medium => 32,
            Self::Large => 64,
        }
    }
}

/// What a batch may hold at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Capacity {
    pub(crate) primitives: usize,
    pub(crate) visits: usize,
    /// Words of all attributes.
    pub(crate) attributes: usize,
    pub(crate) states: usize,
    /// Texels of all textures.
    pub(crate) texels: usize,
}

impl Capacity {
    /// Where only memory is a limit.
    pub(crate) const UNLIMITED: Self = Self {
        primitives: usize::MAX,
        visits: usize::MAX,
        attributes: usize::MAX,
        states: usize::MAX,
        texels: usize::MAX,
    };
}

/// The primitives that touch a tile, in the order of submission.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bin {
    pub(crate) visits: Vec<Visit>,
    /// A rectangle around them, inside the tile.
    pub(crate) area: PixelRectangle,
}

/// A state and the address of its texture, which the batch's states keep alive. States are equal where their bytes are.
#[derive(Clone, Copy, Debug)]
struct StateKey {
    state: PixelState,
    texture: usize,
}

impl PartialEq for StateKey {
    fn eq(&self, other: &Self) -> bool {
        self.texture == other.texture && bytemuck::bytes_of(&self.state) == bytemuck::bytes_of(&other.state)
    }
}

impl Eq for StateKey {}

impl Hash for StateKey {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(bytemuck::bytes_of(&self.state));
        hasher.write_usize(self.texture);
    }
}

/// Pending primitives with all that they refer to.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) target: Target,
    pub(crate) primitives: Vec<Primitive>,
    pub(crate) attributes: Attributes,
    pub(crate) states: Vec<DrawState>,
    /// The indices of the states.
    state_indices: HashMap<StateKey, u32, FastHash>,
    /// The state that was asked for last.
    last_state: Option<(StateKey, u32)>,
    /// The addresses of the textures.
    textures: HashSet<usize, FastHash>,
    /// Texels of all of them.
    texels: usize,
    /// Visits in all bins.
    visits: usize,
    /// A rectangle around all primitives in the bins; empty when those are.
    pub(crate) area: PixelRectangle,
    /// Whether some primitive in the bins looks at stored depth; the next ones likewise.
    pub(crate) uses_depth: bool,
    pub(crate) writes_color: bool,
    pub(crate) writes_depth: bool,
    tile_size: i32,
    tile_columns: i32,
    bins: Vec<Bin>,
    /// Tiles whose bins are not empty.
    active: Vec<u32>,
}

impl Batch {
    /// For tiles whose side is a power of two up to 64.
    pub(crate) fn new(tile_size: i32) -> Self {
        let tile_columns = FRAME / tile_size;
        Self {
            target: Target::default(),
            primitives: Vec::new(),
            attributes: Attributes::default(),
            states: Vec::new(),
            state_indices: HashMap::default(),
            last_state: None,
            textures: HashSet::default(),
            texels: 0,
            visits: 0,
            area: PixelRectangle::default(),
            uses_depth: false,
            writes_color: false,
            writes_depth: false,
            tile_size,
            tile_columns,
            bins: vec![Bin::default(); (tile_columns * tile_columns) as usize],
            active: Vec::new(),
        }
    }

    /// Whether nothing is pending.
    pub(crate) fn is_empty(&self) -> bool {
        self.active.is_empty()
    }

    /// The index of a state with its texture; makes an entry if there is none yet.
    pub(crate) fn state_index(
        &mut self,
        state: &PixelState,
        texture: &Arc<Texture>,
        sampler: impl FnOnce() -> Sampler,
    ) -> u32 {
        let key = StateKey {
            state: *state,
            texture: Arc::as_ptr(texture).addr(),
        };
        if let Some((_, index)) = self.last_state.filter(|(last, _)| *last == key) {
            return index;
        }
        let next = self.states.len() as u32;
        let index = *self.state_indices.entry(key).or_insert(next);
        if index == next {
            if self.textures.insert(Arc::as_ptr(texture).addr()) {
                self.texels += texture.texel_count();
            }
            self.states.push(DrawState {
                pipeline: Pipeline::new(state),
                sampler: sampler(),
                texture: Arc::clone(texture),
            });
        }
        self.last_state = Some((key, index));
        index
    }

    /// Adds a primitive to the bins of the tiles that it may touch. One that touches none leaves the batch as it is: what
    /// the batch says of its pixels holds for those in its bins, and for nothing when they are empty.
    pub(crate) fn add(&mut self, primitive: Primitive, bases: EdgeBases) {
        let index = self.primitives.len() as u32;
        let area = rectangle(&primitive);
        let visits_before = self.visits;
        let size = self.tile_size;
        for row in area.top / size..=(area.bottom - 1) / size {
            for column in area.left / size..=(area.right - 1) / size {
                let (left, top) = (column * size, row * size);
                let Some(edges) = edges_in_tile(&primitive, bases, (left, top), size) else {
                    continue;
                };
                let tile = row * self.tile_columns + column;
                let bin = &mut self.bins[tile as usize];
                if bin.visits.is_empty() {
                    self.active.push(tile as u32);
                }
                self.visits += 1;
                bin.visits.push(Visit {
                    primitive: index,
                    edges,
                });
                let whole = PixelRectangle {
                    left,
                    top,
                    right: left + size,
                    bottom: top + size,
                };
                bin.area = bin.area.union(area.intersection(whole));
            }
        }
        if self.visits == visits_before {
            return;
        }
        let pipeline = &self.states[primitive.state as usize].pipeline;
        self.uses_depth |= pipeline.uses_depth();
        self.writes_color |= pipeline.writes_color;
        self.writes_depth |= pipeline.writes_depth;
        self.area = self.area.union(area);
        self.primitives.push(primitive);
    }

    /// The tiles that are touched: left column, top row, side, and what is to be drawn there.
    pub(crate) fn tiles(&self) -> impl ExactSizeIterator<Item = ((i32, i32, i32), &Bin)> {
        self.active.iter().map(|&tile| {
            let (row, column) = (tile as i32 / self.tile_columns, tile as i32 % self.tile_columns);
            (
                (column * self.tile_size, row * self.tile_size, self.tile_size),
                &self.bins[tile as usize],
            )
        })
    }

    /// Empties the bins: all in them is drawn. What primitives refer to stays until [`Self::recycle`].
    pub(crate) fn drain(&mut self) {
        for &tile in &self.active {
            let bin = &mut self.bins[tile as usize];
            bin.visits.clear();
            bin.area = PixelRectangle::default();
        }
        self.active.clear();
        self.visits = 0;
        self.area = PixelRectangle::default();
        (self.uses_depth, self.writes_color, self.writes_depth) = (false, false, false);
    }

    /// Texels of all textures.
    #[cfg(feature = "gpu")]
    pub(crate) fn texels(&self) -> usize {
        self.texels
    }

    /// Visits in all bins.
    #[cfg(feature = "gpu")]
    pub(crate) fn visits(&self) -> usize {
        self.visits
    }

    /// Forgets primitives, attributes and states.
    pub(crate) fn recycle(&mut self) {
        self.primitives.clear();
        self.attributes.clear();
        self.states.clear();
        self.state_indices.clear();
        self.last_state = None;
        self.textures.clear();
        self.texels = 0;
    }

    /// Whether there is room for a primitive.
    pub(crate) fn has_room_for(&self, capacity: &Capacity, primitive: &Primitive) -> bool {
        let area = rectangle(primitive);
        let tiles = |from: i32, to: i32| ((to - 1) / self.tile_size - from / self.tile_size + 1) as usize;
        let visits = tiles(area.left, area.right) * tiles(area.top, area.bottom);
        self.visits + visits <= capacity.visits && self.primitives.len() < capacity.primitives
    }

    /// Whether there is room for one more state, with a texture.
    pub(crate) fn has_room_for_state(&self, capacity: &Capacity, texture: &Arc<Texture>) -> bool {
        let texels = if self.textures.contains(&Arc::as_ptr(texture).addr()) {
            0
        } else {
            texture.texel_count()
        };
        self.states.len() < capacity.states && self.texels + texels <= capacity.texels
    }
}

/// The pixel rectangle of a primitive.
pub(crate) fn rectangle(primitive: &Primitive) -> PixelRectangle {
    PixelRectangle {
        left: i32::from(primitive.left),
        top: i32::from(primitive.top),
        right: i32::from(primitive.right),
        bottom: i32::from(primitive.bottom),
    }
}

/// The edges of a primitive at the first pixel of a tile, saturated; none if the tile lies outside one of them.
pub(crate) fn edges_in_tile(
    primitive: &Primitive,
    bases: EdgeBases,
    (left, top): (i32, i32),
    size: i32,
) -> Option<[i32; 3]> {
    if !primitive.flags.contains(PrimitiveFlags::EDGES) {
        return Some([0; 3]);
    }
    let mut edges = [0; 3];
    for (edge, (step, base)) in edges.iter_mut().zip(primitive.edges.iter().zip(bases)) {
        let (right, down) = (i64::from(step.right), i64::from(step.down));
        let value = base + right * i64::from(left) + down * i64::from(top);
        if value + (right.max(0) + down.max(0)) * i64::from(size - 1) < 0 {
            return None;
        }
        *edge = value.clamp(-EDGE_LIMIT, EDGE_LIMIT) as i32;
    }
    Some(edges)
}
