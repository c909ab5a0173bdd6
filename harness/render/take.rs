//! What a renderer plays.

use std::sync::Arc;

use glam::Vec3;
use motion::library::Motion;
use motion::play::{CLIP_FRAMES_PER_SECOND, Timeline};

use crate::scene::Camera;

/// What is played, and the camera for it: the same for each of its frames, so that frames drawn one by
/// one are those of the animation.
#[derive(Debug, Clone)]
pub struct Take {
    pub(super) motion: Option<Motion>,
    pub(super) shapes: Option<(String, Timeline)>,
    /// What the camera has to show: the model at some of its frames.
    pub(super) points: Arc<[Vec3]>,
    pub(super) camera: Camera,
}

impl Take {
    /// Where it is looked at from.
    #[must_use]
    pub const fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The middle of what it shows, which views without a target look at.
    #[must_use]
    pub fn middle(&self) -> Vec3 {
        let first = self.points.first().copied().unwrap_or_default();
        let corners = self.points.iter().fold([first; 2], |[low, high], point| {
            [low.min(*point), high.max(*point)]
        });
        (corners[0] + corners[1]) / 2.0
    }

    /// Length and loop: those of the motion, or else of the shape animation; empty at bind.
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        let shapes = self
            .shapes
            .as_ref()
            .map(|(_, timeline)| *timeline)
            .unwrap_or_default();
        self.motion.as_ref().map_or(shapes, Motion::timeline)
    }

    /// How many of its frames make a second.
    #[must_use]
    pub fn frames_per_second(&self) -> f64 {
        self.motion
            .as_ref()
            .map_or(CLIP_FRAMES_PER_SECOND, Motion::frames_per_second)
    }

    /// The frame of a shape animation at a frame of the take: both may run at other rates.
    #[must_use]
    pub fn shape_frame(&self, frame: f64) -> f64 {
        frame * motion::morph::FRAMES_PER_SECOND / self.frames_per_second()
    }

    /// The last frame.
    #[must_use]
    pub fn last_frame(&self) -> u32 {
        self.timeline().end as u32
    }

    /// What is played; `None` at bind.
    #[must_use]
    pub fn motion(&self) -> Option<&Motion> {
        self.motion.as_ref()
    }

    /// The name of the shape animation that is played, if one is.
    #[must_use]
    pub fn shapes(&self) -> Option<&str> {
        self.shapes.as_ref().map(|(name, _)| name.as_str())
    }
}
