//! The container's header (`spec/fsha.md` §1.1).

use std::fmt;
use std::sync::Arc;

use super::builder::{Builder, put};
use super::source::{Source, follow};
use crate::fsha::Generation;
use crate::{FormatError, Reader};

pub(super) const HEADER_SIZE: usize = 0x6C;
/// The group of models.
pub(super) const MODELS: usize = 0;
/// The group of shape animations, counted from 0.
pub(super) const ANIMATIONS: usize = 9;
const NAME: usize = 0x14;
const GROUPS: usize = 0x20;
const COUNTS: usize = 0x50;

/// A container's version, a part in each byte: `0x03040004` is 3.4.0.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(
    /// The number as stored.
    pub u32,
);

impl Version {
    /// 3.4.0.4, that of the files known here.
    pub const LATEST: Self = Self(0x0304_0004);
    const LOWEST: Self = Self(0x0300_0000);
    const LATE: Self = Self(0x0304_0000);

    /// The layout of animations in this version; `None` below 3.0, which is not read.
    pub fn generation(self) -> Option<Generation> {
        if self < Self::LOWEST {
            return None;
        }
        Some(if self < Self::LATE {
            Generation::Early
        } else {
            Generation::Late
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0.to_be_bytes();
        write!(formatter, "{a}.{b}.{c}.{d}")
    }
}

/// What is kept of the header.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Header {
    pub(super) version: Version,
    pub(super) name: Arc<str>,
    pub(super) animation_count: u16,
}

impl Header {
    pub(super) fn parse(source: &mut Source<'_>) -> Result<(Self, Generation), FormatError> {
        let reader = source.reader;
        let refuse = |found: &str| Err(reader.error("magic", 0, found.to_owned(), "\"FRES\" of the Wii U"));
        let magic: [u8; 4] = reader.array(0, "magic")?;
        match &magic {
            b"FRES" => {}
            b"Yaz0" => return refuse("a Yaz0-compressed file"),
            _ => return refuse(&format!("\"{}\"", magic.escape_ascii())),
        }
        if reader.array(4, "version")? == *b"    " {
            return refuse("a Switch BFRES");
        }
        let version = Version(reader.u32(4, "version")?);
        match reader.u16(8, "byte order mark")? {
            0xFEFF => {}
            0xFFFE => {
                return Err(reader.error(
                    "byte order mark",
                    8,
                    "a little-endian FRES, which is not supported",
                    "0xfeff",
                ));
            }
            other => {
                return Err(reader.error("byte order mark", 8, format!("{other:#06x}"), "0xfeff"));
            }
        }
        let Some(generation) = version.generation() else {
            return Err(reader.error("version", 4, version.to_string(), "3.0 or later"));
        };
        source.take(&reader, "header", 0, HEADER_SIZE)?;
        let header = Self {
            version,
            name: source.name(&reader, "name", NAME)?,
            animation_count: reader.u16(COUNTS + 2 * ANIMATIONS, "animation count")?,
        };
        Ok((header, generation))
    }
}

/// Where the dictionary of group `index` is.
pub(super) fn group_place(reader: &Reader<'_>, index: usize) -> Result<Option<usize>, FormatError> {
    follow(reader, "group", GROUPS + 4 * index)
}

/// The bytes of a container whose only group, of `count` animations, has its dictionary at
/// `dictionary`.
pub(super) fn finish(
    mut builder: Builder,
    name: &Arc<str>,
    version: Version,
    dictionary: Option<usize>,
    count: u16,
) -> Vec<u8> {
    const STRINGS_SIZE: usize = 0x18;
    const STRINGS: usize = 0x1C;
    builder.name(NAME, name);
    if let Some(dictionary) = dictionary {
        builder.point(GROUPS + 4 * ANIMATIONS, dictionary);
    }
    let built = builder.finish();
    let mut bytes = built.bytes;
    let size = bytes.len();
    put(&mut bytes, 0, b"FRES");
    put(&mut bytes, 4, &version.0.to_be_bytes());
    put(&mut bytes, 8, &0xFEFF_0010_u32.to_be_bytes());
    put(&mut bytes, 0x0C, &(size as u32).to_be_bytes());
    put(&mut bytes, 0x10, &4u32.to_be_bytes());
    put(
        &mut bytes,
        STRINGS_SIZE,
        &((size - built.names_at) as u32).to_be_bytes(),
    );
    put(
        &mut bytes,
        STRINGS,
        &((built.names_at - STRINGS) as u32).to_be_bytes(),
    );
    put(&mut bytes, COUNTS + 2 * ANIMATIONS, &count.to_be_bytes());
    bytes
}
