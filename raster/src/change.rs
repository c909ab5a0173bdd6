//! When memory changed, page by page, so that what was read before is known to be the same still.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of a change of memory. Later changes have higher numbers, and no two in the process have the same,
/// so that numbers of one memory mean nothing in another, but for [`Change::NONE`] and for what a copy took with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Change(u64);

static LAST: AtomicU64 = AtomicU64::new(0);

impl Change {
    /// Before all changes: memory is full of zeros.
    pub const NONE: Self = Self(0);

    /// A new change.
    #[must_use]
    pub fn next() -> Self {
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// The last change of each page of a memory.
///
/// What [`latest`](Self::latest) says of a range is the same later exactly as long as the range's bytes are, or were
/// changed by somebody who did not [`note`](Self::note) it. A clone goes with a copy of the memory.
///
/// ```
/// use raster::PageChanges;
///
/// let mut memory = vec![0; 3 * PageChanges::PAGE];
/// let mut changes = PageChanges::new(memory.len());
/// changes.write(&mut memory, 100, &[1, 2]);
/// let before = changes.latest(0, 200);
/// changes.write(&mut memory, 100, &[1, 2]);
/// changes.write(&mut memory, 5000, &[3]);
/// assert_eq!(changes.latest(0, 200), before, "nothing was changed there");
/// assert_ne!(changes.latest(0, 5001), before);
/// ```
#[derive(Clone)]
pub struct PageChanges {
    /// The numbers of the pages' last changes.
    pages: Box<[u64]>,
    /// A change of all pages.
    all: u64,
}

impl PageChanges {
    /// Bytes of a page.
    pub const PAGE: usize = 4096;

    /// For a memory of so many bytes, full of zeros.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self {
            pages: vec![0; bytes.div_ceil(Self::PAGE)].into_boxed_slice(),
            all: 0,
        }
    }

    /// The latest change of `length` bytes from `start` on. Bytes beyond the memory never change.
    #[must_use]
    pub fn latest(&self, start: usize, length: usize) -> Change {
        let pages = &self.pages[self.pages_of(start, length)];
        if pages.is_empty() {
            return Change::NONE;
        }
        Change(pages.iter().fold(self.all, |latest, &page| latest.max(page)))
    }

    /// Notes that `length` bytes from `start` on have changed. Bytes beyond the memory are ignored.
    pub fn note(&mut self, start: usize, length: usize) {
        let pages = self.pages_of(start, length);
        if !pages.is_empty() {
            self.pages[pages].fill(Change::next().0);
        }
    }

    /// Notes that any byte may have changed.
    pub fn note_all(&mut self) {
        self.all = Change::next().0;
    }

    /// Writes `bytes` into the memory from `start` on and notes the pages that this changes; says whether there are
    /// any. Bytes beyond the memory are lost.
    pub fn write(&mut self, memory: &mut [u8], start: usize, bytes: &[u8]) -> bool {
        let Some(room) = memory.get_mut(start..) else {
            return false;
        };
        let length = room.len().min(bytes.len());
        let (mut room, mut bytes) = (&mut room[..length], &bytes[..length]);
        let mut change = None;
        let mut page = start / Self::PAGE;
        let mut in_page = Self::PAGE - start % Self::PAGE;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(in_page.min(bytes.len()));
            let (here, behind) = room.split_at_mut(now.len());
            // A page that was never written is not read, so that it is claimed once and not twice.
            let changed = self.pages.get(page).is_none_or(|&last| last == 0) || here != now;
            if changed {
                here.copy_from_slice(now);
                let number = *change.get_or_insert_with(|| Change::next().0);
                if let Some(last) = self.pages.get_mut(page) {
                    *last = number;
                }
            }
            (room, bytes) = (behind, later);
            page += 1;
            in_page = Self::PAGE;
        }
        change.is_some()
    }

    /// The pages of a range, as far as there are any.
    fn pages_of(&self, start: usize, length: usize) -> std::ops::Range<usize> {
        let count = self.pages.len();
        let first = (start / Self::PAGE).min(count);
        let end = start.saturating_add(length).div_ceil(Self::PAGE).min(count);
        if length == 0 { first..first } else { first..end }
    }
}

impl fmt::Debug for PageChanges {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PageChanges")
            .field("pages", &self.pages.len())
            .field("all", &self.all)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PAGES: usize = 5;
    const SIZE: usize = PAGES * PageChanges::PAGE;

    /// Writes and ranges that are about to cross pages.
    fn span() -> impl Strategy<Value = (usize, usize)> {
        (0..SIZE + 10, prop_oneof![0..40usize, 0..2 * PageChanges::PAGE])
    }

    proptest! {
        #[test]
        fn equal_numbers_mean_equal_bytes(
            writes in prop::collection::vec((span(), 0..3u8, 0..8u8), 1..40),
            ranges in prop::collection::vec(span(), 4),
        ) {
            let mut memory = vec![0; SIZE];
            let mut changes = PageChanges::new(SIZE);
            let bytes = |memory: &[u8], (start, length): (usize, usize)| {
                let end = (start + length).min(SIZE);
                memory.get(start..end).unwrap_or_default().to_vec()
            };
            let mut seen: Vec<Vec<(Change, Vec<u8>)>> = vec![Vec::new(); ranges.len()];
            let mut copy = None;
            for ((start, length), value, way) in writes {
                let before = memory.clone();
                match way {
                    0 => changes.note_all(),
                    1 => {
                        // Behind its back, with notice.
                        let end = (start + length).min(SIZE);
                        memory.get_mut(start..end).unwrap_or_default().fill(value);
                        changes.note(start, length);
                    }
                    2 => copy = Some((memory.clone(), changes.clone())),
                    3 => if let Some((bytes, clone)) = copy.take() {
                        copy = Some((std::mem::replace(&mut memory, bytes), std::mem::replace(&mut changes, clone)));
                    },
                    _ => {
                        let changed = changes.write(&mut memory, start, &vec![value; length]);
                        prop_assert!(changed || memory == before);
                    }
                }
                for (&range, seen) in ranges.iter().zip(&mut seen) {
                    let now = (changes.latest(range.0, range.1), bytes(&memory, range));
                    for then in &*seen {
                        prop_assert!(then.0 != now.0 || then.1 == now.1, "{range:?}");
                    }
                    seen.push(now);
                }
            }
        }

        #[test]
        fn a_write_that_changes_nothing_is_no_change(
            (start, length) in span(), value in any::<u8>(), ranges in prop::collection::vec(span(), 8),
        ) {
            let mut memory = vec![0; SIZE];
            let mut changes = PageChanges::new(SIZE);
            changes.write(&mut memory, start, &vec![value; length]);
            let latest = |changes: &PageChanges| ranges.iter().map(|range| changes.latest(range.0, range.1)).collect::<Vec<_>>();
            let before = latest(&changes);
            prop_assert!(!changes.write(&mut memory, start, &vec![value; length]));
            prop_assert_eq!(latest(&changes), before);
        }
    }

    #[test]
    fn other_pages_keep_their_numbers() {
        let mut memory = vec![0; SIZE];
        let mut changes = PageChanges::new(SIZE);
        changes.write(&mut memory, 0, &[1; SIZE]);
        let before = changes.latest(0, PageChanges::PAGE);
        changes.write(&mut memory, PageChanges::PAGE, &[2]);
        assert_eq!(changes.latest(0, PageChanges::PAGE), before);
        assert!(changes.latest(0, PageChanges::PAGE + 1) > before);
        changes.note_all();
        assert!(changes.latest(0, 1) > before);
        assert_eq!(changes.latest(SIZE, 1), Change::NONE);
    }
}
