//! Lines as PPSSPP walks them: from the first end, in equal steps (spec/ppsspp-profile.md §9.2).

use super::PpssppRules;
use crate::draw::ScreenVertex;
use crate::setup::{Attributes, Primitive, Setup, component, position};
use crate::state::StateFlags;

/// Alpha of an antialiased line.
const ANTIALIASED_ALPHA: u32 = 0x7F00_0000;

/// The bits of alpha.
const ALPHA: u32 = 0xFF00_0000;

/// The walk along a line.
#[derive(Clone, Copy, Debug)]
struct Walk<'a> {
    ends: [&'a ScreenVertex; 2],
    steps: i64,
    /// Changes of column and row in a step, in sub units.
    step: [f64; 2],
}

impl Walk<'_> {
    /// The mean of two values after a number of steps from the first to the second.
    fn mean(&self, index: i64, a: f32, b: f32) -> f32 {
        (a * (self.steps - index) as f32 + b * index as f32) / self.steps as f32
    }

    fn color(&self, index: i64, a: u32, b: u32) -> u32 {
        let part = |part: usize| {
            let [a, b] = [a, b].map(|color| i64::from(component(color, part)));
            ((a * (self.steps - index) + b * index) / self.steps) as u8
        };
        u32::from_le_bytes([0, 1, 2, 3].map(part))
    }

    /// Texture coordinates after a number of steps.
    fn coordinates(&self, index: i64, through: bool, projected: bool) -> [f32; 2] {
        let [a, b] = self.ends;
        if through {
            return [self.mean(index, a.s, b.s), self.mean(index, a.t, b.t)];
        }
        let rest = (self.steps - index) as f32 / self.steps as f32;
        let (weight_a, weight_b) = (rest / a.w, (1.0 - rest) / b.w);
        let divisor = if projected {
            a.q * weight_a + b.q * weight_b
        } else {
            weight_a + weight_b
        };
        let reciprocal = 1.0 / divisor;
        [(a.s, b.s), (a.t, b.t)].map(|(a, b)| (a * weight_a + b * weight_b) * reciprocal)
    }
}

