//! Shape animations of the wyvern's head, as a Wii U game would keep them.

use formats::bfres::{Bfres, Version};
use formats::fsha::{Curve, HermiteKey, InvalidCurve, KeyWeight, ShapeAnimation, VertexShapeAnimation};

use super::bust::{SHAPES, Shape};
use crate::sample::math::{TAU, sin, smoothstep};
use crate::sample::{SampleError, SampleFile};

/// Frames of each animation; the last is the first again.
const LENGTH: i32 = 120;
/// How far a stored weight may be off.
const BOUND: f32 = 0.004;

/// The file of both animations.
pub(crate) fn files() -> Result<Vec<SampleFile>, SampleError> {
    let animations = vec![idle()?, roar()?];
    let file = Bfres::new("wyvern-head", Version::LATEST, animations)?;
    Ok(vec![SampleFile {
        name: "wyvern-head.bfres".to_owned(),
        bytes: file.write(),
        about: "shape animations of wyvern-head.pac: idle and roar".to_owned(),
    }])
}

/// An animation of the head's shapes, the first of which is at rest.
fn animation(
    name: &str,
    weight: impl Fn(Shape) -> Result<KeyWeight, InvalidCurve>,
) -> Result<ShapeAnimation, InvalidCurve> {
    let [rest, others @ ..] = SHAPES;
    let mut head = VertexShapeAnimation::new("head", rest.name());
    for shape in others {
        head = head.with_key(shape.name(), weight(shape)?);
    }
    Ok(ShapeAnimation::new(name, LENGTH, vec![head]).looping())
}

/// A blink and a short one after it; the mouth breathes, the frills rest.
fn idle() -> Result<ShapeAnimation, InvalidCurve> {
    animation("idle", |shape| {
        Ok(match shape {
            Shape::Blink => KeyWeight::Animated(lids(&[(30.0, 1.0), (46.0, 0.7)])?),
            Shape::Open => KeyWeight::Animated(smooth(&[(0.0, 0.04), (60.0, 0.14), (120.0, 0.04)])?),
            Shape::Rest | Shape::Flare => KeyWeight::Constant(0.0),
        })
    })
}

/// The mouth opens wide and trembles, the frills spread before it; the eyes narrow and blink at the end.
fn roar() -> Result<ShapeAnimation, InvalidCurve> {
    animation("roar", |shape| {
        let keys: &[(f32, f32)] = match shape {
            Shape::Rest => &[],
            Shape::Blink => return lids(&[(18.0, 1.0), (104.0, 1.0)]).map(KeyWeight::Animated),
            Shape::Open => &[
                (0.0, 0.05),
                (16.0, 0.0),
                (36.0, 1.0),
                (48.0, 0.86),
                (60.0, 1.0),
                (72.0, 0.9),
                (84.0, 1.0),
                (108.0, 0.1),
                (120.0, 0.05),
            ],
            Shape::Flare => {
                let samples: Vec<f32> = (0..=LENGTH).map(flare).collect();
                return Curve::baked(0.0, &samples, BOUND).map(KeyWeight::Animated);
            }
        };
        smooth(keys).map(KeyWeight::Animated)
    })
}

/// How far the frills are spread at a frame of the roar: they shiver while it lasts.
fn flare(frame: i32) -> f32 {
    let at = f64::from(frame);
    let spread = smoothstep(8.0, 30.0, at) * (1.0 - smoothstep(84.0, 116.0, at));
    (spread * (0.92 + 0.08 * sin(TAU * at / 8.0))) as f32
}

/// Lids that shut within four frames around each time, as far as it says.
fn lids(blinks: &[(f32, f32)]) -> Result<Curve, InvalidCurve> {
    let mut points = vec![(0.0, 0.0)];
    for &(frame, shut) in blinks {
        points.extend([
            (frame - 4.0, 0.0),
            (frame, shut),
            (frame + 2.0, shut),
            (frame + 8.0, 0.0),
        ]);
    }
    points.push((LENGTH as f32, 0.0));
    Curve::linear(&points, BOUND)
}

/// A curve through points that is level at the ends and at each turn.
fn smooth(points: &[(f32, f32)]) -> Result<Curve, InvalidCurve> {
    let keys: Vec<HermiteKey> = points
        .iter()
        .map(|&(frame, value)| HermiteKey {
            frame,
            value,
            ..HermiteKey::default()
        })
        .collect();
    Curve::cubic(&keys, BOUND)
}
