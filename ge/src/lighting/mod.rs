//! Lighting: the colours of a vertex from its material and up to four lights
//! (`spec/ge-frontend.md §12`).
//!
//! Vectors are computed in the geometry unit's arithmetic, colours are integers ([`reflection`]). The rules
//! reproduce all 201 pixels of hw: commands/light.

mod light;
mod reflection;

pub(crate) use light::Light;

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16, u32x16};

use crate::Registers;
use crate::arithmetic::Geometry;
use crate::command::Opcode;
#[cfg(test)]
use reflection::{multiply, reflected};
use reflection::{multiply_lanes, reflected_lanes};

/// A colour, red first.
pub(crate) type Rgb = [u8; 3];

/// The colour of an argument: red in the low byte.
const fn rgb(argument: u32) -> Rgb {
    let [red, green, blue, _] = argument.to_le_bytes();
    [red, green, blue]
}

/// Which material colours the vertex colour replaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct MaterialUpdate {
    ambient: bool,
    diffuse: bool,
    specular: bool,
}

/// Where specular light goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SpecularOutput {
    /// Into the primary colour.
    Primary,
    /// Into a secondary colour, which is added after texturing.
    Secondary,
}

/// The lights and the material of the registers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lighting {
    lights: [Option<Light>; 4],
    emissive: Rgb,
    ambient: Rgb,
    alpha: u8,
    diffuse: Rgb,
    specular: Rgb,
    global_ambient: Rgb,
    global_alpha: u8,
    coefficient: f32,
    update: MaterialUpdate,
    output: SpecularOutput,
}

/// Primary and secondary colour, red in the low byte.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lit {
    pub(crate) primary: u32,
    pub(crate) secondary: u32,
}

impl Lighting {
    pub(crate) fn of<A: Geometry>(registers: &Registers) -> Self {
        let color = |opcode| rgb(registers.argument(opcode));
        Self {
            lights: [0, 1, 2, 3].map(|number| Light::of::<A>(registers, number)),
            emissive: color(Opcode::MATEMISSIVE),
            ambient: color(Opcode::MATAMBIENT),
            alpha: registers.field(Opcode::MATALPHA, 7, 0) as u8,
            diffuse: color(Opcode::MATDIFFUSE),
            specular: color(Opcode::MATSPECULAR),
            global_ambient: color(Opcode::AMBIENTCOLOR),
            global_alpha: registers.field(Opcode::AMBIENTALPHA, 7, 0) as u8,
            coefficient: registers.float(Opcode::SPECULARCOEF),
            update: MaterialUpdate {
                ambient: registers.field(Opcode::MATERIALUPDATE, 0, 0) == 1,
                diffuse: registers.field(Opcode::MATERIALUPDATE, 1, 1) == 1,
                specular: registers.field(Opcode::MATERIALUPDATE, 2, 2) == 1,
            },
            output: if registers.switch(Opcode::LIGHTMODE) {
                SpecularOutput::Secondary
            } else {
                SpecularOutput::Primary
            },
        }
    }

    /// Whether a light that is on shines from a place.
    pub(crate) fn has_lamps(&self) -> bool {
        self.lights.iter().flatten().any(Light::is_lamp)
    }

    /// The primary and secondary colours of vertices at `position`, their normalised `normal` (both in world space),
    /// and their own colours if their format has them.
    #[inline(always)]
    pub(crate) fn light_lanes<A: Geometry, S: Simd>(
        &self,
        simd: S,
        position: [f32x16<S>; 3],
        normal: [f32x16<S>; 3],
        color: Option<u32x16<S>>,
    ) -> (u32x16<S>, u32x16<S>) {
        let ambient = material(simd, self.update.ambient, self.ambient, color);
        let diffuse = material(simd, self.update.diffuse, self.diffuse, color);
        let specular = material(simd, self.update.specular, self.specular, color);
        let alpha = match color {
            Some(color) if self.update.ambient => (color >> 24).bitcast(),
            _ => i32x16::splat(simd, self.alpha.into()),
        };
        let mut primary = ambient;
        for (part, (&global, &emissive)) in primary
            .iter_mut()
            .zip(self.global_ambient.iter().zip(&self.emissive))
        {
            *part = multiply_lanes(*part, i32x16::splat(simd, global.into())) + i32::from(emissive);
        }
        let mut secondary = [i32x16::splat(simd, 0); 3];
        for light in self.lights.iter().flatten() {
            let ray = light.ray_lanes::<A, S>(position);
            add_lanes(
                &mut primary,
                reflected_lanes::<A, S>(light.ambient, ambient, ray.strength, None),
            );
            let cosine = A::dot3_lanes(ray.direction, normal);
            let factor = light.diffuse_factor_lanes::<A, S>(cosine, self.coefficient);
            add_lanes(
                &mut primary,
                reflected_lanes::<A, S>(light.diffuse, diffuse, ray.strength, Some(factor)),
            );
            let shines = cosine.simd_ge(0.0);
            if light.has_specular() && shines.any_true() {
                let [x, y, z] = ray.direction;
                let half = A::normalize_lanes([x, y, A::add_lanes(z, f32x16::splat(simd, 1.0))]);
                let factor = A::power_lanes(A::dot3_lanes(half, normal), self.coefficient);
                let mut parts = reflected_lanes::<A, S>(light.specular, specular, ray.strength, Some(factor));
                for part in &mut parts {
                    *part = shines.select(*part, i32x16::splat(simd, 0));
                }
                add_lanes(&mut secondary, parts);
            }
        }
        if self.output == SpecularOutput::Primary {
            add_lanes(&mut primary, secondary);
            secondary = [i32x16::splat(simd, 0); 3];
        }
        let alpha = multiply_lanes(alpha, i32x16::splat(simd, self.global_alpha.into()));
        (
            pack_lanes(primary) | alpha.bitcast::<u32x16<S>>() << 24,
            pack_lanes(secondary),
        )
    }

