//! The vertex type: the argument of the GE's `VTYPE` command.

use std::fmt;

use crate::{Component, IndexFormat, VertexColor, VertexLayout};

/// What a vertex's position means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoordinateMode {
    /// Model space: bones, matrices and the viewport apply.
    Transform,
    /// Framebuffer pixels, used as they are.
    Through,
}

/// A number from 1 to 8: how many weights, or how many morph targets, a vertex has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UpToEight(u8);

impl UpToEight {
    /// One.
    pub const ONE: Self = Self(1);
    /// Eight, the most the GE knows.
    pub const EIGHT: Self = Self(8);

    /// `count`, if it is from 1 to 8.
    #[must_use]
    pub const fn new(count: usize) -> Option<Self> {
        if count >= 1 && count <= 8 {
            Some(Self(count as u8))
        } else {
            None
        }
    }

    /// The number, 1 to 8.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// The 24-bit argument of the GE's `VTYPE` command (opcode 12): what a vertex holds, and how.
///
/// ```text
///   23   22:21   20:18   17   16:14   13  12:11   10:9     8:7      6:5     4:2     1:0
/// ┌─────┬─────┬─────────┬───┬─────────┬───┬─────┬───────┬────────┬───────┬──────┬─────────┐
/// │thru │  ·  │targets-1│ · │weights-1│ · │index│weights│position│normals│colour│texcoord │
/// └─────┴─────┴─────────┴───┴─────────┴───┴─────┴───────┴────────┴───────┴──────┴─────────┘
/// ```
///
/// Bits 13, 17, 21 and 22 have no known meaning and are kept as they were read.
/// Source: `spec/ge-frontend.md §6.1`.
///
/// ```
/// use vertex::{Component, IndexFormat, VertexType};
///
/// // A monster's vertices: three weights, indices of one byte.
/// let shipped = VertexType::from_argument(0x12008B22);
/// assert_eq!(shipped.weight_count(), 3);
/// assert_eq!(shipped.position(), Component::Bits16);
/// assert_eq!(shipped.index(), IndexFormat::U8);
/// assert_eq!(shipped.layout().vertex_size, 18);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct VertexType(u32);

/// A field of the argument: its lowest bit and its width in bits.
#[derive(Clone, Copy)]
struct Field {
    shift: u32,
    width: u32,
}

impl Field {
    const TEXTURE_COORDINATE: Self = Self { shift: 0, width: 2 };
    const COLOR: Self = Self { shift: 2, width: 3 };
    const NORMAL: Self = Self { shift: 5, width: 2 };
    const POSITION: Self = Self { shift: 7, width: 2 };
    const WEIGHT: Self = Self { shift: 9, width: 2 };
    const INDEX: Self = Self { shift: 11, width: 2 };
    const WEIGHT_COUNT: Self = Self { shift: 14, width: 3 };
    const MORPH_COUNT: Self = Self { shift: 18, width: 3 };
    const THROUGH: Self = Self { shift: 23, width: 1 };

    const fn mask(self) -> u32 {
        (1 << self.width) - 1
    }
}

impl VertexType {
    /// The vertex type of a `VTYPE` argument; the opcode byte above bit 23 is dropped.
    #[must_use]
    pub const fn from_argument(argument: u32) -> Self {
        Self(argument & 0xFF_FFFF)
    }

    /// The 24-bit argument, unknown bits included.
    #[must_use]
    pub const fn argument(self) -> u32 {
        self.0
    }

    const fn get(self, field: Field) -> u32 {
        self.0 >> field.shift & field.mask()
    }

    const fn with(self, field: Field, value: u32) -> Self {
        Self(self.0 & !(field.mask() << field.shift) | (value & field.mask()) << field.shift)
    }

    /// The format of the pair (u, v); 8 and 16 bits are unsigned.
    #[must_use]
    pub const fn texture_coordinate(self) -> Component {
        Component::from_code(self.get(Field::TEXTURE_COORDINATE))
    }

    /// The format of the colour.
    #[must_use]
    pub const fn color(self) -> VertexColor {
        VertexColor::from_code(self.get(Field::COLOR))
    }

    /// The format of the normal (x, y, z); 8 and 16 bits are signed.
    #[must_use]
    pub const fn normal(self) -> Component {
        Component::from_code(self.get(Field::NORMAL))
    }

    /// The format of the position (x, y, z); 8 and 16 bits are signed, but for z in through mode.
    #[must_use]
    pub const fn position(self) -> Component {
        Component::from_code(self.get(Field::POSITION))
    }

    /// The format of the bone weights; 8 and 16 bits are unsigned.
    #[must_use]
    pub const fn weight(self) -> Component {
        Component::from_code(self.get(Field::WEIGHT))
    }

    /// The format of the draw's indices.
    #[must_use]
    pub const fn index(self) -> IndexFormat {
        IndexFormat::from_code(self.get(Field::INDEX))
    }

    /// How many weights a vertex has: 1 to 8, or 0 where the weight format is absent, whatever the
    /// count field says (hw: bounding/vertexaddr).
    #[must_use]
    pub const fn weight_count(self) -> usize {
        match self.weight() {
            Component::None => 0,
            _ => self.get(Field::WEIGHT_COUNT) as usize + 1,
        }
    }

    /// How many morph targets a vertex has: 1 to 8, and 1 means no morphing.
    #[must_use]
    pub const fn morph_count(self) -> usize {
        self.get(Field::MORPH_COUNT) as usize + 1
    }

    /// What the position means.
    #[must_use]
    pub const fn mode(self) -> CoordinateMode {
        if self.is_through() {
            CoordinateMode::Through
        } else {
            CoordinateMode::Transform
        }
    }

