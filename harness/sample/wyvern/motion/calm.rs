//! Motions that loop: standing, walking, hovering, sleeping.

use glam::DVec3;

use super::pose::{Pose, stand_point};
use crate::sample::math::{TAU, cos, mix, sin, smoothstep};
use crate::sample::wyvern::anatomy::{ANKLE, FOOT, HEAD, HIP, KNEE, ROOT, SHOULDER, Side, TAIL, THIGH};

/// Last frame of the standing loop.
pub(crate) const STAND_END: u16 = 180;
/// Last frame of the walking loop.
pub(crate) const WALK_END: u16 = 96;
/// Last frame of one wing beat.
pub(crate) const HOVER_END: u16 = 52;
/// Last frame of falling asleep and one breath.
pub(crate) const SLEEP_END: u16 = 320;
/// Where sleep's loop returns to.
pub(crate) const SLEEP_LOOP: u16 = 160;
/// How high the hip rises above its place when flying.
pub(crate) const FLIGHT: f64 = 270.0;
/// Units that one walking loop covers.
const STRIDE: f64 = 250.0;

/// A sine over the share `t` of a loop, `cycles` times, `lag` of a turn behind.
fn swing(t: f64, cycles: f64, lag: f64) -> f64 {
    sin(TAU * (cycles * t - lag))
}

/// A sway that runs down the tail: degrees at the root of the tail and at its end.
fn sway_tail(pose: &mut Pose, t: f64, cycles: f64, root: f64, end: f64) {
    for number in 0..6 {
        let share = f64::from(number) / 5.0;
        pose.turn(
            TAIL + number,
            0.0,
            mix(root, end, share) * swing(t, cycles, 0.16 * f64::from(number)),
            0.0,
        );
    }
}

/// How the animal holds itself when nothing happens: wings half open, neck in an S.
pub(crate) fn at_ease() -> Pose {
    let mut pose = Pose::bind();
    pose.bend_trunk(7.0, 0.0);
    pose.bend_neck(14.0, 0.0);
    pose.head(-20.0, 0.0, 0.0);
    pose.wings(0.50, 12.0);
    pose.bend_tail(8.0, 0.0, 0.4);
    pose
}

/// Entry 0: breathing, a swaying tail, a look around.
pub(crate) fn stand(frame: f64) -> Pose {
    let t = frame / f64::from(STAND_END);
    let breath = swing(t, 2.0, 0.0);
    let mut pose = at_ease();
    pose.shift(HIP, DVec3::new(3.0 * swing(t, 1.0, 0.1), 3.5 * breath - 4.0, 0.0));
    pose.turn(HIP, 0.8 * breath, 0.0, 0.6 * swing(t, 1.0, 0.1));
    pose.bend_trunk(1.8 * breath, 0.0);
    pose.bend_neck(
        2.5 * swing(t, 2.0, 0.12),
        20.0 * swing(t, 1.0, 0.0) * smoothstep(0.0, 0.4, swing(t, 1.0, 0.0).abs()),
    );
    pose.head(
        -2.0 * swing(t, 2.0, 0.2),
        10.0 * swing(t, 1.0, 0.06),
        4.0 * swing(t, 1.0, 0.18),
    );
    pose.mouth(3.5 + 2.5 * swing(t, 2.0, 0.3), 5.0 * swing(t, 2.0, 0.3));
    pose.turn_both(SHOULDER, 0.0, 1.5 * swing(t, 2.0, 0.1), 3.0 * breath);
    pose.bend_wings(3.0 * swing(t, 2.0, 0.25));
    sway_tail(&mut pose, t, 1.0, 3.0, 9.0);
    pose.plant_both();
    pose
}

/// Entry 1: walking, with the distance on the root joint.
pub(crate) fn walk(frame: f64) -> Pose {
    let t = frame / f64::from(WALK_END);
    let mut pose = at_ease();
    pose.wings(0.16, -4.0);
    pose.shift(ROOT, DVec3::new(0.0, 0.0, STRIDE * t));
    pose.shift(
        HIP,
        DVec3::new(7.0 * swing(t, 1.0, 0.05), 6.0 * swing(t, 2.0, 0.05) - 12.0, 0.0),
    );
    pose.turn(
        HIP,
        1.5 * swing(t, 2.0, 0.2),
        4.0 * swing(t, 1.0, 0.2),
        3.0 * swing(t, 1.0, 0.05),
    );
    pose.bend_trunk(-4.0 + 1.5 * swing(t, 2.0, 0.3), -6.0 * swing(t, 1.0, 0.2));
    pose.bend_neck(-16.0 + 4.0 * swing(t, 2.0, 0.45), -5.0 * swing(t, 1.0, 0.3));
    pose.head(13.0 - 3.0 * swing(t, 2.0, 0.5), 5.0 * swing(t, 1.0, 0.25), 0.0);
    pose.mouth(4.0 + 2.0 * swing(t, 2.0, 0.1), 0.0);
    pose.turn_both(SHOULDER, 0.0, 2.0 * swing(t, 2.0, 0.2), 5.0 * swing(t, 2.0, 0.25));
    pose.bend_wings(6.0 * swing(t, 2.0, 0.45));
    sway_tail(&mut pose, t, 1.0, -4.0, -8.0);
    for (side, phase) in [(Side::Left, 0.0), (Side::Right, 0.5)] {
        step(&mut pose, side, t + phase);
    }
    pose
}

