//! The sample models: the committed files are what the generator makes, they read and rewrite to the
//! same bytes, and they keep the engine's rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use formats::animation::{AnimationPack, Clip};
use formats::bfres::Bfres;
use formats::fsha::CurveType;
use formats::mot::{Family, Form, Mot};
use formats::pac::Pac;
use formats::pmo::{PaletteWalk, Pmo, Version};
use formats::skeleton::Skeleton;
use formats::tmh::{PixelFormat, Tmh};
use ge_harness::sample::{SampleFile, files};
use motion::rules::{ImageCount, Level, check_model, check_pack, check_skeleton};
use vertex::{Component, Decoder, IndexFormat, Vertices};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/models")
}

/// The generated files by name, made once.
fn generated() -> &'static BTreeMap<String, SampleFile> {
    static FILES: LazyLock<BTreeMap<String, SampleFile>> = LazyLock::new(|| {
        let files = files().unwrap().into_iter();
        files.map(|file| (file.name.clone(), file)).collect()
    });
    &FILES
}

/// The entries of a generated PAC.
fn entries(name: &str) -> Vec<Vec<u8>> {
    Pac::parse(&generated()[name].bytes).unwrap().entries().to_vec()
}

/// Skeleton, model, textures, clips of the Freedom Unite wyvern.
fn freedom() -> (Skeleton, Pmo, Tmh, AnimationPack) {
    let pac = entries("wyvern.pac");
    (
        Skeleton::parse(&pac[0]).unwrap(),
        Pmo::parse(&pac[1]).unwrap(),
        Tmh::parse(&pac[2]).unwrap(),
        AnimationPack::parse(&pac[3]).unwrap(),
    )
}

/// The same of the Portable 3rd wyvern.
fn portable() -> (Skeleton, Pmo, Tmh, AnimationPack) {
    let files = generated();
    let pac = entries("wyvern-p3rd.pac");
    let geometry = &files["wyvern-p3rd.geometry.bin"].bytes;
    assert!(Pmo::needs_geometry(&pac[1]).unwrap());
    (
        Skeleton::parse(&pac[0]).unwrap(),
        Pmo::parse_with_geometry(&pac[1], geometry).unwrap(),
        Tmh::parse(&pac[2]).unwrap(),
        AnimationPack::parse(&files["wyvern-p3rd.moveset.bin"].bytes).unwrap(),
    )
}

/// `SAMPLES=write cargo test --test sample` writes the files anew.
#[test]
fn the_committed_files_are_what_the_generator_makes() {
    let files = generated();
    if std::env::var_os("SAMPLES").is_some_and(|value| value == "write") {
        for file in files.values() {
            let path = folder().join(&file.name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &file.bytes).unwrap();
        }
    }
    for file in files.values() {
        let committed = std::fs::read(folder().join(&file.name)).unwrap();
        let first = committed.iter().zip(&file.bytes).position(|(a, b)| a != b);
        assert!(
            committed.len() == file.bytes.len() && first.is_none(),
            "{} differs from what the generator makes: {} bytes against {}, first difference {first:?}",
            file.name,
            committed.len(),
            file.bytes.len()
        );
    }
}

#[test]
fn every_file_rewrites_to_the_same_bytes() {
    for (name, file) in generated().iter().filter(|(name, _)| name.ends_with(".pac")) {
        assert_eq!(Pac::parse(&file.bytes).unwrap().write(), file.bytes, "{name}");
    }
    let freedom_entries = entries("wyvern.pac");
    let (skeleton, pmo, tmh, clips) = freedom();
    assert_eq!(freedom_entries.len(), 7);
    assert_eq!(skeleton.write(), freedom_entries[0]);
    assert_eq!(pmo.write().unwrap(), freedom_entries[1]);
    assert_eq!(tmh.write(), freedom_entries[2]);
    assert_eq!(clips.write(), freedom_entries[3]);

    let files = generated();
    let portable_entries = entries("wyvern-p3rd.pac");
    let (skeleton, pmo, tmh, clips) = portable();
    assert_eq!(skeleton.write(), portable_entries[0]);
    assert_eq!(pmo.write().unwrap(), portable_entries[1]);
    assert_eq!(
        pmo.write_geometry().unwrap().unwrap(),
        files["wyvern-p3rd.geometry.bin"].bytes
    );
    assert_eq!(tmh.write(), portable_entries[2]);
    assert_eq!(clips.write(), files["wyvern-p3rd.moveset.bin"].bytes);

    let stage = entries("stage.pac");
    assert_eq!(Pmo::parse(&stage[0]).unwrap().write().unwrap(), stage[0]);
    assert_eq!(Tmh::parse(&stage[1]).unwrap().write(), stage[1]);
    assert_eq!(Pmo::parse(&stage[2]).unwrap().write().unwrap(), stage[2]);
    assert_eq!(Pac::parse(&stage[5]).unwrap().write(), stage[5]);
    let head = entries("wyvern-head.pac");
    assert_eq!(Pmo::parse(&head[1]).unwrap().write().unwrap(), head[1]);
    assert_eq!(Tmh::parse(&head[2]).unwrap().write(), head[2]);
    let shapes = &files["wyvern-head.bfres"].bytes;
    assert_eq!(&Bfres::parse(shapes).unwrap().write(), shapes);
    let motion = &files["loose/wyvern.mot"].bytes;
    assert_eq!(&Mot::parse(motion).unwrap().write(), motion);
    for (loose, entry) in [("pmo", 1), ("tmh", 2), ("skeleton", 0), ("animation", 3)] {
        assert_eq!(
            files[&format!("loose/wyvern.{loose}")].bytes,
            freedom_entries[entry]
        );
    }
}

