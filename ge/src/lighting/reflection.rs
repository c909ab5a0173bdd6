//! The integers of lighting: what a material reflects of a light.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16};
use raster::Profile;

use super::Rgb;
use crate::arithmetic::Geometry;

/// The product of two colour components, as the blending unit forms it:
/// `multiply(c, 255) = c`, `multiply(c, 0) = 0` (`spec/ge-frontend.md §12.6`).
#[cfg(test)]
pub(super) const fn multiply(a: u8, b: u8) -> u8 {
    ((doubled(a) * doubled(b)) >> 10) as u8
}

/// A component with one more bit.
const fn doubled(component: u8) -> i32 {
    2 * component as i32 + 1
}

/// The product of colour components, as the blending unit forms it: 255 leaves a colour, 0 makes it 0
/// (`spec/ge-frontend.md §12.6`).
#[inline(always)]
pub(super) fn multiply_lanes<S: Simd>(a: i32x16<S>, b: i32x16<S>) -> i32x16<S> {
    (doubled_lanes(a) * doubled_lanes(b)) >> 10
}

#[inline(always)]
fn doubled_lanes<S: Simd>(component: i32x16<S>) -> i32x16<S> {
    component + component + 1
}

/// Light times material times the light's strength, and times the factor of its angle if it has one.
///
/// Hardware converts strength and factor to 8 bits each; PPSSPP multiplies them as floats and converts
/// once (`spec/ppsspp-profile.md §3`).
#[cfg(test)]
pub(super) fn reflected<A: Geometry>(
    light: Rgb,
    material: Rgb,
    strength: f32,
    factor: Option<f32>,
) -> [i32; 3] {
    match A::PROFILE {
        Profile::Hardware => {
            let strength = byte(strength);
            [0, 1, 2].map(|part: usize| {
                let lit = multiply(multiply(light[part], material[part]), strength);
                i32::from(factor.map_or(lit, |factor| multiply(lit, byte(factor))))
            })
        }
        Profile::Ppsspp => {
            if factor.is_some_and(|factor| factor <= 0.0) {
                return [0; 3];
            }
            let scale = nine_bits(A::mul(strength, factor.unwrap_or(1.0)));
            [0, 1, 2].map(|part: usize| {
                // A negative cone factor gives a negative product.
                let product = i64::from(doubled(light[part]) * doubled(material[part]));
                ((product * i64::from(scale)) >> 19) as i32
            })
        }
    }
}

/// [`reflected`] of each lane.
#[inline(always)]
pub(super) fn reflected_lanes<A: Geometry, S: Simd>(
    light: Rgb,
    material: [i32x16<S>; 3],
    strength: f32x16<S>,
    factor: Option<f32x16<S>>,
) -> [i32x16<S>; 3] {
    let simd = strength.token();
    let mut parts = material;
    match A::PROFILE {
        Profile::Hardware => {
            let strength = byte_lanes(strength);
            for (part, light) in parts.iter_mut().zip(light) {
                let light = i32x16::splat(simd, light.into());
                *part = multiply_lanes(multiply_lanes(light, *part), strength);
            }
            if let Some(factor) = factor {
                let factor = byte_lanes(factor);
                for part in &mut parts {
                    *part = multiply_lanes(*part, factor);
                }
            }
        }
        Profile::Ppsspp => {
            let one = f32x16::splat(simd, 1.0);
            let mut scale = nine_bits_lanes(A::mul_lanes(strength, factor.unwrap_or(one)));
            if let Some(factor) = factor {
                scale = factor.simd_le(0.0).select(i32x16::splat(simd, 0), scale);
            }
            // Two colours have 18 bits, and 13 more fit; no light of a sane list shines so strongly backwards.
            if scale.simd_lt(-(1 << 13)).any_true() {
                return scaled_widely(light, material, scale);
            }
            for (part, light) in parts.iter_mut().zip(light) {
                *part = (doubled_lanes(*part) * doubled(light) * scale) >> 19;
            }
        }
    }
    parts
}

/// PPSSPP's product in 64 bits.
#[cold]
fn scaled_widely<S: Simd>(light: Rgb, mut parts: [i32x16<S>; 3], scale: i32x16<S>) -> [i32x16<S>; 3] {
    for (part, light) in parts.iter_mut().zip(light) {
        for (part, &scale) in part.iter_mut().zip(scale.iter()) {
            let product = i64::from(doubled(light) * (2 * *part + 1));
            *part = ((product * i64::from(scale)) >> 19) as i32;
        }
    }
    parts
}

/// [`byte`] of each lane.
#[inline(always)]
fn byte_lanes<S: Simd>(factor: f32x16<S>) -> i32x16<S> {
    let simd = factor.token();
    let below_one = factor.simd_lt(1.0);
    let floor: i32x16<S> = (factor * 256.0).to_int();
    let byte = below_one.select(floor, i32x16::splat(simd, 255));
    factor.simd_le(0.0).select(i32x16::splat(simd, 0), byte)
}

/// [`nine_bits`] of each lane.
#[inline(always)]
fn nine_bits_lanes<S: Simd>(factor: f32x16<S>) -> i32x16<S> {
    let rounded: i32x16<S> = (factor * 512.0 + 1.0).ceil().to_int_precise();
    rounded.min(512)
}

/// A factor as 8 bits: floor(256 f), at most 255. What is no number is 255 (unverified).
#[cfg(test)]
fn byte(factor: f32) -> u8 {
    if factor <= 0.0 {
        0
    } else if factor < 1.0 {
        (256.0 * factor) as u8
    } else {
        255
    }
}

/// A factor as 9 bits, rounded up, 512 being one.
#[cfg(test)]
fn nine_bits(factor: f32) -> i32 {
    // The conversion saturates.
    ((512.0 * factor + 1.0).ceil() as i32).min(512)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{F32, T24};

    #[test]
    fn products_of_colors() {
        for color in 0..=255 {
            assert_eq!(multiply(color, 255), color);
            assert_eq!(multiply(color, 0), 0);
        }
        assert_eq!(
            [multiply(0x7F, 0x7F), byte(0.5), byte(0.999_99), byte(2.0)],
            [0x3F, 0x80, 255, 255]
        );
    }

    #[test]
    fn factors_are_converted_one_by_one_or_at_once() {
        let white = [255; 3];
        assert_eq!(reflected::<T24>(white, white, 0.3, Some(0.3)), [22; 3]);
        assert_eq!(reflected::<F32>(white, white, 0.3, Some(0.3)), [23; 3]);
        assert_eq!(reflected::<F32>(white, white, 1.0, None), [255; 3]);
        assert_eq!(reflected::<F32>(white, white, -1.0, None), [-255; 3]);
        assert_eq!(reflected::<F32>(white, white, -1.0, Some(-1.0)), [0; 3]);
    }
}
