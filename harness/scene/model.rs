//! A model in the GE's memory, and the commands with which the engine draws it.

use formats::pmo::{GroupOffsets, GroupRef, MaterialChoice, Mesh, Pmo, SLOTS};
use formats::tmh::{Tmh, TmhImage};
use ge::Address;
use ge::command::Opcode;
use glam::DAffine3;
use motion::palette::BoneMatrix;
use raster::CompareFunction;

use crate::model::surface;

use super::memory::Arena;
use super::texture::{PlacedClut, PlacedTexture};
use super::{DisplayList, Environment, Frame, SceneError, frame};

/// The blend word with which the engine also drops black pixels (`spec/mhp-formats.md §3.6`).
const ADDITIVE: u32 = 0xDF00_00A2;

/// How a model's surface is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shading {
    /// Lit as the meshes ask for.
    #[default]
    Lit,
    /// Textures and vertex colours alone, without light or fog.
    Unlit,
}

/// A model whose geometry and textures stand in the GE's memory.
#[derive(Debug, Clone)]
pub struct SceneModel {
    pmo: Pmo,
    geometry: Address,
    groups: Vec<GroupOffsets>,
    textures: Vec<PlacedTexture>,
}

impl SceneModel {
    /// Puts a model into memory: its geometry region as it is, and the bank's images with their
    /// palette number `palette`, or their last one where they have fewer.
    ///
    /// # Errors
    ///
    /// [`SceneError::Full`] when the PSP's memory does not hold it, [`SceneError::Layout`] for a model that cannot
    /// be laid out.
    pub fn load(
        arena: &mut Arena<'_>,
        pmo: &Pmo,
        bank: Option<&Tmh>,
        palette: usize,
    ) -> Result<Self, SceneError> {
        let geometry = pmo.geometry()?;
        let address = arena.place(&geometry.bytes, 64)?;
        let images = bank.map_or(&[][..], |bank| &bank.images);
        let textures = images
            .iter()
            .map(|image| place(arena, image, palette))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            pmo: pmo.clone(),
            geometry: address,
            groups: geometry.groups,
            textures,
        })
    }

    /// Writes the commands that draw the model, with the engine's rules (`spec/mhp-formats.md §3.6, §3.7`).
    /// The frame's `skin` holds for each bone what takes a vertex from its bind position to its posed one,
    /// without the scale ([`motion::pose::Pose::skin`]); where it is missing the model is drawn at bind.
    pub fn draw(&self, list: &mut DisplayList, frame: &Frame<'_>) {
        let Frame {
            environment,
            shading,
            visibility,
            skin,
            ..
        } = *frame;
        let skinned = surface::is_skinned(&self.pmo);
        let mut slots = Slots {
            skin,
            bones: [None; SLOTS],
            loaded: [false; SLOTS],
        };
        let mut places = self.pmo.groups().zip(&self.groups).peekable();
        list.switch(Opcode::BLENDENABLE, false);
        frame::alpha_test(list, CompareFunction::GREATER_OR_EQUAL, 0xC0);
        for (mesh_index, mesh) in self.pmo.meshes.iter().enumerate() {
            if visibility.hidden_meshes.contains(&mesh_index) {
                while places.next_if(|(place, _)| place.mesh == mesh_index).is_some() {}
                continue;
            }
            let scale = self.pmo.scale_of(mesh);
            begin_mesh(list, mesh, shading, environment);
            let world = if skinned {
                BoneMatrix::IDENTITY
            } else {
                BoneMatrix::new(&DAffine3::IDENTITY, scale)
            };
            list.matrix(Opcode::WORLDNUM, 0, &world.0);
            let mut materials = Materials::default();
            while let Some((place, offsets)) = places.next_if(|(place, _)| place.mesh == mesh_index) {
                if !visibility.draws(&self.pmo, place) {
                    continue;
                }
                materials.select(self, list, mesh, place, shading);
                let group = place.group;
                for entry in &group.palette {
                    slots.load(list, entry.slot, entry.bone, scale);
                }
                let vertex_type = self
                    .pmo
                    .blocks
                    .get(group.block)
                    .and_then(|block| block.vertex_type());
                let weights = vertex_type.map_or(0, |vertex_type| vertex_type.weight_count());
                let targets = vertex_type.map_or(1, |vertex_type| vertex_type.morph_count());
                if targets > 1 {
                    for command in frame.morph.of(mesh_index, targets).commands() {
                        list.word(command);
                    }
                }
                slots.fill(list, weights, scale);
                let rigid = skinned && weights == 0;
                if rigid {
                    // Without weights the GE applies no bone, nor the scale in it: such a group rides
                    // slot 0 (spec/mhp-formats.md §3.8; unverified whether any ships).
                    let matrix =
                        slots.bones[0].map_or(BoneMatrix::IDENTITY, |bone| slots.matrix(bone, scale));
                    list.matrix(Opcode::WORLDNUM, 0, &matrix.0);
                }
                list.command(Opcode::OFFSETADDR, 0)
                    .address(Opcode::CALL, self.geometry.offset(offsets.list))
                    .command(Opcode::OFFSETADDR, 0);
                if rigid {
                    list.matrix(Opcode::WORLDNUM, 0, &world.0);
                }
            }
            list.switch(Opcode::COLORTESTENABLE, false);
        }
    }
}

