//! The rasteriser: takes draws, keeps them pending, and draws them when somebody looks.

mod current;
mod offload;
mod submit;
mod tuning;

pub use tuning::{Method, Threads, Tuning};

use std::num::NonZeroUsize;

use rayon::prelude::*;

use crate::batch::Batch;
use crate::draw::{Draw, Primitives, VramRange};
use crate::hazard::PendingWrites;
use crate::history::{Fragment, Watch};
use crate::profile::{Profile, in_rules};
use crate::setup::{EdgeBases, Primitive, Rules};
use crate::state::StateFlags;
use crate::statistics::{FlushReason, Statistics};
use crate::texture::TextureCache;
use crate::vram::Vram;
use crate::wide::{self, Instructions, PixelCounts, Tile, Work};
use current::CurrentDraw;

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
///     Draw, FlushReason, FrameFormat, PixelState, Primitives, Profile, Rasterizer, Scissor, ScreenVertex, StateFlags,
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
/// let mut rasterizer = Rasterizer::new(Profile::Hardware, Threads::Automatic);
/// rasterizer.draw(&mut vram, &draw);
/// rasterizer.flush(&mut vram, FlushReason::Finished);
/// assert_eq!(vram.bytes()[..16], [0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]);
/// ```
#[derive(Debug)]
pub struct Rasterizer {
    profile: Profile,
    tuning: Tuning,
    /// The GPU that draws instead, where there is one.
    #[cfg(feature = "gpu")]
    offload: offload::Offload,
    /// The threads, when there are several.
    pool: Option<rayon::ThreadPool>,
    batch: Batch,
    textures: TextureCache,
    tiles: Vec<Tile>,
    /// The instructions that the kernel uses.
    simd: Instructions,
    /// Records of the primitive that is being set up.
    fresh: Vec<(Primitive, EdgeBases)>,
    statistics: Statistics,
    /// What primitives may still cost: see [`Self::set_allowance`].
    allowance: u64,
    /// Whose history is written: see [`Self::watch`].
    watch: Option<Watch>,
}

impl Rasterizer {
    /// A rasteriser that draws a profile's pixels, with its own threads.
    #[must_use]
    pub fn new(profile: Profile, threads: Threads) -> Self {
        Self::with_tuning(
            profile,
            Tuning {
                threads,
                ..Tuning::default()
            },
        )
    }

    /// A rasteriser that draws the same in a way to be chosen.
    #[must_use]
    pub fn with_tuning(profile: Profile, tuning: Tuning) -> Self {
        Self::of_tile_size(profile, tuning, tuning.tile_size.pixels())
    }

    fn of_tile_size(profile: Profile, tuning: Tuning, tile_size: i32) -> Self {
        let threads = match tuning.threads {
            Threads::Automatic => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            Threads::Count(count) => count.get(),
        };
        // Without threads, for whatever reason, the caller's does it all.
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
            .flatten();
        Self {
            profile,
            tuning,
            #[cfg(feature = "gpu")]
            offload: offload::Offload::default(),
            pool,
            batch: Batch::new(tile_size),
            textures: TextureCache::new(),
            tiles: Vec::new(),
            simd: tuning.simd.resolve(),
            fresh: Vec::new(),
            statistics: Statistics::default(),
            allowance: u64::MAX,
            watch: None,
        }
    }

    /// From now on primitives may cost so many pixels; what comes after is left out. For callers who draw what they
    /// do not trust: one draw can ask for hours of work.
    ///
    /// A primitive costs the pixels of its bounding rectangles. The texture of a draw costs a pixel for each 8 texels
    /// of the levels in use: once, or for each primitive where the draw may write, inside its scissor, to where the
    /// texture lies. Whether it is known already makes no difference, nor does who draws.
    pub fn set_allowance(&mut self, pixels: u64) {
        self.allowance = pixels;
    }

    /// What is left of the allowance. At 0 primitives may have been left out.
    #[must_use]
    pub fn allowance(&self) -> u64 {
        self.allowance
    }

    /// From now on writes down what primitives do to a place of VRAM: the bytes of a pixel, four at most, as the primary
    /// copy shows them. Nothing is watched when `None`. The pixels drawn are the same; primitives that cover
    /// the place are drawn at once and pixel by pixel, which is slow.
    ///
    /// What a depth buffer writes there is not looked for.
    pub fn watch(&mut self, place: Option<VramRange>) {
        self.watch = place.map(Watch::new);
    }

