//! The head: skull, lower jaw, mouth, eyes. Lengths are from the head joint, the snout along +Z.

use glam::DVec3;

use super::anatomy::{HEAD, JAW, NECK, Side, joints};
use super::tubes::{Tube, station};
use super::{MaterialName, MeshName, Piece, add};
use crate::sample::math::{PI, TAU, cos, mix, sin, smoothstep};
use crate::sample::surface::{Surface, Vertex, Weights, blend};

/// Skull stations: z, then x and y of lip, cheek, eye socket, brow and crown, then the top's y.
const SKULL: [[f64; 12]; 12] = [
    [
        -46.0, 46.0, -40.0, 54.0, -12.0, 54.0, 8.0, 44.0, 30.0, 22.0, 42.0, 44.0,
    ],
    [
        -10.0, 56.0, -46.0, 68.0, -16.0, 67.0, 12.0, 58.0, 36.0, 28.0, 50.0, 53.0,
    ],
    [
        28.0, 58.0, -46.0, 71.0, -16.0, 66.0, 12.0, 62.0, 40.0, 28.0, 54.0, 57.0,
    ],
    [
        54.0, 55.0, -43.0, 63.0, -14.0, 52.0, 10.0, 62.0, 40.0, 27.0, 52.0, 55.0,
    ],
    [
        82.0, 50.0, -39.0, 54.0, -12.0, 43.0, 10.0, 57.0, 37.0, 24.0, 47.0, 50.0,
    ],
    [
        104.0, 46.0, -36.0, 48.0, -11.0, 40.0, 8.0, 43.0, 25.0, 20.0, 35.0, 38.0,
    ],
    [
        140.0, 40.0, -35.0, 41.0, -13.0, 35.0, 3.0, 28.0, 15.0, 14.0, 25.0, 29.0,
    ],
    [
        182.0, 36.0, -36.0, 36.0, -15.0, 31.0, 0.0, 24.0, 11.0, 12.0, 21.0, 25.0,
    ],
    [
        212.0, 32.0, -38.0, 32.0, -16.0, 30.0, 0.0, 23.0, 13.0, 11.0, 20.0, 21.0,
    ],
    [
        236.0, 24.0, -43.0, 23.0, -22.0, 22.0, -8.0, 16.0, 2.0, 8.0, 9.0, 9.0,
    ],
    [
        252.0, 13.0, -57.0, 13.0, -36.0, 12.0, -24.0, 9.0, -15.0, 4.0, -10.0, -9.0,
    ],
    [
        258.0, 1.0, -56.0, 1.0, -52.0, 1.0, -48.0, 0.8, -44.0, 0.4, -42.0, -41.0,
    ],
];

/// Jaw stations: z, then x and y of lip, side and underside, then the bottom's y.
const LOWER: [[f64; 8]; 9] = [
    [-8.0, 46.0, -54.0, 48.0, -66.0, 28.0, -78.0, -80.0],
    [36.0, 52.0, -51.0, 52.0, -66.0, 31.0, -85.0, -91.0],
    [80.0, 46.0, -45.0, 45.0, -60.0, 26.0, -78.0, -84.0],
    [120.0, 40.0, -41.0, 39.0, -55.0, 22.0, -70.0, -75.0],
    [160.0, 35.0, -40.0, 34.0, -52.0, 18.0, -64.0, -69.0],
    [200.0, 30.0, -41.0, 29.0, -52.0, 15.0, -62.0, -66.0],
    [226.0, 22.0, -44.0, 21.0, -53.0, 11.0, -61.0, -64.0],
    [240.0, 11.0, -48.0, 10.0, -54.0, 6.0, -58.0, -59.0],
    [243.0, 3.0, -51.0, 3.0, -53.0, 2.0, -54.0, -54.0],
];

/// A point of the head, given from the head joint, in model space; the head hangs a little.
pub(crate) fn place(point: DVec3) -> DVec3 {
    joints()[usize::from(HEAD)].bind + DVec3::new(point.x, point.y - 0.10 * point.z, point.z)
}

