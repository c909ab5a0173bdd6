//! Scenes: a posed model with its camera and lights, drawn by running a display list through the GE.
//!
//! A scene puts the model's geometry and textures into the GE's memory once. For each frame it writes
//! one display list, with the engine's state, matrices, bone palette and a CALL to each group's own
//! list where it stands in the geometry, and runs it. Nothing is drawn in any other way.

mod camera;
mod environment;
mod frame;
mod list;
mod memory;
mod model;
mod texture;

#[cfg(feature = "viewer")]
pub(crate) use camera::FIELD_OF_VIEW;
pub use camera::{Camera, View, ViewError};
pub use environment::{Environment, Fog, Light, LightDirection, color_byte};
pub use frame::Background;
pub use list::DisplayList;
pub use memory::{Arena, ArenaFull};
pub use model::{SceneModel, Shading};
pub use texture::PlacedTexture;

use formats::capture::Display;
use ge::{Address, Ge, GeError, GeOptions, Observer, Report, Stop};
use glam::DAffine3;
use raster::{Rasterizer, Threads, Vram};

use crate::backend::Backend;
use crate::model::{Model, MorphPose, Visibility};
use crate::picture::Picture;
use frame::{COLUMNS, ROWS, STRIDE, Window};

/// Commands after which a frame's list counts as endless: a hundred times what a large monster needs.
const BUDGET: u64 = 1 << 22;

/// The id with which a frame's own list ends: a model's list that ends another way has not returned.
const OWN_END: u16 = 0x5CEE;

