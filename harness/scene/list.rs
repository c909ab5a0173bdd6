//! A display list under construction.

use ge::Address;
use ge::command::{Command, Opcode};

/// A display list that is being written, word by word, for an address in memory.
///
/// ```
/// use ge::Address;
/// use ge::command::Opcode;
/// use ge_harness::scene::DisplayList;
///
/// let mut list = DisplayList::at(Address::new(0x0880_0000));
/// list.float(Opcode::FOG2, 0.5).switch(Opcode::FOGENABLE, true).finish(7);
/// assert_eq!(list.words(), [0xCE3F_0000, 0x1F00_0001, 0x0F00_0007, 0x0C00_0000]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisplayList {
    address: Address,
    words: Vec<u32>,
}

impl DisplayList {
    /// An empty list that will stand at `address`, a multiple of 4.
    #[must_use]
    pub fn at(address: Address) -> Self {
        Self {
            address,
            words: Vec::new(),
        }
    }

    /// The words so far.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The words as memory holds them.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// A command with a 24-bit argument; higher bits are dropped.
    pub fn command(&mut self, opcode: Opcode, argument: u32) -> &mut Self {
        self.word(Command::new(opcode, argument).word())
    }

    /// A whole command word.
    pub fn word(&mut self, word: u32) -> &mut Self {
        self.words.push(word);
        self
    }

    /// A command whose argument is a float, cut to 24 bits.
    pub fn float(&mut self, opcode: Opcode, value: f32) -> &mut Self {
        self.word(Command::float(opcode, value).word())
    }

    /// The same for a row of opcodes that follow each other, such as the axes of a vector.
    pub fn floats(&mut self, first: Opcode, values: &[f32]) -> &mut Self {
        for (step, &value) in (0_u8..).zip(values) {
            self.float(first.nth(step), value);
        }
        self
    }

    /// An enable.
    pub fn switch(&mut self, opcode: Opcode, on: bool) -> &mut Self {
        self.command(opcode, u32::from(on))
    }

    /// A colour: red, green, blue.
    pub fn color(&mut self, opcode: Opcode, [red, green, blue]: [u8; 3]) -> &mut Self {
        self.command(opcode, u32::from_le_bytes([red, green, blue, 0]))
    }

    /// A matrix, by its number register (whose data register is the next opcode), from element
    /// `first` on.
    pub fn matrix(&mut self, number: Opcode, first: u32, elements: &[f32]) -> &mut Self {
        self.command(number, first);
        for &element in elements {
            self.float(number.nth(1), element);
        }
        self
    }

    /// A position with 10 bits for each of x and y.
    pub fn position(&mut self, opcode: Opcode, x: u32, y: u32) -> &mut Self {
        self.command(opcode, x & 0x3FF | (y & 0x3FF) << 10)
    }

    /// An address that is split over two registers: its low 24 bits in `low`, its bits 27 to 24 in
    /// bits 19 to 16 of `high`, beside `rest`.
    pub fn split_address(&mut self, low: Opcode, high: Opcode, address: Address, rest: u32) -> &mut Self {
        self.command(low, address.get())
            .command(high, (address.get() >> 24 & 0xF) << 16 | rest)
    }

    /// A command with a relative address, with the BASE that it needs. Holds while the address offset is 0.
    pub fn address(&mut self, opcode: Opcode, address: Address) -> &mut Self {
        self.command(Opcode::BASE, (address.get() >> 24 & 0xF) << 16)
            .command(opcode, address.get())
    }

    /// Puts `data` into the list, at a multiple of 16 and with a JUMP over it, as the PSP's own graphics library
    /// gets memory for a frame's vertices. Returns its address.
    pub fn data(&mut self, data: &[u8]) -> Address {
        // BASE and JUMP stand before the data.
        let start = self.here().offset(8).get().next_multiple_of(16);
        let end = Address::new(start + data.len().next_multiple_of(4) as u32);
        self.address(Opcode::JUMP, end);
        while self.here().get() < start {
            self.command(Opcode::NOP, 0);
        }
        for chunk in data.chunks(4) {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u32::from_le_bytes(word));
        }
        Address::new(start)
    }

    /// The address of the next word.
    fn here(&self) -> Address {
        self.address.offset(self.words.len() as u32 * 4)
    }

    /// The end of the list, with an id of 16 bits by which it is known.
    pub fn finish(&mut self, id: u16) -> &mut Self {
        self.command(Opcode::FINISH, u32::from(id))
            .command(Opcode::END, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_stands_aligned_behind_a_jump() {
        let mut list = DisplayList::at(Address::new(0x0880_0004));
        let data = list.data(&[1, 2, 3, 4, 5]);
        assert_eq!(data, Address::new(0x0880_0010));
        assert_eq!(
            list.words(),
            [0x1008_0000, 0x0880_0018, 0, 0x0403_0201, 0x0000_0005]
        );
        list.finish(0);
    }
}
