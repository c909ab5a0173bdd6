//! Ground and cliffs.

use glam::DVec3;

use super::{height, lit};
use crate::sample::math::{TAU, cos, mix, noise, sin, smoothstep};
use crate::sample::surface::{Surface, Vertex};

/// Half the ground's side.
const REACH: f64 = 3800.0;
/// Tiles a side, each one group.
const TILES: usize = 5;
/// Cells of a tile's side.
const CELLS: usize = 8;
/// Units that one ground picture covers.
const PICTURE: f64 = 420.0;

/// The ground in tiles whose edges meet.
pub(super) fn ground() -> Vec<Surface> {
    let step = 2.0 * REACH / (TILES * CELLS) as f64;
    let at = |tile: usize, cell: usize| (tile * CELLS + cell) as f64 * step - REACH;
    let mut tiles = Vec::new();
    for row in 0..TILES {
        for column in 0..TILES {
            let mut tile = Surface::grid(CELLS + 1, CELLS + 1, |z, x| {
                let (x, z) = (at(column, x), at(row, z));
                let slope = |a: f64, b: f64| (b - a) / 80.0;
                let normal = DVec3::new(
                    slope(height(x + 40.0, z), height(x - 40.0, z)),
                    1.0,
                    slope(height(x, z + 40.0), height(x, z - 40.0)),
                )
                .normalize();
                Vertex {
                    position: DVec3::new(x, height(x, z), z),
                    uv: [(x + REACH) / PICTURE, (z + REACH) / PICTURE],
                    tint: super::light(normal, openness(x, z)),
                    ..Vertex::default()
                }
            });
            if tile
                .triangles
                .first()
                .is_some_and(|&t| tile.area_normal(t).y < 0.0)
            {
                tile.flip();
            }
            tiles.push(tile);
        }
    }
    tiles
}

/// Darker in hollows, under the cliffs, and in broad patches.
fn openness(x: f64, z: f64) -> f64 {
    let distance = (x * x + z * z).sqrt();
    let patch = noise(x / 300.0 + 20.0, z / 300.0 + 20.0, (64, 64), 47);
    mix(0.84, 1.06, patch) * mix(1.0, 0.62, smoothstep(1500.0, 2050.0, distance))
}

/// Sectors of the ring of cliffs, each one group.
const SECTORS: usize = 8;
/// Steps of a sector along the ring.
const STEPS: usize = 8;
/// Corners from foot to rim.
const ROWS: usize = 9;

/// How high the cliffs stand in a direction, from 0 to 1: the hollow is open to the front left,
/// where a camera stands that looks into the animal's face.
fn enclosed(turn: f64) -> f64 {
    let from_middle = ((turn - 0.11 + 0.5).rem_euclid(1.0) - 0.5).abs();
    mix(0.02, 1.0, smoothstep(0.19, 0.29, from_middle))
}

/// The ring of cliffs.
pub(super) fn cliffs() -> Vec<Surface> {
    let around = SECTORS * STEPS;
    let point = |step: usize, row: usize| {
        let turn = step as f64 / around as f64;
        let up = row as f64 / (ROWS - 1) as f64;
        let (column, level) = (turn * 64.0, row as f64);
        let jag = |cells: f64, period: i64, seed: u64| {
            noise(turn * period as f64, up * cells, (period, 64), seed) - 0.5
        };
        let tall = (760.0 + 700.0 * jag(0.0, 11, 53)) * enclosed(turn);
        let ledge = (up * 4.0).floor() * 46.0 + 30.0 * up;
        let radius =
            1980.0 + 560.0 * jag(0.0, 7, 59) + 250.0 * jag(5.0, 24, 61) + ledge + 70.0 * jag(9.0, 64, 67);
        let angle = TAU * turn;
        let hash = noise(column, level, (64, 64), 71) - 0.5;
        DVec3::new(
            radius * sin(angle),
            -40.0 + tall * up + 120.0 * hash * up,
            radius * cos(angle),
        )
    };
    let whole = Surface::grid(around + 1, ROWS, |step, row| Vertex {
        position: point(step % around, row),
        uv: [step as f64 * 0.45, 2.4 - row as f64 * 0.30],
        ..Vertex::default()
    });
    let mut whole = whole;
    let inward: f64 = whole
        .triangles
        .iter()
        .map(|&t| {
            let p = whole.vertices[t[0] as usize].position;
            -whole.area_normal(t).dot(DVec3::new(p.x, 0.0, p.z))
        })
        .sum();
    if inward < 0.0 {
        whole.flip();
    }
    whole.smooth();
    let whole = lit(whole, |vertex| {
        mix(0.58, 1.05, smoothstep(-40.0, 620.0, vertex.position.y))
    });
    (0..SECTORS)
        .map(|sector| rows(&whole, sector * STEPS * ROWS, (STEPS + 1) * ROWS))
        .collect()
}

/// A run of a grid's vertices with the triangles inside it.
fn rows(whole: &Surface, first: usize, count: usize) -> Surface {
    let range = first as u32..(first + count) as u32;
    Surface {
        vertices: whole.vertices[first..first + count].to_vec(),
        triangles: whole
            .triangles
            .iter()
            .filter(|t| t.iter().all(|i| range.contains(i)))
            .map(|t| t.map(|i| i - range.start))
            .collect(),
    }
}
