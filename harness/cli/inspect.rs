//! `ge-harness inspect`: what a file is and what is in it.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{Outcome, write_json};
use crate::error::HarnessError;
use crate::files::Input;
use crate::inspect::{Detail, Inspection};

/// Say what a file is and what is in it
///
/// Any file is told by its content, whatever its name: PAC containers and their members, PMO models,
/// TMH texture banks, skeletons, animation packs, MOT motions, shape animations (BFRES, FSHA), GE captures (.ppdmp,
/// also inside a .zip).
///
/// Text is for people and may change; --json is for programs and keeps its meaning as long as its
/// version does.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness inspect em75.pac
  ge-harness inspect em75.pac#1
  ge-harness inspect frame.zip --all
  ge-harness inspect em75.pac#2 --json")]
pub(super) struct Arguments {
    /// The file, or a member of a PAC (em75.pac#2)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// List every draw of a capture
    #[arg(long)]
    all: bool,
    /// The geometry of a Portable 3rd model whose file has none: the game's next file
    #[arg(long, value_name = "FILE")]
    geometry: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let geometry = arguments.geometry.as_deref().map(Input::open).transpose()?;
    let inspection = Inspection::new(&Input::open(&arguments.file)?, geometry.as_ref())?;
    if arguments.json {
        write_json(out, &inspection)?;
    } else {
        inspection.write_text(out, if arguments.all { Detail::All } else { Detail::Usual })?;
    }
    Ok(Outcome::Success)
}
