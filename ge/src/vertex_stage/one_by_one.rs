//! The vertex stage one vertex at a time, as the specification words it: what the lanes are held to, bit for bit.

use fearless_simd::Level;
use proptest::prelude::*;
use raster::{Profile, ScreenVertex, Subpixel};
use vertex::{Component, CoordinateMode, Decoder, VertexColor, VertexType, Vertices};

use super::texture_coordinate::GenerationInput;
use super::*;
use crate::arithmetic::{in_arithmetic, transform_direction, transform_point, transform_projection};
use crate::command::Command;
use crate::lighting::Lit;

fn clip<A: Geometry>(route: &Route, point: [f32; 3]) -> [f32; 4] {
    match route {
        Route::Combined(matrix) => transform_projection::<A>(point, matrix),
        Route::ByWorld {
            world,
            view_projection,
        } => transform_projection::<A>(transform_point::<A>(point, world), view_projection),
    }
}

impl VertexStage {
    fn process_one_by_one<A: Geometry>(
        &self,
        vertices: &Vertices,
        sticky: &StickyAttributes,
        out: &mut StagedVertices,
    ) {
        let first = out.screen.len();
        let Some(positions) = vertices.position() else {
            return;
        };
        match self.mode {
            CoordinateMode::Through => self.place_through(positions, out),
            CoordinateMode::Transform => self.place_transformed_one_by_one::<A>(positions, out),
        }
        let staged = &mut out.screen[first..];
        self.color_one_by_one::<A>(vertices, positions, sticky, staged);
        if self.fog != Fog::OFF {
            for (row, vertex) in staged.iter_mut().enumerate() {
                vertex.fog = self.fog.factor::<A>(point(positions, row));
            }
        }
        self.coordinates::<A>(vertices, positions, sticky, staged);
    }

    fn place_through(&self, [x, y, z]: [&[f32]; 3], out: &mut StagedVertices) {
        for ((&x, &y), &z) in x.iter().zip(y).zip(z) {
            let vertex = ScreenVertex {
                x: Subpixel(through_subpixel(x)),
                y: Subpixel(through_subpixel(y)),
                // Saturates; whether hardware clamps here or per pixel is not known.
                z: (z as u32).min(0xFFFF),
                fog: 1.0,
                q: 1.0,
                w: 1.0,
                ..ScreenVertex::default()
            };
            out.push(vertex, ClipVertex::default());
        }
    }

    fn place_transformed_one_by_one<A: Geometry>(&self, positions: [&[f32]; 3], out: &mut StagedVertices) {
        for row in 0..positions[0].len() {
            let position = clip::<A>(&self.route, point(positions, row));
            let projected = self.viewport.project::<A>(position);
            let vertex = ScreenVertex {
                x: Subpixel(projected.x),
                y: Subpixel(projected.y),
                z: projected.z,
                fog: 1.0,
                q: 1.0,
                w: position[3],
                ..ScreenVertex::default()
            };
            out.push(
                vertex,
                ClipVertex {
                    position,
                    placement: projected.placement,
                },
            );
        }
    }

    fn normal(&self, normals: Option<[&[f32]; 3]>, sticky: &StickyAttributes, row: usize) -> [f32; 3] {
        let [x, y, z] = normals.map_or(sticky.normal, |columns| columns.map(|column| column[row]));
        if self.reverse_normals {
            [-x, -y, -z]
        } else {
            [x, y, z]
        }
    }

    fn color_one_by_one<A: Geometry>(
        &self,
        vertices: &Vertices,
        positions: [&[f32]; 3],
        sticky: &StickyAttributes,
        staged: &mut [ScreenVertex],
    ) {
        let colors = vertices.color();
        let Some(lighting) = &self.lighting else {
            match colors {
                Some(colors) => {
                    for (vertex, &color) in staged.iter_mut().zip(colors) {
                        vertex.color = color;
                    }
                }
                None => {
                    for vertex in staged {
                        vertex.color = self.material_color;
                    }
                }
            }
            return;
        };
        let normals = vertices.normal();
        for (row, vertex) in staged.iter_mut().enumerate() {
            let position = transform_point::<A>(point(positions, row), &self.world);
            let normal = self.world_normal::<A>(self.normal(normals, sticky, row));
            let color = colors.map(|colors| colors[row]);
            let Lit { primary, secondary } = lighting.light::<A>(position, normal, color);
            (vertex.color, vertex.secondary) = (primary, secondary);
        }
    }

