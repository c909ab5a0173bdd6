//! The draws of a capture, one by one, with the state that each is made in.
//!
//! The capture is replayed for it, so that draws have the numbers that every other command uses, and tell how
//! many primitives and pixels are left of them. State is the recorded game's own: a replay moves textures to
//! other addresses.
mod draw;
mod follow;
mod state;
mod text;

use formats::capture::{Capture, Payload};
use ge::command::{Command, Opcode};

pub(crate) use draw::frame_format;
pub use draw::{Draw, Target, Texture, TextureClut};
pub use follow::{Registers, Seen, visit};
pub use state::State;
pub(crate) use state::compare;
pub(crate) use text::short_texture;
pub use text::{write_details, write_table};

/// How many commands of a capture draw from memory. Draws of immediate vertices are not among them, nor can it be
/// told without a replay how many they are.
#[must_use]
pub fn drawing_commands(capture: &Capture) -> usize {
    let draws = |word: &u32| {
        let command = Command::from_word(*word);
        match command.opcode() {
            Opcode::PRIM => command.argument() & 0xFFFF != 0,
            // A patch has four control points or more in either direction.
            Opcode::BEZIER | Opcode::SPLINE => {
                let [columns, rows, ..] = command.argument().to_le_bytes();
                columns >= 4 && rows >= 4
            }
            _ => false,
        }
    };
    let records = capture.records().iter();
    let counts = records.map(|record| match capture.payload(record) {
        Payload::Registers(words) => words.iter().filter(draws).count(),
        _ => 0,
    });
    counts.sum()
}
