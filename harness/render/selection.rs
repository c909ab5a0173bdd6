//! Choosing what a model plays.

use motion::library::{Motion, Selection};
use motion::rig::entry::{ClipNumber, Entry};

use crate::error::HarnessError;
use crate::model::Model;

/// What a model plays, by default what shows most; `None` where there is nothing to play.
///
/// # Errors
///
/// A selection that names no clip, in one line with those that do.
pub fn motion_of(model: &Model, selection: Option<Selection>) -> Result<Option<Motion>, HarnessError> {
    match selection {
        Some(selection) => motion(model, selection).map(Some),
        None => Ok(default_motion(model)),
    }
}

/// The motion that shows a model best when none is named: entry 0, clip 0, or the first there is.
fn default_motion(model: &Model) -> Option<Motion> {
    let (rig, library) = (model.rig()?, model.library()?);
    let first = library.playable(rig).next()?;
    library.motion(rig, first.selection)
}

/// The motion of a selection.
pub(super) fn motion(model: &Model, selection: Selection) -> Result<Motion, HarnessError> {
    let Some(rig) = model.rig() else {
        return Err(HarnessError::refused(
            &model.name,
            "has no skeleton, so nothing can be played",
            "leave --entry and --clip out, or name a skeleton with --skeleton",
        ));
    };
    let Some(library) = model.library() else {
        return Err(HarnessError::refused(
            &model.name,
            "has no animation pack, so nothing can be played",
            "leave --entry and --clip out, or name a pack with --animation",
        ));
    };
    let playable: Vec<_> = library.playable(rig).collect();
    let plays_clips = playable
        .iter()
        .any(|playable| !matches!(playable.selection, Selection::Entry(_)));
    let message = match (selection, plays_clips) {
        (Selection::Entry(_), true) => {
            return Err(HarnessError::refused(
                &model.name,
                "is a Portable 3rd model, whose clips have no entries",
                format_args!("use --clip with one of {}", numbers(&playable)),
            ));
        }
        (Selection::Clip(_), false) if !playable.is_empty() => {
            return Err(HarnessError::refused(
                &model.name,
                "is a Freedom Unite model, which is played by entries",
                format_args!("use --entry with one of {}", numbers(&playable)),
            ));
        }
        (Selection::Entry(entry), _) if !entry.is_valid() => {
            format!("{entry} is past the table: entries are 0 to {}", Entry::END - 1)
        }
        (Selection::Entry(entry), _) => format!("{entry} is empty: no part has a clip for it"),
        (Selection::Clip(clip), _) => format!("clip {} is empty: {} has none", clip.0, clip.slot()),
        (Selection::Slot(slot), _) => format!("{slot} is empty"),
    };
    let valid = !matches!(selection, Selection::Entry(entry) if !entry.is_valid());
    valid
        .then(|| library.motion(rig, selection))
        .flatten()
        .ok_or_else(|| {
            let hint = match playable.is_empty() {
                true => "every slot of its animation pack is empty: leave --entry and --clip out".to_owned(),
                false => format!("filled: {}", numbers(&playable)),
            };
            HarnessError::refused(&model.name, message, hint)
        })
}

/// The numbers of what can be played, runs shortened: `0, 1, 24, 100-110`.
#[must_use]
pub fn numbers(playable: &[motion::library::Playable]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    let numbers = playable.iter().filter_map(|playable| match playable.selection {
        Selection::Entry(Entry(number)) | Selection::Clip(ClipNumber(number)) => Some(number),
        Selection::Slot(_) => None,
    });
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let texts: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first}-{last}"),
        })
        .collect();
    texts.join(", ")
}
