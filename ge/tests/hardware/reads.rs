//! Values that programs read back from VRAM.

use std::path::Path;

use ge::Address;
use ge::replay::Replayer;

use crate::{captures, name, read_capture, replay};

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
fn values_are_those_of_the_hardware() {
    let Some(paths) = captures("reads") else { return };
    let (mut all, mut all_right) = (0, 0);
    let mut failures = Vec::new();
    for path in paths {
        let table = path.with_extension("checks.tsv");
        if !table.exists() {
            continue;
        }
        let capture = read_capture(&path);
        let mut replayer = replay(&capture);
        let (mut checked, mut right) = (0, 0);
        let mut first = None;
        for check in read_checks(&table) {
            while replayer.position() < check.records && replayer.step().expect("the capture runs") {}
            replayer.catch_up().expect("the capture runs");
            let found = read(&mut replayer, &check);
            checked += 1;
            if found == check.value & check.mask {
                right += 1;
            } else if first.is_none() {
                first = Some(format!(
                    "{:x} instead of {:x}: {}",
                    found, check.value, check.label
                ));
            }
        }
        println!(
            "{:32} {right} of {checked}{}",
            name(&path),
            first.map_or(String::new(), |first| format!(", {first}"))
        );
        if right < checked {
            failures.push(format!("{}: {} wrong", name(&path), checked - right));
        }
        all += checked;
        all_right += right;
    }
    println!("all: {all_right} of {all}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
