//! `ge-harness render`: a model in a pose, or an animation.
use std::ffi::OsStr;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use motion::library::Selection;
use motion::play::GAME_FRAMES_PER_SECOND;
use motion::rig::entry::{ClipNumber, Entry};
use raster::Threads;

use super::backend_arguments::{BackendArguments, warn_of_loss};
use super::model_arguments::{ModelArguments, PlayedArguments, ShownArguments, ViewArguments, played_motion};
use super::morph_arguments::MorphArguments;
use super::{Outcome, terminal};
use crate::error::HarnessError;
use crate::files;
use crate::model::Model;
use crate::picture::{self, Cell, FrameDelay, Picture, contact_sheet};
use crate::render::{RenderOptions, Renderer, Take};

/// Draw a model in a pose, or an animation
///
/// MODEL is a model's or a stage's PAC, or a bare .pmo whose skeleton, animation pack, textures and
/// geometry lie beside it: they are found by content, those with the same name first.
///
/// Without --entry or --clip the first animation is played, and without --frame its middle frame is
/// drawn. Clips run at 60 frames a second; the game shows every second one.
///
/// The picture is what the PSP's Graphics Engine makes of the model's own display lists, in the state
/// that Freedom Unite's engine sets: three directional lights (its menu lights, or those of the stage), fog
/// of the stage, alpha test at 0xC0, no culling, bilinear filter.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness render wyvern.pmo --entry 24 -o wyvern.png
  ge-harness render wyvern.pmo --entry 24 --over 0 --all-frames -o roar.apng
  ge-harness render wyvern.pac --entry 1 --all-frames -o walk.gif
  ge-harness render wyvern-head.pac --fsha wyvern-head.bfres --shapes roar -o roar.apng
  ge-harness render wyvern.pac --mot wyvern.mot -o look.gif
  ge-harness render wyvern.pac --contact-sheet -o sheet.png
  ge-harness render wyvern-p3rd.pac --clip 24 --camera front --background transparent")]
pub(super) struct Arguments {
    #[command(flatten)]
    source: ModelArguments,
    #[command(flatten)]
    played: PlayedArguments,
    #[command(flatten)]
    morphs: MorphArguments,
    /// Draw these frames, both ends included, as numbered PNGs or an animation
    #[arg(long, value_name = "A..B", value_parser = parse_frames, conflicts_with = "frame")]
    frames: Option<(u32, u32)>,
    /// Draw every frame of the animation
    #[arg(long, conflicts_with_all = ["frame", "frames"])]
    all_frames: bool,
    /// Draw every Nth frame only; animations take 30 a second by default, as the game does
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    step: Option<u32>,
    /// Draw the middle frame of each animation, with its number, on one sheet
    #[arg(long, conflicts_with_all = ["entry", "clip", "mot", "bind", "frame", "frames", "all_frames"])]
    contact_sheet: bool,
    /// Where to write; .gif and .apng make animations [default: the model's name with .png]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    view: ViewArguments,
    /// How many threads draw; the picture does not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    backend: BackendArguments,
    #[command(flatten)]
    shown: ShownArguments,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let backend = arguments.backend.open()?;
    let model = arguments.source.open()?;
    let mut options = RenderOptions {
        threads: arguments.threads.map_or(Threads::Automatic, Threads::Count),
        ..arguments.view.options()
    };
    arguments.played.apply(&mut options);
    arguments.shown.apply(&model, &mut options)?;
    arguments.morphs.apply(&model, &mut options)?;
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| arguments.source.output("png"));
    let mut renderer = Renderer::new(&model, options)?;
    renderer.set_backend(&backend);
    if arguments.contact_sheet {
        sheet(&model, &mut renderer, &output, out)?;
    } else {
        let take = arguments.played.take(&renderer)?;
        match frames(arguments, &take, Container::of(&output)) {
            Some(frames) => animate(&mut renderer, &take, &frames, &output, out)?,
            None => {
                let frame = arguments.played.frame(&take);
                picture::write_png(&output, &renderer.draw(&take, frame)?)?;
                writeln!(out, "{}: {}", output.display(), describe(&take, frame))?;
            }
        }
    }
    warn_of_loss(renderer.rasterizer());
    for (feature, met) in renderer.report().iter() {
        terminal::print_warning(&format!(
            "not drawn as hardware does: {feature} ({} times)",
            met.count
        ));
    }
    Ok(Outcome::Success)
}

/// Which frame of what, in words.
pub(super) fn describe(take: &Take, frame: f64) -> String {
    match (take.motion(), take.shapes()) {
        (None, None) => "bind pose".to_owned(),
        _ => format!("{}, frame {frame} of 0 to {}", played(take), take.last_frame()),
    }
}

/// What is played, in words.
fn played(take: &Take) -> String {
    let motion = take.motion().map(played_motion);
    let shapes = take.shapes().map(|name| format!("shape animation {name}"));
    match (motion, shapes) {
        (Some(motion), Some(shapes)) => format!("{motion} with {shapes}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "bind pose".to_owned(),
    }
}

/// What an output holds, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Png,
    Apng,
    Gif,
}

impl Container {
    fn of(path: &Path) -> Self {
        let extension = path
            .extension()
            .and_then(OsStr::to_str)
            .unwrap_or_default()
            .to_ascii_lowercase();
        match extension.as_str() {
            "gif" => Self::Gif,
            "apng" => Self::Apng,
            _ => Self::Png,
        }
    }
}

