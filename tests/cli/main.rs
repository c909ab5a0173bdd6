//! The `ge-harness` command as its users meet it: through the binary, in a fresh folder.

mod archive;
mod bad_input;
mod bad_motions;
mod captures;
mod conformance;
mod curves;
mod motions;
mod pictures;
mod pixel;
mod render;
mod reports;
mod support;
mod wrong_kind;
