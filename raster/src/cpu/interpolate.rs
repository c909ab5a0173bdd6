//! Depth and colours of a span's pixels, from their planes.

use super::each;
use super::kernel::Span;
use crate::setup::{Gouraud, Plane32};

pub(super) fn depth(plane: Plane32, span: Span, depth: &mut [u16]) {
    let mut value = plane.at(span.dx, span.dy);
    for depth in depth {
        *depth = (value >> 14).clamp(0, 0xFFFF) as u16;
        value = value.wrapping_add(plane.right);
    }
}

/// A component of a colour plane as shown.
#[inline]
fn shown(value: i32) -> u32 {
    (value >> 22).clamp(0, 255) as u32
}

pub(super) fn colors(gouraud: &Gouraud, span: Span, colors: &mut [u32]) {
    let planes = &gouraud.primary;
    let mut values = [0; 4];
    for (value, plane) in values.iter_mut().zip(planes) {
        *value = plane.at(span.dx, span.dy);
    }
    for color in colors {
        let [red, green, blue] = each(|index| shown(values[index]));
        *color = red | (green << 8) | (blue << 16) | (shown(values[3]) << 24);
        for (value, plane) in values.iter_mut().zip(planes) {
            *value = value.wrapping_add(plane.right);
        }
    }
}

pub(super) fn secondary(gouraud: &Gouraud, span: Span, colors: &mut [u32]) {
    let planes = &gouraud.secondary;
    let mut values = each(|index| planes[index].at(span.dx, span.dy));
    for color in colors {
        let [red, green, blue] = each(|index| shown(values[index]));
        *color = red | (green << 8) | (blue << 16);
        for (value, plane) in values.iter_mut().zip(planes) {
            *value = value.wrapping_add(plane.right);
        }
    }
}