/// The frames of an animation; `None` for a single picture.
fn frames(arguments: &Arguments, take: &Take, container: Container) -> Option<Vec<u32>> {
    let animated = container != Container::Png;
    let (first, last) = match arguments.frames {
        Some(range) => range,
        None if arguments.all_frames || animated && !arguments.played.names_a_frame() => {
            (0, take.last_frame())
        }
        None => return None,
    };
    let game_frame = (take.frames_per_second() / GAME_FRAMES_PER_SECOND)
        .round()
        .max(1.0) as u32;
    let step = arguments.step.unwrap_or(if animated { game_frame } else { 1 });
    let mut frames: Vec<u32> = (first..=last).step_by(step as usize).collect();
    // The last frame of a loop is its first again.
    if animated && arguments.frames.is_none() && frames.len() > 1 && frames.last() == Some(&last) {
        let loops = matches!(take.timeline().loop_rule, motion::play::LoopRule::From(_));
        frames.truncate(frames.len() - usize::from(loops));
    }
    Some(frames)
}

/// Frames beyond these are refused: an animation is held in memory as a whole.
const MOST_FRAMES: usize = 10_000;
/// Bytes of pixels beyond these are refused.
const MOST_BYTES: usize = 2 << 30;

fn animate(
    renderer: &mut Renderer<'_>,
    take: &Take,
    frames: &[u32],
    output: &Path,
    out: &mut dyn Write,
) -> Result<(), HarnessError> {
    let container = Container::of(output);
    if frames.len() > MOST_FRAMES {
        return Err(HarnessError::usage(
            format_args!(
                "{} frames are more than the {MOST_FRAMES} drawn at once",
                frames.len()
            ),
            "draw fewer with --frames A..B or --step N",
        ));
    }
    let bar = terminal::progress(frames.len(), "frames");
    let mut pictures: Vec<Picture> = Vec::new();
    for (index, &frame) in frames.iter().enumerate() {
        let picture = renderer.draw(take, f64::from(frame))?;
        match container {
            Container::Png => picture::write_png(&files::numbered(output, index, frames.len()), &picture)?,
            Container::Apng | Container::Gif => {
                if (pictures.len() + 1) * picture.rgba().len() > MOST_BYTES {
                    return Err(HarnessError::usage(
                        "the animation is too large to be held in memory",
                        "draw fewer frames with --frames A..B, or smaller ones with --size",
                    ));
                }
                pictures.push(picture);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let step = frames.get(1).map_or(2, |second| second - frames[0]).min(600);
    let rate = take.frames_per_second().round() as u16;
    let delay = FrameDelay::new(step as u16, rate).unwrap_or(FrameDelay::GAME_FRAME);
    match container {
        Container::Png => {}
        Container::Apng => picture::write_apng(output, &pictures, delay)?,
        Container::Gif => picture::write_gif(output, &pictures, delay)?,
    }
    let (Some(&first), Some(&last)) = (frames.first(), frames.last()) else {
        return Ok(());
    };
    let named = match container {
        Container::Png => {
            let name = |index| files::numbered(output, index, frames.len()).display().to_string();
            format!("{} to {}", name(0), name(frames.len() - 1))
        }
        Container::Apng | Container::Gif => output.display().to_string(),
    };
    let what = played(take);
    writeln!(
        out,
        "{named}: {what}, {} frames from {first} to {last}",
        frames.len()
    )?;
    Ok(())
}

/// Size of a picture on the contact sheet: a third of the screen.
const SHEET_SIZE: [u32; 2] = [160, 90];

fn sheet(
    model: &Model,
    renderer: &mut Renderer<'_>,
    output: &Path,
    out: &mut dyn Write,
) -> Result<(), HarnessError> {
    let (Some(rig), Some(library)) = (model.rig(), model.library()) else {
        return Err(HarnessError::refused(
            &model.name,
            "has nothing to play, so there is no contact sheet",
            "name its companions with --skeleton and --animation",
        ));
    };
    let playable: Vec<_> = library.playable(rig).collect();
    let bar = terminal::progress(playable.len(), "animations");
    renderer.resize(SHEET_SIZE);
    let mut cells = Vec::new();
    for playable in &playable {
        let take = renderer.take(Some(playable.selection))?;
        let frame = f64::from(take.last_frame() / 2);
        cells.push(Cell {
            label: label(playable.selection),
            picture: renderer.draw(&take, frame)?,
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let columns = (1..)
        .find(|columns| columns * columns >= cells.len() as u32)
        .unwrap_or(1);
    picture::write_png(output, &contact_sheet(&cells, columns))?;
    writeln!(
        out,
        "{}: the middle frames of {}",
        output.display(),
        crate::render::numbers(&playable)
    )?;
    Ok(())
}

fn label(selection: Selection) -> String {
    match selection {
        Selection::Entry(Entry(number)) | Selection::Clip(ClipNumber(number)) => number.to_string(),
        Selection::Slot(slot) => format!("{}/{}", slot.stream, slot.slot),
    }
}

fn parse_frames(text: &str) -> Result<(u32, u32), String> {
    let range = text.split_once("..").and_then(|(first, last)| {
        Some((
            first.parse::<u32>().ok()?,
            last.trim_start_matches('=').parse::<u32>().ok()?,
        ))
    });
    match range {
        Some((first, last)) if first <= last => Ok((first, last)),
        Some((first, last)) => Err(format!("the range ends before it begins: write {last}..{first}")),
        None => Err("expected two frames, such as 0..60".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!(parse_frames("0..60"), Ok((0, 60)));
        assert_eq!(parse_frames("5..=5"), Ok((5, 5)));
        assert!(parse_frames("6..5").unwrap_err().contains("5..6"));
        assert!(parse_frames("6").is_err());
    }

    #[test]
    fn outputs_are_told_by_their_extension() {
        assert_eq!(Container::of(Path::new("a.GIF")), Container::Gif);
        assert_eq!(Container::of(Path::new("a.apng")), Container::Apng);
        assert_eq!(Container::of(Path::new("a")), Container::Png);
    }
}
