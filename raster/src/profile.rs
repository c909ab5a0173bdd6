//! Whose arithmetic is followed.

/// Whose pixels are drawn where a real PSP and PPSSPP's software renderer differ
/// (spec/ppsspp-profile.md).
///
/// The choice lives in set-up: back ends get the same kind of integers from both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// A real PSP's.
    #[default]
    Hardware,
    /// PPSSPP's software renderer's, for comparisons with its pictures.
    Ppsspp,
}
