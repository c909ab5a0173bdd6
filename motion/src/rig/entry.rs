//! The numbers of clips: entries, engine ids, streams, slots and clip ids.
//!
//! Five different numbers (spec/mhp-formats.md §11, trap 10), so each is a type.

use std::fmt;
use std::num::NonZeroU32;

/// A slot of an animation pack's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamSlot {
    /// The stream.
    pub stream: usize,
    /// The slot in it.
    pub slot: usize,
}

impl fmt::Display for StreamSlot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "stream {} slot {}", self.stream, self.slot)
    }
}

/// An action of a Freedom Unite monster: one clip for each part of the rig
/// (spec/mhp-formats.md §5.6).
///
/// ```
/// use motion::rig::entry::{Entry, StreamSlot};
///
/// assert_eq!(Entry(117).slot_of(1), StreamSlot { stream: 3, slot: 17 });
/// assert_eq!(Entry(117).engine_id(2), 1517);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry(
    /// The number: 0 to 99 play the parts' even streams, 100 to 199 the odd ones.
    pub u32,
);

impl Entry {
    /// Entries from this one on would read another part's streams.
    pub const END: u32 = 200;

    /// Whether every part has a slot of its own for the entry.
    pub const fn is_valid(self) -> bool {
        self.0 < Self::END
    }

    /// Where the entry's clip for a part stands. The stream need not be there: the engine would
    /// read its slot table from other bytes, here it is no clip.
    pub fn slot_of(self, part: u32) -> StreamSlot {
        let number = self.number(part);
        let slot = (number % 100) as usize;
        let stream = usize::try_from(number / 100).unwrap_or(usize::MAX);
        StreamSlot { stream, slot }
    }

    /// The id with which the engine asks a part for the entry: 1000 and up.
    pub fn engine_id(self, part: u32) -> u64 {
        1000 + self.number(part)
    }

    /// The entry that an engine id asks `part` for; `None` below the part's first id.
    pub fn from_engine_id(id: u64, part: u32) -> Option<Self> {
        let entry = id.checked_sub(1000 + 200 * u64::from(part))?;
        u32::try_from(entry).ok().map(Self)
    }

    fn number(self, part: u32) -> u64 {
        u64::from(self.0) + 200 * u64::from(part)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "entry {}", self.0)
    }
}

/// The table with which a species plays action ids: an id past its end plays the id modulo its
/// length.
///
/// ```
/// use std::num::NonZeroU32;
/// use motion::rig::entry::{Entry, Executor};
///
/// // The Tigrex.
/// let executor = Executor { rows: NonZeroU32::new(123).unwrap() };
/// assert_eq!(executor.plays(122), Entry(122));
/// assert_eq!(executor.plays(150), Entry(27));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Executor {
    /// Rows of the table.
    pub rows: NonZeroU32,
}

impl Executor {
    /// The entry that an action id plays.
    pub fn plays(self, action: u32) -> Entry {
        Entry(action % self.rows)
    }
}

/// A clip of a Portable 3rd pack, by the number that its monsters' AI uses:
/// `stream * 100 + slot` (spec/mhp-formats.md §5.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClipNumber(
    /// The number.
    pub u32,
);

impl ClipNumber {
    /// The number of a slot; `None` from slot 100 on, which no number names.
    pub fn of(slot: StreamSlot) -> Option<Self> {
        if slot.slot >= 100 {
            return None;
        }
        let number = slot.stream.checked_mul(100)?.checked_add(slot.slot)?;
        u32::try_from(number).ok().map(Self)
    }

    /// The slot that the number names.
    pub const fn slot(self) -> StreamSlot {
        StreamSlot {
            stream: (self.0 / 100) as usize,
            slot: (self.0 % 100) as usize,
        }
    }
}

impl fmt::Display for ClipNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "clip {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn entry_arithmetic() {
        // spec/mhp-formats.md §5.6: stream and slot of parts 0, 1 and 2.
        for (entry, slots) in [
            (0, [(0, 0), (2, 0), (4, 0)]),
            (24, [(0, 24), (2, 24), (4, 24)]),
            (25, [(0, 25), (2, 25), (4, 25)]),
            (99, [(0, 99), (2, 99), (4, 99)]),
            (100, [(1, 0), (3, 0), (5, 0)]),
            (117, [(1, 17), (3, 17), (5, 17)]),
            (122, [(1, 22), (3, 22), (5, 22)]),
            (123, [(1, 23), (3, 23), (5, 23)]),
            (150, [(1, 50), (3, 50), (5, 50)]),
            (199, [(1, 99), (3, 99), (5, 99)]),
            (200, [(2, 0), (4, 0), (6, 0)]),
        ] {
            for (part, (stream, slot)) in (0..).zip(slots) {
                assert_eq!(Entry(entry).slot_of(part), StreamSlot { stream, slot });
                // The engine's own way from the id: modulo 1000, then hundreds and rest.
                let id = Entry(entry).engine_id(part) as usize;
                assert_eq!((id % 1000 / 100, id % 100), (stream, slot));
            }
            assert_eq!(Entry(entry).is_valid(), entry < 200);
        }
        assert_eq!(Entry(50).slot_of(2), StreamSlot { stream: 4, slot: 50 });
        assert_eq!(Entry::from_engine_id(1000 + 2 * 200 + 117, 2), Some(Entry(117)));
        assert_eq!(Entry::from_engine_id(1000, 1), None);
        // A part number from a hostile file.
        assert!(Entry(199).slot_of(u32::MAX).stream > 1 << 32);
    }

    #[test]
    fn the_executor_wraps_at_its_table() {
        let tigrex = Executor {
            rows: NonZeroU32::new(123).expect("not zero"),
        };
        for (action, entry) in [(0, 0), (122, 122), (123, 0), (150, 27)] {
            assert_eq!(tigrex.plays(action), Entry(entry));
        }
    }

    #[test]
    fn clip_numbers() {
        let slot = |stream, slot| StreamSlot { stream, slot };
        assert_eq!(ClipNumber::of(slot(1, 19)), Some(ClipNumber(119)));
        assert_eq!(ClipNumber::of(slot(0, 100)), None);
        assert_eq!(ClipNumber::of(slot(usize::MAX, 0)), None);
        assert_eq!(ClipNumber(265).slot(), slot(2, 65));
    }

    proptest! {
        #[test]
        fn engine_ids_come_back(entry in any::<u32>(), part in any::<u32>()) {
            let id = Entry(entry).engine_id(part);
            prop_assert_eq!(Entry::from_engine_id(id, part), Some(Entry(entry)));
        }
    }
}
