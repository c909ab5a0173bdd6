//! Points and lines (spec/ge-raster.md §4, §5): each of their pixels becomes a rectangle of one pixel.

use super::planes::Plane32;
use super::reciprocal;
use super::record::{Attributes, Primitive};
use super::{PixelRectangle, Rules, Setup, component, fog, position};
use crate::draw::ScreenVertex;
use crate::state::StateFlags;

/// What lies between the two ends of a line, at a place of it.
#[derive(Clone, Copy, Debug)]
struct Between {
    /// From the end with the smaller major coordinate, in sub units.
    from_start: i64,
    /// Between the ends, in sub units.
    length: i64,
}

impl Between {
    fn fraction(self) -> f64 {
        self.from_start as f64 / self.length as f64
    }

    fn linear(self, start: f64, end: f64) -> f64 {
        start + (end - start) * self.fraction()
    }

    /// A colour component: the plane of §7.1 in one dimension, anchored at the start (spec/ge-raster.md §5.3, hw:
    /// primitives/bezier drawn as lines).
    fn color(self, start: u8, end: u8) -> u8 {
        let (start, end) = (i64::from(start), i64::from(end));
        let reciprocal = reciprocal::truncated(self.length as u64);
        let gradient = (((end - start) * i64::from(reciprocal.mantissa)) << 14) >> reciprocal.shift;
        (((start << 14) + gradient * self.from_start) >> 14).clamp(0, 255) as u8
    }

    fn colors(self, start: u32, end: u32) -> u32 {
        let bytes = [0, 1, 2, 3].map(|index| self.color(component(start, index), component(end, index)));
        u32::from_le_bytes(bytes)
    }
}

