//! Depth over triangles in single precision, as PPSSPP has it (spec/ppsspp-profile.md §4.3, §4.5).
//!
//! Where the noise of the mean rounds to another depth than the exact plane does, surfaces that tie in depth are decided
//! the other way. Such pixels are cut out of the triangle: the parts around them are records of their own with the same
//! planes, the pixel is one with a plane of its own depth. So what crosses into the kernels stays planes of integers.

use std::ops::Range;

use super::PpssppRules;
use crate::draw::ScreenVertex;
use crate::setup::{Attributes, EdgeBases, PixelRectangle, Primitive, Setup, position};
use crate::state::StateFlags;

/// Fraction bits of depth planes.
const FRACTION: u32 = 14;
/// The mean is computed where the plane comes as near as this to the next depth. Its noise is below 2^-6, four roundings
/// of 24 bits; the plane's gradients make up less than 2^-5 over a screen.
const NEAR: i32 = 1 << (FRACTION - 4);
/// Pixels that are cut out of a triangle at most, so that its parts fit the room for attributes.
const MOST_PIXELS: usize = 256;

/// A pixel and its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Exception {
    x: i32,
    y: i32,
    depth: u16,
}

impl Setup<'_, PpssppRules> {
    /// The parts of a triangle: several where its depth is not that of a plane, or its quads begin anew.
    pub(super) fn single_depth_parts(
        &self,
        (triangle, bases): (Primitive, EdgeBases),
        vertices: [&ScreenVertex; 3],
        attributes: &mut Attributes,
        mut emit: impl FnMut(Primitive, EdgeBases),
    ) {
        let uses_depth = self.state.flags.contains(StateFlags::DEPTH_TEST)
            && !self.state.flags.contains(StateFlags::CLEAR);
        let is_flat = triangle.depth.right | triangle.depth.down == 0;
        let is_planar = !uses_depth || is_flat;
        let mean = (!is_planar).then(|| DepthMean::new(vertices));
        for record in self.banded(triangle, attributes) {
            let Some(mean) = &mean else {
                emit(record, bases);
                continue;
            };
            let exceptions = exceptions(&record, bases, mean);
            for (rectangle, depth) in parts(&record, &exceptions) {
                let mut part = record.part(rectangle, attributes);
                if let Some(depth) = depth {
                    part.depth.base = i32::from(depth) << FRACTION;
                }
                emit(part, bases);
            }
        }
    }
}

/// The mean of a triangle's depths, weighted by single-precision edges.
struct DepthMean {
    depths: [f32; 3],
    /// The weight of each corner at pixel (0, 0), and its changes per pixel to the right and down.
    weights: [[i64; 3]; 3],
    reciprocal: f32,
}

