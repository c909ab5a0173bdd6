//! Texture matrix mode.

use ge::command::Opcode;
use serde_json::Value;
use vertex::{Component, UpToEight, VertexType};

use crate::scene::{IDENTITY, IDENTITY_4X4, Scene, numbers};
use crate::shared::{Score, array, cases, float, floats, vectors, word, words};

/// The state that the four tests share.
fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.viewport([256.0, 256.0, 32767.5], [2048.0, 2048.0, 32767.5], [2048, 2048]);
    scene.matrix(Opcode::WORLDNUM, &IDENTITY);
    scene.matrix(Opcode::PROJNUM, &IDENTITY_4X4);
    scene.set(Opcode::DEPTHCLAMP, 1);
    scene.set(Opcode::BONENUM, 0);
    for element in IDENTITY {
        scene.float(Opcode::BONEDATA, element / 2.0);
    }
    let texels: Vec<u32> = (0..256)
        .flat_map(|y| (0..256).map(move |x| 0xFFFF_0000 | y << 8 | x))
        .collect();
    scene.texture(0, [8, 8], &texels);
    scene.set(Opcode::TEXFUNC, 0x103);
    scene
}

fn draw(scene: &mut Scene, draw: &Value) {
    let present = |name: &str, format: Component| {
        if word(&draw[name]) == 1 {
            format
        } else {
            Component::None
        }
    };
    let vertex_type = VertexType::from_argument(word(&draw["through"]) << 23)
        .with_texture_coordinate(present("uv", Component::Float))
        .with_normal(present("normal", Component::Float))
        .with_weights(present("weights", Component::Float), UpToEight::ONE)
        .with_position(Component::Float);
    scene.set(Opcode::TEXMAPMODE, word(&draw["source"]) << 8 | 1);
    scene.matrix(Opcode::TGENNUM, &floats(&draw["matrix"]));
    scene.draw(word(&draw["prim"]), vertex_type, &numbers(&draw["vertices"]));
}

#[test]
fn texmtx_corners() {
    let Some(file) = vectors("texmtx_corners") else {
        return;
    };
    let mut score = Score::default();
    let mut scene = scene();
    let mut test = &Value::Null;
    for case in cases(&file) {
        if &case["test"] != test {
            test = &case["test"];
            scene = self::scene();
        }
        scene.set(Opcode::SHADE, u32::from(word(&case["flat"]) == 0));
        for (scale, offset) in [
            (Opcode::TEXSCALEU, Opcode::TEXOFFSETU),
            (Opcode::TEXSCALEV, Opcode::TEXOFFSETV),
        ] {
            scene.float(scale, float(&case["tex_scale"]));
            scene.float(offset, float(&case["tex_offset"]));
        }
        for one in array(&case["draws"]) {
            draw(&mut scene, one);
        }
        scene.run();
        let corners = [[0, 0], [255, 0], [0, 255], [255, 255]];
        for ([x, y], expected) in corners.into_iter().zip(words(&case["corners"])) {
            let found = scene.pixel(x, y) & 0xFFFF;
            score.check(found == expected, || {
                format!("{} ({x}, {y}): {found:04x}, expected {expected:04x}", case["n"])
            });
        }
    }
    score.finish("texmtx_corners", &file);
}

/// Every texel coordinate of a recorded picture.
fn image(name: &str) {
    let Some(file) = vectors(name) else { return };
    let mut score = Score::default();
    let mut scene = scene();
    draw(&mut scene, &file["draw"]);
    scene.run();
    for row in cases(&file) {
        let y = word(&row["y"]);
        for (axis, name) in ["u", "v"].into_iter().enumerate() {
            let digits = row[name].as_str().expect("digits");
            for x in 0..256 {
                let place = 2 * x as usize;
                let expected = u32::from_str_radix(&digits[place..place + 2], 16).expect("two digits");
                let found = scene.pixel(x, y) >> (8 * axis) & 0xFF;
                score.check(found == expected, || {
                    format!("{name} ({x}, {y}): {found:02x}, expected {expected:02x}")
                });
            }
        }
    }
    score.finish(name, &file);
}

#[test]
fn texmtx_source_image() {
    image("texmtx_source_image");
}

#[test]
fn texmtx_prims_image() {
    image("texmtx_prims_image");
}
