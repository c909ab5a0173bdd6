//! The header and the places of the tables.

use std::ops::Range;

use super::{RemapTable, Version};
use crate::{FormatError, Reader};

pub(super) const HEADER: usize = 0x40;
pub(super) const GROUP: usize = 0x10;
pub(super) const PALETTE_ENTRY: usize = 2;
pub(super) const MATERIAL: usize = 0x10;
/// Every table, and the geometry region, starts at a multiple of this.
pub(super) const TABLE_ALIGNMENT: usize = 16;

/// The tables in the order in which they stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Meshes,
    Groups,
    Remap,
    Palette,
    Materials,
}

impl Table {
    pub(super) const ALL: [Self; 5] = [
        Self::Meshes,
        Self::Groups,
        Self::Remap,
        Self::Palette,
        Self::Materials,
    ];

    /// Where the header stores the table's offset.
    fn field(self) -> usize {
        0x20 + self as usize * 4
    }

    fn offset_name(self) -> &'static str {
        match self {
            Self::Meshes => "mesh table offset",
            Self::Groups => "group table offset",
            Self::Remap => "remap table offset",
            Self::Palette => "bone palette offset",
            Self::Materials => "material table offset",
        }
    }
}

/// Where the header stores the geometry region's offset.
const GEOMETRY_FIELD: usize = 0x34;

/// Lengths of the tables in bytes, padding excluded, in the order of [`Table::ALL`]. `None`: the
/// table is not stored and its offset is 0.
pub(super) type TableLengths = [Option<usize>; 5];

/// Offsets of the tables and of the geometry region from the start of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TablePlaces {
    pub(super) tables: [usize; 5],
    pub(super) geometry: usize,
}

impl TablePlaces {
    /// The places in a file written afresh (`spec/mhp-formats.md §3.1`).
    pub(super) fn fresh(lengths: &TableLengths) -> Self {
        let mut end = HEADER;
        let mut tables = [0; 5];
        for (place, length) in tables.iter_mut().zip(lengths) {
            if let Some(length) = length {
                *place = end;
                end = (end + length).next_multiple_of(TABLE_ALIGNMENT);
            }
        }
        Self {
            tables,
            geometry: end,
        }
    }

    /// The first table that does not fit before the next one or the geometry region, with its
    /// earliest possible place. Empty tables may stand anywhere.
    pub(super) fn first_overlap(
        &self,
        lengths: &TableLengths,
    ) -> Option<(usize, &'static str, usize, usize)> {
        let mut end = HEADER;
        for ((table, &place), length) in Table::ALL.into_iter().zip(&self.tables).zip(lengths) {
            if let Some(length @ 1..) = *length {
                if place < end {
                    return Some((table.field(), table.offset_name(), place, end));
                }
                end = place.saturating_add(length);
            }
        }
        (self.geometry < end).then_some((GEOMETRY_FIELD, "geometry offset", self.geometry, end))
    }
}

/// The header's fields.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) version: Version,
    pub(super) size: usize,
    pub(super) radius: f32,
    pub(super) scale: [f32; 3],
    pub(super) mesh_count: usize,
    pub(super) material_count: usize,
    pub(super) places: TablePlaces,
    pub(super) remap_table: RemapTable,
    pub(super) tail: [u8; 8],
}

/// Where the geometry region is, by the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Region {
    Inline(Range<usize>),
    /// At the start of a companion file, with this length.
    Companion(usize),
}

