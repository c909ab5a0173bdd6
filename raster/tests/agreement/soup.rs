//! Random draws.

use std::fmt;

use raster::{
    Blend, BlendEquation, BlendFactor, Clut, ColorTest, ColorTestFunction, CompareFunction, Draw,
    FrameFormat, LevelMode, LevelSize, LogicOperation, MaskedTest, PixelState, Primitives, Rasterizer,
    Scissor, ScreenVertex, StateFlags, StencilOperation, StencilOperations, Subpixel, Target, TexelOrder,
    TextureFormat, TextureFunction, TextureLevel, TextureSource, TextureState, Vram, VramRange,
};

/// Numbers that a seed brings (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    pub(crate) fn word(&mut self) -> u32 {
        self.bits() as u32
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        (self.bits() % u64::from(limit)) as u32
    }

    pub(crate) fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == 0
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.word() as f32 / u32::MAX as f32)
    }

    /// Mostly most of 128 x 100 pixels; else a single pixel, an empty one, a wide or a tall one.
    fn scissor(&mut self) -> Scissor {
        let [left, top] = [0; 2].map(|_: u16| self.below(40) as u16);
        let [x, y] = [0; 2].map(|_: u16| self.below(1100) as u16);
        match self.below(40) {
            0 => Scissor {
                left,
                top,
                right: left,
                bottom: top,
            },
            1 => Scissor {
                left: 1 + left,
                top,
                right: left,
                bottom: 100,
            },
            2 => Scissor {
                left: 0,
                top: 60 + top,
                right: x,
                bottom: 60 + top + self.below(8) as u16,
            },
            3 => Scissor {
                left: 60 + left,
                top: 0,
                right: 60 + left + self.below(8) as u16,
                bottom: y,
            },
            4 => Scissor {
                left: x,
                top: y,
                right: 1023,
                bottom: 1023,
            },
            5..=8 => Scissor {
                left,
                top,
                right: 8,
                bottom: 60 + self.below(40) as u16,
            },
            _ => Scissor {
                left,
                top,
                right: 100 + self.below(28) as u16,
                bottom: 60 + self.below(40) as u16,
            },
        }
    }

    /// A coordinate around the frame, or far outside.
    fn coordinate(&mut self) -> i32 {
        match self.below(40) {
            0 => self.word() as i32,
            1 => self.below(1 << 21) as i32 - (1 << 20),
            2..=9 => 16 * (self.below(160) as i32 - 10) + if self.one_in(2) { 8 } else { 0 },
            _ => self.below(2600) as i32 - 200,
        }
    }

    /// A texture coordinate, w, q or fog factor: mostly sensible.
    fn float(&mut self, high: f32) -> f32 {
        match self.below(60) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            3 => 0.0,
            4 => f32::from_bits(self.word()),
            5 => -self.between(0.0, high),
            6..=20 => self.below(high as u32 + 2) as f32,
            _ => self.between(0.0, high),
        }
    }
}

/// Everything a draw needs, owned.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) state: PixelState,
    vertices: Vec<ScreenVertex>,
    pub(crate) indices: Vec<[u32; 3]>,
    kind: u32,
    format: TextureFormat,
    order: TexelOrder,
    pub(crate) levels: Vec<Level>,
    bytes: Vec<u8>,
    pub(crate) clut_memory: [u8; 1024],
    clut: (FrameFormat, u8, u8, u8, bool),
}

/// A mip level: its bytes are the case's, or VRAM's, or the case's although it lies in VRAM.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    size: LevelSize,
    buffer_width: u32,
    pub(crate) vram: Option<VramRange>,
    has_bytes: bool,
}

impl Case {
    /// The same in another state.
    pub(crate) fn with_state(&self, state: PixelState) -> Self {
        Self {
            state,
            ..self.clone()
        }
    }
}

impl Case {
    /// Its primitives, a case each.
    pub(crate) fn one_by_one(&self) -> impl Iterator<Item = Self> {
        self.indices.iter().map(|&primitive| Self {
            indices: vec![primitive],
            ..self.clone()
        })
    }

    /// The same in a few columns and all rows.
    pub(crate) fn stretch(&mut self) {
        self.state.scissor = Scissor {
            left: 40,
            top: 0,
            right: 55,
            bottom: 1023,
        };
        for vertex in &mut self.vertices {
            vertex.y = Subpixel(vertex.y.0.saturating_mul(8));
        }
    }
}

