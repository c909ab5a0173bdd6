//! The reader of `mtb3` files.

use std::collections::HashMap;
use std::sync::Arc;

use super::layout::{Kept, Layout};
use super::property::{BaseEvidence, is_unseen_family};
use super::record::RawRecord;
use super::{
    Content, Curve, FORMAT, Family, Form, HEADER_SIZE, InvalidCurve, MAGIC, Mot, Record, SemiPrecisionBase,
    Variant, block,
};
use crate::budget::Budget;
use crate::{FormatError, Reader};

/// A file's header and its records as stored, up to the terminator.
pub(super) struct Table {
    pub(super) form: Form,
    pub(super) records: Vec<RawRecord>,
    /// Empty if there is none.
    pub(super) terminator: Vec<u8>,
    /// Where the counted records end.
    pub(super) end: usize,
    pub(super) base: SemiPrecisionBase,
    pub(super) evidence: BaseEvidence,
}

impl Table {
    pub(super) fn parse(bytes: &[u8], told: Option<SemiPrecisionBase>) -> Result<Self, FormatError> {
        let reader = Reader::new(FORMAT, bytes);
        let magic: [u8; 4] = reader.array(0, "magic")?;
        if magic != *MAGIC {
            let found = match Variant::of(bytes) {
                Some(variant) => variant.to_string(),
                None if &magic == b"3btm" => "a motion in big-endian order".to_owned(),
                None => format!("\"{}\"", magic.escape_ascii()),
            };
            return Err(reader.error("magic", 0, found, "\"mtb3\""));
        }
        reader.slice(4, 4, "header")?;
        let count = usize::from(reader.u8(6, "record count")?);
        if count == 0 && bytes.len() > HEADER_SIZE {
            return Err(reader.error(
                "record count",
                6,
                "0",
                "1 or more, the terminator being counted, or a file that ends with its header",
            ));
        }
        reader.slice(HEADER_SIZE, count * Form::Okami.record_size(), "record table")?;
        let Some(form) = Form::of(bytes) else {
            return Err(reader.error(
                "record table",
                HEADER_SIZE,
                format!("{count} records of neither 8 nor 12 bytes"),
                "a terminator, or records that make sense in one of the sizes (little-endian)",
            ));
        };
        let size = form.record_size();
        let table = reader.slice(HEADER_SIZE, count * size, "record table")?;
        let mut records = Vec::with_capacity(count);
        let mut terminator = Vec::new();
        for record in table.chunks_exact(size) {
            let raw = RawRecord::from_bytes(form, record);
            if raw.is_terminator() {
                terminator = record.to_vec();
                break;
            }
            records.push(raw);
        }
        let properties = records.iter().map(|record: &RawRecord| record.property);
        let (base, evidence) = match told {
            Some(base) => (base, BaseEvidence::Told),
            None => BaseEvidence::of(properties, form.default_base()).map_err(|_| {
                reader.error(
                    "record table",
                    HEADER_SIZE,
                    "contradictory semi-precision properties, of 48 and 49 and of 57 and 58",
                    "properties of one base",
                )
            })?,
        };
        Ok(Self {
            form,
            records,
            terminator,
            end: HEADER_SIZE + count * size,
            base,
            evidence,
        })
    }

    /// The place of record `index`.
    fn offset_of(&self, index: usize) -> usize {
        HEADER_SIZE + index * self.form.record_size()
    }
}

/// Reads the curves of a table.
pub(super) struct Curves<'a> {
    reader: Reader<'a>,
    pub(super) budget: Budget,
    /// Curves by the place, family and key count of their blocks: what is shared is kept once.
    shared: HashMap<(u32, Family, u16), Arc<Curve>>,
}

