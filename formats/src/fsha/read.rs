//! The reader of animations.

use super::place::{
    CurvePlace, FLAGS, KEY_SIZE, MAGIC, NAME, NO_BIND, PATH, Place, ShapePlace, Stride, resolve_curve,
};
use super::read_curve::{Arrays, parse_curve};
use super::{Curve, Generation, PlayFlags, ShapeAnimation, ShapeKey, VertexShapeAnimation};
use crate::bfres::source::{Source, follow, follow_required};
use crate::{FormatError, Reader};

/// Reads the animation at `at`.
pub(crate) fn parse_animation<'a>(
    source: &mut Source<'a>,
    arrays: &mut Arrays,
    reader: &Reader<'a>,
    at: usize,
    generation: Generation,
) -> Result<(ShapeAnimation, Place), FormatError> {
    let fields = generation.header();
    let magic: [u8; 4] = reader.array(at, "magic")?;
    if magic != *MAGIC {
        let found = format!("\"{}\"", magic.escape_ascii());
        return Err(reader.error("magic", at, found, "\"FSHA\""));
    }
    source.take(reader, "header", at, fields.size)?;
    let frame_count = match generation {
        Generation::Early => reader.u16(at + fields.frame_count, "frame count")?.into(),
        Generation::Late => reader.i32(at + fields.frame_count, "frame count")?,
    };
    if frame_count < 0 {
        return Err(reader.error(
            "frame count",
            at + fields.frame_count,
            frame_count.to_string(),
            "0 or more",
        ));
    }
    let count = |offset: usize, field| reader.u16(at + offset, field).map(usize::from);
    let shape_count = count(fields.shape_count, "vertex shape animation count")?;
    let stated = [
        count(fields.key_count, "key count")?,
        count(fields.curve_count, "curve count")?,
    ];
    let bind_indices = match shape_count {
        0 => 0,
        _ => follow_required(reader, "bind indices", at + fields.bind_indices)?,
    };
    let binds = source.take(reader, "bind indices", bind_indices, 2 * shape_count)?;
    let mut parsed = ShapesReader {
        source,
        arrays,
        generation,
        stride: Stride::Tools,
        binds,
    };
    let (shapes, places) = match shape_count {
        0 => Default::default(),
        _ => {
            let first = follow_required(reader, "vertex shape animations", at + fields.shapes)?;
            match parsed.parse(reader, first, shape_count) {
                Ok(shapes) => shapes,
                Err(error) => {
                    parsed.stride = Stride::BaseDocument;
                    let other = parsed.parse(reader, first, shape_count);
                    let other = other.ok().filter(|(shapes, _)| sums(shapes) == stated);
                    other.ok_or(error)?
                }
            }
        }
    };
    let stride = parsed.stride;
    for ((sum, stated), (offset, field)) in sums(&shapes).into_iter().zip(stated).zip([
        (fields.key_count, "key count"),
        (fields.curve_count, "curve count"),
    ]) {
        if stated < sum {
            return Err(reader.error(
                field,
                at + offset,
                stated.to_string(),
                format!("{sum}, that of the vertex shape animations together"),
            ));
        }
    }
    let animation = ShapeAnimation {
        name: source.name(reader, "name", at + NAME)?,
        path: source.name(reader, "path", at + PATH)?,
        flags: PlayFlags(reader.u16(at + FLAGS, "flags")?),
        frame_count,
        baked_length: reader.u32(at + fields.baked_length, "baked length")?,
        shapes,
    };
    let place = Place {
        generation,
        stride,
        at,
        bind_indices,
        shapes: places,
        stated,
        model: follow(reader, "model", at + fields.model)?,
    };
    Ok((animation, place))
}

/// The keys and the curves of all shapes.
fn sums(shapes: &[VertexShapeAnimation]) -> [usize; 2] {
    let keys = shapes.iter().map(|shape| shape.keys.len());
    let curves = shapes.iter().map(|shape| shape.curves.len());
    [keys.sum(), curves.sum()]
}

type Shapes = (Vec<VertexShapeAnimation>, Vec<ShapePlace>);

struct ShapesReader<'s, 'a> {
    source: &'s mut Source<'a>,
    arrays: &'s mut Arrays,
    generation: Generation,
    stride: Stride,
    binds: &'a [u8],
}

