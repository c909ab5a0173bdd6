//! Curves, clips, rigs, forward kinematics and bone palettes.
//!
//! From a skeleton and an animation pack to the matrices that the GE blends. Knows no files on
//! disk and nothing of the GE but the shape of a bone matrix.
//!
//! | Module | What it has |
//! |---|---|
//! | [`curve`] | one curve engine for every animation format |
//! | [`rotation`] | angles, a sine that is equal everywhere, the joints' rotation order |
//! | [`morph`] | weights of morph targets from shape animations |
//! | [`mot`] | MOT files on a rig, bone maps |
//! | [`convert`] | clips from MOT and back, within an error bound |
//! | [`clip`] | clips made of curves, with what is odd about them |
//! | [`rig`] | skeletons prepared for posing; entries, record maps, tails |
//! | [`library`] | a pack's clips merged over a rig |
//! | [`play`] | clip time, loops, cursors, root motion |
//! | [`pose`] | forward kinematics |
//! | [`palette`] | bone matrices and the GE's slots |
//! | [`rules`] | what the engine needs of a skeleton, a pack and a model |
//!
//! ```
//! use formats::animation::{AnimationPack, Axis, Channel, ChannelKind, Clip, Key, Track};
//! use formats::skeleton::{Bone, BoneEncoding, Skeleton};
//! use motion::library::{Library, Selection};
//! use motion::palette::BonePalette;
//! use motion::pose::{Moment, PoseOptions};
//! use motion::rig::Rig;
//! # fn demo(skeleton: &Skeleton, pack: &AnimationPack) -> Option<()> {
//!
//! let rig = Rig::new(skeleton);
//! let library = Library::new(&rig, pack, None);
//! for playable in library.playable(&rig) {
//!     let timeline = playable.timeline();
//!     println!("{:?}: {} frames", playable.selection, timeline.end);
//! }
//! let motion = library.motion(&rig, library.playable(&rig).next()?.selection)?;
//! let pose = rig.pose(Some(&motion), Moment::Frame(20.0), &PoseOptions::default());
//! let palette = BonePalette::new(&pose, [128.0; 3]);
//! # Some(()) }
//! ```
#![forbid(unsafe_code)]

pub mod clip;
pub mod convert;
pub mod curve;
pub mod library;
pub mod morph;
pub mod mot;
pub mod palette;
pub mod play;
pub mod pose;
pub mod rig;
pub mod rotation;
pub mod rules;
