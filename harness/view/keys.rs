//! What each key does: one table for the window, its help and `ge-harness view --help`.

use crate::replay::Shown;
use crate::scene::View;

/// A key, by what is written on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A letter (small), digit or sign.
    Sign(char),
    /// The space bar.
    Space,
    /// An arrow.
    Left,
    /// An arrow.
    Right,
    /// An arrow.
    Up,
    /// An arrow.
    Down,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// A page back.
    PageUp,
    /// A page on.
    PageDown,
    /// The tabulator.
    Tab,
    /// The key to leave with.
    Escape,
    /// F1 to F12.
    Function(u8),
}

/// Whether a shift key is down. Of signs it is no part: who types `?` may need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shift {
    /// It is up.
    Up,
    /// It is down.
    Down,
}

/// What a user wants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// Write the picture.
    Screenshot,
    /// Read the files again.
    Reload,
    /// Show the panels, or only the picture.
    Panels,
    /// Fill the screen, or leave it.
    FullScreen,
    /// Show the keys, or hide them.
    Help,
    /// Close what is open: the keys, a message, a pinned pixel.
    Dismiss,
    /// Leave.
    Quit,
    /// Start or stop time.
    Play,
    /// Stop, frames further on.
    StepFrames(i64),
    /// Stop at the first frame.
    FirstFrame,
    /// Stop at the last frame.
    LastFrame,
    /// Play faster by steps.
    Faster(isize),
    /// Choose another animation, so many further down the list.
    Animation(isize),
    /// The bind pose, or back to the animation.
    Bind,
    /// Without light and fog, or with them.
    Unlit,
    /// The tail attached, cut, dropped.
    Tail,
    /// Show every mesh again.
    AllMeshes,
    /// Look from elsewhere.
    Look(View),
    /// The camera that the viewer began with.
    ResetView,
    /// Draws further on.
    StepDraws(i64),
    /// Behind the first draw.
    FirstDraw,
    /// The whole frame.
    WholeFrame,
    /// Another buffer, or the texture.
    Show(Shown),
}

impl Action {
    /// Whether a key that is held down does it again and again.
    #[must_use]
    pub const fn repeats(&self) -> bool {
        matches!(
            self,
            Self::StepFrames(_) | Self::StepDraws(_) | Self::Animation(_) | Self::Faster(_)
        )
    }
}

/// What is shown when a key does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Whatever is shown.
    Always,
    /// A model.
    Model,
    /// A capture.
    Capture,
}

/// Keys that do the same.
#[derive(Debug)]
pub struct Binding {
    strokes: &'static [(Key, Shift)],
    scope: Scope,
    action: Action,
    /// The keys as they are written in help.
    pub keys: &'static str,
    /// What they do.
    pub does: &'static str,
}

const fn fitted(yaw: f64, pitch: f64) -> Action {
    Action::Look(View::Fitted { yaw, pitch })
}

const fn binding(
    scope: Scope,
    strokes: &'static [(Key, Shift)],
    action: Action,
    keys: &'static str,
    does: &'static str,
) -> Binding {
    Binding {
        strokes,
        scope,
        action,
        keys,
        does,
    }
}

use Key::{Down, End, Escape, Function, Home, Left, PageDown, PageUp, Right, Sign, Space, Tab};
use Scope::{Always, Capture, Model};
use Shift::{Down as Shifted, Up as Plain};

