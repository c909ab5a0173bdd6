//! `ge-harness view` of a program that was built without its window.
use std::ffi::OsString;
use std::io::Write;

use clap::Args;

use super::Outcome;
use crate::error::HarnessError;

/// Look at a model or a capture in a window (not in this build)
///
/// This program was built without the feature viewer, which this command needs.
#[derive(Debug, Args)]
#[command(after_help = "\
Example, with the feature:
  ge-harness view wyvern.pac")]
pub(super) struct Arguments {
    /// What would be looked at
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    _arguments: Vec<OsString>,
}

pub(super) fn run(_: &Arguments, _: &mut dyn Write) -> Result<Outcome, HarnessError> {
    Err(HarnessError::refused(
        "view",
        "this program was built without a window",
        "build it with: cargo install --path . --features viewer",
    ))
}
