//! CLUT memory.

use raster::{Change, Clut, FrameFormat};

use crate::command::Opcode;
use crate::{Address, Registers};

/// The 1,024 bytes of palette that indexed textures look up. They outlive the registers, and only
/// LOADCLUT changes them (`spec/ge-raster.md §8.7`).
#[derive(Clone, Debug)]
pub(crate) struct ClutMemory {
    bytes: Box<[u8; 1024]>,
    change: Change,
}

impl Default for ClutMemory {
    fn default() -> Self {
        Self {
            bytes: Box::new([0; 1024]),
            change: Change::NONE,
        }
    }
}

impl ClutMemory {
    /// All of it.
    pub(crate) const fn bytes(&self) -> &[u8; 1024] {
        &self.bytes
    }

    /// Loads it from its start; the rest keeps what it had.
    pub(crate) fn load(&mut self, bytes: &[u8]) {
        let length = bytes.len().min(self.bytes.len());
        let (memory, bytes) = (&mut self.bytes[..length], &bytes[..length]);
        if memory != bytes {
            memory.copy_from_slice(bytes);
            self.change = Change::next();
        }
    }

    /// Where LOADCLUT reads: addresses are multiples of 16.
    pub(crate) fn address(registers: &Registers) -> Address {
        let low = registers.argument(Opcode::CLUTADDR) & 0xFF_FFF0;
        Address::new(registers.field(Opcode::CLUTADDRHI, 19, 16) << 24 | low)
    }

    /// How many bytes LOADCLUT reads; more than the memory holds are not read.
    pub(crate) fn length(registers: &Registers) -> usize {
        (32 * registers.field(Opcode::LOADCLUT, 5, 0) as usize).min(1024)
    }

    /// The palette as the rasteriser takes it.
    pub(crate) fn view(&self, registers: &Registers) -> Clut<'_> {
        Clut {
            memory: &self.bytes,
            change: Some(self.change),
            format: FrameFormat::from_bits(registers.field(Opcode::CLUTFORMAT, 1, 0)),
            shift: registers.field(Opcode::CLUTFORMAT, 6, 2) as u8,
            mask: registers.field(Opcode::CLUTFORMAT, 15, 8) as u8,
            start: registers.field(Opcode::CLUTFORMAT, 20, 16) as u8,
            per_level: registers.field(Opcode::TEXMODE, 8, 8) == 1,
        }
    }
}
