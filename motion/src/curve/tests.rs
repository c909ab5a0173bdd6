use proptest::prelude::*;

use super::*;

fn key(frame: f64, value: f64, slope_in: f64, slope_out: f64) -> HermiteKey {
    HermiteKey {
        frame,
        value,
        slope_in,
        slope_out,
    }
}

fn per_frame(keys: &[HermiteKey]) -> Curve {
    Curve::hermite(keys, Slopes::PerFrame).expect("a valid curve")
}

#[test]
fn worked_example_of_the_clips() {
    // spec/mhp-formats.md §5.4.
    let curve = per_frame(&[key(10.0, 100.0, 0.0, 40.0), key(30.0, 500.0, -20.0, 0.0)]);
    for (frame, raw) in [
        (10.0, 100.0),
        (15.0, 293.75),
        (20.0, 450.0),
        (25.0, 531.25),
        (30.0, 500.0),
        // Outside its keys a channel holds.
        (-7.0, 100.0),
        (31.0, 500.0),
        (f64::INFINITY, 500.0),
        (f64::NEG_INFINITY, 100.0),
        (f64::NAN, 100.0),
    ] {
        assert_eq!(curve.sample(frame), raw, "frame {frame}");
    }
    // Twelfths of a twenty-frame segment are no binary fractions.
    assert!((curve.sample(12.0) - 179.6).abs() < 1e-12);
    assert!((curve.sample(28.0) - 528.4).abs() < 1e-12);
    assert!((curve.scaled(1.0 / 16.0).sample(12.0) - 11.225).abs() < 1e-13);
}

#[test]
fn zero_slopes_are_smoothstep() {
    let curve = per_frame(&[key(0.0, 0.0, 0.0, 0.0), key(40.0, 4096.0, 0.0, 0.0)]);
    assert_eq!(
        [10.0, 20.0, 30.0].map(|frame| curve.sample(frame)),
        [640.0, 2048.0, 3456.0]
    );
    let degrees = curve.scaled(360.0 / 16384.0);
    assert_eq!(
        [10.0, 20.0, 30.0].map(|frame| degrees.sample(frame)),
        [14.0625, 45.0, 75.9375]
    );
}

#[test]
fn matching_slopes_are_a_line() {
    let curve = per_frame(&[key(0.0, 0.0, 0.0, 160.0), key(10.0, 1600.0, 160.0, 0.0)]);
    assert_eq!(curve.clone().scaled(1.0 / 16.0).sample(2.5), 25.0);
    assert_eq!(curve.sample(2.5), 400.0);
}

#[test]
fn the_slope_at_a_key_is_its_ease_per_frame() {
    let curve = per_frame(&[key(0.0, 0.0, 0.0, 320.0), key(10.0, 1600.0, 0.0, 0.0)]).scaled(1.0 / 16.0);
    let step = 1e-6;
    assert!((curve.sample(step) / step - 20.0).abs() < 1e-4);
}

#[test]
fn keys_on_one_frame_give_the_first_value_there() {
    let curve = per_frame(&[
        key(0.0, 0.0, 0.0, 0.0),
        key(10.0, 50.0, 0.0, 7.0),
        key(10.0, 90.0, 7.0, 0.0),
        key(20.0, 90.0, 0.0, 0.0),
    ]);
    assert_eq!(curve.sample(10.0), 50.0);
    assert_eq!(curve.sample(15.0), 90.0);
    assert!(curve.sample(9.999_999) < 50.0);
    assert!((curve.sample(10.000_001) - 90.0).abs() < 1e-9);
    let only = per_frame(&[key(3.0, 5.0, 1.0, 1.0), key(3.0, 8.0, 1.0, 1.0)]);
    assert_eq!(only.sample(3.0), 5.0);
    assert_eq!(only.sample(4.0), 8.0);
}

