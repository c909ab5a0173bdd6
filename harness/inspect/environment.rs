//! What a stage's environment block holds: fog, lights and sky.
use formats::stage::Environment;
use serde::Serialize;

use super::table::{short, vector};

/// Fog and lights of a stage.
#[derive(Debug, Serialize)]
pub struct EnvironmentReport {
    fog_color: [u8; 4],
    fog_begin: f32,
    fog_end: f32,
    lights: Vec<LightReport>,
    sky: bool,
}

#[derive(Debug, Serialize)]
struct LightReport {
    /// As stored; the engine lights from the opposite side (`spec/mhp-formats.md` §1.5).
    direction: [f32; 3],
    diffuse: [f32; 3],
    ambient: [f32; 3],
}

impl EnvironmentReport {
    /// The report of an environment block.
    #[must_use]
    pub fn new(environment: &Environment) -> Self {
        let lights = environment.lights.iter().map(|light| LightReport {
            direction: light.direction,
            diffuse: light.diffuse,
            ambient: light.ambient,
        });
        Self {
            fog_color: environment.fog_color,
            fog_begin: environment.fog_begin,
            fog_end: environment.fog_end,
            lights: lights.collect(),
            sky: environment.sky.is_some(),
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        let ambient = self.lights.first().map_or_else(String::new, |light| {
            format!(", ambient {}", vector(&light.ambient))
        });
        let sky = if self.sky { ", sky" } else { "" };
        format!(
            "fog {}..{}{ambient}{sky}",
            short(self.fog_begin),
            short(self.fog_end)
        )
    }
}
