//! Tables of what captures come to, committed beside the tests. A result that is worse fails, and so does one that is
//! better, so that what is gained cannot be lost unseen.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HOW: &str = "GOLDEN=bless cargo test -p replay --test captures";

/// A table: a name and a number for each column in every row. Smaller is better.
pub(crate) struct Baseline {
    file: &'static str,
    columns: &'static [&'static str],
}

type Rows = BTreeMap<String, Vec<String>>;

impl Baseline {
    pub(crate) const fn new(file: &'static str, columns: &'static [&'static str]) -> Self {
        Self { file, columns }
    }

    fn path(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/baselines")
            .join(self.file)
    }

    fn head(&self) -> String {
        format!("name\t{}", self.columns.join("\t"))
    }

    fn read(&self) -> Rows {
        let text =
            std::fs::read_to_string(self.path()).unwrap_or_else(|error| panic!("{}: {error}", self.file));
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.next(), Some(self.head().as_str()), "{}", self.file);
        lines
            .map(|line| {
                let mut cells = line.split('\t').map(str::to_owned);
                (cells.next().unwrap_or_default(), cells.collect())
            })
            .collect()
    }

    fn write(&self, rows: &Rows) {
        let mut text = format!("# Written by {HOW}.\n{}\n", self.head());
        for (name, cells) in rows {
            writeln!(text, "{name}\t{}", cells.join("\t")).expect("a string takes all");
        }
        std::fs::write(self.path(), text).expect("a table that can be written");
    }

    /// Compares what was found, as the table would say it, with the table, or writes it there. What the table does
    /// not know is printed; rows without a capture stay.
    pub(crate) fn check(&self, found: &Rows) {
        if std::env::var_os("GOLDEN").is_some_and(|value| value == "bless") {
            let mut rows = match self.path().exists() {
                true => self.read(),
                false => Rows::new(),
            };
            rows.extend(found.clone());
            return self.write(&rows);
        }
        let known = self.read();
        for (name, cells) in found.iter().filter(|(name, _)| !known.contains_key(*name)) {
            println!("{}: no row for {name}: {}", self.file, cells.join(", "));
        }
        let complaints = complaints(self.columns, &known, found);
        assert!(
            complaints.is_empty(),
            "{}: where it is better, or worse on purpose, write a new table: {HOW}\n{}",
            self.file,
            complaints.join("\n")
        );
    }
}

fn complaints(columns: &[&str], known: &Rows, found: &Rows) -> Vec<String> {
    let number = |text: &str| {
        text.parse::<f64>()
            .unwrap_or_else(|_| panic!("{text} is no number"))
    };
    let mut complaints = Vec::new();
    for (name, cells) in found {
        let Some(expected) = known.get(name) else { continue };
        assert_eq!((cells.len(), expected.len()), (columns.len(), columns.len()));
        for ((column, now), before) in columns.iter().zip(cells).zip(expected) {
            let verdict = match number(now).total_cmp(&number(before)) {
                std::cmp::Ordering::Less => "better",
                std::cmp::Ordering::Equal => continue,
                std::cmp::Ordering::Greater => "WORSE",
            };
            complaints.push(format!("{verdict}: {name}: {column} {now}, {before} before"));
        }
    }
    complaints
}

#[test]
fn worse_and_better_are_told() {
    let rows = |rows: &[(&str, &str)]| -> Rows {
        let row = |&(name, cell): &(&str, &str)| (name.to_owned(), vec![cell.to_owned()]);
        rows.iter().map(row).collect()
    };
    let known = rows(&[("a", "1.50"), ("b", "2"), ("c", "3"), ("gone", "7")]);
    assert_eq!(
        complaints(&["MSE"], &known, &rows(&[("a", "1.5"), ("b", "2")])),
        [""; 0]
    );
    assert_eq!(
        complaints(
            &["MSE"],
            &known,
            &rows(&[("a", "1.51"), ("b", "1.99"), ("d", "0")])
        ),
        ["WORSE: a: MSE 1.51, 1.50 before", "better: b: MSE 1.99, 2 before"]
    );
}
