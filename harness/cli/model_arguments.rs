//! Arguments that several commands share: which model, what is played, what is shown.
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use motion::library::{Motion, Selection};
use motion::play::{RootMotion, Sampling};
use motion::rig::entry::{ClipNumber, Entry};
use motion::rig::records::MonsterId;

use super::mot_arguments::MotArguments;
use super::terminal;
use crate::error::HarnessError;
use crate::model::{Companions, Model, Note, Tail};
use crate::render::{RenderOptions, Renderer, Take};
use crate::scene::{Background, Frame, Shading, View};

/// Which model, and the files that belong to it.
#[derive(Debug, Args)]
pub(super) struct ModelArguments {
    /// The model: a PAC, or a .pmo with its companions beside it
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The skeleton, if it is not found by itself
    #[arg(long, value_name = "FILE", help_heading = "Companions")]
    skeleton: Option<PathBuf>,
    /// The animation pack
    #[arg(long, value_name = "FILE", help_heading = "Companions")]
    animation: Option<PathBuf>,
    /// The texture bank
    #[arg(long, value_name = "FILE", help_heading = "Companions")]
    textures: Option<PathBuf>,
    /// The geometry of a Portable 3rd model
    #[arg(long, value_name = "FILE", help_heading = "Companions")]
    geometry: Option<PathBuf>,
    /// Portable 3rd: the monster's number, which tells what bones its clips drive
    #[arg(long, value_name = "ID", help_heading = "Companions")]
    monster: Option<u16>,
}

impl ModelArguments {
    /// Opens the model and says on standard error what was found and what is missing.
    pub(super) fn open(&self) -> Result<Model, HarnessError> {
        let model = Model::open(&self.model, &self.companions(), self.monster())?;
        for note in &model.notes {
            match note {
                Note::Found(text) => terminal::print_note(text),
                Note::Warning(text) => terminal::print_warning(&format!("{}: {text}", model.name)),
            }
        }
        Ok(model)
    }

    /// The companions that are named.
    pub(super) fn companions(&self) -> Companions {
        Companions {
            skeleton: self.skeleton.clone(),
            animation: self.animation.clone(),
            textures: self.textures.clone(),
            geometry: self.geometry.clone(),
        }
    }

    /// The monster whose clips a Portable 3rd pack has.
    pub(super) fn monster(&self) -> Option<MonsterId> {
        self.monster.map(MonsterId)
    }

    /// The model's path.
    pub(super) fn path(&self) -> &Path {
        &self.model
    }

    /// The model's path with another extension, in the current folder.
    pub(super) fn output(&self, extension: &str) -> PathBuf {
        let name = self.model.file_name().unwrap_or(OsStr::new("model"));
        let name = name.to_string_lossy();
        let stem = name
            .split(['.', '#'])
            .next()
            .filter(|stem| !stem.is_empty())
            .unwrap_or("model");
        PathBuf::from(format!("{stem}.{extension}"))
    }
}

/// What is played, and at which frame.
#[derive(Debug, Args)]
pub(super) struct PlayedArguments {
    /// Freedom Unite: the entry to play, as the game's action numbers count (ge-harness entries lists them)
    #[arg(long, value_name = "N", group = "selection")]
    entry: Option<u32>,
    /// Portable 3rd: the clip to play, stream x 100 + slot
    #[arg(long, value_name = "ID", group = "selection")]
    clip: Option<u32>,
    /// Play a MOT file (Okami, God Hand and later games) on the model's skeleton
    #[arg(long, value_name = "FILE", group = "selection")]
    mot: Option<PathBuf>,
    /// Play this entry on the parts that --entry leaves alone; they rest at bind otherwise
    #[arg(long, value_name = "N", requires = "entry")]
    over: Option<u32>,
    /// Draw the bind pose
    #[arg(long, group = "selection")]
    bind: bool,
    /// The clip frame to draw [default: the middle one]
    #[arg(long, value_name = "F", value_parser = parse_frame)]
    frame: Option<f64>,
    /// Draw fractions of clip frames; the game shows whole ones
    #[arg(long)]
    smooth: bool,
    /// What the travel of the body does: in-place, in-game (drawn as the game draws it), authored
    #[arg(long, value_name = "HOW", default_value = "in-place")]
    root_motion: RootMotionArgument,
    #[command(flatten)]
    mot_reading: MotArguments,
}

