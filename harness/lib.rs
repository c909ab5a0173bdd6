//! The parts of the `ge-harness` command that tests share with it.
#![forbid(unsafe_code)]
