//! A motion as keys: each component of each joint is followed closely by as few Hermite pieces as
//! will do.

use formats::animation::{Axis, Channel, ChannelKind, Key, Track};
use glam::DVec3;

use super::{Motion, Pose};
use crate::sample::wyvern::anatomy::{ANIMATED, BASE, joints};

/// Raw units of a rotation (16384 to the turn) that a key may miss: about a fifth of a degree.
const ANGLE_ERROR: f64 = 9.0;
/// Raw units of a location (16 to the unit) that a key may miss.
const PLACE_ERROR: f64 = 4.0;
/// Frames between the keys to start with.
const STEP: i32 = 16;

/// Keys for every animated joint: three rotation channels each, held still with two keys where
/// nothing moves, and locations on the joints that leave their place.
pub(crate) fn bake(motion: &Motion) -> Vec<Track> {
    let end = i32::from(motion.end);
    // One pose more on both sides gives the slopes at the ends; a motion that plays once holds there.
    let at = |frame: i32| match motion.loop_start {
        Some(_) => f64::from(frame),
        None => f64::from(frame.clamp(0, end)),
    };
    let poses: Vec<Pose> = (-1..=end + 1).map(|frame| (motion.pose)(at(frame))).collect();
    let binds = joints();
    (0..usize::from(ANIMATED))
        .map(|joint| {
            let mut channels = Vec::new();
            for axis in Axis::ALL {
                let raw = |pose: &Pose| pose.angles[joint][axis.index()] * (16384.0 / 360.0);
                let curve: Vec<f64> = poses.iter().map(raw).collect();
                channels.push(Channel::new(
                    ChannelKind::Rotation(axis),
                    keys(&curve, end, ANGLE_ERROR),
                ));
            }
            if joint != usize::from(BASE) && poses.iter().any(|pose| pose.shifts[joint] != DVec3::ZERO) {
                let parent = binds[joint]
                    .parent
                    .map_or(DVec3::ZERO, |p| binds[usize::from(p)].bind);
                let offset = binds[joint].bind - parent;
                for axis in Axis::ALL {
                    let raw = |pose: &Pose| (offset + pose.shifts[joint])[axis.index()] * 16.0;
                    let curve: Vec<f64> = poses.iter().map(raw).collect();
                    channels.push(Channel::new(
                        ChannelKind::Location(axis),
                        keys(&curve, end, PLACE_ERROR),
                    ));
                }
            }
            Track::new(channels)
        })
        .collect()
}

/// The key of a frame; `curve` starts one frame before the clip.
fn key(curve: &[f64], frame: i32) -> Key {
    let at = |frame: i32| curve[(frame + 1) as usize];
    let slope = ((at(frame + 1) - at(frame - 1)) / 2.0).round() as i16;
    Key::new(frame as i16, at(frame).round() as i16).with_eases(slope, slope)
}

/// Keys from 0 to `end` that follow the curve within `error`.
fn keys(curve: &[f64], end: i32, error: f64) -> Vec<Key> {
    let inside = &curve[1..curve.len() - 1];
    let still = inside.iter().all(|value| (value - inside[0]).abs() < 0.5);
    if still {
        let value = inside[0].round() as i16;
        return vec![Key::new(0, value), Key::new(end as i16, value)];
    }
    let mut keys = vec![key(curve, 0)];
    let pieces = (end / STEP).max(1);
    for piece in 0..pieces {
        let (from, to) = (end * piece / pieces, end * (piece + 1) / pieces);
        follow(curve, from, to, error, &mut keys);
        keys.push(key(curve, to));
    }
    thin(curve, keys, error)
}

/// Adds the keys needed strictly between two frames.
fn follow(curve: &[f64], from: i32, to: i32, error: f64, keys: &mut Vec<Key>) {
    if to - from < 2 || miss(curve, &key(curve, from), &key(curve, to)) <= error {
        return;
    }
    let middle = (from + to) / 2;
    follow(curve, from, middle, error, keys);
    keys.push(key(curve, middle));
    follow(curve, middle, to, error, keys);
}

/// Drops keys whose neighbours do as well alone.
fn thin(curve: &[f64], mut keys: Vec<Key>, error: f64) -> Vec<Key> {
    let mut index = 1;
    while index + 1 < keys.len() {
        if miss(curve, &keys[index - 1], &keys[index + 1]) <= error {
            keys.remove(index);
        } else {
            index += 1;
        }
    }
    keys
}

/// How far the Hermite piece between two keys strays from the curve (`spec/mhp-formats.md` §5.4).
fn miss(curve: &[f64], left: &Key, right: &Key) -> f64 {
    let span = f64::from(right.frame - left.frame);
    let (x0, x1) = (f64::from(left.value), f64::from(right.value));
    (left.frame..=right.frame)
        .map(|frame| {
            let d = f64::from(frame - left.frame);
            let s = d / span;
            let x = x0 * (1.0 - 3.0 * s * s + 2.0 * s * s * s)
                + x1 * (3.0 * s * s - 2.0 * s * s * s)
                + f64::from(left.ease_out) * d * (1.0 - s) * (1.0 - s)
                + f64::from(right.ease_in) * d * (s * s - s);
            (x - curve[usize::from(frame as u16) + 1]).abs()
        })
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::motions;
    use super::*;

    #[test]
    fn every_animated_joint_has_rotation_keys_from_0_to_the_end_in_order() {
        for motion in motions() {
            let tracks = bake(&motion);
            assert_eq!(tracks.len(), usize::from(ANIMATED));
            for channel in tracks.iter().flat_map(|track| &track.channels) {
                assert!(
                    channel.keys.is_sorted_by(|a, b| a.frame < b.frame),
                    "{}",
                    motion.entry
                );
                assert_eq!(channel.keys.first().map(|k| k.frame), Some(0));
                assert_eq!(channel.keys.last().map(|k| k.frame), Some(motion.end as i16));
            }
            assert!(tracks.iter().all(|track| track.channels.len() >= 3));
        }
    }

    #[test]
    fn loops_close() {
        for motion in motions() {
            let Some(start) = motion.loop_start else { continue };
            let (from, to) = (
                (motion.pose)(f64::from(start)),
                (motion.pose)(f64::from(motion.end)),
            );
            for (a, b) in from.angles.iter().zip(&to.angles) {
                assert!((*a - *b).abs().max_element() < 1e-6, "{}: {a} {b}", motion.entry);
            }
        }
    }
}