/// Every key. Rows without words continue the row before, whose words tell of both.
#[rustfmt::skip]
pub static BINDINGS: &[Binding] = &[
    binding(Model, &[(Space, Plain)], Action::Play, "Space", "play, pause"),
    binding(Model, &[(Left, Plain)], Action::StepFrames(-1), "Left Right", "a frame back, a frame on"),
    binding(Model, &[(Right, Plain)], Action::StepFrames(1), "", ""),
    binding(Model, &[(Left, Shifted)], Action::StepFrames(-10), "Shift+Left Right", "ten frames back, on"),
    binding(Model, &[(Right, Shifted)], Action::StepFrames(10), "", ""),
    binding(Model, &[(Home, Plain)], Action::FirstFrame, "Home End", "the first frame, the last"),
    binding(Model, &[(End, Plain)], Action::LastFrame, "", ""),
    binding(Model, &[(Key::Up, Plain)], Action::Animation(-1), "Up Down", "the animation before, the next"),
    binding(Model, &[(Down, Plain)], Action::Animation(1), "", ""),
    binding(Model, &[(Sign('-'), Plain)], Action::Faster(-1), "- +", "slower, faster"),
    binding(Model, &[(Sign('+'), Plain), (Sign('='), Plain)], Action::Faster(1), "", ""),
    binding(Model, &[(Sign('1'), Plain)], fitted(40.0, 20.0), "1 to 6", "look from three-quarter, front, back, left, right, top"),
    binding(Model, &[(Sign('2'), Plain)], fitted(0.0, 8.0), "", ""),
    binding(Model, &[(Sign('3'), Plain)], fitted(180.0, 8.0), "", ""),
    binding(Model, &[(Sign('4'), Plain)], fitted(90.0, 7.0), "", ""),
    binding(Model, &[(Sign('5'), Plain)], fitted(-90.0, 7.0), "", ""),
    binding(Model, &[(Sign('6'), Plain)], fitted(0.0, 80.0), "", ""),
    binding(Model, &[(Sign('7'), Plain)], Action::Look(View::Game), "7", "the game's camera"),
    binding(Model, &[(Sign('f'), Plain)], Action::ResetView, "F", "the camera that the viewer began with"),
    binding(Model, &[(Sign('b'), Plain)], Action::Bind, "B", "the bind pose, or back to the animation"),
    binding(Model, &[(Sign('u'), Plain)], Action::Unlit, "U", "without light and fog, or with them"),
    binding(Model, &[(Sign('t'), Plain)], Action::Tail, "T", "the tail: attached, cut, dropped"),
    binding(Model, &[(Sign('m'), Plain)], Action::AllMeshes, "M", "show every mesh again"),
    binding(Capture, &[(Left, Plain), (Key::Up, Plain)], Action::StepDraws(-1), "Left Right", "a draw back, a draw on (Up and Down too)"),
    binding(Capture, &[(Right, Plain), (Down, Plain)], Action::StepDraws(1), "", ""),
    binding(Capture, &[(Left, Shifted), (Key::Up, Shifted)], Action::StepDraws(-10), "Shift+Left Right", "ten draws back, on"),
    binding(Capture, &[(Right, Shifted), (Down, Shifted)], Action::StepDraws(10), "", ""),
    binding(Capture, &[(PageUp, Plain)], Action::StepDraws(-100), "PageUp PageDown", "a hundred draws back, on"),
    binding(Capture, &[(PageDown, Plain)], Action::StepDraws(100), "", ""),
    binding(Capture, &[(Home, Plain)], Action::FirstDraw, "Home End", "the first draw, the whole frame"),
    binding(Capture, &[(End, Plain)], Action::WholeFrame, "", ""),
    binding(Capture, &[(Sign('1'), Plain)], Action::Show(Shown::Display), "1 to 5", "show display, colour, depth, stencil, texture"),
    binding(Capture, &[(Sign('2'), Plain)], Action::Show(Shown::Colour), "", ""),
    binding(Capture, &[(Sign('3'), Plain)], Action::Show(Shown::Depth), "", ""),
    binding(Capture, &[(Sign('4'), Plain)], Action::Show(Shown::Stencil), "", ""),
    binding(Capture, &[(Sign('5'), Plain)], Action::Show(Shown::Texture), "", ""),
    binding(Capture, &[(Sign('f'), Plain)], Action::ResetView, "F", "the whole picture again, after zooming"),
    binding(Always, &[(Sign('s'), Plain), (Function(12), Plain)], Action::Screenshot, "S F12", "write the picture as PNG into the current folder"),
    binding(Always, &[(Sign('r'), Plain), (Function(5), Plain)], Action::Reload, "R F5", "read the files again"),
    binding(Always, &[(Tab, Plain)], Action::Panels, "Tab", "hide the panels, or show them"),
    binding(Always, &[(Function(11), Plain)], Action::FullScreen, "F11", "fill the screen, or leave it"),
    binding(Always, &[(Sign('?'), Plain), (Function(1), Plain)], Action::Help, "? F1", "show these keys"),
    binding(Always, &[(Escape, Plain)], Action::Dismiss, "Esc", "close the keys, a message, a pinned pixel"),
    binding(Always, &[(Sign('q'), Plain)], Action::Quit, "Q", "leave"),
];

