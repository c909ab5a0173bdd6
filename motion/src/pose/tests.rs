use formats::animation::{AnimationPack, Axis, Channel, ChannelKind, Clip, Encoding, Key, Track};
use formats::skeleton::{Bone, BoneEncoding, Skeleton};
use glam::{DMat4, DVec4};
use proptest::prelude::*;

use super::*;
use crate::library::{Library, Selection};
use crate::rig::entry::Entry;

/// A key that holds `value`.
fn held(kind: ChannelKind, value: i16) -> Channel {
    Channel::new(kind, vec![Key::new(0, value)])
}

/// A location channel that rises evenly from 0 to `value` raw over `frames` frames.
fn rising(axis: Axis, frames: i16, value: i16) -> Channel {
    let slope = value / frames;
    let keys = vec![
        Key::new(0, 0).with_eases(0, slope),
        Key::new(frames, value).with_eases(slope, 0),
    ];
    Channel::new(ChannelKind::Location(axis), keys)
}

fn rig_of(offsets: &[[f32; 3]]) -> Rig {
    let bones = (0..)
        .zip(offsets)
        .map(|(index, &offset)| Bone::new(u16::checked_sub(index, 1), offset));
    Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones.collect()))
}

fn motion_of(rig: &Rig, clip: Clip) -> Motion {
    let streams = vec![vec![Some(clip)], vec![]];
    let pack = AnimationPack::from_streams(Encoding::Mhfu, streams).expect("a valid pack");
    let selection = Selection::Entry(Entry(0));
    Library::new(rig, &pack, None)
        .motion(rig, selection)
        .expect("an entry")
}

fn posed(rig: &Rig, tracks: Vec<Vec<Channel>>) -> Pose {
    let clip = Clip::new(tracks.into_iter().map(Track::new).collect());
    let options = PoseOptions {
        root_motion: RootMotion::AsAuthored,
        ..PoseOptions::default()
    };
    rig.pose(Some(&motion_of(rig, clip)), Moment::Frame(0.0), &options)
}

/// The rig and the frame of spec/mhp-formats.md §6.
pub(crate) fn worked_example() -> (Rig, Pose) {
    let rig = rig_of(&[[0.0, 100.0, 0.0], [0.0, 0.0, 50.0], [10.0, -20.0, 0.0]]);
    let pose = posed(
        &rig,
        vec![
            vec![
                held(ChannelKind::Rotation(Axis::Z), 4096),
                held(ChannelKind::Location(Axis::Y), 1920),
            ],
            vec![held(ChannelKind::Rotation(Axis::X), 4096)],
            vec![held(ChannelKind::Rotation(Axis::Y), 2048)],
        ],
    );
    (rig, pose)
}

fn assert_rows(found: DAffine3, rows: [[f64; 4]; 3]) {
    let found = DMat4::from(found);
    for (row, expected) in rows.into_iter().enumerate() {
        let difference = (found.row(row) - DVec4::from_array(expected)).abs();
        assert!(
            difference.max_element() < 5e-7,
            "row {row}: {}, expected {expected:?}",
            found.row(row)
        );
    }
}

#[test]
fn worked_matrices() {
    const R: f64 = std::f64::consts::FRAC_1_SQRT_2;
    let (_, pose) = worked_example();
    assert_rows(
        pose.world[0],
        [
            [0.0, -1.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 120.0],
            [0.0, 0.0, 1.0, 0.0],
        ],
    );
    assert_rows(
        pose.world[1],
        [
            [0.0, 0.0, 1.0, 0.0],
            [1.0, 0.0, 0.0, 120.0],
            [0.0, 1.0, 0.0, 50.0],
        ],
    );
    assert_rows(
        pose.world[2],
        [[-R, 0.0, R, 0.0], [R, 0.0, R, 130.0], [0.0, 1.0, 0.0, 30.0]],
    );
    assert_rows(
        pose.skin[0],
        [
            [0.0, -1.0, 0.0, 100.0],
            [1.0, 0.0, 0.0, 120.0],
            [0.0, 0.0, 1.0, 0.0],
        ],
    );
    assert_rows(
        pose.skin[1],
        [
            [0.0, 0.0, 1.0, -50.0],
            [1.0, 0.0, 0.0, 120.0],
            [0.0, 1.0, 0.0, -50.0],
        ],
    );
    assert_rows(
        pose.skin[2],
        [
            [-R, 0.0, R, -28.284271],
            [R, 0.0, R, 87.573593],
            [0.0, 1.0, 0.0, -50.0],
        ],
    );
}

