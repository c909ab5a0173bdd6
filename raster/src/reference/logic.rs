//! The logic operation (spec/ge-raster.md §11.11).

use crate::code::LogicOperation;

/// The operation on all bits of source and stored colour.
#[inline]
pub(crate) fn operate(operation: LogicOperation, source: u32, stored: u32) -> u32 {
    // The code is its own truth table: bit 3 for a source of 0 and a stored 0, bit 2 for 0 and 1, bit 1 for 1 and
    // 0, bit 0 for 1 and 1.
    let code = u32::from(operation.code());
    let all = |bit: u32| 0u32.wrapping_sub((code >> bit) & 1);
    (all(3) & !source & !stored)
        | (all(2) & !source & stored)
        | (all(1) & source & !stored)
        | (all(0) & source & stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_of_the_specification() {
        let (s, d) = (0b0011u32, 0b0101u32);
        let expected = [
            0,
            s & d,
            s & !d,
            s,
            !s & d,
            d,
            s ^ d,
            s | d,
            !(s | d),
            !(s ^ d),
            !d,
            s | !d,
            !s,
            !s | d,
            !(s & d),
            !0,
        ];
        for (code, expected) in expected.into_iter().enumerate() {
            assert_eq!(
                operate(LogicOperation::from_bits(code as u32), s, d),
                expected,
                "code {code}"
            );
        }
    }
}
