//! Texels on the device.

use std::collections::HashMap;
use std::sync::Arc;

use super::buffers::GrowingBuffer;
use super::device::Shared;
use crate::cpu::DrawState;
use crate::texture::Texture;

/// Texels of textures, each uploaded once.
#[derive(Debug)]
pub(super) struct TexelHeap {
    buffer: GrowingBuffer,
    /// Where textures begin, by their address, which the texture that is kept makes unique.
    places: HashMap<usize, (Arc<Texture>, u32)>,
    /// Texels in use.
    used: usize,
}

impl TexelHeap {
    pub(super) fn new(shared: &Shared) -> Self {
        Self {
            buffer: GrowingBuffer::new(shared, "texels", wgpu::BufferUsages::STORAGE),
            places: HashMap::new(),
            used: 0,
        }
    }

    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        self.buffer.buffer()
    }

    /// Makes sure that the textures of all states are there; together they fit. Tells whether the buffer is another
    /// one now, and how many texels were uploaded.
    pub(super) fn make_resident(&mut self, shared: &Shared, states: &[DrawState]) -> (bool, usize) {
        let missing: usize = states.iter().map(|state| self.missing(&state.texture)).sum();
        let mut replaced = false;
        if self.used + missing > shared.capacity.texels {
            self.clear();
        }
        let most = self.used
            + states
                .iter()
                .map(|state| self.missing(&state.texture))
                .sum::<usize>();
        if self.buffer.reserve(shared, 4 * most as u64) {
            // The new buffer is empty.
            replaced = true;
            self.clear();
        }
        let mut uploaded = 0;
        for state in states {
            uploaded += self.upload(shared, &state.texture);
        }
        (replaced, uploaded)
    }

    /// Where a resident texture begins.
    pub(super) fn place(&self, texture: &Arc<Texture>) -> u32 {
        self.places
            .get(&Arc::as_ptr(texture).addr())
            .map_or(0, |&(_, first)| first)
    }

    fn missing(&self, texture: &Arc<Texture>) -> usize {
        if self.places.contains_key(&Arc::as_ptr(texture).addr()) {
            0
        } else {
            texture.texels.len()
        }
    }

    fn upload(&mut self, shared: &Shared, texture: &Arc<Texture>) -> usize {
        let missing = self.missing(texture);
        if missing > 0 {
            self.buffer.write(shared, self.used, &texture.texels);
            self.places.insert(
                Arc::as_ptr(texture).addr(),
                (Arc::clone(texture), self.used as u32),
            );
            self.used += missing;
        }
        missing
    }

    fn clear(&mut self) {
        self.places.clear();
        self.used = 0;
    }
}
