//! Drawing what a user asks for: a selection of a model's clips, at frames, from a camera.

mod selection;
mod take;

use std::sync::Arc;

use glam::{DAffine3, Vec3};
use motion::library::{Motion, Selection};
use motion::pose::{Moment, PoseOptions, TailPose};
use raster::{Rasterizer, Threads, Vram};

pub use selection::{motion_of, numbers};
pub use take::Take;

use crate::backend::Backend;
use crate::error::HarnessError;
use crate::model::{Model, MorphPose, Morphs, Tail, Visibility, surface};
use crate::picture::Picture;
use crate::scene::{Background, Camera, Environment, Frame, Scene, Shading, View};
use selection::motion;

/// How a model is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderOptions {
    /// Where it is looked at from.
    pub view: View,
    /// Width and height in pixels, each 1 to [`Frame::LARGEST`].
    pub size: [u32; 2],
    /// What stands behind it; `None` for the default: a stage's fog colour, or a dark grey.
    pub background: Option<Background>,
    /// How surfaces are shown.
    pub shading: Shading,
    /// Meshes that are hidden.
    pub hidden_meshes: Vec<usize>,
    /// What becomes of a severable tail.
    pub tail: Tail,
    /// Which palette of images that have several.
    pub palette: usize,
    /// How many threads draw.
    pub threads: Threads,
    /// How the model is posed; its tail follows [`tail`](Self::tail).
    pub pose: PoseOptions,
    /// What moves its morph targets.
    pub morphs: Morphs,
}

impl Default for RenderOptions {
    /// The PSP's screen, a three-quarter view, lit, the tail attached, in place.
    fn default() -> Self {
        Self {
            view: View::THREE_QUARTER,
            size: [480, 272],
            background: None,
            shading: Shading::default(),
            hidden_meshes: Vec::new(),
            tail: Tail::default(),
            palette: 0,
            threads: Threads::default(),
            pose: PoseOptions::default(),
            morphs: Morphs::default(),
        }
    }
}

/// What is behind a model where nothing else is asked for.
const DARK_GREY: Background = Background::Color([0x1A, 0x1C, 0x21]);
/// A clip is looked at in at most this many frames to find a camera that shows them all.
const FITTED_FRAMES: u32 = 24;

/// A model in a scene, ready to be drawn again and again.
#[derive(Debug)]
pub struct Renderer<'a> {
    model: &'a Model,
    options: RenderOptions,
    scene: Scene,
    environment: Environment,
    visibility: Visibility,
}

impl<'a> Renderer<'a> {
    /// The model that is drawn.
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// Puts a model into a scene.
    ///
    /// # Errors
    ///
    /// A model that the PSP's memory does not hold.
    pub fn new(model: &'a Model, options: RenderOptions) -> Result<Self, HarnessError> {
        let scene = Scene::new(model, options.palette, options.threads).map_err(|error| {
            HarnessError::refused(
                &model.name,
                error,
                "the PSP cannot draw it either: make it smaller",
            )
        })?;
        let environment = model
            .environment
            .as_ref()
            .map_or_else(Environment::menu, Environment::of_stage);
        // Without a second chain of bones, mesh 1 is a mesh like any other.
        let severable = model
            .skeleton
            .as_ref()
            .is_some_and(|posed| posed.skeleton.root_bones().count() > 1);
        let visibility = Visibility {
            hidden_meshes: options.hidden_meshes.clone(),
            tail: severable.then_some(options.tail),
        };
        Ok(Self {
            model,
            options,
            scene,
            environment,
            visibility,
        })
    }

    /// Chooses what is played, by default what shows most: entry or clip 0, or the first that there is, or the bind
    /// pose.
    ///
    /// # Errors
    ///
    /// A selection that names no clip, in one line with those that do.
    pub fn take(&self, selection: Option<Selection>) -> Result<Take, HarnessError> {
        Ok(self.fitted(motion_of(self.model, selection)?))
    }

    /// `selection` over another that moves the parts it leaves alone.
    ///
    /// # Errors
    ///
    /// As [`take`](Self::take), for either.
    pub fn take_over(&self, selection: Selection, below: Selection) -> Result<Take, HarnessError> {
        let motion = motion(self.model, selection)?.over(&motion(self.model, below)?);
        Ok(self.fitted(Some(motion)))
    }

    /// A motion from another file than the model's own pack.
    #[must_use]
    pub fn take_motion(&self, motion: Motion) -> Take {
        self.fitted(Some(motion))
    }

    /// The bind pose.
    #[must_use]
    pub fn bind(&self) -> Take {
        self.fitted(None)
    }

    fn fitted(&self, motion: Option<Motion>) -> Take {
        let morphs = &self.options.morphs;
        let shapes = morphs.name().map(|name| (name.to_owned(), morphs.timeline()));
        let mut take = Take {
            motion,
            shapes,
            points: Arc::default(),
            camera: Camera::new(self.options.view, &[], 1.0),
        };
        let last = take.last_frame();
        let count = last.min(FITTED_FRAMES - 1);
        take.points = (0..=count)
            .map(|step| (last * step).checked_div(count).unwrap_or(0))
            .flat_map(|frame| self.points(&take, f64::from(frame)))
            .collect();
        self.look(&mut take, self.options.view);
        take
    }

