//! The curves of a MOT and their keys, as stored.

use super::number::StoredNumber;
use super::{Family, Float16};

/// A curve, in the form in which the file stores it.
#[derive(Debug, Clone, PartialEq)]
pub enum Curve {
    /// One value for every frame.
    SinglePose {
        /// The value.
        value: f32,
        /// What the record states as its number of keys: 1 in known files. Kept as read.
        key_count: u16,
    },
    /// Keys of four bytes, their frames relative to the key before.
    Quantized {
        /// What the keys' bytes are worth.
        header: Quantization<Float16>,
        /// The keys, at least one.
        keys: Vec<QuantizedKey>,
    },
    /// Keys of four 16-bit integers.
    SemiPrecision {
        /// What the keys' integers are worth.
        header: Quantization<f32>,
        /// The keys, at least one.
        keys: Vec<SemiPrecisionKey>,
    },
    /// Keys of floats.
    FullPrecision {
        /// The keys, at least one.
        keys: Vec<FullPrecisionKey>,
    },
    /// A sample for each frame from 0 on, with straight lines between them.
    Linear {
        /// What the samples are worth.
        header: Steps<f32>,
        /// The samples, at least one.
        samples: Vec<u16>,
    },
}

/// What stored integers are worth: integer `c` stands for `bias + step * c`.
///
/// The base document calls the step a maximum; exporters store the range over the largest integer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Steps<N> {
    /// The value of integer 0.
    pub bias: N,
    /// The distance from one integer to the next.
    pub step: N,
}

impl<N: StoredNumber> Steps<N> {
    pub(super) fn value(self, stored: impl Into<f64>) -> f64 {
        self.bias.get() + self.step.get() * stored.into()
    }
}

/// The header of a quantised curve (`spec/mot.md` §6.2).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Quantization<N> {
    /// Of the values.
    pub value: Steps<N>,
    /// Of the tangents of the segments that end at the keys.
    pub incoming: Steps<N>,
    /// Of the tangents of the segments that start at the keys.
    pub outgoing: Steps<N>,
}

impl<N: StoredNumber> Quantization<N> {
    /// The six numbers in the order of the file.
    pub(super) fn numbers(self) -> [N; 6] {
        let Self {
            value,
            incoming,
            outgoing,
        } = self;
        [
            value.bias,
            value.step,
            incoming.bias,
            incoming.step,
            outgoing.bias,
            outgoing.step,
        ]
    }

    pub(super) fn from_numbers([v0, v1, i0, i1, o0, o1]: [N; 6]) -> Self {
        let steps = |bias, step| Steps { bias, step };
        Self {
            value: steps(v0, v1),
            incoming: steps(i0, i1),
            outgoing: steps(o0, o1),
        }
    }

    fn is_finite(self) -> bool {
        self.numbers().into_iter().all(|number| number.get().is_finite())
    }

    pub(super) fn key(self, frame: u32, [value, incoming, outgoing]: [u16; 3]) -> HermiteKey {
        HermiteKey {
            frame,
            value: self.value.value(value),
            incoming: self.incoming.value(incoming),
            outgoing: self.outgoing.value(outgoing),
        }
    }
}

/// A key of a Quantized curve. All four bytes are unsigned; the base document's types are wrong
/// (`spec/mot.md` §6.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct QuantizedKey {
    /// Frames since the key before, for the first key since frame 0.
    pub frames: u8,
    /// The value, in steps of the header.
    pub value: u8,
    /// The tangent of the segment that ends here.
    pub incoming: u8,
    /// The tangent of the segment that starts here.
    pub outgoing: u8,
}

/// A key of a Semi-Precision curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SemiPrecisionKey {
    /// The frame.
    pub frame: u16,
    /// The value, in steps of the header.
    pub value: u16,
    /// The tangent of the segment that ends here.
    pub incoming: u16,
    /// The tangent of the segment that starts here.
    pub outgoing: u16,
}

/// A key of a Full-Precision curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FullPrecisionKey {
    /// The frame.
    pub frame: u16,
    /// Exporters write 0xFFFF, readers ignore it. Kept as read.
    pub filler: u16,
    /// The value.
    pub value: f32,
    /// The tangent of the segment that ends here.
    pub incoming: f32,
    /// The tangent of the segment that starts here.
    pub outgoing: f32,
}

impl FullPrecisionKey {
    /// What exporters put between frame and value.
    pub const FILLER: u16 = 0xFFFF;
}

/// A key of a Hermite curve as it is evaluated.
///
/// Tangents are changes of value over a whole segment, not slopes per frame, and between two keys
/// the left one's `outgoing` and the right one's `incoming` count (`spec/mot.md` §7.2).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HermiteKey {
    /// The frame.
    pub frame: u32,
    /// The value: radians for rotations, model units for positions.
    pub value: f64,
    /// The tangent of the segment that ends here.
    pub incoming: f64,
    /// The tangent of the segment that starts here.
    pub outgoing: f64,
}

/// The keys of a curve as it is evaluated. Before the first key and after the last one the curve
/// holds (`spec/mot.md` §7.1).
#[derive(Debug, Clone, PartialEq)]
pub enum Keys {
    /// One value at every frame.
    Constant(f64),
    /// Cubic Hermite segments between keys whose frames ascend.
    Hermite(Vec<HermiteKey>),
    /// Straight lines between samples at frames 0, 1, 2 and so on.
    Linear(Vec<f64>),
}

