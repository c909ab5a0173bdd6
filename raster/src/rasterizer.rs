//! The rasteriser: takes draws, keeps them pending, and draws them when somebody looks.

use std::num::NonZeroUsize;
use std::sync::Arc;

use rayon::prelude::*;

use crate::batch::{self, Batch, TileSize};
use crate::cpu::{self, PixelCounts, Scratch, Tile, Work};
use crate::draw::{Draw, Primitives, TextureLevel, VramRange};
use crate::hazard::PendingWrites;
use crate::setup::{EdgeBases, PixelRectangle, Primitive, Setup, TextureScale, Visit};
use crate::state::{LevelSize, StateFlags};
use crate::statistics::{FlushReason, Statistics};
use crate::texture::{Sampler, Texture, TextureCache};
use crate::vram::Vram;

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
    /// At once, pixel by pixel, each loaded from VRAM and stored there: slow, and what [`Self::Tiles`] has to agree
    /// with. Targets whose pixels overlap in memory are always drawn so.
    PixelByPixel,
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
    /// Primitives that are collected at most before they are drawn.
    pub batch_primitives: NonZeroUsize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            threads: Threads::Automatic,
            tile_size: TileSize::default(),
            method: Method::default(),
            batch_primitives: NonZeroUsize::MIN.saturating_add(0xFFFF),
        }
    }
}

/// Batches that cover fewer pixels than this are drawn on the caller's thread.
const PIXELS_WORTH_THREADS: i64 = 4096;

/// Draws primitives into VRAM.
///
/// Draws are set up at once and stay pending until their pixels can matter: whoever reads or writes VRAM
/// says so first with [`Self::before_read`], [`Self::before_write`] or [`Self::flush`].
///
/// A texture, or a palette taken from VRAM, shows what the draws before it left there. A primitive whose
/// texture lies where it draws samples what was there before that primitive (spec/ge-raster.md §8.9: what
/// hardware does depends on its cache).
///
/// ```
/// use raster::{
///     Draw, FlushReason, FrameFormat, PixelState, Primitives, Rasterizer, Scissor, ScreenVertex, StateFlags,
///     Subpixel, Target, Threads, Vram,
/// };
///
/// let state = PixelState {
///     flags: StateFlags::THROUGH,
///     target: Target { color_stride: 512, format: FrameFormat::RGBA8888, ..Target::default() },
///     scissor: Scissor { left: 0, top: 0, right: 479, bottom: 271 },
///     ..PixelState::default()
/// };
/// let corner = |x, y| ScreenVertex { x: Subpixel(16 * x), y: Subpixel(16 * y), color: 0xFF, ..ScreenVertex::default() };
/// let vertices = [corner(1, 0), corner(3, 1)];
/// let draw = Draw { state: &state, texture: None, vertices: &vertices, primitives: Primitives::Rectangles(&[[0, 1]]) };
///
/// let mut vram = Vram::default();
/// let mut rasterizer = Rasterizer::new(Threads::Automatic);
/// rasterizer.draw(&mut vram, &draw);
/// rasterizer.flush(&mut vram, FlushReason::Finished);
/// assert_eq!(vram.bytes()[..16], [0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]);
/// ```
#[derive(Debug)]
pub struct Rasterizer {
    tuning: Tuning,
    /// The threads, when there are several.
    pool: Option<rayon::ThreadPool>,
    batch: Batch,
    textures: TextureCache,
    tiles: Vec<Tile>,
    /// Records of the primitive that is being set up.
    fresh: Vec<(Primitive, EdgeBases)>,
    statistics: Statistics,
}

impl Rasterizer {
    /// A rasteriser with its own threads.
    #[must_use]
    pub fn new(threads: Threads) -> Self {
        Self::with_tuning(Tuning {
            threads,
            ..Tuning::default()
        })
    }

