//! The `ge-harness` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ge_harness::cli::main()
}