    /// Whether positions are framebuffer pixels already.
    #[must_use]
    pub const fn is_through(self) -> bool {
        self.get(Field::THROUGH) == 1
    }

    /// Where each component stands in a vertex, and how far apart vertices are.
    #[must_use]
    pub const fn layout(self) -> VertexLayout {
        VertexLayout::of(self)
    }

    /// The same type with another texture coordinate format.
    #[must_use]
    pub const fn with_texture_coordinate(self, format: Component) -> Self {
        self.with(Field::TEXTURE_COORDINATE, format as u32)
    }

    /// The same type with another colour format.
    #[must_use]
    pub const fn with_color(self, format: VertexColor) -> Self {
        self.with(Field::COLOR, format as u32)
    }

    /// The same type with another normal format.
    #[must_use]
    pub const fn with_normal(self, format: Component) -> Self {
        self.with(Field::NORMAL, format as u32)
    }

    /// The same type with another position format.
    #[must_use]
    pub const fn with_position(self, format: Component) -> Self {
        self.with(Field::POSITION, format as u32)
    }

    /// The same type with `count` weights of another format.
    #[must_use]
    pub const fn with_weights(self, format: Component, count: UpToEight) -> Self {
        self.with(Field::WEIGHT, format as u32)
            .with(Field::WEIGHT_COUNT, count.get() as u32 - 1)
    }

    /// The same type with another index format.
    #[must_use]
    pub const fn with_index(self, format: IndexFormat) -> Self {
        self.with(Field::INDEX, format as u32)
    }

    /// The same type with another number of morph targets.
    #[must_use]
    pub const fn with_morph_count(self, count: UpToEight) -> Self {
        self.with(Field::MORPH_COUNT, count.get() as u32 - 1)
    }

    /// The same type in another coordinate mode.
    #[must_use]
    pub const fn with_mode(self, mode: CoordinateMode) -> Self {
        self.with(Field::THROUGH, matches!(mode, CoordinateMode::Through) as u32)
    }
}

/// Writes the fields in the order of memory, as `w3x8 uv16 n8 p16 i8`: bits of a number and, for
/// weights and morph targets, how many. Absent components are left out.
impl fmt::Display for VertexType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn bits(component: Component) -> usize {
            8 * component.size()
        }
        let mut parts = Vec::new();
        if self.weight() != Component::None {
            parts.push(format!("w{}x{}", self.weight_count(), bits(self.weight())));
        }
        if self.texture_coordinate() != Component::None {
            parts.push(format!("uv{}", bits(self.texture_coordinate())));
        }
        match self.color() {
            VertexColor::None => {}
            VertexColor::Invalid1 => parts.push("c?1".into()),
            VertexColor::Invalid2 => parts.push("c?2".into()),
            VertexColor::Invalid3 => parts.push("c?3".into()),
            VertexColor::Rgb565 => parts.push("c565".into()),
            VertexColor::Rgba5551 => parts.push("c5551".into()),
            VertexColor::Rgba4444 => parts.push("c4444".into()),
            VertexColor::Rgba8888 => parts.push("c8888".into()),
        }
        if self.normal() != Component::None {
            parts.push(format!("n{}", bits(self.normal())));
        }
        if self.position() != Component::None {
            parts.push(format!("p{}", bits(self.position())));
        }
        if self.morph_count() > 1 {
            parts.push(format!("m{}", self.morph_count()));
        }
        if self.index() != IndexFormat::None {
            parts.push(format!("i{}", 8 * self.index().size()));
        }
        if self.is_through() {
            parts.push("through".into());
        }
        if parts.is_empty() {
            f.write_str("nothing")
        } else {
            f.write_str(&parts.join(" "))
        }
    }
}

impl fmt::Debug for VertexType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VertexType({:#08x}: {self})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn display_names_the_fields_in_memory_order() {
        let name = |argument| VertexType::from_argument(argument).to_string();
        assert_eq!(name(0x12008B22), "w3x8 uv16 n8 p16 i8");
        assert_eq!(name(0x12000912), "uv16 c565 p16 i8");
        assert_eq!(name(1951743), "w8x32 uv32 c8888 n32 p32 m8");
        assert_eq!(name(0x80_0104), "c?1 p16 through");
        assert_eq!(name(0), "nothing");
    }

    #[test]
    fn a_count_beyond_eight_is_no_count() {
        assert_eq!(UpToEight::new(0), None);
        assert_eq!(UpToEight::new(9), None);
        assert_eq!(UpToEight::new(8), Some(UpToEight::EIGHT));
    }

    proptest! {
        #[test]
        fn fields_read_back_and_unknown_bits_stay(argument in 0_u32..1 << 24, start in 0_u32..1 << 24) {
            const UNKNOWN: u32 = 1 << 13 | 1 << 17 | 1 << 21 | 1 << 22;
            // Without a weight format the count field cannot be read back.
            let argument = if argument & 0x600 == 0 { argument & !0x1_C000 } else { argument };
            let from = VertexType::from_argument(argument);
            let built = VertexType::from_argument(start)
                .with_texture_coordinate(from.texture_coordinate())
                .with_color(from.color())
                .with_normal(from.normal())
                .with_position(from.position())
                .with_weights(from.weight(), UpToEight::new(from.weight_count()).unwrap_or(UpToEight::ONE))
                .with_index(from.index())
                .with_morph_count(UpToEight::new(from.morph_count()).expect("1 to 8"))
                .with_mode(from.mode());
            prop_assert_eq!(built.argument(), argument & !UNKNOWN | start & UNKNOWN);
        }
    }
}
