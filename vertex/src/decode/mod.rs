//! Bytes to numbers, many vertices at a time.

mod element;
mod plan;
pub mod scalar;
mod spans;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::vertices::Columns;
use crate::{VertexError, VertexLayout, VertexType, Vertices};
use plan::{Plan, Step};
use spans::{NumberSpan, Records};

/// Vertices decoded component by component before the next few are looked at, so that their bytes
/// stay in the nearest cache from the first component to the last: whole [`LANES`](crate::LANES).
const BLOCK: usize = 128;

/// Decodes vertices of one type.
///
/// Every choice that the type decides is made once, in [`new`](Self::new): a component is then one
/// loop over many vertices, without a branch on its format. The answers are those of [`scalar`],
/// bit for bit.
///
/// | Component | 8 bits | 16 bits | float |
/// |---|---|---|---|
/// | weight | unsigned / 128 | unsigned / 32768 | as it is |
/// | texture coordinate | unsigned / 128 | unsigned / 32768; through mode: unsigned texels | as it is |
/// | normal | signed / 128 | signed / 32768 | as it is |
/// | position | signed / 128; through mode: 0 | signed / 32768; through mode: x, y signed, z unsigned | as it is |
///
/// Source: `spec/ge-frontend.md §6.4` to `§6.8`.
///
/// ```
/// use vertex::{Component, Decoder, VertexType, Vertices};
///
/// let positions = VertexType::default().with_position(Component::Bits8);
/// let mut vertices = Vertices::new();
/// Decoder::new(positions).decode(&[0x80, 0, 64, 1, 0, 0], 2, &mut vertices)?;
/// let [x, y, z] = vertices.position().expect("the type has positions");
/// assert_eq!((x, y, z), (&[-1.0, 1.0 / 128.0][..], &[0.0, 0.0][..], &[0.5, 0.0][..]));
/// # Ok::<(), vertex::VertexError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decoder {
    vertex_type: VertexType,
    layout: VertexLayout,
    plan: Plan,
}

impl Decoder {
    /// Chooses the loops for a vertex type.
    #[must_use]
    pub fn new(vertex_type: VertexType) -> Self {
        let layout = vertex_type.layout();
        Self {
            vertex_type,
            layout,
            plan: Plan::new(vertex_type, &layout),
        }
    }

    /// The type of the vertices.
    #[must_use]
    pub const fn vertex_type(&self) -> VertexType {
        self.vertex_type
    }

    /// Where the components of a vertex stand.
    #[must_use]
    pub const fn layout(&self) -> &VertexLayout {
        &self.layout
    }

    /// Decodes the `count` vertices at the start of `bytes`, replacing what `out` held.
    ///
    /// # Errors
    ///
    /// [`VertexError::VerticesTooShort`] where `bytes` is shorter than
    /// [`VertexLayout::bytes_of`] says; `out` is as it was then.
    pub fn decode(&self, bytes: &[u8], count: usize, out: &mut Vertices) -> Result<(), VertexError> {
        self.decode_range(bytes, 0..count, out)
    }

    /// Decodes the vertices `range` of a buffer that starts at `bytes`, replacing what `out` held.
    ///
    /// An indexed draw decodes the [`range`](crate::index::range) of its indices once and finds the
    /// vertex of an index with [`Vertices::row`]. A range that ends before it starts is empty.
    ///
    /// # Errors
    ///
    /// [`VertexError::VerticesTooShort`] where `bytes` ends before the range does; `out` is as it
    /// was then.
    pub fn decode_range(
        &self,
        bytes: &[u8],
        range: Range<usize>,
        out: &mut Vertices,
    ) -> Result<(), VertexError> {
        let size = self.layout.vertex_size;
        let Range { start, end } = range;
        let end = end.max(start);
        let needed = self.layout.bytes_of(end).unwrap_or(usize::MAX);
        let bytes = bytes
            .get(start.saturating_mul(size)..needed)
            .ok_or(VertexError::VerticesTooShort {
                vertex_type: self.vertex_type,
                first: start,
                end,
                vertex_size: size,
                needed,
                available: bytes.len(),
            })?;
        out.reset(self.vertex_type, self.layout, start, end - start);
        for (row, block) in (0..).step_by(BLOCK).zip(bytes.chunks(BLOCK * size)) {
            self.decode_block(block, row, out);
        }
        Ok(())
    }

    /// Decodes the whole vertices of `block` into the rows from `row` on.
    fn decode_block(&self, block: &[u8], row: usize, out: &mut Vertices) {
        let level = out.level();
        let stride = self.layout.vertex_size;
        let count = block.len() / stride;
        let records = |offset: usize, target: usize| Records {
            bytes: &block[target * self.layout.target_size + offset..],
            stride,
            count,
        };
        let run = |step: Option<Step<NumberSpan>>, target: usize, columns: &mut [Vec<f32>]| {
            if let Some(Step { offset, span }) = step {
                span(level, records(offset, target), columns, row);
            }
        };
        run(
            self.plan.weights,
            0,
            &mut out.weights[..self.vertex_type.weight_count()],
        );
        for (target, columns) in (0..self.vertex_type.morph_count()).zip(&mut out.targets) {
            let Columns {
                texture_coordinate,
                color,
                normal,
                position,
            } = columns;
            run(self.plan.texture_coordinate, target, texture_coordinate);
            if let Some(Step { offset, span }) = self.plan.color {
                span(level, records(offset, target), color[row..].as_chunks_mut().0);
            }
            run(self.plan.normal, target, normal);
            run(self.plan.position, target, position);
            run(self.plan.depth, target, &mut position[2..]);
        }
    }
}
