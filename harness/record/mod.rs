//! Recording what a list does as a capture that PPSSPP replays too (`spec/capture.md` §12).
//!
//! A [`Recorder`] watches a list run. It writes down the commands that are carried out, without those that only steer
//! the list, and before each command that reads data the bytes that it reads, in the lengths of §6.
mod data;
mod push_buffer;

use formats::FormatError;
use formats::capture::{Capture, Display, InitialState, MipLevel, Record, RecordKind, Version};
use ge::command::{Command, Opcode};
use ge::{Address, Ge, Observer};

use data::{Clut, Level, Vertices};
use push_buffer::PushBuffer;

/// What stands for a game's id in a capture: whoever made it.
const GAME_ID: [u8; 9] = *b"GEHARNESS";
/// A REGISTERS payload is split here, well below the 64 KiB that every player takes.
const MOST_WORDS: usize = 8192;

/// Why a list cannot be recorded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A texture, palette, vertex or index is read from VRAM, whose content a recorder would have to follow.
    #[error("the command at {address} reads {what} from VRAM, which is not recorded")]
    FromVram {
        /// The command.
        address: Address,
        /// What it reads.
        what: &'static str,
    },
    /// A block transfer.
    #[error("the command at {address} transfers a block, which is not recorded")]
    Transfer {
        /// The command.
        address: Address,
    },
    /// Textured immediate vertices: no data record belongs to the command that sends them.
    #[error("the command at {address} sends a textured immediate vertex, which is not recorded")]
    ImmediateTexture {
        /// The command.
        address: Address,
    },
    /// The data do not fit a capture.
    #[error("the capture would be too large: {0}")]
    TooLarge(#[from] FormatError),
}

/// Writes down a list as it runs, on a GE that nothing has run on before: a capture begins with the state of power-up.
#[derive(Debug)]
pub struct Recorder {
    records: Vec<Record>,
    push_buffer: PushBuffer,
    /// Commands that no record holds yet.
    words: Vec<u32>,
    display: Display,
    failed: Option<RecordError>,
}

impl Recorder {
    /// Starts a capture that shows the buffer `display`, at its start and at its end.
    #[must_use]
    pub fn new(display: Display) -> Self {
        let mut recorder = Self {
            records: Vec::new(),
            push_buffer: PushBuffer::default(),
            words: Vec::new(),
            display,
            failed: None,
        };
        recorder.add(RecordKind::Init, &InitialState::blank().to_bytes());
        recorder.add_display();
        recorder
    }

    /// The capture, once the list has ended.
    ///
    /// # Errors
    /// What of the list could not be recorded.
    pub fn finish(mut self) -> Result<Capture, RecordError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.flush();
        self.add_display();
        let push_buffer = self.push_buffer.into_bytes();
        Ok(Capture::new(Version::V6, GAME_ID, self.records, push_buffer)?)
    }

    fn add_display(&mut self) {
        let Display {
            address,
            stride,
            format,
        } = self.display;
        let words = [address, stride.cast_unsigned(), format.cast_unsigned()];
        self.add(RecordKind::Display, &words.map(u32::to_le_bytes).concat());
    }

    fn add(&mut self, kind: RecordKind, bytes: &[u8]) {
        let offset = self.push_buffer.append(bytes);
        self.push(kind, offset, bytes.len());
    }

    fn push(&mut self, kind: RecordKind, offset: usize, size: usize) {
        // A push buffer beyond 4 GiB is refused as a whole at the end.
        let [offset, size] = [offset, size].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        self.records.push(Record { kind, offset, size });
    }

    /// Writes out the commands so far.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        for part in words.chunks(MOST_WORDS) {
            let bytes: Vec<u8> = part.iter().flat_map(|word| word.to_le_bytes()).collect();
            self.add(RecordKind::Registers, &bytes);
        }
    }

    /// Adds a record of what stands in main memory, of which `size` bytes belong to the record and `reach` may be
    /// read.
    fn add_memory(&mut self, ge: &mut Ge, kind: RecordKind, address: Address, size: usize, reach: usize) {
        let mut bytes = vec![0; reach.max(size)];
        let mapped = ge.memory().read(address, &mut bytes);
        // What is past the end of memory is not recorded, and nothing makes no record.
        bytes.truncate(mapped);
        if mapped > 0 {
            let offset = self.push_buffer.place(address, &bytes);
            self.push(kind, offset, size.min(mapped));
        }
    }

    /// Writes down what a draw reads: textures, indices, vertices.
    fn record_draw(&mut self, ge: &mut Ge, address: Address, command: Command) -> Result<(), RecordError> {
        self.flush();
        for level in Level::of_draw(ge) {
            in_main_memory(ge, address, level.address, "a texture")?;
            let Some(number) = MipLevel::new(level.number) else {
                continue;
            };
            self.add_memory(
                ge,
                RecordKind::Texture(number),
                level.address,
                level.size,
                level.reach,
            );
        }
        let vertices = Vertices::of_draw(ge, command);
        let pointers = ge.pointers();
        if vertices.index_bytes > 0 {
            in_main_memory(ge, address, pointers.index, "indices")?;
            let size = vertices.index_bytes;
            self.add_memory(ge, RecordKind::Indices, pointers.index, size, size);
        }
        if vertices.vertex_bytes > 0 {
            in_main_memory(ge, address, pointers.vertex, "vertices")?;
            let size = vertices.vertex_bytes;
            self.add_memory(ge, RecordKind::Vertices, pointers.vertex, size, size);
        }
        Ok(())
    }

    fn record(&mut self, ge: &mut Ge, address: Address, command: Command) -> Result<(), RecordError> {
        match command.opcode() {
            Opcode::PRIM | Opcode::BEZIER | Opcode::SPLINE => self.record_draw(ge, address, command)?,
            Opcode::LOADCLUT => {
                self.flush();
                let clut = Clut::of_load(ge, command);
                in_main_memory(ge, address, clut.address, "a palette")?;
                self.add_memory(ge, RecordKind::Clut, clut.address, clut.size, clut.size);
            }
            Opcode::XFERSTART => return Err(RecordError::Transfer { address }),
            Opcode::VAP if command.argument() >> 21 & 1 == 1 => {
                return Err(RecordError::ImmediateTexture { address });
            }
            opcode if steers(opcode) => return Ok(()),
            _ => {}
        }
        self.words.push(command.word());
        Ok(())
    }
}

impl Observer for Recorder {
    fn on_command(&mut self, ge: &mut Ge, address: Address, command: Command) {
        if self.failed.is_none() {
            self.failed = self.record(ge, address, command).err();
        }
    }

    fn stops(&self) -> bool {
        self.failed.is_some()
    }
}

/// Whether a command only steers the list: those are not in captures, whose lists are flat.
const fn steers(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::BASE
            | Opcode::VADDR
            | Opcode::IADDR
            | Opcode::ORIGIN
            | Opcode::OFFSETADDR
            | Opcode::JUMP
            | Opcode::CALL
            | Opcode::RET
            | Opcode::BJUMP
            | Opcode::BBOX
            | Opcode::SIGNAL
            | Opcode::FINISH
            | Opcode::END
    )
}

fn in_main_memory(
    ge: &mut Ge,
    address: Address,
    data: Address,
    what: &'static str,
) -> Result<(), RecordError> {
    match ge.memory().vram_range(data, 1) {
        Some(_) => Err(RecordError::FromVram { address, what }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
