//! Arithmetic that gives the same bits on every machine.
//!
//! Everything that lands in a sample file is computed with IEEE additions, multiplications,
//! divisions and square roots, all of which are correctly rounded. The platform's sine, cosine
//! and powers are not, so this module has its own.

use glam::DVec3;

/// Half a turn in radians.
pub(crate) const PI: f64 = std::f64::consts::PI;
/// A whole turn in radians.
pub(crate) const TAU: f64 = std::f64::consts::TAU;

/// Sine of `angle` radians, to about 1e-13.
pub(crate) fn sin(angle: f64) -> f64 {
    let turned = angle - TAU * (angle / TAU + 0.5).floor();
    let folded = if turned > PI / 2.0 {
        PI - turned
    } else if turned < -PI / 2.0 {
        -PI - turned
    } else {
        turned
    };
    let square = folded * folded;
    let mut term = folded;
    let mut sum = folded;
    let mut order = 1.0;
    for _ in 0..9 {
        term *= -square / ((order + 1.0) * (order + 2.0));
        sum += term;
        order += 2.0;
    }
    sum
}

/// Cosine of `angle` radians.
pub(crate) fn cos(angle: f64) -> f64 {
    sin(angle + PI / 2.0)
}

/// The angle of the point (x, y), in radians from -π to π; 0 for the origin.
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    if x == 0.0 && y == 0.0 {
        return 0.0;
    }
    let steep = y.abs() > x.abs();
    let ratio = if steep {
        x.abs() / y.abs()
    } else {
        y.abs() / x.abs()
    };
    let mut angle = atan_unit(ratio);
    if steep {
        angle = PI / 2.0 - angle;
    }
    if x < 0.0 {
        angle = PI - angle;
    }
    if y < 0.0 { -angle } else { angle }
}

/// Arc tangent of a ratio from 0 to 1: the argument is halved twice, then a short series.
fn atan_unit(ratio: f64) -> f64 {
    let half = |x: f64| x / (1.0 + (1.0 + x * x).sqrt());
    let small = half(half(ratio));
    let square = small * small;
    let mut power = small;
    let mut sum = 0.0;
    let mut sign = 1.0;
    for order in 0..12 {
        sum += sign * power / f64::from(2 * order + 1);
        power *= square;
        sign = -sign;
    }
    4.0 * sum
}

/// The angle, from 0 to π, whose cosine is `cosine`; arguments outside -1 to 1 are clamped.
pub(crate) fn acos(cosine: f64) -> f64 {
    let cosine = cosine.clamp(-1.0, 1.0);
    atan2((1.0 - cosine * cosine).sqrt(), cosine)
}

