//! Replays of recorded frames (`spec/capture.md §7`).
//!
//! A capture holds executed commands and the data they read, but no display lists. A [`Replayer`]
//! makes one list of it, in a ring of main memory, brings the data to addresses there, and lets the
//! [`Ge`] run.
#![forbid(unsafe_code)]

mod example;
mod initial;
mod mapping;
mod picture;
mod record;
#[cfg(test)]
mod tests;

pub use example::draw_white_rectangle;
pub use picture::{Picture, PictureError};

use formats::capture::{Capture, Display, VramFlags};
use ge::command::{Command, Opcode};
use ge::{Address, Ge, GeError, GeOptions, Observer, Stop};
use raster::{EdramTranslation, Vram};

use mapping::Mapping;

/// Which of the two readings of a capture to follow (`spec/capture.md §7.6`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ReplayMode {
    /// What the frame meant: copies to VRAM wait for the commands before them, fills are made, the
    /// saved CLUT is loaded, either layout of the initial state is understood.
    #[default]
    Faithful,
    /// What PPSSPP's software renderer does, as in its reference pictures: copies to VRAM do not wait,
    /// fills and the saved CLUT do nothing, the initial state is read as the newer layout.
    Reference,
}

/// How to replay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReplayOptions {
    /// Which reading to follow.
    pub mode: ReplayMode,
    /// The GE to replay on. Its address translation is that of a recorder's start, 0x400, whatever
    /// this says.
    pub ge: GeOptions,
    /// The budget of commands and their work for the whole replay: see [`Ge::run`]. The default is
    /// several times what the heaviest recorded game needs.
    pub budget: u64,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self {
            mode: ReplayMode::default(),
            ge: GeOptions::default(),
            budget: 1 << 24,
        }
    }
}

/// A replay that cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The list failed: the capture holds commands that no recorder writes.
    #[error("record {record}: {source}")]
    List {
        /// The number of the record that was being carried out, from 0.
        record: usize,
        /// What went wrong.
        source: GeError,
    },
    /// A command that goes elsewhere in the list: recorders write down where it led, not the command itself
    /// (`spec/capture.md §6`), and the list of a replay has no other place to go.
    #[error("record {record}: {opcode} steers the list, which no recorded command does")]
    Steers {
        /// The number of the record, from 0.
        record: usize,
        /// The command.
        opcode: Opcode,
    },
    /// A REGISTERS record does not fit the ring.
    #[error("record {record}: {words} words do not fit the list")]
    TooLong {
        /// The number of the record, from 0.
        record: usize,
        /// Words of the record and of those that wait before it.
        words: usize,
    },
    /// The observer stopped the replay, which does not go on.
    #[error("record {record}: stopped by the observer")]
    Stopped {
        /// The number of the record that was being carried out, from 0.
        record: usize,
    },
}

/// Where VRAM begins.
const VRAM: u32 = 0x0400_0000;
/// Where the list is written: a ring.
const RING: u32 = 0x0800_0000;
const RING_SIZE: u32 = 256 << 10;

/// What the replayer knows of a mip level's texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct LastTexture {
    address: u32,
    /// The low 16 bits of the last buffer width word. It starts at 0 whatever the initial state says
    /// (`spec/capture.md §5.4`).
    width: u16,
}

/// A capture on its way through a GE.
///
/// ```no_run
/// use formats::capture::Capture;
/// use replay::{ReplayOptions, Replayer};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let capture = Capture::parse(&std::fs::read("frame.ppdmp")?)?;
/// let mut replayer = Replayer::new(&capture, ReplayOptions::default());
/// replayer.run()?;
/// let picture = replayer.picture()?;
/// assert_eq!(picture.pixels.len(), 480 * 272);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Replayer<'a> {
    capture: &'a Capture,
    mode: ReplayMode,
    /// What is left of it.
    budget: u64,
    ge: Ge,
    next_record: usize,
    /// Where the next word is written, once the list exists.
    write: Option<u32>,
    /// Words that go in front of the next REGISTERS.
    queue: Vec<u32>,
    textures: [LastTexture; 8],
    /// The high byte that BASE was last given by the replayer itself.
    last_base: Option<u8>,
    mapping: Mapping,
    copy_destination: u32,
    clut_address: Option<(u32, VramFlags)>,
    display: Option<Display>,
    ended: bool,
    /// The bytes of words on their way into the list.
    bytes: Vec<u8>,
}

