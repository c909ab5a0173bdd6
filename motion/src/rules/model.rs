//! The rules of models.

use std::collections::BTreeSet;

use formats::pmo::{Block, GroupRef, PaletteWalk, Pmo, SLOTS};
use formats::skeleton::Skeleton;
use vertex::{Component, Decoder, Vertices};

use super::{Code, Finding, Findings};

/// How many images the model's texture bank has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageCount {
    /// This many.
    Known(usize),
    /// There is no bank to compare with.
    Unknown,
}

/// Checks a model with the skeleton that it rides on and its texture bank. A model without a
/// skeleton, such as a stage, is checked for its materials and texture coordinates alone.
pub fn check_model(pmo: &Pmo, skeleton: Option<&Skeleton>, images: ImageCount) -> Vec<Finding> {
    let mut findings = Findings::default();
    let blocks: Vec<BlockSummary> = pmo.blocks.iter().map(BlockSummary::of).collect();
    let groups: Vec<GroupUse<'_>> = pmo
        .groups()
        .map(|place| GroupUse {
            place,
            block: blocks.get(place.group.block).copied().unwrap_or_default(),
        })
        .collect();
    if let Some(skeleton) = skeleton {
        check_palettes(pmo, skeleton, &groups, &mut findings);
    }
    let which = |holds: &dyn Fn(&GroupUse<'_>) -> bool| -> Vec<usize> {
        groups
            .iter()
            .filter(|group| holds(group))
            .map(|group| group.place.index)
            .collect()
    };
    findings.list(
        Code::EmptyGroup,
        "groups",
        which(&|group| group.block.vertex_count == 0),
    );
    if let Some(skeleton) = skeleton {
        findings.list(
            Code::SkinWeights,
            "groups",
            which(&|group| group.block.weights == Weights::Uneven),
        );
        let rigid =
            |group: &GroupUse<'_>| group.block.weights == Weights::None && group.block.vertex_count > 0;
        findings.list(Code::RigidVertices, "groups", which(&rigid));
        check_tail(pmo, skeleton, &mut findings);
    }
    if let ImageCount::Known(count) = images {
        let past = pmo.materials.iter().enumerate().filter_map(|(index, material)| {
            let image = usize::from(material.image?);
            (image >= count).then(|| format!("{index}:{image}"))
        });
        findings.list(
            Code::TextureIndex,
            &format!("{count} images; material:image"),
            past,
        );
    }
    let lost = groups
        .iter()
        .filter(|group| pmo.material_of(group.place.mesh, group.place.group).is_none())
        .map(|group| group.place.index);
    findings.list(
        Code::RemapMaterial,
        &format!("{} materials; groups", pmo.materials.len()),
        lost,
    );
    findings.list(
        Code::UvRange,
        "groups",
        which(&|group| group.block.uv == UvRange::Outside),
    );
    findings.0
}

/// A group in its place.
struct GroupUse<'a> {
    place: GroupRef<'a>,
    block: BlockSummary,
}

