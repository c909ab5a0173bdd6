use proptest::prelude::*;

use super::*;

#[test]
fn the_smallest_elements_that_keep_to_the_bound() {
    let points = [(0.0, 0.0), (20.0, 0.5), (30.0, 0.3)];
    let element_type = |bound| Curve::linear(&points, bound).unwrap().elements;
    assert!(matches!(element_type(0.01), Elements::Bytes(_)));
    assert!(matches!(element_type(0.0001), Elements::Shorts(_)));
    assert!(matches!(element_type(0.0), Elements::Floats(_)));
}

#[test]
fn the_smallest_frames_that_are_exact() {
    let frames = |last| Curve::linear(&[(0.0, 0.0), (last, 1.0)], 0.1).unwrap().frames;
    assert!(matches!(frames(255.0), Frames::Bytes(_)));
    assert!(matches!(frames(256.0), Frames::Fixed(_)));
    assert!(matches!(frames(12.5), Frames::Fixed(_)));
    assert!(matches!(frames(12.3), Frames::Floats(_)));
    assert!(matches!(frames(1024.0), Frames::Floats(_)));
}

#[test]
fn equal_values_are_exact() {
    let curve = Curve::linear(&[(0.0, 0.3), (10.0, 0.3)], 0.0).unwrap();
    assert_eq!((curve.scale, curve.offset), (1.0, Offset::Float(0.3)));
    assert_eq!(curve.key_value(1), Some(f64::from(0.3f32)));
}

#[test]
fn hermite_keys_become_the_worked_example() {
    // spec/fsha.md §4.4.
    let keys = [
        HermiteKey {
            frame: 0.0,
            value: 0.25,
            slope_in: 0.0,
            slope_out: 0.0625,
        },
        HermiteKey {
            frame: 8.0,
            value: 1.0,
            slope_in: -0.03125,
            slope_out: 0.0,
        },
    ];
    let curve = Curve::cubic(&keys, 0.0).unwrap();
    assert_eq!(curve.segments()[0].coefficients, [0.25, 0.5, 1.5, -1.25]);
}

#[test]
fn integers_take_the_smallest_type() {
    let elements = |integer| Curve::step(&[(0.0, integer)]).unwrap().elements;
    assert!(matches!(elements(-128), Elements::Bytes(_)));
    assert!(matches!(elements(128), Elements::Shorts(_)));
    assert!(matches!(elements(40_000), Elements::Integers(_)));
}

#[test]
fn points_that_make_no_curve_are_refused() {
    assert_eq!(Curve::linear(&[], 0.0), Err(InvalidCurve::KeyCount(0)));
    assert_eq!(Curve::cubic(&[], 0.0), Err(InvalidCurve::KeyCount(0)));
    let twice = Curve::linear(&[(1.0, 0.0), (1.0, 2.0)], 0.0);
    assert_eq!(twice, Err(InvalidCurve::FrameOrder(1)));
    assert_eq!(
        Curve::baked(0.0, &[0.0, f32::NAN], 1.0),
        Err(InvalidCurve::ElementNotFinite(1))
    );
    assert_eq!(
        Curve::step(&[(f32::INFINITY, 0)]),
        Err(InvalidCurve::FrameNotFinite(0))
    );
}

fn any_keys() -> impl Strategy<Value = Vec<HermiteKey>> {
    prop::collection::vec((1u32..4000, prop::array::uniform3(-2.0..2.0f32)), 1..8).prop_map(|keys| {
        let mut frame = 0;
        keys.into_iter()
            .map(|(gap, [value, slope_in, slope_out])| {
                frame += gap;
                HermiteKey {
                    frame: frame as f32 / 32.0,
                    value,
                    slope_in: slope_in / 64.0,
                    slope_out: slope_out / 64.0,
                }
            })
            .collect()
    })
}

proptest! {
    #[test]
    fn encoded_curves_keep_to_their_bound(
        keys in any_keys(),
        bound in prop_oneof![Just(0.0), 1e-5..0.2f32],
    ) {
        // Floats round too: a little more than the bound.
        let slack = f64::from(bound) + 1e-5;
        let end = f64::from(keys[keys.len() - 1].frame);
        let frames = (0..=100).map(|step| end * f64::from(step) / 100.0);

        let exact = Curve::cubic(&keys, 0.0).unwrap();
        let cubic = Curve::cubic(&keys, bound).unwrap();
        for frame in frames.clone() {
            let off = (sample(&cubic, frame) - sample(&exact, frame)).abs();
            prop_assert!(off <= slack, "cubic off by {} at {}", off, frame);
        }

        let points: Vec<_> = keys.iter().map(|key| (key.frame, key.value)).collect();
        let exact = Curve::linear(&points, 0.0).unwrap();
        let linear = Curve::linear(&points, bound).unwrap();
        for frame in frames {
            let off = (sample(&linear, frame) - sample(&exact, frame)).abs();
            prop_assert!(off <= slack, "linear off by {} at {}", off, frame);
        }
        let pairs = linear.segments();
        for pair in pairs.windows(2) {
            let end = pair[0].coefficients[0] + pair[0].coefficients[1];
            prop_assert!((end - pair[1].coefficients[0]).abs() < 1e-5, "segments join");
        }

        let samples: Vec<_> = keys.iter().map(|key| key.value).collect();
        let baked = Curve::baked(3.0, &samples, bound).unwrap();
        for (index, &value) in samples.iter().enumerate() {
            let off = (baked.key_value(index).unwrap() - f64::from(value)).abs();
            prop_assert!(off <= slack);
        }
    }
}
