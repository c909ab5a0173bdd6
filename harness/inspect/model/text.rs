//! A model's report as text.
use std::io::{self, Write};

use super::ModelReport;
use crate::inspect::table::{Align, Table, count, runs, short, vector};

impl ModelReport {
    pub(in crate::inspect) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let game = if self.format_version == "1.0" {
            "Freedom Unite"
        } else {
            "Portable 3rd"
        };
        writeln!(
            out,
            "  version {} ({game}), geometry {}",
            self.format_version, self.geometry
        )?;
        writeln!(
            out,
            "  {}, {}, {}",
            self.summary(),
            count(self.vertices, "vertex"),
            count(self.materials.len(), "material")
        )?;
        writeln!(
            out,
            "  scale {}, radius {}",
            vector(&self.scale),
            short(self.radius)
        )?;
        match self.bones_used.len() {
            0 => writeln!(out, "  no bones: the model is not skinned")?,
            used => writeln!(
                out,
                "  {} used: {}",
                count(used, "bone"),
                runs(self.bones_used.iter().copied())
            )?,
        }
        match self.images_used.len() {
            0 => writeln!(out, "  no textures")?,
            used => writeln!(
                out,
                "  {} used: {}",
                count(used, "image"),
                runs(self.images_used.iter().copied())
            )?,
        }
        if self.tail_bytes > 0 {
            writeln!(out, "  {} after the model", count(self.tail_bytes, "byte"))?;
        }
        writeln!(out)?;
        self.mesh_table().write(out)?;
        writeln!(out)?;
        self.material_table().write(out)?;
        writeln!(out)?;
        self.group_table().write(out)
    }

    fn mesh_table(&self) -> Table<7> {
        let mut table = Table::new([
            ("mesh", Align::Right),
            ("groups", Align::Left),
            ("materials", Align::Left),
            ("lighting", Align::Left),
            ("blend", Align::Left),
            ("uv", Align::Left),
            ("scale", Align::Left),
        ]);
        for mesh in &self.meshes {
            let groups = match mesh.groups {
                0 => "none".to_owned(),
                _ => runs(mesh.first_group..mesh.first_group + mesh.groups),
            };
            let lighting = match (mesh.lit, mesh.fogged) {
                (Some(lit), Some(fogged)) => {
                    format!(
                        "{}, {}",
                        if lit { "lit" } else { "unlit" },
                        if fogged { "fog" } else { "no fog" }
                    )
                }
                _ => "as before".into(),
            };
            let offset = mesh.uv_offset.filter(|offset| *offset != [0.0; 2]);
            let uv_offset = offset.map_or_else(String::new, |offset| format!(" + {}", vector(&offset)));
            table.row([
                mesh.mesh.to_string(),
                groups,
                runs(mesh.remap.iter().map(|material| usize::from(*material))),
                lighting,
                if mesh.blended {
                    format!("{:#010X}", mesh.blend)
                } else {
                    "as before".into()
                },
                format!("x {}{uv_offset}", vector(&mesh.uv_scale)),
                mesh.scale.map_or_else(String::new, |scale| vector(&scale)),
            ]);
        }
        table
    }

    fn material_table(&self) -> Table<5> {
        let mut table = Table::new([
            ("material", Align::Right),
            ("image", Align::Left),
            ("color RGBA", Align::Left),
            ("ambient RGBA", Align::Left),
            ("groups", Align::Right),
        ]);
        let bytes = |color: [u8; 4]| color.map(|channel| channel.to_string()).join(" ");
        for material in &self.materials {
            let hidden = if material.color[3] == 0 { " (hidden)" } else { "" };
            table.row([
                material.material.to_string(),
                material
                    .image
                    .map_or_else(|| "none".into(), |image| image.to_string()),
                format!("{}{hidden}", bytes(material.color)),
                bytes(material.ambient),
                material.groups.to_string(),
            ]);
        }
        table
    }

    fn group_table(&self) -> Table<8> {
        let mut table = Table::new([
            ("group", Align::Right),
            ("mesh", Align::Right),
            ("material", Align::Left),
            ("vertex type", Align::Left),
            ("vertices", Align::Right),
            ("draws", Align::Left),
            ("slot:bone", Align::Left),
            ("note", Align::Left),
        ]);
        for group in &self.groups {
            let draws = group.draws.iter().map(|draw| {
                let plural = if draw.draws == 1 {
                    draw.primitive.strip_suffix('s').unwrap_or(draw.primitive)
                } else {
                    draw.primitive
                };
                format!("{} {plural} of {}", draw.draws, draw.vertices)
            });
            let palette = group.palette.iter().map(|(slot, bone)| format!("{slot}:{bone}"));
            let material = match group.resolved_material {
                Some(resolved) => format!("{} = {resolved}", group.material),
                None => group.material.to_string(),
            };
            table.row([
                group.group.to_string(),
                group.mesh.to_string(),
                material,
                group.vertex_type.clone(),
                group.vertices.to_string(),
                draws.collect::<Vec<_>>().join(", "),
                palette.collect::<Vec<_>>().join(" "),
                group.notes.join(", "),
            ]);
        }
        table
    }
}
