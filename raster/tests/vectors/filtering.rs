//! Filters and mip levels.

use raster::{FrameFormat, LevelMode, PixelState, StateFlags, TextureFormat, TextureFunction, TextureLevel};

use crate::common::{
    HEIGHT, Score, Screen, WIDTH, cases, float, floats, is_set, level, load, number, numbers, rows, source,
    state, texel_bytes, textured, vertex, viewport, with_texel,
};

const FORMAT: FrameFormat = FrameFormat::RGBA8888;

fn mip_levels<'a>(bytes: &'a [Vec<u8>], sizes: &[u8]) -> Vec<TextureLevel<'a>> {
    bytes
        .iter()
        .zip(sizes)
        .map(|(bytes, &size)| level(bytes, (1u32 << size).max(4), size, size))
        .collect()
}

#[test]
fn textures_mipmap() {
    let Some(vectors) = load("textures_mipmap") else {
        return;
    };
    let mut score = Score::new("textures_mipmap", &vectors);
    let bytes: Vec<Vec<u8>> = (0..8u8)
        .map(|number| vec![0x10 * number; 4 * 256 * 256])
        .collect();
    let levels = mip_levels(&bytes, &[8, 7, 6, 5, 4, 3, 2, 1]);
    for case in cases(&vectors) {
        let flags = StateFlags::THROUGH
            .with(StateFlags::MIPMAP, true)
            .with(StateFlags::MIPMAP_LINEAR, true)
            .with(StateFlags::CLAMP_S, true)
            .with(StateFlags::CLAMP_T, true);
        let mut state = textured(state(FORMAT, flags), TextureFunction::REPLACE);
        state.texture.highest_level = 7;
        state.texture.level_mode = LevelMode::from_bits(number(case, "mode"));
        state.texture.level_bias = i32::from(number(case, "bias") as u8 as i8);
        state.texture.level_slope = 2.0f32.to_bits();
        let (w, h) = (number(case, "w") as i32, number(case, "h") as i32);
        let last = with_texel(vertex(16 * w, 16 * h), float(&case["u"]), float(&case["v"]));
        let mut screen = Screen::new(FORMAT);
        screen.rectangle(
            &state,
            Some(source(TextureFormat::RGBA8888, &levels)),
            [vertex(0, 0), last],
        );
        screen.finish();
        score.check(screen.stored(0, 0) & 0xFF_FFFF, number(case, "out"), || {
            case.to_string()
        });
    }
    score.finish();
}

#[test]
fn filtering_mipmaplinear() {
    let Some(vectors) = load("filtering_mipmaplinear") else {
        return;
    };
    let mut score = Score::new("filtering_mipmaplinear", &vectors);
    for case in cases(&vectors) {
        let texels = |field, count| number(case, field).to_le_bytes().repeat(count);
        let bytes = [texels("level0", 8), texels("level1", 4)];
        let levels = mip_levels(&bytes, &[1, 0]);
        let flags = StateFlags::MIPMAP.with(StateFlags::MIPMAP_LINEAR, true);
        let mut state = textured(state(FORMAT, flags), TextureFunction::REPLACE);
        state.texture.highest_level = 1;
        state.texture.level_mode = LevelMode::SLOPE;
        state.texture.level_slope = float(&case["slope"]).to_bits();
        let mut screen = Screen::new(FORMAT);
        screen.fill(0x4444_4444, 1, 1);
        let corners = [vertex(0, 0), with_texel(vertex(33, 33), 1.0, 1.0)];
        screen.rectangle(&state, Some(source(TextureFormat::RGBA8888, &levels)), corners);
        screen.finish();
        score.check(screen.stored(0, 0), number(case, "out"), || case.to_string());
    }
    score.finish();
}

fn both_filters(state: PixelState, linear: bool) -> PixelState {
    let flags = state
        .flags
        .with(StateFlags::MINIFY_LINEAR, linear)
        .with(StateFlags::MAGNIFY_LINEAR, linear);
    PixelState { flags, ..state }
}

