//! From bytes to a model (`spec/mhp-formats.md §3.2`).

use super::blocks::{Source, read_blocks};
use super::header::{GROUP, Header, MATERIAL, PALETTE_ENTRY, Region, Table, TableLengths};
use super::layout::{Kept, KeptRegion, KeptTables, Place};
use super::{
    GeometryPlace, Group, GroupOffsets, LightingFlags, Material, Mesh, MeshPlacement, PaletteEntry, Pmo,
    RemapTable, Version,
};
use crate::{FormatError, Reader};

/// A model with the places of its tables and blocks.
pub(super) struct File {
    pub(super) pmo: Pmo,
    pub(super) header: Header,
    pub(super) region: Region,
    /// Of each block.
    pub(super) places: Vec<Place>,
}

/// Reads a model; `companion` is the file that holds its geometry, where that is not in `bytes`.
pub(super) fn read(bytes: &[u8], companion: Option<&[u8]>) -> Result<File, FormatError> {
    let reader = Reader::new("PMO", bytes);
    let header = Header::parse(reader)?;
    let region = header.region(reader)?;

    let meshes_place = header.places.tables[Table::Meshes as usize];
    let mesh_size = header.version.mesh_size();
    reader.slice(meshes_place, header.mesh_count * mesh_size, "mesh table")?;
    let mut totals = Totals::default();
    let mut meshes = Vec::new();
    for number in 0..header.mesh_count {
        let record = meshes_place + number * mesh_size;
        meshes.push(read_mesh(
            reader.within("mesh", number),
            &header,
            record,
            &mut totals,
        )?);
    }
    let palette_total = read_groups(reader, &header, &totals, &mut meshes)?;

    let lengths: TableLengths = [
        Some(header.mesh_count * mesh_size),
        Some(totals.groups * GROUP),
        (header.remap_table == RemapTable::Stored).then_some(totals.remap),
        Some(palette_total * PALETTE_ENTRY),
        Some(header.material_count * MATERIAL),
    ];
    if let Some((field, name, found, end)) = header.places.first_overlap(&lengths) {
        let expected = format!("at least {end:#x}, where the table before it ends");
        return Err(reader.error(name, field, format!("{found:#x}"), expected));
    }
    let materials = read_materials(reader, &header)?;

    let (geometry, source, geometry_place, tail) = match (&region, companion) {
        (Region::Inline(range), _) => {
            let geometry = reader.range(range.clone(), "geometry region")?;
            let tail = bytes.get(range.end..).unwrap_or_default().to_vec();
            (
                geometry,
                Source {
                    reader,
                    start: range.start,
                },
                GeometryPlace::Inline,
                tail,
            )
        }
        (&Region::Companion(length), Some(companion)) => {
            let reader = Reader::new("PMO companion", companion);
            let geometry = reader.slice(0, length, "geometry region")?;
            let tail = companion.get(length..).unwrap_or_default().to_vec();
            let place = GeometryPlace::Companion { tail };
            (geometry, Source { reader, start: 0 }, place, Vec::new())
        }
        (&Region::Companion(length), None) => {
            return Err(reader.error(
                "geometry region",
                header.places.geometry,
                "the end of the file",
                format!("{length:#x} bytes, which stand in the companion file, the next one of the archive"),
            ));
        }
    };
    let (blocks, places) = read_blocks(reader, &header, geometry, source, &mut meshes)?;

    let mut pmo = Pmo {
        version: header.version,
        radius: header.radius,
        scale: header.scale,
        header_tail: header.tail,
        meshes,
        remap_table: header.remap_table,
        materials,
        blocks,
        geometry_place,
        tail,
        kept: Kept::default(),
    };
    keep_unusual_layout(&mut pmo, bytes, geometry, &header, lengths, &places);
    Ok(File {
        pmo,
        header,
        region,
        places,
    })
}

/// Remembers the tables or the region where a fresh layout would not give the same bytes.
fn keep_unusual_layout(
    pmo: &mut Pmo,
    bytes: &[u8],
    geometry: &[u8],
    header: &Header,
    lengths: TableLengths,
    places: &[Place],
) {
    let fresh = pmo.geometry();
    let offsets: Vec<GroupOffsets> = pmo
        .groups()
        .map(|group| places[group.group.block].offsets)
        .collect();
    if !fresh.is_ok_and(|fresh| fresh.bytes == geometry && fresh.groups == offsets) {
        pmo.kept.region = Some(KeptRegion {
            bytes: geometry.to_vec(),
            places: places.to_vec(),
        });
    }
    let tables = &bytes[..header.places.geometry];
    if !pmo
        .tables(&offsets, geometry.len())
        .is_ok_and(|fresh| fresh == tables)
    {
        pmo.kept.tables = Some(KeptTables {
            bytes: tables.to_vec(),
            places: header.places.clone(),
            lengths,
        });
    }
}

/// Running totals over the meshes.
#[derive(Default)]
struct Totals {
    groups: usize,
    remap: usize,
    group_counts: Vec<usize>,
}

