//! The back end of one rasteriser: its VRAM on the device, and what is drawn there.

use std::sync::Arc;

use super::batch_buffers::BatchBuffers;
use super::buffers::buffer;
use super::decode::DeviceTextures;
use super::device::Gpu;
use super::error::GpuError;
use super::heap::TexelHeap;
use super::journal::{Entry, FlatBatch, Replacements, TILE};
use super::variant::Variant;
use crate::batch::{Batch, Capacity};
use crate::compiled::DrawState;
use crate::draw::{TextureSource, VramRange};
use crate::hazard::PendingWrites;
use crate::statistics::DeviceStatistics;
use crate::texture::{DeviceDecode, Texture};
use crate::vram::{PageSet, Vram};
use crate::wide::PixelCounts;

/// Words of the counters: 64 pairs of 64 bits.
const COUNTER_WORDS: usize = 64 * 4;
const COUNTER_BYTES: u64 = 4 * COUNTER_WORDS as u64;

/// When what is kept to be drawn again takes more than this, the device's pages are fetched.
const LONGEST_JOURNAL: usize = 64 << 20;

/// A VRAM on a device.
///
/// While batches go there the device's copy is ahead of the caller's [`Vram`] in the pages that they draw in; the
/// caller's is ahead in those that it wrote itself. The first are fetched by [`Self::settle`] when somebody is to see
/// them, the second go up before the next batch.
#[derive(Debug)]
pub(crate) struct Backend {
    gpu: Gpu,
    vram: wgpu::Buffer,
    counters: wgpu::Buffer,
    /// Where pages and counters are fetched to.
    staging: wgpu::Buffer,
    batches: BatchBuffers,
    heap: TexelHeap,
    textures: DeviceTextures,
    /// The VRAM whose pages are on the device.
    known: Option<u64>,
    /// Pages in which the device is ahead.
    ahead: PageSet,
    /// Pages that textures were decoded from since then.
    read: PageSet,
    /// What was done since the last time that all pages were fetched, to be drawn again should the device be lost.
    journal: Vec<Entry>,
    journal_bytes: usize,
    spare: Vec<FlatBatch>,
    /// How often everything was fetched.
    pub(crate) settlements: u64,
    pub(crate) statistics: DeviceStatistics,
}

/// What came back from a device.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    pub(crate) counts: PixelCounts,
    /// Why the device is not to be used any more.
    pub(crate) lost: Option<GpuError>,
    /// Textures instead of those that were on the device alone.
    pub(crate) textures: Replacements,
}

impl Backend {
    pub(crate) fn new(gpu: Gpu) -> Self {
        let shared = gpu.shared();
        let usages =
            wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        Self {
            vram: buffer(shared, "VRAM", usages, Vram::SIZE as u64),
            counters: buffer(shared, "counters", usages, COUNTER_BYTES),
            staging: buffer(
                shared,
                "staging",
                wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                Vram::SIZE as u64 + COUNTER_BYTES,
            ),
            batches: BatchBuffers::new(shared),
            heap: TexelHeap::new(shared),
            textures: DeviceTextures::new(shared),
            known: None,
            ahead: PageSet::default(),
            read: PageSet::default(),
            journal: Vec::new(),
            journal_bytes: 0,
            spare: Vec::new(),
            settlements: 0,
            statistics: DeviceStatistics::default(),
            gpu,
        }
    }

    pub(crate) fn capacity(&self) -> Capacity {
        self.gpu.shared().capacity
    }

    /// Whether a batch can be drawn here. If not the processor draws it.
    pub(crate) fn can_draw(&self, batch: &Batch, pending: &PendingWrites, vram: &Vram) -> bool {
        let capacity = self.capacity();
        let target = &batch.target;
        // Two pixels share a word; an invocation owns whole words.
        let whole_words = target.color_stride.is_multiple_of(2) && target.depth_stride.is_multiple_of(2);
        whole_words
            && batch.texels() <= capacity.texels
            && batch.states.len() <= capacity.states
            && batch.primitives.len() <= capacity.primitives
            && batch.attributes.words() <= capacity.attributes
            && batch.visits() <= capacity.visits
            && !pending
                .in_pairs()
                .overlap_themselves(batch.uses_depth, vram.translation())
    }

    /// Whether writing a range would change what the device read and may have to be read again.
    pub(crate) fn has_read(&self, vram: &Vram, range: VramRange) -> bool {
        !self.read.is_empty() && self.read.meets(&vram.pages(range))
    }

    /// Whether what the device is ahead in holds bytes of a range.
    pub(crate) fn is_ahead(&self, vram: &Vram, range: VramRange) -> bool {
        !self.ahead.is_empty() && self.ahead.meets(&vram.pages(range))
    }

    /// Hands a batch to the device. What comes back is what was counted of earlier ones, if they had to be fetched.
    pub(crate) fn draw(&mut self, batch: &Batch, pending: &PendingWrites, vram: &mut Vram) -> Settled {
        let mut flat = self.spare.pop().unwrap_or_default();
        flat.fill(batch);
        self.upload_vram(vram);
        let shared = self.gpu.shared();
        let made = self.heap.make_resident(shared, &flat.states);
        self.statistics.texels_uploaded += made.uploaded as u64;
        if made.replaced {
            self.batches.forget_bind_group();
        }
        self.batches.write(shared, &flat, vram.translation(), &self.heap);
        self.batches.submit(
            shared,
            flat.tiles.len() as u32,
            Variant::of(&flat.primitives),
            &self.vram,
            self.heap.buffer(),
            &self.counters,
        );
        let written = pending.pages(vram.translation());
        self.textures.forget(&written);
        self.ahead = self.ahead.union(written);
        self.statistics.batches += 1;
        self.journal_bytes += flat.bytes();
        self.journal.push(Entry::Batch(flat));
        if self.journal_bytes > LONGEST_JOURNAL {
            return self.settle(vram, &batch.states);
        }
        Settled::default()
    }

