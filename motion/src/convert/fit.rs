//! Hermite keys on whole frames that keep to a bound.

use super::distance::distance;
use crate::curve::{Curve, HermiteKey, Slopes};

/// Keys of a fitted curve with slopes per frame, and the curve.
pub(super) struct Fitted {
    pub(super) keys: Vec<HermiteKey>,
    pub(super) curve: Curve,
}

/// How numbers of keys are rounded: to what the target stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    /// To 16-bit integers.
    Steps,
    /// Not at all.
    None,
}

impl Rounding {
    fn of(self, number: f64) -> f64 {
        match self {
            Self::Steps => number.round().clamp(i16::MIN.into(), i16::MAX.into()),
            Self::None => number,
        }
    }
}

/// A curve through keys on whole frames from 0 to `last`, within `bound` of the source where whole
/// frames can do that.
///
/// The whole span is tried first; one that is too far off is split, at a key of the source where
/// there is one on a whole frame inside, the middle one first: so keys that say nothing are
/// dropped, and those that say something stay where they were.
pub(super) fn fit(source: &Curve, last: u32, bound: f64, rounding: Rounding) -> Option<Fitted> {
    let first = source.start().floor().clamp(0.0, f64::from(last)) as u32;
    let end = source.end().ceil().clamp(f64::from(first), f64::from(last)) as u32;
    let key = |frame: u32| {
        let frame = f64::from(frame);
        let [slope_in, slope_out] = source.slopes(frame);
        HermiteKey {
            frame,
            value: rounding.of(source.sample(frame)),
            slope_in: rounding.of(slope_in),
            slope_out: rounding.of(slope_out),
        }
    };
    let mut keys = Vec::new();
    if source.constant().is_some() || first == end {
        let held = HermiteKey {
            frame: 0.0,
            slope_in: 0.0,
            slope_out: 0.0,
            ..key(end)
        };
        keys.push(held);
    } else {
        keys.push(key(first));
        // Spans that are left to be fitted, the next one on top.
        let mut spans = vec![(first, end)];
        while let Some((from, to)) = spans.pop() {
            let span = Curve::hermite(&[key(from), key(to)], Slopes::PerFrame).ok()?;
            let fits = to - from <= 1 || distance(source, &span, from.into(), to.into()) <= bound;
            match fits {
                true => keys.push(key(to)),
                false => {
                    let middle = split(source, from, to);
                    spans.extend([(middle, to), (from, middle)]);
                }
            }
        }
    }
    let curve = Curve::hermite(&keys, Slopes::PerFrame).ok()?;
    Some(Fitted { keys, curve })
}

/// Where to split a span of two frames or more.
fn split(source: &Curve, from: u32, to: u32) -> u32 {
    let middle = f64::from(from + to) / 2.0;
    let inside = |&frame: &f64| f64::from(from) < frame && frame < f64::from(to) && frame.fract() == 0.0;
    let nearest = source
        .frames()
        .filter(inside)
        .min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()));
    nearest.map_or(from + (to - from) / 2, |frame| frame as u32)
}
