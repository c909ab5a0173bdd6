//! Rectangles (spec/ppsspp-profile.md §5).

use super::PpssppRules;
use super::sprite::Sprite;
use super::stepped_rectangle::{Rounding, Steps};
use crate::draw::ScreenVertex;
use crate::setup::planes::Slope;
use crate::setup::{
    Attributes, PixelRectangle, Primitive, Setup, affine_corners, first_sample_from, position,
};
use crate::state::StateFlags;

impl Setup<'_, PpssppRules> {
    /// The two triangles that PPSSPP draws in place of a rectangle with projected texture coordinates
    /// (spec/ppsspp-profile.md §5.1); none for other rectangles.
    pub(super) fn projected_rectangle(&self, vertices: [&ScreenVertex; 2]) -> Option<[[ScreenVertex; 3]; 2]> {
        let projected =
            self.texture.is_some() && self.state.flags.contains(StateFlags::PROJECTED) && !self.is_through();
        if !projected {
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

    /// Whether a rectangle covers a pixel more than before `end`: the second pixel of a quad is covered by an edge that
    /// lies on its sample (spec/ppsspp-profile.md §5.2).
    pub(super) fn is_extended(&self, (c0, c1): (i64, i64), clip: i32, end: i32) -> bool {
        let flags = self.state.flags;
        let clears = flags.contains(StateFlags::CLEAR)
            && flags.contains(StateFlags::THROUGH)
            && !flags.contains(StateFlags::DITHER);
        let on_sample = c0.max(c1) == 16 * i64::from(end) + 8;
        let odd = (end - first_sample_from(c0.min(c1)).max(clip)) & 1 == 1;
        !clears && on_sample && odd
    }

    /// The records of a rectangle's parts.
    pub(super) fn stepped_rectangle(
        &self,
        rectangle: PixelRectangle,
        fog_factor: f32,
        vertices: [&ScreenVertex; 2],
        attributes: &mut Attributes,
        mut emit: impl FnMut(Primitive),
    ) {
        let sprite = self
            .texture
            .and_then(|texture| Sprite::of(self, texture, vertices));
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

    /// The steps in which PPSSPP walks a rectangle's coordinates, across and down; none where it does not, or where a
    /// coordinate is not finite.
    fn rectangle_steps(&self, rectangle: PixelRectangle, [v0, v1]: [&ScreenVertex; 2]) -> Option<[Steps; 2]> {
        let texture = self.texture?;
        let scales = self.scales(texture);
        let [(x0, y0), (x1, y1)] = [v0, v1].map(position);
        let turned = (x1 > x0) != (y1 > y0);
        let rounding = match self.state.flags.contains(StateFlags::CUT_COORDINATES) {
            true => Rounding::Down,
            false => Rounding::Nearest,
        };
        let steps = |axis: usize, is_across: bool| {
            let (c0, c1, pixels) = match is_across {
                true => (x0, x1, rectangle.left..rectangle.right),
                false => (y0, y1, rectangle.top..rectangle.bottom),
            };
            let [from, to] = [v0, v1].map(|vertex| if axis == 0 { vertex.s } else { vertex.t });
            let corners = [f64::from(from), f64::from(to)];
            let [first, last] = affine_corners(corners, 1.0, scales[axis])?;
            let distance = c1 - c0;
            let sample = 16 * i64::from(pixels.start) + 8;
            let exact = match is_across {
                true => Slope::across(first, last, distance).plane(first, sample - c0, 0),
                false => Slope::along(first, last, distance).plane(first, 0, sample - c0),
            };
            let ends = if c0 <= c1 { (from, to) } else { (to, from) };
            Some(Steps::new(
                pixels,
                ends,
                (distance.abs(), sample - c0.min(c1)),
                scales[axis],
                (exact, is_across),
                rounding,
            ))
        };
        let (across, down) = if turned { (1, 0) } else { (0, 1) };
        Some([steps(across, true)?, steps(down, false)?])
    }
}
