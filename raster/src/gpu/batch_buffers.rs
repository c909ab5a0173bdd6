//! What the kernel reads of a batch, on the device.

use super::buffers::GrowingBuffer;
use super::device::Shared;
use super::heap::TexelHeap;
use super::journal::FlatBatch;
use super::records::{AttributePlaces, Globals, StateRecord};
use super::variant::Variant;
use crate::vram::EdramTranslation;

/// The records of a batch, written anew for each.
#[derive(Debug)]
pub(super) struct BatchBuffers {
    globals: GrowingBuffer,
    tiles: GrowingBuffer,
    visits: GrowingBuffer,
    primitives: GrowingBuffer,
    attributes: GrowingBuffer,
    states: GrowingBuffer,
    state_records: Vec<StateRecord>,
    /// All buffers together, until one is replaced.
    bind_group: Option<wgpu::BindGroup>,
}

impl BatchBuffers {
    pub(super) fn new(shared: &Shared) -> Self {
        let storage = |label| GrowingBuffer::new(shared, label, wgpu::BufferUsages::STORAGE);
        Self {
            globals: GrowingBuffer::new(shared, "globals", wgpu::BufferUsages::UNIFORM),
            tiles: storage("tiles"),
            visits: storage("visits"),
            primitives: storage("primitives"),
            attributes: storage("attributes"),
            states: storage("states"),
            state_records: Vec::new(),
            bind_group: None,
        }
    }

    /// Some buffer outside is another one now.
    pub(super) fn forget_bind_group(&mut self) {
        self.bind_group = None;
    }

    /// Writes a batch whose textures are in the heap.
    pub(super) fn write(
        &mut self,
        shared: &Shared,
        batch: &FlatBatch,
        translation: EdramTranslation,
        heap: &TexelHeap,
    ) {
        self.state_records.clear();
        let records = batch
            .states
            .iter()
            .map(|state| StateRecord::new(state, heap.place(&state.texture)));
        self.state_records.extend(records);

        let attributes = &batch.attributes;
        let gouraud: &[u32] = bytemuck::cast_slice(&attributes.gouraud);
        let affine: &[u32] = bytemuck::cast_slice(&attributes.affine);
        let perspective: &[u32] = bytemuck::cast_slice(&attributes.perspective);
        let planes: &[u32] = bytemuck::cast_slice(&attributes.planes);
        let kinds = [gouraud, affine, perspective, planes];
        let mut starts = [0; 4];
        for kind in 1..kinds.len() {
            starts[kind] = starts[kind - 1] + kinds[kind - 1].len();
        }
        let places = AttributePlaces {
            affine: starts[1] as u32,
            perspective: starts[2] as u32,
            planes: starts[3] as u32,
        };

        let mut replaced = self.tiles.reserve_for(shared, &batch.tiles);
        replaced |= self.visits.reserve_for(shared, &batch.visits);
        replaced |= self.primitives.reserve_for(shared, &batch.primitives);
        replaced |= self.states.reserve_for(shared, &self.state_records);
        replaced |= self.attributes.reserve(shared, 4 * attributes.words() as u64);
        if replaced {
            self.bind_group = None;
        }
        let globals = Globals::new(&batch.target, translation, batch.uses_depth, places);
        self.globals.write(shared, 0, &[globals]);
        self.tiles.write(shared, 0, &batch.tiles);
        self.visits.write(shared, 0, &batch.visits);
        self.primitives.write(shared, 0, &batch.primitives);
        self.states.write(shared, 0, &self.state_records);
        for (start, words) in starts.into_iter().zip(kinds) {
            self.attributes.write(shared, start, words);
        }
    }

    /// Has the device draw what was written, a workgroup a tile.
    pub(super) fn submit(
        &mut self,
        shared: &Shared,
        tiles: u32,
        variant: Variant,
        vram: &wgpu::Buffer,
        texels: &wgpu::Buffer,
        counters: &wgpu::Buffer,
    ) {
        let buffers = [
            vram,
            self.tiles.buffer(),
            self.visits.buffer(),
            self.primitives.buffer(),
            self.attributes.buffer(),
            self.states.buffer(),
            texels,
            counters,
            self.globals.buffer(),
        ];
        let bind_group = self
            .bind_group
            .get_or_insert_with(|| shared.bind_group(&shared.layout, &buffers));
        shared.dispatch(shared.pipeline(variant), bind_group, [tiles, 1]);
    }
}
