//! Lighting: the colours of a vertex from its material and up to four lights
//! (`spec/ge-frontend.md §12`).
//!
//! Vectors are computed in the geometry unit's arithmetic; colours, and the two factors of a light,
//! are 8-bit integers. The rules reproduce all 201 pixels of hw: commands/light.

mod light;

pub(crate) use light::Light;

use crate::Registers;
use crate::arithmetic::{Geometry, power};
use crate::command::Opcode;

/// A colour, red first.
pub(crate) type Rgb = [u8; 3];

/// The colour of an argument: red in the low byte.
const fn rgb(argument: u32) -> Rgb {
    let [red, green, blue, _] = argument.to_le_bytes();
    [red, green, blue]
}

/// The product of two colour components, as the blending unit forms it:
/// `multiply(c, 255) = c`, `multiply(c, 0) = 0` (`spec/ge-frontend.md §12.6`).
#[inline]
const fn multiply(a: u8, b: u8) -> u8 {
    (((2 * a as u32 + 1) * (2 * b as u32 + 1)) >> 10) as u8
}

/// A factor as 8 bits: floor(256 f), at most 255. What is no number is 255 (unverified).
#[inline]
fn quantize(factor: f32) -> u8 {
    if factor <= 0.0 {
        0
    } else if factor < 1.0 {
        (256.0 * factor) as u8
    } else {
        255
    }
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

    /// The colours of a vertex at `position`, its normalised `normal` (both in world space), and its
    /// own colour if its format has one.
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
        let mut primary: [u32; 3] = std::array::from_fn(|part| {
            u32::from(self.emissive[part]) + u32::from(multiply(ambient[part], self.global_ambient[part]))
        });
        let mut secondary = [0; 3];
        for light in self.lights.iter().flatten() {
            let ray = light.ray::<A>(position);
            let strength = quantize(ray.strength);
            add(&mut primary, scaled(light.ambient, ambient, strength));
            let cosine = A::dot3(ray.direction, normal);
            let factor = light.diffuse_factor(cosine, self.coefficient);
            let lit = scaled(light.diffuse, diffuse, strength);
            add(&mut primary, lit.map(|part| multiply(part, quantize(factor))));
            if light.has_specular() && cosine >= 0.0 {
                let [x, y, z] = ray.direction;
                let half = A::normalize([x, y, A::add(z, 1.0)]);
                let factor = power(A::dot3(half, normal), self.coefficient);
                let lit = scaled(light.specular, specular, strength);
                add(&mut secondary, lit.map(|part| multiply(part, quantize(factor))));
            }
        }
        if self.output == SpecularOutput::Primary {
            for (sum, part) in primary.iter_mut().zip(std::mem::take(&mut secondary)) {
                *sum += part;
            }
        }
        let [red, green, blue] = primary.map(|part| part.min(255) as u8);
        let alpha = multiply(alpha, self.global_alpha);
        let [red2, green2, blue2] = secondary.map(|part| part.min(255) as u8);
        Lit {
            primary: u32::from_le_bytes([red, green, blue, alpha]),
            secondary: u32::from_le_bytes([red2, green2, blue2, 0]),
        }
    }
}

/// Light times material times a factor.
fn scaled(light: Rgb, material: Rgb, factor: u8) -> Rgb {
    std::array::from_fn(|part| multiply(multiply(light[part], material[part]), factor))
}

/// Whether sums saturate after each light or once at the end is not known; they do at the end.
fn add(sum: &mut [u32; 3], color: Rgb) {
    for (sum, part) in sum.iter_mut().zip(color) {
        *sum += u32::from(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::T24;
    use crate::command::Command;

    #[test]
    fn products_of_colors() {
        for color in 0..=255 {
            assert_eq!(multiply(color, 255), color);
            assert_eq!(multiply(color, 0), 0);
        }
        assert_eq!(
            [
                multiply(0x7F, 0x7F),
                quantize(0.5),
                quantize(0.999_99),
                quantize(2.0)
            ],
            [0x3F, 0x80, 255, 255]
        );
    }

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
