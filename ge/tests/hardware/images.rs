//! The pictures that the screen showed.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use ge::replay::Picture;

use crate::{captures, name, read_capture, replay};

/// Pixels that may differ: zero, but for what the specification cannot say yet.
const KNOWN: [(&str, usize); 4] = [
    // The reciprocal of projected coordinates and of perspective (spec/ge-raster.md §7.6).
    ("texmtx-normals", 42),
    ("texmtx-prims", 2),
    ("texmtx-source", 14),
    ("reflection-reflection", 32),
];

/// The colours of a PNG, row after row.
fn read_png(path: &Path) -> Vec<[u8; 3]> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path).expect("a file")));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    assert_eq!(
        (info.width as usize, info.height as usize),
        (Picture::WIDTH, Picture::HEIGHT)
    );
    let samples = info.color_type.samples();
    let color = |pixel: &[u8]| match samples {
        4 => [pixel[0], pixel[1], pixel[2]],
        _ => [pixel[0]; 3],
    };
    bytes[..info.buffer_size()]
        .chunks_exact(samples)
        .map(color)
        .collect()
}

#[test]
fn pictures_are_those_of_the_hardware() {
    let Some(paths) = captures("images") else { return };
    let mut failures = Vec::new();
    for path in paths {
        let capture = read_capture(&path);
        let mut replayer = replay(&capture);
        replayer.run().expect("the capture runs");
        let picture = replayer.picture().expect("a picture");
        let expected = read_png(&path.with_extension("png"));
        let differing: Vec<usize> = (0..expected.len())
            .filter(|&index| picture.pixels[index][..3] != expected[index])
            .collect();
        let largest = differing
            .iter()
            .flat_map(|&index| (0..3).map(move |part| (index, part)))
            .map(|(index, part)| picture.pixels[index][part].abs_diff(expected[index][part]))
            .max();
        let first = differing.first().map(|&index| {
            let place = (index % Picture::WIDTH, index / Picture::WIDTH);
            (place, picture.pixels[index], expected[index])
        });
        println!(
            "{:28} {:6} pixels differ, by {:?}, first {first:?}",
            name(&path),
            differing.len(),
            largest
        );
        if !replayer.ge().report().is_empty() {
            print!("{}", replayer.ge().report());
        }
        let allowed = KNOWN
            .iter()
            .find(|known| known.0 == name(&path))
            .map_or(0, |known| known.1);
        if differing.len() > allowed {
            failures.push(format!("{}: {} pixels differ", name(&path), differing.len()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
