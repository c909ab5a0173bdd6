//! What a draw brings: vertices on the screen, primitives over them, and the texture's bytes.

use bytemuck::{Pod, Zeroable};

use crate::PixelState;
use crate::change::Change;
use crate::code::{FrameFormat, TextureFormat};
use crate::state::LevelSize;

/// A screen coordinate in sixteenths of a pixel (12.4 fixed point), signed, the drawing offset
/// already subtracted. Pixel p is sampled at `16 * p + 8` (spec/ge-raster.md §2.4).
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Pod, Zeroable)]
pub struct Subpixel(pub i32);

/// A vertex on the screen.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub struct ScreenVertex {
    /// Column.
    pub x: Subpixel,
    /// Row, growing downwards.
    pub y: Subpixel,
    /// Depth, 0..=65535.
    pub z: u32,
    /// Primary colour, red in the low byte.
    pub color: u32,
    /// Secondary colour, red in the low byte, no alpha.
    pub secondary: u32,
    /// Fog factor: 1 for no fog, 0 for nothing but fog.
    pub fog: f32,
    /// Horizontal texture coordinate: 1 is the texture's width; in through mode in texels of level 0.
    pub s: f32,
    /// Vertical texture coordinate: 1 is the texture's height; in through mode in texels of level 0.
    pub t: f32,
    /// What s and t are divided by at each pixel, when the state says that coordinates are
    /// projected; else 1.
    pub q: f32,
    /// w of clip space; 1 in through mode.
    pub w: f32,
}

/// Primitives over the vertices of a draw, by index, each in the order of submission or, if that is PPSSPP's, of its
/// slots: the last vertex is the provoking one. Culling is done: all of these are to be drawn.
#[derive(Clone, Copy, Debug)]
pub enum Primitives<'a> {
    /// A pixel each.
    Points(&'a [u32]),
    /// Two ends each.
    Lines(&'a [[u32; 2]]),
    /// Three corners each, of either orientation.
    Triangles(&'a [[u32; 3]]),
    /// Two opposite corners each, of an axis-parallel rectangle (sprite).
    Rectangles(&'a [[u32; 2]]),
}

/// Bytes of VRAM as one of its four copies shows them.
///
/// `start` is a window offset (see [`crate::Vram`]): bits 20:0 the place, bits 22:21 the copy. The range
/// wraps at the end of the window.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VramRange {
    /// First byte, below 8 MiB; what is above is ignored.
    pub start: u32,
    /// Number of bytes.
    pub length: u32,
}

/// The order of a texture's bytes in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TexelOrder {
    /// Row after row.
    Linear,
    /// Blocks of 16 bytes by 8 rows (spec/ge-raster.md §8.4). DXT formats ignore it.
    Swizzled,
}

/// Which bytes a texture's are: where equal stamps stand before equally many bytes, the bytes are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stamp {
    /// Where they are. The rasteriser only compares it.
    pub place: u64,
    /// The latest change of any of them.
    pub change: Change,
}

/// A mip level's bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextureLevel<'a> {
    /// The bytes from the level's address on. Bytes that are missing read as zero. A level that lies in
    /// VRAM leaves this empty and says so in `vram`: then the rasteriser reads it there, after the pending
    /// writes that overlap, and anew before each primitive that follows one that changed it.
    pub bytes: &'a [u8],
    /// Which bytes these are. `None` where nobody knows: then the bytes are looked at for each draw. It is
    /// of no account for a level that is read in VRAM, which knows its changes itself.
    pub stamp: Option<Stamp>,
    /// Texels from one row to the next, already rounded as spec/ge-raster.md §8.1 says.
    pub buffer_width: u32,
    /// Size of the level.
    pub size: LevelSize,
    /// The VRAM that the level occupies, when it lies there. If `bytes` is not empty, they are taken
    /// instead, and the range only tells which pending writes to wait for.
    pub vram: Option<VramRange>,
}

/// CLUT memory and how a texel's bits become an index into it (spec/ge-raster.md §8.6).
#[derive(Clone, Copy, Debug)]
pub struct Clut<'a> {
    /// CLUT memory at the time of the draw.
    pub memory: &'a [u8; 1024],
    /// The latest change of CLUT memory. `None` where nobody knows: then its entries are looked at for each
    /// draw.
    pub change: Option<Change>,
    /// Format of an entry.
    pub format: FrameFormat,
    /// The texel's bits are shifted right by this, 0..=31.
    pub shift: u8,
    /// Then masked with this.
    pub mask: u8,
    /// Then OR-ed with 16 times this, 0..=31.
    pub start: u8,
    /// Whether level n of a CLUT4 texture uses the entries from 16 n on.
    pub per_level: bool,
}

/// The texture of a draw.
#[derive(Clone, Copy, Debug)]
pub struct TextureSource<'a> {
    /// How texels are stored.
    pub format: TextureFormat,
    /// The order of the bytes.
    pub order: TexelOrder,
    /// The levels from 0 to the highest in use, one to eight.
    pub levels: &'a [TextureLevel<'a>],
    /// The palette of indexed formats.
    pub clut: Clut<'a>,
}

/// One draw: everything of it is taken over before the call returns.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// The registers.
    pub state: &'a PixelState,
    /// The texture, when [`crate::StateFlags::TEXTURE`] is on.
    pub texture: Option<TextureSource<'a>>,
    /// The vertices that the primitives index.
    pub vertices: &'a [ScreenVertex],
    /// The primitives, in order.
    pub primitives: Primitives<'a>,
}
