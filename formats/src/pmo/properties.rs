//! Properties of whole models: what is written is read, what is broken is refused.

use proptest::prelude::*;
use vertex::{IndexFormat, VertexType};

use super::list::{FrontFace, ListCommand, PrimitiveKind};
use super::{
    Block, BlockCommand, Draw, GeometryPlace, Group, Indexing, LightingFlags, Material, Mesh, MeshPlacement,
    PaletteEntry, PaletteWalk, Pmo, RemapTable, Version,
};

fn any_draw(vertices: u32) -> impl Strategy<Value = Draw> {
    (0..8_u32, any::<bool>(), prop::collection::vec(0..vertices, 1..12)).prop_map(
        |(kind, reversed, vertices)| Draw {
            kind: PrimitiveKind::from_code(kind),
            front_face: if reversed {
                FrontFace::Reversed
            } else {
                FrontFace::AsGiven
            },
            vertices,
        },
    )
}

fn any_indexing() -> impl Strategy<Value = Indexing> {
    prop_oneof![Just(Indexing::Smallest), Just(Indexing::None)]
}

/// Vertex type, vertex bytes, draws. Few vertices mostly, sometimes more than a byte can number.
fn any_parts() -> impl Strategy<Value = (VertexType, Vec<u8>, Vec<Draw>)> {
    let vertices = prop_oneof![9 => 1..40_u32, 1 => 250..300_u32];
    (any::<u32>(), vertices).prop_flat_map(|(argument, count)| {
        let vertex_type = VertexType::from_argument(argument);
        let length = vertex_type.layout().vertex_size * count as usize;
        (
            Just(vertex_type),
            prop::collection::vec(any::<u8>(), length),
            prop::collection::vec(any_draw(count), 0..6),
        )
    })
}

/// A built block with a command that no builder writes, cut to the vertices that it draws, as reading
/// gives it.
fn any_block() -> impl Strategy<Value = Block> {
    (
        any_parts(),
        any_indexing(),
        0x15..0x9B_u8,
        any::<u32>(),
        any::<prop::sample::Index>(),
    )
        .prop_map(
            |((vertex_type, vertices, draws), indexing, opcode, argument, place)| {
                let mut block = Block::build(vertex_type, &vertices, &draws, indexing).expect("valid parts");
                let drawn = block
                    .draws()
                    .expect("built")
                    .iter()
                    .flat_map(|draw| draw.vertices.iter())
                    .max()
                    .map_or(0, |&last| last as usize + 1);
                block.vertices.truncate(drawn * vertex_type.layout().vertex_size);
                if block.indices.is_empty() {
                    // Without draws an index address means nothing, and reads as any other command.
                    block
                        .list
                        .retain(|command| !matches!(command, BlockCommand::Indices(_)));
                }
                let command = ListCommand::from_word(u32::from(opcode) << 24 | argument & 0xFF_FFFF);
                let place = place.index(block.list.len());
                block.list.insert(place, BlockCommand::Plain(command));
                block
            },
        )
}

fn any_group(blocks: usize) -> impl Strategy<Value = Group> {
    let entry = (any::<u8>(), any::<u8>()).prop_map(|(slot, bone)| PaletteEntry { slot, bone });
    (any::<u8>(), prop::collection::vec(entry, 0..6), 0..blocks).prop_map(|(material, palette, block)| {
        Group {
            material,
            palette,
            block,
        }
    })
}

fn any_mesh(blocks: usize) -> impl Strategy<Value = Mesh> {
    (
        any::<[u16; 8]>(),
        any::<(u32, u32, u8)>(),
        prop::collection::vec(0..256_u16, 0..5),
        prop::collection::vec(any_group(blocks), 0..4),
    )
        .prop_map(|(floats, (lighting, blend, pad), remap, groups)| {
            let [x, y, z, w, u, v, ou, ov] = floats.map(f32::from);
            Mesh {
                placement: Some(MeshPlacement {
                    scale: [x, y, z, w],
                    uv_offset: [ou, ov],
                }),
                uv_scale: [u, v],
                lighting: LightingFlags(lighting),
                blend,
                pad,
                remap,
                groups,
            }
        })
}

