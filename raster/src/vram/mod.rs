//! The 2 MiB of embedded RAM and its four copies in the address map (spec/ge-raster.md §13).

mod pages;
mod pieces;
mod translation;

use std::borrow::Cow;
use std::fmt;

pub(crate) use pages::PageSet;
pub(crate) use pieces::{View, any_piece};
pub use translation::EdramTranslation;

use crate::change::{Change, PageChanges};
use crate::code::FrameFormat;
use crate::draw::VramRange;
use crate::format;

/// Bytes of VRAM.
const SIZE: u32 = 0x20_0000;
/// Bytes of the window that shows VRAM four times.
const WINDOW: u32 = 4 * SIZE;
/// No permutation moves bytes inside a block of this size.
const BLOCK: u32 = 32;

/// The GE's embedded RAM.
///
/// Bytes are kept as the primary copy shows them. A *window offset* is an offset in the 8 MiB from
/// 0x04000000 on: bits 20:0 the place, bits 22:21 the copy through which it is seen. Bit 23 and what is
/// above are ignored, so that accesses across the end continue at the beginning. The permutation of copies
/// 1 and 3 holds for writes as for reads (unverified for writes, spec/ge-raster.md §13).
///
/// ```
/// use raster::{EdramTranslation, Vram};
///
/// let mut vram = Vram::new(EdramTranslation::default());
/// vram.write(0x60_0000, &[1, 2]);
/// assert_eq!(vram.bytes()[0x2040..0x2042], [1, 2]);
/// ```
pub struct Vram {
    bytes: Box<[u8]>,
    translation: EdramTranslation,
    /// When the pages changed.
    changes: PageChanges,
    /// Pages that were written since whoever keeps a copy of them asked last.
    #[cfg(feature = "gpu")]
    written: PageSet,
    /// What no other VRAM has, nor a clone of this one.
    #[cfg(feature = "gpu")]
    identity: u64,
}

