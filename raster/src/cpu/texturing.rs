//! Texture coordinates, the level of detail and texels of a span.

use super::kernel::{SPAN, Scratch, Span};
use crate::compiled::DrawState;
use crate::reference::quotient;
use crate::setup::{
    AffineCoordinates, Attributes, NONE, PERSPECTIVE_FRACTION, PerspectiveCoordinates, Primitive,
    PrimitiveFlags, fixed_log2,
};
use crate::texture::choose_level;

/// Bits behind the point of 1/256 texel, where changes of coordinates are looked at.
const FINER: u32 = 8;

/// Fills in the texels of a span's pixels in the mask; the others are left as they were.
pub(super) fn sample(
    attributes: &Attributes,
    primitive: &Primitive,
    state: &DrawState,
    span: Span,
    mask: u64,
    scratch: &mut Scratch,
) {
    let count = span.count;
    if primitive.coordinates == NONE {
        // Only the null texture needs no coordinates.
        scratch.texel[..count].fill(0);
        return;
    }
    let (s, t) = (&mut scratch.s[..count], &mut scratch.t[..count]);
    let perspective = primitive
        .flags
        .contains(PrimitiveFlags::PERSPECTIVE)
        .then(|| &attributes.perspective[primitive.coordinates as usize]);
    match perspective {
        None => affine(&attributes.affine[primitive.coordinates as usize], span, s, t),
        Some(coordinates) if primitive.flags.contains(PrimitiveFlags::EXACT_QUOTIENT) => {
            divide(coordinates, quotient::exact, span, mask, s, t);
        }
        Some(coordinates) => divide(
            coordinates,
            |numerator, denominator, shift| {
                quotient::by_reciprocal(
                    numerator >> PERSPECTIVE_FRACTION,
                    denominator >> PERSPECTIVE_FRACTION,
                    shift,
                )
            },
            span,
            mask,
            s,
            t,
        ),
    }

    let per_quad = primitive.flags.contains(PrimitiveFlags::DETAIL_PER_QUAD);
    let from_slope = primitive.flags.contains(PrimitiveFlags::DETAIL_FROM_SLOPE);
    let texels = &mut scratch.texel[..count];
    if !per_quad && !from_slope {
        let choice = choose_level(&state.sampler, primitive.detail);
        state
            .sampler
            .sample_span(&state.texture, choice, (s, t), mask, texels);
        return;
    }
    for index in 0..count {
        if (mask >> index) & 1 == 0 {
            continue;
        }
        // The quad's first pixel, which may lie outside the primitive or be another span's.
        let odd_column = i32::from(primitive.flags.contains(PrimitiveFlags::ODD_QUAD_COLUMN));
        let odd_row = i32::from(primitive.flags.contains(PrimitiveFlags::ODD_QUAD_ROW));
        let x = span.x + index as i32;
        let dx = span.dx + index as i32 - ((x ^ odd_column) & 1);
        let dy = span.dy - ((span.y ^ odd_row) & 1);
        let detail = if from_slope {
            fixed_log2(
                attributes.planes[primitive.slope as usize]
                    .at(dx, dy)
                    .unsigned_abs(),
                24,
            )
        } else {
            perspective.map_or(0, |coordinates| {
                quad_detail(coordinates, state.sampler.first_shifts, dx, dy)
            })
        };
        let choice = choose_level(&state.sampler, detail.saturating_add(primitive.detail));
        texels[index] = state.sampler.sample(&state.texture, choice, s[index], t[index]);
    }
}

fn affine(coordinates: &AffineCoordinates, span: Span, s: &mut [i32], t: &mut [i32]) {
    for (plane, out) in coordinates.planes.iter().zip([s, t]) {
        let mut value = plane.at(span.dx, span.dy);
        let step = plane.right();
        for out in out {
            *out = (value >> 64) as i32;
            value += step;
        }
    }
}

#[inline]
fn divide(
    coordinates: &PerspectiveCoordinates,
    quotient: impl Fn(i64, i64, i32) -> i64,
    span: Span,
    mask: u64,
    s: &mut [i32],
    t: &mut [i32],
) {
    let [plane_s, plane_t] = &coordinates.numerators;
    let mut numerator_s = plane_s.at(span.dx, span.dy);
    let mut numerator_t = plane_t.at(span.dx, span.dy);
    let mut denominator = coordinates.denominator.at(span.dx, span.dy);
    for (index, (s, t)) in s.iter_mut().zip(t).enumerate().take(SPAN) {
        if (mask >> index) & 1 == 1 {
            *s = quotient(numerator_s, denominator, coordinates.shifts[0]) as i32;
            *t = quotient(numerator_t, denominator, coordinates.shifts[1]) as i32;
        }
        numerator_s = numerator_s.wrapping_add(plane_s.right());
        numerator_t = numerator_t.wrapping_add(plane_t.right());
        denominator = denominator.wrapping_add(coordinates.denominator.right());
    }
}

/// The level of detail of a quad, without the bias: from the change of s to the right in its upper row and that of t
/// down its left column, in texels of level 0 (spec/ge-raster.md §9.4; whether hardware does it so is unverified).
/// Changes are taken of exact quotients, whatever the coordinates use.
fn quad_detail(coordinates: &PerspectiveCoordinates, first_shifts: [u32; 2], dx: i32, dy: i32) -> i32 {
    let at = |axis: usize, dx: i32, dy: i32| {
        quotient::exact_finer(
            coordinates.numerators[axis].at(dx, dy),
            coordinates.denominator.at(dx, dy),
            coordinates.shifts[axis],
            FINER,
        )
    };
    let change_s = at(0, dx + 1, dy).abs_diff(at(0, dx, dy)) << (15 - first_shifts[0].min(15));
    let change_t = at(1, dx, dy + 1).abs_diff(at(1, dx, dy)) << (15 - first_shifts[1].min(15));
    fixed_log2(change_s.max(change_t), 8 + FINER + 15)
}
