//! What happened to the pixel, as the reports tell it.
use std::collections::HashMap;

use ge::Writer;
use serde::Serialize;

use super::follow::Met;
use super::{FragmentReport, Value};
use crate::draws::Draw;

/// Something that had to do with the pixel.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A draw that covered it.
    Draw {
        /// The draw, as `ge-harness draws` lists it.
        #[serde(flatten)]
        draw: Box<Draw>,
        /// Its primitives that cover the pixel, in order.
        fragments: Vec<FragmentReport>,
        /// What the pixel was and became where the draw's depth buffer lies there.
        #[serde(skip_serializing_if = "Option::is_none")]
        by_depth: Option<[Value; 2]>,
    },
    /// A block transfer that wrote it.
    Transfer {
        /// Address of the first byte read.
        source: u32,
        /// Address of the first byte written.
        destination: u32,
        /// Bytes of a row.
        row_bytes: u32,
        /// Rows.
        rows: u32,
        /// The colour before.
        before: Value,
        /// The colour afterwards.
        after: Value,
    },
    /// Recorded data that the replay copied to VRAM.
    Copy {
        /// The record.
        record: usize,
        /// Address of the first byte written.
        destination: u32,
        /// How many.
        bytes: u32,
        /// The colour before.
        before: Value,
        /// The colour afterwards.
        after: Value,
    },
    /// A recorded fill of VRAM.
    Fill {
        /// The record.
        record: usize,
        /// Address of the first byte written.
        destination: u32,
        /// How many.
        bytes: u32,
        /// The colour before.
        before: Value,
        /// The colour afterwards.
        after: Value,
    },
}

/// What the final colour comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum MadeBy {
    /// A draw.
    Draw {
        /// Its number.
        draw: u64,
    },
    /// A block transfer.
    Transfer {
        /// Address of the first byte read.
        source: u32,
    },
    /// A copy to VRAM.
    Copy {
        /// The record.
        record: usize,
    },
    /// A fill of VRAM.
    Fill {
        /// The record.
        record: usize,
    },
}

/// What was met, with the draws that it names.
pub(super) fn events(met: Vec<Met>, draws: &HashMap<u64, Draw>) -> Vec<Event> {
    met.into_iter().filter_map(|met| event(met, draws)).collect()
}

fn event(met: Met, draws: &HashMap<u64, Draw>) -> Option<Event> {
    match met {
        Met::Draw {
            number,
            fragments,
            otherwise,
        } => Some(Event::Draw {
            draw: Box::new(draws.get(&number)?.clone()),
            fragments: fragments.iter().map(FragmentReport::new).collect(),
            by_depth: otherwise,
        }),
        Met::Write {
            record,
            write,
            before,
            after,
        } => {
            let destination = write.start.get();
            Some(match write.writer {
                Writer::Transfer { source } => Event::Transfer {
                    source: source.get(),
                    destination,
                    row_bytes: write.row_bytes,
                    rows: write.rows,
                    before,
                    after,
                },
                Writer::Copy => Event::Copy {
                    record,
                    destination,
                    bytes: write.row_bytes,
                    before,
                    after,
                },
                Writer::Fill => Event::Fill {
                    record,
                    destination,
                    bytes: write.row_bytes,
                    before,
                    after,
                },
            })
        }
    }
}

/// The last event that gave the pixel its colour: that changed it, or wrote it without looking at what was there.
pub(super) fn made_by(events: &[Event]) -> Option<MadeBy> {
    events.iter().rev().find_map(|event| match event {
        Event::Draw {
            draw,
            fragments,
            by_depth,
        } => {
            let covers = |fragment: &FragmentReport| {
                let changes = fragment.before.rgba[..3] != fragment.after.rgba[..3];
                let covers = draw.state.blend.is_none() && draw.state.logic.is_none();
                fragment.passed && fragment.writes_colour && (changes || covers)
            };
            (by_depth.is_some() || fragments.iter().any(covers)).then_some(MadeBy::Draw { draw: draw.draw })
        }
        Event::Transfer { source, .. } => Some(MadeBy::Transfer { source: *source }),
        Event::Copy { record, .. } => Some(MadeBy::Copy { record: *record }),
        Event::Fill { record, .. } => Some(MadeBy::Fill { record: *record }),
    })
}