#[cfg(feature = "gpu")]
fn next_identity() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Vram {
    /// Bytes of VRAM: 2 MiB.
    pub const SIZE: usize = SIZE as usize;
    /// Bytes of the window that shows VRAM four times: 8 MiB.
    pub const WINDOW: usize = WINDOW as usize;

    /// VRAM full of zeros.
    #[must_use]
    pub fn new(translation: EdramTranslation) -> Self {
        Self {
            bytes: vec![0; Self::SIZE].into_boxed_slice(),
            translation,
            changes: PageChanges::new(Self::SIZE),
            #[cfg(feature = "gpu")]
            written: PageSet::ALL,
            #[cfg(feature = "gpu")]
            identity: next_identity(),
        }
    }

    /// The permutation in force.
    #[must_use]
    pub fn translation(&self) -> EdramTranslation {
        self.translation
    }

    /// Changes the permutation; the bytes of the primary copy stay.
    pub fn set_translation(&mut self, translation: EdramTranslation) {
        self.translation = translation;
    }

    /// All 2 MiB in the order of the primary copy.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All 2 MiB in the order of the primary copy. Each of them counts as changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        self.note_all_changed();
        &mut self.bytes
    }

    /// Notes that any byte may have been changed by somebody else.
    pub fn note_all_changed(&mut self) {
        self.changes.note_all();
        self.mark_written(&PageSet::ALL);
    }

    /// Notes that the bytes of a range were changed by somebody else.
    pub fn note_changed(&mut self, range: VramRange) {
        let mut pages = PageSet::default();
        any_piece(range, self.translation, View::Primary, |start, length| {
            pages.add(start, length);
            false
        });
        self.note_pages(&pages);
    }

    /// The latest change of the bytes of a range.
    ///
    /// As long as it is the same, so are the bytes, if the permutation is the same too.
    #[must_use]
    pub fn latest_change(&self, range: VramRange) -> Change {
        let mut latest = Change::NONE;
        any_piece(range, self.translation, View::Primary, |start, length| {
            // Pieces wrap at the end.
            let before_end = length.min(SIZE - start);
            let changes = &self.changes;
            latest = latest
                .max(changes.latest(start as usize, before_end as usize))
                .max(changes.latest(0, (length - before_end) as usize));
            false
        });
        latest
    }

    /// Notes that pages were changed.
    pub(crate) fn note_pages(&mut self, pages: &PageSet) {
        for run in pages.runs() {
            self.changes.note(run.start, run.len());
        }
        self.mark_written(pages);
    }

    #[cfg(feature = "gpu")]
    fn mark_written(&mut self, pages: &PageSet) {
        self.written = self.written.union(*pages);
    }

    #[cfg(not(feature = "gpu"))]
    fn mark_written(&mut self, _: &PageSet) {}

    /// Bytes of the primary copy that lie side by side, to be written; none across the end. Who draws there
    /// notes the pages afterwards: [`Self::note_pages`].
    pub(crate) fn slice_mut(&mut self, start: usize, length: usize) -> Option<&mut [u8]> {
        self.bytes.get_mut(start..start.checked_add(length)?)
    }

    /// Where the byte at a window offset lies in the primary copy.
    #[must_use]
    pub fn primary_offset(&self, window_offset: u32) -> u32 {
        let offset = window_offset % SIZE;
        match (window_offset / SIZE) % 4 {
            1 => self.translation.primary_of_first(offset),
            3 => self.translation.primary_of_third(offset),
            _ => offset,
        }
    }

    /// Reads bytes from a window offset on.
    pub fn read(&self, window_offset: u32, into: &mut [u8]) {
        let mut at = window_offset % WINDOW;
        let mut rest = into;
        while !rest.is_empty() {
            let (start, length) = self.run(at, rest.len());
            let (run, tail) = rest.split_at_mut(length);
            run.copy_from_slice(&self.bytes[start..start + length]);
            rest = tail;
            at = (at + length as u32) % WINDOW;
        }
    }

    /// Writes bytes from a window offset on. What they do not change counts as it was.
    pub fn write(&mut self, window_offset: u32, from: &[u8]) {
        let mut at = window_offset % WINDOW;
        let mut rest = from;
        while !rest.is_empty() {
            let (start, length) = self.run(at, rest.len());
            let (run, tail) = rest.split_at(length);
            if self.changes.write(&mut self.bytes, start, run) {
                let mut pages = PageSet::default();
                pages.add(start as u32, length as u32);
                self.mark_written(&pages);
            }
            rest = tail;
            at = (at + length as u32) % WINDOW;
        }
    }

    /// The bytes of a range without a copy, when they lie side by side: in copies 0 and 2, not across an
    /// end.
    #[must_use]
    pub fn slice(&self, range: VramRange) -> Option<&[u8]> {
        let permuted = (range.start / SIZE) % 2 == 1;
        let start = (range.start % SIZE) as usize;
        let end = start.checked_add(range.length as usize)?;
        if permuted {
            None
        } else {
            self.bytes.get(start..end)
        }
    }

    /// The bytes of a range, gathered where they do not lie side by side.
    #[must_use]
    pub fn read_range(&self, range: VramRange) -> Cow<'_, [u8]> {
        match self.slice(range) {
            Some(bytes) => Cow::Borrowed(bytes),
            None => {
                let mut bytes = vec![0; range.length as usize];
                self.read(range.start, &mut bytes);
                Cow::Owned(bytes)
            }
        }
    }

    /// Reads depth values that lie side by side in the linear view, from its byte `offset` on.
    pub(crate) fn read_depth(&self, offset: u32, into: &mut [u16]) {
        let mut at = (offset % SIZE) & !1;
        let mut rest = into;
        while !rest.is_empty() {
            let start = self.translation.primary_of_third(at) as usize;
            let count = (((BLOCK - at % BLOCK) / 2) as usize).min(rest.len());
            let (run, tail) = rest.split_at_mut(count);
            let source = self.bytes[start..].chunks_exact(2);
            for (depth, bytes) in run.iter_mut().zip(source) {
                *depth = u16::from_le_bytes([bytes[0], bytes[1]]);
            }
            rest = tail;
            at = (at + 2 * count as u32) % SIZE;
        }
    }

    /// Writes depth values that lie side by side in the linear view, from its byte `offset` on. Who draws there
    /// notes the pages afterwards: [`Self::note_pages`].
    pub(crate) fn write_depth(&mut self, offset: u32, from: &[u16]) {
        let mut at = (offset % SIZE) & !1;
        let mut rest = from;
        while !rest.is_empty() {
            let start = self.translation.primary_of_third(at) as usize;
            let count = (((BLOCK - at % BLOCK) / 2) as usize).min(rest.len());
            let (run, tail) = rest.split_at(count);
            let destination = self.bytes[start..].chunks_exact_mut(2);
            for (depth, bytes) in run.iter().zip(destination) {
                bytes.copy_from_slice(&depth.to_le_bytes());
            }
            rest = tail;
            at = (at + 2 * count as u32) % SIZE;
        }
    }

    /// What the display shows of a buffer: red, green, blue, and 255. `offset` is the first byte in the
    /// primary copy, `stride` the pixels from row to row; rows follow each other
    /// (spec/ge-frontend.md §16.5).
    #[must_use]
    pub fn display(
        &self,
        offset: u32,
        stride: u32,
        pixel_format: FrameFormat,
        width: u32,
        height: u32,
    ) -> Vec<[u8; 4]> {
        let mut pixels = Vec::new();
        for y in 0..height {
            let row = offset.wrapping_add(y.wrapping_mul(stride).wrapping_mul(pixel_format.bytes()));
            for x in 0..width {
                let color = self.color(
                    row.wrapping_add(x.wrapping_mul(pixel_format.bytes())),
                    pixel_format,
                );
                let [red, green, blue, _] = color.to_le_bytes();
                pixels.push([red, green, blue, 255]);
            }
        }
        pixels
    }

    /// The pixel at a byte offset of the primary copy, expanded to 8888.
    #[must_use]
    pub fn color(&self, offset: u32, pixel_format: FrameFormat) -> u32 {
        if pixel_format == FrameFormat::RGBA8888 {
            let start = ((offset % SIZE) & !3) as usize;
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&self.bytes[start..start + 4]);
            u32::from_le_bytes(bytes)
        } else {
            let start = ((offset % SIZE) & !1) as usize;
            format::expand(
                u16::from_le_bytes([self.bytes[start], self.bytes[start + 1]]),
                pixel_format,
            )
        }
    }

    /// The longest run of bytes from a window offset on that lies side by side, at most `limit`: its start
    /// in the primary copy and its length.
    fn run(&self, window_offset: u32, limit: usize) -> (usize, usize) {
        let offset = window_offset % SIZE;
        let start = self.primary_offset(window_offset);
        let permuted = (window_offset / SIZE) % 2 == 1;
        let end = if permuted {
            BLOCK - offset % BLOCK
        } else {
            SIZE - offset
        };
        (start as usize, limit.min(end as usize))
    }
}

