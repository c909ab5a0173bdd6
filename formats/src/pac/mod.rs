//! PAC containers: the files of models and stages, one after the other behind a table.
//!
//! ```
//! use formats::pac::{Alignment, Pac};
//!
//! let pac = Pac::new(vec![b"abc".to_vec(), vec![], b"defgh".to_vec()], Alignment::Bytes16)?;
//! let bytes = pac.write();
//! assert_eq!(&bytes[32..35], b"abc");
//! assert_eq!(&bytes[48..53], b"defgh");
//! assert_eq!(Pac::parse(&bytes)?, pac);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::{FormatError, Reader};

/// The most entries that a table can have (`spec/mhp-formats.md` §1.1).
pub const MOST_ENTRIES: usize = 256;
/// A table without any content is a PAC only if it has at least the six entries of a stage:
/// twenty stages are placeholders like that (`spec/mhp-formats.md` §1.3).
pub(crate) const FEWEST_EMPTY_ENTRIES: usize = 6;

/// A container of numbered entries, of which some may be empty.
///
/// Two PACs are equal when they write the same bytes: the alignment is stored nowhere, and two of
/// them may lay out the same entries alike.
#[derive(Debug, Clone)]
pub struct Pac {
    entries: Vec<Vec<u8>>,
    packing: Packing,
    tail: Vec<u8>,
}

/// Where entries start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Alignment {
    /// Multiples of 16: the PACs of models and stages.
    Bytes16,
    /// Multiples of 8.
    Bytes8,
    /// Multiples of 4: the collision PAC inside a stage.
    Bytes4,
}

impl Alignment {
    /// In the order in which a reader tries them (`spec/mhp-formats.md` §1.1).
    const TRIED: [Self; 3] = [Self::Bytes16, Self::Bytes8, Self::Bytes4];

    /// 16, 8 or 4.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bytes16 => 16,
            Self::Bytes8 => 8,
            Self::Bytes4 => 4,
        }
    }
}

/// What lies between the entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packing {
    /// Zeros up to the next multiple of the alignment, as in every shipped file.
    Aligned(Alignment),
    /// Anything else, and so unusual: the bytes before each entry. The PACs of one exporter leave
    /// more room than any alignment asks for (`spec/mhp-formats.md` §1.2). Empty entries have
    /// nothing before them.
    Gaps(Vec<Vec<u8>>),
}

/// Why entries are no PAC that a file can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPac {
    /// The table has room for 1 to 256 entries.
    #[error("{0} entries, where a PAC holds 1 to 256")]
    EntryCount(usize),
    /// A PAC has content, unless it is a stage's placeholder of six entries or more.
    #[error("{0} entries, all of them empty, where fewer than 6 need content")]
    NoContent(usize),
    /// Offsets and sizes are 32 bits.
    #[error("{0} bytes, where offsets reach 4294967295")]
    Size(usize),
    /// The table has no such entry.
    #[error("entry {index} of {count}")]
    NoSuchEntry {
        /// The entry asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
}

impl Pac {
    /// A PAC of `entries` laid out at an alignment; an entry without bytes is an empty one.
    ///
    /// # Errors
    ///
    /// What a file cannot hold ([`InvalidPac`]).
    pub fn new(entries: Vec<Vec<u8>>, alignment: Alignment) -> Result<Self, InvalidPac> {
        let pac = Self {
            entries,
            packing: Packing::Aligned(alignment),
            tail: Vec::new(),
        };
        pac.check()?;
        Ok(pac)
    }

    /// The same PAC with `tail` behind its last entry.
    pub fn with_tail(self, tail: Vec<u8>) -> Self {
        Self { tail, ..self }
    }

    /// All entries by number; an empty one has no bytes.
    pub fn entries(&self) -> &[Vec<u8>] {
        &self.entries
    }

