//! Captures made by hand.

use super::{Capture, InitialState, Record, RecordKind, Version};
use crate::FormatError;

/// A capture being put together, record by record: a frame that shows one thing.
///
/// Payloads stand one behind the other in the push buffer; none is shared. Whether the records make sense together is
/// not looked at: see `spec/capture.md` §12.
///
/// ```
/// use formats::capture::{CaptureBuilder, InitialState, Payload, RecordKind};
///
/// let mut builder = CaptureBuilder::new(&InitialState::blank());
/// builder.words(RecordKind::Registers, &[0x0400_0003]);
/// builder.words(RecordKind::Display, &[0x0400_0000, 512, 3]);
/// let capture = builder.build(*b"NPJB40001")?;
/// let Payload::Registers(words) = capture.payload(&capture.records()[1]) else { unreachable!() };
/// assert_eq!(words.iter().collect::<Vec<_>>(), [0x0400_0003]);
/// # Ok::<(), formats::FormatError>(())
/// ```
#[derive(Debug, Clone)]
pub struct CaptureBuilder {
    records: Vec<Record>,
    push_buffer: Vec<u8>,
}

impl CaptureBuilder {
    /// A capture that begins in a state.
    pub fn new(state: &InitialState) -> Self {
        let mut builder = Self {
            records: Vec::new(),
            push_buffer: Vec::new(),
        };
        builder.bytes(RecordKind::Init, &state.to_bytes());
        builder
    }

    /// Adds a record with these bytes.
    pub fn bytes(&mut self, kind: RecordKind, payload: &[u8]) {
        // What goes beyond 4 GiB is refused as a whole at the end.
        let [offset, size] =
            [self.push_buffer.len(), payload.len()].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        self.push_buffer.extend_from_slice(payload);
        self.records.push(Record { kind, offset, size });
    }

    /// Adds a record with these words: GE commands, addresses.
    pub fn words(&mut self, kind: RecordKind, payload: &[u32]) {
        let payload: Vec<u8> = payload.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.bytes(kind, &payload);
    }

    /// The capture, of version 6 and for the game with this id.
    ///
    /// # Errors
    ///
    /// As [`Capture::new`].
    pub fn build(self, game_id: [u8; 9]) -> Result<Capture, FormatError> {
        Capture::new(Version::V6, game_id, self.records, self.push_buffer)
    }
}
