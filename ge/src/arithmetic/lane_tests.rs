//! Lanes against single numbers.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, f32x16};
use proptest::prelude::*;
use vertex::LANES;

use super::{F32, Geometry, T24};
use crate::vertex_stage::{hostile, levels};

/// Sixteen numbers for each operand.
type Operands = [[f32; LANES]; 7];

/// The bits of a result, those of what is no number made alike.
fn bits(value: f32) -> u32 {
    if value.is_nan() {
        0x7FC0_0000
    } else {
        value.to_bits()
    }
}

const RESULTS: usize = 13;

fn one_by_one<A: Geometry>([a, b, c, d, e, f, g]: [f32; 7], exponent: f32, offset: u16) -> [u32; RESULTS] {
    let [x, y, z] = A::normalize([a, b, c]);
    [
        bits(A::load(a)),
        bits(A::mul(a, b)),
        bits(A::add(a, b)),
        bits(A::subtract(a, b)),
        bits(A::dot3([a, b, c], [d, e, f])),
        bits(A::affine([a, b, c], [d, e, f, g])),
        bits(A::divide(a, b)),
        bits(A::square_root(a)),
        bits(A::power(a, exponent)),
        A::subpixel(a, offset) as u32,
        bits(x),
        bits(y),
        bits(z),
    ]
}

#[inline(always)]
fn side_by_side<A: Geometry, S: Simd>(
    simd: S,
    operands: &Operands,
    exponent: f32,
    offset: u16,
) -> [[u32; LANES]; RESULTS] {
    let [a, b, c, d, e, f, g] = operands.map(|lanes| f32x16::simd_from(simd, lanes));
    let [x, y, z] = A::normalize_lanes([a, b, c]);
    let float = |value: f32x16<S>| value.to_array().map(bits);
    [
        float(A::load_lanes(a)),
        float(A::mul_lanes(a, b)),
        float(A::add_lanes(a, b)),
        float(A::subtract_lanes(a, b)),
        float(A::dot3_lanes([a, b, c], [d, e, f])),
        float(A::affine_lanes([a, b, c], [d, e, f, g])),
        float(A::divide_lanes(a, b)),
        float(A::square_root_lanes(a)),
        float(A::power_lanes(a, exponent)),
        A::subpixel_lanes(a, offset).to_array().map(|lane| lane as u32),
        float(x),
        float(y),
        float(z),
    ]
}

fn check<A: Geometry>(
    level: Level,
    operands: &Operands,
    exponent: f32,
    offset: u16,
) -> Result<(), TestCaseError> {
    let got = dispatch!(level, simd => side_by_side::<A, _>(simd, operands, exponent, offset));
    for lane in 0..LANES {
        let own = operands.map(|lanes| lanes[lane]);
        let want = one_by_one::<A>(own, exponent, offset);
        prop_assert_eq!(
            got.map(|lanes| lanes[lane]),
            want,
            "{:?} {:?} {}",
            level,
            own,
            exponent
        );
    }
    Ok(())
}

/// Numbers whose exponents are near enough to meet.
fn ordinary() -> impl Strategy<Value = f32> {
    (any::<bool>(), 115_u32..135, 0_u32..1 << 23).prop_map(|(negative, exponent, fraction)| {
        f32::from_bits(u32::from(negative) << 31 | exponent << 23 | fraction)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn lanes_have_the_bits_of_single_numbers(
        operands in prop::array::uniform7(prop::array::uniform16(prop_oneof![hostile(), ordinary()])),
        exponent in prop_oneof![hostile(), 0.0_f32..60.0],
        offset: u16,
    ) {
        for level in levels() {
            check::<T24>(level, &operands, exponent, offset)?;
            check::<F32>(level, &operands, exponent, offset)?;
        }
    }
}
