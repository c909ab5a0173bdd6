use formats::mot::{Curve as MotCurve, Form, HermiteKey, Record, Track as MotTrack};
use formats::skeleton::{Bone, BoneEncoding, Skeleton};
use glam::DVec3;

use super::*;
use crate::play::RootMotion;
use crate::pose::{Moment, PoseOptions};

fn bytes(digits: &str) -> Vec<u8> {
    let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

/// spec/mot.md §11, M2.
fn m2() -> Mot {
    let file = bytes(
        "6D746233 15000501 FF050100 B81E053F 00100400 30000000 01350300 4C000000
         02560200 7C000000 7FFFFFFF 00000000 00E00052 00DE0050 00000054 00008020
         05FF9040 0A8040C0 05408000 0000C0BF 00008038 000000BF 00000038 000080BE
         00000038 00000000 00400020 0800FFFF 00800040 14000080 00C00000 0000FFFF
         0000803F 00000000 0000003F 1400FFFF 00000040 000080BE 00000000",
    );
    Mot::parse(&file).unwrap()
}

fn curve_of(mot: &Mot, bone: i8) -> Curve {
    let (_, _, curve) = mot.curves().find(|(other, ..)| *other == bone).unwrap();
    Curve::try_from(curve).unwrap()
}

#[track_caller]
fn samples(curve: &Curve, rows: &[(f64, f64)]) {
    for &(frame, expected) in rows {
        let found = curve.sample(frame);
        assert!(
            (found - expected).abs() <= 1e-6 * expected.abs(),
            "frame {frame}: {found}, expected {expected}"
        );
    }
}

#[test]
fn m2_to_m5_every_family_of_the_base_document() {
    let mot = m2();
    samples(
        &curve_of(&mot, -1),
        &[(-3.0, 0.5199999809265137), (99.0, 0.5199999809265137)],
    );
    let m3 = [
        (-1.0, -2.0),
        (0.0, -2.0),
        (1.0, -1.461625),
        (2.5, 0.1015625),
        (5.0, 1.984375),
        (10.0, 1.3046875),
        (12.0, 0.628125),
        (15.0, 0.0),
        (17.5, 0.25),
        (20.0, -1.0),
        (25.0, -1.0),
    ];
    samples(&curve_of(&mot, 0), &m3);
    let m4 = [
        (0.0, -1.5),
        (4.0, 0.437469482421875),
        (8.0, 2.49993896484375),
        (14.0, 1.406219482421875),
        (20.0, 0.5),
        (30.0, 0.5),
    ];
    samples(&curve_of(&mot, 1), &m4);
    let m5 = [
        (0.0, 1.0),
        (5.0, 1.23828125),
        (10.0, 1.59375),
        (15.0, 1.90234375),
        (20.0, 2.0),
        (21.0, 2.0),
    ];
    samples(&curve_of(&mot, 2), &m5);
}

const M6_CURVE: [(f64, f64); 4] = [(0.0, 0.0), (2.5, 0.1220703125), (5.0, 0.390625), (10.0, 0.78125)];

#[test]
fn m6_god_hand() {
    let file = bytes(
        "6D746233 0B000300 03000100 00000000 0000A03F 04130200 01000000 2C000000
         7FFFFFFF 00000000 00000000 0000004E 00000000 00000000 00000000 0AC80000",
    );
    let mot = Mot::parse(&file).unwrap();
    samples(&curve_of(&mot, 3), &[(4.0, 1.25)]);
    samples(&curve_of(&mot, 4), &M6_CURVE);
    let clip = MotClip::new(&mot).unwrap();
    assert_eq!(
        clip.timeline(),
        Timeline {
            end: 10.0,
            loop_rule: LoopRule::Once
        }
    );
}

#[test]
fn m7_samples_are_joined_by_lines() {
    let file = bytes(
        "6D746233 05000200 FF400500 18000000 7FFFFFFF 00000000 000080BF 0000803B
         00000001 00028000 FFFF0000",
    );
    let curve = curve_of(&Mot::parse(&file).unwrap(), -1);
    let rows = [
        (0.0, -1.0),
        (0.5, -0.5),
        (1.0, 0.0),
        (2.0, 1.0),
        (2.25, 0.625),
        (3.0, -0.5),
        (4.0, 254.99609375),
        (9.0, 254.99609375),
    ];
    samples(&curve, &rows);
}

#[test]
fn m8_an_empty_motion_has_no_length() {
    let mot = Mot::parse(&bytes("6D746233 01000100 7FFFFFFF 00000000")).unwrap();
    let clip = MotClip::new(&mot).unwrap();
    assert_eq!((clip.timeline().end, clip.bones().count()), (0.0, 0));
}

#[test]
fn m11_and_m12_the_later_games_have_the_same_curve_at_other_rates() {
    let m11 = bytes(
        "6D6F7400 01000B00 10000000 03000000 FFFF0100 0200FFFF 0000403F 05000306
         0200FFFF 34000000 FF7FFFFF 00000000 00000000 0000004E 00000000 00000000
         00000000 0AC80000",
    );
    let m12 = bytes(
        "6D6F7400 05041220 00002D01 2C000000 01000000 00000000 74657374 00000000
         00000000 00000000 00000000 05000308 0200FFFF 18000000 FF7F0000 00000000
         00000000 0000004E 00000000 00000000 00000000 00012CC8 00000000",
    );
    let m11 = LaterMot::parse(&m11).unwrap();
    let curve = |mot: &LaterMot, bone| {
        let record = mot.records.iter().find(|record| record.bone == bone).unwrap();
        Curve::try_from(&record.keys()).unwrap()
    };
    samples(&curve(&m11, -1), &[(5.0, 0.75)]);
    samples(&curve(&m11, 5), &M6_CURVE);
    let m12 = LaterMot::parse(&m12).unwrap();
    samples(
        &curve(&m12, 5),
        &[(75.0, 0.1220703125), (150.0, 0.390625), (300.0, 0.78125)],
    );
    let clip = MotClip::of_later(&m12).unwrap();
    assert_eq!((clip.frames_per_second(), clip.timeline().end), (60.0, 300.0));
    assert_eq!(
        MotClip::of_later(&m11).unwrap().timeline().loop_rule,
        LoopRule::From(0.0)
    );
}

/// A chain of three bones, the last two 10 above their parents.
fn rig() -> Rig {
    let bones = vec![
        Bone::new(None, [0.0; 3]),
        Bone::new(Some(0), [0.0, 10.0, 0.0]),
        Bone::new(Some(1), [0.0, 10.0, 0.0]),
    ];
    Rig::new(&Skeleton::new(BoneEncoding::Mhfu, bones))
}

fn constant(bone: i8, track: MotTrack, value: f32) -> Record {
    Record::new(bone, track, MotCurve::single_pose(value))
}

fn played(records: Vec<Record>) -> MotClip {
    MotClip::new(&Mot::new(Form::Okami, records).unwrap()).unwrap()
}

const AUTHORED: PoseOptions = PoseOptions {
    root_motion: RootMotion::AsAuthored,
    sampling: crate::play::Sampling::Fractional,
    tail: crate::pose::TailPose::Attached,
};

#[test]
fn bones_count_from_the_root() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let clip = played(vec![
        constant(-1, MotTrack::Position(Axis::X), 3.0),
        constant(0, MotTrack::Rotation(Axis::Z), quarter),
        constant(0, MotTrack::Position(Axis::Y), 7.0),
        constant(50, MotTrack::Rotation(Axis::X), 1.0),
    ]);
    let rig = rig();
    let motion = clip.motion(&rig, &BoneMap::default());
    let pose = rig.pose(Some(&motion), Moment::Frame(0.0), &AUTHORED);
    // A position replaces the rest offset on its axis alone; a quarter turn about Z takes Y to -X.
    let tip = pose.world[2].translation;
    assert!((tip - DVec3::new(3.0 - 10.0, 7.0, 0.0)).length() < 1e-5, "{tip}");
    assert_eq!(
        motion.diagnostics(),
        [MotionDiagnostic::NoMotBone { bone: 50, joints: 3 }]
    );
    assert_eq!(
        motion.diagnostics()[0].to_string(),
        "bone 50 of the MOT: the model has bones -1 to 1; not played"
    );
}