#[test]
fn the_engines_rules_hold() {
    for (name, (skeleton, pmo, tmh, clips)) in [("mhfu", freedom()), ("mhp3rd", portable())] {
        let images = ImageCount::Known(tmh.images.len());
        let mut findings = check_model(&pmo, Some(&skeleton), images);
        findings.extend(check_skeleton(&skeleton));
        if name == "mhfu" {
            findings.extend(check_pack(&skeleton, &clips));
        }
        // That entries 24 and 25 fill the head alone is a note, and meant.
        findings.retain(|finding| finding.level() > Level::Note);
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{name}: {findings:#?}");
    }
    for (name, models, textures) in [("stage.pac", &[0, 2][..], 1), ("wyvern-head.pac", &[1], 2)] {
        let pac = entries(name);
        let images = ImageCount::Known(Tmh::parse(&pac[textures]).unwrap().images.len());
        let findings: Vec<_> = models
            .iter()
            .flat_map(|&model| check_model(&Pmo::parse(&pac[model]).unwrap(), None, images))
            .collect();
        let findings: Vec<String> = findings.iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{findings:#?}");
    }
}

#[test]
fn the_models_use_what_the_games_models_use() {
    let (_, pmo, tmh, _) = freedom();
    let types: BTreeSet<u32> = pmo
        .blocks
        .iter()
        .filter_map(|block| block.vertex_type())
        .map(|vtype| vtype.argument())
        .collect();
    // Weights 1 to 5 with 8-bit indices; one with 16-bit ones; two and three without indices.
    for vertex_type in [
        0x000b22, 0x004b22, 0x008b22, 0x00cb22, 0x010b22, 0x001322, 0x004322, 0x008322,
    ] {
        assert!(types.contains(&vertex_type), "{vertex_type:06x} of {types:06x?}");
    }
    let formats: BTreeSet<u32> = tmh.images.iter().map(|image| image.format().code()).collect();
    let wanted = [
        PixelFormat::Clut4,
        PixelFormat::Clut8,
        PixelFormat::Rgba4444,
        PixelFormat::Rgba5551,
        PixelFormat::Dxt1,
    ];
    assert!(
        wanted.iter().all(|format| formats.contains(&format.code())),
        "{formats:?}"
    );
    let vertices: usize = pmo.blocks.iter().map(|block| block.vertex_count()).sum();
    assert!((2000..6000).contains(&vertices), "{vertices}");

    let groups: Vec<_> = pmo.meshes.iter().flat_map(|mesh| &mesh.groups).collect();
    let kept = groups.iter().filter(|group| {
        let weights = pmo.blocks[group.block].vertex_type().unwrap().weight_count();
        group.palette.len() < weights
    });
    assert!(
        kept.count() > 0,
        "no group relies on a bone that an earlier one loaded"
    );
}

/// A bone that two slots held at once once left its group's own bone unloaded, and its weight unstored.
#[test]
fn the_weights_of_every_vertex_sum_to_exactly_one() {
    for pmo in [freedom().1, portable().1] {
        let slots = pmo.bone_palettes(PaletteWalk::Engine).unwrap();
        for group in pmo.groups() {
            let block = &pmo.blocks[group.group.block];
            let vertex_type = block.vertex_type().unwrap();
            let layout = vertex_type.layout();
            let loaded: BTreeSet<u8> = slots[group.index]
                .iter()
                .take(vertex_type.weight_count())
                .flatten()
                .copied()
                .collect();
            assert_eq!(loaded.len(), vertex_type.weight_count(), "group {}", group.index);
            for vertex in block.vertices.chunks_exact(layout.vertex_size) {
                let weights = &vertex[layout.weight.unwrap()..][..vertex_type.weight_count()];
                assert_eq!(
                    weights.iter().map(|&w| u32::from(w)).sum::<u32>(),
                    128,
                    "group {}",
                    group.index
                );
            }
        }
    }
}

/// Positions of a model in the order of groups and vertices, in model units.
fn positions(pmo: &Pmo) -> Vec<[f32; 3]> {
    let mut result = Vec::new();
    for mesh in &pmo.meshes {
        let scale = pmo.scale_of(mesh);
        for group in &mesh.groups {
            let block = &pmo.blocks[group.block];
            let mut vertices = Vertices::default();
            let decoder = Decoder::new(block.vertex_type().unwrap());
            decoder
                .decode(&block.vertices, block.vertex_count(), &mut vertices)
                .unwrap();
            let [x, y, z] = vertices.position().unwrap();
            result.extend(
                (0..block.vertex_count()).map(|i| [x[i] * scale[0], y[i] * scale[1], z[i] * scale[2]]),
            );
        }
    }
    result
}

#[test]
fn both_games_have_the_same_places_to_the_bit() {
    let (freedom, portable) = (freedom().1, portable().1);
    assert_eq!(freedom.version, Version::Mhfu);
    assert_eq!(portable.version, Version::Mhp3rd);
    let scales: BTreeSet<u32> = portable
        .meshes
        .iter()
        .map(|mesh| portable.scale_of(mesh)[0] as u32)
        .collect();
    assert!(scales.len() > 1, "meshes have scales of their own: {scales:?}");
    assert_eq!(positions(&freedom), positions(&portable));
}

#[test]
fn the_seam_of_the_tail_closes() {
    let (skeleton, pmo, ..) = freedom();
    let binds = skeleton.bind_positions();
    let slots = pmo.bone_palettes(PaletteWalk::AllGroups).unwrap();
    let mut places: [Vec<[f32; 3]>; 2] = [Vec::new(), Vec::new()];
    let all = positions(&pmo);
    let mut next = 0;
    let mut index = 0;
    for (number, mesh) in pmo.meshes.iter().enumerate() {
        for group in &mesh.groups {
            let count = pmo.blocks[group.block].vertex_count();
            // The tip is skinned to the severed chain alone, everything else never to it.
            let bones: Vec<u8> = slots[index].iter().flatten().copied().collect();
            let weights = pmo.blocks[group.block].vertex_type().unwrap().weight_count();
            assert!(
                bones
                    .iter()
                    .take(weights)
                    .all(|&bone| (bone >= 45) == (number == 1)),
                "{number} {bones:?}"
            );
            if number < 2 {
                places[number].extend(&all[next..next + count]);
            }
            next += count;
            index += 1;
        }
    }
    let carrier = binds[42];
    let attached: Vec<[f32; 3]> = places[1]
        .iter()
        .map(|p| std::array::from_fn(|i| p[i] + carrier[i]))
        .collect();
    let distance = |a: &[f32; 3], b: &[f32; 3]| -> f32 {
        a.iter()
            .zip(b)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f32>()
            .sqrt()
    };
    let nearest = |p: &[f32; 3]| attached.iter().map(|q| distance(p, q)).fold(f32::MAX, f32::min);
    let end = places[0].iter().map(|p| p[2]).fold(f32::MAX, f32::min);
    let rim: Vec<&[f32; 3]> = places[0].iter().filter(|p| p[2] < end + 12.0).collect();
    assert!(rim.len() >= 14, "{}", rim.len());
    assert!(rim.iter().all(|p| nearest(p) < 0.1));
    // Not attached, the tip lies at the origin, far from the stump.
    assert!(places[1].iter().all(|p| p[2] > -520.0 && p[1].abs() < 200.0));
}

fn equal_motion(a: &Clip, b: &Clip) -> bool {
    (a.loops, a.loop_start) == (b.loops, b.loop_start)
}

#[test]
fn both_games_have_the_same_motions() {
    let (skeleton, _, _, freedom) = freedom();
    let (_, _, _, portable) = portable();
    assert_eq!(freedom.streams().len(), 6);
    let part_of = |joint: usize| skeleton.bones[joint].stream as usize;
    let first = |part: usize| (0..45).find(|&joint| part_of(joint) == part).unwrap();
    let mut compared = 0;
    for entry in (0..=25).chain(100..=110) {
        let (half, slot) = (entry / 100, entry % 100);
        let Some(whole) = portable.clip(half, slot) else {
            continue;
        };
        assert_eq!(whole.tracks.len(), 45);
        for joint in 0..45 {
            let part = part_of(joint);
            match freedom.clip(2 * part + half, slot) {
                Some(clip) => {
                    assert_eq!(
                        clip.tracks[joint - first(part)],
                        whole.tracks[joint],
                        "entry {entry} joint {joint}"
                    );
                    assert!(equal_motion(clip, whole));
                    assert!(!clip.tracks[joint - first(part)].channels.is_empty());
                    compared += 1;
                }
                None => assert!(matches!(entry, 24 | 25) && part != 1, "entry {entry} part {part}"),
            }
        }
    }
    assert_eq!(compared, 13 * 45 + 2 * 7);
    // Entry 2 is entry 0's clip, shared and not stored twice.
    assert_eq!(freedom.streams()[0][2], freedom.streams()[0][0]);
}

#[test]
fn the_stage_is_painted_and_unlit() {
    let stage = entries("stage.pac");
    assert_eq!(stage.len(), 6);
    assert!(stage[4].starts_with(&[2, 1]));
    assert!(
        Pac::parse(&stage[5])
            .unwrap()
            .entry(0)
            .unwrap()
            .starts_with(b"HITS")
    );
    assert_eq!(stage[3].len(), 0xAA);
    for model in [0, 2] {
        let pmo = Pmo::parse(&stage[model]).unwrap();
        for block in &pmo.blocks {
            let vertex_type = block.vertex_type().unwrap();
            assert_eq!(vertex_type.weight(), Component::None);
            assert_eq!(vertex_type.normal(), Component::None);
            assert_eq!(vertex_type.with_index(IndexFormat::None).argument(), 0x000112);
        }
        assert!(
            pmo.meshes
                .iter()
                .all(|mesh| !mesh.lighting.lights() && mesh.lighting.fogs())
        );
        assert!(
            pmo.meshes
                .iter()
                .flat_map(|mesh| &mesh.groups)
                .all(|group| group.palette.is_empty())
        );
    }
}

/// Targets that moved nothing, or everything, would be no test of morphing.
#[test]
fn the_head_moves_by_morph_targets_alone() {
    let pmo = Pmo::parse(&entries("wyvern-head.pac")[1]).unwrap();
    assert!(pmo.groups().all(|place| place.group.palette.is_empty()));
    let count = |block: &formats::pmo::Block| block.vertex_type().unwrap().morph_count();
    assert_eq!(
        pmo.blocks.iter().map(count).collect::<BTreeSet<_>>(),
        BTreeSet::from([1, 4])
    );
    let mut moved = [0; 4];
    let mut vertices = 0;
    for block in pmo.blocks.iter().filter(|block| count(block) == 4) {
        let layout = block.vertex_type().unwrap().layout();
        let (uv, position) = (layout.texture_coordinate.unwrap(), layout.position.unwrap());
        for vertex in block.vertices.chunks_exact(layout.vertex_size) {
            vertices += 1;
            let targets: Vec<&[u8]> = vertex.chunks_exact(layout.target_size).collect();
            for (target, bytes) in targets.iter().enumerate() {
                // What all targets share stays where it is only if all of them hold it.
                assert_eq!(bytes[uv..uv + 4], targets[0][uv..uv + 4]);
                moved[target] += u32::from(bytes[position..] != targets[0][position..]);
            }
        }
    }
    assert_eq!(moved[0], 0);
    for (target, &moved) in moved.iter().enumerate().skip(1) {
        assert!(
            (40..vertices).contains(&moved),
            "target {target}: {moved} of {vertices}"
        );
    }
}

#[test]
fn the_heads_animations_close_and_use_three_kinds_of_curve() {
    let file = Bfres::parse(&generated()["wyvern-head.bfres"].bytes).unwrap();
    assert_eq!(file.warnings(), []);
    let mut kinds = Vec::new();
    for (animation, name) in file.animations().iter().zip(["idle", "roar"]) {
        assert_eq!(
            (&*animation.name, animation.is_looping(), animation.frame_count),
            (name, true, 120)
        );
        let [head] = &animation.shapes[..] else {
            panic!("{name}: one shape")
        };
        let keys: Vec<&str> = head.keys.iter().map(|key| &*key.name).collect();
        assert_eq!(keys, ["rest", "blink", "open", "flare"]);
        for curve in &head.curves {
            kinds.push(curve.curve_type);
            assert!(curve.rise().abs() < 0.01, "{name}: {}", curve.rise());
        }
    }
    for kind in [CurveType::Cubic, CurveType::Linear, CurveType::BakedFloat] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}

#[test]
fn the_mot_drives_the_wyverns_joints_as_a_loop() {
    let motion = Mot::parse(&generated()["loose/wyvern.mot"].bytes).unwrap();
    assert_eq!(
        (motion.form(), motion.frame_count(), motion.is_looping()),
        (Form::Okami, 61, true)
    );
    assert_eq!(motion.warnings(), []);
    let joints = freedom().0.bones.len() as i8;
    assert!(motion.curves().all(|(bone, ..)| (0..joints).contains(&bone)));
    let families: BTreeSet<_> = motion
        .curves()
        .map(|(.., curve)| format!("{:?}", curve.family()))
        .collect();
    let wanted = [Family::Quantized, Family::SinglePose].map(|family| format!("{family:?}"));
    assert_eq!(families, BTreeSet::from(wanted));
}