/// Why keys make no curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCurve {
    /// A curve has at least one key.
    #[error("a curve without keys")]
    NoKeys,
    /// A record states the number of keys in 16 bits.
    #[error("{0} keys, where a curve holds 65535")]
    KeyCount(usize),
    /// Frames ascend.
    #[error("key {key} at frame {frame}, where the key before it is at frame {last}")]
    FrameOrder {
        /// The key.
        key: usize,
        /// Its frame.
        frame: u32,
        /// The frame of the key before it.
        last: u32,
    },
    /// Frames are 16 bits.
    #[error("key {key} at frame {frame}, where frames reach 65535")]
    Frame {
        /// The key.
        key: usize,
        /// Its frame.
        frame: u32,
    },
    /// A number of the header, or the value of a Single Pose, is infinite or no number.
    #[error("a header with a number that is not finite")]
    HeaderNotFinite,
    /// A number of a key is infinite or no number.
    #[error("key {key} with a number that is not finite")]
    KeyNotFinite {
        /// The key.
        key: usize,
    },
}

impl Curve {
    /// A curve of one value for every frame.
    pub const fn single_pose(value: f32) -> Self {
        Self::SinglePose { value, key_count: 1 }
    }

    /// How the curve is stored.
    pub const fn family(&self) -> Family {
        match self {
            Self::SinglePose { .. } => Family::SinglePose,
            Self::Quantized { .. } => Family::Quantized,
            Self::SemiPrecision { .. } => Family::SemiPrecision,
            Self::FullPrecision { .. } => Family::FullPrecision,
            Self::Linear { .. } => Family::Linear,
        }
    }

    /// The number of keys that are stored: 0 for a Single Pose.
    pub fn key_count(&self) -> usize {
        match self {
            Self::SinglePose { .. } => 0,
            Self::Quantized { keys, .. } => keys.len(),
            Self::SemiPrecision { keys, .. } => keys.len(),
            Self::FullPrecision { keys } => keys.len(),
            Self::Linear { samples, .. } => samples.len(),
        }
    }

    /// The frame of the last key.
    pub fn last_frame(&self) -> u32 {
        self.frames().last().unwrap_or(0)
    }

    /// The frames of the keys.
    pub(super) fn frames(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::SinglePose { .. } => Box::new(std::iter::empty()),
            Self::Quantized { keys, .. } => Box::new(keys.iter().scan(0u32, |frame, key| {
                *frame = frame.saturating_add(key.frames.into());
                Some(*frame)
            })),
            Self::SemiPrecision { keys, .. } => Box::new(keys.iter().map(|key| key.frame.into())),
            Self::FullPrecision { keys } => Box::new(keys.iter().map(|key| key.frame.into())),
            Self::Linear { samples, .. } => Box::new((0..).zip(samples).map(|(frame, _)| frame)),
        }
    }

    /// The keys as they are evaluated, in exact arithmetic up to the rounding of `f64`.
    pub fn keys(&self) -> Keys {
        match self {
            Self::SinglePose { value, .. } => Keys::Constant((*value).into()),
            Self::Quantized { header, keys } => Keys::Hermite(
                self.frames()
                    .zip(keys)
                    .map(|(frame, key)| {
                        header.key(frame, [key.value, key.incoming, key.outgoing].map(u16::from))
                    })
                    .collect(),
            ),
            Self::SemiPrecision { header, keys } => Keys::Hermite(
                keys.iter()
                    .map(|key| header.key(key.frame.into(), [key.value, key.incoming, key.outgoing]))
                    .collect(),
            ),
            Self::FullPrecision { keys } => Keys::Hermite(
                keys.iter()
                    .map(|key| HermiteKey {
                        frame: key.frame.into(),
                        value: key.value.into(),
                        incoming: key.incoming.into(),
                        outgoing: key.outgoing.into(),
                    })
                    .collect(),
            ),
            Self::Linear { header, samples } => {
                Keys::Linear(samples.iter().map(|&sample| header.value(sample)).collect())
            }
        }
    }

    /// What [`super::Mot`] asks of a curve.
    ///
    /// # Errors
    ///
    /// No keys or more than 65535; frames that do not ascend; a number that is not finite
    /// (`spec/mot.md` §10).
    pub fn check(&self) -> Result<(), InvalidCurve> {
        let is_finite = match self {
            Self::SinglePose { value, .. } => value.is_finite(),
            Self::Quantized { header, .. } => header.is_finite(),
            Self::SemiPrecision { header, .. } => header.is_finite(),
            Self::FullPrecision { .. } => true,
            Self::Linear { header, .. } => header.bias.is_finite() && header.step.is_finite(),
        };
        if !is_finite {
            return Err(InvalidCurve::HeaderNotFinite);
        }
        if let Self::SinglePose { .. } = self {
            return Ok(());
        }
        match self.key_count() {
            0 => return Err(InvalidCurve::NoKeys),
            count if count > usize::from(u16::MAX) => return Err(InvalidCurve::KeyCount(count)),
            _ => {}
        }
        let mut last = None;
        for (key, frame) in self.frames().enumerate() {
            if let Some(last) = last.replace(frame)
                && frame <= last
            {
                return Err(InvalidCurve::FrameOrder { key, frame, last });
            }
        }
        if let Self::FullPrecision { keys } = self
            && let Some(key) = keys.iter().position(|key| {
                ![key.value, key.incoming, key.outgoing]
                    .into_iter()
                    .all(f32::is_finite)
            })
        {
            return Err(InvalidCurve::KeyNotFinite { key });
        }
        Ok(())
    }
}
