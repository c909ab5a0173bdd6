//! Memory as the GE sees it: scratchpad, video memory with its four copies, main memory.

use raster::{PageChanges, Stamp, Vram, VramRange};

use crate::Address;

/// How much main memory the machine has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MemorySize {
    /// 32 MiB: the first model.
    #[default]
    Mib32,
    /// 64 MiB: later models.
    Mib64,
}

impl MemorySize {
    /// Bytes of main memory.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Mib32 => 32 << 20,
            Self::Mib64 => 64 << 20,
        }
    }
}

/// Scratchpad, VRAM and main memory at their addresses (`spec/ge-frontend.md §1.1`).
///
/// | Addresses | What |
/// |---|---|
/// | `0x00010000..0x00014000` | scratchpad |
/// | `0x04000000..0x05000000` | VRAM: 2 MiB seen four times, bit 23 ignored |
/// | `0x08000000..` | main memory |
///
/// Everything starts as zeros. Reads run from their address to the end of what is mapped there; VRAM
/// wraps in its window and has no end.
///
/// ```
/// use ge::{Address, Memory};
///
/// let mut memory = Memory::default();
/// memory.write(Address::new(0x0800_0000), &[1, 2, 3, 4]);
/// assert_eq!(memory.word(Address::new(0x0800_0000)), Some(0x0403_0201));
/// assert_eq!(memory.word(Address::new(0)), None);
/// ```
#[derive(Clone, Debug)]
pub struct Memory {
    pub(crate) scratchpad: Tracked,
    pub(crate) ram: Tracked,
    pub(crate) vram: Vram,
}

/// Bytes, and when their pages changed.
#[derive(Clone, Debug)]
pub(crate) struct Tracked {
    pub(crate) bytes: Box<[u8]>,
    changes: PageChanges,
}

impl Tracked {
    fn new(size: usize) -> Self {
        Self {
            bytes: vec![0; size].into_boxed_slice(),
            changes: PageChanges::new(size),
        }
    }

    /// At most `length` bytes from `offset` on.
    fn part(&self, offset: usize, length: usize) -> &[u8] {
        let end = offset.saturating_add(length).min(self.bytes.len());
        self.bytes.get(offset..end).unwrap_or_default()
    }

    fn write(&mut self, offset: usize, bytes: &[u8]) -> usize {
        self.changes.write(&mut self.bytes, offset, bytes);
        bytes.len().min(self.bytes.len().saturating_sub(offset))
    }
}

/// What an address points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A byte of the scratchpad.
    Scratchpad(usize),
    /// A byte of VRAM's window of 8 MiB.
    Vram(u32),
    /// A byte of main memory.
    Ram(usize),
}

const SCRATCHPAD: u32 = 0x0001_0000;
const SCRATCHPAD_SIZE: usize = 0x4000;
const VRAM: u32 = 0x0400_0000;
const RAM: u32 = 0x0800_0000;

impl Default for Memory {
    fn default() -> Self {
        Self::new(MemorySize::default())
    }
}

impl Memory {
    /// Memory full of zeros. The pages of main memory are claimed as they are written.
    #[must_use]
    pub fn new(size: MemorySize) -> Self {
        Self {
            scratchpad: Tracked::new(SCRATCHPAD_SIZE),
            ram: Tracked::new(size.bytes()),
            vram: Vram::default(),
        }
    }

    /// Video memory.
    #[must_use]
    pub const fn vram(&self) -> &Vram {
        &self.vram
    }

    /// Video memory.
    pub const fn vram_mut(&mut self) -> &mut Vram {
        &mut self.vram
    }

    pub(crate) fn place(&self, address: Address) -> Option<Place> {
        let address = address.get();
        match address {
            0x0001_0000..=0x0001_3FFF => Some(Place::Scratchpad((address - SCRATCHPAD) as usize)),
            0x0400_0000..=0x04FF_FFFF => Some(Place::Vram((address - VRAM) & 0x7F_FFFF)),
            RAM.. => {
                let offset = (address - RAM) as usize;
                (offset < self.ram.bytes.len()).then_some(Place::Ram(offset))
            }
            _ => None,
        }
    }

    /// Whether an address is mapped.
    #[must_use]
    pub fn is_mapped(&self, address: Address) -> bool {
        self.place(address).is_some()
    }

    /// The VRAM that `length` bytes from `address` on are, if they are VRAM.
    #[must_use]
    pub fn vram_range(&self, address: Address, length: u32) -> Option<VramRange> {
        match self.place(address)? {
            Place::Vram(start) => Some(VramRange {
                start,
                length: length.min(Vram::WINDOW as u32),
            }),
            Place::Scratchpad(_) | Place::Ram(_) => None,
        }
    }

    /// The word at an address, if all four bytes are mapped.
    #[must_use]
    pub fn word(&self, address: Address) -> Option<u32> {
        let mut bytes = [0; 4];
        (self.read(address, &mut bytes) == 4).then_some(u32::from_le_bytes(bytes))
    }

