//! The indices of a draw.

use std::ops::Range;

use crate::{IndexFormat, VertexError};

/// Reads `count` indices from the start of `bytes` into `out`, replacing what it held.
///
/// Vertex k of the draw is at the vertex pointer plus `out[k]` times the vertex size; there is
/// neither a base vertex nor a restart value (`spec/ge-frontend.md §6.3`, hw: primitives/indices).
/// A draw without indices ([`IndexFormat::None`]) reads nothing and leaves `out` empty.
///
/// # Errors
///
/// [`VertexError::IndicesTooShort`] where `bytes` holds fewer; `out` is empty then.
///
/// ```
/// use vertex::{IndexFormat, VertexError, index};
///
/// let mut indices = Vec::new();
/// index::decode(IndexFormat::U16, &[1, 0, 0xFF, 0xFF], 2, &mut indices)?;
/// assert_eq!(indices, [1, 0xFFFF]);
/// assert_eq!(index::range(&indices), Some(1..0x1_0000));
/// # Ok::<(), VertexError>(())
/// ```
pub fn decode(
    format: IndexFormat,
    bytes: &[u8],
    count: usize,
    out: &mut Vec<u32>,
) -> Result<(), VertexError> {
    out.clear();
    let needed = bytes_of(format, count).unwrap_or(usize::MAX);
    let bytes = bytes.get(..needed).ok_or(VertexError::IndicesTooShort {
        format,
        count,
        needed,
        available: bytes.len(),
    })?;
    match format {
        IndexFormat::None => {}
        IndexFormat::U8 => out.extend(bytes.iter().copied().map(u32::from)),
        IndexFormat::U16 => {
            out.extend(
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&two| u32::from(u16::from_le_bytes(two))),
            );
        }
        IndexFormat::U32 => {
            out.extend(bytes.as_chunks().0.iter().map(|&four| u32::from_le_bytes(four)));
        }
    }
    Ok(())
}

/// Bytes of `count` indices, which is also how far the GE's index pointer moves over a draw
/// (`spec/ge-frontend.md §2.7`). `None` where that exceeds `usize`.
#[must_use]
pub const fn bytes_of(format: IndexFormat, count: usize) -> Option<usize> {
    format.size().checked_mul(count)
}

/// The vertices that `indices` name, from the smallest to one past the largest: what an indexed
/// draw has to decode. `None` for no indices.
#[must_use]
pub fn range(indices: &[u32]) -> Option<Range<usize>> {
    let (mut low, mut high) = (u32::MAX, 0);
    for &index in indices {
        low = low.min(index);
        high = high.max(index);
    }
    // One past the largest does not fit a 32-bit `usize`; nor would the vertices there.
    (!indices.is_empty()).then(|| low as usize..(high as usize).saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_is_unsigned_and_little_endian() {
        let bytes = [0x80, 0xFF, 0x34, 0x12, 0x78, 0x56, 0xBC, 0x9A];
        let mut out = vec![7; 3];
        let mut read = |format, count| {
            index_of(format, &bytes, count, &mut out);
            out.clone()
        };
        assert_eq!(read(IndexFormat::U8, 3), [0x80, 0xFF, 0x34]);
        assert_eq!(read(IndexFormat::U16, 2), [0xFF80, 0x1234]);
        assert_eq!(read(IndexFormat::U32, 2), [0x1234_FF80, 0x9ABC_5678]);
        assert_eq!(read(IndexFormat::None, 9), []);
    }

    fn index_of(format: IndexFormat, bytes: &[u8], count: usize, out: &mut Vec<u32>) {
        decode(format, bytes, count, out).expect("long enough");
    }

    #[test]
    fn a_short_slice_is_an_error_with_both_lengths() {
        let mut out = vec![7; 3];
        let error = decode(IndexFormat::U32, &[0; 7], 2, &mut out).expect_err("one byte short");
        assert_eq!(
            error.to_string(),
            "2 indices of 4 bytes each need 0x8 bytes, 0x7 were given"
        );
        assert!(out.is_empty());
        assert!(decode(IndexFormat::U16, &[0; 7], usize::MAX, &mut out).is_err());
    }

    #[test]
    fn the_range_spans_smallest_to_largest() {
        assert_eq!(range(&[5, 3, 9, 3]), Some(3..10));
        assert_eq!(range(&[0]), Some(0..1));
        assert_eq!(range(&[]), None);
    }
}