/// Why a scene could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// The PSP's memory does not hold the model.
    #[error(transparent)]
    Full(#[from] ArenaFull),
    /// The model's geometry cannot be laid out for the GE.
    #[error("the model cannot be laid out: {0}")]
    Layout(#[from] formats::pmo::WriteError),
    /// An image cannot be laid out for the GE.
    #[error("an image cannot be laid out: {0}")]
    Texture(#[from] formats::FormatError),
    /// A display list of the model cannot run.
    #[error("a display list of the model cannot run: {0}")]
    List(#[from] GeError),
    /// A display list of the model stops the frame's list.
    #[error("a display list of the model ends the frame instead of returning ({0:?})")]
    Stopped(Stop),
}

/// How a frame is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame<'a> {
    /// Width and height of the picture in pixels, each 1 to [`Frame::LARGEST`].
    pub size: [u32; 2],
    /// The camera.
    pub camera: &'a Camera,
    /// Lights and fog.
    pub environment: &'a Environment,
    /// What stands behind the model.
    pub background: Background,
    /// How surfaces are shown.
    pub shading: Shading,
    /// What is drawn.
    pub visibility: &'a Visibility,
    /// For each bone what takes a vertex from bind to its pose; bones that are missing stay at bind.
    pub skin: &'a [DAffine3],
    /// The weights of morph targets.
    pub morph: &'a MorphPose,
}

impl Frame<'_> {
    /// The largest width and height: the GE's coordinate space is 4096 wide, and a model that fills the
    /// picture must not leave it.
    pub const LARGEST: u32 = 2048;
}

/// A model in the GE's memory.
#[derive(Debug)]
pub struct Scene {
    ge: Ge,
    threads: Threads,
    models: Vec<SceneModel>,
    list: Address,
}

impl Scene {
    /// The buffer that frames are drawn into, as a screen would show it.
    pub const DISPLAY: Display = Display {
        address: 0x0400_0000,
        stride: STRIDE as i32,
        format: 3,
    };

    /// Puts a model into memory, with palette number `palette` of each image. `threads` draw; the picture
    /// does not depend on how many.
    ///
    /// # Errors
    ///
    /// [`SceneError::Full`].
    pub fn new(model: &Model, palette: usize, threads: Threads) -> Result<Self, SceneError> {
        let mut ge = Ge::new(GeOptions {
            threads,
            ..GeOptions::default()
        });
        let mut arena = Arena::new(ge.memory_mut());
        let models = model
            .pmos
            .iter()
            .map(|pmo| SceneModel::load(&mut arena, pmo, model.textures.as_ref(), palette))
            .collect::<Result<_, _>>()?;
        let list = arena.rest();
        Ok(Self {
            ge,
            threads,
            models,
            list,
        })
    }

    /// Draws with another back end from now on.
    pub fn set_backend(&mut self, backend: &Backend) {
        let profile = GeOptions::default().profile;
        backend.equip(&mut self.ge, profile, self.threads);
    }

    /// Video memory with every pixel in it.
    pub fn vram(&mut self) -> &Vram {
        self.ge.memory().vram()
    }

    /// The rasteriser that draws.
    #[must_use]
    pub const fn rasterizer(&self) -> &Rasterizer {
        self.ge.rasterizer()
    }

    /// Draws a frame.
    ///
    /// A picture that is larger than a PSP's screen is drawn in parts of that size, each by a run of
    /// its own: the offset registers choose the part, and pixels do not depend on the cut.
    ///
    /// # Errors
    ///
    /// [`SceneError`] when a list of the model cannot run, or together they do not fit into memory.
    pub fn draw(&mut self, frame: &Frame<'_>) -> Result<Picture, SceneError> {
        self.draw_observed(frame, &mut ())
    }

    /// As [`draw`](Self::draw), with an observer that watches the lists run.
    ///
    /// # Errors
    ///
    /// As [`draw`](Self::draw), and [`SceneError::Stopped`] when the observer stops a list.
    pub fn draw_observed<O: Observer>(
        &mut self,
        frame: &Frame<'_>,
        observer: &mut O,
    ) -> Result<Picture, SceneError> {
        let [width, height] = frame.size.map(|side| side.clamp(1, Frame::LARGEST));
        let mut picture = Picture::filled(width, height, [0; 4]);
        for y in (0..height).step_by(ROWS as usize) {
            for x in (0..width).step_by(COLUMNS as usize) {
                let window = Window {
                    x,
                    y,
                    width: COLUMNS.min(width - x),
                    height: ROWS.min(height - y),
                };
                let list = self.list(frame, [width, height], window);
                Arena::starting_at(self.ge.memory_mut(), self.list).place(&list.bytes(), 4)?;
                match self.ge.run_with(self.list, None, BUDGET, observer)? {
                    Stop::Finished { id: OWN_END } => {}
                    stop => return Err(SceneError::Stopped(stop)),
                }
                self.copy(window, frame.background, &mut picture);
            }
        }
        Ok(picture)
    }

    /// The display list that draws a part of a frame.
    fn list(&self, frame: &Frame<'_>, size: [u32; 2], window: Window) -> DisplayList {
        let mut list = DisplayList::at(self.list);
        frame::begin(
            &mut list,
            size,
            window,
            frame.camera,
            frame.environment,
            frame.background,
        );
        for model in &self.models {
            model.draw(&mut list, frame);
        }
        list.finish(OWN_END);
        list
    }

    /// Copies what was drawn into its place in the picture.
    fn copy(&mut self, window: Window, background: Background, picture: &mut Picture) {
        let colors = self.ge.memory().vram().bytes();
        for y in 0..window.height {
            for x in 0..window.width {
                let at = ((y * STRIDE + x) * 4) as usize;
                let [red, green, blue, alpha] = [0, 1, 2, 3].map(|channel| colors[at + channel]);
                let alpha = if background == Background::Transparent {
                    alpha
                } else {
                    0xFF
                };
                picture.set_pixel(window.x + x, window.y + y, [red, green, blue, alpha]);
            }
        }
    }

    /// What the GE met and does not do as hardware does it, over all frames.
    #[must_use]
    pub fn report(&self) -> &Report {
        self.ge.report()
    }
}
