use super::place::{Place, Stride};
use super::{Curve, PlayFlags, ShapeAnimation, Wrap};

/// Something unusual in an animation that does not keep it from being read (`spec/fsha.md` §11).
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Warning {
    /// Play flags without a known meaning.
    #[error("unknown flags {0:#06x}")]
    UnknownFlags(u16),
    /// The animation says that its curves hold samples.
    #[error("curves are said to be baked")]
    Baked,
    /// Vertex shape animations of 0x20 bytes, as only the base document has them.
    #[error("vertex shape animations of 0x20 bytes, where known files have 0x1c")]
    WideShapes,
    /// The header counts more keys than the shapes have.
    #[error("{stated} keys in the header, {found} in the shapes")]
    KeyCount {
        /// In the header.
        stated: usize,
        /// In the shapes.
        found: usize,
    },
    /// The header counts more curves than the shapes have.
    #[error("{stated} curves in the header, {found} in the shapes")]
    CurveCount {
        /// In the header.
        stated: usize,
        /// In the shapes.
        found: usize,
    },
    /// A curve on the shape at rest, whose weight is 1 less the others'; it counts for nothing.
    #[error("shape {shape}: a curve on the key at rest, which has no weight of its own")]
    CurveOnBase {
        /// The shape.
        shape: usize,
    },
    /// No base values are stored, which no key misses.
    #[error("shape {shape}: no base values, which no key needs")]
    NoBaseValues {
        /// The shape.
        shape: usize,
    },
    /// Something about a curve.
    #[error("shape {shape}, curve {curve}: {warning}")]
    Curve {
        /// The shape.
        shape: usize,
        /// The curve.
        curve: usize,
        /// What.
        warning: CurveWarning,
    },
}

/// Something unusual in a curve.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum CurveWarning {
    /// Flags without a known meaning.
    #[error("unknown flags {0:#06x}")]
    UnknownFlags(u16),
    /// A rule outside the keys that no file seen has.
    #[error("wrap modes {before:?} and {after:?}, of which only clamping has been seen")]
    Wrap {
        /// Before the first key.
        before: Wrap,
        /// After the last key.
        after: Wrap,
    },
    /// A weight of integers.
    #[error("integers, where a weight is a number between them as a rule")]
    Integers,
    /// A scale of 0, which is read as 1.
    #[error("scale 0, read as 1")]
    NoScale,
    /// A start or end that is not the first or last key's frame.
    #[error("start {start} and end {end}, where the keys lie from {first} to {last}")]
    Span {
        /// As stated.
        start: f32,
        /// As stated.
        end: f32,
        /// The first key's frame.
        first: f64,
        /// The last key's frame.
        last: f64,
    },
    /// A delta that is not the last value less the first.
    #[error("delta {delta}, where the values rise by {rise}")]
    Delta {
        /// As stated.
        delta: f32,
        /// The last value less the first.
        rise: f64,
    },
    /// Elements of the last key that say how to go on from there.
    #[error("elements of the last key that lead nowhere")]
    LastKey,
    /// A first key before frame 0.
    #[error("first frame {0}, before 0")]
    NegativeFrame(f64),
}

/// The warnings about what an animation holds.
pub(crate) fn of_animation(animation: &ShapeAnimation) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let known = PlayFlags::BAKED.0 | PlayFlags::LOOPING.0;
    if animation.flags.0 & !known != 0 {
        warnings.push(Warning::UnknownFlags(animation.flags.0 & !known));
    }
    if animation.flags.contains(PlayFlags::BAKED) {
        warnings.push(Warning::Baked);
    }
    for (index, shape) in animation.shapes.iter().enumerate() {
        if shape.keys.first().is_some_and(|key| key.curve.is_some()) {
            warnings.push(Warning::CurveOnBase { shape: index });
        }
        if shape.base_values.is_empty() && shape.keys.len() > 1 {
            warnings.push(Warning::NoBaseValues { shape: index });
        }
        for (curve, of_curve) in shape.curves.iter().enumerate() {
            warnings.extend(
                curve_warnings(of_curve)
                    .into_iter()
                    .map(|warning| Warning::Curve {
                        shape: index,
                        curve,
                        warning,
                    }),
            );
        }
    }
    warnings
}

/// The warnings about how an animation is stored.
pub(crate) fn of_place(place: &Place, animation: &ShapeAnimation) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if place.stride == Stride::BaseDocument {
        warnings.push(Warning::WideShapes);
    }
    let keys = animation.shapes.iter().map(|shape| shape.keys.len()).sum();
    let curves = animation.shapes.iter().map(|shape| shape.curves.len()).sum();
    let [stated_keys, stated_curves] = place.stated;
    if stated_keys != keys {
        warnings.push(Warning::KeyCount {
            stated: stated_keys,
            found: keys,
        });
    }
    if stated_curves != curves {
        warnings.push(Warning::CurveCount {
            stated: stated_curves,
            found: curves,
        });
    }
    warnings
}

fn curve_warnings(curve: &Curve) -> Vec<CurveWarning> {
    let mut warnings = Vec::new();
    if curve.unknown_flags != 0 {
        warnings.push(CurveWarning::UnknownFlags(curve.unknown_flags));
    }
    if (curve.before, curve.after) != (Wrap::Clamp, Wrap::Clamp) {
        warnings.push(CurveWarning::Wrap {
            before: curve.before,
            after: curve.after,
        });
    }
    if curve.curve_type.is_integer() {
        warnings.push(CurveWarning::Integers);
    } else if curve.scale == 0.0 {
        warnings.push(CurveWarning::NoScale);
    }
    let last_key = curve.key_count().saturating_sub(1);
    let first = curve.frame(0).unwrap_or(0.0);
    let last = curve.frame(last_key).unwrap_or(0.0);
    let is_off = |stated: f32, frame: f64| (f64::from(stated) - frame).abs() > 1.0 / 32.0;
    if is_off(curve.start, first) || is_off(curve.end, last) {
        warnings.push(CurveWarning::Span {
            start: curve.start,
            end: curve.end,
            first,
            last,
        });
    }
    if let Some(delta) = curve.delta {
        let rise = curve.rise();
        if (f64::from(delta) - rise).abs() > 2.0 * curve.scale_factor().abs() {
            warnings.push(CurveWarning::Delta { delta, rise });
        }
    }
    let per_key = curve.curve_type.elements_per_key();
    let of_last_key = (1..per_key).filter_map(|index| curve.elements.get(last_key * per_key + index));
    if of_last_key.into_iter().any(|element| element != 0.0) {
        warnings.push(CurveWarning::LastKey);
    }
    if first < 0.0 {
        warnings.push(CurveWarning::NegativeFrame(first));
    }
    warnings
}