impl Setup<'_, PpssppRules> {
    /// Sets up a line: a pixel for each step, the last end left out.
    pub(super) fn stepped_line(
        &self,
        ends: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        mut emit: impl FnMut(Primitive),
    ) {
        let [(xa, ya), (xb, yb)] = ends.map(position);
        let (dx, dy) = (xb - xa, yb - ya);
        let steps = dx.abs().max(dy.abs()) / 16;
        if steps == 0 {
            return;
        }
        let shortened = |distance: i64| {
            if (-16..0).contains(&distance) {
                distance + 1
            } else {
                distance
            }
        };
        let walk = Walk {
            ends,
            steps,
            step: [dx, dy].map(|distance| shortened(distance) as f64 / steps as f64),
        };
        let [a, b] = ends;
        let mut at = [(xa, xb), (ya, yb)].map(|(a, b)| (a - i64::from(a > b)) as f64);
        let mut z = f64::from(a.z.min(0xFFFF));
        let z_step = (f64::from(b.z.min(0xFFFF)) - z) / steps as f64;
        let (first, end) = self.seen_steps(&walk, at);
        if first > 0 {
            at = [0, 1].map(|axis: usize| at[axis] + first as f64 * walk.step[axis]);
            z += first as f64 * z_step;
        }
        for index in first..end {
            let [x, y] = at.map(|coordinate| coordinate as i64 >> 4);
            let inside = (xa.min(xb) >> 4..=xa.max(xb) >> 4).contains(&x)
                && (ya.min(yb) >> 4..=ya.max(yb) >> 4).contains(&y);
            if inside {
                self.step_pixel(
                    &walk,
                    index,
                    [x as i32, y as i32],
                    z as u32,
                    attributes,
                    &mut emit,
                );
            }
            // Added up step by step: the sums' own rounding decides where a row begins.
            at = [0, 1].map(|axis: usize| at[axis] + walk.step[axis]);
            z += z_step;
        }
    }

    /// The steps that may lie on the screen, by the axis along which the line is longer.
    fn seen_steps(&self, walk: &Walk<'_>, at: [f64; 2]) -> (i64, i64) {
        let axis = usize::from(walk.step[0].abs() < walk.step[1].abs());
        let (start, end) = match axis {
            0 => (self.clip.left, self.clip.right),
            _ => (self.clip.top, self.clip.bottom),
        };
        let step_at = |pixel: i32| (16.0 * f64::from(pixel) - at[axis]) / walk.step[axis];
        let (one, other) = (step_at(start), step_at(end));
        // Two more on both sides, for all roundings.
        let first = one.min(other).floor() as i64 - 2;
        let end = one.max(other).ceil() as i64 + 2;
        (first.clamp(0, walk.steps), end.clamp(0, walk.steps))
    }

    fn step_pixel(
        &self,
        walk: &Walk<'_>,
        index: i64,
        [x, y]: [i32; 2],
        z: u32,
        attributes: &mut Attributes,
        emit: &mut impl FnMut(Primitive),
    ) {
        let [a, b] = walk.ends;
        let mut vertex = ScreenVertex { z, ..*b };
        if self.gouraud {
            vertex.color = walk.color(index, a.color, b.color);
            vertex.secondary = walk.color(index, a.secondary, b.secondary);
        }
        let antialiased = self.state.flags.contains(StateFlags::ANTIALIAS);
        // Blending by an alpha that is 255 everywhere is switched off before the alpha changes
        // (spec/ppsspp-profile.md §10.1).
        let opaque = self.texture.is_none() && a.color & b.color >= ALPHA;
        if antialiased && !opaque {
            vertex.color = vertex.color & 0x00FF_FFFF | ANTIALIASED_ALPHA;
        }
        vertex.fog = walk.mean(index, a.fog, b.fog);
        vertex.w = walk.mean(index, a.w, b.w);
        let Some(mut record) = self.pixel(x, y, &vertex) else {
            return;
        };
        let through = self.is_through();
        let projected = self.state.flags.contains(StateFlags::PROJECTED) && !through;
        let here = walk.coordinates(index, through, projected);
        let next = walk.coordinates(index + 1, through, projected);
        let change = [0, 1].map(|axis: usize| {
            let change = 16.0 * f64::from(next[axis] - here[axis]) / walk.step[axis];
            if walk.step[axis] == 0.0 { 0.0 } else { change }
        });
        let mut coordinates = here.map(f64::from);
        if let (true, Some(texture)) = (antialiased, self.texture) {
            let size = match through {
                true => {
                    [texture.first.log2_width, texture.first.log2_height].map(|log2| f64::from(1u32 << log2))
                }
                false => [1.0; 2],
            };
            coordinates = [(x, 0), (y, 1)].map(|(pixel, axis): (i32, usize)| {
                (f64::from(pixel) + walk.step[axis] / 32.0) / 512.0 * size[axis]
            });
        }
        self.pixel_coordinates(coordinates, change, vertex.w, attributes, &mut record);
        emit(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Subpixel;
    use crate::state::{PixelState, Scissor};

    fn pixels(from: (f32, f32), to: (f32, f32)) -> Vec<(u16, u16)> {
        let state = PixelState {
            scissor: Scissor {
                left: 0,
                top: 0,
                right: 479,
                bottom: 271,
            },
            depth_maximum: 0xFFFF,
            ..PixelState::default()
        };
        let vertex = |(x, y): (f32, f32)| ScreenVertex {
            x: Subpixel((16.0 * x) as i32),
            y: Subpixel((16.0 * y) as i32),
            w: 1.0,
            q: 1.0,
            ..ScreenVertex::default()
        };
        let ends = [vertex(from), vertex(to)];
        let mut pixels = Vec::new();
        let setup = Setup::<PpssppRules>::new(&state, None);
        setup.line(ends.each_ref(), &mut Attributes::default(), |record| {
            pixels.push((record.left, record.top))
        });
        pixels
    }

    #[test]
    fn the_last_end_is_left_out() {
        assert_eq!(pixels((14.0, 10.0), (16.0, 10.0)), [(14, 10), (15, 10)]);
        assert_eq!(pixels((24.0, 10.0), (22.0, 10.0)), [(23, 10), (22, 10)]);
        assert_eq!(pixels((10.5, 3.5), (10.5, 5.5)), [(10, 3), (10, 4)]);
        assert!(pixels((10.0, 3.0), (10.9, 3.9)).is_empty());
    }

    #[test]
    fn ends_far_away_are_cut_before_they_are_walked() {
        let seen = pixels((-30_000.0, -30_000.0), (30_000.0, 30_000.0));
        assert_eq!(seen.len(), 272);
        assert_eq!((seen[0], seen[271]), ((0, 0), (271, 271)));
    }
}