impl PlayedArguments {
    /// Sets how the model is posed.
    pub(super) fn apply(&self, options: &mut RenderOptions) {
        options.pose.sampling = if self.smooth {
            Sampling::Fractional
        } else {
            Sampling::Whole
        };
        options.pose.root_motion = match self.root_motion {
            RootMotionArgument::InPlace => RootMotion::InPlace,
            RootMotionArgument::InGame => RootMotion::AsInGame,
            RootMotionArgument::Authored => RootMotion::AsAuthored,
        };
    }

    /// What is played, with notes on standard error of what is odd about it.
    pub(super) fn take(&self, renderer: &Renderer<'_>) -> Result<Take, HarnessError> {
        if self.mot.is_none() {
            self.mot_reading.expect_unused("--mot FILE")?;
        }
        if self.bind {
            return Ok(renderer.bind());
        }
        let selection = match (self.entry, self.clip) {
            (Some(entry), _) => Some(Selection::Entry(Entry(entry))),
            (None, Some(clip)) => Some(Selection::Clip(ClipNumber(clip))),
            (None, None) => None,
        };
        let below = self.over.map(|entry| Selection::Entry(Entry(entry)));
        let take = match (selection, below, &self.mot) {
            (_, _, Some(path)) => {
                let motion = self
                    .mot_reading
                    .open(path)?
                    .motion(renderer.model(), &self.mot_reading.bone_map()?)?;
                renderer.take_motion(motion)
            }
            (Some(selection), Some(below), None) => renderer.take_over(selection, below)?,
            (selection, _, None) => renderer.take(selection)?,
        };
        for diagnostic in take.motion().map_or(&[][..], |motion| motion.diagnostics()) {
            terminal::print_note(&diagnostic.to_string());
        }
        Ok(take)
    }

    /// Whether a single frame is asked for.
    pub(super) fn names_a_frame(&self) -> bool {
        self.frame.is_some()
    }

    /// The frame that is asked for.
    #[cfg(feature = "viewer")]
    pub(super) fn given_frame(&self) -> Option<f64> {
        self.frame
    }

    /// Whether anything is said about what is played.
    #[cfg(feature = "viewer")]
    pub(super) fn names_anything(&self) -> bool {
        let names_a_number = self.entry.or(self.clip).is_some();
        names_a_number || self.mot.is_some() || self.bind || self.frame.is_some()
    }

    /// The MOT file to play.
    #[cfg(feature = "viewer")]
    pub(super) fn mot(&self) -> Option<&Path> {
        self.mot.as_deref()
    }

    /// Whether one entry is played over another.
    #[cfg(feature = "viewer")]
    pub(super) fn is_one_over_another(&self) -> bool {
        self.over.is_some()
    }

    /// The frame to draw: the one asked for, or the middle.
    pub(super) fn frame(&self, take: &Take) -> f64 {
        self.frame.unwrap_or(f64::from(take.last_frame() / 2))
    }
}

/// How the model is looked at.
#[derive(Debug, Args)]
pub(super) struct ViewArguments {
    /// Where to look from: three-quarter, front, back, left, right, top, game, or YAW,PITCH[,DISTANCE[,X,Y,Z]]
    #[arg(
        long,
        value_name = "VIEW",
        default_value = "three-quarter",
        allow_hyphen_values = true
    )]
    camera: View,
    /// Width and height in pixels, each at most 2048
    #[arg(long, value_name = "WxH", default_value = "480x272", value_parser = parse_size)]
    pub(super) size: [u32; 2],
    /// A colour as RRGGBB, or transparent [default: dark grey, or a stage's fog]
    #[arg(long, value_name = "COLOR", value_parser = parse_background)]
    background: Option<Background>,
    /// Without light and fog: textures and vertex colours alone
    #[arg(long)]
    unlit: bool,
}

