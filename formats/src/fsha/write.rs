//! The writer of animations: a new one's structures laid out, and values put into their places.

use super::place::{
    CurvePlace, FLAGS, KEY_SIZE, MAGIC, NAME, NO_BIND, PATH, Place, ShapePlace, Stride, resolve_curve,
};
use super::{
    Curve, Elements, Frames, Generation, InvalidReplacement, Offset, ShapeAnimation, VertexShapeAnimation,
};
use crate::bfres::builder::{Builder, put};

/// Lays `animation`, which has been checked, out behind what `builder` holds, in the order of
/// `spec/fsha.md` §7: header, bind indices, shapes, keys, curves, base values, frames and elements.
/// Gives the header's place.
pub(crate) fn build_animation(
    builder: &mut Builder,
    animation: &ShapeAnimation,
    generation: Generation,
) -> usize {
    let fields = generation.header();
    let at = builder.reserve(fields.size);
    let shape_count = animation.shapes.len();
    let bind_indices = builder.reserve(2 * shape_count);
    let stride = Stride::Tools;
    let first_shape = builder.reserve(stride.size() * shape_count);
    let shapes = &animation.shapes;
    let key_places: Vec<usize> = shapes
        .iter()
        .map(|shape| builder.reserve(KEY_SIZE * shape.keys.len()))
        .collect();
    let curve_places: Vec<usize> = shapes
        .iter()
        .map(|shape| builder.reserve(generation.curve_size() * shape.curves.len()))
        .collect();
    let base_value_places: Vec<usize> = shapes
        .iter()
        .map(|shape| builder.reserve(4 * shape.base_values.len()))
        .collect();
    let mut places = Vec::with_capacity(shape_count);
    let mut sums = [0, 0];
    for (index, shape) in shapes.iter().enumerate() {
        let place = ShapePlace {
            at: first_shape + index * stride.size(),
            keys: key_places[index],
            stored_curves: Vec::new(),
            first_curve: sums[0] as i32,
            curves: build_arrays(builder, shape, curve_places[index], generation),
            base_values: base_value_places[index],
        };
        build_shape(builder, shape, &place, stride, generation, sums);
        sums[0] += shape.curves.len();
        sums[1] += shape.keys.len();
        places.push(place);
    }
    builder.name(at + NAME, &animation.name);
    builder.name(at + PATH, &animation.path);
    builder.point(at + fields.bind_indices, bind_indices);
    builder.point(at + fields.shapes, first_shape);
    let bytes = builder.bytes_mut();
    put(bytes, at, MAGIC);
    for (field, count) in [
        (fields.shape_count, shape_count),
        (fields.key_count, sums[1]),
        (fields.curve_count, sums[0]),
    ] {
        put(bytes, at + field, &(count as u16).to_be_bytes());
    }
    let place = Place {
        generation,
        stride,
        at,
        bind_indices,
        shapes: places,
        stated: [sums[1], sums[0]],
        model: None,
    };
    put_values(bytes, &place, animation);
    at
}

/// The counts, names and offsets of a shape, its keys and curves.
fn build_shape(
    builder: &mut Builder,
    shape: &VertexShapeAnimation,
    place: &ShapePlace,
    stride: Stride,
    generation: Generation,
    [first_curve, first_key]: [usize; 2],
) {
    let at = place.at;
    let (curve_count, key_count) = (shape.curves.len() as u16, shape.keys.len() as u16);
    let bytes = builder.bytes_mut();
    match generation {
        Generation::Early => put(bytes, at, &[curve_count as u8, key_count as u8]),
        Generation::Late => {
            put(bytes, at, &curve_count.to_be_bytes());
            put(bytes, at + 2, &key_count.to_be_bytes());
        }
    }
    put(bytes, at + 4, &(first_curve as i32).to_be_bytes());
    put(bytes, at + 8, &(first_key as i32).to_be_bytes());
    builder.name(at + 0x0C, &shape.name);
    for (index, key) in shape.keys.iter().enumerate() {
        builder.name(place.keys + KEY_SIZE * index + 4, &key.name);
    }
    let offsets = at + stride.keys();
    builder.point(offsets, place.keys);
    if let Some(first) = place.curves.first() {
        builder.point(offsets + 4, first.at);
    }
    if !shape.base_values.is_empty() {
        builder.point(offsets + 8, place.base_values);
    }
}

/// The frames and elements of a shape's curves, whose headers start at `first`.
fn build_arrays(
    builder: &mut Builder,
    shape: &VertexShapeAnimation,
    first: usize,
    generation: Generation,
) -> Vec<CurvePlace> {
    let places = shape.curves.iter().enumerate().map(|(index, curve)| {
        let at = first + index * generation.curve_size();
        let offsets = at + generation.curve_frames();
        let frames = match frame_bytes(&curve.frames) {
            Some(bytes) => {
                let frames = builder.reserve(bytes.len());
                builder.point(offsets, frames);
                frames
            }
            None => offsets,
        };
        let elements = builder.reserve(element_bytes(&curve.elements).len());
        builder.point(offsets + 4, elements);
        CurvePlace { at, frames, elements }
    });
    places.collect()
}

/// The array of a curve's frames, if it has one.
fn frame_bytes(frames: &Frames) -> Option<Vec<u8>> {
    Some(match frames {
        Frames::Floats(frames) => frames.iter().flat_map(|frame| frame.to_be_bytes()).collect(),
        Frames::Fixed(frames) => frames.iter().flat_map(|frame| frame.to_be_bytes()).collect(),
        Frames::Bytes(frames) => frames.to_vec(),
        Frames::Consecutive(_) => return None,
    })
}

