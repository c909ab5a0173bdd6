//! The hardware's 24-bit floats.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, f64x8, i32x16, u32x16, u64x8};
use raster::Profile;

use super::power::power_lanes;
use super::{Geometry, power};

/// Arithmetic with 16 significant bits, every result truncated towards zero: the model that
/// reproduces the recorded positions, depths and lights, where IEEE singles do not
/// (`spec/ge-frontend.md §4.2`, hw: triangle/triangle, depth/precision, reflection, rendertarget,
/// commands/light).
///
/// A number is zero or `±m * 2^(e - 15)` with m in 0x8000..=0xFFFF; it is held as the IEEE single of
/// the same value, whose low 8 bits are zero. Behaviour for denormals and for overflow is not known;
/// here singles decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum T24 {}

/// The bits of a single that a 24-bit float has.
const KEPT: u32 = !0xFF;

/// The bits of a double that a 24-bit float has: 15 of the 52 of the fraction stay.
const KEPT_OF_DOUBLE: u64 = !((1 << 37) - 1);

#[inline]
const fn truncate(value: f32) -> f32 {
    f32::from_bits(value.to_bits() & KEPT)
}

/// Truncates an exact product, or a quotient or root whose error cannot reach the 16th bit.
#[inline]
const fn truncate_double(value: f64) -> f32 {
    f64::from_bits(value.to_bits() & KEPT_OF_DOUBLE) as f32
}

/// The operand of an addition whose exponent is `deficit` below the larger one, truncated to a
/// multiple of the larger one's unit: there are no guard bits.
#[inline]
const fn align(bits: u32, deficit: i32) -> f32 {
    let lost = if deficit > 0 { 8 + deficit as u32 } else { 8 };
    f32::from_bits(if deficit > 15 {
        0
    } else {
        bits & (!0 << (lost & 31))
    })
}

#[inline]
const fn exponent(bits: u32) -> i32 {
    (bits >> 23 & 0xFF) as i32
}

#[inline(always)]
fn truncate_lanes<S: Simd>(value: f32x16<S>) -> f32x16<S> {
    (value.bitcast::<u32x16<S>>() & KEPT).bitcast()
}

/// [`truncate`], in doubles.
#[inline(always)]
fn widen<S: Simd>(value: f32x16<S>) -> (f64x8<S>, f64x8<S>) {
    truncate_lanes(value).widen()
}

/// [`truncate_double`] of two halves.
#[inline(always)]
fn narrow<S: Simd>(low: f64x8<S>, high: f64x8<S>) -> f32x16<S> {
    let low: f64x8<S> = (low.bitcast::<u64x8<S>>() & KEPT_OF_DOUBLE).bitcast();
    let high: f64x8<S> = (high.bitcast::<u64x8<S>>() & KEPT_OF_DOUBLE).bitcast();
    low.narrow(high)
}

#[inline(always)]
fn exponent_lanes<S: Simd>(value: f32x16<S>) -> u32x16<S> {
    value.bitcast::<u32x16<S>>() >> 23 & 0xFF
}

/// [`align`], for deficits from 0 to 255.
#[inline(always)]
fn align_lanes<S: Simd>(value: f32x16<S>, deficit: u32x16<S>) -> f32x16<S> {
    let simd = value.token();
    // Instruction sets shift otherwise by 32 and more.
    let mask = u32x16::splat(simd, KEPT) << deficit.min(31);
    let mask = deficit.simd_gt(15).select(u32x16::splat(simd, 0), mask);
    (value.bitcast::<u32x16<S>>() & mask).bitcast()
}

impl vertex::Arithmetic for T24 {
    #[inline]
    fn mul(a: f32, b: f32) -> f32 {
        // 16 bits by 16 bits fit a double.
        truncate_double(f64::from(truncate(a)) * f64::from(truncate(b)))
    }

    #[inline]
    fn add(a: f32, b: f32) -> f32 {
        let (a, b) = (a.to_bits(), b.to_bits());
        let deficit = exponent(b) - exponent(a);
        // Both are multiples of one unit now, and their sum has at most 17 bits: exact.
        truncate(align(a, deficit) + align(b, -deficit))
    }

    /// All four terms are cut to multiples of the largest one's unit before they are added, in whatever order.
    /// Recorded positions fit this and sums in pairs alike (`spec/ge-frontend.md §4.2`); the w of three corners
    /// of rendertarget's box, which its texture's pixels pin to one unit of 2^-14, fits this alone.
    #[inline]
    fn affine([x, y, z]: [f32; 3], [a, b, c, d]: [f32; 4]) -> f32 {
        let terms = [Self::mul(x, a), Self::mul(y, b), Self::mul(z, c), truncate(d)].map(f32::to_bits);
        let largest = terms.iter().fold(0, |largest, &term| exponent(term).max(largest));
        // All are multiples of one unit now, and their sum has at most 18 bits: exact.
        let [x, y, z, w] = terms.map(|term| align(term, largest - exponent(term)));
        truncate((x + y) + (z + w))
    }

