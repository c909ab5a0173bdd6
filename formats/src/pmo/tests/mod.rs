//! The specification's numbers, and files that are unusual or lie.

use vertex::VertexType;

use super::list::{FrontFace, ListCommand, PrimitiveKind};
use super::*;

mod in_place;
mod lists;
mod refusals;

const ONE_WEIGHT: u32 = 0x0322;
const TWO_WEIGHTS: u32 = 0x4322;
const THREE_WEIGHTS: u32 = 0x8322;

fn strip(vertices: std::ops::Range<u32>) -> Draw {
    Draw {
        kind: PrimitiveKind::TriangleStrip,
        front_face: FrontFace::AsGiven,
        vertices: vertices.collect(),
    }
}

/// A block of `count` vertices, the bytes of each its number, drawn as one strip.
fn block(vertex_type: u32, count: u8) -> Block {
    let vertex_type = VertexType::from_argument(vertex_type);
    let stride = vertex_type.layout().vertex_size;
    let vertices: Vec<u8> = (0..count).flat_map(|number| vec![number; stride]).collect();
    Block::build(
        vertex_type,
        &vertices,
        &[strip(0..u32::from(count))],
        Indexing::Smallest,
    )
    .expect("few vertices")
}

fn material(alpha: u8) -> Material {
    Material {
        color: [1, 2, 3, alpha],
        ambient: [4; 4],
        image: None,
        pad: [0; 3],
        leftover: 0,
    }
}

fn group(material: u8, palette: &[(u8, u8)], block: usize) -> Group {
    let palette = palette
        .iter()
        .map(|&(slot, bone)| PaletteEntry { slot, bone })
        .collect();
    Group {
        material,
        palette,
        block,
    }
}

fn mesh(version: Version, remap: &[u16], groups: Vec<Group>) -> Mesh {
    let placement = MeshPlacement {
        scale: [2.0, 3.0, 4.0, 0.0],
        uv_offset: [0.0; 2],
    };
    Mesh {
        placement: (version == Version::Mhp3rd).then_some(placement),
        uv_scale: [1.0; 2],
        lighting: LightingFlags(0x8000_0003),
        blend: 0,
        pad: 0,
        remap: remap.to_vec(),
        groups,
    }
}

/// A model of one mesh with a group for each block.
fn model(version: Version, blocks: Vec<Block>) -> Pmo {
    let groups = (0..blocks.len()).map(|block| group(0, &[], block)).collect();
    Pmo {
        meshes: vec![mesh(version, &[0], groups)],
        materials: vec![material(255)],
        blocks,
        ..Pmo::new(version)
    }
}

fn word(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes([
        bytes[offset],
        bytes[offset + 1],
        bytes[offset + 2],
        bytes[offset + 3],
    ])
}

fn set_word(bytes: &mut [u8], offset: usize, word: u32) {
    bytes[offset..offset + 4].copy_from_slice(&word.to_le_bytes());
}

fn header_offsets(file: &[u8]) -> [u32; 6] {
    [0x20, 0x24, 0x28, 0x2C, 0x30, 0x34].map(|field| word(file, field))
}

/// `spec/mhp-formats.md §3.1`.
#[test]
fn tables_stand_where_the_specification_puts_them() {
    let small = model(Version::Mhfu, vec![block(ONE_WEIGHT, 3)])
        .write()
        .expect("valid");
    assert_eq!(header_offsets(&small), [0x40, 0x60, 0x70, 0x80, 0x80, 0x90]);

    let version = Version::Mhfu;
    let groups = vec![group(0, &[(0, 3), (1, 4)], 0), group(1, &[(1, 5)], 0)];
    let larger = Pmo {
        meshes: vec![
            mesh(version, &[0, 1], groups),
            mesh(version, &[1], vec![group(0, &[], 0)]),
        ],
        materials: vec![material(255); 2],
        blocks: vec![block(ONE_WEIGHT, 3)],
        ..Pmo::new(version)
    };
    let file = larger.write().expect("valid");
    assert_eq!(header_offsets(&file), [0x40, 0x70, 0xA0, 0xB0, 0xC0, 0xE0]);
    assert_eq!(word(&file, 0x08) as usize, file.len());
    assert_eq!(Pmo::parse(&file), Ok(larger));
}