    /// What primitives did to the watched place since this was asked last, in order.
    pub fn take_fragments(&mut self) -> Vec<Fragment> {
        self.watch
            .as_mut()
            .map(|watch| std::mem::take(&mut watch.fragments))
            .unwrap_or_default()
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
            self.draw_pending(vram, FlushReason::TargetChanged);
        }
        self.batch.target = draw.state.target;
        in_rules!(self.profile, R => self.draw_primitives::<R>(vram, draw));
    }

    /// Sets up all primitives of a draw.
    fn draw_primitives<R: Rules>(&mut self, vram: &mut Vram, draw: &Draw<'_>) {
        let (mut current, setup) = CurrentDraw::new::<R>(self.profile, draw);
        let vertex = |index: u32| draw.vertices.get(index as usize);
        match draw.primitives {
            Primitives::Points(points) => {
                self.statistics.points += points.len() as u64;
                for (number, &index) in points.iter().enumerate() {
                    current.primitive = number;
                    let Some(point) = vertex(index) else { continue };
                    self.submit(vram, &mut current, |state_index, attributes, fresh| {
                        let setup = setup.with_state_index(state_index);
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
                for (number, &[a, b]) in lines.iter().enumerate() {
                    current.primitive = number;
                    let (Some(a), Some(b)) = (vertex(a), vertex(b)) else {
                        continue;
                    };
                    self.submit(vram, &mut current, |state_index, attributes, fresh| {
                        let setup = setup.with_state_index(state_index);
                        setup.line([a, b], attributes, |record| {
                            fresh.push((record, EdgeBases::default()))
                        });
                    });
                }
            }
            Primitives::Triangles(triangles) => {
                self.statistics.triangles += triangles.len() as u64;
                for (number, &[a, b, c]) in triangles.iter().enumerate() {
                    current.primitive = number;
                    let (Some(a), Some(b), Some(c)) = (vertex(a), vertex(b), vertex(c)) else {
                        continue;
                    };
                    self.submit(vram, &mut current, |state_index, attributes, fresh| {
                        let setup = setup.with_state_index(state_index);
                        setup.triangle_parts([a, b, c], attributes, |record, bases| {
                            fresh.push((record, bases))
                        });
                    });
                }
            }
            Primitives::Rectangles(rectangles) => {
                self.statistics.rectangles += rectangles.len() as u64;
                for (number, &[a, b]) in rectangles.iter().enumerate() {
                    current.primitive = number;
                    let (Some(a), Some(b)) = (vertex(a), vertex(b)) else {
                        continue;
                    };
                    self.submit(vram, &mut current, |state_index, attributes, fresh| {
                        let setup = setup.with_state_index(state_index);
                        if let Some(triangles) = setup.rectangle_as_triangles([a, b]) {
                            for corners in &triangles {
                                setup.triangle_parts(corners.each_ref(), attributes, |record, bases| {
                                    fresh.push((record, bases))
                                });
                            }
                            return;
                        }
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
            self.draw_pending(vram, reason);
        }
        self.settle_range(vram, range);
    }

    /// Draws what is pending if it touches the range, which is about to be written.
    pub fn before_write(&mut self, vram: &mut Vram, range: VramRange, reason: FlushReason) {
        let touched = PendingWrites {
            color: true,
            depth: self.batch.uses_depth,
            ..self.pending()
        };
        if touched.overlap(range, vram.translation()) {
            self.draw_pending(vram, reason);
        }
        self.settle_for_write(vram, range);
    }

    /// Draws what is pending. Afterwards VRAM holds every pixel, and may be read and written.
    pub fn flush(&mut self, vram: &mut Vram, reason: FlushReason) {
        self.draw_pending(vram, reason);
        self.settle(vram);
    }

    /// Draws what is pending, perhaps on the GPU: then VRAM does not hold it yet.
    fn draw_pending(&mut self, vram: &mut Vram, reason: FlushReason) {
        if self.batch.is_empty() {
            debug_assert!(
                self.batch.area.is_empty(),
                "nothing is pending, nothing is in its way"
            );
            return;
        }
        self.statistics.count_flush(reason);
        if self.draw_on_gpu(vram) {
            self.batch.drain();
            return;
        }
        let work = Work {
            primitives: &self.batch.primitives,
            attributes: &self.batch.attributes,
            states: &self.batch.states,
        };
        let target = self.batch.target;
        let with_depth = self.batch.uses_depth;
        let mut counts = PixelCounts::default();
        let simd = self.simd;
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
                            wide::draw_visits(simd, tile, work, &bin.visits)
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
                    counts.add(wide::draw_visits(simd, tile, work, &bin.visits));
                    tile.store(vram, &target);
                }
            }
        }
        vram.note_pages(&self.pending().pages(vram.translation()));
        self.count_pixels(counts);
        self.batch.drain();
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
