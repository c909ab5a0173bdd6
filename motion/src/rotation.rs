//! Angles, a sine that is the same on every machine, and the rotation order of the joints.
//!
//! The sine of the standard library is the platform's own, and its last bits differ between
//! platforms. A picture that has to be equal everywhere cannot rest on it, so [`Angle::sin_cos`] is
//! a fixed polynomial in plain f64 products and sums (Rust never fuses those), whose error is far
//! below half a step of an f32.

use std::f64::consts::TAU;
use std::fmt;

use glam::{DMat3, DVec3};

/// An angle, kept as turns, so that a right angle is exactly a quarter.
///
/// Joint rotations are stored in steps of pi/8192 radians: 16384 steps are a turn
/// (spec/mhp-formats.md §5.3). Values are not wrapped: a clip may turn past half a circle, and
/// what lies between its keys depends on how far it has turned.
///
/// ```
/// use motion::rotation::Angle;
///
/// let right = Angle::from_raw(4096.0);
/// assert_eq!(right.sin_cos(), (1.0, 0.0));
/// assert_eq!(right.turns(), 0.25);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Angle {
    turns: f64,
}

impl Angle {
    /// No rotation.
    pub const ZERO: Self = Self { turns: 0.0 };

    /// Raw units of a rotation channel in a full turn.
    pub const RAW_PER_TURN: f64 = 16384.0;

    /// An angle in turns.
    pub const fn from_turns(turns: f64) -> Self {
        Self { turns }
    }

    /// An angle in the raw unit of the rotation channels, pi/8192 radians. Exact.
    pub fn from_raw(raw: f64) -> Self {
        Self::from_turns(raw / Self::RAW_PER_TURN)
    }

    /// An angle in radians, the unit of bind rotations.
    pub fn from_radians(radians: f64) -> Self {
        Self::from_turns(radians / TAU)
    }

    /// The angle in turns, not wrapped.
    pub const fn turns(self) -> f64 {
        self.turns
    }

    /// The angle in radians, not wrapped.
    pub fn radians(self) -> f64 {
        self.turns * TAU
    }

    /// Sine and cosine, equal on every machine.
    ///
    /// The angle is brought within an eighth of a turn of a quarter, which is exact in turns;
    /// the rest goes through the Taylor series to the 15th and the 16th power, whose first
    /// dropped terms are below 5e-17 there. Multiples of a quarter turn give exact zeros and ones.
    pub fn sin_cos(self) -> (f64, f64) {
        // Without whole turns, which is exact and keeps four times the largest number from being infinite.
        let turns = self.turns % 1.0;
        let quarters = (turns * 4.0).round();
        let rest = (turns - quarters / 4.0) * TAU;
        let (sin, cos) = series(rest);
        match quarters.rem_euclid(4.0) as u8 {
            0 => (sin, cos),
            1 => (cos, -sin + 0.0),
            2 => (-sin + 0.0, -cos),
            _ => (-cos, sin),
        }
    }
}

/// Sine and cosine of at most an eighth of a turn, in radians.
fn series(x: f64) -> (f64, f64) {
    // 1/n! with alternating signs, the highest power first.
    const SIN: [f64; 7] = [
        -1.0 / 1_307_674_368_000.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 39_916_800.0,
        1.0 / 362_880.0,
        -1.0 / 5_040.0,
        1.0 / 120.0,
        -1.0 / 6.0,
    ];
    const COS: [f64; 8] = [
        1.0 / 20_922_789_888_000.0,
        -1.0 / 87_178_291_200.0,
        1.0 / 479_001_600.0,
        -1.0 / 3_628_800.0,
        1.0 / 40_320.0,
        -1.0 / 720.0,
        1.0 / 24.0,
        -1.0 / 2.0,
    ];
    let square = x * x;
    let horner = |terms: &[f64]| terms.iter().fold(0.0, |sum, term| sum * square + term);
    (x + x * (square * horner(&SIN)), 1.0 + square * horner(&COS))
}