/// `spec/mhp-formats.md §3.3`, example.
#[test]
fn a_quad_is_laid_out_as_the_specification_says() {
    for (version, vertex_type, vertices, indices, length, stride) in [
        (Version::Mhfu, TWO_WEIGHTS, 0x30, 0x70, 0x80, 16),
        (Version::Mhp3rd, THREE_WEIGHTS, 0x24, 0x6C, 0x70, 18),
    ] {
        let quad = model(version, vec![block(vertex_type, 4)]);
        let geometry = quad.geometry().expect("valid");
        assert_eq!(
            geometry.groups,
            [GroupOffsets {
                list: 0,
                vertices,
                indices
            }]
        );
        assert_eq!(geometry.bytes.len(), length);
        let list: Vec<u32> = (0..9).map(|place| word(&geometry.bytes, place * 4)).collect();
        let vertex_type = 0x1200_0000 | vertex_type | 0x0800;
        assert_eq!(
            list,
            [
                0x1400_0000,
                0x1000_0000,
                0x0200_0000 | indices,
                0x0100_0000 | vertices,
                vertex_type,
                0x9B00_0000,
                0x0404_0004,
                0x1300_0000,
                0x0B00_0000
            ]
        );
        assert_eq!(
            geometry.bytes[vertices as usize..][..4 * stride],
            quad.blocks[0].vertices
        );
        assert_eq!(geometry.bytes[indices as usize..][..4], [0, 1, 2, 3]);
        assert_eq!(quad.triangles(0), Some(Ok(vec![[0, 1, 2], [2, 1, 3]])));
        assert_eq!(quad.triangles(1), None);
    }
}

/// `spec/mhp-formats.md §3.7`, worked example, and C9 on top of it.
#[test]
fn palettes_carry_over_in_both_walks() {
    let version = Version::Mhfu;
    let mut walked = Pmo {
        meshes: vec![
            mesh(
                version,
                &[0, 1],
                vec![group(0, &[(0, 5), (1, 6), (2, 7)], 0), group(1, &[(1, 9)], 0)],
            ),
            mesh(
                version,
                &[0],
                vec![group(0, &[], 0), group(0, &[(0, 2), (3, 4)], 0)],
            ),
        ],
        materials: vec![material(255), material(255)],
        blocks: vec![block(ONE_WEIGHT, 3)],
        ..Pmo::new(version)
    };
    let slots = |palette: BoneSlots| -> Vec<u8> { palette.into_iter().flatten().collect() };
    let walk = |model: &Pmo, walk| -> Vec<Vec<u8>> {
        model
            .bone_palettes(walk)
            .expect("slots below 8")
            .into_iter()
            .map(slots)
            .collect()
    };
    let all = [vec![5, 6, 7], vec![5, 9, 7], vec![5, 9, 7], vec![2, 9, 7, 4]];
    assert_eq!(walk(&walked, PaletteWalk::AllGroups), all);
    assert_eq!(walk(&walked, PaletteWalk::Engine), all);

    walked.materials[1].color[3] = 0;
    assert_eq!(walk(&walked, PaletteWalk::AllGroups), all);
    let reached = [vec![5, 6, 7], vec![5, 6, 7], vec![5, 6, 7], vec![2, 6, 7, 4]];
    assert_eq!(walk(&walked, PaletteWalk::Engine), reached);
    let without_mesh_1 = walked
        .bone_palettes_of(|group| group.mesh != 1)
        .expect("slots below 8");
    assert_eq!(slots(without_mesh_1[3]), [5, 9, 7]);

    walked.meshes[1].groups[0] = group(0, &[(8, 1)], 0);
    assert_eq!(
        walked.bone_palettes(PaletteWalk::Engine),
        Err(SlotError {
            group: 2,
            slot: 8,
            bone: 1
        })
    );
}

#[test]
fn materials_are_found_through_the_remap_table() {
    let version = Version::Mhp3rd;
    let mut mapped = Pmo {
        meshes: vec![
            mesh(version, &[2, 0xFF], Vec::new()),
            mesh(version, &[1, 9], Vec::new()),
        ],
        materials: vec![material(255); 3],
        ..Pmo::new(version)
    };
    let choice = |model: &Pmo, mesh, number| model.material_of(mesh, &group(number, &[], 0));
    assert_eq!(choice(&mapped, 0, 0), Some(MaterialChoice::Material(2)));
    assert_eq!(choice(&mapped, 0, 1), Some(MaterialChoice::Current));
    // Past the mesh's own entries the next mesh's follow, as for the engine.
    assert_eq!(choice(&mapped, 0, 2), Some(MaterialChoice::Material(1)));
    assert_eq!(choice(&mapped, 1, 1), None);
    assert_eq!(choice(&mapped, 1, 2), None);
    assert_eq!(choice(&mapped, 2, 0), None);

    mapped.remap_table = RemapTable::Identity;
    mapped.meshes[0].remap = vec![0, 1];
    mapped.meshes[1].remap = vec![2];
    assert_eq!(choice(&mapped, 1, 0), Some(MaterialChoice::Material(2)));
    assert_eq!(choice(&mapped, 1, 1), None);
    let file = mapped.write().expect("valid");
    assert_eq!(word(&file, 0x28), 0);
    assert_eq!(Pmo::parse(&file), Ok(mapped.clone()));
    mapped.meshes[1].remap = vec![1];
    assert_eq!(
        mapped.write(),
        Err(WriteError::Remap {
            mesh: 1,
            entry: 0,
            found: 1
        })
    );
}

