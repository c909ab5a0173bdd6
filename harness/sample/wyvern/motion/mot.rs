//! A motion of the wyvern as Okami keeps its own.

use formats::mot::{Axis, Curve, Form, HermiteKey, InvalidCurve, Mot, Record, Track};
use glam::DVec3;

use super::calm::at_ease;
use super::pose::Pose;
use crate::sample::math::{PI, TAU, mix, sin, smoothstep};
use crate::sample::wyvern::anatomy::{ANIMATED, BASE, HIP, TAIL, joints};
use crate::sample::{SampleError, SampleFile};

/// The last frame, which is the first again; 30 frames make a second.
const END: u16 = 60;
/// Frames from one key to the next.
const STEP: u16 = 5;
/// Radians that a stored angle may be off: so much that bytes do for all of them. What 16-bit keys are called in a
/// file is in doubt, and a reader would warn (`spec/mot.md` §4.2).
const ANGLE_BOUND: f64 = 0.012;
/// Model units that a stored place may be off.
const PLACE_BOUND: f64 = 0.2;

/// The file.
pub(crate) fn files() -> Result<Vec<SampleFile>, SampleError> {
    let motion = Mot::new(Form::Okami, records()?)?.looping();
    Ok(vec![SampleFile {
        name: "loose/wyvern.mot".to_owned(),
        bytes: motion.write(),
        about: "an Okami motion of wyvern.pac's skeleton: it looks around and sways its tail".to_owned(),
    }])
}

/// The pose at a frame: the head looks to the left, then to the right, and the tail swings against it.
fn look_around(frame: f64) -> Pose {
    let t = frame / f64::from(END);
    let swing = |lag: f64| sin(TAU * (t - lag));
    let glance = swing(0.0) * smoothstep(0.0, 0.5, swing(0.0).abs());
    let mut pose = at_ease();
    pose.shift(
        HIP,
        DVec3::new(5.0 * swing(0.1), 3.0 * sin(TAU * 2.0 * t) - 4.0, 0.0),
    );
    pose.turn(HIP, 0.0, 2.0 * swing(0.05), 1.2 * swing(0.1));
    pose.bend_trunk(1.5 * sin(TAU * 2.0 * t), 7.0 * swing(0.05));
    pose.bend_neck(4.0 * sin(TAU * 2.0 * t), 52.0 * glance);
    pose.head(-6.0 * glance.abs(), 24.0 * glance, 12.0 * swing(0.12));
    pose.mouth(5.0 + 4.0 * sin(TAU * 2.0 * t), 10.0 * glance.abs());
    for number in 0..6 {
        let share = f64::from(number) / 5.0;
        pose.turn(
            TAIL + number,
            0.0,
            mix(7.0, 17.0, share) * swing(0.1 * f64::from(number)),
            0.0,
        );
    }
    pose.plant_both();
    pose
}

/// A record for each component that leaves its rest: an angle of 0, a place relative to the parent.
fn records() -> Result<Vec<Record>, InvalidCurve> {
    let binds = joints();
    let poses: Vec<Pose> = (-1..=i32::from(END) + 1)
        .map(|frame| look_around(f64::from(frame)))
        .collect();
    let mut records = Vec::new();
    for joint in BASE..ANIMATED {
        let index = usize::from(joint);
        let parent = binds[index]
            .parent
            .map_or(DVec3::ZERO, |parent| binds[usize::from(parent)].bind);
        let offset = binds[index].bind - parent;
        for axis in Axis::ALL {
            let at = axis.index();
            let places = poses.iter().map(|pose| offset[at] + pose.shifts[index][at]);
            records.extend(record(
                joint,
                Track::Position(axis),
                offset[at],
                places.collect(),
            )?);
        }
        for axis in Axis::ALL {
            let angles = poses
                .iter()
                .map(|pose| pose.angles[index][axis.index()] * (PI / 180.0));
            records.extend(record(joint, Track::Rotation(axis), 0.0, angles.collect())?);
        }
    }
    Ok(records)
}

/// The curve of one component, `None` where it stays at rest. `values` start one frame before the motion.
fn record(bone: u8, track: Track, rest: f64, values: Vec<f64>) -> Result<Option<Record>, InvalidCurve> {
    let inside = &values[1..values.len() - 1];
    let is_still = |value: f64| inside.iter().all(|other| (other - value).abs() < 1e-6);
    if is_still(rest) {
        return Ok(None);
    }
    let curve = if is_still(inside[0]) {
        Curve::single_pose(inside[0] as f32)
    } else {
        let keys: Vec<HermiteKey> = (0..=END)
            .step_by(usize::from(STEP))
            .map(|frame| {
                let at = usize::from(frame) + 1;
                // Tangents are those of a whole segment.
                let tangent = (values[at + 1] - values[at - 1]) / 2.0 * f64::from(STEP);
                HermiteKey {
                    frame: frame.into(),
                    value: values[at],
                    incoming: tangent,
                    outgoing: tangent,
                }
            })
            .collect();
        Curve::fit(
            &keys,
            if matches!(track, Track::Position(_)) {
                PLACE_BOUND
            } else {
                ANGLE_BOUND
            },
        )?
    };
    Ok(Some(Record::new(bone as i8, track, curve)))
}