impl ViewArguments {
    /// Options that look at it so.
    pub(super) fn options(&self) -> RenderOptions {
        RenderOptions {
            view: self.camera,
            size: self.size,
            background: self.background,
            shading: if self.unlit { Shading::Unlit } else { Shading::Lit },
            ..RenderOptions::default()
        }
    }
}

/// What of the model is drawn.
#[derive(Debug, Args)]
pub(super) struct ShownArguments {
    /// A severable tail: attached, cut (the body with its stump), or dropped (the tip alone)
    #[arg(long, value_name = "HOW", default_value = "attached")]
    tail: TailArgument,
    /// Hide these meshes, by number: 1,4,5
    #[arg(long, value_name = "MESHES", value_delimiter = ',')]
    mask: Vec<usize>,
    /// Which palette to take of images that have several
    #[arg(long, value_name = "N", default_value_t = 0)]
    palette: usize,
}

impl ShownArguments {
    /// Fills in what of the model is drawn.
    pub(super) fn apply(&self, model: &Model, options: &mut RenderOptions) -> Result<(), HarnessError> {
        let meshes = model.pmos.iter().map(|pmo| pmo.meshes.len()).max().unwrap_or(0);
        if let Some(mesh) = self.mask.iter().find(|&&mesh| mesh >= meshes) {
            return Err(HarnessError::refused(
                &model.name,
                format_args!("has no mesh {mesh}"),
                format_args!("its meshes are 0 to {}", meshes.saturating_sub(1)),
            ));
        }
        options.hidden_meshes.clone_from(&self.mask);
        options.palette = self.palette;
        options.tail = match self.tail {
            TailArgument::Attached => Tail::Attached,
            TailArgument::Cut => Tail::Cut,
            TailArgument::Dropped => Tail::Dropped,
        };
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum TailArgument {
    Attached,
    Cut,
    Dropped,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RootMotionArgument {
    InPlace,
    InGame,
    Authored,
}

/// What is played, in words.
pub(super) fn played_motion(motion: &Motion) -> String {
    motion.playable().map_or_else(
        || "the motion".to_owned(),
        |playable| selected(playable.selection),
    )
}

/// A selection in words.
fn selected(selection: Selection) -> String {
    match selection {
        Selection::Entry(entry) => entry.to_string(),
        Selection::Clip(clip) => clip.to_string(),
        Selection::Slot(slot) => slot.to_string(),
    }
}

fn parse_frame(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(frame) if frame >= 0.0 && frame.is_finite() => Ok(frame),
        _ => Err("expected a frame number from 0 on".into()),
    }
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let sides = text
        .split_once(['x', 'X'])
        .and_then(|(width, height)| Some([width.parse::<u32>().ok()?, height.parse::<u32>().ok()?]));
    sides
        .filter(|sides| sides.iter().all(|side| (1..=Frame::LARGEST).contains(side)))
        .ok_or_else(|| {
            format!(
                "expected WIDTHxHEIGHT, each 1 to {}, such as 480x272",
                Frame::LARGEST
            )
        })
}

fn parse_background(text: &str) -> Result<Background, String> {
    if text == "transparent" {
        return Ok(Background::Transparent);
    }
    let digits = text.trim_start_matches('#');
    match u32::from_str_radix(digits, 16) {
        Ok(color) if digits.len() == 6 && !digits.starts_with('+') => {
            let [_, red, green, blue] = color.to_be_bytes();
            Ok(Background::Color([red, green, blue]))
        }
        _ => Err("expected a colour as RRGGBB, such as 204080, or transparent".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_colours_are_read() {
        assert_eq!(parse_size("480x272"), Ok([480, 272]));
        for bad in ["480", "0x1", "2049x1", "-1x5", "x"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
        assert_eq!(
            parse_background("#204080"),
            Ok(Background::Color([0x20, 0x40, 0x80]))
        );
        assert_eq!(parse_background("transparent"), Ok(Background::Transparent));
        for bad in ["", "+12345", "12345", "red", "1234567"] {
            assert!(parse_background(bad).is_err(), "{bad}");
        }
    }
}