    fn world_normal<A: Geometry>(&self, normal: [f32; 3]) -> [f32; 3] {
        A::normalize(transform_direction::<A>(normal, &self.world))
    }

    fn coordinates<A: Geometry>(
        &self,
        vertices: &Vertices,
        positions: [&[f32]; 3],
        sticky: &StickyAttributes,
        staged: &mut [ScreenVertex],
    ) {
        let own = vertices.texture_coordinate();
        let normals = vertices.normal();
        // A sticky pair was scaled when it was read.
        let generation = match (own, &self.generation) {
            (None, Generation::Scale { .. }) => &Generation::Copy,
            (_, generation) => generation,
        };
        for (row, vertex) in staged.iter_mut().enumerate() {
            let normal = self.normal(normals, sticky, row);
            let input = GenerationInput {
                position: point(positions, row),
                texture_coordinate: own.map_or(sticky.texture_coordinate, |pair| pair.map(|axis| axis[row])),
                normal,
                world_normal: if generation.needs_world_normal() {
                    self.world_normal::<A>(normal)
                } else {
                    [0.0; 3]
                },
            };
            [vertex.s, vertex.t, vertex.q] = generation.generate::<A>(&input);
        }
    }
}

/// Sixteenths of a pixel of a through-mode coordinate, truncated (`spec/ge-raster.md §2.3`). Beyond
/// 65,536 pixels either way the coordinate stays there: nothing on a screen of 1,024 can tell.
fn through_subpixel(pixels: f32) -> i32 {
    const LIMIT: f32 = (1 << 20) as f32;
    (16.0 * pixels).clamp(-LIMIT, LIMIT) as i32
}

/// A row's position. What is no number becomes the largest one, as PPSSPP does (unverified,
/// `spec/ge-frontend.md §4.3`): frames are known that count on such rectangles.
#[inline]
fn point(positions: [&[f32]; 3], row: usize) -> [f32; 3] {
    positions.map(|axis| {
        let value = axis[row];
        if value.is_finite() {
            value
        } else if value.is_nan() {
            f32::MAX
        } else {
            f32::MAX.copysign(value)
        }
    })
}

/// Numbers of all kinds: near one, of any exponent, and those that are none.
pub(crate) fn hostile() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -4.0_f32..4.0,
        2 => any::<u32>().prop_map(f32::from_bits),
        1 => prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            4096.0,
            f32::MAX,
            f32::MIN_POSITIVE,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            1e-42,
        ]),
    ]
}

/// The levels that this processor has.
pub(crate) fn levels() -> Vec<Level> {
    let best = Level::new();
    #[allow(unused_mut)]
    let mut levels = vec![best];
    #[cfg(target_arch = "x86_64")]
    levels.extend(
        [
            best.as_avx2().map(Level::Avx2),
            best.as_sse4_2().map(Level::Sse4_2),
            best.as_sse2().map(Level::Sse2),
        ]
        .into_iter()
        .flatten(),
    );
    levels
}

/// All bits, those of what is no number made alike: which of two such operands an instruction hands on is not the
/// same everywhere, and nothing looks.
fn bits(value: f32) -> u32 {
    if value.is_nan() {
        0x7FC0_0000
    } else {
        value.to_bits()
    }
}

fn all_bits(staged: &StagedVertices) -> Vec<[u32; 15]> {
    let both = staged.screen.iter().zip(&staged.clip);
    both.map(|(screen, clip)| {
        let [x, y, z, w] = clip.position.map(bits);
        [
            screen.x.0 as u32,
            screen.y.0 as u32,
            screen.z,
            screen.color,
            screen.secondary,
            bits(screen.fog),
            bits(screen.s),
            bits(screen.t),
            bits(screen.q),
            bits(screen.w),
            x,
            y,
            z,
            w,
            clip.placement.bits(),
        ]
    })
    .collect()
}

