//! Watching a list run.

use raster::Draw;
use vertex::VertexType;

use crate::assembly::PrimitiveCode;
use crate::command::Command;
use crate::{Address, Ge};

/// Where a draw's vertices came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawSource {
    /// PRIM, from memory.
    Primitive,
    /// BEZIER, tessellated.
    Bezier,
    /// SPLINE, tessellated.
    Spline,
    /// Immediate vertices.
    Immediate,
}

/// A draw on its way to the rasteriser.
#[derive(Clone, Copy, Debug)]
pub struct DrawEvent<'a> {
    /// The number of the draw, from 0, counted since the GE was made; draws of which nothing is left
    /// count too.
    pub number: u64,
    /// The command that drew.
    pub address: Address,
    /// Where the vertices came from.
    pub source: DrawSource,
    /// The primitive type of the command: `Continue` where it said so.
    pub primitive: PrimitiveCode,
    /// The format of the vertices.
    pub vertex_type: VertexType,
    /// How many vertices the command counts.
    pub vertex_count: u32,
    /// What the rasteriser gets: state, texture, vertices on the screen, and the primitives that are
    /// left after rejection, clipping and culling.
    pub draw: &'a Draw<'a>,
}

/// A signal that calls back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal {
    /// The END behind the signal.
    pub address: Address,
    /// What the signal does: 1 suspends, 2 goes on, 3 pauses (`spec/ge-frontend.md §2.5`).
    pub behaviour: u8,
    /// The value that the callback gets.
    pub value: u16,
}

/// What wrote memory without drawing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Writer {
    /// XFERSTART: a block transfer.
    Transfer {
        /// Address of the first byte read.
        source: Address,
    },
    /// A replay's copy: data that the recorded game's processor brought to VRAM.
    Copy,
    /// A replay's fill.
    Fill,
}

/// Memory that was written without drawing: rows of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemoryWrite {
    /// What wrote.
    pub writer: Writer,
    /// Address of the first byte.
    pub start: Address,
    /// Bytes of a row.
    pub row_bytes: u32,
    /// Bytes from one row to the next.
    pub stride: u32,
    /// Rows.
    pub rows: u32,
}

impl MemoryWrite {
    /// Addresses of the rows' first bytes.
    pub fn row_starts(self) -> impl Iterator<Item = Address> {
        (0..self.rows).map(move |row| self.start.offset(row.wrapping_mul(self.stride)))
    }
}

/// Watches a list run. Every method does nothing by default, and costs nothing then.
///
/// The GE is handed out to be read: as [`Ge::memory`] finishes pending draws, an observer may look at pixels
/// whenever it is called, and changes none by it.
pub trait Observer {
    /// Before a command is carried out: the GE is as the commands before have left it.
    fn on_command(&mut self, ge: &mut Ge, address: Address, command: Command) {
        let _ = (ge, address, command);
    }

    /// Before a draw goes to the rasteriser.
    fn on_draw(&mut self, event: &DrawEvent<'_>) {
        let _ = event;
    }

    /// After the draw of this number went to the rasteriser, with which it may still be pending.
    fn after_draw(&mut self, ge: &mut Ge, number: u64) {
        let _ = (ge, number);
    }

    /// After memory was written by something else than a draw: by a block transfer, or by a replay in VRAM.
    fn after_write(&mut self, ge: &mut Ge, write: MemoryWrite) {
        let _ = (ge, write);
    }

    /// Whether the list is to stop before its next command, with [`Stop::Observed`](crate::Stop::Observed).
    fn stops(&self) -> bool {
        false
    }

    /// At a signal that calls back.
    fn on_signal(&mut self, signal: Signal) {
        let _ = signal;
    }

    /// At the FINISH and END that end the list.
    fn on_finish(&mut self, id: u16) {
        let _ = id;
    }
}

/// Watches nothing.
impl Observer for () {}
