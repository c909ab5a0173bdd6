//! Texture coordinates of a block, in 1/256 texel of the largest level in use (spec/ge-raster.md §7.6).

use fearless_simd::{Simd, SimdBase, f32x16, f64x8, i32x16, prelude::*, u32x16, u64x8};

use super::lanes::{COLUMNS, LANES, ROWS, SIDE, bits, inlined};
use super::plane::{Anchor, LanePlane, LimbsPlane};
use crate::reference::{by_reciprocal as quotient_by_reciprocal, exact};
use crate::setup::{
    AffineCoordinates, Attributes, NONE, PERSPECTIVE_FRACTION, PerspectiveCoordinates, Plane32, Plane64,
    Primitive, PrimitiveFlags,
};

/// The pixels of a primitive in a tile, from the tile's first: columns and rows, the last ones excluded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

/// How a primitive's coordinates are found.
pub(super) enum Coordinates<'a, S: Simd> {
    /// There are none: the texture cannot be read.
    None,
    Affine([LimbsPlane<S>; 2]),
    /// Quotients by the hardware's reciprocal.
    Perspective(ByReciprocal<'a, S>),
    /// Exact quotients.
    Exact(Exact<'a, S>),
}

impl<'a, S: Simd> Coordinates<'a, S> {
    #[inline(always)]
    pub(super) fn new(
        simd: S,
        attributes: &'a Attributes,
        primitive: &Primitive,
        anchor: Anchor,
        area: Area,
    ) -> Self {
        if primitive.coordinates == NONE {
            return Self::None;
        }
        let index = primitive.coordinates as usize;
        if !primitive.flags.contains(PrimitiveFlags::PERSPECTIVE) {
            let AffineCoordinates { planes: [s, t] } = &attributes.affine[index];
            return Self::Affine([LimbsPlane::new(simd, s, anchor), LimbsPlane::new(simd, t, anchor)]);
        }
        let record = &attributes.perspective[index];
        if primitive.flags.contains(PrimitiveFlags::EXACT_QUOTIENT) {
            Self::Exact(Exact::new(simd, record, anchor, area))
        } else {
            Self::Perspective(ByReciprocal::new(simd, record, anchor, area))
        }
    }

    /// s and t in a block, right in the lanes of `mask`.
    #[inline(always)]
    pub(super) fn at(&self, simd: S, block: (i32, i32), mask: u32) -> [i32x16<S>; 2] {
        match self {
            Self::None => {
                let zero = i32x16::splat(simd, 0);
                [zero, zero]
            }
            Self::Affine([s, t]) => [s.floor_at(simd, block), t.floor_at(simd, block)],
            Self::Perspective(quotients) => quotients.at(simd, block, mask),
            Self::Exact(quotients) => quotients.at(simd, block, mask),
        }
    }
}

/// The low 32 bits of a plane.
fn low(plane: &Plane64) -> Plane32 {
    Plane32 {
        base: plane.at(0, 0) as i32,
        right: plane.right() as i32,
        down: plane.down() as i32,
    }
}

/// Whether a plane's values in an area lie within `limit` of 0.
fn stays_within(plane: &Plane64, anchor: Anchor, area: Area, limit: i64) -> bool {
    const STEEPEST: i64 = 1 << 54;
    let (right, down) = (plane.right(), plane.down());
    if !(-STEEPEST..STEEPEST).contains(&right) || !(-STEEPEST..STEEPEST).contains(&down) {
        return false;
    }
    let first = plane.at(anchor.dx + area.left, anchor.dy + area.top);
    if !(-limit..limit).contains(&first) {
        return false;
    }
    let across = right * i64::from(area.right - area.left - 1);
    let along = down * i64::from(area.bottom - area.top - 1);
    let least = first + across.min(0) + along.min(0);
    let most = first + across.max(0) + along.max(0);
    -limit <= least && most < limit
}

/// Quotients as products with the denominator's reciprocal of 16 significant bits.
pub(super) struct ByReciprocal<'a, S: Simd> {
    record: &'a PerspectiveCoordinates,
    anchor: Anchor,
    /// Numerators and denominator; none where they need more than 32 bits.
    planes: Option<([LanePlane<S>; 2], LanePlane<S>)>,
}

