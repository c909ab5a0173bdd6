//! The 24-bit float of command arguments.

use std::fmt;

/// A float as command arguments hold it: an IEEE single without its low 8 bits, so 1 bit of sign,
/// 8 of exponent and 16 significant bits (`spec/ge-frontend.md §4.1`).
///
/// The bits are kept as they are: the sign of a NaN matters to lights (§4.3).
///
/// ```
/// use ge::Float24;
///
/// assert_eq!(Float24::from_f32(1.0).argument(), 0x3F8000);
/// assert_eq!(Float24::from_argument(0x46FFFF).to_f32(), 32767.5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Float24(u32);

impl Float24 {
    /// The float of a command's argument; bits above 23 are dropped.
    #[must_use]
    pub const fn from_argument(argument: u32) -> Self {
        Self(argument & 0xFF_FFFF)
    }

    /// `value` without its low 8 bits, so truncated towards zero.
    #[must_use]
    pub const fn from_f32(value: f32) -> Self {
        Self(value.to_bits() >> 8)
    }

    /// The 24 bits.
    #[must_use]
    pub const fn argument(self) -> u32 {
        self.0
    }

    /// The value, exactly.
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        f32::from_bits(self.0 << 8)
    }
}

impl fmt::Display for Float24 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_f32(), formatter)
    }
}

impl fmt::Debug for Float24 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Float24({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_the_specification() {
        for (value, argument) in [
            (1.0, 0x3F8000),
            (0.5, 0x3F0000),
            (-1.0, 0xBF8000),
            (32767.5, 0x46FFFF),
            (2048.0, 0x450000),
            (2.0 / 480.0, 0x3B8888),
        ] {
            assert_eq!(Float24::from_f32(value).argument(), argument, "{value}");
        }
    }

    #[test]
    fn a_nan_keeps_its_sign() {
        assert!(Float24::from_argument(0xFFC000).to_f32().is_sign_negative());
        assert!(Float24::from_argument(0x7FC000).to_f32().is_sign_positive());
    }
}
