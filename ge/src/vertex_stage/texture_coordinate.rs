//! Texture coordinate generation (`spec/ge-frontend.md §13`).

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};

use crate::arithmetic::{Geometry, dot3_shared, transform_point_lanes};
use crate::command::Opcode;
use crate::{Matrices, Registers};

/// What the texture matrix is applied to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MatrixSource {
    /// The position in model space, morphed and skinned.
    Position,
    /// (u, v, 0) as the vertex holds them.
    TextureCoordinate,
    /// The normal's direction; a zero normal stays zero (hw: texmtx/normals).
    NormalizedNormal,
    /// The normal as it is.
    Normal,
}

/// How s, t and q follow from a vertex.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Generation {
    /// The vertex's own coordinates, as they are.
    Copy,
    /// The vertex's own coordinates, scaled and moved.
    Scale {
        /// Of u and v.
        scale: [f32; 2],
        /// Of u and v.
        offset: [f32; 2],
    },
    /// A source vector times the texture matrix.
    Matrix {
        /// What is multiplied.
        source: MatrixSource,
        /// The texture matrix.
        matrix: [f32; 12],
    },
    /// The angles between the world normal and two lights.
    Environment {
        /// Direction of the light that gives s, normalised.
        s: [f32; 3],
        /// Direction of the light that gives t, normalised.
        t: [f32; 3],
    },
}

/// What of a vertex coordinates may be made from.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct GenerationInput {
    pub(crate) position: [f32; 3],
    pub(crate) texture_coordinate: [f32; 2],
    /// In model space.
    pub(crate) normal: [f32; 3],
    /// In world space, normalised.
    pub(crate) world_normal: [f32; 3],
}

/// Whether the texture matrix gives 1 for q, whatever its source.
pub(crate) fn q_is_one(registers: &Registers, matrices: &Matrices) -> bool {
    let matrix = &matrices.texture;
    let flat_source = registers.field(Opcode::TEXMAPMODE, 9, 8) == 1;
    matrix[2] == 0.0 && matrix[5] == 0.0 && (matrix[8] == 0.0 || flat_source) && matrix[11] == 1.0
}

impl Generation {
    /// The mode of the registers, for vertices in transform mode.
    pub(crate) fn of<A: Geometry>(registers: &Registers, matrices: &Matrices) -> Self {
        match registers.field(Opcode::TEXMAPMODE, 1, 0) {
            1 => Self::Matrix {
                source: match registers.field(Opcode::TEXMAPMODE, 9, 8) {
                    0 => MatrixSource::Position,
                    1 => MatrixSource::TextureCoordinate,
                    2 => MatrixSource::NormalizedNormal,
                    _ => MatrixSource::Normal,
                },
                matrix: matrices.texture,
            },
            2 => {
                // Every light's position is a direction here, and no switch of lights matters.
                let direction = |light: u32| {
                    A::normalize(registers.floats(Opcode::LPOS0X.nth(3 * light as u8)).map(A::load))
                };
                Self::Environment {
                    s: direction(registers.field(Opcode::TEXSHADELS, 1, 0)),
                    t: direction(registers.field(Opcode::TEXSHADELS, 9, 8)),
                }
            }
            _ => Self::Scale {
                scale: registers.floats(Opcode::TEXSCALEU),
                offset: registers.floats(Opcode::TEXOFFSETU),
            },
        }
    }

    /// Whether the result depends on normals in world space.
    pub(crate) const fn needs_world_normal(&self) -> bool {
        matches!(self, Self::Environment { .. })
    }

