//! Writes the seeds that the project makes itself: small files of every format with every feature
//! that a reader branches on. `cargo run --example make_seeds` in this folder; inputs that once
//! broke a reader are added by hand.

use std::fs;
use std::path::Path;

use formats::animation::{AnimationPack, Axis, Channel, ChannelKind, Clip, ClipId, Encoding, Key, Track};
use formats::capture::{Capture, InitialState, Record, RecordKind, Version};
use formats::pac::{Alignment, Pac};
use formats::pmo::list::{FrontFace, PrimitiveKind};
use formats::pmo::{
    Block, Draw, GeometryPlace, Group, Indexing, LightingFlags, Material, Mesh, MeshPlacement, PaletteEntry,
    Pmo, RemapTable, Version as PmoVersion,
};
use formats::skeleton::{Bone, BoneEncoding, Skeleton};
use formats::stage::{Environment, Sky};
use formats::tmh::{ColorFormat, PixelFormat, Tmh, TmhImage};
use vertex::VertexType;

fn save(target: &str, name: &str, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    fs::create_dir_all(&folder).expect("a folder for the seeds");
    fs::write(folder.join(name), bytes).expect("a seed");
}

fn skeletons() -> [(&'static str, Skeleton); 2] {
    let bones = |encoding| {
        let bones = vec![
            Bone::new(None, [0.0; 3]),
            Bone::new(Some(0), [0.0, 100.0, 0.0]).named("Body\0xyz"),
            Bone::new(Some(1), [0.0, 0.0, 50.0]).in_part(1),
            Bone::new(None, [0.0; 3]).in_part(3),
        ];
        Skeleton::new(encoding, bones)
    };
    let mut mhp3rd = bones(BoneEncoding::Mhp3rd);
    mhp3rd.stated_parameter_count = 3;
    mhp3rd.tail = vec![7; 5];
    [("mhfu", bones(BoneEncoding::Mhfu)), ("mhp3rd", mhp3rd)]
}

fn packs() -> Vec<(&'static str, AnimationPack)> {
    let track = |kind: fn(Axis) -> ChannelKind, key_count: i16| {
        let keys = (0..key_count).map(|index| Key::new(20 * index, 512 * index).with_eases(-3, 4));
        let keys: Vec<_> = keys.collect();
        Track::new(
            Axis::ALL
                .map(|axis| Channel::new(kind(axis), keys.clone()))
                .to_vec(),
        )
    };
    let pack = |encoding| {
        let clips = vec![
            Clip::new(vec![Track::default(), track(ChannelKind::Rotation, 2)]).looping_from(10.0),
            Clip::new(vec![
                track(ChannelKind::Location, 3),
                track(ChannelKind::FineScale, 0),
            ]),
        ];
        let [first, second] = [0, 1].map(|clip| Some(ClipId(clip)));
        let streams = vec![vec![first, None, second, first], vec![], vec![second]];
        AnimationPack::new(encoding, streams, clips)
            .expect("a pack")
            .with_tail(vec![7; 3])
    };
    let empty = AnimationPack::from_streams(Encoding::Mhfu, vec![vec![None; 3], vec![None]]);
    vec![
        ("mhfu", pack(Encoding::Mhfu)),
        ("mhp3rd", pack(Encoding::Mhp3rd)),
        ("empty", empty.expect("a pack")),
    ]
}

fn capture(version: Version) -> Capture {
    let mut push_buffer = InitialState::blank().to_bytes();
    push_buffer.extend(0..=99);
    let record = |byte, offset, size| {
        let kind = RecordKind::from_byte(byte).expect("a kind");
        Record { kind, offset, size }
    };
    let sizes = [2048, 8, 50, 3, 32, 16, 12, 4, 5, 12, 8, 4];
    let mut records: Vec<_> = (0..12)
        .zip(sizes)
        .map(|(kind, size)| record(kind, if kind == 0 { 0 } else { 2048 + u32::from(kind) }, size))
        .collect();
    records.extend([
        record(0x17, 2048, 64),
        record(0x1B, 2049, 32),
        record(9, 2048, 12),
    ]);
    Capture::new(version, *b"NPJB40001", records, push_buffer).expect("a capture")
}

fn bank() -> Tmh {
    let image = |format, width: u16, height: u16, clut| {
        let pixels: Vec<_> = (0..width as usize * height as usize)
            .map(|pixel| [16 * (pixel % 13) as u8, 128, 0, 255])
            .collect();
        TmhImage::new(format, width, height, &pixels, clut).expect("an image")
    };
    let images = vec![
        image(PixelFormat::Clut4, 32, 12, Some(ColorFormat::Rgba8888)),
        image(PixelFormat::Clut8, 8, 4, Some(ColorFormat::Rgba5551)),
        image(PixelFormat::Dxt1, 8, 8, None),
    ];
    Tmh {
        images,
        tail: vec![7; 3],
    }
}

/// Two meshes with a strip and a list, in the vertex types of the games' models.
fn model(version: PmoVersion) -> Pmo {
    let block = |vertex_type, kind, indexing| {
        let vertex_type = VertexType::from_argument(vertex_type);
        let vertices = vec![3; 6 * vertex_type.layout().vertex_size];
        let draw = Draw {
            kind,
            front_face: FrontFace::AsGiven,
            vertices: (0..6).collect(),
        };
        Block::build(vertex_type, &vertices, &[draw], indexing).expect("a block")
    };
    let mesh = |groups| Mesh {
        placement: (version == PmoVersion::Mhp3rd).then_some(MeshPlacement {
            scale: [1.0, 2.0, 3.0, 0.0],
            uv_offset: [0.0; 2],
        }),
        uv_scale: [1.0; 2],
        lighting: LightingFlags(0x8000_0003),
        blend: 0,
        pad: 0,
        remap: vec![0],
        groups,
    };
    let group = |block, bone| Group {
        material: 0,
        palette: vec![PaletteEntry { slot: 0, bone }],
        block,
    };
    let material = Material {
        color: [255; 4],
        ambient: [128; 4],
        image: Some(0),
        pad: [0; 3],
        leftover: 0,
    };
    let mut pmo = Pmo::new(version);
    pmo.meshes = vec![mesh(vec![group(0, 1), group(1, 2)]), mesh(vec![group(2, 3)])];
    pmo.materials = vec![material];
    pmo.blocks = vec![
        block(0x4B22, PrimitiveKind::TriangleStrip, Indexing::Smallest),
        block(0x8322, PrimitiveKind::TriangleStrip, Indexing::None),
        block(0x0912, PrimitiveKind::Triangles, Indexing::Smallest),
    ];
    pmo.tail = vec![7; 3];
    pmo
}

fn save_models() {
    save("pmo", "mhfu", &model(PmoVersion::Mhfu).write().expect("a model"));
    let mut mhp3rd = model(PmoVersion::Mhp3rd);
    mhp3rd.meshes[1].remap = vec![1];
    mhp3rd.materials.push(mhp3rd.materials[0].clone());
    mhp3rd.remap_table = RemapTable::Identity;
    save("pmo", "mhp3rd", &mhp3rd.write().expect("a model"));
    mhp3rd.tail.clear();
    mhp3rd.geometry_place = GeometryPlace::Companion { tail: vec![7; 5] };
    let mut file = mhp3rd.write().expect("a model");
    file.extend(
        mhp3rd
            .write_geometry()
            .expect("a companion")
            .into_iter()
            .flatten(),
    );
    save("pmo", "mhp3rd_with_companion", &file);
}

/// Lists that touch every kind of command, with the vertices they draw behind them.
fn display_lists() -> Vec<(&'static str, Vec<u8>)> {
    let start: &[u32] = &[
        0x9C00_0000, 0x9D00_0200, 0xD200_0003, 0x9E08_8000, 0x9F00_0200, 0xD400_0000, 0xD504_3DDF, 0x1604_3DDF,
        0xD7_00FFFF, 0x4243_7000, 0x43C3_0800, 0x4446_FFFF, 0x4545_0000, 0x4645_0000, 0x4746_FFFF, 0x4C00_7100,
        0x4D00_7780, 0x3A00_0000, 0x3B3F_8000, 0x3B00_0000, 0x3B00_0000, 0x3B00_0000, 0x3B3F_8000, 0x3C00_0000,
        0x3D3F_8000, 0x3E00_0000, 0x3F3F_8000, 0x2A00_0000, 0x2B3F_8000, 0x1700_0001, 0x1800_0001, 0x5F00_0101,
        0x633F_8000, 0x8FFF_FFFF, 0x90FF_FFFF, 0x5600_FFFF, 0x1E00_0001, 0xA000_0000, 0xA808_0010, 0xB800_0404,
        0xC200_0001, 0xC300_0005, 0xB000_0000, 0xB108_0000, 0xC400_0020, 0xC500_FF03, 0xC600_0107, 0xC900_0100,
        0x4838_8000, 0x493F_8000, 0x1F00_0001, 0xCD40_0000, 0xCE3F_0000, 0xDB00_8006, 0x2200_0001, 0x2300_0001,
        0xDE00_0005, 0x2100_0001, 0xDF00_0032, 0x2400_0001, 0xDC_FF_FF_01, 0xDD01_0203, 0x2000_0001, 0xE200_7654,
    ];
    let end: &[u32] = &[0x0F00_0000, 0x0C00_0000];
    let draws: [(&str, &[u32]); 5] = [
        ("skinned", &[0x1000_0000, 0x1408_0000, 0x0100_0000, 0x1200_0B22, 0x0200_0000, 0x0404_0008, 0x0403_0006]),
        ("through", &[0x1008_0000, 0x0100_0010, 0x1280_011E, 0x0406_0002, 0xD300_0701, 0x0406_0004, 0xD300_0000]),
        ("surfaces", &[0x1008_0000, 0x0100_0000, 0x1280_019F, 0x3600_0304, 0x0500_0404, 0x060F_0505, 0x3700_0001, 0x0500_0404]),
        ("immediate", &[0xF000_8100, 0xF100_8100, 0xF200_1234, 0xF6FF_0080, 0xF700_0580, 0xF000_9100, 0xF700_0780, 0xF100_9000, 0xF700_07FF]),
        ("control", &[0x0A00_0010, 0x0700_0004, 0x0900_0020, 0x0E13_0000, 0x0C00_0008, 0xB200_0000, 0xB308_0200, 0xB400_4000, 0xB504_0200, 0xEE00_3C1F, 0xEA00_0001, 0x0B00_0000]),
    ];
    let lists = draws.into_iter().map(|(name, draw)| {
        let words = [start, draw, end, start].concat();
        (name, words.iter().flat_map(|word| word.to_le_bytes()).collect())
    });
    lists.collect()
}

fn main() {
    for (name, list) in display_lists() {
        save("display_list", name, &list);
    }
    save("tmh", "formats", &bank().write());
    save_models();
    let mut entries = Vec::new();
    for (name, skeleton) in skeletons() {
        save("skeleton", name, &skeleton.write());
        entries.push(skeleton.write());
    }
    for (name, pack) in packs() {
        save("animation", name, &pack.write());
        entries.push(pack.write());
    }
    for (name, version) in [("v2", Version::V2), ("v4", Version::V4), ("v6", Version::V6)] {
        save("capture", name, &capture(version).write());
    }

    let environment = Environment {
        fog_color: [1, 2, 3, 4],
        fog_begin: 1000.0,
        fog_end: 9000.0,
        sky: Some(Sky::default()),
        ..Environment::default()
    };
    save("stage", "sky", &environment.write());
    let lights = Environment {
        sky: None,
        tail: vec![7; 2],
        ..environment.clone()
    };
    save("stage", "lights", &lights.write());

    let pac = |entries, alignment| Pac::new(entries, alignment).expect("a PAC").write();
    let model = pac(entries, Alignment::Bytes16);
    let collision = pac(
        vec![b"HITSwalls".to_vec(), b"HITSfloor".to_vec()],
        Alignment::Bytes4,
    );
    let mut terrain = b"pmo\x001.0\0".to_vec();
    terrain.resize(0x40, 0);
    let bank = b".TMH0.14\0\0\0\0\0\0\0\0".to_vec();
    let stage = vec![
        terrain,
        bank,
        vec![],
        environment.write(),
        vec![2, 1],
        collision.clone(),
    ];
    let stage = pac(stage, Alignment::Bytes16);
    let mut gaps = vec![2, 0, 0, 0, 40, 0, 0, 0, 4, 0, 0, 0, 60, 0, 0, 0, 3, 0, 0, 0];
    gaps.resize(65, 0);
    for (name, bytes) in [
        ("model", model),
        ("collision", collision),
        ("stage", stage),
        ("placeholder", pac(vec![vec![]; 6], Alignment::Bytes16)),
        ("gaps", gaps),
    ] {
        save("pac", name, &bytes);
        save("detect", name, &bytes);
    }
}
