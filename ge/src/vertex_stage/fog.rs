//! The fog factor of a vertex (`spec/ge-frontend.md §11`).

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};
use raster::Profile;

use crate::Registers;
use crate::arithmetic::{Geometry, affine_shared};
use crate::command::Opcode;

/// How the fog factor follows from a position: 1 is no fog, 0 nothing but fog.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Fog {
    /// The same for every vertex.
    Constant(f32),
    /// `(view z + end) * slope`.
    Linear {
        /// The column of world times view that gives z.
        column: [f32; 4],
        end: f32,
        slope: f32,
    },
    /// The three folded into one vector, once for a draw (`spec/ppsspp-profile.md §2.7`).
    Folded([f32; 4]),
}

/// What an infinite slope acts as.
const STEEPEST: f32 = 262_144.0;

impl Fog {
    /// No fog.
    pub(crate) const OFF: Self = Self::Constant(1.0);

    /// The fog of the registers, with the product of the world and view matrices.
    pub(crate) fn of<A: Geometry>(registers: &Registers, world_view: &[f32; 12]) -> Self {
        if !registers.switch(Opcode::FOGENABLE) {
            return Self::OFF;
        }
        let (end, slope) = (registers.float(Opcode::FOG1), registers.float(Opcode::FOG2));
        if !end.is_finite() {
            let clear = end.is_sign_positive() != (slope < 0.0);
            return Self::Constant(if slope != 0.0 && clear { 1.0 } else { 0.0 });
        }
        let slope = if slope.is_finite() {
            slope
        } else {
            STEEPEST.copysign(slope)
        };
        let column = [2, 5, 8, 11].map(|element| world_view[element]);
        match A::PROFILE {
            Profile::Hardware => Self::Linear { column, end, slope },
            Profile::Ppsspp => {
                let [x, y, z, translation] = column;
                Self::Folded([x, y, z, A::add(translation, end)].map(|element| A::mul(element, slope)))
            }
        }
    }

    /// The factors at positions in model space.
    #[inline(always)]
    pub(crate) fn factor_lanes<A: Geometry, S: Simd>(&self, position: [f32x16<S>; 3]) -> f32x16<S> {
        let simd = position[0].token();
        match *self {
            Self::Constant(factor) => f32x16::splat(simd, factor),
            Self::Folded(column) => affine_shared::<A, S>(position, column),
            Self::Linear { column, end, slope } => {
                let depth = affine_shared::<A, S>(position, column);
                A::mul_lanes(
                    A::add_lanes(depth, f32x16::splat(simd, end)),
                    f32x16::splat(simd, slope),
                )
            }
        }
    }

    /// The factor at a position in model space.
    #[cfg(test)]
    pub(crate) fn factor<A: Geometry>(&self, position: [f32; 3]) -> f32 {
        match *self {
            Self::Constant(factor) => factor,
            Self::Folded(column) => A::affine(position, column),
            Self::Linear { column, end, slope } => A::mul(A::add(A::affine(position, column), end), slope),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::T24;
    use crate::command::Command;

    const IDENTITY: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

    fn factor(end: f32, slope: f32, z: f32) -> f32 {
        let mut registers = Registers::default();
        for command in [
            Command::new(Opcode::FOGENABLE, 1),
            Command::float(Opcode::FOG1, end),
            Command::float(Opcode::FOG2, slope),
        ] {
            registers.store(command);
        }
        Fog::of::<T24>(&registers, &IDENTITY).factor::<T24>([0.0, 0.0, z])
    }

    #[test]
    fn recorded_factors() {
        // hw: commands/fog.
        for (end, slope, expected) in [
            (1.0, 0.0, 0.0),
            (1.0, 0.5, 0.5),
            (-1.0, -0.5, 0.5),
            (1.0, 1.0, 1.0),
        ] {
            assert_eq!(factor(end, slope, 0.0), expected);
        }
    }

    #[test]
    fn registers_that_are_no_numbers() {
        assert_eq!(factor(f32::INFINITY, 1.0, 5.0), 1.0);
        assert_eq!(factor(f32::INFINITY, -1.0, 5.0), 0.0);
        assert_eq!(factor(f32::NEG_INFINITY, -1.0, 5.0), 1.0);
        assert_eq!(factor(f32::INFINITY, 0.0, 5.0), 0.0);
        assert_eq!(factor(1.0, f32::NEG_INFINITY, 0.0), -262_144.0);
    }
}
