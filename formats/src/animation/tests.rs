use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

fn keys(count: i16) -> Vec<Key> {
    (0..count)
        .map(|index| Key::new(index.wrapping_mul(10), index.wrapping_mul(256)).with_eases(-index, index))
        .collect()
}

fn channel(kind: ChannelKind, key_count: i16) -> Channel {
    Channel::new(kind, keys(key_count))
}

fn words(bytes: &[u8], at: usize, count: usize) -> Vec<u32> {
    bytes[at..at + 4 * count]
        .as_chunks()
        .0
        .iter()
        .map(|&word| u32::from_le_bytes(word))
        .collect()
}

fn halves(bytes: &[u8], at: usize, count: usize) -> Vec<u16> {
    bytes[at..at + 2 * count]
        .as_chunks()
        .0
        .iter()
        .map(|&half| u16::from_le_bytes(half))
        .collect()
}

fn with_word(bytes: &[u8], at: usize, word: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    bytes
}

fn error(bytes: &[u8]) -> String {
    AnimationPack::parse(bytes)
        .expect_err("these bytes are no pack")
        .to_string()
}

/// The pack of `spec/mhp-formats.md` §5.2: an empty track, one with three rotations of two keys,
/// one with location X of one key and location Z of none.
fn mhfu_example() -> AnimationPack {
    let rotation = |axis| channel(ChannelKind::Rotation(axis), 2);
    let clip = Clip::new(vec![
        Track::default(),
        Track::new(Axis::ALL.map(rotation).to_vec()),
        Track::new(vec![
            channel(ChannelKind::Location(Axis::X), 1),
            channel(ChannelKind::Location(Axis::Z), 0),
        ]),
    ]);
    let clip = clip.looping_from(20.0);
    AnimationPack::from_streams(Encoding::Mhfu, vec![vec![Some(clip)]]).unwrap()
}

#[test]
fn mhfu_bytes_stand_where_the_specification_puts_them() {
    let pack = mhfu_example();
    let bytes = pack.write();
    assert_eq!(words(&bytes, 0, 5), [1, 0x10, 0, 0x14, 0x14]);
    assert_eq!(words(&bytes, 0x14, 4), [0x8000_0002, 3, 0xC0 - 0x14, 1]);
    assert_eq!(words(&bytes, 0x24, 1), [20.0f32.to_bits()]);
    assert_eq!(words(&bytes, 0x28, 3), [0x8000_0000, 0, 12]);
    assert_eq!(words(&bytes, 0x34, 3), [0x8000_0038, 3, 12 + 3 * 28]);
    assert_eq!(words(&bytes, 0x40, 3), [0x8012_0008, 2, 28]);
    assert_eq!(halves(&bytes, 0x54, 4), [256, 10, 0xFFFF, 1]);
    assert_eq!(words(&bytes, 0x94, 3), [0x8000_0140, 2, 12 + 20 + 12]);
    assert_eq!(bytes.len(), 0xC0);
    let read = AnimationPack::parse(&bytes).unwrap();
    assert_eq!(read.encoding(), Some(Encoding::Mhfu));
    assert_eq!(read.clips()[0].last_frame(), 10);
    assert_eq!(read, pack);
}

#[test]
fn mhp3rd_bytes_stand_where_the_specification_puts_them() {
    let clip = Clip::new(vec![
        Track::default(),
        Track::new(vec![channel(ChannelKind::Location(Axis::X), 2)]),
        Track::default(),
    ]);
    let pack = AnimationPack::from_streams(Encoding::Mhp3rd, vec![vec![Some(clip)]]).unwrap();
    let bytes = pack.write();
    assert_eq!(words(&bytes, 0x14, 4), [3, 16 + 4 + 28 + 4, 0, 0]);
    assert_eq!(halves(&bytes, 0x24, 2), [0, 4]);
    assert_eq!(halves(&bytes, 0x28, 4), [1, 28, 0x40, 2]);
    assert_eq!(words(&bytes, 0x30, 1), [24]);
    assert_eq!(halves(&bytes, 0x34, 8), [0, 0, 0, 0, 256, 10, 0xFFFF, 1]);
    let read = AnimationPack::parse(&bytes).unwrap();
    assert_eq!(read.encoding(), Some(Encoding::Mhp3rd));
    assert_eq!(read, pack);
}

#[test]
fn tables_chain_and_slot_0_of_stream_0_counts() {
    // spec/mhp-formats.md §5.1.
    let clip = |frames| {
        Some(Clip::new(vec![Track::new(vec![channel(
            ChannelKind::Rotation(Axis::Y),
            frames,
        )])]))
    };
    let mut streams = vec![vec![None; 7], vec![None; 2], vec![]];
    streams[0][0] = clip(3);
    streams[1][1] = clip(2);
    let pack = AnimationPack::from_streams(Encoding::Mhp3rd, streams).unwrap();
    let bytes = pack.write();
    assert_eq!(words(&bytes, 0, 8), [7, 0x20, 2, 0x3C, 0, 0x44, 0, 0x44]);
    assert_eq!(words(&bytes, 0x20, 2), [0x44, u32::MAX]);
    let read = AnimationPack::parse(&bytes).unwrap();
    assert_eq!(read.clip(0, 0).map(Clip::last_frame), Some(20));
    assert_eq!(read.clip(1, 1).map(Clip::last_frame), Some(10));
    assert_eq!(read.clip(0, 1), None);
    assert_eq!(read.clip(3, 0), None);

    let one_stream =
        AnimationPack::from_streams(Encoding::Mhfu, vec![vec![clip(1), None, None, None, None, None]]);
    let bytes = one_stream.unwrap().write();
    assert_eq!(words(&bytes, 0, 5), [6, 0x10, 0, 0x28, 0x28]);
}

