use crate::{FormatError, Reader};

/// What a reader may still keep of a file whose records point at blocks.
///
/// Thousands of records may point into the same bytes, each a little further on; kept apart, the
/// blocks would then fill memory from a small file. Honest files share a block whole, which is kept
/// once, or not at all: all their blocks together are no longer than the file.
pub(crate) struct Budget {
    file: usize,
    left: usize,
}

impl Budget {
    /// How many times its own length a file's blocks may come to.
    const TIMES: usize = 4;

    /// The budget of the file under `reader`.
    pub(crate) fn of(reader: &Reader<'_>) -> Self {
        Self {
            file: reader.len(),
            left: reader.len().saturating_mul(Self::TIMES),
        }
    }

    /// Takes note of a block of `length` bytes at `offset`.
    pub(crate) fn spend(
        &mut self,
        reader: &Reader<'_>,
        field: &'static str,
        offset: usize,
        length: usize,
    ) -> Result<(), FormatError> {
        match self.left.checked_sub(length) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(reader.error(
                field,
                offset,
                format!(
                    "blocks that overlap to {} times the file's {:#x} bytes",
                    Self::TIMES,
                    self.file
                ),
                "blocks that lie apart or are shared whole",
            )),
        }
    }
}
