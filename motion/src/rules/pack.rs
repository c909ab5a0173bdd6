//! The rules of animation packs.

use std::collections::BTreeSet;

use formats::animation::{AnimationPack, ChannelKind, Clip, Encoding, Track};
use formats::skeleton::{BoneEncoding, Skeleton};

use super::{Code, Finding, Findings, listed};
use crate::library::{Library, Selection};
use crate::rig::Rig;
use crate::rig::entry::StreamSlot;

/// Checks a pack with the skeleton that it animates. A clip that several slots share is checked
/// once, in the first of them.
///
/// A Portable 3rd pack has no parts, and its engine is not known to crash on scale channels: those
/// rules are for Freedom Unite alone.
pub fn check_pack(skeleton: &Skeleton, pack: &AnimationPack) -> Vec<Finding> {
    let mut findings = Findings::default();
    let is_mhfu = match pack.encoding() {
        Some(encoding) => encoding == Encoding::Mhfu,
        None => skeleton.encoding() == BoneEncoding::Mhfu,
    };
    if is_mhfu {
        check_partition(skeleton, pack, &mut findings);
    }
    let clips = first_uses(pack);
    let without_tracks = clips.iter().filter(|(_, clip)| clip.tracks.is_empty());
    findings.list(Code::NoTracks, "", without_tracks.map(|(slot, _)| slot));
    check_channels(&clips, is_mhfu, &mut findings);
    if is_mhfu {
        check_entries(skeleton, pack, &mut findings);
    } else {
        check_records(pack, &mut findings);
    }
    findings.0
}

/// Each clip with the first slot that holds it.
fn first_uses(pack: &AnimationPack) -> Vec<(StreamSlot, &Clip)> {
    let mut uses: Vec<Option<StreamSlot>> = vec![None; pack.clips().len()];
    for (stream, slots) in pack.streams().iter().enumerate() {
        for (slot, clip) in slots.iter().enumerate() {
            let of_clip = clip.and_then(|clip| uses.get_mut(clip.0 as usize));
            if let Some(first @ None) = of_clip {
                *first = Some(StreamSlot { stream, slot });
            }
        }
    }
    uses.into_iter()
        .zip(pack.clips())
        .filter_map(|(slot, clip)| Some((slot?, clip)))
        .collect()
}

/// The clips of a stream.
fn clips_of(pack: &AnimationPack, stream: usize) -> impl Iterator<Item = &Clip> {
    let slots = pack.streams().get(stream).into_iter().flatten().flatten();
    slots.filter_map(|clip| pack.clips().get(clip.0 as usize))
}

fn check_partition(skeleton: &Skeleton, pack: &AnimationPack, findings: &mut Findings) {
    let rig = Rig::new(skeleton);
    let joints_of = |part: usize| {
        let part = rig.parts().iter().find(|of_rig| of_rig.id as usize == part);
        part.map_or(0, |part| part.joints.len())
    };
    let mut broken: Vec<String> = Vec::new();
    for stream in 0..pack.streams().len() {
        let joints = joints_of(stream / 2);
        let counts: BTreeSet<usize> = clips_of(pack, stream).map(|clip| clip.tracks.len()).collect();
        if counts.iter().any(|&count| count != joints) {
            let counts = listed(&counts, ", ").unwrap_or_default();
            broken.push(format!(
                "stream {stream} carries [{counts}] tracks, its part {joints}"
            ));
        }
    }
    for part in rig.parts() {
        let stream = (part.id as usize).saturating_mul(2);
        if clips_of(pack, stream).next().is_none() {
            broken.push(format!(
                "part {} has {} joints and no clips",
                part.id,
                part.joints.len()
            ));
        }
    }
    if let Some(message) = listed(broken, "; ") {
        findings.add(Code::Partition, message);
    }
}