#[test]
fn worked_vertices() {
    let (_, pose) = worked_example();
    let vertex = DVec3::new(12.0, 85.0, 50.0);
    let skinned = |weights: &[(usize, f64)]| -> DVec3 {
        weights
            .iter()
            .map(|&(bone, weight)| pose.skin[bone].transform_point3(vertex) * weight)
            .sum()
    };
    for (weights, expected) in [
        (&[(0, 1.0)][..], [15.0, 132.0, 50.0]),
        (&[(1, 1.0)], [0.0, 132.0, 35.0]),
        (&[(2, 1.0)], [-std::f64::consts::SQRT_2, 131.414214, 35.0]),
        (&[(1, 0.75), (2, 0.25)], [-0.353553, 131.853553, 35.0]),
        (&[(1, 0.5), (2, 0.25)], [-0.353553, 98.853553, 26.25]),
    ] {
        let found = skinned(weights);
        assert!(
            found.abs_diff_eq(DVec3::from_array(expected), 5e-7),
            "{weights:?}: {found}"
        );
    }
    let normal = DVec3::new(127.0 / 128.0, 0.0, 0.0);
    let turned = |bone: usize| pose.skin[bone].transform_vector3(normal);
    assert!(turned(1).abs_diff_eq(DVec3::new(0.0, 0.992188, 0.0), 5e-7));
    assert!(turned(2).abs_diff_eq(DVec3::new(-0.701583, 0.701583, 0.0), 5e-7));
    let blended = (turned(1) * 0.75 + turned(2) * 0.25).normalize();
    assert!(blended.abs_diff_eq(DVec3::new(-0.187366, 0.982290, 0.0), 5e-7));
}

#[test]
fn a_quarter_turn_carries_the_child_around() {
    let rig = rig_of(&[[0.0; 3], [10.0, 0.0, 0.0]]);
    let pose = posed(
        &rig,
        vec![vec![held(ChannelKind::Rotation(Axis::Z), 4096)], vec![]],
    );
    assert_eq!(pose.world[1].translation, DVec3::new(0.0, 10.0, 0.0));
    assert_eq!(
        pose.skin[1].transform_point3(DVec3::new(20.0, 0.0, 0.0)),
        DVec3::new(0.0, 20.0, 0.0)
    );
    let half = DVec3::new(5.0, 0.0, 0.0);
    let blended = (pose.skin[0].transform_point3(half) + pose.skin[1].transform_point3(half)) / 2.0;
    assert_eq!(blended, DVec3::new(0.0, 5.0, 0.0));
}

#[test]
fn bind_without_a_motion() {
    let rig = rig_of(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let pose = rig.pose(None, Moment::Frame(7.0), &PoseOptions::default());
    assert_eq!(pose.skin, [DAffine3::IDENTITY; 2]);
    assert_eq!(pose.world[1].translation, DVec3::new(5.0, 7.0, 9.0));
}

#[test]
fn whole_frames_by_default() {
    let rig = rig_of(&[[0.0; 3], [0.0; 3]]);
    let clip = Clip::new(vec![
        Track::new(vec![rising(Axis::X, 10, 1600)]),
        Track::default(),
    ]);
    let motion = motion_of(&rig, clip);
    let x = |sampling, frame| {
        let options = PoseOptions {
            sampling,
            root_motion: RootMotion::AsAuthored,
            ..PoseOptions::default()
        };
        rig.pose(Some(&motion), Moment::Frame(frame), &options).world[0]
            .translation
            .x
    };
    assert_eq!(x(Sampling::Whole, 2.5), 20.0);
    assert_eq!(x(Sampling::Fractional, 2.5), 25.0);
    assert_eq!(x(Sampling::Whole, f64::NAN), 0.0);
    assert_eq!(x(Sampling::Whole, 1e300), 100.0);
}

#[test]
fn travel_belongs_to_the_root_joint() {
    // spec/mhp-formats.md §5.9: location Z from 0 to 1000 on joint 0 travels 0 and draws 1000;
    // on the root joint it travels 1000 and draws 0.
    let rig = rig_of(&[[0.0; 3], [0.0; 3], [0.0, 50.0, 0.0]]);
    for (joint, travels, draws) in [(0, 0.0, 1000.0), (1, 1000.0, 0.0)] {
        let mut tracks = vec![Track::default(); 3];
        tracks[joint] = Track::new(vec![rising(Axis::Z, 100, 16000)]);
        let motion = motion_of(&rig, Clip::new(tracks));
        let travel = rig.travel(&motion, 0.0, 100.0);
        assert_eq!(travel, DVec3::new(0.0, 0.0, travels));
        let z = |root_motion| {
            let options = PoseOptions {
                root_motion,
                ..PoseOptions::default()
            };
            rig.pose(Some(&motion), Moment::Frame(100.0), &options).world[2]
                .translation
                .z
        };
        assert_eq!(z(RootMotion::AsInGame), draws);
        assert_eq!(z(RootMotion::AsAuthored), 1000.0);
    }
}

#[test]
fn in_place_holds_the_chain_to_the_fork_at_frame_0() {
    // 0 - 1 - 2 with two children: the fork is 2. Heights start at 80 and are kept.
    let parents = [None, Some(0), Some(1), Some(2), Some(2)];
    let bones = parents.map(|parent| Bone::new(parent, [0.0; 3]));
    let rig = Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones.to_vec()));
    let moving = Channel::new(
        ChannelKind::Location(Axis::Y),
        vec![Key::new(0, 1280), Key::new(20, 1600)],
    );
    let mut tracks = vec![Track::default(); 5];
    tracks[2] = Track::new(vec![moving.clone()]);
    tracks[3] = Track::new(vec![moving]);
    let motion = motion_of(&rig, Clip::new(tracks));
    let pose = rig.pose(Some(&motion), Moment::Frame(20.0), &PoseOptions::default());
    assert_eq!(pose.local[2].location.y, 80.0);
    assert_eq!(pose.local[3].location.y, 100.0);
}

