//! Readers and writers of the file formats around the PSP's Graphics Engine.
//!
//! Everything here works on byte slices: no paths, no clocks, no threads, no pixels on a screen.
//! `X::parse(&[u8]) -> Result<X, FormatError>` reads, `x.write() -> Vec<u8>` writes, and for every
//! valid file `write(parse(bytes)) == bytes`, unknown fields and tails included.
//!
//! | Module | Format |
//! |---|---|
//! | [`pac`] | the container of models and stages |
//! | [`detect`] | what a file is, by its content |
//! | [`tmh`] | texture banks |
//! | [`pmo`] | models: meshes of GE display lists with their vertex and index buffers |
//! | [`skeleton`] | bone trees and bind poses |
//! | [`stage`] | a stage's fog, lights and sky |
//! | [`animation`] | packs of keyframed clips, in both games' encodings |
//! | [`mot`] | skeletal motions of Okami and God Hand (`.mot`), and of later games |
//! | [`bfres`] | resource containers of the Wii U, as far as shape animations need them |
//! | [`fsha`] | the shape animations inside them |
//! | [`capture`] | PPSSPP's recordings of a frame's GE commands (`.ppdmp`) |
#![forbid(unsafe_code)]

pub mod animation;
pub mod bfres;
mod budget;
pub mod capture;
pub mod detect;
mod error;
pub mod fsha;
pub mod mot;
pub mod pac;
pub mod pmo;
mod reader;
pub mod skeleton;
pub mod stage;
pub mod tmh;

pub use error::FormatError;
pub use reader::ByteOrder;
pub(crate) use reader::Reader;
