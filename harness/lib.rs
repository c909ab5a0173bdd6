//! The parts of the `ge-harness` command that tests share with it.
//!
//! Only this package opens files, prints, or draws windows; what it does to bytes and pixels is in
//! the crates below it.
#![forbid(unsafe_code)]

pub mod archive;
pub mod backend;
pub mod cli;
pub mod compare_backends;
pub mod conformance;
pub mod convert;
pub mod curves;
pub mod disasm;
pub mod draws;
pub mod entries;
pub mod error;
pub mod export;
pub mod files;
pub mod inspect;
pub mod model;
pub mod picture;
pub mod pixel;
pub mod record;
pub mod render;
pub mod replay;
pub mod sample;
pub mod scene;
pub mod validate;
#[cfg(feature = "viewer")]
pub mod view;

pub use error::HarnessError;
