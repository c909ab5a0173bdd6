//! The thread that opens files and rasterises, so that the window never waits.

use std::path::PathBuf;
use std::sync::Arc;

use motion::library::Motion;
use replay::ReplayOptions;

use super::mailbox::Mailbox;
use super::message::Message;
use super::recorded::{self, Reel};
use super::screenshot;
use super::scrub::Reached;
use super::subject::{self, Dropped, OpenCapture, Subject};
use crate::error::HarnessError;
use crate::model::Model;
use crate::picture::Effort;
use crate::render::{RenderOptions, Renderer, Take};
use crate::replay::{Image, MetReport, Shown};
use crate::scene::Camera;

/// A picture of a model.
#[derive(Debug, Clone)]
pub struct ModelShot {
    /// The model.
    pub model: Arc<Model>,
    /// How it is drawn.
    pub options: RenderOptions,
    /// What is played; `None` at bind.
    pub motion: Option<Arc<Motion>>,
    /// The frame.
    pub frame: f64,
}

impl ModelShot {
    /// Whether another picture is of the same scene: at most frame, view and size differ.
    fn is_in_scene_of(&self, other: &Self) -> bool {
        let looked_at = RenderOptions {
            view: other.options.view,
            size: other.options.size,
            ..self.options.clone()
        };
        let same_motion = match (&self.motion, &other.motion) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        Arc::ptr_eq(&self.model, &other.model) && same_motion && looked_at == other.options
    }
}

/// A picture of a recorded frame.
#[derive(Debug, Clone)]
pub struct CaptureShot {
    /// The capture.
    pub open: OpenCapture,
    /// What of it is shown.
    pub shown: Shown,
    /// How far it is drawn.
    pub reached: Reached,
}

/// A picture.
#[derive(Debug, Clone)]
pub enum Shot {
    /// Of a model.
    Model(Box<ModelShot>),
    /// Of a recorded frame.
    Capture(CaptureShot),
}

impl Shot {
    /// Whether it is of the model or capture that is looked at.
    #[must_use]
    pub fn is_of(&self, subject: &Subject) -> bool {
        match (self, subject) {
            (Self::Model(shot), Subject::Model(open)) => Arc::ptr_eq(&shot.model, &open.model),
            (Self::Capture(shot), Subject::Capture(open)) => Arc::ptr_eq(&shot.open.capture, &open.capture),
            _ => false,
        }
    }
}

impl PartialEq for Shot {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Model(one), Self::Model(other)) => {
                one.is_in_scene_of(other)
                    && one.frame == other.frame
                    && one.options.view == other.options.view
                    && one.options.size == other.options.size
            }
            (Self::Capture(one), Self::Capture(other)) => {
                Arc::ptr_eq(&one.open.capture, &other.open.capture)
                    && (one.shown, one.reached) == (other.shown, other.reached)
            }
            _ => false,
        }
    }
}

/// Work for the thread.
#[derive(Debug)]
pub enum Task {
    /// Draw a picture.
    Draw(Shot),
    /// Draw a picture and write it into a folder.
    Save {
        /// The picture.
        shot: Shot,
        /// Where to.
        folder: PathBuf,
        /// The command that draws it too, if there is one.
        command: Option<String>,
    },
    /// Open a file that was dropped.
    Drop {
        /// The file.
        path: PathBuf,
        /// What is looked at.
        current: Subject,
        /// How captures are replayed.
        options: ReplayOptions,
    },
    /// Read the files of what is looked at again.
    Reload(Subject),
}

/// Where a model's picture was taken from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sight {
    /// The camera.
    pub camera: Camera,
    /// The middle of what it looks at.
    pub middle: glam::Vec3,
}

/// A picture that was drawn.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// What was asked for.
    pub shot: Shot,
    /// The picture.
    pub image: Arc<Image>,
    /// Where a model was looked at from.
    pub sight: Option<Sight>,
    /// What is not drawn as hardware does it.
    pub met: Vec<String>,
}

/// What the thread has to say.
#[derive(Debug)]
pub enum Reply {
    /// A picture.
    Drawn(Box<Drawn>),
    /// A picture was written.
    Saved {
        /// Where it is.
        path: PathBuf,
        /// The command that draws it too, if there is one.
        command: Option<String>,
    },
    /// A picture could not be written.
    NotSaved(Message),
    /// A dropped file is open.
    Opened {
        /// The file.
        path: PathBuf,
        /// What it brings.
        dropped: Box<Dropped>,
    },
    /// What is looked at was read again.
    Reloaded(Subject),
    /// The draws of a capture, and how many there are.
    Draws(Arc<recorded::DrawList>),
    /// The history of a pixel.
    History(recorded::HistoryText),
    /// A file could not be opened, so that what is looked at stays.
    NotOpened(Message),
    /// A picture could not be drawn, so that the last one stays.
    NotDrawn {
        /// What was asked for.
        shot: Shot,
        /// Why.
        message: Message,
    },
    /// Something else could not be done.
    Failed(Message),
}

/// Does what comes into a mailbox until it is closed.
pub(super) fn work(mailbox: &Mailbox<Task>, reply: &dyn Fn(Reply)) {
    let mut reel = Reel::default();
    let mut next = mailbox.take();
    while let Some(task) = next {
        next = match model_of(&task) {
            Some(model) => stay_with(&model, task, mailbox, &mut reel, reply),
            None => {
                do_task(task, None, &mut reel, reply);
                mailbox.take()
            }
        };
    }
}

