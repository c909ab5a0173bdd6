//! The public captures read to the last byte, and say what is known of them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use formats::capture::{Capture, Layout, Payload, RecordKind, Version};

/// The files in a folder of the shared test data with this extension, sorted; `None` and a
/// printed reason where there is none.
fn shared_files(folder: &str, extension: &str) -> Option<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data")
        .join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("skipped: {} is not here", folder.display());
        return None;
    };
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    Some(files)
}

/// The bytes of the capture that counts in a zip: the last `.ppdmp` (`spec/capture.md` §1).
fn last_capture(path: &Path) -> Vec<u8> {
    let zip = fs::read(path).expect("a readable file");
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).expect("a zip");
    let index = (0..archive.len())
        .rfind(|&index| {
            archive
                .name_for_index(index)
                .and_then(Result::ok)
                .is_some_and(|name| name.to_lowercase().ends_with(".ppdmp") && !name.starts_with("__MACOSX/"))
        })
        .expect("a capture in the zip");
    let mut bytes = Vec::new();
    let mut file = archive.by_index(index).expect("a file of the zip");
    file.read_to_end(&mut bytes).expect("a whole file");
    bytes
}

/// Checks what holds for every public capture, and that it reads back after being written.
fn check(name: &str, bytes: &[u8]) -> Capture {
    let capture = Capture::parse(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(capture.trailing().is_empty(), "{name}");
    let last = capture.records().last().expect("records");
    assert_eq!(last.kind, RecordKind::Display, "{name}");
    assert!(matches!(capture.payload(last), Payload::Display(display)
        if Some(display) == capture.shown() && display.stride == 512 && (0..4).contains(&display.format)));
    for record in capture.records() {
        assert_eq!(capture.bytes(record).len(), record.size as usize, "{name}");
    }
    let written = Capture::parse(&capture.write()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(written, capture, "{name}");
    capture
}

/// Captures that the statistics of spec/capture.md do not count.
const LATER: [&str; 2] = ["20104", "21391"];

#[test]
fn public_game_captures_hold_what_the_statistics_say() {
    let Some(files) = shared_files("frametests/dumps", "zip") else {
        return;
    };
    // The statistics are those of 24 captures; of later ones only what holds for every capture is checked.
    let (later, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        LATER.iter().any(|number| name.starts_with(number))
    });
    for path in &later {
        check(&path.display().to_string(), &last_capture(path));
    }
    assert_eq!(files.len(), 24);
    let mut kinds = BTreeMap::new();
    let mut versions = BTreeMap::new();
    let mut push_buffer_bytes = 0;
    let mut layout_a = Vec::new();
    for path in &files {
        let name = path.file_name().expect("a file").to_string_lossy();
        let capture = check(&name, &last_capture(path));
        *versions.entry(capture.version().number()).or_insert(0) += 1;
        push_buffer_bytes += capture.push_buffer().len();
        for record in capture.records() {
            // The levels of a texture count as one kind.
            let kind = match record.kind.byte() {
                byte @ 0x10.. => byte & 0xF8,
                byte => byte,
            };
            *kinds.entry(kind).or_insert(0) += 1;
        }
        if capture.initial_state().layout == Layout::A {
            layout_a.push(name.split('-').next().unwrap_or_default().to_owned());
        }
        if name.starts_with("21776") {
            assert_eq!(capture.version(), Version::V6);
            assert_eq!(capture.game_id(), Some(&b"NPJB40001"[..]));
            assert_eq!(capture.records().len(), 22_069);
            assert_eq!(capture.push_buffer().len(), 2_490_816);
            assert_eq!(capture.shown().map(|display| display.address), Some(0x0404_4000));
        }
    }
    // Counted by shared/tools/ppdmp_stats.py.
    let count = |kind: u8| kinds.get(&kind).copied().unwrap_or(0);
    assert_eq!(
        versions,
        BTreeMap::from([(2, 2), (3, 6), (4, 2), (5, 3), (6, 11)])
    );
    assert_eq!(kinds.values().sum::<usize>(), 185_759);
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(count),
        [24, 44_755, 41_368, 1_787, 3_281, 88]
    );
    assert_eq!([7, 8, 9, 10].map(count), [1, 18, 45, 132]);
    assert_eq!([0x10, 0x18].map(count), [61_528, 32_732]);
    assert_eq!(push_buffer_bytes, 49_335_932);
    layout_a.sort();
    assert_eq!(layout_a, ["12058", "9545"]);
}

#[test]
fn hardware_captures_read() {
    for (folder, count) in [("hardware/images", 27), ("hardware/reads", 39)] {
        let Some(files) = shared_files(folder, "ppdmp") else {
            return;
        };
        assert_eq!(files.len(), count);
        for path in files {
            let bytes = fs::read(&path).expect("a readable file");
            let capture = check(&path.display().to_string(), &bytes);
            assert_eq!(capture.version(), Version::V6);
            assert_eq!(capture.initial_state().layout, Layout::B);
        }
    }
}
