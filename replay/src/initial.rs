//! Taking over the state that a capture starts with (`spec/capture.md §5.4`).

use formats::capture::{InitialState, Layout};
use ge::command::Command;
use ge::{Address, Float24, Ge, MatrixKind, Pointers};

use crate::{ReplayMode, Replayer};

/// Takes over a saved state: registers, matrices, counters and pointers. Nothing is carried out: no CLUT is loaded,
/// nothing is drawn.
pub(crate) fn restore(ge: &mut Ge, state: &InitialState) {
    for word in state.registers {
        ge.set_register(Command::from_word(word));
    }
    ge.set_pointers(Pointers {
        vertex: Address::new(state.vertex_address),
        index: Address::new(state.index_address),
    });
    let (matrices, counters) = (&state.matrices, state.counters);
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
        let elements: Vec<Float24> = elements
            .iter()
            .map(|&bits| Float24::from_f32(f32::from_bits(bits)))
            .collect();
        ge.set_matrix(kind, &elements, counter.into());
    }
}

impl Replayer<'_> {
    /// INIT takes effect at once.
    pub(super) fn initialize(&mut self, state: &InitialState) {
        match self.mode {
            ReplayMode::Faithful => restore(&mut self.ge, state),
            // An old state read as a new one starts with nonsense matrices, as in PPSSPP.
            ReplayMode::Reference => {
                restore(
                    &mut self.ge,
                    &InitialState::with_layout(*state.words(), Layout::B),
                );
            }
        }
        self.textures = Default::default();
    }
}
