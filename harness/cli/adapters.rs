//! `ge-harness adapters`: the GPUs that can draw.

use std::io::Write;

use clap::Args;
use raster::{AdapterChoice, Gpu, GpuOptions, adapters};
use serde::Serialize;

use super::{Outcome, write_json};
use crate::error::HarnessError;

/// List the GPUs that --backend gpu can draw on
///
/// The best comes first and is the one taken when --adapter names none. Software adapters run on the processor: they
/// are for tests. "exact" tells whether the adapter passed a test of the integer operations that drawing
/// needs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness adapters
  ge-harness replay frame.zip --backend gpu --adapter 0")]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    version: u32,
    adapters: Vec<AdapterReport>,
}

#[derive(Serialize)]
struct AdapterReport {
    number: usize,
    name: String,
    kind: String,
    interface: String,
    driver: String,
    largest_binding: u64,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let reports: Vec<AdapterReport> = adapters()
        .into_iter()
        .enumerate()
        .map(|(number, adapter)| {
            let options = GpuOptions {
                adapter: AdapterChoice::Named(number.to_string()),
                ..GpuOptions::default()
            };
            let tested = Gpu::open(&options).and_then(|gpu| gpu.self_test());
            AdapterReport {
                number,
                name: adapter.name,
                kind: adapter.kind.to_string(),
                interface: adapter.interface,
                driver: adapter.driver,
                largest_binding: adapter.largest_binding,
                exact: tested.is_ok(),
                error: tested.err().map(|error| error.to_string()),
            }
        })
        .collect();
    if arguments.json {
        write_json(
            out,
            &Report {
                version: 1,
                adapters: reports,
            },
        )?;
        return Ok(Outcome::Success);
    }
    if reports.is_empty() {
        writeln!(
            out,
            "no GPU adapter: no driver for Vulkan, Metal or Direct3D 12 answers"
        )?;
    }
    for adapter in reports {
        writeln!(
            out,
            "{}  {} ({}, {}, {})",
            adapter.number, adapter.name, adapter.kind, adapter.interface, adapter.driver
        )?;
        let mebibytes = adapter.largest_binding >> 20;
        match adapter.error {
            None => writeln!(out, "   exact; buffers up to {mebibytes} MiB")?,
            Some(error) => writeln!(out, "   cannot draw: {error}")?,
        }
    }
    Ok(Outcome::Success)
}
