//! Where a scene's data stand in the PSP's memory.

use ge::Address;

/// Where data are placed from: the start of the memory that games own.
const FIRST: u32 = 0x0880_0000;
/// Where the memory of a PSP-1000 ends.
const END: u32 = 0x0A00_0000;

/// The PSP's memory does not hold the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{needed} bytes do not fit: the PSP's memory has {left} left of {total}")]
pub struct ArenaFull {
    /// Bytes that were to be placed.
    pub needed: usize,
    /// Bytes left.
    pub left: usize,
    /// Bytes in all.
    pub total: usize,
}

/// Hands out main memory, from its start on.
pub struct Arena<'a> {
    memory: &'a mut ge::Memory,
    next: u32,
}

impl<'a> Arena<'a> {
    /// All of main memory that a game owns.
    pub fn new(memory: &'a mut ge::Memory) -> Self {
        Self { memory, next: FIRST }
    }

    /// Main memory from `start` on.
    pub fn starting_at(memory: &'a mut ge::Memory, start: Address) -> Self {
        Self {
            memory,
            next: start.get(),
        }
    }

    /// Copies `bytes` to the next multiple of `alignment`, a power of two.
    ///
    /// # Errors
    ///
    /// [`ArenaFull`] when memory ends before them.
    pub fn place(&mut self, bytes: &[u8], alignment: u32) -> Result<Address, ArenaFull> {
        let start = self.next.next_multiple_of(alignment);
        let left = END.saturating_sub(start) as usize;
        if bytes.len() > left {
            return Err(ArenaFull {
                needed: bytes.len(),
                left,
                total: (END - FIRST) as usize,
            });
        }
        self.memory.write(Address::new(start), bytes);
        self.next = start + bytes.len() as u32;
        Ok(Address::new(start))
    }

    /// The next free address, a multiple of 64, where display lists can stand.
    #[must_use]
    pub fn rest(&self) -> Address {
        Address::new(self.next.next_multiple_of(64))
    }
}
