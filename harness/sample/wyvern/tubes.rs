//! Tubes along curves: limbs, fingers, toes; and the curved cones of horns and claws.

use glam::DVec3;

use crate::sample::math::{TAU, cos, profile, sin, spline};
use crate::sample::surface::{Surface, Vertex, Weights};

/// A station of a tube: the middle, and half the extents along and across the tube's hint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    pub(crate) centre: DVec3,
    /// Half extent across the hint.
    pub(crate) width: f64,
    /// Half extent along the hint.
    pub(crate) depth: f64,
}

/// A station from plain numbers: x, y, z, width, depth.
pub(crate) fn station([x, y, z, width, depth]: [f64; 5]) -> Station {
    Station {
        centre: DVec3::new(x, y, z),
        width,
        depth,
    }
}

/// A tube with elliptical cross sections.
pub(crate) struct Tube<'a> {
    pub(crate) stations: &'a [Station],
    /// Roughly the direction of the cross sections' second axis.
    pub(crate) hint: DVec3,
    /// Rings for one station's step.
    pub(crate) rings: usize,
    pub(crate) segments: usize,
    /// Texture coordinates from the station parameter and the share of a turn, 0 at the hint.
    pub(crate) uv: &'a dyn Fn(f64, f64) -> [f64; 2],
    pub(crate) weights: &'a dyn Fn(f64) -> Weights,
}

impl Tube<'_> {
    /// The tube's skin, both ends pulled to a point when `pointed`.
    pub(crate) fn surface(&self, pointed: bool) -> Surface {
        let steps = (self.stations.len() - 1) * self.rings;
        let caps = usize::from(pointed);
        let rows = steps + 1 + 2 * caps;
        Surface::grid(rows, self.segments + 1, |row, column| {
            let step = row.saturating_sub(caps).min(steps);
            let at = step as f64 / self.rings as f64;
            let cap = pointed && (row == 0 || row == rows - 1);
            self.corner(at, column as f64 / self.segments as f64, cap)
        })
        .closed()
    }

    fn corner(&self, at: f64, turn: f64, cap: bool) -> Vertex {
        let centres: Vec<DVec3> = self.stations.iter().map(|s| s.centre).collect();
        let measure = |get: fn(&Station) -> f64| {
            let table: Vec<(f64, f64)> = self
                .stations
                .iter()
                .enumerate()
                .map(|(i, s)| (i as f64, get(s)))
                .collect();
            profile(&table, at)
        };
        let ahead = spline(&centres, at + 0.05) - spline(&centres, at - 0.05);
        let ahead = ahead / ahead.length();
        let along = self.hint - ahead * ahead.dot(self.hint);
        let along = along / along.length();
        let across = along.cross(ahead);
        let (width, depth) = if cap {
            (0.0, 0.0)
        } else {
            (measure(|s| s.width), measure(|s| s.depth))
        };
        let rim = along * (depth * cos(turn * TAU)) + across * (width * sin(turn * TAU));
        Vertex {
            position: spline(&centres, at) + rim,
            uv: (self.uv)(at, turn),
            weights: (self.weights)(at),
            ..Vertex::default()
        }
    }
}

/// A curved cone: horn, claw, spine or tooth.
pub(crate) struct Cone {
    /// Base, one or more middles, point.
    pub(crate) path: Vec<DVec3>,
    pub(crate) width: f64,
    pub(crate) depth: f64,
    pub(crate) hint: DVec3,
    pub(crate) rows: usize,
    pub(crate) segments: usize,
    pub(crate) weights: Weights,
    /// The picture's row at the base: 1 for a whole horn, less for a tooth, which is all tip.
    pub(crate) root: f64,
}

impl Cone {
    /// The cone's skin; u runs round it, v from the base to the point (0).
    pub(crate) fn surface(&self) -> Surface {
        let last = (self.path.len() - 1) as f64;
        Surface::grid(self.rows + 1, self.segments + 1, |row, column| {
            let share = row as f64 / self.rows as f64;
            let turn = column as f64 / self.segments as f64;
            let ahead = spline(&self.path, share * last + 0.05) - spline(&self.path, share * last - 0.05);
            let ahead = ahead / ahead.length();
            let along = self.hint - ahead * ahead.dot(self.hint);
            let along = along / along.length();
            let across = along.cross(ahead);
            // Slightly convex, so that a horn does not look like a carrot.
            let thick = 1.0 - share * (0.72 + 0.28 * share);
            Vertex {
                position: spline(&self.path, share * last)
                    + along * (self.depth * thick * cos(turn * TAU))
                    + across * (self.width * thick * sin(turn * TAU)),
                uv: [turn, self.root * (1.0 - share)],
                weights: self.weights.clone(),
                ..Vertex::default()
            }
        })
        .closed()
    }
}
