//! How fast vertices are decoded, in vertices and in source bytes a second, on one core.
//!
//! `spans` is [`vertex::Decoder`]; `scalar` is [`vertex::scalar`], which reads like the
//! specification's table and looks at the vertex type for every number. Before anything is timed,
//! every answer of the first is compared with the second, bit for bit.
//!
//! `cargo bench --bench vertex_decode`; a filter such as `'w3x8.*/spans'` picks rows.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use vertex::{
    Component, CoordinateMode, Decoder, F32, UpToEight, VertexColor, VertexType, Vertices, morph, scalar,
    skin,
};

/// Vertices of a large model's draw calls together; they and their arrays fit a second-level cache
/// only for the small types, as in a frame.
const COUNT: usize = 16_384;

fn monster(weights: UpToEight) -> VertexType {
    VertexType::default()
        .with_weights(Component::Bits8, weights)
        .with_texture_coordinate(Component::Bits16)
        .with_normal(Component::Bits8)
        .with_position(Component::Bits16)
}

fn stage(color: VertexColor) -> VertexType {
    VertexType::default()
        .with_texture_coordinate(Component::Bits16)
        .with_color(color)
        .with_position(Component::Bits16)
}

fn everything() -> VertexType {
    VertexType::default()
        .with_weights(Component::Float, UpToEight::EIGHT)
        .with_texture_coordinate(Component::Float)
        .with_color(VertexColor::Rgba8888)
        .with_normal(Component::Float)
        .with_position(Component::Float)
}

/// What Monster Hunter ships (`spec/mhp-formats.md §3.5`), then the extremes.
fn vertex_types() -> Vec<VertexType> {
    let through = VertexType::default().with_mode(CoordinateMode::Through);
    let mut types: Vec<_> = (1..=5).filter_map(UpToEight::new).map(monster).collect();
    types.extend([
        stage(VertexColor::Rgb565),
        stage(VertexColor::Rgba4444),
        everything(),
        everything().with_morph_count(UpToEight::EIGHT),
        VertexType::default().with_position(Component::Bits8),
        through.with_position(Component::Bits16),
        through
            .with_texture_coordinate(Component::Bits16)
            .with_color(VertexColor::Rgba8888)
            .with_position(Component::Bits16),
        through
            .with_texture_coordinate(Component::Float)
            .with_color(VertexColor::Rgba5551)
            .with_position(Component::Float),
    ]);
    types
}

/// Bytes that look random.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_u32;
    let step = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    std::iter::repeat_with(step).take(len).collect()
}

fn decode_scalar(vertex_type: VertexType, bytes: &[u8], out: &mut Vec<scalar::Vertex>) {
    out.clear();
    for vertex in bytes.chunks_exact(vertex_type.layout().vertex_size) {
        for target in 0..vertex_type.morph_count() {
            out.push(scalar::decode(vertex_type, vertex, target).expect("a whole vertex"));
        }
    }
}

/// Bytes that look random, each aligned word a float from 0.5 to 2: sums of products of these stay
/// ordinary numbers, as a model's do.
fn ordinary_floats(len: usize) -> Vec<u8> {
    let mut bytes = noise(len);
    bytes.iter_mut().skip(3).step_by(4).for_each(|top| *top = 0x3F);
    bytes
}

/// Panics where the two decoders differ.
fn check(vertex_type: VertexType, bytes: &[u8]) {
    fn same<const N: usize>(columns: Option<[&[f32]; N]>, row: usize, scalar: Option<[f32; N]>) -> bool {
        columns.map(|columns| columns.map(|column| column[row].to_bits()))
            == scalar.map(|s| s.map(f32::to_bits))
    }
    let mut columns = Vertices::new();
    Decoder::new(vertex_type)
        .decode(bytes, COUNT, &mut columns)
        .expect("enough bytes");
    let mut scalar = Vec::new();
    decode_scalar(vertex_type, bytes, &mut scalar);
    let targets = vertex_type.morph_count();
    assert_eq!((columns.len(), scalar.len()), (COUNT, COUNT * targets));
    for (place, want) in scalar.iter().enumerate() {
        let (row, number) = (place / targets, place % targets);
        let target = columns.target(number).expect("every target");
        assert!(
            same(target.position(), row, want.position),
            "{vertex_type} position {row}"
        );
        assert!(
            same(target.normal(), row, want.normal),
            "{vertex_type} normal {row}"
        );
        let coordinate = (target.texture_coordinate(), want.texture_coordinate);
        assert!(
            same(coordinate.0, row, coordinate.1),
            "{vertex_type} texture coordinate {row}"
        );
        assert_eq!(
            target.color().map(|c| c[row]),
            want.color,
            "{vertex_type} color {row}"
        );
        for bone in (0..vertex_type.weight_count()).filter(|_| number == 0) {
            let weight = want.weights.map(|weights| weights[bone].to_bits());
            assert_eq!(
                columns.weights(bone).map(|w| w[row].to_bits()),
                weight,
                "{vertex_type} weight {row}"
            );
        }
    }
}

fn decode(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vertex_decode");
    for vertex_type in vertex_types() {
        let bytes = noise(COUNT * vertex_type.layout().vertex_size);
        check(vertex_type, &bytes);
        group.throughput(Throughput::ElementsAndBytes {
            elements: COUNT as u64,
            bytes: bytes.len() as u64,
        });
        let name = vertex_type.to_string();
        let (decoder, mut vertices) = (Decoder::new(vertex_type), Vertices::new());
        group.bench_function(BenchmarkId::new(&name, "spans"), |bencher| {
            bencher.iter(|| decoder.decode(black_box(&bytes), COUNT, black_box(&mut vertices)));
        });
        let mut scalar = Vec::new();
        group.bench_function(BenchmarkId::new(&name, "scalar"), |bencher| {
            bencher.iter(|| decode_scalar(vertex_type, black_box(&bytes), black_box(&mut scalar)));
        });
    }
    group.finish();
}

/// Decoding and what follows it, since skinning and morphing work in place.
fn pose(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vertex_pose");
    let bones = [[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.25, 0.125]; 8];
    for vertex_type in [
        monster(UpToEight::ONE),
        monster(UpToEight::new(3).expect("3")),
        everything(),
        everything().with_morph_count(UpToEight::EIGHT),
    ] {
        let bytes = ordinary_floats(COUNT * vertex_type.layout().vertex_size);
        let (decoder, mut vertices) = (Decoder::new(vertex_type), Vertices::new());
        group.throughput(Throughput::ElementsAndBytes {
            elements: COUNT as u64,
            bytes: bytes.len() as u64,
        });
        group.bench_function(
            BenchmarkId::new(vertex_type.to_string(), "decode, morph, skin"),
            |bencher| {
                bencher.iter(|| {
                    decoder
                        .decode(black_box(&bytes), COUNT, &mut vertices)
                        .expect("enough bytes");
                    morph::morph::<F32>(&mut vertices, black_box(&[0.125; 8]));
                    skin::skin::<F32>(&mut vertices, black_box(&bones));
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, decode, pose);
criterion_main!(benches);