fn check_channels(clips: &[(StreamSlot, &Clip)], is_mhfu: bool, findings: &mut Findings) {
    let tracks = || {
        clips.iter().flat_map(|&(slot, clip)| {
            let tracks = clip.tracks.iter().enumerate();
            tracks.map(move |(index, track)| (TrackPlace { slot, track: index }, track))
        })
    };
    let channels =
        || tracks().flat_map(|(place, track)| track.channels.iter().map(move |channel| (place, channel)));
    if is_mhfu {
        let crashes = |track: &Track| {
            let mut kinds = track.channels.iter().map(|channel| channel.kind());
            kinds.any(|kind| matches!(kind, Some(ChannelKind::FineScale(_))))
        };
        let crashing = tracks().filter(|(_, track)| crashes(track));
        findings.list(Code::ScaleChannel, "", crashing.map(|(place, _)| place));
    }
    let repeats = tracks().filter(|(_, track)| has_repeated_bit(track));
    findings.list(Code::DuplicateChannel, "", repeats.map(|(place, _)| place));

    let with_bit = |place: TrackPlace, bit: u16| format!("{place} bit {bit:#x}");
    let negative = channels().filter(|(_, channel)| channel.keys.iter().any(|key| key.frame < 0));
    findings.list(
        Code::NegativeFrame,
        "",
        negative.map(|(place, channel)| with_bit(place, channel.bit)),
    );
    let unsorted = channels().filter(|(_, channel)| !channel.keys.is_sorted_by_key(|key| key.frame));
    findings.list(
        Code::FrameOrder,
        "",
        unsorted.map(|(place, channel)| with_bit(place, channel.bit)),
    );
    let empty = channels().filter(|(_, channel)| channel.keys.is_empty());
    findings.list(
        Code::EmptyChannel,
        "",
        empty.map(|(place, channel)| with_bit(place, channel.bit)),
    );
}

#[derive(Clone, Copy)]
struct TrackPlace {
    slot: StreamSlot,
    track: usize,
}

impl std::fmt::Display for TrackPlace {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} track {}", self.slot, self.track)
    }
}

fn has_repeated_bit(track: &Track) -> bool {
    let mut bits = BTreeSet::new();
    !track.channels.iter().all(|channel| bits.insert(channel.bit))
}

fn check_entries(skeleton: &Skeleton, pack: &AnimationPack, findings: &mut Findings) {
    let rig = Rig::new(skeleton);
    let library = Library::new(&rig, pack, None);
    let partial = library.playable(&rig).filter(|entry| entry.is_partial());
    let numbers = partial.filter_map(|entry| match entry.selection {
        Selection::Entry(entry) => Some(entry.0),
        _ => None,
    });
    findings.list(Code::ClipCount, "some parts alone are filled in entries", numbers);
}

