//! Surfaces: vertices with smooth normals and skin weights, built as grids of quads.

use std::collections::BTreeMap;

use glam::DVec3;

/// How much each joint moves a vertex; made whole numbers by [`whole_weights`].
pub(crate) type Weights = Vec<(u8, f64)>;

/// A corner of a surface, in model space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vertex {
    pub(crate) position: DVec3,
    pub(crate) normal: DVec3,
    /// Texture coordinates, 0 to 1 over the picture, v = 0 at its top row.
    pub(crate) uv: [f64; 2],
    pub(crate) weights: Weights,
    /// Light that a stage keeps in the vertex: red, green, blue from 0 to 1.
    pub(crate) tint: DVec3,
}

/// A connected piece of a model under one material.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub(crate) vertices: Vec<Vertex>,
    /// Counter-clockwise seen from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// A grid of `rows` x `columns` vertices, two triangles a cell. Cells that `corner` folds to
    /// a line or a point (the pole of a horn) keep what is left of them.
    pub(crate) fn grid(rows: usize, columns: usize, mut corner: impl FnMut(usize, usize) -> Vertex) -> Self {
        let mut surface = Self::default();
        for row in 0..rows {
            for column in 0..columns {
                surface.vertices.push(corner(row, column));
            }
        }
        let at = |row: usize, column: usize| (row * columns + column) as u32;
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let quad = [
                    at(row, column),
                    at(row, column + 1),
                    at(row + 1, column + 1),
                    at(row + 1, column),
                ];
                surface.quad(quad);
            }
        }
        surface
    }

    /// Two triangles over the shorter diagonal of a quad; degenerate ones are left out.
    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        let point = |i: u32| self.vertices[i as usize].position;
        let halves = if (point(a) - point(c)).length() <= (point(b) - point(d)).length() + 1e-9 {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        };
        for [i, j, k] in halves {
            if (point(j) - point(i)).cross(point(k) - point(i)).length() > 1e-6 {
                self.triangles.push([i, j, k]);
            }
        }
    }

    /// Turns the surface inside out.
    pub(crate) fn flip(&mut self) {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
    }

    /// Six times the volume the surface encloses, positive when its triangles face outwards.
    pub(crate) fn volume(&self) -> f64 {
        let centre =
            self.vertices.iter().map(|v| v.position).sum::<DVec3>() / self.vertices.len().max(1) as f64;
        let corner = |i: u32| self.vertices[i as usize].position - centre;
        self.triangles
            .iter()
            .map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))))
            .sum()
    }

    /// Faces outwards (a closed or nearly closed surface), then smooth normals.
    pub(crate) fn closed(mut self) -> Self {
        if self.volume() < 0.0 {
            self.flip();
        }
        self.smooth();
        self
    }

    /// Faces along `direction` on the whole (a sheet), then smooth normals.
    pub(crate) fn sheet(mut self, direction: DVec3) -> Self {
        let facing: f64 = self
            .triangles
            .iter()
            .map(|&t| self.area_normal(t).dot(direction))
            .sum();
        if facing < 0.0 {
            self.flip();
        }
        self.smooth();
        self
    }

    /// The normal of a triangle, twice its area long.
    pub(crate) fn area_normal(&self, [a, b, c]: [u32; 3]) -> DVec3 {
        let point = |i: u32| self.vertices[i as usize].position;
        (point(b) - point(a)).cross(point(c) - point(a))
    }

    /// Normals averaged, by area, over all triangles that meet at a place, across texture seams.
    pub(crate) fn smooth(&mut self) {
        let mut sums: BTreeMap<[i64; 3], DVec3> = BTreeMap::new();
        for &triangle in &self.triangles {
            let normal = self.area_normal(triangle);
            for corner in triangle {
                *sums
                    .entry(place(self.vertices[corner as usize].position))
                    .or_default() += normal;
            }
        }
        for vertex in &mut self.vertices {
            let sum = sums.get(&place(vertex.position)).copied().unwrap_or(DVec3::Y);
            vertex.normal = if sum.length() > 1e-9 {
                sum / sum.length()
            } else {
                DVec3::Y
            };
        }
    }

    /// Adds another surface's triangles to this one.
    pub(crate) fn append(&mut self, other: Self) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(other.vertices);
        self.triangles
            .extend(other.triangles.into_iter().map(|t| t.map(|i| i + first)));
    }

    /// Every vertex passed through `change`.
    pub(crate) fn map(mut self, change: impl FnMut(&mut Vertex)) -> Self {
        self.vertices.iter_mut().for_each(change);
        self
    }
}

