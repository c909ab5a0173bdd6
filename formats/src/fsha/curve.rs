//! Animation curves, as stored.

use super::element::{CurveType, Elements, Frames, Offset, Wrap};

/// A curve.
///
/// Its value on a segment, `t` running from 0 at the segment's key to 1 at the next, is its
/// [`Segment`]'s polynomial, times [`Curve::scale_factor`], plus [`Curve::offset_value`].
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// How it runs between keys.
    pub curve_type: CurveType,
    /// Where the runtime keeps what the curve drives: unknown for shapes (`spec/fsha.md` §4.1).
    pub target: u32,
    /// The first key's frame, as the header states it.
    pub start: f32,
    /// The last key's frame, as the header states it.
    pub end: f32,
    /// What an element is worth. See [`Curve::scale_factor`].
    pub scale: f32,
    /// What is added to every value.
    pub offset: Offset,
    /// The last value less the first, as stored; `None` in files below 3.4, which store none.
    pub delta: Option<f32>,
    /// The rule before the first key.
    pub before: Wrap,
    /// The rule after the last key.
    pub after: Wrap,
    /// Bits of the flags without a known meaning, in their places.
    pub unknown_flags: u16,
    /// The keys' frames.
    pub frames: Frames,
    /// The keys' elements.
    pub elements: Elements,
}

/// The part of a curve from one key up to the next, before scale and offset: `c0 + c1 t + c2 t^2 +
/// c3 t^3`. The last key's holds its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// The frame of the key that starts it.
    pub frame: f64,
    /// The coefficients by rising power.
    pub coefficients: [f64; 4],
}

/// Why numbers make no curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCurve {
    /// A curve has 1 to 65535 keys.
    #[error("{0} keys, where a curve holds 1 to 65535")]
    KeyCount(usize),
    /// There are not as many elements, or frames, as the keys need.
    #[error("{frames} frames and {elements} elements, {per_key} of them for a key")]
    ElementCount {
        /// Frames.
        frames: usize,
        /// Elements.
        elements: usize,
        /// Elements of a key.
        per_key: usize,
    },
    /// Elements or an offset of a type that the curve cannot have.
    #[error("integers of 32 bits or an integer offset in a float curve, or floats in an integer one")]
    ElementType,
    /// Frames ascend.
    #[error("key {0} that does not lie behind the key before it")]
    FrameOrder(usize),
    /// Keys without frames are those of a baked curve, one for each frame from start to end.
    #[error("{0} keys without frames, which only a baked curve from start to end has")]
    NoFrames(usize),
    /// A frame that is infinite or no number.
    #[error("key {0} at a frame that is not finite")]
    FrameNotFinite(usize),
    /// An element that is infinite or no number.
    #[error("key {0} with an element that is not finite")]
    ElementNotFinite(usize),
    /// Scale, offset, start, end or delta is infinite or no number.
    #[error("a scale, offset, start, end or delta that is not finite")]
    HeaderNotFinite,
    /// A bit that has a meaning among those that have none.
    #[error("unknown flags {0:#06x} with bits that are known")]
    UnknownFlags(u16),
}

/// Bits of a curve's flags that have no known meaning.
pub(super) const UNKNOWN_FLAGS: u16 = 0xCC80;

impl Curve {
    /// The number of keys.
    pub fn key_count(&self) -> usize {
        self.frames
            .stored()
            .unwrap_or(self.elements.len() / self.curve_type.elements_per_key())
    }

    /// The frame of key `index`, as good as exact; `None` behind the last.
    pub fn frame(&self, index: usize) -> Option<f64> {
        match &self.frames {
            Frames::Floats(frames) => frames.get(index).map(|&frame| frame.into()),
            Frames::Fixed(frames) => frames.get(index).map(|&frame| f64::from(frame) / 32.0),
            Frames::Bytes(frames) => frames.get(index).map(|&frame| frame.into()),
            Frames::Consecutive(_) => {
                (index < self.key_count()).then(|| f64::from(self.start) + index as f64)
            }
        }
    }

    /// The factor of elements: the scale of a float curve, where 0 counts as 1, as tools have it;
    /// none for integers (`spec/fsha.md` §4.7, §4.10).
    pub fn scale_factor(&self) -> f64 {
        if self.curve_type.is_integer() || self.scale == 0.0 {
            return 1.0;
        }
        self.scale.into()
    }

    /// What is added to every value, after the scale.
    pub fn offset_value(&self) -> f64 {
        match self.offset {
            Offset::Float(offset) => offset.into(),
            Offset::Integer(offset) => offset.into(),
        }
    }

