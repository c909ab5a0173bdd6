//! Trees: bent trunks with branches, and cards of leaves.

use glam::DVec3;

use super::{light, lit, put};
use crate::sample::math::{TAU, cos, hash, mix, rotate, sin, smoothstep};
use crate::sample::surface::{Surface, Vertex};
use crate::sample::wyvern::tubes::{Tube, station};

/// Where trees stand, and how large: x, z, scale.
const TREES: [[f64; 3]; 9] = [
    [1180.0, -1020.0, 1.15],
    [1490.0, -420.0, 0.90],
    [1560.0, -900.0, 1.25],
    [640.0, -1560.0, 1.30],
    [-1560.0, 320.0, 1.10],
    [-1180.0, 980.0, 0.95],
    [-1330.0, 1330.0, 1.20],
    [-1600.0, -240.0, 1.00],
    [-80.0, -1700.0, 1.05],
];

/// Where a tree's boughs end, before it is scaled and turned.
fn boughs(number: usize) -> [DVec3; 5] {
    std::array::from_fn(|bough| {
        let random = |salt: u64| hash(number as i64, bough as i64, 500 + salt);
        let angle = TAU * (bough as f64 / 4.0 + 0.15 * random(0));
        let (reach, height) = if bough == 4 {
            (20.0, 640.0)
        } else {
            (mix(150.0, 230.0, random(1)), mix(430.0, 560.0, random(2)))
        };
        DVec3::new(reach * sin(angle), height, reach * cos(angle))
    })
}

fn placed(number: usize, surface: Surface) -> Surface {
    let [x, z, scale] = TREES[number];
    put(surface, [x, z], 360.0 * hash(number as i64, 3, 520), scale, 20.0)
}

/// Trunks with their boughs, a group each.
pub(super) fn trunks() -> Vec<Surface> {
    (0..TREES.len())
        .map(|number| {
            let lean = mix(-60.0, 60.0, hash(number as i64, 1, 530));
            let top = DVec3::new(lean, 420.0, 0.5 * lean);
            let mut tree = limb(
                &[
                    [0.0, -40.0, 0.0, 62.0],
                    [lean * 0.3, 90.0, 0.0, 40.0],
                    [lean * 0.7, 260.0, lean * 0.3, 32.0],
                    [top.x, top.y, top.z, 24.0],
                ],
                7,
            );
            for end in boughs(number) {
                let fork = DVec3::new(lean * 0.8, 330.0, lean * 0.4);
                let elbow = fork.lerp(end, 0.55) - DVec3::Y * 20.0;
                tree.append(limb(
                    &[
                        [fork.x, fork.y, fork.z, 17.0],
                        [elbow.x, elbow.y, elbow.z, 12.0],
                        [end.x, end.y, end.z, 5.0],
                    ],
                    5,
                ));
            }
            lit(placed(number, tree), |vertex| {
                mix(0.62, 0.95, smoothstep(0.0, 300.0, vertex.position.y))
            })
        })
        .collect()
}

fn limb(path: &[[f64; 4]], segments: usize) -> Surface {
    let stations: Vec<_> = path
        .iter()
        .map(|&[x, y, z, r]| station([x, y, z, r, r]))
        .collect();
    Tube {
        stations: &stations,
        hint: DVec3::new(0.31, 0.0, 0.95),
        rings: 1,
        segments,
        uv: &|at, turn| [turn * 2.0, 4.0 - at],
        weights: &|_| Vec::new(),
    }
    .surface(false)
}

/// Crowns: crossed cards around each bough's end, a group for each tree.
pub(super) fn leaves() -> Vec<Surface> {
    (0..TREES.len())
        .map(|number| {
            let mut crown = Surface::default();
            for (bough, end) in boughs(number).into_iter().enumerate() {
                for card in 0..4 {
                    let random = |salt: u64| hash(number as i64 * 8 + bough as i64, card, 540 + salt);
                    let turn = DVec3::new(
                        mix(-38.0, 38.0, random(0)),
                        90.0 * card as f64 + 60.0 * random(1),
                        0.0,
                    );
                    crown.append(self::card(end, turn, mix(120.0, 165.0, random(2))));
                }
            }
            placed(number, crown)
        })
        .collect()
}

/// A square of leaves, brighter above; both sides are drawn.
pub(super) fn card(centre: DVec3, turn: DVec3, half: f64) -> Surface {
    Surface::grid(2, 2, |row, column| {
        let corner = DVec3::new(column as f64 * 2.0 - 1.0, 1.0 - 2.0 * row as f64, 0.0);
        Vertex {
            position: centre + rotate(corner * half, turn),
            uv: [column as f64, row as f64],
            tint: light(DVec3::Y, 1.0) * if row == 0 { 1.0 } else { 0.55 },
            ..Vertex::default()
        }
    })
}
