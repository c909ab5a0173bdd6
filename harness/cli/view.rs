//! `ge-harness view`: a window to look through.
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use raster::Threads;

use super::Outcome;
use super::model_arguments::{ModelArguments, PlayedArguments, ShownArguments, ViewArguments};
use super::morph_arguments::MorphArguments;
use super::replay::ReadingArguments;
use crate::error::HarnessError;
use crate::render::{RenderOptions, Renderer};
use crate::view::subject::{self, OpenCapture, OpenModel};
use crate::view::{self, CaptureState, Habits, ModelStart, ModelState, Played, Showing, Viewer, keys};

/// Look at a model or a capture in a window
///
/// A model is played, gone round with the mouse and taken apart; a capture is gone through draw by draw, and each
/// pixel under the pointer tells its history. The picture is the rasteriser's, scaled by whole numbers: what
/// ge-harness render and replay draw, whose command the window shows.
///
/// Files that are dropped on the window are shown: models, captures, and skeletons, animation packs, texture banks,
/// MOT and BFRES files for the model that is there.
#[derive(Debug, Args)]
#[command(after_help = after_help(), mut_arg("model", |argument| argument
    .value_name("MODEL|CAPTURE")
    .help("A PAC, a .pmo with its companions beside it, or a capture (.ppdmp, or .zip with one)")
    .long_help(None::<&str>)))]
pub(super) struct Arguments {
    #[command(flatten)]
    source: ModelArguments,
    #[command(flatten)]
    played: PlayedArguments,
    /// Play from the start, instead of waiting at a frame
    #[arg(long)]
    play: bool,
    #[command(flatten)]
    morphs: MorphArguments,
    #[command(flatten)]
    view: ViewArguments,
    #[command(flatten)]
    shown: ShownArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    /// How many threads draw; the picture does not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

fn after_help() -> String {
    format!(
        "\
{}Examples:
  ge-harness view wyvern.pac
  ge-harness view wyvern.pmo --entry 24 --play
  ge-harness view frame.zip --order reference --profile ppsspp",
        keys::text()
    )
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let threads = arguments.threads.map_or(Threads::Automatic, Threads::Count);
    let habits = Habits {
        model: RenderOptions {
            threads,
            ..arguments.view.options()
        },
        replay: arguments.reading.options(threads),
        folder: PathBuf::from("."),
    };
    let path = arguments.source.path();
    let showing = if subject::is_capture(path)? {
        if arguments.played.names_anything() || arguments.play {
            return Err(HarnessError::usage(
                format_args!(
                    "{} is a capture, which plays nothing that could be chosen",
                    path.display()
                ),
                "leave out what is said about animations",
            ));
        }
        let open = OpenCapture::open(path, habits.replay)?;
        Showing::Capture(Box::new(CaptureState::new(open)))
    } else {
        Showing::Model(Box::new(model(arguments, &habits)?))
    };
    view::run(Viewer::new(showing, habits), out)?;
    Ok(Outcome::Success)
}

fn model(arguments: &Arguments, habits: &Habits) -> Result<ModelState, HarnessError> {
    let model = arguments.source.open()?;
    let mut options = habits.model.clone();
    arguments.played.apply(&mut options);
    arguments.shown.apply(&model, &mut options)?;
    arguments.morphs.apply(&model, &mut options)?;
    // What cannot be drawn or played is told before a window opens.
    let renderer = Renderer::new(&model, options.clone())?;
    let take = arguments.played.take(&renderer)?;
    let motion = take.motion().cloned();
    let played = match arguments.played.mot() {
        Some(path) => Played::Mot(path.to_owned()),
        None if arguments.played.is_one_over_another() => Played::Other,
        None => view::played_of(motion.as_ref()),
    };
    let start = ModelStart {
        options,
        motion,
        played,
        frame: arguments.played.given_frame(),
        plays: arguments.play,
    };
    let open = OpenModel {
        path: arguments.source.path().to_owned(),
        companions: arguments.source.companions(),
        monster: arguments.source.monster(),
        model: Arc::new(model),
    };
    Ok(ModelState::new(open, start))
}
