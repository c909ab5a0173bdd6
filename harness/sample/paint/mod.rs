//! Painted textures: every texel is a function of its place, mixed from noise, ridges and gradients.

mod creature;
mod scenery;

pub(crate) use creature::{eye, fin, flesh, glow, head, hide, horn, membrane};
pub(crate) use scenery::{bark, ground, leaves, rock};

use super::math::{hash, mix, smoothstep};

/// A colour while it is mixed: red, green, blue and alpha from 0 to 1.
pub(crate) type Colour = [f64; 4];

/// A finished picture, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// Red, green, blue, alpha.
    pub(crate) pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Asks `colour` for the middle of every texel, u and v from 0 to 1.
    pub(crate) fn paint(width: u16, height: u16, colour: impl Fn(f64, f64) -> Colour) -> Self {
        let middle = |i: u16, size: u16| (f64::from(i) + 0.5) / f64::from(size);
        let pixels = (0..height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| {
                colour(middle(x, width), middle(y, height)).map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8)
            })
            .collect();
        Self {
            width,
            height,
            pixels,
        }
    }
}

/// An opaque colour from bytes.
pub(crate) fn rgb(red: u8, green: u8, blue: u8) -> Colour {
    [
        f64::from(red) / 255.0,
        f64::from(green) / 255.0,
        f64::from(blue) / 255.0,
        1.0,
    ]
}

/// From `a` at 0 to `b` at 1.
pub(crate) fn lerp(a: Colour, b: Colour, t: f64) -> Colour {
    let t = t.clamp(0.0, 1.0);
    std::array::from_fn(|i| mix(a[i], b[i], t))
}

/// Brighter or darker; alpha stays.
pub(crate) fn shade(colour: Colour, factor: f64) -> Colour {
    [
        colour[0] * factor,
        colour[1] * factor,
        colour[2] * factor,
        colour[3],
    ]
}

/// Colours at rising places, mixed between.
pub(crate) fn ramp(stops: &[(f64, Colour)], at: f64) -> Colour {
    let mut result = stops[0].1;
    for pair in stops.windows(2) {
        result = lerp(result, pair[1].1, smoothstep(pair[0].0, pair[1].0, at));
    }
    result
}

/// Distance to the nearest and the second nearest point of a jittered lattice that repeats over
/// the unit square, in lattice steps, and a random number that belongs to the nearest point.
pub(crate) fn cells(u: f64, v: f64, count: (i64, i64), jitter: f64, seed: u64) -> (f64, f64, f64) {
    let (x, y) = (u * count.0 as f64, v * count.1 as f64);
    let (cx, cy) = (x.floor() as i64, y.floor() as i64);
    let (mut nearest, mut second, mut own) = (9.0, 9.0, 0.0);
    for j in cy - 1..=cy + 1 {
        for i in cx - 2..=cx + 2 {
            let (wi, wj) = (i.rem_euclid(count.0), j.rem_euclid(count.1));
            let stagger = if wj % 2 == 0 { 0.25 } else { 0.75 };
            let px = i as f64 + stagger + jitter * (hash(wi, wj, seed) - 0.5);
            let py = j as f64 + 0.5 + jitter * (hash(wi, wj, seed + 1) - 0.5);
            let distance = ((px - x) * (px - x) + (py - y) * (py - y)).sqrt();
            if distance < nearest {
                (second, nearest, own) = (nearest, distance, hash(wi, wj, seed + 2));
            } else if distance < second {
                second = distance;
            }
        }
    }
    (nearest, second, own)
}

/// Brightness of scaly skin: domes with dark gaps, each scale a little different.
pub(crate) fn scales(u: f64, v: f64, count: (i64, i64), seed: u64) -> f64 {
    let (nearest, second, own) = cells(u, v, count, 0.35, seed);
    let gap = smoothstep(0.0, 0.28, second - nearest);
    let dome = 1.12 - 0.42 * nearest * nearest;
    mix(0.42, 1.0, gap) * dome * mix(0.88, 1.12, own)
}
