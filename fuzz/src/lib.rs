//! What is fuzzed: plain functions over bytes, one for each reader.
//!
//! A body panics if a reader breaks its word: what it accepts must write back to the same bytes,
//! and nothing may panic. The targets in `fuzz_targets/` hand them to libFuzzer;
//! `tests/fuzz_corpus.rs` runs them over the committed seeds on stable Rust.

use std::num::NonZeroUsize;

use formats::animation::AnimationPack;
use formats::capture::{Capture, InitialState, Record, RecordKind, Version};
use formats::detect::{self as detection, ModelRoles, StageRoles};
use formats::pac::Pac;
use formats::pmo::{PaletteWalk, Pmo};
use formats::skeleton::Skeleton;
use formats::stage::Environment;
use formats::tmh::Tmh;
use ge::command::Command;
use ge::{Address, Ge, GeOptions, Stop};
use raster::Threads;

mod motions;

pub use motions::{bfres, fsha, mot};

/// A reader under test: the name of its target and folder of seeds, and its body.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("animation", animation),
    ("bfres", bfres),
    ("capture", capture),
    ("detect", detect),
    ("display_list", display_list),
    ("fsha", fsha),
    ("mot", mot),
    ("pac", pac),
    ("pmo", pmo),
    ("skeleton", skeleton),
    ("stage", stage),
    ("tmh", tmh),
];

/// Animation packs of both games.
pub fn animation(bytes: &[u8]) {
    if let Ok(pack) = AnimationPack::parse(bytes) {
        assert_eq!(pack.write(), bytes);
        for (stream, slots) in pack.streams().iter().enumerate() {
            for slot in 0..slots.len() {
                let _ = pack.clip(stream, slot).map(|clip| clip.last_frame());
            }
        }
    }
}

/// Captures: as files, and, since little that is damaged survives unpacking, as records and push
/// buffer taken from the bytes.
pub fn capture(bytes: &[u8]) {
    if let Ok(capture) = Capture::parse(bytes) {
        check_capture(&capture);
    }
    if let Some((table, rest)) = bytes.split_at_checked(9 * 4) {
        let mut push_buffer = InitialState::blank().to_bytes();
        push_buffer.extend_from_slice(rest);
        let mut records = vec![Record {
            kind: RecordKind::Init,
            offset: 0,
            size: 2048,
        }];
        for &[kind, s0, s1, s2, s3, o0, o1, o2, o3] in table.as_chunks().0 {
            records.extend(RecordKind::from_byte(kind).map(|kind| Record {
                kind,
                size: u32::from_le_bytes([s0, s1, s2, s3]),
                offset: u32::from_le_bytes([o0, o1, o2, o3]),
            }));
        }
        if let Ok(capture) = Capture::new(Version::V3, [0; 9], records, push_buffer) {
            check_capture(&capture);
        }
    }
}

fn check_capture(capture: &Capture) {
    for record in capture.records() {
        assert_eq!(capture.bytes(record).len(), record.size as usize);
        let _ = capture.payload(record);
    }
    let _ = (capture.initial_state(), capture.saved_clut(), capture.shown());
    let read = Capture::parse(&capture.write()).expect("a capture just written");
    assert!(read == *capture);
}

/// Detection, which must not read further than it has to, and the roles in what it takes for a PAC.
pub fn detect(bytes: &[u8]) {
    let _ = detection::detect(bytes).to_string();
    if let Ok(pac) = Pac::parse(bytes) {
        let _ = (ModelRoles::of(&pac), StageRoles::of(&pac));
    }
}

