//! Replaying with an eye on one pixel.
use formats::capture::Capture;
use ge::{Address, Ge, Memory, MemoryWrite, Observer};
use raster::{Fragment, Vram};
use replay::{ReplayOptions, Replayer};

use super::{PixelError, Place, Value};

/// What happened to the pixel, in order, and how it ended.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) met: Vec<Met>,
    pub(super) value: Value,
}

impl Followed {
    /// The numbers of the draws that had to do with the pixel.
    pub(super) fn draws(&self) -> impl Iterator<Item = u64> {
        self.met.iter().filter_map(|met| match met {
            Met::Draw { number, .. } => Some(*number),
            Met::Write { .. } => None,
        })
    }
}

/// Something that had to do with the pixel.
#[derive(Debug)]
pub(super) enum Met {
    /// A draw that covered it, or wrote it otherwise.
    Draw {
        number: u64,
        fragments: Vec<Fragment>,
        /// What it was and became by no fragment: when the draw's depth buffer lies there.
        otherwise: Option<[Value; 2]>,
    },
    /// A write without drawing.
    Write {
        record: usize,
        write: MemoryWrite,
        before: Value,
        after: Value,
    },
}

/// Replays a capture and notes what happens at a place.
pub(super) fn follow(
    capture: &Capture,
    options: ReplayOptions,
    place: Place,
) -> Result<Followed, PixelError> {
    let mut replayer = Replayer::new(capture, options);
    let memory = replayer.ge_mut().memory();
    let range = memory
        .vram_range(Address::new(place.address), place.format.bytes())
        .ok_or(PixelError::OutsideVram(place.address))?;
    let mut follower = Follower {
        place,
        offset: memory.vram().primary_offset(range.start),
        record: 0,
        value: place.value(memory),
        met: Vec::new(),
    };
    let watched = (Address::new(place.address), place.format.bytes());
    replayer.ge_mut().watch(Some(watched));
    loop {
        follower.record = replayer.position();
        if !replayer.step_with(&mut follower)? {
            break;
        }
    }
    Ok(Followed {
        met: follower.met,
        value: place.value(replayer.ge_mut().memory()),
    })
}

impl Place {
    fn value(self, memory: &Memory) -> Value {
        let mut bytes = [0; 4];
        memory.read(
            Address::new(self.address),
            &mut bytes[..self.format.bytes() as usize],
        );
        let offset = memory
            .vram_range(Address::new(self.address), self.format.bytes())
            .map_or(0, |range| memory.vram().primary_offset(range.start));
        Value {
            stored: u32::from_le_bytes(bytes),
            rgba: memory.vram().color(offset, self.format).to_le_bytes(),
        }
    }
}

struct Follower {
    place: Place,
    /// Where the pixel lies in VRAM's primary copy.
    offset: u32,
    /// The record that is being carried out.
    record: usize,
    /// What the pixel was behind the last thing that wrote it.
    value: Value,
    met: Vec<Met>,
}

impl Follower {
    /// Whether bytes of the pixel are among those written.
    fn is_written_by(&self, memory: &Memory, write: MemoryWrite) -> bool {
        let length = self.place.format.bytes();
        let is_there = |byte: u32| byte.wrapping_sub(self.offset) % (Vram::SIZE as u32) < length;
        write.row_starts().any(|start| {
            let Some(range) = memory.vram_range(start, write.row_bytes) else {
                return false;
            };
            (0..range.length)
                .any(|byte| is_there(memory.vram().primary_offset(range.start.wrapping_add(byte))))
        })
    }
}

impl Observer for Follower {
    fn after_draw(&mut self, ge: &mut Ge, number: u64) {
        let fragments = ge.take_fragments();
        let now = self.place.value(ge.memory());
        let explained = fragments.iter().any(|fragment| fragment.before != fragment.after);
        let otherwise = (now != self.value && !explained).then_some([self.value, now]);
        self.value = now;
        if !fragments.is_empty() || otherwise.is_some() {
            self.met.push(Met::Draw {
                number,
                fragments,
                otherwise,
            });
        }
    }

    fn after_write(&mut self, ge: &mut Ge, write: MemoryWrite) {
        let memory = ge.memory();
        if self.is_written_by(memory, write) {
            let before = std::mem::replace(&mut self.value, self.place.value(memory));
            self.met.push(Met::Write {
                record: self.record,
                write,
                before,
                after: self.value,
            });
        }
    }
}
