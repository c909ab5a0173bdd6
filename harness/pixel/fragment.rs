//! What a primitive did to the pixel, as the reports tell it.
use raster::{ColorTestFunction, CompareFunction, Fragment, PrimitiveKind, Step};
use serde::Serialize;

use super::Value;
use crate::draws;

/// A primitive that covers the pixel.
#[derive(Debug, Clone, Serialize)]
pub struct FragmentReport {
    /// `point`, `line`, `triangle` or `rectangle`.
    pub kind: &'static str,
    /// Its number among the primitives that are left of the draw after clipping and culling, from 0.
    pub primitive: usize,
    /// Column and row in the draw's colour buffer.
    pub position: [u16; 2],
    /// What was decided, step by step.
    pub steps: Vec<StepReport>,
    /// Whether the pixel passed every test.
    pub passed: bool,
    /// Whether red, green or blue may be written.
    pub writes_colour: bool,
    /// The colour before, in the draw's pixel format.
    pub before: Value,
    /// The colour afterwards.
    pub after: Value,
    /// The depth before.
    pub depth_before: u16,
    /// The depth afterwards.
    pub depth_after: u16,
}

impl FragmentReport {
    pub(super) fn new(fragment: &Fragment) -> Self {
        let value = |value: raster::PixelValue| Value {
            stored: value.stored,
            rgba: value.color.to_le_bytes(),
        };
        Self {
            kind: match fragment.kind {
                PrimitiveKind::Point => "point",
                PrimitiveKind::Line => "line",
                PrimitiveKind::Triangle => "triangle",
                PrimitiveKind::Rectangle => "rectangle",
            },
            primitive: fragment.primitive,
            position: fragment.position,
            steps: fragment.steps.iter().map(StepReport::new).collect(),
            passed: fragment.passed,
            writes_colour: fragment.written_bits & 0xFF_FFFF != 0,
            before: value(fragment.before),
            after: value(fragment.after),
            depth_before: fragment.before.depth,
            depth_after: fragment.after.depth,
        }
    }

    /// Whether a step only repeats another: the source is what the vertices say where nothing is added to it.
    pub(super) fn repeats(&self, step: &StepReport) -> bool {
        let StepReport::Source { rgba: source } = step else {
            return false;
        };
        let changes = |step: &StepReport| match step {
            StepReport::Texel { .. } => true,
            StepReport::Vertices { rgba, .. } => rgba != source,
            _ => false,
        };
        !self.steps.iter().any(changes)
    }

    /// The test that discarded the pixel, in words.
    #[must_use]
    pub fn discarded_by(&self) -> Option<&'static str> {
        self.steps.iter().find_map(StepReport::discards)
    }
}

/// A step of the pixel pipeline. Tests read "incoming, comparison, what it is held against"; both sides are masked.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum StepReport {
    /// The depth range.
    DepthRange {
        /// The pixel's depth.
        depth: u16,
        /// Smallest and largest depth that is kept.
        range: [u16; 2],
        /// Whether it is in range.
        passes: bool,
    },
    /// The depth test.
    DepthTest {
        /// The pixel's depth.
        incoming: u16,
        /// The comparison.
        compare: &'static str,
        /// The depth in the buffer.
        stored: u16,
        /// Whether it passes.
        passes: bool,
    },
    /// The colours that come from the vertices.
    Vertices {
        /// Red, green, blue, alpha.
        rgba: [u8; 4],
        /// The secondary colour, which is added after texturing.
        #[serde(skip_serializing_if = "Option::is_none")]
        secondary: Option<[u8; 3]>,
    },
    /// The filtered texel.
    Texel {
        /// Red, green, blue, alpha.
        rgba: [u8; 4],
        /// Where, in texels of level 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        at: Option<[f64; 2]>,
    },
    /// The source colour, after texturing.
    Source {
        /// Red, green, blue, alpha.
        rgba: [u8; 4],
    },
    /// The alpha test.
    AlphaTest {
        /// The source's alpha.
        incoming: u8,
        /// The comparison.
        compare: &'static str,
        /// What it is held against.
        reference: u8,
        /// The mask of both sides.
        mask: u8,
        /// Whether it passes.
        passes: bool,
    },
    /// Fog.
    Fog {
        /// 255 for no fog, 0 for nothing but fog.
        factor: u8,
        /// The colour in the fog: red, green, blue, alpha.
        rgba: [u8; 4],
    },
    /// The colour test.
    ColourTest {
        /// The source colour.
        incoming: [u8; 3],
        /// The comparison.
        compare: &'static str,
        /// What it is held against.
        reference: [u8; 3],
        /// The mask of both sides.
        mask: [u8; 3],
        /// Whether it passes.
        passes: bool,
    },
    /// The stencil test.
    StencilTest {
        /// The reference, which stands on the left.
        reference: u8,
        /// The comparison.
        compare: &'static str,
        /// The value in the buffer.
        stored: u8,
        /// The mask of both sides.
        mask: u8,
        /// Whether it passes.
        passes: bool,
    },
}

impl StepReport {
    fn new(step: &Step) -> Self {
        let rgb = |color: u32| {
            let [red, green, blue, _] = color.to_le_bytes();
            [red, green, blue]
        };
        match *step {
            Step::DepthRange {
                depth,
                minimum,
                maximum,
                passes,
            } => Self::DepthRange {
                depth,
                range: [minimum, maximum],
                passes,
            },
            Step::DepthTest {
                function,
                incoming,
                stored,
                passes,
            } => Self::DepthTest {
                incoming,
                compare: draws::compare(function),
                stored,
                passes,
            },
            Step::Primitive { color, secondary } => Self::Vertices {
                rgba: color.to_le_bytes(),
                secondary: secondary.map(rgb),
            },
            Step::Texel { coordinates, color } => Self::Texel {
                rgba: color.to_le_bytes(),
                at: coordinates.map(|at| at.map(|axis| f64::from(axis) / 256.0)),
            },
            Step::Source { color } => Self::Source {
                rgba: color.to_le_bytes(),
            },
            Step::AlphaTest { test, alpha, passes } => Self::AlphaTest {
                incoming: alpha,
                compare: draws::compare(test.function),
                reference: test.reference,
                mask: test.mask,
                passes,
            },
            Step::Fog { factor, color } => Self::Fog {
                factor,
                rgba: color.to_le_bytes(),
            },
            Step::ColorTest { test, color, passes } => Self::ColourTest {
                incoming: rgb(color),
                compare: color_compare(test.function),
                reference: rgb(test.reference),
                mask: rgb(test.mask),
                passes,
            },
            Step::StencilTest { test, stored, passes } => Self::StencilTest {
                reference: test.reference,
                compare: draws::compare(test.function),
                stored,
                mask: test.mask,
                passes,
            },
        }
    }

    /// The name of the test, if it discards the pixel.
    fn discards(&self) -> Option<&'static str> {
        match self {
            Self::DepthRange { passes: false, .. } => Some("depth range"),
            Self::DepthTest { passes: false, .. } => Some("depth test"),
            Self::AlphaTest { passes: false, .. } => Some("alpha test"),
            Self::ColourTest { passes: false, .. } => Some("colour test"),
            Self::StencilTest { passes: false, .. } => Some("stencil test"),
            _ => None,
        }
    }
}

/// The colour test has the first four comparisons alone.
fn color_compare(function: ColorTestFunction) -> &'static str {
    draws::compare(CompareFunction::from_bits(function.code().into()))
}