    /// The word at an address of main memory, if all four bytes are.
    #[inline]
    pub(crate) fn word_of_ram(&self, address: Address) -> Option<u32> {
        let offset = address.get().checked_sub(RAM)? as usize;
        let bytes = self.ram.bytes.get(offset..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Fills `into` with the bytes from `address` on and says how many are mapped; the rest become
    /// zeros.
    pub fn read(&self, address: Address, into: &mut [u8]) -> usize {
        let source = match self.place(address) {
            Some(Place::Scratchpad(offset)) => self.scratchpad.part(offset, into.len()),
            Some(Place::Ram(offset)) => self.ram.part(offset, into.len()),
            Some(Place::Vram(offset)) => {
                self.vram.read(offset, into);
                return into.len();
            }
            None => &[],
        };
        let mapped = source.len().min(into.len());
        into[..mapped].copy_from_slice(&source[..mapped]);
        into[mapped..].fill(0);
        mapped
    }

    /// Writes `bytes` from `address` on and says how many were mapped; the others are lost. Bytes that are there
    /// already count as unchanged: textures in their pages stay known.
    ///
    /// Pending draws are not looked at: [`Ge::memory_mut`](crate::Ge::memory_mut) finishes them.
    pub fn write(&mut self, address: Address, bytes: &[u8]) -> usize {
        match self.place(address) {
            Some(Place::Scratchpad(offset)) => self.scratchpad.write(offset, bytes),
            Some(Place::Ram(offset)) => self.ram.write(offset, bytes),
            Some(Place::Vram(offset)) => {
                self.vram.write(offset, bytes);
                bytes.len()
            }
            None => 0,
        }
    }

    /// Notes that `length` bytes from `address` on were changed in another way than through this type.
    pub fn note_written(&mut self, address: Address, length: u32) {
        match self.place(address) {
            Some(Place::Scratchpad(offset)) => self.scratchpad.changes.note(offset, length as usize),
            Some(Place::Ram(offset)) => self.ram.changes.note(offset, length as usize),
            Some(Place::Vram(start)) => self.vram.note_changed(VramRange { start, length }),
            None => {}
        }
    }

    /// Notes that any byte may have been changed in another way than through this type.
    pub fn note_all_written(&mut self) {
        self.scratchpad.changes.note_all();
        self.ram.changes.note_all();
        self.vram.note_all_changed();
    }

    /// `length` bytes from `address` on: where they lie side by side the bytes themselves, else a
    /// copy in `scratch`, with zeros past the end of what is mapped. `None` if the first byte is not
    /// mapped.
    pub(crate) fn bytes<'a>(
        &'a self,
        address: Address,
        length: usize,
        scratch: &'a mut Vec<u8>,
    ) -> Option<&'a [u8]> {
        let whole = match self.place(address)? {
            Place::Scratchpad(offset) => self.scratchpad.bytes.get(offset..offset.saturating_add(length)),
            Place::Ram(offset) => self.ram.bytes.get(offset..offset.saturating_add(length)),
            Place::Vram(start) => u32::try_from(length)
                .ok()
                .and_then(|length| self.vram.slice(VramRange { start, length })),
        };
        Some(match whole {
            Some(bytes) => bytes,
            None => {
                scratch.clear();
                scratch.resize(length, 0);
                self.read(address, scratch);
                scratch
            }
        })
    }

    /// The bytes of scratchpad or main memory from a place on, at most `length`, and which they are: those of a
    /// texture level. `None` for VRAM.
    pub(crate) fn direct<'a>(
        scratchpad: &'a Tracked,
        ram: &'a Tracked,
        place: Place,
        length: usize,
    ) -> Option<(&'a [u8], Stamp)> {
        let (memory, base, offset) = match place {
            Place::Scratchpad(offset) => (scratchpad, SCRATCHPAD, offset),
            Place::Ram(offset) => (ram, RAM, offset),
            Place::Vram(_) => return None,
        };
        let bytes = memory.part(offset, length);
        let stamp = Stamp {
            place: u64::from(base) + offset as u64,
            change: memory.changes.latest(offset, bytes.len()),
        };
        Some((bytes, stamp))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vram_is_seen_four_times_and_wraps_at_bit_23() {
        let mut memory = Memory::default();
        memory.write(Address::new(0x0400_0123), &[7]);
        for address in [0x0440_0123, 0x0480_0123, 0x4400_0123] {
            let mut byte = [0];
            assert_eq!(memory.read(Address::new(address), &mut byte), 1);
            assert_eq!(byte, [7], "{address:#x}");
        }
        memory.write(Address::new(0x047F_FFFF), &[1, 2]);
        assert_eq!(memory.vram().bytes()[0], 2);
    }

    #[test]
    fn reads_past_the_end_are_zeros() {
        let mut memory = Memory::default();
        memory.write(Address::new(0x09FF_FFFE), &[1, 2, 3]);
        let mut bytes = [9; 4];
        assert_eq!(memory.read(Address::new(0x09FF_FFFE), &mut bytes), 2);
        assert_eq!(bytes, [1, 2, 0, 0]);
        assert_eq!(memory.read(Address::new(0x0A00_0000), &mut bytes), 0);
        assert_eq!(memory.word(Address::new(0x09FF_FFFE)), None);
        let mut scratch = Vec::new();
        let read = memory.bytes(Address::new(0x09FF_FFFE), 4, &mut scratch);
        assert_eq!(read, Some(&[1, 2, 0, 0][..]));
        assert_eq!(memory.bytes(Address::new(0x0A00_0000), 4, &mut scratch), None);
    }

    #[test]
    fn later_models_have_more() {
        let memory = Memory::new(MemorySize::Mib64);
        assert!(memory.is_mapped(Address::new(0x0BFF_FFFF)));
        assert!(!memory.is_mapped(Address::new(0x0C00_0000)));
        assert!(!Memory::default().is_mapped(Address::new(0x0A00_0000)));
    }
}
