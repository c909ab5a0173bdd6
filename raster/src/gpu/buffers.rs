//! Buffers of a device that grow with what they hold.

use bytemuck::NoUninit;

use super::device::Shared;

/// A buffer that is written anew for each batch.
#[derive(Debug)]
pub(super) struct GrowingBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: wgpu::Buffer,
}

/// The smallest buffer.
const SMALLEST: u64 = 4096;

impl GrowingBuffer {
    pub(super) fn new(shared: &Shared, label: &'static str, usage: wgpu::BufferUsages) -> Self {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        Self {
            label,
            usage,
            buffer: buffer(shared, label, usage, SMALLEST),
        }
    }

    pub(super) fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Makes room for so many bytes; what was in the buffer may be gone then. Tells whether it is another buffer now.
    pub(super) fn reserve(&mut self, shared: &Shared, bytes: u64) -> bool {
        if bytes <= self.buffer.size() {
            return false;
        }
        let size = bytes
            .next_power_of_two()
            .min(shared.device.limits().max_storage_buffer_binding_size)
            .max(bytes);
        self.buffer = buffer(shared, self.label, self.usage, size);
        true
    }

    /// [`Self::reserve`] for so many items.
    pub(super) fn reserve_for<T>(&mut self, shared: &Shared, items: &[T]) -> bool {
        self.reserve(shared, size_of_val(items) as u64)
    }

    /// Takes another buffer of that size, and gives the old one.
    pub(super) fn replace(&mut self, shared: &Shared, bytes: u64) -> wgpu::Buffer {
        let new = buffer(shared, self.label, self.usage, bytes.max(SMALLEST));
        std::mem::replace(&mut self.buffer, new)
    }

    /// Writes what the next submission reads; there must be room for it. `first` counts items.
    pub(super) fn write<T: NoUninit>(&self, shared: &Shared, first: usize, items: &[T]) {
        if !items.is_empty() {
            let offset = (first * size_of::<T>()) as u64;
            shared
                .queue
                .write_buffer(&self.buffer, offset, bytemuck::cast_slice(items));
        }
    }
}

pub(super) fn buffer(shared: &Shared, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    shared.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}
