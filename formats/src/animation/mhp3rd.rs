//! MHP3rd's clips: the same nesting with compact headers and no tags; a size counts its own header.

use super::{Channel, Clip, InvalidPack, Key, Track};
use crate::{FormatError, Reader};

const CLIP_HEADER: usize = 16;
const TRACK_HEADER: usize = 4;
const CHANNEL_HEADER: usize = 8;
const KEY_SIZE: usize = 8;

fn channel_size(channel: &Channel) -> usize {
    CHANNEL_HEADER + KEY_SIZE * channel.keys.len()
}

fn track_size(track: &Track) -> usize {
    TRACK_HEADER + track.channels.iter().map(channel_size).sum::<usize>()
}

fn size_of(clip: &Clip) -> usize {
    CLIP_HEADER + clip.tracks.iter().map(track_size).sum::<usize>()
}

/// Bytes that `clip`, number `index` of its pack, takes, if the narrow fields have room for it. A
/// track that fits has counts that fit.
pub(super) fn clip_size(clip: &Clip, index: usize) -> Result<usize, InvalidPack> {
    if clip.tracks.len() > usize::from(u16::MAX) {
        return Err(InvalidPack::TrackCount {
            clip: index,
            count: clip.tracks.len(),
        });
    }
    for (track, size) in clip.tracks.iter().map(track_size).enumerate() {
        if size > usize::from(u16::MAX) {
            return Err(InvalidPack::TrackSize {
                clip: index,
                track,
                size,
            });
        }
    }
    Ok(size_of(clip))
}

/// Appends `clip`, which [`clip_size`] has checked.
pub(super) fn write_clip(clip: &Clip, bytes: &mut Vec<u8>) {
    for word in [clip.tracks.len() as u32, size_of(clip) as u32, clip.loops] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(&clip.loop_start.to_le_bytes());
    for track in &clip.tracks {
        for half in [track.channels.len() as u16, track_size(track) as u16] {
            bytes.extend_from_slice(&half.to_le_bytes());
        }
        for channel in &track.channels {
            for half in [channel.bit, channel.keys.len() as u16] {
                bytes.extend_from_slice(&half.to_le_bytes());
            }
            bytes.extend_from_slice(&(channel_size(channel) as u32).to_le_bytes());
            for key in &channel.keys {
                bytes.extend_from_slice(&key.to_bytes());
            }
        }
    }
}

/// Refuses a stated size that the content contradicts; a track size of 0 is such a one, and would
/// never advance.
fn expect_size(reader: &Reader<'_>, offset: usize, stated: usize, size: usize) -> Result<(), FormatError> {
    if stated == size {
        return Ok(());
    }
    Err(reader.error(
        "size",
        offset,
        stated.to_string(),
        format!("{size}, header and content"),
    ))
}

/// Reads clip number `index` of a pack at `offset`; gives the clip and its size in bytes.
pub(super) fn parse_clip(bytes: &[u8], offset: usize, index: usize) -> Result<(Clip, usize), FormatError> {
    let reader = Reader::new("animation pack", bytes).within("clip", index);
    let count = reader.u32(offset, "track count")?;
    if count >= 0x1_0000 {
        return Err(reader.error(
            "track count",
            offset,
            format!("{count:#x}"),
            "below 0x10000 (MHP3rd), or the tag 0x80000002 (MHFU) in the first clip",
        ));
    }
    let stated = reader.u32(offset + 4, "size")? as usize;
    let loops = reader.u32(offset + 8, "loop")?;
    let loop_start = reader.f32(offset + 12, "loop start")?;
    let mut end = offset + CLIP_HEADER;
    let mut tracks = Vec::new();
    for track in 0..count as usize {
        let (track, size) = parse_track(&reader.within("track", track), end)?;
        tracks.push(track);
        end += size;
    }
    expect_size(&reader, offset + 4, stated, end - offset)?;
    let clip = Clip {
        loops,
        loop_start,
        tracks,
    };
    Ok((clip, end - offset))
}

fn parse_track(reader: &Reader<'_>, offset: usize) -> Result<(Track, usize), FormatError> {
    let count = reader.u16(offset, "channel count")?;
    let stated = reader.u16(offset + 2, "size")?;
    let mut end = offset + TRACK_HEADER;
    let mut channels = Vec::new();
    for channel in 0..usize::from(count) {
        let (channel, size) = parse_channel(&reader.within("channel", channel), end)?;
        channels.push(channel);
        end += size;
    }
    expect_size(reader, offset + 2, stated.into(), end - offset)?;
    Ok((Track { channels }, end - offset))
}

fn parse_channel(reader: &Reader<'_>, offset: usize) -> Result<(Channel, usize), FormatError> {
    let bit = reader.u16(offset, "bit")?;
    let length = KEY_SIZE * usize::from(reader.u16(offset + 2, "key count")?);
    let stated = reader.u32(offset + 4, "size")? as usize;
    expect_size(reader, offset + 4, stated, CHANNEL_HEADER + length)?;
    let keys = reader.slice(offset + CHANNEL_HEADER, length, "keys")?;
    let channel = Channel {
        bit,
        keys: keys.as_chunks().0.iter().copied().map(Key::from_bytes).collect(),
    };
    Ok((channel, CHANNEL_HEADER + length))
}
