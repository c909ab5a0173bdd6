use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

fn any_float() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("finite", |float| float.is_finite())
}

fn any_half() -> impl Strategy<Value = Float16> {
    any::<u16>()
        .prop_map(Float16)
        .prop_filter("finite", |half| half.is_finite())
}

fn any_header<N: StoredNumber + std::fmt::Debug>(
    number: impl Strategy<Value = N>,
) -> impl Strategy<Value = Quantization<N>> {
    prop::collection::vec(number, 6).prop_map(|numbers| {
        let [v0, v1, i0, i1, o0, o1] = numbers[..] else {
            panic!("six numbers");
        };
        Quantization::from_numbers([v0, v1, i0, i1, o0, o1])
    })
}

fn any_curve() -> impl Strategy<Value = Curve> {
    let frames = || prop::collection::btree_set(any::<u16>(), 1..6);
    let quantized = (
        any_header(any_half()),
        any::<u8>(),
        prop::collection::vec((1..=255u8, any::<[u8; 3]>()), 1..6),
    )
        .prop_map(|(header, first, keys)| {
            let keys = keys.into_iter().enumerate();
            let keys = keys.map(|(index, (frames, [value, incoming, outgoing]))| QuantizedKey {
                frames: if index == 0 { first } else { frames },
                value,
                incoming,
                outgoing,
            });
            Curve::Quantized {
                header,
                keys: keys.collect(),
            }
        });
    let semi_precision = (any_header(any_float()), frames(), any::<[u16; 3]>()).prop_map(
        |(header, frames, [value, incoming, outgoing])| Curve::SemiPrecision {
            header,
            keys: frames
                .into_iter()
                .map(|frame| SemiPrecisionKey {
                    frame,
                    value: value ^ frame,
                    incoming,
                    outgoing,
                })
                .collect(),
        },
    );
    let full_precision = (frames(), any::<u16>(), prop::array::uniform3(any_float())).prop_map(
        |(frames, filler, [value, incoming, outgoing])| Curve::FullPrecision {
            keys: frames
                .into_iter()
                .map(|frame| FullPrecisionKey {
                    frame,
                    filler,
                    value,
                    incoming,
                    outgoing,
                })
                .collect(),
        },
    );
    let linear = (
        any_float(),
        any_float(),
        prop::collection::vec(any::<u16>(), 1..6),
    )
        .prop_map(|(bias, step, samples)| Curve::Linear {
            header: Steps { bias, step },
            samples,
        });
    prop_oneof![
        (any_float(), any::<u16>()).prop_map(|(value, key_count)| Curve::SinglePose { value, key_count }),
        quantized,
        semi_precision,
        full_precision,
        linear,
    ]
}

fn any_record() -> impl Strategy<Value = (i8, Option<u32>, [u8; 4], Index, Index)> {
    let unknown = prop::option::weighted(0.1, any::<u32>());
    let flags = prop_oneof![Just([0; 4]), any::<[u8; 4]>()];
    (any::<i8>(), unknown, flags, any::<Index>(), any::<Index>())
}

prop_compose! {
    /// Motions whose records share curves here and there.
    fn any_mot()(
        form in prop_oneof![Just(Form::Okami), Just(Form::GodHand)],
        curves in prop::collection::vec(any_curve().prop_map(Arc::new), 1..8),
        records in prop::collection::vec(any_record(), 0..10),
        loops in any::<bool>(),
        frame_count in any::<u16>(),
    ) -> Option<Mot> {
        let records = records.into_iter().map(|(bone, unknown, flags, curve, track)| {
            let curve = &curves[curve.index(curves.len())];
            let record = match unknown {
                Some(word) => Record {
                    bone,
                    flags: [0; 4],
                    content: Content::Unknown { property: 0x60 + (word % 16) as u8, key_count: 2, word },
                },
                None => Record::sharing(bone, Track::ALL[track.index(9)], Arc::clone(curve)),
            };
            record.with_flags(if form == Form::GodHand { flags } else { [0; 4] })
        });
        let motion = Mot::new(form, records.collect()).ok()?.with_frame_count(frame_count);
        Some(if loops { motion.looping() } else { motion })
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(motion in any_mot()) {
        let motion = motion.unwrap();
        let bytes = motion.write();
        prop_assert!(bytes.len().is_multiple_of(8));
        prop_assert_eq!(Mot::parse(&bytes).unwrap(), motion.clone());
        let mended = Mot::mend(&bytes).unwrap();
        prop_assert!(mended.repairs.is_empty());
        prop_assert_eq!(mended.motion, motion);
    }

    #[test]
    fn damage_is_an_error_or_another_motion_and_never_a_panic(
        motion in any_mot(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..8),
        in_table in any::<bool>(),
        length in any::<Index>(),
    ) {
        let mut bytes = motion.unwrap().write();
        for (place, value) in damage {
            let reach = if in_table { bytes.len().min(40) } else { bytes.len() };
            let place = place.index(reach);
            bytes[place] = value;
        }
        for bytes in [&bytes[..], &bytes[..length.index(bytes.len())]] {
            if let Ok(read) = Mot::parse(bytes) {
                prop_assert_eq!(read.write(), bytes);
                let _ = read.warnings();
            }
            if let Ok(mended) = Mot::mend(bytes) {
                prop_assert!(Mot::parse(&mended.motion.write()).is_ok());
            }
        }
    }
}
