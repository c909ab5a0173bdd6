//! The commands of a GE display list, typed where a model's lists use them and kept word for word.

use vertex::VertexType;

/// Bits of a command's argument; the opcode stands above them.
const ARGUMENT: u32 = 0x00FF_FFFF;

/// What the vertices of a draw make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PrimitiveKind {
    /// A point a vertex.
    Points = 0,
    /// A line every two vertices.
    Lines = 1,
    /// A line from each vertex to the next.
    LineStrip = 2,
    /// A triangle every three vertices.
    Triangles = 3,
    /// A triangle for each vertex from the third on, with the two before it.
    TriangleStrip = 4,
    /// A triangle for each vertex from the third on, with the one before it and the first.
    TriangleFan = 5,
    /// A rectangle every two vertices.
    Rectangles = 6,
    /// The vertices go on with the primitive of the draw before
    /// (`spec/ge-frontend.md §14.2`, hw: primitives/continue).
    Continue = 7,
}

impl PrimitiveKind {
    /// All kinds, by code.
    pub const ALL: [Self; 8] = [
        Self::Points,
        Self::Lines,
        Self::LineStrip,
        Self::Triangles,
        Self::TriangleStrip,
        Self::TriangleFan,
        Self::Rectangles,
        Self::Continue,
    ];

    /// The kind of a three-bit code; higher bits are ignored.
    #[must_use]
    pub const fn from_code(code: u32) -> Self {
        Self::ALL[(code & 7) as usize]
    }
}

/// Which way round the triangles that follow face: the argument's bit 0 of command 0x9B.
///
/// Only exporters need it: Monster Hunter draws its models with culling off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FrontFace {
    /// Bit 0 clear: triangles keep the order of their vertices.
    #[default]
    AsGiven,
    /// Bit 0 set: the first two vertices of every triangle change places.
    Reversed,
}

/// One word of a display list.
///
/// Every word decodes and [`word`](Self::word) gives it back exactly: arguments keep the bits that
/// have no meaning. Arguments have 24 bits; higher ones are dropped by [`word`](Self::word).
/// Source: `spec/mhp-formats.md §3.4`, `spec/ge-frontend.md §2`.
///
/// ```
/// use formats::pmo::list::{ListCommand, PrimitiveKind};
///
/// let command = ListCommand::from_word(0x0404_0004);
/// let strip = ListCommand::Prim { kind: PrimitiveKind::TriangleStrip, count: 4, unused: 0 };
/// assert_eq!(command, strip);
/// assert_eq!(command.word(), 0x0404_0004);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListCommand {
    /// 0x00: nothing.
    Nop(u32),
    /// 0x01: the vertex address.
    Vaddr(u32),
    /// 0x02: the index address.
    Iaddr(u32),
    /// 0x04: draw.
    Prim {
        /// What the vertices make.
        kind: PrimitiveKind,
        /// How many vertices (or indices) are drawn.
        count: u16,
        /// Bits 19 to 23 of the argument, which the GE ignores.
        unused: u8,
    },
    /// 0x0B: return from a called list.
    Ret(u32),
    /// 0x0C: the list ends.
    End(u32),
    /// 0x10: bits 16 to 19 become bits 24 to 27 of the addresses that follow.
    Base(u32),
    /// 0x12: the vertex type.
    VertexType(VertexType),
    /// 0x13: what is added to addresses becomes the argument times 256.
    OffsetAddr(u32),
    /// 0x14: what is added to addresses becomes this command's own address.
    Origin(u32),
    /// 0x9B: which way round triangles face, in bit 0.
    FrontFace(u32),
    /// Every other command.
    Other {
        /// Bits 24 to 31 of the word.
        opcode: u8,
        /// Bits 0 to 23.
        argument: u32,
    },
}

