use std::collections::HashSet;

use super::layout::Layout;
use super::property::BaseEvidence;
use super::{Content, Curve, Mot, Track};

/// Something unusual in a motion that does not keep it from being read (`spec/mot.md` §10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// A header alone, without even a terminator.
    #[error("a file of a header alone: an empty motion")]
    HeaderAlone,
    /// A frame count of 0.
    #[error("frame count 0")]
    NoFrames,
    /// A loop flag other than 0 and 1.
    #[error("loop flag {0}, where known files have 0 or 1")]
    LoopFlag(u8),
    /// The record table has no terminator.
    #[error("a record table without a terminator")]
    NoTerminator,
    /// Bytes other than zeros that nothing points at.
    #[error("{0} bytes that belong to no record and no curve and are not all zero")]
    UnusedBytes(usize),
    /// The Semi-Precision properties fit both bases.
    #[error("semi-precision base assumed: the properties fit 48 as well as 50")]
    SemiPrecisionBaseAssumed,
    /// A property without a known meaning.
    #[error("record {record}: unknown property {property:#04x}")]
    UnknownProperty {
        /// The record.
        record: usize,
        /// Its property.
        property: u8,
    },
    /// A bone number below the root's.
    #[error("record {record}: bone {bone}, below the root's -1")]
    Bone {
        /// The record.
        record: usize,
        /// Its bone.
        bone: i8,
    },
    /// Flags, which are not evaluated.
    #[error("record {record}: a space switch on bone {bone}, which is not evaluated")]
    SpaceSwitch {
        /// The record.
        record: usize,
        /// Its bone.
        bone: i8,
    },
    /// A second record for the same track of the same bone, which takes the place of the first.
    #[error("record {record}: a second curve for {track} of bone {bone}, which wins")]
    SecondCurve {
        /// The later record.
        record: usize,
        /// Its bone.
        bone: i8,
        /// Its track.
        track: Track,
    },
    /// A key beyond the motion's last frame.
    #[error("record {record}: a key at frame {frame}, beyond the motion's frames")]
    BeyondLastFrame {
        /// The record.
        record: usize,
        /// The frame of its last key.
        frame: u32,
    },
    /// A key's filler that is neither 0 nor 0xFFFF.
    #[error("record {record}: filler {filler:#06x}, where known files have 0xffff")]
    Filler {
        /// The record.
        record: usize,
        /// The first such filler.
        filler: u16,
    },
}

/// The warnings of a motion, those about the whole of it first.
pub(super) fn of(mot: &Mot) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Layout::Kept(kept) = &mot.layout {
        if kept.stated_count == 0 {
            warnings.push(Warning::HeaderAlone);
        } else if kept.terminator.is_empty() {
            warnings.push(Warning::NoTerminator);
        }
        if kept.rest.iter().any(|&byte| byte != 0) {
            warnings.push(Warning::UnusedBytes(kept.rest.len()));
        }
    }
    if mot.frame_count == 0 {
        warnings.push(Warning::NoFrames);
    }
    if mot.loop_flag > 1 {
        warnings.push(Warning::LoopFlag(mot.loop_flag));
    }
    if mot.evidence == BaseEvidence::Assumed {
        warnings.push(Warning::SemiPrecisionBaseAssumed);
    }
    let mut seen = HashSet::new();
    for (index, record) in mot.records.iter().enumerate() {
        let bone = record.bone;
        if bone < -1 {
            warnings.push(Warning::Bone { record: index, bone });
        }
        if record.flags != [0; 4] {
            warnings.push(Warning::SpaceSwitch { record: index, bone });
        }
        match &record.content {
            Content::Unknown { property, .. } => warnings.push(Warning::UnknownProperty {
                record: index,
                property: *property,
            }),
            Content::Curve { track, curve } => {
                if !seen.insert((bone, *track)) {
                    warnings.push(Warning::SecondCurve {
                        record: index,
                        bone,
                        track: *track,
                    });
                }
                let frame = curve.last_frame();
                if frame > 0 && frame >= mot.frame_count.into() {
                    warnings.push(Warning::BeyondLastFrame { record: index, frame });
                }
                let filler = match &**curve {
                    Curve::FullPrecision { keys } => keys
                        .iter()
                        .map(|key| key.filler)
                        .find(|filler| !matches!(filler, 0 | 0xFFFF)),
                    _ => None,
                };
                warnings.extend(filler.map(|filler| Warning::Filler {
                    record: index,
                    filler,
                }));
            }
        }
    }
    warnings
}
