//! What decides which primitives are kept, and what becomes of those that are cut.

use super::Shapes;
use crate::vertex_stage::Viewport;

/// Which orientation culling removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Culling {
    /// None.
    Off,
    /// Triangles that turn right on the screen, y growing downwards (hw: commands/cull).
    Clockwise,
    /// Triangles that turn left.
    CounterClockwise,
}

/// How the colours of a cut primitive follow from its corners'.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shading {
    /// All are the last corner's.
    Flat,
    /// Interpolated.
    Gouraud,
}

/// What decides whether a draw's primitives are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) viewport: Viewport,
    pub(crate) culling: Culling,
    pub(crate) shading: Shading,
    /// What is drawn as a rectangle though it is not one; nothing on hardware.
    pub(crate) shapes: Option<Shapes>,
}