    /// s, t and q of vertices, from their positions, texture coordinates, and normals in model and world space.
    #[inline(always)]
    pub(crate) fn generate_lanes<A: Geometry, S: Simd>(
        &self,
        position: [f32x16<S>; 3],
        [u, v]: [f32x16<S>; 2],
        normal: [f32x16<S>; 3],
        world_normal: [f32x16<S>; 3],
    ) -> [f32x16<S>; 3] {
        let simd = u.token();
        let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
        match self {
            Self::Copy => [u, v, one],
            Self::Scale { scale, offset } => [
                A::add_lanes(
                    A::mul_lanes(u, f32x16::splat(simd, scale[0])),
                    f32x16::splat(simd, offset[0]),
                ),
                A::add_lanes(
                    A::mul_lanes(v, f32x16::splat(simd, scale[1])),
                    f32x16::splat(simd, offset[1]),
                ),
                one,
            ],
            Self::Matrix { source, matrix } => {
                let vector = match source {
                    MatrixSource::Position => position,
                    MatrixSource::TextureCoordinate => [u, v, zero],
                    MatrixSource::NormalizedNormal => {
                        let is_zero = A::length_squared_lanes(normal).simd_eq(0.0);
                        let [x, y, z] = A::normalize_lanes(normal);
                        [
                            is_zero.select(zero, x),
                            is_zero.select(zero, y),
                            is_zero.select(zero, z),
                        ]
                    }
                    MatrixSource::Normal => normal,
                };
                transform_point_lanes::<A, S>(vector, matrix)
            }
            Self::Environment { s, t } => [
                half_cosine::<A, S>(world_normal, *s),
                half_cosine::<A, S>(world_normal, *t),
                one,
            ],
        }
    }

    /// s, t and q.
    #[cfg(test)]
    pub(crate) fn generate<A: Geometry>(&self, input: &GenerationInput) -> [f32; 3] {
        let [u, v] = input.texture_coordinate;
        match self {
            Self::Copy => [u, v, 1.0],
            Self::Scale { scale, offset } => [
                A::add(A::mul(u, scale[0]), offset[0]),
                A::add(A::mul(v, scale[1]), offset[1]),
                1.0,
            ],
            Self::Matrix { source, matrix } => {
                let vector = match source {
                    MatrixSource::Position => input.position,
                    MatrixSource::TextureCoordinate => [u, v, 0.0],
                    MatrixSource::NormalizedNormal if A::length_squared(input.normal) == 0.0 => [0.0; 3],
                    MatrixSource::NormalizedNormal => A::normalize(input.normal),
                    MatrixSource::Normal => input.normal,
                };
                crate::arithmetic::transform_point::<A>(vector, matrix)
            }
            Self::Environment { s, t } => {
                let half = |light: [f32; 3]| A::mul(A::add(A::dot3(light, input.world_normal), 1.0), 0.5);
                [half(*s), half(*t), 1.0]
            }
        }
    }
}

/// The cosine of the angle between normals and a light, from -1..1 to 0..1.
#[inline(always)]
fn half_cosine<A: Geometry, S: Simd>(normal: [f32x16<S>; 3], light: [f32; 3]) -> f32x16<S> {
    let cosine = dot3_shared::<A, S>(normal, light);
    let simd = cosine.token();
    A::mul_lanes(
        A::add_lanes(cosine, f32x16::splat(simd, 1.0)),
        f32x16::splat(simd, 0.5),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::T24;

    const INPUT: GenerationInput = GenerationInput {
        position: [1.0, 2.0, 3.0],
        texture_coordinate: [0.25, 0.75],
        normal: [0.0, 0.0, 2.0],
        world_normal: [0.0, 0.0, 1.0],
    };

    #[test]
    fn uv_mode_scales_then_moves() {
        let generation = Generation::Scale {
            scale: [2.0, 4.0],
            offset: [0.5, -1.0],
        };
        assert_eq!(generation.generate::<T24>(&INPUT), [1.0, 2.0, 1.0]);
    }

    #[test]
    fn matrix_mode_takes_its_source() {
        let mut matrix = [0.0; 12];
        (matrix[0], matrix[4], matrix[8], matrix[11]) = (1.0, 1.0, 1.0, 1.0);
        let of = |source| Generation::Matrix { source, matrix }.generate::<T24>(&INPUT);
        assert_eq!(of(MatrixSource::Position), [1.0, 2.0, 4.0]);
        assert_eq!(of(MatrixSource::TextureCoordinate), [0.25, 0.75, 1.0]);
        assert_eq!(of(MatrixSource::NormalizedNormal), [0.0, 0.0, 2.0]);
        assert_eq!(of(MatrixSource::Normal), [0.0, 0.0, 3.0]);
    }

    #[test]
    fn environment_mode_maps_cosines_to_the_texture() {
        let generation = Generation::Environment {
            s: [0.0, 0.0, 1.0],
            t: [1.0, 0.0, 0.0],
        };
        assert_eq!(generation.generate::<T24>(&INPUT), [1.0, 0.5, 1.0]);
    }
}
