//! `ge-harness conformance`: a folder of captures held against what is known of them.
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::backend_arguments::BackendArguments;
use super::diff::parse_mse;
use super::replay::{Order, ProfileArgument};
use super::{Outcome, terminal, write_json};
use crate::conformance::{self, CaseResult, Options, Shard, Totals, discover};
use crate::error::HarnessError;
use crate::files;
use crate::inspect::count;

/// Replay a folder of captures and compare each with what is known of it
///
/// Three layouts are known, and found in FOLDER and below:
///   NAME.ppdmp with NAME.png beside it: a picture of the hardware
///   NAME.ppdmp with NAME.checks.tsv beside it: values that the hardware has in VRAM at moments
///   dumps/.../NAME.zip with ref/.../NAME.png or NAME-soft.png: PPSSPP's frame tests
///
/// What hardware made is held exactly. PPSSPP's pictures are drawn with its profile and in its order,
/// and pass up to an MSE of 0.1, as in its own tests. --max-mse, --profile and --order change that
/// for all.
///
/// Exit status: 0 all within their limits, 1 otherwise, 2 wrong usage or no capture to replay.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  ge-harness conformance ppsspp-frametest-ci
  ge-harness conformance captures --filter texmtx --report report.html
  ge-harness conformance captures --profile hardware --max-mse 60 --shard 1/4 --json"
)]
pub(super) struct Arguments {
    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Only captures with this in their path, whatever the case
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Write a page with every picture, its reference and their difference
    #[arg(long, value_name = "REPORT.html")]
    report: Option<PathBuf>,
    /// How many captures are replayed at a time, each on one thread [default: all processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Only part I of N
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// The largest MSE that passes [default: 0 for hardware's pictures, 0.1 for PPSSPP's]
    #[arg(long, value_name = "MSE", value_parser = parse_mse)]
    max_mse: Option<f64>,
    /// Whose pixels to draw [default: those of who made the reference]
    #[arg(long, value_enum, value_name = "WHOSE")]
    profile: Option<ProfileArgument>,
    /// How records that write VRAM stand to the commands around them [default: faithful for hardware, reference for
    /// PPSSPP]
    #[arg(long, value_enum)]
    order: Option<Order>,
    #[command(flatten)]
    backend: BackendArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    folder: String,
    #[serde(flatten)]
    totals: Totals,
    seconds: f64,
    cases: &'a [CaseResult],
    without_reference: &'a [String],
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let mut found = discover(&arguments.folder)?;
    let folder = arguments.folder.display().to_string();
    if found.cases.is_empty() {
        return Err(HarnessError::usage(
            format_args!("{folder}: holds no capture with a reference"),
            "ge-harness conformance --help tells which layouts are known",
        ));
    }
    if let Some(filter) = &arguments.filter {
        let filter = filter.to_lowercase();
        let wanted = |name: &str| name.to_lowercase().contains(&filter);
        found.cases.retain(|case| wanted(&case.name));
        found.without_reference.retain(|name| wanted(name));
        if found.cases.is_empty() {
            return Err(HarnessError::usage(
                format_args!("{folder}: no capture with a reference has '{filter}' in its path"),
                "leave --filter out to see them all",
            ));
        }
    }
    let shard = arguments.shard.unwrap_or(Shard::ALL);
    let mut index = 0..;
    found
        .cases
        .retain(|_| index.next().is_some_and(|index| shard.has(index)));

    let processors = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = arguments.jobs.unwrap_or(processors);
    let options = Options {
        max_mse: arguments.max_mse,
        profile: arguments.profile.map(Into::into),
        mode: arguments.order.map(Into::into),
        keep_pictures: arguments.report.is_some(),
    };
    let backend = arguments.backend.open()?;
    let started = Instant::now();
    let bar = terminal::progress(found.cases.len(), "captures");
    let results = conformance::run(&found.cases, options, &backend, jobs.get(), || bar.inc(1))?;
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();

    if let Some(path) = &arguments.report {
        let mut page = Vec::new();
        conformance::write_page(&mut page, &folder, &results)?;
        files::write(path, &page)?;
    }
    let totals = Totals::of(&results);
    if arguments.json {
        let report = Report {
            version: 1,
            folder,
            totals,
            seconds,
            cases: &results,
            without_reference: &found.without_reference,
        };
        write_json(out, &report)?;
    } else {
        conformance::write_table(out, &results)?;
        write_totals(out, totals, results.len(), seconds)?;
        if !found.without_reference.is_empty() {
            let captures = count(found.without_reference.len(), "capture");
            writeln!(
                out,
                "{captures} without a reference: {}",
                found.without_reference.join(", ")
            )?;
        }
        if let Some(path) = &arguments.report {
            writeln!(out, "wrote {}", path.display())?;
        }
    }
    Ok(if totals.all_passed() {
        Outcome::Success
    } else {
        Outcome::Different
    })
}

fn write_totals(out: &mut dyn Write, totals: Totals, all: usize, seconds: f64) -> Result<(), HarnessError> {
    write!(out, "{} passed", totals.passed)?;
    if totals.failed > 0 {
        write!(out, ", {} failed", totals.failed)?;
    }
    if totals.errors > 0 {
        write!(out, ", {} could not be compared", totals.errors)?;
    }
    writeln!(out, " of {all}, in {seconds:.1} s")?;
    Ok(())
}

/// A part of the cases: `1/4`.
fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(number, count)| number.parse().ok().zip(count.parse().ok()));
    numbers
        .and_then(|(number, count)| Shard::new(number, count))
        .ok_or_else(|| "expected a part and how many there are, such as 1/4".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_count_from_one() {
        assert_eq!(parse_shard("1/1"), Ok(Shard::ALL));
        for bad in ["0/4", "5/4", "4", "a/b", "1/0"] {
            assert!(parse_shard(bad).is_err(), "{bad}");
        }
    }
}