#[cfg(feature = "gpu")]
impl Vram {
    /// Pages that were written since this was asked last by whoever keeps a copy of the VRAM `known`: all if that is
    /// another one.
    pub(crate) fn take_written(&mut self, known: &mut Option<u64>) -> PageSet {
        let written = std::mem::take(&mut self.written);
        if known.replace(self.identity) == Some(self.identity) {
            written
        } else {
            PageSet::ALL
        }
    }

    /// Takes over pages from whoever keeps a copy of them.
    pub(crate) fn load_pages(&mut self, range: std::ops::Range<usize>, from: &[u8]) {
        self.changes.write(&mut self.bytes, range.start, from);
    }

    /// The pages of the primary copy that a range of the window lies in.
    pub(crate) fn pages(&self, range: VramRange) -> PageSet {
        let mut pages = PageSet::default();
        let mut at = range.start % WINDOW;
        let mut rest = range.length.min(WINDOW) as usize;
        while rest > 0 {
            let (start, length) = self.run(at, rest);
            pages.add(start as u32, length as u32);
            rest -= length;
            at = (at + length as u32) % WINDOW;
        }
        pages
    }
}

impl Clone for Vram {
    fn clone(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            translation: self.translation,
            changes: self.changes.clone(),
            #[cfg(feature = "gpu")]
            written: PageSet::ALL,
            #[cfg(feature = "gpu")]
            identity: next_identity(),
        }
    }
}

