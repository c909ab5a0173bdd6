//! A pack's clips on a rig: what can be played, and an entry's clips merged over the whole rig.

use std::collections::HashSet;
use std::sync::Arc;

use formats::animation::{AnimationPack, Encoding};

use crate::clip::{Clip, ClipDiagnostic, Track};
use crate::play::{CLIP_FRAMES_PER_SECOND, Timeline};
use crate::rig::entry::{ClipNumber, Entry, StreamSlot};
use crate::rig::records::{MonsterId, RecordMap, RecordMapBasis};
use crate::rig::{Composition, Rig};

/// What to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Selection {
    /// An entry of a Freedom Unite pack: one clip for each part.
    Entry(Entry),
    /// A clip of a Portable 3rd pack, over the whole rig.
    Clip(ClipNumber),
    /// One slot's clip alone: on its part in Freedom Unite, on the whole rig in Portable 3rd.
    /// Names every clip, also those past slot 99.
    Slot(StreamSlot),
}

/// One part of what is played: a part of the rig, or the whole of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PartClip {
    /// The part's number; 0 for a clip over the whole rig.
    pub part: u32,
    /// The slot that holds its clip, or would.
    pub slot: StreamSlot,
    /// How many joints the clip is for.
    pub joints: usize,
    /// Length and loop of the clip; `None` for no clip. In the game such a part goes on with what
    /// it was playing, here it rests at bind.
    pub timeline: Option<Timeline>,
}

/// Something that can be played: an entry or a clip with at least one part filled.
#[derive(Debug, Clone, PartialEq)]
pub struct Playable {
    /// What to ask for.
    pub selection: Selection,
    /// Its parts, by their lowest joint.
    pub parts: Vec<PartClip>,
}

impl Playable {
    /// Parts that have a clip.
    pub fn filled(&self) -> impl Iterator<Item = &PartClip> {
        self.parts.iter().filter(|part| part.timeline.is_some())
    }

    /// Whether some part has no clip.
    pub fn is_partial(&self) -> bool {
        self.filled().count() < self.parts.len()
    }

    /// One timeline for the whole: as long as its longest clip, looping as the filled part of the
    /// lowest joint does (spec/mhp-formats.md §5.6). In play, each part keeps its own.
    pub fn timeline(&self) -> Timeline {
        let mut timelines = self.filled().filter_map(|part| part.timeline);
        let mut whole = timelines.next().unwrap_or_default();
        for timeline in timelines {
            whole.end = whole.end.max(timeline.end);
        }
        whole
    }
}

/// Something about what is played that a careful reader wants to know.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionDiagnostic {
    /// A part has no clip; it rests at bind.
    #[error("part {part}: no clip in {slot}; its {joints} joints rest at bind")]
    NoClip {
        /// The part.
        part: u32,
        /// Where the clip would be.
        slot: StreamSlot,
        /// The part's joints.
        joints: usize,
    },
    /// A clip has another number of tracks than the part has joints: joints without a track rest
    /// at bind, tracks without a joint are not used.
    #[error("{slot}: {tracks} tracks for the {joints} joints of part {part}")]
    TrackCount {
        /// The part.
        part: u32,
        /// The clip.
        slot: StreamSlot,
        /// Its tracks.
        tracks: usize,
        /// The part's joints.
        joints: usize,
    },
    /// Records past the last bone drive nothing.
    #[error("{slot}: {records} records, of which {driving} drive a bone")]
    RecordsLeft {
        /// The clip.
        slot: StreamSlot,
        /// Its records.
        records: usize,
        /// Records that have a bone.
        driving: usize,
    },
    /// The clips of a set differ in their number of records, so no map from records to bones is
    /// right for all.
    #[error("{slot}: {records} records, the set's first clip has {first}")]
    RecordCount {
        /// The clip.
        slot: StreamSlot,
        /// Its records.
        records: usize,
        /// Those of the set's first clip.
        first: usize,
    },
    /// Which bones the records drive is a guess.
    #[error("record map guessed: the first record drives bone {offset} ({basis:?})")]
    RecordMapGuessed {
        /// The bone of the first record.
        offset: usize,
        /// What the guess rests on.
        basis: RecordMapBasis,
    },
    /// A MOT drives a bone that the model lacks; its curves are not used.
    #[error("bone {bone} of the MOT: the model has bones -1 to {}; not played", i64::from(*.joints) - 2)]
    NoMotBone {
        /// The MOT's number of the bone.
        bone: i16,
        /// The model's joints.
        joints: u32,
    },
    /// A MOT drives a bone that the bone map does not name; its curves are not used.
    #[error("bone {bone} of the MOT is not in the bone map; not played")]
    NotMapped {
        /// The MOT's number of the bone.
        bone: i16,
    },
    /// Records of a MOT that drive no bone, such as a camera's.
    #[error("{records} records of the MOT drive no bone; not played")]
    NoBoneRecords {
        /// How many.
        records: usize,
    },
    /// A note on one of the clips.
    #[error("{slot}: {diagnostic}")]
    Clip {
        /// The clip.
        slot: StreamSlot,
        /// The note.
        diagnostic: ClipDiagnostic,
    },
}

