//! `ge-harness sample`: models to try the program on.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::Outcome;
use crate::error::HarnessError;
use crate::files;
use crate::inspect::{Align, Table};
use crate::sample;

/// Write small models made for this program, to try it on
///
/// A wyvern in the containers of both games, and what else there is: original, free to use, and the
/// same bytes on every machine. Files of the same names are replaced.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness sample samples
  ge-harness render samples/wyvern.pac --entry 1 -o wyvern.png")]
pub(super) struct Arguments {
    /// The folder to write; it is created
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let folder = &arguments.folder;
    let samples = sample::files().map_err(|error| {
        HarnessError::refused(
            "samples",
            format!("could not be made: {error}"),
            "this is a bug: please report it",
        )
    })?;
    if folder.is_file() {
        return Err(HarnessError::refused(
            folder.display(),
            "is a file, not a folder",
            "name another folder",
        ));
    }
    let mut table = Table::new([
        ("wrote", Align::Left),
        ("bytes", Align::Right),
        ("what it is", Align::Left),
    ]);
    for file in &samples {
        let path = folder.join(&file.name);
        files::write(&path, &file.bytes)?;
        table.row([
            path.display().to_string(),
            file.bytes.len().to_string(),
            file.about.clone(),
        ]);
    }
    table.write(out)?;
    if let Some(first) = samples.first() {
        let path = folder.join(&first.name);
        writeln!(out, "\nTry next:")?;
        writeln!(out, "  ge-harness inspect {}", path.display())?;
        writeln!(out, "  ge-harness entries {}", path.display())?;
        writeln!(out, "  ge-harness render {} -o sample.png", path.display())?;
    }
    Ok(Outcome::Success)
}
