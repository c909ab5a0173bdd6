//! INIT: the GE's state as a PSP saves it, in the two layouts that recorders wrote.

use std::fmt;

use super::record::Words;
use crate::{FormatError, Reader};

/// Words of a saved state.
const WORD_COUNT: usize = 512;
/// Bytes of a saved state.
pub(super) const SIZE: usize = 4 * WORD_COUNT;
/// Where the register words start.
const FIRST_REGISTER: usize = 17;
/// The word after the register words.
const AFTER_REGISTERS: usize = 226;
/// Layout B has the command END here.
const END_WORD: usize = 384;
const END: u32 = 0x0C00_0000;
const LOAD_CLUT: u32 = 0xC4;

/// The registers of a saved state in the order stored, as inclusive ranges of command numbers
/// (`spec/capture.md` §5.1).
const SAVED: [(u8, u8); 16] = [
    (0x00, 0x02),
    (0x10, 0x10),
    (0x12, 0x28),
    (0x2C, 0x33),
    (0x36, 0x38),
    (0x42, 0x4D),
    (0x50, 0x51),
    (0x53, 0x58),
    (0x5B, 0xB5),
    (0xB8, 0xC3),
    (0xC5, 0xD0),
    (0xD2, 0xE9),
    (0xEB, 0xEC),
    (0xEE, 0xEE),
    (0xF0, 0xF6),
    (0xF8, 0xF9),
];

fn saved_registers() -> impl Iterator<Item = u8> {
    SAVED.iter().flat_map(|&(first, last)| first..=last)
}

/// The two ways in which words 226 to 511 were laid out; only their content tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Before December 2017: counters, then matrices as IEEE singles.
    A,
    /// Since December 2017: matrices as command words, then counters, then END.
    B,
}

/// The GE's state at the start of a capture.
#[derive(Clone, PartialEq, Eq)]
pub struct InitialState {
    words: [u32; WORD_COUNT],
    /// How the matrices were read.
    pub layout: Layout,
    /// The address that the GE would have read vertices from.
    pub vertex_address: u32,
    /// The address that the GE would have read indices from.
    pub index_address: u32,
    /// The address offset. A replay starts with 0 and not with this.
    pub offset_address: u32,
    /// The 256 registers as whole command words, by command number. Those that a state does not
    /// save are their number with argument 0.
    pub registers: [u32; 256],
    /// The matrices.
    pub matrices: Matrices,
    /// Where each matrix would take its next word.
    pub counters: MatrixCounters,
}

/// The GE's matrices as the bits of IEEE singles, in the order in which the GE loads them: three
/// values a column for all but the projection, which has four.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrices {
    /// Eight bone matrices, twelve values each.
    pub bone: [u32; 96],
    /// World.
    pub world: [u32; 12],
    /// View.
    pub view: [u32; 12],
    /// Projection.
    pub projection: [u32; 16],
    /// Texture coordinate generation.
    pub texture: [u32; 12],
}

/// Where each matrix would take its next word, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MatrixCounters {
    /// Bone matrices, 7 bits.
    pub bone: u8,
    /// World, 4 bits.
    pub world: u8,
    /// View, 4 bits.
    pub view: u8,
    /// Projection, 4 bits.
    pub projection: u8,
    /// Texture coordinate generation, 4 bits.
    pub texture: u8,
}

impl InitialState {
    /// A state of layout B with every register 0 and every matrix zero.
    pub fn blank() -> Self {
        let mut words = [0; WORD_COUNT];
        for (word, register) in words[FIRST_REGISTER..].iter_mut().zip(saved_registers()) {
            *word = u32::from(register) << 24;
        }
        let mut at = AFTER_REGISTERS;
        for (number, length) in [(0x2A, 96), (0x3A, 12), (0x3C, 12), (0x3E, 16), (0x40, 12)] {
            words[at] = number << 24;
            words[at + 1..=at + length].fill((number + 1) << 24);
            at += 1 + length;
        }
        for (word, number) in words[at..].iter_mut().zip([0x2A, 0x3A, 0x3C, 0x3E, 0x40]) {
            *word = number << 24;
        }
        words[END_WORD] = END;
        Self::from_words(words)
    }

    /// Reads a saved state, in layout B if word 384 is the command END and in layout A if not.
    pub fn from_words(words: [u32; WORD_COUNT]) -> Self {
        let layout = match words[END_WORD] {
            END => Layout::B,
            _ => Layout::A,
        };
        Self::with_layout(words, layout)
    }

