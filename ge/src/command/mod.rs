//! Command words: one 32-bit word each, the opcode in the top byte and a 24-bit argument.

mod argument;
mod disassemble;
mod opcode;

pub use argument::Argument;
pub use disassemble::disassemble;
pub use opcode::Opcode;

use std::fmt;

use crate::Float24;

/// One word of a display list.
///
/// ```
/// use ge::command::{Command, Opcode};
///
/// let command = Command::new(Opcode::PRIM, 0x04_0018);
/// assert_eq!(command.word(), 0x0404_0018);
/// assert_eq!(command.to_string(), "PRIM triangle strip, 24 vertices");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Command(u32);

impl Command {
    /// The command of an opcode and its argument; bits of the argument above 23 are dropped.
    #[must_use]
    pub const fn new(opcode: Opcode, argument: u32) -> Self {
        Self((opcode.0 as u32) << 24 | argument & 0xFF_FFFF)
    }

    /// A command whose argument is a float, cut to the 16 significant bits that fit.
    #[must_use]
    pub const fn float(opcode: Opcode, value: f32) -> Self {
        Self::new(opcode, Float24::from_f32(value).argument())
    }

    /// The command that a word holds: every word holds one.
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        Self(word)
    }

    /// The word.
    #[must_use]
    pub const fn word(self) -> u32 {
        self.0
    }

    /// Which command it is.
    #[must_use]
    pub const fn opcode(self) -> Opcode {
        Opcode((self.0 >> 24) as u8)
    }

    /// The 24-bit argument.
    #[must_use]
    pub const fn argument(self) -> u32 {
        self.0 & 0xFF_FFFF
    }
}

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&disassemble(self.0))
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Command({:08X}: {self})", self.0)
    }
}
