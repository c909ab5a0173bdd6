//! What a rasteriser does with its GPU. Without the feature `gpu` it has none, and there is nothing to do.

#[cfg(not(feature = "gpu"))]
use std::sync::Arc;

use super::Rasterizer;
use crate::batch::Capacity;
#[cfg(not(feature = "gpu"))]
use crate::draw::TextureSource;
use crate::draw::VramRange;
#[cfg(not(feature = "gpu"))]
use crate::texture::Texture;
use crate::vram::Vram;

#[cfg(feature = "gpu")]
mod with_gpu {
    use std::sync::Arc;

    use super::*;
    use crate::draw::TextureSource;
    use crate::gpu::{Backend, Gpu, GpuError, Settled, TILE_SIZE, replace_textures};
    use crate::profile::Profile;
    use crate::rasterizer::tuning::Tuning;
    use crate::statistics::DeviceStatistics;
    use crate::texture::Texture;

    /// The GPU of a rasteriser.
    #[derive(Debug, Default)]
    pub(in crate::rasterizer) struct Offload {
        backend: Option<Box<Backend>>,
        /// What it did until it was lost.
        statistics: Option<DeviceStatistics>,
        lost: Option<GpuError>,
    }

    impl Rasterizer {
        /// A rasteriser that draws on a GPU. What is beyond the GPU, and everything once the device is lost, the
        /// processor draws, to the same bits; [`Self::device_statistics`] and [`Self::device_lost`] tell.
        #[must_use]
        pub fn with_gpu(profile: Profile, tuning: Tuning, gpu: Gpu) -> Self {
            let mut rasterizer = Self::of_tile_size(profile, tuning, TILE_SIZE);
            rasterizer.offload.backend = Some(Box::new(Backend::new(gpu)));
            rasterizer
        }

        /// What the GPU did; `None` where there never was one.
        #[must_use]
        pub fn device_statistics(&self) -> Option<&DeviceStatistics> {
            let backend = self.offload.backend.as_ref();
            backend
                .map(|backend| &backend.statistics)
                .or(self.offload.statistics.as_ref())
        }

        /// Why the GPU is not used any more, if it was lost. No pixel is: the processor drew what had not come back.
        #[must_use]
        pub fn device_lost(&self) -> Option<&GpuError> {
            self.offload.lost.as_ref()
        }

        pub(in crate::rasterizer) fn capacity(&self) -> Capacity {
            let backend = self.offload.backend.as_ref();
            backend.map_or(Capacity::UNLIMITED, |backend| backend.capacity())
        }

        /// Draws what is pending on the GPU; tells whether it can.
        pub(in crate::rasterizer) fn draw_on_gpu(&mut self, vram: &mut Vram) -> bool {
            let pending = self.pending();
            let Some(backend) = &mut self.offload.backend else {
                return false;
            };
            if !backend.can_draw(&self.batch, &pending, vram) {
                backend.statistics.processor_batches += 1;
                self.settle(vram);
                return false;
            }
            let settled = backend.draw(&self.batch, &pending, vram);
            self.take_over(settled);
            true
        }

        /// Has everything in VRAM that the GPU drew.
        pub(in crate::rasterizer) fn settle(&mut self, vram: &mut Vram) {
            if let Some(backend) = &mut self.offload.backend {
                let settled = backend.settle(vram, &self.batch.states);
                self.take_over(settled);
            }
        }

        /// Has those bytes of VRAM as the GPU drew them.
        pub(in crate::rasterizer) fn settle_range(&mut self, vram: &mut Vram, range: VramRange) {
            let backend = self.offload.backend.as_ref();
            if backend.is_some_and(|backend| backend.is_ahead(vram, range)) {
                self.settle(vram);
            }
        }

        /// The same before the processor draws a primitive on its own.
        pub(in crate::rasterizer) fn settle_for_primitive(&mut self, vram: &mut Vram) {
            if let Some(backend) = &mut self.offload.backend {
                backend.statistics.processor_primitives += 1;
            }
            self.settle(vram);
        }

        /// The same before the range is written: what the device has read there must not be read again.
        pub(in crate::rasterizer) fn settle_for_write(&mut self, vram: &mut Vram, range: VramRange) {
            let backend = self.offload.backend.as_ref();
            if backend.is_some_and(|backend| backend.is_ahead(vram, range) || backend.has_read(vram, range)) {
                self.settle(vram);
            }
        }

        /// The texture of a draw, if the GPU can decode it where it lies and the processor could not without fetching.
        pub(in crate::rasterizer) fn decode_on_gpu(
            &mut self,
            vram: &mut Vram,
            source: &TextureSource<'_>,
            level_count: usize,
        ) -> Option<Arc<Texture>> {
            let backend = self.offload.backend.as_mut()?;
            backend.decode(source, level_count, vram)
        }

        /// How often textures that only the GPU had became others.
        pub(in crate::rasterizer) fn settlements(&self) -> u64 {
            let backend = self.offload.backend.as_ref();
            backend.map_or(u64::MAX, |backend| backend.settlements)
        }

        fn take_over(&mut self, settled: Settled) {
            self.count_pixels(settled.counts);
            replace_textures(&mut self.batch.states, &settled.textures);
            if let Some(error) = settled.lost {
                self.offload.lost = Some(error);
                self.offload.statistics = self.offload.backend.take().map(|backend| backend.statistics);
            }
        }
    }
}

#[cfg(feature = "gpu")]
pub(super) use with_gpu::Offload;

#[cfg(not(feature = "gpu"))]
impl Rasterizer {
    pub(super) fn capacity(&self) -> Capacity {
        Capacity::UNLIMITED
    }

    pub(super) fn draw_on_gpu(&mut self, _: &mut Vram) -> bool {
        false
    }

    pub(super) fn settle(&mut self, _: &mut Vram) {}

    pub(super) fn settle_range(&mut self, _: &mut Vram, _: VramRange) {}

    pub(super) fn settle_for_write(&mut self, _: &mut Vram, _: VramRange) {}

    pub(super) fn decode_on_gpu(
        &mut self,
        _: &mut Vram,
        _: &TextureSource<'_>,
        _: usize,
    ) -> Option<Arc<Texture>> {
        None
    }

    pub(super) fn settlements(&self) -> u64 {
        0
    }

    pub(super) fn settle_for_primitive(&mut self, _: &mut Vram) {}
}