    /// The bytes of entry `index`; `None` if it is empty or not there, as the engine's accessor
    /// answers.
    pub fn entry(&self, index: usize) -> Option<&[u8]> {
        self.entries
            .get(index)
            .map(Vec::as_slice)
            .filter(|entry| !entry.is_empty())
    }

    /// Puts `bytes` in place of entry `index`. Entries behind it move when the PAC is written.
    ///
    /// # Errors
    ///
    /// No such entry, or a PAC that no file can hold, which then is left as it was.
    pub fn replace(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), InvalidPac> {
        let count = self.entries.len();
        let Some(entry) = self.entries.get_mut(index) else {
            return Err(InvalidPac::NoSuchEntry { index, count });
        };
        let old = std::mem::replace(entry, bytes);
        if let Err(error) = self.check() {
            self.entries[index] = old;
            return Err(error);
        }
        // With explicit gaps, an entry that gains content starts at a multiple of 16 and one that
        // loses it leaves no gap behind.
        let was_empty = old.is_empty();
        let start = self.spans()[index].start;
        if let Packing::Gaps(gaps) = &mut self.packing {
            if self.entries[index].is_empty() {
                gaps[index].clear();
            } else if was_empty {
                gaps[index] = vec![0; start.next_multiple_of(16) - start];
            }
        }
        Ok(())
    }

    /// What lies between the entries.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Bytes behind the last entry. A PAC taken out of the games' archive runs on to the end of
    /// its block of 2048 bytes with leftovers.
    pub fn tail(&self) -> &[u8] {
        &self.tail
    }

    /// Where each entry lies in the written file; an empty one where the one before it ends.
    pub fn spans(&self) -> Vec<Range<usize>> {
        let mut end = table_size(self.entries.len());
        self.entries
            .iter()
            .enumerate()
            .map(|(index, entry)| {
                if entry.is_empty() {
                    return end..end;
                }
                let start = match &self.packing {
                    Packing::Aligned(alignment) => end.next_multiple_of(alignment.bytes()),
                    Packing::Gaps(gaps) => end + gaps.get(index).map_or(0, Vec::len),
                };
                end = start + entry.len();
                start..end
            })
            .collect()
    }

    fn check(&self) -> Result<(), InvalidPac> {
        let count = self.entries.len();
        if !(1..=MOST_ENTRIES).contains(&count) {
            return Err(InvalidPac::EntryCount(count));
        }
        if count < FEWEST_EMPTY_ENTRIES && self.entries.iter().all(Vec::is_empty) {
            return Err(InvalidPac::NoContent(count));
        }
        let end = self.spans().last().map_or(0, |span| span.end);
        if end > u32::MAX as usize {
            return Err(InvalidPac::Size(end));
        }
        Ok(())
    }

    /// Reads a PAC with any room between its entries.
    ///
    /// # Errors
    ///
    /// A count outside 1 to 256; an entry of size 0 with an offset; entries that overlap, go
    /// backwards or pass the end of the file; fewer than six entries, all of them empty.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let reader = Reader::new("PAC", bytes);
        let spans = parse_table(&reader)?;
        let mut end = table_size(spans.len());
        let mut gaps = Vec::with_capacity(spans.len());
        let mut entries = Vec::with_capacity(spans.len());
        for span in &spans {
            entries.push(reader.range(span.clone(), "entry")?.to_vec());
            if span.is_empty() {
                gaps.push(Vec::new());
            } else {
                gaps.push(reader.range(end..span.start, "gap")?.to_vec());
                end = span.end;
            }
        }
        let is_zero = gaps.iter().flatten().all(|&byte| byte == 0);
        let mut pac = Self {
            entries,
            packing: Packing::Gaps(gaps),
            tail: reader.range(end..bytes.len(), "tail")?.to_vec(),
        };
        // The alignment is the first that would lay the entries out where they are.
        let explicit = pac.spans();
        for alignment in Alignment::TRIED.into_iter().filter(|_| is_zero) {
            let packing = std::mem::replace(&mut pac.packing, Packing::Aligned(alignment));
            if pac.spans() == explicit {
                break;
            }
            pac.packing = packing;
        }
        Ok(pac)
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        let spans = self.spans();
        let end = spans.last().map_or(0, |span| span.end);
        let mut bytes = Vec::with_capacity(end + self.tail.len());
        bytes.extend_from_slice(&(self.entries.len() as u32).to_le_bytes());
        for span in &spans {
            let offset = if span.is_empty() { 0 } else { span.start };
            bytes.extend_from_slice(&(offset as u32).to_le_bytes());
            bytes.extend_from_slice(&(span.len() as u32).to_le_bytes());
        }
        for (index, (span, entry)) in spans.iter().zip(&self.entries).enumerate() {
            if entry.is_empty() {
                continue;
            }
            if let Packing::Gaps(gaps) = &self.packing
                && let Some(gap) = gaps.get(index)
            {
                bytes.extend_from_slice(gap);
            }
            bytes.resize(span.start, 0);
            bytes.extend_from_slice(entry);
        }
        bytes.extend_from_slice(&self.tail);
        bytes
    }
}

