//! Reading vectors, and a small screen to draw them on.

use std::path::Path;

use raster::{
    Clut, Draw, FlushReason, FrameFormat, LevelSize, Method, PixelState, Primitives, Profile, Rasterizer,
    Scissor, ScreenVertex, StateFlags, Subpixel, Target, TexelOrder, TextureFormat, TextureFunction,
    TextureLevel, TextureSource, Threads, Tuning, Vram,
};
use serde_json::Value;

/// A file of vectors; none, with the reason printed, where the shared data is absent.
pub(crate) fn load(name: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/spec/vectors")
        .join(name)
        .with_extension("json");
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).expect("vectors are valid JSON")),
        Err(error) => {
            eprintln!("skipped: {}: {error}", path.display());
            None
        }
    }
}

pub(crate) fn cases(vectors: &Value) -> &[Value] {
    vectors["cases"].as_array().expect("vectors have cases")
}

/// A number of a case.
pub(crate) fn number(case: &Value, field: &str) -> u32 {
    let value = &case[field];
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{field} is no number: {case}")) as u32
}

pub(crate) fn is_set(case: &Value, field: &str) -> bool {
    number(case, field) != 0
}

pub(crate) fn float(value: &Value) -> f32 {
    value.as_f64().expect("a number") as f32
}

pub(crate) fn floats(value: &Value) -> Vec<f32> {
    value.as_array().expect("a list").iter().map(float).collect()
}

pub(crate) fn numbers(value: &Value) -> Vec<u32> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|number| number.as_u64().expect("a number") as u32)
        .collect()
}

/// A list of lists of numbers; none where there is no list.
pub(crate) fn rows(value: &Value) -> Vec<Vec<u32>> {
    value.as_array().into_iter().flatten().map(numbers).collect()
}

/// How many results agreed; checked against what the vectors say when it goes.
pub(crate) struct Score<'a> {
    name: &'a str,
    vectors: &'a Value,
    checked: u64,
    reproduced: u64,
    misses: Vec<String>,
}

impl<'a> Score<'a> {
    pub(crate) fn new(name: &'a str, vectors: &'a Value) -> Self {
        Self {
            name,
            vectors,
            checked: 0,
            reproduced: 0,
            misses: Vec::new(),
        }
    }

    pub(crate) fn check(&mut self, result: u32, expected: u32, what: impl FnOnce() -> String) {
        self.checked += 1;
        if result == expected {
            self.reproduced += 1;
        } else if self.misses.len() < 10 {
            self.misses
                .push(format!("{}: {result:08x} instead of {expected:08x}", what()));
        }
    }

    /// Compares with what the specification's rules reach.
    pub(crate) fn finish(self) {
        let evaluation = &self.vectors["evaluation"];
        let expected = evaluation["reproduced"].as_u64().expect("an evaluation");
        self.at_least(expected);
    }

    pub(crate) fn at_least(self, expected: u64) {
        println!(
            "{}: {} of {} reproduced, {expected} expected",
            self.name, self.reproduced, self.checked
        );
        assert!(
            self.reproduced >= expected,
            "{}: {}\n{}",
            self.name,
            self.reproduced,
            self.misses.join("\n")
        );
    }
}

pub(crate) const WIDTH: u32 = 480;
pub(crate) const HEIGHT: u32 = 272;
const STRIDE: u16 = 512;

/// A frame in VRAM. Everything is drawn a second time by the reference kernel, which has to agree.
pub(crate) struct Screen {
    pub(crate) vram: Vram,
    pub(crate) rasterizer: Rasterizer,
    reference: (Vram, Rasterizer),
    format: FrameFormat,
}

impl Screen {
    pub(crate) fn new(format: FrameFormat) -> Self {
        let reference = Tuning {
            method: Method::Reference,
            ..Tuning::default()
        };
        Self {
            vram: Vram::default(),
            rasterizer: Rasterizer::new(Profile::Hardware, Threads::Automatic),
            reference: (
                Vram::default(),
                Rasterizer::with_tuning(Profile::Hardware, reference),
            ),
            format,
        }
    }

    /// Fills the pixels from (0, 0) on with a stored value.
    pub(crate) fn fill(&mut self, stored: u32, width: u32, height: u32) {
        let bytes = &stored.to_le_bytes()[..self.format.bytes() as usize];
        let row = bytes.repeat(width as usize);
        for y in 0..height {
            let start = y * u32::from(STRIDE) * self.format.bytes();
            self.vram.write(start, &row);
            self.reference.0.write(start, &row);
        }
    }

    pub(crate) fn draw(
        &mut self,
        state: &PixelState,
        texture: Option<TextureSource<'_>>,
        vertices: &[ScreenVertex],
        primitives: Primitives<'_>,
    ) {
        let draw = Draw {
            state,
            texture,
            vertices,
            primitives,
        };
        self.rasterizer.draw(&mut self.vram, &draw);
        let (vram, rasterizer) = &mut self.reference;
        rasterizer.draw(vram, &draw);
    }

