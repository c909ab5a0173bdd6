//! Which bone each matrix slot holds when a group is drawn.

use super::{GroupRef, MaterialChoice, Pmo};

/// Matrix slots of the GE.
pub const SLOTS: usize = 8;

/// The bone in each matrix slot; `None` for a slot that nothing has loaded, which in the game still
/// holds a matrix of the object drawn before.
pub type BoneSlots = [Option<u8>; SLOTS];

/// Which groups load their palette entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaletteWalk {
    /// All, in table order, across meshes.
    AllGroups,
    /// Those that the engine reaches: it skips a group whose material has alpha 0, and its palette
    /// entries with it (`spec/mhp-formats.md §0`, C9). The game's code can change alphas and hide
    /// meshes: see [`Pmo::bone_palettes_of`].
    Engine,
}

/// A palette entry for a slot that the GE does not have. Such a file cannot exist for the GE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("group {group} loads bone {bone} into matrix slot {slot}, the GE has slots 0 to 7")]
pub struct SlotError {
    /// The group's number in the group table.
    pub group: usize,
    /// The slot.
    pub slot: u8,
    /// The bone.
    pub bone: u8,
}

impl Pmo {
    /// The slots of each group after its own uploads, in group-table order. A group that the walk
    /// skips gets the slots as the groups before it left them.
    ///
    /// Weight k of a vertex belongs to slot k. Source: `spec/mhp-formats.md §3.7`.
    ///
    /// # Errors
    ///
    /// Where an entry names a slot above 7.
    pub fn bone_palettes(&self, walk: PaletteWalk) -> Result<Vec<BoneSlots>, SlotError> {
        match walk {
            PaletteWalk::AllGroups => self.bone_palettes_of(|_| true),
            PaletteWalk::Engine => self.bone_palettes_of(|group| !self.is_transparent(group)),
        }
    }

    /// As [`bone_palettes`](Self::bone_palettes), with the groups that `is_drawn` picks loading their
    /// entries.
    ///
    /// # Errors
    ///
    /// Where an entry of any group names a slot above 7.
    pub fn bone_palettes_of(
        &self,
        mut is_drawn: impl FnMut(GroupRef<'_>) -> bool,
    ) -> Result<Vec<BoneSlots>, SlotError> {
        let mut slots = BoneSlots::default();
        self.groups()
            .map(|group| {
                let loads = is_drawn(group);
                for &entry in &group.group.palette {
                    let Some(slot) = slots.get_mut(usize::from(entry.slot)) else {
                        return Err(SlotError {
                            group: group.index,
                            slot: entry.slot,
                            bone: entry.bone,
                        });
                    };
                    if loads {
                        *slot = Some(entry.bone);
                    }
                }
                Ok(slots)
            })
            .collect()
    }

    /// Whether the engine skips a group, because its material has alpha 0.
    #[must_use]
    pub fn is_transparent(&self, group: GroupRef<'_>) -> bool {
        match self.material_of(group.mesh, group.group) {
            Some(MaterialChoice::Material(material)) => self
                .materials
                .get(material)
                .is_some_and(|material| material.color[3] == 0),
            Some(MaterialChoice::Current) | None => false,
        }
    }
}
