//! A pose: angles and displacements of the animated joints, with helpers in the animal's own terms.

use glam::DVec3;

use crate::sample::math::{PI, acos, atan2, rotate};
use crate::sample::wyvern::anatomy::{
    ANIMATED, ANKLE, CHEST, ELBOW, FINGER, FOOT, FRILL, HEAD, HIP, JAW, JointIndex, KNEE, LOIN, NECK,
    SHOULDER, SPINE, Side, TAIL, THIGH, WRIST, joints,
};

/// Euler angles in degrees and displacements in units, by joint.
#[derive(Clone, Debug)]
pub(crate) struct Pose {
    pub(crate) angles: Vec<DVec3>,
    /// Added to the bind offset; only on the root joint and the hip.
    pub(crate) shifts: Vec<DVec3>,
}

impl Pose {
    /// The bind pose.
    pub(crate) fn bind() -> Self {
        let count = usize::from(ANIMATED);
        Self {
            angles: vec![DVec3::ZERO; count],
            shifts: vec![DVec3::ZERO; count],
        }
    }

    /// Turns a joint further: X (nose down), Y (nose left), Z (left side up), in degrees.
    pub(crate) fn turn(&mut self, joint: JointIndex, x: f64, y: f64, z: f64) {
        self.angles[usize::from(joint)] += DVec3::new(x, y, z);
    }

    /// Turns a left joint and, mirrored, its right fellow.
    pub(crate) fn turn_both(&mut self, joint: JointIndex, x: f64, y: f64, z: f64) {
        for side in Side::BOTH {
            self.angles[usize::from(side.joint(joint))] += side.angles(DVec3::new(x, y, z));
        }
    }

    /// Moves a joint away from its place.
    pub(crate) fn shift(&mut self, joint: JointIndex, by: DVec3) {
        self.shifts[usize::from(joint)] += by;
    }

    /// Bends the trunk before the hip: `up` raises the chest, `left` turns it, in degrees over all joints.
    pub(crate) fn bend_trunk(&mut self, up: f64, left: f64) {
        for (joint, share) in [(LOIN, 0.3), (SPINE, 0.35), (CHEST, 0.35)] {
            self.turn(joint, -up * share, left * share, 0.0);
        }
    }

    /// Bends the neck: `up` raises the head, `left` turns it, in degrees over all its joints.
    pub(crate) fn bend_neck(&mut self, up: f64, left: f64) {
        for joint in NECK..HEAD {
            self.turn(joint, -up / 3.0, left / 3.0, 0.0);
        }
    }

    /// Turns the head on the neck: nose up, left, and tilted to the left.
    pub(crate) fn head(&mut self, up: f64, left: f64, tilt: f64) {
        self.turn(HEAD, -up, left, tilt);
    }

    /// Opens the jaw and spreads the frills.
    pub(crate) fn mouth(&mut self, open: f64, frills: f64) {
        self.turn(JAW, open, 0.0, 0.0);
        self.turn_both(FRILL, 0.0, -frills, 0.0);
    }

    /// Bends the tail: `up` and `right` in degrees over the whole of it, `curl` moves the bend to its end.
    pub(crate) fn bend_tail(&mut self, up: f64, right: f64, curl: f64) {
        for number in 0..6 {
            let share = (1.0 + curl * (f64::from(number) - 2.5) / 2.5) / 6.0;
            self.turn(TAIL + number, up * share, right * share, 0.0);
        }
    }

    /// Wings: `fold` from 0 (spread as in bind) to 1 (at the flanks), `raise` in degrees at the shoulder.
    pub(crate) fn wings(&mut self, fold: f64, raise: f64) {
        self.turn_both(SHOULDER, 0.0, 30.0 * fold, raise);
        self.turn_both(ELBOW, 0.0, -42.0 * fold, -0.2 * raise);
        self.turn_both(WRIST, 0.0, 78.0 * fold, -0.3 * raise);
        for (finger, spread) in [(0, 16.0), (1, -8.0), (2, -30.0)] {
            // In the wrist's frame fingers point outwards, so this lowers them however they are folded.
            self.turn_both(FINGER + 2 * finger, 0.0, spread * fold, -18.0 * fold * fold);
            self.turn_both(FINGER + 2 * finger + 1, 0.0, -6.0 * fold, 0.0);
        }
    }

