//! `ge-harness disasm`: display lists as text.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use formats::detect::{Kind, detect};
use formats::pac::Pac;
use formats::pmo::Pmo;

use super::Outcome;
use crate::disasm;
use crate::error::HarnessError;
use crate::files::Input;
use crate::inspect::described;
use crate::replay::NamedCapture;

/// Show display lists, one GE command a line
///
/// Each line has the offset of the word, the word, the command's name and its fields; for commands
/// that mean an address, -> and the address.
///
/// A model gives the list of each group, with offsets from the start of its geometry; a PAC those of
/// every model in it; a capture the commands in the order in which they ran, with the records of
/// data between them. --raw takes any file as a row of words.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness disasm em75.pac
  ge-harness disasm frame.ppdmp | less
  ge-harness disasm list.bin --raw --address 0x08800000")]
pub(super) struct Arguments {
    /// The file, or a member of a PAC (em75.pac#1)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The geometry of a Portable 3rd model whose file has none: the game's next file
    #[arg(long, value_name = "FILE", conflicts_with = "raw")]
    geometry: Option<PathBuf>,
    /// Take the file as words, whatever it is
    #[arg(long)]
    raw: bool,
    /// Where the first word of a raw file stands
    #[arg(long, value_name = "ADDRESS", requires = "raw", value_parser = parse_address, default_value = "0")]
    address: u32,
}

/// A number, hexadecimal with 0x or decimal.
fn parse_address(text: &str) -> Result<u32, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "expected a 32-bit number such as 0x08800000".into())
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let input = Input::open(&arguments.file)?;
    if arguments.raw {
        disasm::write_raw(out, arguments.address, &input.bytes)?;
        return Ok(Outcome::Success);
    }
    let geometry = arguments.geometry.as_deref().map(Input::open).transpose()?;
    let geometry = geometry.as_ref().map(|input| input.bytes.as_slice());
    let capture = match detect(&input.bytes) {
        Kind::Pmo => {
            let model = parse_model(&input.name, &input.bytes, geometry)?;
            disasm::write_model(out, &input.name, &model)?;
            return Ok(Outcome::Success);
        }
        kind @ (Kind::Pac | Kind::StagePac) => {
            return match write_models(out, &input, geometry)? {
                0 => Err(HarnessError::refused(
                    &input.name,
                    format!("the {kind} holds no model"),
                    "captures, models and containers of models have display lists",
                )),
                _ => Ok(Outcome::Success),
            };
        }
        Kind::Capture | Kind::Zip => NamedCapture::of(&input)?.capture,
        _ => {
            return Err(HarnessError::WrongKind {
                found: described(&input.bytes),
                file: input.name,
                wanted: "a model, a container of models or a capture",
                hint: "--raw shows any file as GE words".into(),
            });
        }
    };
    disasm::write_capture(out, &capture)?;
    Ok(Outcome::Success)
}

/// The lists of every model in a PAC; gives how many models there were.
fn write_models(out: &mut dyn Write, input: &Input, geometry: Option<&[u8]>) -> Result<usize, HarnessError> {
    let pac = Pac::parse(&input.bytes).map_err(|source| input.format_error(source))?;
    let mut models = 0;
    for (member, bytes) in pac.entries().iter().enumerate() {
        let name = format!("{}#{member}", input.name);
        if detect(bytes) == Kind::Pmo {
            let model = parse_model(&name, bytes, geometry)?;
            if models > 0 {
                writeln!(out)?;
            }
            disasm::write_model(out, &name, &model)?;
            models += 1;
        }
    }
    Ok(models)
}

/// A model with its geometry, which may stand in a file of its own.
fn parse_model(name: &str, bytes: &[u8], geometry: Option<&[u8]>) -> Result<Pmo, HarnessError> {
    let fail = |source| HarnessError::Format {
        file: name.to_owned(),
        source,
    };
    if !Pmo::needs_geometry(bytes).map_err(fail)? {
        return Pmo::parse(bytes).map_err(fail);
    }
    let Some(geometry) = geometry else {
        return Err(HarnessError::refused(
            name,
            "its geometry is in another file",
            "it is the game's next file: name it with --geometry",
        ));
    };
    Pmo::parse_with_geometry(bytes, geometry).map_err(fail)
}
