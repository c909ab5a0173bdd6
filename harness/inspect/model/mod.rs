//! What a PMO model holds.
mod text;

use std::collections::{BTreeSet, HashMap};

use formats::pmo::list::{ListCommand, PrimitiveKind};
use formats::pmo::{
    Block, BlockCommand, GeometryPlace, Group, MaterialChoice, Mesh, Pmo, RemapTable, Version,
};
use serde::Serialize;

use super::draws::vertex_type_text;
use super::table::count;

/// A model in numbers.
#[derive(Debug, Serialize)]
pub struct ModelReport {
    format_version: &'static str,
    radius: f32,
    scale: [f32; 3],
    geometry: &'static str,
    remap_table: bool,
    vertices: usize,
    triangles: usize,
    bones_used: Vec<usize>,
    images_used: Vec<usize>,
    meshes: Vec<MeshReport>,
    groups: Vec<GroupReport>,
    materials: Vec<MaterialReport>,
    tail_bytes: usize,
}

#[derive(Debug, Serialize)]
struct MeshReport {
    mesh: usize,
    groups: usize,
    first_group: usize,
    lighting: u32,
    lit: Option<bool>,
    fogged: Option<bool>,
    blended: bool,
    blend: u32,
    uv_scale: [f32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    uv_offset: Option<[f32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<[f32; 4]>,
    remap: Vec<u16>,
}

#[derive(Debug, Serialize)]
struct GroupReport {
    group: usize,
    mesh: usize,
    /// The index into the mesh's remap.
    material: u8,
    /// The material it leads to; `None` past the table, or where the state stays as it is.
    resolved_material: Option<usize>,
    image: Option<u8>,
    block: usize,
    vertex_type: String,
    vertices: usize,
    draws: Vec<DrawReport>,
    triangles: usize,
    /// The uploads just before the draw: matrix slot and bone.
    palette: Vec<(u8, u8)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// Draws of one kind in a group's list.
#[derive(Debug, Serialize)]
struct DrawReport {
    primitive: &'static str,
    draws: usize,
    vertices: usize,
}

#[derive(Debug, Serialize)]
struct MaterialReport {
    material: usize,
    color: [u8; 4],
    ambient: [u8; 4],
    image: Option<u8>,
    leftover: u32,
    groups: usize,
}

impl ModelReport {
    /// The report of a model.
    #[must_use]
    pub fn new(model: &Pmo) -> Self {
        let mut block_users: HashMap<usize, usize> = HashMap::new();
        for group in model.meshes.iter().flat_map(|mesh| &mesh.groups) {
            *block_users.entry(group.block).or_default() += 1;
        }
        let mut meshes = Vec::new();
        let mut groups: Vec<GroupReport> = Vec::new();
        for (mesh_index, mesh) in model.meshes.iter().enumerate() {
            let first_group = groups.len();
            for group in &mesh.groups {
                let users = block_users.get(&group.block).copied().unwrap_or(0);
                groups.push(GroupReport::new(model, groups.len(), mesh_index, group, users));
            }
            meshes.push(MeshReport::new(mesh_index, mesh, first_group));
        }
        let mut material_users: HashMap<usize, usize> = HashMap::new();
        for material in groups.iter().filter_map(|group| group.resolved_material) {
            *material_users.entry(material).or_default() += 1;
        }
        let materials = model
            .materials
            .iter()
            .enumerate()
            .map(|(index, material)| MaterialReport {
                material: index,
                color: material.color,
                ambient: material.ambient,
                image: material.image,
                leftover: material.leftover,
                groups: material_users.get(&index).copied().unwrap_or(0),
            });
        let bones: BTreeSet<_> = groups
            .iter()
            .flat_map(|group| &group.palette)
            .map(|(_, bone)| usize::from(*bone))
            .collect();
        let images: BTreeSet<_> = groups
            .iter()
            .filter_map(|group| group.image)
            .map(usize::from)
            .collect();
        Self {
            format_version: match model.version {
                Version::Mhfu => "1.0",
                Version::Mhp3rd => "102",
            },
            radius: model.radius,
            scale: model.scale,
            geometry: match model.geometry_place {
                GeometryPlace::Inline => "inline",
                GeometryPlace::Companion { .. } => "companion",
            },
            remap_table: model.remap_table == RemapTable::Stored,
            vertices: model.blocks.iter().map(Block::vertex_count).sum(),
            triangles: groups.iter().map(|group| group.triangles).sum(),
            bones_used: bones.into_iter().collect(),
            images_used: images.into_iter().collect(),
            materials: materials.collect(),
            meshes,
            groups,
            tail_bytes: model.tail.len(),
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        format!(
            "{}, {}, {}",
            count(self.meshes.len(), "mesh").replace("meshs", "meshes"),
            count(self.groups.len(), "group"),
            count(self.triangles, "triangle")
        )
    }
}

impl MeshReport {
    fn new(index: usize, mesh: &Mesh, first_group: usize) -> Self {
        let enabled = mesh.lighting.is_enabled();
        Self {
            mesh: index,
            groups: mesh.groups.len(),
            first_group,
            lighting: mesh.lighting.0,
            lit: enabled.then(|| mesh.lighting.lights()),
            fogged: enabled.then(|| mesh.lighting.fogs()),
            blended: enabled && mesh.lighting.blends(),
            blend: mesh.blend,
            uv_scale: mesh.uv_scale,
            uv_offset: mesh.placement.map(|placement| placement.uv_offset),
            scale: mesh.placement.map(|placement| placement.scale),
            remap: mesh.remap.clone(),
        }
    }
}

impl GroupReport {
    fn new(model: &Pmo, index: usize, mesh: usize, group: &Group, users_of_block: usize) -> Self {
        let choice = model.material_of(mesh, group);
        let resolved = match choice {
            Some(MaterialChoice::Material(material)) => Some(material),
            Some(MaterialChoice::Current) | None => None,
        };
        let material = resolved.and_then(|material| model.materials.get(material));
        let block = model.blocks.get(group.block);
        let mut notes = Vec::new();
        match choice {
            None => notes.push("material past the table".to_owned()),
            Some(MaterialChoice::Current) => notes.push("keeps the current material".to_owned()),
            Some(MaterialChoice::Material(_)) if material.is_some_and(|material| material.color[3] == 0) => {
                notes.push("hidden: alpha 0".to_owned());
            }
            Some(MaterialChoice::Material(_)) => {}
        }
        if users_of_block > 1 {
            notes.push(format!("shares block {}", group.block));
        }
        let draws = block.map(draws_of).unwrap_or_default();
        Self {
            group: index,
            mesh,
            material: group.material,
            resolved_material: resolved,
            image: material.and_then(|material| material.image),
            block: group.block,
            vertex_type: block
                .and_then(Block::vertex_type)
                .map_or_else(|| "none".into(), vertex_type_text),
            vertices: block.map_or(0, Block::vertex_count),
            triangles: block.map_or(0, triangles_of),
            draws,
            palette: group
                .palette
                .iter()
                .map(|entry| (entry.slot, entry.bone))
                .collect(),
            notes,
        }
    }
}

fn draws_of(block: &Block) -> Vec<DrawReport> {
    let mut draws: Vec<DrawReport> = Vec::new();
    for (kind, vertices) in prims(block) {
        let primitive = primitive_name(kind);
        match draws.iter_mut().find(|draw| draw.primitive == primitive) {
            Some(draw) => {
                draw.draws += 1;
                draw.vertices += vertices;
            }
            None => draws.push(DrawReport {
                primitive,
                draws: 1,
                vertices,
            }),
        }
    }
    draws
}

/// Triangles of a block, degenerate ones included.
fn triangles_of(block: &Block) -> usize {
    prims(block)
        .map(|(kind, vertices)| match kind {
            PrimitiveKind::Triangles => vertices / 3,
            PrimitiveKind::TriangleStrip | PrimitiveKind::TriangleFan => vertices.saturating_sub(2),
            _ => 0,
        })
        .sum()
}

fn prims(block: &Block) -> impl Iterator<Item = (PrimitiveKind, usize)> + '_ {
    block.list.iter().filter_map(|command| match command {
        BlockCommand::Plain(ListCommand::Prim { kind, count, .. }) => Some((*kind, usize::from(*count))),
        _ => None,
    })
}

const fn primitive_name(kind: PrimitiveKind) -> &'static str {
    match kind {
        PrimitiveKind::Points => "points",
        PrimitiveKind::Lines => "lines",
        PrimitiveKind::LineStrip => "line strips",
        PrimitiveKind::Triangles => "triangle lists",
        PrimitiveKind::TriangleStrip => "strips",
        PrimitiveKind::TriangleFan => "fans",
        PrimitiveKind::Rectangles => "rectangle lists",
        PrimitiveKind::Continue => "continuations",
    }
}
