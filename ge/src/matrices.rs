//! The five matrices, their write counters, and the copy that the CPU sees.

use crate::Float24;

/// Which matrix a number or data command is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatrixKind {
    /// Eight 4x3 bone matrices.
    Bone,
    /// 4x3, model to world.
    World,
    /// 4x3, world to view.
    View,
    /// 4x4, view to clip space.
    Projection,
    /// 4x3, texture coordinate generation.
    Texture,
}

impl MatrixKind {
    /// All kinds, in the order of a saved context.
    pub const ALL: [Self; 5] = [
        Self::Bone,
        Self::World,
        Self::View,
        Self::Projection,
        Self::Texture,
    ];

    /// Number of elements.
    #[must_use]
    pub const fn element_count(self) -> usize {
        match self {
            Self::Bone => 96,
            Self::World | Self::View | Self::Texture => 12,
            Self::Projection => 16,
        }
    }

    /// The bits of a number command that count.
    const fn counter_mask(self) -> u32 {
        match self {
            Self::Bone => 0x7F,
            _ => 0xF,
        }
    }
}

/// The matrices, in upload order (`spec/ge-frontend.md §5`).
///
/// Two copies exist: the one that drawing uses, where data past the end of a matrix is dropped, and
/// one that the CPU reads back, where it lands in the next matrix (§5.2, hw: ge/get).
#[derive(Clone, PartialEq, Debug)]
pub struct Matrices {
    /// Bone k is elements 12k to 12k + 11.
    pub bones: [[f32; 12]; 8],
    /// Model to world.
    pub world: [f32; 12],
    /// World to view.
    pub view: [f32; 12],
    /// View to clip space.
    pub projection: [f32; 16],
    /// Texture coordinate generation.
    pub texture: [f32; 12],
    counters: [u32; 5],
    /// Bones, world, view and projection as the CPU reads them.
    visible: [Float24; 136],
    visible_texture: [Float24; 12],
}

impl Default for Matrices {
    /// All zeros, not identities (§2.2).
    fn default() -> Self {
        Self {
            bones: [[0.0; 12]; 8],
            world: [0.0; 12],
            view: [0.0; 12],
            projection: [0.0; 16],
            texture: [0.0; 12],
            counters: [0; 5],
            visible: [Float24::default(); 136],
            visible_texture: [Float24::default(); 12],
        }
    }
}

impl Matrices {
    /// A number command: sets the element that the next data command writes.
    pub(crate) fn set_counter(&mut self, kind: MatrixKind, argument: u32) {
        self.counters[kind as usize] = argument & kind.counter_mask();
    }

    /// The write counter: 24 bits that do not wrap at the matrix's end.
    #[must_use]
    pub const fn counter(&self, kind: MatrixKind) -> u32 {
        self.counters[kind as usize]
    }

    /// A data command: writes an element of both copies and steps the counter. Says whether the copy
    /// for drawing changed.
    pub(crate) fn push(&mut self, kind: MatrixKind, data: Float24) -> bool {
        let counter = self.counters[kind as usize];
        self.counters[kind as usize] = counter.wrapping_add(1) & 0xFF_FFFF;
        self.write_visible(kind, counter, data);
        let value = data.to_f32();
        match self.element_mut(kind, counter as usize) {
            Some(element) => std::mem::replace(element, value).to_bits() != value.to_bits(),
            None => false,
        }
    }

    fn element_mut(&mut self, kind: MatrixKind, index: usize) -> Option<&mut f32> {
        match kind {
            MatrixKind::Bone => self.bones.as_flattened_mut().get_mut(index),
            MatrixKind::World => self.world.get_mut(index),
            MatrixKind::View => self.view.get_mut(index),
            MatrixKind::Projection => self.projection.get_mut(index),
            MatrixKind::Texture => self.texture.get_mut(index),
        }
    }

    fn write_visible(&mut self, kind: MatrixKind, counter: u32, data: Float24) {
        let index = (counter & kind.counter_mask()) as usize;
        let slot = match kind {
            MatrixKind::Bone => self.visible.get_mut(index),
            MatrixKind::World => self.visible.get_mut(96 + index),
            MatrixKind::View => self.visible.get_mut(108 + index),
            MatrixKind::Projection => self.visible.get_mut(120 + index),
            MatrixKind::Texture => self.visible_texture.get_mut(index),
        };
        if let Some(slot) = slot {
            *slot = data;
        }
    }

    /// The elements of a matrix as the CPU reads them, which is not always what is drawn with.
    #[must_use]
    pub fn visible(&self, kind: MatrixKind) -> &[Float24] {
        match kind {
            MatrixKind::Bone => &self.visible[..96],
            MatrixKind::World => &self.visible[96..108],
            MatrixKind::View => &self.visible[108..120],
            MatrixKind::Projection => &self.visible[120..],
            MatrixKind::Texture => &self.visible_texture,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_past_the_end_is_dropped_for_drawing_and_seen_by_the_cpu() {
        let mut matrices = Matrices::default();
        matrices.set_counter(MatrixKind::World, 0xFF_FFFB);
        assert_eq!(matrices.counter(MatrixKind::World), 0xB);
        for value in [1.0, 2.0, 3.0] {
            matrices.push(MatrixKind::World, Float24::from_f32(value));
        }
        assert_eq!(matrices.world[11], 1.0);
        assert_eq!(matrices.view, [0.0; 12]);
        assert_eq!(
            matrices.visible(MatrixKind::View)[..2],
            [2.0, 3.0].map(Float24::from_f32)
        );
        assert_eq!(matrices.counter(MatrixKind::World), 14);
    }

    #[test]
    fn bone_elements_stand_in_upload_order() {
        let mut matrices = Matrices::default();
        matrices.set_counter(MatrixKind::Bone, 13);
        assert!(matrices.push(MatrixKind::Bone, Float24::from_f32(5.0)));
        assert_eq!(matrices.bones[1][1], 5.0);
    }
}
