//! The clock of playback: which frame is shown when.

use motion::play::{CLIP_FRAMES_PER_SECOND, LoopRule, Sampling, Timeline};

/// Speeds to choose from, as shares of the clip's own.
pub(super) const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];
/// Seconds that a step of the clock takes at most: after a pause of the whole machine a clip goes on, it does not
/// jump.
const LONGEST_STEP: f64 = 0.25;

/// Whether time runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum State {
    /// The frame stays.
    #[default]
    Paused,
    /// Frames follow each other.
    Playing,
}

/// Where playback stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    state: State,
    /// Frames since the start, which go on counting in a loop: parts of an entry may loop at lengths of their own.
    elapsed: f64,
    speed: usize,
    rate: f64,
    timeline: Timeline,
    sampling: Sampling,
}

impl Clock {
    /// Paused at a frame of a timeline of which `rate` frames make a second.
    #[must_use]
    pub fn new(timeline: Timeline, rate: f64, sampling: Sampling) -> Self {
        let known = rate.is_finite() && rate > 0.0;
        Self {
            state: State::Paused,
            elapsed: 0.0,
            speed: SPEEDS.iter().position(|speed| *speed == 1.0).unwrap_or(0),
            rate: if known { rate } else { CLIP_FRAMES_PER_SECOND },
            timeline,
            sampling,
        }
    }

    /// The same clock, with its speed and state, at the start of something else.
    #[must_use]
    pub fn for_another(self, timeline: Timeline, rate: f64) -> Self {
        Self {
            state: self.state,
            speed: self.speed,
            ..Self::new(timeline, rate, self.sampling)
        }
    }

    /// Takes over speed and state of another.
    pub fn keep_pace_of(&mut self, other: &Self) {
        (self.state, self.speed) = (other.state, other.speed);
    }

