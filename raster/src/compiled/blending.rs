//! Which kind of blending a state asks for (spec/ge-raster.md §11.8).

use crate::code::{BlendEquation, BlendFactor};
use crate::state::Blend;

/// How source and stored colour become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blending {
    /// The source.
    Off,
    /// By source alpha and its rest.
    ByAlpha,
    /// As the state says.
    General(Blend),
}

impl Blending {
    /// For a state with blending on.
    pub(super) fn new(blend: Blend) -> Self {
        if is_by_alpha(&blend) {
            Self::ByAlpha
        } else if is_source(&blend) {
            Self::Off
        } else {
            Self::General(blend)
        }
    }
}

impl Blend {
    /// The blend of [`Blending::ByAlpha`].
    pub(crate) const BY_ALPHA: Self = Self {
        equation: BlendEquation::ADD,
        source: BlendFactor::SOURCE_ALPHA,
        destination: BlendFactor::INVERSE_SOURCE_ALPHA,
        padding: 0,
        fixed_source: 0,
        fixed_destination: 0,
    };
}

/// Whether a blend is [`Blend::BY_ALPHA`], whatever its fixed factors are.
fn is_by_alpha(blend: &Blend) -> bool {
    let factors = |blend: &Blend| (blend.equation, blend.source, blend.destination);
    factors(blend) == factors(&Blend::BY_ALPHA)
}

/// Whether a blend leaves the source as it is: products with 255 and with 0 are exact.
fn is_source(blend: &Blend) -> bool {
    let fixed = blend.source == BlendFactor::FIXED && blend.destination == BlendFactor::FIXED;
    let one_and_zero =
        blend.fixed_source & 0xFF_FFFF == 0xFF_FFFF && blend.fixed_destination & 0xFF_FFFF == 0;
    blend.equation == BlendEquation::SOURCE || (blend.equation == BlendEquation::ADD && fixed && one_and_zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_what_they_do() {
        let kind = |equation, factors, fixed| Blending::new(Blend::from_codes(equation, factors, fixed));
        assert_eq!(kind(0, [2, 3], [1, 2]), Blending::ByAlpha);
        assert_eq!(kind(0, [10, 10], [0xFF_FFFF, 0]), Blending::Off);
        assert_eq!(kind(6, [1, 2], [0, 0]), Blending::Off);
        for (equation, factors, fixed) in [
            (1, [2, 3], [0, 0]),
            (0, [3, 2], [0, 0]),
            (0, [10, 10], [0xFF_FFFF, 1]),
            (1, [10, 10], [0xFF_FFFF, 0]),
        ] {
            assert!(matches!(kind(equation, factors, fixed), Blending::General(_)));
        }
    }
}
