//! The pixel pipeline: blending, dithering, fog, texture functions.

use raster::{
    Blend, CompareFunction, FrameFormat, LogicOperation, MaskedTest, PixelState, StateFlags,
    StencilOperation, StencilOperations, TextureFormat, TextureFunction,
};

use crate::common::{
    HEIGHT, Score, Screen, WIDTH, cases, is_set, level, load, number, numbers, source, state, textured,
    vertex,
};

fn replacing_stencil(mut state: PixelState, reference: u8) -> PixelState {
    state.flags = state.flags.with(StateFlags::STENCIL_TEST, true);
    state.stencil_test = MaskedTest {
        function: CompareFunction::ALWAYS,
        reference,
        mask: 0xFF,
        ..MaskedTest::default()
    };
    let replace = StencilOperation::REPLACE;
    state.stencil_operations = StencilOperations {
        stencil_fail: replace,
        depth_fail: replace,
        pass: replace,
        ..Default::default()
    };
    state
}

fn blends(name: &str, format: FrameFormat) {
    let Some(vectors) = load(name) else { return };
    let mut score = Score::new(name, &vectors);
    let mut screen = Screen::new(format);
    for case in cases(&vectors) {
        screen.fill(number(case, "dst"), 4, 4);
        let mut state = replacing_stencil(
            state(format, StateFlags::THROUGH.with(StateFlags::BLEND, true)),
            0xAA,
        );
        state.blend = Blend::from_codes(
            number(case, "eq"),
            [number(case, "fs"), number(case, "fd")],
            [number(case, "fixa"), number(case, "fixb")],
        );
        let mut corners = [vertex(0, 0), vertex(64, 64)];
        corners[1].color = number(case, "src");
        screen.rectangle(&state, None, corners);
        screen.finish();
        score.check(screen.stored(1, 2), number(case, "out"), || case.to_string());
    }
    score.finish();
}

#[test]
fn blend() {
    blends("blend", FrameFormat::RGBA8888);
}

#[test]
fn blend565() {
    blends("blend565", FrameFormat::RGB565);
}

#[test]
fn dither() {
    let Some(vectors) = load("dither") else { return };
    let mut score = Score::new("dither", &vectors);
    for case in cases(&vectors) {
        let format = FrameFormat::from_bits(number(case, "fb_format"));
        let mut screen = Screen::new(format);
        screen.fill(number(case, "dst"), WIDTH, HEIGHT);
        let flags = StateFlags::THROUGH
            .with(StateFlags::GOURAUD, true)
            .with(StateFlags::DITHER, true)
            .with(StateFlags::LOGIC_OPERATION, is_set(case, "logic_and"))
            .with(StateFlags::CLEAR, is_set(case, "clear"))
            .with(StateFlags::CLEAR_COLOR, true)
            .with(StateFlags::CLEAR_ALPHA, true)
            .with(StateFlags::CLEAR_DEPTH, true);
        let mut state = state(format, flags);
        for (row, argument) in state.dither.iter_mut().zip(numbers(&case["dith"])) {
            *row = argument as u16;
        }
        state.logic_operation = LogicOperation::AND;
        state.write_mask = number(case, "mask");
        if is_set(case, "stencil_replace") {
            state = replacing_stencil(state, 0xF0);
        }
        let (x, y) = (number(case, "x"), number(case, "y"));
        let (left, top) = (16 * x as i32, 16 * y as i32);
        let (right, bottom) = (16 * WIDTH as i32, 16 * HEIGHT as i32);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        let mut vertices = corners.map(|(x, y)| vertex(x, y));
        for vertex in &mut vertices {
            vertex.color = 0xFF1F_F088;
        }
        screen.fan(&state, None, vertices);
        screen.finish();
        for (dy, row) in case["out"].as_array().expect("rows").iter().enumerate() {
            for (dx, expected) in numbers(row).into_iter().enumerate() {
                let stored = screen.stored(x + dx as u32, y + dy as u32);
                score.check(stored, expected, || format!("({dx}, {dy}) of {case}"));
            }
        }
    }
    score.finish();
}

#[test]
fn fog() {
    let Some(vectors) = load("fog") else { return };
    let mut score = Score::new("fog", &vectors);
    let format = FrameFormat::RGBA8888;
    let mut screen = Screen::new(format);
    for case in cases(&vectors) {
        screen.fill(0x4444_4444, 4, 4);
        let mut state = state(format, StateFlags::FOG);
        state.fog_color = number(case, "fog_color");
        // The middle of what gives this factor in 8 bits.
        let factor = (number(case, "fog8") as f32 + 0.5) / 256.0;
        let corners = [vertex(0, 0), vertex(64, 64)].map(|mut vertex| {
            (vertex.fog, vertex.color) = (factor, number(case, "color"));
            vertex
        });
        screen.rectangle(&state, None, corners);
        screen.finish();
        score.check(screen.stored(0, 0), number(case, "out"), || case.to_string());
    }
    score.finish();
}

fn texture_function(name: &str) {
    let Some(vectors) = load(name) else { return };
    let mut score = Score::new(name, &vectors);
    let format = FrameFormat::RGBA8888;
    let mut screen = Screen::new(format);
    for case in cases(&vectors) {
        let shows_alpha = is_set(case, "alpha_to_rgb");
        screen.fill(if shows_alpha { 0xFFFF_FFFF } else { 0x4444_4444 }, 4, 4);
        let flags = StateFlags::empty()
            .with(StateFlags::TEXTURE_ALPHA, is_set(case, "rgba"))
            .with(StateFlags::DOUBLE_COLOR, is_set(case, "double"))
            .with(StateFlags::BLEND, shows_alpha);
        let function = TextureFunction::from_bits(number(&vectors, "function"));
        let mut state = textured(state(format, flags), function);
        state.blend = Blend::from_codes(0, [10, 2], [0, 0]);
        state.texture.environment_color = case["env"].as_u64().unwrap_or(0) as u32;
        let bytes = number(case, "tex").to_le_bytes();
        let levels = [level(&bytes, 4, 0, 0)];
        let corners = [vertex(0, 0), vertex(64, 64)].map(|mut vertex| {
            vertex.color = number(case, "prim");
            vertex
        });
        screen.rectangle(&state, Some(source(TextureFormat::RGBA8888, &levels)), corners);
        screen.finish();
        score.check(screen.stored(0, 0), number(case, "out"), || case.to_string());
    }
    score.finish();
}

#[test]
fn texfunc_modulate() {
    texture_function("texfunc_modulate");
}

#[test]
fn texfunc_decal() {
    texture_function("texfunc_decal");
}

#[test]
fn texfunc_blend() {
    texture_function("texfunc_blend");
}

#[test]
fn texfunc_replace() {
    texture_function("texfunc_replace");
}

#[test]
fn texfunc_add() {
    texture_function("texfunc_add");
}
