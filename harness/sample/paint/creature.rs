//! The wyvern's textures.

use super::{Colour, Picture, cells, lerp, ramp, rgb, scales, shade};
use crate::sample::math::{PI, TAU, atan2, fractal, hash, mix, noise, sin, smoothstep};

/// Scales of trunk and limbs, 256 x 128: the top row is the back, the bottom row the belly; repeats in u.
pub(crate) fn hide() -> Picture {
    Picture::paint(256, 128, |u, v| {
        let flank = ramp(
            &[
                (0.0, rgb(30, 40, 56)),
                (0.10, rgb(30, 40, 56)),
                (0.34, rgb(44, 84, 98)),
                (0.60, rgb(70, 118, 116)),
                (0.72, rgb(128, 146, 116)),
            ],
            v + 0.10 * (fractal(u, v, (6, 4), 11) - 0.5),
        );
        let wander = 0.55 * (fractal(u, v, (4, 3), 23) - 0.5);
        let wave = 0.5 + 0.5 * sin(TAU * (4.0 * u + wander + 0.6 * v));
        let reach = 1.0
            - smoothstep(
                0.30,
                0.62,
                v + 0.25 * (noise(u * 16.0, v * 8.0, (16, 8), 5) - 0.5),
            );
        let stripe = smoothstep(0.60, 0.74, wave) * reach;
        let rim = smoothstep(0.44, 0.60, wave) * reach - stripe;
        let skin = lerp(
            lerp(flank, rgb(150, 84, 48), 0.55 * rim),
            rgb(20, 24, 36),
            0.85 * stripe,
        );
        let skin = shade(
            skin,
            scales(u, v, (40, 20), 101) * mix(0.85, 1.15, fractal(u, v, (8, 4), 37)),
        );
        lerp(
            skin,
            belly(u, v),
            smoothstep(0.745, 0.765, v + 0.012 * sin(TAU * 12.0 * u)),
        )
    })
}

/// Broad plates across the belly, twelve to the picture.
fn belly(u: f64, v: f64) -> Colour {
    let down = (v - 0.75) / 0.25;
    let within = (12.0 * u + 0.22 * down * down).rem_euclid(1.0);
    let groove = smoothstep(0.0, 0.14, within) * (1.0 - smoothstep(0.90, 1.0, within));
    let light =
        mix(0.50, 1.0, groove) * mix(1.12, 0.86, within) * mix(0.86, 1.10, fractal(u, v, (32, 8), 71));
    shade(
        ramp(
            &[
                (0.0, rgb(150, 128, 92)),
                (0.5, rgb(198, 172, 124)),
                (1.0, rgb(214, 192, 146)),
            ],
            down,
        ),
        light,
    )
}

/// The head, 128 x 128: u from the neck to the snout, v from the crown to the lip.
pub(crate) fn head() -> Picture {
    Picture::paint(128, 128, |u, v| {
        let skin = ramp(
            &[
                (0.0, rgb(34, 46, 60)),
                (0.22, rgb(40, 62, 76)),
                (0.48, rgb(54, 100, 108)),
                (0.74, rgb(92, 128, 118)),
                (0.90, rgb(164, 158, 124)),
            ],
            v + 0.08 * (fractal(u, v, (5, 5), 13) - 0.5),
        );
        // A mask runs from the nostril through the eye to the neck.
        let mask_line = mix(0.60, 0.52, u) + 0.04 * sin(TAU * 1.3 * u);
        let mask = 1.0 - smoothstep(0.05, 0.13, (v - mask_line).abs());
        let skin = lerp(skin, rgb(22, 24, 34), 0.62 * mask);
        let crest = (1.0 - smoothstep(0.02, 0.10, (v - 0.30).abs())) * smoothstep(0.9, 0.3, u);
        let skin = lerp(skin, rgb(168, 88, 48), 0.55 * crest);
        let fine = scales(u, v, (24, 22), 211);
        let broad = scales(u, v, (10, 10), 223);
        let light = mix(broad, fine, smoothstep(0.25, 0.45, v)) * mix(0.86, 1.14, fractal(u, v, (6, 6), 17));
        let skin = shade(skin, light);
        let eye = eye_distance(u, v);
        let skin = lerp(skin, rgb(14, 12, 16), 0.9 * (1.0 - smoothstep(0.055, 0.10, eye)));
        let nostril = ((u - 0.885) * (u - 0.885) * 1.0 + (v - 0.50) * (v - 0.50) * 3.2).sqrt();
        let skin = lerp(skin, rgb(12, 10, 12), 1.0 - smoothstep(0.020, 0.036, nostril));
        // Lip: a row of pale plates over a dark line.
        let plate = (18.0 * u).rem_euclid(1.0);
        let plates = shade(
            rgb(188, 172, 134),
            mix(
                0.6,
                1.05,
                smoothstep(0.0, 0.2, plate) * (1.0 - smoothstep(0.85, 1.0, plate)),
            ),
        );
        let skin = lerp(skin, plates, 0.8 * smoothstep(0.895, 0.915, v));
        lerp(skin, rgb(60, 30, 32), smoothstep(0.972, 0.985, v))
    })
}

