use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

fn any_float() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("finite", |float| float.is_finite())
}

fn any_frames(count: usize) -> impl Strategy<Value = Frames> {
    prop_oneof![
        prop::collection::btree_set(any::<u8>(), count)
            .prop_map(|frames| Frames::Bytes(frames.into_iter().collect())),
        prop::collection::btree_set(any::<i16>(), count)
            .prop_map(|frames| Frames::Fixed(frames.into_iter().collect())),
        prop::collection::btree_set(any::<i32>(), count).prop_map(|frames| {
            // Whole thirds: they stay apart as floats of their size.
            Frames::Floats(
                frames
                    .into_iter()
                    .map(|frame| (frame >> 8) as f32 / 3.0)
                    .collect(),
            )
        }),
    ]
}

fn any_elements(count: usize, is_integer: bool) -> impl Strategy<Value = Elements> {
    let words = match is_integer {
        true => prop::collection::vec(any::<i32>(), count)
            .prop_map(|elements| Elements::Integers(elements.into()))
            .boxed(),
        false => prop::collection::vec(any_float(), count)
            .prop_map(|elements| Elements::Floats(elements.into()))
            .boxed(),
    };
    prop_oneof![
        words,
        prop::collection::vec(any::<i16>(), count).prop_map(|elements| Elements::Shorts(elements.into())),
        prop::collection::vec(any::<i8>(), count).prop_map(|elements| Elements::Bytes(elements.into())),
    ]
}

fn any_curve() -> impl Strategy<Value = Curve> {
    let curve_type = prop_oneof![
        Just(CurveType::Cubic),
        Just(CurveType::Linear),
        Just(CurveType::BakedFloat),
        Just(CurveType::StepInteger),
        Just(CurveType::BakedInteger),
    ];
    (1usize..6, curve_type)
        .prop_flat_map(|(count, curve_type)| {
            let elements = any_elements(count * curve_type.elements_per_key(), curve_type.is_integer());
            let header = (
                prop::array::uniform4(any_float()),
                any::<u32>(),
                any::<i32>(),
                any::<[u8; 2]>(),
                any::<bool>(),
            );
            (Just(curve_type), any_frames(count), elements, header)
        })
        .prop_map(|(curve_type, frames, elements, header)| {
            let ([start, end, scale, number], target, integer, [before, after], is_odd) = header;
            let mut curve = Curve {
                curve_type,
                target,
                start,
                end,
                scale,
                offset: match curve_type.is_integer() {
                    true => Offset::Integer(integer),
                    false => Offset::Float(number),
                },
                delta: Some(number),
                before: Wrap::ALL[usize::from(before % 4)],
                after: Wrap::ALL[usize::from(after % 4)],
                unknown_flags: if is_odd { 0x0480 } else { 0 },
                frames,
                elements,
            };
            if is_odd && curve_type.is_baked() {
                curve.start = 7.0;
                curve.end = 6.0 + curve.key_count() as f32;
                curve.frames = Frames::Consecutive(curve.frames.frame_type());
            }
            curve
        })
        .prop_filter("ascending", |curve| curve.check().is_ok())
}

fn any_shape() -> impl Strategy<Value = VertexShapeAnimation> {
    let names = prop::collection::vec("[a-z]{0,5}", 6);
    let curves = prop::collection::vec(any_curve(), 0..4);
    let keys = prop::collection::vec((any::<Option<Index>>(), any_float()), 0..5);
    (names, curves, keys, any::<Option<u8>>(), any::<bool>()).prop_map(
        |(names, curves, keys, bind, spare)| {
            let mut shape = VertexShapeAnimation::new(&names[0], &names[1]);
            shape.bind_index = bind.map(u16::from);
            for ((curve, value), name) in keys.into_iter().zip(&names[2..]) {
                shape.keys.push(ShapeKey {
                    name: name.as_str().into(),
                    curve: curve
                        .filter(|_| !curves.is_empty())
                        .map(|index| index.index(curves.len()) as u8),
                    sub_bind: bind.filter(|bind| *bind < 128),
                });
                shape.base_values.push(value);
            }
            if spare && shape.keys.iter().skip(1).all(|key| key.curve.is_some()) {
                shape.base_values.clear();
            }
            shape.curves = curves;
            shape
        },
    )
}

prop_compose! {
    /// Animations with everything that a file can hold.
    pub(crate) fn any_animation()(
        name in "[a-zA-Z_]{1,8}",
        path in "[a-z/]{0,8}",
        flags in any::<u16>(),
        frame_count in 0..65536i32,
        baked_length in any::<u32>(),
        shapes in prop::collection::vec(any_shape(), 0..4),
    ) -> ShapeAnimation {
        ShapeAnimation {
            name: name.as_str().into(),
            path: path.as_str().into(),
            flags: PlayFlags(flags),
            frame_count,
            baked_length,
            shapes,
        }
    }
}

fn any_generation() -> impl Strategy<Value = Generation> {
    prop_oneof![Just(Generation::Early), Just(Generation::Late)]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(animation in any_animation(), generation in any_generation()) {
        let file = Fsha::new(generation, animation.clone()).unwrap();
        prop_assert_eq!(file.animation(), &animation.in_generation(generation));
        let bytes = file.write();
        let read = Fsha::parse_generation(&bytes, generation).unwrap();
        // The writer lays the same animation out to the same bytes.
        let again = Fsha::new(generation, read.animation().clone()).unwrap();
        prop_assert_eq!(again.write(), bytes);
        let _ = read.warnings();
    }

    #[test]
    fn values_can_be_replaced_and_put_back(
        animation in any_animation(),
        generation in any_generation(),
        flags in any::<u16>(),
        number in any_float(),
        integer in any::<i16>(),
    ) {
        let original = Fsha::new(generation, animation.clone()).unwrap();
        let mut other = animation.clone();
        other.flags = PlayFlags(flags);
        other.baked_length ^= 0x55;
        for shape in &mut other.shapes {
            shape.base_values.fill(number);
            for key in &mut shape.keys {
                key.sub_bind = Some(5);
            }
            for curve in &mut shape.curves {
                curve.scale = number;
                curve.target ^= 3;
                if let Elements::Shorts(elements) = &mut curve.elements {
                    *elements = vec![integer; elements.len()].into();
                }
            }
        }
        let mut file = original.clone();
        file.replace(other.clone()).unwrap();
        prop_assert_eq!(file.animation(), &other.in_generation(generation));
        file.replace(animation).unwrap();
        prop_assert_eq!(file.write(), original.write());
    }

    #[test]
    fn damage_is_an_error_or_another_animation_and_never_a_panic(
        animation in any_animation(),
        generation in any_generation(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6),
        length in any::<Index>(),
    ) {
        let mut bytes = Fsha::new(generation, animation).unwrap().write();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        for bytes in [&bytes[..], &bytes[..length.index(bytes.len())]] {
            if let Ok(mut read) = Fsha::parse(bytes) {
                prop_assert_eq!(&read.write(), bytes);
                let _ = read.warnings();
                for curve in read.animation().shapes.iter().flat_map(|shape| &shape.curves) {
                    prop_assert_eq!(curve.segments().len(), curve.key_count());
                }
                // The values are put where they came from.
                let animation = read.animation().clone();
                read.replace(animation).unwrap();
                prop_assert_eq!(read.write(), bytes);
            }
        }
    }
}