impl ListCommand {
    /// The command of a word.
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        let argument = word & ARGUMENT;
        match (word >> 24) as u8 {
            0x00 => Self::Nop(argument),
            0x01 => Self::Vaddr(argument),
            0x02 => Self::Iaddr(argument),
            0x04 => Self::Prim {
                kind: PrimitiveKind::from_code(argument >> 16),
                count: argument as u16,
                unused: (argument >> 19) as u8,
            },
            0x0B => Self::Ret(argument),
            0x0C => Self::End(argument),
            0x10 => Self::Base(argument),
            0x12 => Self::VertexType(VertexType::from_argument(argument)),
            0x13 => Self::OffsetAddr(argument),
            0x14 => Self::Origin(argument),
            0x9B => Self::FrontFace(argument),
            opcode => Self::Other { opcode, argument },
        }
    }

    /// The word of a command.
    #[must_use]
    pub const fn word(self) -> u32 {
        let argument = match self {
            Self::Nop(argument)
            | Self::Vaddr(argument)
            | Self::Iaddr(argument)
            | Self::Ret(argument)
            | Self::End(argument)
            | Self::Base(argument)
            | Self::OffsetAddr(argument)
            | Self::Origin(argument)
            | Self::FrontFace(argument)
            | Self::Other { argument, .. } => argument,
            Self::Prim { kind, count, unused } => count as u32 | (kind as u32) << 16 | (unused as u32) << 19,
            Self::VertexType(vertex_type) => vertex_type.argument(),
        };
        (self.opcode() as u32) << 24 | argument & ARGUMENT
    }

    /// The opcode: bits 24 to 31 of the word.
    #[must_use]
    pub const fn opcode(self) -> u8 {
        match self {
            Self::Nop(_) => 0x00,
            Self::Vaddr(_) => 0x01,
            Self::Iaddr(_) => 0x02,
            Self::Prim { .. } => 0x04,
            Self::Ret(_) => 0x0B,
            Self::End(_) => 0x0C,
            Self::Base(_) => 0x10,
            Self::VertexType(_) => 0x12,
            Self::OffsetAddr(_) => 0x13,
            Self::Origin(_) => 0x14,
            Self::FrontFace(_) => 0x9B,
            Self::Other { opcode, .. } => opcode,
        }
    }

    /// A draw.
    #[must_use]
    pub const fn prim(kind: PrimitiveKind, count: u16) -> Self {
        Self::Prim {
            kind,
            count,
            unused: 0,
        }
    }

    /// The command that sets which way round triangles face.
    #[must_use]
    pub const fn front_face(front_face: FrontFace) -> Self {
        Self::FrontFace(match front_face {
            FrontFace::AsGiven => 0,
            FrontFace::Reversed => 1,
        })
    }

    /// Whether the list ends here: RET or END.
    #[must_use]
    pub const fn ends_list(self) -> bool {
        matches!(self, Self::Ret(_) | Self::End(_))
    }

    /// The name of a command that a file cannot hold, because it needs memory that a file does not
    /// have: BEZIER, SPLINE, JUMP, BJUMP and CALL.
    #[must_use]
    pub const fn refused(self) -> Option<&'static str> {
        match self.opcode() {
            0x05 => Some("BEZIER"),
            0x06 => Some("SPLINE"),
            0x08 => Some("JUMP"),
            0x09 => Some("BJUMP"),
            0x0A => Some("CALL"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_word_comes_back(word in any::<u32>()) {
            let command = ListCommand::from_word(word);
            prop_assert_eq!(command.word(), word);
            prop_assert_eq!(u32::from(command.opcode()), word >> 24);
        }
    }

    #[test]
    fn every_opcode_comes_back_with_every_bit() {
        for opcode in 0..=0xFF_u32 {
            for argument in [0, 1, 0x55_5555, 0xAA_AAAA, 0xFF_FFFF] {
                let word = opcode << 24 | argument;
                assert_eq!(ListCommand::from_word(word).word(), word);
            }
        }
    }

    #[test]
    fn commands_that_need_memory_are_refused_by_name() {
        let refused: Vec<(u32, &str)> = (0..=0xFF)
            .filter_map(|opcode| Some((opcode, ListCommand::from_word(opcode << 24).refused()?)))
            .collect();
        assert_eq!(
            refused,
            [
                (5, "BEZIER"),
                (6, "SPLINE"),
                (8, "JUMP"),
                (9, "BJUMP"),
                (10, "CALL")
            ]
        );
    }
}
