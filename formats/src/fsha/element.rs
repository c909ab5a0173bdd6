//! What curves are made of: types, frames, elements, wrap modes.

use std::sync::Arc;

/// How a curve runs between its keys (`spec/fsha.md` §4.2).
///
/// Types 6 and 7, which hold booleans, have no meaning for a weight and are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CurveType {
    /// Type 0: four coefficients for each key.
    Cubic,
    /// Type 1: a value and the change up to the next key.
    Linear,
    /// Type 2: samples. No file with one has been seen; that they are joined by straight lines is
    /// inferred (`spec/fsha.md` §4.6).
    BakedFloat,
    /// Type 4: integers that hold until the next key.
    StepInteger,
    /// Type 5: integer samples.
    BakedInteger,
}

impl CurveType {
    pub(super) const fn number(self) -> u16 {
        match self {
            Self::Cubic => 0,
            Self::Linear => 1,
            Self::BakedFloat => 2,
            Self::StepInteger => 4,
            Self::BakedInteger => 5,
        }
    }

    pub(super) const fn of(number: u16) -> Option<Self> {
        Some(match number {
            0 => Self::Cubic,
            1 => Self::Linear,
            2 => Self::BakedFloat,
            4 => Self::StepInteger,
            5 => Self::BakedInteger,
            _ => return None,
        })
    }

    /// Elements that a key has.
    pub const fn elements_per_key(self) -> usize {
        match self {
            Self::Cubic => 4,
            Self::Linear => 2,
            Self::BakedFloat | Self::StepInteger | Self::BakedInteger => 1,
        }
    }

    /// Whether the values are integers, to which no scale applies.
    pub const fn is_integer(self) -> bool {
        matches!(self, Self::StepInteger | Self::BakedInteger)
    }

    /// Whether keys may do without frames, one frame apart.
    pub(super) const fn is_baked(self) -> bool {
        matches!(self, Self::BakedFloat | Self::BakedInteger)
    }
}

/// How frames are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FrameType {
    /// Floats.
    Float,
    /// 16-bit integers in units of 1/32 frame.
    Fixed,
    /// Bytes.
    Byte,
}

impl FrameType {
    pub(super) const fn number(self) -> u16 {
        match self {
            Self::Float => 0,
            Self::Fixed => 1,
            Self::Byte => 2,
        }
    }

    pub(super) const fn of(number: u16) -> Option<Self> {
        Some(match number {
            0 => Self::Float,
            1 => Self::Fixed,
            2 => Self::Byte,
            _ => return None,
        })
    }

    /// Bytes of a frame.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::Float => 4,
            Self::Fixed => 2,
            Self::Byte => 1,
        }
    }
}

/// The frames of the keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Frames {
    /// Floats.
    Floats(Arc<[f32]>),
    /// Units of 1/32 frame.
    Fixed(Arc<[i16]>),
    /// Whole frames.
    Bytes(Arc<[u8]>),
    /// No frames are stored: the keys of a baked curve lie one frame apart from its start on. The
    /// flags name a type all the same.
    Consecutive(FrameType),
}

impl Frames {
    /// The type that the flags name.
    pub fn frame_type(&self) -> FrameType {
        match self {
            Self::Floats(_) => FrameType::Float,
            Self::Fixed(_) => FrameType::Fixed,
            Self::Bytes(_) => FrameType::Byte,
            Self::Consecutive(frame_type) => *frame_type,
        }
    }

    /// How many are stored; `None` if the keys' number tells.
    pub(super) fn stored(&self) -> Option<usize> {
        match self {
            Self::Floats(frames) => Some(frames.len()),
            Self::Fixed(frames) => Some(frames.len()),
            Self::Bytes(frames) => Some(frames.len()),
            Self::Consecutive(_) => None,
        }
    }
}

/// The elements of the keys, [`CurveType::elements_per_key`] of them for each.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    /// Floats, in float curves only.
    Floats(Arc<[f32]>),
    /// 32-bit integers, in integer curves only.
    Integers(Arc<[i32]>),
    /// 16-bit integers.
    Shorts(Arc<[i16]>),
    /// 8-bit integers.
    Bytes(Arc<[i8]>),
}

impl Elements {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Floats(elements) => elements.len(),
            Self::Integers(elements) => elements.len(),
            Self::Shorts(elements) => elements.len(),
            Self::Bytes(elements) => elements.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element at `index`, exactly; `None` behind the last.
    pub fn get(&self, index: usize) -> Option<f64> {
        match self {
            Self::Floats(elements) => elements.get(index).map(|&element| element.into()),
            Self::Integers(elements) => elements.get(index).map(|&element| element.into()),
            Self::Shorts(elements) => elements.get(index).map(|&element| element.into()),
            Self::Bytes(elements) => elements.get(index).map(|&element| element.into()),
        }
    }

    pub(super) const fn type_number(&self) -> u16 {
        match self {
            Self::Floats(_) | Self::Integers(_) => 0,
            Self::Shorts(_) => 1,
            Self::Bytes(_) => 2,
        }
    }
}

/// What is added to a curve's values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Offset {
    /// To those of a float curve, after the scale.
    Float(f32),
    /// To those of an integer curve.
    Integer(i32),
}

/// What a curve does before its first key or after its last one. Only clamping has been seen in a
/// file; the others are the usual readings of their names (`spec/fsha.md` §4.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Wrap {
    /// It holds.
    #[default]
    Clamp,
    /// It starts again.
    Repeat,
    /// It runs back and forth.
    Mirror,
    /// It starts again from where it ended, its delta further on each time.
    RelativeRepeat,
}

impl Wrap {
    pub(super) const ALL: [Self; 4] = [Self::Clamp, Self::Repeat, Self::Mirror, Self::RelativeRepeat];
}
