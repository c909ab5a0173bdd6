//! The later `mot\0` files: MadWorld, Bayonetta, NieR: Automata and others. Read, never written.
//!
//! Their records carry a 16-bit bone, the track and the curve type in bytes of their own, and their
//! curves are those of [`super::Mot`] and a few more. Two generations number the curve types
//! differently; each comes in both byte orders (`spec/mot.md` appendix A).

mod curve;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

pub use curve::{CurveType, LaterCurve};

use super::{Keys, Track, Variant};
use crate::animation::Axis;
use crate::budget::Budget;
use crate::{ByteOrder, FormatError, Reader};

/// The second generation's version.
pub(super) const VERSION: u32 = 0x2012_0405;
/// Where the first generation's records start, which tells its byte order.
pub(super) const FIRST_RECORDS: u32 = 0x10;
const RECORD_SIZE: usize = 12;
const TERMINATOR_BONE: i16 = 0x7FFF;
/// Frames of a motion in a second (`spec/mot.md` §A.5).
pub const FRAMES_PER_SECOND: u32 = 60;

/// Which header a file has, and which numbers its curve types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Generation {
    /// MadWorld, Bayonetta.
    First,
    /// Bayonetta 2 and the games after it.
    Second,
}

/// A motion of the later games.
#[derive(Debug, Clone, PartialEq)]
pub struct LaterMot {
    /// Which generation's.
    pub generation: Generation,
    /// The byte order, that of its console.
    pub byte_order: ByteOrder,
    /// Flags: 1 loops, 2 moves a camera, 4 says that records name camera fields.
    pub flags: u16,
    /// The frame count, as stored.
    pub frame_count: i16,
    /// The name, in the second generation; up to its first zero, as stored.
    pub name: Vec<u8>,
    /// The records, without the terminator.
    pub records: Vec<LaterRecord>,
}

/// What a record drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LaterTrack {
    /// A component of a bone. Scale has tracks 7 to 9 here, not 6 to 8.
    Bone(Track),
    /// 14: a camera's roll.
    CameraRoll,
    /// 15: a camera's field of view.
    CameraFieldOfView,
    /// A track without a known meaning.
    Unknown(i8),
}

impl LaterTrack {
    fn of(number: i8) -> Self {
        let axis = |first: i8| match number - first {
            0 => Axis::X,
            1 => Axis::Y,
            _ => Axis::Z,
        };
        match number {
            0..=2 => Self::Bone(Track::Position(axis(0))),
            3..=5 => Self::Bone(Track::Rotation(axis(3))),
            7..=9 => Self::Bone(Track::Scale(axis(7))),
            14 => Self::CameraRoll,
            15 => Self::CameraFieldOfView,
            other => Self::Unknown(other),
        }
    }
}

/// One record.
#[derive(Debug, Clone, PartialEq)]
pub struct LaterRecord {
    /// The bone's global number, which the model maps; -1 is the model as a whole.
    pub bone: i16,
    /// What the curve drives.
    pub track: LaterTrack,
    /// -1, or a camera field if the motion's flags say so.
    pub camera_field: i16,
    /// The curve.
    pub curve: LaterCurve,
}

impl LaterMot {
    /// Whether the motion starts over at its end.
    pub fn is_looping(&self) -> bool {
        self.flags & 1 != 0
    }

