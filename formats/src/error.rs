use std::borrow::Cow;

/// Why bytes are not the file they were read as: where, what was read, what stood there and what
/// should have stood there.
///
/// Shown on one line, as `PMO: group 3, vertex buffer at 0x48: found 0x900, expected at most
/// 0x8c0`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{format}: {field} at {offset:#x}: found {found}, expected {expected}")]
pub struct FormatError {
    /// The format that was being read, as its users call it: `PAC`, `TMH`, `PMO` and so on.
    pub format: &'static str,
    /// The field, with the record it stands in: `group 3, vertex buffer`.
    pub field: Cow<'static, str>,
    /// Offset of the field in bytes from the start of the slice that was given to the reader.
    pub offset: u64,
    /// What stood there.
    pub found: Cow<'static, str>,
    /// What a valid file has there.
    pub expected: Cow<'static, str>,
}
