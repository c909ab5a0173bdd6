//! Motions made into clips and MOT files: resampled within an error bound that is stated, and
//! measured.
//!
//! The unit of every bound and error here is the step in which a clip's channel counts: 1/16 of a
//! model unit, pi/8192 radians, 1/16 of a scale in Freedom Unite and 1/256 elsewhere. An error is
//! the largest distance between the curve that was and the one that is, at any moment of the
//! motion, between frames too; it is worked out and not sampled.
//!
//! ```
//! use formats::animation::{Axis, Channel, ChannelKind, Clip, Encoding, Key, Track};
//! use formats::mot::Form;
//! use motion::convert::{Bound, clip_of, mot_of};
//! use motion::library::Motion;
//! use motion::mot::{BoneMap, MotClip};
//!
//! let keys = vec![Key::new(0, 0).with_eases(0, 90), Key::new(40, 4096).with_eases(120, 0)];
//! let turn = Track::new(vec![Channel::new(ChannelKind::Rotation(Axis::Y), keys)]);
//! let clip = motion::clip::Clip::new(&Clip::new(vec![turn]), Encoding::Mhfu);
//!
//! let there = mot_of(&Motion::of_clip(&clip), None, &BoneMap::default(), Form::Okami, Bound::default())?;
//! let mot = MotClip::new(&there.value)?.unrigged(&BoneMap::default());
//! let back = clip_of(&mot, &[0], None, Encoding::Mhfu, Bound::default())?;
//! assert!(there.errors.largest() <= 1.0 && back.errors.largest() <= 1.0);
//! assert_eq!(back.value.last_frame(), 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clip;
mod distance;
mod fit;
mod mot;
#[cfg(test)]
mod tests;

use formats::animation::{Axis, Encoding};
use formats::mot::InvalidMot;

pub use self::clip::clip_of;
pub use self::mot::mot_of;
use crate::clip::Component;
use crate::curve::Curve;
use crate::library::Motion;
use crate::play::{LoopRule, Timeline};
use crate::rotation::{Angle, RotationOrder};

/// How far a converted curve may lie from its source, in the channel's steps; above 0.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Bound(f64);

impl Bound {
    /// A bound in steps; `None` if it is not above 0.
    pub fn new(steps: f64) -> Option<Self> {
        (steps > 0.0 && steps.is_finite()).then_some(Self(steps))
    }

    /// The bound in steps.
    pub const fn steps(self) -> f64 {
        self.0
    }
}

impl Default for Bound {
    /// One step.
    fn default() -> Self {
        Self(1.0)
    }
}

/// The largest errors that a conversion made, in the channels' steps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Errors {
    /// Of angles.
    pub rotation: f64,
    /// Of positions.
    pub location: f64,
    /// Of scales.
    pub scale: f64,
}

impl Errors {
    /// The largest of all.
    pub fn largest(&self) -> f64 {
        self.rotation.max(self.location).max(self.scale)
    }

    /// The larger ones of two.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            rotation: self.rotation.max(other.rotation),
            location: self.location.max(other.location),
            scale: self.scale.max(other.scale),
        }
    }

    fn note(&mut self, component: Component, error: f64) {
        let largest = match component {
            Component::Rotation(_) => &mut self.rotation,
            Component::Location(_) => &mut self.location,
            Component::Scale(_) => &mut self.scale,
        };
        *largest = largest.max(error);
    }
}

/// What a conversion gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Converted<T> {
    /// The clip, or the MOT.
    pub value: T,
    /// How far it lies from its source.
    pub errors: Errors,
    /// How many keys it has.
    pub keys: usize,
    /// Its length as it ought to be, in its own frames. Where this is no whole number, the motion
    /// ends on the next frame, and a loop takes that much longer.
    pub length: f64,
}

