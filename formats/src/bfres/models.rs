//! Models, as far as their key shapes: what animations bind to.

use std::sync::Arc;

use super::dictionary::{self, Entry};
use super::source::{Source, follow};
use crate::fsha::ShapeKey;
use crate::{FormatError, Reader};

/// Where a model's header has the offset of its shapes' dictionary. From the public wiki's page
/// "FMDL (File Format)"; the specification does not restate it, and no model was at hand.
const SHAPES: usize = 0x14;
/// A shape's key shape count and the offset of their dictionary (`spec/fsha.md` §5).
const KEY_SHAPE_COUNT: usize = 0x18;
const KEY_SHAPES: usize = 0x2C;
const KEY_SHAPE_SIZE: usize = 24;

/// A model with its shapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub name: Arc<str>,
    /// Its shapes, in the order that bind indices count.
    pub shapes: Vec<Shape>,
}

/// A shape with the key shapes that it can be morphed to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Its name.
    pub name: Arc<str>,
    /// Its key shapes, in the order that sub bind indices count.
    pub key_shapes: Vec<KeyShape>,
}

/// A key shape: another set of attributes in the same vertex buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyShape {
    /// Its name.
    pub name: Arc<str>,
    /// The vertex attribute of its positions.
    pub position: u8,
    /// The vertex attribute of its normals.
    pub normal: u8,
}

impl Shape {
    /// The key shape that `key` means: by its sub bind index, else by its name (`spec/fsha.md` §6.2).
    pub fn find(&self, key: &ShapeKey) -> Option<usize> {
        let index = key.sub_bind.map(usize::from);
        index
            .filter(|&index| index < self.key_shapes.len())
            .or_else(|| self.key_shapes.iter().position(|shape| shape.name == key.name))
    }
}

/// The models of the dictionary at `at`.
pub(super) fn parse<'a>(source: &mut Source<'a>, at: usize) -> Result<Vec<Model>, FormatError> {
    let reader = source.reader;
    let kind = Kind {
        name: "model",
        magic: *b"FMDL",
        size: SHAPES + 4,
    };
    parse_each(source, &reader, at, kind, |source, reader, entry| {
        Ok(Model {
            name: entry.name,
            shapes: parse_shapes(source, reader, entry.data)?,
        })
    })
}

fn parse_shapes<'a>(
    source: &mut Source<'a>,
    reader: &Reader<'a>,
    model: usize,
) -> Result<Vec<Shape>, FormatError> {
    let Some(at) = follow(reader, "shapes", model + SHAPES)? else {
        return Ok(Vec::new());
    };
    let kind = Kind {
        name: "shape",
        magic: *b"FSHP",
        size: KEY_SHAPES + 4,
    };
    parse_each(source, reader, at, kind, |source, reader, entry| {
        Ok(Shape {
            name: entry.name,
            key_shapes: parse_key_shapes(source, reader, entry.data)?,
        })
    })
}

/// What the entries of a dictionary are.
#[derive(Debug, Clone, Copy)]
struct Kind {
    /// What errors call one.
    name: &'static str,
    magic: [u8; 4],
    /// Bytes of the header, as far as it is read.
    size: usize,
}

/// Reads all that the dictionary at `at` names, each once its magic and the room for its header are sure.
fn parse_each<'a, T>(
    source: &mut Source<'a>,
    reader: &Reader<'a>,
    at: usize,
    kind: Kind,
    mut parse: impl FnMut(&mut Source<'a>, &Reader<'a>, Entry) -> Result<T, FormatError>,
) -> Result<Vec<T>, FormatError> {
    let entries = dictionary::parse(source, reader, at)?;
    let mut parsed = Vec::with_capacity(entries.len());
    for (index, entry) in entries.into_iter().enumerate() {
        let reader = reader.within(kind.name, index);
        expect_magic(&reader, entry.data, kind.magic)?;
        source.take(&reader, "header", entry.data, kind.size)?;
        parsed.push(parse(source, &reader, entry)?);
    }
    Ok(parsed)
}

fn parse_key_shapes<'a>(
    source: &mut Source<'a>,
    reader: &Reader<'a>,
    shape: usize,
) -> Result<Vec<KeyShape>, FormatError> {
    let count = usize::from(reader.u8(shape + KEY_SHAPE_COUNT, "key shape count")?);
    let entries = match follow(reader, "key shapes", shape + KEY_SHAPES)? {
        Some(at) => dictionary::parse(source, reader, at)?,
        None => Vec::new(),
    };
    if entries.len() != count {
        return Err(reader.error(
            "key shape count",
            shape + KEY_SHAPE_COUNT,
            count.to_string(),
            format!("{}, as the dictionary has", entries.len()),
        ));
    }
    let key_shapes = entries.into_iter().map(|entry| {
        let bytes = source.take(reader, "key shape", entry.data, KEY_SHAPE_SIZE)?;
        Ok(KeyShape {
            name: entry.name,
            position: bytes.first().copied().unwrap_or(0),
            normal: bytes.get(1).copied().unwrap_or(0),
        })
    });
    key_shapes.collect()
}

fn expect_magic(reader: &Reader<'_>, at: usize, magic: [u8; 4]) -> Result<(), FormatError> {
    let found: [u8; 4] = reader.array(at, "magic")?;
    if found == magic {
        return Ok(());
    }
    Err(reader.error(
        "magic",
        at,
        format!("\"{}\"", found.escape_ascii()),
        format!("\"{}\"", magic.escape_ascii()),
    ))
}
