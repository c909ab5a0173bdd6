//! Results recorded on a real PSP (`spec/vectors`), as far as they concern decoding.

use std::path::Path;

use serde_json::Value;
use vertex::{Decoder, F32, IndexFormat, UpToEight, VertexColor, VertexType, Vertices, index, morph};

/// The file's contents, or `None`, with a printed reason, where the shared data are absent.
fn vectors(name: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/spec/vectors")
        .join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Some(serde_json::from_slice(&bytes).expect("a vector file is JSON")),
        Err(error) => {
            eprintln!("skipped: {}: {error}", path.display());
            None
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a whole number")
}

fn unsigned(value: &Value) -> u32 {
    u32::try_from(number(value)).expect("32 bits")
}

#[test]
fn pointers_advance_by_the_bytes_of_a_draw() {
    let Some(file) = vectors("vertex_advance.json") else {
        return;
    };
    let cases = list(&file["cases"]);
    for case in cases {
        let vertex_type = VertexType::from_argument(unsigned(&case["vtype"]));
        let count = unsigned(&case["count"]) as usize;
        let advance = match vertex_type.index() {
            IndexFormat::None => (vertex_type.layout().bytes_of(count), Some(0)),
            format => (Some(0), index::bytes_of(format, count)),
        };
        let want = ["vptr_advance", "iptr_advance"].map(|field| Some(unsigned(&case[field]) as usize));
        assert_eq!(advance, want.into(), "case {} ({vertex_type})", case["n"]);
    }
    assert_eq!(cases.len(), 12);
}

/// The colour of an unblended fan is the colour of its vertices, and the fan stands where its first
/// vertex says.
#[test]
fn vertex_colors_are_the_colors_of_the_picture() {
    let Some(file) = vectors("vertices_colors.json") else {
        return;
    };
    let mut checked = 0;
    for case in list(&file["cases"]) {
        // Clear mode does not blend.
        if number(&case["blend"]) == 1 && number(&case["clear"]) == 0 {
            continue;
        }
        let vertex_type = VertexType::from_argument(unsigned(&case["vtype"]));
        let layout = vertex_type.layout();
        let mut bytes = vec![0; layout.vertex_size];
        let mut put = |offset: Option<usize>, data: &[u8]| {
            let offset = offset.expect("present");
            bytes[offset..offset + data.len()].copy_from_slice(data);
        };
        let color = unsigned(&case["color"]).to_le_bytes();
        put(layout.color, &color[..vertex_type.color().size()]);
        let corner: Vec<u8> = list(&case["vertices"][0])
            .iter()
            .flat_map(|axis| i16::try_from(number(axis)).expect("16 bits").to_le_bytes())
            .collect();
        put(layout.position, &corner);

        let mut vertices = Vertices::new();
        Decoder::new(vertex_type)
            .decode(&bytes, 1, &mut vertices)
            .expect("one vertex");
        let [x, y, _] = vertices.position().expect("positions").map(|axis| axis[0]);
        // The viewport of the test is the screen, 480 by 272.
        let pixel = if vertex_type.is_through() {
            (x, y)
        } else {
            (240.0 + 240.0 * x, 136.0 - 136.0 * y)
        };
        let pixel = (pixel.0.round() as i64, pixel.1.round() as i64);
        let color = vertices.color().expect("colors")[0] & 0xFF_FFFF;
        let found = list(&file["picture"])
            .iter()
            .find(|rectangle| (number(&rectangle[0]), number(&rectangle[1])) == pixel)
            .map_or(0, |rectangle| unsigned(&rectangle[4]));
        assert_eq!(color, found, "case {} ({vertex_type}) at {pixel:?}", case["n"]);
        checked += 1;
    }
    assert_eq!(checked, 17);
}

#[test]
fn morphed_colors_are_the_colors_of_the_boxes() {
    let Some(file) = vectors("vertices_morph_color.json") else {
        return;
    };
    let mut checked = 0;
    for case in list(&file["cases"]) {
        // Lighting is not this crate's.
        if !case["light_ambient"].is_null() {
            continue;
        }
        let targets = UpToEight::new(unsigned(&case["targets"]) as usize).expect("1 to 8");
        let vertex_type = VertexType::default()
            .with_color(VertexColor::Rgba8888)
            .with_morph_count(targets);
        let colors = list(&case["colors"]);
        assert_eq!(colors.len(), targets.get());
        // The position that the type lacks counts three bytes, and the colour's alignment a fourth.
        let bytes: Vec<u8> = colors
            .iter()
            .flat_map(|color| [unsigned(color).to_le_bytes(), [0; 4]])
            .flatten()
            .collect();
        let mut weights = [0.0; 8];
        for (weight, value) in weights.iter_mut().zip(list(&case["weights"])) {
            *weight = value.as_f64().expect("a number") as f32;
        }
        let mut vertices = Vertices::new();
        Decoder::new(vertex_type)
            .decode(&bytes, 1, &mut vertices)
            .expect("one vertex");
        morph::morph::<F32>(&mut vertices, &weights);
        assert_eq!(
            vertices.color(),
            Some(&[unsigned(&case["out"])][..]),
            "case {}",
            case["n"]
        );
        checked += 1;
    }
    assert_eq!(checked, 6);
}
