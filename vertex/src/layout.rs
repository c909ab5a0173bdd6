//! Where the components of a vertex stand in memory.

use crate::{Component, VertexType};

/// Where each component of a vertex stands, and how far apart morph targets and vertices are.
///
/// The components of one morph target stand in the order weights, texture coordinate, colour,
/// normal, position, each aligned to the size of one of its numbers; a target is padded to the
/// largest of these. Targets follow each other, and each holds every component.
/// Source: `spec/ge-frontend.md §6.2` (hw: bounding/vertexaddr).
///
/// ```
/// use vertex::VertexType;
///
/// // Three weights and normals of one byte, texture coordinates and positions of two.
/// let layout = VertexType::from_argument(0x8B22).layout();
/// assert_eq!(layout.weight, Some(0));
/// assert_eq!(layout.texture_coordinate, Some(4));
/// assert_eq!(layout.normal, Some(8));
/// assert_eq!(layout.position, Some(12));
/// assert_eq!(layout.vertex_size, 18);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexLayout {
    /// Byte offset of the first weight in a target.
    pub weight: Option<usize>,
    /// Byte offset of (u, v) in a target.
    pub texture_coordinate: Option<usize>,
    /// Byte offset of the colour in a target; `None` for the invalid codes 1 to 3 as well.
    pub color: Option<usize>,
    /// Byte offset of the normal in a target.
    pub normal: Option<usize>,
    /// Byte offset of the position in a target.
    pub position: Option<usize>,
    /// Bytes of one morph target, padding included.
    pub target_size: usize,
    /// Bytes of a vertex, all its morph targets included: the distance between vertices.
    pub vertex_size: usize,
    /// The largest alignment of any component: 1, 2 or 4.
    pub alignment: usize,
}

impl VertexLayout {
    /// The layout of a vertex type.
    ///
    /// A type without a position is counted as PPSSPP counts it, with three bytes of alignment 1 in
    /// its place; JPCSP counts none. Unverified on hardware (`spec/ge-frontend.md §2.7`); nothing is
    /// drawn either way.
    #[must_use]
    pub const fn of(vertex_type: VertexType) -> Self {
        let mut cursor = Cursor {
            offset: 0,
            alignment: 1,
        };
        let weight = cursor.place(vertex_type.weight().size(), vertex_type.weight_count());
        let texture_coordinate = cursor.place(vertex_type.texture_coordinate().size(), 2);
        let color = cursor.place(vertex_type.color().size(), 1);
        let normal = cursor.place(vertex_type.normal().size(), 3);
        let position = match vertex_type.position() {
            Component::None => {
                cursor.place(1, 3);
                None
            }
            present => cursor.place(present.size(), 3),
        };
        let target_size = cursor.offset.next_multiple_of(cursor.alignment);
        Self {
            weight,
            texture_coordinate,
            color,
            normal,
            position,
            target_size,
            vertex_size: target_size * vertex_type.morph_count(),
            alignment: cursor.alignment,
        }
    }

    /// Bytes of `count` consecutive vertices, which is also how far the GE's vertex pointer moves
    /// over a draw without indices (`spec/ge-frontend.md §2.7`). `None` where that exceeds `usize`.
    #[must_use]
    pub const fn bytes_of(&self, count: usize) -> Option<usize> {
        self.vertex_size.checked_mul(count)
    }
}

/// The running end of a target while its components are placed.
struct Cursor {
    offset: usize,
    alignment: usize,
}

