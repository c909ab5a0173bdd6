use formats::animation::{Axis, Channel, ChannelKind, Clip as PackClip, Key, Track as PackTrack};
use formats::skeleton::{Bone, BoneEncoding, Skeleton};

use super::*;
use crate::play::LoopRule;

/// A clip of tracks that turn about X over `frames` frames.
fn clip(tracks: usize, frames: i16) -> PackClip {
    let kind = ChannelKind::Rotation(Axis::X);
    let turn = || Channel::new(kind, vec![Key::new(0, 0), Key::new(frames, 4096)]);
    PackClip::new((0..tracks).map(|_| PackTrack::new(vec![turn()])).collect())
}

/// A line of joints, each in the part given.
fn rig(parts: &[u32]) -> Rig {
    let bones = (0..).zip(parts).map(|(index, &part)| {
        let parent = u16::checked_sub(index, 1);
        Bone::new(parent, [0.0, 1.0, 0.0]).in_part(part)
    });
    Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones.collect()))
}

fn library(rig: &Rig, encoding: Encoding, streams: Vec<Vec<Option<PackClip>>>) -> Library {
    let pack = AnimationPack::from_streams(encoding, streams).expect("a valid pack");
    Library::new(rig, &pack, None)
}

#[test]
fn an_entry_merges_the_clips_of_its_parts() {
    // spec/mhp-formats.md §5.6: streams [body], [none], [head], [none], joints of parts 0, 0, 1, 2
    // give three filled tracks and one empty.
    let rig = rig(&[0, 0, 1, 2]);
    let streams = vec![
        vec![Some(clip(2, 40))],
        vec![None],
        vec![Some(clip(1, 60))],
        vec![None],
    ];
    let library = library(&rig, Encoding::Mhfu, streams);
    let motion = library
        .motion(&rig, Selection::Entry(Entry(0)))
        .expect("an entry");
    let driven: Vec<bool> = (0..4).map(|joint| motion.drive(joint).is_some()).collect();
    assert_eq!(driven, [true, true, true, false]);
    assert_eq!(motion.driven_count(), 3);
    assert_eq!(
        motion.diagnostics(),
        [],
        "the last part has no streams, so it never plays"
    );
    assert_eq!(motion.timeline().end, 60.0);
    assert_eq!(motion.drive(0).map(|drive| drive.timeline.end), Some(40.0));
}

#[test]
fn partial_entries_say_what_they_lack() {
    let rig = rig(&[0, 0, 1]);
    let looping = clip(1, 30).looping_from(10.0);
    let streams = vec![
        vec![Some(clip(2, 40)), None, None],
        vec![],
        vec![None, Some(looping.clone())],
        vec![Some(looping)],
    ];
    let library = library(&rig, Encoding::Mhfu, streams);
    let playable: Vec<_> = library.playable(&rig).collect();
    let list: Vec<_> = playable
        .iter()
        .map(|entry| (entry.selection, entry.is_partial()))
        .collect();
    assert_eq!(
        list,
        [
            (Selection::Entry(Entry(0)), true),
            (Selection::Entry(Entry(1)), true),
            (Selection::Entry(Entry(100)), true),
        ]
    );
    let head = library
        .motion(&rig, Selection::Entry(Entry(1)))
        .expect("an entry");
    let slot = StreamSlot { stream: 0, slot: 1 };
    assert_eq!(
        head.diagnostics(),
        [MotionDiagnostic::NoClip {
            part: 0,
            slot,
            joints: 2
        }]
    );
    assert_eq!(head.timeline().loop_rule, LoopRule::From(10.0));
    assert!(head.drive(0).is_none() && head.drive(2).is_some());

    for missing in [2, 3, 99, 101, 199, 200, u32::MAX] {
        assert_eq!(
            library.motion(&rig, Selection::Entry(Entry(missing))),
            None,
            "{missing}"
        );
    }
    assert_eq!(
        library.motion(&rig, Selection::Clip(ClipNumber(0))),
        None,
        "not that game's number"
    );
}

