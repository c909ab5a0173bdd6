//! Primitive assembly: from a run of vertices to points, lines, triangles and rectangles.

mod code;

pub use code::PrimitiveCode;
