//! Wings: muscled arms, three long fingers, and the membranes they span.

use glam::DVec3;

use super::anatomy::{CHEST, ELBOW, FINGER, FINGER_TIPS, LOIN, SHOULDER, SPINE, Side, WRIST, joints};
use super::tubes::{Cone, Station, Tube, station};
use super::{MaterialName, MeshName, Piece, add};
use crate::sample::math::{mix, smoothstep, spline};
use crate::sample::surface::{Surface, Vertex, Weights, along, blend};

/// The left arm from inside the chest to the wrist: x, y, z, half width, half depth.
const ARM: [[f64; 5]; 7] = [
    [30.0, 404.0, 158.0, 56.0, 60.0],
    [86.0, 424.0, 160.0, 52.0, 58.0],
    [178.0, 504.0, 112.0, 36.0, 45.0],
    [268.0, 580.0, 64.0, 25.0, 29.0],
    [362.0, 636.0, 132.0, 25.0, 31.0],
    [462.0, 690.0, 206.0, 18.0, 20.0],
    [484.0, 701.0, 216.0, 15.0, 15.0],
];

/// Adds both wings.
pub(crate) fn build(pieces: &mut Vec<Piece>) {
    for side in Side::BOTH {
        add(pieces, MeshName::Wings, MaterialName::WingHide, arm(side));
        for finger in 0..3 {
            add(
                pieces,
                MeshName::Wings,
                MaterialName::WingHide,
                finger_tube(side, finger),
            );
        }
        for sheet in [web(side, 0), web(side, 1), flank(side), fore(side)] {
            add(pieces, MeshName::Wings, MaterialName::Membrane, sheet);
        }
        for claw in claws(side) {
            add(pieces, MeshName::Horns, MaterialName::Horn, claw);
        }
    }
}

fn arm(side: Side) -> Surface {
    let stations: Vec<Station> = ARM.iter().map(|&row| mirrored(side, station(row))).collect();
    let joint = |left| side.joint(left);
    Tube {
        stations: &stations,
        hint: DVec3::Z,
        rings: 2,
        segments: 8,
        // The back's colours face up on either side, though the right tube turns the other way.
        uv: &|at, turn| {
            [
                at * 0.42,
                0.10 + 0.62 * (1.0 - (1.0 - 2.0 * (turn + 0.5 + 0.25 * side.sign()).fract()).abs()),
            ]
        },
        weights: &|at| {
            along(
                CHEST,
                &[(0.75, joint(SHOULDER)), (3.0, joint(ELBOW)), (5.0, joint(WRIST))],
                0.5,
                at,
            )
        },
    }
    .surface(true)
}

fn mirrored(side: Side, mut station: Station) -> Station {
    station.centre = side.point(station.centre);
    station
}

/// The left finger's middle line: knuckle, second joint, tip.
fn finger_line(finger: usize) -> [DVec3; 3] {
    let binds = joints();
    let knuckle = usize::from(FINGER) + 2 * finger;
    [
        binds[knuckle].bind,
        binds[knuckle + 1].bind,
        DVec3::from_array(FINGER_TIPS[finger]),
    ]
}

/// Joints of a finger at a share of its length.
fn finger_weights(side: Side, finger: usize, share: f64) -> Weights {
    let knuckle = side.joint(FINGER + 2 * finger as u8);
    along(knuckle, &[(0.5, knuckle + 1)], 0.14, share)
}

fn finger_tube(side: Side, finger: usize) -> Surface {
    let line = finger_line(finger);
    let stations: Vec<Station> = [13.0, 10.0, 9.5, 6.5, 2.5]
        .iter()
        .enumerate()
        .map(|(i, &radius)| {
            let centre = side.point(spline(&line, i as f64 * 0.5));
            Station {
                centre,
                width: radius,
                depth: radius * 1.1,
            }
        })
        .collect();
    Tube {
        stations: &stations,
        hint: DVec3::Y,
        rings: 1,
        segments: 6,
        uv: &|at, turn| [at * 0.5, 0.05 + 0.5 * (1.0 - (1.0 - 2.0 * turn).abs())],
        weights: &|at| finger_weights(side, finger, at / 4.0),
    }
    .surface(true)
}

/// The membrane between a finger and the next: u across, v from the wrist to the scalloped edge.
fn web(side: Side, finger: usize) -> Surface {
    let (front, back) = (finger_line(finger), finger_line(finger + 1));
    let (rows, columns) = (7, 6);
    Surface::grid(rows, columns, |row, column| {
        let across = column as f64 / (columns - 1) as f64;
        let slack = 4.0 * across * (1.0 - across);
        let out = mix(0.02, 1.0 - 0.20 * slack, row as f64 / (rows - 1) as f64);
        let line = |finger: &[DVec3; 3]| spline(finger, out * 2.0);
        let mut position = line(&front).lerp(line(&back), across);
        position.y -= 20.0 * slack * out;
        Vertex {
            position: side.point(position),
            uv: [across, row as f64 / (rows - 1) as f64],
            weights: blend(
                &finger_weights(side, finger, out),
                &finger_weights(side, finger + 1, out),
                smoothstep(0.0, 1.0, across),
            ),
            ..Vertex::default()
        }
    })
    .sheet(DVec3::Y)
}