#[test]
fn slopes_per_segment_ignore_the_distance() {
    // spec/mot.md §7.3.
    for frames in [1.0, 4.0, 20.0] {
        let keys = [key(0.0, 1.0, 0.0, 2.0), key(frames, 3.0, -1.0, 0.0)];
        let curve = Curve::hermite(&keys, Slopes::PerSegment).expect("a valid curve");
        let values = [0.0, 0.25, 0.5, 0.75, 1.0].map(|t| curve.sample(t * frames));
        assert_eq!(values, [1.0, 1.640625, 2.375, 2.921875, 3.0]);
    }
}

#[test]
fn hermite_keys_become_the_documented_coefficients() {
    // spec/fsha.md §4.4: the same curve from its stored cubic and from Hermite keys.
    let stored = Curve::segments(vec![
        Segment {
            frame: 0.0,
            coefficients: [0.25, 0.5, 1.5, -1.25],
        },
        Segment {
            frame: 8.0,
            coefficients: [1.0, 0.0, 0.0, 0.0],
        },
    ])
    .expect("a valid curve");
    let keys = [key(0.0, 0.25, 0.0, 0.0625), key(8.0, 1.0, -0.03125, 0.0)];
    assert_eq!(stored, per_frame(&keys));
    let values = [0.0, 2.0, 4.0, 6.0, 8.0].map(|frame| stored.sample(frame));
    assert_eq!(values, [0.25, 0.44921875, 0.71875, 0.94140625, 1.0]);
}

#[test]
fn stored_lines_may_jump() {
    // spec/fsha.md §4.5: the change is stored, not taken from the next key.
    let line = |frame, value, change| Segment {
        frame,
        coefficients: [value, change, 0.0, 0.0],
    };
    let curve = Curve::segments(vec![
        line(0.0, -100.0, 127.0),
        line(20.0, 100.0, -50.0),
        line(30.0, 50.0, 0.0),
    ])
    .expect("a valid curve")
    .scaled(2.0)
    .shifted(200.0);
    let values = [0.0, 10.0, 20.0, 25.0, 30.0].map(|frame| curve.sample(frame));
    assert_eq!(values, [0.0, 127.0, 400.0, 350.0, 300.0]);
    assert!((curve.sample(20.0 - 1e-9) - 254.0).abs() < 1e-6);
}

#[test]
fn lines_and_steps() {
    let points = [(0.0, 1.0), (4.0, 3.0), (5.0, -1.0)];
    let linear = Curve::linear(&points).expect("a valid curve");
    assert_eq!(
        [0.0, 1.0, 4.0, 4.5, 9.0].map(|f| linear.sample(f)),
        [1.0, 1.5, 3.0, 1.0, -1.0]
    );
    let step = Curve::step(&points).expect("a valid curve");
    assert_eq!(
        [-1.0, 3.9, 4.0, 4.9, 5.0].map(|f| step.sample(f)),
        [1.0, 1.0, 3.0, 3.0, -1.0]
    );
}

#[test]
fn extrapolation_wraps_as_documented() {
    // spec/fsha.md §4.9: s = 10, e = 30. A line with value = frame shows the mapped frame.
    let frames = [5.0, 35.0, 55.0, -15.0];
    let sampled = |rule| {
        let curve = Curve::linear(&[(10.0, 10.0), (30.0, 30.0)])
            .expect("a valid curve")
            .extrapolated(rule, rule);
        frames.map(|frame| curve.sample(frame))
    };
    assert_eq!(sampled(Extrapolation::Clamp), [10.0, 30.0, 30.0, 10.0]);
    assert_eq!(sampled(Extrapolation::Repeat), [25.0, 15.0, 15.0, 25.0]);
    assert_eq!(sampled(Extrapolation::Mirror), [15.0, 25.0, 15.0, 25.0]);
    // The gain is 20: added -1, 1, 2 and -2 times.
    assert_eq!(sampled(Extrapolation::RelativeRepeat), [5.0, 35.0, 55.0, -15.0]);
}

