//! Sets of pages of VRAM.

use super::SIZE;

/// Bytes of a page.
const PAGE: u32 = 4096;
const COUNT: u32 = SIZE / PAGE;
const WORDS: usize = (COUNT / 64) as usize;

/// Pages of 4 KiB of the primary copy, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PageSet([u64; WORDS]);

impl PageSet {
    /// Every page.
    pub(crate) const ALL: Self = Self([u64::MAX; WORDS]);

    #[cfg(feature = "gpu")]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds the pages of bytes that lie side by side, or go on at the beginning.
    pub(crate) fn add(&mut self, start: u32, length: u32) {
        if length == 0 {
            return;
        }
        let first = start % SIZE / PAGE;
        let last = first + (start % PAGE).saturating_add(length.min(SIZE) - 1) / PAGE;
        for page in first..=last.min(first + COUNT - 1) {
            let page = page % COUNT;
            self.0[(page / 64) as usize] |= 1 << (page % 64);
        }
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn union(mut self, other: Self) -> Self {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
        self
    }

    #[cfg(feature = "gpu")]
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Runs of pages as ranges of bytes, in order.
    pub(crate) fn runs(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let mut page = 0;
        std::iter::from_fn(move || {
            let first = self.next(page, true)?;
            page = self.next(first, false).unwrap_or(COUNT);
            Some((first * PAGE) as usize..(page * PAGE) as usize)
        })
    }

    /// The first page from `page` on that is in the set, or is not.
    fn next(&self, page: u32, inside: bool) -> Option<u32> {
        let mut before = page % 64;
        for index in page / 64..WORDS as u32 {
            let word = self.0[index as usize];
            let wanted = if inside { word } else { !word } >> before << before;
            if wanted != 0 {
                return Some(64 * index + wanted.trailing_zeros());
            }
            before = 0;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_what_was_added() {
        let mut pages = PageSet::default();
        assert_eq!(pages.runs().next(), None);
        pages.add(0x1FFF, 2);
        pages.add(0x5000, 1);
        pages.add(0x9000, 0);
        pages.add(0x1F_F800, 0x1000);
        let runs: Vec<_> = pages.runs().collect();
        assert_eq!(runs, [0..0x3000, 0x5000..0x6000, 0x1F_F000..0x20_0000]);
        pages.add(0, SIZE);
        let mut runs = pages.runs();
        assert_eq!((runs.next(), runs.next()), (Some(0..SIZE as usize), None));
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn sets_meet_where_they_share_a_page() {
        let mut pages = PageSet::default();
        assert!(pages.is_empty());
        pages.add(0x1FFF, 2);
        pages.add(0x5000, 1);
        let mut other = PageSet::default();
        other.add(0x3000, 0x2000);
        assert!(!pages.meets(&other) && pages.meets(&PageSet::ALL));
        assert_eq!(pages.union(other).runs().next(), Some(0x1000..0x6000));
    }

    #[test]
    fn long_runs_end_at_everything() {
        for (start, length) in [(0, SIZE), (0x1234, SIZE - 1), (0x1F_FFFF, u32::MAX)] {
            let mut pages = PageSet::default();
            pages.add(start, length);
            assert_eq!(pages, PageSet::ALL, "{start:#x}");
        }
    }
}
