//! Block transfers and CLUT loads (`spec/ge-frontend.md §16.7, §17`; `spec/ge-raster.md §8.7, §14`).

use raster::FlushReason;

use crate::command::Opcode;
use crate::observer::{MemoryWrite, Writer};
use crate::report::Feature;
use crate::texture::ClutMemory;
use crate::{Address, Ge, Registers};

/// Bytes that are read before the first of them is written (hw: transfer/overlap). That bursts start
/// with the row is unverified.
const BURST: u32 = 64;

/// One side of a block transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Side {
    base: u32,
    /// Bytes from one row to the next.
    stride: u32,
    x: u32,
    y: u32,
}

impl Side {
    fn of(registers: &Registers, address: Opcode, width: Opcode, position: Opcode, pixel: u32) -> Self {
        let stride = registers.argument(width) & 0x7F8;
        let [x, y] = registers.position(position);
        Self {
            base: registers.field(width, 23, 16) << 24 | registers.argument(address) & 0xFF_FFF0,
            stride: if stride > 0x400 { 0 } else { stride * pixel },
            x: x * pixel,
            y,
        }
    }

    /// Address of the first byte of a row, counted from the top of the rectangle.
    fn row(&self, row: u32) -> Address {
        Address::new(
            self.base
                .wrapping_add((self.y + row) * self.stride)
                .wrapping_add(self.x),
        )
    }

    /// Bytes from the first of the first row to the last of the last.
    fn extent(&self, row_bytes: u32, rows: u32) -> u32 {
        (rows - 1) * self.stride + row_bytes
    }
}

impl Ge {
    /// XFERSTART: copies a rectangle, row by row, forward. Says what it wrote, if anything.
    pub(crate) fn transfer(&mut self) -> Option<MemoryWrite> {
        let registers = &self.registers;
        let pixel = if registers.switch(Opcode::XFERSTART) { 4 } else { 2 };
        let source = Side::of(
            registers,
            Opcode::XFERSRC,
            Opcode::XFERSRCW,
            Opcode::XFERSRCPOS,
            pixel,
        );
        let destination = Side::of(
            registers,
            Opcode::XFERDST,
            Opcode::XFERDSTW,
            Opcode::XFERDSTPOS,
            pixel,
        );
        let [width, height] = registers.position(Opcode::XFERSIZE).map(|less_one| less_one + 1);
        let row_bytes = width * pixel;
        if !self.afford((row_bytes * height / BURST) as usize) {
            return None;
        }
        let mapped = |side: &Side| {
            let last = side.row(height - 1).offset(row_bytes - 1);
            self.memory.is_mapped(side.row(0)) && self.memory.is_mapped(last)
        };
        if !mapped(&source) || !mapped(&destination) {
            self.meet(Feature::TransferOutsideMemory);
            return None;
        }
        self.wait_for_vram(
            source.row(0),
            source.extent(row_bytes, height),
            FlushReason::TransferRead,
        );
        let written = destination.extent(row_bytes, height);
        if let Some(range) = self.memory.vram_range(destination.row(0), written) {
            self.rasterizer
                .before_write(&mut self.memory.vram, range, FlushReason::TransferWrite);
        }
        let mut burst = [0; BURST as usize];
        for row in 0..height {
            let (from, to) = (source.row(row), destination.row(row));
            for start in (0..row_bytes).step_by(BURST as usize) {
                let bytes = &mut burst[..(row_bytes - start).min(BURST) as usize];
                self.memory.read(from.offset(start), bytes);
                self.memory.write(to.offset(start), bytes);
            }
        }
        Some(MemoryWrite {
            writer: Writer::Transfer {
                source: source.row(0),
            },
            start: destination.row(0),
            row_bytes,
            stride: destination.stride,
            rows: height,
        })
    }

    /// LOADCLUT: fills CLUT memory from its start; the rest keeps what it had.
    pub(crate) fn load_clut(&mut self) {
        let (address, length) = (
            ClutMemory::address(&self.registers),
            ClutMemory::length(&self.registers),
        );
        if length == 0 {
            return;
        }
        if !self.memory.is_mapped(address) {
            self.meet(Feature::ClutOutsideMemory);
            // From address 0 nothing is loaded, from elsewhere zeros (ppsspp); hardware crashes.
            if address == Address::new(0) {
                return;
            }
        }
        self.wait_for_vram(address, length as u32, FlushReason::ClutLoad);
        let mut bytes = [0; 1024];
        self.memory.read(address, &mut bytes[..length]);
        self.clut.load(&bytes[..length]);
    }
}
