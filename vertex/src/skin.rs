//! Skinning: bones weighted per vertex.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f32x16};

use crate::vertices::Columns;
use crate::{Arithmetic, CoordinateMode, LANES, VertexLayout, Vertices};

/// A bone's matrix as it is uploaded: the images of the x, y and z axes, then the translation, three
/// numbers each. A position p becomes `p.x * m[0..3] + p.y * m[3..6] + p.z * m[6..9] + m[9..12]`
/// (`spec/ge-frontend.md §5.3`).
pub type BoneMatrix = [f32; 12];

/// Moves positions and normals of target 0 by their bones, in place.
///
/// The first [`weight_count`](crate::VertexType::weight_count) bones are blended element by element,
/// in bone order, by the vertex's weights, which are used as they are: a sum other than 1 scales the
/// result, and a weight of zero leaves its bone out even where that holds no number. Positions take
/// the translation, normals do not, and are neither normalised nor turned by an inverse transpose
/// (`spec/ge-frontend.md §7.2`, hw: texmtx/normals for the latter).
///
/// Nothing happens without weights, nor in through mode (ppsspp). Morph first: weights are those of
/// target 0, and so are the vertices moved (`spec/ge-frontend.md §7.3`).
pub fn skin<A: Arithmetic>(vertices: &mut Vertices, bones: &[BoneMatrix; 8]) {
    let (vertex_type, len) = (vertices.vertex_type(), vertices.len());
    let bone_count = vertex_type.weight_count();
    if bone_count == 0 || vertex_type.mode() == CoordinateMode::Through {
        return;
    }
    let (level, layout) = (vertices.level(), *vertices.layout());
    let Vertices { weights, targets, .. } = vertices;
    let Some(target) = targets.first_mut() else {
        return;
    };
    let (weights, bones) = (&weights[..bone_count], &bones[..bone_count]);
    dispatch!(level, simd => skin_in::<A, _>(simd, weights, bones, &layout, target, len));
}

#[inline(always)]
fn skin_in<A: Arithmetic, S: Simd>(
    simd: S,
    weights: &[Vec<f32>],
    bones: &[BoneMatrix],
    layout: &VertexLayout,
    target: &mut Columns,
    len: usize,
) {
    for row in (0..len).step_by(LANES) {
        let m = blend::<A, S>(simd, weights, bones, row);
        if layout.position.is_some() {
            let point = load(simd, &target.position, row);
            let moved = [
                A::affine_lanes(point, [m[0], m[3], m[6], m[9]]),
                A::affine_lanes(point, [m[1], m[4], m[7], m[10]]),
                A::affine_lanes(point, [m[2], m[5], m[8], m[11]]),
            ];
            store(moved, &mut target.position, row);
        }
        if layout.normal.is_some() {
            let direction = load(simd, &target.normal, row);
            let turned = [
                A::dot3_lanes(direction, [m[0], m[3], m[6]]),
                A::dot3_lanes(direction, [m[1], m[4], m[7]]),
                A::dot3_lanes(direction, [m[2], m[5], m[8]]),
            ];
            store(turned, &mut target.normal, row);
        }
    }
}

/// The blended matrices of the rows from `row` on.
#[inline(always)]
fn blend<A: Arithmetic, S: Simd>(
    simd: S,
    weights: &[Vec<f32>],
    bones: &[BoneMatrix],
    row: usize,
) -> [f32x16<S>; 12] {
    let mut matrix = [f32x16::splat(simd, 0.0); 12];
    for (bone, column) in bones.iter().zip(weights) {
        let weight = f32x16::from_slice(simd, &column[row..row + LANES]);
        let left_out = weight.simd_eq(0.0);
        for (sum, &element) in matrix.iter_mut().zip(bone) {
            let more = A::add_lanes(*sum, A::mul_lanes(weight, f32x16::splat(simd, element)));
            *sum = left_out.select(*sum, more);
        }
    }
    matrix
}

/// The vectors of the rows from `row` on.
#[inline(always)]
fn load<S: Simd>(simd: S, [x, y, z]: &[Vec<f32>; 3], row: usize) -> [f32x16<S>; 3] {
    [
        f32x16::from_slice(simd, &x[row..row + LANES]),
        f32x16::from_slice(simd, &y[row..row + LANES]),
        f32x16::from_slice(simd, &z[row..row + LANES]),
    ]
}

/// Writes the vectors of the rows from `row` on.
#[inline(always)]
fn store<S: Simd>(vectors: [f32x16<S>; 3], columns: &mut [Vec<f32>; 3], row: usize) {
    for (vector, column) in vectors.into_iter().zip(columns) {
        vector.store_slice(&mut column[row..row + LANES]);
    }
}

/// One vertex's blended matrix: what [`skin`] applies to it.
///
/// Where one slice is shorter the rest of the other is ignored.
#[must_use]
pub fn blended_bone<A: Arithmetic>(weights: &[f32], bones: &[BoneMatrix]) -> BoneMatrix {
    let mut matrix = [0.0; 12];
    for (&weight, bone) in weights.iter().zip(bones).filter(|&(&weight, _)| weight != 0.0) {
        for (sum, &element) in matrix.iter_mut().zip(bone) {
            *sum = A::add(*sum, A::mul(weight, element));
        }
    }
    matrix
}

/// A point times a bone's matrix, translation included.
#[must_use]
pub fn point<A: Arithmetic>(point: [f32; 3], matrix: &BoneMatrix) -> [f32; 3] {
    std::array::from_fn(|j| A::affine(point, [0, 3, 6, 9].map(|element| matrix[element + j])))
}

/// A direction times a bone's matrix, without the translation.
#[must_use]
pub fn direction<A: Arithmetic>(direction: [f32; 3], matrix: &BoneMatrix) -> [f32; 3] {
    std::array::from_fn(|j| A::dot3(direction, [0, 3, 6].map(|element| matrix[element + j])))
}

#[cfg(test)]
mod tests;