fn eye_distance(u: f64, v: f64) -> f64 {
    let (du, dv) = (u - 0.398, v - 0.590);
    (du * du + 0.8 * dv * dv).sqrt()
}

/// Wing membrane, 128 x 128: u from finger to finger, v from the wrist to the ragged edge.
pub(crate) fn membrane() -> Picture {
    Picture::paint(128, 128, |u, v| {
        let blotch = fractal(u, v, (5, 5), 301);
        let skin = ramp(
            &[
                (0.0, rgb(84, 34, 34)),
                (0.25, rgb(150, 66, 40)),
                (0.62, rgb(214, 122, 56)),
                (0.86, rgb(186, 84, 46)),
                (1.0, rgb(92, 34, 36)),
            ],
            v + 0.22 * (blotch - 0.5),
        );
        // Skin is thicker, hence darker, beside the fingers.
        let side = 1.0 - 2.0 * (u - 0.5).abs();
        let skin = shade(
            skin,
            mix(0.62, 1.05, smoothstep(0.0, 0.30, side)) * mix(0.82, 1.18, fractal(u, v, (16, 16), 307)),
        );
        let skin = lerp(skin, rgb(74, 22, 28), 0.75 * veins(u, v));
        let bars = smoothstep(
            0.56,
            0.70,
            0.5 + 0.5 * sin(TAU * (2.5 * v + 0.3 * (blotch - 0.5) + 0.25 * side)),
        );
        let skin = lerp(skin, rgb(70, 26, 34), 0.38 * bars * smoothstep(0.3, 0.6, v));
        let ragged = 0.955 + 0.05 * (fractal(u, 0.5, (9, 1), 311) - 0.5)
            - 0.05 * smoothstep(0.72, 0.95, noise(u * 7.0, 0.0, (7, 1), 313));
        let tear = [(0.31, 0.86, 0.030), (0.66, 0.80, 0.022), (0.52, 0.91, 0.026)]
            .iter()
            .any(|&(x, y, radius)| {
                let (du, dv) = (u - x, (v - y) * 0.45);
                du * du + dv * dv < radius * radius * mix(0.5, 1.3, noise(u * 24.0, v * 24.0, (24, 24), 317))
            });
        let alpha = if v > ragged || tear { 0.0 } else { 1.0 };
        [skin[0], skin[1], skin[2], alpha]
    })
}

/// Veins that fan out from the wrist and fork.
fn veins(u: f64, v: f64) -> f64 {
    let mut strength: f64 = 0.0;
    for vein in 0..7 {
        let seat = (f64::from(vein) + 0.5) / 7.0;
        let bend = 0.035 * (noise(v * 5.0, f64::from(vein), (5, 7), 331) - 0.5) * 2.0;
        let middle = mix(0.5, seat, smoothstep(0.0, 0.55, v)) + bend;
        let width = mix(0.016, 0.005, v);
        strength = strength.max(1.0 - smoothstep(width * 0.5, width * 1.6, (u - middle).abs()));
        if vein % 2 == 0 && v > 0.45 {
            let fork = middle + (v - 0.45) * if vein % 4 == 0 { 0.16 } else { -0.16 };
            strength = strength.max(0.7 * (1.0 - smoothstep(0.003, 0.010, (u - fork).abs())));
        }
    }
    strength
}

/// Horn, 64 x 64: u round it, v from the point (0) to the base (1).
pub(crate) fn horn() -> Picture {
    Picture::paint(64, 64, |u, v| {
        let tone = ramp(
            &[
                (0.0, rgb(238, 226, 192)),
                (0.30, rgb(214, 192, 146)),
                (0.66, rgb(146, 112, 78)),
                (1.0, rgb(62, 46, 42)),
            ],
            v,
        );
        let ring = (v * v * 9.0 + 0.35 * (noise(u * 8.0, v * 4.0, (8, 4), 401) - 0.5)).rem_euclid(1.0);
        let ridge = mix(
            1.0,
            mix(0.66, 1.08, smoothstep(0.0, 0.30, ring) * (1.0 - 0.4 * ring)),
            smoothstep(0.18, 0.5, v),
        );
        let grain = mix(0.88, 1.10, noise(u * 32.0, v * 6.0, (32, 6), 409));
        shade(tone, ridge * grain)
    })
}

