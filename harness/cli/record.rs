//! `ge-harness record`: a model's render as a capture.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::backend_arguments::{BackendArguments, warn_of_loss};
use super::model_arguments::{ModelArguments, PlayedArguments, ShownArguments, ViewArguments};
use super::morph_arguments::MorphArguments;
use super::render::describe;
use super::{Outcome, terminal};
use crate::error::HarnessError;
use crate::files;
use crate::inspect::count;
use crate::picture::{SCREEN_HEIGHT, SCREEN_WIDTH};
use crate::record::Recorder;
use crate::render::Renderer;
use crate::scene::Scene;

/// Write the render of a model as a capture that PPSSPP replays
///
/// MODEL and the options are those of ge-harness render. The capture (.ppdmp, version 6) holds the GE commands of
/// one frame with the vertices, textures and palettes that they read. Replayed by ge-harness it gives the
/// picture of ge-harness render, pixel for pixel; in PPSSPP it is opened like a game.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness record wyvern.pmo --entry 24 -o roar.ppdmp
  ge-harness record em75.pac --entry 1 --frame 40 --camera game -o walk.ppdmp
  ge-harness replay roar.ppdmp -o roar.png")]
pub(super) struct Arguments {
    #[command(flatten)]
    source: ModelArguments,
    #[command(flatten)]
    played: PlayedArguments,
    #[command(flatten)]
    morphs: MorphArguments,
    /// Where to write [default: the model's name with .ppdmp]
    #[arg(short, long, value_name = "OUT.ppdmp")]
    output: Option<PathBuf>,
    #[command(flatten)]
    view: ViewArguments,
    #[command(flatten)]
    backend: BackendArguments,
    #[command(flatten)]
    shown: ShownArguments,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let [width, height] = arguments.view.size;
    if width > SCREEN_WIDTH || height > SCREEN_HEIGHT {
        return Err(HarnessError::usage(
            format_args!("--size {width}x{height} is larger than the screen that a capture shows"),
            format_args!("use at most {SCREEN_WIDTH}x{SCREEN_HEIGHT}"),
        ));
    }
    let backend = arguments.backend.open()?;
    let model = arguments.source.open()?;
    let mut options = arguments.view.options();
    arguments.played.apply(&mut options);
    arguments.shown.apply(&model, &mut options)?;
    arguments.morphs.apply(&model, &mut options)?;
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| arguments.source.output("ppdmp"));
    let mut renderer = Renderer::new(&model, options)?;
    renderer.set_backend(&backend);
    let take = arguments.played.take(&renderer)?;
    let frame = arguments.played.frame(&take);
    let mut recorder = Recorder::new(Scene::DISPLAY);
    let drawn = renderer.draw_observed(&take, frame, &mut recorder);
    // What could not be recorded is why the frame stopped, if it did.
    let capture = recorder.finish().map_err(|error| {
        let hint = format_args!("ge-harness disasm {} shows its display lists", model.name).to_string();
        HarnessError::refused(&model.name, error, hint)
    })?;
    drawn?;
    let bytes = capture.write();
    files::write(&output, &bytes)?;
    warn_of_loss(renderer.rasterizer());
    for (feature, met) in renderer.report().iter() {
        terminal::print_warning(&format!(
            "not drawn as hardware does: {feature} ({} times)",
            met.count
        ));
    }
    writeln!(
        out,
        "{}: {}, {}, {}",
        output.display(),
        describe(&take, frame),
        count(capture.records().len(), "record"),
        count(bytes.len(), "byte")
    )?;
    Ok(Outcome::Success)
}
