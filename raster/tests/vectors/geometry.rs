//! Coverage, colours and texture coordinates of points, lines, triangles and rectangles.

use raster::{
    FrameFormat, Primitives, ScreenVertex, StateFlags, Subpixel, TextureFormat, TextureFunction,
    TextureSource,
};
use serde_json::Value;

use crate::common::{
    HEIGHT, Score, Screen, WIDTH, cases, is_set, level, load, number, numbers, rows, source, state,
    texel_bytes, textured, vertex, viewport,
};

const FORMAT: FrameFormat = FrameFormat::RGBA8888;

/// The recorded picture, black where nothing is said.
fn picture(vectors: &Value) -> Vec<u32> {
    let mut pixels = vec![0; (WIDTH * HEIGHT) as usize];
    for rectangle in vectors["picture"].as_array().expect("a picture") {
        let [x, y, width, height, color] = numbers(rectangle)[..] else {
            panic!("{rectangle}")
        };
        for row in y..y + height {
            let start = (row * WIDTH + x) as usize;
            pixels[start..start + width as usize].fill(color);
        }
    }
    pixels
}

/// A component's format, and whether the vertex type has it.
fn field(vertex_type: u32, shift: u32) -> u32 {
    (vertex_type >> shift) & 3
}

/// A vertex of the recorded lists on the screen: identity matrices, scale (240, -136), centre 2048, offset
/// (1808, 1912). None for a vertex without a position.
fn recorded_vertex(vertex_type: u32, values: &Value, expand_color: bool) -> Option<ScreenVertex> {
    let values = values.as_array().expect("a vertex");
    let mut values = values.iter();
    let through = vertex_type & (1 << 23) != 0;
    let mut result = vertex(0, 0);
    if field(vertex_type, 0) != 0 {
        let scale = match field(vertex_type, 0) {
            // Also in through mode (spec/ge-frontend.md §6.6).
            1 => 1.0 / 128.0,
            2 if !through => 1.0 / 32768.0,
            _ => 1.0,
        };
        let mut coordinate = || {
            let value = values.next().expect("a coordinate");
            match value.as_u64() {
                // The bits of a single.
                Some(bits) if field(vertex_type, 0) == 3 => f32::from_bits(bits as u32),
                _ => value.as_f64().expect("a coordinate") as f32 * scale,
            }
        };
        (result.s, result.t) = (coordinate(), coordinate());
    }
    if (vertex_type >> 2) & 7 != 0 && expand_color {
        result.color = values.next().and_then(Value::as_u64).expect("a colour") as u32;
    }
    let position: Vec<f32> = values
        .map(|value| value.as_f64().expect("a position") as f32)
        .collect();
    let (scale, is_byte) = match field(vertex_type, 7) {
        0 => return None,
        1 => (128.0, true),
        2 => (32768.0, false),
        _ => (1.0, false),
    };
    if through {
        let sub = |coordinate: f32| Subpixel(if is_byte { 0 } else { (16.0 * coordinate) as i32 });
        (result.x, result.y) = (sub(position[0]), sub(position[1]));
    } else {
        result.x = Subpixel(viewport(position[0] / scale, 240.0) - 16 * 1808);
        result.y = Subpixel(viewport(position[1] / scale, -136.0) - 16 * 1912);
    }
    Some(result)
}

