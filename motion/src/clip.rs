//! Clips as they are played: a timeline and a track of curves for each bone driven.
//!
//! A [`Clip`] is made from the clip of either game's pack. What is odd about it becomes a
//! [`ClipDiagnostic`], and the clip still plays.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use formats::animation::{Axis, Channel, ChannelKind, Encoding, Key};
use glam::DVec3;

use crate::curve::Curve;
use crate::play::{LoopRule, Timeline};
use crate::rotation::{Angle, RotationOrder};

/// A joint's transform relative to its parent: what channels drive, and what the bind pose gives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointTransform {
    /// Factor per axis.
    pub scale: DVec3,
    /// Angles about X, Y and Z.
    pub rotation: [Angle; 3],
    /// In which order they act.
    pub order: RotationOrder,
    /// Position relative to the parent, in model units.
    pub location: DVec3,
}

impl Default for JointTransform {
    fn default() -> Self {
        Self {
            scale: DVec3::ONE,
            rotation: [Angle::ZERO; 3],
            order: RotationOrder::default(),
            location: DVec3::ZERO,
        }
    }
}

/// Which number of a [`JointTransform`] a curve drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Component {
    /// A scale factor.
    Scale(Axis),
    /// An angle; its curves are in turns.
    Rotation(Axis),
    /// A position, in model units.
    Location(Axis),
}

impl fmt::Display for Component {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, axis) = match self {
            Self::Scale(axis) => ("scale", axis),
            Self::Rotation(axis) => ("rotation", axis),
            Self::Location(axis) => ("location", axis),
        };
        write!(formatter, "{name} {axis:?}")
    }
}

/// Where location channels are sampled, which root motion may hold still.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LocationSource {
    /// At this clip frame.
    Frame(f64),
    /// Not at all: the bind location stays.
    Bind,
}

/// The curves of one bone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Track {
    channels: Vec<(Component, Curve)>,
    order: RotationOrder,
}

impl Track {
    /// A track of curves whose angles act in an order.
    pub(crate) fn new(channels: Vec<(Component, Curve)>, order: RotationOrder) -> Self {
        Self { channels, order }
    }

    /// The curves with what they drive.
    pub fn channels(&self) -> &[(Component, Curve)] {
        &self.channels
    }

    /// In which order the angles act.
    pub fn order(&self) -> RotationOrder {
        self.order
    }

    /// Overwrites what the channels drive, and nothing else (spec/mhp-formats.md C4): `transform`
    /// comes in at bind. Of two channels for one component the later one counts, as in the engine.
    pub fn apply(&self, frame: f64, location: LocationSource, transform: &mut JointTransform) {
        transform.order = self.order;
        for (component, curve) in &self.channels {
            match *component {
                Component::Scale(axis) => transform.scale[axis.index()] = curve.sample(frame),
                // The curve's unit is the turn.
                Component::Rotation(axis) => {
                    transform.rotation[axis.index()] = Angle::from_turns(curve.sample(frame));
                }
                Component::Location(axis) => {
                    if let LocationSource::Frame(frame) = location {
                        transform.location[axis.index()] = curve.sample(frame);
                    }
                }
            }
        }
    }

    /// Whether the track drives nothing.
    pub fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    /// Whether the track drives a location on any axis.
    pub fn moves(&self) -> bool {
        let is_location = |(component, _): &(Component, Curve)| matches!(component, Component::Location(_));
        self.channels.iter().any(is_location)
    }

    /// Frame of the last key of all channels.
    fn end(&self) -> f64 {
        self.channels
            .iter()
            .map(|(_, curve)| curve.end())
            .fold(0.0, f64::max)
    }
}

/// A clip, ready to be played on any rig.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// The tracks, in file order. Which bone each drives is the rig's business.
    pub tracks: Vec<Arc<Track>>,
    /// Length and loop.
    pub timeline: Timeline,
    /// What is odd about the clip, in track order, at most a few notes for a channel.
    pub diagnostics: Vec<ClipDiagnostic>,
}

