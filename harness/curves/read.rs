//! Charts of the four formats.

use formats::animation::{self, AnimationPack, ChannelKind, Encoding};
use formats::fsha::ShapeAnimation;
use formats::mot::later::{self, LaterMot, LaterTrack};
use formats::mot::{self, Axis, Keys, Mot, Track};
use motion::curve::{Curve, CurveError};
use motion::library::{Library, Motion};
use motion::morph;
use motion::play::{CLIP_FRAMES_PER_SECOND, LoopRule};
use motion::rig::Rig;

use super::{Chart, Line, Panel, Quantity};

/// Samples of all channels together beyond which a chart is refused.
const MOST_SAMPLES: u64 = 20_000_000;

/// Why an animation has no chart.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A curve that cannot be evaluated.
    #[error("{channel}: {error}")]
    Curve {
        /// The channel.
        channel: String,
        /// What is wrong with it.
        error: CurveError,
    },
    /// More samples than are reasonable.
    #[error("{channels} channels over {frames} frames are more than can be plotted at once")]
    TooLong {
        /// How many channels.
        channels: usize,
        /// How many frames.
        frames: u64,
    },
}

/// A channel before it is sampled.
struct Channel {
    driven: String,
    bone: Option<i32>,
    quantity: Quantity,
    name: String,
    factor: f64,
    keys: Vec<f64>,
    curve: Result<Curve, CurveError>,
}

impl Chart {
    /// A clip of a pack by itself, which does not know its bones.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn of_clip(title: String, clip: &animation::Clip, encoding: Encoding) -> Result<Self, ReadError> {
        let tracks = (0..).zip(&clip.tracks);
        let channels =
            tracks.flat_map(|(index, track)| clip_channels(format!("track {index}"), index, track, encoding));
        Self::of_channels(
            title,
            CLIP_FRAMES_PER_SECOND,
            clip_end(clip),
            clip_loop(clip),
            channels.collect(),
        )
    }

    /// What a model plays: the clips of all parts, by joint.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn of_motion(
        title: String,
        rig: &Rig,
        library: &Library,
        pack: &AnimationPack,
        motion: &Motion,
    ) -> Result<Self, ReadError> {
        let encoding = pack.encoding().unwrap_or(Encoding::Mhfu);
        let mut channels = Vec::new();
        for part in motion
            .playable()
            .into_iter()
            .flat_map(|playable| playable.filled())
        {
            let Some(clip) = pack.clip(part.slot.stream, part.slot.slot) else {
                continue;
            };
            let joints: Vec<usize> = match library.record_map(part.slot.stream) {
                Some(map) => map.bones.clone(),
                None => (0..rig.joints().len())
                    .filter(|&joint| rig.joints()[joint].part == part.part)
                    .collect(),
            };
            for (&joint, track) in joints.iter().zip(&clip.tracks) {
                channels.extend(clip_channels(
                    format!("joint {joint}"),
                    joint as i32,
                    track,
                    encoding,
                ));
            }
        }
        channels.sort_by_key(|channel: &Channel| channel.bone);
        let timeline = motion.timeline();
        Self::of_channels(
            title,
            CLIP_FRAMES_PER_SECOND,
            timeline.end,
            timeline.loop_rule,
            channels,
        )
    }

    /// A motion of Okami or God Hand.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn of_mot(title: String, motion: &Mot) -> Result<Self, ReadError> {
        let channels = motion
            .curves()
            .map(|(bone, track, curve)| mot_channel(bone.into(), mot_track(track), &curve.keys()));
        let end = f64::from(motion.frame_count().saturating_sub(1));
        let loop_rule = if motion.is_looping() {
            LoopRule::From(0.0)
        } else {
            LoopRule::Once
        };
        Self::of_channels(
            title,
            mot::FRAMES_PER_SECOND.into(),
            end,
            loop_rule,
            channels.collect(),
        )
    }

    /// A motion of the later games.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn of_later_mot(title: String, motion: &LaterMot) -> Result<Self, ReadError> {
        let channels = motion.records.iter().map(|record| {
            let track = match record.track {
                LaterTrack::Bone(track) => mot_track(track),
                LaterTrack::CameraRoll => (Quantity::Rotation, "roll".to_owned()),
                LaterTrack::CameraFieldOfView => (Quantity::Rotation, "field of view".to_owned()),
                LaterTrack::Unknown(number) => (Quantity::Unknown, format!("track {number}")),
            };
            mot_channel(record.bone.into(), track, &record.curve.keys())
        });
        let end = f64::from(motion.frame_count.saturating_sub(1).max(0));
        let loop_rule = if motion.is_looping() {
            LoopRule::From(0.0)
        } else {
            LoopRule::Once
        };
        Self::of_channels(
            title,
            later::FRAMES_PER_SECOND.into(),
            end,
            loop_rule,
            channels.collect(),
        )
    }

    /// A shape animation: the weights of each shape's keys. The first key, the shape at rest, has what the
    /// others leave of 1.
    ///
    /// # Errors
    ///
    /// See [`ReadError`].
    pub fn of_shapes(title: String, animation: &ShapeAnimation) -> Result<Self, ReadError> {
        let mut channels = Vec::new();
        for shape in &animation.shapes {
            for (index, key) in shape.keys.iter().enumerate() {
                let stored = shape.curve_of(index).filter(|_| index > 0);
                let constant = if index == 0 {
                    1.0
                } else {
                    f64::from(shape.base_value(index))
                };
                channels.push(Channel {
                    driven: format!("shape {}", shape.name),
                    bone: None,
                    quantity: Quantity::Weight,
                    name: key.name.to_string(),
                    factor: 1.0,
                    keys: stored.map(key_frames).unwrap_or_default(),
                    curve: stored.map_or_else(|| Curve::step(&[(0.0, constant)]), Curve::try_from),
                });
            }
        }
        let loop_rule = if animation.is_looping() {
            LoopRule::From(0.0)
        } else {
            LoopRule::Once
        };
        let end = f64::from(animation.frame_count);
        let mut chart = Self::of_channels(title, morph::FRAMES_PER_SECOND, end, loop_rule, channels)?;
        for panel in &mut chart.panels {
            let [rest, others @ ..] = &mut panel.lines[..] else {
                continue;
            };
            for (frame, weight) in rest.values.iter_mut().enumerate() {
                *weight -= others
                    .iter()
                    .filter_map(|line| line.values.get(frame))
                    .sum::<f64>();
            }
        }
        Ok(chart)
    }

    /// Samples channels; neighbours that drive the same are one panel. `end` may not be the last key.
    fn of_channels(
        title: String,
        frames_per_second: f64,
        end: f64,
        loop_rule: LoopRule,
        channels: Vec<Channel>,
    ) -> Result<Self, ReadError> {
        let last_key = channels
            .iter()
            .filter_map(|channel| channel.keys.last().copied())
            .fold(0.0, f64::max);
        let last = end.max(last_key).ceil();
        let samples = (last + 1.0) * channels.len().max(1) as f64;
        if samples > MOST_SAMPLES as f64 {
            return Err(ReadError::TooLong {
                channels: channels.len(),
                frames: (last + 1.0) as u64,
            });
        }
        let last_frame = last as u32;
        let mut panels: Vec<Panel> = Vec::new();
        for Channel {
            driven,
            bone,
            quantity,
            name,
            factor,
            keys,
            curve,
        } in channels
        {
            let curve = curve.map_err(|error| ReadError::Curve {
                channel: format!("{driven}, {} {name}", quantity.name()),
                error,
            })?;
            let line = Line::sampled(name, keys, &curve, factor, last_frame);
            match panels.last_mut() {
                Some(panel) if panel.driven == driven && panel.quantity == quantity => panel.lines.push(line),
                _ => panels.push(Panel {
                    driven,
                    bone,
                    quantity,
                    lines: vec![line],
                }),
            }
        }
        Ok(Self {
            title,
            last_frame,
            frames_per_second,
            loop_rule,
            panels,
        })
    }
}

