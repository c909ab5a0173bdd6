//! Loops over one component of many vertices, compiled once for each meaning.

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch, u32x16};

use super::element::{ColorElement, Element};
use crate::LANES;

/// One component of consecutive vertices: the bytes from its first occurrence on.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    /// From the first byte of the component in the first vertex to at least its last in the last.
    pub(super) bytes: &'a [u8],
    /// Bytes from one vertex to the next; at least the size of the component.
    pub(super) stride: usize,
    /// How many vertices.
    pub(super) count: usize,
}

/// Writes one component of some vertices into rows `row..` of the columns, one column a number, and anything into the
/// rows behind up to a multiple of [`LANES`].
pub(super) type NumberSpan = fn(Level, Records<'_>, &mut [Vec<f32>], row: usize);
/// As [`NumberSpan`], for colours.
pub(super) type ColorSpan = fn(Level, Records<'_>, &mut [[u32; LANES]]);

impl Records<'_> {
    /// The four bytes at `offset` of each vertex from `first` on, as far as there are any.
    #[inline(always)]
    fn words(self, first: usize, offset: usize) -> [u32; LANES] {
        let mut words = [0; LANES];
        let start = first * self.stride + offset;
        let last = start + (LANES - 1) * self.stride;
        if let Some(bytes) = self.bytes.get(start..last + 4) {
            for (lane, word) in words.iter_mut().enumerate() {
                if let Some(&four) = bytes[lane * self.stride..].first_chunk() {
                    *word = u32::from_le_bytes(four);
                }
            }
        } else {
            for (word, row) in words.iter_mut().zip(first..self.count) {
                *word = word_at(self.bytes, row * self.stride + offset);
            }
        }
        words
    }
}

/// The word at an offset, with zeros for what is past the end.
fn word_at(bytes: &[u8], offset: usize) -> u32 {
    let rest = bytes.get(offset..).unwrap_or_default();
    match rest.first_chunk() {
        Some(&four) => u32::from_le_bytes(four),
        None => rest
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u32::from(byte)),
    }
}

/// A span of components with a number for each column.
pub(super) fn numbers<E: Element>(level: Level, records: Records<'_>, columns: &mut [Vec<f32>], row: usize) {
    dispatch!(level, simd => numbers_in::<E, _>(simd, records, columns, row));
}

#[inline(always)]
fn numbers_in<E: Element, S: Simd>(simd: S, records: Records<'_>, columns: &mut [Vec<f32>], row: usize) {
    let in_word = 4 / E::WIDTH;
    for (word, columns) in columns.chunks_mut(in_word).enumerate() {
        for first in (0..records.count).step_by(LANES) {
            let words = u32x16::simd_from(simd, records.words(first, 4 * word));
            // Counted to a constant, so that shifts are constants too.
            for index in 0..in_word {
                let Some(column) = columns.get_mut(index) else {
                    break;
                };
                if let Some(out) = column[row + first..].first_chunk_mut::<LANES>() {
                    E::value(words, index as u32).store_array(out);
                }
            }
        }
    }
}

/// A span of colours.
pub(super) fn colors<E: ColorElement>(level: Level, records: Records<'_>, out: &mut [[u32; LANES]]) {
    dispatch!(level, simd => colors_in::<E, _>(simd, records, out));
}

#[inline(always)]
fn colors_in<E: ColorElement, S: Simd>(simd: S, records: Records<'_>, out: &mut [[u32; LANES]]) {
    for (first, out) in (0..records.count).step_by(LANES).zip(out) {
        E::value(u32x16::simd_from(simd, records.words(first, 0))).store_array(out);
    }
}