/// Something about a clip that a careful reader wants to know. None keeps it from playing here.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClipDiagnostic {
    /// Keys whose frames fall were sorted. The engine does not stop on such keys
    /// (spec/mhp-formats.md §5.4).
    #[error(
        "track {track}, bit {bit:#x}: key {key} lies before the key in front of it; sorted here, endless in the game"
    )]
    KeysSorted {
        /// The track.
        track: usize,
        /// The channel's bit.
        bit: u16,
        /// The first key that lies too early, as stored.
        key: usize,
    },
    /// A channel without keys drives nothing.
    #[error("track {track}, bit {bit:#x}: no keys")]
    NoKeys {
        /// The track.
        track: usize,
        /// The channel's bit.
        bit: u16,
    },
    /// A component has two channels; the later one plays.
    #[error("track {track}, bit {bit:#x}: the component has a channel already; the later one plays")]
    DuplicateChannel {
        /// The track.
        track: usize,
        /// The channel's bit.
        bit: u16,
    },
    /// A bit without a known meaning; the channel does not play.
    #[error("track {track}: unknown channel bit {bit:#x}")]
    UnknownBit {
        /// The track.
        track: usize,
        /// The channel's bit, or bits.
        bit: u16,
    },
    /// A scale channel on which Freedom Unite's engine crashes; it does not play here
    /// (spec/mhp-formats.md C2).
    #[error("track {track}, bit {bit:#x}: a scale channel that crashes the game; not played")]
    CrashingScale {
        /// The track.
        track: usize,
        /// The channel's bit.
        bit: u16,
    },
    /// A scale other than 1. It plays, but the engine's order of scale and rotation is not
    /// certain (spec/mhp-formats.md §4.4).
    #[error(
        "track {track}, bit {bit:#x}: a scale other than 1, whose place in the game's matrix is not certain"
    )]
    Scaled {
        /// The track.
        track: usize,
        /// The channel's bit.
        bit: u16,
    },
    /// A track that drives nothing. The bone rests at bind here; that it does so in the game is
    /// disputed (spec/mhp-formats.md C3).
    #[error("track {track}: drives nothing; at bind here, perhaps collapsed in the game")]
    EmptyTrack {
        /// The track.
        track: usize,
    },
    /// A loop that does not start inside the clip; the end holds.
    #[error("the loop starts at frame {start}, which is not inside the clip")]
    LoopStart {
        /// The stored start.
        start: f32,
    },
}

impl Clip {
    /// Prepares a clip of a pack. `encoding` tells the meaning of the scale bits.
    pub fn new(clip: &formats::animation::Clip, encoding: Encoding) -> Self {
        let mut diagnostics = Vec::new();
        let tracks: Vec<Arc<Track>> = clip
            .tracks
            .iter()
            .enumerate()
            .map(|(index, track)| Arc::new(prepare_track(index, track, encoding, &mut diagnostics)))
            .collect();
        let end = tracks.iter().map(|track| track.end()).fold(0.0, f64::max);
        let loop_rule = if clip.is_looping() {
            LoopRule::From(f64::from(clip.loop_start))
        } else {
            LoopRule::Once
        };
        if clip.is_looping() && !(0.0..=end).contains(&f64::from(clip.loop_start)) {
            diagnostics.push(ClipDiagnostic::LoopStart {
                start: clip.loop_start,
            });
        }
        Self {
            tracks,
            timeline: Timeline { end, loop_rule },
            diagnostics,
        }
    }
}

