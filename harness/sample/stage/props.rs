//! Props: the ribs of something large, and ferns.

use glam::DVec3;

use super::trees::card;
use super::{height, lit, put};
use crate::sample::math::{TAU, cos, hash, mix, sin};
use crate::sample::surface::Surface;
use crate::sample::wyvern::tubes::Cone;

/// Ribs in a row, half sunk.
pub(super) fn bones() -> Vec<Surface> {
    let mut ribs = Surface::default();
    for number in 0..6 {
        let along = f64::from(number) * 78.0 - 195.0;
        let size = 1.0 - 0.05 * (f64::from(number) - 2.0).abs();
        for side in [-1.0, 1.0] {
            let path = [[150.0, -30.0], [176.0, 110.0], [110.0, 226.0], [20.0, 262.0]]
                .map(|[out, up]| DVec3::new(side * out * size, up * size, along + 0.10 * up));
            let cone = Cone {
                path: path.to_vec(),
                width: 17.0,
                depth: 22.0,
                hint: DVec3::Z,
                rows: 7,
                segments: 6,
                weights: Vec::new(),
                root: 1.0,
            };
            ribs.append(cone.surface());
        }
    }
    vec![lit(put(ribs, [-900.0, -300.0], 62.0, 1.0, 10.0), |_| 0.96)]
}

/// Ferns on the ground, a few to a group.
pub(super) fn ferns() -> Vec<Surface> {
    (0..6)
        .map(|patch| {
            let mut ferns = Surface::default();
            for number in 0..6 {
                let random = |salt: u64| hash(patch * 16 + number, 5, 600 + salt);
                let (angle, distance) = (TAU * random(0), mix(640.0, 1650.0, random(1)));
                let (x, z) = (distance * sin(angle), distance * cos(angle));
                let half = mix(34.0, 62.0, random(2));
                let centre = DVec3::new(x, height(x, z) + 0.8 * half, z);
                for turn in 0..3 {
                    ferns.append(card(
                        centre,
                        DVec3::new(18.0, 60.0 * f64::from(turn) + 90.0 * random(3), 0.0),
                        half,
                    ));
                }
            }
            ferns
        })
        .collect()
}
