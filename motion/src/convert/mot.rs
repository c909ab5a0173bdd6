use std::f64::consts::TAU;

use formats::animation::Encoding;
use formats::mot::{self, Curve as Stored, Form, HermiteKey, InvalidMot, Mot, Record};

use super::clip::whole_frames;
use super::distance::distance;
use super::fit::{Fitted, Rounding, fit};
use super::{
    Bound, ConvertError, Converted, Errors, Source, keep_worst, sources, timeline_of, undriven_angles,
};
use crate::clip::Component;
use crate::curve::Curve;
use crate::library::Motion;
use crate::mot::BoneMap;
use crate::play::LoopRule;
use crate::rig::Rig;
use crate::rotation::Angle;

/// A MOT of a motion, its bones numbered by a map.
///
/// A MOT takes angles without a curve as 0. With a rig, those that the motion leaves to the bind
/// pose get curves of their own, and a root that has a parent is moved to model space.
///
/// # Errors
///
/// Whatever a MOT cannot hold: more than 65534 frames or 254 curves, bones without a number, a loop
/// that starts late, parts that loop on their own; a bound that whole frames cannot keep.
pub fn mot_of(
    motion: &Motion,
    rig: Option<&Rig>,
    map: &BoneMap,
    form: Form,
    bound: Bound,
) -> Result<Converted<Mot>, ConvertError> {
    let ratio = f64::from(mot::FRAMES_PER_SECOND) / motion.frames_per_second();
    let joints = 0..motion.joint_count();
    let timeline = timeline_of(motion, joints.clone())?;
    if let LoopRule::From(start) = timeline.loop_rule
        && start != 0.0
    {
        return Err(ConvertError::LoopStart { start });
    }
    let length = timeline.end * ratio;
    let last = whole_frames(length, u32::from(u16::MAX) - 1)?;
    let (mut errors, mut worst) = (Errors::default(), None);
    let mut records: Vec<(i8, mot::Track, Stored)> = Vec::new();
    for joint in joints {
        // The finer step of the two games.
        let sources = sources(motion, joint, Encoding::Mhp3rd, ratio)?;
        if sources.is_empty() {
            continue;
        }
        let bone = map.bone(joint).and_then(|bone| i8::try_from(bone).ok());
        let Some(bone) = bone.filter(|&bone| bone < i8::MAX) else {
            return Err(ConvertError::NoBone { joint });
        };
        let rigged = rig.and_then(|rig| Some((rig, rig.joints().get(joint)?)));
        for mut source in sources {
            if i16::from(bone) == BoneMap::ROOT
                && let Component::Location(axis) = source.component
                && let Some((rig, joint)) = rigged
                && let Some(parent) = joint.parent.and_then(|parent| rig.joints().get(parent))
            {
                let origin = parent.bind_world.translation[axis.index()] * source.steps;
                source.curve = source.curve.shifted(origin);
            }
            match curve(joint, &source, last, bound) {
                Ok((curve, error)) => {
                    errors.note(source.component, error);
                    records.push((bone, track(source.component), curve));
                }
                Err(error) => keep_worst(&mut worst, error)?,
            }
        }
        for axis in undriven_angles(motion, joint) {
            let angle = rigged.map_or(Angle::ZERO, |(_, joint)| joint.bind.rotation[axis.index()]);
            if angle != Angle::ZERO {
                let curve = Stored::single_pose(angle.radians() as f32);
                records.push((bone, mot::Track::Rotation(axis), curve));
            }
        }
    }
    if let Some(error) = worst {
        return Err(error);
    }
    records.sort_by_key(|&(bone, track, _)| (bone, track.number()));
    let keys = records.iter().map(|(_, _, curve)| curve.key_count().max(1)).sum();
    let records = records
        .into_iter()
        .map(|(bone, track, curve)| Record::new(bone, track, curve));
    let frame_count = u16::try_from(last + 1).unwrap_or(u16::MAX);
    let mot = Mot::new(form, records.collect())?.with_frame_count(frame_count);
    let value = match timeline.loop_rule {
        LoopRule::Once => mot,
        LoopRule::From(_) => mot.looping(),
    };
    Ok(Converted {
        value,
        errors,
        keys,
        length,
    })
}

/// What one step is worth in a MOT: radians, model units or a factor.
fn unit(source: &Source) -> f64 {
    match source.component {
        Component::Rotation(_) => TAU / source.steps,
        Component::Location(_) | Component::Scale(_) => 1.0 / source.steps,
    }
}

fn curve(joint: usize, source: &Source, last: u32, bound: Bound) -> Result<(Stored, f64), ConvertError> {
    let unkept = |reached| ConvertError::Bound {
        joint,
        component: source.component,
        reached,
        bound: bound.steps(),
    };
    let error_of = |curve: &Curve| distance(&source.curve, curve, 0.0, last.into());
    // Half of the bound is left for the numbers' own rounding.
    let fitted =
        fit(&source.curve, last, bound.steps() / 2.0, Rounding::None).ok_or_else(|| unkept(f64::INFINITY))?;
    let spent = error_of(&fitted.curve);
    let unit = unit(source);
    let left = (bound.steps() - spent).max(0.0) * unit;
    let stored = Stored::fit(&hermite_keys(&fitted, unit), left)
        .map_err(|curve| InvalidMot::Curve { record: 0, curve })?;
    let read = Curve::try_from(&stored).map_err(|_| unkept(f64::INFINITY))?;
    let error = error_of(&read.scaled(1.0 / unit));
    if error > bound.steps() {
        return Err(unkept(error));
    }
    Ok((stored, error))
}

/// The keys with tangents over their segments, in the MOT's unit.
fn hermite_keys(fitted: &Fitted, unit: f64) -> Vec<HermiteKey> {
    let keys = &fitted.keys;
    let frames = |from: Option<usize>, to: usize| {
        let from = from.and_then(|from| keys.get(from));
        from.zip(keys.get(to))
            .map_or(0.0, |(from, to)| to.frame - from.frame)
    };
    keys.iter()
        .enumerate()
        .map(|(index, key)| HermiteKey {
            frame: key.frame as u32,
            value: key.value * unit,
            incoming: key.slope_in * frames(index.checked_sub(1), index) * unit,
            outgoing: key.slope_out * frames(Some(index), index + 1) * unit,
        })
        .collect()
}

fn track(component: Component) -> mot::Track {
    match component {
        Component::Location(axis) => mot::Track::Position(axis),
        Component::Rotation(axis) => mot::Track::Rotation(axis),
        Component::Scale(axis) => mot::Track::Scale(axis),
    }
}
