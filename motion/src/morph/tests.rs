use formats::bfres::Bfres;
use formats::fsha::{Curve as StoredCurve, KeyWeight};
use proptest::prelude::*;

use super::*;

/// spec/fsha.md §12, F1.
const F1: &str = "
    46524553 03040004 FEFF0010 000001C8 00000004 00000188 00000050 0000015C
    00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
    00000000 00000028 00000000 00000000 00000000 00000000 00000000 00000000
    00000001 00000000 00000000 00000028 00000001 FFFFFFFF 00010000 00000000
    00000000 0000001E 00000001 00000134 00000004 46534841 00000128 000000E0
    00040000 0000001E 00010003 00020000 00000120 00000000 0000000C 0000000C
    00000000 FFFF0000 00020003 00000000 00000000 000000D4 0000000C 00000020
    00000064 FF000000 0000009C 00010000 000000C4 01020000 00000098 001A0003
    00000004 00000000 41F00000 3C000000 3F000000 3E800000 00000034 00000034
    00050003 00000008 00000000 41F00000 3A800000 00000000 00000000 0000001C
    00000020 00000000 3E800000 00141E00 C04000E0 E0000000 00000190 03C00000
    00000000 0C00F800 04000000 F4000800 00000000 00000000 00000000 00000000
    00000004 62617365 00000000 00000005 626C696E 6B000000 00000004 64656D6F
    00000000 00000004 66616365 00000000 00000005 736D696C 65000000 00000004
    74616C6B 00000000";

fn f1_bytes() -> Vec<u8> {
    let digits: Vec<u8> = F1.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

fn talk(bytes: &[u8]) -> ShapeAnimation {
    Bfres::parse(bytes).unwrap().animation("talk").unwrap().clone()
}

fn f1() -> ShapeAnimation {
    talk(&f1_bytes())
}

fn once(mut animation: ShapeAnimation) -> ShapeAnimation {
    animation.flags.0 &= !formats::fsha::PlayFlags::LOOPING.0;
    animation
}

fn commands(morph: &MorphAnimation, time: f64) -> Vec<u32> {
    morph.weights(time).unwrap().commands().collect()
}

fn near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-6, "{found}, expected {expected}");
    }
}

#[test]
fn f2_weights_and_commands() {
    // By curve time, before looping: frame 30 shows in an animation that plays once.
    let morph = MorphAnimation::new(&once(f1()), Some("face")).unwrap();
    let rows: [(f64, [f64; 3], [u32; 3]); 9] = [
        (0.0, [0.0, 0.0, 1.0], [0x2C3F8000, 0x2D000000, 0x2E000000]),
        (5.0, [0.125, 0.352, 0.523], [0x2C3F05E3, 0x2D3E0000, 0x2E3EB439]),
        (10.0, [0.25, 0.896, -0.146], [0x2CBE1580, 0x2D3E8000, 0x2E3F6560]),
        (12.5, [0.3125, 1.0, -0.3125], [0x2CBEA000, 0x2D3EA000, 0x2E3F8000]),
        (
            19.0,
            [0.475, 0.688606414, -0.163606414],
            [0x2CBE2786, 0x2D3EF333, 0x2E3F3048],
        ),
        (
            20.0,
            [0.5, 0.606413994, -0.106413994],
            [0x2CBDD9E8, 0x2D3F0000, 0x2E3F1B3D],
        ),
        (
            21.25,
            [0.46875, 0.5, 0.03125],
            [0x2C3D0000, 0x2D3EF000, 0x2E3F0000],
        ),
        (
            25.0,
            [0.375, 0.198250729, 0.426749271],
            [0x2C3EDA7F, 0x2D3EC000, 0x2E3E4B02],
        ),
        (30.0, [0.25, 0.0, 0.75], [0x2C3F4000, 0x2D3E8000, 0x2E000000]),
    ];
    for (frame, [smile, blink, base], expected) in rows {
        near(&morph.exact_weights(frame), &[base, smile, blink]);
        assert_eq!(commands(&morph, frame), expected, "frame {frame}");
    }
    assert_eq!(commands(&morph, 35.0), commands(&morph, 30.0));
    assert_eq!(morph.weights(0.0).unwrap().vertex_type_bits(), 2 << 18);
}

#[test]
fn f2_a_loop_s_end_is_its_beginning() {
    let morph = MorphAnimation::new(&f1(), None).unwrap();
    assert_eq!(commands(&morph, 30.0), commands(&morph, 0.0));
    assert_eq!(commands(&morph, 35.0), commands(&morph, 5.0));
    assert_eq!(commands(&morph, -25.0), commands(&morph, 5.0));
    // So small that the remainder rounds to the whole period.
    assert_eq!(morph.frame_at(-1e-300), 0.0);
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(morph.weights(odd).is_ok());
    }
}

