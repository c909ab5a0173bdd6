//! Why a list stops before its end.

use crate::Address;

/// A list that cannot go on. The GE itself would hang or stop with a bus error; all that was drawn
/// before stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GeError {
    /// The list did not end within the budget that the caller allows. What the last command asked for
    /// may be drawn in part.
    #[error("the list still runs at {address}, its budget of {budget} commands and their work spent")]
    BudgetExhausted {
        /// The next command.
        address: Address,
        /// The budget: see [`Ge::run`](crate::Ge::run).
        budget: u64,
    },
    /// The list went where there is no memory.
    #[error("the list leaves memory at {address}")]
    OutsideMemory {
        /// The next command.
        address: Address,
    },
    /// The list starts at, or stalls at, an address that is no multiple of 4 (the kernel's error
    /// 0x80000103, hw: displaylist/alignment).
    #[error("the list address {address} is not a multiple of 4")]
    Unaligned {
        /// The list or stall address.
        address: Address,
    },
    /// A signal that no handler knows: the list stays "drawing" for ever (hw: signals).
    #[error("the list hangs at {address}: signal {behaviour:#04X} has no meaning")]
    Hangs {
        /// The END behind the signal.
        address: Address,
        /// The signal's behaviour.
        behaviour: u8,
    },
    /// There is no list to go on with.
    #[error("no list is waiting to go on")]
    NoList,
}

/// Why a list stopped where it may go on, or at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// FINISH and END.
    Finished {
        /// FINISH's argument.
        id: u16,
    },
    /// The stall address was reached.
    Stalled {
        /// The next command.
        address: Address,
    },
    /// A pausing signal took effect at the FINISH and END behind it.
    Paused {
        /// The signal's value.
        signal: u16,
    },
    /// The observer asked for it.
    Observed {
        /// The next command.
        address: Address,
    },
}
