//! The wyvern as a model file, in both games' dialects.

use formats::pmo::{
    GeometryPlace, Group, LightingFlags, Material, Mesh, MeshPlacement, PaletteEntry, Pmo, RemapTable,
    Version,
};

use super::{MaterialName, MeshName, Piece, pieces};
use crate::sample::batches::batches;
use crate::sample::blocks::{VertexKind, block};
use crate::sample::surface::Surface;

/// Multiplies stored positions of the Freedom Unite model. A power of two, so that the Portable
/// 3rd model, whose meshes have smaller scales of the same kind, holds exactly the same places.
const SCALE: f32 = 1024.0;

/// Lit and fogged.
const SOLID: u32 = 0x8000_0003;
/// Lit, fogged, blended.
const BLENDED: u32 = 0x8000_0007;
/// Fogged and blended: light does not shade what shines.
const SHINING: u32 = 0x8000_0006;
/// BLENDMODE: source alpha, one minus source alpha, add.
const OVER: u32 = 0xDF00_0032;
/// BLENDMODE: source alpha, fixed white, add.
const ADDED: u32 = 0xDF00_00A2;

impl MeshName {
    /// All meshes, in file order.
    const ALL: [Self; 7] = [
        Self::Body,
        Self::TailTip,
        Self::Wings,
        Self::Horns,
        Self::Mouth,
        Self::Extras,
        Self::Glow,
    ];

    /// Flags and blend word.
    fn state(self) -> (u32, u32) {
        match self {
            Self::Extras => (BLENDED, OVER),
            Self::Glow => (SHINING, ADDED),
            _ => (SOLID, 0),
        }
    }

    /// What stored texture coordinates are multiplied by.
    fn uv_scale(self) -> [f32; 2] {
        match self {
            Self::Body | Self::TailTip | Self::Wings | Self::Glow => [4.0, 1.0],
            Self::Horns | Self::Mouth | Self::Extras => [1.0, 1.0],
        }
    }

    /// Added to texture coordinates in Portable 3rd's record; the stored ones are lower by as much.
    fn uv_offset(self) -> [f32; 2] {
        if self == Self::Horns {
            [-0.75, 0.0]
        } else {
            [0.0, 0.0]
        }
    }
}

impl MaterialName {
    /// The texture bank's image, `None` for a plain colour.
    pub(crate) fn image(self) -> Option<u8> {
        match self {
            Self::Hide | Self::TipHide | Self::WingHide => Some(0),
            Self::HeadHide => Some(1),
            Self::Membrane => Some(2),
            Self::Horn | Self::TipHorn => Some(3),
            Self::Eye => Some(4),
            Self::Frill | Self::TipFin => Some(5),
            Self::Flesh | Self::CutFace | Self::Stump => Some(6),
            Self::Glow => Some(7),
            Self::Saliva => None,
        }
    }

    fn material(self) -> Material {
        let (color, ambient) = match self {
            Self::CutFace | Self::Stump => ([255, 255, 255, 0], [150, 150, 156, 255]),
            Self::Saliva => ([226, 238, 240, 0xD0], [150, 156, 160, 255]),
            Self::Glow => ([255, 255, 255, 255], [255, 255, 255, 255]),
            _ => ([255, 255, 255, 255], [150, 150, 156, 255]),
        };
        Material {
            color,
            ambient,
            image: self.image(),
            pad: [0; 3],
            leftover: 0,
        }
    }

    /// The material that stands for this one where meshes share theirs.
    fn shared(self) -> Self {
        match self {
            Self::WingHide => Self::Hide,
            Self::TipHorn => Self::Horn,
            other => other,
        }
    }
}

/// The model in one game's dialect. Portable 3rd's goes without a remap table, so its meshes
/// cannot share materials; its geometry is in a companion file.
pub(crate) fn model(version: Version) -> Pmo {
    let pieces = pieces();
    let mut builder = Builder {
        version,
        materials: Vec::new(),
        blocks: Vec::new(),
        slots: [None; 8],
    };
    let meshes: Vec<Mesh> = MeshName::ALL
        .into_iter()
        .map(|name| builder.mesh(name, &pieces))
        .collect();
    let mut model = Pmo::new(version);
    model.radius = SCALE;
    model.scale = [SCALE; 3];
    model.meshes = meshes;
    if version == Version::Mhp3rd {
        model.remap_table = RemapTable::Identity;
        model.geometry_place = GeometryPlace::Companion { tail: Vec::new() };
    }
    model.materials = builder.materials.iter().map(|name| name.material()).collect();
    model.blocks = builder.blocks;
    model
}

