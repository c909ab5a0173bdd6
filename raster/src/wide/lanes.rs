//! A block's lanes.

use fearless_simd::{Simd, mask32x16, prelude::*, u32x16};

use crate::code::CompareFunction;

/// Pixels of a side of a block.
pub(super) const SIDE: i32 = 4;
/// Pixels of a block: lane `4 * row + column`.
pub(super) const LANES: usize = 16;
/// The mask of all lanes.
pub(super) const ALL: u32 = 0xFFFF;

/// Columns of the lanes, from the block's first pixel.
pub(super) const COLUMNS: [i32; LANES] = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3];
/// Rows of the lanes.
pub(super) const ROWS: [i32; LANES] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3];

/// An array of what an expression gives for each lane. A macro, because a closure may lose the instruction set.
macro_rules! each_lane {
    ($lane:ident => $value:expr) => {{
        macro_rules! at {
            ($number:literal) => {{
                let $lane: usize = $number;
                $value
            }};
        }
        [
            at!(0),
            at!(1),
            at!(2),
            at!(3),
            at!(4),
            at!(5),
            at!(6),
            at!(7),
            at!(8),
            at!(9),
            at!(10),
            at!(11),
            at!(12),
            at!(13),
            at!(14),
            at!(15),
        ]
    }};
}
pub(super) use each_lane;

/// A closure that must become part of its caller: on its own it would lose the instruction set. To be written
/// `inlined(#[inline(always)] |x| ...)`.
#[inline(always)]
pub(super) const fn inlined<F>(closure: F) -> F {
    closure
}

/// The lanes whose columns lie in `columns` and whose rows lie in `rows`, both from the block's first pixel on; what
/// lies beyond the block does not count.
pub(super) fn rectangle_mask((left, right): (i32, i32), (top, bottom): (i32, i32)) -> u32 {
    let side = |from: i32, to: i32| (1u32 << to.clamp(0, SIDE)) - (1u32 << from.clamp(0, SIDE));
    if left >= right || top >= bottom {
        return 0;
    }
    let columns = side(left, right) * 0x1111;
    let rows = side(top, bottom);
    // Bit r of `rows` to the four bits of row r.
    let spread = (rows | (rows << 3) | (rows << 6) | (rows << 9)) & 0x1111;
    columns & (spread * 15)
}

/// Where `a` passes against `b`.
#[inline(always)]
pub(super) fn compare<S: Simd>(
    simd: S,
    function: CompareFunction,
    a: u32x16<S>,
    b: u32x16<S>,
) -> mask32x16<S> {
    match function {
        CompareFunction::NEVER => mask32x16::splat(simd, false),
        CompareFunction::ALWAYS => mask32x16::splat(simd, true),
        CompareFunction::EQUAL => a.simd_eq(b),
        CompareFunction::NOT_EQUAL => a.simd_ne(b),
        CompareFunction::LESS => a.simd_lt(b),
        CompareFunction::LESS_OR_EQUAL => a.simd_le(b),
        CompareFunction::GREATER => a.simd_gt(b),
        _ => a.simd_ge(b),
    }
}

/// The lanes' bits.
#[inline(always)]
pub(super) fn bits<S: Simd>(mask: mask32x16<S>) -> u32 {
    mask.to_bitmask() as u32
}

/// The lanes of bits.
#[inline(always)]
pub(super) fn mask<S: Simd>(simd: S, bits: u32) -> mask32x16<S> {
    mask32x16::from_bitmask(simd, bits.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_columns_and_rows() {
        for left in -2..6 {
            for right in -2..6 {
                for top in -2..6 {
                    for bottom in -2..6 {
                        let expected = (0..LANES).fold(0, |mask, lane| {
                            let inside =
                                (left..right).contains(&COLUMNS[lane]) && (top..bottom).contains(&ROWS[lane]);
                            mask | (u32::from(inside) << lane)
                        });
                        assert_eq!(rectangle_mask((left, right), (top, bottom)), expected);
                    }
                }
            }
        }
    }
}
