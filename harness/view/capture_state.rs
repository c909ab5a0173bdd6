//! A recorded frame that is looked at: how far it is drawn, what of it is shown, which pixel is asked about.

use std::sync::Arc;

use super::keys::Action;
use super::recorded::{DrawList, HistoryText, has_history};
use super::scrub::Scrub;
use super::subject::OpenCapture;
use super::worker::CaptureShot;
use crate::draws;
use crate::picture::{SCREEN_HEIGHT, SCREEN_WIDTH};
use crate::pixel::Position;
use crate::replay::Shown;

/// A pixel that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The one under the pointer.
    Hovered(Position),
    /// One that stays whatever the pointer does.
    Pinned(Position),
}

impl Asked {
    /// Which pixel.
    #[must_use]
    pub const fn position(self) -> Position {
        match self {
            Self::Hovered(position) | Self::Pinned(position) => position,
        }
    }
}

/// A recorded frame that is looked at.
#[derive(Debug)]
pub struct CaptureState {
    /// The capture.
    pub open: OpenCapture,
    /// How far it is drawn.
    pub scrub: Scrub,
    /// What of it is shown.
    pub shown: Shown,
    /// Its draws, once they are known.
    pub draws: Option<Arc<DrawList>>,
    /// The pixel that is asked about.
    pub asked: Option<Asked>,
    history: Option<HistoryText>,
}

impl CaptureState {
    /// The whole of a frame, as it is displayed.
    #[must_use]
    pub fn new(open: OpenCapture) -> Self {
        let draws = draws::drawing_commands(&open.capture.capture) as u64;
        Self {
            open,
            scrub: Scrub::new(draws),
            shown: Shown::Display,
            draws: None,
            asked: None,
            history: None,
        }
    }

    /// The picture to draw.
    #[must_use]
    pub fn shot(&self) -> CaptureShot {
        CaptureShot {
            open: self.open.clone(),
            shown: self.shown,
            reached: self.scrub.reached(),
        }
    }

    /// Takes over the draws.
    pub fn list(&mut self, draws: Arc<DrawList>) {
        if Arc::ptr_eq(&draws.capture, &self.open.capture) {
            self.scrub.count(draws.count);
            self.draws = Some(draws);
        }
    }

    /// Takes over a history.
    pub fn tell(&mut self, history: HistoryText) {
        if Arc::ptr_eq(&history.capture, &self.open.capture) {
            self.history = Some(history);
        }
    }

    /// The history of the pixel that is asked about, once it is known.
    #[must_use]
    pub fn history(&self) -> Option<&HistoryText> {
        let position = self.asked?.position();
        self.history
            .as_ref()
            .filter(|history| history.position == position)
    }

    /// The pointer is on a pixel of what is shown, or on none. A pixel that is left stays asked about until another
    /// is met, so that its history can be read.
    pub fn point_at(&mut self, pixel: Option<[u32; 2]>) {
        if !matches!(self.asked, Some(Asked::Pinned(_)))
            && let Some(position) = self.on_display(pixel)
        {
            self.asked = Some(Asked::Hovered(position));
        }
    }

    /// Pins a pixel, or lets the pinned one go.
    pub fn click(&mut self, pixel: Option<[u32; 2]>) {
        self.asked = match (self.asked, self.on_display(pixel)) {
            (Some(Asked::Pinned(pinned)), Some(position)) if pinned == position => {
                Some(Asked::Hovered(position))
            }
            (_, Some(position)) => Some(Asked::Pinned(position)),
            (asked, None) => asked,
        };
    }

    fn on_display(&self, pixel: Option<[u32; 2]>) -> Option<Position> {
        let [x, y] = pixel?;
        let is_pixel = has_history(self.shown) && x < SCREEN_WIDTH && y < SCREEN_HEIGHT;
        is_pixel.then_some(Position { x, y })
    }

    /// Does what a key asks for; other keys are no matter of a capture.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::StepDraws(draws) => self.scrub.step(draws),
            Action::FirstDraw => self.scrub.go(0),
            Action::WholeFrame => self.scrub.go(u64::MAX),
            Action::Show(shown) => self.shown = shown,
            Action::Dismiss => self.asked = None,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use replay::ReplayOptions;

    use super::*;
    use crate::replay::NamedCapture;
    use crate::view::recorded::Reel;
    use crate::view::scrub::Reached;

