//! What a replay counted and met, as the commands report it.
use std::io::{self, Write};

use raster::{DeviceStatistics, FlushReason, Rasterizer};
use serde::Serialize;

/// Something that a run met and does not do as hardware does it.
#[derive(Debug, Clone, Serialize)]
pub struct MetReport {
    /// What it is, in words.
    pub feature: String,
    /// How often it was met.
    pub count: u64,
}

impl MetReport {
    /// Everything that a GE has met.
    #[must_use]
    pub fn all(report: &ge::Report) -> Vec<Self> {
        report
            .iter()
            .map(|(feature, met)| Self {
                feature: feature.to_string(),
                count: met.count,
            })
            .collect()
    }
}

/// What the rasteriser counted.
#[derive(Debug, Clone, Serialize)]
pub struct StatisticsReport {
    /// Draws of which anything is left after clipping and culling.
    pub draws: u64,
    /// Points drawn.
    pub points: u64,
    /// Lines drawn.
    pub lines: u64,
    /// Triangles drawn.
    pub triangles: u64,
    /// Rectangles drawn.
    pub rectangles: u64,
    /// Primitives that cover no pixel.
    pub invisible_primitives: u64,
    /// Pixels that primitives cover.
    pub pixels_covered: u64,
    /// Pixels that passed every test.
    pub pixels_passed: u64,
    /// Textures that were decoded.
    pub textures_decoded: u64,
    /// Textures that were decoded before.
    pub textures_reused: u64,
    /// Why pending primitives were drawn, and how often.
    pub flushes: Vec<FlushReport>,
    /// What the GPU did, where one drew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu: Option<DeviceReport>,
}

/// What a GPU did, and what was left to the processor.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceReport {
    /// Batches that the GPU drew.
    pub batches: u64,
    /// Batches beyond the GPU, which the processor drew.
    pub processor_batches: u64,
    /// Primitives that the processor drew one at a time.
    pub processor_primitives: u64,
    /// How often what the GPU drew was fetched.
    pub fetches: u64,
    /// Bytes of VRAM that were fetched.
    pub bytes_fetched: u64,
    /// Bytes of VRAM that were uploaded.
    pub bytes_uploaded: u64,
    /// Texels that were uploaded.
    pub texels_uploaded: u64,
    /// Textures that the GPU decoded out of its own VRAM.
    pub textures_decoded: u64,
}

impl From<&DeviceStatistics> for DeviceReport {
    fn from(statistics: &DeviceStatistics) -> Self {
        Self {
            batches: statistics.batches,
            processor_batches: statistics.processor_batches,
            processor_primitives: statistics.processor_primitives,
            fetches: statistics.fetches,
            bytes_fetched: statistics.bytes_fetched,
            bytes_uploaded: statistics.bytes_uploaded,
            texels_uploaded: statistics.texels_uploaded,
            textures_decoded: statistics.textures_decoded,
        }
    }
}

/// A reason for drawing what is pending.
#[derive(Debug, Clone, Serialize)]
pub struct FlushReport {
    /// The reason in words.
    pub reason: String,
    /// How often.
    pub count: u64,
}

impl StatisticsReport {
    /// The report of a rasteriser's counters.
    #[must_use]
    pub fn new(rasterizer: &Rasterizer) -> Self {
        let statistics = rasterizer.statistics();
        Self {
            draws: statistics.draws,
            points: statistics.points,
            lines: statistics.lines,
            triangles: statistics.triangles,
            rectangles: statistics.rectangles,
            invisible_primitives: statistics.invisible_primitives,
            pixels_covered: statistics.pixels_covered,
            pixels_passed: statistics.pixels_passed,
            textures_decoded: statistics.textures_decoded,
            textures_reused: statistics.textures_reused,
            flushes: FlushReason::ALL
                .into_iter()
                .filter(|reason| statistics.flushes(*reason) > 0)
                .map(|reason| FlushReport {
                    reason: in_words(reason),
                    count: statistics.flushes(reason),
                })
                .collect(),
            gpu: rasterizer.device_statistics().map(DeviceReport::from),
        }
    }
}

impl StatisticsReport {
    /// Writes the counters as indented lines.
    ///
    /// # Errors
    /// What `out` returns.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "  primitives  {} triangles, {} rectangles, {} lines, {} points; {} of them invisible",
            self.triangles, self.rectangles, self.lines, self.points, self.invisible_primitives
        )?;
        writeln!(
            out,
            "  pixels      {} covered, {} passed every test",
            self.pixels_covered, self.pixels_passed
        )?;
        writeln!(
            out,
            "  textures    {} decoded, {} found decoded",
            self.textures_decoded, self.textures_reused
        )?;
        let flushes: Vec<_> = self
            .flushes
            .iter()
            .map(|flush| format!("{} {}", flush.reason, flush.count))
            .collect();
        let flushes = if flushes.is_empty() {
            "none".into()
        } else {
            flushes.join(", ")
        };
        writeln!(out, "  flushes     {flushes}")?;
        if let Some(gpu) = &self.gpu {
            writeln!(
                out,
                "  GPU         {} batches; on the processor {} batches and {} single primitives",
                gpu.batches, gpu.processor_batches, gpu.processor_primitives
            )?;
            writeln!(
                out,
                "              {} KiB of VRAM and {} texels uploaded, {} textures decoded there, {} KiB fetched in {} times",
                gpu.bytes_uploaded / 1024,
                gpu.texels_uploaded,
                gpu.textures_decoded,
                gpu.bytes_fetched / 1024,
                gpu.fetches
            )?;
        }
        Ok(())
    }
}

/// `TextureRead` as `texture read`.
fn in_words(reason: FlushReason) -> String {
    let mut words = String::new();
    for (index, character) in format!("{reason:?}").chars().enumerate() {
        if index > 0 && character.is_uppercase() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_words() {
        assert_eq!(in_words(FlushReason::TextureRead), "texture read");
    }
}
