//! Display lists: control flow, signals, pointers, lists of random words, and lists of random draws.

mod budget;
mod control;
mod observe;
mod random;
mod soup;
mod tuning;

use ge::command::{Command, Opcode};
use ge::{Address, Ge, GeOptions};

/// Where lists go.
const LIST: Address = Address::new(0x0800_0000);

/// A GE with a list of words at [`LIST`].
fn ge_with(commands: &[Command]) -> Ge {
    let mut ge = Ge::new(GeOptions::default());
    ge.write_list(LIST, commands);
    ge
}

/// A command.
const fn command(opcode: Opcode, argument: u32) -> Command {
    Command::new(opcode, argument)
}

/// A register without an effect, whose argument a test looks at: opcode EF.
const MARK: Opcode = Opcode(0xEF);