    /// A rasteriser that draws the same in a way to be chosen.
    #[must_use]
    pub fn with_tuning(tuning: Tuning) -> Self {
        let threads = match tuning.threads {
            Threads::Automatic => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            Threads::Count(count) => count.get(),
        };
        // Without threads, for whatever reason, the caller's does it all.
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
            .flatten();
        Self {
            tuning,
            pool,
            batch: Batch::new(tuning.tile_size),
            textures: TextureCache::new(),
            tiles: Vec::new(),
            fresh: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    /// What was counted so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Takes over a draw. May draw what is pending first.
    ///
    /// Primitives with an index beyond the vertices are left out.
    pub fn draw(&mut self, vram: &mut Vram, draw: &Draw<'_>) {
        self.statistics.draws += 1;
        if !self.batch.is_empty() && self.batch.target != draw.state.target {
            self.flush(vram, FlushReason::TargetChanged);
        }
        self.batch.target = draw.state.target;
        let mut current = CurrentDraw::new(draw);
        let vertex = |index: u32| draw.vertices.get(index as usize);
        match draw.primitives {
            Primitives::Points(points) => {
                self.statistics.points += points.len() as u64;
                for &index in points {
                    let Some(point) = vertex(index) else { continue };
                    self.submit(vram, &mut current, |setup, attributes, fresh| {
                        setup.point(point, attributes, |record| {
                            fresh.push((record, EdgeBases::default()))
                        });
                    });
                }
            }
            Primitives::Lines(lines) => {
                self.statistics.lines += lines.len() as u64;
                if draw.state.flags.contains(StateFlags::ANTIALIAS) {
                    self.statistics.antialiased_lines += lines.len() as u64;
                }
                for &[a, b] in lines {
                    let (Some(a), Some(b)) = (vertex(a), vertex(b)) else {
                        continue;
                    };
                    self.submit(vram, &mut current, |setup, attributes, fresh| {
                        setup.line([a, b], attributes, |record| {
                            fresh.push((record, EdgeBases::default()))
                        });
                    });
                }
            }
            Primitives::Triangles(triangles) => {
                self.statistics.triangles += triangles.len() as u64;
                for &[a, b, c] in triangles {
                    let (Some(a), Some(b), Some(c)) = (vertex(a), vertex(b), vertex(c)) else {
                        continue;
                    };
                    self.submit(vram, &mut current, |setup, attributes, fresh| {
                        fresh.extend(setup.triangle([a, b, c], attributes));
                    });
                }
            }
            Primitives::Rectangles(rectangles) => {
                self.statistics.rectangles += rectangles.len() as u64;
                for &[a, b] in rectangles {
                    let (Some(a), Some(b)) = (vertex(a), vertex(b)) else {
                        continue;
                    };
                    self.submit(vram, &mut current, |setup, attributes, fresh| {
                        setup.rectangle([a, b], attributes, |record| {
                            fresh.push((record, EdgeBases::default()))
                        });
                    });
                }
            }
        }
    }

    /// Draws what is pending if it writes into the range, which is about to be read.
    pub fn before_read(&mut self, vram: &mut Vram, range: VramRange, reason: FlushReason) {
        if self.pending().overlap(range, vram.translation()) {
            self.flush(vram, reason);
        }
    }

    /// Draws what is pending if it touches the range, which is about to be written.
    pub fn before_write(&mut self, vram: &mut Vram, range: VramRange, reason: FlushReason) {
        let touched = PendingWrites {
            color: true,
            depth: self.batch.uses_depth,
            ..self.pending()
        };
        if touched.overlap(range, vram.translation()) {
            self.flush(vram, reason);
        }
    }

    /// Draws what is pending.
    pub fn flush(&mut self, vram: &mut Vram, reason: FlushReason) {
        if self.batch.is_empty() {
            return;
        }
        self.statistics.count_flush(reason);
        let work = Work {
            primitives: &self.batch.primitives,
            attributes: &self.batch.attributes,
            states: &self.batch.states,
        };
        let target = self.batch.target;
        let with_depth = self.batch.uses_depth;
        let mut counts = PixelCounts::default();
        let area = self.batch.area;
        let pixels = i64::from(area.right - area.left) * i64::from(area.bottom - area.top);
        let tile_count = self.batch.tiles().len();
        match &self.pool {
            Some(pool) if pixels >= PIXELS_WORTH_THREADS && tile_count > 1 => {
                if self.tiles.len() < tile_count {
                    self.tiles.resize_with(tile_count, Tile::default);
                }
                let jobs: Vec<_> = self.batch.tiles().zip(&mut self.tiles).collect();
                let shared: &Vram = vram;
                counts = pool.install(|| {
                    jobs.into_par_iter()
                        .map(|((place, bin), tile)| {
                            tile.load(shared, &target, place, bin.area, with_depth);
                            draw_visits(tile, work, &bin.visits)
                        })
                        .reduce(PixelCounts::default, |mut sum, counts| {
                            sum.add(counts);
                            sum
                        })
                });
                for tile in &self.tiles[..tile_count] {
                    tile.store(vram, &target);
                }
            }
            _ => {
                if self.tiles.is_empty() {
                    self.tiles.push(Tile::default());
                }
                let tile = &mut self.tiles[0];
                for (place, bin) in self.batch.tiles() {
                    tile.load(vram, &target, place, bin.area, with_depth);
                    counts.add(draw_visits(tile, work, &bin.visits));
                    tile.store(vram, &target);
                }
            }
        }
        self.count_pixels(counts);
        self.batch.drain();
    }

    /// Sets up a primitive of the current draw and adds its records to the batch.
    fn submit(
        &mut self,
        vram: &mut Vram,
        current: &mut CurrentDraw<'_>,
        set_up: impl FnOnce(&Setup<'_>, &mut crate::setup::Attributes, &mut Vec<(Primitive, EdgeBases)>),
    ) {
        if self.batch.primitives.len() >= self.tuning.batch_primitives.get() {
            self.flush_during(vram, current, FlushReason::BatchFull);
        }
        if current.reads(&self.pending(), vram) {
            self.flush_during(vram, current, FlushReason::TextureRead);
        }
        if self.batch.is_empty() {
            self.batch.recycle();
            current.state_index = None;
        }
        let state_index = match current.state_index {
            Some(index) => index,
            None => self.enter_state(vram, current),
        };
        self.fresh.clear();
        let setup = current.setup.with_state_index(state_index);
        set_up(&setup, &mut self.batch.attributes, &mut self.fresh);
        if self.fresh.is_empty() {
            self.statistics.invisible_primitives += 1;
        }
        let fresh = std::mem::take(&mut self.fresh);
        for &(record, bases) in &fresh {
            self.place(vram, current, record, bases);
        }
        self.fresh = fresh;
    }

    /// Enters the state of the current draw in the batch, with its texture as it is now.
    fn enter_state(&mut self, vram: &Vram, current: &mut CurrentDraw<'_>) -> u32 {
        let texture = match current.texture.take() {
            Some(texture) => texture,
            None => current.find_texture(&mut self.textures, vram, &mut self.statistics),
        };
        let index = self
            .batch
            .state_index(current.draw.state, &texture, || current.sampler(&texture));
        current.texture = Some(texture);
        current.state_index = Some(index);
        index
    }

    /// Draws what is pending in the course of a draw, whose texture may change by it.
    fn flush_during(&mut self, vram: &mut Vram, current: &mut CurrentDraw<'_>, reason: FlushReason) {
        current.note_written(&self.pending(), vram);
        self.flush(vram, reason);
    }

    /// Adds a record to the bins, or draws it where that would be wrong.
    fn place(&mut self, vram: &mut Vram, current: &mut CurrentDraw<'_>, record: Primitive, bases: EdgeBases) {
        let pipeline = &self.batch.states[record.state as usize].pipeline;
        let uses_depth = pipeline.uses_depth();
        let alone = PendingWrites {
            target: self.batch.target,
            area: batch::rectangle(&record),
            color: pipeline.writes_color,
            depth: pipeline.writes_depth,
        };
        let together = PendingWrites {
            area: self.batch.area.union(alone.area),
            ..alone
        };
        let grows = together.area != self.batch.area || (uses_depth && !self.batch.uses_depth);
        if grows && together.overlap_themselves(uses_depth || self.batch.uses_depth, vram.translation()) {
            self.flush_during(vram, current, FlushReason::OverlappingTarget);
            if alone.overlap_themselves(uses_depth, vram.translation()) {
                self.statistics.count_flush(FlushReason::OverlappingTarget);
                current.note_written(&alone, vram);
                return self.draw_pixel_by_pixel(vram, record, bases);
            }
        }
        match self.tuning.method {
            Method::Tiles => self.batch.add(record, bases),
            Method::PixelByPixel => {
                current.note_written(&alone, vram);
                self.draw_pixel_by_pixel(vram, record, bases);
            }
        }
    }

    /// Draws a record on its own, row after row, so that each pixel sees what the ones before it wrote.
    fn draw_pixel_by_pixel(&mut self, vram: &mut Vram, record: Primitive, bases: EdgeBases) {
        let work = Work {
            primitives: &[record],
            attributes: &self.batch.attributes,
            states: &self.batch.states,
        };
        let with_depth = self.batch.states[record.state as usize].pipeline.uses_depth();
        let mut tile = Tile::default();
        let mut scratch = Scratch::new();
        let mut counts = PixelCounts::default();
        let area = batch::rectangle(&record);
        for y in area.top..area.bottom {
            for x in area.left..area.right {
                let Some(edges) = batch::edges_in_tile(&record, bases, (x, y), 1) else {
                    continue;
                };
                let pixel = PixelRectangle {
                    left: x,
                    top: y,
                    right: x + 1,
                    bottom: y + 1,
                };
                tile.load(vram, &self.batch.target, (x, y, 1), pixel, with_depth);
                counts.add(cpu::draw(
                    &mut tile,
                    work,
                    &Visit { primitive: 0, edges },
                    &mut scratch,
                ));
                tile.store(vram, &self.batch.target);
            }
        }
        self.count_pixels(counts);
    }

    fn count_pixels(&mut self, counts: PixelCounts) {
        self.statistics.pixels_covered += counts.covered;
        self.statistics.pixels_passed += counts.passed;
    }

    fn pending(&self) -> PendingWrites {
        PendingWrites {
            target: self.batch.target,
            area: self.batch.area,
            color: self.batch.writes_color,
            depth: self.batch.writes_depth,
        }
    }
}

fn draw_visits(tile: &mut Tile, work: Work<'_>, visits: &[Visit]) -> PixelCounts {
    let mut scratch = Scratch::new();
    let mut counts = PixelCounts::default();
    for visit in visits {
        counts.add(cpu::draw(tile, work, visit, &mut scratch));
    }
    counts
}

/// A draw that is being taken over.
struct CurrentDraw<'a> {
    draw: &'a Draw<'a>,
    setup: Setup<'a>,
    /// The levels in use; none without a texture that can be sampled.
    levels: &'a [TextureLevel<'a>],
    scale: Option<TextureScale>,
    /// The texture as it was when last looked at.
    texture: Option<Arc<Texture>>,
    /// The state's index in the batch, while it has one.
    state_index: Option<u32>,
}

impl<'a> CurrentDraw<'a> {
    fn new(draw: &'a Draw<'a>) -> Self {
        let flags = draw.state.flags;
        let textured = flags.contains(StateFlags::TEXTURE) && !flags.contains(StateFlags::CLEAR);
        let highest = if flags.contains(StateFlags::MIPMAP) {
            draw.state.texture.highest_level.min(7)
        } else {
            0
        };
        let levels = match &draw.texture {
            Some(source) if textured && source.format != crate::TextureFormat::INVALID => {
                &source.levels[..source.levels.len().min(usize::from(highest) + 1)]
            }
            _ => &[],
        };
        let limited = |size: LevelSize| LevelSize {
            log2_width: size.log2_width.min(15),
            log2_height: size.log2_height.min(15),
        };
        let scale = levels.first().map(|first| {
            let mut largest = limited(first.size);
            for level in levels {
                largest.log2_width = largest.log2_width.max(limited(level.size).log2_width);
                largest.log2_height = largest.log2_height.max(limited(level.size).log2_height);
            }
            TextureScale {
                first: limited(first.size),
                largest,
            }
        });
        Self {
            draw,
            setup: Setup::new(draw.state, scale),
            levels,
            scale,
            texture: None,
            state_index: None,
        }
    }

