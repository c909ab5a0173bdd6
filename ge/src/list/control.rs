//! Where a list stands: jumps, calls, signals.

use crate::command::{Command, Opcode};
use crate::report::Feature;
use crate::{Address, GeError, Registers, Stop};

/// The result of the last bounding box test of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoundingBox {
    /// Something may be seen.
    Inside,
    /// Nothing can be seen: BJUMP jumps.
    Outside,
}

/// What follows a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fetch {
    /// The next command.
    Next,
    /// Nothing, for now.
    Stop(Stop),
}

/// What a call comes back to.
#[derive(Clone, Copy, Debug)]
struct Caller {
    address: Address,
    offset: u32,
    /// The BASE register, which calls by signal restore and CALL does not.
    base: Command,
}

/// Calls that may be pending: what PPSSPP keeps. The chip itself may have two return registers only
/// (`spec/ge-frontend.md §2.4`).
const DEEPEST: usize = 32;

/// A list that runs.
#[derive(Clone, Debug)]
pub(crate) struct ListState {
    next: Address,
    /// Added to relative addresses.
    offset: u32,
    callers: Vec<Caller>,
    pub(crate) bounding_box: BoundingBox,
    /// The value of a pausing signal, which takes effect at the next FINISH and END.
    pausing: Option<u16>,
    /// A sync signal lets the next FINISH and END pass.
    passes_finish: bool,
}

/// What an END behind a SIGNAL asks of the GE beyond the list's own state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SignalEffect {
    /// Nothing more.
    Done,
    /// A callback.
    Callback,
    /// BASE gets back the word it had before the call.
    RestoreBase(Command),
    /// Something that is not done.
    Unsupported(Feature),
}

/// What an END behind a FINISH does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FinishEffect {
    /// The list goes on.
    Pass,
    /// The list pauses, with the callback of the signal that asked for it.
    Pause(u16),
    /// The list ends.
    End,
}

impl ListState {
    /// A list that starts at an address.
    pub(crate) fn new(list: Address) -> Self {
        Self {
            next: list,
            offset: 0,
            callers: Vec::new(),
            bounding_box: BoundingBox::Outside,
            pausing: None,
            passes_finish: false,
        }
    }

    /// The address of the next command.
    pub(crate) const fn next(&self) -> Address {
        self.next
    }

    pub(crate) fn advance(&mut self) {
        self.next = self.next.offset(4);
    }

    /// OFFSETADDR and ORIGIN.
    pub(crate) fn set_offset(&mut self, offset: u32) {
        self.offset = offset;
    }

    /// The address that a 24-bit quantity stands for: BASE's bits are OR-ed to it, then the offset is
    /// added (`spec/ge-frontend.md §2.3`).
    pub(crate) fn relative(&self, registers: &Registers, quantity: u32) -> Address {
        let high = (registers.argument(Opcode::BASE) & 0x0F_0000) << 8;
        Address::new(self.offset.wrapping_add(high | quantity))
    }

    /// JUMP and BJUMP: the two low bits of a target do not count (hw: displaylist/alignment).
    pub(crate) fn jump(&mut self, registers: &Registers, argument: u32) {
        self.next = self.relative(registers, argument & 0xFF_FFFC);
    }

    /// CALL. A call too deep is ignored.
    pub(crate) fn call(&mut self, registers: &Registers, argument: u32) -> Result<(), Feature> {
        let target = self.relative(registers, argument & 0xFF_FFFC);
        self.call_address(registers, target)
    }

    fn call_address(&mut self, registers: &Registers, target: Address) -> Result<(), Feature> {
        if self.callers.len() == DEEPEST {
            return Err(Feature::CallTooDeep);
        }
        let base = registers.command(Opcode::BASE);
        self.callers.push(Caller {
            address: self.next,
            offset: self.offset,
            base,
        });
        self.next = target;
        Ok(())
    }

    /// RET. Without a caller nothing happens.
    pub(crate) fn ret(&mut self) -> Option<Command> {
        let caller = self.callers.pop()?;
        self.next = caller.address;
        self.offset = caller.offset;
        Some(caller.base)
    }

    /// The END at `end`, behind `signal`, with its own argument `data`
    /// (`spec/ge-frontend.md §2.5`, hw: signals).
    pub(crate) fn signal(
        &mut self,
        registers: &Registers,
        end: Address,
        signal: Command,
        data: u32,
    ) -> Result<SignalEffect, GeError> {
        let value = signal.argument() & 0xFFFF;
        let behaviour = (signal.argument() >> 16) as u8;
        let absolute = (value << 16 | data & 0xFFFF) & !3;
        let here = end.offset(4_u32.wrapping_neg());
        let called = |result: Result<(), Feature>| match result {
            Ok(()) => SignalEffect::Done,
            Err(feature) => SignalEffect::Unsupported(feature),
        };
        Ok(match behaviour {
            0x01 | 0x02 => SignalEffect::Callback,
            0x03 => {
                self.pausing = Some(value as u16);
                SignalEffect::Done
            }
            0x08 => {
                self.passes_finish = true;
                SignalEffect::Done
            }
            0x10 | 0x13 | 0x15 => {
                self.next = match behaviour {
                    0x10 => Address::new(absolute),
                    0x13 => here.offset(absolute),
                    _ => self.relative(registers, absolute),
                };
                SignalEffect::Done
            }
            0x11 => called(self.call_address(registers, Address::new(absolute))),
            0x14 => called(self.call_address(registers, here.offset(absolute))),
            0x16 => called(self.call_address(registers, self.relative(registers, absolute))),
            0x12 => self.ret().map_or(SignalEffect::Done, SignalEffect::RestoreBase),
            0x20..=0x38 => SignalEffect::Unsupported(Feature::AddressSignal),
            0xF0 | 0xFF => SignalEffect::Done,
            _ => {
                return Err(GeError::Hangs {
                    address: end,
                    behaviour,
                });
            }
        })
    }

    /// An END behind a FINISH.
    pub(crate) fn finish(&mut self) -> FinishEffect {
        if std::mem::take(&mut self.passes_finish) {
            return FinishEffect::Pass;
        }
        match self.pausing.take() {
            Some(value) => FinishEffect::Pause(value),
            None => FinishEffect::End,
        }
    }
}
