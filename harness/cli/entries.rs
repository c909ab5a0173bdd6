//! `ge-harness entries`: the animations of a model.
use std::io::Write;

use clap::Args;

use super::model_arguments::ModelArguments;
use super::{Outcome, write_json};
use crate::entries::EntryList;
use crate::error::HarnessError;

/// List the animations of a model
///
/// Freedom Unite: entries, the actions that the game plays, with the stream and slot of each part's
/// clip; a dash is a part without one. Portable 3rd: clips by number (stream x 100 + slot).
///
/// Frames are clip frames, of which 60 make a second at the usual speed. The game ships no names.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness entries em75.pac
  ge-harness entries 05248.pac --monster 58
  ge-harness entries em75.pac --json")]
pub(super) struct Arguments {
    #[command(flatten)]
    source: ModelArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let model = arguments.source.open()?;
    let name = &model.name;
    if !model.is_skinned() && model.library().is_none() {
        return Err(HarnessError::refused(
            name,
            "is not animated: none of its groups takes bones",
            format!("ge-harness render {name} draws it as it stands"),
        ));
    }
    let (Some(rig), Some(library)) = (model.rig(), model.library()) else {
        let missing = if model.rig().is_none() {
            "skeleton"
        } else {
            "animation pack"
        };
        return Err(HarnessError::refused(
            name,
            format!("has no {missing}, and none was found beside it"),
            if model.rig().is_none() {
                "name one with --skeleton FILE"
            } else {
                "name one with --animation FILE"
            },
        ));
    };
    let list = EntryList::new(rig, library);
    if arguments.json {
        write_json(out, &list)?;
    } else {
        list.write_text(out, name)?;
    }
    Ok(Outcome::Success)
}
