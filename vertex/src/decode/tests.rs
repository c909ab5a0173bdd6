use proptest::prelude::*;

use super::scalar::{self, Vertex};
use super::*;
use crate::{Component, CoordinateMode, UpToEight, VertexColor, VertexType};

/// The vertex in one row of one target, as bits: NaN must compare too.
fn row_bits(vertices: &Vertices, target: usize, row: usize) -> [Vec<u32>; 5] {
    let columns = vertices.target(target).expect("target");
    let pick = |columns: &[&[f32]]| columns.iter().map(|c| c[row].to_bits()).collect::<Vec<_>>();
    let weights = (0..vertices.vertex_type().weight_count())
        .map(|bone| vertices.weights(bone).expect("weight")[row].to_bits());
    [
        weights.collect(),
        columns.texture_coordinate().map_or(vec![], |c| pick(&c)),
        columns.color().map_or(vec![], |c| vec![c[row]]),
        columns.normal().map_or(vec![], |c| pick(&c)),
        columns.position().map_or(vec![], |c| pick(&c)),
    ]
}

fn vertex_bits(vertex: &Vertex, weight_count: usize) -> [Vec<u32>; 5] {
    fn bits(numbers: &[f32]) -> Vec<u32> {
        numbers.iter().map(|n| n.to_bits()).collect()
    }
    [
        vertex.weights.map_or(vec![], |w| bits(&w[..weight_count])),
        vertex.texture_coordinate.map_or(vec![], |t| bits(&t)),
        vertex.color.map_or(vec![], |c| vec![c]),
        vertex.normal.map_or(vec![], |n| bits(&n)),
        vertex.position.map_or(vec![], |p| bits(&p)),
    ]
}

/// Every row of every target against the scalar reference.
fn assert_equals_scalar(vertices: &Vertices, bytes: &[u8]) {
    let vertex_type = vertices.vertex_type();
    let size = vertex_type.layout().vertex_size;
    for row in 0..vertices.len() {
        let vertex = &bytes[(vertices.first() + row) * size..];
        for target in 0..vertex_type.morph_count() {
            let scalar = scalar::decode(vertex_type, vertex, target).expect("whole vertex");
            let mut want = vertex_bits(&scalar, vertex_type.weight_count());
            if target > 0 {
                // Only the weights of target 0 are kept.
                let first = scalar::decode(vertex_type, vertex, 0).expect("whole vertex");
                want[0] = vertex_bits(&first, vertex_type.weight_count())[0].clone();
            }
            assert_eq!(
                row_bits(vertices, target, row),
                want,
                "{vertex_type:?} {target} {row}"
            );
        }
    }
}

/// Bytes that look random and depend on `seed` alone.
fn noise(seed: u32, len: usize) -> Vec<u8> {
    let mut state = seed | 1;
    let step = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    std::iter::repeat_with(step).take(len).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// The fast decoder is the scalar one, for any argument and any bytes, with a buffer that an
    /// earlier draw of another type has used.
    #[test]
    fn spans_decode_what_the_scalar_reference_decodes(
        argument in 0_u32..1 << 24,
        earlier in 0_u32..1 << 24,
        seed: u32,
        start in 0_usize..5,
        // Past one block, and past any group of lanes in a block.
        count in prop_oneof![0_usize..70, 120_usize..140],
    ) {
        let mut vertices = Vertices::new();
        let bytes = noise(seed, 544 * 145);
        Decoder::new(VertexType::from_argument(earlier))
            .decode(&bytes, 50, &mut vertices)
            .expect("long enough");
        let vertex_type = VertexType::from_argument(argument);
        Decoder::new(vertex_type)
            .decode_range(&bytes, start..start + count, &mut vertices)
            .expect("long enough");
        prop_assert_eq!((vertices.first(), vertices.len()), (start, count));
        assert_equals_scalar(&vertices, &bytes);
    }

    /// No length, argument or count panics, and only a short slice is refused.
    #[test]
    fn a_slice_is_decoded_exactly_when_it_is_long_enough(
        argument in 0_u32..1 << 24,
        len in 0_usize..3000,
        start in 0_usize..40,
        end in prop_oneof![0_usize..40, Just(usize::MAX)],
    ) {
        let decoder = Decoder::new(VertexType::from_argument(argument));
        let bytes = noise(argument, len);
        let fits = decoder.layout().bytes_of(end.max(start)).is_some_and(|needed| needed <= len);
        let mut vertices = Vertices::new();
        prop_assert_eq!(decoder.decode_range(&bytes, start..end, &mut vertices).is_ok(), fits);
    }
}

