//! What draws: the processor, or a GPU.

use ge::Ge;
use raster::{AdapterChoice, Gpu, GpuError, GpuOptions, Profile, Rasterizer, Threads, Tuning};

use crate::error::HarnessError;

/// What draws. The pixels do not depend on it.
#[derive(Debug, Clone, Default)]
pub enum Backend {
    /// The processor.
    #[default]
    Processor,
    /// A GPU, which any number of scenes and replays share.
    Gpu(Gpu),
}

impl Backend {
    /// Opens a GPU and has it compute what the kernel builds on.
    ///
    /// # Errors
    /// What [`Gpu::open`] and [`Gpu::self_test`] refuse.
    pub fn gpu(adapter: AdapterChoice) -> Result<Self, HarnessError> {
        Ok(Self::Gpu(tested(adapter)?))
    }

    /// The best hardware GPU if there is one that computes as it should, else the processor, with the reason.
    #[must_use]
    pub fn best() -> (Self, Option<GpuError>) {
        match tested(AdapterChoice::BestHardware) {
            Ok(gpu) => (Self::Gpu(gpu), None),
            Err(error) => (Self::Processor, Some(error)),
        }
    }

    /// Has a GE draw with it. `threads` are those of the processor.
    pub fn equip(&self, ge: &mut Ge, profile: Profile, threads: Threads) {
        if let Self::Gpu(gpu) = self {
            let tuning = Tuning {
                threads,
                ..Tuning::default()
            };
            ge.set_rasterizer(Rasterizer::with_gpu(profile, tuning, gpu.clone()));
        }
    }

    /// What draws, in words.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Processor => "the processor".to_owned(),
            Self::Gpu(gpu) => gpu.adapter().name.clone(),
        }
    }
}

fn tested(adapter: AdapterChoice) -> Result<Gpu, GpuError> {
    let gpu = Gpu::open(&GpuOptions {
        adapter,
        ..GpuOptions::default()
    })?;
    gpu.self_test()?;
    Ok(gpu)
}
