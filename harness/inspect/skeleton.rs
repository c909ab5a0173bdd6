//! What a skeleton holds: its tree.
use std::io::{self, Write};

use formats::skeleton::{BoneEncoding, Magic, Skeleton};
use serde::Serialize;

use super::kind::game_of;
use super::table::{Align, Table, count, runs, short, vector};

/// Levels of the tree that are drawn by indenting; below, the parent's number has to do.
const DEEPEST_INDENT: usize = 24;

/// A skeleton in numbers.
#[derive(Debug, Serialize)]
pub struct SkeletonReport {
    magic: &'static str,
    encoding: &'static str,
    parameters: Vec<u32>,
    stated_parameter_count: u32,
    animated_bones: usize,
    root_bones: Vec<usize>,
    parts: Vec<PartReport>,
    bones: Vec<BoneReport>,
    tail_bytes: usize,
    #[serde(skip)]
    parents: Vec<Option<usize>>,
}

/// A part: the animated bones that one pair of animation streams drives.
#[derive(Debug, Serialize)]
struct PartReport {
    part: u32,
    bones: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct BoneReport {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    kind: u16,
    parent: Option<u16>,
    child: Option<u16>,
    sibling: Option<u16>,
    part: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<i32>,
    position: [f32; 3],
    rotation: [f32; 3],
    scale: [f32; 3],
    bind_position: [f32; 3],
}

impl SkeletonReport {
    /// The report of a skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        let animated = skeleton.animated_count();
        let mut parts: Vec<PartReport> = Vec::new();
        for (index, bone) in skeleton.bones.iter().take(animated).enumerate() {
            match parts.iter_mut().find(|part| part.part == bone.stream) {
                Some(part) => part.bones.push(index),
                None => parts.push(PartReport {
                    part: bone.stream,
                    bones: vec![index],
                }),
            }
        }
        let bind_positions = skeleton.bind_positions();
        let bones = skeleton.bones.iter().zip(bind_positions).enumerate();
        Self {
            magic: match skeleton.magic {
                Magic::Mhfu => "0xC0000000",
                Magic::Mhp3rd => "0x80000000",
            },
            encoding: match skeleton.encoding() {
                BoneEncoding::Mhfu => "mhfu",
                BoneEncoding::Mhp3rd => "mhp3rd",
            },
            parameters: skeleton.parameters.clone(),
            stated_parameter_count: skeleton.stated_parameter_count,
            animated_bones: animated,
            root_bones: skeleton.root_bones().collect(),
            parts,
            bones: bones
                .map(|(index, (bone, bind_position))| BoneReport {
                    index,
                    name: bone.name().map(|name| name.escape_ascii().to_string()),
                    kind: bone.kind,
                    parent: bone.parent,
                    child: bone.child,
                    sibling: bone.sibling,
                    part: bone.stream,
                    link: (bone.link != -1).then_some(bone.link),
                    position: bone.position,
                    rotation: bone.rotation,
                    scale: bone.scale,
                    bind_position,
                })
                .collect(),
            tail_bytes: skeleton.tail.len(),
            parents: skeleton.parents(),
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        let bones = count(self.bones.len(), "bone");
        format!(
            "{bones}, {} of them animated, {}",
            self.animated_bones,
            count(self.parts.len(), "part")
        )
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "  magic {}, bones as in {}",
            self.magic,
            game_of(self.encoding)
        )?;
        writeln!(out, "  {}", self.summary())?;
        let parameters: Vec<_> = self.parameters.iter().map(u32::to_string).collect();
        write!(
            out,
            "  first bones of the chains (parameters): {}",
            parameters.join(" ")
        )?;
        if self.stated_parameter_count as usize != self.parameters.len() {
            write!(out, ", though {} are stated", self.stated_parameter_count)?;
        }
        writeln!(out)?;
        for part in &self.parts {
            let bones = runs(part.bones.iter().copied());
            writeln!(
                out,
                "  part {}: {}, bones {bones}, streams {} and {}",
                part.part,
                count(part.bones.len(), "bone"),
                u64::from(part.part) * 2,
                u64::from(part.part) * 2 + 1
            )?;
        }
        writeln!(out)?;
        self.tree().write(out)?;
        if self.tail_bytes > 0 {
            writeln!(out, "\n  {} after the last bone", count(self.tail_bytes, "byte"))?;
        }
        Ok(())
    }

    /// The bones, each under its parent, children in bone order.
    fn tree(&self) -> Table<7> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.bones.len()];
        for (bone, parent) in self.parents.iter().enumerate() {
            if let Some(siblings) = parent.and_then(|parent| children.get_mut(parent)) {
                siblings.push(bone);
            }
        }
        let mut table = Table::new([
            ("bone", Align::Left),
            ("name", Align::Left),
            ("kind", Align::Right),
            ("part", Align::Right),
            ("position", Align::Left),
            ("at bind", Align::Left),
            ("note", Align::Left),
        ]);
        // Depth first without recursion: a chain can be as long as the file allows.
        let mut pending: Vec<(usize, usize)> = self.root_bones.iter().rev().map(|&bone| (bone, 0)).collect();
        while let Some((index, depth)) = pending.pop() {
            let Some(bone) = self.bones.get(index) else {
                continue;
            };
            let indent = "  ".repeat(depth.min(DEEPEST_INDENT));
            let deeper = if depth > DEEPEST_INDENT { "..." } else { "" };
            table.row([
                format!("{indent}{deeper}{index}"),
                bone.name.clone().unwrap_or_default(),
                bone.kind.to_string(),
                bone.part.to_string(),
                vector(&bone.position),
                vector(&bone.bind_position),
                self.note(bone, index),
            ]);
            pending.extend(children[index].iter().rev().map(|&child| (child, depth + 1)));
        }
        table
    }

    /// What is unusual about a bone.
    fn note(&self, bone: &BoneReport, index: usize) -> String {
        let mut notes = Vec::new();
        if index >= self.animated_bones {
            notes.push("not animated".to_owned());
        }
        if bone.rotation != [0.0; 3] {
            let degrees = bone.rotation.map(f32::to_degrees).map(short);
            notes.push(format!("turned ({}) degrees", degrees.join(", ")));
        }
        if bone.scale != [1.0; 3] {
            notes.push(format!("scaled {}", vector(&bone.scale)));
        }
        if let Some(link) = bone.link {
            notes.push(format!("links to {link}"));
        }
        if bone.parent.map(usize::from) != self.parents[index] {
            notes.push(format!(
                "parent {} cannot be followed",
                bone.parent.unwrap_or_default()
            ));
        }
        notes.join(", ")
    }
}
