//! Comparisons (spec/ge-raster.md §0.2).

use crate::code::CompareFunction;

/// Whether the incoming value passes against the stored one.
#[inline]
pub(crate) fn passes(function: CompareFunction, incoming: u32, stored: u32) -> bool {
    match function {
        CompareFunction::NEVER => false,
        CompareFunction::ALWAYS => true,
        CompareFunction::EQUAL => incoming == stored,
        CompareFunction::NOT_EQUAL => incoming != stored,
        CompareFunction::LESS => incoming < stored,
        CompareFunction::LESS_OR_EQUAL => incoming <= stored,
        CompareFunction::GREATER => incoming > stored,
        _ => incoming >= stored,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incoming_stands_on_the_left() {
        let results = |incoming, stored| {
            [0, 1, 2, 3, 4, 5, 6, 7]
                .map(|code| passes(CompareFunction::from_bits(code), incoming, stored) as u8)
        };
        assert_eq!(results(1, 2), [0, 1, 0, 1, 1, 1, 0, 0]);
        assert_eq!(results(2, 2), [0, 1, 1, 0, 0, 1, 0, 1]);
        assert_eq!(results(3, 2), [0, 1, 0, 1, 0, 0, 1, 1]);
    }
}