impl Cursor {
    /// Places `count` numbers of `size` bytes; a size of 0 is an absent component.
    const fn place(&mut self, size: usize, count: usize) -> Option<usize> {
        if size == 0 {
            return None;
        }
        let offset = self.offset.next_multiple_of(size);
        self.offset = offset + size * count;
        if size > self.alignment {
            self.alignment = size;
        }
        Some(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{UpToEight, VertexColor};

    const NOTHING: VertexType = VertexType::from_argument(0);

    fn offsets(layout: VertexLayout) -> [Option<usize>; 5] {
        [
            layout.weight,
            layout.texture_coordinate,
            layout.color,
            layout.normal,
            layout.position,
        ]
    }

    /// `spec/ge-frontend.md §6.2`, the examples under the algorithm.
    #[test]
    fn the_examples_of_the_specification() {
        let layout = NOTHING
            .with_texture_coordinate(Component::Bits8)
            .with_color(VertexColor::Rgba5551)
            .with_position(Component::Bits16)
            .layout();
        assert_eq!(offsets(layout), [None, Some(0), Some(2), None, Some(4)]);
        assert_eq!(layout.vertex_size, 10);

        let layout = NOTHING
            .with_weights(Component::Bits8, UpToEight::ONE)
            .with_position(Component::Float)
            .layout();
        assert_eq!(offsets(layout), [Some(0), None, None, None, Some(4)]);
        assert_eq!(layout.vertex_size, 16);

        let layout = NOTHING
            .with_weights(Component::Bits8, UpToEight::new(3).expect("3"))
            .with_color(VertexColor::Rgba8888)
            .with_position(Component::Bits8)
            .layout();
        assert_eq!(offsets(layout), [Some(0), None, Some(4), None, Some(8)]);
        assert_eq!(layout.vertex_size, 12);
    }

    /// `spec/mhp-formats.md §3.5`, the table of Monster Hunter's vertex types.
    #[test]
    fn the_types_that_monster_hunter_ships() {
        let monsters = [
            (0x1200_0B22, [0, 2, 6, 10], 16),
            (0x1200_4B22, [0, 2, 6, 10], 16),
            (0x1200_8B22, [0, 4, 8, 12], 18),
            (0x1200_CB22, [0, 4, 8, 12], 18),
            (0x1201_0B22, [0, 6, 10, 14], 20),
            (0x1201_4B22, [0, 6, 10, 14], 20),
            (0x1201_8B22, [0, 8, 12, 16], 22),
            (0x1201_CB22, [0, 8, 12, 16], 22),
        ];
        for (weights, (word, [weight, uv, normal, position], size)) in (1..).zip(monsters) {
            let vertex_type = VertexType::from_argument(word);
            let layout = vertex_type.layout();
            assert_eq!(vertex_type.weight_count(), weights);
            assert_eq!(
                offsets(layout),
                [Some(weight), Some(uv), None, Some(normal), Some(position)],
                "{vertex_type}"
            );
            assert_eq!(layout.vertex_size, size, "{vertex_type}");
        }
        let stage = VertexType::from_argument(0x1200_0912).layout();
        assert_eq!(offsets(stage), [None, Some(0), Some(4), None, Some(6)]);
        assert_eq!(stage.vertex_size, 12);
    }

    /// `spec/mhp-formats.md §3.5`, the other layouts under the table.
    #[test]
    fn mixed_alignments() {
        let layout = NOTHING
            .with_weights(Component::Bits16, UpToEight::ONE)
            .with_texture_coordinate(Component::Float)
            .with_color(VertexColor::Rgba8888)
            .with_normal(Component::Bits16)
            .with_position(Component::Float)
            .layout();
        assert_eq!(offsets(layout), [Some(0), Some(4), Some(12), Some(16), Some(24)]);
        assert_eq!((layout.vertex_size, layout.alignment), (36, 4));

        let layout = NOTHING
            .with_weights(Component::Bits8, UpToEight::EIGHT)
            .with_position(Component::Float)
            .layout();
        assert_eq!(offsets(layout), [Some(0), None, None, None, Some(8)]);
        assert_eq!(layout.vertex_size, 20);

        let layout = NOTHING
            .with_color(VertexColor::Rgb565)
            .with_position(Component::Bits8)
            .layout();
        assert_eq!(offsets(layout), [None, None, Some(0), None, Some(2)]);
        assert_eq!(layout.vertex_size, 6);
    }

    #[test]
    fn invalid_colors_take_no_bytes_and_a_missing_position_takes_three() {
        for code in 1..=3 {
            let vertex_type = NOTHING
                .with_color(VertexColor::from_code(code))
                .with_position(Component::Bits16);
            assert_eq!(vertex_type.layout().color, None);
            assert_eq!(vertex_type.layout().vertex_size, 6);
        }
        assert_eq!(NOTHING.layout().vertex_size, 3);
        assert_eq!(NOTHING.layout().position, None);
        let layout = NOTHING.with_texture_coordinate(Component::Float).layout();
        assert_eq!(layout.vertex_size, 12);
    }

    #[test]
    fn a_count_that_overflows_has_no_size() {
        assert_eq!(NOTHING.layout().bytes_of(5), Some(15));
        assert_eq!(NOTHING.layout().bytes_of(usize::MAX), None);
    }
}
