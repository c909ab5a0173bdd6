//! Motions that play once: roars, attacks, falls.

use glam::DVec3;

use super::calm::{FLIGHT, aloft, at_ease};
use super::pose::{Pose, stand_point};
use crate::sample::math::{TAU, mix, profile, sin, smoothstep};
use crate::sample::wyvern::anatomy::{HIP, ROOT, SHOULDER, Side, TAIL};

/// A value over frames: smooth through rows of (frame, value), flat outside them.
fn curve(frame: f64, rows: &[(f64, f64)]) -> f64 {
    profile(rows, frame)
}

/// Shivering, as a throat does when it roars.
fn shiver(frame: f64, period: f64) -> f64 {
    sin(TAU * frame / period)
}

/// A motion that starts and ends as the animal stands.
fn from_ease(frame: f64) -> Pose {
    let _ = frame;
    at_ease()
}

/// Neck and jaw of a roar whose strength is 0 to 1, after a wind-up of the same kind.
fn roar_with(pose: &mut Pose, frame: f64, wind_up: f64, strength: f64) {
    pose.bend_neck(-30.0 * wind_up + 20.0 * strength, 0.0);
    pose.head(
        -4.0 * wind_up + 12.0 * strength + 1.5 * strength * shiver(frame, 7.0),
        4.0 * strength * shiver(frame, 31.0),
        0.0,
    );
    pose.mouth(
        40.0 * strength + 2.0 * strength * shiver(frame, 5.0),
        -10.0 * wind_up + 38.0 * strength,
    );
}

/// Entry 24: the head rears and the jaw opens wide.
pub(crate) fn head_roar(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let wind_up = curve(frame, &[(0.0, 0.0), (24.0, 1.0), (40.0, 0.0), (130.0, 0.0)]);
    let strength = curve(
        frame,
        &[(0.0, 0.0), (24.0, 0.0), (44.0, 1.0), (96.0, 1.0), (130.0, 0.0)],
    );
    roar_with(&mut pose, frame, wind_up, strength);
    pose
}

/// Entry 25: a look over the left shoulder.
pub(crate) fn look_aside(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let aside = curve(frame, &[(0.0, 0.0), (34.0, 1.0), (66.0, 0.94), (100.0, 0.0)]);
    pose.bend_neck(4.0 * aside, 74.0 * aside);
    pose.head(-4.0 * aside, 28.0 * aside, -12.0 * aside);
    pose.mouth(3.0 + 5.0 * aside, 10.0 * aside);
    pose
}

/// Entry 101: the whole body roars.
pub(crate) fn roar(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let wind_up = curve(frame, &[(0.0, 0.0), (34.0, 1.0), (54.0, 0.0), (170.0, 0.0)]);
    let strength = curve(
        frame,
        &[(0.0, 0.0), (36.0, 0.0), (58.0, 1.0), (118.0, 1.0), (170.0, 0.0)],
    );
    roar_with(&mut pose, frame, wind_up, strength);
    pose.shift(
        HIP,
        DVec3::new(
            0.0,
            -34.0 * wind_up - 10.0 * strength,
            -18.0 * wind_up + 10.0 * strength,
        ),
    );
    pose.turn(HIP, 7.0 * wind_up - 9.0 * strength, 0.0, 0.0);
    pose.bend_trunk(-8.0 * wind_up + 5.0 * strength, 0.0);
    pose.wings(
        0.22 * wind_up - 0.60 * strength,
        -10.0 * wind_up + 22.0 * strength + 1.5 * strength * shiver(frame, 9.0),
    );
    pose.bend_wings(8.0 * strength);
    pose.bend_tail(
        10.0 * wind_up + 16.0 * strength,
        6.0 * strength * shiver(frame, 40.0),
        0.4,
    );
    pose.plant_both();
    pose
}

