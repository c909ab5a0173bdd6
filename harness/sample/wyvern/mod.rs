//! The wyvern: geometry, skeleton and clips of the sample creature.

pub(crate) mod anatomy;
pub(crate) mod bust;
pub(crate) mod files;
pub(crate) mod head;
pub(crate) mod limbs;
pub(crate) mod model;
pub(crate) mod motion;
pub(crate) mod ornaments;
pub(crate) mod shapes;
pub(crate) mod trunk;
pub(crate) mod tubes;
pub(crate) mod wings;

use super::surface::Surface;

/// The wyvern's mesh records, in file order. Record 1 is the severable tail's tip, as the game
/// wants it (`spec/mhp-formats.md` §3.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MeshName {
    /// Trunk, neck, head, legs and the tail's stump.
    Body,
    /// The tail's tip, on the severed chain.
    TailTip,
    /// Arms, fingers and membranes.
    Wings,
    /// Horns, claws, spines and teeth.
    Horns,
    /// Eyes and the inside of the mouth.
    Mouth,
    /// Frills, saliva, and the cap of the stump.
    Extras,
    /// Light that is added to what lies under it.
    Glow,
}

/// The wyvern's materials, in the order of the material table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MaterialName {
    /// Scales of trunk and legs.
    Hide,
    /// The head's scales.
    HeadHide,
    /// Mesh 1, material 0.
    TipHide,
    /// Mesh 1, material 1: the cut face of the tip; hidden (alpha 0) until the cut.
    CutFace,
    /// Mesh 1, material 2: spikes of the tip.
    TipHorn,
    /// Mesh 1, material 3: fins of the tip.
    TipFin,
    /// Scales of arms and fingers.
    WingHide,
    /// Skin between the fingers, cut out by alpha.
    Membrane,
    /// Horn, claw and tooth.
    Horn,
    /// Eyeballs.
    Eye,
    /// Palate, tongue and throat.
    Flesh,
    /// Mesh 5, material 0: fans behind the jaw.
    Frill,
    /// Mesh 5, material 1: threads of saliva.
    Saliva,
    /// Mesh 5, material 2: the cap of the stump; hidden (alpha 0) until the cut.
    Stump,
    /// Light of the throat and of the eyes.
    Glow,
}

/// A surface with its place in the model.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) mesh: MeshName,
    pub(crate) material: MaterialName,
    pub(crate) surface: Surface,
}

/// All surfaces of the wyvern, in bind pose.
pub(crate) fn pieces() -> Vec<Piece> {
    let mut pieces = Vec::new();
    trunk::build(&mut pieces);
    head::build(&mut pieces);
    limbs::build(&mut pieces);
    wings::build(&mut pieces);
    ornaments::build(&mut pieces);
    pieces
}

/// Adds a surface to the model.
pub(crate) fn add(pieces: &mut Vec<Piece>, mesh: MeshName, material: MaterialName, surface: Surface) {
    pieces.push(Piece {
        mesh,
        material,
        surface,
    });
}
