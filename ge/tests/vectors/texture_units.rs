//! Texture sizes, levels and the rotation of rectangles.

use ge::command::Opcode;
use vertex::{Component, VertexType};

use crate::scene::{IDENTITY, IDENTITY_4X4, Scene};
use crate::shared::{Score, array, cases, vectors, word, words};

const VERTEX: VertexType = VertexType::from_argument(0)
    .with_texture_coordinate(Component::Bits16)
    .with_position(Component::Bits16);
const THROUGH: VertexType = VertexType::from_argument(VERTEX.argument() | 1 << 23);
const RGB: u32 = 0xFF_FFFF;

#[test]
fn textures_rotate() {
    let Some(file) = vectors("textures_rotate") else {
        return;
    };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        let texels: Vec<u32> = words(&file["texture"])
            .iter()
            .map(|color| 0xFF00_0000 | color)
            .collect();
        scene.texture(0, [1, 1], &texels);
        scene.set(Opcode::TEXFUNC, 0x103);
        let (mut flipped, mut flipped_4x4) = (IDENTITY, IDENTITY_4X4);
        (flipped[4], flipped_4x4[5]) = (-1.0, -1.0);
        match case["flip_y"].as_str() {
            Some("world") => scene.matrix(Opcode::WORLDNUM, &flipped),
            Some("view") => scene.matrix(Opcode::VIEWNUM, &flipped),
            Some("projection") => scene.matrix(Opcode::PROJNUM, &flipped_4x4),
            Some("viewport") => scene.float(Opcode::VPSCALEY, 136.0),
            _ => {}
        }
        let through = word(&case["through"]) == 1;
        let (vertex_type, size) = if through {
            (THROUGH, 2.0)
        } else {
            (VERTEX, 32768.0)
        };
        let vertices = [("pos0", 0.0), ("pos1", size)].map(|(position, coordinate)| {
            let place = words(&case[position])
                .into_iter()
                .map(|number| f64::from(number.cast_signed()));
            [coordinate, coordinate]
                .into_iter()
                .chain(place)
                .chain([0.0])
                .collect()
        });
        scene.draw(6, vertex_type, &vertices);
        scene.run();
        let found = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, y]| scene.pixel(x, y) & RGB);
        score.check(found[..] == words(&case["out"]), || {
            format!("{case}: {found:06x?}")
        });
    }
    score.finish("textures_rotate", &file);
}

/// The bytes of a texture of the test: its elements count up.
fn counting_texture(format: u32, width: u32) -> Vec<u8> {
    const ELEMENTS: u32 = 512 * 1024;
    match format {
        3 => (0..ELEMENTS)
            .flat_map(|index| (0xFFF0_0000 | index).to_le_bytes())
            .collect(),
        2 => (0..ELEMENTS)
            .flat_map(|index| (0xF000 | (index & 0xFFF) as u16).to_le_bytes())
            .collect(),
        5 => (0..ELEMENTS).map(|index| (index % width) as u8).collect(),
        _ => (0..ELEMENTS / 2)
            .map(|index| ((2 * index) & 15 | ((2 * index + 1) & 15) << 4) as u8)
            .collect(),
    }
}

#[test]
fn textures_size() {
    let Some(file) = vectors("textures_size") else {
        return;
    };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::new();
        scene.viewport([128.0, -128.0, 32767.5], [2048.0, 2048.0, 32767.5], [1920, 1920]);
        let format = word(&case["format"]);
        let log2 = [word(&case["log2_w"]), word(&case["log2_h"])];
        let [width, height] = log2.map(|log2| 1_u32 << log2);
        let least = [0, 0, 8, 4, 32, 16][format as usize];
        let texture = scene.data(&counting_texture(format, width));
        scene.set(Opcode::TEXADDR0, texture.get());
        scene.set(
            Opcode::TEXBUFW0,
            (texture.get() >> 8 & 0x0F_0000) | (width.max(least) & 0x7FF),
        );
        scene.set(Opcode::TEXSIZE0, log2[1] << 8 | log2[0]);
        scene.set(Opcode::TEXFORMAT, format);
        scene.set(Opcode::TEXENABLE, 1);
        scene.set(Opcode::TEXFUNC, 0x103);
        scene.set(Opcode::TEXWRAP, 0x101);
        let palette: Vec<u32> = (0..256).map(|entry| 0xFF00_0000 | entry).collect();
        let palette = scene.data_words(&palette);
        scene.set(Opcode::CLUTADDR, palette.get());
        scene.set(Opcode::CLUTADDRHI, palette.get() >> 8 & 0x0F_0000);
        scene.set(Opcode::CLUTFORMAT, 0xFF03);
        scene.set(Opcode::LOADCLUT, 32);
        let vertices = if word(&case["through"]) == 1 {
            [
                vec![0.0, 0.0, 0.0, 0.0, 0.0],
                vec![width.into(), height.into(), 256.0, 256.0, 0.0],
            ]
        } else {
            [
                vec![0.0, 0.0, -32768.0, 32767.0, 0.0],
                vec![32768.0, 32768.0, 32767.0, -32768.0, 0.0],
            ]
        };
        let vertex_type = if word(&case["through"]) == 1 {
            THROUGH
        } else {
            VERTEX
        };
        scene.draw(6, vertex_type, &vertices);
        scene.run();
        for sample in array(&case["pixels"]) {
            let [x, y, expected] = words(sample)[..] else {
                panic!("{case}")
            };
            let found = scene.pixel(x, y) & RGB;
            score.check(found == expected, || {
                format!("{case} ({x}, {y}): {found:06x}, expected {expected:06x}")
            });
        }
    }
    score.finish("textures_size", &file);
}

#[test]
fn textures_mipmap() {
    let Some(file) = vectors("textures_mipmap") else {
        return;
    };
    let mut score = Score::default();
    let mut scene = Scene::new();
    for level in 0..8_u8 {
        let log2 = 8 - u32::from(level);
        let color = 0xFF00_0000 | (u32::from(level) * 0x10_1010);
        scene.texture(level, [log2, log2], &vec![color; 1 << (2 * log2)]);
    }
    scene.set(Opcode::TEXFUNC, 0x103);
    scene.set(Opcode::TEXWRAP, 0x101);
    scene.set(Opcode::TEXFILTER, 6);
    scene.set(Opcode::TEXMODE, 7 << 16);
    scene.float(Opcode::TEXLODSLOPE, 2.0);
    for case in cases(&file) {
        scene.set(
            Opcode::TEXLEVEL,
            (word(&case["bias"]) & 0xFF) << 16 | word(&case["mode"]),
        );
        let number = |name: &str| case[name].as_f64().unwrap_or_default();
        let vertices = [
            vec![0.0; 5],
            vec![number("u"), number("v"), number("w"), number("h"), 0.0],
        ];
        scene.draw(6, THROUGH, &vertices);
        scene.run();
        let found = scene.pixel(0, 0) & RGB;
        score.check(found == word(&case["out"]), || format!("{case}: {found:06x}"));
    }
    score.finish("textures_mipmap", &file);
}
