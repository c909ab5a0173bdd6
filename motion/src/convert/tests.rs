use formats::animation::{self, Channel, ChannelKind, Key};
use formats::mot::{Form, Mot};
use proptest::prelude::*;

use super::*;
use crate::clip::Clip;
use crate::mot::{BoneMap, MotClip};
use crate::play::CLIP_FRAMES_PER_SECOND;

fn motion_of(tracks: Vec<animation::Track>) -> Motion {
    Motion::of_clip(&Clip::new(&animation::Clip::new(tracks), Encoding::Mhfu))
}

fn to_mot(motion: &Motion, bound: f64) -> Result<Converted<Mot>, ConvertError> {
    mot_of(
        motion,
        None,
        &BoneMap::default(),
        Form::Okami,
        Bound::new(bound).unwrap(),
    )
}

fn of_mot(mot: &Mot) -> Motion {
    MotClip::new(mot).unwrap().unrigged(&BoneMap::default())
}

fn to_clip(
    motion: &Motion,
    encoding: Encoding,
    bound: f64,
) -> Result<Converted<animation::Clip>, ConvertError> {
    let joints: Vec<usize> = (0..motion.joint_count()).collect();
    clip_of(motion, &joints, None, encoding, Bound::new(bound).unwrap())
}

/// The largest difference of two motions at fine samples, in steps, with each at its own rate.
fn sampled_difference(a: &Motion, b: &Motion) -> f64 {
    let seconds = a.timeline().end / a.frames_per_second();
    let mut largest: f64 = 0.0;
    for joint in 0..a.joint_count() {
        let channels = |motion: &Motion| {
            motion
                .drive(joint)
                .map_or(Vec::new(), |drive| drive.track.channels().to_vec())
        };
        let of_b = channels(b);
        for (component, curve) in channels(a) {
            let (_, other) = of_b
                .iter()
                .find(|(other, _)| *other == component)
                .expect("the component");
            for step in 0..=3000 {
                let time = seconds * f64::from(step) / 3000.0;
                let difference =
                    curve.sample(time * a.frames_per_second()) - other.sample(time * b.frames_per_second());
                largest = largest.max(difference.abs() * steps(component, Encoding::Mhp3rd));
            }
        }
    }
    largest
}

fn channel(kind: ChannelKind, keys: &[(i16, i16, i16, i16)]) -> Channel {
    let key = |&(frame, value, ease_in, ease_out): &(i16, i16, i16, i16)| {
        Key::new(frame, value).with_eases(ease_in, ease_out)
    };
    Channel::new(kind, keys.iter().map(key).collect())
}

#[test]
fn keys_on_whole_frames_stay_where_they_are() {
    let keys = [(0, 0, 0, 40), (20, 500, -20, 16), (60, 100, 8, 0)];
    let track = animation::Track::new(vec![channel(ChannelKind::Location(Axis::X), &keys)]);
    let mot = to_mot(&motion_of(vec![track.clone()]), 0.01).unwrap();
    assert_eq!((mot.keys, mot.value.frame_count()), (3, 31));
    assert!(mot.errors.location <= 0.01);
    let back = to_clip(&of_mot(&mot.value), Encoding::Mhfu, 1.0).unwrap();
    assert_eq!(back.value.tracks, [track]);
}

#[test]
fn keys_that_say_nothing_are_dropped() {
    let line = [
        (0, 0, 10, 10),
        (10, 100, 10, 10),
        (30, 300, 10, 10),
        (40, 400, 10, 10),
    ];
    let track = animation::Track::new(vec![channel(ChannelKind::Location(Axis::X), &line)]);
    let mot = to_mot(&motion_of(vec![track]), 0.5).unwrap();
    assert_eq!(mot.keys, 2);
}

