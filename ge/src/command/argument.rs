//! What the argument of a command holds.

/// The fields of a command's argument (`spec/ge-frontend.md §3, §16`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Argument {
    /// Nothing: the argument has no meaning.
    Ignored,
    /// The opcode does nothing.
    Unknown,
    /// A 24-bit address, to which BASE and the address offset are added.
    Address,
    /// As [`Address`](Self::Address), but of a word: the two low bits are ignored.
    WordAddress,
    /// Bits 23 to 4 of an address; the rest of it is in another register.
    LowAddress,
    /// Bits 27 to 24 of an address.
    HighAddress,
    /// Bits 31 to 8 of the address offset.
    Offset,
    /// Primitive type and number of vertices.
    Primitive,
    /// Control points in u and v.
    Bezier,
    /// Control points and edge types in u and v.
    Spline,
    /// A number of vertices.
    Count,
    /// The second half of a signal's data.
    EndData,
    /// A signal's behaviour and the first half of its data.
    Signal,
    /// What the finish callback gets.
    FinishId,
    /// A vertex type.
    VertexType,
    /// x and y, 10 bits each.
    Position,
    /// Width and height less 1, 10 bits each.
    Size,
    /// Bit 0: on or off.
    Switch,
    /// Bone matrix element, 7 bits.
    BoneNumber,
    /// Matrix element, 4 bits.
    ElementNumber,
    /// A [`Float24`](crate::Float24).
    Float,
    /// Subdivisions in u and v, 7 bits each.
    PatchDivision,
    /// What patches are drawn as.
    PatchPrimitive,
    /// Direction of generated normals.
    PatchFacing,
    /// Unsigned fixed point, 12.4.
    Fixed,
    /// Flat or gouraud.
    Shade,
    /// Which material colours the vertex colour replaces.
    MaterialUpdate,
    /// Red in the low byte, then green, blue.
    Color,
    /// A byte.
    Byte,
    /// One colour, or specular light apart.
    LightMode,
    /// Type and components of a light.
    LightType,
    /// The orientation that culling removes.
    Cull,
    /// A buffer's offset in VRAM, a multiple of 16.
    BufferOffset,
    /// A stride in pixels, a multiple of 4; the address bits above are ignored.
    BufferStride,
    /// A stride in texels, and bits 27 to 24 of an address.
    TextureStride,
    /// A stride in pixels, a multiple of 8, and bits 31 to 24 of an address.
    TransferStride,
    /// Logarithms of width and height.
    TextureSize,
    /// How texture coordinates are generated, and from what.
    TextureMapMode,
    /// Two lights.
    ShadeLights,
    /// Texel order, CLUT per level, highest level.
    TextureMode,
    /// A texel format.
    TextureFormat,
    /// A number of blocks of 32 bytes.
    ClutBlocks,
    /// Entry format, shift, mask and start.
    ClutFormat,
    /// Minification and magnification filter.
    TextureFilter,
    /// Clamp or repeat, for s and for t.
    TextureWrap,
    /// How the level is found, and a signed bias in 1/16.
    TextureLevel,
    /// Function, use of the texel's alpha, doubling.
    TextureFunction,
    /// A pixel format.
    FrameFormat,
    /// Whether clear mode is on, and what it writes.
    ClearMode,
    /// A 16-bit depth.
    Depth,
    /// Function of the colour test.
    ColorTest,
    /// Function, reference and mask of a test.
    MaskedTest,
    /// What happens to the stencil value.
    StencilOperations,
    /// A comparison.
    CompareFunction,
    /// Factors and equation.
    BlendMode,
    /// Four signed nibbles, column 0 in the lowest.
    DitherRow,
    /// A logic operation.
    LogicOperation,
    /// Bit 0: pixels of 16 or 32 bits.
    TransferStart,
    /// Alpha, primitive and flags.
    ImmediateVertex,
}

impl Argument {
    /// The bits that belong to a field. The others are stored and have no known meaning.
    #[must_use]
    pub const fn used_bits(self) -> u32 {
        match self {
            Self::Ignored | Self::Unknown => 0x000000,
            Self::Address
            | Self::Offset
            | Self::Signal
            | Self::Float
            | Self::Color
            | Self::ImmediateVertex => 0xFFFFFF,
            Self::WordAddress => 0xFFFFFC,
            Self::LowAddress => 0xFFFFF0,
            Self::HighAddress => 0x0F0000,
            Self::Primitive => 0x07FFFF,
            Self::Bezier
            | Self::Count
            | Self::EndData
            | Self::FinishId
            | Self::Fixed
            | Self::Depth
            | Self::DitherRow => 0x00FFFF,
            Self::Spline | Self::Position | Self::Size => 0x0FFFFF,
            Self::VertexType => 0x9DDFFF,
            Self::Switch
            | Self::PatchFacing
            | Self::Shade
            | Self::LightMode
            | Self::Cull
            | Self::TransferStart => 0x000001,
            Self::BoneNumber => 0x00007F,
            Self::ElementNumber | Self::TextureFormat | Self::LogicOperation => 0x00000F,
            Self::PatchDivision => 0x007F7F,
            Self::PatchPrimitive | Self::FrameFormat | Self::ColorTest => 0x000003,
            Self::MaterialUpdate | Self::CompareFunction => 0x000007,
            Self::Byte => 0x0000FF,
            Self::LightType | Self::TextureMapMode | Self::ShadeLights => 0x000303,
            Self::BufferOffset => 0x1FFFF0,
            Self::BufferStride => 0xFF07FC,
            Self::TextureStride => 0x0F07FF,
            Self::TransferStride => 0xFF07F8,
            Self::TextureSize => 0x000F0F,
            Self::TextureMode => 0x070101,
            Self::ClutBlocks => 0x00003F,
            Self::ClutFormat => 0x1FFFFF,
            Self::TextureFilter => 0x000107,
            Self::TextureWrap => 0x000101,
            Self::TextureLevel => 0xFF0003,
            Self::TextureFunction => 0x010107,
            Self::ClearMode => 0x000701,
            Self::MaskedTest => 0xFFFF07,
            Self::StencilOperations => 0x070707,
            Self::BlendMode => 0x0007FF,
        }
    }
}
