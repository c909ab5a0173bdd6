//! Reads and writes of VRAM around pending primitives: nobody sees old bytes, and nobody waits for others' pixels.
#![forbid(unsafe_code)]

use std::num::NonZeroUsize;

use raster::{
    Clut, CompareFunction, Draw, FlushReason, FrameFormat, LevelSize, Method, PixelState, Primitives,
    Profile, Rasterizer, Scissor, ScreenVertex, StateFlags, Subpixel, Target, TexelOrder, TextureFormat,
    TextureFunction, TextureLevel, TextureSource, Threads, TileSize, Tuning, Vram, VramRange,
};

fn state(color_offset: u32, flags: StateFlags) -> PixelState {
    PixelState {
        flags: flags.with(StateFlags::THROUGH, true),
        target: Target {
            color_offset,
            color_stride: 64,
            depth_stride: 64,
            depth_offset: 0x10_0000,
            format: FrameFormat::RGBA8888,
            ..Target::default()
        },
        scissor: Scissor {
            left: 0,
            top: 0,
            right: 63,
            bottom: 63,
        },
        ..PixelState::default()
    }
}

fn textured(color_offset: u32) -> PixelState {
    let mut state = state(color_offset, StateFlags::TEXTURE);
    state.texture.function = TextureFunction::REPLACE;
    state
}

/// A corner in whole pixels, with the texel of the same number.
fn corner(x: i32, y: i32, color: u32) -> ScreenVertex {
    ScreenVertex {
        x: Subpixel(16 * x),
        y: Subpixel(16 * y),
        s: x as f32,
        t: y as f32,
        q: 1.0,
        w: 1.0,
        color,
        ..ScreenVertex::default()
    }
}

/// 64 x 64 texels of VRAM.
fn level(start: u32) -> TextureLevel<'static> {
    let size = LevelSize {
        log2_width: 6,
        log2_height: 6,
    };
    TextureLevel {
        stamp: None,
        bytes: &[],
        buffer_width: 64,
        size,
        vram: Some(VramRange {
            start,
            length: 64 * 64 * 4,
        }),
    }
}

