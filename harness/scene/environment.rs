//! What surrounds a model: lights, fog and the background.

/// A directional light as the game sets it: ambient and diffuse, no specular.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// Where the light stands.
    pub direction: LightDirection,
    /// Ambient colour: red, green, blue.
    pub ambient: [u8; 3],
    /// Diffuse colour: red, green, blue.
    pub diffuse: [u8; 3],
}

/// Where a directional light stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LightDirection {
    /// In this direction from the model, in world space; any length but 0.
    Towards([f32; 3]),
    /// At the camera, however it moves: a head light.
    Camera,
}

/// Fog by distance from the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fog {
    /// Colour: red, green, blue.
    pub color: [u8; 3],
    /// Distance in units at which it begins.
    pub begin: f32,
    /// Distance in units from which on there is nothing but fog.
    pub end: f32,
}

impl Fog {
    /// The fog registers: end and slope (`spec/ge-frontend.md §11`). No slope where the two distances are equal.
    #[must_use]
    pub fn registers(self) -> [f32; 2] {
        let slope = if self.end == self.begin {
            0.0
        } else {
            1.0 / (self.end - self.begin)
        };
        [self.end, slope]
    }
}

/// What surrounds a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Environment {
    /// Lights 0, 1 and 2. Light 3 is always off.
    pub lights: [Light; 3],
    /// Fog, on meshes that ask for it.
    pub fog: Option<Fog>,
}

/// A colour of the engine, 1.0 for full, as a byte.
#[must_use]
pub fn color_byte(value: f32) -> u8 {
    // The cast saturates and sends NaN to 0.
    (value * 255.0 + 0.5) as u8
}

impl Environment {
    /// The lights and the fog of a stage. The third light hangs on the camera.
    #[must_use]
    pub fn of_stage(stage: &formats::stage::Environment) -> Self {
        let lights = [0, 1, 2].map(|index| {
            let light = &stage.lights[index];
            Light {
                direction: match index {
                    2 => LightDirection::Camera,
                    _ => LightDirection::Towards(light.direction.map(|axis| -axis)),
                },
                ambient: light.ambient.map(color_byte),
                diffuse: light.diffuse.map(color_byte),
            }
        });
        let [red, green, blue, _] = stage.fog_color;
        let fog = Fog {
            color: [red, green, blue],
            begin: stage.fog_begin,
            end: stage.fog_end,
        };
        Self {
            lights,
            fog: Some(fog),
        }
    }

    /// The light that the engine sets where there is no stage, in its menus: two lamps that face each
    /// other and a head light, and no fog (`spec/mhp-formats.md §3.13`). The stage's vectors point away
    /// from the light, so lamp 0, of vector (1, 1, 1), stands at (-1, -1, -1).
    #[must_use]
    pub fn menu() -> Self {
        let light = |direction, diffuse| Light {
            direction,
            ambient: [color_byte(0.3); 3],
            diffuse: [color_byte(diffuse); 3],
        };
        Self {
            lights: [
                light(LightDirection::Towards([-1.0, -1.0, -1.0]), 0.4),
                light(LightDirection::Towards([1.0, 1.0, 1.0]), 0.4),
                light(LightDirection::Camera, 0.5),
            ],
            fog: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fog_registers_give_one_at_the_begin_and_zero_at_the_end() {
        let [end, slope] = Fog {
            color: [0; 3],
            begin: 100.0,
            end: 300.0,
        }
        .registers();
        assert_eq!((-100.0 + end) * slope, 1.0);
        assert_eq!((-300.0 + end) * slope, 0.0);
        assert_eq!(
            Fog {
                color: [0; 3],
                begin: 5.0,
                end: 5.0
            }
            .registers(),
            [5.0, 0.0]
        );
    }

    #[test]
    fn colors_round_and_saturate() {
        assert_eq!(
            [0.0, 0.3, 0.4, 1.0, 7.0, -1.0, f32::NAN].map(color_byte),
            [0, 77, 102, 255, 255, 0, 0]
        );
    }
}
