//! The engine's rules, checked over a whole model (`spec/mhp-formats.md` §5.11).
use std::io::{self, Write};

use formats::skeleton::Skeleton;
use motion::rules::{Finding, ImageCount, Level, check_model, check_pack, check_skeleton, check_template};
use serde::Serialize;

use crate::cli::Style;
use crate::inspect::count;
use crate::model::Model;

/// What was checked and what broke a rule.
#[derive(Debug, Serialize)]
pub struct Validation {
    version: u32,
    file: String,
    /// What there was to check: `skeleton`, `animation`, `model`, `template`.
    checked: Vec<&'static str>,
    findings: Vec<FindingReport>,
}

#[derive(Debug, Serialize)]
struct FindingReport {
    level: &'static str,
    code: &'static str,
    message: String,
    fix: &'static str,
    #[serde(skip)]
    severity: Level,
}

impl FindingReport {
    fn new(finding: &Finding) -> Self {
        Self {
            level: match finding.level() {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Note => "note",
            },
            code: finding.code.name(),
            message: finding.message.clone(),
            fix: finding.mend(),
            severity: finding.level(),
        }
    }
}

impl Validation {
    /// Checks a model with its skeleton and clips, and, with `template`, against the skeleton of the
    /// species that it replaces. Errors come first.
    #[must_use]
    pub fn new(model: &Model, template: Option<&Skeleton>) -> Self {
        let mut checked = Vec::new();
        let mut findings = Vec::new();
        let skeleton = model.skeleton.as_ref().map(|posed| &posed.skeleton);
        if let Some(skeleton) = skeleton {
            checked.push("skeleton");
            findings.extend(check_skeleton(skeleton));
        }
        if let Some(clips) = model.skeleton.as_ref().and_then(|posed| posed.clips.as_ref())
            && let Some(skeleton) = skeleton
        {
            checked.push("animation");
            findings.extend(check_pack(skeleton, &clips.pack));
        }
        if !model.pmos.is_empty() {
            checked.push("model");
        }
        let images = match &model.textures {
            Some(bank) => ImageCount::Known(bank.images.len()),
            None => ImageCount::Unknown,
        };
        for pmo in &model.pmos {
            findings.extend(check_model(pmo, skeleton, images));
        }
        if let (Some(skeleton), Some(template)) = (skeleton, template) {
            checked.push("template");
            findings.extend(check_template(skeleton, template));
        }
        let mut findings: Vec<_> = findings.iter().map(FindingReport::new).collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        Self {
            version: 1,
            file: model.name.clone(),
            checked,
            findings,
        }
    }

    /// Whether a rule was broken that the engine cannot do without.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.severity == Level::Error)
    }

    /// Writes it for people, one line a finding.
    ///
    /// # Errors
    /// What `out` returns.
    pub fn write_text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        for FindingReport {
            level,
            code,
            message,
            fix,
            severity,
        } in &self.findings
        {
            let level = match severity {
                Level::Error => style.error(level),
                Level::Warning => style.warning(level),
                Level::Note => style.aside(level),
            };
            writeln!(out, "{level} {code}: {message} (fix: {fix})")?;
        }
        let of = |wanted: Level| {
            self.findings
                .iter()
                .filter(|finding| finding.severity == wanted)
                .count()
        };
        let counts = [
            (Level::Error, "error"),
            (Level::Warning, "warning"),
            (Level::Note, "note"),
        ]
        .into_iter()
        .filter(|(level, _)| of(*level) > 0)
        .map(|(level, noun)| count(of(level), noun))
        .collect::<Vec<_>>();
        let verdict = if self.is_broken() {
            style.error("broken")
        } else {
            style.success("sound")
        };
        let verdict = [vec![verdict], counts].concat().join(", ");
        writeln!(
            out,
            "{}: {verdict} (checked: {})",
            self.file,
            self.checked.join(", ")
        )
    }
}
