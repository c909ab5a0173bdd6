//! Records: what kinds there are and what their payloads say.

use std::ops::Range;

use super::InitialState;

/// One record: what it is, and which bytes of the push buffer belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Record {
    /// What the record is.
    pub kind: RecordKind,
    /// Where its payload starts in the push buffer, in bytes; at any alignment.
    pub offset: u32,
    /// Bytes of payload.
    pub size: u32,
}

impl Record {
    /// The payload's place in the push buffer.
    pub const fn span(&self) -> Range<usize> {
        let start = self.offset as usize;
        start..start.saturating_add(self.size as usize)
    }
}

/// The kinds of records, by their names in `spec/capture.md` §4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// INIT: the saved GE state.
    Init,
    /// REGISTERS: GE commands.
    Registers,
    /// VERTICES: vertex data for the next draw.
    Vertices,
    /// INDICES: index data for the next draw.
    Indices,
    /// CLUT: palette bytes for the next LOADCLUT.
    Clut,
    /// TRANSFERSRC: the source of the next block transfer.
    TransferSource,
    /// MEMSET: a fill by the CPU.
    MemorySet,
    /// MEMCPYDEST: where the next copies by the CPU go.
    CopyDestination,
    /// MEMCPYDATA: a copy by the CPU.
    CopyData,
    /// DISPLAY: the buffer shown.
    Display,
    /// CLUTADDR: the place in VRAM of the next CLUT.
    ClutAddress,
    /// EDRAMTRANS: the address translation of VRAM.
    EdramTranslation,
    /// TEXTURE0 to TEXTURE7: a texture level from RAM, for the next draw.
    Texture(MipLevel),
    /// FRAMEBUF0 to FRAMEBUF7: a texture level from VRAM, for the next draw.
    Framebuffer(MipLevel),
}

impl RecordKind {
    /// The byte in the file.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Init => 0,
            Self::Registers => 1,
            Self::Vertices => 2,
            Self::Indices => 3,
            Self::Clut => 4,
            Self::TransferSource => 5,
            Self::MemorySet => 6,
            Self::CopyDestination => 7,
            Self::CopyData => 8,
            Self::Display => 9,
            Self::ClutAddress => 10,
            Self::EdramTranslation => 11,
            Self::Texture(MipLevel(level)) => 0x10 | level,
            Self::Framebuffer(MipLevel(level)) => 0x18 | level,
        }
    }

    /// The kind that `byte` is; every other byte is an error in a file.
    pub const fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0 => Self::Init,
            1 => Self::Registers,
            2 => Self::Vertices,
            3 => Self::Indices,
            4 => Self::Clut,
            5 => Self::TransferSource,
            6 => Self::MemorySet,
            7 => Self::CopyDestination,
            8 => Self::CopyData,
            9 => Self::Display,
            10 => Self::ClutAddress,
            11 => Self::EdramTranslation,
            0x10..=0x17 => Self::Texture(MipLevel(byte & 7)),
            0x18..=0x1F => Self::Framebuffer(MipLevel(byte & 7)),
            _ => return None,
        })
    }
}

/// A texture level, 0 (the largest) to 7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MipLevel(u8);

impl MipLevel {
    /// The level with this number, if it is one of the eight.
    pub const fn new(level: u8) -> Option<Self> {
        if level < 8 { Some(Self(level)) } else { None }
    }

