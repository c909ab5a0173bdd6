//! The results as text.
use std::io::{self, Write};

use super::{CaseResult, Verdict};
use crate::inspect::{Align, Table};
use crate::replay::MetReport;

/// How many cases ended how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Totals {
    /// Within their limits.
    pub passed: usize,
    /// Beyond their limits.
    pub failed: usize,
    /// Not comparable.
    pub errors: usize,
}

impl Totals {
    /// Counts results.
    #[must_use]
    pub fn of(results: &[CaseResult]) -> Self {
        let count = |verdict| results.iter().filter(|result| result.verdict == verdict).count();
        Self {
            passed: count(Verdict::Passed),
            failed: count(Verdict::Failed),
            errors: count(Verdict::Error),
        }
    }

    /// Whether every case passed.
    #[must_use]
    pub const fn all_passed(self) -> bool {
        self.failed == 0 && self.errors == 0
    }
}

/// A verdict as a word.
pub(super) const fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "pass",
        Verdict::Failed => "FAIL",
        Verdict::Error => "ERROR",
    }
}

/// What a replay met, in one line.
pub(super) fn met_text(met: &[MetReport]) -> String {
    let parts: Vec<_> = met
        .iter()
        .map(|met| format!("{} ({})", met.feature, met.count))
        .collect();
    parts.join(", ")
}

/// An MSE, short.
pub(super) fn mse_text(mse: f64) -> String {
    if mse == 0.0 {
        "0".to_owned()
    } else {
        format!("{mse:.6}")
    }
}

/// Writes one aligned line a case.
///
/// # Errors
/// What `out` returns.
pub fn write_table(out: &mut dyn Write, results: &[CaseResult]) -> io::Result<()> {
    let mut table = Table::new([
        ("", Align::Left),
        ("capture", Align::Left),
        ("pixels", Align::Right),
        ("largest", Align::Right),
        ("MSE", Align::Right),
        ("limit", Align::Right),
        ("values", Align::Right),
        ("ms", Align::Right),
        ("met, and not done as hardware does it", Align::Left),
        ("error", Align::Left),
    ]);
    for result in results {
        let compared = |text: &dyn Fn(&crate::picture::Comparison) -> String| {
            result.comparison.as_ref().map_or_else(String::new, text)
        };
        table.row([
            word(result.verdict).to_owned(),
            result.name.clone(),
            compared(&|comparison| comparison.differing_pixels.to_string()),
            compared(&|comparison| comparison.largest_difference.to_string()),
            compared(&|comparison| mse_text(comparison.mse)),
            compared(&|_| result.max_mse.to_string()),
            result.checks.as_ref().map_or_else(String::new, |checks| {
                format!("{} of {}", checks.right, checks.total)
            }),
            format!("{:.1}", result.seconds * 1000.0),
            met_text(&result.met),
            result.error.clone().unwrap_or_default(),
        ]);
    }
    table.write(out)
}
