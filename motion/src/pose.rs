//! Poses: forward kinematics of a rig at a moment of a motion.

use glam::{DAffine3, DVec3};

use crate::clip::{JointTransform, LocationSource};
use crate::library::{Drive, Motion};
use crate::play::{RootMotion, Sampling, Timeline};
use crate::rig::Rig;

/// When to sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moment {
    /// At this clip frame of every part; past a clip's end its last pose holds.
    Frame(f64),
    /// After this many clip frames of play from frame 0, each part by its own length and loop.
    Elapsed(f64),
}

impl Default for Moment {
    fn default() -> Self {
        Self::Frame(0.0)
    }
}

impl Moment {
    /// The cursor of a clip with this timeline.
    fn cursor(self, timeline: &Timeline) -> f64 {
        match self {
            Self::Frame(frame) if frame.is_finite() => frame,
            Self::Frame(_) => 0.0,
            Self::Elapsed(elapsed) => timeline.cursor_at(elapsed),
        }
    }
}

/// What becomes of a severable tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TailPose {
    /// Its joints ride on their carriers, as while the tail is whole.
    #[default]
    Attached,
    /// Its joints stay at bind, at the model's origin: for the dropped tail as an object of its
    /// own.
    AtBind,
}

/// How to pose. The default is what the game shows, but on the spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PoseOptions {
    /// Whole frames, or fractions too.
    pub sampling: Sampling,
    /// Where the motion of the root goes.
    pub root_motion: RootMotion,
    /// What becomes of a severable tail.
    pub tail: TailPose,
}

/// A rig at one moment: a transform and two matrices for each joint, in bone order.
///
/// The matrices are f64, composed of plain products and sums, so that they are the same on every
/// machine; they are rounded once, on the way to the GE ([`palette`](crate::palette)).
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// Transforms relative to the parents.
    pub local: Vec<JointTransform>,
    /// From each joint's space to model space.
    pub world: Vec<DAffine3>,
    /// From model space at bind to model space now: `world * inverse bind`. The identity at bind.
    pub skin: Vec<DAffine3>,
}

impl Rig {
    /// The rig at a moment of a motion, or at bind without one.
    pub fn pose(&self, motion: Option<&Motion>, moment: Moment, options: &PoseOptions) -> Pose {
        let local: Vec<JointTransform> = (0..self.joints().len())
            .map(|joint| {
                let drive = motion.and_then(|motion| motion.drive(joint));
                self.local_transform(joint, drive, moment, options)
            })
            .collect();
        let composition = motion.map(Motion::composition).unwrap_or_default();
        let mut world = self.world_of(&local, composition);
        if let (TailPose::Attached, Some(tail)) = (options.tail, self.tail()) {
            for pair in &tail.carriers {
                let carrier = world.get(pair.carrier).copied();
                if let (Some(carrier), Some(joint)) = (carrier, world.get_mut(pair.joint)) {
                    *joint = carrier;
                }
            }
        }
        let skin = world
            .iter()
            .zip(self.joints())
            .map(|(world, joint)| *world * joint.inverse_bind)
            .collect();
        Pose { local, world, skin }
    }

    fn local_transform(
        &self,
        index: usize,
        drive: Option<&Drive>,
        moment: Moment,
        options: &PoseOptions,
    ) -> JointTransform {
        let Some(joint) = self.joints().get(index) else {
            return JointTransform::default();
        };
        let mut transform = joint.bind;
        let Some(drive) = drive else {
            return transform;
        };
        let frame = options.sampling.frame(moment.cursor(&drive.timeline));
        let location = match options.root_motion {
            RootMotion::InPlace if joint.above_fork => LocationSource::Frame(0.0),
            RootMotion::AsInGame if self.root_joint() == Some(index) => LocationSource::Bind,
            _ => LocationSource::Frame(frame),
        };
        drive.track.apply(frame, location, &mut transform);
        transform
    }

    /// How far the root joint's location moves between two cursors, in model units before the
    /// entity's yaw and scale: what the game adds to the entity's position
    /// (spec/mhp-formats.md §5.9). Cursors keep their fraction here.
    ///
    /// The vector is in the space of joint 0; zero where nothing drives the root joint.
    pub fn travel(&self, motion: &Motion, from: f64, to: f64) -> DVec3 {
        let location = |frame: f64| {
            let index = self.root_joint()?;
            let mut transform = self.joints().get(index)?.bind;
            let track = &motion.drive(index)?.track;
            track.apply(frame, LocationSource::Frame(frame), &mut transform);
            Some(transform.location)
        };
        match (location(from), location(to)) {
            (Some(from), Some(to)) => to - from,
            _ => DVec3::ZERO,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
