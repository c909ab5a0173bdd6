//! The bounding box test (`spec/ge-frontend.md §10`).

use vertex::CoordinateMode;

use crate::arithmetic::{Geometry, in_arithmetic, transform_projection};
use crate::command::Opcode;
use crate::draw::has_position;
use crate::list::BoundingBox;
use crate::report::Feature;
use crate::{Ge, Registers};

/// More vertices than this are not all looked at.
const WINDOW: u32 = 0x100;

/// Which of `count` vertices are looked at (hw: bounding/count).
const fn examined(count: u32) -> (u32, u32) {
    if count <= WINDOW {
        (0, count)
    } else {
        let first = count.saturating_sub(2 * WINDOW);
        (first, count - WINDOW)
    }
}

/// The planes of the drawing box.
#[derive(Clone, Copy, Debug)]
struct DrawingBox {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    scale: [f32; 3],
    center: [f32; 3],
}

impl DrawingBox {
    /// `None` where the box reaches past the screen, so that everything passes.
    fn of(registers: &Registers) -> Option<Self> {
        let [offset_x, offset_y] =
            [Opcode::OFFSETX, Opcode::OFFSETY].map(|opcode| registers.field(opcode, 15, 0) / 16);
        let [x1, y1] = registers.position(Opcode::SCISSOR1);
        let [x2, y2] = registers.position(Opcode::SCISSOR2);
        // Here, unlike in drawing, REGION1 is a minimum (hw: bounding/viewport).
        let [region_x1, region_y1] = registers.position(Opcode::REGION1);
        let [region_x2, region_y2] = registers.position(Opcode::REGION2);
        let (left, top) = (offset_x + x1.max(region_x1), offset_y + y1.max(region_y1));
        let (right, bottom) = (offset_x + x2.min(region_x2) + 1, offset_y + y2.min(region_y2) + 1);
        if right >= 4096 || bottom >= 4096 || left < 2 || top < 2 {
            return None;
        }
        Some(Self {
            left: (left - 1) as f32,
            right: right as f32,
            top: (top - 1) as f32,
            bottom: bottom as f32,
            scale: registers.floats(Opcode::VPSCALEX),
            center: registers.floats(Opcode::VPCENTERX),
        })
    }

    /// Which planes a clip position is inside of: left, right, top, bottom, near, far.
    fn inside<A: Geometry>(&self, [x, y, z, w]: [f32; 4]) -> [bool; 6] {
        let screen =
            |axis: usize, value: f32| A::add(A::mul(value, self.scale[axis]), A::mul(self.center[axis], w));
        let (x, y) = (screen(0, x), screen(1, y));
        [
            x >= A::mul(self.left, w),
            x <= A::mul(self.right, w),
            y >= A::mul(self.top, w),
            y <= A::mul(self.bottom, w),
            z >= -w,
            z <= w,
        ]
    }
}

impl Ge {
    /// BBOX: tests vertices and moves the pointers past all of them. `None` where there are no
    /// vertices to read, which hangs the machine (§1.3).
    pub(crate) fn test_bounding_box(&mut self, count: u32) -> Option<BoundingBox> {
        if count == 0 {
            return Some(BoundingBox::Outside);
        }
        let vertex_type = self.vertex_type();
        if vertex_type.mode() == CoordinateMode::Through {
            self.meet(Feature::BoundingBoxThrough);
        }
        if !has_position(vertex_type) {
            self.advance(vertex_type, count);
            return None;
        }
        let pointers = self.pointers;
        let (first, end) = examined(count);
        // The pointers move to the examined vertices, and then past all of them.
        self.advance(vertex_type, first);
        let fetched = self.fetch(vertex_type, end - first);
        self.pointers = pointers;
        if let Err(feature) = fetched {
            self.meet(feature);
            return None;
        }
        self.advance(vertex_type, count);
        self.update_derived(vertex_type.mode());
        let Some(drawing_box) = DrawingBox::of(&self.registers) else {
            return Some(BoundingBox::Inside);
        };
        let depth = self.registers.switch(Opcode::DEPTHCLAMP);
        let mut some_inside = [false, false, false, false, !depth, !depth];
        let vertices = &self.scratch.vertices;
        let positions = vertices.position()?;
        let mut examine = |row: usize| {
            let position = positions.map(|axis| axis.get(row).copied().unwrap_or_default());
            let inside = in_arithmetic!(self.profile, A => {
                drawing_box.inside::<A>(transform_projection::<A>(position, &self.derived.products.combined))
            });
            for (some, one) in some_inside.iter_mut().zip(inside) {
                *some |= one;
            }
        };
        if self.scratch.indices.is_empty() {
            (0..vertices.len()).for_each(&mut examine);
        } else {
            self.scratch.indices.iter().for_each(|&row| examine(row as usize));
        }
        Some(if some_inside.iter().all(|&inside| inside) {
            BoundingBox::Inside
        } else {
            BoundingBox::Outside
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_window_is_ignored_once_there_are_more() {
        assert_eq!(examined(0x100), (0, 0x100));
        assert_eq!(examined(0x101), (0, 1));
        assert_eq!(examined(0x1000), (0xE00, 0xF00));
        assert_eq!(examined(0xFFFF), (0xFDFF, 0xFEFF));
    }
}