fn any_material() -> impl Strategy<Value = Material> {
    (
        any::<[u8; 4]>(),
        any::<[u8; 4]>(),
        prop::option::of(0..255_u8),
        any::<[u8; 3]>(),
        any::<u32>(),
    )
        .prop_map(|(color, ambient, image, pad, leftover)| Material {
            color,
            ambient,
            image,
            pad,
            leftover,
        })
}

/// Where a model of a dialect keeps what: a valid combination by construction.
#[derive(Clone, Debug)]
enum Shape {
    Mhfu { tail: Vec<u8> },
    Inline { tail: Vec<u8>, remap_table: RemapTable },
    Companion { tail: Vec<u8>, remap_table: RemapTable },
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let tail = || prop::collection::vec(any::<u8>(), 0..20);
    let remap_table = || prop_oneof![Just(RemapTable::Stored), Just(RemapTable::Identity)];
    prop_oneof![
        tail().prop_map(|tail| Shape::Mhfu { tail }),
        (tail(), remap_table()).prop_map(|(tail, remap_table)| Shape::Inline { tail, remap_table }),
        (tail(), remap_table()).prop_map(|(tail, remap_table)| Shape::Companion { tail, remap_table }),
    ]
}

fn any_model() -> impl Strategy<Value = Pmo> {
    let blocks = prop::collection::vec(any_block(), 1..5);
    let parts = blocks.prop_flat_map(|blocks| {
        let meshes = prop::collection::vec(any_mesh(blocks.len()), 0..4);
        (Just(blocks), meshes, prop::collection::vec(any_material(), 0..4))
    });
    (parts, any_shape(), any::<[u16; 4]>(), any::<[u8; 8]>()).prop_map(
        |((blocks, meshes, materials), shape, floats, header_tail)| {
            let version = match shape {
                Shape::Mhfu { .. } => Version::Mhfu,
                Shape::Inline { .. } | Shape::Companion { .. } => Version::Mhp3rd,
            };
            let mut model = Pmo {
                meshes,
                materials,
                header_tail,
                ..Pmo::new(version)
            };
            let [radius, x, y, z] = floats.map(f32::from);
            model.radius = radius;
            model.scale = [x, y, z];
            match shape {
                Shape::Mhfu { tail } => {
                    model.tail = tail;
                    for mesh in &mut model.meshes {
                        mesh.placement = None;
                    }
                }
                Shape::Inline { tail, remap_table } => {
                    model.tail = tail;
                    model.remap_table = remap_table;
                }
                Shape::Companion { tail, remap_table } => {
                    model.remap_table = remap_table;
                    model.geometry_place = GeometryPlace::Companion { tail };
                }
            }
            number_as_read(&mut model, &blocks);
            model
        },
    )
}

/// Numbers remap entries of an unstored table, and blocks in the order in which groups draw them.
fn number_as_read(model: &mut Pmo, blocks: &[Block]) {
    let mut next = 0;
    let mut numbers = vec![None; blocks.len()];
    for mesh in &mut model.meshes {
        if model.remap_table == RemapTable::Identity {
            for entry in &mut mesh.remap {
                *entry = next;
                next += 1;
            }
        }
        for group in &mut mesh.groups {
            let number = *numbers[group.block].get_or_insert_with(|| {
                model.blocks.push(blocks[group.block].clone());
                model.blocks.len() - 1
            });
            group.block = number;
        }
    }
}

fn read(file: &[u8], companion: Option<&[u8]>) -> Result<Pmo, crate::FormatError> {
    match companion {
        Some(companion) => Pmo::parse_with_geometry(file, companion),
        None => Pmo::parse(file),
    }
}

