//! Records: which bone a curve drives, and the two sizes that records come in.

use std::fmt;
use std::sync::Arc;

use super::property::is_unseen_family;
use super::{Curve, Family, HEADER_SIZE, InvalidMot, SemiPrecisionBase, Track, block};
use crate::Reader;

/// The first four bytes of a terminator: bone 127, property 255, 65535 keys.
const TERMINATOR: [u8; 4] = [0x7F, 0xFF, 0xFF, 0xFF];

/// Which game's records a file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Records of 8 bytes, without flags.
    Okami,
    /// Records of 12 bytes, with flags.
    GodHand,
}

impl Form {
    /// 8 or 12 bytes.
    pub const fn record_size(self) -> usize {
        match self {
            Self::Okami => 8,
            Self::GodHand => 12,
        }
    }

    /// The Semi-Precision base of a file that leaves it open (`spec/mot.md` §4.2).
    pub const fn default_base(self) -> SemiPrecisionBase {
        match self {
            Self::Okami => SemiPrecisionBase::Property50,
            Self::GodHand => SemiPrecisionBase::Property48,
        }
    }

    /// The record that ends a table.
    pub(super) const fn terminator(self) -> &'static [u8] {
        match self {
            Self::Okami => &[0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0],
            Self::GodHand => &[0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0],
        }
    }

    /// Which form a file's records have, told by where its terminator stands or, failing that, by
    /// which reading makes sense (`spec/mot.md` §3.4). `None` if neither does.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let count = usize::from(*bytes.get(6)?);
        if count == 0 {
            return Some(Self::Okami);
        }
        let matches = [Self::Okami, Self::GodHand].map(|form| form.matches(bytes, count));
        match matches {
            [true, false] => Some(Self::Okami),
            [false, true] => Some(Self::GodHand),
            _ => [Self::Okami, Self::GodHand]
                .into_iter()
                .find(|form| form.is_plausible(bytes, count)),
        }
    }

    fn matches(self, bytes: &[u8], count: usize) -> bool {
        bytes
            .get(HEADER_SIZE..HEADER_SIZE + count * self.record_size())
            .and_then(|table| table.chunks_exact(self.record_size()).last())
            .is_some_and(|last| last.starts_with(&TERMINATOR))
    }

    fn is_plausible(self, bytes: &[u8], count: usize) -> bool {
        let table_end = HEADER_SIZE + count * self.record_size();
        let Some(table) = bytes.get(HEADER_SIZE..table_end) else {
            return false;
        };
        table
            .chunks_exact(self.record_size())
            .map(|record| RawRecord::from_bytes(self, record))
            .take_while(|record| !record.is_terminator())
            .all(|record| {
                let bases = [SemiPrecisionBase::Property48, SemiPrecisionBase::Property50];
                let family = bases
                    .into_iter()
                    .find_map(|base| Family::of_property(record.property, base));
                match family {
                    None => false,
                    Some((Family::SinglePose, _)) => true,
                    Some((family, _)) => {
                        let end =
                            block::size(family, record.key_count.into()) as u64 + u64::from(record.word);
                        record.key_count > 0 && record.word as usize >= table_end && end <= bytes.len() as u64
                    }
                }
            })
    }
}

impl fmt::Display for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Okami => "Okami motion",
            Self::GodHand => "God Hand motion",
        })
    }
}

/// A record as stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawRecord {
    pub(super) bone: i8,
    pub(super) property: u8,
    pub(super) key_count: u16,
    pub(super) flags: [u8; 4],
    /// A constant's bits or a block's offset.
    pub(super) word: u32,
}

impl RawRecord {
    /// Takes [`Form::record_size`] bytes apart; a record cut short reads as zeros.
    pub(super) fn from_bytes(form: Form, bytes: &[u8]) -> Self {
        let reader = Reader::new(super::FORMAT, bytes);
        let word = form.record_size() - 4;
        Self {
            bone: reader.u8(0, "").unwrap_or(0) as i8,
            property: reader.u8(1, "").unwrap_or(0),
            key_count: reader.u16(2, "").unwrap_or(0),
            flags: match form {
                Form::Okami => [0; 4],
                Form::GodHand => reader.array(4, "").unwrap_or([0; 4]),
            },
            word: reader.u32(word, "").unwrap_or(0),
        }
    }

