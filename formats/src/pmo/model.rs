//! The records of a model.

/// Which game's dialect a model is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Version {
    /// `1.0`: Freedom Unite. Mesh records of 0x18 bytes, blocks aligned to 16, always a remap table,
    /// always inline geometry.
    Mhfu,
    /// `102`: Portable 3rd. Mesh records of 0x30 bytes with a scale of their own, blocks aligned to
    /// 4, a remap table on few models, geometry inline or in a companion file.
    Mhp3rd,
}

impl Version {
    /// The four bytes at offset 4 of the file.
    #[must_use]
    pub const fn magic(self) -> &'static [u8; 4] {
        match self {
            Self::Mhfu => b"1.0\0",
            Self::Mhp3rd => b"102\0",
        }
    }

    /// The alignment of lists, vertex and index buffers inside the geometry region, in bytes.
    #[must_use]
    pub const fn alignment(self) -> usize {
        match self {
            Self::Mhfu => 16,
            Self::Mhp3rd => 4,
        }
    }

    /// Bytes of a mesh record.
    #[must_use]
    pub const fn mesh_size(self) -> usize {
        match self {
            Self::Mhfu => 0x18,
            Self::Mhp3rd => 0x30,
        }
    }
}

/// The lighting flags of a mesh (`spec/mhp-formats.md §3.6`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LightingFlags(
    /// The stored word, unknown bits included.
    pub u32,
);

impl LightingFlags {
    /// Bit 31: the other bits are sent to the GE. With it clear the mesh draws with the state that
    /// whatever came before has left.
    #[must_use]
    pub const fn is_enabled(self) -> bool {
        self.0 >> 31 == 1
    }

    /// Bit 0: lighting is on.
    #[must_use]
    pub const fn lights(self) -> bool {
        self.0 & 1 != 0
    }

    /// Bit 1: fog is on.
    #[must_use]
    pub const fn fogs(self) -> bool {
        self.0 & 2 != 0
    }

    /// Bit 2: blending is switched on, with the mesh's blend word. A clear bit switches nothing off.
    #[must_use]
    pub const fn blends(self) -> bool {
        self.0 & 4 != 0
    }
}

/// What only a Portable 3rd mesh record holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPlacement {
    /// Replaces the header's scale for the mesh's groups: x, y, z, and a fourth value of unknown
    /// use.
    pub scale: [f32; 4],
    /// Added to scaled texture coordinates.
    pub uv_offset: [f32; 2],
}

/// A mesh: a run of groups that share lighting, blending and texture coordinate scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// What a Portable 3rd record holds besides; `None` in a Freedom Unite model.
    pub placement: Option<MeshPlacement>,
    /// Texture coordinates are multiplied by this: u, v.
    pub uv_scale: [f32; 2],
    /// Lighting, fog and blending.
    pub lighting: LightingFlags,
    /// A GE `BLENDMODE` command word (0xDF000032 and the like), or 0.
    pub blend: u32,
    /// The unused byte after the remap count; 0 in shipped files.
    pub pad: u8,
    /// The materials that the mesh's groups choose from, as indices into [`Pmo::materials`](super::Pmo::materials);
    /// [`CURRENT_MATERIAL`] means the state that is current. At most 255.
    pub remap: Vec<u16>,
    /// The groups, in drawing order.
    pub groups: Vec<Group>,
}

/// The remap entry with which the engine's unskinned draw takes the state that is current
/// (`spec/mhp-formats.md §0`, C10).
pub const CURRENT_MATERIAL: u16 = 0xFF;

/// A group: one block of geometry with a material, and the bone matrices to load before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// An index into the owning mesh's [`Mesh::remap`].
    pub material: u8,
    /// Matrix uploads just before the draw. The engine reads their count as signed: at most 127.
    pub palette: Vec<PaletteEntry>,
    /// An index into [`Pmo::blocks`](super::Pmo::blocks). Two groups may share a block.
    pub block: usize,
}

/// "The GE's matrix slot `slot` now holds skeleton bone `bone`."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PaletteEntry {
    /// The matrix slot, 0 to 7 in a model that the GE can draw.
    pub slot: u8,
    /// The bone, an index into the skeleton's bones.
    pub bone: u8,
}

/// A material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// Diffuse colour: red, green, blue, alpha. The engine does not draw a group whose material
    /// has alpha 0.
    pub color: [u8; 4],
    /// Ambient colour, which is also the colour of an unlit vertex without one.
    pub ambient: [u8; 4],
    /// The image of the texture bank, 0 to 254; `None` (stored 0xFF) draws untextured.
    pub image: Option<u8>,
    /// Unused; 0 in shipped files.
    pub pad: [u8; 3],
    /// Leftover memory on some Freedom Unite models, else 0.
    pub leftover: u32,
}

/// Where a group's buffers stand in the geometry region, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupOffsets {
    /// The display list: what a renderer CALLs.
    pub list: u32,
    /// The vertex buffer.
    pub vertices: u32,
    /// The index buffer; 0 where the list draws without indices.
    pub indices: u32,
}

/// Where the geometry region is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeometryPlace {
    /// In the model's file.
    Inline,
    /// At the start of a companion file, the next one in the game's archive.
    Companion {
        /// What follows the region in the companion, kept as it is.
        tail: Vec<u8>,
    },
}

/// The geometry region as it is written, and where each group's buffers stand in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// The region: every group's list can be CALLed in place once these bytes stand in the GE's
    /// memory, because its addresses count from its own ORIGIN.
    pub bytes: Vec<u8>,
    /// The offsets of each group, in group-table order.
    pub groups: Vec<GroupOffsets>,
}

/// A group with its number and its mesh's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupRef<'a> {
    /// The group's number in the group table, counted over all meshes.
    pub index: usize,
    /// The owning mesh's number.
    pub mesh: usize,
    /// The group.
    pub group: &'a Group,
}

/// What a group's material byte leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaterialChoice {
    /// A material, by its index in [`Pmo::materials`](super::Pmo::materials).
    Material(usize),
    /// The state that is current ([`CURRENT_MATERIAL`]).
    Current,
}
