//! Every register that the pixel pipeline reads, as plain old data.

use bytemuck::{Pod, Zeroable};

use crate::code::{
    BlendEquation, BlendFactor, ColorTestFunction, CompareFunction, FrameFormat, LevelMode, LogicOperation,
    StencilOperation, TextureFormat, TextureFunction,
};

/// The switches of the pixel pipeline, one bit each.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct StateFlags(u32);

impl StateFlags {
    /// Vertices are screen coordinates: no depth range, no fog, texture coordinates in texels.
    pub const THROUGH: Self = Self(1 << 0);
    /// Clear mode (spec/ge-raster.md §11.13).
    pub const CLEAR: Self = Self(1 << 1);
    /// Clear mode writes colour.
    pub const CLEAR_COLOR: Self = Self(1 << 2);
    /// Clear mode writes alpha, which is the stencil.
    pub const CLEAR_ALPHA: Self = Self(1 << 3);
    /// Clear mode writes depth.
    pub const CLEAR_DEPTH: Self = Self(1 << 4);
    /// Colours are interpolated; else they are the provoking vertex's.
    pub const GOURAUD: Self = Self(1 << 5);
    /// Texture mapping.
    pub const TEXTURE: Self = Self(1 << 6);
    /// Texture coordinates bring a q to divide by, instead of 1.
    pub const PROJECTED: Self = Self(1 << 7);
    /// Fog.
    pub const FOG: Self = Self(1 << 8);
    /// The alpha test.
    pub const ALPHA_TEST: Self = Self(1 << 9);
    /// The colour test.
    pub const COLOR_TEST: Self = Self(1 << 10);
    /// The stencil test.
    pub const STENCIL_TEST: Self = Self(1 << 11);
    /// The depth test, and with it the depth write.
    pub const DEPTH_TEST: Self = Self(1 << 12);
    /// Depth is written where the depth test passes.
    pub const DEPTH_WRITE: Self = Self(1 << 13);
    /// Blending.
    pub const BLEND: Self = Self(1 << 14);
    /// Dithering.
    pub const DITHER: Self = Self(1 << 15);
    /// The logic operation.
    pub const LOGIC_OPERATION: Self = Self(1 << 16);
    /// Antialiased lines (spec/ge-raster.md §5.4: undocumented).
    pub const ANTIALIAS: Self = Self(1 << 17);
    /// The texture function's result takes the texel's alpha.
    pub const TEXTURE_ALPHA: Self = Self(1 << 18);
    /// The texture function's colour is doubled.
    pub const DOUBLE_COLOR: Self = Self(1 << 19);
    /// Bilinear filter where the texture is minified.
    pub const MINIFY_LINEAR: Self = Self(1 << 20);
    /// Bilinear filter where the texture is magnified.
    pub const MAGNIFY_LINEAR: Self = Self(1 << 21);
    /// Mip levels are used.
    pub const MIPMAP: Self = Self(1 << 22);
    /// Two mip levels are mixed.
    pub const MIPMAP_LINEAR: Self = Self(1 << 23);
    /// s is clamped to the texture; else it repeats.
    pub const CLAMP_S: Self = Self(1 << 24);
    /// t is clamped to the texture; else it repeats.
    pub const CLAMP_T: Self = Self(1 << 25);
    /// A secondary colour is added after texturing (spec/ge-raster.md §7.3).
    pub const SECONDARY_COLOR: Self = Self(1 << 26);
    /// The bilinear filter cuts coordinates to 1/256 texel in either profile; else it does so in the hardware's and rounds
    /// them in PPSSPP's (spec/ppsspp-profile.md §7.1, §10.2).
    pub const CUT_COORDINATES: Self = Self(1 << 27);

    /// No switch on.
    #[must_use]
    pub const fn empty() -> Self {
        Self(0)
    }

    /// Whether all switches of `other` are on.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// These switches, and those of `other` when `on`.
    #[must_use]
    pub const fn with(self, other: Self, on: bool) -> Self {
        Self(if on { self.0 | other.0 } else { self.0 & !other.0 })
    }

    /// The bits, as a shader reads them.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// Where colour and depth go: offsets in VRAM as the primary copy shows it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct Target {
    /// Offset of the colour buffer in bytes, a multiple of 16 below 2 MiB.
    pub color_offset: u32,
    /// Pixels from one row of the colour buffer to the next, a multiple of 4 up to 2044.
    pub color_stride: u16,
    /// Pixels from one row of the depth buffer to the next, a multiple of 4 up to 2044.
    pub depth_stride: u16,
    /// Offset of the depth buffer in bytes, a multiple of 16 below 2 MiB, as its linear view at the
    /// third mirror shows it (spec/ge-raster.md §12).
    pub depth_offset: u32,
    /// Pixel format of the colour buffer.
    pub format: FrameFormat,
    #[doc(hidden)]
    pub padding: [u8; 3],
}

/// The rectangle of pixels that may be drawn, both ends inclusive; empty when inverted
/// (spec/ge-raster.md §2.6). REGION2 is already taken into it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct Scissor {
    /// Leftmost column, 0..=1023.
    pub left: u16,
    /// Topmost row, 0..=1023.
    pub top: u16,
    /// Rightmost column, 0..=1023.
    pub right: u16,
    /// Bottom row, 0..=1023.
    pub bottom: u16,
}