/// A list of words that set registers the vertex stage reads, to anything.
fn words() -> impl Strategy<Value = Vec<u32>> {
    let float = |opcodes: std::ops::RangeInclusive<u32>| {
        (opcodes, hostile()).prop_map(|(opcode, value)| opcode << 24 | value.to_bits() >> 8)
    };
    let bit = |opcodes: std::ops::RangeInclusive<u32>| {
        (opcodes, 0_u32..2).prop_map(|(opcode, value)| opcode << 24 | value)
    };
    let word = prop_oneof![
        4 => float(0x42..=0x4B),
        4 => float(0x5B..=0x8E),
        1 => float(0xCD..=0xCE),
        2 => bit(0x15..=0x24),
        1 => bit(0x50..=0x51),
        1 => bit(0x5E..=0x5E),
        2 => (0x52_u32..=0x9A, 0_u32..1 << 24).prop_map(|(opcode, value)| opcode << 24 | value),
        1 => (0x5F_u32..=0x62, 0_u32..3, 0_u32..3).prop_map(|(o, a, b)| o << 24 | a << 8 | b),
        1 => (0_u32..3, 0_u32..4).prop_map(|(mode, source)| 0xC0 << 24 | source << 8 | mode),
        1 => (0_u32..4, 0_u32..4).prop_map(|(s, t)| 0xC1 << 24 | t << 8 | s),
        1 => Just(0x1700_0001),
        1 => (0x18_u32..=0x1B).prop_map(|opcode| opcode << 24 | 1),
        1 => Just(0x1E00_0001),
    ];
    prop::collection::vec(word, 20..160)
}

fn component() -> impl Strategy<Value = Component> {
    prop::sample::select(vec![
        Component::None,
        Component::Bits8,
        Component::Bits16,
        Component::Float,
        Component::Float,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Blocks give each vertex what it gets alone, in either arithmetic and at each level.
    #[test]
    fn lanes_compute_what_vertices_get_one_by_one(
        words in words(),
        matrices in prop::array::uniform12(prop::array::uniform12(-2.0_f32..2.0)),
        hostile_matrices in prop::bool::weighted(0.3),
        odd in hostile(),
        place in 0_usize..12,
        (texture, color, normal) in (component(), any::<bool>(), component()),
        position in component(),
        through in prop::bool::weighted(0.2),
        numbers in prop::collection::vec(hostile(), 9 * 20),
        count in 1_usize..=20,
        sticky in prop::array::uniform5(hostile()),
        hardware: bool,
    ) {
        let mut registers = Registers::default();
        for word in words {
            registers.store(Command::from_word(word));
        }
        let mut all = Matrices::default();
        (all.world, all.view, all.texture) = (matrices[0], matrices[1], matrices[2]);
        all.projection[..12].copy_from_slice(&matrices[3]);
        all.projection[11] = -1.0;
        all.projection[14] = matrices[4][0];
        if hostile_matrices {
            all.world[place] = odd;
            all.projection[place] = odd;
            all.texture[11 - place] = odd;
        }
        let mode = if through { CoordinateMode::Through } else { CoordinateMode::Transform };
        let position = if position == Component::None { Component::Float } else { position };
        let vertex_type = VertexType::default()
            .with_texture_coordinate(texture)
            .with_color(if color { VertexColor::Rgba8888 } else { VertexColor::None })
            .with_normal(normal)
            .with_position(position)
            .with_mode(mode);
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let sticky = StickyAttributes {
            normal: [sticky[0], sticky[1], sticky[2]],
            texture_coordinate: [sticky[3], sticky[4]],
        };
        let profile = if hardware { Profile::Hardware } else { Profile::Ppsspp };
        in_arithmetic!(profile, A => {
            let products = Products::of::<A>(&all);
            let stage = VertexStage::of::<A>(&registers, &all, &products, mode);
            let mut want = StagedVertices::default();
            for (number, level) in levels().into_iter().enumerate() {
                let mut vertices = Vertices::with_level(level);
                Decoder::new(vertex_type).decode(&bytes, count, &mut vertices).expect("long enough");
                if number == 0 {
                    stage.process_one_by_one::<A>(&vertices, &sticky, &mut want);
                }
                let mut got = StagedVertices::default();
                stage.process::<A>(&vertices, &sticky, &mut got);
                prop_assert_eq!(all_bits(&got), all_bits(&want), "{:?} {:?} {:?}", level, vertex_type, stage);
            }
        });
    }
}
