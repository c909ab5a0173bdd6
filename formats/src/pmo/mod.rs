//! PMO models: meshes of GE display lists with their vertex and index buffers.
//!
//! A model is a tree of [`Mesh`]es and [`Group`]s over a pool of [`Block`]s; a block holds one
//! display list with the buffers it draws. Blocks do not know where they stand: addresses are
//! distances into their own buffers until the model is written.
//!
//! - [`Pmo::parse`] and [`Pmo::parse_with_geometry`] read, [`Pmo::write`] and
//!   [`Pmo::write_geometry`] write, byte for byte; [`Pmo::write_in_place`] keeps every offset it can.
//! - A renderer copies [`Pmo::geometry`] into the GE's memory and CALLs each group's list there;
//!   [`Pmo::material_of`] and [`Pmo::bone_palettes`] say with what.
//! - An exporter takes [`Block::triangles`], an editor [`Block::build`] and [`pack_vertices`].
//!
//! Source: `spec/mhp-formats.md §3`.

mod block;
mod blocks;
mod build;
mod draw;
mod header;
mod in_place;
mod layout;
pub mod list;
mod model;
mod pack;
mod palette;
#[cfg(test)]
mod properties;
mod read;
#[cfg(test)]
mod tests;
mod walk;
mod write;

pub use block::{Block, BlockCommand};
pub use build::{BuildError, Indexing};
pub use draw::Draw;
pub use in_place::{InPlace, InPlaceError};
pub use model::{
    CURRENT_MATERIAL, Geometry, GeometryPlace, Group, GroupOffsets, GroupRef, LightingFlags, Material,
    MaterialChoice, Mesh, MeshPlacement, PaletteEntry, Version,
};
pub use pack::{
    PackError, VertexData, pack_vertices, quantize_normal, quantize_position, quantize_texture_coordinate,
    quantize_weight,
};
pub use palette::{BoneSlots, PaletteWalk, SLOTS, SlotError};
pub use walk::ListError;
pub use write::WriteError;

use crate::{FormatError, Reader};

/// A model.
#[derive(Clone, Debug, PartialEq)]
pub struct Pmo {
    /// The game's dialect.
    pub version: Version,
    /// Radius of the sphere that is culled against the view, before the entity's scale; 0 culls
    /// the model as a point.
    pub radius: f32,
    /// Multiplies dequantised positions: x, y, z. A mesh's own scale replaces it.
    pub scale: [f32; 3],
    /// The last 8 bytes of the header; 0 in shipped files.
    pub header_tail: [u8; 8],
    /// The meshes, in drawing order.
    pub meshes: Vec<Mesh>,
    /// Whether the file stores the meshes' remap entries.
    pub remap_table: RemapTable,
    /// The materials.
    pub materials: Vec<Material>,
    /// The geometry, each block once. Reading numbers them in the order in which groups draw them;
    /// blocks that no group draws are not written.
    pub blocks: Vec<Block>,
    /// Where the geometry region is stored.
    pub geometry_place: GeometryPlace,
    /// What follows the model in its file, kept as it is.
    pub tail: Vec<u8>,
    kept: layout::Kept,
}

/// Whether a model's file stores the remap entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemapTable {
    /// It does.
    Stored,
    /// It does not (offset 0, Portable 3rd alone): the entries of all meshes count up from 0.
    Identity,
}

impl Pmo {
    /// An empty model with radius and scale 1, a stored remap table and inline geometry.
    #[must_use]
    pub fn new(version: Version) -> Self {
        Self {
            version,
            radius: 1.0,
            scale: [1.0; 3],
            header_tail: [0; 8],
            meshes: Vec::new(),
            remap_table: RemapTable::Stored,
            materials: Vec::new(),
            blocks: Vec::new(),
            geometry_place: GeometryPlace::Inline,
            tail: Vec::new(),
            kept: layout::Kept::default(),
        }
    }

    /// Reads a model with inline geometry.
    ///
    /// # Errors
    ///
    /// Where the file is no model, a table or list leads out of it, or its geometry stands in a
    /// companion file: see [`needs_geometry`](Self::needs_geometry).
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        read::read(bytes, None).map(|file| file.pmo)
    }

    /// Reads a model whose geometry stands in `companion`, the next file of the game's archive. The
    /// companion is ignored where the geometry is inline.
    ///
    /// # Errors
    ///
    /// As for [`parse`](Self::parse); errors of the format `PMO companion` have their offset in
    /// `companion`.
    pub fn parse_with_geometry(bytes: &[u8], companion: &[u8]) -> Result<Self, FormatError> {
        read::read(bytes, Some(companion)).map(|file| file.pmo)
    }

    /// Whether a file's geometry stands in a companion file.
    ///
    /// # Errors
    ///
    /// Where the header is no model's, or its size fits neither place.
    pub fn needs_geometry(bytes: &[u8]) -> Result<bool, FormatError> {
        let reader = Reader::new("PMO", bytes);
        let region = header::Header::parse(reader)?.region(reader)?;
        Ok(matches!(region, header::Region::Companion(_)))
    }

    /// The groups of all meshes, in group-table order.
    pub fn groups(&self) -> impl Iterator<Item = GroupRef<'_>> {
        let groups = self
            .meshes
            .iter()
            .enumerate()
            .flat_map(|(mesh, record)| record.groups.iter().map(move |group| (mesh, group)));
        groups
            .enumerate()
            .map(|(index, (mesh, group))| GroupRef { index, mesh, group })
    }

    /// What a group of a mesh draws with: `remap[first entry of the mesh + group.material]`, through
    /// the entries of all meshes as the engine counts them. `None` where that leads to no material.
    ///
    /// Source: `spec/mhp-formats.md §3.6`, and C10 of §0 for [`MaterialChoice::Current`].
    #[must_use]
    pub fn material_of(&self, mesh: usize, group: &Group) -> Option<MaterialChoice> {
        let (before, rest) = self.meshes.split_at_checked(mesh)?;
        let mut entries = rest.iter().flat_map(|mesh| &mesh.remap);
        let entry = entries.nth(usize::from(group.material)).copied();
        let material = match self.remap_table {
            RemapTable::Stored => match entry? {
                CURRENT_MATERIAL => return Some(MaterialChoice::Current),
                entry => usize::from(entry),
            },
            // There is no table that could end.
            RemapTable::Identity => {
                let first: usize = before.iter().map(|mesh| mesh.remap.len()).sum();
                first + usize::from(group.material)
            }
        };
        (material < self.materials.len()).then_some(MaterialChoice::Material(material))
    }

    /// The scale of a mesh's positions: its own, else the header's.
    #[must_use]
    pub fn scale_of(&self, mesh: &Mesh) -> [f32; 3] {
        match mesh.placement {
            Some(MeshPlacement {
                scale: [x, y, z, _], ..
            }) => [x, y, z],
            None => self.scale,
        }
    }

    /// The triangles of a group, counted over all meshes, in drawing order: see
    /// [`Block::triangles`]. `None` where there is no such group or block.
    ///
    /// # Errors
    ///
    /// See [`ListError`]; a model that was read from a file has none.
    pub fn triangles(&self, group: usize) -> Option<Result<Vec<[u32; 3]>, ListError>> {
        let block = self.groups().nth(group)?.group.block;
        Some(self.blocks.get(block)?.triangles())
    }
}