/// What the engine sends for a mesh before its groups (`spec/mhp-formats.md §3.6`).
fn begin_mesh(list: &mut DisplayList, mesh: &Mesh, shading: Shading, environment: &Environment) {
    let flags = mesh.lighting;
    if flags.is_enabled() {
        list.switch(Opcode::LIGHTING, flags.lights())
            .switch(Opcode::FOGENABLE, flags.fogs() && environment.fog.is_some());
        if flags.blends() {
            list.switch(Opcode::BLENDENABLE, true).word(mesh.blend);
            // The engine draws translucent things in a pass of its own; "greater than 0" is the
            // test of its helper for one mesh (§3.13). What that pass itself uses is unverified.
            frame::alpha_test(list, CompareFunction::GREATER, 0);
            if mesh.blend == ADDITIVE {
                list.switch(Opcode::COLORTESTENABLE, true)
                    .command(Opcode::COLORTEST, 3)
                    .command(Opcode::COLORREF, 0)
                    .command(Opcode::COLORTESTMASK, 0xFF_FFFF);
            }
        }
    }
    if shading == Shading::Unlit {
        list.switch(Opcode::LIGHTING, false)
            .switch(Opcode::FOGENABLE, false);
    }
    let offset = mesh.placement.map_or([0.0; 2], |placement| placement.uv_offset);
    list.floats(Opcode::TEXSCALEU, &mesh.uv_scale)
        .floats(Opcode::TEXOFFSETU, &offset);
}

fn place(arena: &mut Arena<'_>, image: &TmhImage, palette: usize) -> Result<PlacedTexture, SceneError> {
    let texture = image.ge_texture()?;
    let address = arena.place(&texture.pixels, 64)?;
    let clut = match (image.clut(), image.format().palette_entries()) {
        (Some(clut), entries) if image.format().is_indexed() => {
            let bytes = clut.bytes();
            let palette = palette.min(image.palette_count().saturating_sub(1));
            let first = entries.map_or(0, |entries| palette * entries * clut.format().size());
            // The engine loads a block for each 8 entries, whatever their size.
            let blocks = entries.unwrap_or(clut.entry_count()).div_ceil(8).min(63);
            let mut entries = bytes.get(first..).unwrap_or_default().to_vec();
            entries.resize(entries.len().max(blocks * 32), 0);
            Some(PlacedClut {
                address: arena.place(&entries, 64)?,
                format: clut.format().code(),
                blocks: blocks as u32,
            })
        }
        _ => None,
    };
    Ok(PlacedTexture::new(
        image,
        address,
        texture.buffer_width as u32,
        clut,
    ))
}

/// The material and the texture that the current mesh has selected.
#[derive(Default)]
struct Materials {
    material: Option<usize>,
    image: Option<Option<u8>>,
}

