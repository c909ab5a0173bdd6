//! The dither matrix (spec/ge-raster.md §11.9).

/// A matrix of signed entries, rows of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Matrix([[i8; 4]; 4]);

impl Matrix {
    /// From the registers: a row each, a nibble a column, column 0 the lowest. None if all entries are zero.
    pub(super) fn new(registers: [u16; 4]) -> Option<Self> {
        let entry = |row: u16, column: usize| {
            let nibble = ((row >> (4 * column)) & 15) as i8;
            if nibble >= 8 { nibble - 16 } else { nibble }
        };
        let is_zero = registers.iter().all(|&row| row == 0);
        (!is_zero).then(|| Self(registers.map(|row| [0, 1, 2, 3].map(|column| entry(row, column)))))
    }

    /// The rows as the registers have them, two in a word, the first one low.
    #[cfg(feature = "gpu")]
    pub(crate) fn words(self) -> [u32; 2] {
        let row = |number: usize| {
            let nibbles = self.0[number].iter().rev();
            nibbles.fold(0, |row, &entry| (row << 4) | (entry as u8 & 15) as u32)
        };
        [row(0) | (row(1) << 16), row(2) | (row(3) << 16)]
    }

    /// All entries, row after row.
    pub(crate) fn entries(self) -> [i16; 16] {
        std::array::from_fn(|index| self.0[index / 4][index % 4].into())
    }

    /// What is added to red, green and blue of the pixels of a row, by column modulo 4. Columns and rows are those of
    /// the frame buffer.
    #[inline]
    pub(crate) fn row(self, y: i32) -> [i32; 4] {
        self.0[(y & 3) as usize].map(i32::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nibbles_are_signed_and_start_low() {
        let matrix = Matrix::new([0x3210, 0x7654, 0xBA98, 0xFEDC]).unwrap();
        assert_eq!(matrix.row(0), [0, 1, 2, 3]);
        assert_eq!(matrix.row(5), [4, 5, 6, 7]);
        assert_eq!(matrix.row(2), [-8, -7, -6, -5]);
        assert_eq!(matrix.row(7), [-4, -3, -2, -1]);
        assert!(Matrix::new([0; 4]).is_none());
        #[cfg(feature = "gpu")]
        assert_eq!(matrix.words(), [0x7654_3210, 0xFEDC_BA98]);
    }
}
