//! Listening to a pixel kernel.

use super::Step;

/// Hears of the kernel's steps. Only spans of one pixel may be traced: steps are those of a span's first.
pub(crate) trait Trace {
    /// Whether anybody listens.
    const LISTENS: bool;

    /// A step was made. What tells of it is not even computed where nobody listens.
    fn step(&mut self, step: impl FnOnce() -> Step);
}

/// Nobody listens.
impl Trace for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn step(&mut self, _: impl FnOnce() -> Step) {}
}

/// The steps of a pixel.
#[derive(Debug, Default)]
pub(crate) struct Steps(pub(crate) Vec<Step>);

impl Trace for Steps {
    const LISTENS: bool = true;

    fn step(&mut self, step: impl FnOnce() -> Step) {
        self.0.push(step());
    }
}
