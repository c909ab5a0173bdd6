//! Where the parts of an animation stand in a file.

use super::Generation;

/// The magic of an animation.
pub(super) const MAGIC: &[u8; 4] = b"FSHA";
/// Fields of the header that all files have alike.
pub(super) const NAME: usize = 0x04;
pub(super) const PATH: usize = 0x08;
pub(super) const FLAGS: usize = 0x0C;
/// Bytes of a key.
pub(super) const KEY_SIZE: usize = 8;
/// The bind index that stands for none.
pub(super) const NO_BIND: u16 = 0xFFFF;

/// Offsets of the header's other fields (`spec/fsha.md` §2.1, §2.2).
pub(super) struct HeaderFields {
    pub(super) size: usize,
    pub(super) frame_count: usize,
    pub(super) shape_count: usize,
    pub(super) key_count: usize,
    pub(super) curve_count: usize,
    pub(super) baked_length: usize,
    pub(super) model: usize,
    pub(super) bind_indices: usize,
    pub(super) shapes: usize,
}

impl Generation {
    pub(super) const fn header(self) -> HeaderFields {
        match self {
            Self::Early => HeaderFields {
                size: 0x2C,
                frame_count: 0x0E,
                shape_count: 0x10,
                key_count: 0x12,
                curve_count: 0x16,
                baked_length: 0x18,
                model: 0x1C,
                bind_indices: 0x20,
                shapes: 0x24,
            },
            Self::Late => HeaderFields {
                size: 0x30,
                frame_count: 0x10,
                shape_count: 0x14,
                key_count: 0x16,
                curve_count: 0x18,
                baked_length: 0x1C,
                model: 0x20,
                bind_indices: 0x24,
                shapes: 0x28,
            },
        }
    }

    /// Where a curve's header has the offset of its frames; that of its elements follows and ends
    /// it.
    pub(super) const fn curve_frames(self) -> usize {
        match self {
            Self::Early => 0x18,
            Self::Late => 0x1C,
        }
    }

    /// Bytes of a curve's header.
    pub(super) const fn curve_size(self) -> usize {
        self.curve_frames() + 8
    }
}

/// The size of a vertex shape animation, on which sources disagree (`spec/fsha.md` §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stride {
    /// 0x1C bytes, as tools and a twin structure have it.
    Tools,
    /// 0x20 bytes, the last three offsets four bytes further on: as the base document has it.
    BaseDocument,
}

impl Stride {
    pub(super) const fn size(self) -> usize {
        self.keys() + 12
    }

    /// Where the offset of the keys stands; those of curves and base values follow it.
    pub(super) const fn keys(self) -> usize {
        match self {
            Self::Tools => 0x10,
            Self::BaseDocument => 0x14,
        }
    }
}

/// Where an animation stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(super) generation: Generation,
    pub(super) stride: Stride,
    pub(super) at: usize,
    pub(super) bind_indices: usize,
    pub(super) shapes: Vec<ShapePlace>,
    /// The header's counts of keys and curves, which may be larger than those of the shapes.
    pub(super) stated: [usize; 2],
    /// The model, if the header names one.
    pub(crate) model: Option<usize>,
}

/// Where a vertex shape animation's parts stand.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ShapePlace {
    pub(super) at: usize,
    pub(super) keys: usize,
    /// Each key's curve index as stored, which may count from the animation's first curve.
    pub(super) stored_curves: Vec<i8>,
    pub(super) first_curve: i32,
    pub(super) curves: Vec<CurvePlace>,
    pub(super) base_values: usize,
}

/// Where a curve's parts stand.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CurvePlace {
    pub(super) at: usize,
    pub(super) frames: usize,
    pub(super) elements: usize,
}

/// The curve that a key's stored index names: one of its own shape's, else one counted from the
/// animation's first curve (`spec/fsha.md` §3.1). The inner `None` is a key without a curve, the
/// outer one an index that fits neither.
pub(super) fn resolve_curve(stored: i8, curve_count: usize, first_curve: i32) -> Option<Option<u8>> {
    if stored == -1 {
        return Some(None);
    }
    let fits = |index: i32| {
        let index = u8::try_from(index).ok()?;
        (usize::from(index) < curve_count).then_some(Some(index))
    };
    fits(stored.into()).or_else(|| fits(i32::from(stored).checked_sub(first_curve)?))
}
