//! CLUT memory (spec/ge-raster.md §8.6).

use crate::code::FrameFormat;
use crate::draw::Clut;
use crate::format;

/// CLUT memory, 512 entries of 16 bits or 256 of 32, with the way from a texel's bits to an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette<'a> {
    memory: &'a [u8; 1024],
    format: FrameFormat,
    shift: u32,
    mask: u32,
    start: u32,
}

impl<'a> Palette<'a> {
    pub(super) fn new(clut: &Clut<'a>) -> Self {
        Self {
            memory: clut.memory,
            format: clut.format,
            shift: u32::from(clut.shift & 31),
            mask: u32::from(clut.mask),
            start: u32::from(clut.start & 31) << 4,
        }
    }

    /// The colour of a texel's bits; `level_offset` is added to the index.
    pub(super) fn color(&self, texel: u32, level_offset: u32) -> u32 {
        self.entry(
            self.index((texel >> self.shift) & self.mask)
                .wrapping_add(level_offset),
        )
    }

    /// The colour of what shift and mask leave of a texel's bits.
    pub(super) fn masked_color(&self, bits: u32) -> u32 {
        self.entry(self.index(bits))
    }

    /// How far a texel's bits are shifted right.
    pub(super) fn shift(&self) -> u32 {
        self.shift
    }

    /// Which of the shifted bits count: eight at most.
    pub(super) fn mask(&self) -> u32 {
        self.mask
    }

    /// The start is OR-ed, not added (hw: clut/offset).
    fn index(&self, bits: u32) -> u32 {
        bits | self.start
    }

    fn entry(&self, index: u32) -> u32 {
        if self.format == FrameFormat::RGBA8888 {
            let at = 4 * (index & 0xFF) as usize;
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&self.memory[at..at + 4]);
            u32::from_le_bytes(bytes)
        } else {
            let at = 2 * (index & 0x1FF) as usize;
            format::expand_texel(
                u16::from_le_bytes([self.memory[at], self.memory[at + 1]]),
                self.format,
            )
        }
    }

    /// All entries, as bytes.
    pub(super) fn memory(&self) -> &'a [u8; 1024] {
        self.memory
    }

    /// Everything but the entries, as one number.
    pub(super) fn parameters(&self) -> u64 {
        (u64::from(self.shift) << 48)
            | (u64::from(self.mask) << 32)
            | (u64::from(self.start) << 16)
            | u64::from(self.format.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color(format: FrameFormat, texel: u32, shift: u8, mask: u8, start: u8) -> u32 {
        let mut memory = [0; 1024];
        for (index, byte) in memory.iter_mut().enumerate() {
            *byte = (index / 4) as u8;
        }
        let clut = Clut {
            change: None,
            memory: &memory,
            format,
            shift,
            mask,
            start,
            per_level: false,
        };
        Palette::new(&clut).color(texel, 0) & 0xFF
    }

    #[test]
    fn start_is_or_ed() {
        // spec/ge-raster.md §8.6, hw: clut/offset.
        let entry = |start, texel| color(FrameFormat::RGBA8888, texel, 0, 0xFF, start);
        assert_eq!((entry(1, 16), entry(2, 16), entry(3, 16)), (0x10, 0x30, 0x30));
    }

    #[test]
    fn bits_are_shifted_and_masked() {
        let entry = |shift, mask| color(FrameFormat::RGBA8888, 0x1234_5678, shift, mask, 0);
        let shifted = [
            (0, 0x78),
            (1, 0x3C),
            (2, 0x9E),
            (4, 0x67),
            (12, 0x45),
            (24, 0x12),
            (30, 0),
            (32, 0x78),
        ];
        for (shift, expected) in shifted {
            assert_eq!(entry(shift, 0xFF), expected, "shift {shift}");
        }
        assert_eq!(entry(0, 0x0F), 0x08);
    }

    #[test]
    fn narrow_entries_reach_512() {
        // Entry 0x1FF of 4444 is the top half of the last word.
        assert_eq!(color(FrameFormat::RGBA4444, 0xFF, 0, 0xFF, 31), 0xFF);
        assert_eq!(color(FrameFormat::RGBA8888, 0xFF, 0, 0x00, 31), 0xF0);
    }
}
