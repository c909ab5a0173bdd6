//! `ge-harness draws`: every draw of a recorded frame, with its state.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use raster::Threads;
use serde::Serialize;

use super::replay::ReadingArguments;
use super::{Outcome, write_json};
use crate::draws::{self, Draw, Registers};
use crate::error::HarnessError;
use crate::inspect::count;
use crate::replay::NamedCapture;

/// List every draw of a capture with its state
///
/// One line a draw: its number, the record whose commands draw it, primitive and number of vertices, primitives left
/// after clipping and culling, pixels that passed every test, vertex type, target, texture as the recorded game
/// bound it (address, format, size), and what is on: clear mode, blending, tests, culling, lights, fog, mask.
///
/// Blend factors read "source, destination"; comparisons hold the incoming value against the stored one, or
/// against the reference; stencil operations are those of stencil fails/depth fails/both pass.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness draws NPJB40001_0001.ppdmp | less -S
  ge-harness draws frame.zip --draws 120..140 --verbose
  ge-harness draws frame.zip --json")]
pub(super) struct Arguments {
    /// The capture: .ppdmp, or .zip with one
    #[arg(value_name = "CAPTURE")]
    capture: PathBuf,
    /// Only these draws, both ends included, or one
    #[arg(long, value_name = "A..B", value_parser = parse_draws)]
    draws: Option<(u64, u64)>,
    /// Print all state of each draw: registers in words, those that changed marked, and matrices
    #[arg(short, long, conflicts_with = "json")]
    verbose: bool,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    capture: &'a str,
    draws: Vec<Draw>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let capture = NamedCapture::open(&arguments.capture)?;
    let (first, last) = arguments.draws.unwrap_or((0, u64::MAX));
    let mut drawn = 0;
    let mut draws = Vec::new();
    let mut before: Option<Registers> = None;
    let mut written = Ok(());
    let visited = draws::visit(
        &capture.capture,
        arguments.reading.options(Threads::Automatic),
        |seen| {
            drawn += 1;
            if (first..=last).contains(&seen.draw.draw) && written.is_ok() {
                match arguments.verbose {
                    true => written = draws::write_details(out, seen, before.as_ref()),
                    false => draws.push(seen.draw.clone()),
                }
            }
            if arguments.verbose {
                before = Some(seen.registers.clone());
            }
        },
    );
    written?;
    if arguments.json {
        write_json(
            out,
            &Report {
                version: 1,
                capture: &capture.name,
                draws,
            },
        )?;
    } else if !arguments.verbose {
        writeln!(out, "{}: {}", capture.name, count(drawn, "draw"))?;
        draws::write_table(out, &draws)?;
    }
    visited.map_err(|error| capture.replay_error(error))?;
    Ok(Outcome::Success)
}

/// A range of draws, or one.
fn parse_draws(text: &str) -> Result<(u64, u64), String> {
    let number = |text: &str| text.parse::<u64>().ok();
    let range = match text.split_once("..") {
        Some((first, last)) => number(first).zip(number(last.trim_start_matches('='))),
        None => number(text).map(|draw| (draw, draw)),
    };
    match range {
        Some((first, last)) if first <= last => Ok((first, last)),
        Some((first, last)) => Err(format!("the range ends before it begins: write {last}..{first}")),
        None => Err("expected a draw, such as 120, or a range, such as 120..140".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_single_draws_are_read() {
        assert_eq!(parse_draws("3"), Ok((3, 3)));
        assert_eq!(parse_draws("3..9"), Ok((3, 9)));
        assert!(parse_draws("9..3").unwrap_err().contains("3..9"));
        assert!(parse_draws("x").is_err());
    }
}
