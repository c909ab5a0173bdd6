//! What stands out: horns, teeth, spines, frills, the fins and spikes of the tail.

use glam::DVec3;

use super::anatomy::{FRILL, HEAD, JAW, Side, TAIL};
use super::head::place;
use super::trunk::{SEAM, onto_chain, section, spine_weights};
use super::tubes::Cone;
use super::{MaterialName, MeshName, Piece, add};
use crate::sample::math::{PI, cos, mix, profile, sin};
use crate::sample::surface::{Surface, Vertex, Weights, blend};

/// Adds everything in this file.
pub(crate) fn build(pieces: &mut Vec<Piece>) {
    horns(pieces);
    teeth(pieces);
    spines(pieces);
    for side in Side::BOTH {
        add(pieces, MeshName::Extras, MaterialName::Frill, frill(side));
        add(
            pieces,
            MeshName::TailTip,
            MaterialName::TipFin,
            onto_chain(tail_fin(side)),
        );
        for spike in tail_spikes(side) {
            add(
                pieces,
                MeshName::TailTip,
                MaterialName::TipHorn,
                onto_chain(spike),
            );
        }
    }
}

/// The head's horns: path from the head joint, radius, segments.
const HORNS: [([[f64; 3]; 4], f64, usize); 3] = [
    (
        [
            [34.0, 42.0, 22.0],
            [60.0, 84.0, -34.0],
            [94.0, 104.0, -112.0],
            [112.0, 152.0, -190.0],
        ],
        20.0,
        8,
    ),
    (
        [
            [54.0, 36.0, 64.0],
            [68.0, 58.0, 44.0],
            [78.0, 74.0, 16.0],
            [82.0, 94.0, -14.0],
        ],
        10.0,
        6,
    ),
    (
        [
            [62.0, -30.0, 4.0],
            [84.0, -42.0, -22.0],
            [100.0, -46.0, -52.0],
            [110.0, -36.0, -86.0],
        ],
        11.0,
        6,
    ),
];

fn horns(pieces: &mut Vec<Piece>) {
    let mut horn = |path: Vec<DVec3>, radius: f64, segments: usize, joint: u8| {
        let rows = if radius > 15.0 { 8 } else { 4 };
        let cone = Cone {
            path,
            width: radius,
            depth: radius,
            hint: DVec3::X,
            rows,
            segments,
            weights: vec![(joint, 1.0)],
            root: 1.0,
        };
        add(pieces, MeshName::Horns, MaterialName::Horn, cone.surface());
    };
    for side in Side::BOTH {
        for (path, radius, segments) in HORNS {
            horn(
                path.map(|p| side.point(place(DVec3::from_array(p)))).to_vec(),
                radius,
                segments,
                HEAD,
            );
        }
    }
    let middle = |path: [(f64, f64); 3]| path.map(|(y, z)| place(DVec3::new(0.0, y, z))).to_vec();
    horn(
        middle([(18.0, 196.0), (46.0, 206.0), (70.0, 196.0)]),
        11.0,
        6,
        HEAD,
    );
    horn(
        middle([(38.0, 118.0), (58.0, 122.0), (72.0, 110.0)]),
        8.0,
        6,
        HEAD,
    );
    horn(
        middle([(-62.0, 204.0), (-84.0, 212.0), (-106.0, 204.0)]),
        8.0,
        6,
        JAW,
    );
}

/// Teeth: distance of the base along the snout, half the jaw's width and the lip's height there, length.
const UPPER_TEETH: [[f64; 4]; 7] = [
    [84.0, 48.0, -36.0, 15.0],
    [108.0, 44.0, -33.0, 22.0],
    [132.0, 40.0, -32.0, 15.0],
    [156.0, 37.0, -32.0, 18.0],
    [180.0, 35.0, -33.0, 14.0],
    [206.0, 31.0, -35.0, 30.0],
    [228.0, 24.0, -39.0, 18.0],
];
const LOWER_TEETH: [[f64; 4]; 5] = [
    [96.0, 42.0, -46.0, 14.0],
    [122.0, 38.0, -44.0, 17.0],
    [148.0, 35.0, -43.0, 13.0],
    [186.0, 31.0, -43.0, 24.0],
    [216.0, 24.0, -45.0, 17.0],
];

fn teeth(pieces: &mut Vec<Piece>) {
    for side in Side::BOTH {
        for (rows, joint, down) in [(&UPPER_TEETH[..], HEAD, -1.0), (&LOWER_TEETH[..], JAW, 1.0)] {
            for &[z, x, y, length] in rows {
                let radius = 2.4 + length * 0.13;
                let point = |out: f64, along: f64, back: f64| {
                    side.point(place(DVec3::new(x + out, y + down * along, z + back)))
                };
                let cone = Cone {
                    path: vec![
                        point(0.0, 0.0, 0.0),
                        point(3.0, 0.55 * length, 2.0),
                        point(1.0, length, -2.0),
                    ],
                    width: radius,
                    depth: radius,
                    hint: DVec3::Z,
                    rows: 2,
                    segments: 4,
                    weights: vec![(joint, 1.0)],
                    root: 0.34,
                };
                add(pieces, MeshName::Horns, MaterialName::Horn, cone.surface());
            }
        }
    }
}

