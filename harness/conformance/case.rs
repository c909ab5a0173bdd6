//! One capture, replayed and compared.
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

use ge::{Address, GeOptions};
use raster::Threads;
use replay::{ReplayError, ReplayOptions, Replayer};
use serde::Serialize;

use super::checks::{Check, parse_checks};
use super::{Case, Maker, Options, Reference};
use crate::backend::Backend;
use crate::error::HarnessError;
use crate::picture::{self, Comparison, Effort, Picture, compare, encode_png_with, heat_map};
use crate::replay::{MetReport, NamedCapture, screen};

/// Wrong values that are reported one by one.
const MOST_WRONG: usize = 20;

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within its limit.
    Passed,
    /// Beyond its limit.
    Failed,
    /// Nothing could be compared.
    Error,
}

/// What came of a case.
#[derive(Debug, Clone, Serialize)]
pub struct CaseResult {
    /// The case.
    pub name: String,
    /// How it ended.
    pub verdict: Verdict,
    /// Who made the reference.
    pub maker: Maker,
    /// The largest MSE that passes.
    pub max_mse: f64,
    /// How far the pictures are apart, where pictures are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// How many values are right, where values are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<ChecksReport>,
    /// What went wrong, where nothing could be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What the replay met and does not do as hardware does it.
    pub met: Vec<MetReport>,
    /// How long the replay took.
    pub seconds: f64,
    /// The pictures, where they are kept.
    #[serde(skip)]
    pub pictures: Option<Pictures>,
}

/// Values read back from VRAM.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ChecksReport {
    /// Values that are as they should be.
    pub right: usize,
    /// Values in all.
    pub total: usize,
    /// The first of those that are not.
    pub wrong: Vec<WrongValue>,
}

/// A value that is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrongValue {
    /// Where it stands.
    pub address: u32,
    /// What it should be, masked.
    pub expected: u32,
    /// What it is, masked.
    pub found: u32,
    /// What it is, for people.
    pub label: String,
}

/// A case's pictures as PNGs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pictures {
    /// What the replay gave.
    pub ours: Vec<u8>,
    /// What it should have given.
    pub reference: Vec<u8>,
    /// Where they differ; `None` where nowhere.
    pub heat: Option<Vec<u8>>,
}

impl CaseResult {
    /// How bad it is, to sort by: what cannot be compared comes first, then by error.
    #[must_use]
    pub fn badness(&self) -> f64 {
        if self.verdict == Verdict::Error {
            return f64::INFINITY;
        }
        let values = self.checks.as_ref().map_or(0.0, |checks| {
            (checks.total - checks.right) as f64 / checks.total.max(1) as f64
        });
        self.comparison
            .as_ref()
            .map_or(values, |comparison| comparison.mse)
    }
}

impl Case {
    /// Replays the capture on one thread and compares what comes of it.
    #[must_use]
    pub fn run(&self, options: Options, backend: &Backend) -> CaseResult {
        let mut result = CaseResult {
            name: self.name.clone(),
            verdict: Verdict::Error,
            maker: self.maker,
            max_mse: options.max_mse.unwrap_or(self.maker.max_mse()),
            comparison: None,
            checks: None,
            error: None,
            met: Vec::new(),
            seconds: 0.0,
            pictures: None,
        };
        let compared = match &self.reference {
            Reference::Picture(path) => self.compare_picture(path, options, backend, &mut result),
            Reference::Checks(path) => self.compare_values(path, options, backend, &mut result),
        };
        if let Err(error) = compared {
            result.verdict = Verdict::Error;
            result.error = Some(error.to_string());
        }
        result
    }

    fn replay_options(&self, options: Options) -> ReplayOptions {
        ReplayOptions {
            mode: options.mode.unwrap_or(self.maker.mode()),
            ge: GeOptions {
                threads: Threads::Count(NonZeroUsize::MIN),
                profile: options.profile.unwrap_or(self.maker.profile()),
                ..GeOptions::default()
            },
            ..ReplayOptions::default()
        }
    }

