//! Vertices and indices from memory.

use raster::FlushReason;
use vertex::{Decoder, IndexFormat, VertexColor, VertexType, index, morph, skin};

use super::morphs_through;
use crate::arithmetic::in_arithmetic;
use crate::command::Opcode;
use crate::report::Feature;
use crate::{Address, Ge};

/// How many vertices an indexed draw may decode for each one it uses before they are fetched one by
/// one instead.
const SPARSE: usize = 4;

impl Ge {
    /// Fetches, decodes, morphs and skins the vertices of a draw into the scratch memory. Afterwards
    /// its `indices` name rows of its `vertices`; without indices the rows are taken in order. The type
    /// must have positions.
    ///
    /// # Errors
    ///
    /// The feature to report when there is nothing to draw from.
    pub(crate) fn fetch(&mut self, vertex_type: VertexType, count: u32) -> Result<(), Feature> {
        if self.decoder.vertex_type() != vertex_type {
            self.decoder = Decoder::new(vertex_type);
        }
        if !self.memory.is_mapped(self.pointers.vertex) {
            return Err(Feature::VerticesOutsideMemory);
        }
        if matches!(
            vertex_type.color(),
            VertexColor::Invalid1 | VertexColor::Invalid2 | VertexColor::Invalid3
        ) {
            self.meet(Feature::InvalidColorFormat);
        }
        if morphs_through(vertex_type) {
            self.meet(Feature::MorphThrough);
        }
        let alignment = self.decoder.layout().alignment.max(1);
        if !(self.pointers.vertex.get() as usize).is_multiple_of(alignment) {
            self.meet(Feature::UnalignedVertices);
        }
        self.fetch_indices(vertex_type.index(), count)?;
        if self.scratch.indices.is_empty() {
            self.decode(self.pointers.vertex, count as usize)?;
        } else {
            self.decode_indexed()?;
        }
        let vertices = &mut self.scratch.vertices;
        in_arithmetic!(self.profile, A => {
            if vertex_type.morph_count() > 1 {
                morph::morph::<A>(vertices, &self.registers.floats(Opcode::MORPH0));
            }
            skin::skin::<A>(vertices, &self.matrices.bones);
        });
        Ok(())
    }

    fn fetch_indices(&mut self, format: IndexFormat, count: u32) -> Result<(), Feature> {
        self.scratch.indices.clear();
        if format == IndexFormat::None {
            return Ok(());
        }
        let length = count as usize * format.size();
        self.wait_for_vram(self.pointers.index, length as u32, FlushReason::VertexRead);
        let scratch = &mut self.scratch;
        let bytes = self.memory.bytes(self.pointers.index, length, &mut scratch.bytes);
        let bytes = bytes.ok_or(Feature::VerticesOutsideMemory)?;
        index::decode(format, bytes, count as usize, &mut scratch.indices)
            .map_err(|_| Feature::VerticesOutsideMemory)
    }

    /// Decodes the vertices that the indices name, and turns the indices into rows.
    fn decode_indexed(&mut self) -> Result<(), Feature> {
        let size = self.decoder.layout().vertex_size;
        let indices = &mut self.scratch.indices;
        let range = index::range(indices).unwrap_or(0..0);
        if range.len() <= SPARSE * indices.len() {
            let first = range.start as u32;
            for index in indices.iter_mut() {
                *index -= first;
            }
            let start = self.pointers.vertex.offset(first.wrapping_mul(size as u32));
            return self.decode(start, range.len());
        }
        // Far apart: one by one, each its own row.
        let count = indices.len();
        self.scratch.bytes.clear();
        self.scratch.bytes.resize(count * size, 0);
        for row in 0..count {
            let index = self.scratch.indices[row];
            let address = self.pointers.vertex.offset(index.wrapping_mul(size as u32));
            self.wait_for_vram(address, size as u32, FlushReason::VertexRead);
            self.memory
                .read(address, &mut self.scratch.bytes[row * size..(row + 1) * size]);
            self.scratch.indices[row] = row as u32;
        }
        let scratch = &mut self.scratch;
        self.decoder
            .decode(&scratch.bytes, count, &mut scratch.vertices)
            .map_err(|_| Feature::VerticesOutsideMemory)
    }

    /// Decodes vertices that stand one behind the other. What is past the end of memory is zero.
    fn decode(&mut self, address: Address, count: usize) -> Result<(), Feature> {
        let length = count * self.decoder.layout().vertex_size;
        self.wait_for_vram(address, length as u32, FlushReason::VertexRead);
        let scratch = &mut self.scratch;
        let bytes = self.memory.bytes(address, length, &mut scratch.bytes);
        let bytes = bytes.ok_or(Feature::VerticesOutsideMemory)?;
        self.decoder
            .decode(bytes, count, &mut scratch.vertices)
            .map_err(|_| Feature::VerticesOutsideMemory)
    }
}