fn filtering(name: &str, linear: bool) {
    let Some(vectors) = load(name) else { return };
    let mut score = Score::new(name, &vectors);
    for case in cases(&vectors) {
        let texels = numbers(&case["tex"]);
        let bytes = texel_bytes(&[texels[..2].to_vec(), texels[2..].to_vec()]);
        let levels = [level(&bytes, 4, 1, 1)];
        let state = both_filters(
            textured(state(FORMAT, StateFlags::empty()), TextureFunction::REPLACE),
            linear,
        );
        let coordinate = |field: &str| case[field].as_i64().expect("a coordinate") as i32;
        let corner = |x: &str, y: &str, uv: &str| {
            let uv = floats(&case[uv]);
            with_texel(vertex(coordinate(x), coordinate(y)), uv[0], uv[1])
        };
        let mut screen = Screen::new(FORMAT);
        screen.fill(0x4444_4444, 4, 4);
        let corners = [corner("x0", "y0", "uv0"), corner("x1", "y1", "uv1")];
        screen.rectangle(&state, Some(source(TextureFormat::RGBA8888, &levels)), corners);
        screen.finish();
        score.check(screen.stored(0, 0), number(case, "out"), || case.to_string());
    }
    score.finish();
}

#[test]
fn filtering_linear() {
    filtering("filtering_linear", true);
}

#[test]
fn filtering_nearest() {
    filtering("filtering_nearest", false);
}

fn precision(name: &str) {
    let Some(vectors) = load(name) else { return };
    let mut score = Score::new(name, &vectors);
    let rows = rows(&vectors["texture"]);
    let bytes = texel_bytes(&rows);
    let levels = [level(&bytes, 4, 1, 1)];
    let (linear, through) = (is_set(&vectors, "linear"), is_set(&vectors, "through"));
    for case in cases(&vectors) {
        let flags = StateFlags::empty()
            .with(StateFlags::THROUGH, through)
            .with(StateFlags::CLAMP_S, true)
            .with(StateFlags::CLAMP_T, true);
        let state = both_filters(textured(state(FORMAT, flags), TextureFunction::REPLACE), linear);
        let offset = floats(&case["offset_sub"]);
        let corner = |position: &str, texel: &str| {
            let (position, texel) = (floats(&case[position]), floats(&case[texel]));
            if through {
                return with_texel(
                    vertex((16.0 * position[0]) as i32, (16.0 * position[1]) as i32),
                    texel[0],
                    texel[1],
                );
            }
            let screen = [0, 1].map(|axis| viewport(position[axis], 1.0) - 32768 - offset[axis] as i32);
            with_texel(vertex(screen[0], screen[1]), 0.5 * texel[0], 0.5 * texel[1])
        };
        let mut screen = Screen::new(FORMAT);
        screen.fill(0x4444_4444, WIDTH, HEIGHT);
        let corners = [corner("pos0", "texel0"), corner("pos1", "texel1")];
        screen.rectangle(&state, Some(source(TextureFormat::RGBA8888, &levels)), corners);
        screen.finish();
        let first = screen.stored(0, 0);
        let down = (1..HEIGHT).find(|&y| screen.stored(0, y) != first);
        let right = (1..WIDTH).find(|&x| screen.stored(x, 0) != first);
        let matches = |field: &str, color_field: &str, found: Option<u32>, color: u32| {
            let expected = case[field].as_i64().expect("a coordinate");
            expected == found.map_or(-1, i64::from) && (expected < 0 || number(case, color_field) == color)
        };
        let all = first == number(case, "first")
            && matches("change_y", "color_y", down, screen.stored(0, down.unwrap_or(0)))
            && matches("change_x", "color_x", right, screen.stored(right.unwrap_or(0), 0));
        score.check(u32::from(all), 1, || {
            format!("{first:x} {down:?} {right:?} for {case}")
        });
    }
    score.finish();
}

#[test]
fn filtering_precisionlinear2d() {
    precision("filtering_precisionlinear2d");
}

#[test]
fn filtering_precisionlinear3d() {
    precision("filtering_precisionlinear3d");
}

#[test]
fn filtering_precisionnearest2d() {
    precision("filtering_precisionnearest2d");
}

#[test]
fn filtering_precisionnearest3d() {
    precision("filtering_precisionnearest3d");
}
