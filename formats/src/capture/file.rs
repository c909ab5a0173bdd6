//! The bytes of a capture file, and the rules that every capture keeps.

use super::pack::{pack, unpack};
use super::{Capture, LARGEST_BLOCK, Record, RecordKind, Version, initial};
use crate::{FormatError, Reader};

const MAGIC: &[u8; 8] = b"PPSSPPGE";
const RECORD_SIZE: usize = 9;
/// The ring that a replay's list lies in. A payload has to fit with 8 bytes to spare.
const RING_SIZE: u32 = 256 << 10;

impl Capture {
    /// A capture of `records` with their `push_buffer`.
    ///
    /// The game's id is written from version 4 on.
    ///
    /// # Errors
    ///
    /// What [`Capture::parse`] refuses in records, with the offset that the record would have in
    /// the unpacked table, or the word in the push buffer.
    pub fn new(
        version: Version,
        game_id: [u8; 9],
        records: Vec<Record>,
        push_buffer: Vec<u8>,
    ) -> Result<Self, FormatError> {
        check_size("records", records.len(), RECORD_SIZE)?;
        check_size("push buffer", push_buffer.len(), 1)?;
        check(&records, &push_buffer)?;
        let mut id = [0; 12];
        if version >= Version::V4 {
            id[..9].copy_from_slice(&game_id);
        }
        Ok(Self {
            version,
            game_id: id,
            records,
            push_buffer,
            trailing: Vec::new(),
        })
    }

    /// Reads a bare `.ppdmp` file.
    ///
    /// # Errors
    ///
    /// Another magic, a version outside 2 to 6, blocks that do not unpack to the stated sizes or
    /// are stated larger than [`LARGEST_BLOCK`], and records that break a rule of
    /// `spec/capture.md` §9. An error inside a block gives its offset in the unpacked block.
    pub fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let reader = Reader::new("capture", bytes);
        let magic = reader.slice(0, MAGIC.len(), "magic")?;
        if magic != MAGIC {
            return Err(reader.error(
                "magic",
                0,
                format!("\"{}\"", magic.escape_ascii()),
                "\"PPSSPPGE\"",
            ));
        }
        let number = reader.u32(8, "version")?;
        let Some(version) = Version::from_number(number) else {
            return Err(reader.error("version", 8, number.to_string(), "2 to 6"));
        };
        let (game_id, counts) = if version >= Version::V4 {
            (reader.array(12, "game id")?, 24)
        } else {
            ([0; 12], 12)
        };
        let record_count = reader.u32(counts, "record count")? as usize;
        let push_buffer_size = reader.u32(counts + 4, "push buffer size")? as usize;
        check_count(&reader, "record count", counts, record_count, RECORD_SIZE)?;
        check_count(&reader, "push buffer size", counts + 4, push_buffer_size, 1)?;

        let block = |offset: usize, field: &'static str, size: usize| {
            let packed_size = reader.u32(offset, field)? as usize;
            let packed = reader.slice(offset + 4, packed_size, field)?;
            let unpacked = unpack(version, packed, size)
                .map_err(|found| reader.error(field, offset + 4, found, format!("{size} bytes, packed")))?;
            Ok::<_, FormatError>((unpacked, offset + 4 + packed_size))
        };
        let (table, end) = block(counts + 8, "records", record_count * RECORD_SIZE)?;
        let (push_buffer, end) = block(end, "push buffer", push_buffer_size)?;

        let table_reader = Reader::new("capture, unpacked records", &table);
        let records = table
            .as_chunks()
            .0
            .iter()
            .enumerate()
            .map(|(index, &stored)| parse_record(&table_reader, index, stored))
            .collect::<Result<Vec<_>, _>>()?;
        check(&records, &push_buffer)?;
        Ok(Self {
            version,
            game_id,
            records,
            push_buffer,
            trailing: reader.range(end..bytes.len(), "trailing bytes")?.to_vec(),
        })
    }

    /// A file of the same version with the same content. The blocks are packed anew, so it need
    /// not be the bytes that the capture was read from.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.version.number().to_le_bytes());
        if self.version >= Version::V4 {
            bytes.extend_from_slice(&self.game_id);
        }
        for count in [self.records.len(), self.push_buffer.len()] {
            bytes.extend_from_slice(&(count as u32).to_le_bytes());
        }
        let mut table = Vec::with_capacity(RECORD_SIZE * self.records.len());
        for record in &self.records {
            table.push(record.kind.byte());
            table.extend_from_slice(&record.size.to_le_bytes());
            table.extend_from_slice(&record.offset.to_le_bytes());
        }
        for block in [&table, &self.push_buffer] {
            let packed = pack(self.version, block);
            bytes.extend_from_slice(&(packed.len() as u32).to_le_bytes());
            bytes.extend_from_slice(&packed);
        }
        bytes.extend_from_slice(&self.trailing);
        bytes
    }
}