#[test]
fn shared_clips_stay_shared_and_tails_stay() {
    let [first, second] = [1, 2].map(|track_count| Clip::new(vec![Track::default(); track_count]));
    let slots = |slots: &[Option<u32>]| slots.iter().map(|slot| slot.map(ClipId)).collect();
    let streams = vec![
        slots(&[Some(0), None, Some(1), Some(0)]),
        slots(&[Some(1), Some(0)]),
    ];
    for encoding in [Encoding::Mhfu, Encoding::Mhp3rd] {
        let clips = vec![first.clone(), second.clone()];
        let pack = AnimationPack::new(encoding, streams.clone(), clips)
            .unwrap()
            .with_tail(vec![7; 5]);
        let read = AnimationPack::parse(&pack.write()).unwrap();
        assert_eq!(read.streams(), streams);
        assert_eq!(read.clips().len(), 2);
        assert_eq!(read.tail(), [7; 5]);
        assert_eq!(read, pack);
    }
}

#[test]
fn a_pack_of_empty_slots_is_of_no_encoding() {
    let streams = || vec![vec![None; 3], vec![None]];
    let pack = AnimationPack::from_streams(Encoding::Mhfu, streams()).unwrap();
    assert_eq!(pack.encoding(), None);
    assert_eq!(
        pack,
        AnimationPack::from_streams(Encoding::Mhp3rd, streams()).unwrap()
    );
    assert_eq!(AnimationPack::parse(&pack.write()).unwrap(), pack);
    let pack = pack.with_tail(vec![1, 2, 3]);
    assert_eq!(AnimationPack::parse(&pack.write()).unwrap(), pack);
}

#[test]
fn what_no_file_can_hold_is_refused_when_built() {
    let clips = |count: usize| vec![Clip::default(); count];
    let new = |slots: &[u32], count| {
        let slots = slots.iter().map(|&clip| Some(ClipId(clip))).collect();
        AnimationPack::new(Encoding::Mhp3rd, vec![slots], clips(count)).unwrap_err()
    };
    assert_eq!(new(&[0], 2), InvalidPack::UnusedClip(1));
    assert!(matches!(
        new(&[1, 0], 2),
        InvalidPack::ClipOrder {
            slot: 0,
            clip: 1,
            next: 0,
            ..
        }
    ));
    assert!(matches!(
        new(&[0, 1], 1),
        InvalidPack::ClipOrder { slot: 1, clip: 1, .. }
    ));
    let streams = |count| AnimationPack::from_streams(Encoding::Mhfu, vec![vec![]; count]);
    assert_eq!(streams(0), Err(InvalidPack::StreamCount(0)));
    assert_eq!(streams(256), Err(InvalidPack::StreamCount(256)));
    let widest = streams(255).unwrap();
    assert_eq!(AnimationPack::parse(&widest.write()).unwrap(), widest);

    // spec/mhp-formats.md §5.2: a track of MHP3rd cannot exceed 65535 bytes.
    let track = |key_count| Track::new(vec![channel(ChannelKind::Rotation(Axis::X), key_count)]);
    let pack = |encoding, key_count| {
        let clip = Clip::new(vec![track(key_count)]);
        AnimationPack::from_streams(encoding, vec![vec![Some(clip)]])
    };
    assert!(
        pack(Encoding::Mhp3rd, 8190)
            .is_ok_and(|pack| { AnimationPack::parse(&pack.write()).is_ok_and(|read| read == pack) })
    );
    assert_eq!(
        pack(Encoding::Mhp3rd, 8191),
        Err(InvalidPack::TrackSize {
            clip: 0,
            track: 0,
            size: 65540
        })
    );
    assert!(pack(Encoding::Mhfu, 8191).is_ok());
}