    /// 0 to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload<'a> {
    /// The saved GE state.
    Init(Box<InitialState>),
    /// GE commands in the order in which they ran.
    Registers(Words<'a>),
    /// Vertices for the next draw, from the vertex address on.
    Vertices(&'a [u8]),
    /// Indices for the next draw.
    Indices(&'a [u8]),
    /// Palette bytes for the next LOADCLUT. Right after INIT it may be [the saved CLUT
    /// memory](super::Capture::saved_clut).
    Clut(&'a [u8]),
    /// The source bytes of the next block transfer.
    TransferSource(&'a [u8]),
    /// The CPU filled memory.
    MemorySet(MemorySet),
    /// The address that copies by the CPU go to from here on.
    CopyDestination(u32),
    /// Bytes that the CPU put at the last destination; without one they are to be ignored.
    CopyData(&'a [u8]),
    /// The buffer shown from here on.
    Display(Display),
    /// The next CLUT lies in VRAM, at this address.
    ClutAddress {
        /// Address in VRAM.
        address: u32,
        /// What is known of the bytes there. "Unchanged" is to be ignored.
        flags: VramFlags,
    },
    /// The EDRAM address translation from here on; 0x400 until told otherwise.
    EdramTranslation(u32),
    /// Texels in RAM for the next draw.
    Texture {
        /// The level they belong to.
        level: MipLevel,
        /// The bytes as the game had them.
        texels: &'a [u8],
    },
    /// Texels in VRAM for the next draw.
    Framebuffer(FramebufferTexture<'a>),
}

impl<'a> Payload<'a> {
    /// Reads `bytes` as the payload of a record of `kind`. Fields that the bytes are too short
    /// for are 0; a checked capture has none.
    pub(super) fn new(kind: RecordKind, bytes: &'a [u8]) -> Self {
        let words = Words::new(bytes);
        let word = |index: usize| words.get(index).unwrap_or(0);
        match kind {
            RecordKind::Init => Self::Init(Box::new(InitialState::from_bytes(bytes))),
            RecordKind::Registers => Self::Registers(words),
            RecordKind::Vertices => Self::Vertices(bytes),
            RecordKind::Indices => Self::Indices(bytes),
            RecordKind::Clut => Self::Clut(bytes),
            RecordKind::TransferSource => Self::TransferSource(bytes),
            RecordKind::MemorySet => Self::MemorySet(MemorySet {
                address: word(0),
                value: word(1) as u8,
                size: word(2),
            }),
            RecordKind::CopyDestination => Self::CopyDestination(word(0)),
            RecordKind::CopyData => Self::CopyData(bytes),
            RecordKind::Display => Self::Display(Display {
                address: word(0),
                stride: word(1).cast_signed(),
                format: word(2).cast_signed(),
            }),
            RecordKind::ClutAddress => Self::ClutAddress {
                address: word(0),
                flags: VramFlags(word(1)),
            },
            RecordKind::EdramTranslation => Self::EdramTranslation(word(0)),
            RecordKind::Texture(level) => Self::Texture { level, texels: bytes },
            RecordKind::Framebuffer(level) => Self::Framebuffer(FramebufferTexture {
                level,
                address: word(0),
                width: word(1).cast_signed(),
                flags: VramFlags(word(2)),
                texels: bytes.get(16..).unwrap_or_default(),
            }),
        }
    }
}

/// Words of the push buffer, which stand there at any alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words<'a>(&'a [[u8; 4]]);

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.as_chunks().0)
    }

    /// How many words there are.
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The word at `index`.
    pub fn get(self, index: usize) -> Option<u32> {
        self.0.get(index).map(|&word| u32::from_le_bytes(word))
    }

    /// The words in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u32> + DoubleEndedIterator + use<'a> {
        self.0.iter().map(|&word| u32::from_le_bytes(word))
    }
}

/// A fill by the CPU. PPSSPP's software renderer does not carry it out on replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MemorySet {
    /// First byte.
    pub address: u32,
    /// The value of every byte.
    pub value: u8,
    /// Bytes to fill.
    pub size: u32,
}

/// A buffer to show, 480 by 272 pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Display {
    /// Address of the top left pixel; with a zero top byte an offset into VRAM.
    pub address: u32,
    /// Pixels from one row to the next, as stored: anything a file says.
    pub stride: i32,
    /// 0 for 565, 1 for 5551, 2 for 4444, 3 for 8888; as stored.
    pub format: i32,
}

/// Texels in VRAM for a texture level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FramebufferTexture<'a> {
    /// The level.
    pub level: MipLevel,
    /// Where in VRAM the texels lie.
    pub address: u32,
    /// Buffer width in texels.
    pub width: i32,
    /// What is known of the bytes there. "Unchanged" can be believed from version 6 on.
    pub flags: VramFlags,
    /// The bytes that PPSSPP's memory held.
    pub texels: &'a [u8],
}

/// What a recorder knew about texels or palette bytes in VRAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct VramFlags(pub u32);

impl VramFlags {
    /// Bit 0: a draw of this capture, or this very draw, has the address as a render target.
    pub const fn is_target(self) -> bool {
        self.0 & 1 != 0
    }

    /// Bit 1: VRAM already holds these bytes when the record is met on replay.
    pub const fn is_unchanged(self) -> bool {
        self.0 & 2 != 0
    }

    /// Bit 2: something may have been drawn over these bytes. Unreliable, for information only.
    pub const fn may_be_drawn_over(self) -> bool {
        self.0 & 4 != 0
    }
}
