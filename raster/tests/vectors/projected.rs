//! Projected texture coordinates: texmtx/source and texmtx/prims, every pixel.

use raster::{FrameFormat, Primitives, ScreenVertex, StateFlags, TextureFormat, TextureFunction};
use serde_json::Value;

use crate::common::{
    Score, Screen, cases, floats, level, load, number, source, state, textured, vertex, viewport,
};

const FORMAT: FrameFormat = FrameFormat::RGBA8888;

/// A vertex of a draw in texture matrix mode: s, t and q come from the position (source 0), the coordinates (1), the
/// normalised normal (2) or the normal (3). The matrix of all these draws takes over the first two components; the
/// third goes to q with element 11 added.
fn projected_vertex(draw: &Value, values: &[f32]) -> ScreenVertex {
    let (uv, position) = values.split_at(if number(draw, "uv") == 1 { 2 } else { 0 });
    let (normal, position) = position.split_at(3);
    let coordinates = match number(draw, "source") {
        0 => [position[0], position[1], position[2]],
        1 => [uv[0], uv[1], 1.0],
        3 => [normal[0], normal[1], normal[2]],
        other => panic!("source {other}"),
    };
    let matrix = floats(&draw["matrix"]);
    let row = |column: usize| {
        (0..3)
            .map(|index| coordinates[index] * matrix[3 * index + column])
            .sum::<f32>()
            + matrix[9 + column]
    };
    let sub = |clip: f32| viewport(clip, 256.0) - 32768;
    ScreenVertex {
        s: row(0),
        t: row(1),
        q: row(2),
        ..vertex(sub(position[0]), sub(position[1]))
    }
}

/// Draws 256 x 256 pixels with a texture whose texels hold their own column and row.
fn image(name: &str, expected: u64) {
    let Some(vectors) = load(name) else { return };
    let mut score = Score::new(name, &vectors);
    let bytes: Vec<u8> = (0..256u32)
        .flat_map(|y| (0..256u32).flat_map(move |x| (0xFFFF_0000 | (y << 8) | x).to_le_bytes()))
        .collect();
    let levels = [level(&bytes, 256, 8, 8)];
    let draw = &vectors["draw"];
    let vertices: Vec<ScreenVertex> = draw["vertices"]
        .as_array()
        .expect("vertices")
        .iter()
        .map(|values| projected_vertex(draw, &floats(values)))
        .collect();
    let flags = StateFlags::PROJECTED.with(StateFlags::GOURAUD, true);
    let state = textured(state(FORMAT, flags), TextureFunction::REPLACE);
    let texture = Some(source(TextureFormat::RGBA8888, &levels));
    let mut screen = Screen::new(FORMAT);
    match number(draw, "prim") {
        5 => screen.draw(
            &state,
            texture,
            &vertices,
            Primitives::Triangles(&[[0, 1, 2], [0, 2, 3]]),
        ),
        _ => screen.draw(
            &state,
            texture,
            &vertices,
            Primitives::Rectangles(&[[0, 1], [2, 3]]),
        ),
    }
    screen.finish();
    for case in cases(&vectors) {
        let y = number(case, "y");
        for (axis, shift) in [("u", 0), ("v", 8)] {
            let digits = case[axis].as_str().expect("digits");
            for x in 0..256u32 {
                let recorded =
                    u32::from_str_radix(&digits[2 * x as usize..2 * x as usize + 2], 16).expect("digits");
                let drawn = (screen.stored(x, y) >> shift) & 0xFF;
                score.check(drawn, recorded, || format!("{axis} of ({x}, {y})"));
            }
        }
    }
    score.at_least(expected);
}

#[test]
fn texmtx_source_image() {
    // spec/ge-raster.md §7.6: 20 of 131,072 differ with the reciprocal of 16 bits.
    image("texmtx_source_image", 131_072 - 20);
}

#[test]
fn texmtx_prims_image() {
    // 269 differ, 256 of them in one column.
    image("texmtx_prims_image", 131_072 - 269);
}
