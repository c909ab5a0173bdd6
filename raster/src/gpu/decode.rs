//! Textures that the device decodes out of its own VRAM, so that nothing has to be fetched for them.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::buffers::GrowingBuffer;
use super::device::{READ, Shared, WRITTEN, layout_of, pipeline};
use super::heap::TexelHeap;
use crate::texture::{DeviceDecode, LevelRecord, Texture};
use crate::vram::PageSet;

pub(super) const SHADER: &str = concat!(
    include_str!("shader/translation.wgsl"),
    include_str!("shader/decode.wgsl"),
);

/// The pipeline that decodes a level.
#[derive(Debug)]
pub(super) struct DecodePipeline {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

impl DecodePipeline {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let buffers = [READ, WRITTEN, READ, wgpu::BufferBindingType::Uniform];
        let layout = layout_of(device, "decode", &buffers);
        let pipeline = pipeline(device, &layout, SHADER, "decode_level");
        Self { layout, pipeline }
    }
}

/// Textures that were decoded on the device, known again as long as nothing is drawn into their bytes.
#[derive(Debug)]
pub(super) struct DeviceTextures {
    palette: GrowingBuffer,
    level: GrowingBuffer,
    /// By the hash of how they are read.
    known: HashMap<u128, (Weak<Texture>, PageSet)>,
}

impl DeviceTextures {
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            palette: GrowingBuffer::new(shared, "palette", wgpu::BufferUsages::STORAGE),
            level: GrowingBuffer::new(shared, "level", wgpu::BufferUsages::UNIFORM),
            known: HashMap::new(),
        }
    }

    /// The texture, if nothing was written into its bytes since it was decoded.
    pub(super) fn find(&self, decode: &DeviceDecode) -> Option<Arc<Texture>> {
        self.known.get(&decode.key)?.0.upgrade()
    }

    /// Forgets what lies in pages that are written.
    pub(super) fn forget(&mut self, written: &PageSet) {
        self.known
            .retain(|_, (texture, pages)| texture.strong_count() > 0 && !pages.meets(written));
    }

    /// Decodes a texture whose bytes are in the pages; `None` where the heap has no room for it.
    pub(super) fn decode(
        &mut self,
        shared: &Shared,
        vram: &wgpu::Buffer,
        heap: &mut TexelHeap,
        decode: &DeviceDecode,
        pages: PageSet,
    ) -> Option<Arc<Texture>> {
        let texture = Arc::new(decode.texture.clone());
        let first = heap.allocate(shared, &texture)?;
        self.palette.write(shared, 0, &decode.palette);
        for level in &decode.levels {
            let record = level.placed_at(first);
            // A submission each: the level's record is written before it.
            self.level.write(shared, 0, &[record]);
            self.submit(shared, vram, heap, &record);
        }
        self.known.insert(decode.key, (Arc::downgrade(&texture), pages));
        Some(texture)
    }

    fn submit(&self, shared: &Shared, vram: &wgpu::Buffer, heap: &TexelHeap, record: &LevelRecord) {
        let buffers = [vram, heap.buffer(), self.palette.buffer(), self.level.buffer()];
        let bind_group = shared.bind_group(&shared.decode.layout, &buffers);
        let groups = |log2: u32| (1u32 << log2).div_ceil(8);
        shared.dispatch(
            &shared.decode.pipeline,
            &bind_group,
            [groups(record.log2_width), groups(record.log2_height)],
        );
    }
}
