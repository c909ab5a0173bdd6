//! `ge-harness compare-backends`: the processor and a GPU, bit for bit.
use std::io::Write;

use clap::Args;
use formats::detect::{Kind, detect};
use raster::{AdapterChoice, Threads};
use replay::{ReplayError, Replayer};
use serde::Serialize;

use super::model_arguments::{ModelArguments, PlayedArguments, ShownArguments, ViewArguments};
use super::morph_arguments::MorphArguments;
use super::replay::ReadingArguments;
use super::{Outcome, write_json};
use crate::backend::Backend;
use crate::compare_backends::{
    Buffer, Drawing, Follower, Outcome as Compared, Parting, Side, Thoroughness, compare,
};
use crate::error::HarnessError;
use crate::files;
use crate::model::Model;
use crate::render::{RenderOptions, Renderer, Take};
use crate::replay::NamedCapture;

/// Draw with the processor and with a GPU, and compare all of VRAM
///
/// FILE is a capture, or a model with the options of ge-harness render. Where the two differ, the first draw and
/// pixel that part ways are named, with both values.
///
/// Exit status: 0 the same to the bit, 1 different, 2 wrong usage.
#[derive(Debug, Args)]
#[command(mut_arg("model", |argument| argument
    .value_name("FILE")
    .help("A capture (.ppdmp, or .zip with one), a PAC, or a .pmo with its companions beside it")
    .long_help(None::<&str>)))]
#[command(after_help = "\
Examples:
  ge-harness compare-backends frame.zip
  ge-harness compare-backends frame.zip --profile ppsspp --every-draw
  ge-harness compare-backends wyvern.pmo --entry 24 --adapter 0")]
pub(super) struct Arguments {
    #[command(flatten)]
    source: ModelArguments,
    /// The GPU: a number or a part of a name out of ge-harness adapters [default: the best]
    #[arg(long, value_name = "ADAPTER")]
    adapter: Option<String>,
    /// Compare behind every draw, not only in the end
    #[arg(long)]
    every_draw: bool,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    played: PlayedArguments,
    #[command(flatten)]
    morphs: MorphArguments,
    #[command(flatten)]
    view: ViewArguments,
    #[command(flatten)]
    shown: ShownArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    file: String,
    adapter: &'a str,
    same: bool,
    #[serde(flatten)]
    compared: &'a Compared,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let choice = arguments
        .adapter
        .clone()
        .map_or(AdapterChoice::Best, AdapterChoice::Named);
    let backend = Backend::gpu(choice)?;
    let adapter = backend.name();
    let thoroughness = match arguments.every_draw {
        true => Thoroughness::EveryDraw,
        false => Thoroughness::End,
    };
    let path = arguments.source.path();
    let name = path.display().to_string();
    let compared = if is_capture(arguments)? {
        let capture = NamedCapture::open(path)?;
        let mut drawing = CaptureDrawing {
            capture: &capture,
            reading: arguments.reading,
            backend,
        };
        compare(&mut drawing, thoroughness)?
    } else {
        let model = arguments.source.open()?;
        let mut options = arguments.view.options();
        arguments.played.apply(&mut options);
        arguments.shown.apply(&model, &mut options)?;
        arguments.morphs.apply(&model, &mut options)?;
        let renderer = Renderer::new(&model, options.clone())?;
        let take = arguments.played.take(&renderer)?;
        let mut drawing = ModelDrawing {
            model: &model,
            options,
            frame: arguments.played.frame(&take),
            take,
            backend,
        };
        compare(&mut drawing, thoroughness)?
    };
    let same = compared.parting.is_none();
    if arguments.json {
        let report = Report {
            version: 1,
            file: name,
            adapter: &adapter,
            same,
            compared: &compared,
        };
        write_json(out, &report)?;
    } else {
        write_text(out, &name, &adapter, &compared)?;
    }
    Ok(if same {
        Outcome::Success
    } else {
        Outcome::Different
    })
}

/// Whether the file is a capture, or an archive that should hold one.
fn is_capture(arguments: &Arguments) -> Result<bool, HarnessError> {
    let path = arguments.source.path();
    // A member of a PAC is written as no file is called: it is a model's.
    if !path.exists() {
        return Ok(false);
    }
    let bytes = files::read(path)?;
    match detect(&bytes) {
        Kind::Capture | Kind::Zip => Ok(true),
        Kind::Pmo | Kind::Pac | Kind::StagePac => Ok(false),
        _ => {
            let name = path.display().to_string();
            Err(HarnessError::wrong_kind(
                &name,
                &bytes,
                "a capture, a model or a container with one",
            ))
        }
    }
}

fn write_text(out: &mut dyn Write, name: &str, adapter: &str, compared: &Compared) -> std::io::Result<()> {
    let draws = compared.draws;
    let Some(parting) = &compared.parting else {
        return writeln!(
            out,
            "{name}: the processor and {adapter} agree to the bit, {draws} draws"
        );
    };
    let Parting {
        draw,
        address,
        place,
        bytes,
        first,
        second,
    } = parting;
    match draw {
        Some(draw) => writeln!(
            out,
            "{name}: the processor and {adapter} part ways at draw {draw} of {draws}"
        )?,
        None => writeln!(
            out,
            "{name}: the processor and {adapter} differ, but not when draws are looked at one by one"
        )?,
    }
    let digits = 2 * place.size;
    let what = match (place.buffer, place.pixel) {
        (Buffer::Color, Some([x, y])) => format!("the colour of pixel {x},{y}"),
        (Buffer::Depth, Some([x, y])) => format!("the depth of pixel {x},{y}"),
        _ => "a byte outside its buffers".to_owned(),
    };
    writeln!(
        out,
        "  first {what} at {address:#010x}: {first:#0width$x} on the processor, {second:#0width$x} on the GPU; {bytes} \
         bytes differ",
        width = digits + 2,
    )?;
    if draw.is_some()
        && place.buffer == Buffer::Color
        && let Some([x, y]) = place.pixel
    {
        writeln!(
            out,
            "  ge-harness pixel {name} {x},{y} tells the pixel's history on the processor"
        )?;
    }
    Ok(())
}

struct CaptureDrawing<'a> {
    capture: &'a NamedCapture,
    reading: ReadingArguments,
    backend: Backend,
}

impl Drawing for CaptureDrawing<'_> {
    fn draw(&mut self, side: Side, follower: &mut Follower<'_>) -> Result<Box<[u8]>, HarnessError> {
        let options = self.reading.options(Threads::Automatic);
        let mut replayer = Replayer::new(&self.capture.capture, options);
        if side == Side::Second {
            self.backend
                .equip(replayer.ge_mut(), options.ge.profile, options.ge.threads);
        }
        match replayer.run_with(follower) {
            Ok(()) | Err(ReplayError::Stopped { .. }) => {}
            Err(error) => return Err(self.capture.replay_error(error)),
        }
        Ok(replayer.ge_mut().memory().vram().bytes().into())
    }
}

struct ModelDrawing<'a> {
    model: &'a Model,
    options: RenderOptions,
    take: Take,
    frame: f64,
    backend: Backend,
}

impl Drawing for ModelDrawing<'_> {
    fn draw(&mut self, side: Side, follower: &mut Follower<'_>) -> Result<Box<[u8]>, HarnessError> {
        let mut renderer = Renderer::new(self.model, self.options.clone())?;
        if side == Side::Second {
            renderer.set_backend(&self.backend);
        }
        match renderer.draw_observed(&self.take, self.frame, follower) {
            Err(error) if !ge::Observer::stops(follower) => return Err(error),
            _ => {}
        }
        Ok(renderer.vram().bytes().into())
    }
}