/// The membrane between the third finger, the arm and the flank.
fn flank(side: Side) -> Surface {
    let finger = finger_line(2);
    let arm: Vec<DVec3> = [[474.0, 690.0, 190.0], [268.0, 580.0, 62.0], [76.0, 424.0, 130.0]]
        .map(DVec3::from_array)
        .to_vec();
    let body = [
        DVec3::new(76.0, 424.0, 130.0),
        DVec3::new(84.0, 396.0, -10.0),
        DVec3::new(70.0, 376.0, -150.0),
    ];
    let (rows, columns) = (7, 8);
    let surface = Surface::grid(rows, columns, |row, column| {
        let across = column as f64 / (columns - 1) as f64;
        let slack = 4.0 * across * (1.0 - across);
        let back = row as f64 / (rows - 1) as f64;
        let reach = back * (1.0 - 0.17 * slack);
        let (from_finger, from_body) = (spline(&finger, reach * 2.0), spline(&body, reach * 2.0));
        // Coons' patch over arm, finger and flank, with a straight trailing edge.
        let edge = from_finger.lerp(from_body, across);
        let chord = spline(&finger, 0.0).lerp(spline(&body, 0.0), across);
        let mut position = edge + (spline(&arm, across * 2.0) - chord) * (1.0 - reach);
        position.y -= 26.0 * slack * reach;
        Vertex {
            position: side.point(position),
            uv: [across, back],
            weights: flank_weights(side, across, reach),
            ..Vertex::default()
        }
    });
    surface.sheet(DVec3::Y)
}

fn flank_weights(side: Side, across: f64, back: f64) -> Weights {
    let arm = along(side.joint(ELBOW), &[(0.5, side.joint(SHOULDER))], 0.2, across);
    let body = along(SPINE, &[(0.5, LOIN)], 0.25, back);
    let hanging = blend(
        &finger_weights(side, 2, back),
        &body,
        smoothstep(0.0, 1.0, across),
    );
    let free = smoothstep(0.0, 0.75, back)
        .max(1.0 - smoothstep(0.0, 0.2, across))
        .max(smoothstep(0.85, 1.0, across));
    blend(&arm, &hanging, free)
}

/// The small membrane in front of the elbow.
fn fore(side: Side) -> Surface {
    let arm = [
        DVec3::new(474.0, 694.0, 214.0),
        DVec3::new(268.0, 579.0, 66.0),
        DVec3::new(86.0, 420.0, 176.0),
    ];
    let (rows, columns) = (3, 7);
    Surface::grid(rows, columns, |row, column| {
        let across = column as f64 / (columns - 1) as f64;
        let slack = 4.0 * across * (1.0 - across);
        let ahead = row as f64 / (rows - 1) as f64;
        let (bone, chord) = (spline(&arm, across * 2.0), arm[0].lerp(arm[2], across));
        let mut position = bone.lerp(chord, ahead * (1.0 - 0.35 * slack));
        position.y -= 6.0 * slack * ahead;
        let limb = along(side.joint(ELBOW), &[(0.5, side.joint(SHOULDER))], 0.3, across);
        let weights = blend(&limb, &[(CHEST, 1.0)], 0.8 * smoothstep(0.8, 1.0, across));
        Vertex {
            position: side.point(position),
            uv: [across, 0.86 * ahead],
            weights,
            ..Vertex::default()
        }
    })
    .sheet(DVec3::Y)
}

/// The thumb's claw and the spikes of the elbow.
fn claws(side: Side) -> Vec<Surface> {
    let cone = |path: [[f64; 3]; 3], radius: f64, joint: u8| {
        let path = path.map(|p| side.point(DVec3::from_array(p))).to_vec();
        Cone {
            path,
            width: radius,
            depth: radius,
            hint: DVec3::Y,
            rows: 4,
            segments: 6,
            weights: vec![(side.joint(joint), 1.0)],
            root: 1.0,
        }
        .surface()
    };
    vec![
        cone(
            [
                [474.0, 700.0, 214.0],
                [496.0, 725.0, 268.0],
                [526.0, 718.0, 316.0],
            ],
            14.0,
            WRIST,
        ),
        cone(
            [
                [482.0, 700.0, 212.0],
                [520.0, 722.0, 244.0],
                [556.0, 720.0, 264.0],
            ],
            10.0,
            WRIST,
        ),
        cone(
            [[272.0, 587.0, 56.0], [290.0, 624.0, 8.0], [296.0, 633.0, -52.0]],
            14.0,
            SHOULDER,
        ),
        cone(
            [[240.0, 562.0, 76.0], [246.0, 598.0, 44.0], [244.0, 612.0, 4.0]],
            9.0,
            SHOULDER,
        ),
    ]
}
