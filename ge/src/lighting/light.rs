//! One light: its direction and strength at a point.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16};

use super::{Rgb, rgb};
use crate::Registers;
use crate::arithmetic::{Geometry, dot3_shared};
use crate::command::Opcode;

/// Which terms a light has (`spec/ge-frontend.md §12.1`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Components {
    /// Ambient and diffuse; also code 3, as PPSSPP takes it (unverified).
    Diffuse,
    /// Ambient, diffuse and specular.
    DiffuseAndSpecular,
    /// Ambient and diffuse, the latter's factor raised to the specular coefficient.
    PoweredDiffuse,
}

/// Where a light shines from.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    /// From one direction, normalised.
    Directional([f32; 3]),
    /// From a point.
    Point(Lamp),
    /// From a point, in a cone.
    Spot(Lamp, Cone),
}

/// A light at a point.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Lamp {
    position: [f32; 3],
    /// Constant, linear and quadratic term.
    attenuation: [f32; 3],
}

/// The cone of a spot light.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Cone {
    axis: Axis,
    exponent: f32,
    cutoff: f32,
}

/// The axis of a cone, from the lit scene towards the light.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Axis {
    /// A direction, normalised.
    Direction([f32; 3]),
    /// The same cosine for every ray: a zero axis gives 0; an infinite one, or one that is no
    /// number, 1 or 0 by its sign (hw: commands/light).
    Cosine(f32),
}

impl Axis {
    fn of<A: Geometry>(axis: [f32; 3]) -> Self {
        if let Some(special) = axis.into_iter().find(|component| !component.is_finite()) {
            return Self::Cosine(if special.is_sign_positive() { 1.0 } else { 0.0 });
        }
        if A::length_squared(axis) == 0.0 {
            return Self::Cosine(0.0);
        }
        Self::Direction(A::normalize(axis))
    }
}

impl Cone {
    /// How much of the light rays get: not clamped, negative for a cosine below 0.
    #[inline(always)]
    fn factor_lanes<A: Geometry, S: Simd>(&self, ray: [f32x16<S>; 3]) -> f32x16<S> {
        let simd = ray[0].token();
        let cosine = match self.axis {
            Axis::Cosine(cosine) => f32x16::splat(simd, cosine),
            Axis::Direction(axis) => dot3_shared::<A, S>(ray, axis),
        };
        let inside = cosine.simd_ge(self.cutoff());
        inside.select(A::power_lanes(cosine, self.exponent), f32x16::splat(simd, 0.0))
    }

    fn cutoff(&self) -> f32 {
        if self.cutoff.is_nan() && self.cutoff.is_sign_negative() {
            0.0
        } else {
            self.cutoff
        }
    }

    /// How much of the light a ray gets: not clamped, negative for a cosine below 0.
    #[cfg(test)]
    fn factor<A: Geometry>(&self, ray: [f32; 3]) -> f32 {
        let cosine = match self.axis {
            Axis::Cosine(cosine) => cosine,
            Axis::Direction(axis) => A::dot3(axis, ray),
        };
        if cosine >= self.cutoff() {
            A::power(cosine, self.exponent)
        } else {
            0.0
        }
    }
}

/// A light that is on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Light {
    source: Source,
    components: Components,
    pub(super) ambient: Rgb,
    pub(super) diffuse: Rgb,
    pub(super) specular: Rgb,
}

/// A light as points see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RayLanes<S: Simd> {
    /// Towards the light, normalised.
    pub(super) direction: [f32x16<S>; 3],
    /// Attenuation times the cone's factor.
    pub(super) strength: f32x16<S>,
}

/// A light as a point sees it.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Ray {
    /// Towards the light, normalised.
    pub(super) direction: [f32; 3],
    /// Attenuation times the cone's factor.
    pub(super) strength: f32,
}

impl Light {
    /// Light `number` of the registers, if it is on.
    pub(super) fn of<A: Geometry>(registers: &Registers, number: u8) -> Option<Self> {
        if !registers.switch(Opcode::LIGHT0.nth(number)) {
            return None;
        }
        let vector = |first: Opcode| registers.floats::<3>(first.nth(3 * number)).map(A::load);
        let lamp = || Lamp {
            position: vector(Opcode::LPOS0X),
            attenuation: vector(Opcode::LATT0A),
        };
        let kind = Opcode::LIGHTTYPE0.nth(number);
        let color = |first: Opcode| rgb(registers.argument(first.nth(3 * number)));
        Some(Self {
            source: match registers.field(kind, 9, 8) {
                0 => Source::Directional(A::normalize(vector(Opcode::LPOS0X))),
                1 => Source::Point(lamp()),
                _ => Source::Spot(
                    lamp(),
                    Cone {
                        axis: Axis::of::<A>(vector(Opcode::LDIR0X)),
                        exponent: registers.float(Opcode::SPOTEXP0.nth(number)),
                        cutoff: registers.float(Opcode::SPOTCUT0.nth(number)),
                    },
                ),
            },
            components: match registers.field(kind, 1, 0) {
                1 => Components::DiffuseAndSpecular,
                2 => Components::PoweredDiffuse,
                _ => Components::Diffuse,
            },
            ambient: color(Opcode::LCOL0A),
            diffuse: color(Opcode::LCOL0D),
            specular: color(Opcode::LCOL0S),
        })
    }

