//! Morphing: the weighted sum of a vertex's targets.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16, i32x16, u32x16};

use crate::vertices::Columns;
use crate::{Arithmetic, CoordinateMode, LANES, VertexColor, Vertices};

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
    let (level, layout) = (vertices.level(), *vertices.layout());
    let count = vertices.target_count();
    vertices.fold_targets();
    let [first, others @ ..] = &mut vertices.targets[..count] else {
        return;
    };
    if others.is_empty() {
        return;
    }
    let others = &*others;
    let sum = |first: &mut [Vec<f32>], pick: fn(&Columns) -> &[Vec<f32>]| {
        dispatch!(level, simd => sum_in::<A, _>(simd, first, others, pick, len, weights));
    };
    if vertex_type.mode() == CoordinateMode::Transform {
        if layout.position.is_some() {
            sum(&mut first.position, |target| &target.position);
        }
        if layout.normal.is_some() {
            sum(&mut first.normal, |target| &target.normal);
        }
        if layout.texture_coordinate.is_some() {
            sum(&mut first.texture_coordinate, |target| &target.texture_coordinate);
        }
    }
    if layout.color.is_some() {
        let opaque = if vertex_type.color() == VertexColor::Rgb565 {
            0xFF00_0000
        } else {
            0
        };
        colors::<A>(level, &mut first.color, others, len, weights, opaque);
    }
}

/// Replaces `first`, the columns of target 0, by the weighted sum of every target's.
#[inline(always)]
fn sum_in<A: Arithmetic, S: Simd>(
    simd: S,
    first: &mut [Vec<f32>],
    others: &[Columns],
    pick: fn(&Columns) -> &[Vec<f32>],
    len: usize,
    weights: &[f32; 8],
) {
    for (axis, column) in first.iter_mut().enumerate() {
        for row in (0..len).step_by(LANES) {
            let mut sum = f32x16::splat(simd, 0.0);
            for (number, &weight) in weights[..=others.len()].iter().enumerate() {
                let values = match number.checked_sub(1) {
                    None => &column[row..],
                    Some(other) => &pick(&others[other])[axis][row..],
                };
                let values = f32x16::from_slice(simd, &values[..LANES]);
                sum = A::add_lanes(sum, A::mul_lanes(f32x16::splat(simd, weight), values));
            }
            sum.store_slice(&mut column[row..row + LANES]);
        }
    }
}

/// Replaces the colours of target 0 by the weighted sum of every target's, with the bits of `set`.
fn colors<A: Arithmetic>(
    level: Level,
    first: &mut [u32],
    others: &[Columns],
    len: usize,
    weights: &[f32; 8],
    set: u32,
) {
    dispatch!(level, simd => colors_in::<A, _>(simd, first, others, len, weights, set));
}

#[inline(always)]
fn colors_in<A: Arithmetic, S: Simd>(
    simd: S,
    first: &mut [u32],
    others: &[Columns],
    len: usize,
    weights: &[f32; 8],
    set: u32,
) {
    for row in (0..len).step_by(LANES) {
        let mut sums = [f32x16::splat(simd, 0.0); 4];
        for (number, &weight) in weights[..=others.len()].iter().enumerate() {
            let colors = match number.checked_sub(1) {
                None => &first[row..],
                Some(other) => &others[other].color[row..],
            };
            let colors = u32x16::from_slice(simd, &colors[..LANES]);
            for (byte, sum) in sums.iter_mut().enumerate() {
                let part: i32x16<S> = (colors >> (8 * byte as u32) & 0xFF).bitcast();
                *sum = A::add_lanes(*sum, A::mul_lanes(f32x16::splat(simd, weight), part.to_float()));
            }
        }
        let mut colors = u32x16::splat(simd, set);
        for (byte, sum) in sums.into_iter().enumerate() {
            // Truncates and clamps; what is no number is 0.
            let part = sum.to_int_precise::<i32x16<S>>().max(0).min(255);
            colors |= part.bitcast::<u32x16<S>>() << (8 * byte as u32);
        }
        colors.store_slice(&mut first[row..row + LANES]);
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
