use std::borrow::Cow;
use std::ops::Range;

use crate::FormatError;

/// Little-endian reads at offsets, each of which names its field when the file ends too early.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    format: &'static str,
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads `bytes` as a file of `format`, the name that errors will carry.
    pub(crate) fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        Self { format, bytes }
    }

    /// The whole file.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The file's length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// An error at `offset`.
    pub(crate) fn error(
        &self,
        field: impl Into<Cow<'static, str>>,
        offset: usize,
        found: impl Into<Cow<'static, str>>,
        expected: impl Into<Cow<'static, str>>,
    ) -> FormatError {
        FormatError {
            format: self.format,
            field: field.into(),
            offset: offset as u64,
            found: found.into(),
            expected: expected.into(),
        }
    }

    /// `length` bytes from `offset` on.
    pub(crate) fn slice(
        &self,
        offset: usize,
        length: usize,
        field: impl Into<Cow<'static, str>>,
    ) -> Result<&'a [u8], FormatError> {
        self.range(offset..offset.saturating_add(length), field)
    }

    /// The bytes of `range`.
    pub(crate) fn range(
        &self,
        range: Range<usize>,
        field: impl Into<Cow<'static, str>>,
    ) -> Result<&'a [u8], FormatError> {
        self.bytes.get(range.clone()).ok_or_else(|| {
            self.error(
                field,
                range.start,
                format!("a file of {:#x} bytes", self.bytes.len()),
                format!("at least {:#x} bytes", range.end),
            )
        })
    }

    fn array<const N: usize>(
        &self,
        offset: usize,
        field: impl Into<Cow<'static, str>>,
    ) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(offset, N, field)?);
        Ok(array)
    }

    pub(crate) fn u8(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<u8, FormatError> {
        Ok(self.array::<1>(offset, field)?[0])
    }

    pub(crate) fn u16(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<u16, FormatError> {
        self.array(offset, field).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<u32, FormatError> {
        self.array(offset, field).map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<i32, FormatError> {
        self.array(offset, field).map(i32::from_le_bytes)
    }

    pub(crate) fn f32(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<f32, FormatError> {
        self.array(offset, field).map(f32::from_le_bytes)
    }
}