fn expect_total(
    reader: Reader<'_>,
    offset: usize,
    field: &'static str,
    total: usize,
) -> Result<(), FormatError> {
    let found = usize::from(reader.u16(offset, field)?);
    if found == total {
        Ok(())
    } else {
        let expected = format!("{total:#x}, where the record before it ends");
        Err(reader.error(field, offset, format!("{found:#x}"), expected))
    }
}

/// Reads a mesh record; its groups come later.
fn read_mesh(
    reader: Reader<'_>,
    header: &Header,
    record: usize,
    totals: &mut Totals,
) -> Result<Mesh, FormatError> {
    let float = |offset: usize, field: &'static str| reader.f32(record + offset, field);
    let (placement, uv_scale, rest) = match header.version {
        Version::Mhfu => (
            None,
            [float(0x00, "u scale")?, float(0x04, "v scale")?],
            record + 0x08,
        ),
        Version::Mhp3rd => {
            let scale = [
                float(0x00, "scale x")?,
                float(0x04, "scale y")?,
                float(0x08, "scale z")?,
                float(0x0C, "scale w")?,
            ];
            let uv_offset = [float(0x18, "u offset")?, float(0x1C, "v offset")?];
            let uv_scale = [float(0x10, "u scale")?, float(0x14, "v scale")?];
            (Some(MeshPlacement { scale, uv_offset }), uv_scale, record + 0x20)
        }
    };
    let remap_count = usize::from(reader.u8(rest + 0x08, "remap count")?);
    expect_total(reader, rest + 0x0A, "first remap entry", totals.remap)?;
    let group_count = usize::from(reader.u16(rest + 0x0C, "group count")?);
    expect_total(reader, rest + 0x0E, "first group", totals.groups)?;
    let remap = match header.remap_table {
        RemapTable::Stored => {
            let place = header.places.tables[Table::Remap as usize].saturating_add(totals.remap);
            reader
                .slice(place, remap_count, "remap entries")?
                .iter()
                .map(|&entry| u16::from(entry))
                .collect()
        }
        // The total was read from 16 bits, and the count from 8: no entry is cut.
        RemapTable::Identity => (totals.remap..totals.remap + remap_count)
            .map(|entry| entry as u16)
            .collect(),
    };
    totals.remap += remap_count;
    totals.groups += group_count;
    totals.group_counts.push(group_count);
    Ok(Mesh {
        placement,
        uv_scale,
        lighting: LightingFlags(reader.u32(rest, "lighting flags")?),
        blend: reader.u32(rest + 0x04, "blend word")?,
        pad: reader.u8(rest + 0x09, "pad")?,
        remap,
        groups: Vec::new(),
    })
}

/// Reads the group records into their meshes, their blocks unset, and tells the total of palette
/// entries.
fn read_groups(
    reader: Reader<'_>,
    header: &Header,
    totals: &Totals,
    meshes: &mut [Mesh],
) -> Result<usize, FormatError> {
    let groups_place = header.places.tables[Table::Groups as usize];
    let palette_place = header.places.tables[Table::Palette as usize];
    reader.slice(groups_place, totals.groups * GROUP, "group table")?;
    let mut palette_total = 0;
    let mut number = 0;
    for (mesh, &count) in meshes.iter_mut().zip(&totals.group_counts) {
        for _ in 0..count {
            let reader = reader.within("group", number);
            let record = groups_place + number * GROUP;
            let entries = usize::from(reader.u8(record + 0x01, "palette count")?);
            expect_total(reader, record + 0x02, "first palette entry", palette_total)?;
            let place = palette_place.saturating_add(palette_total * PALETTE_ENTRY);
            let palette = reader
                .slice(place, entries * PALETTE_ENTRY, "palette entries")?
                .chunks_exact(PALETTE_ENTRY)
                .map(|entry| PaletteEntry {
                    slot: entry[0],
                    bone: entry[1],
                })
                .collect();
            palette_total += entries;
            mesh.groups.push(Group {
                material: reader.u8(record, "material")?,
                palette,
                block: 0,
            });
            number += 1;
        }
    }
    Ok(palette_total)
}

fn read_materials(reader: Reader<'_>, header: &Header) -> Result<Vec<Material>, FormatError> {
    let place = header.places.tables[Table::Materials as usize];
    let table = reader.slice(place, header.material_count * MATERIAL, "material table")?;
    let (records, _) = table.as_chunks::<MATERIAL>();
    let material =
        |&[r, g, b, a, ar, ag, ab, aa, image, p0, p1, p2, l0, l1, l2, l3]: &[u8; MATERIAL]| Material {
            color: [r, g, b, a],
            ambient: [ar, ag, ab, aa],
            image: (image != 0xFF).then_some(image),
            pad: [p0, p1, p2],
            leftover: u32::from_le_bytes([l0, l1, l2, l3]),
        };
    Ok(records.iter().map(material).collect())
}
