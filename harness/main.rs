//! The `ge-harness` command.
#![forbid(unsafe_code)]
fn main() {}