/// Draws all cases into one frame and compares every pixel that either picture has.
fn primitives(name: &str) {
    let Some(vectors) = load(name) else { return };
    let mut score = Score::new(name, &vectors);
    let mut screen = Screen::new(FORMAT);
    let rows = rows(&vectors["texture"]);
    let bytes = texel_bytes(&rows);
    let levels = [level(&bytes, 4, 1, 1)];
    for case in cases(&vectors) {
        let vertex_type = number(case, "vtype");
        let vertices: Vec<ScreenVertex> = case["vertices"]
            .as_array()
            .expect("vertices")
            .iter()
            .filter_map(|values| recorded_vertex(vertex_type, values, true))
            .collect();
        let through = vertex_type & (1 << 23) != 0;
        let flags = StateFlags::GOURAUD.with(StateFlags::THROUGH, through);
        let mut state = state(FORMAT, flags);
        let mut texture: Option<TextureSource<'_>> = None;
        if !rows.is_empty() {
            state = textured(state, TextureFunction::DECAL);
            texture = Some(source(TextureFormat::RGBA8888, &levels));
        }
        let count = vertices.len() as u32;
        match number(case, "prim") & 7 {
            0 => {
                let points: Vec<u32> = (0..count).collect();
                screen.draw(&state, texture, &vertices, Primitives::Points(&points));
            }
            kind @ (1 | 2) => {
                let step = if kind == 1 { 2 } else { 1 };
                let lines: Vec<[u32; 2]> = (1..count).step_by(step).map(|last| [last - 1, last]).collect();
                screen.draw(&state, texture, &vertices, Primitives::Lines(&lines));
            }
            kind @ 3..=5 => {
                let step = if kind == 3 { 3 } else { 1 };
                let first = |last: u32| if kind == 5 { 0 } else { last - 2 };
                let triangles: Vec<[u32; 3]> = (2..count)
                    .step_by(step)
                    .map(|last| [first(last), last - 1, last])
                    .collect();
                screen.draw(&state, texture, &vertices, Primitives::Triangles(&triangles));
            }
            _ => {
                let rectangles: Vec<[u32; 2]> = (1..count).step_by(2).map(|last| [last - 1, last]).collect();
                screen.draw(&state, texture, &vertices, Primitives::Rectangles(&rectangles));
            }
        }
    }
    screen.finish();
    let expected = picture(&vectors);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (drawn, recorded) = (
                screen.stored(x, y) & 0xFF_FFFF,
                expected[(y * WIDTH + x) as usize],
            );
            if drawn != 0 || recorded != 0 {
                score.check(drawn, recorded, || format!("({x}, {y})"));
            }
        }
    }
    score.finish();
}

#[test]
fn primitives_points() {
    primitives("primitives_points");
}

#[test]
fn primitives_lines() {
    primitives("primitives_lines");
}

#[test]
fn primitives_linestrip() {
    primitives("primitives_linestrip");
}

#[test]
fn primitives_triangles() {
    primitives("primitives_triangles");
}

#[test]
fn primitives_trianglestrip() {
    primitives("primitives_trianglestrip");
}

#[test]
fn primitives_trianglefan() {
    primitives("primitives_trianglefan");
}

#[test]
fn primitives_rectangles() {
    primitives("primitives_rectangles");
}

#[test]
fn primitives_invalidprim() {
    primitives("primitives_invalidprim");
}

#[test]
fn gouraud_triangle() {
    let Some(vectors) = load("gouraud_triangle") else {
        return;
    };
    let mut score = Score::new("gouraud_triangle", &vectors);
    let corners = rows(&vectors["vertices_sub"]);
    let colors = numbers(&vectors["vertex_colors"]);
    let vertices = [0, 1, 2].map(|index: usize| ScreenVertex {
        color: colors[index],
        ..vertex(corners[index][0] as i32, corners[index][1] as i32)
    });
    let mut screen = Screen::new(FORMAT);
    // Alpha tells what is drawn: it is written in no other mode, so the background's colour has to.
    screen.fill(0x12_3456, WIDTH, HEIGHT);
    let state = state(FORMAT, StateFlags::GOURAUD);
    screen.draw(&state, None, &vertices, Primitives::Triangles(&[[0, 1, 2]]));
    screen.finish();
    for case in cases(&vectors) {
        let (x, y) = (number(case, "x"), number(case, "y"));
        let colors = numbers(&case["colors"]);
        for (dx, &color) in colors.iter().enumerate() {
            score.check(screen.stored(x + dx as u32, y), color, || {
                format!("({}, {y})", x + dx as u32)
            });
        }
        let after = x + colors.len() as u32;
        assert_eq!(screen.stored(x - 1, y), 0x12_3456, "left of row {y}");
        assert_eq!(screen.stored(after, y), 0x12_3456, "right of row {y}");
    }
    assert_eq!(screen.rasterizer.statistics().pixels_covered, 4995);
    score.finish();
}

