//! The property byte of a record: which family of curves, and what the curve drives.

use std::fmt;

use crate::animation::Axis;

/// What a curve drives (`spec/mot.md` §8.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Track {
    /// A position relative to the parent in model units, in place of the bone's rest offset.
    Position(Axis),
    /// An Euler angle in radians.
    Rotation(Axis),
    /// A scale factor.
    Scale(Axis),
}

impl Track {
    /// The nine tracks in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Position(Axis::X),
        Self::Position(Axis::Y),
        Self::Position(Axis::Z),
        Self::Rotation(Axis::X),
        Self::Rotation(Axis::Y),
        Self::Rotation(Axis::Z),
        Self::Scale(Axis::X),
        Self::Scale(Axis::Y),
        Self::Scale(Axis::Z),
    ];

    /// 0 for position X up to 8 for scale Z.
    pub const fn number(self) -> u8 {
        match self {
            Self::Position(axis) => axis as u8,
            Self::Rotation(axis) => 3 + axis as u8,
            Self::Scale(axis) => 6 + axis as u8,
        }
    }
}

impl fmt::Display for Track {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, axis) = match self {
            Self::Position(axis) => ("position", axis),
            Self::Rotation(axis) => ("rotation", axis),
            Self::Scale(axis) => ("scale", axis),
        };
        write!(formatter, "{name} {axis:?}")
    }
}

/// How a curve is stored (`spec/mot.md` §4.1, §6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// Properties 0 to 8: a constant in the record.
    SinglePose,
    /// Properties 16 to 24: bytes, scaled by a header of 16-bit floats.
    Quantized,
    /// Properties 48 to 56 or 50 to 58 ([`SemiPrecisionBase`]): 16-bit integers, scaled by a header
    /// of floats.
    SemiPrecision,
    /// Properties 64 to 72: a 16-bit sample for each frame. Only 64 has been read from a file; the
    /// others are inferred (`spec/mot.md` §6.5).
    Linear,
    /// Properties 80 to 88: floats.
    FullPrecision,
}

impl Family {
    const ALL: [Self; 5] = [
        Self::SinglePose,
        Self::Quantized,
        Self::SemiPrecision,
        Self::Linear,
        Self::FullPrecision,
    ];

    /// The property of position X.
    const fn first_property(self, base: SemiPrecisionBase) -> u8 {
        match self {
            Self::SinglePose => 0x00,
            Self::Quantized => 0x10,
            Self::SemiPrecision => base.property(),
            Self::Linear => 0x40,
            Self::FullPrecision => 0x50,
        }
    }

    /// The property of `track` in this family.
    pub const fn property(self, track: Track, base: SemiPrecisionBase) -> u8 {
        self.first_property(base) + track.number()
    }

    /// The family and track that `property` stands for, if it has a known meaning.
    pub fn of_property(property: u8, base: SemiPrecisionBase) -> Option<(Self, Track)> {
        Self::ALL.into_iter().find_map(|family| {
            let number = property.checked_sub(family.first_property(base))?;
            Some((family, *Track::ALL.get(usize::from(number))?))
        })
    }

    /// Bytes before the keys of a block.
    pub(super) const fn header_size(self) -> usize {
        match self {
            Self::SinglePose | Self::FullPrecision => 0,
            Self::Quantized => 12,
            Self::SemiPrecision => 24,
            Self::Linear => 8,
        }
    }

    /// Bytes of a key.
    pub(super) const fn key_size(self) -> usize {
        match self {
            Self::SinglePose => 0,
            Self::Quantized => 4,
            Self::SemiPrecision => 8,
            Self::Linear => 2,
            Self::FullPrecision => 16,
        }
    }
}

/// Properties of the family between Quantized and Semi-Precision, which nobody has seen in a file
/// and whose layout nobody knows (`spec/mot.md` §4.1).
pub(super) fn is_unseen_family(property: u8) -> bool {
    (0x20..=0x28).contains(&property)
}

/// The Semi-Precision property of position X. The sources disagree, and all come from one author
/// (`spec/mot.md` §4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SemiPrecisionBase {
    /// 48, as the God Hand tool has it and the other families' numbers suggest.
    Property48,
    /// 50, as the base document has it.
    Property50,
}

impl SemiPrecisionBase {
    const fn property(self) -> u8 {
        match self {
            Self::Property48 => 48,
            Self::Property50 => 50,
        }
    }
}

/// What a file's properties say about their Semi-Precision base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BaseEvidence {
    /// The caller said so, or a property occurs that only this base has.
    Told,
    /// Every property fits both bases, and some mean different tracks.
    Assumed,
    /// There is no such property.
    Unused,
}

/// Properties that only one of the bases has, in contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Contradiction;

impl BaseEvidence {
    /// The base of a file with these `properties`, `default` if they leave it open.
    pub(super) fn of(
        properties: impl Iterator<Item = u8>,
        default: SemiPrecisionBase,
    ) -> Result<(SemiPrecisionBase, Self), Contradiction> {
        let (mut is_48, mut is_50, mut is_either) = (false, false, false);
        for property in properties {
            is_48 |= matches!(property, 48 | 49);
            is_50 |= matches!(property, 57 | 58);
            is_either |= matches!(property, 50..=56);
        }
        match (is_48, is_50) {
            (true, true) => Err(Contradiction),
            (true, false) => Ok((SemiPrecisionBase::Property48, Self::Told)),
            (false, true) => Ok((SemiPrecisionBase::Property50, Self::Told)),
            (false, false) if is_either => Ok((default, Self::Assumed)),
            (false, false) => Ok((default, Self::Unused)),
        }
    }
}
