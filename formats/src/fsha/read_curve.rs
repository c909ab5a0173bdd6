//! The reader of curves.

use std::collections::HashMap;
use std::sync::Arc;

use super::curve::UNKNOWN_FLAGS;
use super::place::CurvePlace;
use super::{Curve, CurveType, Elements, FrameType, Frames, Generation, InvalidCurve, Offset, Wrap};
use crate::bfres::source::{Source, follow, follow_required};
use crate::{FormatError, Reader};

/// Frames and elements met before, by place, type and number: what curves share is kept once.
#[derive(Default)]
pub(crate) struct Arrays {
    frames: HashMap<(usize, FrameType, usize), Frames>,
    elements: HashMap<(usize, u16, bool, usize), Elements>,
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
fn numbers<const N: usize, T>(bytes: &[u8], number: fn([u8; N]) -> T) -> Arc<[T]> {
    bytes.as_chunks().0.iter().map(|&bytes| number(bytes)).collect()
}