    /// Whether it shines from a place.
    pub(super) const fn is_lamp(&self) -> bool {
        !matches!(self.source, Source::Directional(_))
    }

    pub(super) fn has_specular(&self) -> bool {
        self.components == Components::DiffuseAndSpecular
    }

    /// The factors of diffuse light for the cosines between rays and normals.
    #[inline(always)]
    pub(super) fn diffuse_factor_lanes<A: Geometry, S: Simd>(
        &self,
        cosine: f32x16<S>,
        coefficient: f32,
    ) -> f32x16<S> {
        match self.components {
            Components::PoweredDiffuse => A::power_lanes(cosine, coefficient),
            Components::Diffuse | Components::DiffuseAndSpecular => cosine,
        }
    }

    /// The light at points in world space.
    #[inline(always)]
    pub(super) fn ray_lanes<A: Geometry, S: Simd>(&self, point: [f32x16<S>; 3]) -> RayLanes<S> {
        let simd = point[0].token();
        match &self.source {
            Source::Directional([x, y, z]) => RayLanes {
                direction: [
                    f32x16::splat(simd, *x),
                    f32x16::splat(simd, *y),
                    f32x16::splat(simd, *z),
                ],
                strength: f32x16::splat(simd, 1.0),
            },
            Source::Point(lamp) => lamp.ray_lanes::<A, S>(point),
            Source::Spot(lamp, cone) => {
                let RayLanes { direction, strength } = lamp.ray_lanes::<A, S>(point);
                RayLanes {
                    direction,
                    strength: A::mul_lanes(strength, cone.factor_lanes::<A, S>(direction)),
                }
            }
        }
    }

    /// The factor of diffuse light for the cosine between ray and normal.
    #[cfg(test)]
    pub(super) fn diffuse_factor<A: Geometry>(&self, cosine: f32, coefficient: f32) -> f32 {
        match self.components {
            Components::PoweredDiffuse => A::power(cosine, coefficient),
            Components::Diffuse | Components::DiffuseAndSpecular => cosine,
        }
    }

    /// The light at a point in world space.
    #[cfg(test)]
    pub(super) fn ray<A: Geometry>(&self, point: [f32; 3]) -> Ray {
        match &self.source {
            Source::Directional(direction) => Ray {
                direction: *direction,
                strength: 1.0,
            },
            Source::Point(lamp) => lamp.ray::<A>(point),
            Source::Spot(lamp, cone) => {
                let Ray { direction, strength } = lamp.ray::<A>(point);
                Ray {
                    direction,
                    strength: A::mul(strength, cone.factor::<A>(direction)),
                }
            }
        }
    }
}

impl Lamp {
    #[inline(always)]
    fn ray_lanes<A: Geometry, S: Simd>(&self, point: [f32x16<S>; 3]) -> RayLanes<S> {
        let simd = point[0].token();
        let to_light = [
            A::subtract_lanes(f32x16::splat(simd, self.position[0]), point[0]),
            A::subtract_lanes(f32x16::splat(simd, self.position[1]), point[1]),
            A::subtract_lanes(f32x16::splat(simd, self.position[2]), point[2]),
        ];
        let squared = A::length_squared_lanes(to_light);
        let distance = A::square_root_lanes(squared);
        let [constant, linear, quadratic] = self.attenuation;
        let sum = A::add_lanes(
            A::add_lanes(
                f32x16::splat(simd, constant),
                A::mul_lanes(f32x16::splat(simd, linear), distance),
            ),
            A::mul_lanes(f32x16::splat(simd, quadratic), squared),
        );
        let (zero, one) = (f32x16::splat(simd, 0.0), f32x16::splat(simd, 1.0));
        let attenuation = A::divide_lanes(one, sum);
        RayLanes {
            direction: A::normalize_lanes(to_light),
            // A negative attenuation is black, and so is one that is no number.
            strength: attenuation
                .simd_gt(0.0)
                .select(attenuation.simd_lt(1.0).select(attenuation, one), zero),
        }
    }

    #[cfg(test)]
    fn ray<A: Geometry>(&self, point: [f32; 3]) -> Ray {
        let to_light: [f32; 3] = std::array::from_fn(|axis| A::subtract(self.position[axis], point[axis]));
        let squared = A::length_squared(to_light);
        let distance = A::square_root(squared);
        let [constant, linear, quadratic] = self.attenuation;
        let sum = A::add(
            A::add(constant, A::mul(linear, distance)),
            A::mul(quadratic, squared),
        );
        let attenuation = A::divide(1.0, sum);
        Ray {
            direction: A::normalize(to_light),
            // A negative attenuation is black, and so is one that is no number.
            strength: if attenuation > 0.0 {
                attenuation.min(1.0)
            } else {
                0.0
            },
        }
    }
}
