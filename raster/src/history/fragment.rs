//! What a primitive did to a pixel.

use crate::code::{CompareFunction, FrameFormat};
use crate::draw::Primitives;
use crate::format;
use crate::reference::Stored;
use crate::state::{ColorTest, MaskedTest};

/// What a primitive is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PrimitiveKind {
    /// A pixel.
    Point,
    /// Two ends.
    Line,
    /// Three corners.
    Triangle,
    /// Two opposite corners of an axis-parallel rectangle (sprite).
    Rectangle,
}

impl PrimitiveKind {
    pub(crate) const fn of(primitives: &Primitives<'_>) -> Self {
        match primitives {
            Primitives::Points(_) => Self::Point,
            Primitives::Lines(_) => Self::Line,
            Primitives::Triangles(_) => Self::Triangle,
            Primitives::Rectangles(_) => Self::Rectangle,
        }
    }
}

/// A step of the pixel pipeline, as it went (spec/ge-raster.md §11.1). Steps that have no effect in a draw's state are
/// left out. Colours are 8888, red in the low byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The depth range. A primitive whose depth is the same everywhere and out of range is not drawn at all.
    DepthRange {
        /// The pixel's depth.
        depth: u16,
        /// Smallest depth that is kept.
        minimum: u16,
        /// Largest depth that is kept.
        maximum: u16,
        /// Whether it is in range.
        passes: bool,
    },
    /// The depth test.
    DepthTest {
        /// How to compare.
        function: CompareFunction,
        /// The pixel's depth.
        incoming: u16,
        /// The depth in the buffer.
        stored: u16,
        /// Whether it passes.
        passes: bool,
    },
    /// The primitive's colours.
    Primitive {
        /// Primary colour, from the vertices.
        color: u32,
        /// What is added after texturing, where anything is.
        secondary: Option<u32>,
    },
    /// The filtered texel.
    Texel {
        /// Horizontal and vertical coordinate in 1/256 texel of level 0; none where the texture cannot be read.
        coordinates: Option<[i32; 2]>,
        /// What the filter gives.
        color: u32,
    },
    /// The source colour: after texturing, with the secondary colour.
    Source {
        /// The colour.
        color: u32,
    },
    /// The alpha test.
    AlphaTest {
        /// The test.
        test: MaskedTest,
        /// The source's alpha, not masked.
        alpha: u8,
        /// Whether it passes.
        passes: bool,
    },
    /// Fog.
    Fog {
        /// 255 for no fog, 0 for nothing but fog.
        factor: u8,
        /// The colour in the fog.
        color: u32,
    },
    /// The colour test.
    ColorTest {
        /// The test.
        test: ColorTest,
        /// The source colour, not masked.
        color: u32,
        /// Whether it passes.
        passes: bool,
    },
    /// The stencil test.
    StencilTest {
        /// The test: its reference is held against the stored value.
        test: MaskedTest,
        /// The value in the buffer, not masked.
        stored: u8,
        /// Whether it passes.
        passes: bool,
    },
}

impl Step {
    /// Whether the pixel was discarded here.
    #[must_use]
    pub const fn discards(&self) -> bool {
        match self {
            Self::DepthRange { passes, .. }
            | Self::DepthTest { passes, .. }
            | Self::AlphaTest { passes, .. }
            | Self::ColorTest { passes, .. }
            | Self::StencilTest { passes, .. } => !*passes,
            Self::Primitive { .. } | Self::Texel { .. } | Self::Source { .. } | Self::Fog { .. } => false,
        }
    }
}

/// What the buffers hold for a pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PixelValue {
    /// The bits in the colour buffer's format; the upper half is 0 in 16-bit formats.
    pub stored: u32,
    /// The same as 8888, red in the low byte, the stencil in the high one.
    pub color: u32,
    /// The depth, whether the draw looks at it or not.
    pub depth: u16,
}

impl PixelValue {
    pub(crate) const fn new(pixel: Stored, frame_format: FrameFormat) -> Self {
        let Stored { color, depth } = pixel;
        let stored = match frame_format {
            FrameFormat::RGBA8888 => color,
            _ => format::pack(color, frame_format) as u32,
        };
        Self { stored, color, depth }
    }
}

/// What a primitive did to a pixel that it covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// What the primitive is.
    pub kind: PrimitiveKind,
    /// Its number among the draw's primitives, from 0.
    pub primitive: usize,
    /// Column and row in the draw's target.
    pub position: [u16; 2],
    /// The pipeline's steps, in order, up to the one that discarded the pixel.
    pub steps: Vec<Step>,
    /// Whether the pixel passed every test.
    pub passed: bool,
    /// The bits of an 8888 colour that pixels which pass write: those that neither mask nor mode protect.
    pub written_bits: u32,
    /// What the buffers held before.
    pub before: PixelValue,
    /// What they held afterwards. A failed stencil or depth test may have changed the stencil.
    pub after: PixelValue,
}

impl Fragment {
    /// The step that discarded the pixel.
    #[must_use]
    pub fn discarded_by(&self) -> Option<&Step> {
        self.steps.iter().find(|step| step.discards())
    }
}
