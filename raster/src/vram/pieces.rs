//! The pieces of a range of the window in the order in which bytes are kept.

use super::{EdramTranslation, SIZE, WINDOW};
use crate::draw::VramRange;

/// The order of bytes in which rows follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    /// The primary copy: colours.
    Primary,
    /// The third copy: depth.
    Linear,
}

/// Whether something holds for one of the pieces that a range of the window covers in a view, given by start and
/// length. Pieces may wrap at the end of VRAM, and where copies are permuted they are whole chunks.
pub(crate) fn any_piece(
    range: VramRange,
    translation: EdramTranslation,
    view: View,
    mut holds: impl FnMut(u32, u32) -> bool,
) -> bool {
    let mut start = range.start % WINDOW;
    let mut rest = range.length.min(WINDOW);
    while rest > 0 {
        let (copy, offset) = (start / SIZE, start % SIZE);
        let length = rest.min(SIZE - offset);
        let chunk = translation.chunk_size();
        let chunks = || (offset / chunk..=(offset + length - 1) / chunk).map(|number| number * chunk);
        let found = match (copy, view) {
            (0 | 2, View::Primary) | (3, View::Linear) => holds(offset, length),
            // Copies 1 and 3 keep their chunks at the same places.
            (1, View::Linear) => chunks().any(|offset| holds(offset, chunk)),
            _ => chunks().any(|offset| holds(translation.swap_chunk(offset), chunk)),
        };
        if found {
            return true;
        }
        start = (start + length) % WINDOW;
        rest -= length;
    }
    false
}
