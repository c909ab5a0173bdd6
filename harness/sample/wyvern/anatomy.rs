//! The wyvern's joints: where they are, what they hang on, and which part of the clips drives them.
//!
//! The order is the game's (`spec/mhp-formats.md` §5.11): parents first, the parts as
//! contiguous runs, the second root chain behind the animated joints.

use glam::DVec3;

/// A joint's number in the skeleton.
pub(crate) type JointIndex = u8;

pub(crate) const BASE: JointIndex = 0;
pub(crate) const ROOT: JointIndex = 1;
pub(crate) const HIP: JointIndex = 2;
pub(crate) const LOIN: JointIndex = 3;
pub(crate) const SPINE: JointIndex = 4;
pub(crate) const CHEST: JointIndex = 5;
/// First joint of the left wing; the right wing's joint of the same kind is [`WING_JOINTS`] later.
pub(crate) const SHOULDER: JointIndex = 6;
pub(crate) const ELBOW: JointIndex = 7;
pub(crate) const WRIST: JointIndex = 8;
/// First joint of the leading finger; each finger has two.
pub(crate) const FINGER: JointIndex = 9;
/// Joints of one wing.
pub(crate) const WING_JOINTS: JointIndex = 9;
/// First joint of the left leg; the right leg's joint of the same kind is [`LEG_JOINTS`] later.
pub(crate) const THIGH: JointIndex = 24;
pub(crate) const KNEE: JointIndex = 25;
pub(crate) const ANKLE: JointIndex = 26;
pub(crate) const FOOT: JointIndex = 27;
/// Joints of one leg.
pub(crate) const LEG_JOINTS: JointIndex = 4;
pub(crate) const NECK: JointIndex = 32;
pub(crate) const HEAD: JointIndex = 35;
pub(crate) const JAW: JointIndex = 36;
/// The left frill; the right one follows.
pub(crate) const FRILL: JointIndex = 37;
pub(crate) const TAIL: JointIndex = 39;
/// The tail joint at which the tip comes off.
pub(crate) const SEVERED: JointIndex = TAIL + 3;
/// Number of joints that clips drive: the skeleton's second parameter.
pub(crate) const ANIMATED: JointIndex = 45;
/// First joint of the severed tail's own chain, at the model origin.
pub(crate) const CHAIN: JointIndex = ANIMATED;

/// One side of the animal; the model is built for the left (+X) and mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// +X.
    Left,
    /// -X.
    Right,
}

impl Side {
    /// Both, left first.
    pub(crate) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// +1 on the left, -1 on the right: the sign of X.
    pub(crate) fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// A point given for the left side.
    pub(crate) fn point(self, left: DVec3) -> DVec3 {
        DVec3::new(left.x * self.sign(), left.y, left.z)
    }

    /// Euler angles given for the left side.
    pub(crate) fn angles(self, left: DVec3) -> DVec3 {
        DVec3::new(left.x, left.y * self.sign(), left.z * self.sign())
    }

    /// A joint given for the left side.
    pub(crate) fn joint(self, left: JointIndex) -> JointIndex {
        match (self, left) {
            (Self::Left, _) => left,
            (Self::Right, SHOULDER..THIGH) => left + WING_JOINTS,
            (Self::Right, THIGH..NECK) => left + LEG_JOINTS,
            (Self::Right, FRILL) => left + 1,
            (Self::Right, _) => left,
        }
    }
}

/// One joint of the skeleton.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    /// At most seven characters, for MHP3rd's name field.
    pub(crate) name: String,
    pub(crate) parent: Option<JointIndex>,
    /// Bind position in model space.
    pub(crate) bind: DVec3,
    /// 0 body, 1 head, 2 tail, 3 the severed tail's chain.
    pub(crate) part: u32,
}

/// Positions of the left wing's joints, shoulder to the third finger's second joint.
const WING: [(&str, JointIndex, [f64; 3]); WING_JOINTS as usize] = [
    ("shldr", CHEST, [84.0, 424.0, 160.0]),
    ("elbow", SHOULDER, [268.0, 579.0, 62.0]),
    ("wrist", ELBOW, [468.0, 693.0, 212.0]),
    ("fing1", WRIST, [486.0, 702.0, 206.0]),
    ("tips1", FINGER, [760.0, 849.0, 96.0]),
    ("fing2", WRIST, [482.0, 698.0, 196.0]),
    ("tips2", FINGER + 2, [696.0, 807.0, -60.0]),
    ("fing3", WRIST, [474.0, 690.0, 190.0]),
    ("tips3", FINGER + 4, [566.0, 722.0, -140.0]),
];

/// Where the left wing's fingers end, leading finger first.
pub(crate) const FINGER_TIPS: [[f64; 3]; 3] = [
    [996.0, 926.0, -150.0],
    [836.0, 830.0, -420.0],
    [590.0, 690.0, -500.0],
];