/// Every combination of formats, counts and modes at once: 4 x 8 x 4 x 4 x (3 x 8 + 1) x 2 types, and
/// those again with two morph targets.
#[test]
fn every_vertex_type_decodes_as_the_scalar_reference() {
    let bytes = noise(7, 19 * 2 * 68);
    let mut vertices = Vertices::new();
    for argument in (0..1 << 24).filter(|argument| argument & 0x7A_3800 == 0) {
        let vertex_type = VertexType::from_argument(argument);
        if vertex_type.weight() == Component::None && argument & 0x1_C000 != 0 {
            continue;
        }
        // One more than the widest group of lanes.
        Decoder::new(vertex_type)
            .decode(&bytes, 17, &mut vertices)
            .expect("long enough");
        assert_equals_scalar(&vertices, &bytes);
    }
}

const NOTHING: VertexType = VertexType::from_argument(0);

fn decode(vertex_type: VertexType, bytes: &[u8], count: usize) -> Vertices {
    let mut vertices = Vertices::new();
    Decoder::new(vertex_type)
        .decode(bytes, count, &mut vertices)
        .expect("long enough");
    vertices
}

/// `spec/mhp-formats.md §3.5`, "Decode tests".
#[test]
fn the_numbers_of_the_format_tools() {
    let weights = decode(
        NOTHING.with_weights(Component::Bits8, UpToEight::new(2).expect("2")),
        &[128, 64, 0, 0, 0],
        1,
    );
    assert_eq!(weights.weights(0), Some(&[1.0][..]));
    assert_eq!(weights.weights(1), Some(&[0.5][..]));
    assert_eq!(weights.weights(2), None);

    let words = |words: &[u16]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>();
    let coordinates = decode(
        NOTHING.with_texture_coordinate(Component::Bits16),
        &words(&[32768, 16384, 0, 0]),
        1,
    );
    assert_eq!(coordinates.texture_coordinate(), Some([&[1.0][..], &[0.5]]));

    let normals = decode(NOTHING.with_normal(Component::Bits8), &[0x80, 64, 0, 0, 0, 0], 1);
    assert_eq!(normals.normal(), Some([&[-1.0][..], &[0.5], &[0.0]]));

    let positions = decode(
        NOTHING.with_position(Component::Bits16),
        &words(&[16384, 0x8000, 0]),
        1,
    );
    assert_eq!(positions.position(), Some([&[0.5][..], &[-1.0], &[0.0]]));
}

/// `spec/ge-frontend.md §6.4` and `§6.6`: what through mode changes.
#[test]
fn through_mode_counts_pixels_and_texels() {
    let through = NOTHING.with_mode(CoordinateMode::Through);
    let words = |words: &[u16]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>();

    let vertices = decode(
        through
            .with_texture_coordinate(Component::Bits16)
            .with_position(Component::Bits16),
        &words(&[4, 0xFFFF, 0xFFFF, 272, 0xFFFF]),
        1,
    );
    assert_eq!(vertices.texture_coordinate(), Some([&[4.0][..], &[65535.0]]));
    assert_eq!(vertices.position(), Some([&[-1.0][..], &[272.0], &[65535.0]]));

    let vertices = decode(
        through
            .with_texture_coordinate(Component::Bits8)
            .with_position(Component::Bits8),
        &[255, 128, 10, 10, 7],
        1,
    );
    assert_eq!(
        vertices.texture_coordinate(),
        Some([&[255.0 / 128.0][..], &[1.0]])
    );
    assert_eq!(vertices.position(), Some([&[0.0][..], &[0.0], &[0.0]]));
}

