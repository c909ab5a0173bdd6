//! Looking at a replay behind each of its draws.
use std::ops::ControlFlow;

use ge::{DrawEvent, Ge, Observer};

use super::Targets;

/// Follows a replay and calls `after_draw` behind each draw, which may stop it.
pub struct Follower<'a, F> {
    targets: &'a mut Targets,
    after_draw: F,
    flow: ControlFlow<()>,
}

impl<'a, F> Follower<'a, F>
where
    F: FnMut(&Targets, &mut Ge, u64) -> ControlFlow<()>,
{
    /// Keeps `targets` up to date, and hands them to `after_draw` with the GE and the draw's number.
    pub fn new(targets: &'a mut Targets, after_draw: F) -> Self {
        Self {
            targets,
            after_draw,
            flow: ControlFlow::Continue(()),
        }
    }
}

impl<F> Observer for Follower<'_, F>
where
    F: FnMut(&Targets, &mut Ge, u64) -> ControlFlow<()>,
{
    fn on_draw(&mut self, event: &DrawEvent<'_>) {
        self.targets.note(event);
    }

    fn after_draw(&mut self, ge: &mut Ge, number: u64) {
        // Vertices that waited when the list stopped are drawn behind the stop.
        if self.flow.is_continue() {
            self.flow = (self.after_draw)(self.targets, ge, number);
        }
    }

    fn stops(&self) -> bool {
        self.flow.is_break()
    }
}