/// A selection of a pack, or a motion from another file, over a rig: ready to be posed at any frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    playable: Option<Playable>,
    timeline: Timeline,
    frames_per_second: f64,
    composition: Composition,
    /// By joint.
    drives: Vec<Option<Drive>>,
    diagnostics: Vec<MotionDiagnostic>,
}

/// What drives a joint.
#[derive(Debug, Clone, PartialEq)]
pub struct Drive {
    /// The joint's curves.
    pub track: Arc<Track>,
    /// Length and loop of the clip that the track belongs to.
    pub timeline: Timeline,
}

impl Motion {
    /// A motion that no pack holds: tracks by joint, all of one length.
    pub(crate) fn of_tracks(
        tracks: Vec<Option<Arc<Track>>>,
        timeline: Timeline,
        frames_per_second: f64,
        composition: Composition,
        diagnostics: Vec<MotionDiagnostic>,
    ) -> Self {
        let drive = |track| Drive { track, timeline };
        Self {
            playable: None,
            timeline,
            frames_per_second,
            composition,
            drives: tracks.into_iter().map(|track| track.map(drive)).collect(),
            diagnostics,
        }
    }

    /// A clip on its own, whose tracks drive the joints of their own numbers.
    pub fn of_clip(clip: &Clip) -> Self {
        let tracks = clip.tracks.iter().map(|track| Some(Arc::clone(track)));
        Self::of_tracks(
            tracks.collect(),
            clip.timeline,
            CLIP_FRAMES_PER_SECOND,
            Composition::Engine,
            Vec::new(),
        )
    }

    /// What of a pack is played, part by part; `None` for a motion that comes from no pack.
    pub fn playable(&self) -> Option<&Playable> {
        self.playable.as_ref()
    }

    /// Length and loop of the whole, in its own frames. In play, each part keeps its own.
    pub fn timeline(&self) -> Timeline {
        self.timeline
    }

    /// How many of its frames make a second: 60 of a clip at the usual speed, 30 of a MOT.
    pub fn frames_per_second(&self) -> f64 {
        self.frames_per_second
    }

    /// How scales go down its joints.
    pub fn composition(&self) -> Composition {
        self.composition
    }

    /// How many joints it knows of, driven or not.
    pub fn joint_count(&self) -> usize {
        self.drives.len()
    }

    /// What drives a joint; `None` at bind.
    pub fn drive(&self, joint: usize) -> Option<&Drive> {
        self.drives.get(joint)?.as_ref()
    }

    /// How many joints are driven.
    pub fn driven_count(&self) -> usize {
        self.drives.iter().flatten().count()
    }

    /// This motion over another that goes on below it: joints that this one does not drive take the other's curves, as
    /// in the game a part without a clip goes on with what it was playing (spec/mhp-formats.md §5.6).
    #[must_use]
    pub fn over(mut self, below: &Self) -> Self {
        for (drive, below) in self.drives.iter_mut().zip(&below.drives) {
            if drive.is_none() {
                drive.clone_from(below);
            }
        }
        let plays = |part: u32| {
            let mut filled = below.playable.iter().flat_map(Playable::filled);
            filled.any(|clip| clip.part == part)
        };
        self.diagnostics.retain(|diagnostic| match diagnostic {
            MotionDiagnostic::NoClip { part, .. } => !plays(*part),
            _ => true,
        });
        self
    }

