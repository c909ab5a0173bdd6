//! Sample models made in code, to try the program on and to test it with.
//!
//! Everything here is original and the same on every machine: shapes are lofts and tubes along
//! curves, textures are painted from noise and gradients, motions are functions of the frame baked to keys.
//!
//! # The wyvern
//!
//! | File | What it is |
//! |---|---|
//! | `wyvern.pac` | a Freedom Unite model PAC: skeleton, PMO `1.0`, textures, animation pack, three empty entries |
//! | `wyvern-p3rd.pac` | a Portable 3rd model PAC: skeleton, PMO `102` without its geometry, textures |
//! | `wyvern-p3rd.geometry.bin` | that model's geometry |
//! | `wyvern-p3rd.moveset.bin` | the animations in Portable 3rd's encoding |
//! | `loose/wyvern.*` | the entries of `wyvern.pac` as single files |
//!
//! Entries (clip ids in the moveset): 0 stand, 1 walk, 2 the same clip as 0, 24 roar and 25 look
//! aside (neck and head alone), 100 hover, 101 roar, 102 tail swing, 103 bite, 104 turn left, 105 sleep
//! (loops from frame 160), 106 take off, 107 hit, 108 leap back, 109 stomp, 110 fall dead.
//!
//! The tail can be cut off (`spec/mhp-formats.md` §3.12). Mesh 1 is its tip, on the chain of joints 45 to
//! 48 at the model origin; their carriers are (45, 42), (46, 42), (47, 43), (48, 44). As on the game's
//! Tigrex, mesh 1's material 1 is the cut face of the tip, mesh 5's material 2 the cap of the
//! stump. Both have alpha 0 as stored, so they stay hidden until something raises it: show the
//! stump and hide mesh 1 for a cut tail; show mesh 1 alone, cut face and all, for a dropped one.
//!
//! Portable 3rd's model has the same places to the bit: its mesh scales are the model's divided by
//! powers of two. The record map is offset 0 and no skipped bones.
//!
//! `loose/wyvern.mot` is a motion for the same skeleton in Okami's format, bones by joint number: two seconds of
//! looking around, as a loop.
//!
//! # The head
//!
//! `wyvern-head.pac` is the wyvern's head without bones. What moves has four morph targets: at rest, lids
//! down (`blink`), mouth open (`open`), frills spread (`flare`); horns and eyes have one. `wyvern-head.bfres` holds
//! the shape animations `idle` and `roar` of its one shape, `head`, whose keys stand in the order of the targets.
//!
//! # The stage
//!
//! `stage.pac` is a Freedom Unite stage PAC: terrain and props without weights and normals, the light in
//! their vertex colours; textures; fog, lights and sky; collision without faces. Nothing stands
//! within 600 units of its middle.

mod batches;
mod blocks;
mod math;
mod paint;
mod stage;
mod strips;
mod surface;
mod textures;
mod wyvern;

/// One generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleFile {
    /// Its path below the folder that samples are written to, with `/` between parts.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// What it is, in a few words for people.
    pub about: String,
}

/// Why samples could not be made. It takes a bug to see one: nothing here depends on input.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// A picture that its image cannot hold.
    #[error(transparent)]
    Texture(#[from] formats::tmh::EncodeError),
    /// A model that its file cannot hold.
    #[error(transparent)]
    Model(#[from] formats::pmo::WriteError),
    /// Vertices that a display list cannot draw.
    #[error(transparent)]
    Block(#[from] formats::pmo::BuildError),
    /// Numbers that are no curve of a motion.
    #[error(transparent)]
    MotionCurve(#[from] formats::mot::InvalidCurve),
    /// Curves that a motion cannot hold.
    #[error(transparent)]
    Motion(#[from] formats::mot::InvalidMot),
    /// Numbers that are no curve of a shape animation.
    #[error(transparent)]
    ShapeCurve(#[from] formats::fsha::InvalidCurve),
    /// Shape animations that a file cannot hold.
    #[error(transparent)]
    Shapes(#[from] formats::bfres::InvalidBfres),
    /// Clips that a pack cannot hold.
    #[error(transparent)]
    Animation(#[from] formats::animation::InvalidPack),
    /// Entries that a container cannot hold.
    #[error(transparent)]
    Container(#[from] formats::pac::InvalidPac),
}

/// All sample files, always the same bytes.
///
/// # Errors
///
/// None in practice: see [`SampleError`].
///
/// ```
/// let files = ge_harness::sample::files()?;
/// assert!(files.iter().any(|file| file.name == "wyvern.pac"));
/// # Ok::<(), ge_harness::sample::SampleError>(())
/// ```
pub fn files() -> Result<Vec<SampleFile>, SampleError> {
    let mut files = wyvern::files::files()?;
    files.extend(wyvern::motion::mot::files()?);
    files.extend(wyvern::bust::files()?);
    files.extend(wyvern::shapes::files()?);
    files.extend(stage::files()?);
    Ok(files)
}
