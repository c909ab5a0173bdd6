//! Values that programs read back from VRAM on a real PSP.

use std::path::Path;

use ge::Address;
use replay::{ReplayOptions, Replayer};

use crate::baseline::Baseline;
use crate::shared::{captures, name};

const BASELINE: Baseline = Baseline::new("hardware-reads.tsv", &["values that differ"]);

/// One value in VRAM at one moment.
struct Check {
    /// Records that are carried out before.
    records: usize,
    address: u32,
    width: usize,
    mask: u32,
    value: u32,
    label: String,
}

/// The rows of a table of checks, by the names of its first line.
fn read_checks(path: &Path) -> Vec<Check> {
    let text = std::fs::read_to_string(path).expect("a table");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines.next().expect("a line of names").split('\t').collect();
    let column = |row: &[&str], name: &str| -> String {
        let index = names.iter().position(|&known| known == name).expect("a column");
        row.get(index).copied().unwrap_or_default().to_owned()
    };
    let hexadecimal =
        |text: String| u32::from_str_radix(text.trim_start_matches("0x"), 16).expect("a hexadecimal number");
    lines
        .map(|line| {
            let row: Vec<&str> = line.split('\t').collect();
            Check {
                records: column(&row, "commands").parse().expect("a number"),
                address: hexadecimal(column(&row, "address")),
                width: column(&row, "width").parse().expect("a number"),
                mask: hexadecimal(column(&row, "mask")),
                value: hexadecimal(column(&row, "value")),
                label: column(&row, "label"),
            }
        })
        .collect()
}

fn read(replayer: &mut Replayer<'_>, check: &Check) -> u32 {
    let mut bytes = [0; 4];
    let memory = replayer.ge_mut().memory();
    memory.read(Address::new(check.address), &mut bytes[..check.width]);
    u32::from_le_bytes(bytes) & check.mask
}

#[test]
fn values_differ_from_the_hardware_as_the_table_says() {
    let Some(paths) = captures("hardware/reads") else {
        return;
    };
    let mut all = 0;
    let mut found = std::collections::BTreeMap::new();
    for path in paths {
        let table = path.with_extension("checks.tsv");
        if !table.exists() {
            continue;
        }
        let capture = crate::shared::read(&path);
        let mut replayer = Replayer::new(&capture, ReplayOptions::default());
        let mut wrong = 0;
        for check in read_checks(&table) {
            while replayer.position() < check.records && replayer.step().expect("the capture runs") {}
            replayer.catch_up().expect("the capture runs");
            let value = read(&mut replayer, &check);
            all += 1;
            if value != check.value & check.mask {
                if wrong == 0 {
                    println!(
                        "{}: {value:x} instead of {:x}: {}",
                        name(&path),
                        check.value,
                        check.label
                    );
                }
                wrong += 1;
            }
        }
        found.insert(name(&path).to_owned(), vec![wrong.to_string()]);
    }
    println!("{all} values in {} captures", found.len());
    BASELINE.check(&found);
}
