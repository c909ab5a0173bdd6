//! What each record does (`spec/capture.md §7.4`).

use formats::capture::{FramebufferTexture, MipLevel, Payload, Record, Version, VramFlags, Words};
use ge::command::{Command, Opcode};
use ge::{Address, MemoryWrite, Observer, Writer};
use raster::EdramTranslation;

use crate::mapping::Mapped;
use crate::{LastTexture, ReplayError, ReplayMode, Replayer};

/// Whether an address is one of VRAM, cached or not.
const fn is_vram(address: u32) -> bool {
    address & 0xBF80_0000 == 0x0400_0000
}

/// Whether an address of VRAM shows it permuted: through copy 1 or 3 (`spec/ge-raster.md §13`).
const fn is_permuted(address: u32) -> bool {
    address & 0x20_0000 != 0
}

/// A command word with `high` in bits 16 to 23 of its argument.
const fn word(opcode: Opcode, high: u32, low: u16) -> u32 {
    Command::new(opcode, high << 16 | low as u32).word()
}

impl Replayer<'_> {
    pub(super) fn carry_out<O: Observer>(
        &mut self,
        record: &Record,
        observer: &mut O,
    ) -> Result<(), ReplayError> {
        let capture = self.capture;
        match capture.payload(record) {
            Payload::Init(state) => self.initialize(&state),
            Payload::Registers(words) => self.registers(words, observer)?,
            Payload::Vertices(_) => self.set_pointer(record, Opcode::VADDR, observer)?,
            Payload::Indices(_) => self.set_pointer(record, Opcode::IADDR, observer)?,
            Payload::Clut(bytes) => self.clut(record, bytes, observer)?,
            Payload::TransferSource(_) => self.transfer_source(record, observer)?,
            Payload::Texture { level, .. } => self.texture(record, level, observer)?,
            Payload::Framebuffer(texture) => self.framebuffer(&texture, observer)?,
            Payload::ClutAddress { address, flags } => self.clut_address = Some((address, flags)),
            Payload::CopyDestination(address) => self.copy_destination = address,
            Payload::CopyData(bytes) => {
                if is_vram(self.copy_destination) {
                    self.stall(observer)?;
                    self.write_vram(self.copy_destination, bytes, observer);
                }
            }
            Payload::MemorySet(set) => {
                if is_vram(set.address) {
                    self.stall(observer)?;
                    if self.mode == ReplayMode::Faithful {
                        self.fill(set.address, set.value, set.size, observer);
                    }
                }
            }
            Payload::EdramTranslation(width) => {
                self.stall(observer)?;
                if let Some(translation) = EdramTranslation::from_width(width) {
                    self.ge.set_translation(translation);
                }
            }
            Payload::Display(display) => {
                self.stall(observer)?;
                self.display = Some(display);
            }
        }
        Ok(())
    }

    fn registers<O: Observer>(&mut self, words: Words<'_>, observer: &mut O) -> Result<(), ReplayError> {
        let steers =
            |opcode: &Opcode| matches!(*opcode, Opcode::JUMP | Opcode::BJUMP | Opcode::CALL | Opcode::RET);
        let mut opcodes = words.iter().map(|word| Command::from_word(word).opcode());
        if let Some(opcode) = opcodes.find(steers) {
            return Err(ReplayError::Steers {
                record: self.next_record,
                opcode,
            });
        }
        self.start(observer)?;
        self.make_room(self.queue.len() + words.len(), observer)?;
        // A buffer width gets the address that its level had when the payload began; nothing in a
        // payload changes addresses.
        let mut run = std::mem::take(&mut self.queue);
        run.extend(
            words
                .iter()
                .map(|word| self.relocated(Command::from_word(word)).word()),
        );
        self.append(run.drain(..));
        self.queue = run;
        Ok(())
    }

    /// A recorded command without the recorded game's texture addresses.
    fn relocated(&mut self, command: Command) -> Command {
        let nop = Command::new(Opcode::NOP, 0);
        match command.opcode() {
            Opcode(0xA0..=0xA7) => nop,
            Opcode(opcode @ 0xA8..=0xAF) => {
                let last = &mut self.textures[usize::from(opcode - 0xA8)];
                let width = command.argument() as u16;
                if std::mem::replace(&mut last.width, width) == width {
                    return nop;
                }
                Command::from_word(self::word(Opcode(opcode), last.address >> 24, width))
            }
            Opcode::BASE | Opcode::SIGNAL => {
                self.last_base = None;
                command
            }
            _ => command,
        }
    }

    /// The address of a record's payload in main memory, copied there first if it is not. `None` if
    /// there is no room.
    fn map<O: Observer>(&mut self, record: &Record, observer: &mut O) -> Result<Option<u32>, ReplayError> {
        let span = record.span();
        match self.mapping.map(span.start, span.len()) {
            Mapped::Present(address) => Ok(Some(address)),
            Mapped::Copy {
                from,
                length,
                to,
                address,
            } => {
                self.stall(observer)?;
                let push_buffer = self.capture.push_buffer();
                let end = from.saturating_add(length).min(push_buffer.len());
                self.ge
                    .write(Address::new(to), push_buffer.get(from..end).unwrap_or_default());
                Ok(Some(address))
            }
            Mapped::NoRoom => Ok(None),
        }
    }

    fn set_pointer<O: Observer>(
        &mut self,
        record: &Record,
        opcode: Opcode,
        observer: &mut O,
    ) -> Result<(), ReplayError> {
        let Some(address) = self.map(record, observer)? else {
            return Ok(());
        };
        let high = (address >> 24) as u8;
        if self.last_base != Some(high) {
            self.last_base = Some(high);
            self.queue.push(word(Opcode::BASE, high.into(), 0));
        }
        self.queue.push(Command::new(opcode, address).word());
        Ok(())
    }

    fn clut<O: Observer>(
        &mut self,
        record: &Record,
        bytes: &[u8],
        observer: &mut O,
    ) -> Result<(), ReplayError> {
        if let Some((address, flags)) = self.clut_address.take() {
            if flags.is_target() && !self.lacks_recorded_copy(address, flags) {
                return Ok(());
            }
            return self.copy_to_vram(address, bytes, observer);
        }
        if self.mode == ReplayMode::Faithful
            && self.next_record == 1
            && let Ok(memory) = bytes.try_into()
        {
            self.ge.set_clut(memory);
            return Ok(());
        }
        if let Some(address) = self.map(record, observer)? {
            self.queue.push(word(Opcode::CLUTADDRHI, address >> 24, 0));
            self.queue.push(Command::new(Opcode::CLUTADDR, address).word());
        }
        Ok(())
    }

    fn transfer_source<O: Observer>(&mut self, record: &Record, observer: &mut O) -> Result<(), ReplayError> {
        let Some(address) = self.map(record, observer)? else {
            return Ok(());
        };
        self.stall(observer)?;
        let width = self.ge.registers().argument(Opcode::XFERSRCW) as u16;
        self.queue.push(word(Opcode::XFERSRCW, address >> 24, width));
        self.queue.push(Command::new(Opcode::XFERSRC, address).word());
        Ok(())
    }

    fn texture<O: Observer>(
        &mut self,
        record: &Record,
        level: MipLevel,
        observer: &mut O,
    ) -> Result<(), ReplayError> {
        let Some(address) = self.map(record, observer)? else {
            return Ok(());
        };
        let last = self.textures[level.index()];
        if last.address != address {
            self.set_texture(level, address, last.width);
        }
        Ok(())
    }

    fn framebuffer<O: Observer>(
        &mut self,
        texture: &FramebufferTexture<'_>,
        observer: &mut O,
    ) -> Result<(), ReplayError> {
        let last = self.textures[texture.level.index()];
        let width = texture.width as u16;
        if last.address != texture.address || last.width != width {
            self.set_texture(texture.level, texture.address, width);
        }
        // A render target's texels are those that the replay itself draws.
        let present = texture.flags.is_target() || self.is_unchanged(texture.flags);
        if present && !self.lacks_recorded_copy(texture.address, texture.flags) {
            return Ok(());
        }
        self.copy_to_vram(texture.address, texture.texels, observer)
    }

    /// Whether the recorder says, and can be trusted, that VRAM already holds a record's bytes.
    fn is_unchanged(&self, flags: VramFlags) -> bool {
        flags.is_unchanged() && self.capture.version() >= Version::V6
    }

    /// Whether bytes that VRAM is said to hold are not there on replay because a copy brought them whose
    /// address the recorder has folded.
    ///
    /// A rule about captures, not about the GE, inferred from the recorder's plain mirrors
    /// (`spec/capture.md §4`): no CPU write to VRAM is recorded through a copy other than the first, so
    /// what was written and is read through copy 1 or 3 lies elsewhere than the record puts it. That these
    /// bytes were left by such a write, and not by a draw, the flags say. The record of what is read holds
    /// them under their own address (hw: gpu/clut/address).
    fn lacks_recorded_copy(&self, address: u32, flags: VramFlags) -> bool {
        self.mode == ReplayMode::Faithful
            && is_permuted(address)
            && self.is_unchanged(flags)
            && !flags.may_be_drawn_over()
    }

    fn set_texture(&mut self, level: MipLevel, address: u32, width: u16) {
        let number = level.index() as u8;
        self.textures[level.index()] = LastTexture { address, width };
        self.queue
            .push(word(Opcode::TEXBUFW0.nth(number), address >> 24, width));
        self.queue
            .push(Command::new(Opcode::TEXADDR0.nth(number), address).word());
    }

    /// Copies recorded bytes to VRAM. PPSSPP's player does so ahead of the commands before the record.
    fn copy_to_vram<O: Observer>(
        &mut self,
        address: u32,
        bytes: &[u8],
        observer: &mut O,
    ) -> Result<(), ReplayError> {
        let inside = is_vram(address) && bytes.len() as u64 + u64::from(address & 0x7F_FFFF) <= 8 << 20;
        if !inside {
            return Ok(());
        }
        if self.mode == ReplayMode::Faithful {
            self.stall(observer)?;
        }
        self.write_vram(address, bytes, observer);
        Ok(())
    }

    fn write_vram<O: Observer>(&mut self, address: u32, bytes: &[u8], observer: &mut O) {
        self.ge.write(Address::new(address), bytes);
        self.tell(Writer::Copy, address, bytes.len() as u32, observer);
    }

    fn tell<O: Observer>(&mut self, writer: Writer, address: u32, length: u32, observer: &mut O) {
        let write = MemoryWrite {
            writer,
            start: Address::new(address),
            row_bytes: length,
            stride: 0,
            rows: 1,
        };
        observer.after_write(&mut self.ge, write);
    }

    /// Fills VRAM, up to the end of its window.
    fn fill<O: Observer>(&mut self, address: u32, value: u8, size: u32, observer: &mut O) {
        let row = [value; 4096];
        let end = u64::from(address & 0x7F_FFFF) + u64::from(size);
        let length = end.min(8 << 20) as u32 - (address & 0x7F_FFFF);
        let mut left = length;
        let mut at = Address::new(address);
        while left > 0 {
            let length = left.min(row.len() as u32);
            self.ge.write(at, &row[..length as usize]);
            at = at.offset(length);
            left -= length;
        }
        self.tell(Writer::Fill, address, length, observer);
    }
}
