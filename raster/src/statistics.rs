//! What the rasteriser counted.

use std::fmt;

/// Why pending primitives were drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FlushReason {
    /// Colour or depth buffer, stride or format changed.
    TargetChanged,
    /// A texture lies where pending primitives draw.
    TextureRead,
    /// A palette is loaded from where pending primitives draw.
    ClutLoad,
    /// Vertices, indices or a list lie where pending primitives draw.
    VertexRead,
    /// A block transfer reads what pending primitives draw.
    TransferRead,
    /// A block transfer writes where pending primitives draw.
    TransferWrite,
    /// The processor reads what pending primitives draw.
    ProcessorRead,
    /// The processor writes where pending primitives draw.
    ProcessorWrite,
    /// The batch had no room for more.
    BatchFull,
    /// Pixels of the target overlap in memory, so that primitives are drawn one at a time.
    OverlappingTarget,
    /// The picture is wanted: a list ended, a buffer is shown or saved.
    Finished,
}

impl FlushReason {
    /// All reasons.
    pub const ALL: [Self; 11] = [
        Self::TargetChanged,
        Self::TextureRead,
        Self::ClutLoad,
        Self::VertexRead,
        Self::TransferRead,
        Self::TransferWrite,
        Self::ProcessorRead,
        Self::ProcessorWrite,
        Self::BatchFull,
        Self::OverlappingTarget,
        Self::Finished,
    ];
}

/// Counters since the rasteriser was made. They depend on what is drawn, never on tiles or threads; flushes and looks at
/// textures also on how many primitives are collected.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Calls of draw.
    pub draws: u64,
    /// Points among the primitives.
    pub points: u64,
    /// Lines among the primitives.
    pub lines: u64,
    /// Triangles among the primitives.
    pub triangles: u64,
    /// Rectangles among the primitives.
    pub rectangles: u64,
    /// Primitives that could touch no pixel: outside the scissor, without area, of refused depth.
    pub invisible_primitives: u64,
    /// Pixels that a primitive covers, inside the scissor.
    pub pixels_covered: u64,
    /// Pixels among them that passed every test.
    pub pixels_passed: u64,
    /// Textures that had to be decoded.
    pub textures_decoded: u64,
    /// Textures that were found decoded.
    pub textures_reused: u64,
    /// Textures, of both kinds, whose bytes had to be looked at: something was written to their pages since the last
    /// time, or nobody knows.
    pub textures_hashed: u64,
    /// Antialiased lines, which are drawn as plain ones: what hardware does is not known
    /// (spec/ge-raster.md §5.4).
    pub antialiased_lines: u64,
    flushes: [u64; FlushReason::ALL.len()],
}

impl Statistics {
    /// How often pending primitives were drawn for that reason.
    #[must_use]
    pub fn flushes(&self, reason: FlushReason) -> u64 {
        self.flushes[reason as usize]
    }

    /// How often pending primitives were drawn.
    #[must_use]
    pub fn all_flushes(&self) -> u64 {
        self.flushes.iter().sum()
    }

    pub(crate) fn count_flush(&mut self, reason: FlushReason) {
        self.flushes[reason as usize] += 1;
    }
}

/// What a GPU did since the rasteriser was made, and what was left to the processor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeviceStatistics {
    /// Batches that the GPU drew.
    pub batches: u64,
    /// Batches that the processor drew because they are beyond the GPU: rows that share words, or a texture
    /// larger than its buffers.
    pub processor_batches: u64,
    /// Primitives that the processor drew one at a time: their target overlaps itself, or their pixels are
    /// watched.
    pub processor_primitives: u64,
    /// How often what the GPU drew was fetched.
    pub fetches: u64,
    /// Bytes of VRAM that were fetched.
    pub bytes_fetched: u64,
    /// Bytes of VRAM that were uploaded.
    pub bytes_uploaded: u64,
    /// Texels that were uploaded.
    pub texels_uploaded: u64,
    /// Textures that the GPU decoded out of its own VRAM, so that nothing was fetched.
    pub textures_decoded: u64,
}

impl fmt::Display for DeviceStatistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "{} batches on the GPU, {} batches and {} single primitives on the processor",
            self.batches, self.processor_batches, self.processor_primitives
        )?;
        write!(
            formatter,
            "{} KiB of VRAM and {} texels uploaded, {} textures decoded there, {} KiB fetched in {} fetches",
            self.bytes_uploaded / 1024,
            self.texels_uploaded,
            self.textures_decoded,
            self.bytes_fetched / 1024,
            self.fetches
        )
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "{} draws: {} triangles, {} rectangles, {} lines, {} points, {} of them invisible",
            self.draws, self.triangles, self.rectangles, self.lines, self.points, self.invisible_primitives
        )?;
        writeln!(
            formatter,
            "{} pixels covered, {} passed the tests; {} textures decoded, {} reused",
            self.pixels_covered, self.pixels_passed, self.textures_decoded, self.textures_reused
        )?;
        write!(formatter, "{} flushes", self.all_flushes())?;
        for reason in FlushReason::ALL {
            if self.flushes(reason) > 0 {
                write!(formatter, ", {reason:?} {}", self.flushes(reason))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_own_counter() {
        let mut statistics = Statistics::default();
        for (index, reason) in FlushReason::ALL.into_iter().enumerate() {
            for _ in 0..=index {
                statistics.count_flush(reason);
            }
        }
        for (index, reason) in FlushReason::ALL.into_iter().enumerate() {
            assert_eq!(statistics.flushes(reason), index as u64 + 1);
        }
        assert!(statistics.to_string().contains("Finished 11"));
    }
}