/// One leg of the walk: on the ground for six tenths of the loop, then lifted forwards.
fn step(pose: &mut Pose, side: Side, phase: f64) {
    const GROUNDED: f64 = 0.6;
    let phase = phase.rem_euclid(1.0);
    let reach = STRIDE * GROUNDED / 2.0;
    let mut foot = stand_point(side) + DVec3::new(-0.12 * 142.0 * side.sign(), 0.0, 18.0);
    let (heel, toes) = if phase < GROUNDED {
        let share = phase / GROUNDED;
        foot.z += mix(reach, -reach, share);
        (mix(-14.0, 6.0, share) + 24.0 * smoothstep(0.72, 1.0, share), 0.0)
    } else {
        let share = (phase - GROUNDED) / (1.0 - GROUNDED);
        let lift = sin(TAU / 2.0 * share);
        foot.z += mix(-reach, reach, smoothstep(0.0, 1.0, share));
        foot.y += 66.0 * lift;
        (
            mix(30.0, -14.0, smoothstep(0.0, 0.9, share)) + 34.0 * lift,
            24.0 * lift,
        )
    };
    pose.plant(side, foot, heel, toes);
}

/// Entry 100: hovering, one wing beat a loop.
pub(crate) fn hover(frame: f64) -> Pose {
    aloft(frame / f64::from(HOVER_END))
}

/// The hovering pose at a share of the wing beat.
pub(crate) fn aloft(t: f64) -> Pose {
    let beat = swing(t, 1.0, 0.0);
    let mut pose = Pose::bind();
    // The body rises while the wings go down.
    pose.shift(HIP, DVec3::new(0.0, FLIGHT - 22.0 * cos(TAU * (t - 0.08)), 0.0));
    pose.turn(HIP, -24.0 + 2.5 * beat, 0.0, 0.0);
    pose.bend_trunk(8.0 - 3.0 * beat, 0.0);
    pose.bend_neck(-4.0 + 3.0 * beat, 0.0);
    pose.head(-26.0 - 2.0 * beat, 0.0, 0.0);
    pose.mouth(9.0, 10.0);
    let upstroke = smoothstep(-0.2, 1.0, -cos(TAU * (t + 0.03)));
    pose.wings(0.20 * upstroke, -14.0 + 42.0 * swing(t, 1.0, 0.03));
    pose.bend_wings(-34.0 * cos(TAU * (t - 0.04)));
    pose.turn_both(SHOULDER, 12.0 * cos(TAU * t), 0.0, 0.0);
    pose.bend_tail(2.0 - 6.0 * beat, 0.0, 0.3);
    sway_tail(&mut pose, t, 1.0, 1.0, 3.0);
    pose.turn_both(THIGH, 34.0 + 3.0 * beat, 0.0, 4.0);
    pose.turn_both(KNEE, 30.0 + 4.0 * beat, 0.0, 0.0);
    pose.turn_both(ANKLE, -18.0 + 4.0 * beat, 0.0, 0.0);
    pose.turn_both(FOOT, 44.0 + 5.0 * beat, 0.0, 0.0);
    pose
}

/// Entry 105: lies down within the intro, then breathes asleep.
pub(crate) fn sleep(frame: f64) -> Pose {
    let down = smoothstep(6.0, 120.0, frame);
    let t = (frame - f64::from(SLEEP_LOOP)) / f64::from(SLEEP_END - SLEEP_LOOP);
    let breath = swing(t, 1.0, 0.0) * smoothstep(100.0, 160.0, frame);
    let mut lying = Pose::bind();
    lying.shift(HIP, DVec3::new(0.0, -204.0 + 3.0 * breath, -16.0));
    lying.turn(HIP, 4.0, -8.0, 0.0);
    lying.bend_trunk(-4.0 + 2.5 * breath, -16.0);
    lying.bend_neck(-36.0 - 2.0 * breath, -76.0);
    lying.head(26.0, -18.0, 8.0);
    lying.mouth(1.0, -8.0);
    lying.wings(0.98, -24.0 + 2.0 * breath);
    lying.bend_tail(-2.0, -84.0, 0.2);
    for side in Side::BOTH {
        let out = stand_point(side) + DVec3::new(24.0 * side.sign(), 0.0, 8.0);
        lying.plant(side, out, -34.0, 0.0);
    }
    let mut standing = at_ease();
    standing.plant_both();
    let mut pose = standing.mixed(&lying, down);
    // Head last, as animals do.
    pose.turn(
        HEAD,
        10.0 * smoothstep(0.0, 60.0, frame) * (1.0 - smoothstep(60.0, 130.0, frame)),
        0.0,
        0.0,
    );
    pose
}
