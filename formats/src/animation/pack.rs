//! The container that both games share.

use std::collections::HashMap;

use super::{Clip, mhfu, mhp3rd};
use crate::{FormatError, Reader};

const EMPTY_SLOT: u32 = u32::MAX;
/// The header's size in bytes is at most this, which makes 255 streams (`spec/mhp-formats.md`
/// §5.1).
const LARGEST_HEADER: usize = 0x800;
const MOST_STREAMS: usize = LARGEST_HEADER / 8 - 1;

/// How the clips of a pack are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// MHFU: sections of tag, count and size, words all.
    Mhfu,
    /// MHP3rd: compact headers without tags; a track holds at most 65535 bytes.
    Mhp3rd,
}

/// A clip of a pack: its place in [`AnimationPack::clips`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClipId(pub u32);

/// Streams of slots and the clips they hold.
///
/// What can be built can be written: the constructors check what a file cannot hold. A clip may be
/// in several slots, and stays one clip when the pack is written.
#[derive(Debug, Clone, PartialEq)]
pub struct AnimationPack {
    encoding: Option<Encoding>,
    streams: Vec<Vec<Option<ClipId>>>,
    clips: Vec<Clip>,
    tail: Vec<u8>,
}

/// Why streams and clips are no pack that a file can hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPack {
    /// The header has room for 1 to 255 streams.
    #[error("{0} streams, where a pack holds 1 to 255")]
    StreamCount(usize),
    /// A slot names a clip that is not in the list, or names it before the clips in front of it:
    /// a file holds its clips in the order in which its slots first use them.
    #[error(
        "stream {stream}, slot {slot}: clip {clip}, where clips 0 to {next} can be named, \
         clips being numbered in the order of their first use"
    )]
    ClipOrder {
        /// The slot's stream.
        stream: usize,
        /// The slot.
        slot: usize,
        /// The clip it names.
        clip: u32,
        /// The highest clip it could have named.
        next: usize,
    },
    /// No slot names this clip, and a file has no other place for it.
    #[error("clip {0} is in no slot")]
    UnusedClip(usize),
    /// MHP3rd states a track's size in 16 bits.
    #[error("clip {clip}, track {track}: {size} bytes, where MHP3rd holds 65535")]
    TrackSize {
        /// The clip.
        clip: usize,
        /// The track.
        track: usize,
        /// Bytes that the track would take.
        size: usize,
    },
    /// MHP3rd tells its clips from MHFU's by a track count below 0x10000.
    #[error("clip {clip}: {count} tracks, where MHP3rd holds 65535")]
    TrackCount {
        /// The clip.
        clip: usize,
        /// Its tracks.
        count: usize,
    },
    /// Offsets are 32 bits.
    #[error("{0} bytes, where offsets reach 4294967294")]
    Size(usize),
}

impl AnimationPack {
    /// A pack of `streams`, whose slots name clips of `clips`; to be used where slots share a
    /// clip. Without any clip the encoding makes no difference and is forgotten.
    ///
    /// # Errors
    ///
    /// See [`InvalidPack`]; among others, every clip must be used, and clips must stand in the
    /// order of their first use.
    pub fn new(
        encoding: Encoding,
        streams: Vec<Vec<Option<ClipId>>>,
        clips: Vec<Clip>,
    ) -> Result<Self, InvalidPack> {
        if !(1..=MOST_STREAMS).contains(&streams.len()) {
            return Err(InvalidPack::StreamCount(streams.len()));
        }
        let mut used = 0;
        for (stream, slots) in streams.iter().enumerate() {
            for (slot, clip) in slots.iter().enumerate() {
                let Some(ClipId(clip)) = *clip else { continue };
                let index = clip as usize;
                if index > used || index >= clips.len() {
                    return Err(InvalidPack::ClipOrder {
                        stream,
                        slot,
                        clip,
                        next: used.min(clips.len().saturating_sub(1)),
                    });
                }
                used = used.max(index + 1);
            }
        }
        if used < clips.len() {
            return Err(InvalidPack::UnusedClip(used));
        }
        let mut size = tables_end(streams.iter().map(Vec::len));
        for (index, clip) in clips.iter().enumerate() {
            size += match encoding {
                Encoding::Mhfu => mhfu::clip_size(clip),
                Encoding::Mhp3rd => mhp3rd::clip_size(clip, index)?,
            };
        }
        if size >= EMPTY_SLOT as usize {
            return Err(InvalidPack::Size(size));
        }
        Ok(Self {
            encoding: (!clips.is_empty()).then_some(encoding),
            streams,
            clips,
            tail: Vec::new(),
        })
    }

