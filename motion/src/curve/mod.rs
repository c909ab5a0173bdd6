//! The curve engine: one representation and one evaluation for every animation format.
//!
//! A [`Curve`] is a list of [`Segment`]s, each a polynomial of the fraction of the way from one key
//! to the next. Hermite keys with slopes per frame (Monster Hunter clips), Hermite keys with slopes
//! per segment (MOT), stored cubic coefficients (FSHA), straight lines and steps all become such
//! segments when a curve is made; from then on nothing depends on where they came from. With the
//! 16-bit integers of a clip's keys the coefficients are whole numbers and hold exactly.
//!
//! ```
//! use motion::curve::{Curve, HermiteKey, Slopes};
//!
//! // spec/mhp-formats.md §5.4, in raw units of 1/16.
//! let keys = [
//!     HermiteKey { frame: 10.0, value: 100.0, slope_in: 0.0, slope_out: 40.0 },
//!     HermiteKey { frame: 30.0, value: 500.0, slope_in: -20.0, slope_out: 0.0 },
//! ];
//! let curve = Curve::hermite(&keys, Slopes::PerFrame)?.scaled(1.0 / 16.0);
//! assert_eq!(curve.sample(15.0), 18.359375);
//! # Ok::<(), motion::curve::CurveError>(())
//! ```

mod extrapolation;
mod stored;
#[cfg(test)]
mod tests;

pub use extrapolation::Extrapolation;

/// A key of a Hermite curve: a value at a frame, and the slopes on both sides of it.
///
/// The slope that counts between two keys is `slope_out` of the left one and `slope_in` of the
/// right one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HermiteKey {
    /// Position in clip frames.
    pub frame: f64,
    /// Value at that frame, in the curve's raw unit.
    pub value: f64,
    /// Slope of the segment that ends here.
    pub slope_in: f64,
    /// Slope of the segment that starts here.
    pub slope_out: f64,
}

/// The unit of a Hermite key's slopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slopes {
    /// Change of value per frame (spec/mhp-formats.md §5.4).
    PerFrame,
    /// Change of value over the whole segment (spec/mot.md §7.2).
    PerSegment,
}

/// A curve from one key up to the next: `c0 + c1 t + c2 t^2 + c3 t^3`, where `t` runs from 0 at this
/// key to 1 at the next one, however many frames lie between.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Position of the key that starts the segment, in frames.
    pub frame: f64,
    /// Coefficients by rising power. The first is the value at the key.
    pub coefficients: [f64; 4],
}

impl Segment {
    /// A segment between two Hermite keys. Keys on one frame give the value of the first.
    fn hermite(from: HermiteKey, to: HermiteKey, slopes: Slopes) -> Self {
        let frames = to.frame - from.frame;
        let per_segment = match slopes {
            Slopes::PerFrame => frames,
            Slopes::PerSegment if frames > 0.0 => 1.0,
            Slopes::PerSegment => 0.0,
        };
        let leave = from.slope_out * per_segment;
        let arrive = to.slope_in * per_segment;
        let rise = if frames > 0.0 { to.value - from.value } else { 0.0 };
        Self {
            frame: from.frame,
            coefficients: [
                from.value,
                leave,
                3.0 * rise - 2.0 * leave - arrive,
                leave + arrive - 2.0 * rise,
            ],
        }
    }

    /// A value that holds up to the next key.
    fn hold(frame: f64, value: f64) -> Self {
        Self {
            frame,
            coefficients: [value, 0.0, 0.0, 0.0],
        }
    }

    fn at(&self, t: f64) -> f64 {
        let [c0, c1, c2, c3] = self.coefficients;
        ((c3 * t + c2) * t + c1) * t + c0
    }
}

