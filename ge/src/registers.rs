//! The register file: the last word of every opcode.

use crate::Float24;
use crate::command::{Command, Opcode};

/// The last word executed for each opcode, which is all the state that level registers have
/// (`spec/ge-frontend.md §2.1`). At reset every argument is zero (§2.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registers {
    words: [u32; 256],
}

impl Default for Registers {
    fn default() -> Self {
        Self {
            words: std::array::from_fn(|opcode| (opcode as u32) << 24),
        }
    }
}

impl Registers {
    /// The last command of an opcode.
    #[must_use]
    pub const fn command(&self, opcode: Opcode) -> Command {
        Command::from_word(self.words[opcode.0 as usize])
    }

    /// The 24-bit argument last given to an opcode.
    #[must_use]
    pub const fn argument(&self, opcode: Opcode) -> u32 {
        self.words[opcode.0 as usize] & 0xFF_FFFF
    }

    /// Bits `high..=low` of the argument last given to an opcode.
    #[must_use]
    pub const fn field(&self, opcode: Opcode, high: u32, low: u32) -> u32 {
        self.argument(opcode) >> low & ((1 << (high - low + 1)) - 1)
    }

    /// Bit 0 of an opcode that switches something.
    #[must_use]
    pub const fn switch(&self, opcode: Opcode) -> bool {
        self.argument(opcode) & 1 == 1
    }

    /// The float last given to an opcode.
    #[must_use]
    pub const fn float(&self, opcode: Opcode) -> f32 {
        Float24::from_argument(self.argument(opcode)).to_f32()
    }

    /// The floats of `N` opcodes in a row.
    #[must_use]
    pub fn floats<const N: usize>(&self, first: Opcode) -> [f32; N] {
        std::array::from_fn(|index| self.float(first.nth(index as u8)))
    }

    /// The pair of 10-bit numbers of an opcode that holds x and y.
    #[must_use]
    pub const fn position(&self, opcode: Opcode) -> [u32; 2] {
        [self.field(opcode, 9, 0), self.field(opcode, 19, 10)]
    }

    /// Stores a word and says whether that changed anything.
    pub(crate) fn store(&mut self, command: Command) -> bool {
        let slot = &mut self.words[command.opcode().0 as usize];
        std::mem::replace(slot, command.word()) != command.word()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_read_back_whole_words() {
        let mut registers = Registers::default();
        assert_eq!(registers.command(Opcode::FBPTR).word(), 0x9C00_0000);
        assert!(registers.store(Command::from_word(0x1008_1234)));
        assert!(!registers.store(Command::from_word(0x1008_1234)));
        assert_eq!(registers.command(Opcode::BASE).word(), 0x1008_1234);
        assert_eq!(registers.field(Opcode::BASE, 19, 16), 8);
    }
}