    /// Decodes the first levels of a texture on the device if it is ahead where they lie; `None` where it is not, or
    /// cannot decode it.
    pub(crate) fn decode(
        &mut self,
        source: &TextureSource<'_>,
        level_count: usize,
        vram: &mut Vram,
    ) -> Option<Arc<Texture>> {
        if self.ahead.is_empty() {
            return None;
        }
        let decode = DeviceDecode::new(source, level_count, vram.translation())?;
        let ranges = decode.ranges.iter();
        let pages = ranges.fold(PageSet::default(), |pages, &range| pages.union(vram.pages(range)));
        if !self.ahead.meets(&pages) {
            return None;
        }
        self.upload_vram(vram);
        if let Some(texture) = self.textures.find(&decode) {
            return Some(texture);
        }
        let shared = self.gpu.shared();
        let texture = self
            .textures
            .decode(shared, &self.vram, &mut self.heap, &decode, pages)?;
        // The heap may lie in another buffer now.
        self.batches.forget_bind_group();
        self.statistics.textures_decoded += 1;
        self.read = self.read.union(pages);
        self.journal_bytes += size_of_val(&decode.source);
        self.journal.push(Entry::Decode {
            texture: Arc::clone(&texture),
            source: decode.source,
        });
        Some(texture)
    }

    /// Fetches all pages in which the device is ahead, what it counted, and the textures of `states` that it alone has.
    /// Should the device be lost, the processor draws and decodes what did not come back.
    pub(crate) fn settle(&mut self, vram: &mut Vram, states: &[DrawState]) -> Settled {
        if self.journal.is_empty() {
            return Settled::default();
        }
        self.settlements += 1;
        let mut alone: Vec<_> = states
            .iter()
            .map(|state| &state.texture)
            .filter(|texture| texture.is_on_device())
            .cloned()
            .collect();
        alone.sort_by_key(|texture| Arc::as_ptr(texture).addr());
        alone.dedup_by_key(|texture| Arc::as_ptr(texture).addr());
        let mut settled = self.fetch(vram, &alone).unwrap_or_else(|error| Settled {
            lost: Some(error),
            ..Settled::default()
        });
        for mut entry in self.journal.drain(..) {
            if settled.lost.is_some() {
                settled.counts.add(entry.redo(vram, &mut settled.textures));
            }
            if let Entry::Batch(mut flat) = entry {
                flat.empty();
                self.spare.push(flat);
            }
        }
        if settled.lost.is_some() {
            vram.note_pages(&PageSet::ALL);
        }
        self.journal_bytes = 0;
        self.ahead = PageSet::default();
        self.read = PageSet::default();
        self.textures.forget(&PageSet::ALL);
        settled
    }

    fn upload_vram(&mut self, vram: &mut Vram) {
        let shared = self.gpu.shared();
        let written = vram.take_written(&mut self.known);
        if written.is_empty() {
            return;
        }
        self.textures.forget(&written);
        for range in written.runs() {
            self.statistics.bytes_uploaded += range.len() as u64;
            shared
                .queue
                .write_buffer(&self.vram, range.start as u64, &vram.bytes()[range]);
        }
    }

    /// Fetches pages into the caller's VRAM, and the counters.
    fn fetch(&mut self, vram: &mut Vram, alone: &[Arc<Texture>]) -> Result<Settled, GpuError> {
        let shared = self.gpu.shared();
        let texels = self.heap.copy_out(shared, alone);
        let mut encoder = shared.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(&self.counters, 0, &self.staging, 0, COUNTER_BYTES);
        encoder.clear_buffer(&self.counters, 0, None);
        let mut end = COUNTER_BYTES;
        for range in self.ahead.runs() {
            let length = range.len() as u64;
            encoder.copy_buffer_to_buffer(&self.vram, range.start as u64, &self.staging, end, length);
            end += length;
        }
        shared.queue.submit([encoder.finish()]);
        // Whatever fails, fails before anything is taken over.
        let mut textures = Replacements::new();
        if let Some((staging, length)) = texels {
            let bytes = self.gpu.read(&staging, length)?;
            let words: Vec<u32> = bytemuck::pod_collect_to_vec(&bytes);
            let mut rest = words.as_slice();
            for texture in alone {
                let (texels, others) = rest.split_at(texture.texel_count());
                rest = others;
                let whole = Texture {
                    levels: texture.levels.clone(),
                    texels: texels.to_vec(),
                };
                textures.insert(Arc::as_ptr(texture).addr(), Arc::new(whole));
            }
        }
        let counts = {
            let bytes = self.gpu.read(&self.staging, end)?;
            let mut at = COUNTER_BYTES as usize;
            for range in self.ahead.runs() {
                let length = range.len();
                vram.load_pages(range, &bytes[at..at + length]);
                at += length;
            }
            counts(&bytes[..COUNTER_BYTES as usize])
        };
        self.staging.unmap();
        self.statistics.fetches += 1;
        self.statistics.bytes_fetched += end - COUNTER_BYTES;
        Ok(Settled {
            counts,
            lost: None,
            textures,
        })
    }
}

/// The sums of the counters.
fn counts(bytes: &[u8]) -> PixelCounts {
    let mut counts = PixelCounts::default();
    for four in bytes.chunks_exact(16) {
        let number = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&four[at..at + 8]);
            u64::from_le_bytes(eight)
        };
        counts.add(PixelCounts {
            covered: number(0),
            passed: number(8),
        });
    }
    counts
}

/// The side of a batch's tiles.
pub(crate) const TILE_SIZE: i32 = TILE;