impl fmt::Debug for Case {
    /// Without the texels.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = ["points", "lines", "rectangles", "triangles"][self.kind as usize];
        formatter
            .debug_struct(kind)
            .field("indices", &self.indices)
            .field("vertices", &self.vertices)
            .field("state", &self.state)
            .field("texture", &(self.format, self.order, &self.levels, self.clut))
            .finish()
    }
}

const STRIDES: [u16; 4] = [128, 160, 256, 64];

pub(crate) fn random_case(seed: u64) -> Case {
    let mut random = Random(seed);
    let random = &mut random;
    let mut flags = StateFlags::empty();
    for flag in ALL_FLAGS {
        // Most pixels should pass most tests.
        let odds = match flag {
            StateFlags::CLEAR | StateFlags::LOGIC_OPERATION | StateFlags::COLOR_TEST => 5,
            StateFlags::ALPHA_TEST | StateFlags::STENCIL_TEST | StateFlags::DEPTH_TEST => 3,
            _ => 2,
        };
        flags = flags.with(
            flag,
            random.one_in(odds) || flag == StateFlags::TEXTURE && random.one_in(2),
        );
    }
    let compare = |random: &mut Random| CompareFunction::from_bits(random.word());
    let usual_stride = !random.one_in(6);
    let target = Target {
        color_offset: if random.one_in(8) { 0x1F_F000 } else { 0 },
        color_stride: if usual_stride {
            128
        } else {
            STRIDES[random.below(4) as usize]
        },
        depth_stride: 128,
        depth_offset: if random.one_in(8) { 0x1000 } else { 0x4_0000 },
        format: FrameFormat::from_bits(random.below(4)),
        ..Target::default()
    };
    let scissor = random.scissor();
    let state = PixelState {
        flags,
        target,
        scissor,
        depth_minimum: if random.one_in(3) { 0x2000 } else { 0 },
        depth_maximum: if random.one_in(3) { 0xD000 } else { 0xFFFF },
        alpha_test: MaskedTest {
            function: compare(random),
            reference: random.word() as u8,
            mask: random.word() as u8,
            ..MaskedTest::default()
        },
        stencil_test: MaskedTest {
            function: compare(random),
            reference: random.word() as u8,
            mask: random.word() as u8,
            ..MaskedTest::default()
        },
        stencil_operations: StencilOperations {
            stencil_fail: StencilOperation::from_bits(random.word()),
            depth_fail: StencilOperation::from_bits(random.word()),
            pass: StencilOperation::from_bits(random.word()),
            ..StencilOperations::default()
        },
        color_test: ColorTest {
            reference: random.word() & 0xFF_FFFF,
            mask: random.word() & random.word() & random.word() & 0xFF_FFFF,
            function: ColorTestFunction::from_bits(random.word()),
            ..ColorTest::default()
        },
        blend: Blend {
            equation: BlendEquation::from_bits(random.word()),
            source: BlendFactor::from_bits(random.word()),
            destination: BlendFactor::from_bits(random.word()),
            fixed_source: random.word() & 0xFF_FFFF,
            fixed_destination: random.word() & 0xFF_FFFF,
            ..Blend::default()
        },
        depth_function: compare(random),
        logic_operation: LogicOperation::from_bits(random.word()),
        dither: [0; 4].map(|_: u16| random.word() as u16),
        fog_color: random.word() & 0xFF_FFFF,
        write_mask: if random.one_in(3) { random.word() } else { 0 },
        texture: TextureState {
            function: TextureFunction::from_bits(random.word()),
            level_mode: LevelMode::from_bits(random.word()),
            highest_level: random.below(8) as u8,
            level_bias: i32::from(random.word() as u8 as i8) / 4,
            level_slope: random.float(2.0).to_bits(),
            environment_color: random.word() & 0xFF_FFFF,
            ..TextureState::default()
        },
        ..PixelState::default()
    };

    let format = TextureFormat::from_bits(random.below(12));
    let in_vram = random.one_in(2);
    let levels = (0..=random.below(8) as u8)
        .map(|number| {
            let exponent = |random: &mut Random| (random.below(7) as u8).saturating_sub(number / 2);
            let size = match random.below(20) {
                0 => LevelSize {
                    log2_width: 15,
                    log2_height: 2,
                },
                _ => LevelSize {
                    log2_width: exponent(random),
                    log2_height: exponent(random),
                },
            };
            let start = match random.below(3) {
                0 => 0x800 * random.below(16),
                1 => 0x60_0000 + 0x4_0000 + 0x400 * random.below(16),
                _ => 0x20_0000 * random.below(4) + 0x1000 * random.below(64),
            };
            let range = VramRange {
                start,
                length: 0x1_0000,
            };
            Level {
                size,
                buffer_width: 32 << random.below(3),
                vram: in_vram.then_some(range),
                has_bytes: !in_vram || random.one_in(12),
            }
        })
        .collect();
    let through = flags.contains(StateFlags::THROUGH);
    let vertex_count = 3 + random.below(9);
    let flat = random.one_in(4).then(|| random.below(0x1_0000));
    let same_w = random.one_in(2);
    let vertices = (0..vertex_count)
        .map(|_| ScreenVertex {
            x: Subpixel(random.coordinate()),
            y: Subpixel(random.coordinate()),
            z: flat.unwrap_or_else(|| {
                if random.one_in(20) {
                    random.word()
                } else {
                    random.below(0x1_0000)
                }
            }),
            color: if random.one_in(3) {
                0xFFFF_FFFF
            } else {
                random.word()
            },
            secondary: random.word(),
            fog: random.float(1.2),
            s: random.float(if through { 64.0 } else { 2.0 }),
            t: random.float(if through { 64.0 } else { 2.0 }),
            q: random.float(1.0),
            w: if same_w || through {
                1.0
            } else {
                random.float(10.0)
            },
        })
        .collect();
    let mut vertices: Vec<ScreenVertex> = vertices;
    arrange(random, &mut vertices);
    let in_order = random.one_in(3);
    let indices = (0..1 + random.below(5))
        .map(|number| {
            if in_order {
                [0, 1, 2].map(|corner| (3 * number + corner) % (vertex_count + 1))
            } else {
                [0; 3].map(|_: u32| random.below(vertex_count + 1))
            }
        })
        .collect();
    let mut clut_memory = [0; 1024];
    clut_memory.fill_with(|| random.word() as u8);
    let mut bytes = vec![0; 0x4000];
    bytes.fill_with(|| random.word() as u8);
    Case {
        state,
        vertices,
        indices,
        kind: [0, 1, 2, 2, 2, 3, 3, 3][random.below(8) as usize],
        format,
        order: if random.one_in(2) {
            TexelOrder::Linear
        } else {
            TexelOrder::Swizzled
        },
        levels,
        bytes,
        clut_memory,
        clut: (
            FrameFormat::from_bits(random.below(4)),
            random.below(32) as u8 / 4,
            random.word() as u8,
            random.below(32) as u8,
            random.one_in(2),
        ),
    }
}

