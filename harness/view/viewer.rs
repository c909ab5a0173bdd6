//! Everything that a viewer knows, without a window: keys and replies come in, pictures to draw go out.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use replay::ReplayOptions;

use super::capture_state::CaptureState;
use super::command;
use super::keys::{Action, Scope};
use super::message::{Message, Weight};
use super::model_state::ModelState;
use super::recorded::{Question, has_history};
use super::scale::Zoom;
use super::subject::{Dropped, Subject};
use super::worker::{Drawn, Reply, Shot, Task};
use crate::pixel::Position;
use crate::render::RenderOptions;
use crate::replay::Shown;
use crate::scene::Background;

/// What is looked at.
#[derive(Debug)]
pub enum Showing {
    /// A model.
    Model(Box<ModelState>),
    /// A recorded frame.
    Capture(Box<CaptureState>),
}

/// Whether a part of the window is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// It is.
    Shown,
    /// It is not.
    Hidden,
}

impl Part {
    fn toggle(&mut self) {
        *self = match self {
            Self::Shown => Self::Hidden,
            Self::Hidden => Self::Shown,
        };
    }
}

/// What only the window can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Leave.
    Quit,
    /// Fill the screen, or leave it.
    FullScreen,
}

/// How files that are dropped are looked at.
#[derive(Debug, Clone)]
pub struct Habits {
    /// How models are drawn.
    pub model: RenderOptions,
    /// How captures are replayed.
    pub replay: ReplayOptions,
    /// Where pictures are written.
    pub folder: PathBuf,
}

/// Everything that a viewer knows.
#[derive(Debug)]
pub struct Viewer {
    /// What is looked at.
    pub showing: Showing,
    /// The last picture of it; of what was looked at before until there is one.
    pub drawn: Option<Drawn>,
    /// What happened last.
    message: Option<Message>,
    /// Why the picture that is wanted could not be drawn.
    not_drawn: Option<Message>,
    /// The panels.
    pub panels: Part,
    /// The list of keys.
    pub help: Part,
    /// How far a picture is zoomed into.
    pub zoom: Zoom,
    habits: Habits,
    /// What was last asked to be drawn.
    wanted: Option<Shot>,
    /// What was last answered with a picture, or why there is none.
    answered: Option<Shot>,
    questioned: Option<Position>,
    /// Dropped files that are not open yet. The next is opened when the one before is: a skeleton may belong to the
    /// model that was dropped with it.
    dropped: VecDeque<PathBuf>,
    opening: bool,
    /// Pictures that are being written.
    saving: usize,
    /// Work for the threads, in order.
    tasks: Vec<Task>,
    questions: Vec<Question>,
}

impl Viewer {
    /// A viewer that begins with something.
    #[must_use]
    pub fn new(showing: Showing, habits: Habits) -> Self {
        let mut viewer = Self {
            showing,
            drawn: None,
            message: None,
            not_drawn: None,
            answered: None,
            panels: Part::Shown,
            help: Part::Hidden,
            zoom: Zoom::default(),
            habits,
            wanted: None,
            questioned: None,
            dropped: VecDeque::new(),
            opening: false,
            saving: 0,
            tasks: Vec::new(),
            questions: Vec::new(),
        };
        viewer.ask_for_draws();
        viewer
    }

