//! What of a model is drawn.

use formats::pmo::{GroupRef, Pmo};

/// What becomes of the severable tail of a big monster, whose tip is mesh 1 (`spec/mhp-formats.md §3.11, §3.12`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tail {
    /// The tip rides on the body, its cut face hidden.
    #[default]
    Attached,
    /// The tip is gone, and the materials that are hidden while the tail is whole are shown: the
    /// stump's cap.
    Cut,
    /// The tip alone, as it lies on the ground, with its cut face.
    Dropped,
}

/// Number of the mesh that is the tail's tip.
pub const TAIL_MESH: usize = 1;
/// The tip's material that is its cut face, as an index into the mesh's remap run.
const CUT_FACE: u8 = 1;

/// Which meshes and materials of a model are drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Visibility {
    /// Meshes that the game's mask hides, by number.
    pub hidden_meshes: Vec<usize>,
    /// What becomes of a severable tail; `None` for a model that has none.
    pub tail: Option<Tail>,
}

impl Visibility {
    /// Whether a group is drawn. The engine hides meshes by a mask and groups by a material of alpha 0
    /// (`spec/mhp-formats.md §3.11`).
    #[must_use]
    pub fn draws(&self, pmo: &Pmo, place: GroupRef<'_>) -> bool {
        if self.hidden_meshes.contains(&place.mesh) {
            return false;
        }
        let is_tip = place.mesh == TAIL_MESH;
        match self.tail {
            Some(Tail::Attached) if is_tip && place.group.material == CUT_FACE => return false,
            Some(Tail::Cut) if is_tip => return false,
            Some(Tail::Dropped) if !is_tip => return false,
            _ => {}
        }
        self.shows_hidden_materials() || !pmo.is_transparent(place)
    }

    /// Whether materials of alpha 0 are drawn, opaque, as game code does that shows a hidden part.
    #[must_use]
    pub fn shows_hidden_materials(&self) -> bool {
        matches!(self.tail, Some(Tail::Cut | Tail::Dropped))
    }
}