    fn replayer<'a>(&self, capture: &'a NamedCapture, options: Options, backend: &Backend) -> Replayer<'a> {
        let options = self.replay_options(options);
        let mut replayer = Replayer::new(&capture.capture, options);
        backend.equip(replayer.ge_mut(), options.ge.profile, options.ge.threads);
        replayer
    }

    fn compare_picture(
        &self,
        path: &Path,
        options: Options,
        backend: &Backend,
        result: &mut CaseResult,
    ) -> Result<(), HarnessError> {
        let reference = picture::read(path)?.visible_screen();
        let capture = NamedCapture::open(&self.capture)?;
        let started = Instant::now();
        let mut replayer = self.replayer(&capture, options, backend);
        let ran = replayer.run();
        result.seconds = started.elapsed().as_secs_f64();
        result.met = MetReport::all(replayer.ge().report());
        ran.map_err(|error| capture.replay_error(error))?;
        let shown = replayer.picture().map_err(|error| {
            HarnessError::refused(
                &capture.name,
                error,
                "ge-harness inspect lists its DISPLAY records",
            )
        })?;
        let ours = screen(&shown);
        let comparison = compare(&reference, &ours).map_err(|differ| {
            HarnessError::refused(
                path.display(),
                differ,
                "references are 480x272, or 512x272 as PPSSPP saves them",
            )
        })?;
        if options.keep_pictures {
            result.pictures = Some(Pictures::of(&reference, &ours, &comparison));
        }
        result.verdict = match comparison.mse <= result.max_mse {
            true => Verdict::Passed,
            false => Verdict::Failed,
        };
        result.comparison = Some(comparison);
        Ok(())
    }

    fn compare_values(
        &self,
        path: &Path,
        options: Options,
        backend: &Backend,
        result: &mut CaseResult,
    ) -> Result<(), HarnessError> {
        let checks = parse_checks(path)?;
        let capture = NamedCapture::open(&self.capture)?;
        let started = Instant::now();
        let mut replayer = self.replayer(&capture, options, backend);
        let mut report = ChecksReport {
            total: checks.len(),
            ..ChecksReport::default()
        };
        for check in &checks {
            let found = read_value(&mut replayer, check).map_err(|error| capture.replay_error(error))?;
            let expected = check.value & check.mask;
            if found == expected {
                report.right += 1;
            } else if report.wrong.len() < MOST_WRONG {
                report.wrong.push(WrongValue {
                    address: check.address,
                    expected,
                    found,
                    label: check.label.clone(),
                });
            }
        }
        result.seconds = started.elapsed().as_secs_f64();
        result.met = MetReport::all(replayer.ge().report());
        result.verdict = match report.right == report.total {
            true => Verdict::Passed,
            false => Verdict::Failed,
        };
        result.checks = Some(report);
        Ok(())
    }
}

/// The masked value of a check, once the records before it are carried out.
fn read_value(replayer: &mut Replayer<'_>, check: &Check) -> Result<u32, ReplayError> {
    while replayer.position() < check.records && replayer.step()? {}
    replayer.catch_up()?;
    let mut bytes = [0; 4];
    let memory = replayer.ge_mut().memory();
    memory.read(Address::new(check.address), &mut bytes[..check.width.min(4)]);
    Ok(u32::from_le_bytes(bytes) & check.mask)
}

impl Pictures {
    fn of(reference: &Picture, ours: &Picture, comparison: &Comparison) -> Self {
        let heat = (!comparison.same_colours()).then(|| heat_map(reference, ours));
        Self {
            ours: encode_png_with(ours, Effort::Small),
            reference: encode_png_with(&opaque(reference), Effort::Small),
            heat: heat.map(|heat| encode_png_with(&heat, Effort::Small)),
        }
    }
}

/// A picture as a screen shows it: alpha is not compared, and must not hide what is.
fn opaque(picture: &Picture) -> Picture {
    let mut opaque = picture.clone();
    for y in 0..picture.height() {
        for x in 0..picture.width() {
            if let Some([red, green, blue, _]) = picture.pixel(x, y) {
                opaque.set_pixel(x, y, [red, green, blue, 255]);
            }
        }
    }
    opaque
}
