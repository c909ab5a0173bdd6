//! Where the blocks of a file lie, and what lies around them.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::{Form, HEADER_SIZE, MAGIC, Mot, block};

/// How a file lays out what its records do not say.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Layout {
    /// As this crate writes: a terminator, blocks in the order of the records, each on a multiple of
    /// 4, zeros up to a multiple of 16 (`spec/mot.md` §9).
    Packed,
    /// As a file was read.
    Kept(Kept),
}

/// The layout of a file that was read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    /// The record count of the header, terminator and records behind it included.
    pub(super) stated_count: u8,
    /// The terminator's bytes, none if there is none.
    pub(super) terminator: Vec<u8>,
    /// For each record the place of its block; 0 if it has none.
    pub(super) offsets: Vec<u32>,
    /// Every byte that belongs neither to the header, a record or the terminator, nor to a block.
    pub(super) rest: Vec<u8>,
}

impl Layout {
    pub(super) fn has_terminator(&self) -> bool {
        match self {
            Self::Packed => true,
            Self::Kept(kept) => !kept.terminator.is_empty(),
        }
    }
}

/// The parts of `0..length` that no range of `covered` touches.
pub(super) fn gaps(mut covered: Vec<Range<usize>>, length: usize) -> Vec<Range<usize>> {
    covered.sort_by_key(|range| range.start);
    let mut gaps = Vec::new();
    let mut end = 0;
    for range in covered {
        if range.start > end {
            gaps.push(end..range.start);
        }
        end = end.max(range.end);
    }
    if end < length {
        gaps.push(end..length);
    }
    gaps
}

impl Mot {
    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        match &self.layout {
            Layout::Packed => self.write_packed(),
            Layout::Kept(kept) => self.write_kept(kept),
        }
    }

    /// Header and records, the record at `index` with its block at `offset(index)`.
    fn write_table(&self, stated_count: u8, offset: impl Fn(usize) -> u32) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.frame_count.to_le_bytes());
        bytes.extend([stated_count, self.loop_flag]);
        for (index, record) in self.records.iter().enumerate() {
            record
                .to_raw(self.base, offset(index))
                .write(self.form, &mut bytes);
        }
        bytes
    }

    fn write_packed(&self) -> Vec<u8> {
        let first_block = HEADER_SIZE + (self.records.len() + 1) * self.form.record_size();
        let mut blocks = Vec::new();
        let mut by_curve = HashMap::new();
        let offsets: Vec<u32> = self
            .records
            .iter()
            .map(|record| {
                let Some(curve) = record.block_curve() else {
                    return 0;
                };
                *by_curve.entry(Arc::as_ptr(curve)).or_insert_with(|| {
                    let offset = first_block + blocks.len();
                    blocks.extend(block::bytes(curve));
                    blocks.resize(blocks.len().next_multiple_of(4), 0);
                    offset as u32
                })
            })
            .collect();
        let offset = |index: usize| offsets.get(index).copied().unwrap_or(0);
        let mut bytes = self.write_table((self.records.len() + 1) as u8, offset);
        bytes.extend(self.form.terminator());
        bytes.extend(blocks);
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        bytes
    }

    fn write_kept(&self, kept: &Kept) -> Vec<u8> {
        let offset = |index: usize| kept.offsets.get(index).copied().unwrap_or(0);
        let mut table = self.write_table(kept.stated_count, offset);
        table.extend(&kept.terminator);
        let mut parts = vec![(0, table)];
        let mut written = HashMap::new();
        for (record, &offset) in self.records.iter().zip(&kept.offsets) {
            if let Some(curve) = record.block_curve()
                && written.insert(Arc::as_ptr(curve), ()).is_none()
            {
                parts.push((offset as usize, block::bytes(curve)));
            }
        }
        let covered: Vec<Range<usize>> = parts
            .iter()
            .map(|(offset, part)| *offset..offset + part.len())
            .collect();
        let end = covered.iter().map(|range| range.end).max().unwrap_or(0);
        let inner = gaps(covered.clone(), end);
        let inner_length: usize = inner.iter().map(Range::len).sum();
        let length = end + kept.rest.len().saturating_sub(inner_length);
        let mut bytes = vec![0; length];
        let mut rest = kept.rest.iter();
        for gap in gaps(covered, length) {
            for (byte, &kept) in bytes[gap].iter_mut().zip(rest.by_ref()) {
                *byte = kept;
            }
        }
        for (offset, part) in parts {
            bytes[offset..offset + part.len()].copy_from_slice(&part);
        }
        bytes
    }
}

impl Kept {
    /// The layout of `bytes`, whose table is used up to `table_end` and whose blocks are given.
    pub(super) fn of(
        bytes: &[u8],
        form: Form,
        record_count: usize,
        terminator: Vec<u8>,
        blocks: impl Iterator<Item = (u32, usize)> + Clone,
    ) -> Self {
        let table_end = HEADER_SIZE + record_count * form.record_size() + terminator.len();
        let table = std::iter::once(0..table_end);
        let blocks_covered = blocks
            .clone()
            .map(|(offset, size)| offset as usize..offset as usize + size);
        let covered = table.chain(blocks_covered).collect();
        Self {
            stated_count: bytes.get(6).copied().unwrap_or(0),
            terminator,
            offsets: blocks.map(|(offset, _)| offset).collect(),
            rest: gaps(covered, bytes.len())
                .into_iter()
                .flat_map(|gap| bytes.get(gap).unwrap_or_default())
                .copied()
                .collect(),
        }
    }
}