/// Spines from the tail to the neck, longest over the shoulders.
fn spines(pieces: &mut Vec<Piece>) {
    const LENGTHS: [(f64, f64); 7] = [
        (0.0, 18.0),
        (3.0, 26.0),
        (7.0, 44.0),
        (10.0, 62.0),
        (12.0, 74.0),
        (14.0, 50.0),
        (17.0, 30.0),
    ];
    let mut at: f64 = 1.2;
    while at < 15.9 {
        let cross = section(at);
        let length = profile(&LENGTHS, at);
        let base = cross.skin(0.0) - cross.up * 5.0;
        let lean = |up: f64, back: f64| base + (cross.up * up - cross.forward * back) * length;
        let cone = Cone {
            path: vec![base, lean(0.62, 0.18), lean(1.0, 0.78)],
            width: length * 0.11 + 2.0,
            depth: length * 0.30 + 3.0,
            hint: cross.forward,
            rows: 3,
            segments: 6,
            weights: spine_weights(at),
            root: 1.0,
        };
        if at < SEAM {
            add(
                pieces,
                MeshName::TailTip,
                MaterialName::TipHorn,
                onto_chain(cone.surface()),
            );
        } else {
            add(pieces, MeshName::Horns, MaterialName::Horn, cone.surface());
        }
        at += 0.34 + length * 0.0045;
        if at > SEAM - 0.25 && at < SEAM + 0.25 {
            at = SEAM + 0.3;
        }
    }
}

/// The fan behind the cheek: u across, v from the rim (0) to the root (1).
fn frill(side: Side) -> Surface {
    let (rows, columns) = (4, 8);
    let root: Weights = vec![(HEAD, 1.0)];
    let fan: Weights = vec![(side.joint(FRILL), 1.0)];
    Surface::grid(rows, columns, |row, column| {
        let (out, across) = (
            row as f64 / (rows - 1) as f64,
            column as f64 / (columns - 1) as f64,
        );
        let angle = mix(118.0, -64.0, across) * PI / 180.0;
        let base = DVec3::new(
            mix(48.0, 58.0, sin(across * PI)),
            mix(36.0, -44.0, across),
            mix(4.0, 8.0, across),
        );
        let reach = mix(84.0, 116.0, sin(across * PI));
        let ray = DVec3::new(
            0.62 * cos(angle) + 0.22,
            0.86 * sin(angle),
            -0.62 - 0.25 * cos(angle),
        );
        let point = base + ray * (reach * out) + DVec3::Z * (18.0 * out * out);
        Vertex {
            position: side.point(place(point)),
            uv: [across, 1.0 - out],
            weights: blend(&root, &fan, if row == 0 { 0.0 } else { 1.0 }),
            ..Vertex::default()
        }
    })
    .sheet(DVec3::Z)
}

/// A leaf-shaped fin at the end of the tail: u along, v from the rim (0) to the root (1).
fn tail_fin(side: Side) -> Surface {
    const WIDTHS: [(f64, f64); 5] = [(-0.9, 30.0), (-0.2, 86.0), (0.4, 104.0), (1.2, 62.0), (2.0, 12.0)];
    let (rows, columns) = (9, 4);
    Surface::grid(rows, columns, |row, column| {
        let share = row as f64 / (rows - 1) as f64;
        let at = mix(0.1, 1.9, share);
        let cross = section(at);
        let out = column as f64 / (columns - 1) as f64;
        let width = profile(&WIDTHS, at) * out;
        let sweep = cross.forward * (-64.0 * out * (1.0 - 0.55 * share));
        let position = cross.centre
            + DVec3::X * (side.sign() * (cross.half_width * 0.6 + width))
            + sweep
            + DVec3::Y * (10.0 * out * out);
        Vertex {
            position,
            uv: [share, 1.0 - out],
            weights: spine_weights(at),
            ..Vertex::default()
        }
    })
    .sheet(DVec3::Y)
}

/// Two spikes on this side of the tail's end.
fn tail_spikes(side: Side) -> Vec<Surface> {
    [(1.0, 92.0), (1.9, 70.0)]
        .map(|(at, length)| {
            let cross = section(at);
            let base = cross.centre + DVec3::X * (side.sign() * cross.half_width * 0.5);
            let reach = |out: f64, up: f64, back: f64| {
                base + (DVec3::X * (side.sign() * out) + DVec3::Y * up - cross.forward * back) * length
            };
            Cone {
                path: vec![base, reach(0.45, 0.30, 0.22), reach(0.72, 0.62, 0.95)],
                width: 11.0,
                depth: 11.0,
                hint: DVec3::Y,
                rows: 4,
                segments: 6,
                weights: vec![(if at < 1.5 { TAIL + 5 } else { TAIL + 4 }, 1.0)],
                root: 1.0,
            }
            .surface()
        })
        .to_vec()
}
