//! The points of a surface (`spec/ge-frontend.md §15.5`).
//!
//! Sums are those of exact arithmetic, which reproduces the recorded pictures where 24-bit floats do
//! not (but for the fractions of splines, in [`basis`](super::basis)): doubles, settled to fewer bits at the end so that their rounding cannot be seen.

use raster::Profile;
use vertex::{Component, CoordinateMode, VertexColor, VertexType, Vertices};

use super::basis::{Axis, AxisPoint};

/// The components of a surface's points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SurfaceFormat {
    /// Points take a colour if the control points have one; else the material's.
    color: bool,
    /// Points get a normal if the control points have one, or for lighting.
    normal: bool,
}

impl SurfaceFormat {
    pub(super) fn of(controls: VertexType, lit: bool) -> Self {
        Self {
            color: controls.layout().color.is_some(),
            normal: controls.normal() != Component::None || lit,
        }
    }

    /// The type that points are stored in.
    pub(super) fn vertex_type(self, mode: CoordinateMode) -> VertexType {
        VertexType::default()
            .with_mode(mode)
            .with_texture_coordinate(Component::Float)
            .with_color(if self.color {
                VertexColor::Rgba8888
            } else {
                VertexColor::None
            })
            .with_normal(if self.normal {
                Component::Float
            } else {
                Component::None
            })
            .with_position(Component::Float)
    }
}

/// The control points of a surface, row by row.
pub(super) struct ControlPoints<'a> {
    vertices: &'a Vertices,
    /// Rows of `vertices`; without, they are taken in order.
    indices: &'a [u32],
    width: usize,
}

impl<'a> ControlPoints<'a> {
    pub(super) fn new(vertices: &'a Vertices, indices: &'a [u32], width: usize) -> Self {
        Self {
            vertices,
            indices,
            width,
        }
    }

    /// The row of `vertices` that control point (u, v) is.
    fn row(&self, u: usize, v: usize) -> usize {
        let index = v * self.width + u;
        self.indices.get(index).map_or(index, |&row| row as usize)
    }

    /// Weighted sums of some numbers of four control points of a row: for each row, a sum for each of the points
    /// along u.
    fn along_u<const N: usize>(
        &self,
        axes: &[Axis; 2],
        weights: fn(&AxisPoint) -> &[f64; 4],
        numbers: impl Fn(usize) -> [f64; N],
    ) -> RowSums<N> {
        let rows = axes[1].points.iter().map(|point| point.first + 4).max();
        let mut sums = Vec::with_capacity(rows.unwrap_or(0) * axes[0].points.len());
        for row in 0..rows.unwrap_or(0) {
            for point in &axes[0].points {
                let mut sum = [0.0; N];
                for (column, weight) in (point.first..).zip(weights(point)) {
                    let values = numbers(self.row(column, row));
                    for (sum, value) in sum.iter_mut().zip(values) {
                        *sum += weight * value;
                    }
                }
                sums.push(sum);
            }
        }
        RowSums {
            sums,
            width: axes[0].points.len(),
        }
    }
}

/// What control points contribute to the points along u, row by row: surfaces are separable, and each point along v
/// weighs the same sums.
struct RowSums<const N: usize> {
    sums: Vec<[f64; N]>,
    width: usize,
}

impl<const N: usize> RowSums<N> {
    /// The weighted sum of four rows at a point along u.
    fn at(&self, u: usize, v: &AxisPoint, weights: &[f64; 4]) -> [f64; N] {
        let mut sum = [0.0; N];
        for (row, weight) in (v.first..).zip(weights) {
            let row = self.sums[row * self.width + u];
            for (sum, row) in sum.iter_mut().zip(row) {
                *sum += weight * row;
            }
        }
        sum
    }
}

