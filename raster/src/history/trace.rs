//! Listening to a pixel kernel.

use super::Step;

/// Hears of the reference kernel's steps.
pub(crate) trait Trace {
    /// A step was made. What tells of it is not even computed where nobody listens.
    fn step(&mut self, step: impl FnOnce() -> Step);
}

/// Nobody listens.
impl Trace for () {
    #[inline(always)]
    fn step(&mut self, _: impl FnOnce() -> Step) {}
}

/// The steps of a pixel.
#[derive(Debug, Default)]
pub(crate) struct Steps(pub(crate) Vec<Step>);

impl Trace for Steps {
    fn step(&mut self, step: impl FnOnce() -> Step) {
        self.0.push(step());
    }
}
