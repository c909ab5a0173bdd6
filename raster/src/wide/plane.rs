//! Planes of attributes over a tile's blocks.

use fearless_simd::{Simd, SimdBase, i32x16, prelude::*, u32x4, u32x16};

use super::lanes::{COLUMNS, ROWS, SIDE, inlined};
use crate::setup::{ExactPlane, Plane32, Plane64};

/// Where a primitive's planes are anchored, as a tile sees it: columns and rows from the primitive's first pixel to the
/// tile's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    pub(super) dx: i32,
    pub(super) dy: i32,
}

/// A [`Plane32`] in a tile.
#[derive(Clone, Copy)]
pub(super) struct LanePlane<S: Simd> {
    origin: i32,
    /// Changes from block to block.
    right: i32,
    down: i32,
    /// The lanes' differences from the block's first pixel.
    offsets: i32x16<S>,
}

impl<S: Simd> LanePlane<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, plane: Plane32, anchor: Anchor) -> Self {
        let columns = i32x16::simd_from(simd, COLUMNS);
        let rows = i32x16::simd_from(simd, ROWS);
        Self {
            origin: plane.at(anchor.dx, anchor.dy),
            right: plane.right.wrapping_mul(SIDE),
            down: plane.down.wrapping_mul(SIDE),
            offsets: columns * plane.right + rows * plane.down,
        }
    }

    /// The values in a block, by its column and row of blocks in the tile.
    #[inline(always)]
    pub(super) fn at(&self, (column, row): (i32, i32)) -> i32x16<S> {
        let base = self
            .origin
            .wrapping_add(self.right.wrapping_mul(column))
            .wrapping_add(self.down.wrapping_mul(row));
        self.offsets + base
    }
}

/// The low and the high half of 64-bit numbers.
#[derive(Clone, Copy)]
struct Halves<S: Simd> {
    low: u32x16<S>,
    high: u32x16<S>,
}

impl<S: Simd> Halves<S> {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        let low = self.low + other.low;
        let high = self.high + other.high;
        let carried = low.simd_lt(other.low);
        Self {
            low,
            high: carried.select(high + 1, high),
        }
    }
}

/// Four numbers, the same in every row of a block.
#[inline(always)]
fn along_columns<S: Simd>(simd: S, numbers: [u32; 4]) -> u32x16<S> {
    u32x16::block_splat(u32x4::simd_from(simd, numbers))
}

/// Four numbers, one for each row of a block.
#[inline(always)]
fn along_rows<S: Simd>(simd: S, [a, b, c, d]: [u32; 4]) -> u32x16<S> {
    u32x16::simd_from(simd, [a, a, a, a, b, b, b, b, c, c, c, c, d, d, d, d])
}

/// A [`Plane64`] in a tile, of which the high half is wanted.
#[derive(Clone, Copy)]
pub(super) struct HalvesPlane<S: Simd> {
    origin: i64,
    right: i64,
    down: i64,
    offsets: Halves<S>,
}

impl<S: Simd> HalvesPlane<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, plane: &Plane64, anchor: Anchor) -> Self {
        let (right, down) = (plane.right(), plane.down());
        let low = inlined(
            #[inline(always)]
            |step: i64| {
                let twice = step.wrapping_mul(2);
                [0, step as u32, twice as u32, twice.wrapping_add(step) as u32]
            },
        );
        let high = inlined(
            #[inline(always)]
            |step: i64| {
                let twice = step.wrapping_mul(2);
                [
                    0,
                    (step >> 32) as u32,
                    (twice >> 32) as u32,
                    (twice.wrapping_add(step) >> 32) as u32,
                ]
            },
        );
        let across = Halves {
            low: along_columns(simd, low(right)),
            high: along_columns(simd, high(right)),
        };
        let along = Halves {
            low: along_rows(simd, low(down)),
            high: along_rows(simd, high(down)),
        };
        Self {
            origin: plane.at(anchor.dx, anchor.dy),
            right: right.wrapping_mul(SIDE.into()),
            down: down.wrapping_mul(SIDE.into()),
            offsets: across.sum(along),
        }
    }

    /// The high halves of the values in a block: the plane without its 32 fraction bits.
    #[inline(always)]
    pub(super) fn floor_at(&self, simd: S, (column, row): (i32, i32)) -> i32x16<S> {
        let base = self
            .origin
            .wrapping_add(self.right.wrapping_mul(column.into()))
            .wrapping_add(self.down.wrapping_mul(row.into()));
        let base = Halves {
            low: u32x16::splat(simd, base as u32),
            high: u32x16::splat(simd, (base >> 32) as u32),
        };
        base.sum(self.offsets).high.bitcast()
    }
}

/// Numbers of 96 bits, low word first.
#[derive(Clone, Copy)]
struct Limbs<S: Simd> {
    low: u32x16<S>,
    middle: u32x16<S>,
    high: u32x16<S>,
}

impl<S: Simd> Limbs<S> {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        let low = self.low + other.low;
        let carried = low.simd_lt(other.low);
        let middle = self.middle + other.middle;
        let with_carry = carried.select(middle + 1, middle);
        // It carries by its own sum, or by the carry where that was all ones.
        let carries = middle.simd_lt(other.middle) | with_carry.simd_lt(middle);
        let high = self.high + other.high;
        Self {
            low,
            middle: with_carry,
            high: carries.select(high + 1, high),
        }
    }
}

/// An [`ExactPlane`] in a tile.
#[derive(Clone, Copy)]
pub(super) struct LimbsPlane<S: Simd> {
    origin: i128,
    right: i128,
    down: i128,
    offsets: Limbs<S>,
}

impl<S: Simd> LimbsPlane<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, plane: &ExactPlane, anchor: Anchor) -> Self {
        let (right, down) = (plane.right(), plane.down());
        let multiples = inlined(
            #[inline(always)]
            |step: i128| [0, step, step * 2, step * 3],
        );
        let limb = inlined(
            #[inline(always)]
            |[a, b, c, d]: [i128; 4], bits: u32| {
                [
                    (a >> bits) as u32,
                    (b >> bits) as u32,
                    (c >> bits) as u32,
                    (d >> bits) as u32,
                ]
            },
        );
        let (columns, rows) = (multiples(right), multiples(down));
        let across = Limbs {
            low: along_columns(simd, limb(columns, 0)),
            middle: along_columns(simd, limb(columns, 32)),
            high: along_columns(simd, limb(columns, 64)),
        };
        let along = Limbs {
            low: along_rows(simd, limb(rows, 0)),
            middle: along_rows(simd, limb(rows, 32)),
            high: along_rows(simd, limb(rows, 64)),
        };
        Self {
            origin: plane.at(anchor.dx, anchor.dy),
            right: right * i128::from(SIDE),
            down: down * i128::from(SIDE),
            offsets: across.sum(along),
        }
    }

    /// The values in a block without their 64 fraction bits.
    #[inline(always)]
    pub(super) fn floor_at(&self, simd: S, (column, row): (i32, i32)) -> i32x16<S> {
        let base = self.origin + self.right * i128::from(column) + self.down * i128::from(row);
        let base = Limbs {
            low: u32x16::splat(simd, base as u32),
            middle: u32x16::splat(simd, (base >> 32) as u32),
            high: u32x16::splat(simd, (base >> 64) as u32),
        };
        base.sum(self.offsets).high.bitcast()
    }
}