    /// Whether time runs, and there is anything to play.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.state == State::Playing && self.moves()
    }

    /// Whether there is more than one frame.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.timeline.end > 0.0
    }

    /// The frame to draw, counted from the start: whole where the game samples whole frames.
    #[must_use]
    pub fn frame(&self) -> f64 {
        self.sampling.frame(self.elapsed)
    }

    /// The frame as the clip counts it, inside its loop.
    #[must_use]
    pub fn cursor(&self) -> f64 {
        self.timeline.cursor_at(self.frame())
    }

    /// The last frame.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.timeline.end
    }

    /// How fast it runs, as a share of the clip's own speed.
    #[must_use]
    pub fn speed(&self) -> f64 {
        SPEEDS[self.speed]
    }

    /// Runs at one of the [`SPEEDS`].
    pub fn set_speed(&mut self, index: usize) {
        self.speed = index.min(SPEEDS.len() - 1);
    }

    /// Runs faster by steps, or slower.
    pub fn change_speed(&mut self, steps: isize) {
        self.set_speed(self.speed.saturating_add_signed(steps));
    }

    /// Starts or stops time.
    pub fn toggle(&mut self) {
        self.state = match self.state {
            State::Paused => State::Playing,
            State::Playing => State::Paused,
        };
    }

    /// Starts time.
    pub fn play(&mut self) {
        self.state = State::Playing;
    }

    /// Stops at a frame.
    pub fn seek(&mut self, frame: f64) {
        self.state = State::Paused;
        self.elapsed = if frame.is_finite() { frame.max(0.0) } else { 0.0 };
    }

    /// Stops, whole frames further on or back. Past the end of a clip without a loop its start follows, and before
    /// the start the end.
    pub fn step(&mut self, frames: i64) {
        let to = self.elapsed.trunc() + frames as f64;
        let to = match self.timeline.loop_rule {
            _ if to < 0.0 => self.timeline.end.trunc(),
            LoopRule::Once if to > self.timeline.end => 0.0,
            _ => to,
        };
        self.seek(to);
    }

    /// Lets time pass. A clip without a loop starts again once its last frame was seen.
    pub fn advance(&mut self, seconds: f64) {
        if !self.is_playing() || seconds.is_nan() {
            return;
        }
        self.elapsed += seconds.clamp(0.0, LONGEST_STEP) * self.rate * self.speed();
        if self.timeline.loop_rule == LoopRule::Once {
            self.elapsed %= self.timeline.end.trunc() + 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(loop_rule: LoopRule) -> Clock {
        let timeline = Timeline { end: 60.0, loop_rule };
        Clock::new(timeline, 60.0, Sampling::Whole)
    }

    #[test]
    fn a_paused_clock_stands() {
        let mut clock = clock(LoopRule::Once);
        clock.seek(30.0);
        clock.advance(0.1);
        assert_eq!(clock.frame(), 30.0);
        clock.toggle();
        assert!(clock.is_playing());
        clock.advance(0.1);
        assert_eq!(clock.frame(), 36.0);
    }

    #[test]
    fn frames_are_whole_unless_asked_for() {
        let mut clock = clock(LoopRule::Once);
        clock.play();
        clock.advance(0.025);
        assert_eq!(clock.frame(), 1.0);
        clock.sampling = Sampling::Fractional;
        assert_eq!(clock.frame(), 1.5);
    }

    #[test]
    fn what_ends_starts_again_behind_its_last_frame() {
        let mut clock = clock(LoopRule::Once);
        clock.seek(60.0);
        clock.play();
        clock.advance(0.01);
        assert_eq!(clock.cursor(), 60.0);
        clock.advance(0.01);
        assert_eq!(clock.cursor(), 0.0);
    }

    #[test]
    fn a_loop_goes_on_counting() {
        let mut clock = clock(LoopRule::From(20.0));
        clock.seek(59.0);
        clock.step(2);
        assert_eq!((clock.frame(), clock.cursor()), (61.0, 21.0));
    }

    #[test]
    fn steps_stop_and_go_round() {
        let mut clock = clock(LoopRule::Once);
        clock.play();
        clock.step(-1);
        assert!(!clock.is_playing());
        assert_eq!(clock.frame(), 60.0);
        clock.step(1);
        assert_eq!(clock.frame(), 0.0);
        clock.seek(7.7);
        clock.step(1);
        assert_eq!(clock.frame(), 8.0);
    }

    #[test]
    fn speeds_end_at_both_ends() {
        let mut clock = clock(LoopRule::Once);
        clock.change_speed(100);
        assert_eq!(clock.speed(), 4.0);
        clock.change_speed(-100);
        assert_eq!(clock.speed(), 0.1);
        clock.play();
        clock.advance(1.0 / 6.0);
        assert_eq!(clock.frame(), 1.0);
    }

    #[test]
    fn nothing_to_play_never_plays() {
        let mut clock = Clock::new(Timeline::default(), 0.0, Sampling::Whole);
        clock.play();
        assert!(!clock.is_playing(), "a window would never sleep");
        clock.advance(1.0);
        clock.step(1);
        assert_eq!(clock.frame(), 0.0);
    }

    #[test]
    fn a_machine_that_slept_does_not_jump() {
        let mut clock = clock(LoopRule::From(0.0));
        clock.play();
        clock.advance(3600.0);
        assert_eq!(clock.frame(), 15.0);
        clock.advance(f64::NAN);
        assert_eq!(clock.frame(), 15.0);
    }

    #[test]
    fn another_clip_keeps_speed_and_state() {
        let mut clock = clock(LoopRule::Once);
        clock.play();
        clock.change_speed(1);
        clock.advance(0.2);
        let other = clock.for_another(
            Timeline {
                end: 9.0,
                ..Timeline::default()
            },
            30.0,
        );
        assert!(other.is_playing());
        assert_eq!((other.speed(), other.frame(), other.end()), (1.5, 0.0, 9.0));
    }
}
