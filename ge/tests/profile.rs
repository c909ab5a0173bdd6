//! Public captures of games against pictures of PPSSPP's software renderer, under its profile
//! (`spec/ppsspp-profile.md`).
//!
//! They are shared data; without them the test is skipped.

use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use formats::capture::Capture;
use ge::replay::{Picture, ReplayMode, ReplayOptions, Replayer};
use ge::{GeOptions, Profile};

/// The bytes of the capture that counts in a zip: the last `.ppdmp` (`spec/capture.md §1`).
fn last_capture(path: &Path) -> Vec<u8> {
    let zip = std::fs::read(path).expect("a readable file");
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

/// The colours of a reference: 512 by 272, of which 480 columns are the screen.
fn read_reference(path: &Path) -> Vec<[u8; 3]> {
    let file = std::fs::File::open(path).expect("a file");
    let mut reader = png::Decoder::new(BufReader::new(file))
        .read_info()
        .expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    assert_eq!(
        (info.width, info.height, info.color_type),
        (512, 272, png::ColorType::Rgba)
    );
    let rows = bytes.chunks_exact(512 * 4);
    rows.flat_map(|row| row[..Picture::WIDTH * 4].chunks_exact(4))
        .map(|pixel| [pixel[0], pixel[1], pixel[2]])
        .collect()
}

/// The mean of the squared differences over the three colours (`spec/capture.md §8`).
fn mean_squared_error(picture: &Picture, reference: &[[u8; 3]]) -> f64 {
    assert_eq!(picture.pixels.len(), reference.len());
    let sum: u64 = picture
        .pixels
        .iter()
        .zip(reference)
        .flat_map(|(pixel, expected)| pixel.iter().zip(expected))
        .map(|(&part, &expected)| u64::from(part.abs_diff(expected)).pow(2))
        .sum();
    sum as f64 / (3 * reference.len()) as f64
}

fn replay(path: &Path, profile: Profile) -> Picture {
    let capture = Capture::parse(&last_capture(path)).expect("a capture");
    let options = ReplayOptions {
        mode: ReplayMode::Reference,
        ge: GeOptions {
            profile,
            ..GeOptions::default()
        },
        ..ReplayOptions::default()
    };
    let mut replayer = Replayer::new(&capture, options);
    replayer.run().expect("the capture runs");
    replayer.picture().expect("a picture")
}

/// Zips and references, by name; `None` with a printed reason where there are none.
fn captures() -> Option<Vec<(String, PathBuf, PathBuf)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/frametests");
    let entries = match std::fs::read_dir(folder.join("dumps")) {
        Ok(entries) => entries,
        Err(error) => {
            eprintln!("skipped: {} is not there: {error}", folder.display());
            return None;
        }
    };
    let mut captures: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let file = path.file_name().and_then(|name| name.to_str()).expect("a name");
            let name = file
                .trim_end_matches(".zip")
                .trim_end_matches(".ppdmp")
                .to_owned();
            let reference = folder.join("ref").join(format!("{name}-soft.png"));
            (name, path, reference)
        })
        .collect();
    captures.sort();
    assert!(!captures.is_empty(), "{} holds captures", folder.display());
    Some(captures)
}

/// The MSE that a capture may have, and half of them.
const MOST: f64 = 2.0;
const MEDIAN: f64 = 0.01;

#[test]
fn captures_show_what_ppsspp_shows() {
    let Some(captures) = captures() else { return };
    let (mut errors, mut failures) = (Vec::new(), Vec::new());
    for (name, path, reference) in captures {
        let reference = read_reference(&reference);
        let error = mean_squared_error(&replay(&path, Profile::Ppsspp), &reference);
        println!("{name:60} {error:9.4}");
        if error > MOST {
            failures.push(format!("{name}: {error:.4}, at most {MOST}"));
        }
        errors.push(error);
    }
    errors.sort_by(f64::total_cmp);
    let median = errors[errors.len() / 2];
    println!("median {median:.4}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(median <= MEDIAN, "the median MSE is {median}");
}