#[test]
fn parts_loop_each_on_its_own() {
    let bones = vec![Bone::new(None, [0.0; 3]), Bone::new(Some(0), [0.0; 3]).in_part(1)];
    let rig = Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones));
    let clip = |frames: i16| Clip::new(vec![Track::new(vec![rising(Axis::X, frames, 16 * frames)])]);
    let body = clip(10).looping_from(0.0);
    let streams = vec![vec![Some(body)], vec![], vec![Some(clip(40))], vec![]];
    let pack = AnimationPack::from_streams(Encoding::Mhfu, streams).expect("a valid pack");
    let motion = Library::new(&rig, &pack, None)
        .motion(&rig, Selection::Entry(Entry(0)))
        .expect("an entry");
    let options = PoseOptions {
        root_motion: RootMotion::AsAuthored,
        ..PoseOptions::default()
    };
    let pose = rig.pose(Some(&motion), Moment::Elapsed(13.0), &options);
    assert_eq!(
        pose.local
            .iter()
            .map(|local| local.location.x)
            .collect::<Vec<_>>(),
        [3.0, 13.0]
    );
}

#[test]
fn the_attached_tail_rides_on_its_carriers() {
    // A body of three joints whose last two are the tail, and a chain of three.
    let bones = vec![
        Bone::new(None, [0.0; 3]),
        Bone::new(Some(0), [0.0, 10.0, -50.0]),
        Bone::new(Some(1), [0.0, 0.0, -40.0]),
        Bone::new(None, [0.0; 3]),
        Bone::new(Some(3), [0.0; 3]),
        Bone::new(Some(4), [0.0, 0.0, -40.0]),
    ];
    let rig = Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones));
    let attached = rig.pose(None, Moment::default(), &PoseOptions::default());
    // The tip moves as one piece from the origin to the stump.
    let stump = DVec3::new(0.0, 10.0, -50.0);
    for joint in 3..6 {
        assert_eq!(attached.skin[joint], DAffine3::from_translation(stump));
    }
    let options = PoseOptions {
        tail: TailPose::AtBind,
        ..PoseOptions::default()
    };
    assert_eq!(
        rig.pose(None, Moment::default(), &options).skin[4],
        DAffine3::IDENTITY
    );
}

proptest! {
    #[test]
    fn any_clip_on_any_rig_gives_a_pose(
        parents in prop::collection::vec(prop::option::of(0_u16..16), 1..16),
        channels in prop::collection::vec((0_usize..16, any::<u16>(), any::<[i16; 8]>()), 0..24),
        (loops, loop_start, frame, elapsed) in (any::<bool>(), any::<f32>(), any::<f64>(), any::<bool>()),
    ) {
        let bones = parents.iter().map(|&parent| Bone::new(parent, [1.0, 2.0, 3.0]));
        let rig = Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones.collect()));
        let mut tracks = vec![Track::default(); parents.len()];
        for (track, bit, [v0, f0, i0, o0, v1, f1, i1, o1]) in channels {
            let count = tracks.len();
            let keys = vec![Key::new(f0, v0).with_eases(i0, o0), Key::new(f1, v1).with_eases(i1, o1)];
            tracks[track % count].channels.push(Channel { bit: 1 << (bit % 16), keys });
        }
        let clip = Clip { loops: u32::from(loops), loop_start, tracks };
        let motion = motion_of(&rig, clip);
        let moment = if elapsed { Moment::Elapsed(frame) } else { Moment::Frame(frame) };
        for root_motion in [RootMotion::InPlace, RootMotion::AsInGame, RootMotion::AsAuthored] {
            let options = PoseOptions { root_motion, ..PoseOptions::default() };
            let pose = rig.pose(Some(&motion), moment, &options);
            prop_assert_eq!(pose.skin.len(), parents.len());
            prop_assert!(pose.skin.iter().all(|skin| skin.is_finite()));
        }
    }
}