struct Builder {
    version: Version,
    materials: Vec<MaterialName>,
    blocks: Vec<formats::pmo::Block>,
    /// The bones in the matrix slots after the groups so far.
    slots: [Option<u8>; 8],
}

impl Builder {
    fn mesh(&mut self, name: MeshName, pieces: &[Piece]) -> Mesh {
        let own: Vec<&Piece> = pieces.iter().filter(|piece| piece.mesh == name).collect();
        let mut names: Vec<MaterialName> = own.iter().map(|piece| piece.material).collect();
        names.sort_unstable();
        names.dedup();
        let uv_scale = name.uv_scale();
        let shift = self.shift(&own);
        let mut mesh = Mesh {
            placement: self.placement(name, shift),
            uv_scale,
            lighting: LightingFlags(name.state().0),
            blend: name.state().1,
            pad: 0,
            remap: Vec::new(),
            groups: Vec::new(),
        };
        for (number, material) in names.into_iter().enumerate() {
            let remapped = self.material(material);
            mesh.remap.push(remapped);
            let surfaces: Vec<&Surface> = own
                .iter()
                .filter(|piece| piece.material == material)
                .map(|piece| &piece.surface)
                .collect();
            // A bone may stay from the group before only where that group is drawn as well.
            let mut kept = false;
            for mut batch in batches(&surfaces, uv_scale.map(f64::from), f64::from(SCALE)) {
                let palette = self.palette(&batch.bones, kept && name == MeshName::Wings);
                let slots: Vec<u8> = self
                    .slots
                    .iter()
                    .take(batch.bones.len())
                    .flatten()
                    .copied()
                    .collect();
                if self.version == Version::Mhp3rd {
                    let offset = name.uv_offset().map(|x| (-x * 32768.0) as u16);
                    for vertex in &mut batch.vertices {
                        vertex.uv = std::array::from_fn(|i| vertex.uv[i].saturating_add(offset[i]));
                    }
                }
                mesh.groups.push(Group {
                    material: number as u8,
                    palette,
                    block: self.blocks.len(),
                });
                self.blocks
                    .push(block(VertexKind::Skinned, &batch, &slots, shift));
                kept = true;
            }
        }
        mesh
    }

    /// By how many powers of two a mesh's own scale is below the model's.
    fn shift(&self, own: &[&Piece]) -> u32 {
        if self.version == Version::Mhfu {
            return 0;
        }
        let reach = own
            .iter()
            .flat_map(|piece| &piece.surface.vertices)
            .map(|vertex| vertex.position.abs().max_element())
            .fold(1.0, f64::max);
        (0..6)
            .rev()
            .find(|&shift| reach * f64::from(1 << shift) < f64::from(SCALE) - 1.0)
            .unwrap_or(0)
    }

    fn placement(&self, name: MeshName, shift: u32) -> Option<MeshPlacement> {
        (self.version == Version::Mhp3rd).then(|| {
            let scale = SCALE / (1 << shift) as f32;
            MeshPlacement {
                scale: [scale, scale, scale, 0.0],
                uv_offset: name.uv_offset(),
            }
        })
    }

    /// The material's number in the table.
    fn material(&mut self, name: MaterialName) -> u16 {
        let stored = if self.version == Version::Mhfu {
            name.shared()
        } else {
            name
        };
        let known = self
            .materials
            .iter()
            .position(|&m| m == stored && self.version == Version::Mhfu);
        known.unwrap_or_else(|| {
            self.materials.push(stored);
            self.materials.len() - 1
        }) as u16
    }

    /// Fills the first slots with a group's bones. With `keep`, bones that are already in one of
    /// these slots stay there and are not loaded again.
    fn palette(&mut self, bones: &[u8], keep: bool) -> Vec<PaletteEntry> {
        let mut missing: Vec<u8> = bones.to_vec();
        let mut open = Vec::new();
        for slot in 0..bones.len() {
            let held = missing
                .iter()
                .position(|&bone| keep && self.slots[slot] == Some(bone));
            match held {
                Some(place) => {
                    missing.remove(place);
                }
                None => open.push(slot),
            }
        }
        let entries = open.into_iter().zip(missing).map(|(slot, bone)| PaletteEntry {
            slot: slot as u8,
            bone,
        });
        let entries: Vec<PaletteEntry> = entries.collect();
        for entry in &entries {
            self.slots[usize::from(entry.slot)] = Some(entry.bone);
        }
        entries
    }
}
