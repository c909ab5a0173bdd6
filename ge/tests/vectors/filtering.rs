//! Filters, on sprites in both modes.

use ge::command::Opcode;
use serde_json::Value;
use vertex::{Component, VertexType};

use crate::scene::Scene;
use crate::shared::{Score, array, cases, float, floats, vectors, word, words};

const VERTEX: VertexType = VertexType::from_argument(0)
    .with_texture_coordinate(Component::Float)
    .with_position(Component::Float);

fn pair(value: &Value) -> [f64; 2] {
    let numbers: Vec<f64> = array(value).iter().filter_map(Value::as_f64).collect();
    [numbers[0], numbers[1]]
}

fn filter(scene: &mut Scene, linear: bool) {
    scene.set(Opcode::TEXFILTER, if linear { 0x101 } else { 0 });
}

/// The first place from 1 on whose pixel differs from the one at 0, and that pixel.
fn change(scene: &mut Scene, first: u32, length: u32, place: impl Fn(u32) -> [u32; 2]) -> (i64, u32) {
    for at in 1..length {
        let [x, y] = place(at);
        let pixel = scene.pixel(x, y);
        if pixel != first {
            return (at.into(), pixel);
        }
    }
    (-1, 0)
}

fn precision(name: &str) {
    let Some(file) = vectors(name) else { return };
    let mut score = Score::default();
    let through = word(&file["through"]) == 1;
    for case in cases(&file) {
        let mut scene = Scene::new();
        scene.fill(0x4444_4444);
        scene.viewport([1.0, 1.0, 32767.5], [2048.0, 2048.0, 32767.5], [2048, 2048]);
        let offset = words(&case["offset_sub"]);
        scene.set(Opcode::OFFSETX, 0x8000 + offset[0]);
        scene.set(Opcode::OFFSETY, 0x8000 + offset[1]);
        scene.set(Opcode::DEPTHCLAMP, 1);
        scene.float(Opcode::TEXSCALEU, 0.5);
        scene.float(Opcode::TEXSCALEV, 0.5);
        let texels: Vec<u32> = array(&file["texture"]).iter().flat_map(words).collect();
        scene.texture(0, [1, 1], &texels);
        scene.set(Opcode::TEXFUNC, 0x103);
        scene.set(Opcode::TEXWRAP, 0x101);
        filter(&mut scene, word(&file["linear"]) == 1);
        let vertex_type = VertexType::from_argument(VERTEX.argument() | u32::from(through) << 23);
        let vertices = [("texel0", "pos0"), ("texel1", "pos1")].map(|(texel, position)| {
            let ([u, v], [x, y]) = (pair(&case[texel]), pair(&case[position]));
            vec![u, v, x, y, 0.0]
        });
        scene.draw(6, vertex_type, &vertices);
        scene.run();
        let first = scene.pixel(0, 0);
        let (change_y, color_y) = change(&mut scene, first, 272, |y| [0, y]);
        let (change_x, color_x) = change(&mut scene, first, 480, |x| [x, 0]);
        let mut right = first == word(&case["first"]);
        for (found, color, at, expected) in [
            (change_y, color_y, "change_y", "color_y"),
            (change_x, color_x, "change_x", "color_x"),
        ] {
            right &= case[at].as_i64() == Some(found) && (found < 0 || color == word(&case[expected]));
        }
        score.check(right, || {
            format!("{case}: {first:08x}, y {change_y} {color_y:08x}, x {change_x} {color_x:08x}")
        });
    }
    score.finish(name, &file);
}

#[test]
fn filtering_precisionnearest2d() {
    precision("filtering_precisionnearest2d");
}

#[test]
fn filtering_precisionnearest3d() {
    precision("filtering_precisionnearest3d");
}

#[test]
fn filtering_precisionlinear2d() {
    precision("filtering_precisionlinear2d");
}

#[test]
fn filtering_precisionlinear3d() {
    precision("filtering_precisionlinear3d");
}

fn small_sprite(name: &str, linear: bool) {
    let Some(file) = vectors(name) else { return };
    let mut score = Score::default();
    let mut scene = Scene::new();
    scene.set(Opcode::TEXFUNC, 0x103);
    scene.set(Opcode::DEPTHCLAMP, 1);
    filter(&mut scene, linear);
    let second = words(&file["vertices"]["pos1_f32_bits"]);
    let second: Vec<f64> = second
        .iter()
        .map(|&bits| f64::from(f32::from_bits(bits)))
        .collect();
    for case in cases(&file) {
        scene.forget_data();
        scene.fill(0x4444_4444);
        scene.texture(0, [1, 1], &words(&case["tex"]));
        scene.set(Opcode::OFFSETX, 1808 * 16 + word(&case["offset_sub"]));
        scene.set(Opcode::OFFSETY, 1912 * 16 + word(&case["offset_sub"]));
        let ([u0, v0], [u1, v1]) = (pair(&case["uv0"]), pair(&case["uv1"]));
        let vertices = [
            vec![u0, v0, -1.0, 1.0, 0.0],
            [vec![u1, v1], second.clone()].concat(),
        ];
        scene.draw(6, VERTEX, &vertices);
        scene.run();
        let found = scene.pixel(0, 0);
        score.check(found == word(&case["out"]), || format!("{case}: {found:08x}"));
    }
    score.finish(name, &file);
}

#[test]
fn filtering_nearest() {
    small_sprite("filtering_nearest", false);
}

#[test]
fn filtering_linear() {
    small_sprite("filtering_linear", true);
}

#[test]
fn filtering_mipmaplinear() {
    let Some(file) = vectors("filtering_mipmaplinear") else {
        return;
    };
    let mut score = Score::default();
    let mut scene = Scene::new();
    scene.set(Opcode::TEXFUNC, 0x103);
    scene.set(Opcode::TEXFILTER, 6);
    scene.set(Opcode::TEXMODE, 1 << 16);
    scene.set(Opcode::TEXLEVEL, 2);
    for case in cases(&file) {
        scene.forget_data();
        scene.fill(0x4444_4444);
        scene.texture(0, [1, 1], &[word(&case["level0"]); 4]);
        scene.texture(1, [0, 0], &[word(&case["level1"])]);
        scene.float(Opcode::TEXLODSLOPE, float(&case["slope"]));
        scene.draw(
            6,
            VERTEX,
            &[vec![0.0, 0.0, -1.0, 1.0, 0.0], vec![1.0, 1.0, 1.0, -1.0, 0.0]],
        );
        scene.run();
        let found = scene.pixel(0, 0);
        score.check(found == word(&case["out"]), || format!("{case}: {found:08x}"));
    }
    score.finish("filtering_mipmaplinear", &file);
}

#[test]
fn texture_coordinates_of_the_small_sprite_are_exact() {
    // 16 significant bits hold every coordinate that the precision tests use.
    let Some(file) = vectors("filtering_precisionnearest3d") else {
        return;
    };
    for case in cases(&file) {
        for texel in floats(&case["texel0"]).into_iter().chain(floats(&case["texel1"])) {
            assert_eq!(ge::Float24::from_f32(texel).to_f32(), texel, "{case}");
        }
    }
}