impl Default for Vram {
    /// VRAM full of zeros, with the translation of reset.
    fn default() -> Self {
        Self::new(EdramTranslation::default())
    }
}

impl fmt::Debug for Vram {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Vram")
            .field("translation", &self.translation)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::translation::tests::widths;
    use super::*;

    #[test]
    fn what_is_written_through_a_copy_is_read_through_it() {
        for translation in widths() {
            let mut vram = Vram::new(translation);
            let pattern: Vec<u8> = (0..700u32).map(|i| (i * 7 + 1) as u8).collect();
            for start in [
                5, 0x1F_FFE1, 0x20_0013, 0x40_0001, 0x61_2345, 0x7F_FFF0, 0xFF_FFF0,
            ] {
                vram.write(start, &pattern);
                let mut back = vec![0; pattern.len()];
                vram.read(start, &mut back);
                assert_eq!(back, pattern, "{start:#x}");
                let range = VramRange { start, length: 700 };
                assert_eq!(vram.read_range(range).as_ref(), pattern, "{start:#x}");
            }
        }
    }

    #[test]
    fn depth_is_linear_in_the_third_copy() {
        let mut vram = Vram::default();
        let depths: Vec<u16> = (0..300).map(|i| i * 211).collect();
        vram.write_depth(0x1F_FFF8, &depths);
        let mut bytes = vec![0; 600];
        vram.read(0x7F_FFF8, &mut bytes[..8]);
        vram.read(0x60_0000, &mut bytes[8..]);
        let seen: Vec<u16> = bytes
            .chunks_exact(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .collect();
        assert_eq!(seen, depths);
        let mut back = vec![0; 300];
        vram.read_depth(0x1F_FFF8, &mut back);
        assert_eq!(back, depths);
        // The game data of spec/ge-raster.md §13: raw 0x740, 0x700, 0x760, 0x720.
        for (raw, linear) in [(0x740, 0x2580), (0x700, 0x25A0), (0x760, 0x2780), (0x720, 0x27A0)] {
            assert_eq!(EdramTranslation::default().primary_of_third(linear), raw);
        }
    }

    #[test]
    fn accesses_across_the_end_continue_at_the_beginning() {
        let mut vram = Vram::default();
        vram.write(0x7F_FFFF, &[1, 2]);
        assert_eq!(vram.bytes()[0], 2);
        assert!(
            vram.slice(VramRange {
                start: 0x1F_FFFF,
                length: 2
            })
            .is_none()
        );
        assert!(
            vram.slice(VramRange {
                start: 0x20_0000,
                length: 2
            })
            .is_none()
        );
        assert_eq!(
            vram.slice(VramRange {
                start: 0x40_0000,
                length: 2
            }),
            Some(&[2, 0][..])
        );
    }

    #[test]
    fn display_expands_by_replication() {
        let mut vram = Vram::default();
        vram.write(0x100, &0x8410_u16.to_le_bytes());
        let pixels = vram.display(0x100, 512, FrameFormat::RGB565, 1, 2);
        assert_eq!(pixels, [[0x84, 0x82, 0x84, 255], [0, 0, 0, 255]]);
    }
}
