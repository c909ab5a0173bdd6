//! What can be shown of a replay: the screen, the buffers that draws go to, the texture they take.
use std::collections::HashMap;
use std::path::Path;

use formats::capture::Display;
use ge::{Address, DrawEvent, Ge, Memory};
use raster::{FrameFormat, Target, TextureFormat};
use replay::PictureError;

use super::texture::KeptTexture;
use crate::error::HarnessError;
use crate::files;
use crate::picture::{self, Effort, Picture, encode_grey_png, encode_png_with};

/// What to show of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The buffer that the frame ends by showing, 480 x 272
    Display,
    /// The colour buffer of the last draw
    #[value(alias = "color")]
    Colour,
    /// Its depth buffer, as grey of 16 bits: 0 is black, 65535 white
    Depth,
    /// Its stencil, which is the colour buffer's alpha, as grey
    Stencil,
    /// The texture of the last draw that has one: level 0, decoded
    Texture,
}

/// Why there is nothing to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotShown {
    /// No draw has been made.
    #[error("nothing is drawn up to there")]
    NoDraw,
    /// No draw had a texture that can be decoded.
    #[error("no draw up to there has a texture")]
    NoTexture,
    /// The colour buffer has no alpha.
    #[error("the colour buffer is 565, which holds no stencil")]
    NoStencil,
    /// The buffer has no rows, so that no picture can be made of it.
    #[error("the {0} buffer of the draw has a stride of 0")]
    NoStride(&'static str),
    /// The display shows no buffer.
    #[error(transparent)]
    Display(#[from] PictureError),
}

/// A picture of a replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Image {
    /// Colours.
    Colours(Picture),
    /// Depths, row after row.
    Depths {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// 0 to 65535.
        depths: Vec<u16>,
    },
}

impl Image {
    /// Width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        match self {
            Self::Colours(picture) => [picture.width(), picture.height()],
            Self::Depths { width, height, .. } => [*width, *height],
        }
    }

    /// Writes a PNG: RGBA of 8 bits, or grey of 16.
    ///
    /// # Errors
    /// A picture of no pixels, and as [`files::write`].
    pub fn write(&self, path: &Path, effort: Effort) -> Result<(), HarnessError> {
        files::write(path, &self.encode(path, effort)?)
    }

    /// The PNG that [`write`](Self::write) writes; `path` is for the error alone.
    ///
    /// # Errors
    /// A picture of no pixels.
    pub fn encode(&self, path: &Path, effort: Effort) -> Result<Vec<u8>, HarnessError> {
        let [width, height] = self.size();
        let bytes = match self {
            Self::Colours(picture) if width > 0 && height > 0 => Some(encode_png_with(picture, effort)),
            Self::Colours(_) => None,
            Self::Depths { depths, .. } => encode_grey_png(width, height, depths, effort),
        };
        bytes.ok_or_else(|| HarnessError::Picture {
            file: path.display().to_string(),
            message: format!("a PNG cannot hold {width} x {height} pixels"),
        })
    }
}

/// The buffers and the texture of the draws so far.
#[derive(Debug, Clone)]
pub struct Targets {
    shown: Shown,
    display: Option<Display>,
    last: Option<Target>,
    /// For each colour buffer how many columns and rows of it draws could reach: the GE knows no height.
    reach: HashMap<u32, [u32; 2]>,
    texture: Option<KeptTexture>,
    /// Whether the last draw goes elsewhere, or has a texture, so that another thing is shown than before.
    moved: bool,
}

impl Targets {
    /// Of a replay whose frame ends by showing `display`.
    #[must_use]
    pub fn new(shown: Shown, display: Option<Display>) -> Self {
        Self {
            shown,
            display,
            last: None,
            reach: HashMap::new(),
            texture: None,
            moved: false,
        }
    }

    /// Takes note of a draw.
    pub(super) fn note(&mut self, event: &DrawEvent<'_>) {
        let state = event.draw.state;
        let reach = self.reach.entry(state.target.color_offset).or_default();
        let ends = [state.scissor.right, state.scissor.bottom].map(|last| u32::from(last) + 1);
        *reach = [reach[0].max(ends[0]), reach[1].max(ends[1])];
        self.moved = self.last.replace(state.target) != Some(state.target);
        let readable = |source: &&raster::TextureSource<'_>| source.format != TextureFormat::INVALID;
        if self.shown == Shown::Texture
            && let Some(source) = event.draw.texture.as_ref().filter(readable)
        {
            self.texture = KeptTexture::of(source);
            self.moved = true;
        }
    }