fn skull_weights(z: f64) -> Weights {
    blend(&[(NECK + 2, 1.0)], &[(HEAD, 1.0)], smoothstep(-80.0, -5.0, z))
}

/// Adds the whole head but its horns and frills.
pub(crate) fn build(pieces: &mut Vec<Piece>) {
    add(pieces, MeshName::Body, MaterialName::HeadHide, skull());
    add(pieces, MeshName::Body, MaterialName::HeadHide, jaw());
    for flesh in [palate(), floor(), throat(), tongue()] {
        add(pieces, MeshName::Mouth, MaterialName::Flesh, flesh);
    }
    for side in Side::BOTH {
        add(pieces, MeshName::Mouth, MaterialName::Flesh, corner(side));
        add(pieces, MeshName::Mouth, MaterialName::Eye, eye(side));
        add(pieces, MeshName::Glow, MaterialName::Glow, eye_glow(side));
        for thread in 0..2 {
            add(
                pieces,
                MeshName::Extras,
                MaterialName::Saliva,
                saliva(side, thread),
            );
        }
    }
    add(pieces, MeshName::Glow, MaterialName::Glow, throat_glow());
}

/// A grid over stations whose half outline is mirrored: `half` corners up to the middle one.
fn mirrored(
    rows: usize,
    half: usize,
    corner: impl Fn(usize, usize) -> (DVec3, [f64; 2], Weights),
) -> Surface {
    Surface::grid(rows, 2 * half - 1, |row, column| {
        let index = if column < half {
            column
        } else {
            2 * half - 2 - column
        };
        let side = if column < half { 1.0 } else { -1.0 };
        let (point, uv, weights) = corner(row, index);
        Vertex {
            position: place(DVec3::new(point.x * side, point.y, point.z)),
            uv,
            weights,
            ..Vertex::default()
        }
    })
}

fn skull() -> Surface {
    mirrored(SKULL.len(), 6, |row, index| {
        let s = SKULL[row];
        let (x, y) = if index < 5 {
            (s[1 + 2 * index], s[2 + 2 * index])
        } else {
            (0.0, s[11])
        };
        (
            DVec3::new(x, y, s[0]),
            [skull_u(s[0]), mix(0.98, 0.02, index as f64 / 5.0)],
            skull_weights(s[0]),
        )
    })
    .closed()
}

/// The head picture's column at a distance from the head joint.
fn skull_u(z: f64) -> f64 {
    (z + 46.0) / 305.0
}

fn jaw() -> Surface {
    mirrored(LOWER.len(), 4, |row, index| {
        let s = LOWER[row];
        let (x, y) = if index < 3 {
            (s[1 + 2 * index], s[2 + 2 * index])
        } else {
            (0.0, s[7])
        };
        let weights = blend(&[(HEAD, 1.0)], &[(JAW, 1.0)], smoothstep(-30.0, 20.0, s[0]));
        (
            DVec3::new(x, y, s[0]),
            [skull_u(s[0]), mix(0.98, 0.80, index as f64 / 3.0)],
            weights,
        )
    })
    .closed()
}

/// A place in the part of the flesh picture that serves the mouth, back and forth along it.
fn flesh(along: f64, across: f64) -> [f64; 2] {
    let there_and_back = (2.0 * (along - (along + 0.5).floor())).abs();
    [mix(0.3, 0.7, there_and_back), mix(0.16, 0.32, across)]
}

fn palate() -> Surface {
    mirrored(SKULL.len(), 3, |row, index| {
        let s = SKULL[row];
        let share = [1.0, 0.72, 0.0][index];
        let rise = [0.0, 12.0, 16.0][index] * smoothstep(257.0, 220.0, s[0]);
        (
            DVec3::new(s[1] * share, s[2] + rise, s[0]),
            flesh(s[0] / 120.0, share),
            skull_weights(s[0]),
        )
    })
    .sheet(-DVec3::Y)
}