    /// Reads a motion of either generation and byte order.
    ///
    /// # Errors
    ///
    /// Another magic, with the name of the variant if it is one; a record table that does not fit; a
    /// curve type without a known layout; a curve without keys, outside the file, whose frames do
    /// not ascend or with a number that is not finite.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let reader = Reader::new(super::FORMAT, bytes);
        let (generation, byte_order) = match Variant::of(bytes) {
            Some(Variant::First(order)) => (Generation::First, order),
            Some(Variant::Second(order)) => (Generation::Second, order),
            Some(other) => {
                return Err(reader.error(
                    "header",
                    0,
                    other.to_string(),
                    "mot of version 0x20120405 or with records at 0x10",
                ));
            }
            None => {
                let magic: [u8; 4] = reader.array(0, "magic")?;
                let found = format!("\"{}\"", magic.escape_ascii());
                return Err(reader.error("magic", 0, found, "\"mot\\0\""));
            }
        };
        let reader = reader.in_order(byte_order);
        // The second generation's header is the first one's with a version before it.
        let header = match generation {
            Generation::First => 4,
            Generation::Second => 8,
        };
        let table = reader.u32(header + 4, "record offset")? as usize;
        let count = reader.u32(header + 8, "record count")? as usize;
        let name = match generation {
            Generation::First => Vec::new(),
            Generation::Second => {
                let name: [u8; 20] = reader.array(0x18, "name")?;
                name.into_iter().take_while(|&byte| byte != 0).collect()
            }
        };
        reader.slice(table, count.saturating_mul(RECORD_SIZE), "record table")?;
        let mut curves = Curves {
            generation,
            byte_order,
            budget: Budget::of(&reader),
            shared: HashMap::new(),
        };
        let mut records = Vec::with_capacity(count);
        for index in 0..count {
            let reader = reader.within("record", index);
            let offset = table + index * RECORD_SIZE;
            let bone = reader.u16(offset, "bone")? as i16;
            if bone == TERMINATOR_BONE {
                break;
            }
            records.push(LaterRecord {
                bone,
                track: LaterTrack::of(reader.u8(offset + 2, "track")? as i8),
                camera_field: reader.u16(offset + 6, "camera field")? as i16,
                curve: curves.parse(&reader, offset)?,
            });
        }
        Ok(Self {
            generation,
            byte_order,
            flags: reader.u16(header, "flags")?,
            frame_count: reader.u16(header + 2, "frame count")? as i16,
            name,
            records,
        })
    }
}

struct Curves {
    generation: Generation,
    byte_order: ByteOrder,
    budget: Budget,
    /// Curves by the place, type and key count of their blocks: what is shared is kept once.
    shared: HashMap<(usize, CurveType, usize), LaterCurve>,
}

impl Curves {
    /// The curve of the record at `offset`.
    fn parse(&mut self, reader: &Reader<'_>, offset: usize) -> Result<LaterCurve, FormatError> {
        let number = reader.u8(offset + 3, "curve type")? as i8;
        let Some(curve_type) = CurveType::of(self.generation, number) else {
            let expected = match self.generation {
                Generation::First => "0 to 7, the types of Bayonetta 1",
                Generation::Second => "0 to 8, the types of Bayonetta 2",
            };
            return Err(reader.error("curve type", offset + 3, number.to_string(), expected));
        };
        if curve_type == CurveType::Constant {
            let value = reader.f32(offset + 8, "constant")?;
            if !value.is_finite() {
                return Err(reader.error("constant", offset + 8, value.to_string(), "a finite number"));
            }
            return Ok(LaterCurve::constant(value));
        }
        let count = reader.u16(offset + 4, "key count")? as i16;
        let Some(count) = usize::try_from(count).ok().filter(|&count| count > 0) else {
            return Err(reader.error("key count", offset + 4, count.to_string(), "1 to 32767"));
        };
        let start =
            (reader.u32(offset + 8, "block offset")? as usize).saturating_add(match self.generation {
                Generation::First => 0,
                Generation::Second => offset,
            });
        if let Some(curve) = self.shared.get(&(start, curve_type, count)) {
            return Ok(curve.clone());
        }
        let size = curve_type.block_size(count);
        let block = reader.slice(start, size, "block")?;
        self.budget.spend(reader, "block", start, size)?;
        let curve = LaterCurve::new(curve_type, self.byte_order, block);
        if let Some(found) = curve.fault() {
            return Err(reader.error("block", start, found, "finite numbers, and frames that ascend"));
        }
        self.shared.insert((start, curve_type, count), curve.clone());
        Ok(curve)
    }
}

impl LaterRecord {
    /// The keys of the record's curve as it is evaluated.
    pub fn keys(&self) -> Keys {
        self.curve.keys()
    }
}
