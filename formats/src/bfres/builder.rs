//! Files put together: structures, offsets between them and a table of names behind them.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A file under construction.
#[derive(Default)]
pub(crate) struct Builder {
    bytes: Vec<u8>,
    /// Names by where their offsets stand.
    names: Vec<(usize, Arc<str>)>,
}

/// A finished file.
pub(crate) struct Built {
    pub(crate) bytes: Vec<u8>,
    /// Where the table of names starts.
    pub(crate) names_at: usize,
}

impl Builder {
    /// Adds `size` zero bytes, which start on a multiple of 4; gives their place.
    pub(crate) fn reserve(&mut self, size: usize) -> usize {
        let at = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(at + size, 0);
        at
    }

    /// The bytes so far.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Makes the offset at `field` point at `target`.
    pub(crate) fn point(&mut self, field: usize, target: usize) {
        let offset = target as i64 - field as i64;
        put(&mut self.bytes, field, &(offset as i32).to_be_bytes());
    }

    /// Makes the offset at `field` point at `name`, once the names have places.
    pub(crate) fn name(&mut self, field: usize, name: &Arc<str>) {
        self.names.push((field, Arc::clone(name)));
    }

    /// Adds the names, sorted, each with its length before it and a zero behind (`spec/fsha.md`
    /// §1.3).
    pub(crate) fn finish(mut self) -> Built {
        let names_at = self.reserve(0);
        let mut places: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        for (_, name) in &self.names {
            places.insert(Arc::clone(name), 0);
        }
        for (name, place) in &mut places {
            let at = self.reserve(4 + name.len() + 1);
            put(&mut self.bytes, at, &(name.len() as u32).to_be_bytes());
            put(&mut self.bytes, at + 4, name.as_bytes());
            *place = at + 4;
        }
        self.reserve(0);
        for (field, name) in std::mem::take(&mut self.names) {
            if let Some(&place) = places.get(&name) {
                self.point(field, place);
            }
        }
        Built {
            bytes: self.bytes,
            names_at,
        }
    }
}

/// Puts `value` at `at`, where there is room for it.
pub(crate) fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    if let Some(room) = bytes.get_mut(at..at.saturating_add(value.len())) {
        room.copy_from_slice(value);
    }
}
