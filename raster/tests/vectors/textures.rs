//! Texture formats, palettes, sizes and rotation.

use raster::{Clut, FrameFormat, StateFlags, TextureFormat, TextureFunction, TextureSource};
use serde_json::Value;

use crate::common::{
    Score, Screen, cases, floats, is_set, level, load, number, numbers, source, state, texel_bytes, textured,
    vertex, viewport, with_texel,
};

const FORMAT: FrameFormat = FrameFormat::RGBA8888;

/// The colour of the top left texel, drawn as the texel tests do.
fn shown(texture: TextureSource<'_>) -> u32 {
    let mut screen = Screen::new(FORMAT);
    let state = textured(state(FORMAT, StateFlags::THROUGH), TextureFunction::DECAL);
    screen.rectangle(
        &state,
        Some(texture),
        [vertex(0, 0), with_texel(vertex(16, 16), 1.0, 1.0)],
    );
    screen.finish();
    screen.stored(0, 0) & 0xFF_FFFF
}

#[test]
fn texcolors_16bit() {
    let Some(vectors) = load("texcolors_16bit") else {
        return;
    };
    let mut score = Score::new("texcolors_16bit", &vectors);
    for case in cases(&vectors) {
        let bytes = number(case, "texel").to_le_bytes();
        let levels = [level(&bytes, 8, 0, 0)];
        let format = TextureFormat::from_bits(number(case, "format"));
        score.check(shown(source(format, &levels)), number(case, "rgb"), || {
            case.to_string()
        });
    }
    score.finish();
}

/// Colour and alpha of the top left texel, as 8888: replaced, and alpha made visible through the stored white.
fn dxt(name: &str, format: TextureFormat, alpha_part: impl Fn(&Value) -> Vec<u8>) {
    let Some(vectors) = load(name) else { return };
    let mut score = Score::new(name, &vectors);
    for case in cases(&vectors) {
        let mut block: Vec<u8> = numbers(&case["lines"])
            .into_iter()
            .map(|line| line as u8)
            .collect();
        block.extend((number(case, "color1") as u16).to_le_bytes());
        block.extend((number(case, "color2") as u16).to_le_bytes());
        block.extend(alpha_part(case));
        let bytes = block.repeat(4);
        let levels = [level(&bytes, 8, 3, 3)];
        let texture = source(format, &levels);

        let mut screen = Screen::new(FORMAT);
        screen.fill(0x00FF_FFFF, 2, 1);
        let corners = |left| [vertex(left, 0), with_texel(vertex(left + 16, 16), 1.0, 1.0)];
        let flags = StateFlags::THROUGH.with(StateFlags::TEXTURE_ALPHA, true);
        let mut state = textured(state(FORMAT, flags), TextureFunction::REPLACE);
        screen.rectangle(&state, Some(texture), corners(0));
        state.flags = state.flags.with(StateFlags::BLEND, true);
        state.blend.source = raster::BlendFactor::FIXED;
        state.blend.destination = raster::BlendFactor::SOURCE_ALPHA;
        screen.rectangle(&state, Some(texture), corners(16));
        screen.finish();
        let result = screen.stored(0, 0) & 0xFF_FFFF | (screen.stored(1, 0) << 24);
        score.check(
            result,
            number(case, "rgb") | (number(case, "alpha") << 24),
            || case.to_string(),
        );
    }
    score.finish();
}

#[test]
fn texcolors_dxt1() {
    dxt("texcolors_dxt1", TextureFormat::DXT1, |_| Vec::new());
}

#[test]
fn texcolors_dxt3() {
    dxt("texcolors_dxt3", TextureFormat::DXT3, |case| {
        numbers(&case["alpha_lines"])
            .into_iter()
            .flat_map(|line| (line as u16).to_le_bytes())
            .collect()
    });
}

#[test]
fn texcolors_dxt5() {
    dxt("texcolors_dxt5", TextureFormat::DXT5, |case| {
        let alpha = |field| number(case, field) as u8;
        vec![
            alpha("alpha_index"),
            0,
            0,
            0,
            0,
            0,
            alpha("alpha1"),
            alpha("alpha2"),
        ]
    });
}

fn palette(name: &str) {
    let Some(vectors) = load(name) else { return };
    let mut score = Score::new(name, &vectors);
    let mut memory = [0; 1024];
    for (index, byte) in memory.iter_mut().enumerate() {
        *byte = (index / 4) as u8;
    }
    for case in cases(&vectors) {
        let bytes = number(case, "raw").to_le_bytes();
        let levels = [level(&bytes, 4, 0, 0)];
        let clut = Clut {
            change: None,
            memory: &memory,
            format: FrameFormat::from_bits(number(case, "clut_format")),
            shift: (number(case, "shift") & 31) as u8,
            mask: number(case, "mask") as u8,
            start: number(case, "start") as u8,
            per_level: false,
        };
        let texture = TextureSource {
            clut,
            ..source(TextureFormat::CLUT32, &levels)
        };
        score.check(shown(texture), number(case, "rgb"), || case.to_string());
    }
    score.finish();
}

