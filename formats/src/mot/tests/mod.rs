use super::*;

mod damaged;
mod properties;

/// Bytes of a dump in hexadecimal, line addresses left out.
pub(super) fn dump(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .filter(|word| !word.ends_with(':'))
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

/// Vectors M2 to M5 of `spec/mot.md` §11.
pub(super) fn okami() -> Vec<u8> {
    dump(
        "0000: 6D 74 62 33 15 00 05 01 FF 05 01 00 B8 1E 05 3F
         0010: 00 10 04 00 30 00 00 00 01 35 03 00 4C 00 00 00
         0020: 02 56 02 00 7C 00 00 00 7F FF FF FF 00 00 00 00
         0030: 00 E0 00 52 00 DE 00 50 00 00 00 54 00 00 80 20
         0040: 05 FF 90 40 0A 80 40 C0 05 40 80 00 00 00 C0 BF
         0050: 00 00 80 38 00 00 00 BF 00 00 00 38 00 00 80 BE
         0060: 00 00 00 38 00 00 00 00 00 40 00 20 08 00 FF FF
         0070: 00 80 00 40 14 00 00 80 00 C0 00 00 00 00 FF FF
         0080: 00 00 80 3F 00 00 00 00 00 00 00 3F 14 00 FF FF
         0090: 00 00 00 40 00 00 80 BE 00 00 00 00",
    )
}

/// Vector M6.
pub(super) fn god_hand() -> Vec<u8> {
    dump(
        "0000: 6D 74 62 33 0B 00 03 00 03 00 01 00 00 00 00 00
         0010: 00 00 A0 3F 04 13 02 00 01 00 00 00 2C 00 00 00
         0020: 7F FF FF FF 00 00 00 00 00 00 00 00 00 00 00 4E
         0030: 00 00 00 00 00 00 00 00 00 00 00 00 0A C8 00 00",
    )
}

/// Vector M7.
pub(super) fn linear() -> Vec<u8> {
    dump(
        "0000: 6D 74 62 33 05 00 02 00 FF 40 05 00 18 00 00 00
         0010: 7F FF FF FF 00 00 00 00 00 00 80 BF 00 00 80 3B
         0020: 00 00 00 01 00 02 80 00 FF FF 00 00",
    )
}

fn hermite(keys: &[(u32, f64, f64, f64)]) -> Keys {
    let keys = keys.iter().map(|&(frame, value, incoming, outgoing)| HermiteKey {
        frame,
        value,
        incoming,
        outgoing,
    });
    Keys::Hermite(keys.collect())
}

#[test]
fn okami_s_vector_reads_and_writes_back() {
    let bytes = okami();
    assert_eq!(bytes.len(), 156);
    let motion = Mot::parse(&bytes).unwrap();
    assert_eq!(motion.form(), Form::Okami);
    assert_eq!(motion.frame_count(), 21);
    assert!(motion.is_looping() && motion.has_terminator());
    let curves: Vec<_> = motion
        .curves()
        .map(|(bone, track, curve)| (bone, track, curve.family(), curve.keys()))
        .collect();
    let expected = [
        (
            -1,
            Track::Rotation(Axis::Z),
            Family::SinglePose,
            Keys::Constant(0.5199999809265137),
        ),
        (
            0,
            Track::Position(Axis::X),
            Family::Quantized,
            hermite(&[
                (0, -2.0, 0.0, 1.0),
                (5, 1.984375, 0.125, 2.0),
                (15, 0.0, -0.5, 6.0),
                (20, -1.0, 0.0, 0.0),
            ]),
        ),
        (
            1,
            Track::Rotation(Axis::X),
            Family::SemiPrecision,
            hermite(&[
                (0, -1.5, 0.0, 0.0),
                (8, 2.49993896484375, 0.5, 0.25),
                (20, 0.5, 1.0, -0.25),
            ]),
        ),
        (
            2,
            Track::Scale(Axis::X),
            Family::FullPrecision,
            hermite(&[(0, 1.0, 0.0, 0.5), (20, 2.0, -0.25, 0.0)]),
        ),
    ];
    assert_eq!(curves, expected);
    assert_eq!(motion.records()[1].model_bone(), Some(1));
    assert_eq!(motion.warnings(), [Warning::SemiPrecisionBaseAssumed]);
    assert_eq!(motion.write(), bytes);

    let other = Mot::parse_with_base(&bytes, SemiPrecisionBase::Property48).unwrap();
    let tracks: Vec<_> = other.curves().map(|(_, track, _)| track).collect();
    assert_eq!(tracks[2], Track::Rotation(Axis::Z));
    assert_eq!(other.warnings(), []);
    assert_eq!(other.write(), bytes);
}

#[test]
fn god_hand_s_vector_reads_and_writes_back() {
    let bytes = god_hand();
    let motion = Mot::parse(&bytes).unwrap();
    assert_eq!((motion.form(), motion.frame_count()), (Form::GodHand, 11));
    assert!(!motion.is_looping());
    let curves: Vec<_> = motion
        .curves()
        .map(|(bone, track, curve)| (bone, track, curve.keys()))
        .collect();
    assert_eq!(
        curves,
        [
            (3, Track::Position(Axis::X), Keys::Constant(1.25)),
            (
                4,
                Track::Rotation(Axis::X),
                hermite(&[(0, 0.0, 0.0, 0.0), (10, 0.78125, 0.0, 0.0)])
            ),
        ]
    );
    assert_eq!(motion.warnings(), [Warning::SpaceSwitch { record: 1, bone: 4 }]);
    assert_eq!(motion.write(), bytes);
}

#[test]
fn linear_samples_read_and_write_back() {
    let bytes = linear();
    let motion = Mot::parse(&bytes).unwrap();
    let (bone, track, curve) = motion.curves().next().unwrap();
    assert_eq!((bone, track), (Record::ROOT, Track::Position(Axis::X)));
    assert_eq!(
        curve.keys(),
        Keys::Linear(vec![-1.0, 0.0, 1.0, -0.5, 254.99609375])
    );
    assert_eq!(curve.last_frame(), 4);
    assert_eq!(motion.write(), bytes);
}

#[test]
fn an_empty_motion_reads_and_writes_back() {
    // spec/mot.md §11, M8, and the header alone of §10.
    let bytes = dump("6D 74 62 33 01 00 01 00 7F FF FF FF 00 00 00 00");
    let motion = Mot::parse(&bytes).unwrap();
    assert_eq!((motion.records().len(), motion.frame_count()), (0, 1));
    assert_eq!(motion.warnings(), []);
    assert_eq!(motion, Mot::new(Form::GodHand, vec![]).unwrap());
    assert_eq!(motion.write(), bytes);

    let header = dump("6D 74 62 33 01 00 00 00");
    let motion = Mot::parse(&header).unwrap();
    assert_eq!(motion.warnings(), [Warning::HeaderAlone]);
    assert_eq!(motion.write(), header);
}

#[test]
fn the_base_document_s_records_read() {
    // spec/mot.md §11, M9.
    let raw = record::RawRecord::from_bytes(Form::Okami, &dump("FF 05 01 00 B8 1E 05 3F"));
    assert_eq!((raw.bone, raw.property, raw.key_count), (-1, 5, 1));
    assert_eq!(f32::from_bits(raw.word), 0.52);
    let raw = record::RawRecord::from_bytes(Form::Okami, &dump("00 10 04 00 00 02 00 00"));
    assert_eq!((raw.bone, raw.property, raw.key_count, raw.word), (0, 16, 4, 512));
}

#[test]
fn properties_tell_family_and_track() {
    // spec/mot.md §4.1.
    use SemiPrecisionBase::{Property48, Property50};
    for (first, family) in [
        (0, Family::SinglePose),
        (16, Family::Quantized),
        (64, Family::Linear),
        (80, Family::FullPrecision),
    ] {
        for (property, track) in (first..).zip(Track::ALL) {
            for base in [Property48, Property50] {
                assert_eq!(Family::of_property(property, base), Some((family, track)));
                assert_eq!(family.property(track, base), property);
            }
        }
        assert_eq!(Family::of_property(first + 9, Property50), None);
    }
    let scale_z = Some((Family::SemiPrecision, Track::Scale(Axis::Z)));
    assert_eq!(Family::of_property(56, Property48), scale_z);
    assert_eq!(Family::of_property(58, Property50), scale_z);
    assert_eq!(Family::of_property(57, Property48), None);
    assert_eq!(Family::of_property(49, Property50), None);
}

/// A motion of Semi-Precision records with these properties.
fn semi_precision(form: Form, properties: &[u8]) -> Vec<u8> {
    let curve = Curve::SemiPrecision {
        header: Quantization::default(),
        keys: vec![SemiPrecisionKey::default()],
    };
    let record = |_| Record::new(0, Track::Position(Axis::X), curve.clone());
    let records = properties.iter().map(record).collect();
    let mut bytes = Mot::new(form, records).unwrap().write();
    for (index, &property) in properties.iter().enumerate() {
        bytes[HEADER_SIZE + index * form.record_size() + 1] = property;
    }
    bytes
}

#[test]
fn the_semi_precision_base_is_told_or_assumed() {
    // spec/mot.md §4.2.
    use SemiPrecisionBase::{Property48, Property50};
    let base = |form, properties: &[u8]| {
        let motion = Mot::parse(&semi_precision(form, properties)).unwrap();
        let is_assumed = motion.warnings().contains(&Warning::SemiPrecisionBaseAssumed);
        (motion.semi_precision_base(), is_assumed)
    };
    assert_eq!(base(Form::Okami, &[50, 56]), (Property50, true));
    assert_eq!(base(Form::GodHand, &[50, 56]), (Property48, true));
    assert_eq!(base(Form::Okami, &[50, 48]), (Property48, false));
    assert_eq!(base(Form::GodHand, &[58, 50]), (Property50, false));
    let contradiction = semi_precision(Form::Okami, &[49, 57]);
    assert_eq!(
        Mot::parse(&contradiction).unwrap_err().to_string(),
        "MOT: record table at 0x8: found contradictory semi-precision properties, of 48 and 49 and of 57 \
         and 58, expected properties of one base"
    );
    let told = Mot::parse_with_base(&contradiction, Property50).unwrap();
    assert_eq!(
        told.warnings()[0],
        Warning::UnknownProperty {
            record: 0,
            property: 49
        }
    );
    assert_eq!(told.write(), contradiction);
}

#[test]
fn a_written_base_reads_back_when_told() {
    let curve = Curve::SemiPrecision {
        header: Quantization::default(),
        keys: vec![SemiPrecisionKey::default()],
    };
    let records = vec![Record::new(0, Track::Position(Axis::Z), curve)];
    let motion = Mot::new(Form::Okami, records).unwrap();
    assert_eq!(motion.write()[9], 52);
    let motion = motion
        .with_semi_precision_base(SemiPrecisionBase::Property48)
        .unwrap();
    let bytes = motion.write();
    assert_eq!(bytes[9], 50);
    let read = Mot::parse_with_base(&bytes, SemiPrecisionBase::Property48);
    assert_eq!(read, Ok(motion));
}

#[test]
fn the_record_size_is_told_without_a_terminator() {
    // spec/mot.md §3.4, rule 3: one record that fits one of the sizes.
    let mut bytes = okami();
    bytes[0x28] = 3;
    bytes[0x29] = 2;
    assert_eq!(Form::of(&bytes), Some(Form::Okami));
    let motion = Mot::parse(&bytes).unwrap();
    assert!(!motion.has_terminator());
    assert!(motion.warnings().contains(&Warning::NoTerminator));
    assert_eq!(motion.write(), Mot::parse(&bytes).unwrap().write());
    let mut bytes = god_hand();
    bytes[0x20..0x24].copy_from_slice(&[3, 2, 1, 0]);
    assert_eq!(Form::of(&bytes), Some(Form::Okami), "both fit: 8 is taken");
    bytes[0x11] = 0x99;
    assert_eq!(Form::of(&bytes), Some(Form::GodHand));
    assert_eq!(Mot::parse(&bytes).unwrap().write(), bytes);
}

#[test]
fn terminators_before_the_last_record_end_the_table() {
    let mut bytes = okami();
    bytes[0x20..0x22].copy_from_slice(&[0x7F, 0xFF]);
    let motion = Mot::parse(&bytes).unwrap();
    assert_eq!(motion.records().len(), 3);
    assert!(matches!(motion.warnings()[..], [Warning::UnusedBytes(_), _]));
    assert_eq!(motion.write(), bytes);
}

#[test]
fn a_skeleton_of_forty_joints_moves() {
    let wave = |bone: i8| {
        let keys = (0..=6).map(|step| HermiteKey {
            frame: 10 * step,
            value: (f64::from(step) + f64::from(bone)).sin() / 2.0,
            ..HermiteKey::default()
        });
        Curve::fit(&keys.collect::<Vec<_>>(), 0.01).unwrap()
    };
    for form in [Form::Okami, Form::GodHand] {
        let records: Vec<_> = (-1..39)
            .flat_map(|bone| Axis::ALL.map(|axis| Record::new(bone, Track::Rotation(axis), wave(bone))))
            .collect();
        let motion = Mot::new(form, records).unwrap().looping();
        assert_eq!(motion.frame_count(), 61);
        let bones: std::collections::BTreeSet<_> = motion.records().iter().map(Record::model_bone).collect();
        assert!(bones.into_iter().eq((0..40).map(Some)));
        let bytes = motion.write();
        assert_eq!(Mot::parse(&bytes), Ok(motion));
    }
}

#[test]
fn shared_curves_are_written_once() {
    let curve = std::sync::Arc::new(Curve::Linear {
        header: Steps { bias: 0.0, step: 1.0 },
        samples: vec![3; 100],
    });
    let records = (0..100).map(|bone| Record::sharing(bone, Track::Position(Axis::X), curve.clone()));
    let motion = Mot::new(Form::Okami, records.collect()).unwrap();
    let bytes = motion.write();
    assert_eq!(bytes.len(), (8 + 101 * 8 + 208usize).next_multiple_of(16));
    let read = Mot::parse(&bytes).unwrap();
    assert_eq!(read, motion);
    let Content::Curve { curve, .. } = &read.records()[99].content else {
        panic!("not a curve");
    };
    assert_eq!(std::sync::Arc::strong_count(curve), 100);
}

#[test]
fn what_no_file_holds_is_refused() {
    let record = || Record::new(0, Track::Scale(Axis::Y), Curve::single_pose(1.0));
    let new = |form, records| Mot::new(form, records).unwrap_err();
    assert_eq!(
        new(Form::Okami, vec![record(); 255]),
        InvalidMot::RecordCount(255)
    );
    assert!(Mot::new(Form::Okami, vec![record(); 254]).is_ok());
    let flagged = vec![record(), record().with_flags([0, 1, 0, 0])];
    assert_eq!(new(Form::Okami, flagged.clone()), InvalidMot::Flags(1));
    assert!(Mot::new(Form::GodHand, flagged).is_ok());
    let unknown = |bone, property| Record {
        bone,
        flags: [0; 4],
        content: Content::Unknown {
            property,
            key_count: 7,
            word: 0,
        },
    };
    for (bone, property) in [(0, 16), (0, 0x20), (127, 0xFF), (0, 48)] {
        assert_eq!(
            new(Form::Okami, vec![unknown(bone, property)]),
            InvalidMot::Property { record: 0, property }
        );
    }
    assert!(Mot::new(Form::Okami, vec![unknown(126, 0xFF)]).is_ok());
    let endless = Record::new(0, Track::Scale(Axis::Y), Curve::single_pose(f32::INFINITY));
    assert_eq!(
        new(Form::Okami, vec![record(), endless]),
        InvalidMot::Curve {
            record: 1,
            curve: InvalidCurve::HeaderNotFinite
        }
    );
    // Flags like Okami's terminator, where that one would stand.
    let disguised = record().with_flags([0x7F, 0xFF, 0xFF, 0xFF]);
    let records = vec![record(), disguised, record(), record()];
    let result = Mot::new(Form::GodHand, records);
    assert!(result.is_ok_and(|motion| Mot::parse(&motion.write()) == Ok(motion)));
}

#[test]
fn variants_are_named() {
    // spec/mot.md §A.6.
    let name = |bytes: &[u8]| Variant::of(bytes).map(|variant| variant.to_string());
    assert_eq!(name(&okami()).as_deref(), Some("Okami motion"));
    assert_eq!(name(&god_hand()).as_deref(), Some("God Hand motion"));
    assert_eq!(name(b"mtb3").as_deref(), Some("mtb3 of unknown record size"));
    assert_eq!(name(b"mot\0\0\0\0\0").as_deref(), Some("unknown mot variant"));
    assert_eq!(name(b"mtb4"), None);
}
