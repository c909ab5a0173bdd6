//! Batches as blocks: a display list with its vertex and index buffers.

use formats::pmo::list::{FrontFace, ListCommand, PrimitiveKind};
use formats::pmo::{Block, BlockCommand};
use vertex::{Component, IndexFormat, UpToEight, VertexColor, VertexType};

use super::batches::{Batch, StoredVertex};
use super::strips::{Strip, strips};

/// What a model's vertices hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VertexKind {
    /// Weights, texture coordinates, normal, position.
    Skinned,
    /// Texture coordinates, 16-bit colour, position: a stage's light is in its vertices.
    Painted,
}

/// The block that draws a batch. `slots` says which bone each matrix slot holds; a position's
/// steps are multiplied by 2 to the `shift`.
pub(crate) fn block(kind: VertexKind, batch: &Batch, slots: &[u8], shift: u32) -> Block {
    let (strips, single) = strips(&batch.triangles);
    let corners: usize = strips.iter().map(|s| s.corners.len()).sum::<usize>() + 3 * single.len();
    // Where no corner is drawn twice, indices would only cost space.
    let plain = corners == batch.vertices.len();
    let index = match batch.vertices.len() {
        _ if plain => IndexFormat::None,
        0..=256 => IndexFormat::U8,
        _ => IndexFormat::U16,
    };
    let vertex_type = vertex_type(kind, slots.len()).with_index(index);
    let draws = draws(&strips, single);
    let order: Vec<u32> = draws
        .iter()
        .flat_map(|draw| draw.corners.iter().copied())
        .collect();

    let stored = |i: u32| vertex_bytes(vertex_type, &batch.vertices[i as usize], slots, shift);
    let mut block = Block {
        vertices: if plain {
            order.iter().flat_map(|&i| stored(i)).collect()
        } else {
            (0..batch.vertices.len() as u32).flat_map(stored).collect()
        },
        indices: match index {
            IndexFormat::None => Vec::new(),
            IndexFormat::U8 => order.iter().map(|&i| i as u8).collect(),
            _ => order.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect(),
        },
        list: Vec::new(),
    };
    block.list = list(vertex_type, &draws);
    block
}

/// One PRIM.
struct Draw {
    front: FrontFace,
    kind: PrimitiveKind,
    corners: Vec<u32>,
}

/// The draws in the games' order; the list of single triangles comes last and keeps the facing
/// that is then in force.
fn draws(strips: &[Strip], single: Vec<[u32; 3]>) -> Vec<Draw> {
    let mut draws: Vec<Draw> = strips
        .iter()
        .map(|strip| Draw {
            front: strip.front,
            kind: PrimitiveKind::TriangleStrip,
            corners: strip.corners.clone(),
        })
        .collect();
    if !single.is_empty() {
        let front = draws.last().map_or(FrontFace::AsGiven, |draw| draw.front);
        let facing = |[a, b, c]: [u32; 3]| {
            if front == FrontFace::Reversed {
                [b, a, c]
            } else {
                [a, b, c]
            }
        };
        draws.push(Draw {
            front,
            kind: PrimitiveKind::Triangles,
            corners: single.into_iter().flat_map(facing).collect(),
        });
    }
    draws
}

/// ORIGIN, BASE, addresses, vertex type, then the draws with FFACE where it changes
/// (`spec/mhp-formats.md` §3.3).
fn list(vertex_type: VertexType, draws: &[Draw]) -> Vec<BlockCommand> {
    let plain = BlockCommand::Plain;
    let mut list = vec![plain(ListCommand::Origin(0)), plain(ListCommand::Base(0))];
    if vertex_type.index() != IndexFormat::None {
        list.push(BlockCommand::Indices(0));
    }
    list.push(BlockCommand::Vertices(0));
    list.push(plain(ListCommand::VertexType(vertex_type)));
    let mut front = None;
    for draw in draws {
        if front != Some(draw.front) {
            list.push(plain(ListCommand::front_face(draw.front)));
            front = Some(draw.front);
        }
        list.push(plain(ListCommand::prim(draw.kind, draw.corners.len() as u16)));
    }
    list.push(plain(ListCommand::OffsetAddr(0)));
    list.push(plain(ListCommand::Ret(0)));
    list
}

fn vertex_type(kind: VertexKind, weights: usize) -> VertexType {
    let positioned = VertexType::from_argument(0)
        .with_texture_coordinate(Component::Bits16)
        .with_position(Component::Bits16);
    match (kind, UpToEight::new(weights)) {
        (VertexKind::Painted, _) | (VertexKind::Skinned, None) => positioned.with_color(VertexColor::Rgb565),
        (VertexKind::Skinned, Some(weights)) => positioned
            .with_normal(Component::Bits8)
            .with_weights(Component::Bits8, weights),
    }
}

fn vertex_bytes(vertex_type: VertexType, vertex: &StoredVertex, slots: &[u8], shift: u32) -> Vec<u8> {
    let layout = vertex_type.layout();
    let mut bytes = vec![0; layout.vertex_size];
    let mut put = |offset: Option<usize>, value: &[u8]| {
        if let Some(offset) = offset {
            bytes[offset..offset + value.len()].copy_from_slice(value);
        }
    };
    let weights: Vec<u8> = slots
        .iter()
        .map(|slot| vertex.weights.iter().find(|w| w.0 == *slot).map_or(0, |w| w.1))
        .collect();
    put(layout.weight, &weights);
    put(
        layout.texture_coordinate,
        &vertex.uv.map(u16::to_le_bytes).concat(),
    );
    put(layout.color, &vertex.color.to_le_bytes());
    put(layout.normal, &vertex.normal.map(|n| n as u8));
    put(
        layout.position,
        &vertex.position.map(|p| (p << shift).to_le_bytes()).concat(),
    );
    bytes
}
