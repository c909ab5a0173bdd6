//! `ge-harness curves`: an animation's curves as a plot or as numbers.
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use formats::animation::{AnimationPack, Encoding};
use formats::detect::{Kind, detect};
use formats::mot::later::LaterMot;
use formats::mot::{Mot, Variant};
use motion::library::Selection;
use motion::rig::entry::{ClipNumber, Entry};

use super::Outcome;
use super::model_arguments::ModelArguments;
use super::morph_arguments::{named, shape_animations};
use crate::curves::{Chart, PlotError, ReadError, plot_png, plot_svg, write_csv};
use crate::error::HarnessError;
use crate::files::{self, Input};
use crate::inspect::with_article;
use crate::picture;
use crate::render::motion_of;

/// Plot the curves of an animation, or write them as numbers
///
/// FILE is a model with its animations (a PAC, or a .pmo with its companions beside it), an animation pack alone, a
/// MOT, or a BFRES file with shape animations. Each joint's rotation, position and scale is a plot with a line a
/// channel, dots at its keys; a shape animation is a plot of its keys' weights. Angles are in degrees.
///
/// The output's extension chooses what is written: .png, .svg, or .csv with a line a frame and a column a channel.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness curves em75.pac --entry 24 -o roar.png
  ge-harness curves em75.pac --entry 24 --bone 35,36 -o head.svg
  ge-harness curves em75.pac#3 --clip 7 -o clip.csv
  ge-harness curves walk.mot -o walk.png
  ge-harness curves wyvern-head.bfres --shapes roar -o roar.svg")]
pub(super) struct Arguments {
    #[command(flatten)]
    source: ModelArguments,
    /// A model of Freedom Unite: the entry [default: the first]
    #[arg(long, value_name = "N", group = "selection")]
    entry: Option<u32>,
    /// A model of Portable 3rd: the clip, stream x 100 + slot; a pack alone: the clip's number in it
    #[arg(long, value_name = "N", group = "selection")]
    clip: Option<u32>,
    /// A file of shape animations: which [default: the first]
    #[arg(long, value_name = "NAME", group = "selection")]
    shapes: Option<String>,
    /// Plot these bones alone, by number; in a pack alone its tracks, and -1 for a MOT's root
    #[arg(
        long,
        value_name = "BONES",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    bone: Vec<i32>,
    /// Where to write: .png, .svg or .csv [default: the file's name with .png]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Png,
    Svg,
    Csv,
}

impl Written {
    fn of(path: &Path) -> Result<Self, HarnessError> {
        let extension = path
            .extension()
            .and_then(OsStr::to_str)
            .unwrap_or_default()
            .to_ascii_lowercase();
        match extension.as_str() {
            "png" => Ok(Self::Png),
            "svg" => Ok(Self::Svg),
            "csv" => Ok(Self::Csv),
            _ => Err(HarnessError::usage(
                format_args!("{} is no .png, .svg or .csv", path.display()),
                "the output's extension chooses what is written",
            )),
        }
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let output = arguments
        .output
        .clone()
        .unwrap_or_else(|| arguments.source.output("png"));
    let written = Written::of(&output)?;
    let input = Input::open(arguments.source.path())?;
    let mut chart = chart(arguments, &input)?;
    chart.keep_bones(&arguments.bone);
    let of_plot = |error| {
        let hint = match error {
            PlotError::Empty => "another --bone, --entry or --clip may have some",
            _ => "choose some with --bone, or write .csv",
        };
        HarnessError::refused(&input.name, error, hint)
    };
    match written {
        Written::Png => picture::write_png(&output, &plot_png(&chart).map_err(of_plot)?)?,
        Written::Svg => files::write(&output, plot_svg(&chart).map_err(of_plot)?.as_bytes())?,
        Written::Csv => files::write(&output, write_csv(&chart).as_bytes())?,
    }
    writeln!(out, "{}: {}, {}", output.display(), chart.title, chart.summary())?;
    Ok(Outcome::Success)
}

fn chart(arguments: &Arguments, input: &Input) -> Result<Chart, HarnessError> {
    let name = &input.name;
    let of_file = |source| HarnessError::Format {
        file: name.clone(),
        source,
    };
    let of_read = |error: ReadError| {
        HarnessError::refused(
            name,
            error,
            format_args!("ge-harness inspect {name} lists its keys"),
        )
    };
    match detect(&input.bytes) {
        Kind::AnimationPack => {
            let pack = AnimationPack::parse(&input.bytes).map_err(of_file)?;
            let number = arguments.clip.unwrap_or(0);
            let clip = pack.clips().get(number as usize).ok_or_else(|| {
                HarnessError::refused(
                    name,
                    format_args!("has no clip {number}"),
                    format_args!("clips are counted as ge-harness inspect {name} lists them"),
                )
            })?;
            let encoding = pack.encoding().unwrap_or(Encoding::Mhfu);
            Chart::of_clip(format!("{name}, clip {number}"), clip, encoding).map_err(of_read)
        }
        Kind::Mot => match Variant::of(&input.bytes) {
            Some(Variant::First(_) | Variant::Second(_)) => {
                let motion = LaterMot::parse(&input.bytes).map_err(of_file)?;
                Chart::of_later_mot(name.clone(), &motion).map_err(of_read)
            }
            _ => {
                let motion = Mot::parse(&input.bytes).map_err(of_file)?;
                Chart::of_mot(name.clone(), &motion).map_err(of_read)
            }
        },
        Kind::Bfres | Kind::Fsha => {
            let (animations, _) = shape_animations(input)?;
            let animation = named(input, &animations, arguments.shapes.as_deref())?;
            Chart::of_shapes(format!("{name}, shape animation {}", animation.name), animation)
                .map_err(of_read)
        }
        Kind::Pac | Kind::Pmo => of_model(arguments).and_then(|chart| chart.map_err(of_read)),
        kind => Err(HarnessError::refused(
            name,
            format_args!("has no curves: it is {}", with_article(kind)),
            "give a model, an animation pack, a MOT or a BFRES file with shape animations",
        )),
    }
}

/// The curves of what a model plays.
fn of_model(arguments: &Arguments) -> Result<Result<Chart, ReadError>, HarnessError> {
    let model = arguments.source.open()?;
    let selection = match (arguments.entry, arguments.clip) {
        (Some(entry), _) => Some(Selection::Entry(Entry(entry))),
        (None, Some(clip)) => Some(Selection::Clip(ClipNumber(clip))),
        (None, None) => None,
    };
    let motion = motion_of(&model, selection)?;
    let posed = model
        .skeleton
        .as_ref()
        .and_then(|posed| Some((&posed.rig, posed.clips.as_ref()?)));
    let (Some(motion), Some((rig, clips))) = (motion, posed) else {
        return Err(HarnessError::refused(
            &model.name,
            "has no animations",
            "name its companions with --skeleton and --animation, or give a file that has some",
        ));
    };
    let played = super::model_arguments::played_motion(&motion);
    let title = format!("{}, {played}", model.name);
    Ok(Chart::of_motion(title, rig, &clips.library, &clips.pack, &motion))
}
