//! Runs display lists of the PSP's Graphics Engine (GE), from the fetch of a command word to
//! primitives on the screen, which [`raster`] draws.
#![forbid(unsafe_code)]

mod address;
pub mod assembly;
pub mod command;
mod float24;

pub use address::Address;
pub use float24::Float24;
