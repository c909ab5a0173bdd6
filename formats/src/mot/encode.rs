//! Curves out of keys: the smallest family that keeps to an error bound.

use super::curve::{FullPrecisionKey, Quantization, QuantizedKey, SemiPrecisionKey, Steps};
use super::number::StoredNumber;
use super::{Curve, Float16, HermiteKey, InvalidCurve, Keys};

/// The integers of one component with what they are worth.
struct Quantized<N> {
    steps: Steps<N>,
    integers: Vec<u16>,
}

/// Quantises `values` to integers 0 to `most` (`spec/mot.md` §9.5). The step is computed from the
/// bias as stored, and is stored before the integers are computed: so each value is off by half the
/// stored step at most. `None` if the values are too large for the header's numbers.
fn quantize<N: StoredNumber>(values: impl Iterator<Item = f64> + Clone, most: u16) -> Option<Quantized<N>> {
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let nearest = N::nearest(lowest)?;
    if lowest == highest {
        // Beyond the largest number the nearest one is as far off as it likes.
        let is_beyond = nearest.get() != lowest && (nearest.above().is_none() || nearest.below().is_none());
        return (!is_beyond).then(|| Quantized {
            steps: Steps {
                bias: nearest,
                step: N::ZERO,
            },
            integers: values.map(|_| 0).collect(),
        });
    }
    // A bias above the lowest value would ask for a negative integer.
    let bias = if nearest.get() > lowest {
        nearest.below()?
    } else {
        nearest
    };
    let range = highest - bias.get();
    let mut step = N::nearest(range / f64::from(most))?;
    if bias.get() + f64::from(most) * step.get() < highest {
        step = step.above()?;
    }
    let integers = values
        .map(|value| {
            let integer = ((value - bias.get()) / step.get()).round();
            integer.clamp(0.0, most.into()) as u16
        })
        .collect();
    Some(Quantized {
        steps: Steps { bias, step },
        integers,
    })
}

/// The header and the three integers of each key.
fn quantize_keys<N: StoredNumber>(
    keys: &[HermiteKey],
    most: u16,
) -> Option<(Quantization<N>, Vec<[u16; 3]>)> {
    let value = quantize(keys.iter().map(|key| key.value), most)?;
    let incoming = quantize(keys.iter().map(|key| key.incoming), most)?;
    let outgoing = quantize(keys.iter().map(|key| key.outgoing), most)?;
    let header = Quantization {
        value: value.steps,
        incoming: incoming.steps,
        outgoing: outgoing.steps,
    };
    let integers = value
        .integers
        .into_iter()
        .zip(incoming.integers)
        .zip(outgoing.integers)
        .map(|((value, incoming), outgoing)| [value, incoming, outgoing]);
    Some((header, integers.collect()))
}

/// How far a curve through `stored` can lie from one through `keys`, at any frame. The basis
/// functions of the two values are positive and come to 1; those of the two tangents come to
/// `t (1 - t)`, at most a quarter.
fn distance(stored: &Keys, keys: &[HermiteKey]) -> f64 {
    let largest = |difference: &dyn Fn(usize, &HermiteKey) -> f64| {
        let differences = keys.iter().enumerate().map(|(index, key)| difference(index, key));
        differences.fold(0.0, f64::max)
    };
    let (value, tangent) = match stored {
        Keys::Constant(value) => (
            largest(&|_, key| (key.value - value).abs()),
            largest(&|_, key| key.incoming.abs().max(key.outgoing.abs())),
        ),
        Keys::Hermite(stored) if stored.len() == keys.len() => (
            largest(&|index, key| (key.value - stored[index].value).abs()),
            largest(&|index, key| {
                let stored = &stored[index];
                (key.incoming - stored.incoming)
                    .abs()
                    .max((key.outgoing - stored.outgoing).abs())
            }),
        ),
        _ => (f64::INFINITY, 0.0),
    };
    value + tangent / 4.0
}

impl Curve {
    /// The curve through `keys` in the smallest family that stays within `bound` of it at every
    /// frame: Single Pose, Quantized, Semi-Precision, and Full-Precision if none of them does, in
    /// which numbers are rounded to 32-bit floats. A bound of 0 asks for an exact curve.
    ///
    /// ```
    /// use formats::mot::{Curve, Family, HermiteKey};
    ///
    /// let keys: Vec<_> = [0.0, 0.5, -1.25, 2.0]
    ///     .into_iter()
    ///     .zip(0..)
    ///     .map(|(value, index)| HermiteKey { frame: 10 * index, value, ..HermiteKey::default() })
    ///     .collect();
    /// assert_eq!(Curve::fit(&keys, 0.01)?.family(), Family::Quantized);
    /// assert_eq!(Curve::fit(&keys, 0.0001)?.family(), Family::SemiPrecision);
    /// assert_eq!(Curve::fit(&keys, 0.0)?.family(), Family::FullPrecision);
    /// # Ok::<(), formats::mot::InvalidCurve>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No keys or more than 65535; frames beyond 65535 or that do not ascend; numbers that are not
    /// finite as 32-bit floats.
    pub fn fit(keys: &[HermiteKey], bound: f64) -> Result<Self, InvalidCurve> {
        // Any frame or number that this family cannot hold is no key at all.
        let full_precision = full_precision(keys)?;
        full_precision.check()?;
        let candidates = [single_pose, quantized, semi_precision];
        Ok(candidates
            .into_iter()
            .filter_map(|candidate| candidate(keys))
            .find(|curve| distance(&curve.keys(), keys) <= bound)
            .unwrap_or(full_precision))
    }
}

