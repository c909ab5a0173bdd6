//! Which triangles and pixels are drawn at all: culling, clipping, rounding, depth.

use ge::command::Opcode;
use serde_json::Value;
use vertex::{Component, VertexColor, VertexType};

use crate::scene::{Scene, numbers};
use crate::shared::{Score, array, cases, vectors, word, words};

const POSITION: VertexType = VertexType::from_argument(0).with_position(Component::Float);
const WHITE: u32 = 0xFF_FFFF;

/// Positions whose numbers are the bits of singles.
fn from_bits(vertices: &Value) -> Vec<Vec<f64>> {
    let of = |vertex: &Value| {
        words(vertex)
            .iter()
            .map(|&bits| f64::from(f32::from_bits(bits)))
            .collect()
    };
    array(vertices).iter().map(of).collect()
}

#[test]
fn cull() {
    let Some(file) = vectors("cull") else { return };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        scene.set(Opcode::CULLENABLE, word(&case["cull_enable"]));
        scene.set(Opcode::CULL, word(&case["cull"]));
        scene.set(
            Opcode::CLEARMODE,
            if word(&case["clear"]) == 1 { 0x101 } else { 0 },
        );
        let vertex_type = VertexType::from_argument(word(&case["vtype"]));
        let mut vertices = numbers(&case["vertices"]);
        for vertex in &mut vertices {
            vertex.insert(0, f64::from(u32::MAX));
        }
        scene.draw(word(&case["prim"]), vertex_type, &vertices);
        scene.run();
        let [x, y] = words(&case["pixel"])[..] else {
            panic!("{case}")
        };
        let drawn = u32::from(scene.pixel(x, y) & WHITE == WHITE);
        score.check(drawn == word(&case["drawn"]), || format!("{case}"));
    }
    score.finish("cull", &file);
}

#[test]
fn clip_guardband() {
    let Some(file) = vectors("clip_guardband") else {
        return;
    };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        let mut projection = [0.0; 16];
        (projection[0], projection[5], projection[10]) = (2.0 / 480.0, -2.0 / 272.0, 2.0);
        (projection[12], projection[13], projection[14], projection[15]) = (-1.0, 1.0, -1.0, 1.0);
        scene.matrix(Opcode::PROJNUM, &projection);
        scene.set(Opcode::DEPTHCLAMP, word(&case["clip_flag"]));
        scene.set(Opcode::ZTESTENABLE, 1);
        scene.set(Opcode::ZTEST, 1);
        scene.set(Opcode::MATAMBIENT, WHITE);
        let vertices: Vec<Vec<f64>> = array(&case["triangles"]).iter().flat_map(numbers).collect();
        scene.draw(3, POSITION, &vertices);
        scene.run();
        let drawn = scene.picture().iter().any(|&pixel| pixel != 0);
        score.check(u32::from(drawn) == word(&case["drawn"]), || format!("{case}"));
    }
    score.finish("clip_guardband", &file);
}

#[test]
fn clip_homogeneous() {
    let Some(file) = vectors("clip_homogeneous") else {
        return;
    };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        scene.viewport([128.0, 64.0, 32767.5], [2048.0, 2048.0, 32767.5], [1792, 1920]);
        scene.scissor(0, 0, 511, 271);
        scene.position(Opcode::REGION2, 511, 271);
        scene.matrix_arguments(Opcode::PROJNUM, &words(&case["projection"]));
        scene.set(Opcode::DEPTHCLAMP, word(&case["clip_flag"]));
        scene.set(Opcode::MATAMBIENT, WHITE);
        scene.draw(3, POSITION, &from_bits(&case["vertices"]));
        scene.run();
        let mut drawn = Vec::new();
        for y in 0..272 {
            for x in 0..512 {
                if scene.pixel(x, y) != 0 {
                    drawn.push([x, y]);
                }
            }
        }
        let count =
            |keep: &dyn Fn(&[u32; 2]) -> bool| drawn.iter().filter(|place| keep(place)).count() as u32;
        let found = if let Some(row) = case["row"].as_u64() {
            count(&|place| u64::from(place[1]) == row)
        } else if let Some(column) = case["column"].as_u64() {
            count(&|place| u64::from(place[0]) == column)
        } else {
            drawn.len() as u32
        };
        let mut right = found == word(&case["pixels"]);
        if let Some(first) = case["first"].as_array() {
            let expected: Vec<i64> = first.iter().filter_map(Value::as_i64).collect();
            let place = drawn.first().map_or([-1, -1], |place| place.map(i64::from));
            right &= place[..] == expected;
        }
        score.check(right, || format!("{case}: {found}, first {:?}", drawn.first()));
    }
    score.finish("clip_homogeneous", &file);
}