/// An eye, 64 x 64: the pupil in the middle.
pub(crate) fn eye() -> Picture {
    Picture::paint(64, 64, |u, v| {
        let (x, y) = (2.0 * u - 1.0, 1.0 - 2.0 * v);
        let radius = (x * x + y * y).sqrt();
        let ray = noise(atan2(y, x) / PI * 12.0 + 12.0, radius * 3.0, (24, 8), 501);
        let iris = ramp(
            &[
                (0.0, rgb(255, 240, 150)),
                (0.22, rgb(255, 202, 62)),
                (0.48, rgb(238, 128, 22)),
                (0.60, rgb(120, 42, 10)),
            ],
            radius,
        );
        let mut colour = shade(iris, mix(0.72, 1.15, ray));
        colour = lerp(colour, rgb(26, 12, 12), smoothstep(0.56, 0.66, radius));
        let slit = x.abs() / (0.13 * (1.0 - 1.9 * y * y).max(0.02));
        colour = lerp(colour, rgb(6, 4, 6), 1.0 - smoothstep(0.8, 1.2, slit));
        let glint = ((x + 0.22) * (x + 0.22) + (y - 0.26) * (y - 0.26)).sqrt();
        lerp(colour, rgb(255, 255, 255), 1.0 - smoothstep(0.07, 0.13, glint))
    })
}

/// Frill and tail fin, 64 x 64: u across the spokes, v from the rim (0) to the root (1).
pub(crate) fn fin() -> Picture {
    Picture::paint(64, 64, |u, v| {
        let spoke = (6.0 * u).rem_euclid(1.0);
        let from_spoke = (spoke - 0.5).abs() * 2.0;
        let skin = ramp(
            &[
                (0.0, rgb(60, 26, 40)),
                (0.22, rgb(196, 70, 44)),
                (0.55, rgb(226, 138, 62)),
                (1.0, rgb(66, 92, 100)),
            ],
            v + 0.12 * (fractal(u, v, (4, 4), 601) - 0.5),
        );
        let (nearest, _, own) = cells(u, v, (9, 7), 0.8, 607);
        let spots = (1.0 - smoothstep(0.22, 0.36, nearest))
            * f64::from(u8::from(own > 0.45))
            * smoothstep(0.12, 0.3, v);
        let skin = lerp(skin, rgb(58, 24, 40), 0.7 * spots);
        let rib = 1.0 - smoothstep(0.04, 0.16, 1.0 - from_spoke);
        let colour = shade(
            lerp(skin, rgb(40, 46, 58), 0.85 * rib),
            mix(0.85, 1.12, hash((u * 64.0) as i64, (v * 64.0) as i64, 613)),
        );
        // Between two spokes the rim hangs back in an arc.
        let arc = 1.0 - from_spoke;
        let alpha = if v < 0.02 + 0.20 * arc * (2.0 - arc) * 0.9 {
            0.0
        } else {
            1.0
        };
        [colour[0], colour[1], colour[2], alpha]
    })
}

/// Flesh, 64 x 64: rings of muscle around a bone in the middle; its upper third serves the mouth.
pub(crate) fn flesh() -> Picture {
    Picture::paint(64, 64, |u, v| {
        let (x, y) = (2.0 * u - 1.0, 2.0 * v - 1.0);
        let radius = (x * x + y * y).sqrt();
        let ring = 0.5 + 0.5 * sin(TAU * (3.2 * radius + 0.5 * fractal(u, v, (5, 5), 701)));
        let meat = lerp(rgb(122, 26, 30), rgb(184, 66, 60), ring);
        let meat = shade(meat, mix(0.78, 1.2, fractal(u, v, (9, 9), 709)));
        let meat = lerp(
            meat,
            rgb(224, 196, 160),
            smoothstep(0.80, 0.88, radius) * (1.0 - smoothstep(0.90, 0.96, radius)),
        );
        let bone = lerp(
            rgb(232, 220, 188),
            rgb(150, 92, 72),
            1.0 - smoothstep(0.05, 0.11, radius),
        );
        lerp(bone, meat, smoothstep(0.19, 0.25, radius))
    })
}

/// Light to be added, 64 x 64: cracks above, a round halo below; alpha 0 where there is none.
pub(crate) fn glow() -> Picture {
    Picture::paint(64, 64, |u, v| {
        let strength = if v < 0.5 {
            let (nearest, second, _) = cells(u, 2.0 * v, (4, 4), 0.7, 801);
            let fade = sin(PI * (2.0 * v).clamp(0.0, 1.0));
            (1.0 - smoothstep(0.02, 0.20, second - nearest)) * fade
        } else {
            let (x, y) = (2.0 * u - 1.0, 4.0 * (v - 0.75));
            let left = (1.0 - (x * x + y * y).sqrt()).max(0.0);
            left * left
        };
        let level = (strength * 15.0).round() / 15.0;
        let colour = ramp(
            &[
                (0.0, rgb(0, 0, 0)),
                (0.4, rgb(96, 24, 4)),
                (0.75, rgb(184, 70, 14)),
                (1.0, rgb(240, 150, 60)),
            ],
            level,
        );
        [
            colour[0],
            colour[1],
            colour[2],
            if level > 0.0 { 1.0 } else { 0.0 },
        ]
    })
}