fn single_pose(keys: &[HermiteKey]) -> Option<Curve> {
    let lowest = keys.iter().map(|key| key.value).fold(f64::INFINITY, f64::min);
    let highest = keys.iter().map(|key| key.value).fold(f64::NEG_INFINITY, f64::max);
    let middle = lowest + (highest - lowest) / 2.0;
    Some(Curve::single_pose(<f32 as StoredNumber>::nearest(middle)?))
}

fn quantized(keys: &[HermiteKey]) -> Option<Curve> {
    let (header, integers) = quantize_keys::<Float16>(keys, u8::MAX.into())?;
    let mut last = 0;
    let keys = keys.iter().zip(integers).map(|(key, integers)| {
        let frames = u8::try_from(key.frame.checked_sub(last)?).ok()?;
        last = key.frame;
        let [value, incoming, outgoing] = integers.map(|integer| integer.min(255) as u8);
        Some(QuantizedKey {
            frames,
            value,
            incoming,
            outgoing,
        })
    });
    Some(Curve::Quantized {
        header,
        keys: keys.collect::<Option<_>>()?,
    })
}

fn semi_precision(keys: &[HermiteKey]) -> Option<Curve> {
    let (header, integers) = quantize_keys::<f32>(keys, u16::MAX)?;
    let keys = keys
        .iter()
        .zip(integers)
        .map(|(key, [value, incoming, outgoing])| {
            Some(SemiPrecisionKey {
                frame: u16::try_from(key.frame).ok()?,
                value,
                incoming,
                outgoing,
            })
        });
    Some(Curve::SemiPrecision {
        header,
        keys: keys.collect::<Option<_>>()?,
    })
}

