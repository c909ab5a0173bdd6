//! MOT files on a rig: which joint each bone's curves drive, in which units, at which rate.
//!
//! A motion's bones are numbered from -1, the root, which is the first of the model's own
//! (spec/mot.md §8.1). On another rig a [`BoneMap`] says which joint each of them moves.
//!
//! ```
//! use formats::mot::{Axis, Curve, Form, HermiteKey, Mot, Record, Track};
//! use motion::mot::{BoneMap, MotClip};
//!
//! let key = |frame, value| HermiteKey { frame, value, ..HermiteKey::default() };
//! let nod = Curve::fit(&[key(0, 0.0), key(15, 0.5), key(30, 0.0)], 0.001)?;
//! let mot = Mot::new(Form::Okami, vec![Record::new(4, Track::Rotation(Axis::X), nod)])?.looping();
//! let clip = MotClip::new(&mot)?;
//! assert_eq!((clip.timeline().end, clip.frames_per_second()), (30.0, 30.0));
//!
//! let map: BoneMap = "# the motion's head is this rig's bone 12\n4 12".parse()?;
//! assert_eq!(map.joint(4), Some(12));
//! assert_eq!(BoneMap::default().joint(4), Some(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bone_map;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::sync::Arc;

use formats::animation::Axis;
use formats::mot::later::{self, LaterMot, LaterTrack};
use formats::mot::{self, Content, Keys, Mot};

pub use self::bone_map::{BoneMap, BoneMapError};
use crate::clip::{Component, Track};
use crate::curve::{Curve, CurveError};
use crate::library::{Motion, MotionDiagnostic};
use crate::play::{LoopRule, Timeline};
use crate::rig::{Composition, Joint, Rig};
use crate::rotation::RotationOrder;

/// A motion of a MOT file, ready to be played on any rig.
#[derive(Debug, Clone, PartialEq)]
pub struct MotClip {
    bones: BTreeMap<i16, Vec<(Component, Curve)>>,
    timeline: Timeline,
    frames_per_second: f64,
    /// Records that drive no bone.
    others: usize,
    order: RotationOrder,
}

impl MotClip {
    /// The motion of an Okami or God Hand file. The period of a loop is a frame less than the frame
    /// count, its last frame being the first again (spec/mot.md §8.4).
    ///
    /// # Errors
    ///
    /// A curve that cannot be evaluated; none of those that a file holds.
    pub fn new(mot: &Mot) -> Result<Self, CurveError> {
        let others = mot.records().iter();
        let others = others
            .filter(|record| matches!(record.content, Content::Unknown { .. }))
            .count();
        let curves = mot
            .curves()
            .map(|(bone, track, curve)| (bone.into(), track, curve.keys()));
        Self::of_curves(
            curves,
            mot.frame_count().into(),
            mot.is_looping(),
            mot::FRAMES_PER_SECOND,
            others,
        )
    }

    /// The motion of a later game's file. Its bones have numbers of the whole game, which its model
    /// maps: on any other rig they need a [`BoneMap`] (spec/mot.md §A.5).
    ///
    /// # Errors
    ///
    /// A curve that cannot be evaluated; none of those that a file holds.
    pub fn of_later(mot: &LaterMot) -> Result<Self, CurveError> {
        let mut others = 0;
        let mut curves = Vec::with_capacity(mot.records.len());
        for record in &mot.records {
            match record.track {
                LaterTrack::Bone(track) => curves.push((record.bone, track, record.keys())),
                _ => others += 1,
            }
        }
        let frame_count = u32::try_from(mot.frame_count).unwrap_or(0);
        Self::of_curves(
            curves.into_iter(),
            frame_count,
            mot.is_looping(),
            later::FRAMES_PER_SECOND,
            others,
        )
    }

    fn of_curves(
        curves: impl Iterator<Item = (i16, mot::Track, Keys)>,
        frame_count: u32,
        looping: bool,
        frames_per_second: u32,
        others: usize,
    ) -> Result<Self, CurveError> {
        let mut bones: BTreeMap<i16, Vec<(Component, Curve)>> = BTreeMap::new();
        for (bone, track, keys) in curves {
            let curve = Curve::try_from(&keys)?;
            let (component, curve) = match track {
                mot::Track::Position(axis) => (Component::Location(axis), curve),
                // From radians to turns.
                mot::Track::Rotation(axis) => (Component::Rotation(axis), curve.scaled(1.0 / TAU)),
                mot::Track::Scale(axis) => (Component::Scale(axis), curve),
            };
            let channels = bones.entry(bone).or_default();
            match channels.iter_mut().find(|(other, _)| *other == component) {
                Some((_, earlier)) => *earlier = curve,
                None => channels.push((component, curve)),
            }
        }
        let loop_rule = if looping {
            LoopRule::From(0.0)
        } else {
            LoopRule::Once
        };
        Ok(Self {
            bones,
            timeline: Timeline {
                end: frame_count.saturating_sub(1).into(),
                loop_rule,
            },
            frames_per_second: frames_per_second.into(),
            others,
            order: RotationOrder::default(),
        })
    }