#[test]
fn a_map_moves_other_bones_and_the_root_stays_in_model_space() {
    let clip = played(vec![
        constant(-1, MotTrack::Position(Axis::Y), 25.0),
        constant(3, MotTrack::Rotation(Axis::X), 1.0),
    ]);
    let rig = rig();
    let map: BoneMap = "root 2 # the tip".parse().unwrap();
    let motion = clip.motion(&rig, &map);
    let pose = rig.pose(Some(&motion), Moment::Frame(0.0), &AUTHORED);
    assert_eq!(pose.world[2].translation, DVec3::new(0.0, 25.0, 0.0));
    assert_eq!(motion.diagnostics(), [MotionDiagnostic::NotMapped { bone: 3 }]);
}

#[test]
fn the_order_of_rotation_is_a_choice() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let clip = played(vec![
        constant(-1, MotTrack::Rotation(Axis::X), quarter),
        constant(-1, MotTrack::Rotation(Axis::Z), quarter),
    ]);
    let rig = rig();
    let tip = |clip: MotClip| {
        let motion = clip.motion(&rig, &BoneMap::default());
        rig.pose(Some(&motion), Moment::Frame(0.0), &AUTHORED).world[1].translation
    };
    assert!((tip(clip.clone()) - DVec3::Z * 10.0).length() < 1e-5);
    assert!((tip(clip.in_order(RotationOrder::Zyx)) + DVec3::X * 10.0).length() < 1e-5);
}