impl Header {
    pub(super) fn parse(reader: Reader<'_>) -> Result<Self, FormatError> {
        let header = reader.slice(0, HEADER, "header")?;
        if &header[..4] != b"pmo\0" {
            return Err(reader.error("magic", 0, text(&header[..4]), text(b"pmo\0")));
        }
        let version = [Version::Mhfu, Version::Mhp3rd]
            .into_iter()
            .find(|version| &header[4..8] == version.magic())
            .ok_or_else(|| reader.error("version", 4, text(&header[4..8]), "\"1.0\\0\" or \"102\\0\""))?;
        let offset = |field| reader.u32(field, "offset").map(|offset| offset as usize);
        let mut tables = [0; 5];
        for (place, table) in tables.iter_mut().zip(Table::ALL) {
            *place = offset(table.field())?;
        }
        let remap = tables[Table::Remap as usize];
        let remap_table = if remap == 0 {
            RemapTable::Identity
        } else {
            RemapTable::Stored
        };
        if version == Version::Mhfu && remap_table == RemapTable::Identity {
            let (field, name) = (Table::Remap.field(), Table::Remap.offset_name());
            return Err(reader.error(name, field, "0", "an offset: version 1.0 always has the table"));
        }
        let mut tail = [0; 8];
        tail.copy_from_slice(&header[0x38..HEADER]);
        Ok(Self {
            version,
            size: reader.u32(0x08, "size")? as usize,
            radius: reader.f32(0x0C, "radius")?,
            scale: [
                reader.f32(0x10, "scale x")?,
                reader.f32(0x14, "scale y")?,
                reader.f32(0x18, "scale z")?,
            ],
            mesh_count: usize::from(reader.u16(0x1C, "mesh count")?),
            material_count: usize::from(reader.u16(0x1E, "material count")?),
            places: TablePlaces {
                tables,
                geometry: offset(GEOMETRY_FIELD)?,
            },
            remap_table,
            tail,
        })
    }

    /// Where the geometry is (`spec/mhp-formats.md §3.2`, step 2).
    pub(super) fn region(&self, reader: Reader<'_>) -> Result<Region, FormatError> {
        let (start, end, length) = (self.places.geometry, self.size, reader.len());
        let fault = |offset, field: &'static str, found: usize, expected: String| {
            Err(reader.error(field, offset, format!("{found:#x}"), expected))
        };
        if end < start {
            return fault(
                0x08,
                "size",
                end,
                format!("at least the geometry offset {start:#x}"),
            );
        }
        if end <= length {
            return Ok(Region::Inline(start..end));
        }
        match self.version {
            Version::Mhp3rd if start == length => Ok(Region::Companion(end - start)),
            Version::Mhp3rd => fault(
                0x08,
                "size",
                end,
                format!(
                    "at most the file's {length:#x} bytes, or a geometry offset that equals them (geometry in a companion file)"
                ),
            ),
            Version::Mhfu => fault(0x08, "size", end, format!("at most the file's {length:#x} bytes")),
        }
    }

    /// Writes the fields over the first 0x40 bytes of a file.
    pub(super) fn put(&self, file: &mut [u8]) {
        let mut header = Vec::with_capacity(HEADER);
        header.extend_from_slice(b"pmo\0");
        header.extend_from_slice(self.version.magic());
        header.extend_from_slice(&word(self.size));
        header.extend_from_slice(&self.radius.to_le_bytes());
        for scale in self.scale {
            header.extend_from_slice(&scale.to_le_bytes());
        }
        for count in [self.mesh_count, self.material_count] {
            header.extend_from_slice(&word(count)[..2]);
        }
        for &place in &self.places.tables {
            header.extend_from_slice(&word(place));
        }
        header.extend_from_slice(&word(self.places.geometry));
        header.extend_from_slice(&self.tail);
        for (target, byte) in file.iter_mut().zip(header) {
            *target = byte;
        }
    }
}

/// A number as the file stores it; writers check the range first.
pub(super) fn word(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

fn text(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `spec/mhp-formats.md §3.1`.
    #[test]
    fn tables_start_at_multiples_of_16() {
        let places = TablePlaces::fresh(&[Some(0x18), Some(0x10), Some(1), Some(0), Some(0x10)]);
        assert_eq!(
            places,
            TablePlaces {
                tables: [0x40, 0x60, 0x70, 0x80, 0x80],
                geometry: 0x90
            }
        );
        let places = TablePlaces::fresh(&[Some(0x30), Some(0x30), Some(3), Some(6), Some(0x20)]);
        assert_eq!(
            places,
            TablePlaces {
                tables: [0x40, 0x70, 0xA0, 0xB0, 0xC0],
                geometry: 0xE0
            }
        );
        let places = TablePlaces::fresh(&[Some(0x30), Some(0x10), None, Some(2), Some(0x10)]);
        assert_eq!(
            places,
            TablePlaces {
                tables: [0x40, 0x70, 0, 0x80, 0x90],
                geometry: 0xA0
            }
        );
    }
}