#[test]
fn vertices_texcoords() {
    let Some(vectors) = load("vertices_texcoords") else {
        return;
    };
    let mut score = Score::new("vertices_texcoords", &vectors);
    let rows = rows(&vectors["texture"]);
    let bytes = texel_bytes(&rows);
    let levels = [level(&bytes, 4, 2, 2)];
    let mut screen = Screen::new(FORMAT);
    let mut boxes = Vec::new();
    for case in cases(&vectors) {
        let vertex_type = number(case, "vtype");
        let corners = case["vertices"].as_array().expect("vertices");
        let mut vertices = [0, 1, 2, 3]
            .map(|index: usize| recorded_vertex(vertex_type, &corners[index], false).expect("a position"));
        let clear = is_set(case, "clear");
        for vertex in &mut vertices {
            vertex.color = if clear { 0 } else { 0xFFFF_FFFF };
        }
        let flags = StateFlags::GOURAUD
            .with(StateFlags::THROUGH, vertex_type & (1 << 23) != 0)
            .with(StateFlags::MINIFY_LINEAR, is_set(case, "linear"))
            .with(StateFlags::MAGNIFY_LINEAR, is_set(case, "linear"))
            .with(StateFlags::CLAMP_S, is_set(case, "clamp"))
            .with(StateFlags::CLAMP_T, is_set(case, "clamp"))
            .with(StateFlags::CLEAR, clear)
            .with(StateFlags::CLEAR_COLOR, clear)
            .with(StateFlags::CLEAR_ALPHA, clear);
        let state = textured(state(FORMAT, flags), TextureFunction::DECAL);
        screen.fan(&state, Some(source(TextureFormat::RGBA8888, &levels)), vertices);
        boxes.push(numbers(&case["box"]));
    }
    screen.finish();
    let expected = picture(&vectors);
    let counted = |x: u32, y: u32| {
        boxes.iter().any(|area| {
            (area[0]..area[0] + area[2]).contains(&x) && (area[1]..area[1] + area[3]).contains(&y)
        })
    };
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            if counted(x, y) {
                let drawn = screen.stored(x, y) & 0xFF_FFFF;
                score.check(drawn, expected[(y * WIDTH + x) as usize], || {
                    format!("({x}, {y})")
                });
            }
        }
    }
    score.finish();
}

#[test]
fn vertices_colors() {
    let Some(vectors) = load("vertices_colors") else {
        return;
    };
    let mut score = Score::new("vertices_colors", &vectors);
    let mut screen = Screen::new(FORMAT);
    let mut covered = vec![false; (WIDTH * HEIGHT) as usize];
    for case in cases(&vectors) {
        let vertex_type = number(case, "vtype");
        let corners = case["vertices"].as_array().expect("vertices");
        let stored = number(case, "color");
        let color = match (vertex_type >> 2) & 7 {
            4..=6 => {
                let mut vram = raster::Vram::default();
                vram.write(0, &stored.to_le_bytes());
                let format = FrameFormat::from_bits(((vertex_type >> 2) & 7) - 4);
                vram.color(0, format)
                    | if format == FrameFormat::RGB565 {
                        0xFF00_0000
                    } else {
                        0
                    }
            }
            7 => stored,
            _ => continue,
        };
        let vertices = [0, 1, 2, 3].map(|index: usize| ScreenVertex {
            color,
            ..recorded_vertex(vertex_type, &corners[index], false).expect("a position")
        });
        let clear = is_set(case, "clear");
        let flags = StateFlags::GOURAUD
            .with(StateFlags::THROUGH, vertex_type & (1 << 23) != 0)
            .with(StateFlags::BLEND, is_set(case, "blend"))
            .with(StateFlags::CLEAR, clear)
            .with(StateFlags::CLEAR_COLOR, clear)
            .with(StateFlags::CLEAR_ALPHA, clear);
        let mut state = state(FORMAT, flags);
        state.blend.source = raster::BlendFactor::SOURCE_ALPHA;
        state.blend.destination = raster::BlendFactor::INVERSE_SOURCE_ALPHA;
        screen.fan(&state, None, vertices);
        for y in vertices[0].y.0.min(vertices[2].y.0) / 16..vertices[0].y.0.max(vertices[2].y.0) / 16 {
            for x in vertices[0].x.0.min(vertices[2].x.0) / 16..vertices[0].x.0.max(vertices[2].x.0) / 16 {
                covered[(y as u32 * WIDTH + x as u32) as usize] = true;
            }
        }
    }
    screen.finish();
    let expected = picture(&vectors);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (drawn, recorded) = (
                screen.stored(x, y) & 0xFF_FFFF,
                expected[(y * WIDTH + x) as usize],
            );
            if drawn != 0 || recorded != 0 {
                score.check(drawn, recorded, || format!("({x}, {y})"));
            }
        }
    }
    // Black boxes are counted by the vectors' evaluation, not here.
    let boxes = expected.iter().filter(|&&color| color != 0).count() as u64;
    score.at_least(boxes);
}
