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