impl<'a, S: Simd> ByReciprocal<'a, S> {
    #[inline(always)]
    fn new(simd: S, record: &'a PerspectiveCoordinates, anchor: Anchor, area: Area) -> Self {
        let [s, t] = &record.numerators;
        let is_narrow = [s, t, &record.denominator]
            .into_iter()
            .all(|plane| stays_within(plane, anchor, area, 1 << 31));
        let lanes = inlined(
            #[inline(always)]
            |plane: &Plane64| LanePlane::new(simd, low(plane), anchor),
        );
        Self {
            record,
            anchor,
            planes: is_narrow.then(
                #[inline(always)]
                || ([lanes(s), lanes(t)], lanes(&record.denominator)),
            ),
        }
    }

    #[inline(always)]
    fn at(&self, simd: S, block: (i32, i32), mask: u32) -> [i32x16<S>; 2] {
        let Some(([s, t], denominator)) = &self.planes else {
            return self.exactly(simd, block, mask);
        };
        let denominator = denominator.at(block) >> PERSPECTIVE_FRACTION;
        let zero = i32x16::splat(simd, 0);
        let is_negative = denominator.simd_lt(zero);
        let magnitude = is_negative.select(-denominator, denominator);
        // 18 bits are exact in a single, whose exponent and fraction give the top 16.
        let single: f32x16<S> = magnitude.to_float();
        let parts: u32x16<S> = single.to_bits();
        let exponent: i32x16<S> = (parts >> 23).bitcast::<i32x16<S>>() - 127;
        let number = ((parts >> 8) & 0x7FFF) | 0x8000;
        let reciprocal: i32x16<S> = reciprocal(simd, number).bitcast();
        let (high, low) = (reciprocal >> 8, reciprocal & 0xFF);
        let [shift_s, shift_t] = self.record.shifts;
        // A product has 35 bits; without its lowest eight it fits. They are cut in any case, but where the result is
        // very large.
        let mut beyond = 0;
        let mut quotient = inlined(
            #[inline(always)]
            |plane: &LanePlane<S>, shift: i32| {
                let numerator = plane.at(block) >> PERSPECTIVE_FRACTION;
                let numerator = is_negative.select(-numerator, numerator);
                let product = numerator * high + ((numerator * low) >> 8);
                let down = exponent + 8_i32.saturating_sub(shift).clamp(-1000, 1000);
                beyond |= bits(down.simd_lt(zero)) & mask;
                product >> down.max(zero).min(i32x16::splat(simd, 31))
            },
        );
        let quotients = [quotient(s, shift_s), quotient(t, shift_t)];
        if beyond != 0 {
            return self.exactly(simd, block, mask);
        }
        quotients
    }

    /// The definition, lane by lane.
    #[cold]
    #[inline(never)]
    fn exactly(&self, simd: S, (column, row): (i32, i32), mask: u32) -> [i32x16<S>; 2] {
        let record = self.record;
        let mut quotients = [[0; LANES]; 2];
        for lane in 0..LANES {
            if (mask >> lane) & 1 == 0 {
                continue;
            }
            let dx = self.anchor.dx + SIDE * column + COLUMNS[lane];
            let dy = self.anchor.dy + SIDE * row + ROWS[lane];
            let denominator = record.denominator.at(dx, dy) >> PERSPECTIVE_FRACTION;
            for (axis, quotient) in quotients.iter_mut().enumerate() {
                let numerator = record.numerators[axis].at(dx, dy) >> PERSPECTIVE_FRACTION;
                quotient[lane] = quotient_by_reciprocal(numerator, denominator, record.shifts[axis]) as i32;
            }
        }
        let [s, t] = quotients;
        [i32x16::simd_from(simd, s), i32x16::simd_from(simd, t)]
    }
}