    /// Looks at a take from elsewhere, for pictures of the size that is drawn now.
    pub fn look(&self, take: &mut Take, view: View) {
        let points = &take.points;
        let [width, height] = self.options.size;
        let aspect = f64::from(width) / f64::from(height.max(1));
        let mut camera = Camera::new(view, points, aspect);
        // A stage as a whole would be looked at from far inside its fog.
        if let (Some(fog), View::Fitted { yaw, pitch }) = (self.environment.fog, view)
            && fog.end > 0.0
        {
            let distance = f64::from(fog.begin.max(0.0) + fog.end) / 4.0;
            let near = Camera::new(View::Placed { yaw, pitch, distance }, points, aspect);
            if near.distance_from_middle(points) < camera.distance_from_middle(points) {
                camera = near;
            }
        }
        take.camera = camera;
    }

    fn points(&self, take: &Take, frame: f64) -> Vec<Vec3> {
        let skin = self.skin(take, frame);
        // Weights that the GE cannot hold are an error once the frame is drawn.
        let morph = self
            .options
            .morphs
            .at(take.shape_frame(frame))
            .unwrap_or_default();
        let pmos = self.model.pmos.iter();
        let surfaces = pmos.flat_map(|pmo| surface::surfaces(pmo, &skin, &morph, &self.visibility));
        surface::points(&surfaces.collect::<Vec<_>>())
    }

    /// What each bone does at a frame. Past its end a clip goes on in its loop, or holds its last pose.
    #[must_use]
    pub fn skin(&self, take: &Take, frame: f64) -> Vec<DAffine3> {
        let Some(rig) = self.model.rig() else {
            return Vec::new();
        };
        let tail = match self.options.tail {
            Tail::Dropped => TailPose::AtBind,
            Tail::Attached | Tail::Cut => TailPose::Attached,
        };
        rig.pose(
            take.motion.as_ref(),
            Moment::Elapsed(frame),
            &PoseOptions {
                tail,
                ..self.options.pose
            },
        )
        .skin
    }

    /// The weights of morph targets at a frame.
    ///
    /// # Errors
    ///
    /// Weights that the GE cannot hold.
    pub fn morph(&self, frame: f64) -> Result<MorphPose, HarnessError> {
        self.options.morphs.at(frame).map_err(|error| {
            HarnessError::refused(
                &self.model.name,
                error,
                "ge-harness curves plots the weights of a file",
            )
        })
    }

    /// Draws with another back end from now on.
    pub fn set_backend(&mut self, backend: &Backend) {
        self.scene.set_backend(backend);
    }

    /// Video memory with every pixel in it.
    pub fn vram(&mut self) -> &Vram {
        self.scene.vram()
    }

    /// The rasteriser that draws.
    #[must_use]
    pub const fn rasterizer(&self) -> &Rasterizer {
        self.scene.rasterizer()
    }

    /// Draws pictures of another size from now on. Takes made before keep their camera.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.options.size = size;
    }

    /// What of the model is drawn.
    #[must_use]
    pub fn visibility(&self) -> &Visibility {
        &self.visibility
    }

    /// Draws a frame of a take.
    ///
    /// # Errors
    ///
    /// A display list of the model that cannot run.
    pub fn draw(&mut self, take: &Take, frame: f64) -> Result<Picture, HarnessError> {
        self.draw_observed(take, frame, &mut ())
    }

    /// As [`draw`](Self::draw), with an observer that watches the display lists run.
    ///
    /// # Errors
    ///
    /// As [`draw`](Self::draw).
    pub fn draw_observed<O: ge::Observer>(
        &mut self,
        take: &Take,
        frame: f64,
        observer: &mut O,
    ) -> Result<Picture, HarnessError> {
        let skin = self.skin(take, frame);
        let morph = self.morph(take.shape_frame(frame))?;
        let fog = self.environment.fog.map(|fog| Background::Color(fog.color));
        let background = self.options.background.or(fog).unwrap_or(DARK_GREY);
        let frame = Frame {
            size: self.options.size,
            camera: &take.camera,
            environment: &self.environment,
            background,
            shading: self.options.shading,
            visibility: &self.visibility,
            skin: &skin,
            morph: &morph,
        };
        self.scene.draw_observed(&frame, observer).map_err(|error| {
            HarnessError::refused(
                &self.model.name,
                error,
                format_args!(
                    "ge-harness validate {} says what is wrong with it",
                    self.model.name
                ),
            )
        })
    }

    /// What the GE met and does not do as hardware does it.
    #[must_use]
    pub fn report(&self) -> &ge::Report {
        self.scene.report()
    }
}
