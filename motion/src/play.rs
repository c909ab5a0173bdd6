//! Time: clip frames, loop rules and the cursor that plays them.
//!
//! A game frame is 1/30 s and moves a clip by two of its frames unless the action sets another
//! speed, so clips run at [`CLIP_FRAMES_PER_SECOND`] (spec/mhp-formats.md §5.7). The rules here are
//! those of Monster Hunter Freedom Unite; that the other game keeps them is a guess.

/// Game logic steps in a second.
pub const GAME_FRAMES_PER_SECOND: f64 = 30.0;

/// Clip frames that a game frame moves a cursor by, unless the action says otherwise.
pub const DEFAULT_SPEED: f64 = 2.0;

/// Clip frames in a second at [`DEFAULT_SPEED`].
pub const CLIP_FRAMES_PER_SECOND: f64 = GAME_FRAMES_PER_SECOND * DEFAULT_SPEED;

/// Whether the fraction of a clip frame is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sampling {
    /// Curves are sampled at the cursor's whole frame, as the game does it (spec/mhp-formats.md
    /// C6). What a comparison with the game needs.
    #[default]
    Whole,
    /// Curves are sampled at the cursor itself: smooth slow motion.
    Fractional,
}

impl Sampling {
    /// The frame that is sampled for a cursor.
    pub fn frame(self, cursor: f64) -> f64 {
        match self {
            Self::Whole => cursor.trunc(),
            Self::Fractional => cursor,
        }
    }
}

/// Where the motion of the body's root goes (spec/mhp-formats.md §5.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RootMotion {
    /// The locations of the joints from the first down to the body's fork stay as they are at
    /// frame 0: the model moves on the spot, at its right height.
    #[default]
    InPlace,
    /// As the game draws it: the root joint, the first child of joint 0, turns but keeps its bind
    /// location. Its travel belongs to the entity's position instead; see
    /// [`Rig::travel`](crate::rig::Rig::travel).
    AsInGame,
    /// Every location as the clip has it: the model walks off and snaps back.
    AsAuthored,
}

/// What happens at the end of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum LoopRule {
    /// The last pose holds.
    #[default]
    Once,
    /// The clip goes on from this frame; what lies before it is an intro that plays once.
    From(f64),
}

/// The extent of a clip in time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Timeline {
    /// The highest last-key frame over all its channels, in clip frames, never below 0. A cursor
    /// exactly on it is still inside.
    pub end: f64,
    /// What happens there.
    pub loop_rule: LoopRule,
}

impl Timeline {
    /// Duration of one run from frame 0 to the end, in seconds.
    ///
    /// ```
    /// use motion::play::{DEFAULT_SPEED, Timeline};
    ///
    /// let clip = Timeline { end: 107.0, ..Timeline::default() };
    /// assert!((clip.seconds(DEFAULT_SPEED) - 1.783).abs() < 1e-3);
    /// assert!((clip.seconds(2.4) - 1.486).abs() < 1e-3);
    /// ```
    pub fn seconds(&self, speed: f64) -> f64 {
        self.end / speed / GAME_FRAMES_PER_SECOND
    }

    /// The cursor after `elapsed` clip frames from frame 0, in one step instead of many.
    ///
    /// It is the engine's rule for steps that are shorter than the loop. An overshoot longer than
    /// the loop runs around it. A loop that does not start before the end holds the end; the
    /// engine's cursor would run past it there, to the same pose.
    pub fn cursor_at(&self, elapsed: f64) -> f64 {
        if elapsed.is_nan() || elapsed <= 0.0 {
            return 0.0;
        }
        if elapsed <= self.end {
            return elapsed;
        }
        match self.period() {
            None => self.end,
            Some(_) if elapsed.is_infinite() => self.end,
            Some((start, length)) => match (elapsed - self.end) % length {
                0.0 => self.end,
                over => start + over,
            },
        }
    }

    /// Start and length of the repeated part, if there is one.
    fn period(&self) -> Option<(f64, f64)> {
        match self.loop_rule {
            LoopRule::From(start) if start < self.end && start.is_finite() => Some((start, self.end - start)),
            _ => None,
        }
    }
}

/// A clip player's position, stepped as the engine steps it.
///
/// ```
/// use motion::play::{Cursor, LoopRule, Timeline};
///
/// let clip = Timeline { end: 107.0, loop_rule: LoopRule::From(20.0) };
/// let mut cursor = Cursor::at(106.0);
/// cursor.step(&clip);
/// assert_eq!(cursor.frame(), 21.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cursor {
    frame: f64,
    speed: f64,
    state: CursorState,
}

/// Whether a cursor still moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CursorState {
    /// It moves with each step.
    Playing,
    /// It has stopped at the end of a clip that does not loop.
    Finished,
}

impl Default for Cursor {
    fn default() -> Self {
        Self::at(0.0)
    }
}

