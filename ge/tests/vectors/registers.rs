//! Matrix read-back and pointer advance.

use ge::command::Opcode;
use ge::{Address, MatrixKind};

use crate::scene::Scene;
use crate::shared::{Score, array, cases, vectors, word, words};

#[test]
fn matrix_readback() {
    let Some(file) = vectors("matrix_readback") else {
        return;
    };
    let mut scene = Scene::blank();
    for write in array(&file["writes"]) {
        scene.set(Opcode(word(&write["number_op"]) as u8), 0);
        for value in 0..word(&write["count"]) {
            scene.set(Opcode(word(&write["data_op"]) as u8), value);
        }
    }
    scene.run();
    let mut score = Score::default();
    for case in cases(&file) {
        let name = case["matrix"].as_str().expect("a name");
        let (kind, skipped) = match name {
            "world" => (MatrixKind::World, 0),
            "view" => (MatrixKind::View, 0),
            "proj" => (MatrixKind::Projection, 0),
            "tgen" => (MatrixKind::Texture, 0),
            bone => (
                MatrixKind::Bone,
                12 * bone[4..].parse::<usize>().expect("a bone's number"),
            ),
        };
        let expected = words(&case["read"]);
        let visible = scene
            .ge
            .matrices()
            .visible(kind)
            .iter()
            .skip(skipped)
            .map(|element| element.argument());
        let found: Vec<u32> = visible.take(expected.len()).collect();
        score.check(found == expected, || {
            format!("{name}: {found:x?}, expected {expected:x?}")
        });
    }
    score.finish("matrix_readback", &file);
}

#[test]
fn vertex_advance() {
    let Some(file) = vectors("vertex_advance") else {
        return;
    };
    let mut score = Score::default();
    let (vertices, indices) = (Address::new(0x0820_0000), Address::new(0x0830_0000));
    for case in cases(&file) {
        let mut scene = Scene::new();
        scene.pointer(Opcode::VADDR, vertices);
        scene.pointer(Opcode::IADDR, indices);
        scene.set(Opcode::VTYPE, word(&case["vtype"]));
        scene.set(Opcode::BBOX, word(&case["count"]));
        scene.run();
        let pointers = scene.ge.pointers();
        let found = [
            pointers.vertex.get() - vertices.get(),
            pointers.index.get() - indices.get(),
        ];
        let expected = [word(&case["vptr_advance"]), word(&case["iptr_advance"])];
        score.check(found == expected, || format!("{case}: {found:?}"));
    }
    score.finish("vertex_advance", &file);
}