#[test]
fn bad_keys_are_errors() {
    assert_eq!(Curve::hermite(&[], Slopes::PerFrame), Err(CurveError::NoKeys));
    assert_eq!(Curve::linear(&[]), Err(CurveError::NoKeys));
    assert_eq!(
        Curve::step(&[(0.0, 1.0), (2.0, 1.0), (1.0, 1.0)]),
        Err(CurveError::FrameOrder { index: 2 })
    );
    assert_eq!(
        Curve::linear(&[(0.0, 1.0), (f64::NAN, 1.0)]),
        Err(CurveError::NotFinite { index: 1 })
    );
}

fn keys() -> impl Strategy<Value = Vec<HermiteKey>> {
    let key = (any::<i16>(), any::<i16>(), any::<i16>(), any::<i16>());
    prop::collection::vec(key, 1..20).prop_map(|raw| {
        let mut keys: Vec<HermiteKey> = raw
            .into_iter()
            .map(|(frame, value, slope_in, slope_out)| key_of(frame, value, slope_in, slope_out))
            .collect();
        keys.sort_by(|a, b| a.frame.total_cmp(&b.frame));
        keys.dedup_by_key(|key| key.frame);
        keys
    })
}

fn key_of(frame: i16, value: i16, slope_in: i16, slope_out: i16) -> HermiteKey {
    key(
        f64::from(frame),
        f64::from(value),
        f64::from(slope_in),
        f64::from(slope_out),
    )
}

/// The textbook form, written apart from the engine's: spec/mhp-formats.md (seed), "How the engine
/// plays a clip".
fn textbook(from: HermiteKey, to: HermiteKey, frame: f64) -> f64 {
    let d = frame - from.frame;
    let s = d / (to.frame - from.frame);
    from.value * (1.0 - 3.0 * s * s + 2.0 * s * s * s)
        + to.value * (3.0 * s * s - 2.0 * s * s * s)
        + from.slope_out * d * (1.0 - s) * (1.0 - s)
        + to.slope_in * d * (s * s - s)
}

proptest! {
    #[test]
    fn every_key_is_met_exactly(keys in keys()) {
        let curve = per_frame(&keys);
        for key in &keys {
            prop_assert_eq!(curve.sample(key.frame), key.value);
        }
        prop_assert_eq!(curve.sample(curve.start() - 1.0), keys[0].value);
        prop_assert_eq!(curve.sample(curve.end() + 1.0), keys[keys.len() - 1].value);
    }

    #[test]
    fn between_keys_it_is_the_textbook_hermite(keys in keys(), t in 0.0_f64..1.0) {
        let curve = per_frame(&keys);
        for pair in keys.windows(2) {
            let frame = pair[0].frame + t * (pair[1].frame - pair[0].frame);
            // The slopes are the largest terms: 32768 per frame over 65535 frames.
            let tolerance = 1e-12 * 32768.0 * (pair[1].frame - pair[0].frame);
            prop_assert!((curve.sample(frame) - textbook(pair[0], pair[1], frame)).abs() <= tolerance);
        }
    }

    #[test]
    fn any_frame_has_a_finite_value(keys in keys(), frame in any::<f64>(), rule in 0_usize..4) {
        let rule = [
            Extrapolation::Clamp,
            Extrapolation::Repeat,
            Extrapolation::Mirror,
            Extrapolation::RelativeRepeat,
        ][rule];
        let value = per_frame(&keys).extrapolated(rule, rule).sample(frame);
        prop_assert!(value.is_finite() || frame.abs() > 1e290);
    }

    #[test]
    fn lines_rise_with_time(
        mut frames in prop::collection::btree_set(-1000_i32..1000, 2..20),
        a in -1200.0_f64..1200.0,
        b in -1200.0_f64..1200.0,
    ) {
        frames.insert(0);
        let points: Vec<(f64, f64)> =
            frames.into_iter().enumerate().map(|(i, f)| (f64::from(f), i as f64)).collect();
        let curve = Curve::linear(&points).expect("a valid curve");
        let (early, late) = (a.min(b), a.max(b));
        prop_assert!(curve.sample(early) <= curve.sample(late));
    }
}
