//! A model that is looked at: what is played, from where, and what of it is shown.

use std::path::PathBuf;
use std::sync::Arc;

use motion::library::{Motion, Playable, Selection};
use motion::play::{CLIP_FRAMES_PER_SECOND, DEFAULT_SPEED, LoopRule};

use super::clock::Clock;
use super::keys::Action;
use super::orbit::Orbit;
use super::subject::OpenModel;
use super::worker::{ModelShot, Sight};
use crate::model::{Morphs, Note, Tail};
use crate::render::RenderOptions;
use crate::scene::{Shading, View};

/// What is played.
#[derive(Debug, Clone, PartialEq)]
pub enum Played {
    /// Something of the model's own pack.
    Listed(Selection),
    /// The bind pose.
    Bind,
    /// A MOT file.
    Mot(PathBuf),
    /// What the command line asked for and one name does not tell.
    Other,
}

/// How a viewer begins with a model.
#[derive(Debug, Clone)]
pub struct ModelStart {
    /// How it is drawn.
    pub options: RenderOptions,
    /// What is played; `None` at bind.
    pub motion: Option<Motion>,
    /// What that is.
    pub played: Played,
    /// The frame; `None` for the middle.
    pub frame: Option<f64>,
    /// Whether it plays.
    pub plays: bool,
}

/// An animation to choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// What to ask for.
    pub selection: Selection,
    /// Its number, as `--entry` and `--clip` take it.
    pub number: String,
    /// Length, loop, and what it lacks.
    pub about: String,
}

impl Listed {
    fn new(playable: &Playable) -> Self {
        let timeline = playable.timeline();
        let mut about = format!("{:.2} s", timeline.seconds(DEFAULT_SPEED));
        about += match timeline.loop_rule {
            LoopRule::Once => "",
            LoopRule::From(_) => ", loops",
        };
        if playable.is_partial() {
            about += ", partial";
        }
        Self {
            selection: playable.selection,
            number: match playable.selection {
                Selection::Entry(entry) => entry.0.to_string(),
                Selection::Clip(clip) => clip.0.to_string(),
                Selection::Slot(slot) => format!("{}/{}", slot.stream, slot.slot),
            },
            about,
        }
    }
}

/// A model that is looked at.
#[derive(Debug)]
pub struct ModelState {
    /// The model.
    pub open: OpenModel,
    /// How it is drawn.
    pub options: RenderOptions,
    /// The animations of its pack.
    pub list: Vec<Listed>,
    /// What is played.
    pub played: Played,
    /// Where playback stands.
    pub clock: Clock,
    motion: Option<Arc<Motion>>,
    /// What was played before the bind pose.
    before_bind: Option<(Played, Arc<Motion>)>,
    /// The view to come back to.
    first_view: View,
    orbit: Option<Orbit>,
    sight: Option<Sight>,
}

impl ModelState {
    /// A model as a viewer begins with it.
    #[must_use]
    pub fn new(open: OpenModel, start: ModelStart) -> Self {
        let rig_and_library = open.model.rig().zip(open.model.library());
        let list = rig_and_library
            .map(|(rig, library)| {
                library
                    .playable(rig)
                    .map(|playable| Listed::new(&playable))
                    .collect()
            })
            .unwrap_or_default();
        let mut state = Self {
            clock: Clock::new(Default::default(), 0.0, start.options.pose.sampling),
            first_view: start.options.view,
            open,
            options: start.options,
            list,
            played: Played::Bind,
            motion: None,
            before_bind: None,
            orbit: None,
            sight: None,
        };
        state.play(start.played, start.motion.map(Arc::new));
        if let Some(frame) = start.frame {
            state.clock.seek(frame);
        }
        if start.plays {
            state.clock.play();
        }
        state
    }

    /// A model that was dropped: its default animation, looked at as the one before.
    #[must_use]
    pub fn dropped(open: OpenModel, options: RenderOptions) -> Self {
        let motion = crate::render::motion_of(&open.model, None).ok().flatten();
        let played = played_of(motion.as_ref());
        let start = ModelStart {
            options,
            motion,
            played,
            frame: None,
            plays: false,
        };
        Self::new(open, start)
    }

    /// Takes over the same model read again, or with other companions. What is played and the place in it stay where
    /// that is still there.
    pub fn reopen(&mut self, open: OpenModel) {
        let joints = |open: &OpenModel| open.model.rig().map(|rig| rig.joints().len());
        let same_joints = joints(&self.open) == joints(&open);
        let next = Self::dropped(open, self.options.clone());
        let before = std::mem::replace(self, next);
        (self.orbit, self.sight, self.first_view) = (before.orbit, before.sight, before.first_view);
        self.clock.keep_pace_of(&before.clock);
        match before.played {
            Played::Listed(selection) if self.list.iter().any(|row| row.selection == selection) => {
                self.choose(selection);
            }
            Played::Bind if !before.list.is_empty() => self.play(Played::Bind, None),
            played @ (Played::Mot(_) | Played::Other) if same_joints => self.play(played, before.motion),
            // Something else is played, from where that begins.
            _ => return,
        }
        self.clock.seek(before.clock.frame());
        self.clock.keep_pace_of(&before.clock);
    }

    /// The picture to draw.
    #[must_use]
    pub fn shot(&self) -> ModelShot {
        ModelShot {
            model: Arc::clone(&self.open.model),
            options: self.options.clone(),
            motion: self.motion.clone(),
            frame: self.clock.frame(),
        }
    }