    /// Reads a saved state in a given layout. PPSSPP's player reads layout A as if it were B.
    pub fn with_layout(words: [u32; WORD_COUNT], layout: Layout) -> Self {
        let mut registers: [u32; 256] = std::array::from_fn(|number| (number as u32) << 24);
        for (&word, register) in words[FIRST_REGISTER..].iter().zip(saved_registers()) {
            registers[usize::from(register)] = word;
        }
        let places = match layout {
            Layout::A => {
                // The CLUT's load command stands here only if its address was valid.
                let load_clut = words[AFTER_REGISTERS];
                if load_clut >> 24 == LOAD_CLUT {
                    registers[LOAD_CLUT as usize] = load_clut;
                    Places::layout_a(AFTER_REGISTERS + 1)
                } else {
                    Places::layout_a(AFTER_REGISTERS)
                }
            }
            Layout::B => Places::LAYOUT_B,
        };
        Self {
            layout,
            vertex_address: words[5],
            index_address: words[6],
            offset_address: words[7],
            registers,
            matrices: places.matrices(&words),
            counters: places.counters(&words),
            words,
        }
    }

    /// The 512 words as stored.
    pub fn words(&self) -> &[u32; WORD_COUNT] {
        &self.words
    }

    /// The 2048 bytes of an INIT payload.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Reads an INIT payload; what is missing is 0.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let stored = Words::new(bytes);
        Self::from_words(std::array::from_fn(|index| stored.get(index).unwrap_or(0)))
    }
}

/// Refuses an INIT payload at `offset` of which a register word has another register's number.
pub(super) fn check(reader: &Reader<'_>, offset: usize) -> Result<(), FormatError> {
    for (index, register) in saved_registers().enumerate() {
        let at = offset + 4 * (FIRST_REGISTER + index);
        let word = reader.u32(at, "INIT register")?;
        if word >> 24 != u32::from(register) {
            return Err(reader.error(
                format!("INIT word {}", FIRST_REGISTER + index),
                at,
                format!("{word:#010x}"),
                format!("register {register:#04x} in the top byte"),
            ));
        }
    }
    Ok(())
}

/// Where a layout has its matrices and counters, as indices of words. All lie well inside.
struct Places {
    bone: usize,
    world: usize,
    view: usize,
    projection: usize,
    texture: usize,
    counters: usize,
    /// What makes a single's bits of a stored word.
    shift: u32,
}

impl Places {
    /// Each matrix behind its number's command word; 24-bit floats, which are singles without
    /// their low 8 bits (`spec/capture.md` §5.2).
    const LAYOUT_B: Self = Self {
        bone: 227,
        world: 324,
        view: 337,
        projection: 350,
        texture: 367,
        counters: 379,
        shift: 8,
    };

    /// The counters from word `start` on, then the matrices as plain singles (§5.3).
    const fn layout_a(start: usize) -> Self {
        let bone = start + 5;
        Self {
            bone,
            world: bone + 96,
            view: bone + 108,
            projection: bone + 120,
            texture: bone + 136,
            counters: start,
            shift: 0,
        }
    }

    fn matrix<const N: usize>(&self, words: &[u32; WORD_COUNT], at: usize) -> [u32; N] {
        std::array::from_fn(|index| words[at + index] << self.shift)
    }

    fn matrices(&self, words: &[u32; WORD_COUNT]) -> Matrices {
        Matrices {
            bone: self.matrix(words, self.bone),
            world: self.matrix(words, self.world),
            view: self.matrix(words, self.view),
            projection: self.matrix(words, self.projection),
            texture: self.matrix(words, self.texture),
        }
    }

    fn counters(&self, words: &[u32; WORD_COUNT]) -> MatrixCounters {
        let counter = |index: usize, mask: u8| words[self.counters + index] as u8 & mask;
        MatrixCounters {
            bone: counter(0, 0x7F),
            world: counter(1, 0xF),
            view: counter(2, 0xF),
            projection: counter(3, 0xF),
            texture: counter(4, 0xF),
        }
    }
}

impl fmt::Debug for InitialState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("InitialState")
            .field("layout", &self.layout)
            .field("vertex_address", &self.vertex_address)
            .field("index_address", &self.index_address)
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}