/// The array of a curve's elements.
fn element_bytes(elements: &Elements) -> Vec<u8> {
    match elements {
        Elements::Floats(elements) => elements
            .iter()
            .flat_map(|element| element.to_be_bytes())
            .collect(),
        Elements::Integers(elements) => elements
            .iter()
            .flat_map(|element| element.to_be_bytes())
            .collect(),
        Elements::Shorts(elements) => elements
            .iter()
            .flat_map(|element| element.to_be_bytes())
            .collect(),
        Elements::Bytes(elements) => elements
            .iter()
            .flat_map(|element| element.to_be_bytes())
            .collect(),
    }
}

/// Puts everything that is no count, name or offset into its place.
fn put_values(bytes: &mut [u8], place: &Place, animation: &ShapeAnimation) {
    let fields = place.generation.header();
    let at = place.at;
    put(bytes, at + FLAGS, &animation.flags.0.to_be_bytes());
    match place.generation {
        Generation::Early => {
            let frame_count = animation.frame_count as u16;
            put(bytes, at + fields.frame_count, &frame_count.to_be_bytes());
        }
        Generation::Late => put(
            bytes,
            at + fields.frame_count,
            &animation.frame_count.to_be_bytes(),
        ),
    }
    put(
        bytes,
        at + fields.baked_length,
        &animation.baked_length.to_be_bytes(),
    );
    for (index, (shape, place_of)) in animation.shapes.iter().zip(&place.shapes).enumerate() {
        let bind = shape.bind_index.unwrap_or(NO_BIND);
        put(bytes, place.bind_indices + 2 * index, &bind.to_be_bytes());
        put_shape(bytes, place_of, shape, place.generation);
    }
}

fn put_shape(bytes: &mut [u8], place: &ShapePlace, shape: &VertexShapeAnimation, generation: Generation) {
    for (index, key) in shape.keys.iter().enumerate() {
        // An index that counts from the animation's first curve stays one.
        let stored = place.stored_curves.get(index).copied();
        let stored = stored.filter(|&stored| {
            resolve_curve(stored, shape.curves.len(), place.first_curve) == Some(key.curve)
        });
        let curve = stored.unwrap_or(key.curve.map_or(-1, |curve| curve as i8));
        let sub_bind = key.sub_bind.map_or(-1, |index| index as i8);
        put(
            bytes,
            place.keys + KEY_SIZE * index,
            &[curve as u8, sub_bind as u8],
        );
    }
    for (index, value) in shape.base_values.iter().enumerate() {
        put(bytes, place.base_values + 4 * index, &value.to_be_bytes());
    }
    for (curve, place) in shape.curves.iter().zip(&place.curves) {
        put_curve(bytes, place, curve, generation);
    }
}

/// Puts a curve's header, but for its offsets, and its arrays.
pub(super) fn put_curve(bytes: &mut [u8], place: &CurvePlace, curve: &Curve, generation: Generation) {
    let at = place.at;
    put(bytes, at, &curve.flags().to_be_bytes());
    put(bytes, at + 2, &(curve.key_count() as u16).to_be_bytes());
    put(bytes, at + 4, &curve.target.to_be_bytes());
    put(bytes, at + 8, &curve.start.to_be_bytes());
    put(bytes, at + 0x0C, &curve.end.to_be_bytes());
    put(bytes, at + 0x10, &curve.scale.to_be_bytes());
    let offset = match curve.offset {
        Offset::Float(offset) => offset.to_be_bytes(),
        Offset::Integer(offset) => offset.to_be_bytes(),
    };
    put(bytes, at + 0x14, &offset);
    if let (Generation::Late, Some(delta)) = (generation, curve.delta) {
        put(bytes, at + 0x18, &delta.to_be_bytes());
    }
    if let Some(frames) = frame_bytes(&curve.frames) {
        put(bytes, place.frames, &frames);
    }
    put(bytes, place.elements, &element_bytes(&curve.elements));
}

/// `bytes` with `animation`, which has been checked, in place of `old`.
pub(crate) fn replace_animation(
    bytes: &[u8],
    place: &Place,
    old: &ShapeAnimation,
    animation: &ShapeAnimation,
) -> Result<Vec<u8>, InvalidReplacement> {
    let is_alike = old.name == animation.name
        && old.path == animation.path
        && old.shapes.len() == animation.shapes.len()
        && old
            .shapes
            .iter()
            .zip(&animation.shapes)
            .all(|(old, new)| are_alike(old, new));
    if !is_alike {
        return Err(InvalidReplacement::Room);
    }
    let mut bytes = bytes.to_vec();
    put_values(&mut bytes, place, animation);
    Ok(bytes)
}

/// Whether two shapes take the same room.
fn are_alike(old: &VertexShapeAnimation, new: &VertexShapeAnimation) -> bool {
    let names = |shape: &VertexShapeAnimation| -> Vec<_> {
        let keys = shape.keys.iter().map(|key| key.name.clone());
        keys.chain([shape.name.clone()]).collect()
    };
    let room = |curve: &Curve| {
        let frames = curve.frames.stored().map(|_| curve.frames.frame_type().size());
        let elements = element_bytes(&curve.elements).len();
        (curve.key_count(), frames, elements)
    };
    names(old) == names(new)
        && old.base_values.len() == new.base_values.len()
        && old.curves.iter().map(room).eq(new.curves.iter().map(room))
}
