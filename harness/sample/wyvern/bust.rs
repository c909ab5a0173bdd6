//! The wyvern's head alone, without bones: it blinks, roars and spreads its frills by the GE's vertex morphing.
//!
//! Its parts are those of the whole wyvern. What moves is stored in four shapes a vertex, what does not in one.

use formats::pac::{Alignment, Pac};
use formats::pmo::list::{FrontFace, PrimitiveKind};
use formats::pmo::{Block, Draw, Group, Indexing, LightingFlags, Material, Mesh, Pmo, Version};
use formats::tmh::{ColorFormat, PixelFormat, Tmh};
use glam::DVec3;
use vertex::{Component, UpToEight, VertexType};

use super::anatomy::{FRILL, HEAD, JAW, NECK, Side, joints};
use super::head::{lids, plug};
use super::{MaterialName, Piece, add, head, ornaments};
use crate::sample::math::rotate;
use crate::sample::strips::strips;
use crate::sample::surface::Surface;
use crate::sample::textures::image;
use crate::sample::{SampleError, SampleFile, paint};

/// The shapes a moving vertex is stored in, in the order of the morph targets.
pub(super) const SHAPES: [Shape; 4] = [Shape::Rest, Shape::Blink, Shape::Open, Shape::Flare];
/// Half the extent that stored positions reach.
const SCALE: f32 = 512.0;
/// How far the mouth opens, in degrees at the jaw's joint.
const OPENING: f64 = 34.0;
/// How far the frills spread, in degrees at their joints.
const SPREAD: f64 = 46.0;
/// Lit and fogged.
const SOLID: u32 = 0x8000_0003;

/// A shape of the head: a morph target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Mouth shut, eyes open: the base.
    Rest,
    /// Lids down.
    Blink,
    /// Mouth wide open.
    Open,
    /// Frills spread.
    Flare,
}

impl Shape {
    /// What shape animations call it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Blink => "blink",
            Self::Open => "open",
            Self::Flare => "flare",
        }
    }

    /// Angles that a joint is turned by in this shape, in degrees.
    fn turn(self, joint: u8) -> DVec3 {
        match (self, joint) {
            (Self::Open, JAW) => DVec3::X * OPENING,
            (Self::Flare, FRILL) => Side::Left.angles(DVec3::Y * -SPREAD),
            (Self::Flare, _) if joint == FRILL + 1 => Side::Right.angles(DVec3::Y * -SPREAD),
            _ => DVec3::ZERO,
        }
    }

    /// A surface of the head in this shape. Its triangles stay what they are.
    fn of(self, surface: &Surface) -> Surface {
        let joints = joints();
        let mut shaped = surface.clone();
        for vertex in &mut shaped.vertices {
            let total: f64 = vertex.weights.iter().map(|weight| weight.1).sum();
            let moved = vertex.weights.iter().map(|&(joint, weight)| {
                let pivot = joints[usize::from(joint)].bind;
                (pivot + rotate(vertex.position - pivot, self.turn(joint))) * (weight / total)
            });
            vertex.position = moved.sum();
        }
        shaped
    }
}

/// A piece in each of the shapes that it needs: one, or all.
struct Part {
    material: MaterialName,
    shapes: Vec<Surface>,
}

/// The head's pieces. Lids are the only ones that more than joints move.
fn parts() -> Vec<Part> {
    let mut pieces: Vec<Piece> = Vec::new();
    head::build(&mut pieces);
    ornaments::build(&mut pieces);
    let (mesh, hide) = (super::MeshName::Body, MaterialName::HeadHide);
    add(&mut pieces, mesh, MaterialName::Flesh, plug());
    let on_head = |piece: &Piece| {
        let mut weights = piece.surface.vertices.iter().flat_map(|vertex| &vertex.weights);
        weights.all(|&(joint, _)| (NECK + 2..=FRILL + 1).contains(&joint))
    };
    let is_solid = |piece: &Piece| !matches!(piece.material, MaterialName::Glow | MaterialName::Saliva);
    let turned = pieces
        .into_iter()
        .filter(|piece| on_head(piece) && is_solid(piece))
        .map(|piece| {
            let joints = piece.surface.vertices.iter().flat_map(|vertex| &vertex.weights);
            let moves = joints
                .clone()
                .any(|&(joint, _)| joint != HEAD && joint != NECK + 2);
            let count = if moves { SHAPES.len() } else { 1 };
            let shapes = SHAPES[..count]
                .iter()
                .map(|shape| normals_of(shape.of(&piece.surface)));
            Part {
                material: piece.material,
                shapes: shapes.collect(),
            }
        });
    let lids = Side::BOTH.into_iter().map(|side| Part {
        material: hide,
        shapes: SHAPES
            .map(|shape| lids(side, if shape == Shape::Blink { 1.0 } else { 0.0 }))
            .to_vec(),
    });
    turned.chain(lids).collect()
}

/// A surface with the normals of its places as they are now.
fn normals_of(mut surface: Surface) -> Surface {
    surface.smooth();
    surface
}

/// The materials in the order of the model's table, and what each is drawn with.
const MATERIALS: [(MaterialName, u8); 5] = [
    (MaterialName::HeadHide, 0),
    (MaterialName::Horn, 1),
    (MaterialName::Eye, 2),
    (MaterialName::Flesh, 3),
    (MaterialName::Frill, 4),
];