/// What the target cannot hold.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The bound cannot be kept.
    #[error("bone {joint}, {component}: off by {reached:.3} steps at best, where {bound} are allowed")]
    Bound {
        /// The joint.
        joint: usize,
        /// What is driven.
        component: Component,
        /// The error that is left with a key on every frame.
        reached: f64,
        /// The bound.
        bound: f64,
    },
    /// A value beyond what 16 bits hold.
    #[error("bone {joint}, {component}: {value} at frame {frame}, where a clip holds {least} to {most}")]
    Range {
        /// The joint.
        joint: usize,
        /// What is driven.
        component: Component,
        /// The value: turns, model units or a factor.
        value: f64,
        /// Its frame, in those of the clip.
        frame: f64,
        /// The smallest that a clip holds.
        least: f64,
        /// The largest.
        most: f64,
    },
    /// More frames than a key's number holds.
    #[error("{frames} frames at the target's rate, where keys reach frame {most}")]
    TooLong {
        /// The last frame.
        frames: f64,
        /// The highest that can be.
        most: u32,
    },
    /// Parts that end or loop differently, which one motion cannot.
    #[error("parts of different lengths that loop: frames {} and {}, where a motion has one length", .first, .second)]
    Lengths {
        /// The end of one.
        first: f64,
        /// The end of another.
        second: f64,
    },
    /// MOT loops as a whole.
    #[error("the loop starts at frame {start}, where a MOT always starts over at frame 0")]
    LoopStart {
        /// The frame, in those of the source.
        start: f64,
    },
    /// Clips and MOT turn about X first.
    #[error("bone {joint}: angles in the order {order}, where the target's act as xyz")]
    Order {
        /// The joint.
        joint: usize,
        /// The order.
        order: RotationOrder,
    },
    /// A MOT has a number for bones -1 to 126 alone, or the bone map has none for this one.
    #[error("bone {joint} of the model has no number in a MOT with this bone map")]
    NoBone {
        /// The joint.
        joint: usize,
    },
    /// The MOT itself cannot be.
    #[error(transparent)]
    Mot(#[from] InvalidMot),
}

/// Keeps the worst of the bounds that cannot be kept, so that one attempt tells what all curves need; any other
/// error ends the conversion.
fn keep_worst(worst: &mut Option<ConvertError>, error: ConvertError) -> Result<(), ConvertError> {
    let reached = |error: &ConvertError| match error {
        ConvertError::Bound { reached, .. } => Some(*reached),
        _ => None,
    };
    let Some(new) = reached(&error) else {
        return Err(error);
    };
    if worst.as_ref().and_then(reached).is_none_or(|known| new > known) {
        *worst = Some(error);
    }
    Ok(())
}

/// Steps of a component in a clip.
fn steps(component: Component, encoding: Encoding) -> f64 {
    match (component, encoding) {
        (Component::Rotation(_), _) => Angle::RAW_PER_TURN,
        (Component::Location(_), _) | (Component::Scale(_), Encoding::Mhfu) => 16.0,
        (Component::Scale(_), Encoding::Mhp3rd) => 256.0,
    }
}

/// The length of what drives some joints, which is one for all of them unless shorter ones hold.
fn timeline_of(motion: &Motion, joints: impl Iterator<Item = usize>) -> Result<Timeline, ConvertError> {
    let mut whole: Option<Timeline> = None;
    for joint in joints {
        let Some(drive) = motion.drive(joint).filter(|drive| !drive.track.is_empty()) else {
            continue;
        };
        let timeline = drive.timeline;
        let Some(known) = &mut whole else {
            whole = Some(timeline);
            continue;
        };
        let both_hold = (known.loop_rule, timeline.loop_rule) == (LoopRule::Once, LoopRule::Once);
        if *known != timeline && !both_hold {
            return Err(ConvertError::Lengths {
                first: known.end,
                second: timeline.end,
            });
        }
        known.end = known.end.max(timeline.end);
    }
    Ok(whole.unwrap_or_default())
}

/// Curves of one joint in the target's frames and steps, with those that the bind pose gives.
struct Source {
    component: Component,
    curve: Curve,
    steps: f64,
}

/// What drives a joint, ready to be fitted. Scales that stay 1 are left out.
fn sources(
    motion: &Motion,
    joint: usize,
    encoding: Encoding,
    frame_ratio: f64,
) -> Result<Vec<Source>, ConvertError> {
    let Some(drive) = motion.drive(joint) else {
        return Ok(Vec::new());
    };
    let channels = drive.track.channels();
    let turns = |&(component, _): &&(Component, Curve)| matches!(component, Component::Rotation(_));
    if drive.track.order() != RotationOrder::Xyz && channels.iter().filter(turns).count() > 1 {
        return Err(ConvertError::Order {
            joint,
            order: drive.track.order(),
        });
    }
    let sources = channels.iter().filter_map(|(component, curve)| {
        let is_scale = matches!(component, Component::Scale(_));
        if is_scale && curve.constant() == Some(1.0) {
            return None;
        }
        let steps = steps(*component, encoding);
        Some(Source {
            component: *component,
            curve: curve.clone().retimed(frame_ratio).scaled(steps),
            steps,
        })
    });
    Ok(sources.collect())
}

/// The axes whose angle a driven joint takes from its bind pose.
fn undriven_angles(motion: &Motion, joint: usize) -> impl Iterator<Item = Axis> + '_ {
    let channels = motion
        .drive(joint)
        .map_or(&[][..], |drive| drive.track.channels());
    Axis::ALL.into_iter().filter(|&axis| {
        channels
            .iter()
            .all(|(component, _)| *component != Component::Rotation(axis))
    })
}
