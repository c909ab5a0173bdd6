//! `ge-harness export`: a posed model for other programs.
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Outcome;
use super::model_arguments::{ModelArguments, PlayedArguments, ShownArguments};
use crate::error::HarnessError;
use crate::export::obj;
use crate::files;
use crate::render::{RenderOptions, Renderer};

/// Write a posed model as OBJ, with its materials and textures beside it
///
/// The triangles stand in drawing order, one OBJ group for each group of the model, skinned as the
/// render skins them. Textures are PNGs beside the OBJ.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness export wyvern.pmo --entry 24 --frame 40 -o roar.obj
  ge-harness export wyvern.pac --bind -o bind/wyvern.obj")]
pub(super) struct Arguments {
    #[command(flatten)]
    source: ModelArguments,
    #[command(flatten)]
    played: PlayedArguments,
    /// Where to write; the MTL and the textures go beside it [default: the model's name with .obj]
    #[arg(short, long, value_name = "OUT.obj")]
    output: Option<PathBuf>,
    #[command(flatten)]
    shown: ShownArguments,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| arguments.source.output("obj"));
    let extension = output
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    if extension != "obj" {
        return Err(HarnessError::usage(
            format_args!("cannot write .{extension}: OBJ is the format that is written"),
            "give an output that ends in .obj",
        ));
    }
    let model = arguments.source.open()?;
    let mut options = RenderOptions::default();
    arguments.played.apply(&mut options);
    arguments.shown.apply(&model, &mut options)?;
    let palette = options.palette;
    let renderer = Renderer::new(&model, options)?;
    let take = arguments.played.take(&renderer)?;
    let skin = renderer.skin(&take, arguments.played.frame(&take));
    let stem = output
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let export = obj::export(&model, &skin, renderer.visibility(), palette, &stem)?;
    let folder = output.parent().unwrap_or(Path::new(""));
    for file in &export.files {
        files::write(&folder.join(&file.name), &file.bytes)?;
    }
    let names: Vec<&str> = export.files.iter().rev().map(|file| file.name.as_str()).collect();
    writeln!(
        out,
        "{}: {} triangles in {} groups; with {}",
        output.display(),
        export.triangles,
        export.groups,
        names[1..].join(", ")
    )?;
    Ok(Outcome::Success)
}
