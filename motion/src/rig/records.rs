//! The record map of Portable 3rd: which bone each track of a clip drives.
//!
//! Tracks ("records") are not positional there. Record `i` drives the `i`-th driven bone, counted
//! from an offset and stepping over the bones that a monster's clips never drive
//! (spec/mhp-formats.md §5.8).

use formats::animation::{ChannelKind, Clip};

use super::Rig;

/// A monster of Portable 3rd, by the game's number. The names that go with the numbers are in
/// doubt, so none are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MonsterId(
    /// The number.
    pub u16,
);

impl MonsterId {
    /// The monster whose model is the game's file `number`, counted as extractors count. Two are
    /// known.
    pub const fn from_model_file(number: u32) -> Option<Self> {
        match number {
            5248 => Some(Self(58)),
            5339 => Some(Self(40)),
            _ => None,
        }
    }

    /// The bone of the first record, if it is known for this monster.
    pub const fn record_offset(self) -> Option<usize> {
        match self.0 {
            40 | 58 => Some(0),
            _ => None,
        }
    }

    /// The bones that no record drives, ascending.
    pub const fn skipped_bones(self) -> &'static [usize] {
        match self.0 {
            1 | 2 | 15 | 18 => &[8, 15, 25],
            7 => &[21, 22],
            16 | 56 => &[22, 23, 24],
            22 => &[8],
            40 => &[9, 10, 16, 17, 24, 31, 37, 38, 42, 47],
            41 => &[8, 9, 15, 16, 25, 27, 30, 31, 32, 34, 43, 48],
            47 => &[17],
            _ => &[],
        }
    }
}

/// Where the offset of a record map comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordMapBasis {
    /// It is known for the monster.
    Known,
    /// Guessed: with it every record that moves its bone lands on the body's fork or above.
    ForkRule,
    /// Guessed without the fork rule: no record moves its bone, or no offset obeys the rule.
    Default,
}

/// Which bone each record of a clip set drives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordMap {
    /// The bone of record `i`. Records past the end drive nothing.
    pub bones: Vec<usize>,
    /// The bone of the first record, before skipping.
    pub offset: usize,
    /// Where the offset comes from.
    pub basis: RecordMapBasis,
}

/// The usual offset. It is wrong for both monsters whose offset is known.
const DEFAULT_OFFSET: usize = 2;

/// The bones that `records` records drive on a rig of `bones` bones. `skipped` are bone numbers of
/// the skeleton, not positions after the offset.
///
/// ```
/// use motion::rig::records::record_to_bone;
///
/// assert_eq!(record_to_bone(4, 8, 1, &[2, 4]), [1, 3, 5, 6]);
/// assert_eq!(record_to_bone(9, 5, 2, &[]), [2, 3, 4]);
/// ```
pub fn record_to_bone(records: usize, bones: usize, offset: usize, skipped: &[usize]) -> Vec<usize> {
    (offset..bones)
        .filter(|bone| !skipped.contains(bone))
        .take(records)
        .collect()
}

impl RecordMap {
    /// The map for the clips of one set, which all have the record count of the first.
    ///
    /// A known offset is taken as it is. Else the fork rule decides among the offsets: first the
    /// one with which the records reach exactly the last animated bone (as both known monsters'
    /// do), then the usual one, then the lowest. That order is a guess.
    pub fn new<'c>(rig: &Rig, monster: Option<MonsterId>, clips: impl IntoIterator<Item = &'c Clip>) -> Self {
        let mut clips = clips.into_iter().peekable();
        let records = clips.peek().map_or(0, |clip| clip.tracks.len());
        let moving = moving_records(clips, records);
        let skipped = monster.map_or(&[][..], MonsterId::skipped_bones);
        let with = |offset, basis| Self {
            bones: record_to_bone(records, rig.joints().len(), offset, skipped),
            offset,
            basis,
        };
        if let Some(offset) = monster.and_then(MonsterId::record_offset) {
            return with(offset, RecordMapBasis::Known);
        }
        if moving.is_empty() {
            return with(DEFAULT_OFFSET, RecordMapBasis::Default);
        }
        let passing: Vec<Self> = (0..=LAST_OFFSET)
            .map(|offset| with(offset, RecordMapBasis::ForkRule))
            .filter(|map| moving.iter().all(|&record| record < map.bones.len()))
            .filter(|map| map.below_fork(rig, &moving).next().is_none())
            .collect();
        let reaches_end = |map: &&Self| {
            map.bones
                .last()
                .is_some_and(|&last| last + 1 == rig.animated_count())
        };
        let usual = |map: &&Self| map.offset == DEFAULT_OFFSET;
        passing
            .iter()
            .find(reaches_end)
            .or_else(|| passing.iter().find(usual))
            .or_else(|| passing.first())
            .cloned()
            .unwrap_or_else(|| with(DEFAULT_OFFSET, RecordMapBasis::Default))
    }

    /// The bones, driven by one of the `moving` records, that are neither the fork nor above it.
    /// None with the right offset.
    pub fn below_fork<'a>(&'a self, rig: &'a Rig, moving: &'a [usize]) -> impl Iterator<Item = usize> {
        moving
            .iter()
            .filter_map(|&record| self.bones.get(record).copied())
            .filter(|&bone| rig.joints().get(bone).is_some_and(|joint| !joint.above_fork))
    }
}

