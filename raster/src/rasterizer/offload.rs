//! What a rasteriser does with its GPU. Without the feature `gpu` it has none, and there is nothing to do.

use super::Rasterizer;
use crate::batch::Capacity;
use crate::draw::VramRange;
use crate::vram::Vram;

#[cfg(feature = "gpu")]
mod with_gpu {
    use super::*;
    use crate::gpu::{Backend, Gpu, GpuError, Settled, TILE_SIZE};
    use crate::profile::Profile;
    use crate::rasterizer::tuning::Tuning;
    use crate::statistics::DeviceStatistics;

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
                let settled = backend.settle(vram);
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

        fn take_over(&mut self, settled: Settled) {
            self.count_pixels(settled.counts);
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

    pub(super) fn settle_for_primitive(&mut self, _: &mut Vram) {}
}
