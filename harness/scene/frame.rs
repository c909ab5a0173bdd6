//! The GE state around a model: what the engine sets at boot, at the start of a frame and for a pass
//! (`spec/mhp-formats.md §3.13`).

use ge::command::Opcode;
use raster::{BlendFactor, CompareFunction};
use vertex::{Component, CoordinateMode, VertexColor, VertexType};

use super::environment::LightDirection;
use super::{Camera, DisplayList, Environment};

/// Pixels from one row of both buffers to the next, as on the PSP.
pub(super) const STRIDE: u32 = 512;
/// Rows of the largest window that is drawn at once.
pub(super) const ROWS: u32 = 272;
/// Columns of the largest window that is drawn at once.
pub(super) const COLUMNS: u32 = 480;
/// Where the depth buffer stands in VRAM, behind an 8888 colour buffer of a screen.
pub(super) const DEPTH_OFFSET: u32 = STRIDE * ROWS * 4;
/// The middle of the GE's coordinate space, on which pictures are centred.
const CENTER: u32 = 2048;

/// What stands behind the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// One colour: red, green, blue.
    Color([u8; 3]),
    /// Nothing: the picture's alpha tells where the model is.
    Transparent,
}

/// A part of the picture that is drawn at once, because VRAM holds no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    /// First column in the picture.
    pub(super) x: u32,
    /// First row in the picture.
    pub(super) y: u32,
    /// Columns, at most [`COLUMNS`].
    pub(super) width: u32,
    /// Rows, at most [`ROWS`].
    pub(super) height: u32,
}

/// How much alpha a pixel needs to be drawn, by pass.
pub(super) fn alpha_test(list: &mut DisplayList, function: CompareFunction, reference: u8) {
    list.switch(Opcode::ALPHATESTENABLE, true).command(
        Opcode::ALPHATEST,
        u32::from(function.code()) | u32::from(reference) << 8 | 0xFF << 16,
    );
}

/// Everything of a frame that is the same for all its models: buffers, the cleared background,
/// state, camera, lights and fog.
pub(super) fn begin(
    list: &mut DisplayList,
    size: [u32; 2],
    window: Window,
    camera: &Camera,
    environment: &Environment,
    background: Background,
) {
    buffers(list, size, window);
    clear(list, window, background);
    state(list, background);
    matrices(list, camera);
    lights(list, camera, environment);
    if let Some(fog) = environment.fog {
        list.floats(Opcode::FOG1, &fog.registers())
            .color(Opcode::FOGCOLOR, fog.color);
    }
}

fn buffers(list: &mut DisplayList, [width, height]: [u32; 2], window: Window) {
    list.command(Opcode::BASE, 0)
        .command(Opcode::OFFSETADDR, 0)
        .command(Opcode::FBPTR, 0)
        .command(Opcode::FBWIDTH, STRIDE)
        .command(Opcode::FBFORMAT, 3)
        .command(Opcode::ZBPTR, DEPTH_OFFSET)
        .command(Opcode::ZBWIDTH, STRIDE)
        .position(Opcode::REGION1, 0, 0)
        .position(Opcode::REGION2, window.width - 1, window.height - 1)
        .position(Opcode::SCISSOR1, 0, 0)
        .position(Opcode::SCISSOR2, window.width - 1, window.height - 1)
        .command(Opcode::MINZ, 0)
        .command(Opcode::MAXZ, 0xFFFF)
        // A picture of odd size has its middle between two pixels: the offset is in 1/16.
        .command(Opcode::OFFSETX, (CENTER + window.x) * 16 - width * 8)
        .command(Opcode::OFFSETY, (CENTER + window.y) * 16 - height * 8)
        .floats(
            Opcode::VPSCALEX,
            &[width as f32 / 2.0, -(height as f32) / 2.0, 32767.5],
        )
        .floats(Opcode::VPCENTERX, &[CENTER as f32, CENTER as f32, 32767.5]);
}

