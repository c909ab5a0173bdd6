//! What a BFRES file's shape animations, or one on its own, hold.
use std::io::{self, Write};

use formats::bfres::Bfres;
use formats::fsha::{Curve, Fsha, Generation, ShapeAnimation, VertexShapeAnimation};
use serde::Serialize;

use super::mot::words;
use super::table::{Align, Table, count, short};

/// Shape animations in numbers.
#[derive(Debug, Serialize)]
pub struct ShapesReport {
    /// The container's name; `None` for an animation on its own.
    name: Option<String>,
    /// The container's version, or `3.4 and later` or `before 3.4` for an animation on its own.
    version: String,
    animations: Vec<AnimationReport>,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct AnimationReport {
    name: String,
    /// The last frame, which is the period of a loop.
    frame_count: i32,
    loops: bool,
    /// The place of the model it names in the file; `None` without one.
    model: Option<usize>,
    shapes: Vec<ShapeReport>,
}

#[derive(Debug, Serialize)]
struct ShapeReport {
    name: String,
    bind_index: Option<u16>,
    /// The first is the shape at rest.
    keys: Vec<KeyReport>,
}

#[derive(Debug, Serialize)]
struct KeyReport {
    name: String,
    /// The key shape's place in the shape; `None` where the name tells.
    sub_bind: Option<u8>,
    /// The weight without a curve; `None` for the shape at rest, which has what the others leave of 1.
    weight: Option<f32>,
    curve: Option<CurveReport>,
}

#[derive(Debug, Serialize)]
struct CurveReport {
    kind: String,
    keys: usize,
    first_frame: f64,
    last_frame: f64,
    /// Of the values at the keys.
    lowest: f64,
    highest: f64,
    before: String,
    after: String,
}

impl CurveReport {
    fn new(curve: &Curve) -> Self {
        let values = || (0..curve.key_count()).filter_map(|key| curve.key_value(key));
        let frame = |key: usize| curve.frame(key).unwrap_or(0.0);
        Self {
            kind: words(&format!("{:?}", curve.curve_type)),
            keys: curve.key_count(),
            first_frame: frame(0),
            last_frame: frame(curve.key_count().saturating_sub(1)),
            lowest: values().fold(f64::INFINITY, f64::min),
            highest: values().fold(f64::NEG_INFINITY, f64::max),
            before: words(&format!("{:?}", curve.before)),
            after: words(&format!("{:?}", curve.after)),
        }
    }
}

impl ShapeReport {
    fn new(shape: &VertexShapeAnimation) -> Self {
        let keys = shape.keys.iter().enumerate().map(|(index, key)| {
            let curve = shape.curve_of(index).map(CurveReport::new);
            KeyReport {
                name: key.name.to_string(),
                sub_bind: key.sub_bind,
                weight: (index > 0 && curve.is_none()).then(|| shape.base_value(index)),
                curve,
            }
        });
        Self {
            name: shape.name.to_string(),
            bind_index: shape.bind_index,
            keys: keys.collect(),
        }
    }
}

impl AnimationReport {
    fn new(animation: &ShapeAnimation, model: Option<usize>) -> Self {
        Self {
            name: animation.name.to_string(),
            frame_count: animation.frame_count,
            loops: animation.is_looping(),
            model,
            shapes: animation.shapes.iter().map(ShapeReport::new).collect(),
        }
    }
}

impl ShapesReport {
    /// The report of a container.
    #[must_use]
    pub fn of_bfres(file: &Bfres) -> Self {
        let animations = file.animations().iter().enumerate();
        Self {
            name: Some(file.name().to_owned()),
            version: file.version().to_string(),
            animations: animations
                .map(|(index, one)| AnimationReport::new(one, file.model_of(index)))
                .collect(),
            warnings: file.warnings().iter().map(ToString::to_string).collect(),
        }
    }

    /// The report of an animation on its own.
    #[must_use]
    pub fn of_fsha(file: &Fsha) -> Self {
        Self {
            name: None,
            version: match file.generation() {
                Generation::Early => "before 3.4".to_owned(),
                Generation::Late => "3.4 and later".to_owned(),
            },
            animations: vec![AnimationReport::new(file.animation(), None)],
            warnings: file.warnings().iter().map(ToString::to_string).collect(),
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        count(self.animations.len(), "shape animation")
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.name {
            Some(name) => writeln!(out, "  {name:?}, version {}: {}", self.version, self.summary())?,
            None => writeln!(out, "  version {}: {}", self.version, self.summary())?,
        }
        for warning in &self.warnings {
            writeln!(out, "  warning: {warning}")?;
        }
        for animation in &self.animations {
            let ending = if animation.loops { "loops" } else { "plays once" };
            let frames = count(animation.frame_count.max(0) as usize, "frame");
            writeln!(out, "\n  {}: {frames}, {ending}", animation.name)?;
            for shape in &animation.shapes {
                let bind = shape
                    .bind_index
                    .map_or_else(String::new, |index| format!(", number {index} of its model"));
                writeln!(out, "  shape {}{bind}", shape.name)?;
                shape.table().write(out)?;
            }
        }
        Ok(())
    }
}

impl ShapeReport {
    fn table(&self) -> Table<7> {
        let mut table = Table::new([
            ("key", Align::Right),
            ("name", Align::Left),
            ("weight", Align::Left),
            ("keys", Align::Right),
            ("frames", Align::Left),
            ("lowest", Align::Right),
            ("highest", Align::Right),
        ]);
        for (index, key) in self.keys.iter().enumerate() {
            let weight = match (&key.curve, key.weight) {
                (Some(curve), _) => format!("{} curve", curve.kind),
                (None, Some(weight)) => format!("always {}", short(weight)),
                (None, None) => "what the others leave of 1".to_owned(),
            };
            let [keys, frames, lowest, highest] = key.curve.as_ref().map_or_else(Default::default, |curve| {
                [
                    curve.keys.to_string(),
                    format!("{}..{}", curve.first_frame, curve.last_frame),
                    short(curve.lowest as f32),
                    short(curve.highest as f32),
                ]
            });
            table.row([
                index.to_string(),
                key.name.clone(),
                weight,
                keys,
                frames,
                lowest,
                highest,
            ]);
        }
        table
    }
}
