use proptest::prelude::*;

use super::*;
use crate::FormatError;

/// Forty-five animated bones in three parts and a tail chain of three, as on the Tigrex
/// (`spec/mhp-formats.md` §8).
fn rig(encoding: BoneEncoding) -> Skeleton {
    let parents = |index: u16| match index {
        0 | 45 => None,
        31 | 40 => Some(2),
        _ => Some(index - 1),
    };
    let part = |index: u16| match index {
        0..31 => 0,
        31..40 => 1,
        40..45 => 2,
        _ => 3,
    };
    let bones = (0..48)
        .map(|index| Bone::new(parents(index), [0.0, 1.0, f32::from(index)]).in_part(part(index)))
        .collect();
    Skeleton::new(encoding, bones)
}

fn error(bytes: &[u8]) -> FormatError {
    Skeleton::parse(bytes).expect_err("these bytes are no skeleton")
}

#[test]
fn header_and_sections_stand_where_the_specification_puts_them() {
    let skeleton = rig(BoneEncoding::Mhfu);
    assert_eq!(skeleton.parameters, [0, 45]);
    let bytes = skeleton.write();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    // spec/mhp-formats.md §4.1: 0x18 + 4 x values + bones x section size.
    assert_eq!(bytes.len(), 0x18 + 4 * 2 + 48 * 0x10C);
    assert_eq!(
        [0, 4, 8, 0xC, 0x10, 0x14, 0x18, 0x1C].map(word),
        [0xC000_0000, 49, bytes.len() as u32, 0, 2, 20, 0, 45]
    );
    let bone = 0x20 + 31 * 0x10C;
    assert_eq!(
        [0, 4, 8, 0xC, 0x10, 0x14, 0x18].map(|at| word(bone + at)),
        [0x4000_0001, 1, 0x10C, 31, 2, 32, 40]
    );
    assert_eq!(word(bone + 0x1C + 12), 1.0f32.to_bits());
    assert_eq!(word(bone + 0x4C), u32::MAX);
    assert_eq!(word(bone + 0x50), 1);
    assert_eq!(Skeleton::parse(&bytes).unwrap(), skeleton);
}

#[test]
fn a_stated_parameter_count_may_disagree_with_the_section() {
    // spec/mhp-formats.md §4.1: three stated, two present, size 0x14.
    let mut skeleton = rig(BoneEncoding::Mhp3rd);
    skeleton.stated_parameter_count = 3;
    let bytes = skeleton.write();
    assert_eq!(bytes[0x14..0x18], [0x14, 0, 0, 0]);
    let read = Skeleton::parse(&bytes).unwrap();
    assert_eq!(read.parameters, [0, 45]);
    assert_eq!(read.stated_parameter_count, 3);
    assert_eq!(read, skeleton);
}

#[test]
fn the_section_size_and_not_the_magic_decides_the_encoding() {
    let mut skeleton = rig(BoneEncoding::Mhp3rd);
    skeleton.magic = Magic::Mhfu;
    let read = Skeleton::parse(&skeleton.write()).unwrap();
    assert_eq!(read.magic, Magic::Mhfu);
    assert_eq!(read.encoding(), BoneEncoding::Mhp3rd);
    assert_eq!(read, skeleton);
}

#[test]
fn names_keep_the_leftovers_behind_their_terminator() {
    let mut skeleton = Skeleton::new(
        BoneEncoding::Mhp3rd,
        vec![Bone::new(None, [0.0; 3]).named("Body01xyz")],
    );
    assert_eq!(skeleton.bones[0].name(), Some(&b"Body01xy"[..]));
    skeleton.bones[0].rest = BoneRest::Mhp3rd(*b"Hip\0ody0");
    let read = Skeleton::parse(&skeleton.write()).unwrap();
    assert_eq!(read.bones[0].name(), Some(&b"Hip"[..]));
    assert_eq!(read.bones[0].rest, BoneRest::Mhp3rd(*b"Hip\0ody0"));
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let bytes = rig(BoneEncoding::Mhfu).write();
    let with = |at: usize, word: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
        error(&bytes).to_string()
    };
    assert_eq!(
        with(0, 0x4000_0000),
        "skeleton: magic at 0x0: found 0x40000000, expected 0xc0000000 (MHFU) or 0x80000000 (MHP3rd)"
    );
    assert_eq!(
        with(0x20 + 2 * 0x10C + 0x10, 70_000),
        "skeleton: bone 2, parent at 0x248: found 70000, expected -1 or a bone index"
    );
    assert_eq!(
        with(0x20 + 0x10C + 0xC, 7),
        "skeleton: bone 1, index at 0x138: found 0x7, expected 0x1"
    );
    assert_eq!(
        with(8, 0x40),
        "skeleton: size at 0x8: found 0x40, expected 0x3260, the end of the last bone"
    );
    assert_eq!(
        with(0x14, 0x11),
        "skeleton: parameter section size at 0x14: found 0x11, expected 12 and 4 bytes a value"
    );
    // A lying bone count runs into the file's end and allocates nothing for it.
    assert_eq!(error(&bytes[..0x20 + 0x10C]).field, "bone 1, tag");
    assert!(with(4, u32::MAX).contains("bone 48, tag"));
    assert!(with(4, 0).contains("block count"));
}