/// The highest offset that is tried. The bodies of the two known rigs fork at bone 1.
const LAST_OFFSET: usize = 7;

/// The records, below `records`, that have a location channel in any of the clips; ascending.
pub fn moving_records<'c>(clips: impl IntoIterator<Item = &'c Clip>, records: usize) -> Vec<usize> {
    let mut moves = vec![false; records];
    for clip in clips {
        for (moves, track) in moves.iter_mut().zip(&clip.tracks) {
            let mut kinds = track.channels.iter().map(|channel| channel.kind());
            *moves |= kinds.any(|kind| matches!(kind, Some(ChannelKind::Location(_))));
        }
    }
    (0..)
        .zip(moves)
        .filter_map(|(record, moves)| moves.then_some(record))
        .collect()
}

#[cfg(test)]
mod tests {
    use formats::animation::{Axis, Channel, Key, Track};
    use formats::skeleton::{Bone, BoneEncoding, Skeleton};

    use super::*;

    fn rig(parents: &[i32]) -> Rig {
        let bones = parents
            .iter()
            .map(|&p| Bone::new(u16::try_from(p).ok(), [0.0; 3]))
            .collect();
        Rig::new(&Skeleton::new(BoneEncoding::Mhp3rd, bones))
    }

    fn clip(records: usize, moving: &[usize]) -> Clip {
        let kind = |record| {
            let moves = moving.contains(&record);
            if moves {
                ChannelKind::Location(Axis::Y)
            } else {
                ChannelKind::Rotation(Axis::Y)
            }
        };
        let track = |record| Track::new(vec![Channel::new(kind(record), vec![Key::new(0, 1)])]);
        Clip::new((0..records).map(track).collect())
    }

    #[test]
    fn records_step_over_skipped_bones() {
        assert_eq!(record_to_bone(4, 8, 1, &[2, 4]), [1, 3, 5, 6]);
        assert_eq!(record_to_bone(9, 5, 2, &[]), [2, 3, 4]);
        assert_eq!(record_to_bone(2, 100, DEFAULT_OFFSET, &[]), [2, 3]);
        // Brute Tigrex: 43 records drive bones 0..42.
        let brute = MonsterId::from_model_file(5248).expect("known");
        assert_eq!(brute.record_offset(), Some(0));
        assert_eq!(
            record_to_bone(43, 46, 0, brute.skipped_bones()),
            (0..43).collect::<Vec<_>>()
        );
        // Zinogre: 37 records drive 37 of bones 0..45, the last of them bone 45.
        let zinogre = MonsterId::from_model_file(5339).expect("known");
        let driven = record_to_bone(37, 51, 0, zinogre.skipped_bones());
        assert_eq!((driven.len(), driven.last()), (37, Some(&45)));
    }

    #[test]
    fn skipped_bones_ascend() {
        for monster in (0..100).map(MonsterId) {
            assert!(monster.skipped_bones().is_sorted());
        }
    }

    #[test]
    fn locations_stay_at_or_above_the_fork() {
        let rig = rig(&[-1, 0, 1, 2, 3, 1, 5]);
        assert_eq!(rig.fork(), 1);
        let map = RecordMap {
            bones: (0..7).collect(),
            offset: 0,
            basis: RecordMapBasis::Known,
        };
        assert_eq!(map.below_fork(&rig, &[0, 1]).count(), 0);
        assert_eq!(map.below_fork(&rig, &[0, 2, 6]).collect::<Vec<_>>(), [2, 6]);
    }

    #[test]
    fn guesses_the_offset_by_the_fork_rule() {
        // Fork 3. Record 0 moves: offsets 0 to 3 pass. Four records reach the last of 6 bones
        // from offset 2, five from offset 1.
        let rig = rig(&[-1, 0, 1, 2, 3, 3]);
        for (records, offset) in [(4, 2), (5, 1), (6, 0), (2, DEFAULT_OFFSET)] {
            let map = RecordMap::new(&rig, None, [&clip(records, &[0])]);
            assert_eq!(
                (map.offset, map.basis),
                (offset, RecordMapBasis::ForkRule),
                "{records}"
            );
        }
        // Record 3 moves: only offset 0 keeps it on the fork.
        let map = RecordMap::new(&rig, None, [&clip(4, &[3])]);
        assert_eq!((map.offset, map.basis), (0, RecordMapBasis::ForkRule));
        // Record 5 would lie below the fork with any offset.
        let map = RecordMap::new(&rig, None, [&clip(6, &[5])]);
        assert_eq!(map.basis, RecordMapBasis::Default);
        // An unknown monster's clips without locations: the usual offset.
        let map = RecordMap::new(&rig, Some(MonsterId(99)), [&clip(2, &[])]);
        assert_eq!((map.offset, &map.bones[..]), (DEFAULT_OFFSET, &[2, 3][..]));
    }
}
