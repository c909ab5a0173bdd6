use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::FormatError;

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The lowest byte first: the PSP, PCs, the PlayStation 2, the Switch.
    Little,
    /// The highest byte first: the Wii and the Wii U.
    Big,
}

impl fmt::Display for ByteOrder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Little => "little-endian",
            Self::Big => "big-endian",
        })
    }
}

/// Reads at offsets, little-endian unless told otherwise, each of which names its field when the
/// file ends too early.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    format: &'static str,
    bytes: &'a [u8],
    order: ByteOrder,
    /// The records that enclose the field, outermost first. Numbers and not text: the text is
    /// made only when there is an error to report.
    records: [Option<(&'static str, usize)>; 3],
}

impl<'a> Reader<'a> {
    /// Reads `bytes` as a file of `format`, the name that errors will carry.
    pub(crate) fn new(format: &'static str, bytes: &'a [u8]) -> Self {
        Self {
            format,
            bytes,
            order: ByteOrder::Little,
            records: [None; 3],
        }
    }

    /// The same bytes, their numbers read in `order`.
    pub(crate) fn in_order(self, order: ByteOrder) -> Self {
        Self { order, ..self }
    }

    /// The same bytes, with the fields of errors named as parts of record `index` of the kind
    /// `record`, inside the records named before: `clip 2, track 0, size`.
    pub(crate) fn within(mut self, record: &'static str, index: usize) -> Self {
        if let Some(free) = self.records.iter_mut().find(|slot| slot.is_none()) {
            *free = Some((record, index));
        }
        self
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
        let mut field = field.into();
        if self.records[0].is_some() {
            let enclosing: String = self
                .records
                .iter()
                .flatten()
                .map(|(record, index)| format!("{record} {index}, "))
                .collect();
            field = Cow::Owned(enclosing + &field);
        }
        FormatError {
            format: self.format,
            field,
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

    /// `N` bytes from `offset` on.
    pub(crate) fn array<const N: usize>(
        &self,
        offset: usize,
        field: impl Into<Cow<'static, str>>,
    ) -> Result<[u8; N], FormatError> {
        let mut array = [0; N];
        array.copy_from_slice(self.slice(offset, N, field)?);
        Ok(array)
    }

    /// The `N` bytes of a number, lowest first.
    fn number<const N: usize>(
        &self,
        offset: usize,
        field: impl Into<Cow<'static, str>>,
    ) -> Result<[u8; N], FormatError> {
        let mut number = self.array(offset, field)?;
        if self.order == ByteOrder::Big {
            number.reverse();
        }
        Ok(number)
    }

    pub(crate) fn u8(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<u8, FormatError> {
        Ok(self.array::<1>(offset, field)?[0])
    }

    pub(crate) fn u16(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<u16, FormatError> {
        self.number(offset, field).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<u32, FormatError> {
        self.number(offset, field).map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<i32, FormatError> {
        self.number(offset, field).map(i32::from_le_bytes)
    }

    pub(crate) fn f32(&self, offset: usize, field: impl Into<Cow<'static, str>>) -> Result<f32, FormatError> {
        self.number(offset, field).map(f32::from_le_bytes)
    }
}
