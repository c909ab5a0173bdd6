//! Lights, fog, materials and morphed colours.

use ge::command::Opcode;
use serde_json::Value;
use vertex::{Component, VertexColor, VertexType};

use crate::scene::Scene;
use crate::shared::{Score, array, cases, floats, vectors, word, words};

const WHITE: u32 = 0xFF_FFFF;

#[test]
fn lighting() {
    let Some(file) = vectors("lighting") else { return };
    let mut score = Score::default();
    let mut scene = Scene::new();
    for material in [Opcode::MATAMBIENT, Opcode::MATDIFFUSE, Opcode::MATSPECULAR] {
        scene.set(material, WHITE);
    }
    for (color, argument) in [
        (Opcode::LCOL0A, 0xFF_0000),
        (Opcode::LCOL0D, 0xFF00),
        (Opcode::LCOL0S, 0xFF),
    ] {
        scene.set(color, argument);
    }
    scene.set(Opcode::LIGHTING, 1);
    scene.set(Opcode::LIGHT0, 1);
    let vertex_type = VertexType::default()
        .with_color(VertexColor::Rgba8888)
        .with_normal(Component::Bits16)
        .with_position(Component::Bits16);
    for case in cases(&file) {
        scene.forget_data();
        scene.set(Opcode::LIGHTTYPE0, word(&case["type"]) << 8 | word(&case["comp"]));
        for (first, values) in [
            (Opcode::LPOS0X, &case["pos"]),
            (Opcode::LATT0A, &case["att"]),
            (Opcode::LDIR0X, &case["axis"]),
        ] {
            for (number, &argument) in (0..).zip(&words(values)) {
                scene.set(first.nth(number), argument);
            }
        }
        scene.set(Opcode::SPOTEXP0, word(&case["exponent"]));
        scene.set(Opcode::SPOTCUT0, word(&case["cutoff"]));
        scene.set(Opcode::SPECULARCOEF, word(&case["coef"]));
        let vertices: Vec<Vec<f64>> = array(&case["vertices"])
            .iter()
            .map(|position| {
                let mut vertex = vec![
                    f64::from(u32::MAX),
                    0.0,
                    0.0,
                    case["nz"].as_f64().unwrap_or_default(),
                ];
                vertex.extend(array(position).iter().filter_map(Value::as_f64));
                vertex
            })
            .collect();
        scene.draw(5, vertex_type, &vertices);
        scene.run();
        let found = scene.pixel(word(&case["x"]), 2) & WHITE;
        score.check(found == word(&case["out"]), || format!("{case}: {found:06x}"));
    }
    score.finish("lighting", &file);
}

#[test]
fn fog() {
    let Some(file) = vectors("fog") else { return };
    let mut score = Score::default();
    let mut scene = Scene::new();
    for case in cases(&file) {
        scene.forget_data();
        scene.fill(0x4444_4444);
        let color = word(&case["color"]);
        scene.set(Opcode::FOGCOLOR, word(&case["fog_color"]));
        if case["kind"] == "vertex" {
            scene.set(Opcode::FOGENABLE, 1);
            scene.set(Opcode::FOG1, word(&case["fog1"]));
            scene.set(Opcode::FOG2, word(&case["fog2"]));
            let vertex_type = VertexType::default()
                .with_color(VertexColor::Rgba8888)
                .with_position(Component::Float);
            let vertices = [[-1.0, 1.0], [1.0, -1.0]].map(|[x, y]| vec![color.into(), x, y, 0.0]);
            scene.draw(6, vertex_type, &vertices);
        } else {
            scene.set(Opcode::FOGENABLE, 0);
            scene.set(Opcode::VTYPE, 0);
            for (corner, code) in [([0, 0], 6), ([4, 4], 7)] {
                scene.set(Opcode::VSCX, (1808 + corner[0]) * 16);
                scene.set(Opcode::VSCY, (1912 + corner[1]) * 16);
                scene.set(Opcode::VCV, color);
                scene.set(Opcode::VFC, word(&case["fog8"]));
                scene.set(Opcode::VAP, 1 << 22 | code << 8 | color >> 24);
            }
        }
        scene.run();
        let found = scene.pixel(0, 0);
        score.check(found == word(&case["out"]), || format!("{case}: {found:08x}"));
    }
    score.finish("fog", &file);
}

#[test]
fn material() {
    let Some(file) = vectors("material") else { return };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        scene.texture(0, [1, 0], &[0xAAAA_AAAA, 0xFFFF_FFFF]);
        scene.set(Opcode::TEXFUNC, word(&case["rgba"]) << 8 | 1);
        scene.set(Opcode::MATERIALUPDATE, word(&case["material_update"]));
        scene.set(Opcode::MATAMBIENT, word(&case["material_ambient"]));
        scene.set(Opcode::MATALPHA, word(&case["material_alpha"]));
        scene.set(Opcode::LIGHTING, word(&case["lighting"]));
        let colors = case["vertex_colors"].as_array();
        let mut vertex_type = VertexType::from_argument(1 << 23)
            .with_texture_coordinate(Component::Bits16)
            .with_position(Component::Bits16);
        if colors.is_some() {
            vertex_type = vertex_type.with_color(VertexColor::Rgba8888);
        }
        let vertices: Vec<Vec<f64>> = [0.0, 2.0]
            .into_iter()
            .enumerate()
            .map(|(index, corner)| {
                let color = colors.and_then(|colors| colors[index].as_f64());
                [corner, 0.0]
                    .into_iter()
                    .chain(color)
                    .chain([corner, corner, 0.0])
                    .collect()
            })
            .collect();
        scene.draw(6, vertex_type, &vertices);
        scene.run();
        let found = [0, 1].map(|x| scene.pixel(x, 0) & WHITE);
        score.check(found[..] == words(&case["out"]), || {
            format!("{case}: {found:06x?}")
        });
    }
    score.finish("material", &file);
}

#[test]
fn vertices_morph_color() {
    let Some(file) = vectors("vertices_morph_color") else {
        return;
    };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        let targets = word(&case["targets"]);
        for (number, &weight) in (0..).zip(&floats(&case["weights"])) {
            scene.float(Opcode::MORPH0.nth(number), weight);
        }
        if let Some(ambient) = case["light_ambient"].as_u64() {
            scene.set(Opcode::LIGHTING, 1);
            scene.set(Opcode::LIGHT0, 1);
            scene.set(Opcode::LCOL0A, ambient as u32);
            scene.set(Opcode::MATERIALUPDATE, 7);
        }
        scene.set(
            Opcode::CLEARMODE,
            if word(&case["clear"]) == 1 { 0x301 } else { 0 },
        );
        // Positions do not move: the weights of the recorded boxes do not sum to one.
        let vertex_type = VertexType::from_argument((targets - 1) << 18)
            .with_color(VertexColor::Rgba8888)
            .with_position(Component::Float);
        let colors = words(&case["colors"]);
        let sum: f32 = if targets == 1 {
            1.0
        } else {
            floats(&case["weights"]).iter().sum()
        };
        let corner = |x: f64, y: f64| -> Vec<f64> {
            let scale = f64::from(sum);
            let target = |&color: &u32| [f64::from(color | 0xFF00_0000), x / scale, y / scale, 0.0];
            colors.iter().flat_map(target).collect()
        };
        scene.draw(6, vertex_type, &[corner(-1.0, 1.0), corner(1.0, -1.0)]);
        scene.run();
        let found = scene.pixel(240, 136) & WHITE;
        score.check(found == word(&case["out"]), || format!("{case}: {found:06x}"));
    }
    score.finish("vertices_morph_color", &file);
}
