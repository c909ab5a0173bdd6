//! A stage's environment block: its fog, lights and sky.
//!
//! The terrain, props, textures and collision of a stage are found by
//! [`StageRoles`](crate::detect::StageRoles); this is entry 3 of the PAC. Nothing in it is
//! aligned. Source: `spec/mhp-formats.md` §1.5, which comes from a decompilation of the engine.

use crate::{FormatError, Reader};

const LIGHTS: usize = 0x0E;
const SKY: usize = 0x7A;
const SKY_SIZE: usize = 48;

/// Fog, lights and perhaps a sky.
///
/// Two values are equal when they write the same bytes, except that a float which is not a number
/// equals nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Environment {
    /// Fog colour: red, green, blue, alpha.
    pub fog_color: [u8; 4],
    /// View depth at which the fog begins, in model units.
    pub fog_begin: f32,
    /// View depth at which the fog hides everything.
    pub fog_end: f32,
    /// The three lights.
    pub lights: [Light; 3],
    /// The gradient of the sky, in blocks of kind 2.
    pub sky: Option<Sky>,
    /// Bytes behind the block.
    pub tail: Vec<u8>,
}

/// A directional light of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Light {
    /// The stored vector. The engine lights from the opposite side: the direction **towards** the
    /// light is minus this one, and its third light hangs on the camera instead.
    pub direction: [f32; 3],
    /// Diffuse colour, 1 for full.
    pub diffuse: [f32; 3],
    /// Ambient colour, 1 for full.
    pub ambient: [f32; 3],
}

/// The gradient behind a stage.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sky {
    /// Where it is centred, in model units.
    pub origin: [f32; 3],
    /// Its upper edge.
    pub top: i16,
    /// Its height; 448 is full.
    pub height: i16,
    /// Eight colours as stored: blue, green, red, alpha.
    pub colors: [[u8; 4]; 8],
}

impl Environment {
    /// Reads an environment block.
    ///
    /// # Errors
    ///
    /// A kind that is neither 1 (fog and lights) nor 2 (a sky as well), or a block that is too
    /// short for its kind.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let reader = Reader::new("stage environment", bytes);
        let kind = reader.u16(0, "kind")?;
        let vector = |offset: usize, field: &'static str| -> Result<[f32; 3], FormatError> {
            Ok([
                reader.f32(offset, field)?,
                reader.f32(offset + 4, field)?,
                reader.f32(offset + 8, field)?,
            ])
        };
        let mut environment = Self {
            fog_color: reader.array(2, "fog colour")?,
            fog_begin: reader.f32(6, "fog begin")?,
            fog_end: reader.f32(0x0A, "fog end")?,
            ..Self::default()
        };
        for (index, light) in environment.lights.iter_mut().enumerate() {
            // Three directions, then three diffuse colours, then three ambient ones.
            let at = LIGHTS + 12 * index;
            light.direction = vector(at, "light direction")?;
            light.diffuse = vector(at + 36, "diffuse colour")?;
            light.ambient = vector(at + 72, "ambient colour")?;
        }
        let end = match kind {
            1 => SKY,
            2 => {
                let mut sky = Sky {
                    origin: vector(SKY, "sky origin")?,
                    top: reader.u16(SKY + 12, "sky top")?.cast_signed(),
                    height: reader.u16(SKY + 14, "sky height")?.cast_signed(),
                    ..Sky::default()
                };
                for (index, color) in sky.colors.iter_mut().enumerate() {
                    *color = reader.array(SKY + 16 + 4 * index, "sky colour")?;
                }
                environment.sky = Some(sky);
                SKY + SKY_SIZE
            }
            _ => {
                return Err(reader.error(
                    "kind",
                    0,
                    kind.to_string(),
                    "1 (fog and lights) or 2 (a sky as well)",
                ));
            }
        };
        environment.tail = reader.range(end..bytes.len(), "tail")?.to_vec();
        Ok(environment)
    }

    /// The block's bytes.
    pub fn write(&self) -> Vec<u8> {
        let kind: u16 = if self.sky.is_some() { 2 } else { 1 };
        let mut bytes = kind.to_le_bytes().to_vec();
        let floats = |values: &[f32], bytes: &mut Vec<u8>| {
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        };
        bytes.extend_from_slice(&self.fog_color);
        floats(&[self.fog_begin, self.fog_end], &mut bytes);
        for part in [
            |light: &Light| light.direction,
            |light: &Light| light.diffuse,
            |light: &Light| light.ambient,
        ] {
            for light in &self.lights {
                floats(&part(light), &mut bytes);
            }
        }
        if let Some(sky) = &self.sky {
            floats(&sky.origin, &mut bytes);
            bytes.extend_from_slice(&sky.top.to_le_bytes());
            bytes.extend_from_slice(&sky.height.to_le_bytes());
            bytes.extend(sky.colors.iter().flatten());
        }
        bytes.extend_from_slice(&self.tail);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bytes whose value is their offset, of this kind.
    fn block(kind: u8, length: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..length).map(|offset| offset as u8).collect();
        bytes[..2].copy_from_slice(&[kind, 0]);
        bytes
    }

    #[test]
    fn fields_stand_where_the_specification_puts_them() {
        let bytes = block(2, 0xB0);
        let float = |offset: usize| f32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap());
        let environment = Environment::parse(&bytes).unwrap();
        assert_eq!(environment.fog_color, [2, 3, 4, 5]);
        assert_eq!(
            (environment.fog_begin, environment.fog_end),
            (float(6), float(0x0A))
        );
        let lights = environment.lights;
        assert_eq!(lights[0].direction[0], float(0x0E));
        assert_eq!(lights[2].direction[2], float(0x0E + 32));
        assert_eq!(lights[0].diffuse[0], float(0x32));
        assert_eq!(lights[1].ambient[1], float(0x56 + 16));
        let sky = environment.sky.unwrap();
        assert_eq!(sky.origin[0], float(0x7A));
        assert_eq!(
            (sky.top, sky.height),
            (0x8786_u16.cast_signed(), 0x8988_u16.cast_signed())
        );
        assert_eq!(sky.colors[7], [0xA6, 0xA7, 0xA8, 0xA9]);
        assert_eq!(environment.tail, [0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF]);
        assert_eq!(environment.write(), bytes);
    }

    #[test]
    fn a_block_without_a_sky_ends_with_the_lights() {
        let bytes = block(1, 0x7C);
        let environment = Environment::parse(&bytes).unwrap();
        assert_eq!(environment.sky, None);
        assert_eq!(environment.tail, [0x7A, 0x7B]);
        assert_eq!(environment.write(), bytes);
    }

    #[test]
    fn broken_blocks_are_refused_with_the_place() {
        let error = |bytes: &[u8]| Environment::parse(bytes).unwrap_err().to_string();
        assert_eq!(
            error(&block(3, 0xAA)),
            "stage environment: kind at 0x0: found 3, expected 1 (fog and lights) or 2 (a sky as well)"
        );
        assert_eq!(
            error(&block(2, 0xA9)),
            "stage environment: sky colour at 0xa6: found a file of 0xa9 bytes, expected at least 0xaa bytes"
        );
        assert!(error(&block(1, 0x79)).contains("ambient colour at 0x76"));
    }

    proptest! {
        #[test]
        fn any_bytes_read_and_write_back(
            kind in 0u8..4,
            rest in prop::collection::vec(any::<u8>(), 0..0xC0),
        ) {
            let mut bytes = vec![kind, 0];
            bytes.extend(rest);
            if let Ok(environment) = Environment::parse(&bytes) {
                prop_assert_eq!(environment.write(), bytes);
            }
        }
    }
}