impl<'a> Replayer<'a> {
    /// A replay at its start, on a new GE with memory full of zeros.
    #[must_use]
    pub fn new(capture: &'a Capture, options: ReplayOptions) -> Self {
        let ge = GeOptions {
            translation: EdramTranslation::default(),
            ..options.ge
        };
        Self::at_start(capture, options, Ge::new(ge))
    }

    /// A replay at its start, on a GE that has run before, as an emulator's has: its threads, buffers and
    /// decoded textures are ready. `options` say how the capture is read; the GE stays what it is.
    ///
    /// The GE is [reset](Ge::reset) and VRAM filled with zeros, so that the frame draws the same pixels as on a new
    /// GE. Main memory is not cleared: what no record brings is what the last frame left there, where a new GE has
    /// zeros. Recorded draws read it only beyond the data that was recorded for them.
    ///
    /// ```
    /// use formats::capture::{CaptureBuilder, InitialState, RecordKind};
    /// use replay::{ReplayOptions, Replayer, draw_white_rectangle};
    ///
    /// let mut builder = CaptureBuilder::new(&InitialState::blank());
    /// draw_white_rectangle(&mut builder);
    /// let capture = builder.build(*b"TEST00000")?;
    /// let mut cold = Replayer::new(&capture, ReplayOptions::default());
    /// cold.run()?;
    /// let mut warm = Replayer::on(cold.into_ge(), &capture, ReplayOptions::default());
    /// warm.run()?;
    /// assert_eq!(warm.ge_mut().memory().vram().bytes()[0], 255);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on(mut ge: Ge, capture: &'a Capture, options: ReplayOptions) -> Self {
        ge.reset();
        ge.set_translation(EdramTranslation::default());
        // As a processor would, so that only pages that change count as changed.
        let zeros = [0; 0x4000];
        for start in (VRAM..VRAM + Vram::SIZE as u32).step_by(zeros.len()) {
            ge.write(Address::new(start), &zeros);
        }
        Self::at_start(capture, options, ge)
    }

    fn at_start(capture: &'a Capture, options: ReplayOptions, ge: Ge) -> Self {
        Self {
            capture,
            mode: options.mode,
            budget: options.budget,
            ge,
            next_record: 0,
            write: None,
            queue: Vec::new(),
            textures: [LastTexture::default(); 8],
            last_base: None,
            mapping: Mapping::default(),
            copy_destination: 0,
            clut_address: None,
            display: None,
            ended: false,
            bytes: Vec::new(),
        }
    }

    /// The GE as the replay has left it, for the next.
    #[must_use]
    pub fn into_ge(self) -> Ge {
        self.ge
    }

    /// The GE as it stands.
    #[must_use]
    pub const fn ge(&self) -> &Ge {
        &self.ge
    }

    /// The GE as it stands.
    pub const fn ge_mut(&mut self) -> &mut Ge {
        &mut self.ge
    }

    /// The number of the next record.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.next_record
    }

    /// Replays to the end.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] where the capture holds what no recorder writes.
    pub fn run(&mut self) -> Result<(), ReplayError> {
        self.run_with(&mut ())
    }

    /// As [`run`](Self::run), watched.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), and [`ReplayError::Stopped`] when the observer [stops](Observer::stops) it.
    pub fn run_with<O: Observer>(&mut self, observer: &mut O) -> Result<(), ReplayError> {
        while self.step_with(observer)? {}
        Ok(())
    }

    /// Carries out the next record, or the end of the list behind the last one, and says whether
    /// anything was left to do. Commands may wait for a later record.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn step(&mut self) -> Result<bool, ReplayError> {
        self.step_with(&mut ())
    }

    /// As [`step`](Self::step), watched.
    ///
    /// # Errors
    ///
    /// As [`run_with`](Self::run_with).
    pub fn step_with<O: Observer>(&mut self, observer: &mut O) -> Result<bool, ReplayError> {
        if self.ended {
            return Ok(false);
        }
        let capture = self.capture;
        let Some(record) = capture.records().get(self.next_record) else {
            self.ended = true;
            self.end(observer)?;
            return Ok(true);
        };
        // Old recorders wrote records without data, to be skipped.
        if record.size > 0 {
            self.carry_out(record, observer)?;
        }
        self.next_record += 1;
        Ok(true)
    }

    /// Runs the commands of all records carried out so far, and draws every pixel of them. What waits
    /// for a later record still waits.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn catch_up(&mut self) -> Result<(), ReplayError> {
        self.catch_up_with(&mut ())
    }

    /// As [`catch_up`](Self::catch_up), watched.
    ///
    /// # Errors
    ///
    /// As [`run_with`](Self::run_with).
    pub fn catch_up_with<O: Observer>(&mut self, observer: &mut O) -> Result<(), ReplayError> {
        if !self.ended {
            self.stall(observer)?;
        }
        self.ge.finish();
        Ok(())
    }

    /// The buffer of the last DISPLAY, as the screen shows it (`spec/capture.md §8`).
    ///
    /// # Errors
    ///
    /// [`PictureError`] where no buffer is shown, or none that is a picture.
    pub fn picture(&mut self) -> Result<Picture, PictureError> {
        let display = self.display.ok_or(PictureError::NothingShown)?;
        Picture::of(self.ge.memory(), display)
    }

    fn end<O: Observer>(&mut self, observer: &mut O) -> Result<(), ReplayError> {
        if self.write.is_some() {
            self.append([Opcode::FINISH, Opcode::END].map(|opcode| Command::new(opcode, 0).word()));
            self.stall(observer)?;
        }
        self.ge.finish();
        Ok(())
    }

    /// Writes words behind the list.
    fn append(&mut self, words: impl IntoIterator<Item = u32>) {
        let Some(write) = self.write.as_mut() else { return };
        self.bytes.clear();
        self.bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        self.ge.write(Address::new(*write), &self.bytes);
        *write += self.bytes.len() as u32;
    }

    /// Lets the GE run all that is written; what waits in the queue is not.
    fn stall<O: Observer>(&mut self, observer: &mut O) -> Result<(), ReplayError> {
        let Some(write) = self.write else { return Ok(()) };
        let stop = self
            .ge
            .resume_with(Some(Address::new(write)), self.budget, observer);
        self.check(stop, observer)
    }

    /// What a run of the list means for the record that asked for it. An observer can stop the list at its
    /// stall address too.
    fn check<O: Observer>(&mut self, stop: Result<Stop, GeError>, observer: &O) -> Result<(), ReplayError> {
        let record = self.next_record;
        stop.map_err(|source| ReplayError::List { record, source })?;
        self.budget = self.ge.budget_left();
        if observer.stops() {
            self.ended = true;
            return Err(ReplayError::Stopped { record });
        }
        Ok(())
    }

    /// Starts the list: a NOP, and the stall address behind it.
    fn start<O: Observer>(&mut self, observer: &mut O) -> Result<(), ReplayError> {
        if self.write.is_some() {
            return Ok(());
        }
        self.write = Some(RING);
        self.append([Command::new(Opcode::NOP, 0).word()]);
        let stall = Some(Address::new(RING + 4));
        let stop = self.ge.run_with(Address::new(RING), stall, self.budget, observer);
        self.check(stop, observer)
    }

    /// Goes back to the ring's start if `words` more do not fit before its end.
    fn make_room<O: Observer>(&mut self, words: usize, observer: &mut O) -> Result<(), ReplayError> {
        let needed = 4 * words as u64 + 8;
        if needed >= u64::from(RING_SIZE) {
            return Err(ReplayError::TooLong {
                record: self.next_record,
                words,
            });
        }
        let Some(write) = self.write else { return Ok(()) };
        if u64::from(write) + needed < u64::from(RING + RING_SIZE) {
            return Ok(());
        }
        let base = Command::new(Opcode::BASE, (RING >> 8) & 0x0F_0000);
        let jump = Command::new(Opcode::JUMP, RING);
        self.append([base.word(), jump.word()]);
        self.last_base = Some((RING >> 24) as u8);
        self.write = Some(RING);
        self.stall(observer)
    }
}