    /// What is odd about it.
    pub fn diagnostics(&self) -> &[MotionDiagnostic] {
        &self.diagnostics
    }
}

/// A pack's clips, prepared for one rig.
#[derive(Debug, Clone)]
pub struct Library {
    clips: Vec<Clip>,
    /// By stream and slot: an index into `clips`.
    streams: Vec<Vec<Option<usize>>>,
    layout: Layout,
}

/// How a pack's streams lie over a rig.
#[derive(Debug, Clone)]
enum Layout {
    /// Freedom Unite: two streams for each part.
    Parts,
    /// Portable 3rd: a clip set over the whole rig in each stream, with its record map.
    Sets(Vec<RecordMap>),
}

impl Library {
    /// Prepares a pack for a rig. `monster` helps to map the records of Portable 3rd; without it
    /// the map is a guess.
    pub fn new(rig: &Rig, pack: &AnimationPack, monster: Option<MonsterId>) -> Self {
        let encoding = pack.encoding().unwrap_or(Encoding::Mhfu);
        let streams: Vec<Vec<Option<usize>>> = pack
            .streams()
            .iter()
            .map(|slots| {
                slots
                    .iter()
                    .map(|slot| slot.map(|clip| clip.0 as usize))
                    .collect()
            })
            .collect();
        let layout = match encoding {
            Encoding::Mhfu => Layout::Parts,
            Encoding::Mhp3rd => Layout::Sets(
                streams
                    .iter()
                    .map(|slots| {
                        // A clip that fills many slots counts once.
                        let mut seen = HashSet::new();
                        let first_uses = slots.iter().flatten().filter(|&&clip| seen.insert(clip));
                        let clips = first_uses.filter_map(|&clip| pack.clips().get(clip));
                        RecordMap::new(rig, monster, clips)
                    })
                    .collect(),
            ),
        };
        Self {
            clips: pack
                .clips()
                .iter()
                .map(|clip| Clip::new(clip, encoding))
                .collect(),
            streams,
            layout,
        }
    }

    /// The clip in a slot; `None` for an empty slot and for one that is not there.
    pub fn clip(&self, slot: StreamSlot) -> Option<&Clip> {
        let clip = (*self.streams.get(slot.stream)?.get(slot.slot)?)?;
        self.clips.get(clip)
    }

    /// The record map of a Portable 3rd stream.
    pub fn record_map(&self, stream: usize) -> Option<&RecordMap> {
        match &self.layout {
            Layout::Parts => None,
            Layout::Sets(maps) => maps.get(stream),
        }
    }

    /// All that can be played, ascending: entries 0 to 199 with a clip for some part, or the
    /// filled slots of Portable 3rd.
    pub fn playable<'a>(&'a self, rig: &'a Rig) -> impl Iterator<Item = Playable> + 'a {
        let (entries, sets) = match self.layout {
            Layout::Parts => (Entry::END, &[][..]),
            Layout::Sets(_) => (0, &self.streams[..]),
        };
        let entries = (0..entries).map(|entry| Selection::Entry(Entry(entry)));
        let slots = sets
            .iter()
            .enumerate()
            .flat_map(|(stream, slots)| (0..slots.len()).map(move |slot| StreamSlot { stream, slot }));
        entries
            .chain(slots.map(|slot| ClipNumber::of(slot).map_or(Selection::Slot(slot), Selection::Clip)))
            .map(|selection| self.parts_of(rig, selection))
            .filter(|playable| playable.filled().next().is_some())
    }

    /// A selection merged over the rig; `None` where no part has a clip.
    pub fn motion(&self, rig: &Rig, selection: Selection) -> Option<Motion> {
        let playable = self.parts_of(rig, selection);
        playable.filled().next()?;
        let mut motion = Motion {
            drives: vec![None; rig.joints().len()],
            diagnostics: Vec::new(),
            timeline: playable.timeline(),
            frames_per_second: CLIP_FRAMES_PER_SECOND,
            composition: Composition::Engine,
            playable: None,
        };
        for part in &playable.parts {
            match self.clip(part.slot) {
                Some(clip) => self.drive(rig, part, clip, &mut motion),
                None => motion.diagnostics.push(MotionDiagnostic::NoClip {
                    part: part.part,
                    slot: part.slot,
                    joints: part.joints,
                }),
            }
        }
        motion.playable = Some(playable);
        Some(motion)
    }

