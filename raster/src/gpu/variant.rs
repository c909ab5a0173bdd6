//! The kernel with what a batch does not need left out.

use crate::setup::{NONE, Primitive, PrimitiveFlags};

/// A variant of the kernel. All give the same pixels where they can be used: the smaller ones leave out the wide
/// arithmetic of quotients, which is most of the code, and is compiled and carried by every invocation otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Variant {
    /// No textures.
    Untextured,
    /// Textures without perspective, at one level of detail.
    Affine,
    /// Perspective of the hardware's profile too.
    Reciprocal,
    /// Perspective of PPSSPP's profile too, instead.
    Exact,
    /// Everything.
    Generic,
}

impl Variant {
    pub(super) const ALL: [Self; 5] = [
        Self::Untextured,
        Self::Affine,
        Self::Reciprocal,
        Self::Exact,
        Self::Generic,
    ];

    /// The smallest that draws all primitives.
    pub(super) fn of(primitives: &[Primitive]) -> Self {
        let (mut textured, mut reciprocal, mut exact) = (false, false, false);
        for primitive in primitives {
            let flags = primitive.flags;
            if primitive.coordinates == NONE {
                continue;
            }
            textured = true;
            if flags.contains(PrimitiveFlags::DETAIL_PER_QUAD)
                || flags.contains(PrimitiveFlags::DETAIL_FROM_SLOPE)
            {
                return Self::Generic;
            }
            if flags.contains(PrimitiveFlags::PERSPECTIVE) {
                let is_exact = flags.contains(PrimitiveFlags::EXACT_QUOTIENT);
                exact |= is_exact;
                reciprocal |= !is_exact;
            }
        }
        match (textured, reciprocal, exact) {
            (_, true, true) => Self::Generic,
            (_, false, true) => Self::Exact,
            (_, true, false) => Self::Reciprocal,
            (true, false, false) => Self::Affine,
            (false, false, false) => Self::Untextured,
        }
    }

    /// What is left in, as the shader's constants have it.
    pub(super) fn constants(self) -> [(&'static str, f64); 4] {
        let number = |on: bool| f64::from(u8::from(on));
        [
            ("SAMPLES", number(self != Self::Untextured)),
            (
                "DIVIDES_BY_RECIPROCAL",
                number(matches!(self, Self::Reciprocal | Self::Generic)),
            ),
            (
                "DIVIDES_EXACTLY",
                number(matches!(self, Self::Exact | Self::Generic)),
            ),
            ("DETAIL_CHANGES", number(self == Self::Generic)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn primitive(flags: &[PrimitiveFlags], coordinates: u32) -> Primitive {
        let mut primitive = Primitive {
            coordinates,
            ..Primitive::default()
        };
        for &flag in flags {
            primitive.flags = primitive.flags.with(flag, true);
        }
        primitive
    }

    #[test]
    fn the_smallest_that_draws_all_is_taken() {
        let plain = primitive(&[], NONE);
        let affine = primitive(&[], 0);
        let hardware = primitive(&[PrimitiveFlags::PERSPECTIVE], 0);
        let ppsspp = primitive(&[PrimitiveFlags::PERSPECTIVE, PrimitiveFlags::EXACT_QUOTIENT], 0);
        let detailed = primitive(&[PrimitiveFlags::DETAIL_FROM_SLOPE], 0);
        for (primitives, expected) in [
            (&[plain][..], Variant::Untextured),
            (&[plain, affine], Variant::Affine),
            (&[hardware, plain], Variant::Reciprocal),
            (&[affine, ppsspp], Variant::Exact),
            (&[hardware, ppsspp], Variant::Generic),
            (&[plain, detailed], Variant::Generic),
        ] {
            assert_eq!(Variant::of(primitives), expected);
        }
    }
}
