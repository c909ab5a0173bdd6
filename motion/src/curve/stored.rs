//! Curves as the file formats store them, made into the engine's.
//!
//! | Format | Slopes | Unit of a sample | Outside the keys |
//! |---|---|---|---|
//! | clips of Freedom Unite and Portable 3rd | per frame | the channel's raw unit | holds |
//! | MOT | over the segment | radians, model units, factors | holds |
//! | FSHA | stored coefficients | weight | the curve's wrap modes |

use formats::{animation, fsha, mot};

use super::{Curve, CurveError, Extrapolation, HermiteKey, Segment, Slopes};

impl TryFrom<&[animation::Key]> for Curve {
    type Error = CurveError;

    /// A clip's channel, in its raw unit (spec/mhp-formats.md §5.4).
    fn try_from(keys: &[animation::Key]) -> Result<Self, CurveError> {
        let keys: Vec<HermiteKey> = keys
            .iter()
            .map(|key| HermiteKey {
                frame: key.frame.into(),
                value: key.value.into(),
                slope_in: key.ease_in.into(),
                slope_out: key.ease_out.into(),
            })
            .collect();
        Self::hermite(&keys, Slopes::PerFrame)
    }
}

impl TryFrom<&mot::Keys> for Curve {
    type Error = CurveError;

    /// A curve of a MOT of any generation (spec/mot.md §7).
    fn try_from(keys: &mot::Keys) -> Result<Self, CurveError> {
        match keys {
            mot::Keys::Constant(value) => Self::step(&[(0.0, *value)]),
            mot::Keys::Linear(samples) => {
                let points: Vec<(f64, f64)> = (0_u32..).map(f64::from).zip(samples.iter().copied()).collect();
                Self::linear(&points)
            }
            mot::Keys::Hermite(keys) => {
                let keys: Vec<HermiteKey> = keys
                    .iter()
                    .map(|key| HermiteKey {
                        frame: key.frame.into(),
                        value: key.value,
                        slope_in: key.incoming,
                        slope_out: key.outgoing,
                    })
                    .collect();
                Self::hermite(&keys, Slopes::PerSegment)
            }
        }
    }
}

impl TryFrom<&mot::Curve> for Curve {
    type Error = CurveError;

    fn try_from(curve: &mot::Curve) -> Result<Self, CurveError> {
        Self::try_from(&curve.keys())
    }
}

impl TryFrom<&fsha::Curve> for Curve {
    type Error = CurveError;

    /// A weight of a shape animation: polynomials in raw units, then the scale, then the offset
    /// (spec/fsha.md §8).
    fn try_from(curve: &fsha::Curve) -> Result<Self, CurveError> {
        let segments = curve
            .segments()
            .into_iter()
            .map(|segment| Segment {
                frame: segment.frame,
                coefficients: segment.coefficients,
            })
            .collect();
        Ok(Self::segments(segments)?
            .scaled(curve.scale_factor())
            .shifted(curve.offset_value())
            .extrapolated(curve.before.into(), curve.after.into()))
    }
}

impl From<fsha::Wrap> for Extrapolation {
    fn from(wrap: fsha::Wrap) -> Self {
        match wrap {
            fsha::Wrap::Clamp => Self::Clamp,
            fsha::Wrap::Repeat => Self::Repeat,
            fsha::Wrap::Mirror => Self::Mirror,
            fsha::Wrap::RelativeRepeat => Self::RelativeRepeat,
        }
    }
}

#[cfg(test)]
mod tests {
    use formats::fsha::{CurveType, Elements, FrameType, Frames, Offset, Wrap};

    use super::*;

    fn values(curve: &Curve, frames: &[f64]) -> Vec<f64> {
        frames.iter().map(|&frame| curve.sample(frame)).collect()
    }