    /// A pack of `streams` that hold their clips themselves, none of them shared.
    ///
    /// # Errors
    ///
    /// What a file cannot hold ([`InvalidPack`]).
    pub fn from_streams(encoding: Encoding, streams: Vec<Vec<Option<Clip>>>) -> Result<Self, InvalidPack> {
        let mut clips = Vec::new();
        let streams = streams
            .into_iter()
            .map(|slots| {
                let mut number = |clip| {
                    clips.push(clip);
                    ClipId(clips.len() as u32 - 1)
                };
                slots.into_iter().map(|slot| slot.map(&mut number)).collect()
            })
            .collect();
        Self::new(encoding, streams, clips)
    }

    /// The same pack with `tail` behind its last clip.
    pub fn with_tail(self, tail: Vec<u8>) -> Self {
        Self { tail, ..self }
    }

    /// How the clips are stored; `None` if there are none, since a pack of empty slots is the same
    /// bytes in both games.
    pub fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    /// The slots of each stream.
    pub fn streams(&self) -> &[Vec<Option<ClipId>>] {
        &self.streams
    }

    /// The clips, in the order in which the slots first use them.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// The clip in a slot; `None` for an empty slot and for one that is not there.
    pub fn clip(&self, stream: usize, slot: usize) -> Option<&Clip> {
        let ClipId(clip) = (*self.streams.get(stream)?.get(slot)?)?;
        self.clips.get(clip as usize)
    }

    /// Bytes after the last clip.
    pub fn tail(&self) -> &[u8] {
        &self.tail
    }

    /// Reads a pack of either game.
    ///
    /// # Errors
    ///
    /// Tables that do not chain on; a clip that does not start where the one before it ended; a
    /// clip with a tag, count or size that its content contradicts.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let reader = Reader::new("animation pack", bytes);
        let tables = Tables::parse(&reader)?;
        let mut end = tables.end;
        let encoding = encoding_of(&reader, end)?;
        let mut by_offset = HashMap::new();
        let mut clips = Vec::new();
        let mut streams = Vec::with_capacity(tables.streams.len());
        for (stream, &(table, count)) in tables.streams.iter().enumerate() {
            let words = reader.slice(table, 4 * count, "slot table")?.as_chunks().0;
            let mut slots = Vec::with_capacity(count);
            for (slot, &word) in words.iter().enumerate() {
                let offset = u32::from_le_bytes(word);
                if offset == EMPTY_SLOT {
                    slots.push(None);
                    continue;
                }
                if let Some(&clip) = by_offset.get(&offset) {
                    slots.push(Some(clip));
                    continue;
                }
                let reader = reader.within("stream", stream).within("slot", slot);
                if offset as usize != end {
                    return Err(reader.error(
                        "clip offset",
                        table + 4 * slot,
                        format!("{offset:#x}"),
                        format!("a clip met before, or {end:#x}, where the last one ended"),
                    ));
                }
                let (clip, size) = match encoding {
                    Encoding::Mhfu => mhfu::parse_clip(bytes, end, clips.len()),
                    Encoding::Mhp3rd => mhp3rd::parse_clip(bytes, end, clips.len()),
                }?;
                let id = ClipId(clips.len() as u32);
                end += size;
                clips.push(clip);
                by_offset.insert(offset, id);
                slots.push(Some(id));
            }
            streams.push(slots);
        }
        Ok(Self {
            encoding: (!clips.is_empty()).then_some(encoding),
            streams,
            clips,
            tail: reader.range(end..bytes.len(), "tail")?.to_vec(),
        })
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut word = |word: usize| bytes.extend_from_slice(&(word as u32).to_le_bytes());
        let mut table = 8 * (self.streams.len() + 1);
        for slots in &self.streams {
            word(slots.len());
            word(table);
            table += 4 * slots.len();
        }
        word(0);
        word(table);