/// One rectangle in clear mode: colour, alpha and the farthest depth.
fn clear(list: &mut DisplayList, window: Window, background: Background) {
    let (color, alpha) = match background {
        Background::Color(color) => (color, 0xFF),
        Background::Transparent => ([0; 3], 0),
    };
    let corner = |x: u32, y: u32| {
        let [x, y] = [x, y].map(|side| (side as u16).to_le_bytes());
        [
            color[0], color[1], color[2], alpha, x[0], x[1], y[0], y[1], 0xFF, 0xFF, 0, 0,
        ]
    };
    let corners = [corner(0, 0), corner(window.width, window.height)].concat();
    let vertices = list.data(&corners);
    let vertex_type = VertexType::from_argument(0)
        .with_color(VertexColor::Rgba8888)
        .with_position(Component::Bits16)
        .with_mode(CoordinateMode::Through);
    list.command(Opcode::CLEARMODE, 0x701)
        .command(Opcode::VTYPE, vertex_type.argument())
        .address(Opcode::VADDR, vertices)
        .command(Opcode::PRIM, 6 << 16 | 2);
    list.command(Opcode::CLEARMODE, 0);
}

fn state(list: &mut DisplayList, background: Background) {
    for off in [
        Opcode::CULLENABLE,
        Opcode::DITHERENABLE,
        Opcode::BLENDENABLE,
        Opcode::COLORTESTENABLE,
        Opcode::LOGICOPENABLE,
        Opcode::ZWRITEDISABLE,
        Opcode::LIGHTMODE,
        Opcode::REVERSENORMAL,
        Opcode::TEXENABLE,
    ] {
        list.switch(off, false);
    }
    list.switch(Opcode::DEPTHCLAMP, true)
        .switch(Opcode::SHADE, true)
        .switch(Opcode::ZTESTENABLE, true)
        .command(Opcode::ZTEST, u32::from(CompareFunction::LESS_OR_EQUAL.code()))
        .command(Opcode::MASKRGB, 0)
        .command(Opcode::MASKALPHA, 0)
        .color(Opcode::BLENDFIXA, [0xFF; 3])
        .color(Opcode::BLENDFIXB, [0xFF; 3])
        .command(
            Opcode::BLENDMODE,
            u32::from(BlendFactor::SOURCE_ALPHA.code())
                | u32::from(BlendFactor::INVERSE_SOURCE_ALPHA.code()) << 4,
        )
        // Minify linear with linear mip levels, of which there are none; magnify linear.
        .command(Opcode::TEXFILTER, 0x107)
        .command(Opcode::TEXWRAP, 0)
        .command(Opcode::TEXLEVEL, 0)
        .command(Opcode::TEXFUNC, 0x100)
        .command(Opcode::TEXMAPMODE, 0);
    // Alpha in the frame buffer is the stencil, and only the stencil test writes it.
    let covers = background == Background::Transparent;
    list.switch(Opcode::STENCILTESTENABLE, covers)
        .command(Opcode::STENCILTEST, 0xFF_FF01)
        .command(Opcode::STENCILOP, 0x02_0000);
}

fn matrices(list: &mut DisplayList, camera: &Camera) {
    list.matrix(Opcode::VIEWNUM, 0, &camera.view_matrix()).matrix(
        Opcode::PROJNUM,
        0,
        &camera.projection_matrix(),
    );
}

fn lights(list: &mut DisplayList, camera: &Camera, environment: &Environment) {
    list.color(Opcode::MATEMISSIVE, [0; 3])
        .color(Opcode::MATSPECULAR, [0; 3])
        .color(Opcode::AMBIENTCOLOR, [0; 3])
        .command(Opcode::AMBIENTALPHA, 0xFF);
    for (index, light) in (0_u8..).zip(environment.lights) {
        let direction = match light.direction {
            LightDirection::Towards(direction) => direction,
            LightDirection::Camera => camera.back.to_array().map(|axis| axis as f32),
        };
        list.switch(Opcode::LIGHT0.nth(index), true)
            .command(Opcode::LIGHTTYPE0.nth(index), 0)
            .floats(Opcode::LPOS0X.nth(3 * index), &direction)
            .color(Opcode::LCOL0A.nth(3 * index), light.ambient)
            .color(Opcode::LCOL0D.nth(3 * index), light.diffuse)
            .color(Opcode::LCOL0S.nth(3 * index), [0; 3]);
    }
    list.switch(Opcode::LIGHT3, false);
}
