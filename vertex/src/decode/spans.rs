//! Loops over one component of many vertices, compiled once for each meaning.

use super::element::{ColorElement, Element};

/// One component of consecutive vertices: the bytes from its first occurrence on.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    /// From the first byte of the component in the first vertex to at least its last in the last.
    pub(super) bytes: &'a [u8],
    /// Bytes from one vertex to the next; at least the size of the component.
    pub(super) stride: usize,
}

/// Writes one component of some vertices into rows `row..` of the columns, one column a number.
pub(super) type NumberSpan = fn(Records<'_>, &mut [Vec<f32>], row: usize, count: usize);
/// Writes the colours of some vertices.
pub(super) type ColorSpan = fn(Records<'_>, &mut [u32]);

/// A span of components with `N` numbers of `W` bytes each.
pub(super) fn numbers<E: Element<W>, const W: usize, const N: usize>(
    records: Records<'_>,
    columns: &mut [Vec<f32>],
    row: usize,
    count: usize,
) {
    let Some(columns) = columns.first_chunk_mut::<N>() else {
        return;
    };
    let mut columns = columns.each_mut().map(|column| &mut column[row..row + count]);
    for (row, record) in records.bytes.chunks(records.stride).take(count).enumerate() {
        let numbers = record[..N * W].as_chunks::<W>().0;
        for (column, &bytes) in columns.iter_mut().zip(numbers) {
            column[row] = E::value(bytes);
        }
    }
}

/// A span of colours of `W` bytes each.
pub(super) fn colors<E: ColorElement<W>, const W: usize>(records: Records<'_>, out: &mut [u32]) {
    for (color, record) in out.iter_mut().zip(records.bytes.chunks(records.stride)) {
        if let Some(&bytes) = record.first_chunk() {
            *color = E::value(bytes);
        }
    }
}