/// Entry 102: a swing of the tail, hip and all.
pub(crate) fn tail_swing(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let hip = curve(
        frame,
        &[
            (0.0, 0.0),
            (34.0, -26.0),
            (58.0, 44.0),
            (76.0, 30.0),
            (120.0, 0.0),
        ],
    );
    pose.turn(HIP, 0.0, hip, 0.0);
    pose.shift(
        HIP,
        DVec3::new(
            0.0,
            curve(frame, &[(0.0, 0.0), (34.0, -26.0), (58.0, -12.0), (120.0, 0.0)]),
            0.0,
        ),
    );
    for number in 0..6 {
        let late = frame - 3.5 * f64::from(number);
        let bend = curve(
            late,
            &[(0.0, 0.0), (36.0, -17.0), (60.0, 25.0), (80.0, 9.0), (120.0, 0.0)],
        );
        let settled = 1.0 - smoothstep(96.0, 120.0, frame);
        pose.turn(
            TAIL + number,
            2.5 * settled * smoothstep(10.0, 40.0, frame),
            bend * settled,
            0.0,
        );
    }
    pose.bend_trunk(0.0, -0.7 * hip);
    pose.bend_neck(
        -8.0 * smoothstep(0.0, 34.0, frame) * (1.0 - smoothstep(76.0, 120.0, frame)),
        -0.5 * hip,
    );
    pose.head(0.0, -0.3 * hip, 0.2 * hip);
    pose.wings(0.0, curve(frame, &[(0.0, 0.0), (58.0, 14.0), (120.0, 0.0)]));
    pose.plant_both();
    pose
}

/// Entry 103: draws back and snaps.
pub(crate) fn bite(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let back = curve(frame, &[(0.0, 0.0), (26.0, 1.0), (38.0, 0.0), (84.0, 0.0)]);
    let lunge = curve(
        frame,
        &[(0.0, 0.0), (28.0, 0.0), (40.0, 1.0), (50.0, 0.9), (84.0, 0.0)],
    );
    pose.shift(
        HIP,
        DVec3::new(0.0, -14.0 * back - 40.0 * lunge, -30.0 * back + 56.0 * lunge),
    );
    pose.turn(HIP, -5.0 * back + 11.0 * lunge, 0.0, 0.0);
    pose.bend_trunk(6.0 * back - 8.0 * lunge, 0.0);
    pose.bend_neck(22.0 * back - 34.0 * lunge, 10.0 * back - 14.0 * lunge);
    pose.head(-16.0 * back + 30.0 * lunge, 0.0, 18.0 * back - 24.0 * lunge);
    pose.mouth(
        curve(
            frame,
            &[
                (0.0, 2.0),
                (24.0, 16.0),
                (35.0, 38.0),
                (41.0, 1.0),
                (52.0, 0.0),
                (84.0, 2.0),
            ],
        ),
        20.0 * back,
    );
    pose.wings(0.12 * back - 0.2 * lunge, -6.0 * back + 12.0 * lunge);
    pose.bend_tail(-8.0 * back + 14.0 * lunge, 0.0, 0.3);
    pose.plant_both();
    pose
}

/// Entry 104: a quarter turn to the left in two steps; the root joint turns.
pub(crate) fn turn_left(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let turned = 90.0 * smoothstep(8.0, 88.0, frame);
    pose.turn(ROOT, 0.0, turned, 0.0);
    let lead = curve(frame, &[(0.0, 0.0), (30.0, 1.0), (64.0, 0.8), (96.0, 0.0)]);
    pose.bend_trunk(0.0, 14.0 * lead);
    pose.bend_neck(0.0, 34.0 * lead);
    pose.head(0.0, 12.0 * lead, 6.0 * lead);
    pose.bend_tail(2.0 * lead, 30.0 * lead, 0.5);
    pose.shift(
        HIP,
        DVec3::new(0.0, -10.0 * lead + 4.0 * shiver(frame, 48.0) * lead, 0.0),
    );
    for (side, from) in [(Side::Left, 10.0), (Side::Right, 48.0)] {
        let lift = curve(frame, &[(from, 0.0), (from + 20.0, 1.0), (from + 40.0, 0.0)]);
        let foot = stand_point(side) + DVec3::new(0.0, 44.0 * lift, 24.0 * lift * side.sign());
        pose.plant(side, foot, 22.0 * lift, 24.0 * lift);
    }
    pose
}

