//! Tables of values that VRAM has at moments of a capture.
use std::path::Path;

use crate::error::HarnessError;
use crate::files;

/// A value in VRAM at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Records of the capture that are carried out before.
    pub records: usize,
    /// Where the value stands.
    pub address: u32,
    /// Its bytes: 1, 2 or 4, little-endian.
    pub width: usize,
    /// The bits that count.
    pub mask: u32,
    /// What they are.
    pub value: u32,
    /// What the value is, for people.
    pub label: String,
}

/// Reads a table of checks: tab-separated, its first line the names `commands`, `address`, `width`, `mask`, `value` and
/// `label` in any order, other columns ignored, rows by ascending `commands`.
///
/// # Errors
/// As [`files::read`]; a table without these columns; a row that does not hold such numbers, or goes back in time.
pub fn parse_checks(path: &Path) -> Result<Vec<Check>, HarnessError> {
    let bytes = files::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let fail = |line: usize, message: String| {
        HarnessError::refused(
            path.display(),
            format_args!("line {}: {message}", line + 1),
            "columns are commands, address, width, mask, value and label, separated by tabs",
        )
    };
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'));
    let names: Vec<&str> = lines
        .next()
        .map(|(_, line)| line.split('\t').collect())
        .unwrap_or_default();
    let column = |wanted: &str| {
        let place = names.iter().position(|&name| name == wanted);
        place.ok_or_else(|| fail(0, format!("no column {wanted}")))
    };
    let [commands, address, width, mask, value, label] = [
        column("commands")?,
        column("address")?,
        column("width")?,
        column("mask")?,
        column("value")?,
        column("label")?,
    ];
    let mut checks: Vec<Check> = Vec::new();
    for (line, row) in lines {
        let row: Vec<&str> = row.split('\t').collect();
        let cell = |column: usize| row.get(column).copied().unwrap_or_default();
        let number = |column: usize, radix| {
            let text = cell(column).trim_start_matches("0x");
            u32::from_str_radix(text, radix).map_err(|_| {
                fail(
                    line,
                    format!("{} is '{}', not a number", names[column], cell(column)),
                )
            })
        };
        let check = Check {
            records: number(commands, 10)? as usize,
            address: number(address, 16)?,
            width: number(width, 10)? as usize,
            mask: number(mask, 16)?,
            value: number(value, 16)?,
            label: cell(label).to_owned(),
        };
        if !matches!(check.width, 1 | 2 | 4) {
            return Err(fail(line, format!("width is {}, not 1, 2 or 4", check.width)));
        }
        if checks.last().is_some_and(|last| last.records > check.records) {
            return Err(fail(line, format!("commands goes back to {}", check.records)));
        }
        checks.push(check);
    }
    Ok(checks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Check>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.checks.tsv");
        files::write(&path, text.as_bytes()).unwrap();
        parse_checks(&path).map_err(|error| error.to_string())
    }

    const NAMES: &str = "commands\taddress\twidth\tmask\tvalue\tline\tlabel\n";

    #[test]
    fn rows_are_read_by_the_names_of_the_columns() {
        let checks = parse(&format!(
            "{NAMES}11\t04000000\t4\tffffff\t111111\t1\tOffset 0: 111111\n"
        ))
        .unwrap();
        let check = Check {
            records: 11,
            address: 0x0400_0000,
            width: 4,
            mask: 0xFF_FFFF,
            value: 0x11_1111,
            label: "Offset 0: 111111".into(),
        };
        assert_eq!(checks, [check]);
        assert_eq!(parse(NAMES).unwrap(), []);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, says) in [
            ("a\tb\n", "line 1: no column commands"),
            (
                &format!("{NAMES}1\tx\t4\t0\t0\t1\t\n"),
                "line 2: address is 'x', not a number",
            ),
            (
                &format!("{NAMES}1\t0\t3\t0\t0\t1\t\n"),
                "line 2: width is 3, not 1, 2 or 4",
            ),
            (&format!("{NAMES}1\n"), "line 2: address is '', not a number"),
            (
                &format!("{NAMES}5\t0\t4\t0\t0\t1\t\n4\t0\t4\t0\t0\t1\t\n"),
                "line 3: commands goes back to 4",
            ),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
    }
}