/// Moves vertices to where shapes are special: slivers, tiny, huge and hidden ones, axis-parallel ones, texels one to one.
fn arrange(random: &mut Random, vertices: &mut [ScreenVertex]) {
    let far = 1 << 20;
    let nudge = |random: &mut Random| random.below(5) as i32 - 2;
    let [x, y] = [0; 2].map(|_: i32| random.below(2000) as i32);
    match random.below(15) {
        // On a line, or almost: between rows of samples, columns of them, or across.
        0 | 1 => {
            let steps = [(16, 0), (16, 1), (0, 16), (1, 16), (16, 16), (7, -9)];
            let slants = [(16, 16), (16, -16), (-32, 16), (16, 48), (2, 2), (7, -9)];
            // In PPSSPP's profile those that are exactly on one draw its samples.
            let exact = random.one_in(2);
            let (across, down) = if exact { slants } else { steps }[random.below(6) as usize];
            let from = |start: i32| if exact { ((start / 4) & !15) | 8 } else { start / 4 };
            let corners = vertices.len() as u32 / 2;
            for vertex in vertices {
                let at = if exact {
                    8 * random.below(corners) as i32
                } else {
                    random.below(160) as i32 - 20
                };
                let [dx, dy] = [0; 2].map(|_: i32| if exact { 0 } else { nudge(random) });
                vertex.x = Subpixel(from(x) + across * at + dx);
                vertex.y = Subpixel(from(y) + down * at + dy);
            }
        }
        // Along the edges of tiles, through few samples or none: their boxes may be large and reach no tile.
        8 => {
            let mut across = random.one_in(2);
            for corners in vertices.chunks_mut(3) {
                let edge = 256 * random.below(7) as i32 + nudge(random);
                let slope = random.below(9) as i32 - 4;
                for vertex in corners {
                    let at = random.below(200) as i32 - 40;
                    let beside = edge + at * slope / 16 + nudge(random);
                    let (x, y) = if across {
                        (16 * at, beside)
                    } else {
                        (beside, 16 * at)
                    };
                    (vertex.x, vertex.y) = (Subpixel(x), Subpixel(y));
                }
                across = !across;
            }
        }
        // A few sub units.
        2 => {
            for vertex in vertices {
                vertex.x = Subpixel(x + random.below(40) as i32);
                vertex.y = Subpixel(y + random.below(40) as i32);
            }
        }
        // Far apart.
        3 => {
            for vertex in vertices {
                let ends = [-far, far, x, 16 * 1024, -y];
                vertex.x = Subpixel(ends[random.below(5) as usize] + nudge(random));
                vertex.y = Subpixel(ends[random.below(5) as usize] + nudge(random));
            }
        }
        // All on one side of the frame.
        4 if random.one_in(3) => {
            let left = random.one_in(2);
            for vertex in vertices {
                let beyond = -1 - random.below(3000) as i32;
                *if left { &mut vertex.x } else { &mut vertex.y } = Subpixel(beyond);
            }
        }
        // Past a corner of the frame, which the boxes hold.
        4 => {
            for vertex in vertices {
                let along = random.below(16_000) as i32 - 8000;
                vertex.x = Subpixel(2100 + along + random.below(200) as i32);
                vertex.y = Subpixel(2100 - along + random.below(200) as i32);
            }
        }
        // Corners of rectangles.
        5 | 6 => {
            let side = 16 * (1 + random.below(80)) as i32;
            for vertex in vertices {
                let corner = random.below(4) as i32;
                vertex.x = Subpixel(x / 16 * 16 + side * (corner & 1));
                vertex.y = Subpixel(y / 16 * 16 + side * (corner >> 1));
                if random.one_in(2) {
                    vertex.s = (corner & 1) as f32;
                    vertex.t = (corner >> 1) as f32;
                }
            }
        }
        // Texels one to one, in through mode.
        7 => {
            for vertex in vertices {
                vertex.x = Subpixel(vertex.x.0 & !15);
                vertex.y = Subpixel(vertex.y.0 & !15);
                vertex.s = (vertex.x.0.wrapping_sub(16 * 40) / 16) as f32;
                vertex.t = (vertex.y.0.wrapping_sub(16 * 40) / 16) as f32;
            }
        }
        _ => {}
    }
}

