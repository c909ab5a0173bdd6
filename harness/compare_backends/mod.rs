//! Two back ends side by side: whether they leave the same VRAM, and where they part ways if not.
mod place;

use std::hash::{DefaultHasher, Hasher};
use std::ops::ControlFlow;

use ge::{DrawEvent, Ge, Observer};
use raster::{PixelState, Vram};
use serde::Serialize;

pub use place::{Buffer, Place};

use crate::error::HarnessError;

/// How far two back ends are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// All of VRAM at the end; draw by draw only where that differs.
    End,
    /// All of VRAM behind every draw.
    EveryDraw,
}

/// Where two back ends part ways.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parting {
    /// The first draw behind which VRAM differs; `None` where it differs only when draws are not looked at one
    /// by one, and no single one is to blame.
    pub draw: Option<u64>,
    /// The first byte that differs, as an address.
    pub address: u32,
    /// What the byte is a part of, as the draw sees it.
    #[serde(flatten)]
    pub place: Place,
    /// How many bytes differ.
    pub bytes: usize,
    /// What the first back end has there.
    pub first: u32,
    /// What the second one has there.
    pub second: u32,
}

/// The drawing that is compared: calls the observer while a back end draws, and gives VRAM as it is in the end.
///
/// It is called several times, and draws the same each time.
pub trait Drawing {
    /// Draws with the first or the second back end, watched by `follower`.
    ///
    /// # Errors
    /// What stops the drawing; that `follower` stops it is no error.
    fn draw(&mut self, side: Side, follower: &mut Follower<'_>) -> Result<Box<[u8]>, HarnessError>;
}

/// Which back end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The first.
    First,
    /// The second.
    Second,
}

/// Behind a draw: the GE, the draw's number, and the state that it drew in.
type Look<'a> = dyn FnMut(&mut Ge, u64, &PixelState) -> ControlFlow<()> + 'a;

/// Looks at the GE behind each draw, if it looks at all.
pub struct Follower<'a> {
    look: Option<&'a mut Look<'a>>,
    state: PixelState,
    draws: u64,
    flow: ControlFlow<()>,
}

impl<'a> Follower<'a> {
    fn new(look: Option<&'a mut Look<'a>>) -> Self {
        Self {
            look,
            state: PixelState::default(),
            draws: 0,
            flow: ControlFlow::Continue(()),
        }
    }
}

impl Observer for Follower<'_> {
    fn on_draw(&mut self, event: &DrawEvent<'_>) {
        self.state = *event.draw.state;
    }

    fn after_draw(&mut self, ge: &mut Ge, number: u64) {
        self.draws = number + 1;
        if let (Some(look), ControlFlow::Continue(())) = (&mut self.look, self.flow) {
            self.flow = look(ge, number, &self.state);
        }
    }

    fn stops(&self) -> bool {
        self.flow.is_break()
    }
}

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// Draws in all.
    pub draws: u64,
    /// Where the back ends part ways; `None` where nowhere.
    pub parting: Option<Parting>,
}

/// Draws with both back ends and compares all 2 MiB of VRAM.
///
/// # Errors
/// What stops the drawing.
pub fn compare(drawing: &mut dyn Drawing, thoroughness: Thoroughness) -> Result<Outcome, HarnessError> {
    let mut follower = Follower::new(None);
    let first = drawing.draw(Side::First, &mut follower)?;
    let draws = follower.draws;
    let second = drawing.draw(Side::Second, &mut Follower::new(None))?;
    if first == second && thoroughness == Thoroughness::End {
        return Ok(Outcome { draws, parting: None });
    }
    let parting = match parting_draw(drawing)? {
        Some(draw) => Some(parting_at(drawing, draw)?),
        // Looking at every draw drives the back ends in another way, in which they may agree.
        None => Parting::between(&first, &second, &PixelState::default(), None),
    };
    Ok(Outcome { draws, parting })
}

/// The first draw behind which VRAM differs.
fn parting_draw(drawing: &mut dyn Drawing) -> Result<Option<u64>, HarnessError> {
    let mut hashes = Vec::new();
    let mut note = |ge: &mut Ge, _: u64, _: &PixelState| {
        hashes.push(hash(ge));
        ControlFlow::Continue(())
    };
    drawing.draw(Side::First, &mut Follower::new(Some(&mut note)))?;
    let mut expected = hashes.into_iter();
    let mut found = None;
    let mut look = |ge: &mut Ge, number: u64, _: &PixelState| {
        if expected.next() == Some(hash(ge)) {
            return ControlFlow::Continue(());
        }
        found = Some(number);
        ControlFlow::Break(())
    };
    drawing.draw(Side::Second, &mut Follower::new(Some(&mut look)))?;
    Ok(found)
}

/// What differs behind a draw.
fn parting_at(drawing: &mut dyn Drawing, draw: u64) -> Result<Parting, HarnessError> {
    let mut sides = [Vec::new(), Vec::new()];
    let mut state = PixelState::default();
    for (side, bytes) in [Side::First, Side::Second].into_iter().zip(&mut sides) {
        let mut take = |ge: &mut Ge, number: u64, drawn: &PixelState| {
            if number < draw {
                // As in the run that found it, every draw is looked at.
                ge.finish();
                return ControlFlow::Continue(());
            }
            *bytes = ge.memory().vram().bytes().to_vec();
            state = *drawn;
            ControlFlow::Break(())
        };
        drawing.draw(side, &mut Follower::new(Some(&mut take)))?;
    }
    let [first, second] = &sides;
    Parting::between(first, second, &state, Some(draw)).ok_or_else(|| {
        HarnessError::refused(
            format_args!("draw {draw}"),
            "the back ends differ in one run and agree in the next",
            "a driver that does not repeat its results cannot be trusted: --backend cpu does",
        )
    })
}

fn hash(ge: &mut Ge) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(ge.memory().vram().bytes());
    hasher.finish()
}

impl Parting {
    fn between(first: &[u8], second: &[u8], state: &PixelState, draw: Option<u64>) -> Option<Self> {
        let differs = |(a, b): (&u8, &u8)| a != b;
        let offset = first.iter().zip(second).position(differs)?;
        let bytes = first.iter().zip(second).filter(|&pair| differs(pair)).count();
        let vram = Vram::default();
        let place = Place::of(offset as u32, state, &vram);
        let value = |bytes: &[u8]| place.value(bytes, offset);
        Some(Self {
            draw,
            address: 0x0400_0000 + offset as u32,
            place,
            bytes,
            first: value(first),
            second: value(second),
        })
    }
}

#[cfg(test)]
mod tests;
