//! `ge-harness replay`: a recorded frame, drawn again.
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use ge::{Ge, GeOptions};
use raster::{Profile, Threads};
use replay::{ReplayError, ReplayMode, ReplayOptions, Replayer};
use serde::Serialize;

use super::backend_arguments::{BackendArguments, warn_of_loss};
use super::diff::{compare_named, parse_mse, write_comparison, write_heat_map};
use super::{Outcome, terminal, write_json};
use crate::backend::Backend;
use crate::draws;
use crate::error::HarnessError;
use crate::inspect::count;
use crate::picture::{self, Comparison, Effort, Picture};
use crate::replay::{
    Follower, Image, MetReport, NamedCapture, Shown, StatisticsReport, Steps, Targets, stem,
};

/// Draw a frame that PPSSPP recorded
///
/// CAPTURE is a GE frame dump (.ppdmp, versions 2 to 6) or a zip archive with one; of several in an
/// archive the last is taken, as PPSSPP does. The picture is the buffer that the frame ends by
/// showing, 480 x 272, or what --target names.
///
/// --until-draw stops the frame behind a draw, --every-draw shows it behind each: draws are numbered
/// from 0, as ge-harness draws lists them.
///
/// Without --output, --compare, --every-draw or --json the picture goes into the current folder, named
/// as the capture.
///
/// Exit status: 0 done, and with --compare: same, or MSE at most --max-mse; 1 different or failed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness replay NPJB40001_0001.ppdmp
  ge-harness replay frame.zip -o frame.png --stats
  ge-harness replay frame.zip --order reference --profile ppsspp --compare reference.png --max-mse 0.1 --heat heat.png
  ge-harness replay frame.zip --until-draw 120 --target depth -o depth.png
  ge-harness replay frame.zip --every-draw steps --target colour")]
pub(super) struct Arguments {
    /// The capture: .ppdmp, or .zip with one
    #[arg(value_name = "CAPTURE")]
    capture: PathBuf,
    /// Where to write the picture
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,
    /// What to show
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Shown::Display)]
    target: Shown,
    /// Stop behind draw N, the first of which is 0
    #[arg(long, value_name = "N")]
    until_draw: Option<u64>,
    /// Write a picture behind every draw that changes it, as draw-NUMBER.png in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "repeat")]
    every_draw: Option<PathBuf>,
    /// Leave out the pictures of --every-draw before draw N
    #[arg(long, value_name = "N", requires = "every_draw", default_value_t = 0)]
    from_draw: u64,
    /// Compare with this picture (PNG, BMP)
    #[arg(long, value_name = "REFERENCE")]
    compare: Option<PathBuf>,
    /// The largest MSE that still counts as same
    #[arg(long, value_name = "MSE", requires = "compare", value_parser = parse_mse)]
    max_mse: Option<f64>,
    /// Write reference, picture and heat map side by side
    #[arg(long, value_name = "HEAT.png", requires = "compare")]
    heat: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingArguments,
    #[command(flatten)]
    backend: BackendArguments,
    /// How many threads draw; the picture does not depend on it [default: all]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Replay N times and tell how long it takes: the first time, on a new GE, and the fastest of the others, on
    /// the same GE, as an emulator draws one frame after the other
    ///
    /// A time is from the first record to the last pixel in VRAM. Of a new GE it includes making it, with its
    /// threads; of one that has run before, putting back its state and clearing VRAM. Both include the copies of
    /// recorded data to memory, and neither reading the file nor making the picture.
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZeroUsize,
    /// Print what the rasteriser counted: primitives, pixels, flushes and their reasons
    #[arg(long)]
    stats: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How a capture is read.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct ReadingArguments {
    /// How records that write VRAM stand to the commands around them
    #[arg(long, value_enum, default_value_t = Order::Faithful)]
    pub(super) order: Order,
    /// Whose pixels to draw where hardware and PPSSPP's software renderer differ
    #[arg(long, value_enum, value_name = "WHOSE", default_value_t = ProfileArgument::Hardware)]
    pub(super) profile: ProfileArgument,
}

impl ReadingArguments {
    /// What to replay with.
    pub(super) fn options(self, threads: Threads) -> ReplayOptions {
        ReplayOptions {
            mode: self.order.into(),
            ge: GeOptions {
                threads,
                profile: self.profile.into(),
                ..GeOptions::default()
            },
            ..ReplayOptions::default()
        }
    }
}

/// The two readings of a capture (`spec/capture.md` §7.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Order {
    /// What the frame meant: writes wait for the commands before them, fills are made
    Faithful,
    /// As PPSSPP's software renderer replays, for comparison with its pictures
    Reference,
}

impl From<Order> for ReplayMode {
    fn from(order: Order) -> Self {
        match order {
            Order::Faithful => Self::Faithful,
            Order::Reference => Self::Reference,
        }
    }
}

