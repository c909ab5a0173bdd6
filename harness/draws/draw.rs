//! A draw as the reports tell of it.
use ge::command::Opcode;
use ge::{DrawEvent, DrawSource};
use raster::{FrameFormat, Primitives, TexelOrder, TextureFormat, TextureFunction, TextureSource};
use serde::Serialize;
use vertex::IndexFormat;

use super::{Registers, State};
use crate::inspect::vertex_type_text;

/// A draw: what it draws, where to, and in which state.
#[derive(Debug, Clone, Serialize)]
pub struct Draw {
    /// Its number, from 0.
    pub draw: u64,
    /// The record whose commands draw it.
    pub record: usize,
    /// What draws: `primitive`, `bezier`, `spline` or `immediate`.
    pub source: &'static str,
    /// The primitive of the command, in words.
    pub primitive: String,
    /// Vertices, or control points, that the command counts.
    pub vertices: u32,
    /// The vertex type in words.
    pub vertex_type: String,
    /// The vertex type's argument.
    pub vertex_type_argument: u32,
    /// Whether vertices are taken by index.
    pub indexed: bool,
    /// Whether vertices are pixels already.
    pub through: bool,
    /// Primitives left after clipping and culling.
    pub primitives: usize,
    /// Pixels that these cover.
    pub pixels_covered: u64,
    /// Pixels of them that passed every test.
    pub pixels_passed: u64,
    /// Where the pixels go.
    pub target: Target,
    /// The texture, if the draw takes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture: Option<Texture>,
    /// What is on.
    pub state: State,
}

/// The buffers of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Target {
    /// Address of the colour buffer in VRAM.
    pub address: u32,
    /// Pixels from row to row.
    pub stride: u16,
    /// `5650`, `5551`, `4444` or `8888`.
    pub format: &'static str,
    /// Address of the depth buffer in VRAM.
    pub depth_address: u32,
    /// Depths from row to row.
    pub depth_stride: u16,
    /// The pixels that may be drawn: left, top, right, bottom, all inclusive.
    pub scissor: [u16; 4],
}

/// A texture as the recorded game bound it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Texture {
    /// Address of level 0.
    pub address: u32,
    /// `5650` to `8888`, `CLUT4` to `CLUT32`, `DXT1` to `DXT5`.
    pub format: &'static str,
    /// Columns of level 0.
    pub width: u32,
    /// Rows of level 0.
    pub height: u32,
    /// Texels from row to row of level 0.
    pub buffer_width: u32,
    /// Whether texels are swizzled.
    pub swizzled: bool,
    /// Mip levels in use.
    pub levels: usize,
    /// How texel and vertex colour combine, in words.
    pub function: String,
    /// Filters, in words.
    pub filter: String,
    /// What happens outside the texture, in words.
    pub wrap: String,
    /// The palette of indexed formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clut: Option<TextureClut>,
}

/// A palette as the recorded game loaded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TextureClut {
    /// The address that was last loaded from.
    pub address: u32,
    /// `5650` to `8888`.
    pub format: &'static str,
    /// Bits that a texel is shifted right by.
    pub shift: u8,
    /// What it is then masked with.
    pub mask: u8,
    /// What 16 times is then OR-ed to it.
    pub start: u8,
}

impl Draw {
    /// A draw that goes to the rasteriser; its pixels are not known yet.
    pub(super) fn new(event: &DrawEvent<'_>, record: usize, registers: &Registers) -> Self {
        let state = event.draw.state;
        let vertex_type = event.vertex_type;
        Self {
            draw: event.number,
            record,
            source: match event.source {
                DrawSource::Primitive => "primitive",
                DrawSource::Bezier => "bezier",
                DrawSource::Spline => "spline",
                DrawSource::Immediate => "immediate",
            },
            primitive: match event.source {
                DrawSource::Primitive => event.primitive.to_string(),
                DrawSource::Bezier => format!("bezier, {}", event.primitive),
                DrawSource::Spline => format!("spline, {}", event.primitive),
                DrawSource::Immediate => format!("immediate {}", event.primitive),
            },
            vertices: event.vertex_count,
            vertex_type: vertex_type_text(vertex_type),
            vertex_type_argument: vertex_type.argument(),
            indexed: vertex_type.index() != IndexFormat::None,
            through: vertex_type.is_through(),
            primitives: match event.draw.primitives {
                Primitives::Points(list) => list.len(),
                Primitives::Lines(list) | Primitives::Rectangles(list) => list.len(),
                Primitives::Triangles(list) => list.len(),
            },
            pixels_covered: 0,
            pixels_passed: 0,
            target: Target {
                address: 0x0400_0000 | state.target.color_offset,
                stride: state.target.color_stride,
                format: frame_format(state.target.format),
                depth_address: 0x0400_0000 | state.target.depth_offset,
                depth_stride: state.target.depth_stride,
                scissor: [
                    state.scissor.left,
                    state.scissor.top,
                    state.scissor.right,
                    state.scissor.bottom,
                ],
            },
            texture: event
                .draw
                .texture
                .as_ref()
                .map(|source| Texture::new(source, event, registers)),
            state: State::new(event, registers),
        }
    }
}

impl Texture {
    fn new(source: &TextureSource<'_>, event: &DrawEvent<'_>, registers: &Registers) -> Self {
        let words = |opcode: Opcode| {
            let text = registers.command(opcode).to_string();
            text.split_once(' ')
                .map_or(String::new(), |(_, words)| words.to_lowercase())
        };
        let size = event.draw.state.texture.sizes[0];
        let function = match event.draw.state.texture.function {
            TextureFunction::BLEND => format!(
                " with {}",
                super::state::color(registers.argument(Opcode::TEXENV))
            ),
            _ => String::new(),
        };
        Self {
            address: registers.split_address(Opcode::TEXADDR0, Opcode::TEXBUFW0),
            format: texture_format(source.format),
            width: 1 << size.log2_width,
            height: 1 << size.log2_height,
            buffer_width: source.levels.first().map_or(0, |level| level.buffer_width),
            swizzled: source.order == TexelOrder::Swizzled,
            levels: source.levels.len(),
            function: words(Opcode::TEXFUNC) + &function,
            filter: words(Opcode::TEXFILTER),
            wrap: words(Opcode::TEXWRAP),
            clut: source.format.is_indexed().then(|| TextureClut {
                address: registers.split_address(Opcode::CLUTADDR, Opcode::CLUTADDRHI),
                format: frame_format(source.clut.format),
                shift: source.clut.shift,
                mask: source.clut.mask,
                start: source.clut.start,
            }),
        }
    }
}

/// A pixel format by the PSP's name for it.
pub(crate) const fn frame_format(format: FrameFormat) -> &'static str {
    ["5650", "5551", "4444", "8888"][(format.code() & 3) as usize]
}

fn texture_format(format: TextureFormat) -> &'static str {
    const NAMES: [&str; 11] = [
        "5650", "5551", "4444", "8888", "CLUT4", "CLUT8", "CLUT16", "CLUT32", "DXT1", "DXT3", "DXT5",
    ];
    NAMES.get(usize::from(format.code())).copied().unwrap_or("none")
}
