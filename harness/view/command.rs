//! The command that draws what is seen: everything that the window does can be done without it.

use std::fmt::Write as _;
use std::path::Path;

use motion::library::Selection;
use motion::play::{RootMotion, Sampling};

use super::capture_state::CaptureState;
use super::model_state::{ModelState, Played};
use super::scrub::Reached;
use crate::model::Tail;
use crate::render::RenderOptions;
use crate::replay::Shown;
use crate::scene::{Background, Shading};
use raster::Profile;
use replay::ReplayMode;

/// The command that draws a model as it is seen; `None` where the viewer was given what it does not tell again, such
/// as weights of key shapes or a motion over another.
#[must_use]
pub(super) fn render(state: &ModelState) -> Option<String> {
    let usual = RenderOptions::default();
    let options = &state.options;
    if options.morphs != usual.morphs {
        return None;
    }
    let mut text = format!("ge-harness render {}", quoted(&state.open.path));
    let companions = &state.open.companions;
    for (name, path) in [
        ("skeleton", &companions.skeleton),
        ("animation", &companions.animation),
        ("textures", &companions.textures),
        ("geometry", &companions.geometry),
    ] {
        if let Some(path) = path {
            add(&mut text, name, quoted(path));
        }
    }
    if let Some(monster) = state.open.monster {
        add(&mut text, "monster", monster.0);
    }
    match &state.played {
        Played::Listed(Selection::Entry(entry)) => add(&mut text, "entry", entry.0),
        Played::Listed(Selection::Clip(clip)) => add(&mut text, "clip", clip.0),
        Played::Listed(Selection::Slot(_)) | Played::Other => return None,
        Played::Bind if state.list.is_empty() => {}
        Played::Bind => text += " --bind",
        Played::Mot(path) => add(&mut text, "mot", quoted(path)),
    }
    if state.clock.moves() {
        add(&mut text, "frame", state.clock.frame());
    }
    if options.pose.sampling == Sampling::Fractional {
        text += " --smooth";
    }
    match options.pose.root_motion {
        RootMotion::InPlace => {}
        RootMotion::AsInGame => add(&mut text, "root-motion", "in-game"),
        RootMotion::AsAuthored => add(&mut text, "root-motion", "authored"),
    }
    if options.view != usual.view {
        add(&mut text, "camera", options.view);
    }
    if options.size != usual.size {
        let [width, height] = options.size;
        add(&mut text, "size", format_args!("{width}x{height}"));
    }
    match options.background {
        None => {}
        Some(Background::Transparent) => add(&mut text, "background", "transparent"),
        Some(Background::Color([red, green, blue])) => {
            add(
                &mut text,
                "background",
                format_args!("{red:02X}{green:02X}{blue:02X}"),
            );
        }
    }
    if options.shading == Shading::Unlit {
        text += " --unlit";
    }
    match options.tail {
        Tail::Attached => {}
        Tail::Cut => add(&mut text, "tail", "cut"),
        Tail::Dropped => add(&mut text, "tail", "dropped"),
    }
    if !options.hidden_meshes.is_empty() {
        let meshes: Vec<String> = options.hidden_meshes.iter().map(usize::to_string).collect();
        add(&mut text, "mask", meshes.join(","));
    }
    if options.palette != usual.palette {
        add(&mut text, "palette", options.palette);
    }
    Some(text)
}

/// The command that draws a recorded frame as it is seen.
#[must_use]
pub(super) fn replay(state: &CaptureState) -> String {
    let mut text = format!("ge-harness replay {}", quoted(&state.open.path));
    if state.open.options.mode == ReplayMode::Reference {
        add(&mut text, "order", "reference");
    }
    if state.open.options.ge.profile == Profile::Ppsspp {
        add(&mut text, "profile", "ppsspp");
    }
    if let Reached::Draw(draw) = state.scrub.reached() {
        add(&mut text, "until-draw", draw);
    }
    if state.shown != Shown::Display {
        add(&mut text, "target", name(state.shown));
    }
    text
}