    /// Takes note of where the last picture was taken from.
    pub fn seen_from(&mut self, sight: Sight) {
        self.sight = Some(sight);
    }

    /// Plays something of the list, from the middle while paused.
    pub fn choose(&mut self, selection: Selection) {
        let motion = self
            .open
            .model
            .rig()
            .zip(self.open.model.library())
            .and_then(|(rig, library)| library.motion(rig, selection));
        if let Some(motion) = motion {
            self.play(Played::Listed(selection), Some(Arc::new(motion)));
        }
    }

    /// Plays a motion out of a file.
    pub fn play_mot(&mut self, path: PathBuf, motion: Motion) {
        self.play(Played::Mot(path), Some(Arc::new(motion)));
    }

    /// Lets shape animations move the model.
    pub fn morph(&mut self, morphs: Morphs) {
        self.options.morphs = morphs;
        self.play(self.played.clone(), self.motion.clone());
    }

    fn play(&mut self, played: Played, motion: Option<Arc<Motion>>) {
        let (timeline, rate) = match &motion {
            Some(motion) => (motion.timeline(), motion.frames_per_second()),
            None => (self.options.morphs.timeline(), CLIP_FRAMES_PER_SECOND),
        };
        self.before_bind = match (&motion, self.motion.take()) {
            (None, Some(motion)) => Some((self.played.clone(), motion)),
            (None, None) => self.before_bind.take(),
            (Some(_), _) => None,
        };
        self.clock = self.clock.for_another(timeline, rate);
        if !self.clock.is_playing() {
            self.clock.seek(f64::from(timeline.end as u32 / 2));
        }
        (self.played, self.motion) = (played, motion);
    }

    /// The number of meshes that can be hidden.
    #[must_use]
    pub fn meshes(&self) -> usize {
        let pmos = self.open.model.pmos.iter();
        pmos.map(|pmo| pmo.meshes.len()).max().unwrap_or(0)
    }

    /// Whether the model has a tail that comes off.
    #[must_use]
    pub fn has_tail(&self) -> bool {
        let skeleton = self.open.model.skeleton.as_ref();
        skeleton.is_some_and(|posed| posed.skeleton.root_bones().count() > 1)
    }

    /// What was found with the model and what it lacks, and what is odd about the motion.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let notes = self.open.model.notes.iter().map(|note| match note {
            Note::Found(text) | Note::Warning(text) => text.clone(),
        });
        let motion = self.motion.iter().flat_map(|motion| motion.diagnostics());
        notes.chain(motion.map(ToString::to_string)).collect()
    }

    /// Shows a mesh, or hides it.
    pub fn toggle_mesh(&mut self, mesh: usize) {
        let hidden = &mut self.options.hidden_meshes;
        match hidden.iter().position(|other| *other == mesh) {
            Some(index) => drop(hidden.remove(index)),
            None => {
                hidden.push(mesh);
                hidden.sort_unstable();
            }
        }
    }

    /// Moves the camera; nothing happens before the first picture, which tells where it stands.
    pub fn orbit(&mut self, change: impl FnOnce(&mut Orbit)) {
        if let Some(sight) = &self.sight {
            let orbit = self
                .orbit
                .get_or_insert_with(|| Orbit::of(&sight.camera, sight.middle.as_dvec3()));
            change(orbit);
            self.options.view = orbit.view();
        }
    }

    fn look(&mut self, view: View) {
        self.orbit = None;
        self.options.view = view;
    }

    /// Does what a key asks for; other keys are no matter of a model.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Play => self.clock.toggle(),
            Action::StepFrames(frames) => self.clock.step(frames),
            Action::FirstFrame => self.clock.seek(0.0),
            Action::LastFrame => self.clock.seek(self.clock.end().trunc()),
            Action::Faster(steps) => self.clock.change_speed(steps),
            Action::Animation(steps) => self.choose_further(steps),
            Action::Bind => match self.before_bind.take() {
                Some((played, motion)) if self.motion.is_none() => self.play(played, Some(motion)),
                _ => self.play(Played::Bind, None),
            },
            Action::Unlit => {
                self.options.shading = match self.options.shading {
                    Shading::Unlit => Shading::Lit,
                    _ => Shading::Unlit,
                };
            }
            Action::Tail if self.has_tail() => {
                self.options.tail = match self.options.tail {
                    Tail::Attached => Tail::Cut,
                    Tail::Cut => Tail::Dropped,
                    Tail::Dropped => Tail::Attached,
                };
            }
            Action::AllMeshes => self.options.hidden_meshes.clear(),
            Action::Look(view) => self.look(view),
            Action::ResetView => self.look(self.first_view),
            _ => {}
        }
    }

    fn choose_further(&mut self, steps: isize) {
        let Some(last) = self.list.len().checked_sub(1) else {
            return;
        };
        let now = match self.played {
            Played::Listed(selection) => self.list.iter().position(|row| row.selection == selection),
            _ => None,
        };
        // From outside of the list it is entered at its beginning.
        let next = now.map_or(0, |now| now.saturating_add_signed(steps).min(last));
        if Some(next) != now {
            self.choose(self.list[next].selection);
        }
    }
}

/// What a motion is, as far as it tells.
#[must_use]
pub fn played_of(motion: Option<&Motion>) -> Played {
    match motion.map(Motion::playable) {
        Some(Some(playable)) => Played::Listed(playable.selection),
        Some(None) => Played::Other,
        None => Played::Bind,
    }
}

#[cfg(test)]
mod tests;
