//! One command.

use raster::FlushReason;

use super::control::{FinishEffect, SignalEffect};
use super::{BoundingBox, Fetch, ListState};
use crate::assembly::PrimitiveCode;
use crate::command::{Command, Opcode};
use crate::ge::Changes;
use crate::matrices::MatrixKind;
use crate::observer::{Observer, Signal};
use crate::report::Feature;
use crate::{Address, Float24, Ge, GeError, Stop};

impl Ge {
    /// Fetches and carries out the next command of the list.
    pub(super) fn step<O: Observer>(
        &mut self,
        list: &mut ListState,
        observer: &mut O,
    ) -> Result<Fetch, GeError> {
        let address = list.next();
        let command = self
            .fetch_command(address)
            .ok_or(GeError::OutsideMemory { address })?;
        list.advance();
        let opcode = command.opcode();
        if self.immediate.are_waiting() && !is_immediate(opcode) {
            self.flush_immediate(observer);
        }
        self.current = address;
        observer.on_command(self, address, command);
        // The whole word is stored before the command acts, no-ops included.
        if self.registers.store(command) {
            self.changes = self.changes.or(Changes::by(opcode));
        }
        let argument = command.argument();
        match opcode {
            Opcode::VADDR => self.pointers.vertex = list.relative(&self.registers, argument),
            Opcode::IADDR => self.pointers.index = list.relative(&self.registers, argument),
            Opcode::PRIM => {
                let code = PrimitiveCode::from_bits(argument >> 16);
                self.draw_primitive(code, argument & 0xFFFF, observer);
            }
            Opcode::BEZIER | Opcode::SPLINE => self.draw_patch(opcode, observer),
            Opcode::BBOX => {
                if let Some(result) = self.test_bounding_box(argument & 0xFFFF) {
                    list.bounding_box = result;
                }
            }
            Opcode::JUMP => list.jump(&self.registers, argument),
            Opcode::BJUMP if list.bounding_box == BoundingBox::Outside => {
                list.jump(&self.registers, argument);
            }
            Opcode::CALL => {
                if let Err(feature) = list.call(&self.registers, argument) {
                    self.meet(feature);
                }
            }
            // The caller's BASE is not restored.
            Opcode::RET => drop(list.ret()),
            Opcode::END => return self.end(list, address, command, observer),
            Opcode::OFFSETADDR => list.set_offset(argument << 8),
            Opcode::ORIGIN => list.set_offset(address.get()),
            Opcode::BONENUM => self.matrices.set_counter(MatrixKind::Bone, argument),
            Opcode::WORLDNUM => self.matrices.set_counter(MatrixKind::World, argument),
            Opcode::VIEWNUM => self.matrices.set_counter(MatrixKind::View, argument),
            Opcode::PROJNUM => self.matrices.set_counter(MatrixKind::Projection, argument),
            Opcode::TGENNUM => self.matrices.set_counter(MatrixKind::Texture, argument),
            Opcode::BONEDATA => self.push_element(MatrixKind::Bone, Opcode::BONENUM, argument),
            Opcode::WORLDDATA => self.push_element(MatrixKind::World, Opcode::WORLDNUM, argument),
            Opcode::VIEWDATA => self.push_element(MatrixKind::View, Opcode::VIEWNUM, argument),
            Opcode::PROJDATA => self.push_element(MatrixKind::Projection, Opcode::PROJNUM, argument),
            Opcode::TGENDATA => self.push_element(MatrixKind::Texture, Opcode::TGENNUM, argument),
            Opcode::LOADCLUT => self.load_clut(),
            Opcode::XFERSTART => {
                if let Some(write) = self.transfer() {
                    observer.after_write(self, write);
                }
            }
            Opcode::VAP => self.send_immediate(observer),
            Opcode::REGION1 if argument & 0xF_FFFF != 0 => self.meet(Feature::RegionRate),
            _ => {}
        }
        Ok(Fetch::Next)
    }

    #[inline]
    fn fetch_command(&mut self, address: Address) -> Option<Command> {
        // Lists stand in main memory as a rule, where no draw writes.
        if let Some(word) = self.memory.word_of_ram(address) {
            return Some(Command::from_word(word));
        }
        self.fetch_command_elsewhere(address)
    }

    #[cold]
    fn fetch_command_elsewhere(&mut self, address: Address) -> Option<Command> {
        self.wait_for_vram(address, 4, FlushReason::VertexRead);
        self.memory.word(address).map(Command::from_word)
    }

    fn push_element(&mut self, kind: MatrixKind, number: Opcode, argument: u32) {
        if self.matrices.push(kind, Float24::from_argument(argument)) {
            self.changes = self.changes.or(Changes::by(number));
        }
        // The number register shows the stepped counter (§2.1).
        self.registers
            .store(Command::new(number, self.matrices.counter(kind)));
    }

    /// END acts on the word before it in memory, not on the one executed before
    /// (`spec/ge-frontend.md §2.5`).
    fn end<O: Observer>(
        &mut self,
        list: &mut ListState,
        address: Address,
        end: Command,
        observer: &mut O,
    ) -> Result<Fetch, GeError> {
        let Some(before) = self.fetch_command(address.offset(4_u32.wrapping_neg())) else {
            return Ok(Fetch::Next);
        };
        match before.opcode() {
            Opcode::SIGNAL => match list.signal(&self.registers, address, before, end.argument())? {
                SignalEffect::Done => {}
                SignalEffect::Callback => observer.on_signal(Signal {
                    address,
                    behaviour: (before.argument() >> 16) as u8,
                    value: before.argument() as u16,
                }),
                SignalEffect::RestoreBase(base) => {
                    self.registers.store(base);
                }
                SignalEffect::Unsupported(feature) => self.meet(feature),
            },
            Opcode::FINISH => match list.finish() {
                FinishEffect::Pass => {}
                FinishEffect::Pause(signal) => {
                    observer.on_signal(Signal {
                        address,
                        behaviour: 3,
                        value: signal,
                    });
                    return Ok(Fetch::Stop(Stop::Paused { signal }));
                }
                FinishEffect::End => {
                    let id = before.argument() as u16;
                    observer.on_finish(id);
                    return Ok(Fetch::Stop(Stop::Finished { id }));
                }
            },
            _ => {}
        }
        Ok(Fetch::Next)
    }
}

/// Whether a command is one of those that describe and send immediate vertices, or none at all: these
/// leave the state alone that waiting vertices are drawn with.
const fn is_immediate(opcode: Opcode) -> bool {
    matches!(opcode, Opcode(0x00 | 0xF0..=0xF9 | 0xFF))
}
