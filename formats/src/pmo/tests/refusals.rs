//! What is refused, in reading, in writing and in building.

use super::*;

#[test]
fn each_record_is_checked_and_named() {
    let valid = model(Version::Mhfu, vec![block(ONE_WEIGHT, 3)])
        .write()
        .expect("valid");
    for (offset, value, message) in [
        (
            0x00,
            0,
            "PMO: magic at 0x0: found \"\\x00\\x00\\x00\\x00\", expected \"pmo\\x00\"",
        ),
        (0x04, 0x0033_3031, "PMO: version at 0x4: found \"103\\x00\""),
        (
            0x08,
            0x8F,
            "PMO: size at 0x8: found 0x8f, expected at least the geometry offset 0x90",
        ),
        (
            0x1C,
            0x0001_0002,
            "PMO: mesh 1, first remap entry at 0x6a: found 0x0, expected 0x1",
        ),
        (
            0x1C,
            0xFFFF_0001,
            "PMO: geometry offset at 0x34: found 0x90, expected at least 0x100070",
        ),
        (0x20, 0x3C, "PMO: mesh"),
        (0x24, 0x50, "PMO: "),
        (
            0x28,
            0,
            "PMO: remap table offset at 0x28: found 0, expected an offset",
        ),
        (
            0x34,
            0x88,
            "PMO: geometry offset at 0x34: found 0x88, expected at least 0x90",
        ),
        (
            0x50,
            0x0001_0001,
            "PMO: mesh 0, first remap entry at 0x52: found 0x1, expected 0x0",
        ),
        (
            0x54,
            0x0001_0001,
            "PMO: mesh 0, first group at 0x56: found 0x1, expected 0x0",
        ),
        (
            0x60,
            0x0001_0000,
            "PMO: group 0, first palette entry at 0x62: found 0x1, expected 0x0",
        ),
        (
            0x64,
            2,
            "PMO: group 0, list offset at 0x64: found 0x2, expected a multiple of 4",
        ),
        (
            0x64,
            0xFFFF_FFFC,
            "PMO: group 0, list at 0x10000008c: found 0 commands without RET or END",
        ),
    ] {
        let mut bytes = valid.clone();
        set_word(&mut bytes, offset, value);
        let error = Pmo::parse(&bytes).expect_err(message).to_string();
        assert!(error.starts_with(message), "{error} instead of {message}");
    }
    for length in 0..valid.len() {
        assert!(Pmo::parse(&valid[..length]).is_err(), "cut to {length}");
    }
}

#[test]
fn counts_that_do_not_fit_their_fields_are_refused() {
    let version = Version::Mhfu;
    let mut wide = model(version, vec![block(ONE_WEIGHT, 3)]);
    wide.meshes[0].groups[0].palette = vec![PaletteEntry { slot: 0, bone: 0 }; 256];
    assert_eq!(
        wide.write(),
        Err(WriteError::Count {
            field: "palette entries of a group",
            found: 256,
            limit: 255
        })
    );
    let mut wide = model(version, vec![block(ONE_WEIGHT, 3)]);
    wide.meshes[0].remap = vec![0; 256];
    assert!(matches!(wide.write(), Err(WriteError::Count { found: 256, .. })));
    wide.meshes[0].remap = vec![256];
    assert_eq!(
        wide.write(),
        Err(WriteError::Remap {
            mesh: 0,
            entry: 0,
            found: 256
        })
    );
    let mut wide = model(version, vec![block(ONE_WEIGHT, 3)]);
    wide.materials = vec![material(0); 65_536];
    assert!(matches!(
        wide.write(),
        Err(WriteError::Count {
            found: 65_536,
            limit: 65_535,
            ..
        })
    ));
    let mut wide = model(version, vec![block(ONE_WEIGHT, 3)]);
    wide.materials[0].image = Some(255);
    assert_eq!(wide.write(), Err(WriteError::Image(0)));
    let mut wide = model(version, vec![block(ONE_WEIGHT, 3)]);
    wide.meshes[0].groups[0].block = 1;
    assert_eq!(wide.write(), Err(WriteError::NoSuchBlock { group: 0, block: 1 }));
    let mut wide = model(version, vec![block(ONE_WEIGHT, 3)]);
    wide.blocks[0].list.remove(0);
    assert_eq!(wide.write(), Err(WriteError::Address { block: 0, command: 1 }));
}

#[test]
fn builders_refuse_what_a_list_cannot_say() {
    let points = VertexType::from_argument(0x80);
    let build = |length: usize, draws: &[Draw], indexing| {
        Block::build(points, &vec![0; length], draws, indexing)
            .map(|block| block.vertex_type().map(VertexType::index))
    };
    assert_eq!(
        build(7, &[], Indexing::Smallest),
        Err(BuildError::Stride { length: 7, stride: 3 })
    );
    assert_eq!(
        build(9, &[strip(0..3), strip(1..4)], Indexing::None),
        Err(BuildError::Vertex {
            draw: 1,
            vertex: 3,
            count: 3
        })
    );
    assert_eq!(
        build(3 * 65_536, &[strip(0..65_536)], Indexing::Smallest),
        Err(BuildError::TooManyInDraw {
            draw: 0,
            count: 65_536
        })
    );
    assert_eq!(
        build(3 * 65_537, &[], Indexing::Smallest),
        Err(BuildError::TooManyVertices(65_537))
    );
    let format = |count: usize| build(3 * count, &[], Indexing::Smallest).expect("fits");
    assert_eq!(format(256), Some(vertex::IndexFormat::U8));
    assert_eq!(format(257), Some(vertex::IndexFormat::U16));
    assert_eq!(format(65_536), Some(vertex::IndexFormat::U16));
}
