//! From a model to bytes (`spec/mhp-formats.md §3.3`).

use vertex::IndexFormat;

use super::header::{GROUP, HEADER, Header, MATERIAL, PALETTE_ENTRY, Table, TableLengths, TablePlaces, word};
use super::walk::ListError;
use super::{
    Block, BlockCommand, GeometryPlace, GroupOffsets, Mesh, MeshPlacement, Pmo, RemapTable, Version,
};

/// Why a model cannot be written: a number that its field cannot hold, or a list that the GE could
/// not follow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// A group names a block that does not exist.
    #[error("group {group} draws block {block}, which does not exist")]
    NoSuchBlock {
        /// The group.
        group: usize,
        /// The block it names.
        block: usize,
    },
    /// A block's list or buffers do not fit together.
    #[error("block {block} has {fault}")]
    List {
        /// The block.
        block: usize,
        /// What is wrong with it.
        fault: ListError,
    },
    /// An address without an ORIGIN before it, or farther from it than an argument reaches.
    #[error(
        "block {block}, command {command}: the address cannot be stored: it needs an ORIGIN within reach before it"
    )]
    Address {
        /// The block.
        block: usize,
        /// The command's number in the list.
        command: usize,
    },
    /// A count or a running total that its field cannot hold.
    #[error("{field}: {found}, at most {limit} can be stored")]
    Count {
        /// The count.
        field: &'static str,
        /// What it is.
        found: usize,
        /// What its field holds.
        limit: usize,
    },
    /// A remap entry that is no byte, or that the identity of an unstored table does not give.
    #[error("mesh {mesh}: remap entry {entry} is {found}, which cannot be stored")]
    Remap {
        /// The mesh.
        mesh: usize,
        /// The entry's number in the mesh.
        entry: usize,
        /// The material it names.
        found: u16,
    },
    /// What a version does not have: a Freedom Unite model without a remap table or with a companion,
    /// or a mesh record with or without a scale of its own.
    #[error("{0}")]
    Version(
        /// What does not fit the version.
        &'static str,
    ),
    /// An image number that means "untextured".
    #[error("material {0}: image 255 cannot be stored, it means untextured")]
    Image(
        /// The material.
        usize,
    ),
    /// The geometry region exceeds 4 GiB.
    #[error("the geometry region exceeds 4 GiB")]
    RegionTooLong,
}