fn prepare_track(
    index: usize,
    track: &formats::animation::Track,
    encoding: Encoding,
    diagnostics: &mut Vec<ClipDiagnostic>,
) -> Track {
    let mut channels: Vec<(Component, Curve)> = Vec::with_capacity(track.channels.len().min(9));
    for channel in &track.channels {
        let bit = channel.bit;
        let (component, unit) = match (channel.kind(), encoding) {
            (None, _) => {
                diagnostics.push(ClipDiagnostic::UnknownBit { track: index, bit });
                continue;
            }
            (Some(ChannelKind::FineScale(_)), Encoding::Mhfu) => {
                diagnostics.push(ClipDiagnostic::CrashingScale { track: index, bit });
                continue;
            }
            (Some(kind), _) => component_of(kind),
        };
        let Some(curve) = prepare_channel(index, channel, unit, diagnostics) else {
            continue;
        };
        if matches!(component, Component::Scale(_)) && !is_one(channel, unit) {
            diagnostics.push(ClipDiagnostic::Scaled { track: index, bit });
        }
        match channels.iter_mut().find(|(other, _)| *other == component) {
            Some((_, earlier)) => {
                diagnostics.push(ClipDiagnostic::DuplicateChannel { track: index, bit });
                *earlier = curve;
            }
            None => channels.push((component, curve)),
        }
    }
    if channels.is_empty() {
        diagnostics.push(ClipDiagnostic::EmptyTrack { track: index });
    }
    Track::new(channels, RotationOrder::default())
}

/// A channel's component and the size of its raw unit: factors, turns or model units, each a power
/// of two, so that scaling is exact (spec/mhp-formats.md §5.3).
fn component_of(kind: ChannelKind) -> (Component, f64) {
    match kind {
        ChannelKind::Scale(axis) => (Component::Scale(axis), 1.0 / 16.0),
        ChannelKind::FineScale(axis) => (Component::Scale(axis), 1.0 / 256.0),
        ChannelKind::Rotation(axis) => (Component::Rotation(axis), 1.0 / Angle::RAW_PER_TURN),
        ChannelKind::Location(axis) => (Component::Location(axis), 1.0 / 16.0),
    }
}

fn prepare_channel(
    track: usize,
    channel: &Channel,
    unit: f64,
    diagnostics: &mut Vec<ClipDiagnostic>,
) -> Option<Curve> {
    let bit = channel.bit;
    let mut keys = Cow::Borrowed(&channel.keys[..]);
    if let Some(fall) = keys.windows(2).position(|pair| pair[1].frame < pair[0].frame) {
        diagnostics.push(ClipDiagnostic::KeysSorted {
            track,
            bit,
            key: fall + 1,
        });
        keys.to_mut().sort_by_key(|key| key.frame);
    }
    // Sorted keys of whole numbers fail in one way only: by not being there.
    let Ok(curve) = Curve::try_from(&*keys) else {
        diagnostics.push(ClipDiagnostic::NoKeys { track, bit });
        return None;
    };
    Some(curve.scaled(unit))
}

