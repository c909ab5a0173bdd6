use super::number::StoredNumber;

/// The 16-bit float of MOT headers ("pghalf"): a sign, 6 exponent bits with bias 47, 9 significand
/// bits. It is not IEEE half precision: `0x5E00` is 1.0 here (`spec/mot.md` §5).
///
/// ```
/// use formats::mot::Float16;
///
/// assert_eq!(Float16(0x5E00).to_f64(), 1.0);
/// assert_eq!(Float16::nearest(1.0 / 3.0), Some(Float16(0x5AAB)));
/// assert_eq!(Float16::nearest(f64::NAN), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Float16(
    /// The stored pattern.
    pub u16,
);

const SIGN: u16 = 0x8000;
const EXPONENT: u16 = 0x7E00;
const SIGNIFICAND_BITS: u32 = 9;
const BIAS: u64 = 47;
const F64_BIAS: u64 = 1023;
/// How many more significand bits an `f64` has.
const DROPPED_BITS: u32 = 52 - SIGNIFICAND_BITS;
/// 2^-55, the smallest denormal.
const SMALLEST: f64 = f64::from_bits((F64_BIAS - 55) << 52);
/// 2^-46, the smallest normal number.
const SMALLEST_NORMAL: f64 = f64::from_bits((F64_BIAS - 46) << 52);

impl Float16 {
    /// The largest finite number, 65472.
    pub const MAX: Self = Self(0x7DFF);
    /// The number 0.
    pub const ZERO: Self = Self(0);

    /// The number that is nearest to `value`, of two as near the one whose last bit is 0. What lies
    /// beyond [`Float16::MAX`], infinities too, becomes that number with the sign. `None` for NaN.
    pub fn nearest(value: f64) -> Option<Self> {
        if value.is_nan() {
            return None;
        }
        let magnitude = value.abs();
        let pattern = if magnitude < SMALLEST_NORMAL {
            // At most 512, which is the pattern of the smallest normal number.
            (magnitude / SMALLEST).round_ties_even() as u64
        } else {
            let bits = magnitude.to_bits();
            let is_odd = (bits >> DROPPED_BITS) & 1;
            let rounded = bits + (1 << (DROPPED_BITS - 1)) - 1 + is_odd;
            (rounded >> DROPPED_BITS) - ((F64_BIAS - BIAS) << SIGNIFICAND_BITS)
        };
        let pattern = pattern.min(u64::from(Self::MAX.0)) as u16;
        let sign = if value.is_sign_negative() { SIGN } else { 0 };
        Some(Self(sign | pattern))
    }

    /// The number, exactly.
    ///
    /// Denormals, and an exponent of 63 as infinity or NaN, are one of several readings by the known
    /// tools (`spec/mot.md` §5, unverified on a game).
    pub fn to_f64(self) -> f64 {
        let exponent = u64::from((self.0 & EXPONENT) >> SIGNIFICAND_BITS);
        let significand = u64::from(self.0 & !(SIGN | EXPONENT));
        let magnitude = match exponent {
            0 => significand as f64 * SMALLEST,
            63 if significand == 0 => f64::INFINITY,
            63 => f64::NAN,
            _ => f64::from_bits(((exponent + F64_BIAS - BIAS) << 52) | (significand << DROPPED_BITS)),
        };
        if self.0 & SIGN == 0 { magnitude } else { -magnitude }
    }

    /// Whether it is neither an infinity nor NaN.
    pub fn is_finite(self) -> bool {
        self.0 & EXPONENT != EXPONENT
    }

    /// The number `steps` representable numbers further up, if it is finite.
    fn moved(self, steps: i32) -> Option<Self> {
        let magnitude = i32::from(self.0 & !SIGN);
        let ordinal = if self.0 & SIGN == 0 { magnitude } else { -magnitude } + steps;
        let sign = if ordinal < 0 { SIGN } else { 0 };
        let pattern = u16::try_from(ordinal.unsigned_abs()).ok()?;
        (pattern <= Self::MAX.0).then_some(Self(sign | pattern))
    }
}

impl StoredNumber for Float16 {
    const ZERO: Self = Self::ZERO;

    fn nearest(value: f64) -> Option<Self> {
        Self::nearest(value)
    }

    fn get(self) -> f64 {
        self.to_f64()
    }

    fn above(self) -> Option<Self> {
        self.moved(1)
    }

    fn below(self) -> Option<Self> {
        self.moved(-1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_their_values() {
        // spec/mot.md §5, vector M1.
        for (pattern, value) in [
            (0x0000, 0.0),
            (0x0001, 2.7755575615628914e-17),
            (0x01FF, 1.4183099139586375e-14),
            (0x0200, 1.4210854715202004e-14),
            (0x5C00, 0.5),
            (0x5DFF, 0.9990234375),
            (0x5E00, 1.0),
            (0x5E01, 1.001953125),
            (0xDE00, -1.0),
            (0x5F00, 1.5),
            (0x6000, 2.0),
            (0x6092, 2.5703125),
            (0x7C00, 32768.0),
            (0x7DFF, 65472.0),
            (0xFDFF, -65472.0),
            (0x7E00, f64::INFINITY),
        ] {
            assert_eq!(Float16(pattern).to_f64(), value, "{pattern:#06x}");
        }
        assert!(Float16(0x7E01).to_f64().is_nan());
        assert_eq!(Float16(0x8000).to_f64().to_bits(), (-0.0f64).to_bits());
        assert!(!Float16(0x7E00).is_finite() && !Float16(0xFE01).is_finite());
        assert!(Float16::MAX.is_finite());
    }

    #[test]
    fn numbers_take_the_nearest_pattern() {
        // spec/mot.md §5, the second table.
        for (value, pattern) in [
            (0.1, 0x5733),
            (1.0 / 3.0, 0x5AAB),
            (std::f64::consts::PI, 0x6124),
            (std::f64::consts::PI / 255.0, 0x5127),
            (100.0, 0x6B20),
            (70000.0, 0x7DFF),
            (1e-14, 0x0168),
            (1e-20, 0x0000),
            (f64::NEG_INFINITY, 0xFDFF),
        ] {
            assert_eq!(Float16::nearest(value), Some(Float16(pattern)), "{value}");
        }
        assert_eq!(Float16::nearest(f64::NAN), None);
    }

    #[test]
    fn ties_go_to_the_even_pattern() {
        for (low, middle) in [(0x5E00, 1.0 + 0.5 / 512.0), (0x5E01, 1.0 + 1.5 / 512.0)] {
            let even = low + (low & 1);
            assert_eq!(Float16::nearest(middle), Some(Float16(even)));
        }
        assert_eq!(Float16::nearest(1.5 * SMALLEST), Some(Float16(2)));
        assert_eq!(Float16::nearest(0.5 * SMALLEST), Some(Float16(0)));
    }

    #[test]
    fn every_finite_pattern_comes_back_and_they_ascend() {
        for pattern in 0..=u16::MAX {
            let number = Float16(pattern);
            if number.is_finite() {
                assert_eq!(Float16::nearest(number.to_f64()), Some(number));
            }
        }
        let mut number = Float16(0xFDFF);
        assert_eq!(number.below(), None);
        let mut steps = 0;
        while let Some(above) = number.above() {
            assert!(above.to_f64() > number.to_f64());
            assert_eq!(above.below().map(Float16::to_f64), Some(number.to_f64()));
            number = above;
            steps += 1;
        }
        assert_eq!((number, steps), (Float16::MAX, 2 * 0x7DFF));
    }
}
