//! Rectangles (spec/ge-raster.md §6). All flat attributes are the second vertex's.

use super::record::{Attributes, Primitive};
use super::sprite::Sprite;
use super::{PixelRectangle, Setup, first_sample_from, fog, position};
use crate::draw::ScreenVertex;
use crate::profile::Profile;
use crate::state::StateFlags;

/// Fog factors that differ by no more than this are taken as one (spec/ge-raster.md §6.4).
const FOG_TOLERANCE: f32 = 1.0 / 510.0;

impl Setup<'_> {
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
            self.rectangle_parts(rectangle, v1.fog, vertices, attributes, &mut emit);
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
            if !half.intersection(self.clip).is_empty() {
                let factor = if is_first { v1.fog } else { v0.fog };
                self.rectangle_parts(half, factor, vertices, attributes, &mut emit);
            }
        }
    }

    /// The two triangles that PPSSPP draws in place of a rectangle with projected texture coordinates
    /// (spec/ppsspp-profile.md §5.1); none for other rectangles.
    pub(crate) fn rectangle_as_triangles(
        &self,
        vertices: [&ScreenVertex; 2],
    ) -> Option<[[ScreenVertex; 3]; 2]> {
        let projected =
            self.texture.is_some() && self.state.flags.contains(StateFlags::PROJECTED) && !self.is_through();
        if self.profile == Profile::Hardware || !projected {
            return None;
        }
        let [v0, v1] = vertices;
        let (left, right) = if v0.x <= v1.x { (v0, v1) } else { (v1, v0) };
        let (top, bottom) = if v0.y <= v1.y { (v0, v1) } else { (v1, v0) };
        let corner = |column: &ScreenVertex, row: &ScreenVertex| ScreenVertex {
            x: column.x,
            y: row.y,
            s: column.s,
            t: row.t,
            q: column.q,
            ..*v1
        };
        let [top_left, top_right] = [left, right].map(|column| corner(column, top));
        let [bottom_left, bottom_right] = [left, right].map(|column| corner(column, bottom));
        Some([
            [top_left, top_right, bottom_left],
            [top_right, bottom_right, bottom_left],
        ])
    }

    /// The pixel after the last between two coordinates, of those from `clip` on.
    ///
    /// In PPSSPP's quads the second pixel is covered by an edge that lies on its sample
    /// (spec/ppsspp-profile.md §5.2).
    fn end(&self, (c0, c1): (i64, i64), clip: i32) -> i32 {
        let end = first_sample_from(c0.max(c1));
        let flags = self.state.flags;
        let clears = flags.contains(StateFlags::CLEAR)
            && flags.contains(StateFlags::THROUGH)
            && !flags.contains(StateFlags::DITHER);
        let on_sample = c0.max(c1) == 16 * i64::from(end) + 8;
        let odd = (end - first_sample_from(c0.min(c1)).max(clip)) & 1 == 1;
        end + i32::from(self.profile == Profile::Ppsspp && !clears && on_sample && odd)
    }

    /// The record of a rectangle; in the profile of PPSSPP a record for each of its parts.
    fn rectangle_parts(
        &self,
        rectangle: PixelRectangle,
        fog_factor: f32,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        emit: &mut impl FnMut(Primitive),
    ) {
        let rectangle = rectangle.intersection(self.clip);
        let sprite = match (self.profile, self.texture) {
            (Profile::Ppsspp, Some(texture)) => Sprite::of(self, texture, vertices),
            _ => None,
        };
        if let Some(sprite) = sprite {
            let mut record = self.rectangle_record(rectangle, fog_factor, vertices[1]);
            sprite.coordinates(self, attributes, &mut record);
            emit(record);
            return;
        }
        let Some([columns, rows]) = self.rectangle_steps(rectangle, vertices) else {
            emit(self.rectangle_part(rectangle, fog_factor, vertices, [0; 2], attributes));
            return;
        };
        for column in columns {
            for row in rows.clone() {
                let part = PixelRectangle {
                    left: column.pixels.start,
                    right: column.pixels.end,
                    top: row.pixels.start,
                    bottom: row.pixels.end,
                };
                let corrections = [column.correction, row.correction];
                emit(self.rectangle_part(part, fog_factor, vertices, corrections, attributes));
            }
        }
    }

    fn rectangle_record(&self, rectangle: PixelRectangle, fog_factor: f32, flat: &ScreenVertex) -> Primitive {
        let mut record = self.flat_record(rectangle, flat);
        if self.fog {
            record.fog = fog::level(fog_factor);
        }
        record
    }

    /// The record of a part, with corrections of the coordinates that run across and down.
    fn rectangle_part(
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
    use crate::setup::TextureScale;
    use crate::state::{LevelSize, PixelState, Scissor};

    fn rectangles(state: &PixelState, vertices: [ScreenVertex; 2]) -> Vec<Primitive> {
        rectangles_of(Profile::Hardware, state, vertices)
    }

    fn rectangles_of(profile: Profile, state: &PixelState, vertices: [ScreenVertex; 2]) -> Vec<Primitive> {
        let mut records = Vec::new();
        let setup = Setup::new(profile, state, None);
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
    fn projected_rectangles_are_triangles() {
        let projected = PixelState {
            flags: StateFlags::TEXTURE.with(StateFlags::PROJECTED, true),
            ..state()
        };
        let size = LevelSize::default();
        let texture = TextureScale {
            first: size,
            largest: size,
        };
        let ends = [vertex(9.0, 2.0, 1.0), vertex(1.0, 6.0, 0.5)];
        let triangles =
            |profile| Setup::new(profile, &projected, Some(texture)).rectangle_as_triangles(ends.each_ref());
        assert!(triangles(Profile::Hardware).is_none());
        let corners = triangles(Profile::Ppsspp).expect("two triangles");
        let places = corners.map(|corners| corners.map(|corner| (corner.x.0 / 16, corner.y.0 / 16)));
        assert_eq!(places, [[(1, 2), (9, 2), (1, 6)], [(9, 2), (9, 6), (1, 6)]]);
        assert!(corners.as_flattened().iter().all(|corner| corner.fog == 0.5));
    }

    #[test]
    fn an_edge_on_a_sample_covers_odd_pixels_of_quads() {
        // spec/ppsspp-profile.md §5.2.
        let extent = |state: &PixelState, right: f32, bottom: f32| {
            let vertices = [vertex(3.0, 4.0, 1.0), vertex(right, bottom, 1.0)];
            let records = rectangles_of(Profile::Ppsspp, state, vertices);
            (records[0].right, records[0].bottom)
        };
        assert_eq!(extent(&state(), 6.5, 7.5), (7, 8));
        assert_eq!(extent(&state(), 5.5, 6.5), (5, 6));
        assert_eq!(extent(&state(), 6.75, 7.25), (7, 7));
        let clear = PixelState {
            flags: StateFlags::CLEAR.with(StateFlags::THROUGH, true),
            ..state()
        };
        assert_eq!(extent(&clear, 6.5, 7.5), (6, 7));
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