const ALL_FLAGS: [StateFlags; 28] = [
    StateFlags::THROUGH,
    StateFlags::CLEAR,
    StateFlags::CLEAR_COLOR,
    StateFlags::CLEAR_ALPHA,
    StateFlags::CLEAR_DEPTH,
    StateFlags::GOURAUD,
    StateFlags::TEXTURE,
    StateFlags::PROJECTED,
    StateFlags::FOG,
    StateFlags::ALPHA_TEST,
    StateFlags::COLOR_TEST,
    StateFlags::STENCIL_TEST,
    StateFlags::DEPTH_TEST,
    StateFlags::DEPTH_WRITE,
    StateFlags::BLEND,
    StateFlags::DITHER,
    StateFlags::LOGIC_OPERATION,
    StateFlags::ANTIALIAS,
    StateFlags::TEXTURE_ALPHA,
    StateFlags::DOUBLE_COLOR,
    StateFlags::MINIFY_LINEAR,
    StateFlags::MAGNIFY_LINEAR,
    StateFlags::MIPMAP,
    StateFlags::MIPMAP_LINEAR,
    StateFlags::CLAMP_S,
    StateFlags::CLAMP_T,
    StateFlags::SECONDARY_COLOR,
    StateFlags::CUT_COORDINATES,
];

pub(crate) fn submit(rasterizer: &mut Rasterizer, vram: &mut Vram, case: &Case) {
    let levels: Vec<TextureLevel<'_>> = case
        .levels
        .iter()
        .map(|level| TextureLevel {
            stamp: None,
            bytes: if level.has_bytes { &case.bytes } else { &[] },
            buffer_width: level.buffer_width,
            size: level.size,
            vram: level.vram,
        })
        .collect();
    let (format, shift, mask, start, per_level) = case.clut;
    let texture = TextureSource {
        format: case.format,
        order: case.order,
        levels: &levels,
        clut: Clut {
            change: None,
            memory: &case.clut_memory,
            format,
            shift,
            mask,
            start,
            per_level,
        },
    };
    let pairs: Vec<[u32; 2]> = case.indices.iter().map(|&[a, b, _]| [a, b]).collect();
    let singles: Vec<u32> = case.indices.iter().map(|&[a, ..]| a).collect();
    let primitives = match case.kind {
        0 => Primitives::Points(&singles),
        1 => Primitives::Lines(&pairs),
        2 => Primitives::Rectangles(&pairs),
        _ => Primitives::Triangles(&case.indices),
    };
    let draw = Draw {
        state: &case.state,
        texture: Some(texture),
        vertices: &case.vertices,
        primitives,
    };
    rasterizer.draw(vram, &draw);
}
