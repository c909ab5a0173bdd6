//! Attributes as planes over the pixels: a value at the primitive's top left pixel and its changes per pixel to
//! the right and down, in integers that a kernel adds up without a rounding of its own.

mod basis;
mod division;
#[cfg(test)]
mod unbounded;

use bytemuck::{Pod, Zeroable};

pub(crate) use basis::{Along, Basis, Slope, perspective_along};

/// Fraction bits of planes of coordinates in perspective: 10 per pixel, 14 per
/// sub unit.
pub(crate) const PERSPECTIVE_FRACTION: u32 = 14;

/// A plane in 32-bit integers, added modulo 2^32.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(crate) struct Plane32 {
    pub(crate) base: i32,
    pub(crate) right: i32,
    pub(crate) down: i32,
}

impl Plane32 {
    /// The same value everywhere.
    pub(crate) const fn flat(base: i32) -> Self {
        Self {
            base,
            right: 0,
            down: 0,
        }
    }

    /// The value at a distance in pixels, to the right and down, from the first one.
    #[inline]
    pub(crate) fn at(self, dx: i32, dy: i32) -> i32 {
        self.base
            .wrapping_add(self.right.wrapping_mul(dx))
            .wrapping_add(self.down.wrapping_mul(dy))
    }

    /// The same plane with another first pixel, at a distance to the right and down.
    pub(crate) fn moved(self, dx: i32, dy: i32) -> Self {
        Self {
            base: self.at(dx, dy),
            ..self
        }
    }
}

/// A 64-bit integer as two words, low one first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(crate) struct Fixed64([u32; 2]);

impl Fixed64 {
    const fn new(value: i64) -> Self {
        Self([value as u32, (value >> 32) as u32])
    }

    /// Stops at the ends of the range.
    fn saturating(value: i128) -> Self {
        Self::new(value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
    }

    #[inline]
    const fn get(self) -> i64 {
        (((self.0[1] as u64) << 32) | self.0[0] as u64) as i64
    }
}

/// A plane in 64-bit integers, added modulo 2^64.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(crate) struct Plane64 {
    base: Fixed64,
    right: Fixed64,
    down: Fixed64,
}

impl Plane64 {
    /// The plane of a value and its changes per pixel, each rounded to the nearest integer.
    pub(crate) fn rounded(base: f64, right: f64, down: f64) -> Self {
        Self {
            base: Fixed64::new(rounded(base)),
            right: Fixed64::new(rounded(right)),
            down: Fixed64::new(rounded(down)),
        }
    }

    /// The value at a distance in pixels, to the right and down, from the first one.
    #[inline]
    pub(crate) fn at(self, dx: i32, dy: i32) -> i64 {
        let right = self.right.get().wrapping_mul(i64::from(dx));
        let down = self.down.get().wrapping_mul(i64::from(dy));
        self.base.get().wrapping_add(right).wrapping_add(down)
    }

    /// The same plane with another first pixel, at a distance to the right and down.
    pub(crate) fn moved(self, dx: i32, dy: i32) -> Self {
        Self {
            base: Fixed64::new(self.at(dx, dy)),
            ..self
        }
    }

    /// The change per pixel to the right.
    #[inline]
    pub(crate) fn right(self) -> i64 {
        self.right.get()
    }

    /// The change per pixel downwards.
    #[inline]
    pub(crate) fn down(self) -> i64 {
        self.down.get()
    }
}

/// A 96-bit integer as three words, low one first: 32 bits before the point, 64 after.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(crate) struct Fixed96([u32; 3]);

impl Fixed96 {
    const fn new(value: i128) -> Self {
        Self([value as u32, (value >> 32) as u32, (value >> 64) as u32])
    }

    #[inline]
    const fn get(self) -> i128 {
        let low = ((self.0[1] as u64) << 32) | self.0[0] as u64;
        ((self.0[2] as i32 as i128) << 64) | low as i128
    }
}