#[test]
fn a_mesh_of_portable_3rd_has_its_own_scale() {
    let mhp3rd = model(Version::Mhp3rd, vec![block(ONE_WEIGHT, 3)]);
    assert_eq!(mhp3rd.scale_of(&mhp3rd.meshes[0]), [2.0, 3.0, 4.0]);
    let mhfu = model(Version::Mhfu, vec![block(ONE_WEIGHT, 3)]);
    assert_eq!(mhfu.scale_of(&mhfu.meshes[0]), [1.0; 3]);
    let mut mixed = mhfu;
    mixed.version = Version::Mhp3rd;
    assert!(matches!(mixed.write(), Err(WriteError::Version(_))));
}

#[test]
fn geometry_can_stand_in_a_companion() {
    let mut split = model(
        Version::Mhp3rd,
        vec![block(ONE_WEIGHT, 3), block(THREE_WEIGHTS, 5)],
    );
    split.geometry_place = GeometryPlace::Companion { tail: vec![7; 5] };
    let file = split.write().expect("valid");
    let companion = split.write_geometry().expect("valid").expect("a companion");
    assert_eq!(word(&file, 0x34) as usize, file.len());
    assert_eq!(word(&file, 0x08) as usize, file.len() + companion.len() - 5);
    assert_eq!(Pmo::needs_geometry(&file), Ok(true));
    assert_eq!(Pmo::parse_with_geometry(&file, &companion), Ok(split.clone()));
    let error = Pmo::parse(&file).expect_err("no geometry").to_string();
    assert!(error.contains("which stand in the companion file"), "{error}");
    let error = Pmo::parse_with_geometry(&file, &companion[..8])
        .expect_err("too short")
        .to_string();
    assert!(
        error.starts_with("PMO companion: geometry region at 0x0: found a file of 0x8 bytes"),
        "{error}"
    );

    // One byte more, and the geometry is neither here nor there.
    let mut longer = file.clone();
    longer.push(0);
    let error = Pmo::needs_geometry(&longer).expect_err("neither").to_string();
    assert!(error.starts_with("PMO: size at 0x8: found"), "{error}");
    // Freedom Unite has no companions.
    let mut mhfu = model(Version::Mhfu, vec![block(ONE_WEIGHT, 3)])
        .write()
        .expect("valid");
    mhfu.truncate(0x90);
    assert!(Pmo::needs_geometry(&mhfu).is_err());
}

#[test]
fn a_shared_block_stays_shared() {
    let mut shared = model(Version::Mhfu, vec![block(ONE_WEIGHT, 3), block(ONE_WEIGHT, 4)]);
    shared.meshes[0].groups.push(group(0, &[], 0));
    let file = shared.write().expect("valid");
    let again = Pmo::parse(&file).expect("written");
    assert_eq!(again.blocks.len(), 2);
    assert_eq!(again, shared);
    let offsets = again.geometry().expect("valid").groups;
    assert_eq!(offsets[0], offsets[2]);
}

#[test]
fn dirty_padding_and_odd_places_survive_until_a_length_changes() {
    let clean = model(Version::Mhfu, vec![block(ONE_WEIGHT, 3), block(ONE_WEIGHT, 4)]);
    let fresh = clean.write().expect("valid");
    let mut dirty = fresh.clone();
    dirty[0x59] = 1; // after the mesh record
    dirty[0x81] = 2; // after the remap byte
    let end = dirty.len() - 1;
    dirty[end] = 3; // after the last index
    let mut read = Pmo::parse(&dirty).expect("valid");
    assert_eq!(read.write().as_ref(), Ok(&dirty));
    assert_eq!(read, clean);

    // Same lengths: the padding stays. Another length: the region is laid out afresh.
    read.blocks[1].vertices[0] = 0xAB;
    read.materials[0].color = [9; 4];
    let edited = read.write().expect("valid");
    assert_eq!((edited[0x59], edited[0x81], edited[end]), (1, 2, 3));
    assert_eq!(
        Pmo::parse(&edited).map(|model| model.blocks),
        Ok(read.blocks.clone())
    );
    read.blocks[1] = block(ONE_WEIGHT, 5);
    let edited = read.write().expect("valid");
    assert_eq!((edited[0x59], edited[0x81]), (1, 2));
    assert_eq!(Pmo::parse(&edited), Ok(read.clone()));
    read.materials.push(material(0));
    let edited = read.write().expect("valid");
    assert_eq!((edited[0x59], edited[0x81]), (0, 0));
    assert_eq!(Pmo::parse(&edited), Ok(read));
}