    /// The bundled sample, recorded.
    fn state() -> CaptureState {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/models/wyvern.pac");
        let model = crate::model::Model::open(&path, &crate::model::Companions::default(), None).unwrap();
        let mut renderer = crate::render::Renderer::new(&model, Default::default()).unwrap();
        let take = renderer.take(None).unwrap();
        let mut recorder = crate::record::Recorder::new(crate::scene::Scene::DISPLAY);
        renderer.draw_observed(&take, 0.0, &mut recorder).unwrap();
        CaptureState::new(OpenCapture {
            path: "frame.ppdmp".into(),
            capture: Arc::new(NamedCapture {
                name: "frame.ppdmp".into(),
                capture: recorder.finish().unwrap(),
                archive: None,
            }),
            options: ReplayOptions::default(),
        })
    }

    #[test]
    fn draws_are_counted_and_told() {
        let mut state = state();
        let (list, error) = DrawList::of(&state.open);
        assert!(error.is_none());
        let count = list.count;
        assert!(count > 2 && list.len() as u64 == count);
        let details = list.details(1).unwrap();
        assert!(details.starts_with("draw 1, record "), "{details}");
        assert!(details.contains("* changed since the draw before"));
        assert!(list.details(count).is_none());
        state.list(Arc::new(list));
        assert_eq!(state.scrub.draws(), count);
    }

    #[test]
    fn each_draw_makes_its_picture() {
        let mut state = state();
        let draw = |state: &CaptureState| Reel::default().draw(&state.shot()).unwrap();
        let whole = draw(&state);
        state.act(Action::StepDraws(-1));
        let last = draw(&state);
        assert_eq!(whole.image, last.image);
        state.act(Action::FirstDraw);
        assert_eq!(state.scrub.reached(), Reached::Draw(0));
        let first = draw(&state);
        assert_ne!(whole.image, first.image);
        state.act(Action::Show(Shown::Depth));
        let depth = draw(&state);
        assert!(matches!(*depth.image, crate::replay::Image::Depths { .. }));
    }

    #[test]
    fn pictures_that_are_kept_are_those_of_a_new_replay() {
        let mut state = state();
        let mut reel = Reel::default();
        for shown in [Shown::Display, Shown::Colour, Shown::Texture] {
            state.act(Action::Show(shown));
            for steps in [-1, -1, -1, 1, -9, 2, 40] {
                state.act(Action::StepDraws(steps));
                let kept = reel.draw(&state.shot()).map(|drawn| drawn.image);
                let new = Reel::default().draw(&state.shot()).map(|drawn| drawn.image);
                assert_eq!(kept.ok(), new.ok(), "{shown:?} {:?}", state.scrub);
            }
        }
    }

    #[test]
    fn a_history_has_the_words_of_the_command() {
        let mut state = state();
        state.point_at(Some([240, 136]));
        let position = state.asked.unwrap().position();
        assert!(state.history().is_none());
        state.tell(HistoryText::of(&state.open, position));
        let text = state.history().unwrap().text.clone().unwrap();
        assert!(text.starts_with("frame.ppdmp: pixel 240,136 at "), "{text}");
        assert!(text.contains("made by draw"), "{text}");
        assert!(
            text.lines()
                .any(|line| super::super::recorded::draw_of_line(line).is_some())
        );
        state.point_at(Some([0, 0]));
        assert!(state.history().is_none(), "that is another pixel's");
    }

    #[test]
    fn a_pinned_pixel_stays() {
        let mut state = state();
        state.point_at(Some([1, 2]));
        state.point_at(None);
        assert!(matches!(
            state.asked,
            Some(Asked::Hovered(Position { x: 1, y: 2 }))
        ));
        state.click(Some([3, 4]));
        state.point_at(Some([5, 6]));
        assert!(matches!(
            state.asked,
            Some(Asked::Pinned(Position { x: 3, y: 4 }))
        ));
        state.click(Some([3, 4]));
        state.point_at(Some([5, 6]));
        assert!(matches!(
            state.asked,
            Some(Asked::Hovered(Position { x: 5, y: 6 }))
        ));
        state.act(Action::Dismiss);
        assert_eq!(state.asked, None);
    }

    #[test]
    fn histories_are_of_the_display_alone() {
        let mut state = state();
        state.act(Action::Show(Shown::Texture));
        state.point_at(Some([1, 2]));
        state.click(Some([1, 2]));
        assert_eq!(state.asked, None);
        state.act(Action::Show(Shown::Display));
        state.point_at(Some([480, 0]));
        assert_eq!(state.asked, None);
    }
}
