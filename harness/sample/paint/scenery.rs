//! The stage's textures.

use super::{Picture, cells, lerp, ramp, rgb, shade};
use crate::sample::math::{TAU, fractal, hash, mix, noise, sin, smoothstep};

/// Trodden earth with moss and pebbles, 128 x 128, repeats both ways.
pub(crate) fn ground() -> Picture {
    Picture::paint(128, 128, |u, v| {
        let patch = fractal(u, v, (3, 3), 901);
        let earth = ramp(
            &[
                (0.25, rgb(96, 80, 58)),
                (0.55, rgb(134, 114, 80)),
                (0.8, rgb(156, 138, 100)),
            ],
            fractal(u, v, (10, 10), 907),
        );
        let grass = ramp(
            &[(0.2, rgb(56, 74, 34)), (0.7, rgb(112, 128, 58))],
            fractal(u, v, (22, 22), 911),
        );
        let base = lerp(earth, grass, 0.85 * smoothstep(0.38, 0.66, patch));
        let (nearest, _, own) = cells(u, v, (13, 13), 0.9, 919);
        let pebble = (1.0 - smoothstep(0.18, 0.26, nearest)) * f64::from(u8::from(own > 0.62));
        let stone = shade(rgb(158, 150, 136), mix(1.15, 0.75, nearest * 4.0));
        let base = lerp(base, stone, 0.85 * pebble);
        shade(
            base,
            mix(0.88, 1.12, hash((u * 128.0) as i64, (v * 128.0) as i64, 929)),
        )
    })
}

/// Layered rock, 128 x 128, repeats both ways.
pub(crate) fn rock() -> Picture {
    Picture::paint(128, 128, |u, v| {
        let fold = fractal(u, v, (3, 3), 1001);
        let layer = 0.5 + 0.5 * sin(TAU * (6.0 * v + 1.4 * fold));
        let stone = lerp(
            rgb(92, 86, 82),
            rgb(158, 146, 128),
            0.6 * layer + 0.4 * fractal(u, v, (9, 9), 1009),
        );
        let warp = 0.16 * (fractal(u, v, (4, 4), 1031) - 0.5);
        let (nearest, second, own) = cells(u + warp, v + 0.7 * warp, (3, 5), 0.95, 1013);
        let crack = smoothstep(0.0, 0.05, second - nearest);
        let worn = smoothstep(0.35, 0.60, fractal(u, v, (6, 6), 1033));
        let stone = shade(
            stone,
            mix(mix(0.55, 1.0, worn), 1.0, crack) * mix(0.90, 1.08, own),
        );
        let moss = smoothstep(0.60, 0.74, fractal(u, v, (4, 4), 1019));
        lerp(stone, rgb(86, 102, 56), 0.6 * moss)
    })
}

/// Bark, 64 x 64, repeats both ways.
pub(crate) fn bark() -> Picture {
    Picture::paint(64, 64, |u, v| {
        let ridge = noise(
            u * 14.0 + 1.5 * (fractal(u, v, (3, 3), 1101) - 0.5),
            v * 3.0,
            (14, 3),
            1103,
        );
        lerp(
            rgb(48, 38, 32),
            rgb(126, 104, 82),
            smoothstep(0.25, 0.8, ridge) * mix(0.7, 1.0, fractal(u, v, (8, 8), 1109)),
        )
    })
}

/// A spray of leaves, 64 x 64, cut out by alpha; the branch enters at the bottom.
pub(crate) fn leaves() -> Picture {
    Picture::paint(64, 64, |u, v| {
        let (nearest, second, own) = cells(u, v, (8, 8), 0.9, 1201);
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        let body = (x * x + y * y).sqrt() + 0.35 * (fractal(u, v, (6, 6), 1207) - 0.5);
        let leaf = second - nearest > 0.06 && nearest < 0.62 && own > 0.16 && body < 0.86;
        let tone = lerp(rgb(52, 74, 32), rgb(138, 150, 62), own * mix(1.1, 0.5, v));
        let colour = shade(tone, mix(1.1, 0.7, nearest));
        [colour[0], colour[1], colour[2], f64::from(u8::from(leaf))]
    })
}
