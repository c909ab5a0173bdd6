//! The reader of animations.

use std::collections::HashMap;

use super::curve::{CurveType, Elements, FrameType, Frames, InvalidCurve, Offset, UNKNOWN_FLAGS, Wrap};
use super::place::{
    CurvePlace, FLAGS, KEY_SIZE, MAGIC, NAME, NO_BIND, PATH, Place, ShapePlace, Stride, resolve_curve,
};
use super::{Curve, Generation, PlayFlags, ShapeAnimation, ShapeKey, VertexShapeAnimation};
use crate::bfres::source::{Source, follow, follow_required};
use crate::{FormatError, Reader};

/// Frames and elements met before, by place, type and number: what curves share is kept once.
#[derive(Default)]
pub(crate) struct Arrays {
    frames: HashMap<(usize, FrameType, usize), Frames>,
    elements: HashMap<(usize, u16, bool, usize), Elements>,
}

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

/// Reads the curve whose header is at `at`.
pub(super) fn parse_curve<'a>(
    source: &mut Source<'a>,
    arrays: &mut Arrays,
    reader: &Reader<'a>,
    at: usize,
    generation: Generation,
) -> Result<(Curve, CurvePlace), FormatError> {
    let flags = reader.u16(at, "flags")?;
    let refuse = |found: &'static str, expected: &'static str| {
        Err(reader.error("flags", at, format!("{flags:#06x}, {found}"), expected))
    };
    let Some(frame_type) = FrameType::of(flags & 3) else {
        return refuse("frame type 3", "frame type 0, 1 or 2");
    };
    if flags >> 2 & 3 == 3 {
        return refuse("key type 3", "key type 0, 1 or 2");
    }
    let curve_type = match flags >> 4 & 7 {
        3 => return refuse("curve type 3", "a curve type of 0 to 2, or 4 or 5"),
        6 | 7 => return refuse("a boolean curve", "a curve with a number, which a weight is"),
        number => match CurveType::of(number) {
            Some(curve_type) => curve_type,
            None => return refuse("a curve type without a name", "a curve type of 0 to 2, or 4 or 5"),
        },
    };
    let count = usize::from(reader.u16(at + 2, "key count")?);
    let offset = match curve_type.is_integer() {
        true => Offset::Integer(reader.i32(at + 0x14, "offset")?),
        false => Offset::Float(reader.f32(at + 0x14, "offset")?),
    };
    let frames_field = at + generation.curve_frames();
    let frames_start = match curve_type.is_baked() {
        true => follow(reader, "frames", frames_field)?,
        false => Some(follow_required(reader, "frames", frames_field)?),
    };
    let elements_start = follow_required(reader, "key elements", frames_field + 4)?;
    let frames = match frames_start {
        Some(start) => parse_frames(source, arrays, reader, start, frame_type, count)?,
        None => Frames::Consecutive(frame_type),
    };
    let element_count = count * curve_type.elements_per_key();
    let element_type = (flags >> 2 & 3, curve_type.is_integer());
    let elements = parse_elements(
        source,
        arrays,
        reader,
        elements_start,
        element_type,
        element_count,
    )?;
    let wrap = |shift: u16| Wrap::ALL[usize::from(flags >> shift & 3)];
    let curve = Curve {
        curve_type,
        target: reader.u32(at + 4, "target")?,
        start: reader.f32(at + 8, "start frame")?,
        end: reader.f32(at + 0x0C, "end frame")?,
        scale: reader.f32(at + 0x10, "scale")?,
        offset,
        delta: match generation {
            Generation::Early => None,
            Generation::Late => Some(reader.f32(at + 0x18, "delta")?),
        },
        before: wrap(8),
        after: wrap(12),
        unknown_flags: flags & UNKNOWN_FLAGS,
        frames,
        elements,
    };
    let frames_at = frames_start.unwrap_or(frames_field);
    curve.check().map_err(|invalid| {
        let (place, expected) = match invalid {
            InvalidCurve::FrameOrder(key) => (frames_at + key * frame_type.size(), "frames that ascend"),
            InvalidCurve::FrameNotFinite(key) => (frames_at + key * frame_type.size(), "finite frames"),
            InvalidCurve::ElementNotFinite(key) => {
                let per_key = curve_type.elements_per_key();
                (elements_start + 4 * per_key * key, "finite numbers")
            }
            InvalidCurve::KeyCount(_) => (at + 2, "1 key or more"),
            InvalidCurve::HeaderNotFinite => (at + 8, "finite numbers"),
            InvalidCurve::NoFrames(_) => (frames_field, "an offset to frames"),
            _ => (at, "a curve"),
        };
        reader.error("keys", place, invalid.to_string(), expected)
    })?;
    let place = CurvePlace {
        at,
        frames: frames_at,
        elements: elements_start,
    };
    Ok((curve, place))
}

fn parse_frames<'a>(
    source: &mut Source<'a>,
    arrays: &mut Arrays,
    reader: &Reader<'a>,
    start: usize,
    frame_type: FrameType,
    count: usize,
) -> Result<Frames, FormatError> {
    let key = (start, frame_type, count);
    if let Some(frames) = arrays.frames.get(&key) {
        return Ok(frames.clone());
    }
    let bytes = source.take(reader, "frames", start, count * frame_type.size())?;
    let frames = match frame_type {
        FrameType::Float => Frames::Floats(numbers(bytes, f32::from_be_bytes)),
        FrameType::Fixed => Frames::Fixed(numbers(bytes, i16::from_be_bytes)),
        FrameType::Byte => Frames::Bytes(bytes.into()),
    };
    arrays.frames.insert(key, frames.clone());
    Ok(frames)
}

/// Reads `count` elements of a type and, for those of 32 bits, integers or floats.
fn parse_elements<'a>(
    source: &mut Source<'a>,
    arrays: &mut Arrays,
    reader: &Reader<'a>,
    start: usize,
    (element_type, is_integer): (u16, bool),
    count: usize,
) -> Result<Elements, FormatError> {
    let key = (start, element_type, is_integer, count);
    if let Some(elements) = arrays.elements.get(&key) {
        return Ok(elements.clone());
    }
    let mut take = |size: usize| source.take(reader, "key elements", start, count * size);
    let elements = match (element_type, is_integer) {
        (0, false) => Elements::Floats(numbers(take(4)?, f32::from_be_bytes)),
        (0, true) => Elements::Integers(numbers(take(4)?, i32::from_be_bytes)),
        (1, _) => Elements::Shorts(numbers(take(2)?, i16::from_be_bytes)),
        _ => Elements::Bytes(numbers(take(1)?, i8::from_be_bytes)),
    };
    arrays.elements.insert(key, elements.clone());
    Ok(elements)
}

/// The numbers of an array, each of `N` bytes.
fn numbers<const N: usize, T>(bytes: &[u8], number: fn([u8; N]) -> T) -> std::sync::Arc<[T]> {
    bytes.as_chunks().0.iter().map(|&bytes| number(bytes)).collect()
}
