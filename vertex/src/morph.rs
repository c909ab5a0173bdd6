//! Morphing: the weighted sum of a vertex's targets.

use crate::vertices::Columns;
use crate::{Arithmetic, CoordinateMode, VertexColor, Vertices};

/// Vertices whose colours are summed at a time.
const BLOCK: usize = 64;

/// Folds the morph targets into target 0: each number becomes the sum, in target order, of weight
/// times the target's number. Weights are used as they are: their sum need not be 1.
///
/// `weights[n]` belongs to target n (`MORPHn`). With one target nothing happens, so a lone weight is
/// not applied (`spec/ge-frontend.md §7.1`, hw: vertices/morph). Afterwards
/// [`Vertices::target_count`] is 1.
///
/// Colours are summed part by part from their 8-bit values, then truncated and clamped: see
/// [`color`]. A 5650 colour stays opaque, as in PPSSPP; JPCSP sums the weights (unverified). In
/// through mode colours alone are morphed, as in PPSSPP, and the rest is that of target 0:
/// unverified, and hardware is said to crash there.
///
/// Bone weights are those of target 0 before and after.
pub fn morph<A: Arithmetic>(vertices: &mut Vertices, weights: &[f32; 8]) {
    let (vertex_type, len) = (vertices.vertex_type(), vertices.len());
    let layout = vertex_type.layout();
    let count = vertices.target_count();
    vertices.fold_targets();
    let [first, others @ ..] = &mut vertices.targets[..count] else {
        return;
    };
    if others.is_empty() {
        return;
    }
    let others = &*others;
    if vertex_type.mode() == CoordinateMode::Transform {
        if layout.position.is_some() {
            sum::<A, 3>(
                &mut first.position,
                others,
                |target| &target.position,
                len,
                weights,
            );
        }
        if layout.normal.is_some() {
            sum::<A, 3>(&mut first.normal, others, |target| &target.normal, len, weights);
        }
        if layout.texture_coordinate.is_some() {
            let coordinates = &mut first.texture_coordinate;
            sum::<A, 2>(
                coordinates,
                others,
                |target| &target.texture_coordinate,
                len,
                weights,
            );
        }
    }
    if layout.color.is_some() {
        let opaque = if vertex_type.color() == VertexColor::Rgb565 {
            0xFF00_0000
        } else {
            0
        };
        colors::<A>(&mut first.color[..len], others, weights, opaque);
    }
}

/// Replaces `first`, the columns of target 0, by the weighted sum of every target's.
fn sum<A: Arithmetic, const N: usize>(
    first: &mut [Vec<f32>; N],
    others: &[Columns],
    pick: fn(&Columns) -> &[Vec<f32>; N],
    len: usize,
    weights: &[f32; 8],
) {
    for (axis, column) in first.iter_mut().enumerate() {
        for value in &mut column[..len] {
            *value = A::add(0.0, A::mul(weights[0], *value));
        }
        for (other, &weight) in others.iter().zip(&weights[1..]) {
            for (sum, &value) in column[..len].iter_mut().zip(&pick(other)[axis]) {
                *sum = A::add(*sum, A::mul(weight, value));
            }
        }
    }
}

/// Replaces the colours of target 0 by the weighted sum of every target's, with the bits of `set`.
fn colors<A: Arithmetic>(first: &mut [u32], others: &[Columns], weights: &[f32; 8], set: u32) {
    for (block, out) in first.chunks_mut(BLOCK).enumerate() {
        let mut sums = [[0.0_f32; BLOCK]; 4];
        let mut accumulate = |colors: &[u32], weight: f32| {
            for (byte, sums) in sums.iter_mut().enumerate() {
                for (sum, color) in sums.iter_mut().zip(colors) {
                    let part = color >> (8 * byte) & 0xFF;
                    *sum = A::add(*sum, A::mul(weight, part as f32));
                }
            }
        };
        accumulate(out, weights[0]);
        for (other, &weight) in others.iter().zip(&weights[1..]) {
            let rows = &other.color[block * BLOCK..];
            accumulate(&rows[..out.len()], weight);
        }
        let [red, green, blue, alpha] = sums;
        for (row, color) in out.iter_mut().enumerate() {
            *color = pack([red[row], green[row], blue[row], alpha[row]]) | set;
        }
    }
}

/// The weighted sum of colours, each part summed as a float from 0, truncated toward zero and clamped
/// to 0..=255 (hw: vertices/morph).
///
/// Colours and the result hold red in the low byte, then green, blue, alpha; where one slice is
/// shorter the rest of the other is ignored. PPSSPP weights parts of 4, 5 and 6 bits as exact
/// fractions of 255 and not as these bytes, which differ by less than 1; unverified on hardware
/// (`spec/ge-frontend.md §7.1`).
///
/// ```
/// use vertex::{F32, morph};
///
/// // Half red, half green: each is cut off at 0x7F.
/// assert_eq!(morph::color::<F32>(&[0xFF_0000FF, 0xFF_00FF00], &[0.5, 0.5]), 0xFF_007F7F);
/// ```
#[must_use]
pub fn color<A: Arithmetic>(colors: &[u32], weights: &[f32]) -> u32 {
    pack(std::array::from_fn(|byte| {
        colors.iter().zip(weights).fold(0.0, |sum, (color, &weight)| {
            A::add(sum, A::mul(weight, (color >> (8 * byte) & 0xFF) as f32))
        })
    }))
}

/// Truncates and clamps each part; a part that is not a number is 0.
fn pack(parts: [f32; 4]) -> u32 {
    // `as` truncates and saturates, so only the upper end needs clamping.
    u32::from_le_bytes(parts.map(|part| part as u8))
}

#[cfg(test)]
mod tests;
