//! Runs display lists of the PSP's Graphics Engine (GE), from the fetch of a command word to
//! primitives on the screen, which [`raster`] draws.
//!
//! ```
//! use ge::command::{Command, Opcode};
//! use ge::{Address, Ge, GeOptions, Stop};
//!
//! let mut ge = Ge::new(GeOptions::default());
//! let list = Address::new(0x0800_0000);
//! ge.write_list(list, &[Command::new(Opcode::FINISH, 0), Command::new(Opcode::END, 0)]);
//! assert_eq!(ge.run(list, None, 1_000)?, Stop::Finished { id: 0 });
//! ge.finish();
//! assert!(ge.report().is_empty());
//! # Ok::<(), ge::GeError>(())
//! ```
#![forbid(unsafe_code)]

mod address;
pub mod arithmetic;
pub mod assembly;
mod bounding_box;
pub mod command;
mod draw;
mod error;
mod float24;
mod ge;
mod immediate;
mod lighting;
mod list;
mod matrices;
mod memory;
mod observer;
mod patch;
mod pixel_state;
mod registers;
mod report;
mod restore;
mod texture;
mod transfer;
mod vertex_stage;

pub use address::Address;
pub use error::{GeError, Stop};
pub use float24::Float24;
pub use ge::{Ge, GeOptions, HostWrites, Pointers};
pub use matrices::{Matrices, MatrixKind};
pub use memory::{Memory, MemorySize};
pub use observer::{DrawEvent, DrawSource, MemoryWrite, Observer, Signal, Writer};
pub use raster::Profile;
pub use registers::Registers;
pub use report::{Feature, Met, Report};
