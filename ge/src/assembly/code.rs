//! The primitive type of a draw.

use std::fmt;

/// The three-bit primitive type of `PRIM` and of immediate vertices (`spec/ge-frontend.md §14.1`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PrimitiveCode {
    /// A vertex each.
    Points,
    /// Two vertices each.
    Lines,
    /// Two vertices, then one each.
    LineStrip,
    /// Three vertices each.
    Triangles,
    /// Three vertices, then one each.
    TriangleStrip,
    /// Three vertices, then one each, around the first.
    TriangleFan,
    /// Two vertices each: opposite corners of an axis-parallel rectangle.
    Rectangles,
    /// More vertices for the draw before.
    Continue,
}

impl PrimitiveCode {
    /// The type of its code; bits above the three are ignored, as hardware does (hw:
    /// primitives/invalidprim).
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        match bits & 7 {
            0 => Self::Points,
            1 => Self::Lines,
            2 => Self::LineStrip,
            3 => Self::Triangles,
            4 => Self::TriangleStrip,
            5 => Self::TriangleFan,
            6 => Self::Rectangles,
            _ => Self::Continue,
        }
    }

    /// The code, 0 to 7.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for PrimitiveCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Points => "points",
            Self::Lines => "lines",
            Self::LineStrip => "line strip",
            Self::Triangles => "triangles",
            Self::TriangleStrip => "triangle strip",
            Self::TriangleFan => "triangle fan",
            Self::Rectangles => "rectangles",
            Self::Continue => "continue",
        })
    }
}
