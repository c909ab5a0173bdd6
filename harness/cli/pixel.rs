//! `ge-harness pixel`: what made a pixel what it is.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use raster::Threads;
use replay::Picture;
use serde::Serialize;

use super::replay::{Order, ProfileArgument, ReadingArguments};
use super::{Outcome, write_json};
use crate::error::HarnessError;
use crate::pixel::{self, History, PixelError, Position};
use crate::replay::NamedCapture;

/// Tell what made a pixel what it is: every draw that covered it, step by step
///
/// The pixel is one of the buffer that the frame ends by showing. Each draw that covers it is told with its number,
/// as ge-harness draws lists them, its texture and state, the primitives that cover the pixel, and what each step
/// of the pixel pipeline decided there; then colour and depth before and after. Block transfers, copies and fills
/// of VRAM that wrote it are told too.
///
/// Tests read "incoming comparison stored": depth 30000 >= 20000, alpha against its reference, the stencil's
/// reference against the stored value. Colours are red, green, blue, alpha; before and after also as stored in
/// the buffer's format. The alpha of a buffer is the stencil.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness pixel frame.zip 240,136
  ge-harness pixel frame.zip 240,136 --order reference --profile ppsspp --all
  ge-harness pixel frame.zip 240,136 --json")]
pub(super) struct Arguments {
    /// The capture: .ppdmp, or .zip with one
    #[arg(value_name = "CAPTURE")]
    capture: PathBuf,
    /// Column and row, from 0,0 at the top left to 479,271
    #[arg(value_name = "X,Y", value_parser = parse_position)]
    position: Position,
    /// Show everything of a long history, not the last 32 events alone
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Print JSON, which leaves nothing out
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    capture: &'a str,
    order: Order,
    profile: ProfileArgument,
    #[serde(flatten)]
    history: &'a History,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let capture = NamedCapture::open(&arguments.capture)?;
    let options = arguments.reading.options(Threads::Automatic);
    let history = pixel::history(&capture, options, arguments.position).map_err(|error| match error {
        PixelError::Replay(error) => capture.replay_error(error),
        error => HarnessError::refused(
            &capture.name,
            error,
            format_args!("ge-harness inspect {} lists its DISPLAY records", capture.name),
        ),
    })?;
    if arguments.json {
        write_json(
            out,
            &Report {
                version: 1,
                capture: &capture.name,
                order: arguments.reading.order,
                profile: arguments.reading.profile,
                history: &history,
            },
        )?;
        return Ok(Outcome::Success);
    }
    pixel::write_title(out, &capture.name, &history)?;
    let limit = if arguments.all {
        usize::MAX
    } else {
        pixel::USUAL_EVENTS
    };
    pixel::write(out, &history, limit)?;
    Ok(Outcome::Success)
}

/// A pixel of the screen: `240,136`.
fn parse_position(text: &str) -> Result<Position, String> {
    let (x, y) = text
        .split_once(',')
        .and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)))
        .ok_or("expected column and row, such as 240,136")?;
    let (width, height) = (Picture::WIDTH as u32, Picture::HEIGHT as u32);
    if x >= width || y >= height {
        return Err(format!(
            "the screen has {width} columns and {height} rows: 0,0 to {},{}",
            width - 1,
            height - 1
        ));
    }
    Ok(Position { x, y })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_on_the_screen() {
        assert_eq!(parse_position("479,271"), Ok(Position { x: 479, y: 271 }));
        for text in ["480,0", "0,272", "-1,0", "1", "a,b", "4294967296,0"] {
            assert!(parse_position(text).is_err(), "{text}");
        }
    }
}