/// Entry 106: crouches, leaps and beats its wings up to hovering.
pub(crate) fn take_off(frame: f64) -> Pose {
    let crouch = curve(frame, &[(0.0, 0.0), (26.0, 1.0), (40.0, 0.0), (110.0, 0.0)]);
    let mut ground = at_ease();
    ground.shift(HIP, DVec3::new(0.0, -70.0 * crouch, 0.0));
    ground.turn(HIP, 8.0 * crouch, 0.0, 0.0);
    ground.bend_neck(-22.0 * crouch, 0.0);
    ground.head(20.0 * crouch, 0.0, 0.0);
    ground.wings(-0.5 * crouch, 34.0 * crouch);
    ground.plant_both();
    // The flight takes two wing beats and ends where the hovering loop starts.
    let air = aloft((frame - 110.0) / 40.0);
    let mut pose = ground.mixed(&air, smoothstep(26.0, 66.0, frame));
    pose.shift(
        HIP,
        DVec3::Y * (0.2 * FLIGHT * curve(frame, &[(30.0, 0.0), (70.0, 1.0), (110.0, 0.0)])),
    );
    pose
}

/// Entry 107: flinches from a blow.
pub(crate) fn hit(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let pain = curve(frame, &[(0.0, 0.0), (9.0, 1.0), (22.0, 0.7), (60.0, 0.0)]);
    pose.shift(HIP, DVec3::new(-16.0 * pain, -26.0 * pain, -34.0 * pain));
    pose.turn(HIP, -6.0 * pain, -9.0 * pain, 6.0 * pain);
    pose.bend_trunk(6.0 * pain, -12.0 * pain);
    pose.bend_neck(20.0 * pain, -40.0 * pain);
    pose.head(14.0 * pain, -22.0 * pain, 20.0 * pain);
    pose.mouth(28.0 * pain, 30.0 * pain);
    pose.wings(-0.3 * pain, 20.0 * pain);
    pose.bend_tail(18.0 * pain, 30.0 * pain, 0.2);
    pose.plant_both();
    pose
}

/// Entry 108: leaps backwards, the distance on the root joint.
pub(crate) fn leap_back(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let crouch = curve(
        frame,
        &[
            (0.0, 0.0),
            (22.0, 1.0),
            (34.0, 0.0),
            (66.0, 0.0),
            (76.0, 0.8),
            (100.0, 0.0),
        ],
    );
    let height = curve(frame, &[(26.0, 0.0), (48.0, 1.0), (70.0, 0.0)]);
    pose.shift(ROOT, DVec3::new(0.0, 0.0, -360.0 * smoothstep(26.0, 74.0, frame)));
    pose.shift(HIP, DVec3::new(0.0, 120.0 * height - 56.0 * crouch, 0.0));
    pose.turn(HIP, 6.0 * crouch - 10.0 * height, 0.0, 0.0);
    pose.bend_neck(-14.0 * crouch + 6.0 * height, 0.0);
    pose.head(10.0 * crouch - 6.0 * height, 0.0, 0.0);
    pose.mouth(12.0 * height, 20.0 * height);
    pose.wings(
        -0.56 * height + 0.1 * crouch,
        40.0 * sin(TAU * smoothstep(26.0, 74.0, frame)) + 6.0 * crouch,
    );
    pose.bend_wings(-30.0 * height);
    pose.bend_tail(-20.0 * height + 6.0 * crouch, 0.0, 0.3);
    for side in Side::BOTH {
        let foot = stand_point(side) + DVec3::new(0.0, 104.0 * height, 30.0 * height);
        pose.plant(side, foot, 20.0 * height, 40.0 * height);
    }
    pose
}

