//! The triangles of a posed model, as drawing makes them.

use formats::pmo::{Block, MaterialChoice, Mesh, Pmo, SLOTS};
use ge::arithmetic::{T24, transform_direction, transform_point};
use glam::{DAffine3, Vec3};
use motion::morph::MOST_TARGETS;
use motion::palette::BoneMatrix;
use vertex::{Decoder, Vertices};

use super::{MorphPose, Visibility};

/// One drawn group, posed.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// The mesh's number.
    pub mesh: usize,
    /// The group's number in the group table.
    pub group: usize,
    /// The material's number in the model, `None` for a group without one.
    pub material: Option<usize>,
    /// Positions in model space, as the GE skins them: 16 significant bits.
    pub positions: Vec<[f32; 3]>,
    /// Normals, of any length; none where the vertex type has none.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Texture coordinates with the mesh's scale and offset, v growing downwards; none where the
    /// vertex type has none.
    pub texture_coordinates: Option<Vec<[f32; 2]>>,
    /// Triangles in drawing order, by vertex. The GE's facing rule is already in their order.
    pub triangles: Vec<[u32; 3]>,
}

/// Whether bones move any group of a model: else the scale is in its world matrix.
#[must_use]
pub fn is_skinned(pmo: &Pmo) -> bool {
    pmo.meshes
        .iter()
        .flat_map(|mesh| &mesh.groups)
        .any(|group| !group.palette.is_empty())
}

/// The drawn triangles of a model. `skin` holds for each bone what takes a vertex from bind to its pose; bones
/// that it lacks stay at bind. `morph` holds the weights of morph targets.
#[must_use]
pub fn surfaces(pmo: &Pmo, skin: &[DAffine3], morph: &MorphPose, visibility: &Visibility) -> Vec<Surface> {
    let skinned = is_skinned(pmo);
    // A model with a slot that the GE lacks is refused when it is opened.
    let palettes = pmo
        .bone_palettes_of(|place| visibility.draws(pmo, place))
        .unwrap_or_default();
    let mut vertices = Vertices::new();
    pmo.groups()
        .zip(palettes)
        .filter(|&(place, _)| visibility.draws(pmo, place))
        .filter_map(|(place, slots)| {
            let block = pmo.blocks.get(place.group.block)?;
            let mesh = pmo.meshes.get(place.mesh)?;
            let scale = pmo.scale_of(mesh);
            let bones = slots.map(|bone| {
                let skin = bone.and_then(|bone| skin.get(usize::from(bone)));
                BoneMatrix::new(skin.unwrap_or(&DAffine3::IDENTITY), scale)
            });
            let targets = block.vertex_type()?.morph_count();
            let weights = morph.registers(place.mesh, targets);
            let surface = posed(block, &bones, &weights, skinned, mesh, scale, &mut vertices)?;
            let material = match pmo.material_of(place.mesh, place.group) {
                Some(MaterialChoice::Material(material)) => Some(material),
                Some(MaterialChoice::Current) | None => None,
            };
            Some(Surface {
                mesh: place.mesh,
                group: place.index,
                material,
                ..surface
            })
        })
        .collect()
}

/// The positions that triangles of a posed model use.
#[must_use]
pub fn points(surfaces: &[Surface]) -> Vec<Vec3> {
    let mut points = Vec::new();
    for surface in surfaces {
        let mut used = vec![false; surface.positions.len()];
        for &index in surface.triangles.iter().flatten() {
            if let Some(used) = used.get_mut(index as usize) {
                *used = true;
            }
        }
        let used = surface.positions.iter().zip(used).filter(|&(_, used)| used);
        points.extend(used.map(|(&position, _)| Vec3::from_array(position)));
    }
    points
}

fn posed(
    block: &Block,
    bones: &[BoneMatrix; SLOTS],
    weights: &[f32; MOST_TARGETS],
    skinned: bool,
    mesh: &Mesh,
    scale: [f32; 3],
    vertices: &mut Vertices,
) -> Option<Surface> {
    let vertex_type = block.vertex_type()?;
    let count = block.vertex_count();
    Decoder::new(vertex_type)
        .decode(&block.vertices, count, vertices)
        .ok()?;
    vertex::morph::morph::<T24>(vertices, weights);
    let matrices = bones.map(|bone| bone.0);
    vertex::skin::skin::<T24>(vertices, &matrices);
    // What the GE's skinning leaves to the world matrix: the scale of an unskinned model, and the whole
    // bone of a group without weights in a skinned one (spec/mhp-formats.md §3.8).
    let world = match (vertex_type.weight_count(), skinned) {
        (0, true) => bones[0],
        (0, false) => BoneMatrix::new(&DAffine3::IDENTITY, scale),
        _ => BoneMatrix::IDENTITY,
    };
    let columns = |columns: [&[f32]; 3]| -> Vec<[f32; 3]> {
        (0..count).map(|row| columns.map(|column| column[row])).collect()
    };
    let placed = mesh.placement.map_or([0.0; 2], |placement| placement.uv_offset);
    let texture_coordinates = vertices.texture_coordinate().map(|[u, v]| {
        (0..count)
            .map(|row| {
                [
                    u[row] * mesh.uv_scale[0] + placed[0],
                    v[row] * mesh.uv_scale[1] + placed[1],
                ]
            })
            .collect()
    });
    Some(Surface {
        mesh: 0,
        group: 0,
        material: None,
        positions: columns(vertices.position()?)
            .into_iter()
            .map(|position| transform_point::<T24>(position, &world.0))
            .collect(),
        normals: vertices.normal().map(|normals| {
            columns(normals)
                .into_iter()
                .map(|normal| transform_direction::<T24>(normal, &world.0))
                .collect()
        }),
        texture_coordinates,
        triangles: block.triangles().ok()?,
    })
}