/// Why keys make no curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CurveError {
    /// A curve has at least one key.
    #[error("a curve without keys")]
    NoKeys,
    /// Frames must not fall. (Keys on one frame are allowed: the first one's value counts there,
    /// the last one starts the segment that follows.)
    #[error("key {index} lies before the key in front of it")]
    FrameOrder {
        /// The key that lies too early.
        index: usize,
    },
    /// A frame, value or slope that is infinite or no number.
    #[error("key {index} holds a number that is not finite")]
    NotFinite {
        /// The key with that number.
        index: usize,
    },
}

/// Checks keys, each given as its numbers.
fn all_finite<const N: usize>(mut keys: impl Iterator<Item = [f64; N]>) -> Result<(), CurveError> {
    match keys.position(|numbers| !numbers.into_iter().all(f64::is_finite)) {
        Some(index) => Err(CurveError::NotFinite { index }),
        None => Ok(()),
    }
}

/// A value over time. Made from keys once, then sampled at any frame, in time logarithmic in the
/// number of keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Never empty; frames never fall; the last segment is only a value that holds.
    segments: Vec<Segment>,
    before: Extrapolation,
    after: Extrapolation,
    scale: f64,
    offset: f64,
}

impl Curve {
    /// A curve through Hermite keys.
    pub fn hermite(keys: &[HermiteKey], slopes: Slopes) -> Result<Self, CurveError> {
        all_finite(keys.iter().map(|k| [k.frame, k.value, k.slope_in, k.slope_out]))?;
        let mut segments: Vec<Segment> = keys
            .windows(2)
            .map(|pair| Segment::hermite(pair[0], pair[1], slopes))
            .collect();
        segments.extend(keys.last().map(|key| Segment::hold(key.frame, key.value)));
        Self::segments(segments)
    }

    /// Straight lines through `(frame, value)` points.
    pub fn linear(points: &[(f64, f64)]) -> Result<Self, CurveError> {
        all_finite(points.iter().map(|&(frame, value)| [frame, value]))?;
        let mut segments: Vec<Segment> = points
            .windows(2)
            .map(|pair| Segment {
                frame: pair[0].0,
                coefficients: [pair[0].1, pair[1].1 - pair[0].1, 0.0, 0.0],
            })
            .collect();
        segments.extend(points.last().map(|&(frame, value)| Segment::hold(frame, value)));
        Self::segments(segments)
    }

    /// Values that each hold from their frame up to the next `(frame, value)`.
    pub fn step(points: &[(f64, f64)]) -> Result<Self, CurveError> {
        let hold = |&(frame, value): &(f64, f64)| Segment::hold(frame, value);
        Self::segments(points.iter().map(hold).collect())
    }

    /// A curve from stored coefficients (spec/fsha.md §4.4 and §4.5). Of the last segment only the
    /// first coefficient counts: no key follows it.
    pub fn segments(mut segments: Vec<Segment>) -> Result<Self, CurveError> {
        all_finite(segments.iter().map(|segment| {
            let [c0, c1, c2, c3] = segment.coefficients;
            [segment.frame, c0, c1, c2, c3]
        }))?;
        if let Some(fall) = segments.windows(2).position(|pair| pair[1].frame < pair[0].frame) {
            return Err(CurveError::FrameOrder { index: fall + 1 });
        }
        let last = segments.last_mut().ok_or(CurveError::NoKeys)?;
        *last = Segment::hold(last.frame, last.coefficients[0]);
        Ok(Self {
            segments,
            before: Extrapolation::Clamp,
            after: Extrapolation::Clamp,
            scale: 1.0,
            offset: 0.0,
        })
    }

    /// The same curve with every value multiplied by `scale`, the size of its raw unit.
    #[must_use]
    pub fn scaled(mut self, scale: f64) -> Self {
        self.scale *= scale;
        self.offset *= scale;
        self
    }

    /// The same curve with `offset` added to every value, after the scale.
    #[must_use]
    pub fn shifted(mut self, offset: f64) -> Self {
        self.offset += offset;
        self
    }

    /// The same curve with other rules for the time before its first and after its last key.
    #[must_use]
    pub fn extrapolated(mut self, before: Extrapolation, after: Extrapolation) -> Self {
        self.before = before;
        self.after = after;
        self
    }