/// What the mouse does to what is shown.
pub static MOUSE: &[(Scope, &str, &str)] = &[
    (Model, "left drag", "go round the model"),
    (Model, "middle, right or Shift drag", "move it sideways"),
    (Model, "wheel", "nearer, away"),
    (
        Capture,
        "pointer on a pixel",
        "its history: what made it what it is",
    ),
    (Capture, "click", "pin that pixel, or let it go"),
    (Capture, "wheel", "zoom into the picture"),
    (Capture, "drag", "move the zoomed picture"),
    (
        Always,
        "drop a file",
        "show it: a model, a capture, or what goes with the model",
    ),
];

/// What a key does while something is shown; `None` where it does nothing.
#[must_use]
pub fn action(key: Key, shift: Shift, shown: Scope) -> Option<Action> {
    let shift = match key {
        Sign(_) => Plain,
        _ => shift,
    };
    BINDINGS
        .iter()
        .filter(|binding| applies(binding.scope, shown))
        .find(|binding| binding.strokes.contains(&(key, shift)))
        .map(|binding| binding.action)
}

/// The rows of help for what is shown: keys, then what they do.
pub fn help(shown: Scope) -> impl Iterator<Item = (&'static str, &'static str)> {
    let keys = BINDINGS.iter().filter(move |binding| binding.scope == shown);
    keys.filter(|binding| !binding.keys.is_empty())
        .map(|binding| (binding.keys, binding.does))
}

/// The rows of help about the mouse.
pub fn mouse_help(shown: Scope) -> impl Iterator<Item = (&'static str, &'static str)> {
    MOUSE
        .iter()
        .filter(move |(scope, ..)| *scope == shown)
        .map(|&(_, what, does)| (what, does))
}

/// All keys as text for a terminal.
#[must_use]
pub fn text() -> String {
    let mut text = String::new();
    for (title, scope) in [
        ("Keys for a model", Model),
        ("Keys for a capture", Capture),
        ("Keys always", Always),
    ] {
        text += &format!("{title}:\n");
        for (keys, does) in help(scope) {
            text += &format!("  {keys:<18} {does}\n");
        }
        text += "\n";
    }
    text
}

fn applies(scope: Scope, shown: Scope) -> bool {
    scope == Always || scope == shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things() {
        for shown in [Model, Capture] {
            let strokes = BINDINGS
                .iter()
                .filter(|binding| applies(binding.scope, shown))
                .flat_map(|binding| binding.strokes);
            let mut seen = std::collections::HashSet::new();
            for stroke in strokes {
                assert!(seen.insert(stroke), "{stroke:?} with {shown:?}");
            }
        }
    }

    #[test]
    fn every_key_is_explained() {
        assert!(!BINDINGS[0].does.is_empty());
        for binding in BINDINGS {
            assert_eq!(binding.keys.is_empty(), binding.does.is_empty());
            assert!(!binding.strokes.is_empty());
        }
        assert!(text().lines().all(|line| line.len() <= 100));
    }

    #[test]
    fn the_guide_lists_every_key_and_move_of_the_mouse() {
        let guide = include_str!("../../docs/view.md");
        for scope in [Model, Capture, Always] {
            for (what, does) in help(scope).chain(mouse_help(scope)) {
                let row = format!("| {what} | {does} |");
                assert!(guide.contains(&row), "docs/view.md lacks {row}");
            }
        }
    }

    #[test]
    fn named_views_are_those_of_the_command_line() {
        for (sign, name) in ('1'..).zip(["three-quarter", "front", "back", "left", "right", "top", "game"]) {
            let view: View = name.parse().unwrap();
            assert_eq!(
                action(Sign(sign), Plain, Model),
                Some(Action::Look(view)),
                "{name}"
            );
        }
    }

    #[test]
    fn signs_need_no_care_for_shift() {
        for shift in [Plain, Shifted] {
            assert_eq!(action(Sign('?'), shift, Capture), Some(Action::Help));
            assert_eq!(action(Sign('+'), shift, Model), Some(Action::Faster(1)));
        }
        assert_eq!(action(Right, Shifted, Model), Some(Action::StepFrames(10)));
        assert_eq!(action(Right, Plain, Capture), Some(Action::StepDraws(1)));
        assert_eq!(action(Space, Plain, Capture), None);
    }
}
