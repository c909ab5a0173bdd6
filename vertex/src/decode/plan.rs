//! What to do for a vertex type: which loop runs over which bytes into which columns.

use super::element::{
    Float, Rgb565, Rgba4444, Rgba5551, Rgba8888, SignedFraction, SignedInteger, UnsignedFraction,
    UnsignedInteger, Zero,
};
use super::spans::{ColorSpan, NumberSpan, colors, numbers};
use crate::{Component, CoordinateMode, VertexColor, VertexLayout, VertexType};

/// One loop: the bytes it starts at in a morph target, and what it reads there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<Span> {
    pub(super) offset: usize,
    pub(super) span: Span,
}

/// The loops of a vertex type; `None` for what it lacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) weights: Option<Step<NumberSpan>>,
    pub(super) texture_coordinate: Option<Step<NumberSpan>>,
    pub(super) color: Option<Step<ColorSpan>>,
    pub(super) normal: Option<Step<NumberSpan>>,
    pub(super) position: Option<Step<NumberSpan>>,
    /// Overwrites z where it is not read as x and y are: 16 bits in through mode.
    pub(super) depth: Option<Step<NumberSpan>>,
}

impl Plan {
    pub(super) fn new(vertex_type: VertexType, layout: &VertexLayout) -> Self {
        let mode = vertex_type.mode();
        let step = |offset: Option<usize>, span: Option<NumberSpan>| {
            Some(Step {
                offset: offset?,
                span: span?,
            })
        };
        Self {
            weights: step(layout.weight, weights(vertex_type.weight())),
            texture_coordinate: step(
                layout.texture_coordinate,
                texture_coordinate(vertex_type.texture_coordinate(), mode),
            ),
            color: layout
                .color
                .zip(color(vertex_type.color()))
                .map(|(offset, span)| Step { offset, span }),
            normal: step(layout.normal, normal(vertex_type.normal())),
            position: step(layout.position, position(vertex_type.position(), mode)),
            depth: step(
                layout
                    .position
                    .map(|start| start + 2 * vertex_type.position().size()),
                depth(vertex_type.position(), mode),
            ),
        }
    }
}

/// Unsigned fractions in both modes (`spec/ge-frontend.md §6.8`, ppsspp).
fn weights(format: Component) -> Option<NumberSpan> {
    Some(match format {
        Component::None => return None,
        Component::Bits8 => numbers::<UnsignedFraction<1>>,
        Component::Bits16 => numbers::<UnsignedFraction<2>>,
        Component::Float => numbers::<Float>,
    })
}

/// In through mode 16 bits count texels, but 8 bits stay fractions (`spec/ge-frontend.md §6.6`, hw:
/// vertices/texcoords).
fn texture_coordinate(format: Component, mode: CoordinateMode) -> Option<NumberSpan> {
    Some(match (format, mode) {
        (Component::None, _) => return None,
        (Component::Bits8, _) => numbers::<UnsignedFraction<1>>,
        (Component::Bits16, CoordinateMode::Transform) => numbers::<UnsignedFraction<2>>,
        (Component::Bits16, CoordinateMode::Through) => numbers::<UnsignedInteger>,
        (Component::Float, _) => numbers::<Float>,
    })
}

fn color(format: VertexColor) -> Option<ColorSpan> {
    Some(match format {
        VertexColor::None | VertexColor::Invalid1 | VertexColor::Invalid2 | VertexColor::Invalid3 => {
            return None;
        }
        VertexColor::Rgb565 => colors::<Rgb565>,
        VertexColor::Rgba5551 => colors::<Rgba5551>,
        VertexColor::Rgba4444 => colors::<Rgba4444>,
        VertexColor::Rgba8888 => colors::<Rgba8888>,
    })
}

/// Signed fractions in both modes (`spec/ge-frontend.md §6.5`).
fn normal(format: Component) -> Option<NumberSpan> {
    Some(match format {
        Component::None => return None,
        Component::Bits8 => numbers::<SignedFraction<1>>,
        Component::Bits16 => numbers::<SignedFraction<2>>,
        Component::Float => numbers::<Float>,
    })
}

/// Fractions, or pixels in through mode, where 8 bits are the origin whatever they hold
/// (`spec/ge-frontend.md §6.4`, hw: primitives/points).
fn position(format: Component, mode: CoordinateMode) -> Option<NumberSpan> {
    Some(match (format, mode) {
        (Component::None, _) => return None,
        (Component::Bits8, CoordinateMode::Transform) => numbers::<SignedFraction<1>>,
        (Component::Bits8, CoordinateMode::Through) => numbers::<Zero>,
        (Component::Bits16, CoordinateMode::Transform) => numbers::<SignedFraction<2>>,
        // `depth` reads z once more.
        (Component::Bits16, CoordinateMode::Through) => numbers::<SignedInteger>,
        (Component::Float, _) => numbers::<Float>,
    })
}

/// In through mode 16 bits of z are unsigned (`spec/ge-frontend.md §6.4`, hw: depth/precision).
fn depth(format: Component, mode: CoordinateMode) -> Option<NumberSpan> {
    match (format, mode) {
        (Component::Bits16, CoordinateMode::Through) => Some(numbers::<UnsignedInteger>),
        _ => None,
    }
}