/// A plane with 64 fraction bits, added modulo 2^96; what it shows is the floor.
///
/// It is rounded up: at most 2^-64 in the value and in each gradient, so that within 2^11 pixels it lies above the
/// exact plane by less than 2^-53. The exact value is a multiple of one over (denominator * 2^24), so that its
/// floor comes out exactly as long as the denominator stays within 2^29: every rectangle, and every triangle whose
/// box is smaller than 1448 x 1448 pixels.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(crate) struct ExactPlane {
    base: Fixed96,
    right: Fixed96,
    down: Fixed96,
}

impl ExactPlane {
    /// The same value everywhere.
    pub(crate) fn flat(value: Texel24) -> Self {
        Self {
            base: Fixed96::new(value.0 as i128 * (1 << 40)),
            ..Self::default()
        }
    }

    /// The value, with 64 fraction bits, at a distance in pixels from the first one.
    #[inline]
    pub(crate) fn at(self, dx: i32, dy: i32) -> i128 {
        self.base.get() + self.right.get() * i128::from(dx) + self.down.get() * i128::from(dy)
    }

    /// The same plane with another first pixel, at a distance to the right and down.
    pub(crate) fn moved(self, dx: i32, dy: i32) -> Self {
        Self {
            base: Fixed96::new(self.at(dx, dy)),
            ..self
        }
    }

    /// The change per pixel to the right, with 64 fraction bits.
    #[inline]
    pub(crate) fn right(self) -> i128 {
        self.right.get()
    }

    /// The change per pixel downwards, with 64 fraction bits.
    pub(crate) fn down(self) -> i128 {
        self.down.get()
    }
}

/// A texture coordinate in 1/256 texel with 24 fraction bits, within +-2^30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Texel24(i64);

impl Texel24 {
    /// The coordinate times `2^scale`, cut to the format. Coordinates beyond its range stop at the end.
    #[inline]
    pub(crate) fn new(coordinate: f64, scale: i32) -> Self {
        const LIMIT: f64 = (1i64 << 54) as f64;
        Self(floored(
            (coordinate * power_of_two(scale + 24)).clamp(-LIMIT, LIMIT),
        ))
    }

    /// The coordinate with a correction added to it.
    pub(crate) const fn corrected(self, correction: i64) -> Self {
        Self(self.0.saturating_add(correction))
    }
}

/// The floor of a number, stopping at the ends of the range; 0 for NaN. Without a call where a processor may lack the
/// instruction.
#[inline]
pub(crate) fn floored(number: f64) -> i64 {
    let truncated = number as i64;
    truncated.saturating_sub(i64::from(truncated as f64 > number))
}

/// The nearest integer, halves away from 0, stopping at the ends of the range; 0 for NaN.
#[inline]
pub(crate) fn rounded(number: f64) -> i64 {
    let truncated = number as i64;
    // Exact: the fraction, or 0 where there is none.
    let fraction = number - truncated as f64;
    truncated
        .saturating_add(i64::from(fraction >= 0.5))
        .saturating_sub(i64::from(fraction <= -0.5))
}

/// `2^exponent` for exponents within the normal range of a double.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + i64::from(exponent.clamp(-1022, 1023))) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn conversions_are_those_of_the_library(
            bits in any::<u64>(),
            (mantissa, exponent) in (any::<i64>(), -70i32..10),
        ) {
            for number in [f64::from_bits(bits), mantissa as f64 * power_of_two(exponent)] {
                prop_assert_eq!(rounded(number), number.round() as i64, "{}", number);
                prop_assert_eq!(floored(number), number.floor() as i64, "{}", number);
            }
        }
    }

    #[test]
    fn conversions_of_ends_are_those_of_the_library() {
        let wholes = [
            0.0,
            1.0,
            2.0,
            3.0,
            4_503_599_627_370_496.0,
            9_007_199_254_740_992.0,
            9.3e18,
            f64::MAX,
        ];
        let near = wholes
            .into_iter()
            .flat_map(|whole| [whole, whole + 0.5, whole - 0.5]);
        let next = near.flat_map(|number: f64| [number, number.next_up(), number.next_down()]);
        for number in next.chain([f64::INFINITY, f64::NAN, f64::MIN_POSITIVE]) {
            for number in [number, -number] {
                assert_eq!(rounded(number), number.round() as i64, "{number}");
                assert_eq!(floored(number), number.floor() as i64, "{number}");
            }
        }
    }
}
