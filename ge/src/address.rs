//! Addresses as the GE sees them.

use std::fmt;

/// A byte address of the GE: 28 bits, because the bits that the CPU uses for caching and for the
/// kernel do not exist here (`spec/ge-frontend.md §1.1`).
///
/// ```
/// use ge::Address;
///
/// assert_eq!(Address::new(0x4400_0010), Address::new(0x0400_0010));
/// assert_eq!(Address::new(0x0FFF_FFFF).offset(1), Address::new(0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Address(u32);

impl Address {
    /// The address of a number; bits above 27 are dropped.
    #[must_use]
    pub const fn new(address: u32) -> Self {
        Self(address & 0x0FFF_FFFF)
    }

    /// The number, below 2^28.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The address `bytes` further on, wrapping at 28 bits.
    #[must_use]
    pub const fn offset(self, bytes: u32) -> Self {
        Self::new(self.0.wrapping_add(bytes))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#010X}", self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Address({self})")
    }
}
