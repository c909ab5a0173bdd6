//! Reading what known bad writers left.

use super::layout::Layout;
use super::read::{Curves, Table};
use super::record::RawRecord;
use super::{Curve, Family, Form, HEADER_SIZE, Mot, QuantizedKey, Record, block};
use crate::budget::Budget;
use crate::{FormatError, Reader};

/// A motion out of a file with curves that [`Mot::parse`] refuses.
#[derive(Debug, Clone, PartialEq)]
pub struct Mended {
    /// The motion, valid now: it writes as a mended file, not as the one that was read.
    pub motion: Mot,
    /// What was done, by record of the file.
    pub repairs: Vec<(usize, Repair)>,
}

/// What was done to a record's curve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Repair {
    /// The record counts a key more than its block has room for, as an old exporter has it
    /// (`spec/mot.md` §10).
    #[error("a key too many, which would lie in the next block: dropped")]
    KeyTooMany,
    /// Keys on one frame, of which the last is kept.
    #[error("{0} keys on the frame of the key behind them: dropped")]
    KeysOnOneFrame(usize),
    /// The record could not be read and is left out.
    #[error("left out: {0}")]
    LeftOut(FormatError),
}

impl Mot {
    /// Reads a motion that may be damaged in ways that known writers damage them: drops a key too
    /// many, keeps the last of keys on one frame, leaves out what cannot be read at all.
    ///
    /// # Errors
    ///
    /// What makes the whole file unreadable for [`Mot::parse`] too: its magic, its record table,
    /// contradictory properties.
    pub fn mend(bytes: &[u8]) -> Result<Mended, FormatError> {
        let table = Table::parse(bytes, None)?;
        let reader = Reader::new(super::FORMAT, bytes);
        let mut curves = Curves::of(bytes);
        let mut records = Vec::new();
        let mut repairs = Vec::new();
        for (index, &raw) in table.records.iter().enumerate() {
            let raw = match without_key_too_many(&table, raw, bytes.len()) {
                Some(mended) => {
                    repairs.push((index, Repair::KeyTooMany));
                    mended
                }
                None => raw,
            };
            match curves.record(&table, index, raw) {
                Ok(record) => records.push(record),
                Err(error) => match without_keys_on_one_frame(&table, raw, &reader, &mut curves.budget) {
                    Some((record, dropped)) => {
                        records.push(record);
                        repairs.push((index, Repair::KeysOnOneFrame(dropped)));
                    }
                    None => repairs.push((index, Repair::LeftOut(error))),
                },
            }
        }
        let motion = Self {
            form: if records.is_empty() {
                Form::Okami
            } else {
                table.form
            },
            frame_count: reader.u16(4, "frame count")?,
            loop_flag: reader.u8(7, "loop flag")?,
            base: table.base,
            evidence: table.evidence,
            records,
            layout: Layout::Packed,
        };
        let motion = motion.checked().map_err(|invalid| {
            let expected = "records that a terminator can follow";
            reader.error("record table", HEADER_SIZE, invalid.to_string(), expected)
        })?;
        Ok(Mended { motion, repairs })
    }
}

/// The record with one key less, if its block reaches exactly one key into the next one or past the
/// file's end.
fn without_key_too_many(table: &Table, raw: RawRecord, file_length: usize) -> Option<RawRecord> {
    let family_of = |record: &RawRecord| {
        Family::of_property(record.property, table.base)
            .map(|(family, _)| family)
            .filter(|family| *family != Family::SinglePose)
    };
    let family = family_of(&raw)?;
    let next = table
        .records
        .iter()
        .filter(|other| family_of(other).is_some() && other.word > raw.word)
        .map(|other| other.word as usize)
        .min()
        .unwrap_or(file_length);
    let end = (raw.word as usize).checked_add(block::size(family, raw.key_count.into()))?;
    let key_count = raw.key_count.checked_sub(1).filter(|count| *count > 0)?;
    (end == next.checked_add(family.key_size())?).then_some(RawRecord { key_count, ..raw })
}

/// The record with only the last of the keys on each frame, and how many keys that dropped; `None`
/// if something else is wrong with it.
fn without_keys_on_one_frame(
    table: &Table,
    raw: RawRecord,
    reader: &Reader<'_>,
    budget: &mut Budget,
) -> Option<(Record, usize)> {
    let (family, track) = Family::of_property(raw.property, table.base)?;
    let start = raw.word as usize;
    let size = block::size(family, raw.key_count.into());
    if family == Family::SinglePose || start < table.end {
        return None;
    }
    let block = reader.slice(start, size, "block").ok()?;
    budget.spend(reader, "block", start, size).ok()?;
    let mut curve = block::parse(family, block);
    let before = curve.key_count();
    match &mut curve {
        Curve::Quantized { keys, .. } => keys.dedup_by(|later, kept| {
            let is_same = later.frames == 0;
            if is_same {
                let frames = kept.frames;
                *kept = QuantizedKey { frames, ..*later };
            }
            is_same
        }),
        Curve::SemiPrecision { keys, .. } => keep_last(keys, |key| key.frame),
        Curve::FullPrecision { keys } => keep_last(keys, |key| key.frame),
        Curve::SinglePose { .. } | Curve::Linear { .. } => {}
    }
    curve.check().ok()?;
    let dropped = before - curve.key_count();
    let record = Record::new(raw.bone, track, curve).with_flags(raw.flags);
    Some((record, dropped))
}

/// Keeps the last of neighbouring keys on one frame.
fn keep_last<K: Copy>(keys: &mut Vec<K>, frame: fn(&K) -> u16) {
    keys.dedup_by(|later, kept| {
        let is_same = frame(later) == frame(kept);
        if is_same {
            *kept = *later;
        }
        is_same
    });
}