/// Does the tasks about one model, whose scene is kept from task to task; returns the first about another.
fn stay_with(
    model: &Arc<Model>,
    first: Task,
    mailbox: &Mailbox<Task>,
    reel: &mut Reel,
    reply: &dyn Fn(Reply),
) -> Option<Task> {
    let mut studio = Studio {
        model,
        standing: None,
    };
    let mut next = Some(first);
    while let Some(task) = next {
        if model_of(&task).is_some_and(|other| !Arc::ptr_eq(&other, model)) {
            return Some(task);
        }
        do_task(task, Some(&mut studio), reel, reply);
        next = mailbox.take();
    }
    None
}

/// The model that a task draws.
fn model_of(task: &Task) -> Option<Arc<Model>> {
    match task {
        Task::Draw(Shot::Model(shot))
        | Task::Save {
            shot: Shot::Model(shot),
            ..
        } => Some(Arc::clone(&shot.model)),
        _ => None,
    }
}

fn do_task(task: Task, studio: Option<&mut Studio<'_>>, reel: &mut Reel, reply: &dyn Fn(Reply)) {
    match task {
        Task::Draw(shot) => reply(match draw(&shot, studio, reel) {
            Ok(drawn) => Reply::Drawn(Box::new(drawn)),
            Err(error) => Reply::NotDrawn {
                shot,
                message: Message::of_error(&error),
            },
        }),
        Task::Save {
            shot,
            folder,
            command,
        } => reply(match save(&shot, &folder, studio, reel) {
            Ok(path) => Reply::Saved { path, command },
            Err(error) => Reply::NotSaved(Message::of_error(&error)),
        }),
        Task::Drop {
            path,
            current,
            options,
        } => reply(match subject::dropped(&path, &current, options) {
            Ok(dropped) => Reply::Opened {
                path,
                dropped: Box::new(dropped),
            },
            Err(error) => Reply::NotOpened(Message::of_error(&error)),
        }),
        Task::Reload(subject) => reply(match subject.reopened() {
            Ok(subject) => Reply::Reloaded(subject),
            Err(error) => Reply::NotOpened(Message::of_error(&error)),
        }),
    }
}

fn draw(shot: &Shot, studio: Option<&mut Studio<'_>>, reel: &mut Reel) -> Result<Drawn, HarnessError> {
    match (shot, studio) {
        (Shot::Model(model), Some(studio)) => studio.draw(model),
        (Shot::Model(model), None) => Studio {
            model: &model.model,
            standing: None,
        }
        .draw(model),
        (Shot::Capture(capture), _) => reel.draw(capture),
    }
}

fn save(
    shot: &Shot,
    folder: &std::path::Path,
    studio: Option<&mut Studio<'_>>,
    reel: &mut Reel,
) -> Result<PathBuf, HarnessError> {
    let drawn = draw(shot, studio, reel)?;
    let stem = screenshot::stem(match shot {
        Shot::Model(shot) => std::path::Path::new(&shot.model.name),
        Shot::Capture(shot) => &shot.open.path,
    });
    let bytes = drawn.image.encode(folder, Effort::Small)?;
    screenshot::write(folder, &stem, &bytes)
}

/// A model in its scene, ready for the next picture.
struct Studio<'a> {
    model: &'a Model,
    standing: Option<Standing<'a>>,
}

struct Standing<'a> {
    renderer: Renderer<'a>,
    take: Take,
    last: ModelShot,
}

impl Studio<'_> {
    fn draw(&mut self, shot: &ModelShot) -> Result<Drawn, HarnessError> {
        let kept = self
            .standing
            .take()
            .filter(|standing| standing.last.is_in_scene_of(shot));
        let mut standing = match kept {
            Some(standing) => standing,
            None => {
                let renderer = Renderer::new(self.model, shot.options.clone())?;
                let take = match &shot.motion {
                    Some(motion) => renderer.take_motion(Motion::clone(motion)),
                    None => renderer.bind(),
                };
                Standing {
                    renderer,
                    take,
                    last: shot.clone(),
                }
            }
        };
        let looked = |options: &RenderOptions| (options.view, options.size);
        if looked(&standing.last.options) != looked(&shot.options) {
            standing.renderer.resize(shot.options.size);
            standing.renderer.look(&mut standing.take, shot.options.view);
        }
        standing.last = shot.clone();
        let picture = standing.renderer.draw(&standing.take, shot.frame)?;
        let drawn = Drawn {
            shot: Shot::Model(Box::new(shot.clone())),
            image: Arc::new(Image::Colours(picture)),
            sight: Some(Sight {
                camera: *standing.take.camera(),
                middle: standing.take.middle(),
            }),
            met: met(standing.renderer.report()),
        };
        self.standing = Some(standing);
        Ok(drawn)
    }
}

/// What is not drawn as hardware does it, in words.
pub(super) fn met(report: &ge::Report) -> Vec<String> {
    MetReport::all(report)
        .into_iter()
        .map(|met| {
            format!(
                "not drawn as hardware does: {} ({} times)",
                met.feature, met.count
            )
        })
        .collect()
}

#[cfg(test)]
mod tests;