fn floor() -> Surface {
    mirrored(LOWER.len(), 3, |row, index| {
        let s = LOWER[row];
        let share = [1.0, 0.7, 0.0][index];
        let drop = [0.0, 9.0, 12.0][index] * smoothstep(243.0, 205.0, s[0]);
        let weights = blend(&[(HEAD, 1.0)], &[(JAW, 1.0)], smoothstep(-30.0, 20.0, s[0]));
        (
            DVec3::new(s[1] * share, s[2] - drop, s[0]),
            flesh(s[0] / 120.0, share),
            weights,
        )
    })
    .sheet(DVec3::Y)
}

/// The dark end of the mouth, half on the jaw, so that it stretches open.
fn throat() -> Surface {
    Surface::grid(4, 5, |row, column| {
        let (down, across) = (row as f64 / 3.0, column as f64 / 4.0 * 2.0 - 1.0);
        let point = DVec3::new(
            54.0 * across,
            mix(-24.0, -72.0, down),
            24.0 - 20.0 * across * across,
        );
        Vertex {
            position: place(point),
            uv: [0.5 + 0.4 * across, mix(0.55, 0.95, down)],
            weights: blend(&[(HEAD, 1.0)], &[(JAW, 1.0)], down),
            ..Vertex::default()
        }
    })
    .sheet(DVec3::Z)
}

/// The skin between the jaws at the corner of the mouth.
fn corner(side: Side) -> Surface {
    Surface::grid(5, 4, |row, column| {
        let z = mix(-12.0, 74.0, row as f64 / 4.0);
        let down = column as f64 / 3.0;
        let slack = 4.0 * down * (1.0 - down);
        let lip = mix(55.0, 51.0, (z + 12.0) / 86.0);
        // The fold recedes towards the hinge between the lips.
        let point = DVec3::new(lip - 7.0 * slack, mix(-44.0, -50.0, down), z - 34.0 * slack);
        Vertex {
            position: side.point(place(point)),
            uv: flesh(row as f64 / 4.0, down),
            weights: blend(&[(HEAD, 1.0)], &[(JAW, 1.0)], smoothstep(0.0, 1.0, down)),
            ..Vertex::default()
        }
    })
    .sheet(DVec3::X * side.sign())
}

fn tongue() -> Surface {
    let path = [
        [-59.0, 20.0, 24.0, 8.0],
        [-56.0, 80.0, 24.0, 8.0],
        [-52.0, 140.0, 18.0, 6.0],
        [-51.0, 188.0, 6.0, 3.0],
    ];
    let stations = path.map(|[y, z, width, depth]| {
        let centre = place(DVec3::new(0.0, y, z));
        station([centre.x, centre.y, centre.z, width, depth])
    });
    Tube {
        stations: &stations,
        hint: DVec3::Y,
        rings: 1,
        segments: 6,
        uv: &|at, turn| flesh(at * 0.4, (1.0 - 2.0 * turn).abs()),
        weights: &|_| vec![(JAW, 1.0)],
    }
    .surface(true)
}

/// An eyeball; its picture faces sideways and a little forwards.
fn eye(side: Side) -> Surface {
    let (centre, [gaze, right, up]) = socket();
    let ball = Surface::grid(5, 11, |row, column| {
        let (open, turn) = (0.62 * PI * row as f64 / 4.0, TAU * column as f64 / 10.0);
        let (across, high) = (sin(open) * cos(turn), sin(open) * sin(turn));
        let reach = row as f64 / 4.0 * 0.47;
        Vertex {
            position: side.point(place(
                centre + (gaze * cos(open) + right * (across * 1.15) + up * high) * 16.0,
            )),
            uv: [0.5 + reach * cos(turn) * side.sign(), 0.5 - reach * sin(turn)],
            weights: vec![(HEAD, 1.0)],
            ..Vertex::default()
        }
    });
    ball.closed()
}

/// Centre of the left eye, and its gaze, right and up.
fn socket() -> (DVec3, [DVec3; 3]) {
    let gaze = DVec3::new(0.90, 0.12, 0.42).normalize();
    let right = DVec3::Y.cross(gaze).normalize();
    (DVec3::new(43.0, 15.0, 75.0), [gaze, right, gaze.cross(right)])
}

/// Rows of a lid from the socket to its edge, and columns from one corner of the eye to the other.
const LID: [usize; 2] = [5, 9];

