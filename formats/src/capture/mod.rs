//! PPSSPP's recordings of a frame's GE commands (`.ppdmp`), versions 2 to 6.
//!
//! A capture holds what one frame asked of the GE: the state at its start, the commands that ran,
//! the data they read, and which buffer was shown. It holds **no display lists**: the recorder
//! follows jumps and calls and writes down what was executed. What the records mean for a replay
//! is not known here; this module reads them, checks them and hands them out.
//!
//! A capture is a list of [`Record`]s, each of a [`RecordKind`] and with a span of the push
//! buffer, a pool that records may share. [`Capture::payload`] gives a record's content by type.
//!
//! ```
//! use formats::capture::{Capture, InitialState, Payload, Record, RecordKind, Version};
//!
//! let mut push_buffer = InitialState::blank().to_bytes();
//! push_buffer.extend(0x0400_0003_u32.to_le_bytes());
//! let records = vec![
//!     Record { kind: RecordKind::Init, offset: 0, size: 2048 },
//!     Record { kind: RecordKind::Registers, offset: 2048, size: 4 },
//! ];
//! let capture = Capture::new(Version::V6, *b"NPJB40001", records, push_buffer)?;
//!
//! let read = Capture::parse(&capture.write())?;
//! assert_eq!(read, capture);
//! let Payload::Registers(words) = read.payload(&read.records()[1]) else { unreachable!() };
//! assert_eq!(words.iter().collect::<Vec<_>>(), [0x0400_0003]);
//! # Ok::<(), formats::FormatError>(())
//! ```
//!
//! Source: `spec/capture.md`. The archives that captures travel in are not read here.

mod builder;
mod file;
mod initial;
mod pack;
mod record;
#[cfg(test)]
mod tests;

pub use builder::CaptureBuilder;
pub use initial::{InitialState, Layout, Matrices, MatrixCounters};
pub use record::{
    Display, FramebufferTexture, MemorySet, MipLevel, Payload, Record, RecordKind, VramFlags, Words,
};

/// The largest unpacked block of a capture, in bytes: the records, at 9 each, or the push buffer.
///
/// The recorder has no limit but the PSP's memory; the largest of the public captures is 8.3 MiB.
pub const LARGEST_BLOCK: usize = 256 << 20;

/// The file version. Later ones compare greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// June 2017: Snappy blocks.
    V2,
    /// November 2018: FRAMEBUF records.
    V3,
    /// September 2020: the game's id in the header.
    V4,
    /// April 2021: Zstandard blocks.
    V5,
    /// August 2022: the FRAMEBUF flag "unchanged" can be believed.
    V6,
}

impl Version {
    /// The number in the file, 2 to 6.
    pub const fn number(self) -> u32 {
        match self {
            Self::V2 => 2,
            Self::V3 => 3,
            Self::V4 => 4,
            Self::V5 => 5,
            Self::V6 => 6,
        }
    }

    /// The version with this number. Version 1 was never released and no reader takes it.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            2 => Some(Self::V2),
            3 => Some(Self::V3),
            4 => Some(Self::V4),
            5 => Some(Self::V5),
            6 => Some(Self::V6),
            _ => None,
        }
    }
}

/// A recorded frame.
///
/// Every value has been checked by the rules of `spec/capture.md` §9: the first record is INIT,
/// every span lies in the push buffer, records of a fixed size have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    version: Version,
    /// Nine bytes of id and three of padding; zero before version 4.
    game_id: [u8; 12],
    records: Vec<Record>,
    push_buffer: Vec<u8>,
    trailing: Vec<u8>,
}

impl Capture {
    /// The file version.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The game's disc id, such as `NPJB40001`, at most 9 bytes. `None` before version 4, where
    /// the file's name is the only hint.
    pub fn game_id(&self) -> Option<&[u8]> {
        let id = &self.game_id[..9];
        (self.version >= Version::V4).then(|| id.split(|&byte| byte == 0).next().unwrap_or(id))
    }

    /// The records, in the order in which they are carried out.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The pool that the records' spans lie in.
    pub fn push_buffer(&self) -> &[u8] {
        &self.push_buffer
    }

    /// Bytes behind the last block; none in any public capture.
    pub fn trailing(&self) -> &[u8] {
        &self.trailing
    }

    /// The bytes of a record of this capture; nothing for the span of another.
    pub fn bytes(&self, record: &Record) -> &[u8] {
        self.push_buffer.get(record.span()).unwrap_or_default()
    }

    /// What a record of this capture says. Records of size 0, which old recorders wrote, give an
    /// empty payload and are to be skipped.
    pub fn payload(&self, record: &Record) -> Payload<'_> {
        Payload::new(record.kind, self.bytes(record))
    }

    /// The GE's state at the start: the first record.
    pub fn initial_state(&self) -> InitialState {
        self.records.first().map_or_else(InitialState::blank, |init| {
            InitialState::from_bytes(self.bytes(init))
        })
    }

    /// The CLUT memory's 1024 bytes at the start, which recorders store since September 2022 in a
    /// record right after INIT (`spec/capture.md` §5.4). PPSSPP's player does not load it.
    pub fn saved_clut(&self) -> Option<&[u8]> {
        let record = self.records.get(1)?;
        (record.kind == RecordKind::Clut && record.size == 1024).then(|| self.bytes(record))
    }

    /// The buffer that the frame ended by showing: the last DISPLAY record.
    pub fn shown(&self) -> Option<Display> {
        let record = self
            .records
            .iter()
            .rfind(|record| record.kind == RecordKind::Display)?;
        match self.payload(record) {
            Payload::Display(display) => Some(display),
            _ => None,
        }
    }
}
