use proptest::prelude::*;

use super::*;
use crate::{Component, Decoder, F32, UpToEight, VertexType};

const IDENTITY: BoneMatrix = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

fn skinned_type(weights: usize) -> VertexType {
    VertexType::default()
        .with_weights(Component::Float, UpToEight::new(weights).expect("1 to 8"))
        .with_normal(Component::Float)
        .with_position(Component::Float)
}

fn skin_floats(vertex_type: VertexType, floats: &[f32], bones: &[BoneMatrix; 8]) -> Vertices {
    let bytes = floats.iter().flat_map(|f| f.to_le_bytes()).collect::<Vec<_>>();
    let count = bytes.len() / vertex_type.layout().vertex_size;
    let mut vertices = Vertices::new();
    Decoder::new(vertex_type)
        .decode(&bytes, count, &mut vertices)
        .expect("long enough");
    skin::<F32>(&mut vertices, bones);
    vertices
}

/// `spec/ge-frontend.md §7.2`: rows, translation for positions only, weights as they are.
#[test]
fn two_bones_blend_and_normals_are_not_translated() {
    let mut bones = [IDENTITY; 8];
    // x to y, y to z, z to x, then (10, 20, 30).
    bones[1] = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 10.0, 20.0, 30.0];
    let vertices = skin_floats(
        skinned_type(2),
        &[0.5, 0.5, 2.0, 4.0, 6.0, 8.0, 16.0, 32.0],
        &bones,
    );
    assert_eq!(vertices.normal(), Some([&[4.0][..], &[3.0], &[5.0]]));
    assert_eq!(vertices.position(), Some([&[25.0][..], &[22.0], &[39.0]]));
}

/// `spec/ge-frontend.md §7.2`, hw: texmtx/normals "Weighted normal": doubled normals and a bone that
/// halves give the unweighted picture.
#[test]
fn a_halving_bone_undoes_doubled_normals() {
    let mut bones = [IDENTITY; 8];
    bones[0] = bones[0].map(|element| element / 2.0);
    let vertices = skin_floats(skinned_type(1), &[1.0, 0.0, 0.0, 2.0, 6.0, 4.0, 2.0], &bones);
    assert_eq!(vertices.normal(), Some([&[0.0][..], &[0.0], &[1.0]]));
    assert_eq!(vertices.position(), Some([&[3.0][..], &[2.0], &[1.0]]));
}

#[test]
fn weights_that_exceed_one_scale() {
    let vertices = skin_floats(
        skinned_type(1),
        &[2.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0],
        &[IDENTITY; 8],
    );
    assert_eq!(vertices.position(), Some([&[2.0][..], &[4.0], &[6.0]]));
}

#[test]
fn a_zero_weight_hides_a_bone_that_holds_no_number() {
    let mut bones = [IDENTITY; 8];
    bones[1] = [f32::NAN; 12];
    let floats = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0];
    let vertices = skin_floats(skinned_type(2), &floats, &bones);
    assert_eq!(vertices.position(), Some([&[1.0][..], &[2.0], &[3.0]]));
    assert_eq!(blended_bone::<F32>(&floats[..2], &bones), IDENTITY);
}

#[test]
fn through_mode_and_vertices_without_weights_stay() {
    let bones = [[7.0; 12]; 8];
    let through = skinned_type(1).with_mode(CoordinateMode::Through);
    let vertices = skin_floats(through, &[1.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0], &bones);
    assert_eq!(vertices.position(), Some([&[1.0][..], &[2.0], &[3.0]]));
    let rigid = VertexType::default().with_position(Component::Float);
    let vertices = skin_floats(rigid, &[1.0, 2.0, 3.0], &bones);
    assert_eq!(vertices.position(), Some([&[1.0][..], &[2.0], &[3.0]]));
}

/// An arithmetic that drops fractions: enough to tell it from `f32`.
enum Coarse {}

impl Arithmetic for Coarse {
    fn mul(a: f32, b: f32) -> f32 {
        (a * b).trunc()
    }

    fn add(a: f32, b: f32) -> f32 {
        (a + b).trunc()
    }
}

/// What [`skin`] does, vertex by vertex.
fn skin_one<A: Arithmetic>(
    weights: &[f32],
    bones: &[BoneMatrix; 8],
    (normal, position): ([f32; 3], [f32; 3]),
) -> [[u32; 3]; 2] {
    let matrix = blended_bone::<A>(weights, bones);
    let moved = [direction::<A>(normal, &matrix), point::<A>(position, &matrix)];
    moved.map(|vector| vector.map(f32::to_bits))
}

proptest! {
    /// Blocks give each vertex what it gets alone, whatever the arithmetic.
    #[test]
    fn blocks_skin_as_single_vertices_do(
        weight_count in 1_usize..=8,
        numbers in prop::collection::vec(prop_oneof![Just(0.0_f32), -300.0_f32..300.0], 14 * 40),
        bones in prop::array::uniform8(prop::array::uniform12(-30.0_f32..30.0)),
        coarse: bool,
    ) {
        let vertex_type = skinned_type(weight_count);
        let width = weight_count + 6;
        let count = numbers.len() / width;
        let numbers = &numbers[..count * width];
        let bytes = numbers.iter().flat_map(|f| f.to_le_bytes()).collect::<Vec<_>>();
        let mut vertices = Vertices::new();
        Decoder::new(vertex_type).decode(&bytes, count, &mut vertices).expect("long enough");
        if coarse {
            skin::<Coarse>(&mut vertices, &bones);
        } else {
            skin::<F32>(&mut vertices, &bones);
        }
        let normal = vertices.normal().expect("normals");
        let position = vertices.position().expect("positions");
        for (row, vertex) in numbers.chunks_exact(width).enumerate() {
            let (weights, rest) = vertex.split_at(weight_count);
            let vectors = ([rest[0], rest[1], rest[2]], [rest[3], rest[4], rest[5]]);
            let want = if coarse {
                skin_one::<Coarse>(weights, &bones, vectors)
            } else {
                skin_one::<F32>(weights, &bones, vectors)
            };
            let got = [normal, position].map(|vector| vector.map(|axis| axis[row].to_bits()));
            prop_assert_eq!(got, want);
        }
    }
}