    fn near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            // The tolerance that the specification names.
            assert!(
                (found - expected).abs() <= 1e-6 * expected.abs().max(1e-6),
                "sample {index}: {found}, expected {expected}"
            );
        }
    }

    /// A float curve whose elements are in `scale` and `offset`.
    fn float_curve(
        curve_type: CurveType,
        frames: Frames,
        elements: Elements,
        [scale, offset]: [f32; 2],
    ) -> fsha::Curve {
        let mut curve = fsha::Curve {
            curve_type,
            target: 0,
            start: 0.0,
            end: 0.0,
            scale,
            offset: Offset::Float(offset),
            delta: None,
            before: Wrap::Clamp,
            after: Wrap::Clamp,
            unknown_flags: 0,
            frames,
            elements,
        };
        if !matches!(curve.frames, Frames::Consecutive(_)) {
            curve.start = curve.frame(0).unwrap() as f32;
            curve.end = curve.frame(curve.key_count() - 1).unwrap() as f32;
        }
        curve
    }

    fn sampled(curve: &fsha::Curve, frames: &[f64]) -> Vec<f64> {
        values(&Curve::try_from(curve).unwrap(), frames)
    }

    #[test]
    fn f4_lines_run_to_their_stored_ends() {
        let curve = float_curve(
            CurveType::Linear,
            Frames::Bytes([0, 20, 30].into()),
            Elements::Bytes([-100, 127, 100, -50, 50, 0].into()),
            [2.0, 200.0],
        );
        let frames = [-5.0, 0.0, 10.0, 20.0, 25.0, 30.0, 40.0];
        near(
            &sampled(&curve, &frames),
            &[0.0, 0.0, 127.0, 400.0, 350.0, 300.0, 300.0],
        );
    }

    #[test]
    fn f5_integers_hold_without_a_scale() {
        let curve = fsha::Curve {
            offset: Offset::Integer(3),
            ..float_curve(
                CurveType::StepInteger,
                Frames::Bytes([0, 10, 25].into()),
                Elements::Bytes([-3, -1, 2].into()),
                [0.0, 0.0],
            )
        };
        let frames = [0.0, 9.0, 10.0, 24.0, 25.0, 99.0];
        assert_eq!(sampled(&curve, &frames), [0.0, 0.0, 2.0, 2.0, 5.0, 5.0]);
    }

    #[test]
    fn f6_cubics_are_polynomials_of_the_fraction() {
        let elements = [0.25, 0.5, 1.5, -1.25, 1.0, 0.0, 0.0, 0.0];
        let curve = float_curve(
            CurveType::Cubic,
            Frames::Floats([0.0, 8.0].into()),
            Elements::Floats(elements.into()),
            [1.0, 0.0],
        );
        let frames = [0.0, 2.0, 4.0, 6.0, 8.0, 9.0];
        near(
            &sampled(&curve, &frames),
            &[0.25, 0.44921875, 0.71875, 0.94140625, 1.0, 1.0],
        );
    }

    #[test]
    fn f7_both_ends_repeat() {
        let curve = fsha::Curve {
            before: Wrap::Repeat,
            after: Wrap::Repeat,
            ..float_curve(
                CurveType::Linear,
                Frames::Fixed([0x140, 0x3C0].into()),
                Elements::Shorts([-512, 1024, 512, 0].into()),
                [1.0 / 1024.0, 0.5],
            )
        };
        let frames = [10.0, 20.0, 30.0, 5.0, 35.0];
        assert_eq!(sampled(&curve, &frames), [0.0, 0.5, 1.0, 0.75, 0.25]);
    }

    #[test]
    fn f8_samples_are_joined_by_lines() {
        let samples = || Elements::Bytes([0, 0x10, 0x40, 0x60, 0x7F].into());
        let scale = [1.0 / 128.0, 0.0];
        let expected = [0.0, 0.125, 0.5, 0.75, 0.9921875, 0.3125];
        let stored = float_curve(
            CurveType::BakedFloat,
            Frames::Bytes([0, 1, 2, 3, 4].into()),
            samples(),
            scale,
        );
        let at = [0.0, 1.0, 2.0, 3.0, 4.0, 1.5];
        assert_eq!(sampled(&stored, &at), expected);
        let consecutive = Frames::Consecutive(FrameType::Byte);
        let bare = fsha::Curve {
            end: 4.0,
            ..float_curve(CurveType::BakedFloat, consecutive, samples(), scale)
        };
        assert_eq!(sampled(&bare, &at), expected);
    }

    #[test]
    fn wraps_add_the_curve_s_rise() {
        let curve = fsha::Curve {
            after: Wrap::RelativeRepeat,
            before: Wrap::RelativeRepeat,
            ..float_curve(
                CurveType::Linear,
                Frames::Bytes([10, 30].into()),
                Elements::Floats([0.0, 0.25, 0.25, 0.0].into()),
                [1.0, 0.0],
            )
        };
        // spec/fsha.md §4.9: frames as repeat, added -1, 1, 2 and -2 times the delta of 0.25.
        let added = [-0.25, 0.25, 0.5, -0.5];
        let mapped = [25.0, 15.0, 15.0, 25.0];
        let expected: Vec<f64> = (0..4).map(|i| (mapped[i] - 10.0) / 80.0 + added[i]).collect();
        assert_eq!(sampled(&curve, &[5.0, 35.0, 55.0, -15.0]), expected);
    }

    #[test]
    fn slopes_of_the_two_hermite_formats_differ_in_their_unit_alone() {
        let clip = [
            animation::Key::new(0, 1).with_eases(0, 2),
            animation::Key::new(8, 3).with_eases(-1, 0),
        ];
        let key = |frame, value, incoming, outgoing| mot::HermiteKey {
            frame,
            value,
            incoming,
            outgoing,
        };
        let per_segment = mot::Keys::Hermite(vec![key(0, 1.0, 0.0, 16.0), key(8, 3.0, -8.0, 0.0)]);
        assert_eq!(
            Curve::try_from(&clip[..]).unwrap(),
            Curve::try_from(&per_segment).unwrap()
        );
    }
}