fn check_records(pack: &AnimationPack, findings: &mut Findings) {
    for stream in 0..pack.streams().len() {
        let counts: BTreeSet<usize> = clips_of(pack, stream).map(|clip| clip.tracks.len()).collect();
        if counts.len() > 1 {
            findings.list(
                Code::RecordCount,
                &format!("stream {stream} has clips of records"),
                counts,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use formats::animation::{Axis, Channel, Key};
    use formats::skeleton::Bone;

    use super::*;

    fn skeleton(parts: &[u32]) -> Skeleton {
        let bone = |(index, &part): (u16, &u32)| Bone::new(index.checked_sub(1), [0.0; 3]).in_part(part);
        Skeleton::new(BoneEncoding::Mhfu, (0..).zip(parts).map(bone).collect())
    }

    fn turning() -> Track {
        Track::new(vec![Channel::new(
            ChannelKind::Rotation(Axis::X),
            vec![Key::new(0, 0), Key::new(9, 5)],
        )])
    }

    fn clip(tracks: usize) -> Option<Clip> {
        Some(Clip::new(vec![turning(); tracks]))
    }

    fn pack(encoding: Encoding, streams: Vec<Vec<Option<Clip>>>) -> AnimationPack {
        AnimationPack::from_streams(encoding, streams).expect("a valid pack")
    }

    fn messages(findings: &[Finding]) -> Vec<(Code, &str)> {
        findings
            .iter()
            .map(|finding| (finding.code, &finding.message[..]))
            .collect()
    }

    #[test]
    fn a_sound_pack_has_no_findings() {
        let pack = pack(Encoding::Mhfu, vec![vec![clip(2)], vec![], vec![clip(1)], vec![]]);
        assert_eq!(check_pack(&skeleton(&[0, 0, 1]), &pack), []);
    }

    #[test]
    fn streams_carry_the_tracks_of_their_parts() {
        let pack = pack(Encoding::Mhfu, vec![vec![clip(3)], vec![], vec![None]]);
        assert_eq!(
            messages(&check_pack(&skeleton(&[0, 0, 1, 1]), &pack)),
            [
                (
                    Code::Partition,
                    "stream 0 carries [3] tracks, its part 2; part 1 has 2 joints and no clips"
                ),
                (Code::ClipCount, "some parts alone are filled in entries 0"),
            ]
        );
    }

    #[test]
    fn channels_keep_the_engines_rules() {
        let keyed = |bit, frames: &[i16]| Channel {
            bit,
            keys: frames.iter().map(|&frame| Key::new(frame, 1)).collect(),
        };
        let clips = [
            vec![turning(), Track::new(vec![keyed(0x400, &[0])])],
            vec![Track::new(vec![keyed(0x8, &[0]), keyed(0x8, &[0])]), turning()],
            vec![turning(), Track::new(vec![keyed(0x8, &[-3, 5])])],
            vec![Track::new(vec![keyed(0x10, &[5, 5, 2])]), turning()],
            vec![Track::new(vec![keyed(0x40, &[])]), turning()],
            vec![],
        ];
        let slots: Vec<Option<Clip>> = clips.into_iter().map(|tracks| Some(Clip::new(tracks))).collect();
        let pack_of = |encoding| pack(encoding, vec![slots.clone()]);
        let findings = check_pack(&skeleton(&[0, 0]), &pack_of(Encoding::Mhfu));
        assert_eq!(
            messages(&findings),
            [
                (Code::Partition, "stream 0 carries [0, 2] tracks, its part 2"),
                (Code::NoTracks, "stream 0 slot 5"),
                (Code::ScaleChannel, "stream 0 slot 0 track 1"),
                (Code::DuplicateChannel, "stream 0 slot 1 track 0"),
                (Code::NegativeFrame, "stream 0 slot 2 track 1 bit 0x8"),
                (Code::FrameOrder, "stream 0 slot 3 track 0 bit 0x10"),
                (Code::EmptyChannel, "stream 0 slot 4 track 0 bit 0x40"),
            ]
        );
        let findings = check_pack(&skeleton(&[0, 0]), &pack_of(Encoding::Mhp3rd));
        let codes: Vec<Code> = findings.iter().map(|finding| finding.code).collect();
        assert!(!codes.contains(&Code::ScaleChannel) && !codes.contains(&Code::Partition));
        assert_eq!(codes.last(), Some(&Code::RecordCount));
    }

    #[test]
    fn a_shared_clip_is_checked_once() {
        let mut broken = clip(1);
        if let Some(broken) = &mut broken {
            broken.tracks[0].channels[0].keys[0].frame = -1;
        }
        let pack = pack(Encoding::Mhfu, vec![vec![broken.clone(), None, broken]]);
        let shared = AnimationPack::new(
            Encoding::Mhfu,
            vec![vec![pack.streams()[0][0], None, pack.streams()[0][0]]],
            pack.clips()[..1].to_vec(),
        )
        .expect("a valid pack");
        assert_eq!(
            messages(&check_pack(&skeleton(&[0]), &shared)),
            [(Code::NegativeFrame, "stream 0 slot 0 track 0 bit 0x8")]
        );
    }
}