/// Both lids of an eye, `closed` from 0 to 1. They turn about the line between the eye's corners; whatever
/// `closed` is, triangles and texture are the same.
pub(super) fn lids(side: Side, closed: f64) -> Surface {
    let (centre, [gaze, right, up]) = socket();
    // Degrees above the gaze: where the lid is rooted, and its edge open and closed. The upper one goes over.
    let mut both = Surface::default();
    for (root, open, shut, radius) in [(108.0, 44.0, -7.0, 19.0), (-108.0, -42.0, -5.0, 18.2)] {
        let point = |row: usize, column: usize, closed: f64| {
            let edge = mix(open, shut, closed);
            let height = mix(root, edge, row as f64 / (LID[0] - 1) as f64) * (PI / 180.0);
            let along = PI * column as f64 / (LID[1] - 1) as f64;
            let forward = gaze * cos(height) + up * sin(height);
            side.point(place(
                centre + (forward * sin(along) - right * (1.15 * cos(along))) * radius,
            ))
        };
        let mut lid = Surface::grid(LID[0], LID[1], |row, column| Vertex {
            position: point(row, column, 0.0),
            uv: [
                mix(0.30, 0.46, column as f64 / (LID[1] - 1) as f64),
                mix(0.36, 0.45, row as f64 / (LID[0] - 1) as f64),
            ],
            weights: vec![(HEAD, 1.0)],
            ..Vertex::default()
        })
        .sheet(side.point(gaze));
        for (number, vertex) in lid.vertices.iter_mut().enumerate() {
            vertex.position = point(number / LID[1], number % LID[1], closed);
        }
        lid.smooth();
        both.append(lid);
    }
    both
}

/// What closes the head where the neck would begin.
pub(super) fn plug() -> Surface {
    disc(
        |across, high| place(DVec3::new(50.0 * across, -16.0 + 58.0 * high, -22.0)),
        |_| vec![(HEAD, 1.0)],
    )
    .sheet(-DVec3::Z)
}

/// A halo before the eye.
fn eye_glow(side: Side) -> Surface {
    let centre = DVec3::new(63.0, 17.0, 84.0);
    disc(
        |across, high| {
            side.point(place(
                centre + DVec3::new(-0.42 * across, 0.8 * high, 0.9 * across) * 14.0,
            ))
        },
        |_| vec![(HEAD, 1.0)],
    )
    .sheet(DVec3::X * side.sign())
}

/// The breath that smoulders in the throat.
fn throat_glow() -> Surface {
    disc(
        |across, high| place(DVec3::new(44.0 * across, -48.0 + 20.0 * high, 44.0)),
        |high| blend(&[(JAW, 1.0)], &[(HEAD, 1.0)], 0.5 + 0.5 * high),
    )
    .sheet(DVec3::Z)
}

/// A fan over the round half of the glow picture.
fn disc(point: impl Fn(f64, f64) -> DVec3, weights: impl Fn(f64) -> Weights) -> Surface {
    Surface::grid(2, 9, |row, column| {
        let turn = TAU * column as f64 / 8.0;
        let (across, high) = (row as f64 * cos(turn), row as f64 * sin(turn));
        Vertex {
            position: point(across, high),
            uv: [0.5 + 0.48 * across, 0.75 - 0.24 * high],
            weights: weights(high),
            ..Vertex::default()
        }
    })
}

/// A thread between the jaws that the open mouth draws out.
fn saliva(side: Side, thread: usize) -> Surface {
    let (x, z) = [(40.0, 96.0), (32.0, 168.0)][thread];
    Surface::grid(4, 2, |row, column| {
        let down = row as f64 / 3.0;
        let width = mix(1.8, 7.0, (2.0 * down - 1.0).abs()) * (column as f64 - 0.5);
        let point = DVec3::new(x, mix(-33.0, -46.0, down), z + width);
        Vertex {
            position: side.point(place(point)),
            uv: [column as f64, down],
            weights: blend(&[(HEAD, 1.0)], &[(JAW, 1.0)], down),
            ..Vertex::default()
        }
    })
    .sheet(DVec3::X * side.sign())
}
