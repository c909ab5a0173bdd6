//! Public captures of games against pictures of PPSSPP's software renderer (`spec/ppsspp-profile.md`): under its profile,
//! and under the hardware's, whose picture is another on purpose but has no reason to change.

use formats::capture::Capture;
use ge::{GeOptions, Profile};
use replay::{Picture, ReplayMode, ReplayOptions, Replayer};

use crate::baseline::Baseline;
use crate::shared::{captures, folder, name, read};

const BASELINE: Baseline = Baseline::new(
    "frametests.tsv",
    &["MSE of profile ppsspp", "MSE of profile hardware"],
);

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

fn replay(capture: &Capture, profile: Profile) -> Picture {
    let options = ReplayOptions {
        mode: ReplayMode::Reference,
        ge: GeOptions {
            profile,
            ..GeOptions::default()
        },
        ..ReplayOptions::default()
    };
    let mut replayer = Replayer::new(capture, options);
    replayer.run().expect("the capture runs");
    replayer.picture().expect("a picture")
}

#[test]
fn captures_are_as_far_from_ppsspp_as_the_table_says() {
    let (Some(paths), Some(references)) = (captures("frametests/dumps"), folder("frametests/ref")) else {
        return;
    };
    let found = paths
        .iter()
        .map(|path| {
            let reference = crate::png::read(&references.join(format!("{}-soft.png", name(path))));
            let capture = read(path);
            let errors = [Profile::Ppsspp, Profile::Hardware]
                .map(|profile| mean_squared_error(&replay(&capture, profile), &reference));
            // A sum of squares of 1 is an MSE of 0.0000026.
            (
                name(path).to_owned(),
                errors.map(|error| format!("{error:.7}")).to_vec(),
            )
        })
        .collect();
    BASELINE.check(&found);
}