fn check_count(
    reader: &Reader<'_>,
    field: &'static str,
    offset: usize,
    count: usize,
    size: usize,
) -> Result<(), FormatError> {
    let most = LARGEST_BLOCK / size;
    if count <= most {
        return Ok(());
    }
    Err(reader.error(field, offset, count.to_string(), format!("{most} at most")))
}

fn check_size(field: &'static str, count: usize, size: usize) -> Result<(), FormatError> {
    check_count(&Reader::new("capture", &[]), field, 0, count, size)
}

fn parse_record(
    reader: &Reader<'_>,
    index: usize,
    [kind, size @ .., o0, o1, o2, o3]: [u8; RECORD_SIZE],
) -> Result<Record, FormatError> {
    let Some(kind) = RecordKind::from_byte(kind) else {
        return Err(reader.within("record", index).error(
            "type",
            RECORD_SIZE * index,
            format!("{kind:#04x}"),
            "0x00 to 0x0b or 0x10 to 0x1f",
        ));
    };
    Ok(Record {
        kind,
        size: u32::from_le_bytes(size),
        offset: u32::from_le_bytes([o0, o1, o2, o3]),
    })
}

/// The rules of `spec/capture.md` §9, 3 to 5.
fn check(records: &[Record], push_buffer: &[u8]) -> Result<(), FormatError> {
    let table = Reader::new("capture, unpacked records", &[]);
    let payloads = Reader::new("capture, unpacked push buffer", push_buffer);
    if records.first().map(|record| record.kind) != Some(RecordKind::Init) {
        let found = records.first().map(|record| format!("{:?}", record.kind));
        let found = found.unwrap_or_else(|| "no record".to_owned());
        return Err(table.error("first record", 0, found, "INIT"));
    }
    for (index, record) in records.iter().enumerate() {
        let error = |field, at, found: u64, expected: String| {
            let offset = RECORD_SIZE * index + at;
            Err(table
                .within("record", index)
                .error(field, offset, found.to_string(), expected))
        };
        let end = u64::from(record.offset) + u64::from(record.size);
        if end > push_buffer.len() as u64 {
            let most = format!("{}, the push buffer's, at most", push_buffer.len());
            return error("end of payload", 5, end, most);
        }
        let is_legal = match record.kind {
            RecordKind::Init => record.size as usize == initial::SIZE,
            RecordKind::MemorySet | RecordKind::Display => record.size == 12,
            RecordKind::CopyDestination | RecordKind::EdramTranslation => record.size == 4,
            RecordKind::ClutAddress => record.size == 8,
            RecordKind::Framebuffer(_) => record.size >= 16,
            RecordKind::Registers => record.size.is_multiple_of(4) && record.size + 8 < RING_SIZE,
            _ => true,
        };
        if !is_legal {
            let expected = match record.kind {
                RecordKind::Init => "2048 bytes for INIT",
                RecordKind::MemorySet => "12 bytes for MEMSET",
                RecordKind::Display => "12 bytes for DISPLAY",
                RecordKind::CopyDestination => "4 bytes for MEMCPYDEST",
                RecordKind::EdramTranslation => "4 bytes for EDRAMTRANS",
                RecordKind::ClutAddress => "8 bytes for CLUTADDR",
                RecordKind::Framebuffer(_) => "16 bytes or more for FRAMEBUF",
                _ => "whole words, below 256 KiB less 8 bytes, for REGISTERS",
            };
            return error("size", 1, record.size.into(), expected.to_owned());
        }
        if record.kind == RecordKind::Init {
            initial::check(&payloads.within("record", index), record.offset as usize)?;
        }
    }
    Ok(())
}
