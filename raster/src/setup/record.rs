//! What set-up hands to a back end: plain records of 32-bit words.

use bytemuck::{Pod, Zeroable};

use super::PixelRectangle;
use super::planes::{ExactPlane, Plane32, Plane64};

/// An index that says "none".
pub(crate) const NONE: u32 = u32::MAX;

/// What a primitive is and how its attributes are to be read, one bit each.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(crate) struct PrimitiveFlags(u32);

impl PrimitiveFlags {
    /// Coverage is decided by the three edges; else the pixel rectangle is covered.
    pub(crate) const EDGES: Self = Self(1 << 0);
    /// Quads for the level of detail begin at odd columns.
    pub(crate) const ODD_QUAD_COLUMN: Self = Self(1 << 1);
    /// Quads for the level of detail begin at odd rows.
    pub(crate) const ODD_QUAD_ROW: Self = Self(1 << 2);
    /// `coordinates` is an index of perspective coordinates; else of affine ones.
    pub(crate) const PERSPECTIVE: Self = Self(1 << 3);
    /// Perspective coordinates are the floor of the exact quotient; else of the product with the denominator's
    /// reciprocal of 16 significant bits.
    pub(crate) const EXACT_QUOTIENT: Self = Self(1 << 4);
    /// `fog` is the index of a plane of 256 times the factor, with 32 fraction bits; else the factor in
    /// 8 bits.
    pub(crate) const FOG_PLANE: Self = Self(1 << 5);
    /// The level of detail comes from the perspective coordinates, quad by quad; `detail` is added.
    pub(crate) const DETAIL_PER_QUAD: Self = Self(1 << 6);
    /// The level of detail comes from the plane `slope` at a quad's first pixel; `detail` is added.
    pub(crate) const DETAIL_FROM_SLOPE: Self = Self(1 << 7);
    /// The primary colour is NaN: 0, but -2^15 to the texture function that modulates by it, in 16 bits.
    pub(crate) const COLOR_WITHOUT_NUMBER: Self = Self(1 << 8);

    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn with(self, other: Self, on: bool) -> Self {
        Self(if on { self.0 | other.0 } else { self.0 & !other.0 })
    }
}

/// How an edge's value changes per pixel.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(crate) struct EdgeStep {
    pub(crate) right: i32,
    pub(crate) down: i32,
}

/// A primitive: a pixel rectangle, and in it perhaps a triangle.
///
/// Planes are anchored at the rectangle's first pixel. An edge's value starts from what the [`Visit`] of the tile
/// says; inside is where none of the three is negative.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub(crate) struct Primitive {
    /// First column.
    pub(crate) left: u16,
    /// First row.
    pub(crate) top: u16,
    /// The column after the last.
    pub(crate) right: u16,
    /// The row after the last.
    pub(crate) bottom: u16,
    pub(crate) flags: PrimitiveFlags,
    /// Index into the batch's states.
    pub(crate) state: u32,
    pub(crate) edges: [EdgeStep; 3],
    /// Primary colour where `gouraud` is none.
    pub(crate) color: u32,
    /// Secondary colour where `gouraud` is none.
    pub(crate) secondary: u32,
    /// Depth with 14 fraction bits.
    pub(crate) depth: Plane32,
    /// Index of the colour planes, or [`NONE`].
    pub(crate) gouraud: u32,
    /// Index of the texture coordinates, or [`NONE`].
    pub(crate) coordinates: u32,
    /// See [`PrimitiveFlags::FOG_PLANE`].
    pub(crate) fog: u32,
    /// Level of detail in 1/16 level, the bias included.
    pub(crate) detail: i32,
    /// Index of the plane of twice w times the slope, with 24 fraction bits, or [`NONE`].
    pub(crate) slope: u32,
}

impl Primitive {
    pub(crate) fn rectangle(&self) -> PixelRectangle {
        PixelRectangle {
            left: self.left.into(),
            top: self.top.into(),
            right: self.right.into(),
            bottom: self.bottom.into(),
        }
    }