fn source<'a>(format: TextureFormat, levels: &'a [TextureLevel<'a>]) -> TextureSource<'a> {
    let clut = Clut {
        change: None,
        memory: &[0; 1024],
        format: FrameFormat::RGBA8888,
        shift: 0,
        mask: 0,
        start: 0,
        per_level: false,
    };
    TextureSource {
        format,
        order: TexelOrder::Linear,
        levels,
        clut,
    }
}

struct Fixture {
    vram: Vram,
    rasterizer: Rasterizer,
}

impl Fixture {
    fn new() -> Self {
        Self {
            vram: Vram::default(),
            rasterizer: Rasterizer::new(Profile::Hardware, Threads::Automatic),
        }
    }

    fn rectangle(
        &mut self,
        state: &PixelState,
        texture: Option<TextureSource<'_>>,
        corners: [ScreenVertex; 2],
    ) {
        let primitives = Primitives::Rectangles(&[[0, 1]]);
        self.rasterizer.draw(
            &mut self.vram,
            &Draw {
                state,
                texture,
                vertices: &corners,
                primitives,
            },
        );
    }

    fn pixel(&mut self, offset: u32, x: u32, y: u32) -> u32 {
        self.rasterizer.flush(&mut self.vram, FlushReason::Finished);
        self.vram.color(offset + 4 * (64 * y + x), FrameFormat::RGBA8888) & 0xFF_FFFF
    }

    fn flushes(&self, reason: FlushReason) -> u64 {
        self.rasterizer.statistics().flushes(reason)
    }
}

#[test]
fn a_texture_shows_what_was_drawn_before() {
    let mut fixture = Fixture::new();
    fixture.rectangle(
        &state(0, StateFlags::empty()),
        None,
        [corner(0, 0, 0), corner(64, 64, 0x12_3456)],
    );
    let levels = [level(0)];
    let texture = source(TextureFormat::RGBA8888, &levels);
    fixture.rectangle(
        &textured(0x8000),
        Some(texture),
        [corner(0, 0, 0), corner(64, 64, 0)],
    );
    assert_eq!(fixture.pixel(0x8000, 5, 6), 0x12_3456);
    assert_eq!(fixture.flushes(FlushReason::TargetChanged), 1);
}

#[test]
fn a_texture_in_the_target_shows_it_before_each_primitive() {
    let mut fixture = Fixture::new();
    fixture.rectangle(
        &state(0, StateFlags::empty()),
        None,
        [corner(0, 0, 0), corner(8, 8, 0x11_1111)],
    );
    // Columns 8..16 take the texels of 0..8, then 16..24 those of 8..16, in one draw.
    let mut vertices = [
        corner(8, 0, 0),
        corner(16, 8, 0),
        corner(16, 0, 0),
        corner(24, 8, 0),
    ];
    for vertex in &mut vertices {
        vertex.s -= 8.0;
    }
    let levels = [level(0)];
    let state = textured(0);
    let draw = Draw {
        state: &state,
        texture: Some(source(TextureFormat::RGBA8888, &levels)),
        vertices: &vertices,
        primitives: Primitives::Rectangles(&[[0, 1], [2, 3]]),
    };
    fixture.rasterizer.draw(&mut fixture.vram, &draw);
    assert_eq!(fixture.pixel(0, 20, 3), 0x11_1111);
    assert_eq!(fixture.flushes(FlushReason::TextureRead), 2);

    // One primitive over its own texels, shifted by one: no texel is taken twice.
    let mut fixture = Fixture::new();
    fixture.vram.write(0, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    let mut shifted = [corner(1, 0, 0), corner(64, 1, 0)];
    shifted[0].s = 0.0;
    shifted[1].s = 63.0;
    fixture.rectangle(
        &textured(0),
        Some(source(TextureFormat::RGBA8888, &levels)),
        shifted,
    );
    let row = [0, 1, 2, 3, 4].map(|x| fixture.pixel(0, x, 0));
    assert_eq!(row, [1, 1, 2, 3, 0]);
}

#[test]
fn depth_can_be_sampled_through_the_third_copy() {
    let mut fixture = Fixture::new();
    let mut writes_depth = state(0, StateFlags::DEPTH_TEST.with(StateFlags::DEPTH_WRITE, true));
    writes_depth.depth_function = CompareFunction::ALWAYS;
    for column in 0..64 {
        let mut last = corner(column + 1, 64, 0);
        last.z = 0x0800 + column as u32;
        fixture.rectangle(&writes_depth, None, [corner(column, 0, 0), last]);
    }
    // As 565: red is the low five bits, which the columns count in; green 0x40 of depth 0x0800.
    let levels = [TextureLevel {
        stamp: None,
        vram: Some(VramRange {
            start: 0x70_0000,
            length: 0x2000,
        }),
        ..level(0)
    }];
    let texture = source(TextureFormat::RGB565, &levels);
    fixture.rectangle(
        &textured(0x8000),
        Some(texture),
        [corner(0, 0, 0), corner(64, 64, 0)],
    );
    for (x, y) in [(0, 0), (17, 5), (31, 63)] {
        let red = x << 3 | x >> 2;
        assert_eq!(fixture.pixel(0x8000, x, y) & 0xFF, red, "({x}, {y})");
    }
}

#[test]
fn only_what_overlaps_is_waited_for() {
    let mut fixture = Fixture::new();
    let color = state(0x1000, StateFlags::empty());
    fixture.rectangle(&color, None, [corner(4, 4, 0), corner(8, 8, 0xFF)]);
    let first = 0x1000 + 4 * (64 * 4 + 4);
    let Fixture { vram, rasterizer } = &mut fixture;
    for (start, length) in [
        (0, 0x1000),
        (first - 4, 4),
        (first + 16, 200),
        (0x8_0000, 0x1000),
        (first, 0),
    ] {
        rasterizer.before_read(vram, VramRange { start, length }, FlushReason::TransferRead);
        rasterizer.before_write(vram, VramRange { start, length }, FlushReason::TransferWrite);
    }
    assert_eq!(rasterizer.statistics().all_flushes(), 0);
    // The third copy shows the same bytes elsewhere.
    let copy = (0..0x20_0000)
        .find(|&at| vram.primary_offset(0x60_0000 + at) == first)
        .expect("a place");
    rasterizer.before_read(
        vram,
        VramRange {
            start: 0x60_0000 + copy,
            length: 1,
        },
        FlushReason::ProcessorRead,
    );
    assert_eq!(rasterizer.statistics().flushes(FlushReason::ProcessorRead), 1);
    assert_eq!(vram.bytes()[first as usize], 0xFF);
}

#[test]
fn a_written_pixel_is_not_overwritten_by_older_primitives() {
    let mut fixture = Fixture::new();
    let color = state(0, StateFlags::empty());
    fixture.rectangle(&color, None, [corner(0, 0, 0), corner(8, 8, 0xFF)]);
    let Fixture { vram, rasterizer } = &mut fixture;
    rasterizer.before_write(
        vram,
        VramRange { start: 4, length: 4 },
        FlushReason::ProcessorWrite,
    );
    vram.write(4, &[0, 0xAA, 0, 0]);
    assert_eq!(fixture.pixel(0, 1, 0), 0xAA00);
    assert_eq!(fixture.pixel(0, 2, 0), 0xFF);
}

#[test]
fn indices_beyond_the_vertices_draw_nothing() {
    let mut fixture = Fixture::new();
    let state = state(0, StateFlags::empty());
    for primitives in [
        Primitives::Points(&[7]),
        Primitives::Lines(&[[0, 7]]),
        Primitives::Triangles(&[[0, 1, u32::MAX]]),
        Primitives::Rectangles(&[[7, 1]]),
    ] {
        let vertices = [corner(0, 0, 0xFF), corner(8, 8, 0xFF)];
        let draw = Draw {
            state: &state,
            texture: None,
            vertices: &vertices,
            primitives,
        };
        fixture.rasterizer.draw(&mut fixture.vram, &draw);
    }
    assert_eq!(fixture.pixel(0, 4, 4), 0);
    assert_eq!(fixture.rasterizer.statistics().pixels_covered, 0);
}

/// Two rectangles, where one's depth may lie among the other's colours. First may come a triangle past the target's corner,
/// which covers nothing, while the box around it is as large as the target.
fn overlapping(tuning: Tuning, beyond: bool, depth_offset: u32) -> Vec<u8> {
    let mut vram = Vram::default();
    for (at, byte) in vram.bytes_mut().iter_mut().enumerate() {
        *byte = (at * 7 + at / 256) as u8;
    }
    let mut fixture = Fixture {
        vram,
        rasterizer: Rasterizer::with_tuning(Profile::Hardware, tuning),
    };
    if beyond {
        let vertices = [
            corner(-40, 200, 0xFF),
            corner(200, -40, 0xFF),
            corner(200, 200, 0xFF),
        ];
        let mut state = state(0, StateFlags::empty());
        state.target.depth_offset = depth_offset;
        let draw = Draw {
            state: &state,
            texture: None,
            vertices: &vertices,
            primitives: Primitives::Triangles(&[[0, 1, 2]]),
        };
        fixture.rasterizer.draw(&mut fixture.vram, &draw);
    }
    let mut state = state(0, StateFlags::DEPTH_TEST.with(StateFlags::DEPTH_WRITE, true));
    state.target.depth_offset = depth_offset;
    state.depth_function = CompareFunction::LESS;
    for (number, color) in [(0, 0x11_2233), (1, 0x44_5566)] {
        let mut last = corner(64, 8 + 52 * number, color);
        last.z = 0x2000 + 0x7000 * number as u32;
        fixture.rectangle(&state, None, [corner(0, 40 * number, 0), last]);
    }
    fixture.rasterizer.flush(&mut fixture.vram, FlushReason::Finished);
    fixture.vram.bytes().to_vec()
}

#[test]
fn what_covers_nothing_does_not_hide_that_a_target_overlaps_itself() {
    let count = |number| NonZeroUsize::new(number).expect("not zero");
    let one = Tuning {
        threads: Threads::Count(count(1)),
        ..Tuning::default()
    };
    let reference = Tuning {
        method: Method::Reference,
        ..one
    };
    for depth_offset in [0, 0x10, 0x1000, 0x3000] {
        for beyond in [false, true] {
            let expected = overlapping(reference, beyond, depth_offset);
            for (threads, tile_size) in [
                (1, TileSize::Small),
                (1, TileSize::Medium),
                (1, TileSize::Large),
                (2, TileSize::Medium),
            ] {
                let tuning = Tuning {
                    threads: Threads::Count(count(threads)),
                    tile_size,
                    ..one
                };
                let found = overlapping(tuning, beyond, depth_offset);
                let unlike = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
                assert_eq!(unlike, 0, "{depth_offset:#x}, {beyond}, {threads}, {tile_size:?}");
            }
        }
    }
}
