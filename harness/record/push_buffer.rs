//! The pool of bytes that records point into.
use std::collections::HashMap;

use ge::Address;

/// Data start at multiples of this, as textures and palettes need.
const ALIGNMENT: usize = 16;
/// Replayers bring the pool to memory in slabs of this size (`spec/capture.md` §7.3).
const SLAB: usize = 1 << 20;

/// The pool. Data of main memory are kept once: while a list runs nobody writes there.
#[derive(Debug, Default)]
pub(super) struct PushBuffer {
    bytes: Vec<u8>,
    /// For each address the offset and length of the longest data kept from there.
    places: HashMap<u32, (usize, usize)>,
}

impl PushBuffer {
    /// Appends bytes and gives their offset. They do not cross a slab's border if they fit one, since what does
    /// costs a replayer a copy of its own.
    pub(super) fn append(&mut self, bytes: &[u8]) -> usize {
        let mut start = self.bytes.len().next_multiple_of(ALIGNMENT);
        if bytes.len() <= SLAB && start % SLAB + bytes.len() > SLAB {
            start = start.next_multiple_of(SLAB);
        }
        self.bytes.resize(start, 0);
        self.bytes.extend_from_slice(bytes);
        start
    }

    /// The offset of the bytes that main memory has at an address.
    pub(super) fn place(&mut self, address: Address, bytes: &[u8]) -> usize {
        match self.places.get(&address.get()) {
            Some(&(offset, length)) if length >= bytes.len() => offset,
            _ => {
                let offset = self.append(bytes);
                self.places.insert(address.get(), (offset, bytes.len()));
                offset
            }
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_are_kept_once_and_inside_slabs() {
        let mut pool = PushBuffer::default();
        let here = Address::new(0x0880_0000);
        assert_eq!(pool.place(here, &[1; 20]), 0);
        assert_eq!(
            pool.place(here, &[1; 10]),
            0,
            "the shorter is a part of the longer"
        );
        assert_eq!(pool.place(here, &[1; 30]), 32);
        assert_eq!(pool.place(here, &[1; 25]), 32);
        assert_eq!(pool.append(&vec![2; SLAB - 48]), SLAB, "not across a border");
        assert_eq!(pool.append(&[3; 48]), 2 * SLAB - 48, "up to a border");
        assert_eq!(pool.append(&vec![4; SLAB + 1]), 2 * SLAB, "what fits no slab");
        assert_eq!(pool.append(&[5]), 3 * SLAB + 16);
    }
}
