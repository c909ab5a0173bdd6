//! Curves out of points: the smallest elements that keep to an error bound.

use super::{Curve, CurveType, Elements, Frames, InvalidCurve, Offset, Wrap};

/// A key of a curve to be made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HermiteKey {
    /// The frame.
    pub frame: f32,
    /// The value there.
    pub value: f32,
    /// Change of value per frame before the key.
    pub slope_in: f32,
    /// Change of value per frame after the key.
    pub slope_out: f32,
}

/// The elements of the keys before they are rounded, value first.
type Ideal<const N: usize> = [[f64; N]];

impl Curve {
    /// A curve of straight lines through `(frame, value)` points, within `bound` of them.
    ///
    /// # Errors
    ///
    /// No points or more than 65535, frames that do not ascend, numbers that are not finite.
    pub fn linear(points: &[(f32, f32)], bound: f32) -> Result<Self, InvalidCurve> {
        let ideal: Vec<[f64; 2]> = (1..=points.len())
            .zip(points)
            .map(|(next, &(_, value))| {
                let next = points.get(next).map_or(value, |&(_, next)| next);
                [value.into(), f64::from(next) - f64::from(value)]
            })
            .collect();
        let frames: Vec<f32> = points.iter().map(|&(frame, _)| frame).collect();
        fitted(CurveType::Linear, &frames, &ideal, bound)
    }

    /// A smooth curve through `keys`, within `bound` of it at every frame.
    ///
    /// # Errors
    ///
    /// No keys or more than 65535, frames that do not ascend, numbers that are not finite.
    pub fn cubic(keys: &[HermiteKey], bound: f32) -> Result<Self, InvalidCurve> {
        let ideal: Vec<[f64; 4]> = (1..=keys.len())
            .zip(keys)
            .map(|(next, key)| {
                let Some(next) = keys.get(next) else {
                    return [key.value.into(), 0.0, 0.0, 0.0];
                };
                // spec/fsha.md §4.4, from Hermite form.
                let frames = f64::from(next.frame) - f64::from(key.frame);
                let leave = f64::from(key.slope_out) * frames;
                let arrive = f64::from(next.slope_in) * frames;
                let rise = f64::from(next.value) - f64::from(key.value);
                [
                    key.value.into(),
                    leave,
                    3.0 * rise - 2.0 * leave - arrive,
                    leave + arrive - 2.0 * rise,
                ]
            })
            .collect();
        let frames: Vec<f32> = keys.iter().map(|key| key.frame).collect();
        fitted(CurveType::Cubic, &frames, &ideal, bound)
    }

    /// A curve of samples at `start` and each frame after it, within `bound` of them.
    ///
    /// # Errors
    ///
    /// No samples or more than 65535, a start or samples that are not finite.
    pub fn baked(start: f32, samples: &[f32], bound: f32) -> Result<Self, InvalidCurve> {
        let ideal: Vec<[f64; 1]> = samples.iter().map(|&sample| [sample.into()]).collect();
        let frames: Vec<f32> = (0..samples.len()).map(|frame| start + frame as f32).collect();
        fitted(CurveType::BakedFloat, &frames, &ideal, bound)
    }

    /// A curve of integers that each hold from their frame up to the next.
    ///
    /// # Errors
    ///
    /// No points or more than 65535, frames that do not ascend or are not finite.
    pub fn step(points: &[(f32, i32)]) -> Result<Self, InvalidCurve> {
        let frames: Vec<f32> = points.iter().map(|&(frame, _)| frame).collect();
        let integers = || points.iter().map(|&(_, integer)| integer);
        let bytes: Option<Vec<i8>> = integers().map(|integer| i8::try_from(integer).ok()).collect();
        let shorts: Option<Vec<i16>> = integers().map(|integer| i16::try_from(integer).ok()).collect();
        let elements = match (bytes, shorts) {
            (Some(bytes), _) => Elements::Bytes(bytes.into()),
            (None, Some(shorts)) => Elements::Shorts(shorts.into()),
            (None, None) => Elements::Integers(integers().collect()),
        };
        finished(CurveType::StepInteger, &frames, elements, 0.0, Offset::Integer(0))
    }
}

/// Frames in the smallest type that holds them exactly (`spec/fsha.md` §7.3).
fn stored_frames(frames: &[f32]) -> Frames {
    let is_byte = |frame: &f32| frame.fract() == 0.0 && (0.0..=255.0).contains(frame);
    let is_fixed = |frame: &f32| (frame * 32.0).fract() == 0.0 && (0.0..=1023.0).contains(frame);
    if frames.iter().all(is_byte) {
        Frames::Bytes(frames.iter().map(|&frame| frame as u8).collect())
    } else if frames.iter().all(is_fixed) {
        Frames::Fixed(frames.iter().map(|&frame| (frame * 32.0) as i16).collect())
    } else {
        Frames::Floats(frames.into())
    }
}

