//! The back end of one rasteriser: its VRAM on the device, and what is drawn there.

use std::sync::Arc;

use super::buffers::{GrowingBuffer, buffer};
use super::decode::DeviceTextures;
use super::device::{Gpu, Shared};
use super::error::GpuError;
use super::heap::TexelHeap;
use super::journal::{Entry, FlatBatch, Replacements, TILE};
use super::records::{AttributePlaces, Globals, StateRecord};
use super::variant::Variant;
use crate::batch::{Batch, Capacity};
use crate::cpu::{DrawState, PixelCounts};
use crate::draw::{TextureSource, VramRange};
use crate::hazard::PendingWrites;
use crate::statistics::DeviceStatistics;
use crate::texture::{DeviceDecode, Texture};
use crate::vram::{PageSet, Vram};

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
    globals: GrowingBuffer,
    tiles: GrowingBuffer,
    visits: GrowingBuffer,
    primitives: GrowingBuffer,
    attributes: GrowingBuffer,
    states: GrowingBuffer,
    heap: TexelHeap,
    textures: DeviceTextures,
    state_records: Vec<StateRecord>,
    bind_group: Option<wgpu::BindGroup>,
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
        let storage = |label| GrowingBuffer::new(shared, label, wgpu::BufferUsages::STORAGE);
        Self {
            vram: buffer(shared, "VRAM", usages, Vram::SIZE as u64),
            counters: buffer(shared, "counters", usages, COUNTER_BYTES),
            staging: buffer(
                shared,
                "staging",
                wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                Vram::SIZE as u64 + COUNTER_BYTES,
            ),
            globals: GrowingBuffer::new(shared, "globals", wgpu::BufferUsages::UNIFORM),
            tiles: storage("tiles"),
            visits: storage("visits"),
            primitives: storage("primitives"),
            attributes: storage("attributes"),
            states: storage("states"),
            heap: TexelHeap::new(shared),
            textures: DeviceTextures::new(shared),
            state_records: Vec::new(),
            bind_group: None,
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
        self.upload_batch(&flat, vram);
        self.submit(flat.tiles.len() as u32, Variant::of(&flat.primitives));
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
        self.bind_group = None;
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

    fn upload_batch(&mut self, flat: &FlatBatch, vram: &Vram) {
        let shared = self.gpu.shared();
        let heap = self.heap.buffer().clone();
        let texels = self.heap.make_resident(shared, &flat.states);
        let mut replaced = *self.heap.buffer() != heap;
        self.statistics.texels_uploaded += texels as u64;
        self.state_records.clear();
        self.state_records.extend(
            flat.states
                .iter()
                .map(|state| StateRecord::new(state, self.heap.place(&state.texture))),
        );
        let attributes = &flat.attributes;
        let affine = size_of_val(&attributes.gouraud[..]) / 4;
        let perspective = affine + size_of_val(&attributes.affine[..]) / 4;
        let planes = perspective + size_of_val(&attributes.perspective[..]) / 4;
        let places = AttributePlaces {
            affine: affine as u32,
            perspective: perspective as u32,
            planes: planes as u32,
        };
        let globals = Globals::new(&flat.target, vram.translation(), flat.uses_depth, places);
        replaced |= self.tiles.reserve(shared, size_of_val(&flat.tiles[..]) as u64);
        replaced |= self.visits.reserve(shared, size_of_val(&flat.visits[..]) as u64);
        replaced |= self
            .primitives
            .reserve(shared, size_of_val(&flat.primitives[..]) as u64);
        replaced |= self.attributes.reserve(shared, 4 * attributes.words() as u64);
        replaced |= self
            .states
            .reserve(shared, size_of_val(&self.state_records[..]) as u64);
        self.globals.write(shared, 0, &[globals]);
        self.tiles.write(shared, 0, &flat.tiles);
        self.visits.write(shared, 0, &flat.visits);
        self.primitives.write(shared, 0, &flat.primitives);
        self.states.write(shared, 0, &self.state_records);
        self.attributes
            .write(shared, 0, bytemuck::cast_slice::<_, u32>(&attributes.gouraud));
        self.attributes
            .write(shared, affine, bytemuck::cast_slice::<_, u32>(&attributes.affine));
        self.attributes.write(
            shared,
            perspective,
            bytemuck::cast_slice::<_, u32>(&attributes.perspective),
        );
        self.attributes
            .write(shared, planes, bytemuck::cast_slice::<_, u32>(&attributes.planes));
        if replaced {
            self.bind_group = None;
        }
    }

    fn submit(&mut self, tiles: u32, variant: Variant) {
        let shared = self.gpu.shared();
        let bind_group = self.bind_group.get_or_insert_with(|| {
            bind_group(
                shared,
                &[
                    &self.vram,
                    self.tiles.buffer(),
                    self.visits.buffer(),
                    self.primitives.buffer(),
                    self.attributes.buffer(),
                    self.states.buffer(),
                    self.heap.buffer(),
                    &self.counters,
                    self.globals.buffer(),
                ],
            )
        });
        let mut encoder = shared.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(shared.pipeline(variant));
            pass.set_bind_group(0, &*bind_group, &[]);
            pass.dispatch_workgroups(tiles, 1, 1);
        }
        shared.queue.submit([encoder.finish()]);
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

fn bind_group(shared: &Shared, buffers: &[&wgpu::Buffer]) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    shared.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("batch"),
        layout: &shared.layout,
        entries: &entries,
    })
}

/// The side of a batch's tiles.
pub(crate) const TILE_SIZE: i32 = TILE;