proptest! {
    #[test]
    fn draws_come_back((vertex_type, vertices, draws) in any_parts()) {
        let block = Block::build(vertex_type, &vertices, &draws, Indexing::Smallest).expect("valid parts");
        prop_assert_eq!(block.draws(), Ok(draws.clone()));
        prop_assert_eq!(&block.vertices, &vertices);

        let copied = Block::build(vertex_type, &vertices, &draws, Indexing::None).expect("valid parts");
        let stride = vertex_type.layout().vertex_size;
        let taken = |block: &Block| -> Vec<u8> {
            let draws = block.draws().expect("built");
            let numbers = draws.iter().flat_map(|draw| draw.vertices.iter());
            numbers.flat_map(|&vertex| block.vertices[vertex as usize * stride..][..stride].to_vec()).collect()
        };
        prop_assert_eq!(copied.vertex_type().map(VertexType::index), Some(IndexFormat::None));
        prop_assert_eq!(taken(&block), taken(&copied));
        prop_assert_eq!(
            block.triangles().map(|triangles| triangles.len()),
            copied.triangles().map(|triangles| triangles.len())
        );
    }

    #[test]
    fn models_come_back(model in any_model()) {
        let file = model.write().expect("valid");
        let companion = model.write_geometry().expect("valid");
        prop_assert_eq!(Pmo::needs_geometry(&file), Ok(companion.is_some() && model.geometry().is_ok_and(|geometry| !geometry.bytes.is_empty())));
        let again = read(&file, companion.as_deref()).expect("written");
        if again.geometry_place == model.geometry_place {
            prop_assert_eq!(&again, &model);
        }
        prop_assert_eq!(again.write(), Ok(file));
        prop_assert_eq!(again.geometry(), model.geometry());
    }

    /// Any bytes that still read as a model are given back, and none panic.
    #[test]
    fn broken_models_are_errors_or_come_back(
        model in any_model(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut file = model.write().expect("valid");
        let mut companion = model.write_geometry().expect("valid");
        let length = file.len() + companion.as_ref().map_or(0, Vec::len);
        for (place, byte) in changes {
            let place = place.index(length);
            match (file.get_mut(place), &mut companion) {
                (Some(target), _) => *target = byte,
                (None, Some(companion)) => companion[place - file.len()] = byte,
                (None, None) => {}
            }
        }
        if let Some(cut) = cut {
            file.truncate(cut.index(file.len() + 1));
        }
        if let Ok(model) = read(&file, companion.as_deref()) {
            prop_assert_eq!(model.write(), Ok(file.clone()));
            if let Some(written) = model.write_geometry().expect("read") {
                prop_assert_eq!(Some(written), companion.clone());
            }
            for group in model.groups() {
                let triangles = model.blocks[group.group.block].triangles();
                prop_assert!(triangles.is_ok(), "{:?}", triangles);
                let _ = model.material_of(group.mesh, group.group);
            }
            let _ = model.bone_palettes(PaletteWalk::Engine);
            let in_place = model.write_in_place(&file, companion.as_deref()).expect("unchanged");
            prop_assert_eq!(in_place.moved, []);
            prop_assert_eq!(in_place.bytes, file);
        }
    }

    /// One model written over another of the same shape reads back as the first.
    #[test]
    fn writing_in_place_keeps_the_length(
        original in any_model(),
        blocks in prop::collection::vec(any_block(), 1..5),
        room in 0..2000_usize,
    ) {
        let mut model = original.clone();
        for (block, other) in model.blocks.iter_mut().zip(blocks) {
            *block = other;
        }
        // Room at the region's end, as a later block.
        let mut file = original.write().expect("valid");
        let mut companion = original.write_geometry().expect("valid");
        let size = u32::from_le_bytes([file[8], file[9], file[10], file[11]]) + room as u32;
        file[8..12].copy_from_slice(&size.to_le_bytes());
        let (target, end) = match &mut companion {
            Some(companion) => (companion, original.geometry().expect("valid").bytes.len()),
            None => (&mut file, size as usize - room),
        };
        target.splice(end..end, std::iter::repeat_n(0xDD, room));

        if let Ok(in_place) = model.write_in_place(&file, companion.as_deref()) {
            prop_assert_eq!(in_place.bytes.len(), file.len());
            prop_assert_eq!(in_place.companion.as_ref().map(Vec::len), companion.as_ref().filter(|_| in_place.companion.is_some()).map(Vec::len));
            let again = read(&in_place.bytes, in_place.companion.as_deref()).expect("written");
            prop_assert_eq!(again.meshes, model.meshes);
            prop_assert_eq!(again.blocks, model.blocks);
        }
    }
}