#[test]
fn depth_precision() {
    let Some(file) = vectors("depth_precision") else {
        return;
    };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        let through = word(&case["through"]) == 1;
        scene.float(Opcode::VPSCALEZ, -32767.5);
        scene.set(Opcode::VPCENTERZ, word(&case["centre_z"]));
        scene.set(Opcode::PROJNUM, 11);
        scene.set(Opcode::PROJDATA, word(&case["proj11"]));
        scene.set(Opcode::ZTESTENABLE, 1);
        scene.set(Opcode::ZTEST, word(&case["func"]));
        scene.set(Opcode::MATAMBIENT, WHITE);
        scene.set_depth(240, 136, word(&case["stored"]) as u16);
        let z = case["z"].as_f64().unwrap_or_default();
        let vertex_type =
            VertexType::from_argument(u32::from(through) << 23).with_position(Component::Bits16);
        let vertices = if through {
            vec![vec![0.0, 0.0, z], vec![480.0, 272.0, z]]
        } else {
            vec![vec![-32768.0, 32767.0, z], vec![32767.0, -32768.0, z]]
        };
        scene.draw(6, vertex_type, &vertices);
        scene.run();
        let passed = u32::from(scene.pixel(240, 136) != 0);
        score.check(passed == word(&case["passed"]), || format!("{case}"));
    }
    score.finish("depth_precision", &file);
}

#[test]
fn gouraud_triangle() {
    let Some(file) = vectors("gouraud_triangle") else {
        return;
    };
    let mut score = Score::default();
    let mut scene = Scene::new();
    scene.matrix_arguments(Opcode::WORLDNUM, &words(&file["world_f24"]));
    scene.matrix_arguments(Opcode::PROJNUM, &words(&file["projection_f24"]));
    let vertex_type = POSITION.with_color(VertexColor::Rgba8888);
    let mut vertices = numbers(&file["positions"]);
    for (vertex, color) in vertices.iter_mut().zip(words(&file["vertex_colors"])) {
        vertex.insert(0, color.into());
    }
    scene.set(Opcode::DEPTHCLAMP, 1);
    scene.draw(3, vertex_type, &vertices);
    scene.run();
    let picture = scene.picture();
    for row in cases(&file) {
        let (x, y) = (word(&row["x"]), word(&row["y"]));
        for (column, &color) in (x..).zip(&words(&row["colors"])) {
            let found = picture[(y * 480 + column) as usize];
            score.check(found == color, || {
                format!("({column}, {y}): {found:06x}, expected {color:06x}")
            });
        }
    }
    let recorded: usize = cases(&file).iter().map(|row| array(&row["colors"]).len()).sum();
    let drawn = picture[20 * 480..].iter().filter(|&&pixel| pixel != 0).count();
    assert_eq!(drawn, recorded, "pixels outside the recorded ones are black");
    score.finish("gouraud_triangle", &file);
}

#[test]
fn transform_silhouettes() {
    let Some(file) = vectors("transform_silhouettes") else {
        return;
    };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        scene.matrix_arguments(Opcode::VIEWNUM, &words(&case["view"]));
        scene.matrix_arguments(Opcode::PROJNUM, &words(&case["projection"]));
        scene.set(Opcode::DEPTHCLAMP, 1);
        for layer in array(&case["layers"]) {
            scene.matrix_arguments(Opcode::WORLDNUM, &words(&layer["world"]));
            scene.set(Opcode::MATAMBIENT, word(&layer["cls"]));
            scene.draw(3, POSITION, &from_bits(&layer["vertices"]));
        }
        scene.run();
        let mut expected = vec![0; 480 * 272];
        for row in array(&case["rows"]) {
            let numbers = words(row);
            let mut at = (numbers[0] * 480) as usize;
            for run in numbers[1..].chunks_exact(2) {
                expected[at..at + run[1] as usize].fill(run[0]);
                at += run[1] as usize;
            }
        }
        for (index, (&found, expected)) in scene.picture().iter().zip(expected).enumerate() {
            let (x, y) = (index % 480, index / 480);
            score.check(found == expected, || {
                format!("{} ({x}, {y}): {found}, expected {expected}", case["name"])
            });
        }
    }
    score.finish("transform_silhouettes", &file);
}
