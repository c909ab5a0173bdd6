//! Lists as they come in files.

use super::*;

/// A one-group model whose list is `words`, with 16 three-byte vertices at 0x80 and 16 indices at
/// 0xB0 of the region.
fn with_list(words: &[u32]) -> Vec<u8> {
    let mut file = model(Version::Mhfu, vec![block(ONE_WEIGHT, 3)])
        .write()
        .expect("valid");
    file.truncate(0x90);
    for &word in words {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file.resize(0x90 + 0x80, 0);
    file.extend([0; 0x30]);
    file.extend([0, 1, 2, 3, 4, 5, 6, 7]);
    file.extend([0; 8]);
    let size = file.len() as u32;
    set_word(&mut file, 0x08, size);
    set_word(&mut file, 0x68, 0x80);
    set_word(&mut file, 0x6C, 0xB0);
    file
}

const ORIGIN: u32 = 0x1400_0000;
const VTYPE_U8: u32 = 0x1200_0880;
const VTYPE_UNINDEXED: u32 = 0x1200_0080;
const RET: u32 = 0x0B00_0000;

fn read_list(words: &[u32]) -> Result<Block, String> {
    let file = with_list(words);
    let model = Pmo::parse(&file).map_err(|error| error.to_string())?;
    assert_eq!(model.write().as_ref(), Ok(&file));
    Ok(model.blocks[0].clone())
}

#[test]
fn addresses_advance_and_can_be_set_again() {
    let draws = |words: &[u32]| -> Vec<Vec<u32>> {
        let draws = read_list(words).expect("valid").draws().expect("valid");
        draws.into_iter().map(|draw| draw.vertices).collect()
    };
    // Indexed: one vertex base, indices go on from PRIM to PRIM; a new VADDR adds to each index.
    assert_eq!(
        draws(&[
            ORIGIN,
            0x0200_00B0,
            0x0100_0080,
            VTYPE_U8,
            0x0404_0003,
            0x0403_0003,
            0x0100_0086,
            0x0400_0001,
            RET
        ]),
        [vec![0, 1, 2], vec![3, 4, 5], vec![8]]
    );
    // Without: VADDR goes on. An ORIGIN further on counts from itself.
    assert_eq!(
        draws(&[
            ORIGIN,
            0x0100_0083,
            VTYPE_UNINDEXED,
            0x0404_0003,
            0x0404_0004,
            ORIGIN,
            0x0100_006F,
            0x0400_0002,
            RET
        ]),
        [vec![1, 2, 3], vec![4, 5, 6, 7], vec![1, 2]]
    );
    // A PRIM of nothing reads nothing.
    assert_eq!(draws(&[VTYPE_U8, 0x0404_0000, RET]), [[0; 0]; 0]);
}

#[test]
fn commands_of_other_tools_are_kept() {
    // Cull, blend and alpha test enabled, alpha test set (C12); an address after the closing
    // OFFSETADDR that nothing draws; END instead of RET.
    let words = [
        ORIGIN,
        0x1D00_0001,
        0x2100_0001,
        0xDB00_0107,
        0x0200_00B0,
        0x0100_0080,
        VTYPE_U8,
        0x0404_0003,
        0x1300_0000,
        0x0112_3456,
        0x0C00_0000,
    ];
    let block = read_list(&words).expect("valid");
    let raised = BlockCommand::Plain(ListCommand::Other {
        opcode: 0xDB,
        argument: 0x107,
    });
    assert_eq!(block.list[3], raised);
    assert_eq!(
        block.list[4..6],
        [BlockCommand::Indices(0), BlockCommand::Vertices(0)]
    );
    assert_eq!(block.list[9], BlockCommand::Plain(ListCommand::Vaddr(0x12_3456)));
    assert_eq!(block.vertex_count(), 3);
    assert_eq!(block.indices, [0, 1, 2]);
}

#[test]
fn lists_that_lead_out_of_the_file_are_refused() {
    let vertices = 0x0100_0080;
    let indices = 0x0200_00B0;
    for (words, message) in [
        (
            vec![ORIGIN, 0x0800_0000, RET],
            "group 0, list at 0x94: found 0x08000000: JUMP, which needs memory",
        ),
        (vec![0x0900_0000, RET], "BJUMP"),
        (vec![0x0A00_0000, RET], "CALL"),
        (vec![0x0500_0000, RET], "BEZIER"),
        (vec![0x0600_0000, RET], "SPLINE"),
        (
            vec![ORIGIN, indices, vertices, 0x0404_0003, RET],
            "list at 0x9c: found 0x04040003: a draw before any vertex type",
        ),
        (
            vec![ORIGIN, vertices, VTYPE_U8, 0x0404_0003, RET],
            "an indexed draw without an index address",
        ),
        (
            vec![ORIGIN, indices, VTYPE_U8, 0x0404_0003, RET],
            "a draw without a vertex address",
        ),
        (
            vec![indices, vertices, VTYPE_U8, 0x0404_0003, RET],
            "a draw without a vertex address",
        ),
        (
            vec![
                ORIGIN,
                vertices,
                VTYPE_UNINDEXED,
                0x1300_0000,
                vertices,
                0x0404_0003,
                RET,
            ],
            "a draw without a vertex address",
        ),
        (
            vec![ORIGIN, 0x0100_007D, VTYPE_UNINDEXED, 0x0404_0003, RET],
            "a draw without a vertex address",
        ),
        (
            vec![ORIGIN, 0x0100_0081, VTYPE_UNINDEXED, 0x0404_0003, RET],
            "a draw that begins 0x1 bytes",
        ),
        (
            vec![ORIGIN, vertices, VTYPE_U8, VTYPE_UNINDEXED, RET],
            "a second vertex type",
        ),
        (
            vec![ORIGIN, vertices, VTYPE_UNINDEXED, 0x0404_0016, RET],
            "draw at 0x9c: found vertices up to 0xc2, expected at most the region's 0xc0 bytes",
        ),
        (
            vec![ORIGIN, indices, vertices, VTYPE_U8, 0x0404_0011, RET],
            "draw at 0xa0: found indices up to 0xc1, expected at most the region's 0xc0 bytes",
        ),
        (
            vec![ORIGIN, 0x0200_00AF, vertices, VTYPE_U8, 0x0404_0001, RET],
            "found indices at 0xaf, expected an index buffer offset before them, not 0xb0",
        ),
        (
            vec![ORIGIN, vertices, VTYPE_UNINDEXED],
            "list at 0x90: found 48 commands without RET or END",
        ),
    ] {
        let error = read_list(&words).expect_err(message);
        assert!(error.contains(message), "{error} instead of {message}");
    }
    // A base puts every address out of the file.
    assert!(read_list(&[ORIGIN, 0x1001_0000, vertices, VTYPE_UNINDEXED, 0x0404_0003, RET]).is_err());
}

/// Without a budget these cost gigabytes, or minutes.
#[test]
fn files_that_multiply_their_content_are_refused() {
    // 20000 groups with one long list each, all different by their vertex offset.
    let mut many = model(Version::Mhfu, vec![Block::default(); 20_000]);
    let list: Vec<BlockCommand> = std::iter::repeat_n(ListCommand::Nop(0), 100_000)
        .chain([ListCommand::Ret(0)])
        .map(BlockCommand::Plain)
        .collect();
    many.blocks = vec![Block {
        list,
        ..Block::default()
    }];
    for group in &mut many.meshes[0].groups {
        group.block = 0;
    }
    let mut file = many.write().expect("valid");
    assert!(Pmo::parse(&file).is_ok());
    for group in 0..20_000 {
        set_word(&mut file, 0x60 + group * 0x10 + 8, group as u32);
    }
    let error = Pmo::parse(&file).expect_err("overlaps").to_string();
    assert!(error.contains("blocks that do not overlap"), "{error}");

    // One list that draws the same 65535 vertices again and again.
    let vertices = vec![0; 65_535 * 3];
    let again = strip(0..65_535);
    let mut block = Block::build(
        VertexType::from_argument(0x80),
        &vertices,
        &[again],
        Indexing::None,
    )
    .expect("valid");
    let draw = block.list[5];
    assert_eq!(
        draw,
        BlockCommand::Plain(ListCommand::prim(PrimitiveKind::TriangleStrip, 65_535))
    );
    let again = std::iter::repeat_n([BlockCommand::Vertices(0), draw], 100_000).flatten();
    block.list.splice(6..6, again);
    let file = model(Version::Mhfu, vec![block]).write().expect("valid");
    let error = Pmo::parse(&file).expect_err("too many draws").to_string();
    assert!(
        error.contains("draws in proportion to the geometry region"),
        "{error}"
    );
}
