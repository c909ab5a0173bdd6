//! Bone palettes: the matrices that the GE blends, and which bone is in which slot.
//!
//! The GE has [`SLOTS`] matrix slots. A group's palette entries are uploads just before its draw,
//! on top of what the groups drawn before it have left (spec/mhp-formats.md §3.7). Weight `k` of a
//! vertex means slot `k`, never bone `k`.

use formats::pmo::{Group, Mesh, PaletteEntry, Pmo};
use glam::{DAffine3, DMat3, DVec3};

use crate::pose::Pose;

/// Matrix slots of the GE, which is also the most weights a vertex can have.
pub const SLOTS: usize = 8;

/// A bone matrix as the GE takes it: four columns of three, x axis, y axis, z axis, translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneMatrix(
    /// The twelve numbers in upload order.
    pub [f32; 12],
);

impl BoneMatrix {
    /// The matrix that changes nothing.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);

    /// `skin * S(scale)`: dequantised positions are scaled, then skinned. That the scale sits in
    /// this matrix in the game is an inference; the result is certain (spec/mhp-formats.md §3.9).
    pub fn new(skin: &DAffine3, scale: [f32; 3]) -> Self {
        let scale = DMat3::from_diagonal(DVec3::from_array(scale.map(f64::from)));
        let linear = skin.matrix3 * scale;
        let columns = [linear.x_axis, linear.y_axis, linear.z_axis, skin.translation];
        let mut numbers = [0.0; 12];
        for (to, from) in numbers
            .iter_mut()
            .zip(columns.iter().flat_map(|column| column.to_array()))
        {
            // The sum turns a negative zero into a positive one.
            *to = from as f32 + 0.0;
        }
        Self(numbers)
    }

    /// The GE commands that load the matrix into a slot: BONEMATRIXNUMBER with the slot's first
    /// number, then twelve BONEMATRIXDATA, each with the upper 24 bits of a number.
    ///
    /// `None` for a slot that the GE does not have.
    pub fn commands(&self, slot: usize) -> Option<[u32; 13]> {
        if slot >= SLOTS {
            return None;
        }
        let mut words = [0x2A00_0000 | (slot * 12) as u32; 13];
        for (word, number) in words.iter_mut().skip(1).zip(self.0) {
            *word = 0x2B00_0000 | (number.to_bits() >> 8);
        }
        Some(words)
    }
}

/// The matrix of every bone of a posed model, under one position scale.
#[derive(Debug, Clone, PartialEq)]
pub struct BonePalette {
    /// By bone.
    pub matrices: Vec<BoneMatrix>,
}

impl BonePalette {
    /// The matrices of a pose for positions under `scale`: the header's in Freedom Unite, the
    /// mesh's in Portable 3rd.
    pub fn new(pose: &Pose, scale: [f32; 3]) -> Self {
        Self {
            matrices: pose
                .skin
                .iter()
                .map(|skin| BoneMatrix::new(skin, scale))
                .collect(),
        }
    }

    /// The matrix of a palette's bone; `None` for a bone that the skeleton lacks.
    pub fn bone(&self, bone: u8) -> Option<&BoneMatrix> {
        self.matrices.get(usize::from(bone))
    }
}

/// Which bone each slot holds; `None` in a slot that nothing has been loaded into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Slots {
    /// By slot.
    pub bones: [Option<u8>; SLOTS],
}

impl Slots {
    /// Loads a group's entries in order. An entry for a slot that the GE lacks loads nothing.
    pub fn load(&mut self, entries: &[PaletteEntry]) {
        for entry in entries {
            if let Some(bone) = self.bones.get_mut(usize::from(entry.slot)) {
                *bone = Some(entry.bone);
            }
        }
    }
}

/// Whose entries a walk over a model's groups loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PaletteWalk {
    /// Those of the groups that are drawn, as the engine does it: a group whose material has alpha
    /// 0 loads nothing (spec/mhp-formats.md C9).
    #[default]
    DrawnGroups,
    /// Those of every group, as editors count.
    EveryGroup,
}

/// Whether the engine draws a group: not if its material has alpha 0. A group whose material cannot
/// be found counts as drawn.
pub fn is_drawn(pmo: &Pmo, mesh: &Mesh, group: &Group) -> bool {
    let material = mesh.remap.get(usize::from(group.material));
    let material = material.and_then(|&index| pmo.materials.get(usize::from(index)));
    material.is_none_or(|material| material.color[3] != 0)
}

/// What the slots hold when each group is drawn, in group-table order, over mesh borders.
pub fn slots_of_groups(pmo: &Pmo, walk: PaletteWalk) -> Vec<Slots> {
    let mut slots = Slots::default();
    let groups = pmo
        .meshes
        .iter()
        .flat_map(|mesh| mesh.groups.iter().map(move |group| (mesh, group)));
    groups
        .map(|(mesh, group)| {
            if walk == PaletteWalk::EveryGroup || is_drawn(pmo, mesh, group) {
                slots.load(&group.palette);
            }
            slots
        })
        .collect()
}

#[cfg(test)]
mod tests;
