//! The triangles of a posed model, as drawing makes them.

use formats::pmo::{Block, CURRENT_MATERIAL, Mesh, Pmo};
use ge::arithmetic::{T24, transform_direction, transform_point};
use glam::{DAffine3, Vec3};
use motion::palette::{BoneMatrix, SLOTS, Slots};
use vertex::{Decoder, Vertices};

use super::Visibility;

/// One drawn group, posed.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// The mesh's number.
    pub mesh: usize,
    /// The group's number in the group table.
    pub group: usize,
    /// The material's number in the model, `None` for a group without one.
    pub material: Option<u16>,
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

/// The position scale of a mesh: its own in Portable 3rd, the model's in Freedom Unite.
#[must_use]
pub fn scale(pmo: &Pmo, mesh: &Mesh) -> [f32; 3] {
    mesh.placement.map_or(pmo.scale, |placement| {
        let [x, y, z, _] = placement.scale;
        [x, y, z]
    })
}

/// Whether bones move any group of a model: else the scale is in its world matrix.
#[must_use]
pub fn is_skinned(pmo: &Pmo) -> bool {
    pmo.meshes.iter().flat_map(|mesh| &mesh.groups).any(|group| !group.palette.is_empty())
}

/// The drawn triangles of a model. `skin` holds for each bone what takes a vertex from bind to its pose; bones
/// that it lacks stay at bind.
#[must_use]
pub fn surfaces(pmo: &Pmo, skin: &[DAffine3], visibility: &Visibility) -> Vec<Surface> {
    let skinned = is_skinned(pmo);
    let mut slots = Slots::default();
    let mut vertices = Vertices::new();
    let mut surfaces = Vec::new();
    let mut next = 0;
    for (mesh_index, mesh) in pmo.meshes.iter().enumerate() {
        let scale = scale(pmo, mesh);
        for group in &mesh.groups {
            let group_index = next;
            next += 1;
            if !visibility.draws(pmo, mesh_index, group) {
                continue;
            }
            slots.load(&group.palette);
            let Some(block) = pmo.blocks.get(group.block) else { continue };
            let bones = slots.bones.map(|bone| {
                let skin = bone.and_then(|bone| skin.get(usize::from(bone)));
                BoneMatrix::new(skin.unwrap_or(&DAffine3::IDENTITY), scale)
            });
            let Some(surface) = posed(block, &bones, skinned, mesh, scale, &mut vertices) else { continue };
            let material = mesh.remap.get(usize::from(group.material)).copied();
            surfaces.push(Surface {
                mesh: mesh_index,
                group: group_index,
                material: material.filter(|&material| material != CURRENT_MATERIAL),
                ..surface
            });
        }
    }
    surfaces
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
    skinned: bool,
    mesh: &Mesh,
    scale: [f32; 3],
    vertices: &mut Vertices,
) -> Option<Surface> {
    let vertex_type = block.vertex_type()?;
    let count = block.vertex_count();
    Decoder::new(vertex_type).decode(&block.vertices, count, vertices).ok()?;
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
            .map(|row| [u[row] * mesh.uv_scale[0] + placed[0], v[row] * mesh.uv_scale[1] + placed[1]])
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
            columns(normals).into_iter().map(|normal| transform_direction::<T24>(normal, &world.0)).collect()
        }),
        texture_coordinates,
        triangles: block.triangles().ok()?,
    })
}