    /// Whether the last draw shows another thing than the one before, whatever pixels it draws.
    pub(super) const fn moved(&self) -> bool {
        self.moved
    }

    /// The picture as VRAM holds it now.
    ///
    /// # Errors
    /// [`NotShown`] where there is none.
    pub fn image(&self, ge: &mut Ge) -> Result<Image, NotShown> {
        let memory = ge.memory();
        match self.shown {
            Shown::Display => {
                let display = self.display.ok_or(PictureError::NothingShown)?;
                Ok(Image::Colours(screen(&replay::Picture::of(memory, display)?)))
            }
            Shown::Colour => {
                let target = self.colour_target()?;
                Ok(self.colours(memory, target, |[red, green, blue, _]| [red, green, blue, 255]))
            }
            Shown::Stencil => {
                let target = self.colour_target()?;
                if target.format == FrameFormat::RGB565 {
                    return Err(NotShown::NoStencil);
                }
                Ok(self.colours(memory, target, |[_, _, _, alpha]| [alpha, alpha, alpha, 255]))
            }
            Shown::Depth => {
                let target = self.last.ok_or(NotShown::NoDraw)?;
                match target.depth_stride {
                    0 => Err(NotShown::NoStride("depth")),
                    _ => Ok(self.depths(memory, target)),
                }
            }
            Shown::Texture => {
                let texels = self.texture.as_ref().and_then(|kept| kept.texels(memory.vram()));
                let texels = texels.ok_or(NotShown::NoTexture)?;
                let picture = Picture::new(texels.width, texels.height, texels.texels.into_flattened());
                picture.map(Image::Colours).ok_or(NotShown::NoTexture)
            }
        }
    }

    fn colour_target(&self) -> Result<Target, NotShown> {
        let target = self.last.ok_or(NotShown::NoDraw)?;
        match target.color_stride {
            0 => Err(NotShown::NoStride("colour")),
            _ => Ok(target),
        }
    }

    /// Columns and rows of a buffer with this stride.
    fn size(&self, target: Target, stride: u16) -> [u32; 2] {
        let [columns, rows] = self.reach.get(&target.color_offset).copied().unwrap_or_default();
        [columns.min(stride.into()), rows]
    }

    fn colours(&self, memory: &Memory, target: Target, show: impl Fn([u8; 4]) -> [u8; 4]) -> Image {
        let [width, height] = self.size(target, target.color_stride);
        let mut picture = Picture::filled(width, height, [0; 4]);
        for y in 0..height {
            for x in 0..width {
                let pixel = y * u32::from(target.color_stride) + x;
                let offset = target.color_offset + pixel * target.format.bytes();
                let color = memory.vram().color(offset, target.format);
                picture.set_pixel(x, y, show(color.to_le_bytes()));
            }
        }
        Image::Colours(picture)
    }

    fn depths(&self, memory: &Memory, target: Target) -> Image {
        // The third copy of VRAM shows depth buffers linearly (spec/ge-raster.md §12).
        const LINEAR_VIEW: u32 = 0x0460_0000;
        let [width, height] = self.size(target, target.depth_stride);
        let mut row = vec![0; width as usize * 2];
        let mut depths = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            let offset = target.depth_offset + y * u32::from(target.depth_stride) * 2;
            memory.read(Address::new(LINEAR_VIEW | offset & 0x1F_FFFF), &mut row);
            depths.extend(row.as_chunks().0.iter().map(|&depth| u16::from_le_bytes(depth)));
        }
        Image::Depths {
            width,
            height,
            depths,
        }
    }
}

/// What a replay shows, as a picture that can be compared and written.
#[must_use]
pub fn screen(shown: &replay::Picture) -> Picture {
    let mut screen = Picture::filled(picture::SCREEN_WIDTH, picture::SCREEN_HEIGHT, [0; 4]);
    for (y, row) in (0..).zip(shown.pixels.chunks(replay::Picture::WIDTH)) {
        for (x, &pixel) in (0..).zip(row) {
            screen.set_pixel(x, y, pixel);
        }
    }
    screen
}