/// A comparison of masked 8-bit values: the alpha and the stencil test.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct MaskedTest {
    /// How to compare.
    pub function: CompareFunction,
    /// The reference value.
    pub reference: u8,
    /// Both sides are masked with this.
    pub mask: u8,
    #[doc(hidden)]
    pub padding: u8,
}

/// The colour test.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct ColorTest {
    /// Reference colour, red in the low byte.
    pub reference: u32,
    /// Both sides are masked with this.
    pub mask: u32,
    /// How to compare.
    pub function: ColorTestFunction,
    #[doc(hidden)]
    pub padding: [u8; 3],
}

/// What happens to the stencil value, by the first test that fails.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct StencilOperations {
    /// The stencil test fails.
    pub stencil_fail: StencilOperation,
    /// The stencil test passes and the depth test fails.
    pub depth_fail: StencilOperation,
    /// Both pass.
    pub pass: StencilOperation,
    #[doc(hidden)]
    pub padding: u8,
}

/// Blending.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct Blend {
    /// How the two products combine.
    pub equation: BlendEquation,
    /// What the source is multiplied with.
    pub source: BlendFactor,
    /// What the destination is multiplied with.
    pub destination: BlendFactor,
    #[doc(hidden)]
    pub padding: u8,
    /// The source's fixed factor, red in the low byte.
    pub fixed_source: u32,
    /// The destination's fixed factor, red in the low byte.
    pub fixed_destination: u32,
}

impl Blend {
    /// Blending by the codes of equation, source's and destination's factor, with the fixed factors of both. A fixed
    /// factor that is not used is 0, so that states that draw alike are equal.
    #[must_use]
    pub fn from_codes(equation: u32, factors: [u32; 2], fixed: [u32; 2]) -> Self {
        let [source, destination] = factors.map(BlendFactor::from_bits);
        let used = |factor, fixed| if factor == BlendFactor::FIXED { fixed } else { 0 };
        Self {
            equation: BlendEquation::from_bits(equation),
            source,
            destination,
            fixed_source: used(source, fixed[0]),
            fixed_destination: used(destination, fixed[1]),
            ..Self::default()
        }
    }
}

/// Size of a mip level as powers of two, exponents 0..=15. Coordinates scale with the real size, texel indices
/// stop at 511 (spec/ge-raster.md §8.2).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct LevelSize {
    /// Base-2 logarithm of the width in texels.
    pub log2_width: u8,
    /// Base-2 logarithm of the height in texels.
    pub log2_height: u8,
}

impl LevelSize {
    /// Columns that can be sampled: the width, at most 512.
    #[must_use]
    pub const fn sampled_width(self) -> u32 {
        if self.log2_width > 9 {
            512
        } else {
            1 << self.log2_width
        }
    }

    /// Rows that can be sampled: the height, at most 512.
    #[must_use]
    pub const fn sampled_height(self) -> u32 {
        if self.log2_height > 9 {
            512
        } else {
            1 << self.log2_height
        }
    }
}

/// What sampling and combining a texture depends on, beside its texels.
///
/// Sizes and format stand here so that equal states are equal; a draw's texels are read and scaled as its
/// [`crate::TextureSource`] says.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct TextureState {
    /// Sizes of the levels 0 to 7.
    pub sizes: [LevelSize; 8],
    /// How texels are stored.
    pub format: TextureFormat,
    /// How texel and primitive colour combine.
    pub function: TextureFunction,
    /// How the level of detail is found.
    pub level_mode: LevelMode,
    /// The highest level in use, 0..=7.
    pub highest_level: u8,
    /// Added to the level of detail, in 1/16 level.
    pub level_bias: i32,
    /// The slope register as the bits of an IEEE single.
    pub level_slope: u32,
    /// Environment colour of [`TextureFunction::BLEND`], red in the low byte.
    pub environment_color: u32,
}

/// Every register the pixel pipeline reads, and nothing else.
///
/// It is plain old data: the same bytes are compared, hashed and handed to a shader. What is
/// switched off should be left at its default, so that states that draw the same are equal.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Pod, Zeroable)]
pub struct PixelState {
    /// The switches.
    pub flags: StateFlags,
    /// Where colour and depth go.
    pub target: Target,
    /// The rectangle of pixels that may be drawn.
    pub scissor: Scissor,
    /// Smallest depth that is kept, outside through mode.
    pub depth_minimum: u16,
    /// Largest depth that is kept, outside through mode.
    pub depth_maximum: u16,
    /// The alpha test.
    pub alpha_test: MaskedTest,
    /// The stencil test: reference on the left.
    pub stencil_test: MaskedTest,
    /// What happens to the stencil value.
    pub stencil_operations: StencilOperations,
    /// The colour test.
    pub color_test: ColorTest,
    /// Blending.
    pub blend: Blend,
    /// How the depth test compares.
    pub depth_function: CompareFunction,
    /// The logic operation.
    pub logic_operation: LogicOperation,
    #[doc(hidden)]
    pub padding: [u8; 2],
    /// The dither matrix: a row each, four signed nibbles, column 0 in the lowest.
    pub dither: [u16; 4],
    /// Fog colour, red in the low byte.
    pub fog_color: u32,
    /// Bits of an 8888 pixel that are protected from writing.
    pub write_mask: u32,
    /// Texturing.
    pub texture: TextureState,
}