#[test]
fn track_counts_that_differ_are_named() {
    let rig = rig(&[0, 0, 1]);
    let streams = vec![vec![Some(clip(1, 5))], vec![], vec![Some(clip(3, 5))]];
    let library = library(&rig, Encoding::Mhfu, streams);
    let motion = library
        .motion(&rig, Selection::Entry(Entry(0)))
        .expect("an entry");
    let counts: Vec<_> = motion
        .diagnostics()
        .iter()
        .map(|diagnostic| match diagnostic {
            MotionDiagnostic::TrackCount { tracks, joints, .. } => (*tracks, *joints),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(counts, [(1, 2), (3, 1)]);
    assert_eq!(motion.driven_count(), 2);
    assert_eq!(
        motion.diagnostics()[0].to_string(),
        "stream 0 slot 0: 1 tracks for the 2 joints of part 0"
    );
}

#[test]
fn one_slot_drives_its_part_alone() {
    let rig = rig(&[0, 0, 1]);
    let mut slots = vec![None; 105];
    slots[104] = Some(clip(1, 5));
    let library = library(&rig, Encoding::Mhfu, vec![vec![], vec![], slots, vec![]]);
    let selection = Selection::Slot(StreamSlot { stream: 2, slot: 104 });
    let motion = library.motion(&rig, selection).expect("a slot past the entries");
    assert_eq!((motion.driven_count(), motion.drive(2).is_some()), (1, true));
    assert_eq!(library.playable(&rig).count(), 0, "no entry reaches slot 104");
}

#[test]
fn portable_3rd_sets_go_through_the_record_map() {
    let rig = rig(&[0; 6]);
    let mut slots = vec![None; 102];
    slots[0] = Some(clip(4, 10));
    slots[65] = Some(clip(3, 10));
    slots[101] = Some(clip(4, 10));
    let library = library(&rig, Encoding::Mhp3rd, vec![vec![None], slots]);
    let selections: Vec<_> = library.playable(&rig).map(|clip| clip.selection).collect();
    let past = Selection::Slot(StreamSlot { stream: 1, slot: 101 });
    assert_eq!(
        selections,
        [
            Selection::Clip(ClipNumber(100)),
            Selection::Clip(ClipNumber(165)),
            past
        ]
    );
    let motion = library
        .motion(&rig, Selection::Clip(ClipNumber(165)))
        .expect("a clip");
    let driven: Vec<usize> = (0..6).filter(|&joint| motion.drive(joint).is_some()).collect();
    assert_eq!(driven, [2, 3, 4]);
    assert!(matches!(
        motion.diagnostics(),
        [
            MotionDiagnostic::RecordMapGuessed {
                offset: 2,
                basis: RecordMapBasis::Default
            },
            MotionDiagnostic::RecordCount {
                records: 3,
                first: 4,
                ..
            },
        ]
    ));
    assert_eq!(library.motion(&rig, Selection::Clip(ClipNumber(0))), None);
    assert_eq!(library.motion(&rig, Selection::Entry(Entry(0))), None);
}

#[test]
fn a_pack_without_clips_has_nothing_to_play() {
    let rig = rig(&[0, 1]);
    let library = library(&rig, Encoding::Mhfu, vec![vec![None; 100]; 4]);
    assert_eq!(library.playable(&rig).count(), 0);
}

#[test]
fn a_partial_entry_goes_over_another() {
    // The Tigrex's entry 24 is a head clip over whatever the body plays.
    let rig = rig(&[0, 0, 1]);
    let streams = vec![
        vec![Some(clip(2, 40)), None],
        vec![],
        vec![Some(clip(1, 60)), Some(clip(1, 20))],
        vec![],
    ];
    let library = library(&rig, Encoding::Mhfu, streams);
    let motion = |entry| {
        library
            .motion(&rig, Selection::Entry(Entry(entry)))
            .expect("an entry")
    };
    assert_eq!(motion(1).diagnostics().len(), 1);
    let over = motion(1).over(&motion(0));
    assert_eq!(over.diagnostics(), []);
    let ends: Vec<f64> = (0..3)
        .filter_map(|joint| Some(over.drive(joint)?.timeline.end))
        .collect();
    assert_eq!(ends, [40.0, 40.0, 20.0]);
    assert_eq!(over.timeline().end, 20.0, "the entry asked for gives the length");
}