#[test]
fn parents_that_cannot_be_followed_make_roots() {
    let parents = |parents: &[Option<u16>]| {
        let bones = parents.iter().map(|&parent| Bone::new(parent, [0.0; 3]));
        Skeleton::new(BoneEncoding::Mhfu, bones.collect()).parents()
    };
    // spec/mhp-formats.md §4.2.
    assert_eq!(
        parents(&[None, Some(2), Some(1), Some(7)]),
        [None, Some(2), None, None]
    );
    assert_eq!(parents(&[Some(0)]), [None]);
    assert_eq!(parents(&[Some(2), Some(0), Some(1)]), [Some(2), Some(0), None]);
}

#[test]
fn bind_positions_add_up_the_chain() {
    // spec/mhp-formats.md §4.3; the last bone is its own parent and so a root.
    let bones = vec![
        Bone::new(None, [0.0, 1.0, 0.0]),
        Bone::new(Some(0), [1.0, 0.0, 0.0]),
        Bone::new(Some(1), [0.0, 0.0, 2.0]),
        Bone::new(Some(3), [5.0, 0.0, 0.0]),
    ];
    let skeleton = Skeleton::new(BoneEncoding::Mhfu, bones);
    assert_eq!(
        skeleton.bind_positions(),
        [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 2.0], [5.0, 0.0, 0.0]]
    );
    assert_eq!(skeleton.root_bones().collect::<Vec<_>>(), [0, 3]);
    assert_eq!(skeleton.animated_count(), 3);
}

#[test]
fn a_long_chain_stored_backwards_takes_no_quadratic_time() {
    let count = u16::MAX;
    let bones = (0..count).map(|index| {
        let parent = (index + 1 < count).then_some(index + 1);
        Bone::new(parent, [1.0, 0.0, 0.0])
    });
    let skeleton = Skeleton::new(BoneEncoding::Mhp3rd, bones.collect());
    assert_eq!(skeleton.bind_positions()[0][0], f32::from(count));
}

fn bone_index() -> impl Strategy<Value = Option<u16>> {
    prop_oneof![Just(None), any::<u16>().prop_map(Some)]
}

prop_compose! {
    fn bone()(
        kind in any::<u16>(),
        links in [bone_index(), bone_index(), bone_index()],
        floats in proptest::array::uniform12(any::<f32>()),
        link in any::<i32>(),
        stream in any::<u32>(),
        rest in prop_oneof![
            proptest::array::uniform8(any::<u8>()).prop_map(BoneRest::Mhp3rd),
            any::<u8>().prop_map(|byte| BoneRest::Mhfu([byte; 0xB8])),
        ],
    ) -> Bone {
        let [parent, child, sibling] = links;
        let [a, b, c, d, e, f, g, h, i, j, k, l] = floats;
        Bone {
            kind, parent, child, sibling,
            scale: [a, b, c], rotation: [d, e, f], position: [g, h, i], w: [j, k, l],
            link, stream, rest,
        }
    }
}

prop_compose! {
    fn any_skeleton()(
        magic in prop_oneof![Just(Magic::Mhfu), Just(Magic::Mhp3rd)],
        parameters in proptest::collection::vec(any::<u32>(), 0..5),
        stated_parameter_count in any::<u32>(),
        bones in proptest::collection::vec(bone(), 0..6),
        tail in proptest::collection::vec(any::<u8>(), 0..20),
    ) -> Skeleton {
        Skeleton { magic, parameters, stated_parameter_count, bones, tail }
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(skeleton in any_skeleton()) {
        prop_assert_eq!(Skeleton::parse(&skeleton.write()).unwrap(), skeleton);
    }

    #[test]
    fn damage_is_an_error_or_another_skeleton_and_never_a_panic(
        skeleton in any_skeleton(),
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8),
        length in any::<proptest::sample::Index>(),
    ) {
        let mut bytes = skeleton.write();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        for bytes in [&bytes[..], &bytes[..length.index(bytes.len())]] {
            if let Ok(read) = Skeleton::parse(bytes) {
                prop_assert_eq!(read.write(), bytes);
                prop_assert_eq!(read.bind_positions().len(), read.bones.len());
            }
        }
    }
}
