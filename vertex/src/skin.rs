//! Skinning: bones weighted per vertex.

use std::ops::Range;

use crate::{Arithmetic, CoordinateMode, Vertices};

/// A bone's matrix as it is uploaded: the images of the x, y and z axes, then the translation, three
/// numbers each. A position p becomes `p.x * m[0..3] + p.y * m[3..6] + p.z * m[6..9] + m[9..12]`
/// (`spec/ge-frontend.md §5.3`).
pub type BoneMatrix = [f32; 12];

/// Vertices skinned at a time, their blended matrices side by side.
const BLOCK: usize = 16;

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
    let layout = vertex_type.layout();
    let Vertices { weights, targets, .. } = vertices;
    let Some(target) = targets.first_mut() else {
        return;
    };
    for start in (0..len).step_by(BLOCK) {
        let rows = start..len.min(start + BLOCK);
        let matrices = blend::<A>(weights, rows.clone(), &bones[..bone_count]);
        if layout.position.is_some() {
            transform(&mut target.position, rows.clone(), |point, j, row| {
                A::affine(point, [0, 3, 6, 9].map(|element| matrices[element + j][row]))
            });
        }
        if layout.normal.is_some() {
            transform(&mut target.normal, rows, |direction, j, row| {
                A::dot3(direction, [0, 3, 6].map(|element| matrices[element + j][row]))
            });
        }
    }
}

/// Numbers of a block of vertices, zeros after the last.
fn load(column: &[f32], rows: Range<usize>) -> [f32; BLOCK] {
    let mut block = [0.0; BLOCK];
    block[..rows.len()].copy_from_slice(&column[rows]);
    block
}

/// The blended matrices of some rows: element by element, one row beside the other.
#[inline]
fn blend<A: Arithmetic>(
    weights: &[Vec<f32>; 8],
    rows: Range<usize>,
    bones: &[BoneMatrix],
) -> [[f32; BLOCK]; 12] {
    let mut matrices = [[0.0; BLOCK]; 12];
    for (bone, column) in bones.iter().zip(weights) {
        let weights = load(column, rows.clone());
        for (sums, &element) in matrices.iter_mut().zip(bone) {
            for (sum, &weight) in sums.iter_mut().zip(&weights) {
                let more = A::add(*sum, A::mul(weight, element));
                *sum = if weight == 0.0 { *sum } else { more };
            }
        }
    }
    matrices
}

/// Replaces each vector of the rows by what `to` makes of it: number `j` of the vector in a row of the
/// block.
#[inline]
fn transform(columns: &mut [Vec<f32>; 3], rows: Range<usize>, to: impl Fn([f32; 3], usize, usize) -> f32) {
    let [x, y, z] = columns.each_ref().map(|column| load(column, rows.clone()));
    for (j, column) in columns.iter_mut().enumerate() {
        let mut out = [0.0; BLOCK];
        for (row, out) in out.iter_mut().enumerate() {
            *out = to([x[row], y[row], z[row]], j, row);
        }
        column[rows.clone()].copy_from_slice(&out[..rows.len()]);
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