    /// A rectangle between two vertices.
    pub(crate) fn rectangle(
        &mut self,
        state: &PixelState,
        texture: Option<TextureSource<'_>>,
        vertices: [ScreenVertex; 2],
    ) {
        self.draw(state, texture, &vertices, Primitives::Rectangles(&[[0, 1]]));
    }

    /// A fan of four vertices.
    pub(crate) fn fan(
        &mut self,
        state: &PixelState,
        texture: Option<TextureSource<'_>>,
        vertices: [ScreenVertex; 4],
    ) {
        self.draw(
            state,
            texture,
            &vertices,
            Primitives::Triangles(&[[0, 1, 2], [0, 2, 3]]),
        );
    }

    pub(crate) fn finish(&mut self) {
        self.rasterizer.flush(&mut self.vram, FlushReason::Finished);
        let (vram, rasterizer) = &mut self.reference;
        rasterizer.flush(vram, FlushReason::Finished);
        assert!(self.vram.bytes() == vram.bytes(), "the kernels draw the same");
    }

    /// The stored value of a pixel.
    pub(crate) fn stored(&self, x: u32, y: u32) -> u32 {
        let mut bytes = [0; 4];
        let size = self.format.bytes();
        self.vram
            .read((y * u32::from(STRIDE) + x) * size, &mut bytes[..size as usize]);
        u32::from_le_bytes(bytes)
    }
}

/// A state that draws everything inside the frame, with nothing switched on.
pub(crate) fn state(format: FrameFormat, flags: StateFlags) -> PixelState {
    PixelState {
        flags,
        target: Target {
            color_offset: 0,
            color_stride: STRIDE,
            depth_stride: STRIDE,
            depth_offset: 0x11_0000,
            format,
            ..Target::default()
        },
        scissor: Scissor {
            left: 0,
            top: 0,
            right: WIDTH as u16 - 1,
            bottom: HEIGHT as u16 - 1,
        },
        depth_maximum: 0xFFFF,
        ..PixelState::default()
    }
}

/// The same with a texture function.
pub(crate) fn textured(mut state: PixelState, function: TextureFunction) -> PixelState {
    state.flags = state.flags.with(StateFlags::TEXTURE, true);
    state.texture.function = function;
    state
}

pub(crate) const NO_CLUT: Clut<'static> = Clut {
    change: None,
    memory: &[0; 1024],
    format: FrameFormat::RGBA8888,
    shift: 0,
    mask: 0xFF,
    start: 0,
    per_level: false,
};

/// A level with the least rows that hardware takes.
pub(crate) fn level(bytes: &[u8], buffer_width: u32, log2_width: u8, log2_height: u8) -> TextureLevel<'_> {
    TextureLevel {
        stamp: None,
        bytes,
        buffer_width,
        size: LevelSize {
            log2_width,
            log2_height,
        },
        vram: None,
    }
}

pub(crate) fn source<'a>(format: TextureFormat, levels: &'a [TextureLevel<'a>]) -> TextureSource<'a> {
    TextureSource {
        format,
        order: TexelOrder::Linear,
        levels,
        clut: NO_CLUT,
    }
}

/// Texels of 8888 in rows of at least four.
pub(crate) fn texel_bytes(rows: &[Vec<u32>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in rows {
        for column in 0..row.len().max(4) {
            bytes.extend(row.get(column).copied().unwrap_or(0).to_le_bytes());
        }
    }
    bytes
}

/// A vertex in sub units.
pub(crate) fn vertex(x: i32, y: i32) -> ScreenVertex {
    ScreenVertex {
        x: Subpixel(x),
        y: Subpixel(y),
        fog: 1.0,
        q: 1.0,
        w: 1.0,
        color: 0xFFFF_FFFF,
        ..ScreenVertex::default()
    }
}

/// The low 8 bits of a single cut off: a float24.
pub(crate) fn float24(number: f32) -> f32 {
    f32::from_bits(number.to_bits() & !0xFF)
}

/// A screen coordinate in sub units before the offset: centre 2048 plus a product, in the GE's own arithmetic
/// (spec/ge-raster.md §2.2). Only for a w of 1 and identity matrices.
pub(crate) fn viewport(clip: f32, scale: f32) -> i32 {
    // 16 significant bits each, so that the product is exact in a double; 37 of its 53 bits go.
    let product = f64::from(float24(clip)) * f64::from(float24(scale));
    let product = f64::from_bits(product.to_bits() & !((1 << 37) - 1));
    // One sub unit is the last bit of a number at 2048.
    32768 + (product * 16.0).trunc() as i32
}

/// A vertex with a texture coordinate.
pub(crate) fn with_texel(mut vertex: ScreenVertex, s: f32, t: f32) -> ScreenVertex {
    (vertex.s, vertex.t) = (s, t);
    vertex
}
