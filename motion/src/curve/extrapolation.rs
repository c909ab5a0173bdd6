/// What a curve does outside its keys, one rule before the first and one after the last.
///
/// Joint channels hold ([`Clamp`](Self::Clamp)); the other rules are those of shape animations
/// (spec/fsha.md §4.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Extrapolation {
    /// The value of the nearest key holds.
    #[default]
    Clamp,
    /// The curve starts again.
    Repeat,
    /// The curve runs back and forth.
    Mirror,
    /// The curve starts again from where it ended: each turn adds the last value less the first.
    RelativeRepeat,
}

/// A frame brought between the first and the last key, and how many times the curve's own gain is
/// added to the value there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wrapped {
    pub(super) frame: f64,
    pub(super) turns: f64,
}

impl Extrapolation {
    /// Brings `frame`, which lies outside `start..=end`, between them; a clamped one stays
    /// outside, where the curve holds.
    pub(super) fn wrap(self, frame: f64, start: f64, end: f64) -> Wrapped {
        let length = end - start;
        let wrapped = |frame: f64, turns| Wrapped { frame, turns };
        if length <= 0.0 || !frame.is_finite() {
            return wrapped(frame, 0.0);
        }
        let turns = ((frame - start) / length).floor();
        let into = (frame - start) - turns * length;
        match self {
            Self::Clamp => wrapped(frame, 0.0),
            Self::Repeat => wrapped(start + into, 0.0),
            Self::Mirror if turns.rem_euclid(2.0) == 0.0 => wrapped(start + into, 0.0),
            Self::Mirror => wrapped(end - into, 0.0),
            Self::RelativeRepeat => wrapped(start + into, turns),
        }
    }
}
