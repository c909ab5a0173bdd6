//! How components, colours and indices are stored.

/// How the numbers of one vertex component are stored.
///
/// Whether 8 and 16 bits are signed, and what they are divided by, depends on the component: see
/// [`Decoder`](crate::Decoder). The discriminant is the code in the `VTYPE` argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Component {
    /// The component is absent.
    None = 0,
    /// One byte a number.
    Bits8 = 1,
    /// Two bytes a number, little endian.
    Bits16 = 2,
    /// Four bytes a number, an IEEE single, little endian.
    Float = 3,
}

impl Component {
    /// The format of a two-bit code; higher bits are ignored.
    #[must_use]
    pub const fn from_code(code: u32) -> Self {
        match code & 3 {
            0 => Self::None,
            1 => Self::Bits8,
            2 => Self::Bits16,
            _ => Self::Float,
        }
    }

    /// Bytes of one number, which is also its alignment: 0 (absent), 1, 2 or 4.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::None => 0,
            Self::Bits8 => 1,
            Self::Bits16 => 2,
            Self::Float => 4,
        }
    }
}

/// How a vertex colour is stored. The discriminant is the code in the `VTYPE` argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum VertexColor {
    /// No colour: the material's stands in (`spec/ge-frontend.md §6.9`).
    None = 0,
    /// Code 1, which no known software uses.
    ///
    /// It is taken to occupy no bytes, as PPSSPP does; JPCSP counts one byte. Unverified on
    /// hardware (`spec/ge-frontend.md §6.2`).
    Invalid1 = 1,
    /// Code 2: see [`Invalid1`](Self::Invalid1).
    Invalid2 = 2,
    /// Code 3: see [`Invalid1`](Self::Invalid1).
    Invalid3 = 3,
    /// 5650: red in the low 5 bits, then 6 of green, 5 of blue; opaque.
    Rgb565 = 4,
    /// 5551: red in the low 5 bits, then green, blue, and one bit of alpha.
    Rgba5551 = 5,
    /// 4444: red in the low 4 bits, then green, blue, alpha.
    Rgba4444 = 6,
    /// 8888: red in the low byte, then green, blue, alpha.
    Rgba8888 = 7,
}

impl VertexColor {
    /// The format of a three-bit code; higher bits are ignored.
    #[must_use]
    pub const fn from_code(code: u32) -> Self {
        match code & 7 {
            0 => Self::None,
            1 => Self::Invalid1,
            2 => Self::Invalid2,
            3 => Self::Invalid3,
            4 => Self::Rgb565,
            5 => Self::Rgba5551,
            6 => Self::Rgba4444,
            _ => Self::Rgba8888,
        }
    }

    /// Bytes of one colour, which is also its alignment: 0 (absent or invalid), 2 or 4.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::None | Self::Invalid1 | Self::Invalid2 | Self::Invalid3 => 0,
            Self::Rgb565 | Self::Rgba5551 | Self::Rgba4444 => 2,
            Self::Rgba8888 => 4,
        }
    }
}

/// How the indices of a draw are stored. The discriminant is the code in the `VTYPE` argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum IndexFormat {
    /// Vertices are taken in order, without indices.
    None = 0,
    /// One byte an index.
    U8 = 1,
    /// Two bytes an index, little endian.
    U16 = 2,
    /// Four bytes an index, little endian.
    U32 = 3,
}

impl IndexFormat {
    /// The format of a two-bit code; higher bits are ignored.
    #[must_use]
    pub const fn from_code(code: u32) -> Self {
        match code & 3 {
            0 => Self::None,
            1 => Self::U8,
            2 => Self::U16,
            _ => Self::U32,
        }
    }

    /// Bytes of one index: 0 (no indices), 1, 2 or 4.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::None => 0,
            Self::U8 => 1,
            Self::U16 => 2,
            Self::U32 => 4,
        }
    }
}