    /// The value of key `index`, `None` behind the last.
    pub fn key_value(&self, index: usize) -> Option<f64> {
        let element = self.elements.get(index * self.curve_type.elements_per_key())?;
        Some(element * self.scale_factor() + self.offset_value())
    }

    /// The last key's value less the first one's.
    pub fn rise(&self) -> f64 {
        let last = self.key_count().saturating_sub(1);
        match (self.key_value(0), self.key_value(last)) {
            (Some(first), Some(last)) => last - first,
            _ => 0.0,
        }
    }

    /// The segments, one for each key. A linear one runs to where its own element says and not to
    /// the next key's value, from which it may differ (`spec/fsha.md` §4.5).
    pub fn segments(&self) -> Vec<Segment> {
        let count = self.key_count();
        let per_key = self.curve_type.elements_per_key();
        (0..count)
            .map(|key| {
                let element = |index: usize| self.elements.get(key * per_key + index).unwrap_or(0.0);
                let is_last = key + 1 == count;
                let coefficients = match self.curve_type {
                    _ if is_last => [element(0), 0.0, 0.0, 0.0],
                    CurveType::Cubic => [0, 1, 2, 3].map(element),
                    CurveType::Linear => [element(0), element(1), 0.0, 0.0],
                    CurveType::BakedFloat => [element(0), element(1) - element(0), 0.0, 0.0],
                    CurveType::StepInteger | CurveType::BakedInteger => [element(0), 0.0, 0.0, 0.0],
                };
                Segment {
                    frame: self.frame(key).unwrap_or(0.0),
                    coefficients,
                }
            })
            .collect()
    }

    /// Bytes that the runtime needs to bake the curve (`spec/fsha.md` §2.4); a reader ignores them.
    pub fn baked_length(&self) -> u32 {
        let frames = ((self.end - self.start) as u32).saturating_add(1);
        match self.curve_type.is_integer() {
            true => frames.saturating_add(8),
            false => frames.saturating_mul(4).saturating_add(20),
        }
    }

    /// The flags as stored.
    pub(super) fn flags(&self) -> u16 {
        self.frames.frame_type().number()
            | self.elements.type_number() << 2
            | self.curve_type.number() << 4
            | (self.before as u16) << 8
            | (self.after as u16) << 12
            | self.unknown_flags
    }

    /// What a file asks of a curve.
    ///
    /// # Errors
    ///
    /// See [`InvalidCurve`].
    pub fn check(&self) -> Result<(), InvalidCurve> {
        let count = self.key_count();
        let per_key = self.curve_type.elements_per_key();
        if !(1..=usize::from(u16::MAX)).contains(&count) {
            return Err(InvalidCurve::KeyCount(count));
        }
        if self.elements.len() != count * per_key {
            return Err(InvalidCurve::ElementCount {
                frames: count,
                elements: self.elements.len(),
                per_key,
            });
        }
        let is_integer = self.curve_type.is_integer();
        let has_integer_offset = matches!(self.offset, Offset::Integer(_));
        let has_wrong_elements = match self.elements {
            Elements::Floats(_) => is_integer,
            Elements::Integers(_) => !is_integer,
            Elements::Shorts(_) | Elements::Bytes(_) => false,
        };
        if has_wrong_elements || is_integer != has_integer_offset {
            return Err(InvalidCurve::ElementType);
        }
        if self.unknown_flags & !UNKNOWN_FLAGS != 0 {
            return Err(InvalidCurve::UnknownFlags(self.unknown_flags));
        }
        if let Frames::Consecutive(_) = self.frames {
            let last = f64::from(self.end) - f64::from(self.start);
            if !self.curve_type.is_baked() || last != (count - 1) as f64 {
                return Err(InvalidCurve::NoFrames(count));
            }
        }
        let mut last = f64::NEG_INFINITY;
        for key in 0..count {
            let frame = self.frame(key).unwrap_or(f64::NAN);
            if !frame.is_finite() {
                return Err(InvalidCurve::FrameNotFinite(key));
            }
            if frame <= last {
                return Err(InvalidCurve::FrameOrder(key));
            }
            last = frame;
        }
        if let Elements::Floats(elements) = &self.elements
            && let Some(element) = elements.iter().position(|element| !element.is_finite())
        {
            return Err(InvalidCurve::ElementNotFinite(element / per_key));
        }
        let numbers = [self.scale, self.start, self.end, self.delta.unwrap_or(0.0)];
        if !numbers.into_iter().all(f32::is_finite) || !self.offset_value().is_finite() {
            return Err(InvalidCurve::HeaderNotFinite);
        }
        Ok(())
    }
}
