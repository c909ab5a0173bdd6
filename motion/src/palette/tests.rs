use proptest::prelude::*;

use super::*;
use crate::pose::tests::worked_example;

#[test]
fn worked_upload() {
    // spec/mhp-formats.md §6: joint 2 into slot 1, scale 128.
    let (_, pose) = worked_example();
    let palette = BonePalette::new(&pose, [128.0; 3]);
    let words = palette.bone(2).and_then(|matrix| matrix.commands(1));
    assert_eq!(
        words,
        Some([
            0x2A00_000C, //
            0x2BC2_B504,
            0x2B42_B504,
            0x2B00_0000, // x axis
            0x2B00_0000,
            0x2B00_0000,
            0x2B43_0000, // y axis
            0x2B42_B504,
            0x2B42_B504,
            0x2B00_0000, // z axis
            0x2BC1_E246,
            0x2B42_AF25,
            0x2BC2_4800, // translation
        ])
    );
    assert_eq!(palette.bone(2).and_then(|matrix| matrix.commands(SLOTS)), None);
    assert_eq!(palette.bone(3), None);
}

#[test]
fn the_scale_acts_before_the_skin() {
    let (_, pose) = worked_example();
    let matrix = BoneMatrix::new(&pose.skin[1], [128.0, 64.0, 32.0]);
    let column = |index: usize| DVec3::from_array([0, 1, 2].map(|row| f64::from(matrix.0[3 * index + row])));
    // Raw (3072, 21760, 12800) of 32768, with this scale: (12, 42.5, 12.5).
    let raw = [3072.0 / 32768.0, 21760.0 / 32768.0, 12800.0 / 32768.0];
    let point = column(0) * raw[0] + column(1) * raw[1] + column(2) * raw[2] + column(3);
    assert_eq!(point, pose.skin[1].transform_point3(DVec3::new(12.0, 42.5, 12.5)));
}

proptest! {
    #[test]
    fn any_matrix_is_thirteen_words(numbers in prop::array::uniform12(any::<f32>()), slot in 0_usize..20) {
        let words = BoneMatrix(numbers).commands(slot);
        prop_assert_eq!(words.is_some(), slot < 8);
        for (word, number) in words.into_iter().flat_map(|words| words.into_iter().skip(1)).zip(numbers) {
            prop_assert_eq!(word >> 24, 0x2B);
            prop_assert_eq!((word << 8) & 0xFFFF_FF00, number.to_bits() & 0xFFFF_FF00);
        }
    }
}