#[test]
fn a_clip_lasts_as_long_as_its_motion() {
    let still = animation::Track::new(vec![
        channel(ChannelKind::Rotation(Axis::X), &[(0, 5, 0, 0)]),
        channel(ChannelKind::Location(Axis::Y), &[(0, 16, 0, 0), (20, 32, 0, 0)]),
    ]);
    let mot = to_mot(&motion_of(vec![still]), 0.5)
        .unwrap()
        .value
        .with_frame_count(41);
    let clip = to_clip(&of_mot(&mot), Encoding::Mhfu, 1.0).unwrap();
    assert_eq!(clip.value.last_frame(), 80);
    assert_eq!(
        clip.value.tracks[0].channels[0].keys,
        [Key::new(0, 5), Key::new(80, 5)]
    );
}

#[test]
fn what_the_target_cannot_hold_is_refused() {
    let one = |kind, keys: &[(i16, i16, i16, i16)]| vec![animation::Track::new(vec![channel(kind, keys)])];
    let rotation = ChannelKind::Rotation(Axis::X);
    // A loop that starts late.
    let late = animation::Clip::new(one(rotation, &[(0, 0, 0, 0), (40, 9, 0, 0)])).looping_from(20.0);
    let late = Motion::of_clip(&Clip::new(&late, Encoding::Mhfu));
    assert_eq!(to_mot(&late, 1.0), Err(ConvertError::LoopStart { start: 20.0 }));
    let clip = to_clip(&late, Encoding::Mhp3rd, 1.0).unwrap().value;
    assert_eq!((clip.loops, clip.loop_start), (1, 20.0));
    // A corner that falls between the frames of a MOT.
    let corner = motion_of(one(
        rotation,
        &[(0, 0, 0, 0), (21, 900, 0, 0), (22, 0, 0, 0), (60, 0, 0, 0)],
    ));
    let error = to_mot(&corner, 1.0).unwrap_err();
    assert!(
        matches!(error, ConvertError::Bound { joint: 0, reached, .. } if reached > 100.0),
        "{error}"
    );
    // Values and frames beyond 16 bits.
    use formats::mot::{Curve, Record, Track};
    let far = Record::new(3, Track::Position(Axis::Z), Curve::single_pose(3000.0));
    let far = of_mot(&Mot::new(Form::Okami, vec![far]).unwrap());
    assert_eq!(
        to_clip(&far, Encoding::Mhfu, 1.0).unwrap_err().to_string(),
        "bone 4, location Z: 3000 at frame 0, where a clip holds -2048 to 2047.9375"
    );
    let long = of_mot(&Mot::new(Form::Okami, vec![]).unwrap().with_frame_count(20_000));
    assert!(matches!(to_clip(&long, Encoding::Mhfu, 1.0), Ok(clip) if clip.value.last_frame() == 0));
    let still = Record::new(-1, Track::Position(Axis::Z), Curve::single_pose(1.0));
    let long = Mot::new(Form::Okami, vec![still])
        .unwrap()
        .with_frame_count(20_000);
    assert_eq!(
        to_clip(&of_mot(&long), Encoding::Mhfu, 1.0),
        Err(ConvertError::TooLong {
            frames: 39_998.0,
            most: 32_767
        })
    );
    let mut bones = vec![animation::Track::default(); 200];
    bones[199] = one(rotation, &[(0, 1, 0, 0)])[0].clone();
    assert_eq!(
        to_mot(&motion_of(bones), 1.0),
        Err(ConvertError::NoBone { joint: 199 })
    );
    let many: Vec<animation::Track> = (0..100)
        .map(|_| {
            animation::Track::new(
                Axis::ALL
                    .map(|axis| channel(ChannelKind::Rotation(axis), &[(0, 1, 0, 0)]))
                    .to_vec(),
            )
        })
        .collect();
    assert_eq!(
        to_mot(&motion_of(many), 1.0),
        Err(ConvertError::Mot(InvalidMot::RecordCount(300)))
    );
    let turned = MotClip::new(
        &to_mot(
            &motion_of(vec![animation::Track::new(
                Axis::ALL
                    .map(|axis| channel(ChannelKind::Rotation(axis), &[(0, 1, 0, 0)]))
                    .to_vec(),
            )]),
            1.0,
        )
        .unwrap()
        .value,
    )
    .unwrap();
    let turned = turned.in_order(RotationOrder::Zyx).unrigged(&BoneMap::default());
    assert!(matches!(
        to_clip(&turned, Encoding::Mhfu, 1.0),
        Err(ConvertError::Order { joint: 0, .. })
    ));
}

