//! MOT: skeletal motions of Okami and God Hand (`mtb3`), and a reader of the later games' files
//! (`mot\0`, in [`later`]).
//!
//! A motion is a list of records, each a curve of one component of one bone. Okami's records have 8
//! bytes, God Hand's 12, and nothing but their places tells which ([`Form`]). Everything known about
//! the format rests on public tools and a wiki page, not on files seen (`spec/mot.md` §0).
//!
//! ```
//! use formats::mot::{Axis, Curve, Form, HermiteKey, Mot, Record, Track};
//!
//! let key = |frame, value| HermiteKey { frame, value, ..HermiteKey::default() };
//! let nod = Curve::fit(&[key(0, 0.0), key(15, 0.5), key(30, 0.0)], 0.001)?;
//! let records = vec![
//!     Record::new(Record::ROOT, Track::Position(Axis::Y), Curve::single_pose(90.0)),
//!     Record::new(4, Track::Rotation(Axis::X), nod),
//! ];
//! let motion = Mot::new(Form::Okami, records)?.looping();
//! assert_eq!(motion.frame_count(), 31);
//! assert_eq!(Mot::parse(&motion.write())?, motion);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod curve;
mod encode;
mod float16;
pub mod later;
mod layout;
mod mend;
mod number;
mod property;
mod read;
mod record;
#[cfg(test)]
mod tests;
mod variant;
mod warning;

pub use curve::{
    Curve, FullPrecisionKey, HermiteKey, InvalidCurve, Keys, Quantization, QuantizedKey, SemiPrecisionKey,
    Steps,
};
pub use float16::Float16;
pub use mend::{Mended, Repair};
pub use number::StoredNumber;
pub use property::{Family, SemiPrecisionBase, Track};
pub use record::{Content, Form, Record};
pub use variant::Variant;
pub use warning::Warning;

pub use crate::animation::Axis;
use layout::Layout;
use property::BaseEvidence;

/// The name of the format in errors.
const FORMAT: &str = "MOT";
const MAGIC: &[u8; 4] = b"mtb3";
const HEADER_SIZE: usize = 8;
/// Frames of a motion in a second (`spec/mot.md` §8.4).
pub const FRAMES_PER_SECOND: u32 = 30;

/// A motion of Okami or God Hand.
///
/// What can be built can be written: [`Mot::new`] checks what a file cannot hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Mot {
    form: Form,
    frame_count: u16,
    loop_flag: u8,
    base: SemiPrecisionBase,
    evidence: BaseEvidence,
    records: Vec<Record>,
    layout: Layout,
}

/// Why records are no motion that a file can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMot {
    /// The header counts records in a byte, and the terminator is one of them.
    #[error("{0} records, where a motion holds 254")]
    RecordCount(usize),
    /// The record's curve is none.
    #[error("record {record}: {curve}")]
    Curve {
        /// The record.
        record: usize,
        /// What is wrong with it.
        curve: InvalidCurve,
    },
    /// Okami's records have no flags.
    #[error("record {0}: flags, where Okami's records have none")]
    Flags(usize),
    /// The property of a record without a known meaning has one, or ends the table.
    #[error("record {record}: property {property:#04x} of a record of unknown meaning")]
    Property {
        /// The record.
        record: usize,
        /// Its property.
        property: u8,
    },
    /// The file would be taken for the other form's (`spec/mot.md` §3.4).
    #[error("records whose bytes look like those of the other form")]
    AmbiguousForm,
}

impl Mot {
    /// A motion of `records`, as long as its longest curve, that plays once. Without records the
    /// form makes no difference and is forgotten.
    ///
    /// # Errors
    ///
    /// See [`InvalidMot`].
    pub fn new(form: Form, records: Vec<Record>) -> Result<Self, InvalidMot> {
        let form = if records.is_empty() { Form::Okami } else { form };
        let base = form.default_base();
        let properties = records.iter().map(|record| record.property(base));
        // A record of unknown meaning is the only one that could contradict the form's own base.
        let evidence =
            BaseEvidence::of(properties, base).map_or(BaseEvidence::Told, |(_, evidence)| evidence);
        Self {
            form,
            frame_count: frame_count(&records),
            loop_flag: 0,
            base,
            evidence,
            records,
            layout: Layout::Packed,
        }
        .checked()
    }

    /// The same motion, starting over at its end.
    #[must_use]
    pub fn looping(self) -> Self {
        Self { loop_flag: 1, ..self }
    }

    /// The same motion with a frame count of its own: the last frame and one.
    #[must_use]
    pub fn with_frame_count(self, frame_count: u16) -> Self {
        Self { frame_count, ..self }
    }

    /// The same motion, its Semi-Precision curves written with the properties of `base` instead of
    /// those usual in its form; to be read with [`Mot::parse_with_base`].
    ///
    /// # Errors
    ///
    /// [`InvalidMot::Property`], if the base gives a meaning to a record that had none.
    pub fn with_semi_precision_base(self, base: SemiPrecisionBase) -> Result<Self, InvalidMot> {
        Self {
            base,
            evidence: BaseEvidence::Told,
            ..self
        }
        .checked()
    }

    fn checked(self) -> Result<Self, InvalidMot> {
        if self.records.len() > 254 {
            return Err(InvalidMot::RecordCount(self.records.len()));
        }
        for (index, record) in self.records.iter().enumerate() {
            record.check(index, self.form, self.base)?;
        }
        match Form::of(&self.write()) {
            Some(form) if form == self.form => Ok(self),
            _ => Err(InvalidMot::AmbiguousForm),
        }
    }

    /// Which game's records the file has.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The last frame and one, as the header states it.
    pub fn frame_count(&self) -> u16 {
        self.frame_count
    }

    /// The loop flag as stored; 0 or 1 in known files.
    pub fn loop_flag(&self) -> u8 {
        self.loop_flag
    }

    /// Whether the motion starts over at its end. Its period is then a frame less than
    /// [`Mot::frame_count`], the last frame being the first again (`spec/mot.md` §8.4, read from one
    /// viewer).
    pub fn is_looping(&self) -> bool {
        self.loop_flag != 0
    }

    /// The Semi-Precision base with which the properties were read.
    pub fn semi_precision_base(&self) -> SemiPrecisionBase {
        self.base
    }

    /// The records, without the terminator.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The curves: of two for the same track of the same bone, the later one wins.
    pub fn curves(&self) -> impl Iterator<Item = (i8, Track, &Curve)> {
        self.records.iter().filter_map(|record| match &record.content {
            Content::Curve { track, curve } => Some((record.bone, *track, &**curve)),
            Content::Unknown { .. } => None,
        })
    }

    /// Whether the record table ends with a terminator, as known writers leave it.
    pub fn has_terminator(&self) -> bool {
        self.layout.has_terminator()
    }

    /// What is unusual about the motion but does not keep it from being read.
    pub fn warnings(&self) -> Vec<Warning> {
        warning::of(self)
    }
}

/// The frame count of a motion of these records, at most 65535.
fn frame_count(records: &[Record]) -> u16 {
    let last = records.iter().filter_map(|record| match &record.content {
        Content::Curve { curve, .. } => Some(curve.last_frame()),
        Content::Unknown { .. } => None,
    });
    let count = last.max().unwrap_or(0).saturating_add(1);
    u16::try_from(count).unwrap_or(u16::MAX)
}