impl PartialEq for Pac {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries && self.write() == other.write()
    }
}

impl Eq for Pac {}

const fn table_size(count: usize) -> usize {
    4 + 8 * count
}

/// Where the table says that the entries lie; an empty one at 0.
fn parse_table(reader: &Reader<'_>) -> Result<Vec<Range<usize>>, FormatError> {
    let count = reader.u32(0, "entry count")? as usize;
    if !(1..=MOST_ENTRIES).contains(&count) {
        return Err(reader.error("entry count", 0, count.to_string(), "1 to 256"));
    }
    let mut end = table_size(count);
    reader.range(4..end, "table")?;
    let mut spans = Vec::with_capacity(count);
    for index in 0..count {
        let at = 4 + 8 * index;
        let reader = reader.within("entry", index);
        let offset = reader.u32(at, "offset")? as usize;
        let size = reader.u32(at + 4, "size")? as usize;
        if size == 0 && offset == 0 {
            spans.push(0..0);
            continue;
        }
        if size == 0 {
            let found = format!("0 at offset {offset:#x}");
            return Err(reader.error("size", at + 4, found, "offset 0 for an empty entry"));
        }
        if offset < end {
            return Err(reader.error(
                "offset",
                at,
                format!("{offset:#x}"),
                format!("{end:#x} or more, where what lies before it ends"),
            ));
        }
        end = offset.saturating_add(size);
        if end > reader.len() {
            return Err(reader.error(
                "size",
                at + 4,
                format!("{size:#x}"),
                format!("{:#x} at most", reader.len().saturating_sub(offset)),
            ));
        }
        spans.push(offset..end);
    }
    if count < FEWEST_EMPTY_ENTRIES && spans.iter().all(Range::is_empty) {
        return Err(reader.error(
            "table",
            4,
            format!("{count} empty entries"),
            "an entry with content, or 6 entries",
        ));
    }
    Ok(spans)
}

/// The spans of a file that is recognised as a PAC, without copying its entries.
///
/// Shipped files leave fewer than 16 zero bytes before an entry; an exporter leaves up to 28, or a
/// whole 16 more than it should (`spec/mhp-formats.md` §1.2). A file with larger or other gaps is
/// more likely something else, though [`Pac::parse`] would read it.
pub(crate) fn recognise(bytes: &[u8]) -> Option<Vec<Range<usize>>> {
    const LARGEST_GAP: usize = 32;
    let spans = parse_table(&Reader::new("PAC", bytes)).ok()?;
    let mut end = table_size(spans.len());
    for span in spans.iter().filter(|span| !span.is_empty()) {
        let gap = bytes.get(end..span.start)?;
        if gap.len() > LARGEST_GAP || gap.iter().any(|&byte| byte != 0) {
            return None;
        }
        end = span.end;
    }
    Some(spans)
}
