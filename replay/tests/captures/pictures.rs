//! The pictures that the screen of a real PSP showed.

use replay::{Picture, ReplayOptions, Replayer};

use crate::baseline::Baseline;
use crate::shared::{captures, name, read};

/// Zero, but for what the specification cannot say yet: `docs/accuracy.md`.
const BASELINE: Baseline = Baseline::new("hardware-pictures.tsv", &["pixels that differ", "by at most"]);

#[test]
fn pictures_differ_from_the_hardware_as_the_table_says() {
    let Some(paths) = captures("hardware/images") else {
        return;
    };
    let found = paths
        .iter()
        .map(|path| {
            let capture = read(path);
            let mut replayer = Replayer::new(&capture, ReplayOptions::default());
            replayer.run().expect("the capture runs");
            let picture = replayer.picture().expect("a picture");
            let expected = crate::png::read(&path.with_extension("png"));
            assert_eq!(picture.pixels.len(), expected.len());
            let differing: Vec<usize> = (0..expected.len())
                .filter(|&index| picture.pixels[index][..3] != expected[index])
                .collect();
            let largest = differing
                .iter()
                .flat_map(|&index| (0..3).map(move |part| (index, part)))
                .map(|(index, part)| picture.pixels[index][part].abs_diff(expected[index][part]))
                .max()
                .unwrap_or_default();
            if let Some(&index) = differing.first() {
                let place = (index % Picture::WIDTH, index / Picture::WIDTH);
                println!(
                    "{}: {} pixels differ, first {place:?}: {:?}, expected {:?}",
                    name(path),
                    differing.len(),
                    picture.pixels[index],
                    expected[index]
                );
            }
            if !replayer.ge().report().is_empty() {
                print!("{}: {}", name(path), replayer.ge().report());
            }
            let cells = vec![differing.len().to_string(), largest.to_string()];
            (name(path).to_owned(), cells)
        })
        .collect();
    BASELINE.check(&found);
}
