//! `ge-harness replay`: a recorded frame, drawn again.
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use formats::capture::Capture;
use ge::GeOptions;
use ge::replay::{ReplayMode, ReplayOptions, Replayer};
use raster::{FlushReason, Statistics, Threads};
use serde::Serialize;

use super::diff::{compare_named, parse_mse, write_comparison, write_heat_map};
use super::{Outcome, write_json};
use crate::error::HarnessError;
use crate::files;
use crate::inspect::count;
use crate::picture::{self, Comparison, Picture};

/// Draw a frame that PPSSPP recorded
///
/// CAPTURE is a GE frame dump (.ppdmp, versions 2 to 6) or a zip archive with one; of several in an
/// archive the last is taken, as PPSSPP does. The picture is the buffer that the frame ends by
/// showing, 480 x 272.
///
/// Without --output, --compare or --json the picture goes into the current folder, named as the
/// capture.
///
/// Exit status: 0 done, and with --compare: same, or MSE at most --max-mse; 1 different or failed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness replay NPJB40001_0001.ppdmp
  ge-harness replay frame.zip -o frame.png --stats
  ge-harness replay frame.zip --order reference --compare reference.png --max-mse 0.1 --heat heat.png")]
pub(super) struct Arguments {
    /// The capture: .ppdmp, or .zip with one
    #[arg(value_name = "CAPTURE")]
    capture: PathBuf,
    /// Where to write the picture
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<PathBuf>,
    /// Compare with this picture (PNG, BMP)
    #[arg(long, value_name = "REFERENCE")]
    compare: Option<PathBuf>,
    /// The largest MSE that still counts as same
    #[arg(long, value_name = "MSE", requires = "compare", value_parser = parse_mse)]
    max_mse: Option<f64>,
    /// Write reference, picture and heat map side by side
    #[arg(long, value_name = "HEAT.png", requires = "compare")]
    heat: Option<PathBuf>,
    /// How records that write VRAM stand to the commands around them
    #[arg(long, value_enum, default_value_t = Order::Faithful)]
    order: Order,
    /// How many threads draw; the picture does not depend on it [default: all]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Replay so often, for the time that it takes
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZeroUsize,
    /// Print what the rasteriser counted: primitives, pixels, flushes and their reasons
    #[arg(long)]
    stats: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The two readings of a capture (`spec/capture.md` §7.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
enum Order {
    /// What the frame meant: writes wait for the commands before them, fills are made
    Faithful,
    /// As PPSSPP's software renderer replays, for comparison with its pictures
    Reference,
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    capture: String,
    order: Order,
    records: usize,
    /// The fastest of the repeats.
    seconds: f64,
    repeats: usize,
    width: u32,
    height: u32,
    output: Option<String>,
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

#[derive(Serialize)]
struct MetReport {
    feature: String,
    count: u64,
}

#[derive(Serialize)]
struct StatisticsReport {
    /// Draws of which anything is left after clipping and culling.
    draws: u64,
    points: u64,
    lines: u64,
    triangles: u64,
    rectangles: u64,
    invisible_primitives: u64,
    pixels_covered: u64,
    pixels_passed: u64,
    textures_decoded: u64,
    textures_reused: u64,
    flushes: Vec<FlushReport>,
}

#[derive(Serialize)]
struct FlushReport {
    reason: String,
    count: u64,
}

impl StatisticsReport {
    fn new(statistics: &Statistics) -> Self {
        Self {
            draws: statistics.draws,
            points: statistics.points,
            lines: statistics.lines,
            triangles: statistics.triangles,
            rectangles: statistics.rectangles,
            invisible_primitives: statistics.invisible_primitives,
            pixels_covered: statistics.pixels_covered,
            pixels_passed: statistics.pixels_passed,
            textures_decoded: statistics.textures_decoded,
            textures_reused: statistics.textures_reused,
            flushes: FlushReason::ALL
                .into_iter()
                .filter(|reason| statistics.flushes(*reason) > 0)
                .map(|reason| FlushReport {
                    reason: in_words(reason),
                    count: statistics.flushes(reason),
                })
                .collect(),
        }
    }
}

/// `TextureRead` as `texture read`.
fn in_words(reason: FlushReason) -> String {
    let mut words = String::new();
    for (index, character) in format!("{reason:?}").chars().enumerate() {
        if index > 0 && character.is_uppercase() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    words
}

/// A frame drawn, and what was seen on the way.
struct Replay {
    picture: Picture,
    met: Vec<MetReport>,
    statistics: StatisticsReport,
    fastest: Duration,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let name = arguments.capture.display().to_string();
    let (bytes, choice) = files::read_capture(&arguments.capture)?;
    let capture = Capture::parse(&bytes).map_err(|source| {
        let file = choice
            .as_ref()
            .map_or(name.clone(), |choice| format!("{name} ({})", choice.name));
        HarnessError::Format { file, source }
    })?;
    // A reference that cannot be read should not cost a replay.
    let reference = match &arguments.compare {
        Some(path) => Some((path, picture::read(path)?.visible_screen())),
        None => None,
    };
    let replay = replay(arguments, &name, &capture)?;
    let comparison = match &reference {
        Some((path, reference)) => Some(compare_named(
            path,
            reference,
            &arguments.capture,
            &replay.picture,
        )?),
        None => None,
    };
    let output = arguments.output.clone().or_else(|| {
        let elsewhere = arguments.compare.is_some() || arguments.json;
        (!elsewhere).then(|| default_output(&arguments.capture))
    });
    if let Some(output) = &output {
        picture::write_png(output, &replay.picture)?;
    }
    if let (Some(heat), Some((_, reference))) = (&arguments.heat, &reference) {
        write_heat_map(heat, reference, &replay.picture, false)?;
    }
    let same = comparison.as_ref().map(|comparison| match arguments.max_mse {
        Some(max_mse) => comparison.mse <= max_mse,
        None => comparison.same_colours(),
    });
    if arguments.json {
        let report = Report {
            version: 1,
            capture: name,
            order: arguments.order,
            records: capture.records().len(),
            seconds: replay.fastest.as_secs_f64(),
            repeats: arguments.repeat.get(),
            width: replay.picture.width(),
            height: replay.picture.height(),
            output: output.map(|output| output.display().to_string()),
            met: replay.met,
            statistics: replay.statistics,
            same,
            max_mse: arguments.max_mse,
            comparison: comparison.as_ref(),
        };
        write_json(out, &report)?;
    } else {
        write_text(arguments, out, &capture, &replay)?;
        if let Some(output) = &output {
            writeln!(out, "wrote {}", output.display())?;
        }
        if let Some(heat) = &arguments.heat {
            writeln!(out, "wrote {}", heat.display())?;
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

/// Replays the capture as often as asked.
fn replay(arguments: &Arguments, name: &str, capture: &Capture) -> Result<Replay, HarnessError> {
    let options = ReplayOptions {
        mode: match arguments.order {
            Order::Faithful => ReplayMode::Faithful,
            Order::Reference => ReplayMode::Reference,
        },
        ge: GeOptions {
            threads: arguments.threads.map_or(Threads::Automatic, Threads::Count),
            ..GeOptions::default()
        },
        ..ReplayOptions::default()
    };
    let mut fastest = Duration::MAX;
    let mut last = None;
    for _ in 0..arguments.repeat.get() {
        let started = Instant::now();
        let mut replayer = Replayer::new(capture, options);
        replayer.run().map_err(|error| {
            HarnessError::refused(name, error, format!("ge-harness disasm {name} shows the record"))
        })?;
        let picture = replayer.picture().map_err(|error| {
            HarnessError::refused(
                name,
                error,
                format!("ge-harness inspect {name} lists its DISPLAY records"),
            )
        })?;
        fastest = fastest.min(started.elapsed());
        last = Some((replayer, picture));
    }
    let Some((replayer, picture)) = last else {
        return Err(HarnessError::usage(
            "--repeat 0 replays nothing",
            "give 1 or more",
        ));
    };
    let pixels = picture.pixels.into_flattened();
    let picture = Picture::new(picture::SCREEN_WIDTH, picture::SCREEN_HEIGHT, pixels).ok_or_else(|| {
        HarnessError::refused(
            name,
            "gave a picture that is not 480 x 272",
            "this is a bug: please report it",
        )
    })?;
    let ge = replayer.ge();
    let met = ge.report().iter();
    Ok(Replay {
        picture,
        met: met
            .map(|(feature, met)| MetReport {
                feature: feature.to_string(),
                count: met.count,
            })
            .collect(),
        statistics: StatisticsReport::new(ge.statistics()),
        fastest,
    })
}

/// The capture's name with `.png`, in the current folder.
fn default_output(capture: &Path) -> PathBuf {
    let name = capture.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".zip").unwrap_or(&name);
    let stem = stem.strip_suffix(".ppdmp").unwrap_or(stem);
    PathBuf::from(format!("{stem}.png"))
}

fn write_text(
    arguments: &Arguments,
    out: &mut dyn Write,
    capture: &Capture,
    replay: &Replay,
) -> Result<(), HarnessError> {
    let Replay {
        statistics,
        met,
        fastest,
        ..
    } = replay;
    writeln!(
        out,
        "{}: {}, {}, in {:.1} ms{}",
        arguments.capture.display(),
        count(capture.records().len(), "record"),
        count(statistics.draws as usize, "draw") + " on the screen",
        fastest.as_secs_f64() * 1000.0,
        if arguments.repeat.get() > 1 {
            format!(" (fastest of {})", arguments.repeat)
        } else {
            String::new()
        }
    )?;
    if arguments.stats {
        writeln!(
            out,
            "  primitives  {} triangles, {} rectangles, {} lines, {} points; {} of them invisible",
            statistics.triangles,
            statistics.rectangles,
            statistics.lines,
            statistics.points,
            statistics.invisible_primitives
        )?;
        writeln!(
            out,
            "  pixels      {} covered, {} passed every test",
            statistics.pixels_covered, statistics.pixels_passed
        )?;
        writeln!(
            out,
            "  textures    {} decoded, {} found decoded",
            statistics.textures_decoded, statistics.textures_reused
        )?;
        let flushes: Vec<_> = statistics
            .flushes
            .iter()
            .map(|flush| format!("{} {}", flush.reason, flush.count))
            .collect();
        let flushes = if flushes.is_empty() {
            "none".into()
        } else {
            flushes.join(", ")
        };
        writeln!(out, "  flushes     {flushes}")?;
    }
    if !met.is_empty() {
        writeln!(out, "  met, and not done as hardware does it:")?;
        for MetReport { feature, count } in met {
            writeln!(out, "    {feature}, {count} times")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_named_as_their_capture() {
        for (capture, picture) in [
            ("a/NPJB40001_0001.ppdmp", "NPJB40001_0001.png"),
            ("b/frame.zip", "frame.png"),
            ("10755_0001.ppdmp.zip", "10755_0001.png"),
            ("odd", "odd.png"),
        ] {
            assert_eq!(default_output(Path::new(capture)), Path::new(picture));
        }
    }

    #[test]
    fn reasons_are_words() {
        assert_eq!(in_words(FlushReason::TextureRead), "texture read");
    }
}