fn finished(
    curve_type: CurveType,
    frames: &[f32],
    elements: Elements,
    scale: f32,
    offset: Offset,
) -> Result<Curve, InvalidCurve> {
    let mut curve = Curve {
        curve_type,
        target: 0,
        start: frames.first().copied().unwrap_or(0.0),
        end: frames.last().copied().unwrap_or(0.0),
        scale,
        offset,
        delta: None,
        before: Wrap::Clamp,
        after: Wrap::Clamp,
        unknown_flags: 0,
        frames: stored_frames(frames),
        elements,
    };
    curve.delta = Some(curve.rise() as f32);
    curve.check()?;
    Ok(curve)
}

/// The curve in bytes, else in 16-bit integers, else in floats.
fn fitted<const N: usize>(
    curve_type: CurveType,
    frames: &[f32],
    ideal: &Ideal<N>,
    bound: f32,
) -> Result<Curve, InvalidCurve> {
    let floats: Vec<f32> = ideal
        .as_flattened()
        .iter()
        .map(|&element| element as f32)
        .collect();
    let exact = finished(
        curve_type,
        frames,
        Elements::Floats(floats.into()),
        1.0,
        Offset::Float(0.0),
    )?;
    let bytes = quantized(ideal, i8::MAX.into(), bound).map(|quantized| {
        let elements = quantized.integers.iter().map(|&integer| integer as i8);
        (
            Elements::Bytes(elements.collect()),
            quantized.scale,
            quantized.offset,
        )
    });
    let smaller = bytes.or_else(|| {
        let quantized = quantized(ideal, i16::MAX.into(), bound)?;
        let elements = quantized.integers.iter().map(|&integer| integer as i16);
        Some((
            Elements::Shorts(elements.collect()),
            quantized.scale,
            quantized.offset,
        ))
    });
    match smaller {
        Some((elements, scale, offset)) => {
            finished(curve_type, frames, elements, scale, Offset::Float(offset))
        }
        None => Ok(exact),
    }
}

struct Quantized {
    scale: f32,
    offset: f32,
    integers: Vec<i32>,
}

/// Elements as integers of -`most` to `most` (`spec/fsha.md` §7.4); `None` if they do not keep to
/// the bound.
fn quantized<const N: usize>(ideal: &Ideal<N>, most: i32, bound: f32) -> Option<Quantized> {
    let values = ideal.iter().map(|key| key[0]);
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.fold(f64::NEG_INFINITY, f64::max);
    let others = ideal.iter().flat_map(|key| key.iter().skip(1));
    let largest = others.fold(0.0, |largest: f64, element| largest.max(element.abs()));
    let offset = ((lowest + highest) / 2.0) as f32;
    // The change of a line is that between two rounded values: up to one unit more than its own.
    let reach = if N == 2 { most - 1 } else { most };
    let scale = (((highest - lowest) / 2.0).max(largest) / f64::from(reach)) as f32;
    // All values alike; a scale of 0 would be read as 1 too.
    let scale = if scale == 0.0 { 1.0 } else { scale };
    let (unit, shift) = (f64::from(scale), f64::from(offset));
    let rounded = |element: f64| (element / unit).round() as i32;
    let mut integers: Vec<[i32; N]> = ideal
        .iter()
        .map(|key| {
            let mut integers = key.map(rounded);
            integers[0] = rounded(key[0] - shift);
            integers
        })
        .collect();
    if N == 2 {
        // So that a line ends where the next one starts.
        for key in 0..integers.len() {
            let own = integers[key][0];
            let next = integers.get(key + 1).map_or(own, |next| next[0]);
            integers[key][N - 1] = next - own;
        }
    }
    let stored = |integer: i32| f64::from(integer) * unit;
    // A polynomial is off by no more than its coefficients together; a line by its ends.
    let distance = |(ideal, integers): (&[f64; N], &[i32; N])| {
        let value = stored(integers[0]) + shift - ideal[0];
        if N == 2 {
            let end = value + stored(integers[N - 1]) - ideal[N - 1];
            return value.abs().max(end.abs());
        }
        let others = ideal.iter().zip(integers).skip(1);
        value.abs()
            + others
                .map(|(ideal, &integer)| (stored(integer) - ideal).abs())
                .sum::<f64>()
    };
    let fits = integers
        .as_flattened()
        .iter()
        .all(|integer| integer.abs() <= most);
    let is_close = ideal
        .iter()
        .zip(&integers)
        .map(distance)
        .all(|off| off <= bound.into());
    (fits && is_close && scale.is_finite()).then(|| Quantized {
        scale,
        offset,
        integers: integers.as_flattened().to_vec(),
    })
}