/// Positions of the left leg's joints.
const LEG: [(&str, JointIndex, [f64; 3]); LEG_JOINTS as usize] = [
    ("thigh", HIP, [86.0, 330.0, -92.0]),
    ("knee", THIGH, [132.0, 212.0, 14.0]),
    ("ankle", KNEE, [138.0, 112.0, -112.0]),
    ("foot", ANKLE, [142.0, 27.0, -40.0]),
];

/// The skeleton, in file order.
pub(crate) fn joints() -> Vec<Joint> {
    let mut joints = Vec::new();
    let mut add = |name: &str, parent: Option<JointIndex>, bind: DVec3, part: u32| {
        joints.push(Joint {
            name: name.to_owned(),
            parent,
            bind,
            part,
        });
    };
    let middle = |y: f64, z: f64| DVec3::new(0.0, y, z);
    add("base", None, DVec3::ZERO, 0);
    add("root", Some(BASE), DVec3::ZERO, 0);
    add("hip", Some(ROOT), middle(356.0, -90.0), 0);
    add("loin", Some(HIP), middle(364.0, -10.0), 0);
    add("spine", Some(LOIN), middle(376.0, 75.0), 0);
    add("chest", Some(SPINE), middle(396.0, 160.0), 0);
    for (letter, side, limbs) in [
        ("L", Side::Left, &WING[..]),
        ("R", Side::Right, &WING[..]),
        ("L", Side::Left, &LEG[..]),
        ("R", Side::Right, &LEG[..]),
    ] {
        for (name, parent, position) in limbs {
            let parent = side.joint(*parent);
            let bind = side.point(DVec3::from_array(*position));
            add(&format!("{name}{letter}"), Some(parent), bind, 0);
        }
    }
    add("neck1", Some(CHEST), middle(450.0, 258.0), 1);
    add("neck2", Some(NECK), middle(496.0, 312.0), 1);
    add("neck3", Some(NECK + 1), middle(546.0, 372.0), 1);
    add("head", Some(NECK + 2), middle(584.0, 440.0), 1);
    add("jaw", Some(HEAD), middle(548.0, 458.0), 1);
    add("frillL", Some(HEAD), DVec3::new(58.0, 592.0, 446.0), 1);
    add("frillR", Some(HEAD), DVec3::new(-58.0, 592.0, 446.0), 1);
    for (number, (y, z)) in TAIL_BINDS.into_iter().enumerate() {
        let parent = if number == 0 { HIP } else { TAIL + number as u8 - 1 };
        add(&format!("tail{}", number + 1), Some(parent), middle(y, z), 2);
    }
    let severed = middle(TAIL_BINDS[3].0, TAIL_BINDS[3].1);
    add("cut", None, DVec3::ZERO, 3);
    add("cut1", Some(CHAIN), DVec3::ZERO, 3);
    for (number, (y, z)) in TAIL_BINDS.into_iter().enumerate().skip(4) {
        let previous = CHAIN + number as u8 - 3;
        add(
            &format!("cut{}", number - 2),
            Some(previous),
            middle(y, z) - severed,
            3,
        );
    }
    joints
}

/// Height and z of the tail's joints.
const TAIL_BINDS: [(f64, f64); 6] = [
    (350.0, -190.0),
    (338.0, -310.0),
    (322.0, -430.0),
    (306.0, -550.0),
    (295.0, -670.0),
    (292.0, -790.0),
];

/// The joint of the severed chain that takes the place of a tail joint in mesh 1.
pub(crate) fn chain_joint(tail: JointIndex) -> JointIndex {
    CHAIN + 1 + tail.saturating_sub(SEVERED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_stand_where_their_numbers_say() {
        let joints = joints();
        assert_eq!(joints.len(), usize::from(CHAIN) + 4);
        for (number, name) in [
            (CHEST, "chest"),
            (SHOULDER, "shldrL"),
            (FINGER, "fing1L"),
            (THIGH, "thighL"),
            (FOOT, "footL"),
            (Side::Right.joint(WRIST), "wristR"),
            (Side::Right.joint(FOOT), "footR"),
            (NECK, "neck1"),
            (HEAD, "head"),
            (JAW, "jaw"),
            (FRILL, "frillL"),
            (TAIL, "tail1"),
            (SEVERED, "tail4"),
            (CHAIN, "cut"),
        ] {
            assert_eq!(joints[usize::from(number)].name, name);
        }
        assert!(
            joints
                .iter()
                .enumerate()
                .all(|(i, j)| j.parent.is_none_or(|p| usize::from(p) < i))
        );
        assert!(joints.iter().all(|j| j.name.len() <= 7));
    }
}