/// The files of the head.
pub(crate) fn files() -> Result<Vec<SampleFile>, SampleError> {
    let textures = Tmh {
        images: vec![
            image(PixelFormat::Clut8, &paint::head(), Some(ColorFormat::Rgba8888))?,
            image(PixelFormat::Clut4, &paint::horn(), Some(ColorFormat::Rgba5551))?,
            image(PixelFormat::Clut8, &paint::eye(), Some(ColorFormat::Rgba8888))?,
            image(PixelFormat::Dxt1, &paint::flesh(), None)?,
            image(PixelFormat::Rgba5551, &paint::fin(), None)?,
        ],
        tail: Vec::new(),
    };
    let entries = vec![Vec::new(), model()?.write()?, textures.write()];
    Ok(vec![SampleFile {
        name: "wyvern-head.pac".to_owned(),
        bytes: Pac::new(entries, Alignment::Bytes16)?.write(),
        about: "the wyvern's head with morph targets instead of bones: model, textures".to_owned(),
    }])
}

/// One mesh: for each material its still groups, then those that morph.
fn model() -> Result<Pmo, SampleError> {
    let parts = parts();
    let middle = joints()[usize::from(HEAD)].bind;
    let mut model = Pmo::new(Version::Mhfu);
    model.radius = SCALE;
    model.scale = [SCALE; 3];
    let mut mesh = Mesh {
        placement: None,
        uv_scale: [1.0, 1.0],
        lighting: LightingFlags(SOLID),
        blend: 0,
        pad: 0,
        remap: Vec::new(),
        groups: Vec::new(),
    };
    for (number, (name, image)) in (0..).zip(MATERIALS) {
        mesh.remap.push(u16::from(number));
        model.materials.push(Material {
            color: [255; 4],
            ambient: [150, 150, 156, 255],
            image: Some(image),
            pad: [0; 3],
            leftover: 0,
        });
        for count in [1, SHAPES.len()] {
            let of_kind = parts
                .iter()
                .filter(|part| part.material == name && part.shapes.len() == count);
            let mut shapes = vec![Surface::default(); count];
            for part in of_kind {
                for (whole, own) in shapes.iter_mut().zip(&part.shapes) {
                    whole.append(own.clone());
                }
            }
            if shapes[0].triangles.is_empty() {
                continue;
            }
            mesh.groups.push(Group {
                material: number,
                palette: Vec::new(),
                block: model.blocks.len(),
            });
            model.blocks.push(block(&shapes, middle)?);
        }
    }
    model.meshes.push(mesh);
    Ok(model)
}

/// The block that draws surfaces which differ in their places alone, each the next morph target.
/// Positions are stored from `middle`.
fn block(shapes: &[Surface], middle: DVec3) -> Result<Block, SampleError> {
    let vertex_type = VertexType::from_argument(0)
        .with_texture_coordinate(Component::Bits16)
        .with_normal(Component::Bits8)
        .with_position(Component::Bits16)
        .with_morph_count(UpToEight::new(shapes.len()).unwrap_or(UpToEight::ONE));
    let layout = vertex_type.layout();
    let stored = |corner: usize| -> Vec<u8> {
        let mut bytes = vec![0; layout.vertex_size];
        for (target, shape) in bytes.chunks_exact_mut(layout.target_size).zip(shapes) {
            let vertex = &shape.vertices[corner];
            let mut put = |offset: Option<usize>, value: &[u8]| {
                if let Some(offset) = offset {
                    target[offset..offset + value.len()].copy_from_slice(value);
                }
            };
            let uv = vertex
                .uv
                .map(|part| (part * 32768.0).round().clamp(0.0, 65535.0) as u16);
            put(layout.texture_coordinate, &uv.map(u16::to_le_bytes).concat());
            put(
                layout.normal,
                &vertex.normal.to_array().map(|x| (x * 127.0).round() as i8 as u8),
            );
            let place = (vertex.position - middle) * (32768.0 / f64::from(SCALE));
            put(
                layout.position,
                &place
                    .to_array()
                    .map(|x| (x.round() as i16).to_le_bytes())
                    .concat(),
            );
        }
        bytes
    };
    let first = &shapes[0];
    let corners: Vec<Vec<u8>> = (0..first.vertices.len()).map(stored).collect();
    // Corners alike in every shape are one vertex.
    let mut numbers = std::collections::BTreeMap::new();
    let mut bytes = Vec::new();
    let mut number_of = |corner: u32| {
        let next = numbers.len() as u32;
        *numbers
            .entry(&corners[corner as usize])
            .or_insert_with_key(|vertex| {
                bytes.extend_from_slice(vertex);
                next
            })
    };
    let triangles: Vec<[u32; 3]> = first
        .triangles
        .iter()
        .map(|triangle| triangle.map(&mut number_of))
        .collect();
    let (strips, single) = strips(&triangles);
    let mut draws: Vec<Draw> = strips
        .into_iter()
        .map(|strip| Draw {
            kind: PrimitiveKind::TriangleStrip,
            front_face: strip.front,
            vertices: strip.corners,
        })
        .collect();
    if !single.is_empty() {
        draws.push(Draw {
            kind: PrimitiveKind::Triangles,
            front_face: FrontFace::AsGiven,
            vertices: single.into_flattened(),
        });
    }
    Ok(Block::build(vertex_type, &bytes, &draws, Indexing::Smallest)?)
}
