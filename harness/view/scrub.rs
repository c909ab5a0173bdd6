//! Going through a recorded frame draw by draw.

/// How far a frame is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reached {
    /// Behind a draw, as `replay --until-draw` shows it.
    Draw(u64),
    /// To its end, with the transfers behind the last draw.
    Whole,
}

/// How far a frame is drawn, among all of its draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scrub {
    draws: u64,
    reached: Reached,
}

impl Scrub {
    /// The whole of a frame that has so many draws.
    #[must_use]
    pub const fn new(draws: u64) -> Self {
        Self {
            draws,
            reached: Reached::Whole,
        }
    }

    /// How far.
    #[must_use]
    pub const fn reached(&self) -> Reached {
        self.reached
    }

    /// How many draws the frame has.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// The draw that was drawn last: for the whole frame its last one. `None` where nothing is drawn.
    #[must_use]
    pub fn draw(&self) -> Option<u64> {
        match self.reached {
            Reached::Draw(draw) => Some(draw),
            Reached::Whole => self.draws.checked_sub(1),
        }
    }

    /// As a place on a slider from 0 to the number of draws, the last of which is the whole frame.
    #[must_use]
    pub const fn place(&self) -> u64 {
        match self.reached {
            Reached::Draw(draw) => draw,
            Reached::Whole => self.draws,
        }
    }

    /// Goes to a place on the slider.
    pub const fn go(&mut self, place: u64) {
        self.reached = if place < self.draws {
            Reached::Draw(place)
        } else {
            Reached::Whole
        };
    }

    /// Goes on by so many draws, or back.
    pub const fn step(&mut self, draws: i64) {
        self.go(self.place().saturating_add_signed(draws));
    }

    /// Takes over how many draws there really are. A place past them becomes the whole frame.
    pub const fn count(&mut self, draws: u64) {
        self.draws = draws;
        if let Reached::Draw(draw) = self.reached {
            self.go(draw);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_frame_is_behind_the_last_draw() {
        let mut scrub = Scrub::new(3);
        assert_eq!(
            (scrub.reached(), scrub.place(), scrub.draw()),
            (Reached::Whole, 3, Some(2))
        );
        scrub.step(-1);
        assert_eq!((scrub.reached(), scrub.draw()), (Reached::Draw(2), Some(2)));
        scrub.step(1);
        assert_eq!(scrub.reached(), Reached::Whole);
        scrub.step(1);
        assert_eq!(scrub.reached(), Reached::Whole);
    }

    #[test]
    fn steps_end_at_the_first_draw() {
        let mut scrub = Scrub::new(30);
        scrub.step(-10);
        assert_eq!(scrub.reached(), Reached::Draw(20));
        scrub.step(-100);
        assert_eq!(scrub.reached(), Reached::Draw(0));
        scrub.step(i64::MAX);
        assert_eq!(scrub.reached(), Reached::Whole);
    }

    #[test]
    fn a_frame_without_draws_is_whole() {
        let mut scrub = Scrub::new(0);
        for steps in [-1, 1] {
            scrub.step(steps);
            assert_eq!(
                (scrub.reached(), scrub.draw(), scrub.place()),
                (Reached::Whole, None, 0)
            );
        }
    }

    #[test]
    fn the_true_number_of_draws_moves_only_what_is_past_it() {
        let mut scrub = Scrub::new(100);
        scrub.go(40);
        scrub.count(90);
        assert_eq!(scrub.reached(), Reached::Draw(40));
        scrub.count(40);
        assert_eq!(scrub.reached(), Reached::Whole);
        scrub.count(50);
        assert_eq!(scrub.reached(), Reached::Whole, "the whole stays the whole");
    }
}