/// What the vertices of a block say, worked out once however many groups draw it.
#[derive(Debug, Clone, Copy, Default)]
struct BlockSummary {
    vertex_count: usize,
    weights: Weights,
    /// Slots that some weight above 0 names.
    used: [bool; SLOTS],
    uv: UvRange,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Weights {
    #[default]
    None,
    Even,
    /// Some vertex's weights do not add up to 1.
    Uneven,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum UvRange {
    #[default]
    Inside,
    Outside,
}

impl BlockSummary {
    fn of(block: &Block) -> Self {
        let mut summary = Self {
            vertex_count: block.vertex_count(),
            ..Self::default()
        };
        let Some(vertex_type) = block.vertex_type() else {
            return summary;
        };
        let mut vertices = Vertices::new();
        let decoder = Decoder::new(vertex_type);
        // As many vertices as the bytes hold, so decoding does not fail; if it did, there would be
        // nothing to look at.
        let decoded = decoder.decode(&block.vertices, summary.vertex_count, &mut vertices);
        if decoded.is_err() || vertices.is_empty() {
            return summary;
        }
        let columns: Vec<&[f32]> = (0..SLOTS).map_while(|slot| vertices.weights(slot)).collect();
        if !columns.is_empty() {
            for (used, column) in summary.used.iter_mut().zip(&columns) {
                *used = column.iter().any(|&weight| weight > 0.0);
            }
            // Sums of 128ths and 32768ths are exact; floats get a step of each.
            let tolerance = if vertex_type.weight() == Component::Float {
                1e-4
            } else {
                0.0
            };
            let even = (0..vertices.len()).all(|row| {
                let sum: f32 = columns.iter().filter_map(|column| column.get(row)).sum();
                (sum - 1.0).abs() <= tolerance
            });
            summary.weights = if even { Weights::Even } else { Weights::Uneven };
        }
        let mut uv = vertices.texture_coordinate().into_iter().flatten().flatten();
        if uv.any(|coordinate| !(0.0..=2.0).contains(coordinate)) {
            summary.uv = UvRange::Outside;
        }
        summary
    }
}

fn check_palettes(pmo: &Pmo, skeleton: &Skeleton, groups: &[GroupUse<'_>], findings: &mut Findings) {
    let bones = skeleton.bones.len();
    let entries = || groups.iter().flat_map(|group| &group.place.group.palette);
    let missing: BTreeSet<usize> = entries()
        .map(|entry| usize::from(entry.bone))
        .filter(|&bone| bone >= bones)
        .collect();
    let missing: Vec<usize> = missing.into_iter().collect();
    if let Some(list) = super::listed(missing, " ") {
        findings.add(Code::PaletteJoint, format!("joints {list} of {bones}"));
    }
    let past: BTreeSet<u8> = entries()
        .map(|entry| entry.slot)
        .filter(|&slot| usize::from(slot) >= SLOTS)
        .collect();
    findings.list(Code::PaletteSlot, "slots", past);

    let walks = [PaletteWalk::Engine, PaletteWalk::AllGroups].map(|walk| pmo.bone_palettes(walk));
    let [Ok(drawn), Ok(every)] = walks else {
        // An entry for a slot that the GE lacks, which is a finding already.
        return;
    };
    let (mut unloaded, mut gaps) = (Vec::new(), Vec::new());
    for ((group, drawn), every) in groups.iter().zip(drawn).zip(every) {
        if pmo.is_transparent(group.place) {
            continue;
        }
        let used = || (0..SLOTS).filter(|&slot| group.block.used.get(slot) == Some(&true));
        if used().any(|slot| drawn.get(slot) == Some(&None)) {
            unloaded.push(group.place.index);
        }
        if used().any(|slot| drawn.get(slot) != every.get(slot)) {
            gaps.push(group.place.index);
        }
    }
    findings.list(Code::UnloadedSlot, "groups", unloaded);
    findings.list(Code::PaletteGap, "groups", gaps);
}

/// The game draws mesh 1 as the dropped tail, whether there is one or not.
fn check_tail(pmo: &Pmo, skeleton: &Skeleton, findings: &mut Findings) {
    let (first, bones) = (skeleton.animated_count(), skeleton.bones.len());
    if first > 0 && first < bones && pmo.meshes.len() < 2 {
        let last = bones - 1;
        findings.add(
            Code::TailMesh,
            format!("bones {first} to {last} are a second chain, and there is no mesh 1"),
        );
    }
}

#[cfg(test)]
mod tests {
    use formats::pmo::list::ListCommand;
    use formats::pmo::{
        BlockCommand, CURRENT_MATERIAL, Group, LightingFlags, Material, Mesh, PaletteEntry, Version,
    };
    use formats::skeleton::{Bone, BoneEncoding};
    use vertex::{UpToEight, VertexType};

    use super::*;

    /// Vertices of two u8 weights and s8 positions.
    fn weighted(weights: &[[u8; 2]]) -> Block {
        let two = UpToEight::new(2).expect("two is a count");
        let vertex_type = VertexType::default()
            .with_weights(Component::Bits8, two)
            .with_position(Component::Bits8);
        Block {
            list: vec![BlockCommand::Plain(ListCommand::VertexType(vertex_type))],
            vertices: weights.iter().flat_map(|&[a, b]| [a, b, 0, 0, 0]).collect(),
            indices: Vec::new(),
        }
    }

    fn textured(uv: [f32; 2]) -> Block {
        let vertex_type = VertexType::default()
            .with_texture_coordinate(Component::Float)
            .with_position(Component::Float);
        let numbers = [uv[0], uv[1], 0.0, 0.0, 0.0];
        Block {
            list: vec![BlockCommand::Plain(ListCommand::VertexType(vertex_type))],
            vertices: numbers.into_iter().flat_map(f32::to_le_bytes).collect(),
            indices: Vec::new(),
        }
    }

    fn group(material: u8, block: usize, palette: &[(u8, u8)]) -> Group {
        let entry = |&(slot, bone): &(u8, u8)| PaletteEntry { slot, bone };
        Group {
            material,
            palette: palette.iter().map(entry).collect(),
            block,
        }
    }

    fn material(alpha: u8, image: Option<u8>) -> Material {
        Material {
            color: [255, 255, 255, alpha],
            ambient: [255; 4],
            image,
            pad: [0; 3],
            leftover: 0,
        }
    }

    /// One mesh; material 1 is hidden.
    fn model(blocks: Vec<Block>, groups: Vec<Group>) -> Pmo {
        let mut pmo = Pmo::new(Version::Mhfu);
        pmo.meshes.push(Mesh {
            placement: None,
            uv_scale: [1.0; 2],
            lighting: LightingFlags(0x8000_0003),
            blend: 0,
            pad: 0,
            remap: vec![0, 1, 7, CURRENT_MATERIAL],
            groups,
        });
        pmo.materials = vec![material(255, Some(0)), material(0, Some(4))];
        pmo.blocks = blocks;
        pmo
    }

    fn skeleton(bones: usize) -> Skeleton {
        let bone =
            |index: usize| Bone::new(u16::try_from(index).ok().and_then(|i| i.checked_sub(1)), [0.0; 3]);
        Skeleton::new(BoneEncoding::Mhfu, (0..bones).map(bone).collect())
    }

    fn messages(pmo: &Pmo, bones: usize) -> Vec<(Code, String)> {
        let findings = check_model(pmo, Some(&skeleton(bones)), ImageCount::Unknown);
        findings
            .into_iter()
            .map(|finding| (finding.code, finding.message))
            .collect()
    }

    fn only(code: Code, message: &str) -> Vec<(Code, String)> {
        vec![(code, message.to_owned())]
    }

    #[test]
    fn a_sound_model_has_no_findings() {
        let pmo = model(
            vec![weighted(&[[96, 32], [128, 0]])],
            vec![group(0, 0, &[(0, 3), (1, 4)])],
        );
        assert_eq!(messages(&pmo, 5), []);
    }

    #[test]
    fn palettes_name_bones_and_slots_that_exist() {
        let pmo = model(vec![weighted(&[[128, 0]])], vec![group(0, 0, &[(0, 7), (1, 5)])]);
        assert_eq!(messages(&pmo, 6), only(Code::PaletteJoint, "joints 7 of 6"));
        let pmo = model(vec![weighted(&[[128, 0]])], vec![group(0, 0, &[(0, 0), (8, 1)])]);
        assert_eq!(messages(&pmo, 2), only(Code::PaletteSlot, "slots 8"));
    }

    #[test]
    fn weights_name_loaded_slots_and_add_up() {
        let blocks = vec![weighted(&[[96, 32]]), weighted(&[[64, 32]]), weighted(&[])];
        let pmo = model(blocks.clone(), vec![group(0, 0, &[(0, 1)])]);
        assert_eq!(messages(&pmo, 2), only(Code::UnloadedSlot, "groups 0"));
        let pmo = model(blocks.clone(), vec![group(0, 1, &[(0, 1), (1, 0)])]);
        assert_eq!(messages(&pmo, 2), only(Code::SkinWeights, "groups 0"));
        let pmo = model(blocks, vec![group(0, 2, &[(0, 1)]), group(0, 9, &[])]);
        assert_eq!(messages(&pmo, 2), only(Code::EmptyGroup, "groups 0 1"));
    }

    #[test]
    fn hidden_groups_leave_gaps() {
        // spec/mhp-formats.md §3.7: with G1 hidden, G2 draws with another bone in slot 1.
        let groups = vec![
            group(0, 0, &[(0, 0), (1, 1)]),
            group(1, 0, &[(1, 2)]),
            group(0, 0, &[]),
        ];
        let pmo = model(vec![weighted(&[[64, 64]])], groups);
        assert_eq!(messages(&pmo, 3), only(Code::PaletteGap, "groups 2"));
        // A slot that no weight names may differ.
        let groups = vec![
            group(0, 0, &[(0, 0), (1, 1)]),
            group(1, 0, &[(1, 2)]),
            group(0, 0, &[]),
        ];
        assert_eq!(messages(&model(vec![weighted(&[[128, 0]])], groups), 3), []);
    }

    #[test]
    fn a_second_chain_needs_a_second_mesh() {
        let pmo = model(vec![weighted(&[[128, 0]])], vec![group(0, 0, &[(0, 0)])]);
        let mut tailed = skeleton(6);
        tailed.parameters = vec![0, 4];
        let findings = check_model(&pmo, Some(&tailed), ImageCount::Unknown);
        assert_eq!(
            findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
            [
                "error TAIL_MESH: bones 4 to 5 are a second chain, and there is no mesh 1 \
              (fix: put the tip of the tail into mesh 1: the cut draws it)"
            ]
        );
    }

    #[test]
    fn materials_and_texture_coordinates() {
        let blocks = vec![
            textured([0.5, 2.0]),
            textured([2.25, 0.0]),
            textured([f32::NAN, 0.0]),
        ];
        let groups = vec![
            group(0, 0, &[]),
            group(2, 1, &[]),
            group(3, 2, &[]),
            group(4, 0, &[]),
        ];
        let pmo = model(blocks, groups);
        let findings = check_model(&pmo, None, ImageCount::Known(4));
        let messages: Vec<_> = findings
            .iter()
            .map(|finding| (finding.code, &finding.message[..]))
            .collect();
        assert_eq!(
            messages,
            [
                (Code::TextureIndex, "4 images; material:image 1:4"),
                (Code::RemapMaterial, "2 materials; groups 1 3"),
                (Code::UvRange, "groups 1 2"),
            ]
        );
        let rigid = check_model(&pmo, Some(&skeleton(1)), ImageCount::Unknown);
        assert_eq!(rigid[0].code, Code::RigidVertices);
    }
}