#[test]
fn an_odd_length_is_told() {
    let keys = [(0, 0, 0, 0), (107, 400, 0, 0)];
    let track = animation::Track::new(vec![channel(ChannelKind::Rotation(Axis::X), &keys)]);
    let mot = to_mot(&motion_of(vec![track]), 2.0).unwrap();
    assert_eq!((mot.length, mot.value.frame_count()), (53.5, 55));
    assert_eq!(CLIP_FRAMES_PER_SECOND, 60.0);
}

/// Smooth keys, as animators leave them: slopes that suit the values' changes.
fn keys(spacing: std::ops::Range<i16>) -> impl Strategy<Value = Vec<(i16, i16, i16, i16)>> {
    let key = (spacing, -1500_i16..1500, -30_i16..30, -30_i16..30);
    prop::collection::vec(key, 1..8).prop_map(|keys| {
        let mut frame = 0;
        keys.into_iter()
            .map(|(gap, value, ease_in, ease_out)| {
                frame += gap;
                (frame - 1, value, ease_in, ease_out)
            })
            .collect()
    })
}

fn tracks() -> impl Strategy<Value = Vec<animation::Track>> {
    let channels = (keys(1..40), keys(1..40), keys(1..40));
    let track = channels.prop_map(|(x, y, z)| {
        animation::Track::new(vec![
            channel(ChannelKind::Rotation(Axis::X), &x),
            channel(ChannelKind::Rotation(Axis::Z), &y),
            channel(ChannelKind::Location(Axis::Y), &z),
        ])
    });
    prop::collection::vec(track, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_mot_stays_within_its_bound_or_is_refused(tracks in tracks(), bound in 0.05_f64..30.0) {
        let motion = motion_of(tracks);
        match to_mot(&motion, bound) {
            Ok(mot) => {
                prop_assert!(mot.errors.largest() <= bound);
                let difference = sampled_difference(&motion, &of_mot(&mot.value));
                prop_assert!(difference <= mot.errors.largest() + 1e-6, "{} of {:?}", difference, mot.errors);
            }
            // Clips have twice as many frames: what happens on the odd ones may be lost.
            Err(ConvertError::Bound { reached, .. }) => prop_assert!(reached > bound),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn a_clip_of_a_mot_keeps_to_a_step(tracks in tracks(), wide in 0.0_f64..20.0) {
        // On even frames alone, which a MOT has too.
        let mut tracks = tracks;
        for key in tracks.iter_mut().flat_map(|track| &mut track.channels).flat_map(|channel| &mut channel.keys) {
            key.frame *= 2;
        }
        let motion = motion_of(tracks);
        let mot = to_mot(&motion, 0.25).unwrap();
        let between = of_mot(&mot.value);
        for encoding in [Encoding::Mhfu, Encoding::Mhp3rd] {
            let bound = 0.75 + wide;
            let clip = to_clip(&between, encoding, bound).unwrap();
            prop_assert!(clip.errors.largest() <= bound);
            let played = Motion::of_clip(&Clip::new(&clip.value, encoding));
            let difference = sampled_difference(&between, &played);
            prop_assert!(difference <= clip.errors.largest() + 1e-6, "{} of {:?}", difference, clip.errors);
            prop_assert_eq!(f64::from(clip.value.last_frame()), motion.timeline().end);
        }
    }
}
