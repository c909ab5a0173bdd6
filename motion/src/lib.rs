//! Curves, clips, rigs, forward kinematics and bone palettes.
#![forbid(unsafe_code)]