    /// The same motion with angles that act in another order.
    #[must_use]
    pub fn in_order(self, order: RotationOrder) -> Self {
        Self { order, ..self }
    }

    /// Length and loop, in frames of the motion.
    pub fn timeline(&self) -> Timeline {
        self.timeline
    }

    /// 30, in the later games 60.
    pub fn frames_per_second(&self) -> f64 {
        self.frames_per_second
    }

    /// The bones that have curves, by the motion's numbers.
    pub fn bones(&self) -> impl Iterator<Item = i16> {
        self.bones.keys().copied()
    }

    /// The motion on a rig.
    ///
    /// Of a bone with curves, angles without one are 0, scales 1, and positions those of the bind
    /// pose; bones without any curve rest at bind (spec/mot.md §8.2). The root's position is in
    /// model space: on a joint that has a parent, it is taken from where that one stands at bind.
    pub fn motion(&self, rig: &Rig, map: &BoneMap) -> Motion {
        self.over(map, rig.joints().len(), |joint| {
            let joint = rig.joints().get(joint)?;
            Some((joint, joint.parent.and_then(|parent| rig.joints().get(parent))))
        })
    }

    /// The motion on as many joints as it drives, all of them at the origin.
    pub fn unrigged(&self, map: &BoneMap) -> Motion {
        let joints = self.bones.keys().filter_map(|&bone| map.joint(bone));
        let count = joints.max().map_or(0, |joint| joint + 1);
        self.over(map, count, |_| None)
    }

    fn over<'a>(
        &self,
        map: &BoneMap,
        count: usize,
        joint_and_parent: impl Fn(usize) -> Option<(&'a Joint, Option<&'a Joint>)>,
    ) -> Motion {
        let mut tracks: Vec<Option<Arc<Track>>> = vec![None; count];
        let mut diagnostics = Vec::new();
        if self.others > 0 {
            diagnostics.push(MotionDiagnostic::NoBoneRecords { records: self.others });
        }
        for (&bone, channels) in &self.bones {
            let Some(joint) = map.joint(bone) else {
                diagnostics.push(MotionDiagnostic::NotMapped { bone });
                continue;
            };
            let Some(track) = tracks.get_mut(joint) else {
                let joints = u32::try_from(count).unwrap_or(u32::MAX);
                diagnostics.push(MotionDiagnostic::NoMotBone { bone, joints });
                continue;
            };
            let mut channels = channels.clone();
            if let Some((joint, parent)) = joint_and_parent(joint) {
                if bone == BoneMap::ROOT
                    && let Some(parent) = parent
                {
                    from_model_space(&mut channels, parent);
                }
                rest(&mut channels, joint);
            }
            *track = Some(Arc::new(Track::new(channels, self.order)));
        }
        let (timeline, rate) = (self.timeline, self.frames_per_second);
        Motion::of_tracks(tracks, timeline, rate, Composition::Plain, diagnostics)
    }
}

/// Positions in model space, taken from where the parent stands at bind.
fn from_model_space(channels: &mut [(Component, Curve)], parent: &Joint) {
    for (component, curve) in channels {
        if let Component::Location(axis) = component {
            let origin = parent.bind_world.translation[axis.index()];
            *curve = curve.clone().shifted(-origin);
        }
    }
}

/// Gives a joint that is turned or scaled at bind the angles and scales that the motion leaves out.
fn rest(channels: &mut Vec<(Component, Curve)>, joint: &Joint) {
    for axis in Axis::ALL {
        let bind = &joint.bind;
        let of_bind = [
            (
                Component::Rotation(axis),
                bind.rotation[axis.index()].turns(),
                0.0,
            ),
            (Component::Scale(axis), bind.scale[axis.index()], 1.0),
        ];
        for (component, at_bind, value) in of_bind {
            let is_driven = channels.iter().any(|(other, _)| *other == component);
            if !is_driven
                && at_bind != value
                && let Ok(curve) = Curve::step(&[(0.0, value)])
            {
                channels.push((component, curve));
            }
        }
    }
}