/// Whether a scale channel never leaves 1.
fn is_one(channel: &Channel, unit: f64) -> bool {
    let flat = |key: &Key| key.ease_in == 0 && key.ease_out == 0;
    let one = |key: &Key| f64::from(key.value) * unit == 1.0;
    channel.keys.iter().all(one) && (channel.keys.len() < 2 || channel.keys.iter().all(flat))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip_of(channels: Vec<Channel>, encoding: Encoding) -> Clip {
        let track = formats::animation::Track::new(channels);
        Clip::new(&formats::animation::Clip::new(vec![track]), encoding)
    }

    fn posed(clip: &Clip, frame: f64, bind: JointTransform) -> JointTransform {
        let mut transform = bind;
        clip.tracks[0].apply(frame, LocationSource::Frame(frame), &mut transform);
        transform
    }

    #[test]
    fn an_axis_without_a_channel_keeps_its_bind_values() {
        // spec/mhp-formats.md §6, other checks; C4 for the rotation.
        let bind = JointTransform {
            rotation: [0.1, 0.2, 0.3].map(Angle::from_radians),
            location: DVec3::new(4.0, 5.0, 6.0),
            ..JointTransform::default()
        };
        let location = Channel::new(ChannelKind::Location(Axis::Y), vec![Key::new(0, 160)]);
        let rotation = Channel::new(ChannelKind::Rotation(Axis::Z), vec![Key::new(0, 4096)]);
        let pose = posed(&clip_of(vec![location, rotation], Encoding::Mhfu), 0.0, bind);
        assert_eq!(pose.location, DVec3::new(4.0, 10.0, 6.0));
        assert_eq!(pose.rotation[..2], bind.rotation[..2]);
        assert_eq!(pose.rotation[2].turns(), 0.25);
    }

    #[test]
    fn scale_has_two_units() {
        let keys = |value| vec![Key::new(0, value), Key::new(8, value)];
        let coarse = Channel::new(ChannelKind::Scale(Axis::X), keys(16));
        let fine = Channel::new(ChannelKind::FineScale(Axis::Y), keys(256));
        let portable = clip_of(vec![coarse.clone(), fine.clone()], Encoding::Mhp3rd);
        assert_eq!(posed(&portable, 4.0, JointTransform::default()).scale, DVec3::ONE);
        assert_eq!(portable.diagnostics, []);

        let unite = clip_of(vec![coarse, fine], Encoding::Mhfu);
        assert_eq!(
            unite.diagnostics,
            [ClipDiagnostic::CrashingScale { track: 0, bit: 0x400 }]
        );

        let half = Channel::new(ChannelKind::Scale(Axis::Z), keys(8));
        let half = clip_of(vec![half], Encoding::Mhfu);
        assert_eq!(posed(&half, 4.0, JointTransform::default()).scale.z, 0.5);
        assert_eq!(half.diagnostics, [ClipDiagnostic::Scaled { track: 0, bit: 4 }]);
    }

    #[test]
    fn odd_channels_are_named_and_still_play() {
        let rotation = |keys| Channel::new(ChannelKind::Rotation(Axis::X), keys);
        let clip = clip_of(
            vec![
                rotation(vec![Key::new(10, 100), Key::new(0, 0), Key::new(20, 200)]),
                rotation(vec![]),
                rotation(vec![Key::new(5, 4096)]),
                Channel {
                    bit: 0x1000,
                    keys: vec![Key::new(99, 1)],
                },
                Channel {
                    bit: 0x018,
                    keys: vec![Key::new(99, 1)],
                },
            ],
            Encoding::Mhfu,
        );
        assert_eq!(
            clip.diagnostics,
            [
                ClipDiagnostic::KeysSorted {
                    track: 0,
                    bit: 8,
                    key: 1
                },
                ClipDiagnostic::NoKeys { track: 0, bit: 8 },
                ClipDiagnostic::DuplicateChannel { track: 0, bit: 8 },
                ClipDiagnostic::UnknownBit {
                    track: 0,
                    bit: 0x1000
                },
                ClipDiagnostic::UnknownBit { track: 0, bit: 0x018 },
            ]
        );
        assert_eq!(
            posed(&clip, 0.0, JointTransform::default()).rotation[0].turns(),
            0.25
        );
        assert_eq!(clip.timeline.end, 5.0);
        assert_eq!(
            clip.diagnostics[0].to_string(),
            "track 0, bit 0x8: key 1 lies before the key in front of it; sorted here, endless in the game"
        );
    }

    #[test]
    fn a_clip_ends_on_its_last_key_and_never_before_zero() {
        let at = |frame| Channel::new(ChannelKind::Rotation(Axis::X), vec![Key::new(frame, 1)]);
        assert_eq!(clip_of(vec![at(-30)], Encoding::Mhfu).timeline.end, 0.0);
        let y = Channel::new(ChannelKind::Location(Axis::Y), vec![Key::new(107, 1)]);
        assert_eq!(clip_of(vec![at(50), y], Encoding::Mhfu).timeline.end, 107.0);
    }

    #[test]
    fn loops_start_inside_the_clip() {
        let track = formats::animation::Track::new(vec![Channel::new(
            ChannelKind::Rotation(Axis::X),
            vec![Key::new(0, 0), Key::new(60, 5)],
        )]);
        let clip = |start| {
            let clip = formats::animation::Clip::new(vec![track.clone()]).looping_from(start);
            Clip::new(&clip, Encoding::Mhfu)
        };
        assert_eq!(clip(20.0).timeline.loop_rule, LoopRule::From(20.0));
        assert_eq!(clip(20.0).diagnostics, []);
        assert_eq!(
            clip(61.0).diagnostics,
            [ClipDiagnostic::LoopStart { start: 61.0 }]
        );
        assert_eq!(clip(f32::NAN).diagnostics.len(), 1);
    }
}
