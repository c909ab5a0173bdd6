//! One vertex at a time, written to be read beside the specification's tables.
//!
//! This is the definition that the [`Decoder`](crate::Decoder) is held to, bit for bit. It looks at
//! the vertex type again for every number, so it suits inspection and tests, not drawing.

use crate::{Component, VertexColor, VertexError, VertexType};

/// One morph target of one vertex, as numbers. Absent components are `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// The bone weights; those beyond [`VertexType::weight_count`] are 0.
    pub weights: Option<[f32; 8]>,
    /// (u, v): 1.0 is the whole texture, or one texel in through mode.
    pub texture_coordinate: Option<[f32; 2]>,
    /// The colour: red in the low byte, then green, blue, alpha.
    pub color: Option<u32>,
    /// The normal, not normalised.
    pub normal: Option<[f32; 3]>,
    /// The position: model space, or framebuffer pixels and depth in through mode.
    pub position: Option<[f32; 3]>,
}

/// Decodes morph target `target` of the vertex at the start of `bytes`.
///
/// `target` counts from 0 and is taken modulo the type's number of targets.
///
/// # Errors
///
/// [`VertexError::VerticesTooShort`] where `bytes` does not hold the whole vertex.
pub fn decode(vertex_type: VertexType, bytes: &[u8], target: usize) -> Result<Vertex, VertexError> {
    let layout = vertex_type.layout();
    let target = target % vertex_type.morph_count();
    let bytes = bytes
        .get(..layout.vertex_size)
        .ok_or(VertexError::VerticesTooShort {
            vertex_type,
            first: 0,
            end: 1,
            vertex_size: layout.vertex_size,
            needed: layout.vertex_size,
            available: bytes.len(),
        })?;
    let read = Reader {
        bytes: &bytes[target * layout.target_size..],
    };
    let through = vertex_type.is_through();

    let weights = layout.weight.map(|start| {
        let format = vertex_type.weight();
        let weight = |k: usize| match format {
            Component::None => 0.0,
            Component::Bits8 => f32::from(read.u8(start + k)) / 128.0,
            Component::Bits16 => f32::from(read.u16(start + 2 * k)) / 32768.0,
            Component::Float => read.f32(start + 4 * k),
        };
        std::array::from_fn(|k| {
            if k < vertex_type.weight_count() {
                weight(k)
            } else {
                0.0
            }
        })
    });
    let texture_coordinate = layout.texture_coordinate.map(|start| {
        std::array::from_fn(|axis| match (vertex_type.texture_coordinate(), through) {
            (Component::None, _) => 0.0,
            (Component::Bits8, _) => f32::from(read.u8(start + axis)) / 128.0,
            (Component::Bits16, false) => f32::from(read.u16(start + 2 * axis)) / 32768.0,
            (Component::Bits16, true) => f32::from(read.u16(start + 2 * axis)),
            (Component::Float, _) => read.f32(start + 4 * axis),
        })
    });
    let color = layout.color.map(|start| color(vertex_type.color(), read, start));
    let normal = layout.normal.map(|start| {
        std::array::from_fn(|axis| match vertex_type.normal() {
            Component::None => 0.0,
            Component::Bits8 => f32::from(read.i8(start + axis)) / 128.0,
            Component::Bits16 => f32::from(read.i16(start + 2 * axis)) / 32768.0,
            Component::Float => read.f32(start + 4 * axis),
        })
    });
    let position = layout.position.map(|start| {
        std::array::from_fn(|axis| match (vertex_type.position(), through) {
            (Component::None, _) => 0.0,
            (Component::Bits8, false) => f32::from(read.i8(start + axis)) / 128.0,
            (Component::Bits8, true) => 0.0,
            (Component::Bits16, false) => f32::from(read.i16(start + 2 * axis)) / 32768.0,
            (Component::Bits16, true) if axis == 2 => f32::from(read.u16(start + 4)),
            (Component::Bits16, true) => f32::from(read.i16(start + 2 * axis)),
            (Component::Float, _) => read.f32(start + 4 * axis),
        })
    });
    Ok(Vertex {
        weights,
        texture_coordinate,
        color,
        normal,
        position,
    })
}

/// The colour at `start`, each part widened to 8 bits by repeating its top bits
/// (`spec/ge-frontend.md §6.7`, hw: vertices/colors).
fn color(format: VertexColor, read: Reader<'_>, start: usize) -> u32 {
    let part = |shift: u32, width: u32| {
        let value = u32::from(read.u16(start)) >> shift & ((1 << width) - 1);
        match width {
            1 => value * 255,
            4 => value * 17,
            5 => value << 3 | value >> 2,
            _ => value << 2 | value >> 4,
        }
    };
    let [red, green, blue, alpha] = match format {
        VertexColor::Rgb565 => [part(0, 5), part(5, 6), part(11, 5), 255],
        VertexColor::Rgba5551 => [part(0, 5), part(5, 5), part(10, 5), part(15, 1)],
        VertexColor::Rgba4444 => [part(0, 4), part(4, 4), part(8, 4), part(12, 4)],
        VertexColor::Rgba8888 => [0, 1, 2, 3].map(|byte| u32::from(read.u8(start + byte))),
        VertexColor::None | VertexColor::Invalid1 | VertexColor::Invalid2 | VertexColor::Invalid3 => [0; 4],
    };
    red | green << 8 | blue << 16 | alpha << 24
}

/// Little-endian numbers of a vertex whose length was checked.
#[derive(Clone, Copy)]
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn u8(self, at: usize) -> u8 {
        self.bytes[at]
    }

    fn i8(self, at: usize) -> i8 {
        self.u8(at).cast_signed()
    }

    fn u16(self, at: usize) -> u16 {
        u16::from_le_bytes([self.u8(at), self.u8(at + 1)])
    }

    fn i16(self, at: usize) -> i16 {
        self.u16(at).cast_signed()
    }

    fn f32(self, at: usize) -> f32 {
        f32::from_bits(u32::from(self.u16(at)) | u32::from(self.u16(at + 2)) << 16)
    }
}