impl Materials {
    /// Selects a group's material, sending only what differs from the group before.
    fn select(
        &mut self,
        model: &SceneModel,
        list: &mut DisplayList,
        mesh: &Mesh,
        place: GroupRef<'_>,
        shading: Shading,
    ) {
        let Some(MaterialChoice::Material(number)) = model.pmo.material_of(place.mesh, place.group) else {
            return;
        };
        let Some(material) = model
            .pmo
            .materials
            .get(number)
            .filter(|_| self.material != Some(number))
        else {
            return;
        };
        let [red, green, blue, alpha] = material.color;
        // A hidden material is drawn only by whoever shows it, and then opaque.
        let alpha = if alpha == 0 { 0xFF } else { alpha };
        self.material = Some(number);
        let [ambient_red, ambient_green, ambient_blue, _] = material.ambient;
        let ambient = match shading {
            Shading::Lit => [ambient_red, ambient_green, ambient_blue],
            Shading::Unlit => [0xFF; 3],
        };
        list.command(Opcode::MATERIALUPDATE, 3)
            .color(Opcode::MATDIFFUSE, [red, green, blue])
            .command(Opcode::MATALPHA, u32::from(alpha))
            .color(Opcode::MATAMBIENT, ambient);
        if self.image != Some(material.image) {
            self.image = Some(material.image);
            match material
                .image
                .and_then(|image| model.textures.get(usize::from(image)))
            {
                Some(texture) => {
                    texture.bind(list);
                    if texture.coordinate_scale != [1.0; 2] {
                        let scale = [0, 1].map(|axis| mesh.uv_scale[axis] * texture.coordinate_scale[axis]);
                        list.floats(Opcode::TEXSCALEU, &scale);
                    }
                }
                None => {
                    list.switch(Opcode::TEXENABLE, false);
                }
            }
        }
    }
}

/// The GE's matrix slots, as the groups drawn so far have left them.
struct Slots<'a> {
    skin: &'a [DAffine3],
    bones: [Option<u8>; SLOTS],
    loaded: [bool; SLOTS],
}

impl Slots<'_> {
    /// The matrix of a bone: bind where there is no pose, or no such bone. The scale has to be inside,
    /// since the world matrix has none in a skinned draw (`spec/mhp-formats.md §3.9`).
    fn matrix(&self, bone: u8, scale: [f32; 3]) -> BoneMatrix {
        BoneMatrix::new(
            self.skin.get(usize::from(bone)).unwrap_or(&DAffine3::IDENTITY),
            scale,
        )
    }

    /// Loads a bone into a slot; a slot that the GE does not have is left out.
    fn load(&mut self, list: &mut DisplayList, slot: u8, bone: u8, scale: [f32; 3]) {
        if let Some(holds) = self.bones.get_mut(usize::from(slot)) {
            *holds = Some(bone);
            self.loaded[usize::from(slot)] = true;
            list.matrix(Opcode::BONENUM, u32::from(slot) * 12, &self.matrix(bone, scale).0);
        }
    }

    /// Loads bind into the slots below `count` that no group has loaded yet: in the game they would
    /// hold matrices of the object before.
    fn fill(&mut self, list: &mut DisplayList, count: usize, scale: [f32; 3]) {
        for slot in 0..count.min(SLOTS) {
            if !self.loaded[slot] {
                self.loaded[slot] = true;
                list.matrix(
                    Opcode::BONENUM,
                    slot as u32 * 12,
                    &BoneMatrix::new(&DAffine3::IDENTITY, scale).0,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_loaded_with_the_scale_inside_and_bind_where_no_bone_is() {
        let skin = [DAffine3::from_translation(glam::DVec3::new(1.0, 2.0, 3.0))];
        let mut slots = Slots {
            skin: &skin,
            bones: [None; SLOTS],
            loaded: [false; SLOTS],
        };
        let mut list = DisplayList::at(Address::new(0x0880_0000));
        slots.load(&mut list, 1, 0, [2.0, 4.0, 8.0]);
        slots.load(&mut list, 8, 0, [1.0; 3]);
        slots.fill(&mut list, 2, [1.0; 3]);
        let floats = |words: &[u32]| {
            words
                .iter()
                .map(|word| f32::from_bits(word << 8))
                .collect::<Vec<_>>()
        };
        assert_eq!(list.words()[0], 0x2A00_000C);
        assert_eq!(
            floats(&list.words()[1..13]),
            [2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 8.0, 1.0, 2.0, 3.0]
        );
        assert_eq!(list.words()[13], 0x2A00_0000);
        assert_eq!(
            floats(&list.words()[14..]),
            [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
        );
    }
}
