//! The curves of the later files.

use std::sync::Arc;

use super::super::curve::{HermiteKey, Keys, Quantization, Steps};
use super::super::float16::Float16;
use super::Generation;
use crate::{ByteOrder, Reader};

/// How a curve is stored (`spec/mot.md` §A.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CurveType {
    /// A constant in the record.
    Constant,
    /// A float for each frame.
    Samples,
    /// A 16-bit integer for each frame, scaled by two floats.
    Samples16,
    /// A byte for each frame, scaled by two floats.
    Samples8,
    /// A byte for each frame, scaled by two 16-bit floats.
    Samples8ByHalves,
    /// Hermite keys of floats.
    Hermite,
    /// Hermite keys of 16-bit integers.
    Hermite16,
    /// Hermite keys of bytes, at frames of a byte.
    Hermite8,
    /// Hermite keys of bytes, at frames of a byte since the key before.
    Hermite8Relative,
    /// Hermite keys of bytes, at frames of 16 bits with an unused byte behind.
    Hermite8Padded,
    /// Hermite keys of bytes, at frames of 16 bits which are big-endian in every file.
    Hermite8Packed,
}

impl CurveType {
    /// The type that a generation gives a number.
    pub(super) fn of(generation: Generation, number: i8) -> Option<Self> {
        Some(match (number, generation) {
            (0, _) => Self::Constant,
            (1, _) => Self::Samples,
            (3, Generation::First) | (2, Generation::Second) => Self::Samples16,
            (5, Generation::First) => Self::Samples8,
            (3, Generation::Second) => Self::Samples8ByHalves,
            (2, Generation::First) | (4, Generation::Second) => Self::Hermite,
            (4, Generation::First) | (5, Generation::Second) => Self::Hermite16,
            (6, Generation::Second) => Self::Hermite8,
            (6, Generation::First) | (7, Generation::Second) => Self::Hermite8Relative,
            (7, Generation::First) => Self::Hermite8Padded,
            (8, Generation::Second) => Self::Hermite8Packed,
            _ => return None,
        })
    }

    const fn header_size(self) -> usize {
        match self {
            Self::Constant | Self::Samples | Self::Hermite => 0,
            Self::Samples8ByHalves => 4,
            Self::Samples16 | Self::Samples8 => 8,
            Self::Hermite8 | Self::Hermite8Relative | Self::Hermite8Padded | Self::Hermite8Packed => 12,
            Self::Hermite16 => 24,
        }
    }

    const fn key_size(self) -> usize {
        match self {
            Self::Constant | Self::Samples | Self::Hermite8 | Self::Hermite8Relative => 4,
            Self::Samples8 | Self::Samples8ByHalves => 1,
            Self::Samples16 => 2,
            Self::Hermite8Packed => 5,
            Self::Hermite8Padded => 6,
            Self::Hermite16 => 8,
            Self::Hermite => 16,
        }
    }

    /// Bytes of a block of `count` keys or samples.
    pub(super) const fn block_size(self, count: usize) -> usize {
        self.header_size() + count * self.key_size()
    }
}

/// A curve of a later file: its block, whose keys are worked out when asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct LaterCurve {
    curve_type: CurveType,
    byte_order: ByteOrder,
    block: Arc<[u8]>,
}

impl LaterCurve {
    pub(super) fn new(curve_type: CurveType, byte_order: ByteOrder, block: &[u8]) -> Self {
        Self {
            curve_type,
            byte_order,
            block: block.into(),
        }
    }

    pub(super) fn constant(value: f32) -> Self {
        Self::new(CurveType::Constant, ByteOrder::Little, &value.to_le_bytes())
    }

    /// How the curve is stored.
    pub fn curve_type(&self) -> CurveType {
        self.curve_type
    }