/// 2^31 over numbers of 16 bits, as hardware has it at each pixel (see [`quotient_by_reciprocal`]): a seed of nine bits and
/// one step of Newton's method.
#[inline(always)]
pub(super) fn reciprocal<S: Simd>(simd: S, number: u32x16<S>) -> u32x16<S> {
    let middle = (number & 0xFF00) | 0x80;
    let seed = seed(middle);
    let rest = u32x16::splat(simd, (1 << 18) + 1) - ((number * seed) >> 7);
    let reciprocal = (seed * rest + 212) >> 10;
    number
        .simd_eq(u32x16::splat(simd, 1 << 15))
        .select(u32x16::splat(simd, 1 << 16), reciprocal)
}

/// 2^24 over the middle of the 128th of an octave that a number lies in, rounded to the nearest: 256 to 512. Dividend and
/// divisor are exact in singles, and no quotient comes so near to an integer that it would be rounded to it.
#[inline(always)]
fn seed<S: Simd>(middle: u32x16<S>) -> u32x16<S> {
    let dividend: f32x16<S> = ((middle >> 1) + (1 << 24)).to_float();
    let divisor: f32x16<S> = middle.to_float();
    (dividend / divisor).to_int()
}

/// A plane in double precision.
#[derive(Clone, Copy)]
struct FloatPlane<S: Simd> {
    origin: f64,
    right: f64,
    down: f64,
    /// The differences of the lanes from the block's first pixel, the first two rows and the last two.
    offsets: [f64x8<S>; 2],
    /// More than any value in the tile is off.
    error: f64,
}

impl<S: Simd> FloatPlane<S> {
    #[inline(always)]
    fn new(simd: S, plane: &Plane64, anchor: Anchor) -> Self {
        // Sums of five terms, each rounded a few times: 2^-49 of the largest sum is more than enough.
        const UNIT: f64 = 1.0 / (1u64 << 49) as f64;
        let (right, down) = (plane.right() as f64, plane.down() as f64);
        let origin = plane.at(anchor.dx, anchor.dy) as f64;
        let columns = f64x8::simd_from(simd, [0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]) * right;
        let rows = f64x8::simd_from(simd, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]) * down;
        let upper = columns + rows;
        Self {
            origin,
            right: right * f64::from(SIDE),
            down: down * f64::from(SIDE),
            offsets: [upper, upper + 2.0 * down],
            error: (origin.abs() + 64.0 * (right.abs() + down.abs())) * UNIT,
        }
    }

    #[inline(always)]
    fn at(&self, (column, row): (i32, i32)) -> [f64x8<S>; 2] {
        let base = self.origin + self.right * f64::from(column) + self.down * f64::from(row);
        let [upper, lower] = self.offsets;
        [upper + base, lower + base]
    }
}

/// The floors of exact quotients: in double precision, with the definition where rounding could decide.
pub(super) struct Exact<'a, S: Simd> {
    record: &'a PerspectiveCoordinates,
    anchor: Anchor,
    /// Numerators and denominator; none where 64-bit sums wrap.
    planes: Option<([FloatPlane<S>; 2], FloatPlane<S>)>,
    scales: [f64; 2],
}

impl<'a, S: Simd> Exact<'a, S> {
    #[inline(always)]
    fn new(simd: S, record: &'a PerspectiveCoordinates, anchor: Anchor, area: Area) -> Self {
        let [s, t] = &record.numerators;
        // The tile's first pixel may lie outside the area.
        let whole = Area {
            left: 0,
            top: 0,
            right: area.right,
            bottom: area.bottom,
        };
        let is_narrow = [s, t, &record.denominator]
            .into_iter()
            .all(|plane| stays_within(plane, anchor, whole, 1 << 62));
        let lanes = inlined(
            #[inline(always)]
            |plane: &Plane64| FloatPlane::new(simd, plane, anchor),
        );
        let scale = inlined(
            #[inline(always)]
            |shift: i32| f64::from_bits(((1023 + i64::from(shift.clamp(-63, 63))) as u64) << 52),
        );
        let [shift_s, shift_t] = record.shifts;
        Self {
            record,
            anchor,
            planes: is_narrow.then(
                #[inline(always)]
                || ([lanes(s), lanes(t)], lanes(&record.denominator)),
            ),
            scales: [scale(shift_s), scale(shift_t)],
        }
    }

