//! Where payloads stand in main memory (`spec/capture.md §7.3`).
//!
//! The places themselves do not matter, but every new copy lets the list run first, and that can be
//! seen where copies to VRAM do not wait.

use std::ops::Range;

/// The push buffer is cut into slabs of this many bytes.
const SLAB: usize = 1 << 20;
const PLACES: usize = 10;

/// Where slabs are copied to: one behind the other.
const SLABS: u32 = 0x0810_0000;
/// Where payloads that cross a slab border are copied to.
const EXTRAS: Range<u32> = SLABS + (PLACES * SLAB) as u32..0x0980_0000;
/// Copies start at multiples of this.
const ALIGNMENT: u32 = 256;

/// Where a payload is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mapped {
    /// In a copy that exists.
    Present(u32),
    /// In a copy that has to be made first: bytes of the push buffer, to an address.
    Copy {
        /// First byte of the push buffer to copy.
        from: usize,
        /// Bytes to copy, at most.
        length: usize,
        /// Where to.
        to: u32,
        /// The payload's own address.
        address: u32,
    },
    /// There is no room for it.
    NoRoom,
}

#[derive(Clone, Copy, Debug, Default)]
struct SlabPlace {
    slab: Option<usize>,
    /// The generation at its last use.
    used: u64,
}

#[derive(Clone, Copy, Debug)]
struct Extra {
    offset: usize,
    size: usize,
    at: u32,
}

/// Which parts of the push buffer have copies.
#[derive(Clone, Debug, Default)]
pub(super) struct Mapping {
    slabs: [SlabPlace; PLACES],
    generation: u64,
    extras: [Option<Extra>; PLACES],
    next_extra: usize,
}

impl Mapping {
    /// Finds the payload at `offset` in the push buffer, or decides where its copy goes.
    pub(super) fn map(&mut self, offset: usize, size: usize) -> Mapped {
        let slab = offset / SLAB;
        if offset % SLAB + size <= SLAB {
            self.map_slab(slab, offset % SLAB)
        } else {
            self.map_extra(offset, size)
        }
    }

    fn map_slab(&mut self, slab: usize, inside: usize) -> Mapped {
        let address = |place: usize| SLABS + (place * SLAB + inside) as u32;
        if let Some(place) = self.slabs.iter().position(|place| place.slab == Some(slab)) {
            self.slabs[place].used = self.generation;
            return Mapped::Present(address(place));
        }
        // The place used longest ago; places never used have stamp 0 and come first.
        self.generation += 1;
        let oldest = self
            .slabs
            .iter()
            .enumerate()
            .min_by_key(|(_, place)| (place.slab.is_some(), place.used));
        let place = oldest.map_or(0, |(place, _)| place);
        self.slabs[place] = SlabPlace {
            slab: Some(slab),
            used: self.generation,
        };
        Mapped::Copy {
            from: slab * SLAB,
            length: SLAB,
            to: SLABS + (place * SLAB) as u32,
            address: address(place),
        }
    }

    fn map_extra(&mut self, offset: usize, size: usize) -> Mapped {
        let held = self
            .extras
            .iter()
            .flatten()
            .find(|extra| extra.offset == offset && extra.size >= size);
        if let Some(extra) = held {
            return Mapped::Present(extra.at);
        }
        let place = self.next_extra;
        self.next_extra = (self.next_extra + 1) % PLACES;
        self.extras[place] = None;
        let at = self.room(size).or_else(|| {
            self.extras = [None; PLACES];
            self.room(size)
        });
        let Some(at) = at else { return Mapped::NoRoom };
        self.extras[place] = Some(Extra { offset, size, at });
        Mapped::Copy {
            from: offset,
            length: size,
            to: at,
            address: at,
        }
    }

    /// The first gap between extra copies that takes `size` bytes.
    fn room(&self, size: usize) -> Option<u32> {
        let size = u32::try_from(size).ok()?;
        let end_of = |extra: &Extra| (extra.at + extra.size as u32).next_multiple_of(ALIGNMENT);
        let starts = std::iter::once(EXTRAS.start).chain(self.extras.iter().flatten().map(end_of));
        starts
            .filter(|&start| {
                let end = start.checked_add(size);
                end.is_some_and(|end| {
                    let free = |extra: &Extra| end <= extra.at || start >= end_of(extra);
                    end <= EXTRAS.end && self.extras.iter().flatten().all(free)
                })
            })
            .min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slabs_are_copied_once_and_the_oldest_goes() {
        let mut mapping = Mapping::default();
        assert!(matches!(
            mapping.map(5, 10),
            Mapped::Copy {
                from: 0,
                to: SLABS,
                ..
            }
        ));
        assert_eq!(mapping.map(100, 10), Mapped::Present(SLABS + 100));
        for slab in 1..10 {
            assert!(matches!(mapping.map(slab * SLAB, 1), Mapped::Copy { .. }));
        }
        assert_eq!(
            mapping.map(7, 1),
            Mapped::Present(SLABS + 7),
            "slab 0 is used again"
        );
        let eleventh = mapping.map(10 * SLAB, 1);
        assert!(
            matches!(eleventh, Mapped::Copy { to, .. } if to == SLABS + SLAB as u32),
            "slab 1 goes"
        );
    }

    #[test]
    fn payloads_across_a_border_have_copies_of_their_own() {
        let mut mapping = Mapping::default();
        let offset = SLAB - 1;
        let Mapped::Copy {
            from,
            length,
            to,
            address,
        } = mapping.map(offset, 300)
        else {
            panic!()
        };
        assert_eq!((from, length, to), (offset, 300, address));
        assert_eq!(mapping.map(offset, 200), Mapped::Present(to));
        let Mapped::Copy { to: second, .. } = mapping.map(offset, 400) else {
            panic!()
        };
        assert_eq!(second, to + 512);
        assert_eq!(mapping.map(3, 64 << 20), Mapped::NoRoom);
    }
}
