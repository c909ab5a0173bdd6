//! Pictures of recorded frames, their draws, and the histories of their pixels.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use ge::Matrices;
use replay::{ReplayError, Replayer};

use super::mailbox::Mailbox;
use super::message::Message;
use super::scrub::Reached;
use super::subject::OpenCapture;
use super::worker::{CaptureShot, Drawn, Reply, Shot, met};
use crate::draws::{self, Draw, Registers, Seen};
use crate::error::HarnessError;
use crate::pixel::{self, PixelError, Position};
use crate::replay::{Follower, Image, NamedCapture, NotShown, Shown, Targets};

/// Draws that are listed; of a frame with more the rest is counted.
const MOST_LISTED: usize = 20_000;

/// Draws before and behind the one that is drawn whose pictures are kept too: whoever steps on, or back, need not wait
/// for another replay.
const NEAR: u64 = 8;

/// Pictures behind draws that follow each other, from one replay.
#[derive(Debug, Default)]
pub(super) struct Reel {
    of: Option<(Arc<NamedCapture>, Shown)>,
    images: BTreeMap<u64, Arc<Image>>,
}

impl Reel {
    /// Draws what a capture shows.
    ///
    /// # Errors
    /// A replay that fails, or that there is nothing to show.
    pub(super) fn draw(&mut self, shot: &CaptureShot) -> Result<Drawn, HarnessError> {
        let drawn = |image, met| Drawn {
            shot: Shot::Capture(shot.clone()),
            image,
            sight: None,
            met,
        };
        let is_of = |(capture, shown): &(Arc<NamedCapture>, Shown)| {
            Arc::ptr_eq(capture, &shot.open.capture) && *shown == shot.shown
        };
        if !self.of.as_ref().is_some_and(is_of) {
            self.of = Some((Arc::clone(&shot.open.capture), shot.shown));
            self.images.clear();
        }
        if let Reached::Draw(draw) = shot.reached
            && let Some(image) = self.images.get(&draw)
        {
            return Ok(drawn(Arc::clone(image), Vec::new()));
        }
        let (image, met) = self.replay(shot)?;
        Ok(drawn(image, met))
    }

