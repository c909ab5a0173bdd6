//! The history of one pixel of the shown buffer: every draw that covered it, and what else wrote it.
//!
//! The capture is replayed for it; the rasteriser itself tells what it does at the pixel. A second replay tells of the
//! draws, as `ge-harness draws` lists them.
mod event;
mod follow;
mod fragment;
#[cfg(test)]
mod tests;
mod text;

use formats::capture::Display;
use raster::FrameFormat;
use replay::{PictureError, ReplayError, ReplayOptions};
use serde::Serialize;

pub use event::{Event, MadeBy};
pub use fragment::{FragmentReport, StepReport};
pub use text::{USUAL_EVENTS, write, write_title};

use crate::draws;
use crate::replay::NamedCapture;

/// A pixel of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Column, 0 to 479.
    pub x: u32,
    /// Row, 0 to 271.
    pub y: u32,
}

/// A colour in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Value {
    /// The bits as they lie in memory, low byte first.
    pub stored: u32,
    /// Red, green, blue, and the alpha that is the stencil: 0 in 5650.
    pub rgba: [u8; 4],
}

/// All that happened to a pixel.
#[derive(Debug, Clone, Serialize)]
pub struct History {
    /// Which pixel.
    #[serde(flatten)]
    pub position: Position,
    /// Its address in VRAM.
    pub address: u32,
    /// The shown buffer's pixel format: `5650`, `5551`, `4444` or `8888`.
    pub format: &'static str,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What lies there at the end.
    pub value: Value,
    /// What the value comes from, if anything wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_by: Option<MadeBy>,
}

/// Why there is no history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PixelError {
    /// No buffer is shown, or none that is a picture.
    #[error(transparent)]
    Display(#[from] PictureError),
    /// The shown buffer is not in VRAM, where draws go.
    #[error("the shown buffer lies at {0:08X}, and draws reach VRAM alone")]
    OutsideVram(u32),
    /// The replay cannot go on.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// Where the pixel lies.
#[derive(Debug, Clone, Copy)]
struct Place {
    address: u32,
    format: FrameFormat,
}

impl Place {
    fn of(display: Display, position: Position) -> Result<Self, PixelError> {
        let stride = u16::try_from(display.stride).map_err(|_| PictureError::Stride(display.stride))?;
        let format = match display.format {
            0..=3 => FrameFormat::from_bits(display.format as u32),
            other => return Err(PictureError::Format(other).into()),
        };
        // Without a top byte the address is an offset into VRAM.
        let base = match display.address >> 24 {
            0 => 0x0400_0000 | display.address,
            _ => display.address,
        };
        let pixel = position.y * u32::from(stride) + position.x;
        Ok(Self {
            address: base.wrapping_add(pixel * format.bytes()),
            format,
        })
    }
}

/// Replays a capture and tells what happened to a pixel of the buffer that it ends by showing.
///
/// # Errors
/// [`PixelError`] where no such buffer is in VRAM, or the replay fails.
pub fn history(
    capture: &NamedCapture,
    options: ReplayOptions,
    position: Position,
) -> Result<History, PixelError> {
    let capture = &capture.capture;
    let display = capture.shown().ok_or(PictureError::NothingShown)?;
    let place = Place::of(display, position)?;
    let followed = follow::follow(capture, options, place)?;
    let wanted: std::collections::HashSet<u64> = followed.draws().collect();
    let mut seen = std::collections::HashMap::new();
    draws::visit(capture, options, |draw| {
        if wanted.contains(&draw.draw.draw) {
            seen.insert(draw.draw.draw, draw.draw.clone());
        }
    })?;
    let events = event::events(followed.met, &seen);
    Ok(History {
        position,
        address: place.address,
        format: draws::frame_format(place.format),
        made_by: event::made_by(&events),
        events,
        value: followed.value,
    })
}