    /// Bends the wings' outer halves up (positive) or down, as air does.
    pub(crate) fn bend_wings(&mut self, up: f64) {
        self.turn_both(WRIST, 0.0, 0.0, 0.5 * up);
        for finger in 0..3 {
            self.turn_both(FINGER + 2 * finger, 0.0, 0.0, 0.2 * up);
            self.turn_both(FINGER + 2 * finger + 1, 0.0, 0.0, 0.4 * up);
        }
    }

    /// Puts a foot's ball at `target` (model space) by bending hip, knee and ankle in the leg's
    /// plane. `heel` turns the metatarsus and `toes` the foot, in degrees from bind, both seen from
    /// the ground. Pose the hip first.
    pub(crate) fn plant(&mut self, side: Side, target: DVec3, heel: f64, toes: f64) {
        let binds = joints();
        let bind = |joint: JointIndex| binds[usize::from(side.joint(joint))].bind;
        let hip_turn = self.angles[usize::from(HIP)];
        let hip = bind(HIP) + self.shifts[usize::from(HIP)];
        let thigh = hip + rotate(bind(THIGH) - bind(HIP), hip_turn);
        let (upper, lower) = (bind(KNEE) - bind(THIGH), bind(ANKLE) - bind(KNEE));
        let metatarsus = rotate(bind(FOOT) - bind(ANKLE), DVec3::X * heel);
        let reach = target - metatarsus - thigh;

        let angle = |v: DVec3| atan2(v.z, v.y) * (180.0 / PI);
        let flat = |v: DVec3| (v.y * v.y + v.z * v.z).sqrt();
        let (a, b) = (flat(upper), flat(lower));
        let distance = flat(reach).clamp((a - b).abs() + 1.0, a + b - 1.0);
        let at_hip = acos((a * a + distance * distance - b * b) / (2.0 * a * distance)) * (180.0 / PI);
        let at_knee = acos((a * a + b * b - distance * distance) / (2.0 * a * b)) * (180.0 / PI);
        // The knee stays in front of the line from hip to ankle.
        let thigh_turn = wrap(angle(reach) - at_hip - angle(upper));
        let shin_turn = wrap(angle(upper) + thigh_turn + 180.0 - at_knee - angle(lower));

        let aside = atan2(reach.x - (upper + lower).x, distance) * (180.0 / PI);
        let mut set = |joint: JointIndex, x: f64, y: f64, z: f64| {
            self.angles[usize::from(side.joint(joint))] = DVec3::new(x, y, z);
        };
        set(THIGH, thigh_turn - hip_turn.x, -hip_turn.y, aside - hip_turn.z);
        set(KNEE, shin_turn - thigh_turn, 0.0, 0.0);
        set(ANKLE, heel - shin_turn, 0.0, 0.0);
        set(FOOT, toes - heel, 0.0, -aside);
    }

    /// Both feet where they stand in bind.
    pub(crate) fn plant_both(&mut self) {
        for side in Side::BOTH {
            self.plant(side, stand_point(side), 0.0, 0.0);
        }
    }

    /// From this pose at 0 to `other` at 1, joint by joint.
    pub(crate) fn mixed(&self, other: &Self, t: f64) -> Self {
        let mix = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.lerp(*b, t)).collect();
        Self {
            angles: mix(&self.angles, &other.angles),
            shifts: mix(&self.shifts, &other.shifts),
        }
    }
}

/// Where the ball of a foot is in bind.
pub(crate) fn stand_point(side: Side) -> DVec3 {
    joints()[usize::from(side.joint(FOOT))].bind
}

/// An angle between -180 and 180 degrees.
fn wrap(degrees: f64) -> f64 {
    degrees - 360.0 * (degrees / 360.0 + 0.5).floor()
}
