//! A model with everything that it needs to be drawn: geometry, textures, skeleton and clips, from one
//! PAC or from files that lie side by side.

mod companions;
mod morphs;
mod mot;
mod open;
pub mod surface;
mod visibility;

pub use companions::{Companions, Wanted};
pub use morphs::{MorphPose, Morphs, MorphsError};
pub use mot::MotFile;
pub use visibility::{TAIL_MESH, Tail, Visibility};

use formats::animation::AnimationPack;
use formats::pmo::Pmo;
use formats::skeleton::Skeleton;
use formats::stage;
use formats::tmh::Tmh;
use motion::library::Library;
use motion::rig::Rig;

/// A model, ready to be posed and drawn.
#[derive(Debug, Clone)]
pub struct Model {
    /// What messages call it: the file, with the PAC member.
    pub name: String,
    /// Its meshes: one model, or a stage's terrain and props, in drawing order.
    pub pmos: Vec<Pmo>,
    /// The images that materials name.
    pub textures: Option<Tmh>,
    /// What poses it.
    pub skeleton: Option<PosedBy>,
    /// A stage's fog and lights.
    pub environment: Option<stage::Environment>,
    /// What was found where, and what is missing, in the order of discovery.
    pub notes: Vec<Note>,
}

/// A skeleton, and the clips that move it.
#[derive(Debug, Clone)]
pub struct PosedBy {
    /// The skeleton as it is stored.
    pub skeleton: Skeleton,
    /// The skeleton, prepared for posing.
    pub rig: Rig,
    /// The clips; without them the model rests at bind.
    pub clips: Option<Clips>,
}

/// An animation pack.
#[derive(Debug, Clone)]
pub struct Clips {
    /// The pack as it is stored.
    pub pack: AnimationPack,
    /// The pack, prepared for its rig.
    pub library: Library,
}

/// Something that a user should know about how a model was put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// Where a part was found.
    Found(String),
    /// What is missing or odd, and what is drawn instead.
    Warning(String),
}

impl Model {
    /// Whether any group takes bones.
    #[must_use]
    pub fn is_skinned(&self) -> bool {
        self.pmos.iter().any(surface::is_skinned)
    }

    /// The rig, if there is a skeleton.
    #[must_use]
    pub fn rig(&self) -> Option<&Rig> {
        self.skeleton.as_ref().map(|skeleton| &skeleton.rig)
    }

    /// The clips, if there are any.
    #[must_use]
    pub fn library(&self) -> Option<&Library> {
        Some(&self.skeleton.as_ref()?.clips.as_ref()?.library)
    }
}