#[test]
fn scales_are_inherited_plainly() {
    let quarter = std::f32::consts::FRAC_PI_2;
    let clip = played(vec![
        constant(-1, MotTrack::Scale(Axis::X), 2.0),
        constant(0, MotTrack::Rotation(Axis::Z), quarter),
    ]);
    let rig = rig();
    let motion = clip.motion(&rig, &BoneMap::default());
    let pose = rig.pose(Some(&motion), Moment::Frame(0.0), &AUTHORED);
    // The tip lies along X of the root once turned, and the root is stretched there.
    let tip = pose.world[2].translation;
    assert!((tip - DVec3::new(-20.0, 10.0, 0.0)).length() < 1e-5, "{tip}");
}

#[test]
fn a_loop_ends_a_frame_before_its_count() {
    let key = |frame, value| HermiteKey {
        frame,
        value,
        ..HermiteKey::default()
    };
    let curve = MotCurve::fit(&[key(0, 0.0), key(20, 8.0)], 0.0).unwrap();
    let records = vec![Record::new(-1, MotTrack::Position(Axis::X), curve)];
    let looping = Mot::new(Form::Okami, records).unwrap().looping();
    let motion = MotClip::new(&looping)
        .unwrap()
        .motion(&rig(), &BoneMap::default());
    let x = |elapsed| {
        let pose = rig().pose(Some(&motion), Moment::Elapsed(elapsed), &AUTHORED);
        pose.world[0].translation.x
    };
    assert_eq!((x(20.0), x(21.0), x(30.0)), (8.0, x(1.0), 4.0));
}

#[test]
fn bone_maps_say_what_is_wrong_and_where() {
    let error = |text: &str| text.parse::<BoneMap>().unwrap_err().to_string();
    assert_eq!(
        error("0 1\nhead 5"),
        "line 2: \"head 5\" is not a MOT's bone and a model's, such as \"17 5\""
    );
    assert_eq!(error("0 1 2"), error("0 1 2 # x"));
    assert!(error("-2 5").starts_with("line 1: \"-2 5\""));
    assert_eq!(
        error("0 1\n\n0 2"),
        "line 3: bone 0 of the MOT has a line already"
    );
    assert_eq!(
        error("0 1\n1 1"),
        "line 2: bone 1 of the model is moved by bone 0 of the MOT already"
    );
    assert_eq!(error("# nothing"), "no line names a bone");
    let map: BoneMap = "root 4\n-0 2\r\n".parse().unwrap();
    assert_eq!(
        (map.joint(-1), map.joint(0), map.joint(1)),
        (Some(4), Some(2), None)
    );
    assert_eq!((map.bone(4), map.bone(0)), (Some(-1), None));
}