fn clip_end(clip: &animation::Clip) -> f64 {
    clip.last_frame().into()
}

fn clip_loop(clip: &animation::Clip) -> LoopRule {
    if clip.is_looping() {
        LoopRule::From(clip.loop_start.into())
    } else {
        LoopRule::Once
    }
}

/// The channels of a track. One without keys moves nothing and is left out.
fn clip_channels(
    driven: String,
    bone: i32,
    track: &animation::Track,
    encoding: Encoding,
) -> impl Iterator<Item = Channel> {
    track
        .channels
        .iter()
        .filter(|channel| !channel.keys.is_empty())
        .map(move |channel| {
            let (quantity, name, factor) = match channel.kind() {
                Some(ChannelKind::FineScale(axis)) if encoding == Encoding::Mhfu => {
                    (Quantity::Unknown, format!("fine scale {axis:?}"), 1.0)
                }
                Some(kind @ (ChannelKind::Scale(axis) | ChannelKind::FineScale(axis))) => {
                    (Quantity::Scale, format!("{axis:?}"), f64::from(kind.unit()))
                }
                Some(ChannelKind::Rotation(axis)) => {
                    (Quantity::Rotation, format!("{axis:?}"), 360.0 / 16384.0)
                }
                Some(kind @ ChannelKind::Location(axis)) => {
                    (Quantity::Position, format!("{axis:?}"), f64::from(kind.unit()))
                }
                None => (Quantity::Unknown, format!("bit {:#x}", channel.bit), 1.0),
            };
            Channel {
                driven: driven.clone(),
                bone: Some(bone),
                quantity,
                name,
                factor,
                keys: channel.keys.iter().map(|key| key.frame.into()).collect(),
                curve: Curve::try_from(&channel.keys[..]),
            }
        })
        .collect::<Vec<_>>()
        .into_iter()
}

fn mot_track(track: Track) -> (Quantity, String) {
    let named = |axis: Axis| format!("{axis:?}");
    match track {
        Track::Position(axis) => (Quantity::Position, named(axis)),
        Track::Rotation(axis) => (Quantity::Rotation, named(axis)),
        Track::Scale(axis) => (Quantity::Scale, named(axis)),
    }
}

fn mot_channel(bone: i32, (quantity, name): (Quantity, String), keys: &Keys) -> Channel {
    Channel {
        driven: if bone < 0 {
            "root".to_owned()
        } else {
            format!("bone {bone}")
        },
        bone: Some(bone),
        factor: if quantity == Quantity::Rotation {
            180.0 / std::f64::consts::PI
        } else {
            1.0
        },
        quantity,
        name,
        keys: match keys {
            Keys::Constant(_) => Vec::new(),
            Keys::Hermite(keys) => keys.iter().map(|key| key.frame.into()).collect(),
            Keys::Linear(samples) => (0_u32..).zip(samples).map(|(frame, _)| frame.into()).collect(),
        },
        curve: Curve::try_from(keys),
    }
}

fn key_frames(curve: &formats::fsha::Curve) -> Vec<f64> {
    (0..curve.key_count())
        .filter_map(|key| curve.frame(key))
        .collect()
}