/// Fills `bytes` with the vertices of every point, row by row along u.
pub(super) fn evaluate(
    controls: &ControlPoints<'_>,
    axes: &[Axis; 2],
    format: SurfaceFormat,
    facing_away: bool,
    profile: Profile,
    bytes: &mut Vec<u8>,
) {
    bytes.clear();
    let read = |column: &[f32], row: usize| f64::from(column.get(row).copied().unwrap_or_default());
    let Some(positions) = controls.vertices.position() else {
        return;
    };
    let coordinates = controls.vertices.texture_coordinate();
    let colors = controls.vertices.color().filter(|_| format.color);
    let position = |row: usize| positions.map(|axis| read(axis, row));
    let positions_along = controls.along_u(axes, |point| &point.weights, position);
    let slopes_along = format
        .normal
        .then(|| controls.along_u(axes, |point| &point.slopes, position));
    let coordinates_along = coordinates.map(|pair| {
        controls.along_u(
            axes,
            |point| &point.weights,
            |row| pair.map(|axis| read(axis, row)),
        )
    });
    let colors_along = colors.map(|colors| {
        let parts = |row: usize| {
            let color = colors.get(row).copied().unwrap_or_default();
            color.to_le_bytes().map(f64::from)
        };
        controls.along_u(axes, |point| &point.weights, parts)
    });
    for v in &axes[1].points {
        for (index, u) in axes[0].points.iter().enumerate() {
            let pair = match &coordinates_along {
                Some(sums) => sums.at(index, v, &v.weights),
                None => [u.coordinate, v.coordinate],
            };
            put(bytes, pair);
            if let Some(sums) = &colors_along {
                let parts = sums.at(index, v, &v.weights);
                bytes.extend(parts.map(|value| color_part(value, profile)));
            }
            if let Some(sums) = &slopes_along {
                let along_u = sums.at(index, v, &v.weights);
                let along_v = positions_along.at(index, v, &v.slopes);
                put(bytes, normal(along_u, along_v, facing_away));
            }
            put(bytes, positions_along.at(index, v, &v.weights));
        }
    }
}

/// Appends singles. Rounding to 24 bits restores values that are exact in the specification.
fn put<const N: usize>(bytes: &mut Vec<u8>, numbers: [f64; N]) {
    for number in numbers {
        bytes.extend((number as f32).to_le_bytes());
    }
}

/// A part of a colour, once the doubles' own rounding is taken away: rounded up (hw: primitives/bezier,
/// spline), or to the nearest (`spec/ppsspp-profile.md §2.6`).
fn color_part(value: f64, profile: Profile) -> u8 {
    const STEPS: f64 = (1_u64 << 32) as f64;
    let value = (value * STEPS).round() / STEPS;
    match profile {
        Profile::Hardware => value.ceil() as u8,
        Profile::Ppsspp => value.round_ties_even() as u8,
    }
}

/// The direction across both slopes; zero where they are parallel (unverified).
fn normal(a: [f64; 3], b: [f64; 3], facing_away: bool) -> [f64; 3] {
    let cross = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ];
    let length = cross.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length == 0.0 {
        return [0.0; 3];
    }
    cross.map(|part| {
        if facing_away {
            -part / length
        } else {
            part / length
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_round_up() {
        assert_eq!(
            [223.125, 147.42, 3.98, 128.0, 128.0 + 1e-12, 255.0]
                .map(|part| color_part(part, Profile::Hardware)),
            [224, 148, 4, 128, 128, 255]
        );
        assert_eq!(
            [223.125, 147.42, 3.98].map(|part| color_part(part, Profile::Ppsspp)),
            [223, 147, 4]
        );
    }

    #[test]
    fn normals_turn_with_the_facing() {
        assert_eq!(normal([2.0, 0.0, 0.0], [0.0, 3.0, 0.0], false), [0.0, 0.0, 1.0]);
        assert_eq!(normal([2.0, 0.0, 0.0], [0.0, 3.0, 0.0], true)[2], -1.0);
        assert_eq!(normal([2.0, 0.0, 0.0], [1.0, 0.0, 0.0], false), [0.0; 3]);
    }
}
