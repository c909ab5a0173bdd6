//! Rectangles (spec/ge-raster.md §6). All flat attributes are the second vertex's.

use super::record::{Attributes, Primitive};
use super::{PixelRectangle, Rules, Setup, first_sample_from, fog, position};
use crate::draw::ScreenVertex;

/// Fog factors that differ by no more than this are taken as one (spec/ge-raster.md §6.4).
const FOG_TOLERANCE: f32 = 1.0 / 510.0;

impl<R: Rules> Setup<'_, R> {
    /// Sets up a rectangle: one record; two where the fog splits it; none if it covers no pixel of the scissor's
    /// rectangle.
    pub(crate) fn rectangle(
        &self,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        mut emit: impl FnMut(Primitive),
    ) {
        let [v0, v1] = vertices;
        let [(x0, y0), (x1, y1)] = vertices.map(position);
        let (left, right) = (first_sample_from(x0.min(x1)), self.end((x0, x1), self.clip.left));
        let (top, bottom) = (first_sample_from(y0.min(y1)), self.end((y0, y1), self.clip.top));
        let rectangle = PixelRectangle {
            left,
            top,
            right,
            bottom,
        };
        if rectangle.intersection(self.clip).is_empty() || self.refuses(v1.z) {
            return;
        }
        if !self.fog || (v0.fog - v1.fog).abs() <= FOG_TOLERANCE || v0.fog == v1.fog {
            let rectangle = rectangle.intersection(self.clip);
            R::rectangle_parts(self, rectangle, v1.fog, vertices, attributes, emit);
            return;
        }
        // The half next to a vertex has the other vertex's fog; where exactly they meet is unverified.
        let middle = first_sample_from(x0 + (x1 - x0) / 2);
        let first_is_left = x0 < x1;
        let left_half = PixelRectangle {
            right: middle,
            ..rectangle
        };
        let right_half = PixelRectangle {
            left: middle,
            ..rectangle
        };
        for (half, is_first) in [(left_half, first_is_left), (right_half, !first_is_left)] {
            let half = half.intersection(self.clip);
            if !half.is_empty() {
                let factor = if is_first { v1.fog } else { v0.fog };
                R::rectangle_parts(self, half, factor, vertices, attributes, &mut emit);
            }
        }
    }

    /// The triangles that are drawn in place of a rectangle, where they are.
    #[inline]
    pub(crate) fn rectangle_as_triangles(
        &self,
        vertices: [&ScreenVertex; 2],
    ) -> Option<[[ScreenVertex; 3]; 2]> {
        R::rectangle_as_triangles(self, vertices)
    }

    /// The pixel after the last between two coordinates, of those from `clip` on.
    fn end(&self, (c0, c1): (i64, i64), clip: i32) -> i32 {
        let end = first_sample_from(c0.max(c1));
        end + R::rectangle_extension(self, (c0, c1), clip, end)
    }

    pub(crate) fn rectangle_record(
        &self,
        rectangle: PixelRectangle,
        fog_factor: f32,
        flat: &ScreenVertex,
    ) -> Primitive {
        let mut record = self.flat_record(rectangle, flat);
        if self.fog {
            record.fog = fog::level(fog_factor);
        }
        record
    }

    /// The record of a part, with corrections of the coordinates that run across and down.
    pub(crate) fn rectangle_part(
        &self,
        rectangle: PixelRectangle,
        fog_factor: f32,
        vertices: [&ScreenVertex; 2],
        corrections: [i64; 2],
        attributes: &mut Attributes,
    ) -> Primitive {
        let [(x0, y0), (x1, y1)] = vertices.map(position);
        let mut record = self.rectangle_record(rectangle, fog_factor, vertices[1]);
        self.rectangle_coordinates(
            (x1 - x0, 16 * i64::from(rectangle.left) + 8 - x0),
            (y1 - y0, 16 * i64::from(rectangle.top) + 8 - y0),
            vertices,
            corrections,
            attributes,
            &mut record,
        );
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Subpixel;
    use crate::setup::HardwareRules;
    use crate::state::{PixelState, Scissor, StateFlags};

    fn rectangles(state: &PixelState, vertices: [ScreenVertex; 2]) -> Vec<Primitive> {
        let mut records = Vec::new();
        let setup = Setup::<HardwareRules>::new(state, None);
        setup.rectangle(vertices.each_ref(), &mut Attributes::default(), |record| {
            records.push(record)
        });
        records
    }

    fn vertex(x: f32, y: f32, fog: f32) -> ScreenVertex {
        let sub = |coordinate: f32| Subpixel((coordinate * 16.0) as i32);
        ScreenVertex {
            x: sub(x),
            y: sub(y),
            fog,
            w: 1.0,
            q: 1.0,
            ..ScreenVertex::default()
        }
    }

    fn state() -> PixelState {
        PixelState {
            scissor: Scissor {
                left: 0,
                top: 0,
                right: 479,
                bottom: 271,
            },
            depth_maximum: 0xFFFF,
            flags: StateFlags::FOG,
            ..PixelState::default()
        }
    }

    #[test]
    fn covers_samples_from_the_smaller_to_before_the_larger() {
        // spec/ge-raster.md §6.1.
        let records = rectangles(&state(), [vertex(48.75, 98.8125, 1.0), vertex(9.375, 59.5, 1.0)]);
        let [record] = records[..] else {
            panic!("{records:?}")
        };
        assert_eq!(
            (record.left, record.right, record.top, record.bottom),
            (9, 49, 59, 99)
        );
        assert!(rectangles(&state(), [vertex(5.0, 5.0, 1.0), vertex(5.0, 9.0, 1.0)]).is_empty());
    }

    #[test]
    fn fog_splits_at_the_middle_and_crosses_over() {
        let records = rectangles(&state(), [vertex(0.0, 0.0, 1.0), vertex(10.0, 4.0, 0.5)]);
        let [left, right] = records[..] else {
            panic!("{records:?}")
        };
        assert_eq!((left.left, left.right, left.fog), (0, 5, 128));
        assert_eq!((right.left, right.right, right.fog), (5, 10, 255));
        assert_eq!(
            rectangles(&state(), [vertex(0.0, 0.0, 0.5), vertex(10.0, 4.0, 0.501)]).len(),
            1
        );
    }
}