        let mut clip_bytes = Vec::new();
        let mut offsets = Vec::with_capacity(self.clips.len());
        for clip in &self.clips {
            offsets.push(table + clip_bytes.len());
            match self.encoding {
                Some(Encoding::Mhp3rd) => mhp3rd::write_clip(clip, &mut clip_bytes),
                _ => mhfu::write_clip(clip, &mut clip_bytes),
            }
        }
        for slot in self.streams.iter().flatten() {
            let offset = slot.and_then(|ClipId(clip)| offsets.get(clip as usize));
            word(offset.copied().unwrap_or(EMPTY_SLOT as usize));
        }
        bytes.extend_from_slice(&clip_bytes);
        bytes.extend_from_slice(&self.tail);
        bytes
    }
}

/// Where the slot tables of streams with these slot counts end.
fn tables_end(slot_counts: impl ExactSizeIterator<Item = usize>) -> usize {
    8 * (slot_counts.len() + 1) + slot_counts.map(|count| 4 * count).sum::<usize>()
}

/// The header: each stream's table, and where the tables end.
struct Tables {
    /// Offset and slot count.
    streams: Vec<(usize, usize)>,
    end: usize,
}

impl Tables {
    fn parse(reader: &Reader<'_>) -> Result<Self, FormatError> {
        let header = reader.u32(4, "header size")? as usize;
        if !(16..=LARGEST_HEADER).contains(&header) || !header.is_multiple_of(8) {
            return Err(reader.error(
                "header size",
                4,
                format!("{header:#x}"),
                "a multiple of 8 from 0x10 to 0x800",
            ));
        }
        let mut end = header;
        let mut streams = Vec::with_capacity(header / 8 - 1);
        for stream in 0..header / 8 {
            let reader = reader.within("stream", stream);
            let count = reader.u32(8 * stream, "slot count")? as usize;
            let table = reader.u32(8 * stream + 4, "slot table offset")? as usize;
            if table != end {
                return Err(reader.error(
                    "slot table offset",
                    8 * stream + 4,
                    format!("{table:#x}"),
                    format!("{end:#x}, where the table before it ends"),
                ));
            }
            if stream == header / 8 - 1 {
                if count != 0 {
                    return Err(reader.error(
                        "slot count of the closing pair",
                        8 * stream,
                        count.to_string(),
                        "0",
                    ));
                }
                break;
            }
            let length = count.saturating_mul(4);
            reader.slice(table, length, "slot table")?;
            end += length;
            streams.push((table, count));
        }
        Ok(Self { streams, end })
    }
}

/// The encoding that the first clip's first word tells (`spec/mhp-formats.md` §1.4). A file that
/// ends with its tables has no clips, and any encoding reads it.
fn encoding_of(reader: &Reader<'_>, first_clip: usize) -> Result<Encoding, FormatError> {
    if first_clip >= reader.len() {
        return Ok(Encoding::Mhfu);
    }
    Ok(match reader.u32(first_clip, "first clip") {
        Ok(mhfu::CLIP_TAG) => Encoding::Mhfu,
        _ => Encoding::Mhp3rd,
    })
}

/// Whether `bytes` start like a pack of either game (`spec/mhp-formats.md` §1.4): the tables chain
/// on, and the first clip, if there is one, is of one of the encodings.
pub(crate) fn looks_like_pack(bytes: &[u8]) -> bool {
    let reader = Reader::new("animation pack", bytes);
    let Ok(tables) = Tables::parse(&reader) else {
        return false;
    };
    let is_empty = tables.streams.iter().all(|&(table, count)| {
        reader
            .slice(table, 4 * count, "slot table")
            .is_ok_and(|slots| slots.iter().all(|&byte| byte == 0xFF))
    });
    is_empty
        || reader
            .u32(tables.end, "first clip")
            .is_ok_and(|word| word == mhfu::CLIP_TAG || word < 0x1_0000)
}