/// Whose arithmetic is followed (`spec/ppsspp-profile.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ProfileArgument {
    /// A real PSP's
    Hardware,
    /// PPSSPP's software renderer's, for comparison with its pictures
    Ppsspp,
}

impl From<ProfileArgument> for Profile {
    fn from(argument: ProfileArgument) -> Self {
        match argument {
            ProfileArgument::Hardware => Self::Hardware,
            ProfileArgument::Ppsspp => Self::Ppsspp,
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    capture: &'a str,
    order: Order,
    profile: ProfileArgument,
    records: usize,
    /// The fastest of all repeats.
    seconds: f64,
    /// The first, on a new GE.
    cold_seconds: f64,
    /// The fastest of the others, on the same GE.
    #[serde(skip_serializing_if = "Option::is_none")]
    warm_seconds: Option<f64>,
    repeats: usize,
    target: Shown,
    #[serde(skip_serializing_if = "Option::is_none")]
    until_draw: Option<u64>,
    width: u32,
    height: u32,
    output: Option<String>,
    /// What --every-draw wrote.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pictures: Vec<String>,
    /// What was met and is not done as hardware does it.
    met: Vec<MetReport>,
    statistics: StatisticsReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_mse: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<&'a Comparison>,
}

/// A frame drawn, and what was seen on the way.
struct Replay {
    image: Image,
    pictures: Vec<PathBuf>,
    met: Vec<MetReport>,
    statistics: StatisticsReport,
    times: Times,
}

/// How long replays took.
#[derive(Clone, Copy)]
struct Times {
    /// The first, on a new GE.
    cold: Duration,
    /// The fastest of the others, on the same GE.
    warm: Option<Duration>,
}

impl Times {
    fn fastest(self) -> Duration {
        self.warm.map_or(self.cold, |warm| warm.min(self.cold))
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    if arguments.compare.is_some() && arguments.target == Shown::Depth {
        return Err(HarnessError::usage(
            "--compare compares colours, and --target depth shows none",
            "leave --compare out, or show another target",
        ));
    }
    let capture = NamedCapture::open(&arguments.capture)?;
    // A reference that cannot be read should not cost a replay.
    let reference = match &arguments.compare {
        Some(path) => Some((path, picture::read(path)?.visible_screen())),
        None => None,
    };
    let backend = arguments.backend.open()?;
    let (mut replay, mut ge) = replay(arguments, &capture, &backend, None)?;
    for _ in 1..arguments.repeat.get() {
        let (again, same_ge) = self::replay(arguments, &capture, &backend, Some(ge))?;
        let time = again.times.cold;
        replay.times.warm = Some(replay.times.warm.map_or(time, |warm| warm.min(time)));
        ge = same_ge;
    }
    drop(ge);
    let compared: Option<(&Path, &Picture, &Picture)> = match (&reference, &replay.image) {
        (Some((path, reference)), Image::Colours(picture)) => Some((path, reference, picture)),
        _ => None,
    };
    let comparison = compared
        .map(|(path, reference, picture)| compare_named(path, reference, &arguments.capture, picture))
        .transpose()?;
    let output = arguments.output.clone().or_else(|| {
        let elsewhere = arguments.compare.is_some() || arguments.json || arguments.every_draw.is_some();
        (!elsewhere).then(|| PathBuf::from(format!("{}.png", stem(&arguments.capture))))
    });
    if let Some(output) = &output {
        replay.image.write(output, Effort::Small)?;
    }
    if let (Some(heat), Some((_, reference, picture))) = (&arguments.heat, compared) {
        write_heat_map(heat, reference, picture, false)?;
    }
    let same = comparison.as_ref().map(|comparison| match arguments.max_mse {
        Some(max_mse) => comparison.mse <= max_mse,
        None => comparison.same_colours(),
    });
    if arguments.json {
        let [width, height] = replay.image.size();
        let report = Report {
            version: 1,
            capture: &capture.name,
            order: arguments.reading.order,
            profile: arguments.reading.profile,
            records: capture.capture.records().len(),
            seconds: replay.times.fastest().as_secs_f64(),
            cold_seconds: replay.times.cold.as_secs_f64(),
            warm_seconds: replay.times.warm.map(|time| time.as_secs_f64()),
            repeats: arguments.repeat.get(),
            target: arguments.target,
            until_draw: arguments.until_draw,
            width,
            height,
            output: output.map(|output| output.display().to_string()),
            pictures: replay
                .pictures
                .iter()
                .map(|path| path.display().to_string())
                .collect(),
            met: replay.met,
            statistics: replay.statistics,
            same,
            max_mse: arguments.max_mse,
            comparison: comparison.as_ref(),
        };
        write_json(out, &report)?;
    } else {
        write_text(arguments, out, &capture, &replay)?;
        for path in output.iter().chain(&arguments.heat) {
            writeln!(out, "wrote {}", path.display())?;
        }
        if let (Some(first), Some(last)) = (replay.pictures.first(), replay.pictures.last()) {
            let pictures = count(replay.pictures.len(), "picture");
            writeln!(out, "wrote {pictures}: {} to {}", first.display(), last.display())?;
        }
        if let Some(comparison) = &comparison {
            write_comparison(out, comparison, arguments.max_mse)?;
        }
    }
    Ok(if same == Some(false) {
        Outcome::Different
    } else {
        Outcome::Success
    })
}

/// Replays the capture once, on a new GE or on one that has run before, and hands the GE on.
fn replay(
    arguments: &Arguments,
    capture: &NamedCapture,
    backend: &Backend,
    ge: Option<Ge>,
) -> Result<(Replay, Ge), HarnessError> {
    let threads = arguments.threads.map_or(Threads::Automatic, Threads::Count);
    let options = arguments.reading.options(threads);
    let started = Instant::now();
    let mut replayer = match ge {
        Some(ge) => Replayer::on(ge, &capture.capture, options),
        None => {
            let mut replayer = Replayer::new(&capture.capture, options);
            backend.equip(replayer.ge_mut(), options.ge.profile, threads);
            replayer
        }
    };
    let mut targets = Targets::new(arguments.target, capture.capture.shown());
    let count = draws::drawing_commands(&capture.capture);
    let bar = match arguments.every_draw {
        Some(_) => terminal::progress(count, "draws"),
        None => indicatif::ProgressBar::hidden(),
    };
    let mut steps = arguments
        .every_draw
        .as_ref()
        .map(|folder| Steps::new(folder.clone(), count, arguments.from_draw));
    let mut drawn = 0;
    let mut failed = Ok(());
    let mut image = None;
    let mut follower = Follower::new(&mut targets, |targets, ge, number| {
        drawn = number + 1;
        if let Some(steps) = &mut steps {
            failed = steps.behind_draw(targets, ge, number);
            bar.inc(1);
        }
        if arguments.until_draw == Some(number) {
            image = Some(targets.image(ge));
        }
        if failed.is_err() || image.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    match replayer.run_with(&mut follower) {
        Ok(()) | Err(ReplayError::Stopped { .. }) => {}
        Err(error) => return Err(capture.replay_error(error)),
    }
    replayer.ge_mut().finish();
    let time = started.elapsed();
    bar.finish_and_clear();
    failed?;
    if let (Some(until), None) = (arguments.until_draw, &image) {
        return Err(HarnessError::refused(
            &capture.name,
            format_args!("has no draw {until}"),
            match drawn {
                0 => "it draws nothing".to_owned(),
                _ => format!("its draws are 0 to {}", drawn - 1),
            },
        ));
    }
    let image = image
        .unwrap_or_else(|| targets.image(replayer.ge_mut()))
        .map_err(|error| {
            let hint = match arguments.target {
                Shown::Display => format!("ge-harness inspect {} lists its DISPLAY records", capture.name),
                _ => format!(
                    "ge-harness draws {} lists draws with their targets and textures",
                    capture.name
                ),
            };
            HarnessError::refused(&capture.name, error, hint)
        })?;
    warn_of_loss(replayer.ge().rasterizer());
    let replay = Replay {
        image,
        pictures: steps.map(|steps| steps.pictures).unwrap_or_default(),
        met: MetReport::all(replayer.ge().report()),
        statistics: StatisticsReport::new(replayer.ge().rasterizer()),
        times: Times {
            cold: time,
            warm: None,
        },
    };
    Ok((replay, replayer.into_ge()))
}

fn write_text(
    arguments: &Arguments,
    out: &mut dyn Write,
    capture: &NamedCapture,
    replay: &Replay,
) -> Result<(), HarnessError> {
    let Replay {
        statistics,
        met,
        times,
        ..
    } = replay;
    let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    writeln!(
        out,
        "{}: {}, {}, in {}{}",
        capture.name,
        count(capture.capture.records().len(), "record"),
        count(statistics.draws as usize, "draw") + " on the screen",
        milliseconds(times.cold),
        times.warm.map_or(String::new(), |warm| format!(
            ", again on the same GE in {} (fastest of {})",
            milliseconds(warm),
            arguments.repeat.get() - 1
        ))
    )?;
    if arguments.stats {
        statistics.write(out)?;
    }
    if !met.is_empty() {
        writeln!(out, "  met, and not done as hardware does it:")?;
        for MetReport { feature, count } in met {
            writeln!(out, "    {feature}, {count} times")?;
        }
    }
    Ok(())
}