#[test]
fn f3_a_key_without_a_curve_keeps_its_base_value() {
    let mut bytes = f1_bytes();
    bytes[0xF4] = 0xFF;
    let morph = MorphAnimation::new(&talk(&bytes), None).unwrap();
    near(&morph.exact_weights(10.0), &[0.5, 0.25, 0.25]);
    near(&morph.exact_weights(0.0), &[0.75, 0.0, 0.25]);
}

#[test]
fn f9_eight_targets() {
    let constants = [0.1, 0.2, 0.05, 0.15, 0.1, 0.05, 0.1];
    let shape = |constants: &[f32]| {
        let shape = VertexShapeAnimation::new("face", "base");
        constants.iter().zip(1..).fold(shape, |shape, (&weight, number)| {
            shape.with_key(&format!("key{number}"), KeyWeight::Constant(weight))
        })
    };
    let animation = ShapeAnimation::new("eight", 0, vec![shape(&constants)]);
    let morph = MorphAnimation::new(&animation, None).unwrap();
    near(&morph.exact_weights(0.0)[..1], &[0.25]);
    assert_eq!(
        commands(&morph, 0.0),
        [
            0x2C3E8001, 0x2D3DCCCC, 0x2E3E4CCC, 0x2F3D4CCC, 0x303E1999, 0x313DCCCC, 0x323D4CCC, 0x333DCCCC
        ]
    );
    let nine = ShapeAnimation::new(
        "nine",
        0,
        vec![shape(&[0.1, 0.2, 0.05, 0.15, 0.1, 0.05, 0.1, 0.0])],
    );
    let error = MorphAnimation::new(&nine, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "shape \"face\" has 8 key shapes; the GE morphs at most 7"
    );
    let names: Vec<String> = (1..=7).map(|number| format!("key{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let selected = MorphAnimation::selecting(&nine, None, &names).unwrap();
    assert_eq!(commands(&selected, 0.0), commands(&morph, 0.0));
    assert!(matches!(
        MorphAnimation::selecting(&nine, None, &names[1..]),
        Err(MorphError::LeftOut { key, .. }) if &*key == "key1"
    ));
}

#[test]
fn one_key_is_a_mesh_at_rest() {
    let shape = VertexShapeAnimation::new("face", "base");
    let morph = MorphAnimation::new(&ShapeAnimation::new("still", 9, vec![shape]), None).unwrap();
    assert_eq!(commands(&morph, 4.0), [0x2C3F8000]);
    assert_eq!(morph.weights(4.0).unwrap().vertex_type_bits(), 0);
}

#[test]
fn what_the_ge_cannot_do_is_refused_with_its_reason() {
    let animation = f1();
    let mut twice = animation.clone();
    twice.shapes.push(twice.shapes[0].clone());
    assert!(matches!(
        MorphAnimation::new(&twice, None),
        Err(MorphError::DrivenTwice { .. })
    ));
    let mut two = animation.clone();
    two.shapes.push(VertexShapeAnimation::new("tongue", "base"));
    let error = MorphAnimation::new(&two, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "which shape? the animation drives \"face\", \"tongue\""
    );
    let error = MorphAnimation::new(&two, Some("ear")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no shape \"ear\": the animation drives \"face\", \"tongue\""
    );
    let mut bare = animation.clone();
    bare.shapes[0].keys.clear();
    assert!(matches!(
        MorphAnimation::new(&bare, None),
        Err(MorphError::NoKeys { .. })
    ));
    let mut infinite = animation.clone();
    infinite.shapes[0].keys[2].curve = None;
    infinite.shapes[0].base_values[1] = f32::INFINITY;
    assert!(matches!(
        MorphAnimation::new(&infinite, None),
        Err(MorphError::WeightNotFinite { target: 2 })
    ));
    let mut lost = animation.clone();
    lost.shapes[0].keys[2].curve = None;
    lost.shapes[0].base_values.clear();
    assert!(matches!(
        MorphAnimation::new(&lost, None),
        Err(MorphError::NoWeight { .. })
    ));
    let through = vertex::VertexType::from_argument(1 << 23 | 2 << 18 | 0x180);
    assert_eq!(
        MorphTargets::of_vertex_type(through),
        Err(MorphError::ThroughMode)
    );
    assert_eq!(
        MorphTargets::unnamed(9),
        Err(MorphError::TooManyTargets { count: 9 })
    );
    assert!(matches!(
        MorphWeights::of_key_shapes(&[f32::MAX; 2]),
        Err(MorphError::WeightNotFinite { target: 0 })
    ));
}

#[test]
fn keys_find_their_targets_by_index_then_name_then_place() {
    let mut animation = once(f1());
    let frame = 12.5;
    let bound = |animation: &ShapeAnimation, names: &[&str]| {
        let targets = MorphTargets::named(names.iter().copied()).unwrap();
        MorphAnimation::new(animation, None).unwrap().bind(&targets)
    };
    // F1's keys name their places: smile 1, blink 2.
    let morph = bound(&animation, &["base", "x", "y", "z"]).unwrap();
    near(&morph.exact_weights(frame), &[-0.3125, 0.3125, 1.0, 0.0]);
    for key in &mut animation.shapes[0].keys {
        key.sub_bind = None;
    }
    let morph = bound(&animation, &["rest", "blink", "smile"]).unwrap();
    near(&morph.exact_weights(frame), &[-0.3125, 1.0, 0.3125]);
    let error = bound(&animation, &["base", "smile"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "key shape \"blink\" of shape \"face\" has no target among the mesh's 2"
    );
    let unnamed = MorphTargets::unnamed(4).unwrap();
    let morph = MorphAnimation::new(&animation, None)
        .unwrap()
        .bind(&unnamed)
        .unwrap();
    near(&morph.exact_weights(frame), &[-0.3125, 0.3125, 1.0, 0.0]);
    animation.shapes[0].keys[1].sub_bind = Some(2);
    animation.shapes[0].keys[2].sub_bind = Some(2);
    assert!(matches!(
        MorphAnimation::new(&animation, None).unwrap().bind(&unnamed),
        Err(MorphError::SameTarget { target: 2, .. })
    ));
    // A key that never moves needs no target.
    animation.shapes[0].keys[1].sub_bind = None;
    animation.shapes[0].keys[2].sub_bind = None;
    animation.shapes[0].keys[2].curve = None;
    animation.shapes[0].base_values[1] = 0.0;
    let morph = bound(&animation, &["base", "smile"]).unwrap();
    near(&morph.exact_weights(frame), &[0.6875, 0.3125]);
    assert!(matches!(
        morph.with_key("blink", 0.5),
        Err(MorphError::NoTarget { .. })
    ));
}

#[test]
fn a_key_can_be_set_by_name() {
    let morph = MorphAnimation::new(&once(f1()), None).unwrap();
    let set = morph.clone().with_key("smile", 1.5).unwrap();
    near(&set.exact_weights(12.5), &[-1.5, 1.5, 1.0]);
    assert_eq!(
        morph.clone().with_key("base", 1.0).unwrap_err().to_string(),
        "key \"base\" is shape \"face\" at rest, whose weight is 1 less the others'"
    );
    assert_eq!(
        morph.clone().with_key("frown", 1.0).unwrap_err().to_string(),
        "no key shape \"frown\" in shape \"face\", which has \"smile\", \"blink\""
    );
    assert!(morph.with_key("smile", f32::NAN).is_err());
    let still = MorphAnimation::still(&MorphTargets::unnamed(3).unwrap());
    near(
        &still.with_key("2", 0.25).unwrap().exact_weights(0.0),
        &[0.75, 0.0, 0.25],
    );
}

proptest! {
    #[test]
    fn weights_sum_to_one_within_a_unit(numbers in prop::collection::vec(-1.0_f32..1.0, 0..8)) {
        let weights = MorphWeights::of_key_shapes(&numbers).unwrap();
        let sum: f64 = weights.as_slice().iter().map(|weight| f64::from(weight.get())).sum();
        // The weight at rest is at most 8: a unit of the GE's floats there is 2^-12.
        prop_assert!((sum - 1.0).abs() <= 2.0_f64.powi(-12));
        for (weight, number) in weights.as_slice()[1..].iter().zip(&numbers) {
            prop_assert_eq!(weight.get().to_bits() & 0xFF, 0);
            prop_assert!(weight.get().abs() <= number.abs());
        }
    }

    #[test]
    fn any_time_has_weights(frames in 0_i32..100, time in any::<f64>(), looping in any::<bool>()) {
        let curve = StoredCurve::linear(&[(0.0, 0.0), (50.0, 1.0)], 0.0).unwrap();
        let shape = VertexShapeAnimation::new("face", "base").with_key("a", KeyWeight::Animated(curve));
        let animation = ShapeAnimation::new("any", frames, vec![shape]);
        let animation = if looping { animation.looping() } else { animation };
        let morph = MorphAnimation::new(&animation, None).unwrap();
        let frame = morph.frame_at(time);
        prop_assert!((0.0..=f64::from(frames)).contains(&frame));
        prop_assert!(!looping || frames == 0 || !time.is_finite() || frame < f64::from(frames));
        prop_assert!(morph.weights(time).is_ok());
    }
}