impl Pmo {
    /// Writes the model's file, with its geometry where that is inline, and its tail.
    ///
    /// For a model that was read and not changed this gives the bytes that were read.
    ///
    /// # Errors
    ///
    /// See [`WriteError`].
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let geometry = self.geometry()?;
        let mut file = self.tables(&geometry.groups, geometry.bytes.len())?;
        if self.geometry_place == GeometryPlace::Inline {
            file.extend_from_slice(&geometry.bytes);
        }
        file.extend_from_slice(&self.tail);
        Ok(file)
    }

    /// Writes the companion file with the geometry, or nothing where that is inline.
    ///
    /// # Errors
    ///
    /// See [`WriteError`].
    pub fn write_geometry(&self) -> Result<Option<Vec<u8>>, WriteError> {
        match &self.geometry_place {
            GeometryPlace::Inline => Ok(None),
            GeometryPlace::Companion { tail } => {
                let mut file = self.geometry()?.bytes;
                file.extend_from_slice(tail);
                Ok(Some(file))
            }
        }
    }

    /// The header and the tables, up to the geometry region.
    pub(super) fn tables(&self, offsets: &[GroupOffsets], region: usize) -> Result<Vec<u8>, WriteError> {
        let tables = self.table_bytes(offsets)?;
        let lengths: TableLengths = [0, 1, 2, 3, 4].map(|table| tables[table].as_ref().map(Vec::len));
        let kept = self.kept.tables.as_ref().filter(|kept| kept.lengths == lengths);
        let (places, mut file) = match kept {
            Some(kept) => (kept.places.clone(), kept.bytes.clone()),
            None => {
                let places = TablePlaces::fresh(&lengths);
                let file = vec![0; places.geometry];
                (places, file)
            }
        };
        self.put_tables(&tables, places, region, &mut file)?;
        Ok(file)
    }

    /// Writes header and tables over a file's first bytes.
    pub(super) fn put_tables(
        &self,
        tables: &[Option<Vec<u8>>; 5],
        places: TablePlaces,
        region: usize,
        file: &mut [u8],
    ) -> Result<(), WriteError> {
        let size = places.geometry.saturating_add(region);
        if u32::try_from(size).is_err() {
            return Err(WriteError::RegionTooLong);
        }
        for (table, &place) in tables.iter().zip(&places.tables) {
            let table = table.as_deref().unwrap_or_default();
            if let Some(target) = file.get_mut(place..place.saturating_add(table.len())) {
                target.copy_from_slice(table);
            }
        }
        let header = Header {
            version: self.version,
            size,
            radius: self.radius,
            scale: self.scale,
            mesh_count: self.meshes.len(),
            material_count: self.materials.len(),
            places,
            remap_table: self.remap_table,
            tail: self.header_tail,
        };
        header.put(&mut file[..HEADER]);
        Ok(())
    }

    /// The bytes of each table; `None` for a remap table that is not stored.
    pub(super) fn table_bytes(&self, offsets: &[GroupOffsets]) -> Result<[Option<Vec<u8>>; 5], WriteError> {
        self.check_version()?;
        fits("meshes", self.meshes.len(), u16::MAX.into())?;
        fits("materials", self.materials.len(), u16::MAX.into())?;
        let mut tables: [Vec<u8>; 5] = Default::default();
        let [meshes, groups, remap, palette, materials] = &mut tables;
        let (mut first_remap, mut first_group, mut first_entry) = (0_usize, 0_usize, 0_usize);
        for (number, mesh) in self.meshes.iter().enumerate() {
            fits("remap entries of a mesh", mesh.remap.len(), u8::MAX.into())?;
            fits("remap entries before a mesh", first_remap, u16::MAX.into())?;
            fits("groups of a mesh", mesh.groups.len(), u16::MAX.into())?;
            fits("groups before a mesh", first_group, u16::MAX.into())?;
            put_mesh(mesh, first_remap, first_group, meshes);
            self.put_remap(number, mesh, first_remap, remap)?;
            for (group, offsets) in mesh.groups.iter().zip(&offsets[first_group..]) {
                fits("palette entries of a group", group.palette.len(), u8::MAX.into())?;
                fits("palette entries before a group", first_entry, u16::MAX.into())?;
                groups.extend_from_slice(&[group.material, group.palette.len() as u8]);
                groups.extend_from_slice(&word(first_entry)[..2]);
                for offset in [offsets.list, offsets.vertices, offsets.indices] {
                    groups.extend_from_slice(&offset.to_le_bytes());
                }
                palette.extend(group.palette.iter().flat_map(|entry| [entry.slot, entry.bone]));
                first_entry += group.palette.len();
            }
            first_remap += mesh.remap.len();
            first_group += mesh.groups.len();
        }
        for (number, material) in self.materials.iter().enumerate() {
            if material.image == Some(0xFF) {
                return Err(WriteError::Image(number));
            }
            materials.extend_from_slice(&material.color);
            materials.extend_from_slice(&material.ambient);
            materials.push(material.image.unwrap_or(0xFF));
            materials.extend_from_slice(&material.pad);
            materials.extend_from_slice(&material.leftover.to_le_bytes());
        }
        debug_assert_eq!(groups.len(), first_group * GROUP);
        debug_assert_eq!(palette.len(), first_entry * PALETTE_ENTRY);
        debug_assert_eq!(materials.len(), self.materials.len() * MATERIAL);
        let mut tables = tables.map(Some);
        if self.remap_table == RemapTable::Identity {
            tables[Table::Remap as usize] = None;
        }
        Ok(tables)
    }

    fn check_version(&self) -> Result<(), WriteError> {
        let has_placements = self.meshes.iter().all(|mesh| mesh.placement.is_some());
        let has_none = self.meshes.iter().all(|mesh| mesh.placement.is_none());
        let fault = match self.version {
            Version::Mhfu if !has_none => "a 1.0 mesh record has no scale of its own",
            Version::Mhfu if self.remap_table == RemapTable::Identity => {
                "a 1.0 model always stores its remap table"
            }
            Version::Mhfu if self.geometry_place != GeometryPlace::Inline => {
                "a 1.0 model's geometry is always inline"
            }
            Version::Mhp3rd if !has_placements => "a 102 mesh record has a scale of its own",
            Version::Mhp3rd if self.geometry_place != GeometryPlace::Inline && !self.tail.is_empty() => {
                "a model with a companion file ends where its geometry would begin, and so has no tail"
            }
            _ => return Ok(()),
        };
        Err(WriteError::Version(fault))
    }

    fn put_remap(
        &self,
        number: usize,
        mesh: &Mesh,
        first: usize,
        table: &mut Vec<u8>,
    ) -> Result<(), WriteError> {
        for (entry, &found) in mesh.remap.iter().enumerate() {
            let fault = WriteError::Remap {
                mesh: number,
                entry,
                found,
            };
            match self.remap_table {
                RemapTable::Stored => table.push(u8::try_from(found).map_err(|_| fault)?),
                RemapTable::Identity if usize::from(found) != first + entry => return Err(fault),
                RemapTable::Identity => {}
            }
        }
        Ok(())
    }
}

