use std::fmt;

use super::Form;
use super::later::{FIRST_RECORDS, VERSION};
use crate::{ByteOrder, Reader};

/// Which motion files bytes start like. Its `Display` is a name for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// `mtb3` with records of 8 bytes, which [`super::Mot`] reads.
    Okami,
    /// `mtb3` with records of 12 bytes, which [`super::Mot`] reads.
    GodHand,
    /// `mtb3` with records of neither size.
    UnknownRecordSize,
    /// `mot\0` of MadWorld and Bayonetta, which [`super::later::LaterMot`] reads.
    First(ByteOrder),
    /// `mot\0` of Bayonetta 2 and the games after it, which [`super::later::LaterMot`] reads.
    Second(ByteOrder),
    /// `mot\0` of neither.
    UnknownMot,
}

impl Variant {
    /// Tells a variant by its first bytes (`spec/mot.md` §2, §A.6).
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(super::MAGIC) {
            return Some(match Form::of(bytes) {
                Some(Form::Okami) => Self::Okami,
                Some(Form::GodHand) => Self::GodHand,
                None => Self::UnknownRecordSize,
            });
        }
        if !bytes.starts_with(b"mot\0") {
            return None;
        }
        let found = [ByteOrder::Little, ByteOrder::Big].into_iter().find_map(|order| {
            let reader = Reader::new(super::FORMAT, bytes).in_order(order);
            if reader.u32(4, "version") == Ok(VERSION) {
                Some(Self::Second(order))
            } else {
                (reader.u32(8, "record offset") == Ok(FIRST_RECORDS)).then_some(Self::First(order))
            }
        });
        Some(found.unwrap_or(Self::UnknownMot))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Okami => Form::Okami.fmt(formatter),
            Self::GodHand => Form::GodHand.fmt(formatter),
            Self::UnknownRecordSize => formatter.write_str("mtb3 of unknown record size"),
            Self::First(order) => write!(formatter, "Bayonetta 1 / MadWorld motion, {order}"),
            Self::Second(order) => write!(formatter, "Bayonetta 2 generation motion, {order}"),
            Self::UnknownMot => formatter.write_str("unknown mot variant"),
        }
    }
}
