//! Taking over the state that a capture starts with (`spec/capture.md §5.4`).

use formats::capture::{InitialState, Layout};

use super::{ReplayMode, Replayer};
use crate::command::Command;
use crate::{Address, Float24, Ge, MatrixKind};

impl Ge {
    /// Takes over a saved state: registers, matrices, counters and pointers. Nothing is carried out:
    /// no CLUT is loaded, nothing is drawn.
    pub fn restore(&mut self, state: &InitialState) {
        for word in state.registers {
            self.registers.store(Command::from_word(word));
        }
        self.pointers.vertex = Address::new(state.vertex_address);
        self.pointers.index = Address::new(state.index_address);
        let matrices = &state.matrices;
        let counters = state.counters;
        for (kind, elements, counter) in [
            (MatrixKind::Bone, &matrices.bone[..], counters.bone),
            (MatrixKind::World, &matrices.world[..], counters.world),
            (MatrixKind::View, &matrices.view[..], counters.view),
            (
                MatrixKind::Projection,
                &matrices.projection[..],
                counters.projection,
            ),
            (MatrixKind::Texture, &matrices.texture[..], counters.texture),
        ] {
            self.matrices.set_counter(kind, 0);
            for &bits in elements {
                self.matrices.push(kind, Float24::from_f32(f32::from_bits(bits)));
            }
            self.matrices.set_counter(kind, counter.into());
        }
        self.invalidate();
    }
}

impl Replayer<'_> {
    /// INIT takes effect at once.
    pub(super) fn initialize(&mut self, state: &InitialState) {
        match self.mode {
            ReplayMode::Faithful => self.ge.restore(state),
            // An old state read as a new one starts with nonsense matrices, as in PPSSPP.
            ReplayMode::Reference => {
                self.ge
                    .restore(&InitialState::with_layout(*state.words(), Layout::B));
            }
        }
        self.textures = Default::default();
    }
}