fn fits(field: &'static str, found: usize, limit: usize) -> Result<(), WriteError> {
    if found <= limit {
        Ok(())
    } else {
        Err(WriteError::Count { field, found, limit })
    }
}

/// Appends a mesh record; its counts have been checked.
fn put_mesh(mesh: &Mesh, first_remap: usize, first_group: usize, table: &mut Vec<u8>) {
    let mut floats = Vec::new();
    if let Some(MeshPlacement { scale, uv_offset }) = mesh.placement {
        floats.extend_from_slice(&scale);
        floats.extend_from_slice(&mesh.uv_scale);
        floats.extend_from_slice(&uv_offset);
    } else {
        floats.extend_from_slice(&mesh.uv_scale);
    }
    for float in floats {
        table.extend_from_slice(&float.to_le_bytes());
    }
    table.extend_from_slice(&mesh.lighting.0.to_le_bytes());
    table.extend_from_slice(&mesh.blend.to_le_bytes());
    table.extend_from_slice(&[mesh.remap.len() as u8, mesh.pad]);
    for count in [first_remap, mesh.groups.len(), first_group] {
        table.extend_from_slice(&word(count)[..2]);
    }
}

impl Block {
    /// Whether the GE could follow the list, and the buffers hold what it draws.
    ///
    /// # Errors
    ///
    /// See [`ListError`].
    pub fn check(&self) -> Result<(), ListError> {
        let ends =
            |command: &BlockCommand| matches!(command, BlockCommand::Plain(command) if command.ends_list());
        if self.list.iter().position(ends).map(|place| place + 1) != Some(self.list.len()) {
            return Err(ListError::NotEnded);
        }
        let indexed = self
            .vertex_type()
            .is_some_and(|vertex_type| vertex_type.index() != IndexFormat::None);
        if !indexed
            && self
                .list
                .iter()
                .any(|command| matches!(command, BlockCommand::Indices(_)))
        {
            return Err(ListError::IndexAddressWithoutIndices);
        }
        self.for_each_span(|span| self.check_span(&span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pmo::list::{FrontFace, ListCommand, PrimitiveKind};
    use crate::pmo::{Draw, Indexing};
    use vertex::VertexType;

    fn block() -> Block {
        let draw = Draw {
            kind: PrimitiveKind::Points,
            front_face: FrontFace::AsGiven,
            vertices: vec![0, 1],
        };
        Block::build(
            VertexType::from_argument(0x80),
            &[0; 6],
            &[draw],
            Indexing::Smallest,
        )
        .expect("two vertices")
    }

    #[test]
    fn faulty_lists_are_refused() {
        assert_eq!(block().check(), Ok(()));
        let last = block().list.len() - 1;
        let faults: [(usize, BlockCommand, ListError); 7] = [
            (
                last,
                BlockCommand::Plain(ListCommand::Nop(0)),
                ListError::NotEnded,
            ),
            (1, BlockCommand::Plain(ListCommand::End(0)), ListError::NotEnded),
            (
                4,
                BlockCommand::Plain(ListCommand::Nop(0)),
                ListError::IndexAddressWithoutIndices,
            ),
            (3, BlockCommand::Vertices(3), ListError::PastVertices(2)),
            (3, BlockCommand::Vertices(1), ListError::InsideVertex(1)),
            (2, BlockCommand::Indices(1), ListError::PastIndices(3)),
            (
                3,
                BlockCommand::Plain(ListCommand::from_word(0x0A00_0000)),
                ListError::Refused("CALL"),
            ),
        ];
        for (place, command, fault) in faults {
            let mut block = block();
            block.list[place] = command;
            assert_eq!(block.check(), Err(fault), "{command:?}");
        }
    }
}
