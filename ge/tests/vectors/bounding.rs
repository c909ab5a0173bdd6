//! Bounding box tests. The result is read through BJUMP, which jumps over a register write.

use ge::command::{Command, Opcode};
use serde_json::Value;
use vertex::{Component, VertexType};

use crate::scene::{IDENTITY, Scene, encode};
use crate::shared::{Score, array, cases, floats, vectors, word, words};

const POSITION: VertexType = VertexType::from_argument(0).with_position(Component::Float);

/// Tests the vertices that VADDR points to, and runs the list: 1 inside, 0 outside.
fn inside(scene: &mut Scene, count: u32) -> u32 {
    // The list is jumped to at its own address: BJUMP passes over one command.
    scene.push(Command::new(Opcode::BBOX, count));
    scene.push(Command::new(Opcode::ORIGIN, 0));
    scene.set(Opcode::BASE, 0);
    scene.set(Opcode::BJUMP, 16);
    scene.set(Opcode(0xEF), 1);
    scene.run();
    scene.ge.registers().argument(Opcode(0xEF))
}

fn planes(name: &str) {
    let Some(file) = vectors(name) else { return };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        let triple = |value: &Value| <[f32; 3]>::try_from(floats(value)).expect("three numbers");
        let offset = words(&case["offset"]);
        scene.viewport(
            triple(&case["scale"]),
            triple(&case["centre"]),
            [offset[0], offset[1]],
        );
        for (corner, values) in [
            (Opcode::SCISSOR1, &case["scissor"]),
            (Opcode::REGION1, &case["region"]),
        ] {
            let [left, top, right, bottom] = words(values)[..] else {
                panic!("{values}")
            };
            let second = if corner == Opcode::SCISSOR1 {
                Opcode::SCISSOR2
            } else {
                Opcode::REGION2
            };
            scene.position(corner, left, top);
            scene.position(second, right, bottom);
        }
        scene.set(Opcode::MINZ, word(&case["minz"]));
        scene.set(Opcode::MAXZ, word(&case["maxz"]));
        scene.set(Opcode::DEPTHCLAMP, word(&case["clip_flag"]));
        scene.matrix(Opcode::WORLDNUM, &IDENTITY);
        let mut projection = [0; 16];
        for (element, &argument) in [0, 5, 10, 15].into_iter().zip(&words(&case["diagonal"])) {
            projection[element] = argument;
        }
        scene.matrix_arguments(Opcode::PROJNUM, &projection);
        let address = scene.data(&encode(POSITION, &[vec![1.0; 3]]));
        scene.pointer(Opcode::VADDR, address);
        scene.set(Opcode::VTYPE, POSITION.argument());
        let found = inside(&mut scene, 1);
        score.check(found == word(&case["inside"]), || format!("{case}"));
    }
    score.finish(name, &file);
}

#[test]
fn bbox_planes() {
    planes("bbox_planes");
}

#[test]
fn bbox_viewport() {
    planes("bbox_viewport");
}

#[test]
fn bbox_count() {
    let Some(file) = vectors("bbox_count") else { return };
    let mut score = Score::default();
    let mut scene = Scene::new();
    for case in array(&file["cases"]) {
        scene.forget_data();
        let count = word(&case["count"]);
        let default_inside = word(&case["default_inside"]) == 1;
        let from = word(&case["other_from"]);
        let others = from..from + word(&case["other_count"]);
        let vertices: Vec<Vec<f64>> = (0..(count & 0xFFFF).max(1))
            .map(|index| {
                let is_inside = others.contains(&index) != default_inside;
                vec![if is_inside { 0.0 } else { -999.0 }; 3]
            })
            .collect();
        let address = scene.data(&encode(POSITION, &vertices));
        scene.pointer(Opcode::VADDR, address);
        scene.set(Opcode::VTYPE, POSITION.argument());
        scene.set(Opcode(0xEF), 0);
        let found = inside(&mut scene, count);
        score.check(found == word(&case["inside"]), || format!("{case}"));
    }
    score.finish("bbox_count", &file);
}
