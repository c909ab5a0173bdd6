//! Clips in the slots of packs.
use std::collections::HashMap;

use formats::animation::{AnimationPack, Clip, ClipId, Encoding, InvalidPack};
use motion::library::Library;
use motion::rig::entry::{Entry, StreamSlot};
use motion::rig::records::MonsterId;
use motion::rig::{Part, Rig};

use crate::error::HarnessError;

/// What becomes of a slot.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The slot.
    pub slot: StreamSlot,
    /// Its clip from now on; `None` empties it.
    pub clip: Option<Clip>,
}

/// A pack with some slots changed. Other slots that shared a changed one's clip keep it; a clip that no slot
/// holds any more is dropped. Changes of slots that are not there do nothing.
///
/// # Errors
///
/// Clips that the pack's encoding cannot hold.
pub fn replace(pack: &AnimationPack, changes: &[Change]) -> Result<AnimationPack, InvalidPack> {
    let mut clips: Vec<Clip> = Vec::new();
    let mut numbers: HashMap<ClipId, ClipId> = HashMap::new();
    let add = |clips: &mut Vec<Clip>, clip: &Clip| {
        clips.push(clip.clone());
        ClipId(clips.len() as u32 - 1)
    };
    let mut streams = Vec::with_capacity(pack.streams().len());
    for (stream, slots) in pack.streams().iter().enumerate() {
        let mut renewed = Vec::with_capacity(slots.len());
        for (slot, &old) in slots.iter().enumerate() {
            let place = StreamSlot { stream, slot };
            let change = changes.iter().rev().find(|change| change.slot == place);
            renewed.push(match (change, old) {
                (Some(change), _) => change.clip.as_ref().map(|clip| add(&mut clips, clip)),
                (None, Some(old)) => match (numbers.get(&old), pack.clips().get(old.0 as usize)) {
                    (Some(&number), _) => Some(number),
                    (None, Some(clip)) => {
                        let number = add(&mut clips, clip);
                        numbers.insert(old, number);
                        Some(number)
                    }
                    (None, None) => None,
                },
                (None, None) => None,
            });
        }
        streams.push(renewed);
    }
    let encoding = pack.encoding().unwrap_or(Encoding::Mhfu);
    Ok(AnimationPack::new(encoding, streams, clips)?.with_tail(pack.tail().to_vec()))
}

/// The joints that a slot's tracks drive.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SlotJoints {
    pub(super) joints: Vec<usize>,
    /// Tracks that a clip of the slot has, which may be more than there are joints.
    pub(super) tracks: usize,
    pub(super) notes: Vec<String>,
}

/// Why a motion has no place in a pack: what is wrong, and what helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unplaced(String, String);

impl Unplaced {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self(message.into(), hint.into())
    }

    pub(super) fn refused(self, name: &str) -> HarnessError {
        HarnessError::refused(name, self.0, self.1)
    }
}

fn check_slot(pack: &AnimationPack, slot: StreamSlot) -> Result<(), Unplaced> {
    let streams = pack.streams().len();
    let Some(slots) = pack.streams().get(slot.stream) else {
        let hint = format!("its streams are 0 to {}", streams.saturating_sub(1));
        return Err(Unplaced::new(
            format!("cannot be put into {slot}: the pack has {streams} streams"),
            hint,
        ));
    };
    match slot.slot < slots.len() {
        true => Ok(()),
        false => Err(Unplaced::new(
            format!("cannot be put into {slot}: the stream has {} slots", slots.len()),
            "give a slot that is there; ge-harness entries lists the filled ones",
        )),
    }
}