/// What `--target` calls it.
#[must_use]
pub(super) const fn name(shown: Shown) -> &'static str {
    match shown {
        Shown::Display => "display",
        Shown::Colour => "colour",
        Shown::Depth => "depth",
        Shown::Stencil => "stencil",
        Shown::Texture => "texture",
    }
}

fn add(text: &mut String, option: &str, value: impl std::fmt::Display) {
    let _ = write!(text, " --{option} {value}");
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |character: char| character.is_alphanumeric() || "/._-+=:,@%#".contains(character);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('#') {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use clap::Parser;
    use motion::rig::entry::Entry;

    use super::*;
    use crate::model::{Companions, Model};
    use crate::view::subject::OpenModel;

    fn state() -> ModelState {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/models/wyvern.pac");
        let model = Model::open(&path, &Companions::default(), None).unwrap();
        let open = OpenModel {
            path: "wyvern.pac".into(),
            companions: Companions::default(),
            monster: None,
            model: Arc::new(model),
        };
        ModelState::dropped(open, RenderOptions::default())
    }

    /// Has the command line read a command.
    fn read(command: &str) {
        let words = command.split(' ');
        let arguments = crate::cli::Arguments::try_parse_from(words);
        arguments.unwrap_or_else(|error| panic!("{command}: {error}"));
    }

    #[test]
    fn the_usual_needs_no_options() {
        let mut state = state();
        state.choose(Selection::Entry(Entry(24)));
        state.clock.seek(7.0);
        let command = render(&state).unwrap();
        assert_eq!(command, "ge-harness render wyvern.pac --entry 24 --frame 7");
        read(&command);
    }

    #[test]
    fn everything_that_is_switched_is_told() {
        let mut state = state();
        state.open.companions = Companions {
            skeleton: Some("a.bin".into()),
            animation: Some("b.bin".into()),
            textures: Some("c.bin".into()),
            geometry: Some("d.bin".into()),
        };
        state.open.monster = Some(motion::rig::records::MonsterId(58));
        state.options = RenderOptions {
            view: "-12.5,3,900,-1,2,3".parse().unwrap(),
            size: [960, 544],
            background: Some(Background::Color([1, 0x20, 255])),
            shading: Shading::Unlit,
            hidden_meshes: vec![1, 3],
            tail: Tail::Cut,
            palette: 2,
            ..state.options
        };
        state.options.pose.sampling = Sampling::Fractional;
        state.options.pose.root_motion = RootMotion::AsInGame;
        state.act(crate::view::keys::Action::Bind);
        let command = render(&state).unwrap();
        assert_eq!(
            command,
            "ge-harness render wyvern.pac --skeleton a.bin --animation b.bin --textures c.bin --geometry d.bin \
             --monster 58 --bind --smooth --root-motion in-game --camera -12.5,3,900,-1,2,3 --size 960x544 \
             --background 0120FF --unlit --tail cut --mask 1,3 --palette 2"
        );
        read(&command);
        state.play_mot("walk.mot".into(), motion::library::Motion::of_clip(&no_clip()));
        assert!(render(&state).unwrap().contains(" --mot walk.mot"));
        read(&render(&state).unwrap());
    }

    fn no_clip() -> motion::clip::Clip {
        let clip = formats::animation::Clip::new(Vec::new());
        motion::clip::Clip::new(&clip, formats::animation::Encoding::Mhfu)
    }

    #[test]
    fn paths_are_quoted_where_a_shell_needs_it() {
        for (path, expected) in [
            ("a/em75.pac#2", "a/em75.pac#2"),
            ("my models/em75.pac", "'my models/em75.pac'"),
            ("it's.pac", r"'it'\''s.pac'"),
            ("$(rm).pac", "'$(rm).pac'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(Path::new(path)), expected);
        }
    }
}