/// `spec/ge-frontend.md §4.3`: nothing is canonicalised on the way.
#[test]
fn the_bits_of_floats_are_kept() {
    let odd = [0x7F80_0001_u32, 0xFFC1_2345, 0x8000_0000];
    let bytes = odd.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>();
    let vertices = decode(NOTHING.with_position(Component::Float), &bytes, 1);
    let position = vertices.position().expect("positions");
    assert_eq!(position.map(|axis| axis[0].to_bits()), odd);
}

/// `spec/ge-frontend.md §6.7`: every 16-bit colour, from the parts' own formula.
#[test]
fn colors_widen_by_repeating_their_top_bits() {
    let all = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let widen = |word: u32, parts: [(u32, u32); 4]| {
        let part = |(shift, width): (u32, u32)| match (word >> shift & ((1 << width) - 1), width) {
            (_, 0) => 255,
            (v, 1) => v * 255,
            (v, 4) => v * 17,
            (v, 5) => v << 3 | v >> 2,
            (v, _) => v << 2 | v >> 4,
        };
        let [red, green, blue, alpha] = parts.map(part);
        red | green << 8 | blue << 16 | alpha << 24
    };
    for (format, parts) in [
        (VertexColor::Rgb565, [(0, 5), (5, 6), (11, 5), (0, 0)]),
        (VertexColor::Rgba5551, [(0, 5), (5, 5), (10, 5), (15, 1)]),
        (VertexColor::Rgba4444, [(0, 4), (4, 4), (8, 4), (12, 4)]),
    ] {
        let columns = NOTHING.with_color(format).layout();
        assert_eq!((columns.color, columns.vertex_size), (Some(0), 6));
        let stretched = all
            .as_chunks::<2>()
            .0
            .iter()
            .flat_map(|&[l, h]| [l, h, 0, 0, 0, 0]);
        let vertices = decode(
            NOTHING.with_color(format),
            &stretched.collect::<Vec<_>>(),
            1 << 16,
        );
        for (word, &color) in (0_u32..).zip(vertices.color().expect("colors")) {
            assert_eq!(color, widen(word, parts), "{format:?} {word:#06x}");
        }
    }
    let vertices = decode(
        NOTHING.with_color(VertexColor::Rgba8888),
        &[1, 2, 3, 4, 0, 0, 0, 0],
        1,
    );
    assert_eq!(vertices.color(), Some(&[0x0403_0201][..]));
}

#[test]
fn missing_components_read_as_none() {
    let vertices = decode(NOTHING.with_color(VertexColor::Invalid2), &[0; 3], 1);
    assert_eq!(vertices.len(), 1);
    assert_eq!(vertices.position(), None);
    assert_eq!(vertices.normal(), None);
    assert_eq!(vertices.texture_coordinate(), None);
    assert_eq!(vertices.color(), None);
    assert_eq!(vertices.weights(0), None);
}

#[test]
fn a_short_slice_is_an_error_with_the_numbers() {
    let vertex_type = VertexType::from_argument(0x8B22);
    let mut vertices = Vertices::new();
    let error = Decoder::new(vertex_type)
        .decode_range(&[0; 54], 1..3, &mut vertices)
        .and_then(|()| Decoder::new(vertex_type).decode_range(&[0; 54], 1..4, &mut vertices))
        .expect_err("the second is a vertex too long");
    assert_eq!(
        error.to_string(),
        "vertices 1..4 of 18 bytes each (w3x8 uv16 n8 p16 i8) need 0x48 bytes, 0x36 were given"
    );
    assert_eq!(vertices.len(), 2, "the earlier vertices stay");
}

#[test]
fn rows_follow_the_range() {
    let positions = NOTHING.with_position(Component::Bits8);
    let mut vertices = Vertices::new();
    Decoder::new(positions)
        .decode_range(&[0, 0, 0, 64, 0, 0, 32, 0, 0], 1..3, &mut vertices)
        .expect("long enough");
    assert_eq!(vertices.row(0), None);
    assert_eq!(vertices.row(1), Some(0));
    assert_eq!(vertices.row(2), Some(1));
    assert_eq!(vertices.row(3), None);
    assert_eq!(vertices.position().expect("positions")[0], [0.5, 0.25]);
}
