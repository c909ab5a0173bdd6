//! PMO models: meshes of GE display lists with their vertex and index buffers.
//!
//! A model is a tree of [`Mesh`]es and [`Group`]s over a pool of [`Block`]s; a block holds one
//! display list with the buffers it draws. Blocks do not know where they stand: addresses are
//! distances into their own buffers until the model is written.
//!
//! Source: `spec/mhp-formats.md §3`.

mod block;
pub mod list;
mod model;

pub use block::{Block, BlockCommand};
pub use model::{
    CURRENT_MATERIAL, Geometry, GeometryPlace, Group, GroupOffsets, GroupRef, LightingFlags, Material, Mesh,
    MeshPlacement, PaletteEntry, Version,
};

/// A model.
#[derive(Clone, Debug)]
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
    /// The geometry, each block once, in the order of the group table.
    pub blocks: Vec<Block>,
    /// Where the geometry region is stored.
    pub geometry_place: GeometryPlace,
    /// What follows the model in its file, kept as it is.
    pub tail: Vec<u8>,
}

/// Whether a model's file stores the remap entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemapTable {
    /// It does.
    Stored,
    /// It does not (offset 0, Portable 3rd alone): the entries of all meshes count up from 0.
    Identity,
}
