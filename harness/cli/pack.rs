//! `ge-harness pack`: a folder as a PAC again.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::Outcome;
use crate::archive::{self, Textures};
use crate::error::HarnessError;
use crate::files;
use crate::inspect::count;

/// Put the files of an unpacked PAC together again
///
/// The folder's manifest (manifest.json) says which file is which member. Unchanged files give the
/// PAC that was unpacked, byte for byte; a member that grew moves those behind it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness pack em75 em75-new.pac
  ge-harness pack em75 em75-new.pac --textures")]
pub(super) struct Arguments {
    /// A folder that unpack wrote
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// The PAC to write
    #[arg(value_name = "PAC")]
    pac: PathBuf,
    /// Take PNGs that were changed back into their banks, at the same size and format
    #[arg(long)]
    textures: bool,
    /// Replace the PAC if it exists
    #[arg(long)]
    force: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let textures = if arguments.textures {
        Textures::AsPictures
    } else {
        Textures::AsStored
    };
    let packed = archive::pack(&arguments.folder, textures)?;
    if !arguments.force && arguments.pac.exists() {
        return Err(HarnessError::Exists {
            path: arguments.pac.clone(),
        });
    }
    files::write(&arguments.pac, &packed.bytes)?;
    for picture in &packed.changed_pictures {
        writeln!(out, "took {picture} into its bank")?;
    }
    writeln!(
        out,
        "wrote {}: {}, {}",
        arguments.pac.display(),
        count(packed.members, "member"),
        count(packed.bytes.len(), "byte")
    )?;
    Ok(Outcome::Success)
}