    /// The parts that a selection plays. Parts whose streams are not in the pack never play and
    /// are left out.
    fn parts_of(&self, rig: &Rig, selection: Selection) -> Playable {
        let part_clip = |part, slot, joints| PartClip {
            part,
            slot,
            joints,
            timeline: self.clip(slot).map(|clip| clip.timeline),
        };
        let by_parts = matches!(self.layout, Layout::Parts);
        let parts = match selection {
            Selection::Entry(entry) if by_parts && entry.is_valid() => rig
                .parts()
                .iter()
                .filter(|part| Entry(0).slot_of(part.id).stream < self.streams.len())
                .map(|part| part_clip(part.id, entry.slot_of(part.id), part.joints.len()))
                .collect(),
            Selection::Slot(slot) if by_parts => rig
                .parts()
                .iter()
                .filter(|part| part.id as usize == slot.stream / 2)
                .map(|part| part_clip(part.id, slot, part.joints.len()))
                .collect(),
            Selection::Slot(slot) => vec![part_clip(0, slot, rig.joints().len())],
            Selection::Clip(number) if !by_parts => {
                vec![part_clip(0, number.slot(), rig.joints().len())]
            }
            Selection::Entry(_) | Selection::Clip(_) => Vec::new(),
        };
        Playable { selection, parts }
    }

    /// Gives a clip's tracks to their joints.
    fn drive(&self, rig: &Rig, part: &PartClip, clip: &Clip, motion: &mut Motion) {
        let (slot, tracks) = (part.slot, clip.tracks.len());
        let empty = &[][..];
        let joints = match &self.layout {
            Layout::Parts => {
                let of_rig = rig.parts().iter().find(|of_rig| of_rig.id == part.part);
                let joints = of_rig.map_or(empty, |of_rig| &of_rig.joints[..]);
                if tracks != joints.len() {
                    motion.diagnostics.push(MotionDiagnostic::TrackCount {
                        part: part.part,
                        slot,
                        tracks,
                        joints: joints.len(),
                    });
                }
                joints
            }
            Layout::Sets(maps) => {
                let map = maps.get(slot.stream);
                if let Some(map) = map {
                    self.note_records(map, slot, tracks, &mut motion.diagnostics);
                }
                map.map_or(empty, |map| &map.bones[..])
            }
        };
        for (&joint, track) in joints.iter().zip(&clip.tracks) {
            if let Some(drive) = motion.drives.get_mut(joint) {
                *drive = Some(Drive {
                    track: Arc::clone(track),
                    timeline: clip.timeline,
                });
            }
        }
        let notes = clip.diagnostics.iter();
        motion
            .diagnostics
            .extend(notes.map(|&diagnostic| MotionDiagnostic::Clip { slot, diagnostic }));
    }

    fn note_records(
        &self,
        map: &RecordMap,
        slot: StreamSlot,
        records: usize,
        diagnostics: &mut Vec<MotionDiagnostic>,
    ) {
        if map.basis != RecordMapBasis::Known {
            diagnostics.push(MotionDiagnostic::RecordMapGuessed {
                offset: map.offset,
                basis: map.basis,
            });
        }
        let set = self.streams.get(slot.stream).into_iter().flatten().flatten();
        let first = set
            .filter_map(|&clip| self.clips.get(clip))
            .map(|clip| clip.tracks.len())
            .next();
        if let Some(first) = first.filter(|&first| first != records) {
            diagnostics.push(MotionDiagnostic::RecordCount { slot, records, first });
        }
        if records > map.bones.len() {
            let driving = map.bones.len();
            diagnostics.push(MotionDiagnostic::RecordsLeft {
                slot,
                records,
                driving,
            });
        }
    }
}

#[cfg(test)]
mod tests;