/// The lattice point, 64 to the unit, that stands for a position when corners are welded.
pub(crate) fn place(position: DVec3) -> [i64; 3] {
    position.to_array().map(|x| (x * 64.0).round() as i64)
}

/// A chain of joints along a curve: `first` up to the first limit, then each limit's joint.
/// `half` is half the length over which two neighbours share a vertex.
pub(crate) fn along(first: u8, limits: &[(f64, u8)], half: f64, at: f64) -> Weights {
    let mut weights = Vec::new();
    let passed = |limit: f64| super::math::smoothstep(limit - half, limit + half, at);
    let mut reached = 1.0;
    let mut joint = first;
    for &(limit, next) in limits {
        let beyond = passed(limit);
        weights.push((joint, reached - beyond));
        reached = beyond;
        joint = next;
    }
    weights.push((joint, reached));
    weights.retain(|w| w.1 > 0.0);
    weights
}

/// A share `t` of `b` mixed into `a`.
pub(crate) fn blend(a: &[(u8, f64)], b: &[(u8, f64)], t: f64) -> Weights {
    let mut sums: BTreeMap<u8, f64> = BTreeMap::new();
    for (weights, share) in [(a, 1.0 - t), (b, t)] {
        for &(joint, weight) in weights {
            *sums.entry(joint).or_default() += weight * share;
        }
    }
    sums.into_iter().collect()
}

/// The five strongest weights as whole numbers that sum to exactly 128, in joint order.
pub(crate) fn whole_weights(weights: &[(u8, f64)]) -> Vec<(u8, u8)> {
    let mut strongest = blend(weights, &[], 0.0);
    strongest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    strongest.truncate(5);
    let total: f64 = strongest.iter().map(|w| w.1).sum();
    strongest.retain(|w| w.1 / total > 0.04);
    let total: f64 = strongest.iter().map(|w| w.1).sum();
    let mut whole: Vec<(u8, u8)> = strongest
        .iter()
        .map(|w| (w.0, (w.1 / total * 128.0).round() as u8))
        .collect();
    let sum: i32 = whole.iter().map(|w| i32::from(w.1)).sum();
    // The rest of the rounding goes to the strongest, which is first.
    if let Some(first) = whole.first_mut() {
        first.1 = (i32::from(first.1) + 128 - sum) as u8;
    }
    whole.retain(|w| w.1 > 0);
    whole.sort_unstable();
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_everywhere_along_a_chain() {
        for step in 0..60 {
            let weights = along(3, &[(1.0, 4), (2.0, 5), (2.5, 9)], 0.4, f64::from(step) * 0.06);
            assert!((weights.iter().map(|w| w.1).sum::<f64>() - 1.0).abs() < 1e-12);
            let whole = whole_weights(&weights);
            assert_eq!(whole.iter().map(|w| u32::from(w.1)).sum::<u32>(), 128);
        }
        assert_eq!(
            whole_weights(&[(7, 0.5), (2, 0.25), (7, 0.25)]),
            [(2, 32), (7, 96)]
        );
    }

    #[test]
    fn a_closed_grid_faces_outwards() {
        use crate::sample::math::{PI, cos, sin};
        let ball = Surface::grid(9, 13, |row, column| {
            let (a, b) = (PI * row as f64 / 8.0, 2.0 * PI * column as f64 / 12.0);
            Vertex {
                position: DVec3::new(sin(a) * cos(b), cos(a), sin(a) * sin(b)) * 10.0,
                ..Vertex::default()
            }
        })
        .closed();
        assert!(ball.volume() > 0.0);
        assert!(ball.vertices.iter().all(|v| v.normal.dot(v.position) > 9.0));
    }
}
