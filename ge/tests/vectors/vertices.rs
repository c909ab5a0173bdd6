//! Vertex formats: colours and texture coordinates.

use ge::command::Opcode;
use vertex::{Component, VertexType};

use crate::primitives::compare;
use crate::scene::{Scene, numbers, rectangles};
use crate::shared::{Score, array, cases, vectors, word, words};

#[test]
fn vertices_colors() {
    let Some(file) = vectors("vertices_colors") else {
        return;
    };
    let mut scene = Scene::new();
    scene.set(Opcode::BLENDMODE, 0x32);
    for case in cases(&file) {
        scene.set(Opcode::BLENDENABLE, word(&case["blend"]));
        scene.set(
            Opcode::CLEARMODE,
            if word(&case["clear"]) == 1 { 0x301 } else { 0 },
        );
        let vertex_type = VertexType::from_argument(word(&case["vtype"]));
        let mut vertices = numbers(&case["vertices"]);
        if vertex_type.layout().color.is_some() {
            for vertex in &mut vertices {
                vertex.insert(0, word(&case["color"]).into());
            }
        }
        scene.draw(5, vertex_type, &vertices);
    }
    scene.run();
    let mut score = Score::default();
    compare(&mut score, &scene.picture(), &rectangles(&file["picture"]));
    score.finish("vertices_colors", &file);
}

#[test]
fn vertices_texcoords() {
    let Some(file) = vectors("vertices_texcoords") else {
        return;
    };
    let mut scene = Scene::new();
    let texels: Vec<u32> = array(&file["texture"]).iter().flat_map(words).collect();
    scene.texture(0, [2, 2], &texels);
    scene.set(Opcode::TEXFUNC, 1);
    scene.set(Opcode::DEPTHCLAMP, 1);
    let mut boxes = vec![false; 480 * 272];
    for case in cases(&file) {
        scene.set(
            Opcode::TEXFILTER,
            if word(&case["linear"]) == 1 { 0x101 } else { 0 },
        );
        scene.set(Opcode::TEXWRAP, word(&case["clamp"]) * 0x101);
        scene.set(
            Opcode::CLEARMODE,
            if word(&case["clear"]) == 1 { 0x301 } else { 0 },
        );
        let vertex_type = VertexType::from_argument(word(&case["vtype"]));
        let mut vertices = numbers(&case["vertices"]);
        if vertex_type.texture_coordinate() == Component::Float {
            for number in vertices.iter_mut().flat_map(|vertex| &mut vertex[..2]) {
                *number = f32::from_bits(*number as u32).into();
            }
        }
        // Floats that are no numbers keep their bits only as words.
        let bytes = crate::scene::encode(vertex_type, &vertices);
        let address = scene.data(&bytes);
        scene.pointer(Opcode::VADDR, address);
        scene.set(Opcode::VTYPE, vertex_type.argument());
        scene.set(Opcode::PRIM, 5 << 16 | vertices.len() as u32);
        let [x, y, width, height] = words(&case["box"])[..] else {
            panic!("{case}")
        };
        for row in y..y + height {
            boxes[(row * 480 + x) as usize..][..width as usize].fill(true);
        }
    }
    scene.run();
    let mut score = Score::default();
    let expected = rectangles(&file["picture"]);
    for (index, (&found, &expected)) in scene.picture().iter().zip(&expected).enumerate() {
        if boxes[index] {
            let (x, y) = (index % 480, index / 480);
            score.check(found == expected, || {
                format!("({x}, {y}): {found:06x}, expected {expected:06x}")
            });
        } else {
            assert_eq!(found, expected, "outside the boxes, at {index}");
        }
    }
    score.finish("vertices_texcoords", &file);
}
