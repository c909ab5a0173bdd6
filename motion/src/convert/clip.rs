use formats::animation::{self, Channel, ChannelKind, Encoding, Key};

use super::distance::distance;
use super::fit::{Rounding, fit};
use super::{
    Bound, ConvertError, Converted, Errors, Source, keep_worst, sources, steps, timeline_of, undriven_angles,
};
use crate::clip::Component;
use crate::curve::{Curve, HermiteKey};
use crate::library::Motion;
use crate::play::{CLIP_FRAMES_PER_SECOND, LoopRule};
use crate::rig::Rig;

/// A clip of a motion: a track for each of `joints`, in their order.
///
/// With a rig, joints that nothing drives, and angles of driven ones that the motion leaves out, keep
/// their bind angles by keys of their own: what the game does with a track without channels is
/// disputed (spec/mhp-formats.md C3).
///
/// # Errors
///
/// Whatever a clip cannot hold: values and frames beyond 16 bits, an order of rotation other than
/// xyz, parts that loop on their own; a bound that whole steps and frames cannot keep.
pub fn clip_of(
    motion: &Motion,
    joints: &[usize],
    rig: Option<&Rig>,
    encoding: Encoding,
    bound: Bound,
) -> Result<Converted<animation::Clip>, ConvertError> {
    let ratio = CLIP_FRAMES_PER_SECOND / motion.frames_per_second();
    let timeline = timeline_of(motion, joints.iter().copied())?;
    let length = timeline.end * ratio;
    let last = whole_frames(length, i16::MAX as u32)?;
    let (mut errors, mut worst) = (Errors::default(), None);
    let mut tracks = Vec::with_capacity(joints.len());
    for &joint in joints {
        let mut channels = Vec::new();
        for source in sources(motion, joint, encoding, ratio)? {
            match channel(joint, &source, last, encoding, bound) {
                Ok((channel, error)) => {
                    errors.note(source.component, error);
                    channels.push(channel);
                }
                Err(error) => keep_worst(&mut worst, error)?,
            }
        }
        if let Some(bind) = rig
            .and_then(|rig| rig.joints().get(joint))
            .map(|joint| joint.bind)
        {
            let is_bare = channels.is_empty();
            for axis in undriven_angles(motion, joint) {
                let raw = bind.rotation[axis.index()].turns() * steps(Component::Rotation(axis), encoding);
                if is_bare || raw != 0.0 {
                    let component = Component::Rotation(axis);
                    let source = constant(component, raw, encoding)?;
                    let (channel, error) = channel(joint, &source, last, encoding, bound)?;
                    errors.note(component, error);
                    channels.push(channel);
                }
            }
        }
        channels.sort_by_key(|channel| channel.bit);
        tracks.push(animation::Track::new(channels));
    }
    if let Some(error) = worst {
        return Err(error);
    }
    reach(&mut tracks, last);
    let keys = tracks
        .iter()
        .flat_map(|track| &track.channels)
        .map(|channel| channel.keys.len())
        .sum();
    let clip = animation::Clip::new(tracks);
    let value = match timeline.loop_rule {
        LoopRule::Once => clip,
        LoopRule::From(start) => clip.looping_from((start * ratio) as f32),
    };
    Ok(Converted {
        value,
        errors,
        keys,
        length,
    })
}

/// The frame on which a motion of this length ends.
pub(super) fn whole_frames(length: f64, most: u32) -> Result<u32, ConvertError> {
    let frames = length.ceil();
    match (0.0..=f64::from(most)).contains(&frames) {
        true => Ok(frames as u32),
        false => Err(ConvertError::TooLong { frames, most }),
    }
}

fn constant(component: Component, raw: f64, encoding: Encoding) -> Result<Source, ConvertError> {
    let curve = Curve::step(&[(0.0, raw)]).or_else(|_| Curve::step(&[(0.0, 0.0)]));
    match curve {
        Ok(curve) => Ok(Source {
            component,
            curve,
            steps: steps(component, encoding),
        }),
        // A curve of one finite key always is one.
        Err(_) => Err(ConvertError::TooLong { frames: 0.0, most: 0 }),
    }
}

fn channel(
    joint: usize,
    source: &Source,
    last: u32,
    encoding: Encoding,
    bound: Bound,
) -> Result<(Channel, f64), ConvertError> {
    let component = source.component;
    let unkept = |reached| ConvertError::Bound {
        joint,
        component,
        reached,
        bound: bound.steps(),
    };
    let fitted =
        fit(&source.curve, last, bound.steps(), Rounding::Steps).ok_or_else(|| unkept(f64::INFINITY))?;
    let (least, most) = (f64::from(i16::MIN), f64::from(i16::MAX));
    for key in &fitted.keys {
        let exact = source.curve.sample(key.frame);
        if !(least..=most).contains(&exact.round()) {
            return Err(ConvertError::Range {
                joint,
                component,
                value: exact / source.steps,
                frame: key.frame,
                least: least / source.steps,
                most: most / source.steps,
            });
        }
    }
    let error = distance(&source.curve, &fitted.curve, 0.0, last.into());
    if error > bound.steps() {
        return Err(unkept(error));
    }
    let channel = Channel::new(
        kind(component, encoding),
        fitted.keys.iter().map(stored).collect(),
    );
    Ok((channel, error))
}

/// A key whose numbers are within 16 bits already.
fn stored(key: &HermiteKey) -> Key {
    Key::new(key.frame as i16, key.value as i16).with_eases(key.slope_in as i16, key.slope_out as i16)
}

fn kind(component: Component, encoding: Encoding) -> ChannelKind {
    match (component, encoding) {
        (Component::Rotation(axis), _) => ChannelKind::Rotation(axis),
        (Component::Location(axis), _) => ChannelKind::Location(axis),
        (Component::Scale(axis), Encoding::Mhfu) => ChannelKind::Scale(axis),
        (Component::Scale(axis), Encoding::Mhp3rd) => ChannelKind::FineScale(axis),
    }
}

/// A clip ends on its last key: makes the first channel hold up to the motion's last frame, if
/// none has a key there.
fn reach(tracks: &mut [animation::Track], last: u32) {
    let last = last as i16;
    let mut channels = tracks.iter_mut().flat_map(|track| &mut track.channels);
    if channels
        .by_ref()
        .any(|channel| channel.keys.last().is_some_and(|key| key.frame >= last))
    {
        return;
    }
    let channel = tracks.iter_mut().flat_map(|track| &mut track.channels).next();
    if let Some(channel) = channel
        && let Some(key) = channel.keys.last_mut()
    {
        key.ease_out = 0;
        let held = Key::new(last, key.value);
        channel.keys.push(held);
    }
}
