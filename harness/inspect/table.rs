//! Text in columns.
use std::io::{self, Write};

/// On which side a column's text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows of `N` cells under headings. A column whose cells are all empty is left out.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    columns: [(&'static str, Align); N],
    rows: Vec<[String; N]>,
}

impl<const N: usize> Table<N> {
    pub(crate) const fn new(columns: [(&'static str, Align); N]) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: [String; N]) {
        self.rows.push(cells);
    }

    /// Writes the table, each line indented by two spaces.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = |column: usize| {
            let widest = self
                .rows
                .iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0);
            if widest == 0 {
                0
            } else {
                widest.max(self.columns[column].0.len())
            }
        };
        let widths: [usize; N] = std::array::from_fn(width);
        let headings = self.columns.map(|(heading, _)| heading.to_owned());
        for row in std::iter::once(&headings).chain(&self.rows) {
            let mut line = String::new();
            for (cell, ((_, align), width)) in row.iter().zip(self.columns.iter().zip(widths)) {
                if width == 0 {
                    continue;
                }
                line.push_str("  ");
                match align {
                    Align::Left => line.push_str(&format!("{cell:<width$}")),
                    Align::Right => line.push_str(&format!("{cell:>width$}")),
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A float as short as four decimals allow: `1686.2`, `0.0012`, `16`.
pub(crate) fn short(value: f32) -> String {
    let text = format!("{value:.4}");
    if value.is_finite() {
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0" } else { text }.to_owned()
    } else {
        text
    }
}

/// Several floats in parentheses.
pub(crate) fn vector(values: &[f32]) -> String {
    let parts: Vec<_> = values.iter().copied().map(short).collect();
    format!("({})", parts.join(", "))
}

/// A number with its noun: `1 image`, `5 images`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => match noun.strip_suffix('y') {
            Some(stem) => format!("{number} {stem}ies"),
            None if noun.ends_with('x') => format!("{number} {}ices", &noun[..noun.len() - 2]),
            None => format!("{number} {noun}s"),
        },
    }
}

/// Ascending numbers as runs: `0..4 7 9..10`.
pub(crate) fn runs(numbers: impl IntoIterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let parts: Vec<_> = runs
        .into_iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}..{last}")
            }
        })
        .collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_empty_ones_go() {
        let mut table = Table::new([
            ("name", Align::Left),
            ("note", Align::Left),
            ("size", Align::Right),
        ]);
        table.row(["skeleton".into(), String::new(), "7".into()]);
        table.row(["pmo".into(), String::new(), "12345".into()]);
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "  name       size\n  skeleton      7\n  pmo       12345\n"
        );
    }

    #[test]
    fn words_and_numbers_read_well() {
        assert_eq!(short(1686.25), "1686.25");
        assert_eq!(short(-0.5), "-0.5");
        assert_eq!(short(100.0), "100");
        assert_eq!(short(-0.000_01), "0");
        assert_eq!(short(f32::NAN), "NaN");
        assert_eq!(vector(&[0.0, 1.5]), "(0, 1.5)");
        assert_eq!(count(1, "image"), "1 image");
        assert_eq!(count(2, "entry"), "2 entries");
        assert_eq!(count(3, "vertex"), "3 vertices");
        assert_eq!(runs([0, 1, 2, 5, 7, 8]), "0..2 5 7..8");
        assert_eq!(runs([]), "");
    }
}