pub(super) fn joints_of(
    pack: &AnimationPack,
    slot: StreamSlot,
    rig: Option<&Rig>,
    monster: Option<MonsterId>,
) -> Result<SlotJoints, Unplaced> {
    check_slot(pack, slot)?;
    let no_skeleton = || {
        Unplaced::new(
            format!("cannot be put into {slot}: which bones the slot drives is not known without a skeleton"),
            "name the model's skeleton with --skeleton, or give its PAC to --into",
        )
    };
    if pack.encoding() == Some(Encoding::Mhp3rd) {
        let rig = rig.ok_or_else(no_skeleton)?;
        let library = Library::new(rig, pack, monster);
        let joints = library
            .record_map(slot.stream)
            .map(|map| map.bones.clone())
            .unwrap_or_default();
        let records = tracks_of(pack, slot.stream..slot.stream + 1);
        let Some(tracks) = records.filter(|_| !joints.is_empty()) else {
            return Err(Unplaced::new(
                format!(
                    "cannot be put into {slot}: the stream holds no clip that shows which bones it drives"
                ),
                "take a stream with clips",
            ));
        };
        return Ok(SlotJoints {
            joints,
            tracks,
            notes: Vec::new(),
        });
    }
    let part = slot.stream / 2;
    let Some(rig) = rig else {
        let tracks = tracks_of(pack, 0..2)
            .filter(|_| part == 0)
            .ok_or_else(no_skeleton)?;
        let notes =
            vec!["without a skeleton the tracks drive the bones in order: name one with --skeleton".into()];
        return Ok(SlotJoints {
            joints: (0..tracks).collect(),
            tracks,
            notes,
        });
    };
    let of_rig = rig.parts().iter().find(|of_rig| of_rig.id as usize == part);
    let joints = of_rig.map(|of_rig| of_rig.joints.clone()).ok_or_else(|| {
        let parts: Vec<String> = rig.parts().iter().map(|part| part.id.to_string()).collect();
        Unplaced::new(
            format!("cannot be put into {slot}: the skeleton has no part {part}, which the stream is for"),
            format!(
                "part N has streams 2N and 2N + 1; the skeleton's parts are {}",
                parts.join(", ")
            ),
        )
    })?;
    Ok(SlotJoints {
        tracks: joints.len(),
        joints,
        notes: Vec::new(),
    })
}

/// The track count of the first clip in some streams.
fn tracks_of(pack: &AnimationPack, streams: std::ops::Range<usize>) -> Option<usize> {
    let slots = pack
        .streams()
        .get(streams.start..streams.end.min(pack.streams().len()))?;
    let clip = slots.iter().flatten().flatten().next()?;
    pack.clips().get(clip.0 as usize).map(|clip| clip.tracks.len())
}

/// Each part of a rig with the slot where an entry finds its clip, as far as the pack has streams for it.
pub(super) fn entry_slots<'a>(
    pack: &AnimationPack,
    entry: Entry,
    rig: Option<&'a Rig>,
) -> Result<Vec<(&'a Part, StreamSlot)>, Unplaced> {
    if pack.encoding() == Some(Encoding::Mhp3rd) {
        return Err(Unplaced::new(
            format!("cannot be put into {entry}: it is a Portable 3rd pack, whose clips have no entries"),
            "give --slot STREAM/SLOT, or a clip number",
        ));
    }
    if !entry.is_valid() {
        return Err(Unplaced::new(
            format!("cannot be put into {entry}: it is past the table"),
            format!("entries are 0 to {}", Entry::END - 1),
        ));
    }
    let rig = rig.ok_or_else(|| {
        Unplaced::new(
            format!(
                "cannot be put into {entry}: which part moves which bones is not known without a skeleton"
            ),
            "name the model's skeleton with --skeleton, or give its PAC to --into",
        )
    })?;
    let mut slots = Vec::new();
    for part in rig.parts() {
        let slot = entry.slot_of(part.id);
        if Entry(0).slot_of(part.id).stream < pack.streams().len() {
            check_slot(pack, slot)?;
            slots.push((part, slot));
        }
    }
    Ok(slots)
}

#[cfg(test)]
mod tests {
    use formats::animation::{Axis, Channel, ChannelKind, Key, Track};

    use super::*;

    fn clip(value: i16) -> Clip {
        let keys = vec![Key::new(0, value)];
        Clip::new(vec![Track::new(vec![Channel::new(
            ChannelKind::Rotation(Axis::X),
            keys,
        )])])
    }

    #[test]
    fn shared_clips_stay_shared_and_unused_ones_go() {
        let slots = |numbers: [Option<u32>; 3]| numbers.map(|number| number.map(ClipId)).to_vec();
        let streams = vec![
            slots([Some(0), Some(1), None]),
            slots([Some(0), Some(1), Some(2)]),
        ];
        let pack = AnimationPack::new(Encoding::Mhfu, streams, vec![clip(1), clip(2), clip(3)]).unwrap();
        let pack = pack.with_tail(vec![7; 4]);
        let at = |stream, slot| StreamSlot { stream, slot };
        let changes = [
            Change {
                slot: at(0, 0),
                clip: Some(clip(9)),
            },
            Change {
                slot: at(1, 2),
                clip: None,
            },
        ];
        let changed = replace(&pack, &changes).unwrap();
        assert_eq!(changed.streams()[0], slots([Some(0), Some(1), None]));
        assert_eq!(changed.streams()[1], slots([Some(2), Some(1), None]));
        assert_eq!(changed.clips(), [clip(9), clip(2), clip(1)]);
        assert_eq!(changed.tail(), [7; 4]);
        assert_eq!(replace(&pack, &[]).unwrap(), pack);
    }
}