/// From `a` at 0 to `b` at 1.
pub(crate) fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// 0 up to `low`, 1 from `high`, a smooth S between them.
pub(crate) fn smoothstep(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// `point` turned by Euler angles in degrees, X first, then Y, then Z (`spec/mhp-formats.md` §5.5).
pub(crate) fn rotate(point: DVec3, degrees: DVec3) -> DVec3 {
    let [x, y, z] = degrees.to_array().map(|d| d * (PI / 180.0));
    let (sx, cx, sy, cy, sz, cz) = (sin(x), cos(x), sin(y), cos(y), sin(z), cos(z));
    let p = DVec3::new(point.x, cx * point.y - sx * point.z, sx * point.y + cx * point.z);
    let p = DVec3::new(cy * p.x + sy * p.z, p.y, cy * p.z - sy * p.x);
    DVec3::new(cz * p.x - sz * p.y, sz * p.x + cz * p.y, p.z)
}

/// A smooth curve through points: Catmull-Rom, each segment one unit of the parameter.
pub(crate) fn spline(points: &[DVec3], at: f64) -> DVec3 {
    let last = points.len() - 1;
    let segment = (at.max(0.0).floor() as usize).min(last.saturating_sub(1));
    let t = at - segment as f64;
    let (p1, p2) = (points[segment], points[(segment + 1).min(last)]);
    let p0 = if segment == 0 {
        p1 * 2.0 - p2
    } else {
        points[segment - 1]
    };
    let p3 = if segment + 2 > last {
        p2 * 2.0 - p1
    } else {
        points[segment + 2]
    };
    let (t2, t3) = (t * t, t * t * t);
    (p1 * 2.0
        + (p2 - p0) * t
        + (p0 * 2.0 - p1 * 5.0 + p2 * 4.0 - p3) * t2
        + (p1 * 3.0 - p0 - p2 * 3.0 + p3) * t3)
        * 0.5
}

/// A table of values over a rising abscissa, smoothed as [`spline`] smooths points.
pub(crate) fn profile(table: &[(f64, f64)], at: f64) -> f64 {
    let segment = table
        .iter()
        .skip(1)
        .take_while(|row| row.0 < at)
        .count()
        .min(table.len().saturating_sub(2));
    let (x0, x1) = (table[segment].0, table[segment + 1].0);
    let t = ((at - x0) / (x1 - x0)).clamp(0.0, 1.0);
    let slope = |i: usize| {
        let (before, after) = (table[i.saturating_sub(1)], table[(i + 1).min(table.len() - 1)]);
        if after.0 > before.0 {
            (after.1 - before.1) / (after.0 - before.0)
        } else {
            0.0
        }
    };
    let span = x1 - x0;
    let (y0, y1) = (table[segment].1, table[segment + 1].1);
    let (m0, m1) = (slope(segment) * span, slope(segment + 1) * span);
    let (t2, t3) = (t * t, t * t * t);
    y0 * (2.0 * t3 - 3.0 * t2 + 1.0) + m0 * (t3 - 2.0 * t2 + t) + y1 * (3.0 * t2 - 2.0 * t3) + m1 * (t3 - t2)
}

/// A number from 0 to 1 that depends on a lattice point and a seed alone.
pub(crate) fn hash(x: i64, y: i64, seed: u64) -> f64 {
    let mut h = (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ seed.wrapping_mul(0x1656_67B1_9E37_79F9);
    h = (h ^ (h >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((h ^ (h >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Smooth noise from 0 to 1 over a lattice that repeats after `period` steps in x and y.
pub(crate) fn noise(x: f64, y: f64, period: (i64, i64), seed: u64) -> f64 {
    let (x0, y0) = (x.floor(), y.floor());
    let (fx, fy) = (x - x0, y - y0);
    let (sx, sy) = (fx * fx * (3.0 - 2.0 * fx), fy * fy * (3.0 - 2.0 * fy));
    let at = |dx: i64, dy: i64| {
        hash(
            (x0 as i64 + dx).rem_euclid(period.0),
            (y0 as i64 + dy).rem_euclid(period.1),
            seed,
        )
    };
    mix(mix(at(0, 0), at(1, 0), sx), mix(at(0, 1), at(1, 1), sx), sy)
}

/// Four octaves of [`noise`], from 0 to 1, that repeat over the unit square: `cells` lattice steps a side.
pub(crate) fn fractal(u: f64, v: f64, cells: (i64, i64), seed: u64) -> f64 {
    let mut sum = 0.0;
    let mut weight = 0.5;
    let mut step = 1;
    for octave in 0..4 {
        let period = (cells.0 * step, cells.1 * step);
        sum += weight * noise(u * period.0 as f64, v * period.1 as f64, period, seed + octave);
        weight *= 0.5;
        step *= 2;
    }
    sum / 0.9375
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trigonometry_agrees_with_the_platform_closely() {
        for step in -400..400 {
            let angle = f64::from(step) * 0.0371;
            assert!((sin(angle) - angle.sin()).abs() < 1e-12, "sin {angle}");
            assert!((cos(angle) - angle.cos()).abs() < 1e-12, "cos {angle}");
            let (y, x) = (sin(angle) * 3.0, cos(angle) * 3.0);
            assert!((atan2(y, x) - y.atan2(x)).abs() < 1e-12, "atan2 {angle}");
        }
    }

    #[test]
    fn rotation_follows_the_documents_example() {
        // spec/mhp-formats.md §5.5: 45, 22.5, 90 degrees.
        let turned = rotate(DVec3::X, DVec3::new(45.0, 22.5, 90.0));
        assert!((turned - DVec3::new(0.0, 0.923880, -0.382683)).length() < 1e-5);
        let turned = rotate(DVec3::Y, DVec3::new(45.0, 22.5, 90.0));
        assert!((turned - DVec3::new(-std::f64::consts::FRAC_1_SQRT_2, 0.270598, 0.653281)).length() < 1e-5);
    }

    #[test]
    fn noise_repeats_over_its_period() {
        for step in 0..50 {
            let x = f64::from(step) * 0.173;
            assert!((noise(x, 0.5, (4, 4), 9) - noise(x + 4.0, 4.5, (4, 4), 9)).abs() < 1e-9);
        }
    }
}
