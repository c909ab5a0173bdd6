//! The curves of an animation, sampled over its frames: as a plot or as numbers.
//!
//! A [`Chart`] has a [`Panel`] for each thing that is driven (a joint's rotation, a shape's keys), and a [`Line`]
//! for each of its channels, whatever the format it was read from.

mod csv;
mod plot;
mod read;

pub use csv::write_csv;
pub use plot::{PlotError, plot_png, plot_svg};
pub use read::ReadError;

use motion::curve::Curve;
use motion::play::LoopRule;

/// An animation's curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it is.
    pub title: String,
    /// The last frame, from 0.
    pub last_frame: u32,
    /// Frames in a second.
    pub frames_per_second: f64,
    /// What happens at the end.
    pub loop_rule: LoopRule,
    /// What is driven.
    pub panels: Vec<Panel>,
}

/// Channels that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What they drive: `joint 36`, `shape head`.
    pub driven: String,
    /// Which bone that is; `None` for a shape.
    pub bone: Option<i32>,
    /// What of it, with the unit.
    pub quantity: Quantity,
    /// The channels.
    pub lines: Vec<Line>,
}

/// What channels of a panel measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// Euler angles in degrees.
    Rotation,
    /// Places relative to the parent in model units.
    Position,
    /// Factors.
    Scale,
    /// Weights of key shapes.
    Weight,
    /// Numbers without a known meaning, as stored.
    Unknown,
}

impl Quantity {
    /// Its name, without the unit.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rotation => "rotation",
            Self::Position => "position",
            Self::Scale => "scale",
            Self::Weight => "weights",
            Self::Unknown => "value",
        }
    }

    /// Its name for people, with the unit.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Rotation => "rotation in degrees",
            other => other.name(),
        }
    }
}

/// One channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Which of its panel's: an axis, a key shape.
    pub name: String,
    /// The frames of its keys.
    pub keys: Vec<f64>,
    /// Its value at each frame from 0 to the chart's last.
    pub values: Vec<f64>,
}

impl Line {
    /// A curve in its unit, times `factor`, over frames 0 to `last`.
    fn sampled(name: impl Into<String>, keys: Vec<f64>, curve: &Curve, factor: f64, last: u32) -> Self {
        let values = (0..=last)
            .map(|frame| curve.sample(f64::from(frame)) * factor)
            .collect();
        Self {
            name: name.into(),
            keys,
            values,
        }
    }
}

impl Panel {
    /// The lowest and the highest value.
    #[must_use]
    pub fn range(&self) -> (f64, f64) {
        let values = || self.lines.iter().flat_map(|line| line.values.iter().copied());
        (
            values().fold(f64::INFINITY, f64::min),
            values().fold(f64::NEG_INFINITY, f64::max),
        )
    }
}

impl Chart {
    /// How many channels there are.
    #[must_use]
    pub fn channel_count(&self) -> usize {
        self.panels.iter().map(|panel| panel.lines.len()).sum()
    }

    /// Keeps the panels of these bones; without any, all stay.
    pub fn keep_bones(&mut self, bones: &[i32]) {
        if !bones.is_empty() {
            self.panels
                .retain(|panel| panel.bone.is_some_and(|bone| bones.contains(&bone)));
        }
    }

    /// Length, speed, loop and channels in words.
    #[must_use]
    pub fn summary(&self) -> String {
        let ending = match self.loop_rule {
            LoopRule::From(start) if start > 0.0 => format!("loops from frame {start}"),
            LoopRule::From(_) => "loops".to_owned(),
            LoopRule::Once => "plays once".to_owned(),
        };
        let (last, speed) = (self.last_frame, self.frames_per_second);
        let channels = crate::inspect::count(self.channel_count(), "channel");
        format!("frames 0 to {last} at {speed} a second, {ending}; {channels}")
    }
}