/// The rotation of a joint from its three angles about X, Y and Z: `Rz * Ry * Rx`, so that X acts
/// first on a column vector (spec/mhp-formats.md §5.5).
///
/// ```
/// use motion::rotation::{Angle, rotation_matrix};
///
/// let right = Angle::from_raw(4096.0);
/// let matrix = rotation_matrix([right, Angle::ZERO, right]);
/// assert_eq!(matrix * glam::DVec3::Y, glam::DVec3::Z);
/// assert_eq!(matrix * glam::DVec3::Z, glam::DVec3::X);
/// ```
pub fn rotation_matrix([x, y, z]: [Angle; 3]) -> DMat3 {
    let (sx, cx) = x.sin_cos();
    let (sy, cy) = y.sin_cos();
    let (sz, cz) = z.sin_cos();
    DMat3::from_cols(
        DVec3::new(cy * cz, cy * sz, -sy),
        DVec3::new(cz * sx * sy - cx * sz, cx * cz + sx * sy * sz, cy * sx),
        DVec3::new(cx * cz * sy + sx * sz, cx * sy * sz - cz * sx, cy * cx),
    )
}

/// In which order a joint's three angles act.
///
/// Both games of Monster Hunter, and MOT files by most accounts, turn about X first
/// (spec/mot.md §8.3); tools disagree enough about MOT that the order is a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RotationOrder {
    /// X, then Y, then Z: `Rz * Ry * Rx` on column vectors.
    #[default]
    Xyz,
    /// X, then Z, then Y.
    Xzy,
    /// Y, then X, then Z.
    Yxz,
    /// Y, then Z, then X.
    Yzx,
    /// Z, then X, then Y.
    Zxy,
    /// Z, then Y, then X: `Rx * Ry * Rz`.
    Zyx,
}

impl RotationOrder {
    /// The orders by the names that their `Display` gives.
    pub const ALL: [Self; 6] = [Self::Xyz, Self::Xzy, Self::Yxz, Self::Yzx, Self::Zxy, Self::Zyx];

    /// The rotation of a joint whose angles act in this order.
    ///
    /// ```
    /// use motion::rotation::{Angle, RotationOrder};
    ///
    /// let right = Angle::from_raw(4096.0);
    /// let matrix = RotationOrder::Zyx.matrix([right, Angle::ZERO, right]);
    /// assert_eq!(matrix * glam::DVec3::X, glam::DVec3::Z);
    /// ```
    pub fn matrix(self, angles: [Angle; 3]) -> DMat3 {
        let [x, y, z] = [0, 1, 2].map(|axis| {
            let mut alone = [Angle::ZERO; 3];
            alone[axis] = angles[axis];
            rotation_matrix(alone)
        });
        match self {
            Self::Xyz => rotation_matrix(angles),
            Self::Xzy => y * z * x,
            Self::Yxz => z * x * y,
            Self::Yzx => x * z * y,
            Self::Zxy => y * x * z,
            Self::Zyx => x * y * z,
        }
    }
}

