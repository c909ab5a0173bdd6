use super::*;
use crate::animation::{AnimationPack, Clip, Encoding, Track};
use crate::pac::{Alignment, Pac};
use crate::skeleton::{Bone, BoneEncoding, Skeleton};

fn pmo(version: &[u8; 4], mesh_count: u8) -> Vec<u8> {
    let mut bytes = b"pmo\0".to_vec();
    bytes.extend(version);
    bytes.resize(0x40, 0);
    bytes[0x1C] = mesh_count;
    bytes
}

fn tmh() -> Vec<u8> {
    b".TMH0.14\0\0\0\0\0\0\0\0".to_vec()
}

fn skeleton(encoding: BoneEncoding) -> Vec<u8> {
    Skeleton::new(encoding, vec![Bone::new(None, [0.0; 3])]).write()
}

fn pack(encoding: Encoding) -> Vec<u8> {
    let clip = Clip::new(vec![Track::default()]);
    let streams = vec![vec![None, Some(clip)], vec![]];
    AnimationPack::from_streams(encoding, streams).unwrap().write()
}

fn pac(entries: Vec<Vec<u8>>) -> Pac {
    Pac::new(entries, Alignment::Bytes16).unwrap()
}

fn stage() -> Pac {
    let collision = Pac::new(
        vec![b"HITSwalls".to_vec(), b"HITSfloor".to_vec()],
        Alignment::Bytes4,
    );
    pac(vec![
        pmo(b"1.0\0", 1),
        tmh(),
        vec![],
        vec![1, 0],
        vec![2, 1],
        collision.unwrap().write(),
    ])
}

#[test]
fn every_kind_is_told() {
    assert_eq!(detect(&stage().write()), Kind::StagePac);
    assert_eq!(detect(&pac(vec![vec![]; 7]).write()), Kind::StagePac);
    assert_eq!(detect(&pmo(b"1.0\0", 1)), Kind::Pmo);
    assert_eq!(detect(&pmo(b"102\0", 1)), Kind::Pmo);
    assert_eq!(detect(&tmh()), Kind::Tmh);
    for encoding in [BoneEncoding::Mhfu, BoneEncoding::Mhp3rd] {
        assert_eq!(detect(&skeleton(encoding)), Kind::Skeleton);
    }
    for encoding in [Encoding::Mhfu, Encoding::Mhp3rd] {
        assert_eq!(detect(&pack(encoding)), Kind::AnimationPack);
    }
    let empty = AnimationPack::from_streams(Encoding::Mhfu, vec![vec![None; 70]]);
    assert_eq!(detect(&empty.unwrap().write()), Kind::AnimationPack);
    assert_eq!(detect(&pac(vec![tmh()]).write()), Kind::Pac);

    for (magic, kind, name) in [
        (&b"PPSSPPGE"[..], Kind::Capture, "GE capture (.ppdmp)"),
        (b"PK\x03\x04", Kind::Zip, "zip archive"),
        (b"PK\x05\x06", Kind::Zip, "zip archive"),
        (b"mtb3", Kind::Mot, "animation (MOT)"),
        (b"mot\0", Kind::Mot, "animation (MOT)"),
        (b"FRES", Kind::Bfres, "resource container (BFRES)"),
        (b"FSHA", Kind::Fsha, "shape animation (FSHA)"),
        (b"HITS", Kind::Collision, "collision (HITS)"),
        (b"NSP\0", Kind::Nsp, "NSP file"),
        (b"ASB\0", Kind::Asb, "ASB file"),
        (b"ARV\0", Kind::Arv, "ARV file"),
        (b"PSMF", Kind::Psmf, "PSP video (PSMF)"),
        (b"RIFF", Kind::Riff, "sound (RIFF)"),
        (b"VAGp", Kind::Vag, "sound (VAG)"),
        (b"\x89PNG\r\n\x1A\n", Kind::Png, "picture (PNG)"),
    ] {
        assert_eq!(detect(magic), kind);
        assert_eq!(kind.to_string(), name);
        assert_eq!(detect(&magic[..magic.len() - 1]), Kind::Unknown);
    }
    let mut disc = vec![0; 0x8800];
    disc[0x8001..0x8006].copy_from_slice(b"CD001");
    assert_eq!(detect(&disc), Kind::DiscImage);
    assert_eq!(detect(b""), Kind::Unknown);
    assert_eq!(detect(&[0; 64]), Kind::Unknown);
}