    #[inline(always)]
    fn at(&self, simd: S, block: (i32, i32), mask: u32) -> [i32x16<S>; 2] {
        let Some(([s, t], denominator)) = &self.planes else {
            let zero = i32x16::splat(simd, 0);
            return self.exactly(simd, block, mask, [zero, zero]);
        };
        let [upper, lower] = denominator.at(block);
        let one = f64x8::splat(simd, 1.0);
        let reciprocals = [one / upper, one / lower];
        let least = f64x8::splat(simd, 2.0 * denominator.error);
        // A denominator that may be 0, or another sign, tells nothing.
        let mut doubtful = (!upper.abs().simd_ge(least)).to_bitmask() as u32
            | ((!lower.abs().simd_ge(least)).to_bitmask() as u32) << 8;
        let mut quotient = inlined(
            #[inline(always)]
            |plane: &FloatPlane<S>, scale: f64| {
                const LIMIT: f64 = (1 << 30) as f64;
                const UNIT: f64 = 1.0 / (1u64 << 49) as f64;
                // An integer in its lowest bits.
                const INTEGER: f64 = 1.5 * (1u64 << 52) as f64;
                let [upper, lower] = plane.at(block);
                let mut half = inlined(
                    #[inline(always)]
                    |numerator: f64x8<S>, reciprocal: f64x8<S>, shift: u32| {
                        let quotient = numerator * scale * reciprocal;
                        let magnitude = quotient.abs();
                        // With E the errors, |Q - q| is at most (E of n + |q| E of d) / (|d| - E of d).
                        let errors = magnitude * denominator.error + plane.error * scale;
                        let error = magnitude * UNIT + errors * 2.0 * reciprocal.abs();
                        let floor = quotient.floor();
                        let fraction = quotient - floor;
                        // NaN is doubtful too.
                        let is_certain = fraction.simd_ge(error) & (one - fraction).simd_ge(error);
                        doubtful |= ((!is_certain).to_bitmask() as u32) << shift;
                        let (limit, least) = (f64x8::splat(simd, LIMIT), f64x8::splat(simd, -LIMIT));
                        let integer: u64x8<S> = (floor.max(least).min(limit) + INTEGER).bitcast();
                        integer
                    },
                );
                let (a, b) = (half(upper, reciprocals[0], 0), half(lower, reciprocals[1], 8));
                let words: u32x16<S> = simd.narrow_u64x8(a, b);
                words.bitcast::<i32x16<S>>()
            },
        );
        let quotients = [quotient(s, self.scales[0]), quotient(t, self.scales[1])];
        doubtful &= mask;
        if doubtful != 0 {
            return self.exactly(simd, block, doubtful, quotients);
        }
        quotients
    }

    /// The definition in the lanes of `mask`, the others as they are.
    #[cold]
    #[inline(never)]
    fn exactly(
        &self,
        simd: S,
        (column, row): (i32, i32),
        mask: u32,
        quotients: [i32x16<S>; 2],
    ) -> [i32x16<S>; 2] {
        let record = self.record;
        let mut quotients = [quotients[0].to_array(), quotients[1].to_array()];
        for lane in 0..LANES {
            if (mask >> lane) & 1 == 0 {
                continue;
            }
            let dx = self.anchor.dx + SIDE * column + COLUMNS[lane];
            let dy = self.anchor.dy + SIDE * row + ROWS[lane];
            let denominator = record.denominator.at(dx, dy);
            for (axis, quotient) in quotients.iter_mut().enumerate() {
                let numerator = record.numerators[axis].at(dx, dy);
                quotient[lane] = exact(numerator, denominator, record.shifts[axis]) as i32;
            }
        }
        let [s, t] = quotients;
        [i32x16::simd_from(simd, s), i32x16::simd_from(simd, t)]
    }
}
