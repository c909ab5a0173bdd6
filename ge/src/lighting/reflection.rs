//! The integers of lighting: what a material reflects of a light.

use raster::Profile;

use super::Rgb;
use crate::arithmetic::Geometry;

/// The product of two colour components, as the blending unit forms it:
/// `multiply(c, 255) = c`, `multiply(c, 0) = 0` (`spec/ge-frontend.md §12.6`).
#[inline]
pub(super) const fn multiply(a: u8, b: u8) -> u8 {
    ((doubled(a) * doubled(b)) >> 10) as u8
}

/// A component with one more bit.
const fn doubled(component: u8) -> i32 {
    2 * component as i32 + 1
}

/// Light times material times the light's strength, and times the factor of its angle if it has one.
///
/// Hardware converts strength and factor to 8 bits each; PPSSPP multiplies them as floats and converts
/// once (`spec/ppsspp-profile.md §3`).
#[inline]
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

/// A factor as 8 bits: floor(256 f), at most 255. What is no number is 255 (unverified).
#[inline]
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
#[inline]
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
