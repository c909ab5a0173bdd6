//! Vertices from numbers: quantised, rounded and clamped into a vertex type's bytes.

use vertex::{Component, VertexColor, VertexType};

use crate::tmh::{ColorFormat, Rgba};

/// A vertex before it is packed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexData {
    /// The weight of each matrix slot, 0 to 1; as many count as the vertex type has.
    pub weights: [f32; 8],
    /// u, v, before the mesh's scale; v = 0 is the top row of the picture.
    pub texture_coordinate: [f32; 2],
    /// The vertex colour.
    pub color: Rgba,
    /// The normal, of length 1.
    pub normal: [f32; 3],
    /// The position in model space, before it is divided by the scale.
    pub position: [f32; 3],
}

impl Default for VertexData {
    /// Fully on slot 0, white, at the origin, facing +Y.
    fn default() -> Self {
        Self {
            weights: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            texture_coordinate: [0.0; 2],
            color: [255; 4],
            normal: [0.0, 1.0, 0.0],
            position: [0.0; 3],
        }
    }
}

/// A vertex type that the packer does not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// More than one morph target.
    #[error("{0} morph targets: only vertices without morphing are packed")]
    Morphing(
        /// How many the vertex type has.
        usize,
    ),
    /// Positions in pixels.
    #[error("through mode: only model space positions are packed")]
    Through,
}

/// Packs vertices into a vertex type's bytes; padding is zero.
///
/// Fixed-point components are multiplied by 128 (8 bits) or 32768 (16 bits), rounded half away from
/// zero and clamped; positions are divided by `scale` first, f32 ones too. Source:
/// `spec/mhp-formats.md §3.5`.
///
/// # Errors
///
/// For a vertex type with morph targets or in through mode.
///
/// ```
/// use formats::pmo::{VertexData, pack_vertices};
/// use vertex::VertexType;
///
/// let vertex = VertexData { position: [1.0, -9.0, 0.0], ..VertexData::default() };
/// let bytes = pack_vertices(VertexType::from_argument(0x0100), &[vertex], [2.0; 3])?;
/// assert_eq!(bytes, [0x00, 0x40, 0x00, 0x80, 0x00, 0x00]);
/// # Ok::<(), formats::pmo::PackError>(())
/// ```
pub fn pack_vertices(
    vertex_type: VertexType,
    vertices: &[VertexData],
    scale: [f32; 3],
) -> Result<Vec<u8>, PackError> {
    if vertex_type.is_through() {
        return Err(PackError::Through);
    }
    if vertex_type.morph_count() > 1 {
        return Err(PackError::Morphing(vertex_type.morph_count()));
    }
    let layout = vertex_type.layout();
    let weights = ..vertex_type.weight_count().min(8);
    let mut bytes = vec![0; vertices.len() * layout.vertex_size];
    for (vertex, target) in vertices.iter().zip(bytes.chunks_exact_mut(layout.vertex_size)) {
        if let Some(offset) = layout.weight {
            put_unsigned(
                vertex_type.weight(),
                &vertex.weights[weights],
                &mut target[offset..],
            );
        }
        if let Some(offset) = layout.texture_coordinate {
            put_unsigned(
                vertex_type.texture_coordinate(),
                &vertex.texture_coordinate,
                &mut target[offset..],
            );
        }
        if let (Some(offset), Some(color)) = (layout.color, color_format(vertex_type.color())) {
            color.put(color.encode(vertex.color), &mut target[offset..]);
        }
        if let Some(offset) = layout.normal {
            put_signed(vertex_type.normal(), &vertex.normal, &mut target[offset..]);
        }
        if let Some(offset) = layout.position {
            let [x, y, z] = vertex.position;
            let position = [x / scale[0], y / scale[1], z / scale[2]];
            put_signed(vertex_type.position(), &position, &mut target[offset..]);
        }
    }
    Ok(bytes)
}

/// A weight of 8 bits: 1.0 is 128.
///
/// ```
/// assert_eq!(formats::pmo::quantize_weight(0.5), 64);
/// ```
#[must_use]
pub fn quantize_weight(weight: f32) -> u8 {
    // A float cast clamps, and makes 0 of NaN.
    (weight * 128.0).round() as u8
}

/// A texture coordinate of 16 bits: 1.0 is 32768, and the largest is 65535 / 32768.
///
/// ```
/// assert_eq!(formats::pmo::quantize_texture_coordinate(2.0), 65535);
/// ```
#[must_use]
pub fn quantize_texture_coordinate(coordinate: f32) -> u16 {
    (coordinate * 32768.0).round() as u16
}

/// A normal's component of 8 bits: -1.0 is -128, and the largest is 127 / 128.
///
/// ```
/// assert_eq!(formats::pmo::quantize_normal(1.0), 127);
/// ```
#[must_use]
pub fn quantize_normal(component: f32) -> i8 {
    (component * 128.0).round() as i8
}

/// A position's component of 16 bits: `scale` is 32768.
///
/// ```
/// assert_eq!(formats::pmo::quantize_position(1.0, 2.0), 16384);
/// assert_eq!(formats::pmo::quantize_position(-9.0, 2.0), -32768);
/// ```
#[must_use]
pub fn quantize_position(component: f32, scale: f32) -> i16 {
    (component / scale * 32768.0).round() as i16
}

