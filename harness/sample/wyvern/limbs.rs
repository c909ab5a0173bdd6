//! Legs with toes and claws.

use glam::DVec3;

use super::anatomy::{ANKLE, FOOT, HIP, KNEE, Side, THIGH};
use super::tubes::{Cone, Tube, station};
use super::{MaterialName, MeshName, Piece, add};
use crate::sample::math::{PI, cos, sin};
use crate::sample::surface::{Surface, along};

/// The left leg from inside the hip to the ball of the foot: x, y, z, half width, half depth.
const LEG: [[f64; 5]; 9] = [
    [44.0, 352.0, -92.0, 66.0, 82.0],
    [88.0, 318.0, -84.0, 60.0, 86.0],
    [112.0, 268.0, -36.0, 50.0, 70.0],
    [131.0, 214.0, 8.0, 36.0, 42.0],
    [136.0, 166.0, -52.0, 33.0, 46.0],
    [138.0, 116.0, -108.0, 22.0, 27.0],
    [140.0, 74.0, -80.0, 20.0, 22.0],
    [142.0, 36.0, -46.0, 27.0, 23.0],
    [142.0, 22.0, -14.0, 30.0, 17.0],
];

/// Toes: direction in degrees from straight ahead, and length.
const TOES: [(f64, f64); 4] = [(30.0, 78.0), (-2.0, 96.0), (-32.0, 74.0), (176.0, 52.0)];

/// Adds both legs.
pub(crate) fn build(pieces: &mut Vec<Piece>) {
    for side in Side::BOTH {
        add(pieces, MeshName::Body, MaterialName::Hide, leg(side));
        for (heading, length) in TOES {
            let (toe, claw) = toe(side, heading, length);
            add(pieces, MeshName::Body, MaterialName::Hide, toe);
            add(pieces, MeshName::Horns, MaterialName::Horn, claw);
        }
    }
}

fn leg(side: Side) -> Surface {
    let stations: Vec<_> = LEG
        .iter()
        .map(|&row| station(row))
        .map(|mut s| {
            s.centre = side.point(s.centre);
            s
        })
        .collect();
    let joint = |left| side.joint(left);
    Tube {
        stations: &stations,
        hint: DVec3::Z,
        rings: 1,
        segments: 9,
        uv: &|at, turn| {
            [
                at * 0.36 + 0.1,
                0.16 + 0.60 * (1.0 - (1.0 - 2.0 * turn).abs()) + 0.02 * at,
            ]
        },
        weights: &|at| {
            along(
                HIP,
                &[
                    (0.55, joint(THIGH)),
                    (3.0, joint(KNEE)),
                    (5.0, joint(ANKLE)),
                    (7.0, joint(FOOT)),
                ],
                0.55,
                at,
            )
        },
    }
    .surface(true)
}

/// A toe and the claw at its end.
fn toe(side: Side, heading: f64, length: f64) -> (Surface, Surface) {
    let angle = heading * PI / 180.0;
    let ahead = DVec3::new(sin(angle), 0.0, cos(angle));
    let backwards = ahead.z < 0.0;
    let root = DVec3::new(142.0, 26.0, if backwards { -40.0 } else { -26.0 });
    let knuckle = root + ahead * (length * 0.55) + DVec3::Y * if backwards { 6.0 } else { 4.0 };
    let end = root + ahead * length - DVec3::Y * 12.0;
    let stations = [(root, 17.0), (knuckle, 15.0), (end, 10.5)]
        .map(|(centre, radius)| station([side.point(centre).x, centre.y, centre.z, radius, radius * 0.95]));
    let foot = vec![(side.joint(FOOT), 1.0)];
    let skin = Tube {
        stations: &stations,
        hint: DVec3::Y,
        rings: 2,
        segments: 6,
        uv: &|at, turn| [at * 0.22, 0.12 + 0.5 * (1.0 - (1.0 - 2.0 * turn).abs())],
        weights: &|_| foot.clone(),
    }
    .surface(true);
    let tip = end + ahead * 40.0 + DVec3::new(0.0, -11.0, 0.0);
    let claw = Cone {
        path: [
            end - ahead * 8.0 + DVec3::Y * 2.0,
            end + ahead * 20.0 + DVec3::Y * 5.0,
            tip,
        ]
        .map(|p| side.point(p))
        .to_vec(),
        width: 8.5,
        depth: 10.0,
        hint: DVec3::Y,
        rows: 3,
        segments: 6,
        weights: vec![(side.joint(FOOT), 1.0)],
        root: 1.0,
    };
    (skin, claw.surface())
}
