//! How the copies of VRAM are permuted (spec/ge-raster.md §13).

use std::fmt;

/// How the copies of VRAM are permuted: the argument of `sceGeEdramSetAddrTranslation`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdramTranslation(u32);

/// No width.
const IDENTITY: u32 = u32::MAX;

impl EdramTranslation {
    /// No permutation at all, which no hardware has: in PPSSPP the copies show the same bytes
    /// (spec/ppsspp-profile.md §12).
    pub const IDENTITY: Self = Self(IDENTITY);

    /// The translation of that width, if it is one of the five: 0, 0x200, 0x400, 0x800, 0x1000.
    #[must_use]
    pub const fn from_width(width: u32) -> Option<Self> {
        match width {
            0 | 0x200 | 0x400 | 0x800 | 0x1000 => Some(Self(width)),
            _ => None,
        }
    }

    /// The width; the identity has none.
    #[must_use]
    pub const fn width(self) -> Option<u32> {
        match self.0 {
            IDENTITY => None,
            width => Some(width),
        }
    }

    /// Aligned chunks of this size stay together in every copy.
    pub(crate) const fn chunk_size(self) -> u32 {
        match self.0 {
            0 | IDENTITY => 0x800,
            width => width,
        }
    }

    /// A chunk with this offset in the primary copy lies at the other offset in copies 1 and 3, and the
    /// other way round.
    pub(crate) const fn swap_chunk(self, chunk_offset: u32) -> u32 {
        match self.0 {
            IDENTITY => chunk_offset,
            width => chunk_offset ^ (8 * width),
        }
    }

    /// The primary offset of what copy 1 shows at `offset`.
    pub(super) const fn primary_of_first(self, offset: u32) -> u32 {
        match self.0 {
            IDENTITY => offset,
            0 => offset ^ 0x600,
            width => offset ^ (8 * width) ^ 0x40,
        }
    }

    /// The primary offset of what copy 3 shows at `offset`: where the depth buffer's linear bytes lie.
    pub(super) const fn primary_of_third(self, offset: u32) -> u32 {
        if self.0 == IDENTITY {
            return offset;
        }
        if self.0 == 0 {
            return match (offset >> 9) & 3 {
                0 | 3 => offset ^ 0x600,
                _ => offset,
            };
        }
        // Undoing "bit 5 := not j[6], bit k := j[k + 1], bit n - 1 := j[5]" turns the field of bits
        // 5..n one to the left.
        let field_width = self.0.trailing_zeros() - 5;
        let field_mask = (1 << field_width) - 1;
        let field = (offset >> 5) & field_mask;
        let turned = ((field << 1) | (field >> (field_width - 1))) & field_mask;
        let moved = (offset & !(field_mask << 5)) | ((turned ^ 2) << 5);
        moved ^ (8 * self.0)
    }
}

impl Default for EdramTranslation {
    /// The reset value, 0x400.
    fn default() -> Self {
        Self(0x400)
    }
}

impl fmt::Debug for EdramTranslation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.width() {
            None => formatter.write_str("EdramTranslation(identity)"),
            Some(width) => write!(formatter, "EdramTranslation({width:#x})"),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::vram) fn widths() -> [EdramTranslation; 5] {
        [0, 0x200, 0x400, 0x800, 0x1000].map(|width| EdramTranslation::from_width(width).unwrap())
    }

    /// spec/ge-raster.md §13, forwards: where byte `i` of the primary copy is seen in copy 3.
    fn third_copy(translation: EdramTranslation, i: u32) -> u32 {
        let width = translation.width().expect("a width");
        if width == 0 {
            return if matches!((i >> 9) & 3, 0 | 3) {
                i ^ 0x600
            } else {
                i
            };
        }
        let n = width.trailing_zeros();
        let j = i ^ (8 * width);
        let bit = |k: u32| (j >> k) & 1;
        let mut seen = j & !((width - 1) & !31);
        seen |= (1 - bit(6)) << 5;
        for k in 6..=n - 2 {
            seen |= bit(k + 1) << k;
        }
        seen | (bit(5) << (n - 1))
    }

    #[test]
    fn the_identity_moves_nothing() {
        let identity = EdramTranslation::IDENTITY;
        for offset in (0..0x2_0000).step_by(16) {
            assert_eq!(identity.primary_of_first(offset), offset);
            assert_eq!(identity.primary_of_third(offset), offset);
            assert_eq!(identity.swap_chunk(offset), offset);
        }
        assert_eq!(identity.width(), None);
    }

    #[test]
    fn third_copy_is_undone() {
        for translation in widths() {
            for i in (0..0x2_0000).step_by(32) {
                assert_eq!(
                    translation.primary_of_third(third_copy(translation, i)),
                    i,
                    "{translation:?}"
                );
                assert_eq!(
                    third_copy(translation, i) / translation.chunk_size() * translation.chunk_size(),
                    translation.swap_chunk(i / translation.chunk_size() * translation.chunk_size()),
                );
            }
        }
    }
}
