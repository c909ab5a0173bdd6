//! Following a replay draw by draw, with the registers as the recorded game set them.
use formats::capture::{Capture, Payload};
use ge::command::{Command, Opcode};
use ge::{Address, DrawEvent, Ge, Matrices, Observer};
use replay::{ReplayError, ReplayOptions, Replayer};

use super::Draw;

/// The registers that the recorded game set, as whole command words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registers([u32; 256]);

impl Registers {
    /// The last command of an opcode.
    #[must_use]
    pub const fn command(&self, opcode: Opcode) -> Command {
        Command::from_word(self.0[opcode.0 as usize])
    }

    /// The argument last given to an opcode.
    #[must_use]
    pub const fn argument(&self, opcode: Opcode) -> u32 {
        self.command(opcode).argument()
    }

    /// Bit 0 of an opcode that switches something.
    #[must_use]
    pub const fn switch(&self, opcode: Opcode) -> bool {
        self.argument(opcode) & 1 == 1
    }

    /// Bits 27 to 0 of an address whose upper part stands in another register.
    #[must_use]
    pub const fn split_address(&self, low: Opcode, high: Opcode) -> u32 {
        (self.argument(high) >> 16 & 0xF) << 24 | self.argument(low) & 0xFF_FFF0
    }

    fn store(&mut self, word: u32) {
        self.0[usize::from(Command::from_word(word).opcode().0)] = word;
    }
}

/// A draw, and all that it depends on beside its vertices.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The draw.
    pub draw: &'a Draw,
    /// The registers at the draw.
    pub registers: &'a Registers,
    /// The matrices at the draw.
    pub matrices: &'a Matrices,
}

/// Replays a capture and calls `see` behind each of its draws.
///
/// Commands do not wait for later records here, so that a draw is known with its record: copies to VRAM come in the
/// faithful order whatever the options say.
///
/// # Errors
/// Those of the replay; the draws before were seen.
pub fn visit(
    capture: &Capture,
    options: ReplayOptions,
    see: impl FnMut(Seen<'_>),
) -> Result<(), ReplayError> {
    let mut walk = Walk {
        registers: Registers(capture.initial_state().registers),
        record: 0,
        words: Vec::new().into_iter(),
        waiting: None,
        covered: 0,
        passed: 0,
        see,
    };
    let mut replayer = Replayer::new(capture, options);
    for (record, content) in capture.records().iter().enumerate() {
        walk.record = record;
        match capture.payload(content) {
            Payload::Registers(words) => walk.words = words.iter().collect::<Vec<_>>().into_iter(),
            // Some recorders wrote a second one, which takes effect like the first.
            Payload::Init(state) => walk.registers = Registers(state.registers),
            _ => {}
        }
        replayer.step_with(&mut walk)?;
        replayer.catch_up_with(&mut walk)?;
        walk.finish_record();
    }
    Ok(())
}

struct Walk<F> {
    registers: Registers,
    record: usize,
    /// The words of the record that have not run.
    words: std::vec::IntoIter<u32>,
    waiting: Option<Draw>,
    /// Pixels that the draws before covered, and those that passed.
    covered: u64,
    passed: u64,
    see: F,
}

impl<F> Walk<F> {
    /// Takes over the words up to the next that draws, which is the one that runs now. The replay adds
    /// words of its own, of which none draws.
    fn follow(&mut self) {
        for word in self.words.by_ref() {
            self.registers.store(word);
            if draws(Command::from_word(word).opcode()) {
                break;
            }
        }
    }

    fn finish_record(&mut self) {
        for word in self.words.by_ref() {
            self.registers.store(word);
        }
    }
}

const fn draws(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::PRIM | Opcode::BEZIER | Opcode::SPLINE | Opcode::VAP
    )
}

impl<F: FnMut(Seen<'_>)> Observer for Walk<F> {
    fn on_command(&mut self, _: &mut Ge, _: Address, command: Command) {
        if draws(command.opcode()) {
            self.follow();
        }
    }

    fn on_draw(&mut self, event: &DrawEvent<'_>) {
        self.waiting = Some(Draw::new(event, self.record, &self.registers));
    }

    fn after_draw(&mut self, ge: &mut Ge, _: u64) {
        ge.finish();
        let Some(mut draw) = self.waiting.take() else {
            return;
        };
        let statistics = ge.statistics();
        draw.pixels_covered = statistics.pixels_covered - self.covered;
        draw.pixels_passed = statistics.pixels_passed - self.passed;
        (self.covered, self.passed) = (statistics.pixels_covered, statistics.pixels_passed);
        (self.see)(Seen {
            draw: &draw,
            registers: &self.registers,
            matrices: ge.matrices(),
        });
    }
}
