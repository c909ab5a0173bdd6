//! What a MOT holds.
use std::io::{self, Write};

use formats::FormatError;
use formats::mot::later::{self, LaterMot, LaterTrack};
use formats::mot::{self, Content, Form, Keys, Mot, Track, Variant};
use serde::Serialize;

use super::table::{Align, Table, count, short};

/// A motion in numbers.
#[derive(Debug, Serialize)]
pub struct MotReport {
    /// Whose records it has: `okami`, `god_hand`, or `bayonetta_1` and `bayonetta_2` for the generations after.
    game: &'static str,
    /// The last frame and one, as the header states it.
    frame_count: i64,
    frames_per_second: u32,
    loops: bool,
    records: Vec<RecordReport>,
    warnings: Vec<String>,
}

/// A record: one component of one bone.
#[derive(Debug, Serialize)]
struct RecordReport {
    /// -1 is the root.
    bone: i64,
    /// What it drives; `None` for a property without a known meaning.
    track: Option<String>,
    /// How it is stored.
    storage: String,
    /// Of the keys; `None` where there is nothing to evaluate.
    keys: Option<KeysReport>,
}

/// A curve's keys.
#[derive(Debug, Serialize)]
struct KeysReport {
    count: usize,
    first_frame: u32,
    last_frame: u32,
    lowest: f64,
    highest: f64,
    /// `degrees` for rotations, else `model units`, `factor` or `raw`.
    unit: &'static str,
}

impl KeysReport {
    fn new(keys: &Keys, unit: &'static str) -> Self {
        let factor = if unit == "degrees" {
            180.0 / std::f64::consts::PI
        } else {
            1.0
        };
        let (frames, values): (Vec<u32>, Vec<f64>) = match keys {
            Keys::Constant(value) => (vec![0], vec![*value]),
            Keys::Hermite(keys) => keys.iter().map(|key| (key.frame, key.value)).unzip(),
            Keys::Linear(samples) => (0..).zip(samples.iter().copied()).unzip(),
        };
        Self {
            count: frames.len(),
            first_frame: frames.first().copied().unwrap_or(0),
            last_frame: frames.last().copied().unwrap_or(0),
            lowest: values.iter().copied().fold(f64::INFINITY, f64::min) * factor,
            highest: values.iter().copied().fold(f64::NEG_INFINITY, f64::max) * factor,
            unit,
        }
    }
}

/// The unit that values of a track are shown in.
const fn unit(track: Track) -> &'static str {
    match track {
        Track::Position(_) => "model units",
        Track::Rotation(_) => "degrees",
        Track::Scale(_) => "factor",
    }
}

impl MotReport {
    /// The report of a motion of any generation.
    ///
    /// # Errors
    ///
    /// What is no motion that can be read.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        match Variant::of(bytes) {
            Some(Variant::First(_) | Variant::Second(_)) => {
                LaterMot::parse(bytes).map(|motion| Self::of_later(&motion))
            }
            _ => Mot::parse(bytes).map(|motion| Self::of_mot(&motion)),
        }
    }

    fn of_mot(motion: &Mot) -> Self {
        let records = motion.records().iter().map(|record| {
            let (track, storage, keys) = match &record.content {
                Content::Curve { track, curve } => {
                    let keys = KeysReport::new(&curve.keys(), unit(*track));
                    (
                        Some(track.to_string()),
                        words(&format!("{:?}", curve.family())),
                        Some(keys),
                    )
                }
                Content::Unknown { .. } => {
                    let property = record.property(motion.semi_precision_base());
                    (None, format!("unknown property {property:#04x}"), None)
                }
            };
            RecordReport {
                bone: record.bone.into(),
                track,
                storage,
                keys,
            }
        });
        Self {
            game: match motion.form() {
                Form::Okami => "okami",
                Form::GodHand => "god_hand",
            },
            frame_count: motion.frame_count().into(),
            frames_per_second: mot::FRAMES_PER_SECOND,
            loops: motion.is_looping(),
            records: records.collect(),
            warnings: motion.warnings().iter().map(ToString::to_string).collect(),
        }
    }

    fn of_later(motion: &LaterMot) -> Self {
        let records = motion.records.iter().map(|record| {
            let (track, unit) = match record.track {
                LaterTrack::Bone(track) => (Some(track.to_string()), unit(track)),
                LaterTrack::CameraRoll => (Some("camera roll".to_owned()), "degrees"),
                LaterTrack::CameraFieldOfView => (Some("camera field of view".to_owned()), "degrees"),
                LaterTrack::Unknown(_) => (None, "raw"),
            };
            RecordReport {
                bone: record.bone.into(),
                track,
                storage: words(&format!("{:?}", record.curve.curve_type())),
                keys: Some(KeysReport::new(&record.curve.keys(), unit)),
            }
        });
        Self {
            game: match motion.generation {
                later::Generation::First => "bayonetta_1",
                later::Generation::Second => "bayonetta_2",
            },
            frame_count: motion.frame_count.into(),
            frames_per_second: later::FRAMES_PER_SECOND,
            loops: motion.is_looping(),
            records: records.collect(),
            warnings: Vec::new(),
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        format!(
            "{}, {}",
            count(self.records.len(), "curve"),
            count(self.frame_count.max(0) as usize, "frame")
        )
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let game = match self.game {
            "okami" => "Okami",
            "god_hand" => "God Hand",
            "bayonetta_1" => "MadWorld or Bayonetta",
            _ => "Bayonetta 2 or a later game",
        };
        let ending = if self.loops { "loops" } else { "plays once" };
        writeln!(
            out,
            "  {} at {} a second, {ending}, as in {game}",
            self.summary(),
            self.frames_per_second
        )?;
        for warning in &self.warnings {
            writeln!(out, "  warning: {warning}")?;
        }
        if self.records.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        let mut table = Table::new([
            ("bone", Align::Right),
            ("drives", Align::Left),
            ("stored as", Align::Left),
            ("keys", Align::Right),
            ("frames", Align::Left),
            ("lowest", Align::Right),
            ("highest", Align::Right),
            ("unit", Align::Left),
        ]);
        for record in &self.records {
            let bone = if record.bone == -1 {
                "root".to_owned()
            } else {
                record.bone.to_string()
            };
            let track = record.track.clone().unwrap_or_default();
            let [keys, frames, lowest, highest, unit] =
                record.keys.as_ref().map_or_else(Default::default, |keys| {
                    [
                        keys.count.to_string(),
                        if keys.count > 1 {
                            format!("{}..{}", keys.first_frame, keys.last_frame)
                        } else {
                            "all".to_owned()
                        },
                        short(keys.lowest as f32),
                        short(keys.highest as f32),
                        keys.unit.to_owned(),
                    ]
                });
            table.row([
                bone,
                track,
                record.storage.clone(),
                keys,
                frames,
                lowest,
                highest,
                unit,
            ]);
        }
        table.write(out)
    }
}

/// A name in Rust as words: `SinglePose` becomes `single pose`.
pub(super) fn words(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
