//! Curves, clips, rigs, forward kinematics and bone palettes.
#![forbid(unsafe_code)]

pub mod curve;
pub mod play;
pub mod rotation;
