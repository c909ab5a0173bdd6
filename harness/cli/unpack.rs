//! `ge-harness unpack`: a PAC's members as files.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use formats::detect::{Kind, detect};

use super::Outcome;
use crate::archive::{self, Textures};
use crate::error::HarnessError;
use crate::files::{self, Input};

/// Write each member of a PAC to a file, with a manifest to pack them again
///
/// Files are named by number and content, such as 000.skeleton.bin and 001.model.pmo. The manifest
/// (manifest.json) keeps order, alignment and the bytes after the last member, so that pack gives
/// back the same file, byte for byte.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness unpack em75.pac em75
  ge-harness unpack em75.pac em75 --textures
  ge-harness unpack stage.pac#5 collision")]
pub(super) struct Arguments {
    /// The PAC, or a PAC inside one (stage.pac#5)
    #[arg(value_name = "PAC")]
    pac: PathBuf,
    /// The folder to write; it is created
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Write textures as PNGs too, each into a folder beside its bank; pack --textures takes changed ones back
    #[arg(long)]
    textures: bool,
    /// Write into a folder that has files in it, replacing those of the same names
    #[arg(long)]
    force: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let input = Input::open(&arguments.pac)?;
    match detect(&input.bytes) {
        Kind::Pac | Kind::StagePac => {}
        // A PAC of other tools may not be recognised and yet be one.
        Kind::Unknown if formats::pac::Pac::parse(&input.bytes).is_ok() => {}
        _ => {
            return Err(HarnessError::wrong_kind(
                &input.name,
                &input.bytes,
                "a container (PAC)",
            ));
        }
    }
    let textures = if arguments.textures {
        Textures::AsPictures
    } else {
        Textures::AsStored
    };
    let unpacked = archive::unpack(&input.bytes, textures).map_err(|source| input.format_error(source))?;
    let folder = &arguments.folder;
    let has_files = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if !arguments.force && (has_files || folder.is_file()) {
        return Err(HarnessError::Exists { path: folder.clone() });
    }
    files::create_folder(folder)?;
    for (name, bytes) in &unpacked {
        files::write(&folder.join(name), bytes)?;
        writeln!(out, "{:>9}  {}", bytes.len(), folder.join(name).display())?;
    }
    Ok(Outcome::Success)
}
