//! MHFU's clips: sections of tag, count and size, all words; a size counts its own header.

use super::{Channel, Clip, Key, Track};
use crate::{FormatError, Reader};

/// The tag of a clip, which also tells the encoding of a pack.
pub(super) const CLIP_TAG: u32 = 0x8000_0002;
const TRACK_TAG: u32 = 0x8000_0000;
const CHANNEL_TAG: u32 = 0x8012_0000;
const CLIP_HEADER: usize = 20;
const SECTION_HEADER: usize = 12;
const KEY_SIZE: usize = 8;

fn channel_size(channel: &Channel) -> usize {
    SECTION_HEADER + KEY_SIZE * channel.keys.len()
}

fn track_size(track: &Track) -> usize {
    SECTION_HEADER + track.channels.iter().map(channel_size).sum::<usize>()
}

/// Bytes that `clip` takes.
pub(super) fn clip_size(clip: &Clip) -> usize {
    CLIP_HEADER + clip.tracks.iter().map(track_size).sum::<usize>()
}

/// Appends `clip`.
pub(super) fn write_clip(clip: &Clip, bytes: &mut Vec<u8>) {
    let header = |tag: u32, count: usize, size: usize, bytes: &mut Vec<u8>| {
        for word in [tag, count as u32, size as u32] {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
    };
    header(CLIP_TAG, clip.tracks.len(), clip_size(clip), bytes);
    bytes.extend_from_slice(&clip.loops.to_le_bytes());
    bytes.extend_from_slice(&clip.loop_start.to_le_bytes());
    for track in &clip.tracks {
        let tag = TRACK_TAG | u32::from(track.mask());
        header(tag, track.channels.len(), track_size(track), bytes);
        for channel in &track.channels {
            let tag = CHANNEL_TAG | u32::from(channel.bit);
            header(tag, channel.keys.len(), channel_size(channel), bytes);
            for key in &channel.keys {
                bytes.extend_from_slice(&key.to_bytes());
            }
        }
    }
}

/// A section's header, its tag split into the fixed upper and the free lower half.
struct Section {
    bits: u16,
    count: usize,
    size: usize,
}

impl Section {
    fn parse(reader: &Reader<'_>, offset: usize, upper: u32) -> Result<Self, FormatError> {
        let tag = reader.u32(offset, "tag")?;
        if tag & 0xFFFF_0000 != upper {
            return Err(reader.error(
                "tag",
                offset,
                format!("{tag:#010x}"),
                format!("{:#06x} in the upper half", upper >> 16),
            ));
        }
        Ok(Self {
            bits: tag as u16,
            count: reader.u32(offset + 4, "count")? as usize,
            size: reader.u32(offset + 8, "size")? as usize,
        })
    }

    /// Checks the stated size against where the content ended.
    fn expect_size(&self, reader: &Reader<'_>, offset: usize, size: usize) -> Result<(), FormatError> {
        if self.size == size {
            return Ok(());
        }
        Err(reader.error(
            "size",
            offset + 8,
            self.size.to_string(),
            format!("{size}, header and content"),
        ))
    }
}

/// Reads clip number `index` of a pack at `offset`; gives the clip and its size in bytes.
pub(super) fn parse_clip(bytes: &[u8], offset: usize, index: usize) -> Result<(Clip, usize), FormatError> {
    let reader = Reader::new("animation pack", bytes).within("clip", index);
    let section = Section::parse(&reader, offset, CLIP_TAG & 0xFFFF_0000)?;
    if section.bits != CLIP_TAG as u16 {
        return Err(reader.error(
            "tag",
            offset,
            format!("{:#010x}", TRACK_TAG | u32::from(section.bits)),
            format!("{CLIP_TAG:#010x}"),
        ));
    }
    let loops = reader.u32(offset + 12, "loop")?;
    let loop_start = reader.f32(offset + 16, "loop start")?;
    let mut end = offset + CLIP_HEADER;
    let mut tracks = Vec::new();
    // The lists grow with the sections that are there, never by the stated count.
    for track in 0..section.count {
        let (track, size) = parse_track(&reader.within("track", track), end)?;
        tracks.push(track);
        end += size;
    }
    section.expect_size(&reader, offset, end - offset)?;
    let clip = Clip {
        loops,
        loop_start,
        tracks,
    };
    Ok((clip, end - offset))
}

fn parse_track(reader: &Reader<'_>, offset: usize) -> Result<(Track, usize), FormatError> {
    let section = Section::parse(reader, offset, TRACK_TAG)?;
    let mut end = offset + SECTION_HEADER;
    let mut channels = Vec::new();
    for channel in 0..section.count {
        let (channel, size) = parse_channel(&reader.within("channel", channel), end)?;
        channels.push(channel);
        end += size;
    }
    section.expect_size(reader, offset, end - offset)?;
    let track = Track { channels };
    if section.bits != track.mask() {
        return Err(reader.error(
            "tag",
            offset,
            format!("mask {:#x}", section.bits),
            format!("{:#x}, the bits of the channels", track.mask()),
        ));
    }
    Ok((track, end - offset))
}

fn parse_channel(reader: &Reader<'_>, offset: usize) -> Result<(Channel, usize), FormatError> {
    let section = Section::parse(reader, offset, CHANNEL_TAG)?;
    let length = section.count.saturating_mul(KEY_SIZE);
    section.expect_size(reader, offset, length.saturating_add(SECTION_HEADER))?;
    let keys = reader.slice(offset + SECTION_HEADER, length, "keys")?;
    let channel = Channel {
        bit: section.bits,
        keys: keys.as_chunks().0.iter().copied().map(Key::from_bytes).collect(),
    };
    Ok((channel, SECTION_HEADER + length))
}