    fn replay(&mut self, shot: &CaptureShot) -> Result<(Arc<Image>, Vec<String>), HarnessError> {
        let capture = &shot.open.capture;
        let mut replayer = Replayer::new(&capture.capture, shot.open.options);
        let mut targets = Targets::new(shot.shown, capture.capture.shown());
        let mut wanted = None;
        let kept = &mut self.images;
        kept.clear();
        let mut follower = Follower::new(&mut targets, |targets, ge, number| {
            let Reached::Draw(draw) = shot.reached else {
                return ControlFlow::Continue(());
            };
            if number + NEAR >= draw {
                let image = targets.image(ge).map(Arc::new);
                if let Ok(image) = &image {
                    kept.insert(number, Arc::clone(image));
                }
                if number == draw {
                    wanted = Some(image);
                }
            }
            match number >= draw + NEAR {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        match replayer.run_with(&mut follower) {
            Ok(()) | Err(ReplayError::Stopped { .. }) => {}
            // What lies behind the draw is no matter of it.
            Err(_) if wanted.is_some() => {}
            Err(error) => return Err(capture.replay_error(error)),
        }
        let image = wanted
            .unwrap_or_else(|| targets.image(replayer.ge_mut()).map(Arc::new))
            .map_err(|error| nothing(capture, error))?;
        Ok((image, met(replayer.ge().report())))
    }
}

fn nothing(capture: &NamedCapture, error: NotShown) -> HarnessError {
    let hint = match error {
        NotShown::Display(_) => format!("ge-harness inspect {} lists its DISPLAY records", capture.name),
        _ => "go on to a later draw, or show something else".to_owned(),
    };
    HarnessError::refused(&capture.name, error, hint)
}

/// A draw with all that it depends on.
#[derive(Debug)]
struct Kept {
    draw: Draw,
    registers: Registers,
    matrices: Matrices,
}

/// The draws of a capture.
#[derive(Debug)]
pub struct DrawList {
    /// The capture.
    pub capture: Arc<NamedCapture>,
    /// How many there are.
    pub count: u64,
    kept: Vec<Kept>,
}

impl DrawList {
    /// Lists the draws; where a replay fails, those before.
    #[must_use]
    pub fn of(open: &OpenCapture) -> (Self, Option<HarnessError>) {
        let mut list = Self {
            capture: Arc::clone(&open.capture),
            count: 0,
            kept: Vec::new(),
        };
        let visited = draws::visit(&open.capture.capture, open.options, |seen| {
            list.count = seen.draw.draw + 1;
            if list.kept.len() < MOST_LISTED {
                list.kept.push(Kept {
                    draw: seen.draw.clone(),
                    registers: seen.registers.clone(),
                    matrices: seen.matrices.clone(),
                });
            }
        });
        let error = visited.err().map(|error| open.capture.replay_error(error));
        (list, error)
    }

    /// How many are listed.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether none is listed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// One of them.
    #[must_use]
    pub fn draw(&self, number: u64) -> Option<&Draw> {
        Some(&self.kept.get(usize::try_from(number).ok()?)?.draw)
    }

    /// All state of one, as `ge-harness draws --verbose` tells it.
    #[must_use]
    pub fn details(&self, number: u64) -> Option<String> {
        let index = usize::try_from(number).ok()?;
        let kept = self.kept.get(index)?;
        let before = index.checked_sub(1).and_then(|index| self.kept.get(index));
        let seen = Seen {
            draw: &kept.draw,
            registers: &kept.registers,
            matrices: &kept.matrices,
        };
        let mut text = Vec::new();
        draws::write_details(&mut text, seen, before.map(|before| &before.registers)).ok()?;
        String::from_utf8(text).ok()
    }
}

/// The history of a pixel, in the words of `ge-harness pixel`.
#[derive(Debug, Clone)]
pub struct HistoryText {
    /// The capture.
    pub capture: Arc<NamedCapture>,
    /// Which pixel of the display.
    pub position: Position,
    /// What happened to it, or why that cannot be told.
    pub text: Result<String, Message>,
}

impl HistoryText {
    /// Replays a capture for the history of a pixel.
    #[must_use]
    pub fn of(open: &OpenCapture, position: Position) -> Self {
        let told = pixel::history(&open.capture, open.options, position)
            .map_err(|error| match error {
                PixelError::Replay(error) => open.capture.replay_error(error),
                error => HarnessError::refused(
                    &open.capture.name,
                    error,
                    format_args!(
                        "ge-harness inspect {} lists its DISPLAY records",
                        open.capture.name
                    ),
                ),
            })
            .and_then(|history| {
                let mut text = Vec::new();
                pixel::write_title(&mut text, &open.capture.name, &history)?;
                pixel::write(&mut text, &history, pixel::USUAL_EVENTS)?;
                Ok(String::from_utf8_lossy(&text).into_owned())
            });
        Self {
            capture: Arc::clone(&open.capture),
            position,
            text: told.map_err(|error| Message::of_error(&error)),
        }
    }
}

/// The draw that a line of a history is about: `draw 12, record 40: ...`.
#[must_use]
pub(super) fn draw_of_line(line: &str) -> Option<u64> {
    let number = line.strip_prefix("draw ")?.split(',').next()?;
    number.parse().ok()
}

/// A question about a capture.
#[derive(Debug)]
pub enum Question {
    /// Which draws it has.
    Draws(OpenCapture),
    /// What happened to a pixel.
    History(OpenCapture, Position),
}

/// Answers questions until the mailbox is closed. They take a replay or two each, which no picture should wait for.
pub(super) fn answer(mailbox: &Mailbox<Question>, reply: &dyn Fn(Reply)) {
    while let Some(question) = mailbox.take() {
        match question {
            Question::Draws(open) => {
                let (list, error) = DrawList::of(&open);
                reply(Reply::Draws(Arc::new(list)));
                if let Some(error) = error {
                    reply(Reply::Failed(Message::of_error(&error)));
                }
            }
            Question::History(open, position) => reply(Reply::History(HistoryText::of(&open, position))),
        }
    }
}

/// Whether pixels of what is shown are pixels of the display, which histories are about.
#[must_use]
pub(super) const fn has_history(shown: Shown) -> bool {
    matches!(shown, Shown::Display)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_draws_are_told() {
        assert_eq!(
            draw_of_line("draw 12, record 40: triangles, 3 vertices"),
            Some(12)
        );
        for line in ["  draw 12, x", "drawn 12,", "made by draw 3", "draw x, y", ""] {
            assert_eq!(draw_of_line(line), None, "{line}");
        }
    }
}