    /// The pixels of a rectangle inside the primitive's, with planes anchored there: all values are the same.
    pub(crate) fn part(&self, rectangle: PixelRectangle, attributes: &mut Attributes) -> Self {
        let dx = rectangle.left - i32::from(self.left);
        let dy = rectangle.top - i32::from(self.top);
        let mut part = Self {
            left: rectangle.left as u16,
            top: rectangle.top as u16,
            right: rectangle.right as u16,
            bottom: rectangle.bottom as u16,
            ..*self
        };
        if (dx, dy) == (0, 0) {
            return part;
        }
        part.depth = self.depth.moved(dx, dy);
        if self.gouraud != NONE {
            let Gouraud { primary, secondary } = attributes.gouraud[self.gouraud as usize];
            let moved = Gouraud {
                primary: primary.map(|plane| plane.moved(dx, dy)),
                secondary: secondary.map(|plane| plane.moved(dx, dy)),
            };
            part.gouraud = push(&mut attributes.gouraud, moved);
        }
        if self.coordinates != NONE && self.flags.contains(PrimitiveFlags::PERSPECTIVE) {
            let whole = attributes.perspective[self.coordinates as usize];
            let moved = PerspectiveCoordinates {
                numerators: whole.numerators.map(|plane| plane.moved(dx, dy)),
                denominator: whole.denominator.moved(dx, dy),
                ..whole
            };
            part.coordinates = push(&mut attributes.perspective, moved);
        } else if self.coordinates != NONE {
            let whole = attributes.affine[self.coordinates as usize];
            let moved = AffineCoordinates {
                planes: whole.planes.map(|plane| plane.moved(dx, dy)),
            };
            part.coordinates = push(&mut attributes.affine, moved);
        }
        let mut moved_plane = |index: u32| {
            let plane = attributes.planes[index as usize].moved(dx, dy);
            push(&mut attributes.planes, plane)
        };
        if self.flags.contains(PrimitiveFlags::FOG_PLANE) {
            part.fog = moved_plane(self.fog);
        }
        if self.slope != NONE {
            part.slope = moved_plane(self.slope);
        }
        part
    }
}

/// Colours that change over a primitive, 22 fraction bits.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub(crate) struct Gouraud {
    /// Red, green, blue and alpha of the primary colour.
    pub(crate) primary: [Plane32; 4],
    /// Red, green and blue of the secondary colour.
    pub(crate) secondary: [Plane32; 3],
}

/// Affine texture coordinates, s and t, in 1/256 texel of the largest level in use.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub(crate) struct AffineCoordinates {
    pub(crate) planes: [ExactPlane; 2],
}

/// Texture coordinates that are quotients: s is `numerators[0] * 2^shifts[0] / denominator` in 1/256 texel of the
/// largest level in use, t likewise.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub(crate) struct PerspectiveCoordinates {
    pub(crate) numerators: [Plane64; 2],
    pub(crate) denominator: Plane64,
    pub(crate) shifts: [i32; 2],
}

/// A primitive in a tile.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
pub(crate) struct Visit {
    /// Index of the primitive.
    pub(crate) primitive: u32,
    /// The edges at the tile's first pixel, saturated so that no step inside the tile overflows or changes a sign.
    pub(crate) edges: [i32; 3],
}

/// An edge's value at pixel (0, 0) of the screen.
pub(crate) type EdgeBases = [i64; 3];

/// The attributes of a batch's primitives that few of them have.
#[derive(Debug, Default)]
pub(crate) struct Attributes {
    pub(crate) gouraud: Vec<Gouraud>,
    pub(crate) affine: Vec<AffineCoordinates>,
    pub(crate) perspective: Vec<PerspectiveCoordinates>,
    pub(crate) planes: Vec<Plane64>,
}

impl Clone for Attributes {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, source: &Self) {
        self.gouraud.clone_from(&source.gouraud);
        self.affine.clone_from(&source.affine);
        self.perspective.clone_from(&source.perspective);
        self.planes.clone_from(&source.planes);
    }
}

impl Attributes {
    /// Words of all of them.
    pub(crate) fn words(&self) -> usize {
        let bytes = size_of_val(&*self.gouraud)
            + size_of_val(&*self.affine)
            + size_of_val(&*self.perspective)
            + size_of_val(&*self.planes);
        bytes / size_of::<u32>()
    }

    pub(crate) fn clear(&mut self) {
        self.gouraud.clear();
        self.affine.clear();
        self.perspective.clear();
        self.planes.clear();
    }
}

/// Appends, and says where.
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) -> u32 {
    list.push(item);
    (list.len() - 1) as u32
}