/// Entry 109: stamps with the right foot.
pub(crate) fn stomp(frame: f64) -> Pose {
    let mut pose = from_ease(frame);
    let lift = curve(frame, &[(0.0, 0.0), (32.0, 1.0), (42.0, 0.0), (90.0, 0.0)]);
    let shock = curve(frame, &[(38.0, 0.0), (44.0, 1.0), (60.0, 0.2), (90.0, 0.0)]);
    pose.shift(HIP, DVec3::new(34.0 * lift, 12.0 * lift - 30.0 * shock, 0.0));
    pose.turn(HIP, -7.0 * lift + 4.0 * shock, 6.0 * lift, -9.0 * lift);
    pose.bend_trunk(9.0 * lift - 6.0 * shock, -8.0 * lift);
    pose.bend_neck(10.0 * lift - 20.0 * shock, -14.0 * lift);
    pose.head(-14.0 * lift + 16.0 * shock, 0.0, -8.0 * lift);
    pose.mouth(8.0 * lift + 24.0 * shock, 14.0 * shock);
    pose.wings(-0.35 * lift, 22.0 * lift - 10.0 * shock);
    pose.bend_tail(-10.0 * lift + 14.0 * shock, -20.0 * lift, 0.3);
    pose.plant(Side::Left, stand_point(Side::Left), 0.0, 0.0);
    let foot = stand_point(Side::Right) + DVec3::new(0.0, 130.0 * lift, 70.0 * lift);
    pose.plant(Side::Right, foot, 10.0 * lift, 20.0 * lift);
    pose
}

/// Entry 110: staggers, falls on its side and lies still.
pub(crate) fn fall_dead(frame: f64) -> Pose {
    let stagger = curve(frame, &[(0.0, 0.0), (24.0, 1.0), (56.0, 0.4), (84.0, 0.0)]);
    let down = smoothstep(44.0, 100.0, frame);
    let bounce = curve(frame, &[(92.0, 0.0), (102.0, 1.0), (114.0, 0.0)]);
    let mut pose = from_ease(frame);
    pose.shift(
        HIP,
        DVec3::new(
            mix(-20.0 * stagger, 60.0, down),
            -192.0 * down - 20.0 * stagger + 10.0 * bounce,
            0.0,
        ),
    );
    pose.turn(HIP, -6.0 * stagger, 8.0 * stagger, -68.0 * down);
    pose.bend_trunk(12.0 * stagger - 8.0 * down, 4.0 * down);
    pose.bend_neck(30.0 * stagger - 30.0 * down + 4.0 * bounce, 8.0 * down);
    pose.head(20.0 * stagger + 8.0 * down, 0.0, 14.0 * down);
    pose.mouth(
        30.0 * stagger + 14.0 * smoothstep(90.0, 130.0, frame),
        24.0 * stagger - 10.0 * down,
    );
    pose.wings(0.30 * down - 0.3 * stagger, 26.0 * stagger);
    pose.turn(SHOULDER, 0.0, 0.0, 66.0 * down);
    pose.turn(Side::Right.joint(SHOULDER), 0.0, 0.0, 58.0 * down);
    pose.bend_tail(10.0 * stagger - 4.0 * down, -10.0 * down, 0.4);
    let mut standing = pose.clone();
    standing.turn(HIP, 0.0, 0.0, 68.0 * down);
    standing.shift(HIP, DVec3::Y * (150.0 * down));
    standing.plant_both();
    for side in Side::BOTH {
        for joint in crate::sample::wyvern::anatomy::THIGH..crate::sample::wyvern::anatomy::THIGH + 4 {
            let joint = usize::from(side.joint(joint));
            pose.angles[joint] = standing.angles[joint];
        }
    }
    pose
}