    /// The same curve in other frames: each key `factor` times as late. The factor is positive.
    #[must_use]
    pub fn retimed(mut self, factor: f64) -> Self {
        for segment in &mut self.segments {
            segment.frame *= factor;
        }
        self
    }

    /// The frames of the keys; they never fall.
    pub fn frames(&self) -> impl Iterator<Item = f64> + '_ {
        self.segments.iter().map(|segment| segment.frame)
    }

    /// Change of value per frame just before and just after a frame. Outside the keys the curve is
    /// taken as held.
    pub fn slopes(&self, frame: f64) -> [f64; 2] {
        let before = self.segments.partition_point(|segment| segment.frame < frame);
        let after = self.segments.partition_point(|segment| segment.frame <= frame);
        [before, after].map(|next| {
            let from = next.checked_sub(1).and_then(|index| self.segments.get(index));
            let (Some(from), Some(to)) = (from, self.segments.get(next)) else {
                return 0.0;
            };
            let frames = to.frame - from.frame;
            if frames <= 0.0 {
                return 0.0;
            }
            let t = (frame - from.frame) / frames;
            let [_, c1, c2, c3] = from.coefficients;
            ((3.0 * c3 * t + 2.0 * c2) * t + c1) / frames * self.scale
        })
    }

    /// Frame of the first key.
    pub fn start(&self) -> f64 {
        self.segments.first().map_or(0.0, |segment| segment.frame)
    }

    /// Frame of the last key.
    pub fn end(&self) -> f64 {
        self.segments.last().map_or(0.0, |segment| segment.frame)
    }

    /// Number of keys, at least one.
    pub fn key_count(&self) -> usize {
        self.segments.len()
    }

    /// The value of a curve that never changes; `None` if it may.
    pub fn constant(&self) -> Option<f64> {
        let first = self.first();
        let is_flat = |segment: &Segment| segment.coefficients == [first, 0.0, 0.0, 0.0];
        self.segments
            .iter()
            .all(is_flat)
            .then_some(first * self.scale + self.offset)
    }

    /// The value at a frame. Exactly on a key it is that key's value; of inner keys on one frame,
    /// the first one's. A frame that is no number gives the first value.
    pub fn sample(&self, frame: f64) -> f64 {
        let (start, end) = (self.start(), self.end());
        let (frame, turns) = if frame < start {
            let wrapped = self.before.wrap(frame, start, end);
            (wrapped.frame, wrapped.turns)
        } else if frame > end {
            let wrapped = self.after.wrap(frame, start, end);
            (wrapped.frame, wrapped.turns)
        } else {
            (frame, 0.0)
        };
        let raw = self.raw(frame) + turns * (self.last() - self.first());
        raw * self.scale + self.offset
    }

    /// The raw value at a frame; before the first key and after the last one it holds.
    fn raw(&self, frame: f64) -> f64 {
        // At or before the first key, then at or after the last: in this order the engine looks
        // (spec/mhp-formats.md §5.4), which decides keys that share one of these frames.
        if frame <= self.start() {
            return self.first();
        }
        if frame >= self.end() {
            return self.last();
        }
        let next = self.segments.partition_point(|segment| segment.frame < frame);
        let from = next.checked_sub(1).and_then(|left| self.segments.get(left));
        match (from, self.segments.get(next)) {
            (Some(from), Some(to)) if to.frame > frame => {
                from.at((frame - from.frame) / (to.frame - from.frame))
            }
            (_, Some(on_key)) => on_key.coefficients[0],
            (_, None) => self.last(),
        }
    }

    fn first(&self) -> f64 {
        self.segments
            .first()
            .map_or(0.0, |segment| segment.coefficients[0])
    }

    fn last(&self) -> f64 {
        self.segments
            .last()
            .map_or(0.0, |segment| segment.coefficients[0])
    }
}