    /// What keys are about.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match self.showing {
            Showing::Model(_) => Scope::Model,
            Showing::Capture(_) => Scope::Capture,
        }
    }

    /// The file that is looked at.
    #[must_use]
    pub fn path(&self) -> &Path {
        match &self.showing {
            Showing::Model(state) => &state.open.path,
            Showing::Capture(state) => &state.open.path,
        }
    }

    fn subject(&self) -> Subject {
        match &self.showing {
            Showing::Model(state) => Subject::Model(state.open.clone()),
            Showing::Capture(state) => Subject::Capture(state.open.clone()),
        }
    }

    fn shot(&self) -> Shot {
        match &self.showing {
            Showing::Model(state) => Shot::Model(Box::new(state.shot())),
            Showing::Capture(state) => Shot::Capture(state.shot()),
        }
    }

    /// The command that draws what is seen, if there is one.
    #[must_use]
    pub fn command(&self) -> Option<String> {
        match &self.showing {
            Showing::Model(state) => command::render(state),
            Showing::Capture(state) => Some(command::replay(state)),
        }
    }

    /// Whether time runs, so that pictures follow each other without anyone doing anything.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        matches!(&self.showing, Showing::Model(state) if state.clock.is_playing())
    }

    /// Lets time pass.
    pub fn advance(&mut self, seconds: f64) {
        if let Showing::Model(state) = &mut self.showing {
            state.clock.advance(seconds);
        }
    }

    /// The picture to draw now, if it is another than was asked for last.
    pub fn wanted(&mut self) -> Option<Shot> {
        let shot = self.shot();
        if self.wanted.as_ref() == Some(&shot) {
            return None;
        }
        self.wanted = Some(shot.clone());
        Some(shot)
    }

    /// Work that has come up, each of it to be done.
    pub fn take_tasks(&mut self) -> Vec<Task> {
        std::mem::take(&mut self.tasks)
    }

    /// Questions that have come up, each of them to be answered.
    pub fn take_questions(&mut self) -> Vec<Question> {
        std::mem::take(&mut self.questions)
    }

    /// The pixel whose history is wanted, if it is another than was asked about last.
    pub fn wanted_history(&mut self) -> Option<Question> {
        let Showing::Capture(state) = &self.showing else {
            return None;
        };
        let position = state.asked.filter(|_| has_history(state.shown))?.position();
        if self.questioned == Some(position) {
            return None;
        }
        self.questioned = Some(position);
        Some(Question::History(state.open.clone(), position))
    }

    /// Does what a key asks for. What only the window can do is handed back.
    pub fn act(&mut self, action: Action) -> Option<Effect> {
        // That something was done is news until the next thing is; that something failed stays until it is dismissed.
        if action != Action::Dismiss
            && self
                .message
                .as_ref()
                .is_some_and(|message| message.weight == Weight::Done)
        {
            self.message = None;
        }
        match action {
            Action::Quit => return Some(Effect::Quit),
            Action::FullScreen => return Some(Effect::FullScreen),
            Action::Screenshot => {
                self.saving += 1;
                self.tasks.push(Task::Save {
                    shot: self.shot(),
                    folder: self.habits.folder.clone(),
                    command: self.command(),
                });
            }
            Action::Reload if !self.opening => {
                self.opening = true;
                self.tasks.push(Task::Reload(self.subject()));
            }
            Action::Panels => self.panels.toggle(),
            Action::Help => self.help.toggle(),
            Action::Dismiss if self.help == Part::Shown => {
                self.help = Part::Hidden;
                return None;
            }
            Action::Dismiss if self.message.is_some() => {
                self.message = None;
                return None;
            }
            Action::ResetView => self.zoom = Zoom::default(),
            _ => {}
        }
        match &mut self.showing {
            Showing::Model(state) => state.act(action),
            Showing::Capture(state) => {
                if matches!(action, Action::Show(shown) if shown != state.shown) {
                    self.zoom = Zoom::default();
                }
                state.act(action);
            }
        }
        None
    }

    /// Opens a file that was dropped on the window.
    pub fn drop_file(&mut self, path: PathBuf) {
        self.dropped.push_back(path);
        self.open_next();
    }

    fn open_next(&mut self) {
        if !self.opening
            && let Some(path) = self.dropped.pop_front()
        {
            self.opening = true;
            self.tasks.push(Task::Drop {
                path,
                current: self.subject(),
                options: self.habits.replay,
            });
        }
    }

    /// Whether what is seen is not yet what was asked for.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.answered != self.wanted
    }

    /// Whether pictures are being written, of which the window has yet to tell.
    #[must_use]
    pub fn is_saving(&self) -> bool {
        self.saving > 0
    }

    /// What the status line has to say: what happened last, or why there is no picture.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref().or(self.not_drawn.as_ref())
    }

    /// Takes note of what a thread has to say.
    pub fn hear(&mut self, reply: Reply) {
        match reply {
            Reply::Drawn(drawn) => self.see(*drawn),
            Reply::NotSaved(message) => {
                self.saving = self.saving.saturating_sub(1);
                self.message = Some(message);
            }
            Reply::Saved { path, .. } => {
                self.saving = self.saving.saturating_sub(1);
                self.message = Some(Message::done(format!("wrote {}", path.display())));
            }
            Reply::Opened { path, dropped } => {
                self.open(path, *dropped);
                self.opened();
            }
            Reply::Reloaded(subject) => {
                self.message = Some(Message::done(format!("read {} again", subject.path().display())));
                self.reopen(subject);
                self.opened();
            }
            Reply::NotOpened(message) => {
                self.message = Some(message);
                self.opened();
            }
            Reply::Draws(draws) => {
                if let Showing::Capture(state) = &mut self.showing {
                    state.list(draws);
                }
            }
            Reply::History(history) => {
                if let Showing::Capture(state) = &mut self.showing {
                    state.tell(history);
                }
            }
            Reply::NotDrawn { shot, message } => {
                if shot.is_of(&self.subject()) {
                    self.answered = Some(shot);
                    self.not_drawn = Some(message);
                }
            }
            Reply::Failed(message) => self.message = Some(message),
        }
    }

    fn opened(&mut self) {
        self.opening = false;
        self.open_next();
    }

    fn see(&mut self, drawn: Drawn) {
        if !drawn.shot.is_of(&self.subject()) {
            return;
        }
        if let (Showing::Model(state), Some(sight)) = (&mut self.showing, drawn.sight) {
            state.seen_from(sight);
        }
        self.answered = Some(drawn.shot.clone());
        self.not_drawn = None;
        self.drawn = Some(drawn);
    }

    fn open(&mut self, path: PathBuf, dropped: Dropped) {
        self.message = Some(Message::done(format!("opened {}", path.display())));
        match (dropped, &mut self.showing) {
            (Dropped::Subject(Subject::Model(open)), _) => {
                let mut options = self.habits.model.clone();
                if let Showing::Model(state) = &self.showing {
                    options.size = state.options.size;
                    options.shading = state.options.shading;
                    options.background = state.options.background;
                }
                self.show(Showing::Model(Box::new(ModelState::dropped(open, options))));
            }
            (Dropped::Subject(Subject::Capture(open)), _) => {
                self.show(Showing::Capture(Box::new(CaptureState::new(open))));
            }
            (Dropped::Companion(subject), _) => self.reopen(subject),
            (Dropped::Motion(motion), Showing::Model(state)) => state.play_mot(path, motion),
            (Dropped::Morphs(morphs), Showing::Model(state)) => state.morph(morphs),
            // They are for a model that is gone by now.
            (Dropped::Motion(_) | Dropped::Morphs(_), Showing::Capture(_)) => {}
        }
    }

    fn show(&mut self, showing: Showing) {
        self.showing = showing;
        self.not_drawn = None;
        self.zoom = Zoom::default();
        self.questioned = None;
        self.ask_for_draws();
    }

    fn reopen(&mut self, subject: Subject) {
        match (&mut self.showing, subject) {
            (Showing::Model(state), Subject::Model(open)) => state.reopen(open),
            (Showing::Capture(state), Subject::Capture(open)) => {
                let (shown, place) = (state.shown, state.scrub.place());
                let was_whole = place == state.scrub.draws();
                let mut state = CaptureState::new(open);
                state.shown = shown;
                if !was_whole {
                    state.scrub.go(place);
                }
                self.show(Showing::Capture(Box::new(state)));
            }
            // Another file was dropped meanwhile.
            _ => {}
        }
    }

    fn ask_for_draws(&mut self) {
        if let Showing::Capture(state) = &self.showing {
            self.questions.push(Question::Draws(state.open.clone()));
        }
    }

    /// Whether there is no picture of what is wanted, so that what is seen is something else.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.not_drawn.is_some()
    }

    /// Whether the picture may have holes, through which something neutral should be seen. Of a buffer alpha is the
    /// stencil, which makes no holes.
    #[must_use]
    pub fn is_transparent(&self) -> bool {
        match self.drawn.as_ref().map(|drawn| &drawn.shot) {
            Some(Shot::Model(shot)) => shot.options.background == Some(Background::Transparent),
            Some(Shot::Capture(shot)) => shot.shown == Shown::Texture,
            None => false,
        }
    }
}

#[cfg(test)]
mod tests;