    pub(super) fn write(self, form: Form, bytes: &mut Vec<u8>) {
        bytes.extend([self.bone as u8, self.property]);
        bytes.extend(self.key_count.to_le_bytes());
        if form == Form::GodHand {
            bytes.extend(self.flags);
        }
        bytes.extend(self.word.to_le_bytes());
    }

    /// A reader stops at the terminator's first two bytes.
    pub(super) fn is_terminator(self) -> bool {
        [self.bone as u8, self.property] == TERMINATOR[..2]
    }
}

/// One record of a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The bone: [`Record::ROOT`] for the root, else one less than its number in the model
    /// ([`Record::model_bone`]).
    pub bone: i8,
    /// God Hand's flags, zero in Okami's records. A 1 on a rotation gives a bone further down the
    /// chain in root space, to plant a foot; this is not evaluated (`spec/mot.md` §3.2).
    pub flags: [u8; 4],
    /// What the record holds.
    pub content: Content,
}

/// What a record holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A curve.
    Curve {
        /// What it drives.
        track: Track,
        /// The curve, which records may share.
        curve: Arc<Curve>,
    },
    /// A property without a known meaning, kept as read: some files animate what is no bone.
    Unknown {
        /// The property.
        property: u8,
        /// The number of keys.
        key_count: u16,
        /// A constant or an offset.
        word: u32,
    },
}

impl Record {
    /// The bone number of the model's root.
    pub const ROOT: i8 = -1;

    /// A record of a curve of its own.
    pub fn new(bone: i8, track: Track, curve: Curve) -> Self {
        Self::sharing(bone, track, Arc::new(curve))
    }

    /// A record of a curve that others may hold too; it is then written once.
    pub fn sharing(bone: i8, track: Track, curve: Arc<Curve>) -> Self {
        Self {
            bone,
            flags: [0; 4],
            content: Content::Curve { track, curve },
        }
    }

    /// The same record with God Hand's flags.
    #[must_use]
    pub fn with_flags(self, flags: [u8; 4]) -> Self {
        Self { flags, ..self }
    }

    /// The bone's place in the model's list, of which the root is 0; `None` below the root.
    pub fn model_bone(&self) -> Option<usize> {
        usize::try_from(i16::from(self.bone) + 1).ok()
    }

    /// The property byte.
    pub fn property(&self, base: SemiPrecisionBase) -> u8 {
        match &self.content {
            Content::Curve { track, curve } => curve.family().property(*track, base),
            Content::Unknown { property, .. } => *property,
        }
    }

    pub(super) fn check(&self, index: usize, form: Form, base: SemiPrecisionBase) -> Result<(), InvalidMot> {
        if form == Form::Okami && self.flags != [0; 4] {
            return Err(InvalidMot::Flags(index));
        }
        match &self.content {
            Content::Curve { curve, .. } => curve
                .check()
                .map_err(|curve| InvalidMot::Curve { record: index, curve }),
            Content::Unknown { property, .. } => {
                let is_terminator = [self.bone as u8, *property] == TERMINATOR[..2];
                let has_meaning =
                    Family::of_property(*property, base).is_some() || is_unseen_family(*property);
                // A property of the other base only would turn the whole file over to it.
                let turns_base = base == form.default_base() && matches!(property, 48 | 49 | 57 | 58);
                match is_terminator || has_meaning || turns_base {
                    true => Err(InvalidMot::Property {
                        record: index,
                        property: *property,
                    }),
                    false => Ok(()),
                }
            }
        }
    }

    /// The record as stored, with `offset` as the place of its block.
    pub(super) fn to_raw(&self, base: SemiPrecisionBase, offset: u32) -> RawRecord {
        let (key_count, word) = match &self.content {
            Content::Curve { curve, .. } => match &**curve {
                Curve::SinglePose { value, key_count } => (*key_count, value.to_bits()),
                curve => (curve.key_count() as u16, offset),
            },
            Content::Unknown { key_count, word, .. } => (*key_count, *word),
        };
        RawRecord {
            bone: self.bone,
            property: self.property(base),
            key_count,
            flags: self.flags,
            word,
        }
    }

    /// The record's curve, if it has a block.
    pub(super) fn block_curve(&self) -> Option<&Arc<Curve>> {
        match &self.content {
            Content::Curve { curve, .. } if curve.family() != Family::SinglePose => Some(curve),
            _ => None,
        }
    }
}
