//! Basis functions along one direction of a surface (`spec/ge-frontend.md §15.3, §15.4`).

use raster::Profile;

/// A row or column of a surface's points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct AxisPoint {
    /// The first of the four control points that act on it.
    pub(super) first: usize,
    /// Weights of the four, which sum to 1.
    pub(super) weights: [f64; 4],
    /// Their derivatives.
    pub(super) slopes: [f64; 4],
    /// The texture coordinate of surfaces without: whole numbers at the patches' borders.
    pub(super) coordinate: f64,
}

/// The points of a surface along one direction.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Axis {
    pub(super) points: Vec<AxisPoint>,
    /// Points from the start of one patch to the start of the next.
    pub(super) step: usize,
    pub(super) patches: usize,
    pub(super) division: usize,
}

impl Axis {
    /// Bezier patches, each with points of its own.
    pub(super) fn bezier(patches: usize, division: usize) -> Self {
        let point = |patch: usize, index: usize| {
            let t = index as f64 / division as f64;
            let rest = 1.0 - t;
            AxisPoint {
                first: 3 * patch,
                weights: [
                    rest * rest * rest,
                    3.0 * t * rest * rest,
                    3.0 * t * t * rest,
                    t * t * t,
                ],
                slopes: [
                    -3.0 * rest * rest,
                    9.0 * t * t - 12.0 * t + 3.0,
                    3.0 * t * (2.0 - 3.0 * t),
                    3.0 * t * t,
                ],
                coordinate: patch as f64 + t,
            }
        };
        let points = (0..patches).flat_map(|patch| (0..=division).map(move |index| point(patch, index)));
        Self {
            points: points.collect(),
            step: division + 1,
            patches,
            division,
        }
    }

    /// Spline patches, which share the points of their borders. Of the edge type bit 0 opens the
    /// start, bit 1 the end.
    pub(super) fn spline(patches: usize, division: usize, edge_type: u32, profile: Profile) -> Self {
        let rules = match profile {
            Profile::Hardware => SplineRules::HARDWARE,
            Profile::Ppsspp => SplineRules::ppsspp(patches, edge_type),
        };
        let knots = knots(patches, edge_type);
        let points = (0..=patches * division).map(|index| {
            // A point on a border belongs to the patch before it.
            let patch = index.saturating_sub(1) / division;
            let t = index as f64 / division as f64;
            let (weights, slopes) = spline_weights(t, &knots[patch..], rules);
            AxisPoint {
                first: patch,
                weights,
                slopes,
                coordinate: t,
            }
        });
        Self {
            points: points.collect(),
            step: division,
            patches,
            division,
        }
    }
}

/// The knots of a spline of `patches` patches, without the two outermost.
fn knots(patches: usize, edge_type: u32) -> Vec<f64> {
    let mut knots: Vec<f64> = (0..patches + 5).map(|index| index as f64 - 2.0).collect();
    if edge_type & 1 != 0 {
        knots[..2].fill(0.0);
    }
    if edge_type & 2 != 0 {
        knots[patches + 3..].fill(patches as f64);
    }
    knots
}

/// What of a spline's weights is not theory.
#[derive(Clone, Copy, PartialEq, Debug)]
struct SplineRules {
    /// Fractions are rounded to multiples of one over this; none are in exact arithmetic.
    steps: Option<f64>,
    /// The middle divisor is larger by this factor.
    middle: f64,
}

impl SplineRules {
    const HARDWARE: Self = Self {
        steps: Some(FRACTION),
        middle: 1.0,
    };

    /// PPSSPP's table is wrong for a single patch that is open at both ends (`spec/ppsspp-profile.md §2.6`).
    const fn ppsspp(patches: usize, edge_type: u32) -> Self {
        Self {
            steps: None,
            middle: if patches == 1 && edge_type & 3 == 3 {
                2.0
            } else {
                1.0
            },
        }
    }
}

