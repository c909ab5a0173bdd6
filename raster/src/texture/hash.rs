//! A fast 128-bit hash of bytes, to know textures again.

/// The state of a hash: two halves that never see the same product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hasher {
    low: u64,
    high: u64,
}

const KEYS: [u64; 4] = [
    0x9E37_79B9_7F4A_7C15,
    0xC2B2_AE3D_27D4_EB4F,
    0x1656_67B1_9E37_79F9,
    0xD6E8_FEB8_6659_FD93,
];

/// Both halves of a 64 x 64-bit product, folded.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline]
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

impl Hasher {
    pub(super) const fn new() -> Self {
        Self {
            low: KEYS[0],
            high: KEYS[2],
        }
    }

    /// Takes in bytes, and how many they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        let blocks = bytes.chunks_exact(32);
        let rest = blocks.remainder();
        for block in blocks {
            self.block(
                word(&block[..8]),
                word(&block[8..16]),
                word(&block[16..24]),
                word(&block[24..]),
            );
        }
        let mut last = [0; 32];
        last[..rest.len()].copy_from_slice(rest);
        self.block(
            word(&last[..8]),
            word(&last[8..16]),
            word(&last[16..24]),
            word(&last[24..]),
        );
        self.number(bytes.len() as u64);
    }

    /// Takes in a number.
    pub(super) fn number(&mut self, number: u64) {
        self.block(number, KEYS[1], KEYS[3], number);
    }

    /// Takes in a number of 128 bits.
    pub(super) fn wide_number(&mut self, number: u128) {
        let (low, high) = (number as u64, (number >> 64) as u64);
        self.block(low, high, low ^ KEYS[3], high ^ KEYS[1]);
    }

    /// The hash.
    pub(super) fn finish(mut self) -> u128 {
        self.block(self.high, self.low, KEYS[2], KEYS[0]);
        (u128::from(self.high) << 64) | u128::from(self.low)
    }

    #[inline]
    fn block(&mut self, a: u64, b: u64, c: u64, d: u64) {
        // Each half sees every word, paired otherwise, so that a product of zero hides nothing from both.
        self.low = fold(self.low ^ a ^ KEYS[0], b ^ KEYS[1])
            .wrapping_add(fold(c ^ KEYS[2], d ^ self.low.rotate_left(32)));
        self.high = fold(self.high ^ c ^ KEYS[3], a ^ KEYS[2])
            .wrapping_add(fold(d ^ KEYS[1], b ^ self.high.rotate_left(32)));
    }
}

/// Builds [`FastHasher`]s, for maps whose keys nobody chooses so that they collide, or is welcome to the slower map.
pub(crate) type FastHash = std::hash::BuildHasherDefault<FastHasher>;

/// A quick hash of few bytes, for maps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastHasher(u64);

impl Default for FastHasher {
    fn default() -> Self {
        Self(KEYS[0])
    }
}

impl std::hash::Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        let words = bytes.chunks_exact(8);
        let rest = words.remainder();
        for bytes in words {
            self.write_u64(word(bytes));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.write_u64(u64::from_le_bytes(last) ^ bytes.len() as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = fold(self.0 ^ number, KEYS[1]).wrapping_add(number.rotate_left(23));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        fold(self.0 ^ KEYS[2], KEYS[3])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn hash(bytes: &[u8]) -> u128 {
        let mut hasher = Hasher::new();
        hasher.bytes(bytes);
        hasher.finish()
    }

    #[test]
    fn every_bit_and_the_length_count() {
        let zeros = [0u8; 100];
        let mut seen: HashSet<u128> = (0..=100).map(|length| hash(&zeros[..length])).collect();
        assert_eq!(seen.len(), 101);
        for bit in 0..800 {
            let mut bytes = zeros;
            bytes[bit / 8] = 1 << (bit % 8);
            assert!(seen.insert(hash(&bytes)), "bit {bit}");
        }
        // Both halves tell them apart on their own.
        let halves: HashSet<u64> = seen.iter().map(|&hash| hash as u64).collect();
        assert_eq!(halves.len(), seen.len());
        let halves: HashSet<u64> = seen.iter().map(|&hash| (hash >> 64) as u64).collect();
        assert_eq!(halves.len(), seen.len());
    }
}
