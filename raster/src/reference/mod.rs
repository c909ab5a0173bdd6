//! The reference kernel: what a primitive does to one pixel, stage by stage in the order of spec/ge-raster.md §11.1.
//!
//! This is the definition, written to be read. It knows no spans, masks or tiles and takes integers as wide as the exact
//! meaning asks; other kernels have arithmetic of their own and are tested against it. It also draws what they cannot:
//! targets whose pixels share bytes, and pixels whose history is written.

pub(crate) mod blend;
pub(crate) mod compare;
mod detail;
pub(crate) mod fog;
mod interpolate;
pub(crate) mod logic;
mod memory;
mod pipeline;
pub(crate) mod quotient;
pub(crate) mod stencil;
mod texel;
pub(crate) mod texture_function;

#[cfg(all(test, feature = "gpu"))]
pub(crate) use compare::passes;
pub(crate) use memory::{color_offset, load, store};
pub(crate) use pipeline::shade;
pub(crate) use quotient::{by_reciprocal, exact, exact_finer};

use crate::compiled::DrawState;
use crate::setup::{Attributes, EdgeBases, Primitive, PrimitiveFlags};

/// A pixel of a primitive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pixel<'a> {
    pub(crate) primitive: &'a Primitive,
    pub(crate) attributes: &'a Attributes,
    pub(crate) state: &'a DrawState,
    /// Column of the target.
    pub(crate) x: i32,
    /// Row of the target.
    pub(crate) y: i32,
}

impl Pixel<'_> {
    /// Columns and rows from the primitive's first pixel, where its planes are anchored.
    fn steps(&self) -> (i32, i32) {
        let primitive = self.primitive;
        (
            self.x - i32::from(primitive.left),
            self.y - i32::from(primitive.top),
        )
    }
}

/// What the buffers hold for a pixel: the colour as 8888, expanded from the frame's format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stored {
    pub(crate) color: u32,
    pub(crate) depth: u16,
}

/// What they hold afterwards, and whether the pixel passed every test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shaded {
    pub(crate) stored: Stored,
    pub(crate) passed: bool,
}

/// Whether a primitive covers a pixel: it lies in the rectangle, and no edge is negative there.
pub(crate) fn covers(primitive: &Primitive, bases: EdgeBases, x: i32, y: i32) -> bool {
    let columns = i32::from(primitive.left)..i32::from(primitive.right);
    let rows = i32::from(primitive.top)..i32::from(primitive.bottom);
    let mut edges = primitive.edges.iter().zip(bases);
    let is_inside = !primitive.flags.contains(PrimitiveFlags::EDGES)
        || edges.all(|(step, base)| {
            base + i64::from(step.right) * i64::from(x) + i64::from(step.down) * i64::from(y) >= 0
        });
    columns.contains(&x) && rows.contains(&y) && is_inside
}

/// Something of red, green and blue.
#[inline(always)]
fn each<T>(component: impl Fn(usize) -> T) -> [T; 3] {
    [component(0), component(1), component(2)]
}
