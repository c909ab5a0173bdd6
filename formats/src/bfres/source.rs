//! What reading needs besides the bytes: names met before, and a budget.

use std::collections::HashMap;
use std::sync::Arc;

use crate::budget::Budget;
use crate::{ByteOrder, FormatError, Reader};

/// Reads the parts that all of a container's structures are made of.
pub(crate) struct Source<'a> {
    pub(crate) reader: Reader<'a>,
    budget: Budget,
    /// Names by where their text starts: one that a thousand keys share is kept once.
    names: HashMap<usize, Arc<str>>,
}

impl<'a> Source<'a> {
    /// Reads `bytes` as a file of `format`.
    pub(crate) fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        let reader = Reader::new(format, bytes).in_order(ByteOrder::Big);
        Self {
            reader,
            budget: Budget::of(&reader),
            names: HashMap::new(),
        }
    }

    /// `length` bytes at `offset` that will be kept in some form.
    pub(crate) fn take(
        &mut self,
        reader: &Reader<'a>,
        field: &'static str,
        offset: usize,
        length: usize,
    ) -> Result<&'a [u8], FormatError> {
        let bytes = reader.slice(offset, length, field)?;
        self.budget.spend(reader, field, offset, length)?;
        Ok(bytes)
    }

    /// The name that the offset at `at` points at; without one, the empty name.
    pub(crate) fn name(
        &mut self,
        reader: &Reader<'a>,
        field: &'static str,
        at: usize,
    ) -> Result<Arc<str>, FormatError> {
        let Some(start) = follow(reader, field, at)? else {
            return Ok("".into());
        };
        if let Some(name) = self.names.get(&start) {
            return Ok(Arc::clone(name));
        }
        let Some(length_at) = start.checked_sub(4) else {
            return Err(reader.error(field, at, format!("a name at {start:#x}"), "its length before it"));
        };
        let length = reader.u32(length_at, field)? as usize;
        let text = self.take(reader, field, start, length.saturating_add(1))?;
        let name = match text.split_last() {
            Some((0, name)) if !name.contains(&0) => std::str::from_utf8(name).ok(),
            _ => None,
        };
        let Some(name) = name else {
            return Err(reader.error(
                field,
                start,
                "other bytes",
                format!("{length} bytes of UTF-8 and a zero"),
            ));
        };
        let name: Arc<str> = name.into();
        self.names.insert(start, Arc::clone(&name));
        Ok(name)
    }
}

/// Where the offset at `at` points: offsets count from themselves, and 0 is none.
pub(crate) fn follow(
    reader: &Reader<'_>,
    field: &'static str,
    at: usize,
) -> Result<Option<usize>, FormatError> {
    let offset = reader.i32(at, field)?;
    if offset == 0 {
        return Ok(None);
    }
    let target = at as i64 + i64::from(offset);
    match usize::try_from(target) {
        Ok(target) if target <= reader.len() => Ok(Some(target)),
        _ => Err(reader.error(
            field,
            at,
            format!("an offset to {target}"),
            format!("one into the file of {} bytes", reader.len()),
        )),
    }
}

/// Where the offset at `at` points, if there must be one.
pub(crate) fn follow_required(
    reader: &Reader<'_>,
    field: &'static str,
    at: usize,
) -> Result<usize, FormatError> {
    follow(reader, field, at)?.ok_or_else(|| reader.error(field, at, "none", "an offset"))
}
