//! Bone palettes: the matrices that the GE blends.
//!
//! Which bone is in which of the GE's matrix slots is the model's affair:
//! [`Pmo::bone_palettes`](formats::pmo::Pmo::bone_palettes).

use formats::pmo::SLOTS;
use glam::{DAffine3, DMat3, DVec3};

use crate::pose::Pose;

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

#[cfg(test)]
mod tests;