    #[inline(always)]
    fn mul_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        let (a, b) = (widen(a), widen(b));
        narrow(a.0 * b.0, a.1 * b.1)
    }

    #[inline(always)]
    fn add_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        let (ea, eb) = (exponent_lanes(a), exponent_lanes(b));
        let largest = ea.max(eb);
        truncate_lanes(align_lanes(a, largest - ea) + align_lanes(b, largest - eb))
    }

    #[inline(always)]
    fn affine_lanes<S: Simd>([x, y, z]: [f32x16<S>; 3], [a, b, c, d]: [f32x16<S>; 4]) -> f32x16<S> {
        let (x, y) = (Self::mul_lanes(x, a), Self::mul_lanes(y, b));
        let (z, w) = (Self::mul_lanes(z, c), d);
        let (ex, ey) = (exponent_lanes(x), exponent_lanes(y));
        let (ez, ew) = (exponent_lanes(z), exponent_lanes(w));
        let largest = ex.max(ey).max(ez.max(ew));
        let xy = align_lanes(x, largest - ex) + align_lanes(y, largest - ey);
        let zw = align_lanes(z, largest - ez) + align_lanes(w, largest - ew);
        truncate_lanes(xy + zw)
    }
}

impl Geometry for T24 {
    const PROFILE: Profile = Profile::Hardware;

    #[inline]
    fn load(value: f32) -> f32 {
        truncate(value)
    }

    #[inline]
    fn divide(a: f32, b: f32) -> f32 {
        // A quotient of two 16-bit numbers is either a 16-bit number or at least 2^-17 of its own
        // last bit away from one, far more than a double rounds.
        truncate_double(f64::from(truncate(a)) / f64::from(truncate(b)))
    }

    #[inline]
    fn square_root(value: f32) -> f32 {
        truncate_double(f64::from(truncate(value)).sqrt())
    }

    #[inline]
    fn power(value: f32, exponent: f32) -> f32 {
        power(value, exponent)
    }

    #[inline]
    fn subpixel(pixels: f32, offset: u16) -> i32 {
        // `as` truncates: coordinates are pulled towards the viewport's centre by the addition
        // before, not here (spec/ge-raster.md §2.2).
        // Far off the screen both saturate, and the rasteriser draws no nearer.
        ((pixels * 16.0) as i32).saturating_sub(i32::from(offset))
    }

    #[inline(always)]
    fn load_lanes<S: Simd>(value: f32x16<S>) -> f32x16<S> {
        truncate_lanes(value)
    }

    #[inline(always)]
    fn divide_lanes<S: Simd>(a: f32x16<S>, b: f32x16<S>) -> f32x16<S> {
        let (a, b) = (widen(a), widen(b));
        narrow(a.0 / b.0, a.1 / b.1)
    }

    #[inline(always)]
    fn square_root_lanes<S: Simd>(value: f32x16<S>) -> f32x16<S> {
        let (low, high) = widen(value);
        narrow(low.sqrt(), high.sqrt())
    }

    #[inline(always)]
    fn power_lanes<S: Simd>(value: f32x16<S>, exponent: f32) -> f32x16<S> {
        power_lanes(value, exponent)
    }

    #[inline(always)]
    fn subpixel_lanes<S: Simd>(pixels: f32x16<S>, offset: u16) -> i32x16<S> {
        let offset = i32::from(offset);
        // Kept as far from the end as the offset reaches: it saturates.
        let sixteenths: i32x16<S> = (pixels * 16.0).to_int_precise();
        sixteenths.max(i32::MIN + offset) - offset
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use vertex::Arithmetic;

    use super::*;

    #[test]
    fn terms_of_a_sum_lose_their_bits_before_they_are_added() {
        // hw: rendertarget, w of corners of the box. Sums in pairs give 16,341, 43,699 and 38,221.
        let w = |point| 16_384.0 * T24::affine(point, [-0.096_897_125, -0.738_021_85, -0.667_770_4, 2.5]);
        assert_eq!(w([1.0, 1.0, 1.0]), 16_342.0);
        assert_eq!(w([-1.0, -1.0, 1.0]), 43_698.0);
        assert_eq!(w([1.0, 1.0, -1.0]), 38_222.0);
    }

    #[test]
    fn screen_coordinates_saturate() {
        assert_eq!(T24::subpixel(f32::NEG_INFINITY, 0xFFFF), i32::MIN);
        assert_eq!(T24::subpixel(f32::INFINITY, 0), i32::MAX);
        assert_eq!(T24::subpixel(f32::NAN, 16), -16);
        assert_eq!(T24::subpixel(2048.0625, 0x8000), 1);
    }

    /// The model as the specification words it, in integers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Slow {
        negative: bool,
        /// 0, or 0x8000..=0xFFFF.
        mantissa: u128,
        exponent: i32,
    }