    /// The keys as they are evaluated.
    pub fn keys(&self) -> Keys {
        let block = Block {
            reader: Reader::new("", &self.block).in_order(self.byte_order),
        };
        let key_size = self.curve_type.key_size();
        let header = self.curve_type.header_size();
        let places = (header..self.block.len()).step_by(key_size);
        let samples = |value: &dyn Fn(usize) -> f64| Keys::Linear(places.clone().map(value).collect());
        match self.curve_type {
            CurveType::Constant => Keys::Constant(block.float(0)),
            CurveType::Samples => samples(&|at| block.float(at)),
            CurveType::Samples16 => {
                let steps = block.float_steps(0);
                samples(&|at| steps.value(block.u16(at)))
            }
            CurveType::Samples8 => {
                let steps = block.float_steps(0);
                samples(&|at| steps.value(block.u8(at)))
            }
            CurveType::Samples8ByHalves => {
                let steps = block.half_steps(0);
                samples(&|at| steps.value(block.u8(at)))
            }
            CurveType::Hermite => Keys::Hermite(
                places
                    .map(|at| HermiteKey {
                        frame: block.u16(at).into(),
                        value: block.float(at + 4),
                        incoming: block.float(at + 8),
                        outgoing: block.float(at + 12),
                    })
                    .collect(),
            ),
            CurveType::Hermite16 => {
                let header = Quantization {
                    value: block.float_steps(0),
                    incoming: block.float_steps(8),
                    outgoing: block.float_steps(16),
                };
                let integers = |at| [at + 2, at + 4, at + 6].map(|at| block.u16(at));
                Keys::Hermite(
                    places
                        .map(|at| header.key(block.u16(at).into(), integers(at)))
                        .collect(),
                )
            }
            CurveType::Hermite8 => block.bytes_keys(places, 1, |at| block.u8(at).into()),
            CurveType::Hermite8Relative => {
                let mut frame = 0u32;
                block.bytes_keys(places, 1, |at| {
                    frame = frame.saturating_add(block.u8(at).into());
                    frame
                })
            }
            CurveType::Hermite8Padded => block.bytes_keys(places, 3, |at| block.u16(at).into()),
            CurveType::Hermite8Packed => block.bytes_keys(places, 2, |at| {
                u16::from_be_bytes([block.u8(at) as u8, block.u8(at + 1) as u8]).into()
            }),
        }
    }

    /// What keeps the block from being a curve.
    pub(super) fn fault(&self) -> Option<String> {
        let not_finite = |index: usize| format!("key {index} with a number that is not finite");
        match self.keys() {
            Keys::Constant(value) => (!value.is_finite()).then(|| not_finite(0)),
            Keys::Linear(samples) => samples
                .iter()
                .position(|sample| !sample.is_finite())
                .map(not_finite),
            Keys::Hermite(keys) => {
                let is_finite = |key: &HermiteKey| {
                    [key.value, key.incoming, key.outgoing].map(f64::is_finite) == [true; 3]
                };
                let falls = |pair: &[HermiteKey]| matches!(pair, [from, to] if to.frame <= from.frame);
                keys.iter()
                    .position(|key| !is_finite(key))
                    .map(not_finite)
                    .or_else(|| {
                        let key = 1 + keys.windows(2).position(falls)?;
                        Some(format!("key {key} that does not lie behind key {}", key - 1))
                    })
            }
        }
    }
}

/// Numbers of a block, all of which are inside it: it is as long as its type and count ask for.
struct Block<'a> {
    reader: Reader<'a>,
}

impl Block<'_> {
    fn u8(&self, at: usize) -> u16 {
        self.reader.u8(at, "").unwrap_or(0).into()
    }

    fn u16(&self, at: usize) -> u16 {
        self.reader.u16(at, "").unwrap_or(0)
    }

    fn float(&self, at: usize) -> f64 {
        self.reader.f32(at, "").unwrap_or(0.0).into()
    }

    fn float_steps(&self, at: usize) -> Steps<f32> {
        let float = |at| self.reader.f32(at, "").unwrap_or(0.0);
        Steps {
            bias: float(at),
            step: float(at + 4),
        }
    }

    fn half_steps(&self, at: usize) -> Steps<Float16> {
        Steps {
            bias: Float16(self.u16(at)),
            step: Float16(self.u16(at + 2)),
        }
    }

    /// Keys of three bytes each, `integers` bytes behind the places where `frame` reads their frames.
    fn bytes_keys(
        &self,
        places: impl Iterator<Item = usize>,
        integers: usize,
        mut frame: impl FnMut(usize) -> u32,
    ) -> Keys {
        let header = Quantization {
            value: self.half_steps(0),
            incoming: self.half_steps(4),
            outgoing: self.half_steps(8),
        };
        Keys::Hermite(
            places
                .map(|at| {
                    let first = at + integers;
                    header.key(frame(at), [first, first + 1, first + 2].map(|at| self.u8(at)))
                })
                .collect(),
        )
    }
}
