//! A primitive's attributes at a pixel, from its planes (spec/ge-raster.md §7).

use super::{Pixel, quotient};
use crate::setup::{NONE, PERSPECTIVE_FRACTION, Plane32, PrimitiveFlags};

/// Depth, 14 bits behind the point.
pub(super) fn depth(pixel: Pixel<'_>) -> u16 {
    let (dx, dy) = pixel.steps();
    (pixel.primitive.depth.at(dx, dy) >> 14).clamp(0, 0xFFFF) as u16
}

/// A component of a colour, 22 bits behind the point.
fn component(plane: Plane32, (dx, dy): (i32, i32)) -> u32 {
    (plane.at(dx, dy) >> 22).clamp(0, 255) as u32
}

/// The primary colour.
pub(super) fn primary(pixel: Pixel<'_>) -> u32 {
    if pixel.primitive.gouraud == NONE {
        return pixel.primitive.color;
    }
    let planes = pixel.attributes.gouraud[pixel.primitive.gouraud as usize].primary;
    let [red, green, blue, alpha] = planes.map(|plane| component(plane, pixel.steps()));
    red | (green << 8) | (blue << 16) | (alpha << 24)
}

/// The secondary colour, which has no alpha.
pub(super) fn secondary(pixel: Pixel<'_>) -> u32 {
    if pixel.primitive.gouraud == NONE {
        return pixel.primitive.secondary;
    }
    let planes = pixel.attributes.gouraud[pixel.primitive.gouraud as usize].secondary;
    let [red, green, blue] = planes.map(|plane| component(plane, pixel.steps()));
    red | (green << 8) | (blue << 16)
}

/// The fog factor, 0 to 255: a plane of it has 32 bits behind the point.
pub(super) fn fog(pixel: Pixel<'_>) -> u32 {
    if !pixel.primitive.flags.contains(PrimitiveFlags::FOG_PLANE) {
        return pixel.primitive.fog;
    }
    let (dx, dy) = pixel.steps();
    let plane = pixel.attributes.planes[pixel.primitive.fog as usize];
    (plane.at(dx, dy) >> 32).clamp(0, 255) as u32
}

/// Texture coordinates s and t in 1/256 texel of the largest level in use; none where there are none to interpolate.
/// Affine ones beyond 32 bits wrap.
pub(super) fn coordinates(pixel: Pixel<'_>) -> Option<[i32; 2]> {
    let primitive = pixel.primitive;
    let index = primitive.coordinates as usize;
    let (dx, dy) = pixel.steps();
    if primitive.coordinates == NONE {
        return None;
    }
    if !primitive.flags.contains(PrimitiveFlags::PERSPECTIVE) {
        let planes = pixel.attributes.affine[index].planes;
        return Some(planes.map(|plane| (plane.at(dx, dy) >> 64) as i32));
    }
    let coordinates = &pixel.attributes.perspective[index];
    let denominator = coordinates.denominator.at(dx, dy);
    let quotients = [0, 1].map(|axis: usize| {
        let (numerator, shift) = (coordinates.numerators[axis].at(dx, dy), coordinates.shifts[axis]);
        if primitive.flags.contains(PrimitiveFlags::EXACT_QUOTIENT) {
            quotient::exact(numerator, denominator, shift)
        } else {
            let cut = |value: i64| value >> PERSPECTIVE_FRACTION;
            quotient::by_reciprocal(cut(numerator), cut(denominator), shift)
        }
    });
    // Quotients stop at 2^30.
    Some(quotients.map(|quotient| quotient as i32))
}
