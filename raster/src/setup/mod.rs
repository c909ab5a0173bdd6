//! Set-up: from vertices on the screen to records of integers.
//!
//! All 64-bit and floating-point arithmetic and all divisions of the contract happen here, once per primitive, for
//! every back end. Which arithmetic is used is decided here too and nowhere else, by [`Rules`]: a record says what to add
//! up, not whose rounding it follows.

mod coordinates;
pub(crate) mod fog;
mod level;
mod line;
pub(crate) mod planes;
mod reciprocal;
pub(crate) mod record;
mod rectangle;
mod rules;
mod triangle;

use std::marker::PhantomData;

pub(crate) use coordinates::affine_corners;
pub(crate) use level::fixed_log2;
pub(crate) use planes::{ExactPlane, PERSPECTIVE_FRACTION, Plane32, Plane64};
pub(crate) use record::{
    AffineCoordinates, Attributes, EdgeBases, Gouraud, NONE, PerspectiveCoordinates, Primitive,
    PrimitiveFlags, Visit,
};
pub(crate) use rules::{HardwareRules, Rules};
pub(crate) use triangle::gouraud;

use crate::draw::ScreenVertex;
use crate::state::{LevelSize, PixelState, StateFlags};

/// Pixels from `left` to before `right` and from `top` to before `bottom`, none negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PixelRectangle {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
}

impl PixelRectangle {
    pub(crate) const fn is_empty(self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    pub(crate) fn intersection(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The smallest rectangle around both; an empty one adds nothing.
    pub(crate) fn union(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// Coordinates beyond this many sub units stop there: no vertex of the GE lies so far out
/// (spec/ge-raster.md §3.2), and set-up's products stay in their integers.
const COORDINATE_LIMIT: i32 = 1 << 20;

/// Column and row of a vertex in sub units.
pub(crate) fn position(vertex: &ScreenVertex) -> (i64, i64) {
    let limited = |coordinate: i32| i64::from(coordinate.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT));
    (limited(vertex.x.0), limited(vertex.y.0))
}

/// The first pixel whose sample lies at or after a coordinate.
pub(crate) fn first_sample_from(coordinate: i64) -> i32 {
    ((coordinate + 7) >> 4) as i32
}

/// The pixel after the last whose sample lies at or before a coordinate.
fn after_last_sample_to(coordinate: i64) -> i32 {
    (((coordinate - 8) >> 4) + 1) as i32
}

/// What set-up needs to know of a draw's texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureScale {
    /// Size of level 0.
    pub(crate) first: LevelSize,
    /// The largest width and height among the levels in use: coordinates are made for these.
    pub(crate) largest: LevelSize,
}

/// Set-up of the primitives of a draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup<'a, R> {
    pub(crate) state: &'a PixelState,
    /// The texture, if coordinates are needed.
    pub(crate) texture: Option<TextureScale>,
    /// The scissor's rectangle.
    pub(crate) clip: PixelRectangle,
    pub(crate) gouraud: bool,
    pub(crate) fog: bool,
    /// Whether anything depends on the level of detail.
    pub(crate) lod: bool,
    /// Index of the state in the batch.
    state_index: u32,
    rules: PhantomData<R>,
}

impl<'a, R: Rules> Setup<'a, R> {
    /// For a state; `texture` when the state's texturing has one that can be sampled.
    pub(crate) fn new(state: &'a PixelState, texture: Option<TextureScale>) -> Self {
        let flags = state.flags;
        let clear = flags.contains(StateFlags::CLEAR);
        let filters_differ =
            flags.contains(StateFlags::MINIFY_LINEAR) != flags.contains(StateFlags::MAGNIFY_LINEAR);
        let mipmaps = flags.contains(StateFlags::MIPMAP) && state.texture.highest_level > 0;
        let scissor = state.scissor;
        Self {
            state,
            texture,
            clip: PixelRectangle {
                left: i32::from(scissor.left.min(1024)),
                top: i32::from(scissor.top.min(1024)),
                right: i32::from(scissor.right.min(1023)) + 1,
                bottom: i32::from(scissor.bottom.min(1023)) + 1,
            },
            gouraud: flags.contains(StateFlags::GOURAUD) && !clear,
            fog: flags.contains(StateFlags::FOG) && !flags.contains(StateFlags::THROUGH) && !clear,
            lod: texture.is_some() && (filters_differ || mipmaps),
            state_index: 0,
            rules: PhantomData,
        }
    }

    /// The same with another index of the state.
    pub(crate) fn with_state_index(self, state_index: u32) -> Self {
        Self { state_index, ..self }
    }

    pub(crate) fn is_through(&self) -> bool {
        self.state.flags.contains(StateFlags::THROUGH)
    }

    /// Whether a depth that holds for all pixels is refused by the depth range (spec/ge-raster.md §11.2).
    pub(crate) fn refuses(&self, depth: u32) -> bool {
        let range = u32::from(self.state.depth_minimum)..=u32::from(self.state.depth_maximum);
        !self.is_through() && !range.contains(&depth)
    }

    /// The record of a primitive with the attributes of one vertex all over.
    pub(crate) fn flat_record(&self, rectangle: PixelRectangle, vertex: &ScreenVertex) -> Primitive {
        Primitive {
            left: rectangle.left as u16,
            top: rectangle.top as u16,
            right: rectangle.right as u16,
            bottom: rectangle.bottom as u16,
            flags: PrimitiveFlags::default()
                .with(PrimitiveFlags::ODD_QUAD_COLUMN, rectangle.left & 1 == 1)
                .with(PrimitiveFlags::ODD_QUAD_ROW, rectangle.top & 1 == 1),
            state: self.state_index,
            edges: Default::default(),
            color: vertex.color,
            secondary: vertex.secondary & 0x00FF_FFFF,
            depth: Plane32::flat((vertex.z.min(0xFFFF) << 14) as i32),
            gouraud: NONE,
            coordinates: NONE,
            fog: if self.fog { fog::level(vertex.fog) } else { 255 },
            detail: 0,
            slope: NONE,
        }
    }
}

/// A component of a colour.
pub(crate) fn component(color: u32, index: usize) -> u8 {
    color.to_le_bytes()[index]
}

/// A state that draws everywhere, for tests.
#[cfg(test)]
pub(crate) fn whole_frame(flags: StateFlags) -> PixelState {
    PixelState {
        flags,
        scissor: crate::state::Scissor {
            right: 1023,
            bottom: 1023,
            ..Default::default()
        },
        depth_maximum: 0xFFFF,
        ..PixelState::default()
    }
}
