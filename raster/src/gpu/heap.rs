//! Texels on the device.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::buffers::{GrowingBuffer, buffer};
use super::device::Shared;
use crate::compiled::DrawState;
use crate::texture::Texture;

/// Texels of textures: uploaded once, or decoded in their place.
///
/// When there is no room left all but those that exist on the device alone are forgotten.
#[derive(Debug)]
pub(super) struct TexelHeap {
    buffer: GrowingBuffer,
    /// Where textures begin, by their address, which the texture that is kept makes unique.
    places: HashMap<usize, (Arc<Texture>, u32)>,
    /// Texels in use.
    used: usize,
}

/// What had to be done for textures to be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct MadeResident {
    /// Texels that were uploaded.
    pub(super) uploaded: usize,
    /// Whether the heap lies in another buffer now.
    pub(super) replaced: bool,
}

/// Texels that there is room for at first: 4 MiB of them.
const FIRST: usize = 1 << 20;

impl TexelHeap {
    pub(super) fn new(shared: &Shared) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let mut buffer = GrowingBuffer::new(shared, "texels", usage);
        buffer.reserve(shared, 4 * FIRST.min(shared.heap_texels) as u64);
        Self {
            buffer,
            places: HashMap::new(),
            used: 0,
        }
    }

    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        self.buffer.buffer()
    }

    /// Makes sure that the textures of all states are there; they take half of the heap at most.
    pub(super) fn make_resident(&mut self, shared: &Shared, states: &[DrawState]) -> MadeResident {
        let mut counted = HashSet::new();
        let mut distinct = states
            .iter()
            .map(|state| &state.texture)
            .filter(|texture| counted.insert(Arc::as_ptr(texture)));
        let (mut missing, mut all) = (0, 0);
        for texture in &mut distinct {
            missing += self.missing(texture);
            all += texture.texels.len();
        }
        let mut made = MadeResident::default();
        if !self.has_room(missing) {
            self.make_room(shared, all);
            made.replaced = true;
        }
        for state in states {
            let missing = self.missing(&state.texture);
            if missing > 0 {
                self.buffer.write(shared, self.used, &state.texture.texels);
                self.place_at_end(&state.texture);
                made.uploaded += missing;
            }
        }
        made
    }

    /// Room for a texture that the device decodes: where it begins. `None` where those that it decoded would fill more
    /// than half of the heap.
    pub(super) fn allocate(&mut self, shared: &Shared, texture: &Arc<Texture>) -> Option<u32> {
        let count = texture.texel_count();
        let kept: usize = self.kept().map(|(texture, _)| texture.texel_count()).sum();
        if kept + count > shared.heap_texels / 2 {
            return None;
        }
        if !self.has_room(count) {
            self.make_room(shared, count);
        }
        Some(self.place_at_end(texture))
    }

    /// Where a texture that is there begins.
    pub(super) fn place(&self, texture: &Arc<Texture>) -> u32 {
        self.places
            .get(&Arc::as_ptr(texture).addr())
            .map_or(0, |&(_, first)| first)
    }

    fn missing(&self, texture: &Arc<Texture>) -> usize {
        if self.places.contains_key(&Arc::as_ptr(texture).addr()) {
            0
        } else {
            texture.texel_count()
        }
    }

    fn has_room(&self, count: usize) -> bool {
        4 * (self.used + count) as u64 <= self.buffer.buffer().size()
    }

    fn place_at_end(&mut self, texture: &Arc<Texture>) -> u32 {
        let first = self.used as u32;
        self.places
            .insert(Arc::as_ptr(texture).addr(), (Arc::clone(texture), first));
        self.used += texture.texel_count();
        first
    }

    /// Textures that exist on the device alone and are in use elsewhere.
    fn kept(&self) -> impl Iterator<Item = (&Arc<Texture>, u32)> {
        let textures = self.places.values();
        textures
            .filter(|(texture, _)| texture.is_on_device() && Arc::strong_count(texture) > 1)
            .map(|(texture, first)| (texture, *first))
    }

    /// Makes room for so many texels: in a larger buffer while there can be one, then by forgetting.
    fn make_room(&mut self, shared: &Shared, count: usize) {
        let kept: Vec<_> = self
            .kept()
            .map(|(texture, first)| (Arc::clone(texture), first))
            .collect();
        let needed = kept
            .iter()
            .map(|(texture, _)| texture.texel_count())
            .sum::<usize>()
            + count;
        let wanted = (2 * self.used.max(needed)).clamp(needed, shared.heap_texels.max(needed));
        let old = self.buffer.replace(shared, 4 * wanted as u64);
        self.places.clear();
        self.used = 0;
        let mut encoder = shared
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (texture, from) in &kept {
            let to = self.place_at_end(texture);
            encoder.copy_buffer_to_buffer(
                &old,
                4 * u64::from(*from),
                self.buffer.buffer(),
                4 * u64::from(to),
                4 * texture.texel_count() as u64,
            );
        }
        shared.queue.submit([encoder.finish()]);
    }

    /// Copies the texels of textures one behind the other into a buffer that can be mapped.
    pub(super) fn copy_out(&self, shared: &Shared, textures: &[Arc<Texture>]) -> Option<(wgpu::Buffer, u64)> {
        let bytes: u64 = textures
            .iter()
            .map(|texture| 4 * texture.texel_count() as u64)
            .sum();
        if bytes == 0 {
            return None;
        }
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let staging = buffer(shared, "texels read", usage, bytes);
        let mut encoder = shared
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut at = 0;
        for texture in textures {
            let length = 4 * texture.texel_count() as u64;
            let from = 4 * u64::from(self.place(texture));
            encoder.copy_buffer_to_buffer(self.buffer(), from, &staging, at, length);
            at += length;
        }
        shared.queue.submit([encoder.finish()]);
        Some((staging, bytes))
    }
}
