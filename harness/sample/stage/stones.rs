//! Boulders and the stone arch.

use glam::DVec3;

use super::{lit, put};
use crate::sample::math::{PI, TAU, cos, fractal, hash, mix, noise, sin, smoothstep};
use crate::sample::surface::{Surface, Vertex};
use crate::sample::wyvern::tubes::{Tube, station};

/// All stones.
pub(super) fn stones() -> Vec<Surface> {
    let mut stones = vec![arch()];
    for number in 0..13 {
        let random = |salt: u64| hash(number, 7, 200 + salt);
        let angle = TAU * (number as f64 + 0.7 * random(0)) / 13.0;
        let distance = mix(820.0, 1750.0, random(1));
        let size = mix(60.0, 210.0, random(2) * random(2));
        let at = [distance * sin(angle), distance * cos(angle)];
        let stone = boulder(number as u64);
        let stone = put(stone, at, 360.0 * random(3), size, size * 0.35);
        stones.push(lit(stone, |vertex| {
            mix(0.60, 1.0, smoothstep(-0.6, 0.5, vertex.normal.y))
        }));
    }
    stones
}

/// A boulder of radius 1.
fn boulder(seed: u64) -> Surface {
    let (rows, columns) = (7, 10);
    Surface::grid(rows, columns + 1, |row, column| {
        let (a, b) = (
            PI * row as f64 / (rows - 1) as f64,
            TAU * (column % columns) as f64 / columns as f64,
        );
        let ray = DVec3::new(sin(a) * cos(b), cos(a), sin(a) * sin(b));
        let dent = noise(
            ray.x * 2.0 + 10.0,
            ray.z * 2.0 + ray.y * 1.7 + 10.0,
            (64, 64),
            300 + seed,
        );
        let facet = noise(
            ray.x * 4.0 + 10.0,
            ray.y * 4.0 + ray.z * 3.0 + 20.0,
            (64, 64),
            340 + seed,
        );
        Vertex {
            position: ray * DVec3::new(1.15, 0.82, 1.0) * (0.62 + 0.50 * dent + 0.16 * facet),
            uv: [
                column as f64 / columns as f64 * 2.0,
                row as f64 / (rows - 1) as f64,
            ],
            ..Vertex::default()
        }
    })
    .closed()
}

/// A natural arch.
fn arch() -> Surface {
    let stations = [
        [-1420.0, -80.0, -820.0, 230.0, 200.0],
        [-1370.0, 210.0, -880.0, 190.0, 165.0],
        [-1200.0, 500.0, -1010.0, 160.0, 135.0],
        [-900.0, 640.0, -1190.0, 150.0, 120.0],
        [-590.0, 520.0, -1330.0, 160.0, 130.0],
        [-430.0, 230.0, -1400.0, 180.0, 160.0],
        [-390.0, -80.0, -1420.0, 240.0, 215.0],
    ]
    .map(station);
    let tube = Tube {
        stations: &stations,
        hint: DVec3::new(0.55, 0.0, 0.85),
        rings: 3,
        segments: 10,
        uv: &|at, turn| [turn * 3.0, at * 0.9],
        weights: &|_| Vec::new(),
    };
    let rough = tube.surface(false).map(|vertex| {
        let p = vertex.position / 900.0;
        let dent = fractal(
            (p.x + p.y).rem_euclid(1.0),
            (p.z - 0.6 * p.y).rem_euclid(1.0),
            (5, 5),
            401,
        ) - 0.5;
        vertex.position += vertex.normal * (270.0 * dent);
    });
    lit(rough.closed(), |vertex| {
        mix(0.60, 1.0, smoothstep(-60.0, 360.0, vertex.position.y))
    })
}
