//! Wavefront OBJ with its MTL and textures: a posed model, in drawing order.

use std::fmt::Write as _;

use formats::pmo::Pmo;
use formats::tmh::Tmh;
use glam::DAffine3;

use crate::error::HarnessError;
use crate::model::surface::{Surface, surfaces};
use crate::model::{Model, MorphPose, Visibility};
use crate::picture::{Picture, encode_png};

/// A file of an export: its name beside the others, and its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportFile {
    /// The name, without a folder.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// What an export holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The files, those that others name first: textures, MTL, OBJ.
    pub files: Vec<ExportFile>,
    /// Triangles in all.
    pub triangles: usize,
    /// Groups in all.
    pub groups: usize,
}

/// A posed model as OBJ, MTL and PNGs, named after `stem`.
///
/// Each PMO group is one OBJ group, in drawing order, its triangles in the order in which the GE draws
/// them. Vertices are skinned by the arithmetic of the render. v of a texture coordinate points up in OBJ, so it is
/// `1 - v` here. Normals are of length 1.
///
/// # Errors
///
/// A texture that cannot be decoded.
pub fn export(
    model: &Model,
    skin: &[DAffine3],
    visibility: &Visibility,
    palette: usize,
    stem: &str,
) -> Result<Export, HarnessError> {
    let textures = model.textures.as_ref();
    let mut files = pictures(model, textures, palette, stem)?;
    let mut writer = Writer {
        text: String::new(),
        positions: 0,
        coordinates: 0,
        normals: 0,
    };
    let mut library = String::new();
    let (mut triangles, mut groups) = (0, 0);
    writer.line(format_args!("# {}", comment(&model.name)));
    writer.line(format_args!("mtllib {stem}.mtl"));
    for (index, pmo) in model.pmos.iter().enumerate() {
        materials(&mut library, pmo, index, textures, stem);
        for surface in surfaces(pmo, skin, &MorphPose::default(), visibility) {
            triangles += surface.triangles.len();
            groups += 1;
            writer.surface(index, &surface);
        }
    }
    files.push(ExportFile {
        name: format!("{stem}.mtl"),
        bytes: library.into_bytes(),
    });
    files.push(ExportFile {
        name: format!("{stem}.obj"),
        bytes: writer.text.into_bytes(),
    });
    Ok(Export {
        files,
        triangles,
        groups,
    })
}

/// Text that cannot end its comment.
fn comment(text: &str) -> String {
    text.chars()
        .map(|character| if character.is_control() { '?' } else { character })
        .collect()
}

/// The images that materials use, as PNGs.
fn pictures(
    model: &Model,
    textures: Option<&Tmh>,
    palette: usize,
    stem: &str,
) -> Result<Vec<ExportFile>, HarnessError> {
    let mut files = Vec::new();
    for (index, image) in textures.iter().flat_map(|bank| &bank.images).enumerate() {
        let uses = |pmo: &Pmo| {
            pmo.materials
                .iter()
                .any(|material| material.image.map(usize::from) == Some(index))
        };
        if !model.pmos.iter().any(uses) {
            continue;
        }
        let decoded = image
            .decode(palette.min(image.palette_count().saturating_sub(1)))
            .map_err(|source| HarnessError::Format {
                file: format!("{}, image {index}", model.name),
                source,
            })?;
        let rgba = decoded.pixels.concat();
        let picture = Picture::new(decoded.width as u32, decoded.height as u32, rgba)
            .filter(|picture| picture.width() > 0 && picture.height() > 0);
        if let Some(picture) = picture {
            files.push(ExportFile {
                name: texture_name(stem, index),
                bytes: encode_png(&picture),
            });
        }
    }
    Ok(files)
}

fn texture_name(stem: &str, image: usize) -> String {
    format!("{stem}-texture{image}.png")
}

fn material_name(pmo: usize, material: usize) -> String {
    format!("pmo{pmo}_material{material}")
}

fn materials(library: &mut String, pmo: &Pmo, pmo_index: usize, textures: Option<&Tmh>, stem: &str) {
    for (number, material) in pmo.materials.iter().enumerate() {
        let unit = |byte: u8| f32::from(byte) / 255.0;
        let ([red, green, blue, alpha], ambient) = (material.color, material.ambient);
        // Writing to a String cannot fail.
        let _ = writeln!(library, "newmtl {}", material_name(pmo_index, number));
        let _ = writeln!(library, "Kd {} {} {}", unit(red), unit(green), unit(blue));
        let _ = writeln!(
            library,
            "Ka {} {} {}",
            unit(ambient[0]),
            unit(ambient[1]),
            unit(ambient[2])
        );
        let _ = writeln!(
            library,
            "Ks 0 0 0\nd {}",
            if alpha == 0 { 1.0 } else { unit(alpha) }
        );
        if let Some(image) = material.image.map(usize::from)
            && textures.is_some_and(|bank| image < bank.images.len())
        {
            let _ = writeln!(library, "map_Kd {}", texture_name(stem, image));
        }
        library.push('\n');
    }
}

/// The OBJ text, with how many of each kind of number it holds: OBJ counts them through the file, from 1.
struct Writer {
    text: String,
    positions: usize,
    coordinates: usize,
    normals: usize,
}

impl Writer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn surface(&mut self, pmo: usize, surface: &Surface) {
        self.line(format_args!(
            "g pmo{pmo}_mesh{}_group{}",
            surface.mesh, surface.group
        ));
        if let Some(material) = surface.material {
            self.line(format_args!("usemtl {}", material_name(pmo, material)));
        }
        for [x, y, z] in &surface.positions {
            self.line(format_args!("v {x} {y} {z}"));
        }
        for [u, v] in surface.texture_coordinates.iter().flatten() {
            self.line(format_args!("vt {u} {}", 1.0 - v));
        }
        for normal in surface.normals.iter().flatten() {
            let normal = glam::Vec3::from_array(*normal).normalize_or_zero();
            self.line(format_args!("vn {} {} {}", normal.x, normal.y, normal.z));
        }
        for triangle in &surface.triangles {
            let [a, b, c] = triangle.map(|vertex| self.corner(surface, vertex as usize));
            self.line(format_args!("f {a} {b} {c}"));
        }
        self.positions += surface.positions.len();
        self.coordinates += surface.texture_coordinates.as_ref().map_or(0, Vec::len);
        self.normals += surface.normals.as_ref().map_or(0, Vec::len);
    }

    fn corner(&self, surface: &Surface, vertex: usize) -> String {
        let position = self.positions + vertex + 1;
        let coordinate = self.coordinates + vertex + 1;
        let normal = self.normals + vertex + 1;
        match (&surface.texture_coordinates, &surface.normals) {
            (Some(_), Some(_)) => format!("{position}/{coordinate}/{normal}"),
            (Some(_), None) => format!("{position}/{coordinate}"),
            (None, Some(_)) => format!("{position}//{normal}"),
            (None, None) => position.to_string(),
        }
    }
}