impl fmt::Display for RotationOrder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Xyz => "xyz",
            Self::Xzy => "xzy",
            Self::Yxz => "yxz",
            Self::Yzx => "yzx",
            Self::Zxy => "zxy",
            Self::Zyx => "zyx",
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_rows(matrix: DMat3, rows: [[f64; 3]; 3]) {
        for (row, expected) in rows.into_iter().enumerate() {
            let found = matrix.row(row);
            assert!(
                (found - DVec3::from_array(expected)).abs().max_element() < 5e-7,
                "row {row}: {found}, expected {expected:?}"
            );
        }
    }

    #[test]
    fn rotates_x_then_y_then_z() {
        const R: f64 = std::f64::consts::FRAC_1_SQRT_2;
        let raw = |x, y, z| rotation_matrix([x, y, z].map(Angle::from_raw));
        assert_rows(
            raw(2048.0, 1024.0, 4096.0),
            [
                [0.0, -R, R],
                [0.923880, 0.270598, 0.270598],
                [-0.382683, 0.653281, 0.653281],
            ],
        );
        assert_rows(
            raw(4096.0, 0.0, 4096.0),
            [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        );
        assert_rows(
            rotation_matrix([0.3, -0.7, 1.1].map(Angle::from_radians)),
            [
                [0.346929, -0.937758, -0.015794],
                [0.681633, 0.263669, -0.682536],
                [0.644218, 0.226026, 0.730682],
            ],
        );
        // The check value of the later MOT format, which turns in the same order.
        assert_rows(
            rotation_matrix([0.1, 0.2, 0.3].map(Angle::from_radians)),
            [
                [0.936293364, -0.275095847, 0.218350663],
                [0.289629478, 0.956425086, -0.036957014],
                [-0.198669331, 0.097843395, 0.975170327],
            ],
        );
    }

    #[test]
    fn orders_are_products_of_single_turns() {
        let angles = [0.1, 0.2, 0.3].map(Angle::from_radians);
        let single = |axis: usize| {
            let mut alone = [Angle::ZERO; 3];
            alone[axis] = angles[axis];
            rotation_matrix(alone)
        };
        for order in RotationOrder::ALL {
            let first_to_last = order.to_string();
            let mut axes = first_to_last.bytes().map(|name| usize::from(name - b'x'));
            let product = axes
                .by_ref()
                .fold(DMat3::IDENTITY, |product, axis| single(axis) * product);
            assert!(order.matrix(angles).abs_diff_eq(product, 1e-15), "{order}");
        }
    }

    #[test]
    fn quarters_are_exact_and_zeros_are_positive() {
        let expected = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)];
        for quarter in -9_i32..=9 {
            let (sin, cos) = Angle::from_raw(f64::from(quarter) * 4096.0).sin_cos();
            let (expected_sin, expected_cos) = expected[quarter.rem_euclid(4) as usize];
            assert_eq!((sin, cos), (expected_sin, expected_cos), "{quarter} quarters");
            assert!(sin != 0.0 || sin.is_sign_positive(), "{quarter} quarters");
            assert!(cos != 0.0 || cos.is_sign_positive(), "{quarter} quarters");
        }
    }

    #[test]
    fn known_sines() {
        // One raw step and 22.5 degrees, as bits: what every machine has to give.
        let bits = |raw| {
            let (sin, cos) = Angle::from_raw(raw).sin_cos();
            ((sin as f32).to_bits(), (cos as f32).to_bits())
        };
        assert_eq!(bits(1.0), (0x39C9_0FDA, 0x3F7F_FFFF));
        assert_eq!(bits(1024.0), (0x3EC3_EF15, 0x3F6C_835E));
        assert_eq!(bits(2048.0), (0x3F35_04F3, 0x3F35_04F3));
    }

    #[test]
    fn the_largest_angles_are_whole_turns() {
        for turns in [f64::MAX, f64::MIN, -5.675_076_569_342_789e307] {
            assert_eq!(Angle::from_turns(turns).sin_cos(), (0.0, 1.0), "{turns}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_the_library_to_a_few_steps_of_f64(turns in -4.0_f64..4.0) {
            let (sin, cos) = Angle::from_turns(turns).sin_cos();
            let (library_sin, library_cos) = (turns * TAU).sin_cos();
            // The argument of the library's sine is itself rounded: up to 25 * 2^-53.
            prop_assert!((sin - library_sin).abs() < 8e-15);
            prop_assert!((cos - library_cos).abs() < 8e-15);
            prop_assert!((sin * sin + cos * cos - 1.0).abs() < 1e-15);
        }

        #[test]
        fn rotations_stay_orthonormal(raw in prop::array::uniform3(-32768.0_f64..32767.0)) {
            let matrix = rotation_matrix(raw.map(Angle::from_raw));
            let identity = matrix * matrix.transpose();
            prop_assert!(identity.abs_diff_eq(DMat3::IDENTITY, 1e-14));
            prop_assert!((matrix.determinant() - 1.0).abs() < 1e-14);
        }

        #[test]
        fn every_angle_has_a_sine(turns in any::<f64>()) {
            let (sin, cos) = Angle::from_turns(turns).sin_cos();
            prop_assert!(!turns.is_finite() || (sin.abs() <= 1.0 && cos.abs() <= 1.0));
        }
    }
}