impl Cursor {
    /// A cursor at a clip frame, moving at [`DEFAULT_SPEED`]. A start that is no number is 0.
    pub fn at(frame: f64) -> Self {
        Self {
            frame: if frame.is_finite() { frame } else { 0.0 },
            speed: DEFAULT_SPEED,
            state: CursorState::Playing,
        }
    }

    /// The same cursor moving by `speed` clip frames per game frame. The game uses 1.0, 2.0 and 2.4
    /// on one monster. A speed that is negative or no number is 0.
    #[must_use]
    pub fn with_speed(self, speed: f64) -> Self {
        let speed = if speed.is_finite() { speed.max(0.0) } else { 0.0 };
        Self { speed, ..self }
    }

    /// Position in clip frames.
    pub fn frame(&self) -> f64 {
        self.frame
    }

    /// Whether it still moves.
    pub fn state(&self) -> CursorState {
        self.state
    }

    /// Moves on by one game frame.
    pub fn step(&mut self, timeline: &Timeline) {
        if self.state == CursorState::Finished {
            return;
        }
        let next = self.frame + self.speed;
        if next <= timeline.end {
            self.frame = next;
            return;
        }
        match timeline.period() {
            Some((start, length)) => self.frame = start + (next - timeline.end) % length,
            None => {
                self.frame = timeline.end;
                if timeline.loop_rule == LoopRule::Once {
                    self.state = CursorState::Finished;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LOOP: Timeline = Timeline {
        end: 107.0,
        loop_rule: LoopRule::From(20.0),
    };

    #[test]
    fn loops_to_its_start_with_the_overshoot() {
        assert_eq!(LOOP.cursor_at(107.0), 107.0);
        assert_eq!(LOOP.cursor_at(108.0), 21.0);
        assert_eq!(LOOP.cursor_at(107.0 + 87.0), 107.0);
        assert_eq!(LOOP.cursor_at(107.0 + 88.0), 21.0);
    }

    #[test]
    fn stops_at_the_end_without_a_loop() {
        let once = Timeline {
            end: 5.0,
            loop_rule: LoopRule::Once,
        };
        let mut cursor = Cursor::default();
        let frames: Vec<f64> = (0..4)
            .map(|_| {
                cursor.step(&once);
                cursor.frame()
            })
            .collect();
        assert_eq!(frames, [2.0, 4.0, 5.0, 5.0]);
        assert_eq!(cursor.state(), CursorState::Finished);
    }

    #[test]
    fn the_end_itself_is_inside() {
        let once = Timeline {
            end: 4.0,
            loop_rule: LoopRule::Once,
        };
        let mut cursor = Cursor::at(2.0);
        cursor.step(&once);
        assert_eq!(cursor.frame(), 4.0);
        assert_eq!(cursor.state(), CursorState::Playing);
    }

    #[test]
    fn whole_frames_are_truncated() {
        assert_eq!(Sampling::Whole.frame(12.9), 12.0);
        assert_eq!(Sampling::Fractional.frame(12.9), 12.9);
    }

    #[test]
    fn a_loop_that_starts_at_or_after_the_end_holds_it() {
        for start in [107.0, 500.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let timeline = Timeline {
                loop_rule: LoopRule::From(start),
                ..LOOP
            };
            assert_eq!(timeline.cursor_at(1e9), 107.0);
            let mut cursor = Cursor::at(106.0);
            cursor.step(&timeline);
            cursor.step(&timeline);
            assert_eq!(cursor.frame(), 107.0);
        }
    }

    proptest! {
        #[test]
        fn one_long_step_is_many_short_ones(steps in 0_u32..500, start in 0_i32..107) {
            let timeline = Timeline { loop_rule: LoopRule::From(f64::from(start)), ..LOOP };
            let mut cursor = Cursor::default().with_speed(1.0);
            for _ in 0..steps {
                cursor.step(&timeline);
            }
            let (stepped, direct) = (cursor.frame(), timeline.cursor_at(f64::from(steps)));
            // A step of 1 over a loop of 1 lands on the start, which looks like the end.
            prop_assert!(stepped == direct || (start == 106 && steps > 107));
        }

        #[test]
        fn a_cursor_never_leaves_its_clip(
            end in 0.0_f64..40_000.0,
            start in any::<f32>(),
            speed in any::<f64>(),
            elapsed in any::<f64>(),
        ) {
            let start = f64::from(start);
            let timeline = Timeline { end, loop_rule: LoopRule::From(start) };
            let low = if start.is_finite() { start.min(0.0) } else { 0.0 };
            let mut cursor = Cursor::at(elapsed.min(end).max(low)).with_speed(speed);
            for _ in 0..4 {
                cursor.step(&timeline);
                prop_assert!(cursor.frame() <= end && cursor.frame() >= low);
            }
            let direct = timeline.cursor_at(elapsed);
            prop_assert!(direct <= end && direct >= low);
        }
    }
}
