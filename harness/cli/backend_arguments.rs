//! What draws, as commands take it.

use clap::{Args, ValueEnum};
use raster::{AdapterChoice, Rasterizer};

use super::terminal;
use crate::backend::Backend;
use crate::error::HarnessError;

/// What draws.
#[derive(Debug, Clone, Args)]
pub(super) struct BackendArguments {
    /// What draws; the pixels do not depend on it
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = BackendArgument::Cpu)]
    backend: BackendArgument,
    /// The GPU to draw on: a number or a part of a name out of ge-harness adapters
    #[arg(long, value_name = "ADAPTER")]
    adapter: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BackendArgument {
    /// A hardware GPU if there is one that computes as it should, else the processor
    Auto,
    /// The processor: for single pictures it is done before a GPU has started
    Cpu,
    /// A GPU, software ones included
    Gpu,
}

/// Says so when a GPU was lost while it drew.
pub(super) fn warn_of_loss(rasterizer: &Rasterizer) {
    if let Some(reason) = rasterizer.device_lost() {
        terminal::print_warning(&format!("{reason}; the processor drew what was missing"));
    }
}

impl BackendArguments {
    /// Opens it. Says once on standard error where `auto` falls back to the processor.
    pub(super) fn open(&self) -> Result<Backend, HarnessError> {
        match (self.backend, &self.adapter) {
            (BackendArgument::Cpu, None) => Ok(Backend::Processor),
            (BackendArgument::Cpu, Some(_)) => Err(HarnessError::usage(
                "--adapter names a GPU, and the processor draws",
                "add --backend gpu",
            )),
            (_, Some(name)) => Backend::gpu(AdapterChoice::Named(name.clone())),
            (BackendArgument::Gpu, None) => Backend::gpu(AdapterChoice::Best),
            (BackendArgument::Auto, None) => {
                let (backend, reason) = Backend::best();
                if let Some(reason) = reason {
                    terminal::print_warning(&format!("drawing on the processor: {reason}"));
                }
                Ok(backend)
            }
        }
    }
}