#[test]
fn clut_masks() {
    palette("clut_masks");
}

#[test]
fn clut_offset() {
    palette("clut_offset");
}

#[test]
fn clut_shifts() {
    palette("clut_shifts");
}

#[test]
fn textures_size() {
    let Some(vectors) = load("textures_size") else {
        return;
    };
    let mut score = Score::new("textures_size", &vectors);
    for case in cases(&vectors) {
        let format = TextureFormat::from_bits(number(case, "format"));
        let (log2_w, log2_h) = (number(case, "log2_w"), number(case, "log2_h"));
        let width = 1u32 << log2_w;
        let buffer_width = width.max(128 / format.bits_per_texel());
        let elements = 1u32 << 16;
        let bytes: Vec<u8> = match format {
            TextureFormat::RGBA8888 => (0..elements)
                .flat_map(|i| (0xFFF0_0000 | i).to_le_bytes())
                .collect(),
            TextureFormat::RGBA4444 => (0..elements)
                .flat_map(|i| (0xF000 | (i & 0xFFF) as u16).to_le_bytes())
                .collect(),
            TextureFormat::CLUT8 => (0..elements).map(|i| ((i % width) & 0xFF) as u8).collect(),
            _ => (0..elements / 2)
                .map(|i| ((2 * i) & 15 | ((2 * i + 1) & 15) << 4) as u8)
                .collect(),
        };
        let mut memory = [0; 1024];
        for (index, word) in memory.chunks_exact_mut(4).enumerate() {
            word.copy_from_slice(&(0xFF00_0000 | index as u32).to_le_bytes());
        }
        // Of a register, 11 bits make the buffer width.
        let levels = [level(&bytes, buffer_width & 0x7FF, log2_w as u8, log2_h as u8)];
        let clut = Clut {
            change: None,
            memory: &memory,
            ..crate::common::NO_CLUT
        };
        let texture = TextureSource {
            clut,
            ..source(format, &levels)
        };

        let through = is_set(case, "through");
        let flags = StateFlags::TEXTURE_ALPHA
            .with(StateFlags::THROUGH, through)
            .with(StateFlags::CLAMP_S, true)
            .with(StateFlags::CLAMP_T, true);
        let state = textured(state(FORMAT, flags), TextureFunction::REPLACE);
        let corners = if through {
            [
                vertex(0, 0),
                with_texel(vertex(4096, 4096), width as f32, (1u32 << log2_h) as f32),
            ]
        } else {
            let x = |clip: i32| viewport(clip as f32 / 32768.0, 128.0) - 1920 * 16;
            let y = |clip: i32| viewport(clip as f32 / 32768.0, -128.0) - 1920 * 16;
            [
                vertex(x(-32768), y(32767)),
                with_texel(vertex(x(32767), y(-32768)), 1.0, 1.0),
            ]
        };
        let mut screen = Screen::new(FORMAT);
        screen.rectangle(&state, Some(texture), corners);
        screen.finish();
        for pixel in case["pixels"].as_array().expect("pixels") {
            let pixel = numbers(pixel);
            let stored = screen.stored(pixel[0], pixel[1]) & 0xFF_FFFF;
            score.check(stored, pixel[2], || format!("{pixel:?} of {case}"));
        }
    }
    score.finish();
}

#[test]
fn textures_rotate() {
    let Some(vectors) = load("textures_rotate") else {
        return;
    };
    let mut score = Score::new("textures_rotate", &vectors);
    let texels = numbers(&vectors["texture"]);
    let bytes = texel_bytes(&[texels[..2].to_vec(), texels[2..].to_vec()]);
    let levels = [level(&bytes, 4, 1, 1)];
    for case in cases(&vectors) {
        let through = is_set(case, "through");
        let state = textured(
            state(FORMAT, StateFlags::empty().with(StateFlags::THROUGH, through)),
            TextureFunction::REPLACE,
        );
        let upside_down = case["flip_y"] != "none";
        let mut corners = ["pos0", "pos1"].map(|field| {
            let position = floats(&case[field]);
            if through {
                return vertex(16 * position[0] as i32, 16 * position[1] as i32);
            }
            let y = position[1] / 32768.0 * if upside_down { -1.0 } else { 1.0 };
            vertex(
                viewport(position[0] / 32768.0, 240.0) - 1808 * 16,
                viewport(y, -136.0) - 1912 * 16,
            )
        });
        let size = if through { 2.0 } else { 1.0 };
        (corners[1].s, corners[1].t) = (size, size);
        let mut screen = Screen::new(FORMAT);
        screen.rectangle(&state, Some(source(TextureFormat::RGBA8888, &levels)), corners);
        screen.finish();
        let result = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| screen.stored(x, y) & 0xFF_FFFF);
        score.check(u32::from(result[..] == numbers(&case["out"])[..]), 1, || {
            format!("{result:x?} for {case}")
        });
    }
    score.finish();
}