/// Display lists: the bytes are the list, and what it finds where it looks for vertices, textures and palettes, in
/// main memory and in VRAM.
pub fn display_list(bytes: &[u8]) {
    /// Commands and their work: some milliseconds.
    const BUDGET: u64 = 1 << 13;
    let threads = Threads::Count(NonZeroUsize::MIN);
    let mut ge = Ge::new(GeOptions {
        threads,
        ..GeOptions::default()
    });
    let list = Address::new(0x0880_0000);
    for copy in [0x0400_0000, 0x0800_0000, 0x0880_0000, 0x09FF_FF00] {
        ge.write(Address::new(copy), bytes);
    }
    let mut stop = ge.run(list, None, BUDGET);
    for _ in 0..4 {
        stop = match stop {
            Ok(Stop::Paused { .. } | Stop::Stalled { .. }) => ge.resume(None, BUDGET),
            _ => break,
        };
    }
    ge.finish();
    let words = bytes
        .chunks_exact(4)
        .map(|word| [word[0], word[1], word[2], word[3]]);
    for word in words.map(u32::from_le_bytes) {
        let _ = Command::from_word(word).to_string();
    }
}

/// PAC containers.
pub fn pac(bytes: &[u8]) {
    if let Ok(mut pac) = Pac::parse(bytes) {
        assert_eq!(pac.write(), bytes);
        for index in 0..pac.entries().len() {
            if pac.replace(index, vec![7; index % 5]).is_ok() {
                assert_eq!(Pac::parse(&pac.write()).as_ref(), Ok(&pac));
            }
        }
    }
}

/// Models of both games, with their geometry inline or, where the header says so, in a companion
/// file, for which the rest of the bytes is taken.
pub fn pmo(bytes: &[u8]) {
    if let Ok(pmo) = Pmo::parse(bytes) {
        check_pmo(&pmo, bytes, None);
    }
    if let Some(&[o0, o1, o2, o3]) = bytes.get(0x34..0x38)
        && let geometry = u32::from_le_bytes([o0, o1, o2, o3]) as usize
        && let Some((file, companion)) = bytes.split_at_checked(geometry)
        && Pmo::needs_geometry(file).unwrap_or(false)
        && let Ok(pmo) = Pmo::parse_with_geometry(file, companion)
    {
        check_pmo(&pmo, file, Some(companion));
    }
}

fn check_pmo(pmo: &Pmo, file: &[u8], companion: Option<&[u8]>) {
    assert_eq!(pmo.write().as_deref(), Ok(file));
    assert_eq!(pmo.write_geometry().as_ref().map(Option::as_deref), Ok(companion));
    let in_place = pmo.write_in_place(file, companion).expect("an unchanged model");
    assert_eq!(in_place.bytes, file);
    assert!(in_place.moved.is_empty());
    for group in pmo.groups() {
        let _ = (
            pmo.material_of(group.mesh, group.group),
            pmo.is_transparent(group),
        );
        let _ = pmo.triangles(group.index);
    }
    let _ = (
        pmo.bone_palettes(PaletteWalk::AllGroups),
        pmo.bone_palettes(PaletteWalk::Engine),
    );
}

/// Skeletons of both games.
pub fn skeleton(bytes: &[u8]) {
    if let Ok(mut skeleton) = Skeleton::parse(bytes) {
        assert_eq!(skeleton.write(), bytes);
        assert_eq!(skeleton.bind_positions().len(), skeleton.bones.len());
        assert!(skeleton.animated_count() <= skeleton.bones.len());
        skeleton.link_children();
        assert!(Skeleton::parse(&skeleton.write()).is_ok());
    }
}

/// Environment blocks of stages.
pub fn stage(bytes: &[u8]) {
    if let Ok(environment) = Environment::parse(bytes) {
        assert_eq!(environment.write(), bytes);
    }
}

/// Texture banks. Pictures of more than a megapixel, of which a few header bytes can state four
/// thousand, are not decoded here.
pub fn tmh(bytes: &[u8]) {
    if let Ok(tmh) = Tmh::parse(bytes) {
        assert_eq!(tmh.write(), bytes);
        for image in &tmh.images {
            if usize::from(image.width()) * usize::from(image.height()) <= 1 << 20 {
                for palette in 0..image.palette_count().min(2) {
                    let _ = image.decode(palette);
                }
            }
        }
    }
}
