use proptest::prelude::*;

use super::*;
use crate::{Component, Decoder, F32, UpToEight, VertexType};

fn decode(vertex_type: VertexType, bytes: &[u8]) -> Vertices {
    let mut vertices = Vertices::new();
    let count = bytes.len() / vertex_type.layout().vertex_size;
    Decoder::new(vertex_type)
        .decode(bytes, count, &mut vertices)
        .expect("long enough");
    vertices
}

fn morphed(vertex_type: VertexType, bytes: &[u8], weights: &[f32]) -> Vertices {
    let mut vertices = decode(vertex_type, bytes);
    let mut all = [f32::NAN; 8];
    all[..weights.len()].copy_from_slice(weights);
    morph::<F32>(&mut vertices, &all);
    assert_eq!(vertices.target_count(), 1);
    assert!(vertices.target(1).is_none());
    vertices
}

fn targets(count: usize) -> UpToEight {
    UpToEight::new(count).expect("1 to 8")
}

/// `spec/ge-frontend.md §7.1`, the colours that hardware gave.
#[test]
fn the_recorded_colors() {
    const ALL: [u32; 4] = [0xFF_0000FF, 0xFF_00FF00, 0xFF_FF0000, 0xFF_00FFFF];
    for (weights, want) in [
        (&[0.5][..], 0x00_00FF),
        (&[0.5, 0.5], 0x00_7F7F),
        (&[0.75, 0.25], 0x00_3FBF),
        (&[0.25; 4], 0x3F_7F7F),
        (&[1.0, 0.25, 0.25, 0.25], 0x3F_7FFF),
        (&[1.0; 4], 0xFF_FFFF),
    ] {
        let vertex_type = VertexType::default()
            .with_color(VertexColor::Rgba8888)
            .with_morph_count(targets(weights.len()));
        // The missing position counts three bytes and pads to four.
        let bytes: Vec<u8> = ALL[..weights.len()]
            .iter()
            .flat_map(|c| [c.to_le_bytes(), [0; 4]])
            .flatten()
            .collect();
        let vertices = morphed(vertex_type, &bytes, weights);
        assert_eq!(
            vertices.color().map(|c| c[0] & 0xFF_FFFF),
            Some(want),
            "{weights:?}"
        );
    }
}

#[test]
fn numbers_are_weighted_sums_and_bone_weights_stay() {
    let vertex_type = VertexType::default()
        .with_weights(Component::Float, UpToEight::ONE)
        .with_texture_coordinate(Component::Float)
        .with_normal(Component::Float)
        .with_position(Component::Float)
        .with_morph_count(targets(2));
    let floats = [
        0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 8.0, 8.0, 8.0, 8.0, 8.0, 16.0, 16.0, 16.0,
    ];
    let bytes: Vec<u8> = floats.iter().flat_map(|f: &f32| f.to_le_bytes()).collect();
    let vertices = morphed(vertex_type, &bytes, &[2.0, 0.5]);
    assert_eq!(vertices.weights(0), Some(&[0.5][..]));
    assert_eq!(vertices.texture_coordinate(), Some([&[6.0][..], &[8.0]]));
    assert_eq!(vertices.normal(), Some([&[10.0][..], &[12.0], &[14.0]]));
    assert_eq!(vertices.position(), Some([&[20.0][..], &[22.0], &[24.0]]));
}

/// A single weight is not applied (hw: vertices/morph, first box).
#[test]
fn one_target_is_left_alone() {
    let vertices = morphed(
        VertexType::default().with_position(Component::Bits8),
        &[64, 0, 0],
        &[0.5],
    );
    assert_eq!(vertices.position(), Some([&[0.5][..], &[0.0], &[0.0]]));
}

#[test]
fn through_mode_morphs_the_color_alone() {
    let vertex_type = VertexType::default()
        .with_color(VertexColor::Rgba4444)
        .with_position(Component::Bits16)
        .with_mode(CoordinateMode::Through)
        .with_morph_count(targets(2));
    let bytes = [0x0F, 0x00, 10, 0, 20, 0, 30, 0, 0xF0, 0xF0, 50, 0, 60, 0, 70, 0];
    let vertices = morphed(vertex_type, &bytes, &[1.0, 0.5]);
    assert_eq!(vertices.position(), Some([&[10.0][..], &[20.0], &[30.0]]));
    assert_eq!(vertices.color(), Some(&[0x7F00_7FFF][..]));
}

#[test]
fn a_5650_color_stays_opaque() {
    let vertex_type = VertexType::default()
        .with_color(VertexColor::Rgb565)
        .with_morph_count(targets(2));
    let vertices = morphed(
        vertex_type,
        &[0x1F, 0, 0, 0, 0, 0, 0x1F, 0, 0, 0, 0, 0],
        &[0.25, 0.25],
    );
    assert_eq!(vertices.color(), Some(&[0xFF00_007F][..]));
}

#[test]
fn parts_clamp_and_what_is_no_number_is_zero() {
    assert_eq!(color::<F32>(&[0x8080_8080], &[-1.0]), 0);
    assert_eq!(color::<F32>(&[0x8080_8080], &[f32::INFINITY]), u32::MAX);
    assert_eq!(color::<F32>(&[0x8080_8080], &[f32::NAN]), 0);
    // 254.99 is cut off, not rounded.
    assert_eq!(color::<F32>(&[0xFF, 0xFF], &[0.5, 0.49996]), 0xFE);
}

proptest! {
    /// Blocks sum each vertex as it is summed alone, in target order.
    #[test]
    fn blocks_morph_as_single_vertices_do(
        count in 2_usize..=8,
        bytes in prop::collection::vec(any::<u8>(), 8 * 8 * 150),
        weights in prop::array::uniform8(-2.0_f32..2.0),
    ) {
        let vertex_type = VertexType::default()
            .with_color(VertexColor::Rgba8888)
            .with_position(Component::Bits8)
            .with_morph_count(targets(count));
        let before = decode(vertex_type, &bytes);
        let mut after = before.clone();
        morph::<F32>(&mut after, &weights);
        for row in 0..before.len() {
            let all: Vec<_> = (0..count).map(|n| before.target(n).expect("target")).collect();
            let colors: Vec<_> = all.iter().map(|target| target.color().expect("color")[row]).collect();
            prop_assert_eq!(after.color().expect("color")[row], color::<F32>(&colors, &weights));
            for axis in 0..3 {
                let values = all.iter().map(|target| target.position().expect("position")[axis][row]);
                let want = values.zip(&weights).fold(0.0, |sum, (value, weight)| sum + weight * value);
                prop_assert_eq!(after.position().expect("position")[axis][row].to_bits(), want.to_bits());
            }
        }
    }
}
