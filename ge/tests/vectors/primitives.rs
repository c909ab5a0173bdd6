//! Whole pictures of primitives.

use ge::command::Opcode;
use serde_json::Value;
use vertex::{IndexFormat, VertexType};

use crate::scene::{Scene, numbers, rectangles};
use crate::shared::{Score, array, cases, vectors, word, words};

/// Counts the pixels that are not black in the recording or in the drawing.
pub(crate) fn compare(score: &mut Score, found: &[u32], expected: &[u32]) {
    for (index, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        if found != 0 || expected != 0 {
            let (x, y) = (index % 480, index / 480);
            score.check(found == expected, || {
                format!("({x}, {y}): {found:06x}, expected {expected:06x}")
            });
        }
    }
}

/// The indices of a draw whose vertices are listed already looked up: each vertex is stored at the
/// place that its index names.
fn indexed(case: &Value, vertices: &[Vec<f64>], format: IndexFormat) -> (Vec<u8>, Vec<Vec<f64>>) {
    let indices = words(&case["indices"]);
    let most = indices.iter().max().map_or(0, |&most| most as usize);
    let mut stored = vec![vec![0.0; vertices[0].len()]; most + 1];
    for (&index, vertex) in indices.iter().zip(vertices) {
        stored[index as usize].clone_from(vertex);
    }
    let bytes = indices
        .iter()
        .flat_map(|index| index.to_le_bytes()[..format.size()].to_vec())
        .collect();
    (bytes, stored)
}

fn picture(name: &str) {
    let Some(file) = vectors(name) else { return };
    let mut scene = Scene::new();
    if let [first, second] = array(&file["texture"]) {
        scene.texture(0, [1, 1], &[words(first), words(second)].concat());
        // Decal, RGB, nearest, repeat.
        scene.set(Opcode::TEXFUNC, 1);
    }
    for case in cases(&file) {
        let vertex_type = VertexType::from_argument(word(&case["vtype"]));
        let vertices = numbers(&case["vertices"]);
        if vertex_type.index() == IndexFormat::None {
            scene.draw(word(&case["prim"]), vertex_type, &vertices);
            continue;
        }
        let (indices, stored) = indexed(case, &vertices, vertex_type.index());
        let vertex_address = scene.data(&crate::scene::encode(vertex_type, &stored));
        let index_address = scene.data(&indices);
        scene.pointer(Opcode::VADDR, vertex_address);
        scene.pointer(Opcode::IADDR, index_address);
        scene.set(Opcode::VTYPE, vertex_type.argument());
        scene.set(
            Opcode::PRIM,
            word(&case["prim"]) << 16 | array(&case["indices"]).len() as u32,
        );
    }
    scene.run();
    let mut score = Score::default();
    compare(&mut score, &scene.picture(), &rectangles(&file["picture"]));
    score.finish(name, &file);
}

macro_rules! pictures {
    ($($name:ident)+) => {
        $(#[test] fn $name() { picture(stringify!($name)); })+
    };
}

pictures! {
    primitives_continue
    primitives_indices
    primitives_invalidprim
    primitives_lines
    primitives_linestrip
    primitives_points
    primitives_rectangles
    primitives_trianglefan
    primitives_triangles
    primitives_trianglestrip
}

#[test]
fn primitives_immediate() {
    let Some(file) = vectors("primitives_immediate") else {
        return;
    };
    let mut scene = Scene::new();
    scene.set(Opcode::OFFSETX, 0x8000);
    scene.set(Opcode::OFFSETY, 0x8000);
    scene.set(Opcode::BLENDENABLE, 1);
    scene.set(Opcode::BLENDMODE, 0x32);
    scene.set(Opcode::ZTESTENABLE, 1);
    scene.set(Opcode::ZTEST, 1);
    scene.set(Opcode::FOGCOLOR, 0x77_7777);
    let texels: Vec<u32> = array(&file["texture"])
        .iter()
        .flat_map(words)
        .map(|color| 0xFF00_0000 | color)
        .collect();
    scene.texture(0, [2, 2], &texels);
    scene.set(Opcode::TEXENABLE, 0);
    scene.set(Opcode::TEXWRAP, 0x101);
    scene.set(Opcode::TEXFUNC, 0x103);
    for (row, &argument) in (0..).zip(&words(&file["dith"])) {
        scene.set(Opcode::DITHER0.nth(row), argument);
    }
    for case in cases(&file) {
        scene.set(Opcode::CLEARMODE, word(&case["clearmode"]));
        scene.set(Opcode::LIGHTMODE, word(&case["lightmode"]));
        scene.set(Opcode::VTYPE, word(&case["through"]) << 23);
        for number in [0, 1, 2, 3, 4, 5, 6, 8, 9, 7] {
            if let Some(argument) = case[format!("F{number}")].as_u64() {
                scene.set(Opcode::VSCX.nth(number), argument as u32);
            }
        }
    }
    scene.run();
    let mut score = Score::default();
    compare(&mut score, &scene.picture(), &rectangles(&file["picture"]));
    score.finish("primitives_immediate", &file);
}

/// Surfaces: control points in memory order, drawn one behind the other.
fn surfaces(name: &str, opcode: Opcode) {
    let Some(file) = vectors(name) else { return };
    let mut scene = Scene::new();
    let texels: Vec<u32> = array(&file["texture"]).iter().flat_map(words).collect();
    scene.texture(0, [1, 1], &texels);
    scene.set(Opcode::TEXFUNC, 1);
    for case in cases(&file) {
        let vertex_type = VertexType::from_argument(word(&case["vtype"]));
        let points = numbers(&case["points"]);
        scene.set(Opcode::TEXENABLE, word(&case["textured"]));
        scene.set(Opcode::SHADE, u32::from(word(&case["flat"]) == 0));
        let division = words(&case["patchdiv"]);
        scene.set(Opcode::PATCHDIV, division[1] << 8 | division[0]);
        scene.set(Opcode::PATCHPRIM, word(&case["patchprim"]));
        // The points are listed already looked up.
        let vertex_type = vertex_type.with_index(IndexFormat::None);
        let address = scene.data(&crate::scene::encode(vertex_type, &points));
        scene.pointer(Opcode::VADDR, address);
        scene.set(Opcode::VTYPE, vertex_type.argument());
        let edges = word(&case["vedge"]) << 2 | word(&case["utype"]);
        scene.set(
            opcode,
            edges << 16 | word(&case["vcount"]) << 8 | word(&case["ucount"]),
        );
    }
    scene.run();
    let mut score = Score::default();
    compare(&mut score, &scene.picture(), &rectangles(&file["picture"]));
    score.finish(name, &file);
}

#[test]
fn primitives_bezier() {
    surfaces("primitives_bezier", Opcode::BEZIER);
}

#[test]
fn primitives_spline() {
    surfaces("primitives_spline", Opcode::SPLINE);
}