#[test]
fn near_misses_are_not_taken() {
    // spec/mhp-formats.md §1.4: at least 0x40 bytes, and one of the two versions.
    assert_eq!(detect(&pmo(b"1.0\0", 1)[..0x3F]), Kind::Unknown);
    assert_eq!(detect(&pmo(b"101\0", 1)), Kind::Unknown);
    // §1.6: a count of 1 with a zero pair is no PAC.
    assert_eq!(detect(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), Kind::Unknown);
    let mut long = skeleton(BoneEncoding::Mhfu);
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(detect(&long), Kind::Unknown);
    // Tables that chain on, but a first clip of neither game.
    let mut other = pack(Encoding::Mhfu);
    let clip = 8 * 3 + 8;
    other[clip..clip + 4].copy_from_slice(&0x8000_0003_u32.to_le_bytes());
    assert_eq!(detect(&other), Kind::Unknown);
    // A stage whose sixth entry is no collision is a plain PAC.
    let mut plain = stage();
    plain.replace(5, vec![1; 20]).unwrap();
    assert_eq!(detect(&plain.write()), Kind::Pac);
}

#[test]
fn the_decrypted_archive_is_told() {
    // spec/mhp-formats.md §7: files of 10, 0 and 3000 bytes: words 1, 2, 2, 4, four blocks.
    let mut archive = vec![0; 4 * 2048];
    for (index, word) in [1u32, 2, 2, 4, 0, 10, 2, 3000].into_iter().enumerate() {
        archive[4 * index..4 * index + 4].copy_from_slice(&word.to_le_bytes());
    }
    assert_eq!(detect(&archive), Kind::DataBin);
    archive[12] = 3;
    assert_eq!(detect(&archive), Kind::Unknown);
    assert_eq!(detect(&archive[..2048]), Kind::Unknown);
}

#[test]
fn mhfu_roles_follow_the_fixed_order() {
    let first = || {
        vec![
            skeleton(BoneEncoding::Mhfu),
            pmo(b"1.0\0", 7),
            tmh(),
            pack(Encoding::Mhfu),
        ]
    };
    let alone = ModelRoles {
        skeleton: Some(0),
        pmo: Some(1),
        tmh: Some(2),
        animation: Some(3),
        second: None,
    };
    let mut entries = first();
    entries.extend(vec![vec![]; 3]);
    assert_eq!(ModelRoles::of(&pac(entries)), alone);

    // A second model, even one with more meshes, does not become the first.
    let mut entries = first();
    entries.extend([skeleton(BoneEncoding::Mhfu), pmo(b"1.0\0", 9), tmh()]);
    let second = SecondSet {
        skeleton: Some(4),
        pmo: 5,
        tmh: Some(6),
    };
    assert_eq!(
        ModelRoles::of(&pac(entries)),
        ModelRoles {
            second: Some(second),
            ..alone
        }
    );
}

#[test]
fn mhp3rd_roles_follow_the_content() {
    // The lobby-style file 04900 (spec/mhp-formats.md §1.3): a second model and bank behind.
    let mut entries = vec![vec![7; 8]; 12];
    entries[0] = pmo(b"102\0", 16);
    entries[1] = skeleton(BoneEncoding::Mhp3rd);
    entries[3] = tmh();
    entries[9] = pmo(b"102\0", 16);
    entries[10] = tmh();
    let roles = ModelRoles {
        skeleton: Some(1),
        pmo: Some(0),
        tmh: Some(3),
        animation: None,
        second: None,
    };
    assert_eq!(ModelRoles::of(&pac(entries.clone())), roles);
    // The model with the most meshes takes the bank behind it.
    entries[9] = pmo(b"102\0", 17);
    let other = ModelRoles {
        pmo: Some(9),
        tmh: Some(10),
        ..roles
    };
    assert_eq!(ModelRoles::of(&pac(entries.clone())), other);
    entries[10] = vec![1];
    assert_eq!(ModelRoles::of(&pac(entries)).tmh, Some(3));
    // Equipment of either game: model, skeleton, textures.
    let equipment = vec![pmo(b"1.0\0", 1), skeleton(BoneEncoding::Mhfu), tmh()];
    let roles = ModelRoles::of(&pac(equipment));
    assert_eq!(
        (roles.pmo, roles.skeleton, roles.tmh),
        (Some(0), Some(1), Some(2))
    );
    assert_eq!(ModelRoles::of(&pac(vec![vec![1]])), ModelRoles::default());
}

#[test]
fn stage_roles_name_the_filled_entries() {
    let roles = StageRoles::of(&stage());
    assert_eq!(roles.props, None);
    assert_eq!(roles.extra, [None, None]);
    assert_eq!(
        (roles.terrain, roles.environment, roles.collision),
        (Some(0), Some(3), Some(5))
    );
    let stage = stage();
    let collision = Pac::parse(stage.entry(5).unwrap()).unwrap();
    assert!(
        collision
            .entries()
            .iter()
            .all(|block| detect(block) == Kind::Collision)
    );
    assert_eq!(StageRoles::of(&pac(vec![vec![]; 6])), StageRoles::default());
}
