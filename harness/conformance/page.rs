//! The results as one page of HTML that needs nothing beside it.
use std::io::{self, Write};

use super::base64;
use super::case::WrongValue;
use super::text::{Totals, met_text, mse_text, word};
use super::{CaseResult, ChecksReport, Pictures, Verdict};

/// How the page looks.
const STYLE: &str = include_str!("page.css");
/// What the page does; without it everything is still there.
const SCRIPT: &str = include_str!("page.js");

/// Writes the page: totals, a table, and each case with its pictures, the worst first.
///
/// # Errors
/// What `out` returns.
pub fn write_page(out: &mut dyn Write, folder: &str, results: &[CaseResult]) -> io::Result<()> {
    let mut worst_first: Vec<(usize, &CaseResult)> = results.iter().enumerate().collect();
    worst_first.sort_by(|(_, left), (_, right)| {
        let passed = |result: &CaseResult| result.verdict == Verdict::Passed;
        let badness = right.badness().total_cmp(&left.badness());
        passed(left)
            .cmp(&passed(right))
            .then(badness)
            .then(left.name.cmp(&right.name))
    });
    let folder = escape(folder);
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Conformance: {folder}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Conformance of ge-harness {}</h1>\n<p class=\"quiet\">{folder}</p>\n",
        env!("CARGO_PKG_VERSION")
    )?;
    write_totals(out, Totals::of(results))?;
    write_summary(out, &worst_first)?;
    for (number, result) in worst_first {
        write_case(out, number, result)?;
    }
    write!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
}

fn write_totals(out: &mut dyn Write, totals: Totals) -> io::Result<()> {
    let Totals {
        passed,
        failed,
        errors,
    } = totals;
    write!(
        out,
        "<div class=\"totals\"><span class=\"pass\"><b>{passed}</b>passed</span>\
         <span class=\"fail\"><b>{failed}</b>failed</span>"
    )?;
    if errors > 0 {
        write!(out, "<span class=\"fail\"><b>{errors}</b>not comparable</span>")?;
    }
    writeln!(
        out,
        "</div>\n<div class=\"bar\"><i style=\"flex:{passed}\"></i><i style=\"flex:{}\"></i></div>",
        failed + errors
    )
}

fn write_summary(out: &mut dyn Write, results: &[(usize, &CaseResult)]) -> io::Result<()> {
    writeln!(
        out,
        "<div class=\"wide\"><table>\n<tr><th></th><th class=\"words\">capture</th>\
         <th>differing pixels</th><th>largest</th><th>MSE</th><th>values</th><th>ms</th>\
         <th class=\"words\">met, and not done as hardware does it</th></tr>"
    )?;
    for (number, result) in results {
        let comparison = result.comparison.as_ref();
        let cell = |text: Option<String>| text.unwrap_or_default();
        writeln!(
            out,
            "<tr><td class=\"{}\">{}</td><td class=\"words\"><a href=\"#case-{number}\">{}</a></td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1}</td><td class=\"words\">{}</td></tr>",
            class(result.verdict),
            word(result.verdict),
            escape(&result.name),
            cell(comparison.map(|comparison| comparison.differing_pixels.to_string())),
            cell(comparison.map(|comparison| comparison.largest_difference.to_string())),
            cell(comparison.map(|comparison| mse_text(comparison.mse))),
            cell(
                result
                    .checks
                    .as_ref()
                    .map(|checks| format!("{} of {}", checks.right, checks.total))
            ),
            result.seconds * 1000.0,
            escape(&met_text(&result.met)),
        )?;
    }
    writeln!(out, "</table></div>")
}

const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "pass",
        Verdict::Failed | Verdict::Error => "fail",
    }
}

fn write_case(out: &mut dyn Write, number: usize, result: &CaseResult) -> io::Result<()> {
    writeln!(
        out,
        "<section id=\"case-{number}\">\n<header><b class=\"{}\">{}</b><h2>{}</h2><span class=\"quiet\">{}</span></header>",
        class(result.verdict),
        word(result.verdict),
        escape(&result.name),
        escape(&numbers(result)),
    )?;
    if let Some(error) = &result.error {
        writeln!(out, "<p class=\"fail\">{}</p>", escape(error))?;
    }
    if !result.met.is_empty() {
        writeln!(
            out,
            "<p class=\"quiet\">Met, and not done as hardware does it: {}</p>",
            escape(&met_text(&result.met))
        )?;
    }
    if let Some(pictures) = &result.pictures {
        write_pictures(out, pictures)?;
    }
    if let Some(checks) = result.checks.as_ref().filter(|checks| !checks.wrong.is_empty()) {
        write_wrong_values(out, checks)?;
    }
    writeln!(out, "</section>")
}