impl<R: Rules> Setup<'_, R> {
    /// Sets up a point: the pixel that its coordinates lie in.
    pub(crate) fn point(
        &self,
        vertex: &ScreenVertex,
        attributes: &mut Attributes,
        mut emit: impl FnMut(Primitive),
    ) {
        let (x, y) = position(vertex);
        let Some(mut record) = self.pixel((x >> 4) as i32, (y >> 4) as i32, vertex) else {
            return;
        };
        let projected = self.state.flags.contains(StateFlags::PROJECTED) && !self.is_through();
        let q = if projected { f64::from(vertex.q) } else { 1.0 };
        let coordinates = [f64::from(vertex.s) / q, f64::from(vertex.t) / q];
        self.pixel_coordinates(coordinates, [0.0; 2], vertex.w, attributes, &mut record);
        emit(record);
    }

    /// Sets up a line.
    pub(crate) fn line(
        &self,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        emit: impl FnMut(Primitive),
    ) {
        R::line(self, vertices, attributes, emit);
    }

    /// Sets up a line as hardware draws it: along the longer axis, each pixel whose centre lies between the ends, both included.
    ///
    /// Its colours are known; depth, fog and texture coordinates follow the same parameter, and the level of detail
    /// their mean change, which is unverified (spec/ge-raster.md §5.3). Antialiasing is ignored (§5.4).
    pub(crate) fn interpolated_line(
        &self,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        mut emit: impl FnMut(Primitive),
    ) {
        let [a, b] = vertices.map(position);
        let is_flat = (b.0 - a.0).abs() >= (b.1 - a.1).abs();
        let major = |(x, y): (i64, i64)| if is_flat { x } else { y };
        let minor = |(x, y): (i64, i64)| if is_flat { y } else { x };
        let last = vertices[1];
        let ([start, end], [from, to]) = if major(a) <= major(b) {
            (vertices, [a, b])
        } else {
            ([last, vertices[0]], [b, a])
        };
        let length = major(to) - major(from);

        let (clip_start, clip_end) = if is_flat {
            (self.clip.left, self.clip.right)
        } else {
            (self.clip.top, self.clip.bottom)
        };
        let first = (major(from) + 7) >> 4;
        let after_last = ((major(to) - 8) >> 4) + 1;
        for step in first.max(i64::from(clip_start))..after_last.min(i64::from(clip_end)) {
            // A line without length has no place between its ends; it covers one pixel if that is its centre.
            let between = Between {
                from_start: 16 * step + 8 - major(from),
                length: length.max(1),
            };
            let across = (minor(to) - minor(from)) * between.from_start;
            let other = (minor(from) + across.div_euclid(between.length)) >> 4;
            let (x, y) = if is_flat { (step, other) } else { (other, step) };
            let mut vertex = *last;
            vertex.z = between.linear(f64::from(start.z.min(0xFFFF)), f64::from(end.z.min(0xFFFF))) as u32;
            if self.gouraud {
                vertex.color = between.colors(start.color, end.color);
                vertex.secondary = between.colors(start.secondary, end.secondary);
            }
            vertex.fog = (between.linear(fog::scaled(start.fog), fog::scaled(end.fog)) / 256.0) as f32;
            vertex.w = between.linear(f64::from(start.w), f64::from(end.w)) as f32;
            let Some(mut record) = self.pixel(x as i32, y as i32, &vertex) else {
                continue;
            };
            let (coordinates, change) = self.line_coordinates(between, [start, end], [from, to]);
            self.pixel_coordinates(coordinates, change, vertex.w, attributes, &mut record);
            emit(record);
        }
    }

    /// s and t at a place of a line, and their mean changes per column and per row.
    fn line_coordinates(
        &self,
        between: Between,
        [start, end]: [&ScreenVertex; 2],
        [from, to]: [(i64, i64); 2],
    ) -> ([f64; 2], [f64; 2]) {
        let projected = self.state.flags.contains(StateFlags::PROJECTED) && !self.is_through();
        let weight = |vertex: &ScreenVertex| {
            if self.is_through() {
                1.0
            } else {
                1.0 / f64::from(vertex.w)
            }
        };
        let q = |vertex: &ScreenVertex| if projected { f64::from(vertex.q) } else { 1.0 };
        let divisor = between.linear(q(start) * weight(start), q(end) * weight(end));
        let at = |a: f32, b: f32| {
            between.linear(f64::from(a) * weight(start), f64::from(b) * weight(end)) / divisor
        };
        let per_pixel = |a: f32, b: f32, distance: i64| {
            let change = f64::from(b) / q(end) - f64::from(a) / q(start);
            if distance == 0 {
                0.0
            } else {
                16.0 * change / distance as f64
            }
        };
        (
            [at(start.s, end.s), at(start.t, end.t)],
            [
                per_pixel(start.s, end.s, to.0 - from.0),
                per_pixel(start.t, end.t, to.1 - from.1),
            ],
        )
    }

    /// The record of a pixel with the attributes of a vertex; none outside the scissor's rectangle or the depth
    /// range.
    pub(crate) fn pixel(&self, x: i32, y: i32, vertex: &ScreenVertex) -> Option<Primitive> {
        let rectangle = PixelRectangle {
            left: x,
            top: y,
            right: x + 1,
            bottom: y + 1,
        };
        if rectangle.intersection(self.clip).is_empty() || self.refuses(vertex.z.min(0xFFFF)) {
            return None;
        }
        Some(Primitive {
            depth: Plane32::flat((vertex.z.min(0xFFFF) << 14) as i32),
            ..self.flat_record(rectangle, vertex)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Subpixel;
    use crate::setup::HardwareRules;
    use crate::state::{PixelState, Scissor};

    fn state() -> PixelState {
        PixelState {
            scissor: Scissor {
                left: 0,
                top: 0,
                right: 1023,
                bottom: 1023,
            },
            depth_maximum: 0xFFFF,
            ..PixelState::default()
        }
    }

    fn vertex((x, y): (f32, f32)) -> ScreenVertex {
        let sub = |coordinate: f32| Subpixel((coordinate * 16.0) as i32);
        ScreenVertex {
            x: sub(x),
            y: sub(y),
            w: 1.0,
            q: 1.0,
            ..ScreenVertex::default()
        }
    }

    fn pixels(from: (f32, f32), to: (f32, f32)) -> Vec<(u16, u16)> {
        let mut pixels = Vec::new();
        let ends = [vertex(from), vertex(to)];
        let state = state();
        let setup = Setup::<HardwareRules>::new(&state, None);
        setup.line(ends.each_ref(), &mut Attributes::default(), |record| {
            pixels.push((record.left, record.top))
        });
        pixels
    }

    #[test]
    fn lines_cover_what_hardware_covers() {
        // spec/ge-raster.md §5.1.
        assert_eq!(pixels((14.0, 10.0), (16.0, 10.0)), [(14, 10), (15, 10)]);
        assert_eq!(pixels((24.0, 10.0), (22.0, 10.0)), [(22, 10), (23, 10)]);
        assert_eq!(pixels((9.375, 19.125), (11.25, 19.125)), [(9, 19), (10, 19)]);
        assert_eq!(pixels((16.0, 10.0), (16.0, 12.0)), [(16, 10), (16, 11)]);
        let column: Vec<_> = (10..50).map(|y| (150, y)).collect();
        assert_eq!(pixels((150.0, 10.0), (150.0, 50.0)), column);
    }

    #[test]
    fn long_slow_lines_step_where_they_cross_a_row() {
        let rows = |rise: f32| {
            let pixels = pixels((0.0, 5.0), (1000.0, 5.0 + rise));
            let steps: Vec<_> = pixels
                .windows(2)
                .filter(|pair| pair[0].1 != pair[1].1)
                .map(|pair| pair[1].0)
                .collect();
            (pixels.len(), steps)
        };
        assert_eq!(rows(1.0), (1000, vec![]));
        assert_eq!(rows(2.0), (1000, vec![500]));
        assert_eq!(rows(3.0), (1000, vec![333, 667]));
    }

    #[test]
    fn points_cover_the_pixel_they_lie_in() {
        let state = state();
        let mut records = Vec::new();
        let point = vertex((9.375, 19.125));
        Setup::<HardwareRules>::new(&state, None)
            .point(&point, &mut Attributes::default(), |record| records.push(record));
        assert_eq!((records.len(), records[0].left, records[0].top), (1, 9, 19));
    }

    #[test]
    fn ends_far_away_are_cut_before_they_are_walked() {
        let ends = [vertex((-30_000.0, -30_000.0)), vertex((30_000.0, 30_001.0))];
        let state = state();
        let mut count = 0;
        Setup::<HardwareRules>::new(&state, None)
            .line(ends.each_ref(), &mut Attributes::default(), |_| count += 1);
        assert!((1000..=1024).contains(&count));
    }
}