fn color_format(color: VertexColor) -> Option<ColorFormat> {
    match color {
        VertexColor::None | VertexColor::Invalid1 | VertexColor::Invalid2 | VertexColor::Invalid3 => None,
        VertexColor::Rgb565 => Some(ColorFormat::Rgb565),
        VertexColor::Rgba5551 => Some(ColorFormat::Rgba5551),
        VertexColor::Rgba4444 => Some(ColorFormat::Rgba4444),
        VertexColor::Rgba8888 => Some(ColorFormat::Rgba8888),
    }
}

fn put_unsigned(component: Component, values: &[f32], target: &mut [u8]) {
    put(
        component,
        values,
        target,
        quantize_weight,
        quantize_texture_coordinate,
    );
}

fn put_signed(component: Component, values: &[f32], target: &mut [u8]) {
    put(
        component,
        values,
        target,
        |value| quantize_normal(value).cast_unsigned(),
        |value| quantize_position(value, 1.0).cast_unsigned(),
    );
}

fn put(
    component: Component,
    values: &[f32],
    target: &mut [u8],
    bits_8: impl Fn(f32) -> u8,
    bits_16: impl Fn(f32) -> u16,
) {
    let Some(targets) = target.get_mut(..values.len() * component.size()) else {
        return;
    };
    for (&value, target) in values
        .iter()
        .zip(targets.chunks_exact_mut(component.size().max(1)))
    {
        match component {
            Component::None => {}
            Component::Bits8 => target.copy_from_slice(&[bits_8(value)]),
            Component::Bits16 => target.copy_from_slice(&bits_16(value).to_le_bytes()),
            Component::Float => target.copy_from_slice(&value.to_le_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use vertex::UpToEight;

    use super::*;

    /// `spec/mhp-formats.md §3.5`: the decode tests, backwards.
    #[test]
    fn a_skinned_vertex_packs_into_its_layout() {
        let vertex = VertexData {
            weights: [1.0, 0.5, 9.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            texture_coordinate: [1.0, 0.5],
            normal: [-1.0, 0.5, 0.0],
            position: [1.0, -4.0, 0.0],
            ..VertexData::default()
        };
        let bytes = pack_vertices(VertexType::from_argument(0x1200_4B22), &[vertex], [2.0, 4.0, 8.0]);
        let expected = [
            128, 64, 0x00, 0x80, 0x00, 0x40, 0x80, 0x40, 0x00, 0, 0x00, 0x40, 0x00, 0x80, 0, 0,
        ];
        assert_eq!(bytes, Ok(expected.to_vec()));
    }

    #[test]
    fn a_stage_vertex_packs_into_its_layout() {
        let vertex = VertexData {
            color: [255, 0, 0, 255],
            position: [0.0, 0.0, 0.5],
            ..VertexData::default()
        };
        let bytes = pack_vertices(VertexType::from_argument(0x1200_0912), &[vertex; 2], [1.0; 3]);
        assert_eq!(bytes, Ok([0, 0, 0, 0, 0x1F, 0, 0, 0, 0, 0, 0x00, 0x40].repeat(2)));
    }

    #[test]
    fn floats_are_divided_by_the_scale_and_else_as_they_are() {
        let vertex_type = VertexType::default()
            .with_weights(Component::Float, UpToEight::ONE)
            .with_position(Component::Float);
        let vertex = VertexData {
            position: [8.0, 4.0, 2.0],
            ..VertexData::default()
        };
        let bytes = pack_vertices(vertex_type, &[vertex], [2.0, 4.0, 8.0]).expect("no morphing");
        let floats: Vec<f32> = bytes
            .chunks_exact(4)
            .map(|float| f32::from_le_bytes([float[0], float[1], float[2], float[3]]))
            .collect();
        assert_eq!(floats, [1.0, 4.0, 1.0, 0.25]);
    }

    #[test]
    fn quantising_rounds_and_clamps() {
        assert_eq!(quantize_weight(3.0), 255);
        assert_eq!(quantize_weight(-1.0), 0);
        assert_eq!(quantize_weight(f32::NAN), 0);
        assert_eq!(quantize_weight(0.75 / 128.0), 1);
        assert_eq!(quantize_normal(-2.0), -128);
        assert_eq!(quantize_position(0.0, 0.0), 0);
        assert_eq!(quantize_position(1.0, 0.0), 32767);
        assert_eq!(quantize_texture_coordinate(-0.5), 0);
    }

    #[test]
    fn morphing_and_through_mode_are_refused() {
        let morphing = VertexType::from_argument(0x0100).with_morph_count(UpToEight::EIGHT);
        assert_eq!(
            pack_vertices(morphing, &[], [1.0; 3]),
            Err(PackError::Morphing(8))
        );
        let through = VertexType::from_argument(0x80_0100);
        assert_eq!(pack_vertices(through, &[], [1.0; 3]), Err(PackError::Through));
    }
}