/// How a case did, in a line.
fn numbers(result: &CaseResult) -> String {
    let mut parts = Vec::new();
    if let Some(comparison) = &result.comparison {
        if comparison.same_colours() {
            parts.push("every pixel is equal".to_owned());
        } else {
            parts.push(format!(
                "{} pixels differ, by {} at most; MSE {}, limit {}",
                comparison.differing_pixels,
                comparison.largest_difference,
                mse_text(comparison.mse),
                result.max_mse
            ));
        }
    }
    if let Some(checks) = &result.checks {
        parts.push(format!("{} of {} values are right", checks.right, checks.total));
    }
    parts.push(format!("{:.1} ms", result.seconds * 1000.0));
    parts.join("; ")
}

fn write_pictures(out: &mut dyn Write, pictures: &Pictures) -> io::Result<()> {
    writeln!(out, "<div class=\"pictures\">")?;
    let mut figure = |caption: &str, class: &str, png: &[u8]| {
        writeln!(
            out,
            "<figure><figcaption>{caption}</figcaption>\
             <img class=\"{class}\" alt=\"{caption}\" src=\"data:image/png;base64,{}\"></figure>",
            base64::encode(png)
        )
    };
    figure("ours (point at it to see the reference)", "ours", &pictures.ours)?;
    figure("reference", "reference", &pictures.reference)?;
    match &pictures.heat {
        Some(heat) => figure("difference: blue is one step, white 255", "heat", heat)?,
        None => writeln!(
            out,
            "<figure><figcaption>difference</figcaption><div class=\"same quiet\">none</div></figure>"
        )?,
    }
    writeln!(out, "</div>")
}

fn write_wrong_values(out: &mut dyn Write, checks: &ChecksReport) -> io::Result<()> {
    writeln!(
        out,
        "<div class=\"wide\"><table>\n<tr><th class=\"words\">value</th><th>address</th><th>expected</th><th>found</th></tr>"
    )?;
    for WrongValue {
        address,
        expected,
        found,
        label,
    } in &checks.wrong
    {
        writeln!(
            out,
            "<tr><td class=\"words\">{}</td><td>{address:08X}</td><td>{expected:X}</td><td>{found:X}</td></tr>",
            escape(label)
        )?;
    }
    writeln!(out, "</table></div>")?;
    let more = checks.total - checks.right - checks.wrong.len();
    if more > 0 {
        writeln!(out, "<p class=\"quiet\">and {more} more</p>")?;
    }
    Ok(())
}

/// Text that stands in an element or an attribute: captures and their tables name themselves.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            character if character.is_control() => escaped.push('\u{FFFD}'),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::Maker;
    use super::*;

    fn result(name: &str, verdict: Verdict, wrong: usize) -> CaseResult {
        CaseResult {
            name: name.into(),
            verdict,
            maker: Maker::Hardware,
            max_mse: 0.0,
            comparison: None,
            checks: Some(ChecksReport {
                right: 10 - wrong,
                total: 10,
                wrong: Vec::new(),
            }),
            error: None,
            met: Vec::new(),
            seconds: 0.001,
            pictures: None,
        }
    }

    fn page(results: &[CaseResult]) -> String {
        let mut out = Vec::new();
        write_page(&mut out, "a <folder>", results).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_worst_comes_first() {
        let results = [
            result("fine", Verdict::Passed, 0),
            result("bad", Verdict::Failed, 2),
            result("worse", Verdict::Failed, 5),
            result("broken", Verdict::Error, 0),
        ];
        let page = page(&results);
        let places: Vec<_> = ["broken", "worse", "bad", "fine"]
            .map(|name| page.find(&format!("<h2>{name}</h2>")).unwrap())
            .into();
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn names_cannot_be_markup() {
        let mut evil = result("<script>alert('x')</script>\u{1b}[2J", Verdict::Failed, 1);
        evil.error = Some("a & b".into());
        let page = page(&[evil]);
        assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\u{FFFD}[2J"));
        assert!(page.contains("a &amp; b") && page.contains("a &lt;folder&gt;"));
        assert_eq!(page.matches("<script>").count(), 1, "the page's own");
    }
}