    /// The colours of a vertex at `position`, its normalised `normal` (both in world space), and its
    /// own colour if its format has one.
    #[cfg(test)]
    pub(crate) fn light<A: Geometry>(&self, position: [f32; 3], normal: [f32; 3], color: Option<u32>) -> Lit {
        let vertex = color.map(u32::to_le_bytes);
        // Without a colour of its own a vertex takes the registers, whatever the update bits say.
        let replace = |update: bool, material: Rgb| match vertex {
            Some([red, green, blue, _]) if update => [red, green, blue],
            _ => material,
        };
        let ambient = replace(self.update.ambient, self.ambient);
        let diffuse = replace(self.update.diffuse, self.diffuse);
        let specular = replace(self.update.specular, self.specular);
        let alpha = match vertex {
            Some([.., alpha]) if self.update.ambient => alpha,
            _ => self.alpha,
        };
        let mut primary: [i32; 3] = std::array::from_fn(|part| {
            i32::from(self.emissive[part]) + i32::from(multiply(ambient[part], self.global_ambient[part]))
        });
        let mut secondary = [0; 3];
        for light in self.lights.iter().flatten() {
            let ray = light.ray::<A>(position);
            add(
                &mut primary,
                reflected::<A>(light.ambient, ambient, ray.strength, None),
            );
            let cosine = A::dot3(ray.direction, normal);
            let factor = light.diffuse_factor::<A>(cosine, self.coefficient);
            add(
                &mut primary,
                reflected::<A>(light.diffuse, diffuse, ray.strength, Some(factor)),
            );
            if light.has_specular() && cosine >= 0.0 {
                let [x, y, z] = ray.direction;
                let half = A::normalize([x, y, A::add(z, 1.0)]);
                let factor = A::power(A::dot3(half, normal), self.coefficient);
                add(
                    &mut secondary,
                    reflected::<A>(light.specular, specular, ray.strength, Some(factor)),
                );
            }
        }
        if self.output == SpecularOutput::Primary {
            for (sum, part) in primary.iter_mut().zip(std::mem::take(&mut secondary)) {
                *sum += part;
            }
        }
        let [red, green, blue] = primary.map(|part| part.clamp(0, 255) as u8);
        let alpha = multiply(alpha, self.global_alpha);
        let [red2, green2, blue2] = secondary.map(|part| part.clamp(0, 255) as u8);
        Lit {
            primary: u32::from_le_bytes([red, green, blue, alpha]),
            secondary: u32::from_le_bytes([red2, green2, blue2, 0]),
        }
    }
}

/// A colour of the material, or the vertices' own in its place. Without colours of their own vertices take the
/// registers, whatever the update bits say.
#[inline(always)]
fn material<S: Simd>(simd: S, update: bool, material: Rgb, color: Option<u32x16<S>>) -> [i32x16<S>; 3] {
    match color {
        Some(color) if update => [
            (color & 0xFF).bitcast(),
            (color >> 8 & 0xFF).bitcast(),
            (color >> 16 & 0xFF).bitcast(),
        ],
        _ => [
            i32x16::splat(simd, material[0].into()),
            i32x16::splat(simd, material[1].into()),
            i32x16::splat(simd, material[2].into()),
        ],
    }
}

/// Whether sums saturate after each light or once at the end is not known; they do at the end.
#[inline(always)]
fn add_lanes<S: Simd>(sum: &mut [i32x16<S>; 3], color: [i32x16<S>; 3]) {
    for (sum, part) in sum.iter_mut().zip(color) {
        *sum += part;
    }
}

/// Clamps the parts of colours, red into the low byte.
#[inline(always)]
fn pack_lanes<S: Simd>([red, green, blue]: [i32x16<S>; 3]) -> u32x16<S> {
    let (red, green, blue) = (red.max(0).min(255), green.max(0).min(255), blue.max(0).min(255));
    (red | green << 8 | blue << 16).bitcast()
}

/// As [`add_lanes`].
#[cfg(test)]
fn add(sum: &mut [i32; 3], color: [i32; 3]) {
    for (sum, part) in sum.iter_mut().zip(color) {
        *sum += part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::T24;
    use crate::command::Command;

    #[test]
    fn ambient_light_colors_the_vertex_color() {
        // hw: vertices/morph.
        let mut registers = Registers::default();
        registers.store(Command::new(Opcode::AMBIENTCOLOR, 0xFF_FF7F));
        registers.store(Command::new(Opcode::AMBIENTALPHA, 0xFF));
        registers.store(Command::new(Opcode::MATERIALUPDATE, 1));
        let lit = Lighting::of::<T24>(&registers).light::<T24>([0.0; 3], [0.0, 0.0, 1.0], Some(0x8000_7F7F));
        assert_eq!(
            lit,
            Lit {
                primary: 0x8000_7F3F,
                secondary: 0
            }
        );
    }
}