impl DepthMean {
    /// The corners stand in the order of PPSSPP's slots, turned around if that is counter-clockwise.
    fn new(vertices: [&ScreenVertex; 3]) -> Self {
        // PPSSPP's sample (spec/ppsspp-profile.md §4.1).
        const SAMPLE: i64 = 7;
        let area =
            |[(x0, y0), (x1, y1), (x2, y2)]: [(i64, i64); 3]| (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
        let [a, b, c] = vertices;
        let clockwise = match area(vertices.map(position)) {
            0.. => [a, b, c],
            _ => [c, b, a],
        };
        let corners = clockwise.map(position);
        let weights = [0, 1, 2].map(|corner| {
            let ((px, py), (qx, qy)) = (corners[(corner + 1) % 3], corners[(corner + 2) % 3]);
            let (dx, dy) = (qx - px, qy - py);
            [dx * (SAMPLE - py) - dy * (SAMPLE - px), -16 * dy, 16 * dx]
        });
        Self {
            depths: clockwise.map(|vertex| vertex.z.min(0xFFFF) as f32),
            weights,
            reciprocal: 1.0 / area(corners) as f32,
        }
    }

    fn at(&self, x: i32, y: i32) -> u16 {
        let [w0, w1, w2] = self
            .weights
            .map(|[base, right, down]| (base + right * i64::from(x) + down * i64::from(y)) as f32);
        let [z0, z1, z2] = self.depths;
        (((z0 * w0 + z1 * w1) + z2 * w2) * self.reciprocal).round_ties_even() as u16
    }
}

/// The covered pixels at which the mean is another depth than the plane's, row by row.
fn exceptions(record: &Primitive, bases: EdgeBases, mean: &DepthMean) -> Vec<Exception> {
    let mut found = Vec::new();
    let plane = record.depth;
    for y in i32::from(record.top)..i32::from(record.bottom) {
        let columns = covered_columns(record, bases, y);
        let mut value = plane.at(columns.start - i32::from(record.left), y - i32::from(record.top));
        for x in columns {
            let fraction = value & ((1 << FRACTION) - 1);
            if !(NEAR..(1 << FRACTION) - NEAR).contains(&fraction) {
                let depth = mean.at(x, y);
                if i32::from(depth) != (value >> FRACTION).clamp(0, 0xFFFF) {
                    found.push(Exception { x, y, depth });
                    if found.len() == MOST_PIXELS {
                        return found;
                    }
                }
            }
            value = value.wrapping_add(plane.right);
        }
    }
    found
}

/// The columns of a row at which no edge is negative.
fn covered_columns(record: &Primitive, bases: EdgeBases, y: i32) -> Range<i32> {
    let (mut first, mut last) = (i64::from(record.left), i64::from(record.right) - 1);
    for (step, base) in record.edges.iter().zip(bases) {
        let (value, right) = (base + i64::from(step.down) * i64::from(y), i64::from(step.right));
        match right {
            0 if value < 0 => return 0..0,
            0 => {}
            1.. => first = first.max(-value.div_euclid(right)),
            _ => last = last.min(value.div_euclid(-right)),
        }
    }
    first as i32..(last + 1).max(first) as i32
}

/// The pixels of a record in parts, row by row; each exception is one of its own, with its depth.
fn parts(record: &Primitive, exceptions: &[Exception]) -> Vec<(PixelRectangle, Option<u16>)> {
    let mut rest = record.rectangle();
    let mut parts = Vec::new();
    for row in exceptions.chunk_by(|a, b| a.y == b.y) {
        let y = row[0].y;
        parts.push((PixelRectangle { bottom: y, ..rest }, None));
        let mut rest_of_row = PixelRectangle {
            top: y,
            bottom: y + 1,
            ..rest
        };
        for &Exception { x, depth, .. } in row {
            parts.push((
                PixelRectangle {
                    right: x,
                    ..rest_of_row
                },
                None,
            ));
            let pixel = PixelRectangle {
                left: x,
                right: x + 1,
                ..rest_of_row
            };
            parts.push((pixel, Some(depth)));
            rest_of_row.left = x + 1;
        }
        parts.push((rest_of_row, None));
        rest.top = y + 1;
    }
    parts.push((rest, None));
    parts.retain(|(rectangle, _)| !rectangle.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Subpixel;
    use crate::setup::{HardwareRules, Rules, TextureScale, whole_frame};
    use crate::state::LevelSize;
    use proptest::prelude::*;

    fn vertices(corners: [(i32, i32); 3], depths: [u32; 3]) -> [ScreenVertex; 3] {
        [0, 1, 2].map(|index| ScreenVertex {
            x: Subpixel(corners[index].0),
            y: Subpixel(corners[index].1),
            z: depths[index],
            color: depths[index].wrapping_mul(0x9E37_79B1),
            fog: depths[index] as f32 / 65536.0,
            s: index as f32,
            t: 0.3 * index as f32,
            q: 1.0,
            w: 1.0 + index as f32,
            ..ScreenVertex::default()
        })
    }

    /// The formula of spec/ppsspp-profile.md §4.3 and §4.5, for a triangle that is clockwise on the screen.
    fn depth(vertices: &[ScreenVertex; 3], x: i32, y: i32) -> u16 {
        let edge = |from: usize, to: usize| {
            let [(px, py), (qx, qy)] = [from, to].map(|index| (vertices[index].x.0, vertices[index].y.0));
            (qx - px) * (16 * y + 7 - py) - (qy - py) * (16 * x + 7 - px)
        };
        let weights = [edge(1, 2), edge(2, 0), edge(0, 1)];
        let area: i32 = weights.iter().sum();
        let [a, b, c] = [0, 1, 2].map(|index| vertices[index].z as f32 * weights[index] as f32);
        ((a + b + c) * (1.0 / area as f32)).round_ties_even() as u16
    }

    proptest! {
        #[test]
        fn every_pixel_has_the_depth_of_singles(
            corners in prop::array::uniform3((0i32..6000, 0i32..4000)),
            depths in prop::array::uniform3(0u32..65536),
        ) {
            let [a, b, c] = vertices(corners, depths);
            let turn = (b.x.0 - a.x.0) * (c.y.0 - a.y.0) - (b.y.0 - a.y.0) * (c.x.0 - a.x.0);
            prop_assume!(turn.abs() > 4096);
            let vertices = if turn > 0 { [a, b, c] } else { [c, b, a] };
            let flags = StateFlags::DEPTH_TEST
                .with(StateFlags::GOURAUD, true)
                .with(StateFlags::FOG, true)
                .with(StateFlags::TEXTURE, true);
            let state = whole_frame(flags);
            let size = LevelSize { log2_width: 6, log2_height: 5 };
            let texture = TextureScale { first: size, largest: size };
            let setup = Setup::<PpssppRules>::new(&state, Some(texture));
            let mut attributes = Attributes::default();
            let mut parts = Vec::new();
            setup.triangle_parts([&a, &b, &c], &mut attributes, |part, _| parts.push(part));
            let Some((whole, bases)) = setup.triangle([&a, &b, &c], &mut attributes) else {
                prop_assert!(parts.is_empty());
                return Ok(());
            };
            prop_assume!(parts.len() < MOST_PIXELS);
            let mut covered = 0;
            for part in &parts {
                for y in i32::from(part.top)..i32::from(part.bottom) {
                    for x in covered_columns(part, bases, y) {
                        let at = (x - i32::from(part.left), y - i32::from(part.top));
                        prop_assert_eq!(part.depth.at(at.0, at.1) >> FRACTION, i32::from(depth(&vertices, x, y)));
                        covered += 1;
                        // All else is the whole triangle's.
                        let from = (x - i32::from(whole.left), y - i32::from(whole.top));
                        let [ours, theirs] = [part, &whole].map(|record| {
                            (
                                attributes.gouraud[record.gouraud as usize],
                                attributes.perspective[record.coordinates as usize],
                                attributes.planes[record.fog as usize],
                            )
                        });
                        prop_assert_eq!(ours.0.primary[1].at(at.0, at.1), theirs.0.primary[1].at(from.0, from.1));
                        prop_assert_eq!(ours.1.numerators[1].at(at.0, at.1), theirs.1.numerators[1].at(from.0, from.1));
                        prop_assert_eq!(ours.1.denominator.at(at.0, at.1), theirs.1.denominator.at(from.0, from.1));
                        prop_assert_eq!(ours.2.at(at.0, at.1), theirs.2.at(from.0, from.1));
                    }
                }
            }
            let rows = i32::from(whole.top)..i32::from(whole.bottom);
            let all: usize = rows.map(|y| covered_columns(&whole, bases, y).len()).sum();
            prop_assert_eq!(covered, all);
        }
    }

    #[test]
    fn hardware_has_a_plane() {
        let corners = vertices([(0, 0), (4000, 100), (300, 4000)], [1, 65_000, 30_000]);
        fn count<R: Rules>(corners: &[ScreenVertex; 3], flags: StateFlags) -> u32 {
            let state = whole_frame(flags);
            let mut parts = 0;
            Setup::<R>::new(&state, None).triangle_parts(
                corners.each_ref(),
                &mut Attributes::default(),
                |_, _| parts += 1,
            );
            parts
        }
        assert_eq!(count::<HardwareRules>(&corners, StateFlags::DEPTH_TEST), 1);
        assert_eq!(count::<PpssppRules>(&corners, StateFlags::empty()), 1);
        assert!(count::<PpssppRules>(&corners, StateFlags::DEPTH_TEST) > 1);
    }
}