impl<'a> Curves<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        let reader = Reader::new(FORMAT, bytes);
        Self {
            reader,
            budget: Budget::of(&reader),
            shared: HashMap::new(),
        }
    }

    /// The record that `raw` makes at `index` of `table`.
    pub(super) fn record(
        &mut self,
        table: &Table,
        index: usize,
        raw: RawRecord,
    ) -> Result<Record, FormatError> {
        let offset = table.offset_of(index);
        let reader = self.reader.within("record", index);
        let content = match Family::of_property(raw.property, table.base) {
            None if is_unseen_family(raw.property) => {
                return Err(reader.error(
                    "property",
                    offset + 1,
                    format!("{:#04x}, of a family whose layout is unknown", raw.property),
                    "0x00, 0x10, 0x30, 0x40 or 0x50 and a track",
                ));
            }
            None => Content::Unknown {
                property: raw.property,
                key_count: raw.key_count,
                word: raw.word,
            },
            Some((family, track)) => Content::Curve {
                track,
                curve: self.curve(&reader, table, offset, raw, family)?,
            },
        };
        Ok(Record {
            bone: raw.bone,
            flags: raw.flags,
            content,
        })
    }

    fn curve(
        &mut self,
        reader: &Reader<'a>,
        table: &Table,
        offset: usize,
        raw: RawRecord,
        family: Family,
    ) -> Result<Arc<Curve>, FormatError> {
        let word_at = offset + table.form.record_size() - 4;
        if family == Family::SinglePose {
            let value = f32::from_bits(raw.word);
            if !value.is_finite() {
                return Err(reader.error("constant", word_at, value.to_string(), "a finite number"));
            }
            return Ok(Arc::new(Curve::SinglePose {
                value,
                key_count: raw.key_count,
            }));
        }
        if let Some(curve) = self.shared.get(&(raw.word, family, raw.key_count)) {
            return Ok(Arc::clone(curve));
        }
        let start = raw.word as usize;
        if start < table.end {
            return Err(reader.error(
                "block offset",
                word_at,
                format!("{start:#x}"),
                format!("at least {:#x}, where the record table ends", table.end),
            ));
        }
        let size = block::size(family, raw.key_count.into());
        let bytes = reader.slice(start, size, "block")?;
        self.budget.spend(reader, "block", start, size)?;
        let curve = block::parse(family, bytes);
        curve.check().map_err(|invalid| {
            let key_at = |key: usize| start + family.header_size() + key * family.key_size();
            let (place, expected) = match invalid {
                InvalidCurve::NoKeys | InvalidCurve::KeyCount(_) => (offset + 2, "1 key or more"),
                InvalidCurve::FrameOrder { key, .. } | InvalidCurve::Frame { key, .. } => {
                    (key_at(key), "frames that ascend")
                }
                InvalidCurve::HeaderNotFinite => (start, "finite numbers"),
                InvalidCurve::KeyNotFinite { key } => (key_at(key), "finite numbers"),
            };
            reader.error("curve", place, invalid.to_string(), expected)
        })?;
        let curve = Arc::new(curve);
        self.shared
            .insert((raw.word, family, raw.key_count), Arc::clone(&curve));
        Ok(curve)
    }
}

impl Mot {
    /// Reads a motion of either game. Where its properties leave the Semi-Precision base open, that
    /// of the base document is taken for Okami and the tool's for God Hand, with a warning.
    ///
    /// # Errors
    ///
    /// Another magic, with the name of the variant if it is one; a record table that does not fit or
    /// whose record size cannot be told; contradictory Semi-Precision properties; a family that
    /// nobody has seen; and any curve without keys, outside the file, whose frames do not ascend or
    /// with a number that is not finite (`spec/mot.md` §10).
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        Self::parse_told(bytes, None)
    }

    /// Reads a motion whose Semi-Precision base is known.
    ///
    /// # Errors
    ///
    /// As for [`Mot::parse`]; properties of the other base have no known meaning then.
    pub fn parse_with_base(bytes: &[u8], base: SemiPrecisionBase) -> Result<Self, FormatError> {
        Self::parse_told(bytes, Some(base))
    }

    fn parse_told(bytes: &[u8], told: Option<SemiPrecisionBase>) -> Result<Self, FormatError> {
        let table = Table::parse(bytes, told)?;
        let mut curves = Curves::of(bytes);
        let records = (0..)
            .zip(&table.records)
            .map(|(index, &raw)| curves.record(&table, index, raw))
            .collect::<Result<Vec<_>, _>>()?;
        let blocks = records.iter().zip(&table.records).map(|(record, raw)| {
            record.block_curve().map_or((0, 0), |curve| {
                (raw.word, block::size(curve.family(), curve.key_count()))
            })
        });
        let kept = Kept::of(bytes, table.form, records.len(), table.terminator, blocks);
        let reader = Reader::new(FORMAT, bytes);
        let mut mot = Self {
            form: table.form,
            frame_count: reader.u16(4, "frame count")?,
            loop_flag: reader.u8(7, "loop flag")?,
            base: table.base,
            evidence: table.evidence,
            records,
            layout: Layout::Packed,
        };
        if mot.write() != bytes {
            mot.layout = Layout::Kept(kept);
        }
        Ok(mot)
    }
}
