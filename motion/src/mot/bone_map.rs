use std::collections::BTreeMap;
use std::str::FromStr;

/// Which joint of a rig each bone of a MOT moves.
///
/// The default is that of the games: bone -1 is joint 0, bone 0 is joint 1, and so on. A map for
/// another rig is a text with a line for each bone: the MOT's number of it (or `root` for -1), then
/// the rig's. What follows a `#` is a comment; a bone that no line names is not played.
///
/// ```text
/// # MOT bone   bone of the model
/// root         1
/// 0            2
/// 17           5    # the head
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BoneMap {
    /// `None` for the games' own order.
    joints: Option<BTreeMap<i16, usize>>,
}

/// Why a text is no bone map. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoneMapError {
    /// A line is not two numbers.
    #[error("line {line}: {text:?} is not a MOT's bone and a model's, such as \"17 5\"")]
    Line {
        /// The line.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A bone of the MOT has two lines.
    #[error("line {line}: bone {bone} of the MOT has a line already")]
    TwoLines {
        /// The later line.
        line: usize,
        /// The MOT's bone.
        bone: i16,
    },
    /// A bone of the model is moved by two of the MOT's.
    #[error("line {line}: bone {joint} of the model is moved by bone {other} of the MOT already")]
    TwoBones {
        /// The later line.
        line: usize,
        /// The model's bone.
        joint: usize,
        /// The MOT's bone that moves it.
        other: i16,
    },
    /// There is no line with a bone.
    #[error("no line names a bone")]
    Empty,
}

impl BoneMap {
    /// The MOT's number of the root.
    pub const ROOT: i16 = -1;

    /// The joint that a bone of a MOT moves.
    pub fn joint(&self, bone: i16) -> Option<usize> {
        match &self.joints {
            Some(joints) => joints.get(&bone).copied(),
            None => usize::try_from(i32::from(bone) + 1).ok(),
        }
    }

    /// The bone of a MOT that moves a joint.
    pub fn bone(&self, joint: usize) -> Option<i16> {
        match &self.joints {
            Some(joints) => joints
                .iter()
                .find(|&(_, &moved)| moved == joint)
                .map(|(&bone, _)| bone),
            None => i16::try_from(joint).ok().map(|joint| joint - 1),
        }
    }

    /// The highest joint that the map names; `None` if it names none of its own.
    pub fn highest_joint(&self) -> Option<usize> {
        self.joints.as_ref()?.values().copied().max()
    }
}

impl FromStr for BoneMap {
    type Err = BoneMapError;

    fn from_str(text: &str) -> Result<Self, BoneMapError> {
        let mut joints: BTreeMap<i16, usize> = BTreeMap::new();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.split('#').next().unwrap_or_default().trim();
            if text.is_empty() {
                continue;
            }
            let words: Vec<&str> = text.split_whitespace().collect();
            let numbers = match words[..] {
                ["root", joint] => Some(Self::ROOT).zip(joint.parse().ok()),
                [bone, joint] => bone.parse().ok().zip(joint.parse().ok()),
                _ => None,
            };
            let Some((bone, joint)) = numbers.filter(|&(bone, _)| bone >= Self::ROOT) else {
                return Err(BoneMapError::Line {
                    line,
                    text: text.to_owned(),
                });
            };
            if let Some((&other, _)) = joints
                .iter()
                .find(|&(&other, &moved)| moved == joint && other != bone)
            {
                return Err(BoneMapError::TwoBones { line, joint, other });
            }
            if joints.insert(bone, joint).is_some() {
                return Err(BoneMapError::TwoLines { line, bone });
            }
        }
        match joints.is_empty() {
            true => Err(BoneMapError::Empty),
            false => Ok(Self { joints: Some(joints) }),
        }
    }
}