fn full_precision(keys: &[HermiteKey]) -> Result<Curve, InvalidCurve> {
    let keys = keys.iter().enumerate().map(|(index, key)| {
        Ok(FullPrecisionKey {
            frame: u16::try_from(key.frame).map_err(|_| InvalidCurve::Frame {
                key: index,
                frame: key.frame,
            })?,
            filler: FullPrecisionKey::FILLER,
            value: key.value as f32,
            incoming: key.incoming as f32,
            outgoing: key.outgoing as f32,
        })
    });
    Ok(Curve::FullPrecision {
        keys: keys.collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_specification_s_example() {
        // spec/mot.md §9.
        let values = [0.0, 0.5, -1.25, 2.0];
        let quantized = quantize::<Float16>(values.into_iter(), 255).unwrap();
        assert_eq!(quantized.steps.bias, Float16(0xDE80));
        assert_eq!(quantized.steps.step, Float16(0x5144));
        assert_eq!(quantized.integers, [98, 137, 0, 255]);
        let back = quantized.integers.iter().map(|&c| quantized.steps.value(c));
        assert!(back.eq([0.0001220703125, 0.49761962890625, -1.25, 2.00286865234375]));
    }

    #[test]
    fn equal_values_have_no_step() {
        let quantized = quantize::<Float16>([0.1; 3].into_iter(), 255).unwrap();
        assert_eq!(quantized.steps.step, Float16::ZERO);
        assert_eq!(quantized.integers, [0; 3]);
    }

    #[test]
    fn what_is_too_large_is_left_to_floats() {
        assert!(quantize::<Float16>([-70000.0, 0.0].into_iter(), 255).is_none());
        assert!(quantize::<Float16>([65531.0; 2].into_iter(), 255).is_none());
        assert!(quantize::<Float16>([65472.0; 2].into_iter(), 255).is_some());
        let keys = [-70000.0, 0.0, 1.0].into_iter().zip(0..);
        let keys: Vec<_> = keys
            .map(|(value, frame)| HermiteKey {
                frame,
                value,
                ..HermiteKey::default()
            })
            .collect();
        assert!(quantized(&keys).is_none());
        assert!(matches!(
            Curve::fit(&keys, 2.0).unwrap(),
            Curve::SemiPrecision { .. }
        ));
    }

    #[test]
    fn a_gap_of_256_frames_is_no_quantized_curve() {
        let key = |frame, value| HermiteKey {
            frame,
            value,
            ..HermiteKey::default()
        };
        let family =
            |gap: u32| Curve::fit(&[key(3, 0.0), key(3 + gap, 255.0)], 0.01).map(|curve| curve.family());
        assert_eq!(family(255), Ok(super::super::Family::Quantized));
        assert_eq!(family(256), Ok(super::super::Family::SemiPrecision));
    }

    #[test]
    fn keys_that_no_family_holds_are_refused() {
        let key = |frame, value| HermiteKey {
            frame,
            value,
            ..HermiteKey::default()
        };
        let fit = |keys: &[HermiteKey]| Curve::fit(keys, 1.0).unwrap_err();
        assert_eq!(fit(&[]), InvalidCurve::NoKeys);
        assert_eq!(
            fit(&[key(0, 0.0), key(65536, 0.0)]),
            InvalidCurve::Frame { key: 1, frame: 65536 }
        );
        assert_eq!(fit(&[key(0, 1e39)]), InvalidCurve::KeyNotFinite { key: 0 });
        assert_eq!(fit(&[key(0, f64::NAN)]), InvalidCurve::KeyNotFinite { key: 0 });
        assert_eq!(
            fit(&[key(4, 0.0), key(4, 0.0)]),
            InvalidCurve::FrameOrder {
                key: 1,
                frame: 4,
                last: 4
            }
        );
    }

    /// Checks the bound of spec/mot.md §9.5: half the stored step; for a step of 0, half the
    /// distance of the bias to its neighbours.
    fn check_bound<N: StoredNumber>(values: &[f64], most: u16) -> Result<(), TestCaseError> {
        let Some(quantized) = quantize::<N>(values.iter().copied(), most) else {
            return Ok(());
        };
        let Steps { bias, step } = quantized.steps;
        let neighbours = bias.above().zip(bias.below());
        let bound = match neighbours {
            Some((above, below)) if step.get() == 0.0 => (above.get() - below.get()) / 2.0,
            _ => step.get() / 2.0,
        };
        for (&value, &integer) in values.iter().zip(&quantized.integers) {
            prop_assert!(integer <= most);
            let error = (quantized.steps.value(integer) - value).abs();
            // The last bits of f64 arithmetic, far below any step.
            let slack = value.abs().max(bias.get().abs()) * f64::EPSILON * 4.0;
            prop_assert!(error <= bound + slack, "{value}: off by {error}, bound {bound}");
        }
        Ok(())
    }

    prop_compose! {
        /// Values of one size around one centre, both from tiny to large.
        fn any_values()(
            centre in -1.0..1.0f64,
            centre_power in -60i32..17,
            power in -60i32..17,
            units in prop::collection::vec(-1.0..1.0f64, 1..12),
        ) -> Vec<f64> {
            units
                .into_iter()
                .map(|unit| centre * 2f64.powi(centre_power) + unit * 2f64.powi(power))
                .collect()
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn quantised_values_keep_to_half_a_step(values in any_values()) {
            check_bound::<Float16>(&values, 255)?;
            check_bound::<f32>(&values, 65535)?;
        }

        #[test]
        fn fitted_curves_keep_to_their_bound(
            values in prop::collection::vec(prop::array::uniform3(-8.0..8.0f64), 1..9),
            gaps in prop::collection::vec(1u32..400, 9),
            bound in prop_oneof![Just(0.0), 1e-6..0.5],
        ) {
            let mut frame = 0;
            let keys: Vec<_> = values
                .iter()
                .zip(gaps)
                .map(|(&[value, incoming, outgoing], gap)| {
                    frame += gap;
                    HermiteKey { frame, value, incoming, outgoing }
                })
                .collect();
            let curve = Curve::fit(&keys, bound).unwrap();
            prop_assert!(curve.check().is_ok());
            let stored = curve.keys();
            if let Curve::FullPrecision { .. } = curve {
                prop_assert!(distance(&stored, &keys) <= 8.0 * 1.25 * f64::from(f32::EPSILON));
            } else {
                // Sampled, and not by the formula that chose the family.
                for step in 0..=200 {
                    let at = f64::from(frame) * f64::from(step) / 200.0;
                    let difference = (sample(&stored, at) - sample(&Keys::Hermite(keys.clone()), at)).abs();
                    prop_assert!(difference <= bound + 1e-12, "off by {difference} at {at}");
                }
            }
        }
    }

    /// spec/mot.md §7.1, written out.
    fn sample(keys: &Keys, frame: f64) -> f64 {
        let keys = match keys {
            Keys::Constant(value) => return *value,
            Keys::Hermite(keys) => keys,
            Keys::Linear(_) => unreachable!("no fitted curve is linear"),
        };
        let next = keys.partition_point(|key| f64::from(key.frame) <= frame);
        let (Some(from), Some(to)) = (next.checked_sub(1).map(|left| keys[left]), keys.get(next)) else {
            return keys[next.min(keys.len() - 1)].value;
        };
        let t = (frame - f64::from(from.frame)) / f64::from(to.frame - from.frame);
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * from.value
            + (t3 - 2.0 * t2 + t) * from.outgoing
            + (3.0 * t2 - 2.0 * t3) * to.value
            + (t3 - t2) * to.incoming
    }
}