    /// Whether the texture lies where something is written.
    fn reads(&self, written: &PendingWrites, vram: &Vram) -> bool {
        let mut ranges = self.levels.iter().filter_map(|level| level.vram);
        ranges.any(|range| written.overlap(range, vram.translation()))
    }

    /// Has the texture looked at anew by the next primitive, if it lies where something is written.
    fn note_written(&mut self, written: &PendingWrites, vram: &Vram) {
        if self.reads(written, vram) {
            (self.texture, self.state_index) = (None, None);
        }
    }

    fn find_texture(
        &self,
        textures: &mut TextureCache,
        vram: &Vram,
        statistics: &mut Statistics,
    ) -> Arc<Texture> {
        match &self.draw.texture {
            Some(source) if !self.levels.is_empty() => {
                textures.get(source, self.levels.len(), vram, statistics)
            }
            _ => textures.null(),
        }
    }

    fn sampler(&self, texture: &Texture) -> Sampler {
        let mut sizes = [LevelSize::default(); 8];
        for (size, level) in sizes.iter_mut().zip(self.levels) {
            *size = level.size;
        }
        let largest = self.scale.map_or(LevelSize::default(), |scale| scale.largest);
        Sampler::new(
            self.draw.state.flags,
            &self.draw.state.texture,
            texture,
            &sizes[..self.levels.len()],
            largest,
        )
    }
}