/// The fractions of a spline are fixed point, rounded to nearest: with an even number of bits a third is
/// too small and two thirds are too large, which is what the patch of hw: primitives/spline with a uniform
/// axis shows (its upper edge lies a sixteenth higher than in exact arithmetic, its lower edge does not).
/// Any even number from 10 to 20 bits reproduces the whole picture; 16 is a guess among them.
const FRACTION: f64 = (1 << 16) as f64;

/// Weights and slopes at `t`, with the six knots of the patch in front.
fn spline_weights(t: f64, knots: &[f64], rules: SplineRules) -> ([f64; 4], [f64; 4]) {
    let [k0, k1, k2, k3, k4, k5] = std::array::from_fn(|index| knots.get(index).copied().unwrap_or_default());
    let part = |from: f64, to: f64| {
        let fraction = (t - from) / (to - from);
        rules
            .steps
            .map_or(fraction, |steps| (fraction * steps).round() / steps)
    };
    let (f30, f41, f52) = (part(k0, k3), part(k1, k4) / rules.middle, part(k2, k5));
    let (f31, f42, f32) = (part(k1, k3), part(k2, k4), part(k2, k3));
    let left = (1.0 - f31) * (1.0 - f32);
    let middle = f31 * (1.0 - f32) + (1.0 - f42) * f32;
    let right = f42 * f32;
    let weights = [
        (1.0 - f30) * left,
        f30 * left + (1.0 - f41) * middle,
        f41 * middle + (1.0 - f52) * right,
        f52 * right,
    ];
    let (left, middle, right) = (
        3.0 * left / (k3 - k0),
        3.0 * middle / ((k4 - k1) * rules.middle),
        3.0 * right / (k5 - k2),
    );
    (weights, [-left, left - middle, middle - right, right])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spline_open_at_both_ends_is_a_bezier() {
        // hw: primitives/spline lands on the pixels of primitives/bezier.
        let (bezier, spline) = (Axis::bezier(1, 16), Axis::spline(1, 16, 3, Profile::Hardware));
        for (a, b) in bezier.points.iter().zip(&spline.points) {
            for k in 0..4 {
                assert!((a.weights[k] - b.weights[k]).abs() < 1e-14);
                assert!((a.slopes[k] - b.slopes[k]).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn ppsspp_bends_the_open_patch() {
        // Control points 210, 220, 230, 240 (spec/ge-frontend.md §15.4).
        let middle = Axis::spline(1, 2, 3, Profile::Ppsspp).points[1];
        let x: f64 = (0..4)
            .map(|k| middle.weights[k] * (210.0 + 10.0 * k as f64))
            .sum();
        assert_eq!(x, 223.75);
    }

    #[test]
    fn weights_sum_to_one_and_slopes_to_zero() {
        for patches in 1..6 {
            for edge_type in 0..4 {
                for point in Axis::spline(patches, 5, edge_type, Profile::Hardware).points {
                    assert!((point.weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
                    assert!(point.slopes.iter().sum::<f64>().abs() < 1e-13);
                }
            }
        }
    }

    #[test]
    fn uniform_edges_cover_the_middle() {
        // hw: control points 0, 0, 1, 1 give 1/6 to 5/6 with type 0, 0 to 3/4 with type 1.
        let ends = |edge_type| {
            let axis = Axis::spline(1, 1, edge_type, Profile::Hardware);
            [0, 1].map(|index: usize| axis.points[index].weights[2] + axis.points[index].weights[3])
        };
        for (edge_type, expected) in [(0, [1.0 / 6.0, 5.0 / 6.0]), (1, [0.0, 0.75]), (2, [0.25, 1.0])] {
            let found = ends(edge_type);
            for (end, close) in found.into_iter().zip(expected) {
                assert!((end - close).abs() < 1e-5, "{found:?}");
            }
            // A sixth lies below, five sixths above.
            assert!(found[0] <= expected[0] && found[1] >= expected[1], "{found:?}");
        }
    }
}