#[test]
fn broken_packs_are_refused_with_the_place() {
    let bytes = mhfu_example().write();
    let check = |at, word, message: &str| {
        assert_eq!(
            error(&with_word(&bytes, at, word)),
            format!("animation pack: {message}")
        );
    };
    check(
        4,
        0x14,
        "header size at 0x4: found 0x14, expected a multiple of 8 from 0x10 to 0x800",
    );
    check(
        0xC,
        0x18,
        "stream 1, slot table offset at 0xc: found 0x18, expected 0x14, where the table before it ends",
    );
    check(
        8,
        1,
        "stream 1, slot count of the closing pair at 0x8: found 1, expected 0",
    );
    check(
        0x10,
        0x18,
        "stream 0, slot 0, clip offset at 0x10: found 0x18, expected a clip met before, or 0x14, \
         where the last one ended",
    );
    check(
        0x1C,
        0xAB,
        "clip 0, size at 0x1c: found 171, expected 172, header and content",
    );
    check(
        0x34,
        0x8000_0008,
        "clip 0, track 1, tag at 0x34: found mask 0x8, expected 0x38, the bits of the channels",
    );
    check(
        0x40,
        0x8013_0008,
        "clip 0, track 1, channel 0, tag at 0x40: found 0x80130008, expected 0x8012 in the upper half",
    );
    check(
        0x44,
        u32::MAX,
        &format!(
            "clip 0, track 1, channel 0, size at 0x48: found 28, expected {}, header and content",
            8 * u64::from(u32::MAX) + 12
        ),
    );
    // More tracks than there are: the reader runs into the file's end and no further.
    assert!(error(&with_word(&bytes, 0x18, u32::MAX)).contains("clip 0, track 3, tag at 0xc0"));
}

#[test]
fn a_track_size_of_0_does_not_hang_the_reader() {
    let pack = AnimationPack::from_streams(
        Encoding::Mhp3rd,
        vec![vec![Some(Clip::new(vec![Track::default(); 2]))]],
    );
    let mut bytes = pack.unwrap().write();
    bytes[0x26] = 0;
    assert_eq!(
        error(&bytes),
        "animation pack: clip 0, track 0, size at 0x26: found 0, expected 4, header and content"
    );
}

#[test]
fn bits_name_their_components() {
    // spec/mhp-formats.md §5.3 with §0 C1.
    let kinds = |bits: [u16; 3], kind: fn(Axis) -> ChannelKind| {
        for (bit, axis) in bits.into_iter().zip(Axis::ALL) {
            assert_eq!(ChannelKind::from_bit(bit), Some(kind(axis)));
            assert_eq!(kind(axis).bit(), bit);
        }
    };
    kinds([0x001, 0x002, 0x004], ChannelKind::Scale);
    kinds([0x008, 0x010, 0x020], ChannelKind::Rotation);
    kinds([0x040, 0x080, 0x100], ChannelKind::Location);
    kinds([0x200, 0x400, 0x800], ChannelKind::FineScale);
    for bit in [0, 3, 0x1000, 0x8000] {
        assert_eq!(ChannelKind::from_bit(bit), None);
    }
    assert_eq!(ChannelKind::Scale(Axis::X).unit() * 16.0, 1.0);
    assert_eq!(
        4096.0 * ChannelKind::Rotation(Axis::Z).unit(),
        std::f32::consts::FRAC_PI_2
    );
}

prop_compose! {
    fn any_key()(parts in any::<[i16; 4]>()) -> Key {
        let [value, frame, ease_in, ease_out] = parts;
        Key { value, frame, ease_in, ease_out }
    }
}

prop_compose! {
    fn any_channel()(bit in any::<u16>(), keys in prop::collection::vec(any_key(), 0..4)) -> Channel {
        Channel { bit, keys }
    }
}

prop_compose! {
    fn any_clip()(
        loops in any::<u32>(),
        loop_start in any::<f32>(),
        tracks in prop::collection::vec(prop::collection::vec(any_channel(), 0..4), 0..4),
    ) -> Clip {
        let tracks = tracks.into_iter().map(Track::new).collect();
        Clip { loops, loop_start, tracks }
    }
}

prop_compose! {
    /// Packs with shared clips: each filled slot takes a new clip or one already used.
    fn any_pack()(
        encoding in prop_oneof![Just(Encoding::Mhfu), Just(Encoding::Mhp3rd)],
        slots in prop::collection::vec(
            prop::collection::vec(prop::option::of(any::<Index>()), 0..6), 1..5),
        clips in prop::collection::vec(any_clip(), 0..5),
        tail in prop::collection::vec(any::<u8>(), 0..9),
    ) -> AnimationPack {
        let mut used = 0;
        let streams = slots
            .into_iter()
            .map(|slots| {
                slots
                    .into_iter()
                    .map(|slot| {
                        let choices = clips.len().min(used + 1);
                        let clip = slot.filter(|_| choices > 0)?.index(choices);
                        used = used.max(clip + 1);
                        Some(ClipId(clip as u32))
                    })
                    .collect()
            })
            .collect();
        AnimationPack::new(encoding, streams, clips[..used].to_vec()).unwrap().with_tail(tail)
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(pack in any_pack()) {
        let bytes = pack.write();
        prop_assert!(looks_like_pack(&bytes));
        prop_assert_eq!(AnimationPack::parse(&bytes).unwrap(), pack);
    }

    #[test]
    fn damage_is_an_error_or_another_pack_and_never_a_panic(
        pack in any_pack(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..8),
        length in any::<Index>(),
    ) {
        let mut bytes = pack.write();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        for bytes in [&bytes[..], &bytes[..length.index(bytes.len())]] {
            if let Ok(read) = AnimationPack::parse(bytes) {
                prop_assert_eq!(read.write(), bytes);
            }
        }
    }
}