impl<'a> ShapesReader<'_, 'a> {
    /// The vertex shape animations from `first` on.
    fn parse(&mut self, reader: &Reader<'a>, first: usize, count: usize) -> Result<Shapes, FormatError> {
        let size = count * self.stride.size();
        self.source.take(reader, "vertex shape animations", first, size)?;
        let mut shapes = Vec::with_capacity(count);
        let mut places = Vec::with_capacity(count);
        for (index, &bind) in self.binds.as_chunks().0.iter().enumerate() {
            let at = first + index * self.stride.size();
            let reader = reader.within("shape", index);
            let (mut shape, place) = self.shape(&reader, at)?;
            shape.bind_index = Some(u16::from_be_bytes(bind)).filter(|&bind| bind != NO_BIND);
            shapes.push(shape);
            places.push(place);
        }
        Ok((shapes, places))
    }

    fn shape(
        &mut self,
        reader: &Reader<'a>,
        at: usize,
    ) -> Result<(VertexShapeAnimation, ShapePlace), FormatError> {
        let (curve_count, key_count, keys_at) = match self.generation {
            Generation::Early => (
                reader.u8(at, "curve count")?.into(),
                usize::from(reader.u8(at + 1, "key count")?),
                at + 1,
            ),
            Generation::Late => (
                usize::from(reader.u16(at, "curve count")?),
                reader.u16(at + 2, "key count")?.into(),
                at + 2,
            ),
        };
        if key_count == 0 {
            return Err(reader.error("key count", keys_at, "0", "1 or more"));
        }
        let first_curve = reader.i32(at + 4, "first curve")?;
        let offsets = at + self.stride.keys();
        let keys_start = follow_required(reader, "keys", offsets)?;
        let (curves, curve_places) = match curve_count {
            0 => Default::default(),
            _ => {
                let start = follow_required(reader, "curves", offsets + 4)?;
                self.curves(reader, start, curve_count)?
            }
        };
        self.source
            .take(reader, "keys", keys_start, KEY_SIZE * key_count)?;
        let mut keys = Vec::with_capacity(key_count);
        let mut stored_curves = Vec::with_capacity(key_count);
        for index in 0..key_count {
            let (key, stored) = self.key(reader, keys_start + KEY_SIZE * index, curve_count, first_curve)?;
            keys.push(key);
            stored_curves.push(stored);
        }
        let base_values_start = follow(reader, "base values", offsets + 8)?;
        let is_spared = keys.iter().skip(1).all(|key| key.curve.is_some());
        let (base_values_start, length) = match base_values_start {
            Some(start) => (start, 4 * (key_count - 1)),
            None if is_spared => (0, 0),
            None => {
                return Err(reader.error(
                    "base values",
                    offsets + 8,
                    "none",
                    "the weights of keys without a curve",
                ));
            }
        };
        let words = self
            .source
            .take(reader, "base values", base_values_start, length)?;
        let base_values: Vec<f32> = words
            .as_chunks()
            .0
            .iter()
            .map(|&word| f32::from_be_bytes(word))
            .collect();
        if let Some(value) = base_values.iter().position(|value| !value.is_finite()) {
            return Err(reader.error(
                "base value",
                base_values_start + 4 * value,
                base_values.get(value).map_or_else(String::new, f32::to_string),
                "a finite number",
            ));
        }
        let shape = VertexShapeAnimation {
            name: self.source.name(reader, "shape name", at + 0x0C)?,
            bind_index: None,
            keys,
            curves,
            base_values,
        };
        let place = ShapePlace {
            at,
            keys: keys_start,
            stored_curves,
            first_curve,
            curves: curve_places,
            base_values: base_values_start,
        };
        Ok((shape, place))
    }

    fn key(
        &mut self,
        reader: &Reader<'a>,
        at: usize,
        curve_count: usize,
        first_curve: i32,
    ) -> Result<(ShapeKey, i8), FormatError> {
        let stored = reader.u8(at, "curve index")? as i8;
        let Some(curve) = resolve_curve(stored, curve_count, first_curve) else {
            return Err(reader.error(
                "curve index",
                at,
                stored.to_string(),
                format!("-1, or one of {curve_count} curves"),
            ));
        };
        let sub_bind =
            match reader.u8(at + 1, "sub bind index")? as i8 {
                -1 => None,
                index => Some(u8::try_from(index).map_err(|_| {
                    reader.error("sub bind index", at + 1, index.to_string(), "-1 or an index")
                })?),
            };
        let name = self.source.name(reader, "key name", at + 4)?;
        Ok((
            ShapeKey {
                name,
                curve,
                sub_bind,
            },
            stored,
        ))
    }

    fn curves(
        &mut self,
        reader: &Reader<'a>,
        start: usize,
        count: usize,
    ) -> Result<(Vec<Curve>, Vec<CurvePlace>), FormatError> {
        let size = self.generation.curve_size();
        self.source.take(reader, "curves", start, count * size)?;
        let mut curves = Vec::with_capacity(count);
        let mut places = Vec::with_capacity(count);
        for index in 0..count {
            let reader = reader.within("curve", index);
            let (curve, place) = parse_curve(
                self.source,
                self.arrays,
                &reader,
                start + index * size,
                self.generation,
            )?;
            curves.push(curve);
            places.push(place);
        }
        Ok((curves, places))
    }
}