    impl Slow {
        /// `mantissa * 2^(exponent - 15)`, cut to its top 16 bits.
        fn cut(negative: bool, mut mantissa: u128, mut exponent: i32) -> Self {
            if mantissa == 0 {
                return Self {
                    negative: false,
                    mantissa,
                    exponent: 0,
                };
            }
            while mantissa > 0xFFFF {
                mantissa >>= 1;
                exponent += 1;
            }
            while mantissa < 0x8000 {
                mantissa <<= 1;
                exponent -= 1;
            }
            Self {
                negative,
                mantissa,
                exponent,
            }
        }

        fn load(value: f32) -> Self {
            let bits = value.to_bits();
            if bits << 1 == 0 {
                return Self::cut(false, 0, 0);
            }
            let mantissa = u128::from((bits & 0x7F_FFFF | 0x80_0000) >> 8);
            Self::cut(value < 0.0, mantissa, (bits >> 23 & 0xFF) as i32 - 127)
        }

        fn value(self) -> f32 {
            let magnitude = self.mantissa as f64 * 2f64.powi(self.exponent - 15);
            (if self.negative { -magnitude } else { magnitude }) as f32
        }

        fn mul(self, other: Self) -> Self {
            let product = self.mantissa * other.mantissa;
            Self::cut(
                self.negative != other.negative,
                product,
                self.exponent + other.exponent - 15,
            )
        }

        fn add(self, other: Self) -> Self {
            if self.mantissa == 0 || other.mantissa == 0 {
                return if self.mantissa == 0 { other } else { self };
            }
            let exponent = self.exponent.max(other.exponent);
            let aligned = |number: Self| {
                let magnitude = number.mantissa.checked_shr((exponent - number.exponent) as u32);
                let magnitude = magnitude.unwrap_or(0) as i128;
                if number.negative { -magnitude } else { magnitude }
            };
            let sum = aligned(self) + aligned(other);
            Self::cut(sum < 0, sum.unsigned_abs(), exponent)
        }

        fn divide(self, other: Self) -> Self {
            let quotient = (self.mantissa << 64) / other.mantissa;
            Self::cut(
                self.negative != other.negative,
                quotient,
                self.exponent - other.exponent - 64 + 15,
            )
        }

        fn square_root(self) -> Self {
            // An even exponent first, then 80 bits under the root.
            let (mantissa, exponent) = match (self.exponent - 15) % 2 {
                0 => (self.mantissa, self.exponent - 15),
                _ => (self.mantissa << 1, self.exponent - 16),
            };
            Self::cut(false, (mantissa << 64).isqrt(), exponent / 2 - 32 + 15)
        }
    }

    /// Numbers of exponents near enough to meet in an addition, far enough from overflow.
    fn number() -> impl Strategy<Value = f32> {
        (any::<bool>(), 100u32..150, 0u32..=0x7F_FFFF).prop_map(|(negative, exponent, fraction)| {
            f32::from_bits(u32::from(negative) << 31 | exponent << 23 | fraction)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn products_are_those_of_the_integer_model(a in number(), b in number()) {
            prop_assert_eq!(T24::mul(a, b), Slow::load(a).mul(Slow::load(b)).value());
        }

        #[test]
        fn sums_are_those_of_the_integer_model(a in number(), b in number()) {
            prop_assert_eq!(T24::add(a, b), Slow::load(a).add(Slow::load(b)).value());
            prop_assert_eq!(T24::add(a, 0.0), Slow::load(a).value());
        }

        #[test]
        fn quotients_are_those_of_the_integer_model(a in number(), b in number()) {
            prop_assert_eq!(T24::divide(a, b), Slow::load(a).divide(Slow::load(b)).value());
        }

        #[test]
        fn roots_are_those_of_the_integer_model(a in number()) {
            prop_assert_eq!(T24::square_root(a.abs()), Slow::load(a.abs()).square_root().value());
        }
    }

    #[test]
    fn exact_squares_have_exact_roots() {
        for root in 0x80..=0xFF_u16 {
            let root = f32::from(root);
            assert_eq!(T24::square_root(root * root), root);
        }
    }

    #[test]
    fn the_viewport_addition_has_no_guard_bits() {
        // spec/ge-frontend.md §8.4.
        assert_eq!(T24::subtract(32767.5, 28107.57), 4660.0);
        assert_eq!(T24::subtract(32768.0, 28107.5), 4661.0);
    }

    #[test]
    fn a_vector_slightly_longer_than_one_has_length_one() {
        // spec/ge-frontend.md §12.2: it passes a cutoff of 1.
        assert_eq!(T24::normalize([0.0, 0.0, 1.0]), [0.0, 0.0, 1.0]);
        assert_eq!(T24::normalize([0.0; 3]), [0.0, 0.0, 1.0]);
        assert_eq!(T24::square_root(1.000_03), 1.0);
    }
}
