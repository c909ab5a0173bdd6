//! `ge-harness diff`: how far two pictures are apart, and where.
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::{Outcome, write_json};
use crate::error::HarnessError;
use crate::picture::{self, Comparison, Picture, compare, heat_map, side_by_side};

/// Compare two pictures: how far they are apart, and where
///
/// Red, green and blue are compared; alpha is counted, and decides only with --alpha. A picture of
/// 512 x 272 is a screen saved by PPSSPP: its 480 visible columns take part.
///
/// The numbers: pixels of which any colour differs; the largest difference of a single colour (0 to
/// 255); the smallest box around all differences; and PPSSPP's MSE, the mean over all pixels and
/// three colours of the squared difference.
///
/// Exit status: 0 same, or MSE at most --max-mse; 1 different, or not comparable.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness diff expected.png actual.png
  ge-harness diff expected.png actual.png -o heat.png
  ge-harness diff reference.bmp frame.png --max-mse 0.1 --json")]
pub(super) struct Arguments {
    /// The picture as it should be (PNG, BMP, GIF)
    #[arg(value_name = "EXPECTED")]
    expected: PathBuf,
    /// The picture as it is
    #[arg(value_name = "ACTUAL")]
    actual: PathBuf,
    /// Write expected, actual and heat map side by side: blue is one step, white 255
    #[arg(short, long, value_name = "HEAT.png")]
    output: Option<PathBuf>,
    /// Write the heat map alone to --output
    #[arg(long, requires = "output")]
    map_only: bool,
    /// The largest MSE that still counts as same
    #[arg(long, value_name = "MSE", value_parser = parse_mse)]
    max_mse: Option<f64>,
    /// Let a difference in alpha count as different
    #[arg(long)]
    alpha: bool,
    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
}

/// An MSE that a comparison may reach: a number from 0 on.
pub(super) fn parse_mse(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(mse) if mse >= 0.0 && mse.is_finite() => Ok(mse),
        _ => Err("expected a number of at least 0, such as 0.1".into()),
    }
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    expected: String,
    actual: String,
    same: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_mse: Option<f64>,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let expected = picture::read(&arguments.expected)?.visible_screen();
    let actual = picture::read(&arguments.actual)?.visible_screen();
    let comparison = compare_named(&arguments.expected, &expected, &arguments.actual, &actual)?;
    let within = match arguments.max_mse {
        Some(max_mse) => comparison.mse <= max_mse,
        None => comparison.same_colours(),
    };
    let same = within && !(arguments.alpha && comparison.differing_alpha > 0);
    if let Some(path) = &arguments.output {
        write_heat_map(path, &expected, &actual, arguments.map_only)?;
    }
    if arguments.json {
        let report = Report {
            version: 1,
            expected: arguments.expected.display().to_string(),
            actual: arguments.actual.display().to_string(),
            same,
            max_mse: arguments.max_mse,
            comparison: &comparison,
        };
        write_json(out, &report)?;
    } else {
        write_comparison(out, &comparison, arguments.max_mse)?;
        if comparison.differing_alpha > 0 && !arguments.alpha {
            writeln!(
                out,
                "alpha differs in {} pixels (counts with --alpha)",
                comparison.differing_alpha
            )?;
        }
        if let Some(path) = &arguments.output {
            writeln!(out, "wrote {}", path.display())?;
        }
    }
    Ok(if same {
        Outcome::Success
    } else {
        Outcome::Different
    })
}

/// Compares pictures from files; sizes that differ are an error that names both.
pub(super) fn compare_named(
    expected_path: &Path,
    expected: &Picture,
    actual_path: &Path,
    actual: &Picture,
) -> Result<Comparison, HarnessError> {
    compare(expected, actual).map_err(|differ| {
        HarnessError::refused(
            format!("{} and {}", expected_path.display(), actual_path.display()),
            format!(
                "cannot be compared: {}x{} pixels against {}x{}",
                differ.expected.0, differ.expected.1, differ.actual.0, differ.actual.1
            ),
            "compare pictures of one size; PPSSPP saves a screen as 512x272, which counts as 480x272",
        )
    })
}

/// Writes the heat map beside its pictures, or alone.
pub(super) fn write_heat_map(
    path: &Path,
    expected: &Picture,
    actual: &Picture,
    map_only: bool,
) -> Result<(), HarnessError> {
    let map = heat_map(expected, actual);
    let picture = if map_only {
        map
    } else {
        side_by_side(&[expected, actual, &map])
    };
    picture::write_png(path, &picture)
}

/// The numbers of a comparison, one a line.
pub(super) fn write_comparison(
    out: &mut dyn Write,
    comparison: &Comparison,
    max_mse: Option<f64>,
) -> Result<(), HarnessError> {
    let Comparison {
        width,
        height,
        differing_pixels,
        largest_difference,
        mse,
        ..
    } = comparison;
    let pixels = u64::from(*width) * u64::from(*height);
    let (Some(area), Some((x, y))) = (comparison.difference_box, comparison.first_difference) else {
        writeln!(out, "same: {width}x{height}, every red, green and blue is equal")?;
        return Ok(());
    };
    let verdict = match max_mse {
        Some(max_mse) if *mse <= max_mse => "within the limit",
        _ => "different",
    };
    let share = *differing_pixels as f64 * 100.0 / pixels as f64;
    writeln!(out, "{verdict}: {width}x{height}")?;
    writeln!(
        out,
        "  differing pixels    {differing_pixels} of {pixels} ({share:.3} %)"
    )?;
    writeln!(out, "  largest difference  {largest_difference} of 255")?;
    writeln!(
        out,
        "  in the box          x {}..{}, y {}..{} ({}x{}), first at ({x}, {y})",
        area.x,
        area.x + area.width - 1,
        area.y,
        area.y + area.height - 1,
        area.width,
        area.height
    )?;
    write!(out, "  MSE                 {mse:.6}")?;
    match max_mse {
        Some(max_mse) => writeln!(out, ", limit {max_mse}")?,
        None => writeln!(out)?,
    }
    Ok(())
}
