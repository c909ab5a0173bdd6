//! What can go wrong with a GPU.

use thiserror::Error;

/// Why a GPU cannot be used, or not any more.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter at all.
    #[error("no GPU adapter found: no driver for Vulkan, Metal or Direct3D 12 answers")]
    NoAdapter,
    /// There are adapters, but none is hardware.
    #[error("no hardware GPU found, only {}", .names.join(", "))]
    NoHardware {
        /// The names of those that are there.
        names: Vec<String>,
    },
    /// No adapter has the name or number.
    #[error("no GPU adapter is called `{wanted}`; there are: {}", .names.join(", "))]
    UnknownAdapter {
        /// What was asked for.
        wanted: String,
        /// The names of those that are there.
        names: Vec<String>,
    },
    /// An adapter offers too little.
    #[error("GPU adapter `{adapter}` offers {found} for {what}; at least {needed} is needed")]
    TooSmall {
        /// The adapter's name.
        adapter: String,
        /// The limit.
        what: &'static str,
        /// What the adapter offers.
        found: u64,
        /// What is needed.
        needed: u64,
    },
    /// The driver refused.
    #[error("GPU adapter `{adapter}` refused: {reason}")]
    Refused {
        /// The adapter's name.
        adapter: String,
        /// The driver's or wgpu's words, in one line.
        reason: String,
    },
    /// A device computes integers wrongly.
    #[error("GPU adapter `{adapter}` computes {operation} wrongly: {found:#x} instead of {expected:#x}")]
    WrongArithmetic {
        /// The adapter's name.
        adapter: String,
        /// The operation.
        operation: &'static str,
        /// What the device found.
        found: u32,
        /// What is right.
        expected: u32,
    },
    /// The device stopped answering.
    #[error("GPU adapter `{adapter}` was lost: {reason}")]
    Lost {
        /// The adapter's name.
        adapter: String,
        /// The driver's or wgpu's words, in one line.
        reason: String,
    },
}

/// The words of an error in one line.
pub(super) fn one_line(words: impl ToString) -> String {
    words.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
