//! The command line: one module a command, and what they share.
mod adapters;
mod backend_arguments;
mod compare_backends;
mod conformance;
mod convert;
mod curves;
mod diff;
mod disasm;
mod draws;
mod entries;
mod export;
mod inspect;
mod model_arguments;
mod morph_arguments;
mod mot_arguments;
mod pack;
mod pixel;
mod record;
mod render;
mod replay;
mod sample;
mod terminal;
mod unpack;
mod validate;
#[cfg_attr(not(feature = "viewer"), path = "view_absent.rs")]
mod view;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::HarnessError;

pub use terminal::Style;

/// What `ge-harness` says when it is called without a command.
const OVERVIEW: &str = "\
ge-harness draws what the PSP's Graphics Engine draws, in software and exactly.

Look
  inspect FILE          what a file is and what is in it, any format, told by content
  entries MODEL         the animations of a model
  curves FILE           the curves of an animation as a plot (PNG, SVG) or numbers (CSV)
  disasm FILE           its display lists, one GE command a line
  draws CAPTURE         every draw of a recorded frame, with its state
  pixel CAPTURE X,Y     every draw that covered a pixel of it, step by step
  validate MODEL        the rules that the game's engine needs kept

Draw
  view FILE             a window on a model or a capture: play, go round, step through draws
  render MODEL          a model in a pose, or an animation, as PNG, APNG or GIF
  replay CAPTURE        a frame that PPSSPP recorded (.ppdmp or .zip)
  record MODEL          a model's render as a capture, which PPSSPP replays too
  diff A B              how far two pictures are apart, and where
  conformance FOLDER    a folder of captures, each against its picture or values
  compare-backends FILE the processor's and a GPU's drawing of it, bit for bit
  adapters              the GPUs that --backend gpu can draw on

Take apart, put together
  unpack PAC FOLDER     a container's members as files, and back with
  pack FOLDER PAC       byte for byte
  export MODEL          the posed triangles as OBJ, with materials and textures
  convert FILE          a motion between MOT and the games' clips, or into a pack's slot

Start
  sample FOLDER         small models made for this program, to try it on

ge-harness COMMAND --help explains a command, with examples.
";

const AFTER_HELP: &str = "\
A member of a PAC is named by its number wherever a file is taken: em75.pac#2, or stage.pac#5#0 for
one inside a nested PAC.

Exit status: 0 done (diff: same), 1 failed (diff: different; validate: rules broken), 2 wrong usage.
Data goes to standard output, messages to standard error. NO_COLOR turns colours off.";

/// The arguments of `ge-harness`.
#[derive(Debug, Parser)]
#[command(
    name = "ge-harness",
    version,
    about = "Draws what the PSP's Graphics Engine draws, in software and exactly",
    after_help = AFTER_HELP,
    max_term_width = 100,
    disable_help_subcommand = true,
    subcommand_help_heading = "Commands"
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Inspect(inspect::Arguments),
    Entries(entries::Arguments),
    Disasm(disasm::Arguments),
    Validate(validate::Arguments),
    View(Box<view::Arguments>),
    Render(Box<render::Arguments>),
    Replay(Box<replay::Arguments>),
    Draws(draws::Arguments),
    Pixel(pixel::Arguments),
    Record(Box<record::Arguments>),
    Diff(diff::Arguments),
    Conformance(Box<conformance::Arguments>),
    CompareBackends(Box<compare_backends::Arguments>),
    Adapters(adapters::Arguments),
    Curves(Box<curves::Arguments>),
    Convert(Box<convert::Arguments>),
    Unpack(unpack::Arguments),
    Pack(pack::Arguments),
    Export(export::Arguments),
    Sample(sample::Arguments),
}

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done; for a comparison or check: same, or sound. Exit status 0.
    Success,
    /// The comparison found a difference, or the check a fault. Exit status 1.
    Different,
}

/// Runs the command that the process was called with, and prints what went wrong, if anything.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come here too. A reader that went away is no failure.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let outcome = run(arguments, &mut out).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match outcome {
        Ok(Outcome::Success) => ExitCode::SUCCESS,
        Ok(Outcome::Different) => ExitCode::FAILURE,
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // What was printed so far belongs before the message.
            let _ = out.flush();
            terminal::print_error(&error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// Runs one command; its data goes to `out`.
///
/// # Errors
/// Whatever stopped the command.
pub fn run(arguments: Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let Some(command) = arguments.command else {
        out.write_all(OVERVIEW.as_bytes())?;
        return Ok(Outcome::Success);
    };
    match command {
        Command::Inspect(arguments) => inspect::run(&arguments, out),
        Command::Entries(arguments) => entries::run(&arguments, out),
        Command::Disasm(arguments) => disasm::run(&arguments, out),
        Command::Validate(arguments) => validate::run(&arguments, out),
        Command::View(arguments) => view::run(&arguments, out),
        Command::Render(arguments) => render::run(&arguments, out),
        Command::Replay(arguments) => replay::run(&arguments, out),
        Command::Draws(arguments) => draws::run(&arguments, out),
        Command::Pixel(arguments) => pixel::run(&arguments, out),
        Command::Record(arguments) => record::run(&arguments, out),
        Command::Diff(arguments) => diff::run(&arguments, out),
        Command::Conformance(arguments) => conformance::run(&arguments, out),
        Command::CompareBackends(arguments) => compare_backends::run(&arguments, out),
        Command::Adapters(arguments) => adapters::run(&arguments, out),
        Command::Curves(arguments) => curves::run(&arguments, out),
        Command::Convert(arguments) => convert::run(&arguments, out),
        Command::Unpack(arguments) => unpack::run(&arguments, out),
        Command::Pack(arguments) => pack::run(&arguments, out),
        Command::Export(arguments) => export::run(&arguments, out),
        Command::Sample(arguments) => sample::run(&arguments, out),
    }
}

/// Writes a report as JSON, indented, with a line break at its end.
fn write_json(out: &mut dyn Write, report: &impl serde::Serialize) -> Result<(), HarnessError> {
    serde_json::to_writer_pretty(&mut *out, report).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_explains_itself_with_an_example() {
        for command in Arguments::command().get_subcommands() {
            let name = command.get_name();
            let help = command.clone().render_long_help().to_string();
            assert!(help.contains("Example"), "{name} --help shows no example");
            assert!(
                help.contains(&format!("ge-harness {name}")),
                "{name}'s example is of another command"
            );
            assert!(
                OVERVIEW.contains(&format!("  {name} ")),
                "the overview leaves out {name}"
            );
            for argument in command.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{name}: {} is not explained",
                    argument.get_id()
                );
            }
        }
    }

    #[test]
    fn no_command_prints_the_overview() {
        let mut out = Vec::new();
        let outcome = run(Arguments { command: None }, &mut out).unwrap();
        assert_eq!(outcome, Outcome::Success);
        assert!(
            String::from_utf8(out)
                .unwrap()
                .lines()
                .all(|line| line.len() <= 100)
        );
    }
}
