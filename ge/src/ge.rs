//! The GE: its state, and what a host does with it.

use raster::{
    EdramTranslation, FlushReason, Fragment, PixelState, Profile, Rasterizer, Statistics, Threads, VramRange,
};
use vertex::{CoordinateMode, Decoder, VertexType, Vertices};

use crate::arithmetic::{Geometry, in_arithmetic};
use crate::assembly::{Assembled, Assembler};
use crate::command::{Command, Opcode};
use crate::draw::SamplerCodes;
use crate::immediate::ImmediateVertices;
use crate::list::ListState;
use crate::memory::{Memory, MemorySize};
use crate::pixel_state::{DrawSwitches, pixel_state};
use crate::report::{Feature, Report};
use crate::texture::ClutMemory;
use crate::vertex_stage::{Products, StagedVertices, StickyAttributes, VertexStage, q_is_one};
use crate::{Address, Matrices, Registers};

/// How a GE is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GeOptions {
    /// Whose pixels are drawn.
    pub profile: Profile,
    /// How much main memory there is.
    pub memory: MemorySize,
    /// How many threads draw. Pixels do not depend on it.
    pub threads: Threads,
    /// How the copies of VRAM permute it, at first. In PPSSPP's profile they never do.
    pub translation: EdramTranslation,
}

/// What the GE may believe of memory between runs. Textures are known by when the pages that they stand in changed last.
///
/// What is written through [`Ge::write`], [`Ge::memory_mut`] and lists is always known, and as long as the GE owns its
/// memory nobody writes in another way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum HostWrites {
    /// The host tells what it writes in another way, all of it, with [`Ge::note_written`].
    #[default]
    Told,
    /// The host may write anywhere while no list runs, and does not tell. Each run looks at each texture that it uses
    /// once, and keeps those that did not change.
    Untold,
}

/// The working pointers of draws (`spec/ge-frontend.md §2.7`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pointers {
    /// Where the next draw's vertices start.
    pub vertex: Address,
    /// Where the next indexed draw's indices start.
    pub index: Address,
}

/// What has changed since derived state was last made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Changes(u8);

impl Changes {
    const NONE: Self = Self(0);
    /// Something that the pixel pipeline's state follows from.
    const PIXEL: Self = Self(1);
    /// Something that the vertex stage follows from.
    const STAGE: Self = Self(2);
    /// A matrix that positions are multiplied by.
    const PRODUCTS: Self = Self(4);
    const ALL: Self = Self(7);

    /// What a new word for an opcode changes. The number command of a matrix stands for its elements.
    pub(crate) const fn by(opcode: Opcode) -> Self {
        match opcode {
            Opcode::WORLDNUM | Opcode::VIEWNUM | Opcode::PROJNUM => Self::PRODUCTS.or(Self::STAGE),
            Opcode::LIGHTING
            | Opcode::TEXENABLE
            | Opcode::FOGENABLE
            | Opcode::LIGHTMODE
            | Opcode::TEXMAPMODE
            | Opcode::CLEARMODE
            | Opcode::TGENNUM => Self::PIXEL.or(Self::STAGE),
            // Lights, depth clamp, viewport, coordinates, normals, material, fog.
            Opcode(0x18..=0x1C | 0x42..=0x4D | 0x51..=0x9A | 0xC1 | 0xCD | 0xCE) => Self::STAGE,
            // Not culling, which is decided anew for each draw.
            Opcode::REGION1 | Opcode::CULLENABLE | Opcode::PATCHCULLENABLE => Self::NONE,
            Opcode(0x16..=0x28 | 0x50 | 0x9C..=0x9F | 0xB8..=0xC3 | 0xC6..=0xCA | 0xCF..=0xE9) => Self::PIXEL,
            _ => Self::NONE,
        }
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// State that follows from registers and matrices, for draws from memory.
#[derive(Clone, Debug)]
pub(crate) struct Derived {
    pub(crate) mode: CoordinateMode,
    pub(crate) pixel: PixelState,
    pub(crate) products: Products,
    pub(crate) stage: VertexStage,
}

/// Memory that draws use again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) bytes: Vec<u8>,
    pub(crate) indices: Vec<u32>,
    pub(crate) vertices: Vertices,
    pub(crate) staged: StagedVertices,
    pub(crate) assembled: Assembled,
}

/// The Graphics Engine: registers, matrices, memory, and the rasteriser it draws with.
///
/// [`memory_mut`](Self::memory_mut) takes the host's data, [`run`](Self::run) runs a list,
/// [`finish`](Self::finish) makes sure that every pixel is in memory.
#[derive(Debug)]
pub struct Ge {
    pub(crate) profile: Profile,
    pub(crate) registers: Registers,
    pub(crate) matrices: Matrices,
    pub(crate) memory: Memory,
    pub(crate) rasterizer: Rasterizer,
    pub(crate) clut: ClutMemory,
    pub(crate) host_writes: HostWrites,
    pub(crate) list: Option<ListState>,
    pub(crate) pointers: Pointers,
    pub(crate) assembler: Assembler,
    pub(crate) sticky: StickyAttributes,
    pub(crate) immediate: ImmediateVertices,
    pub(crate) decoder: Decoder,
    pub(crate) changes: Changes,
    pub(crate) derived: Derived,
    pub(crate) scratch: Scratch,
    pub(crate) report: Report,
    pub(crate) sampler_codes: SamplerCodes,
    /// The command that is being carried out.
    pub(crate) current: Address,
    pub(crate) draw_number: u64,
    /// What is left of the run's budget; below 0 when the last command's work was too much.
    pub(crate) budget: i64,
}

impl Default for Ge {
    fn default() -> Self {
        Self::new(GeOptions::default())
    }
}

impl Ge {
    /// A GE as it is at power-up: all registers, matrices and memory zero
    /// (`spec/ge-frontend.md §2.2`).
    #[must_use]
    pub fn new(options: GeOptions) -> Self {
        let mut memory = Memory::new(options.memory);
        memory
            .vram
            .set_translation(translation_of(options.profile, options.translation));
        let (registers, matrices) = (Registers::default(), Matrices::default());
        let derived = in_arithmetic!(options.profile, A => {
            derive::<A>(&registers, &matrices, CoordinateMode::Transform)
        });
        Self {
            profile: options.profile,
            registers,
            matrices,
            memory,
            rasterizer: Rasterizer::new(options.profile, options.threads),
            clut: ClutMemory::default(),
            host_writes: HostWrites::default(),
            list: None,
            pointers: Pointers::default(),
            assembler: Assembler::default(),
            sticky: StickyAttributes::default(),
            immediate: ImmediateVertices::default(),
            decoder: Decoder::new(VertexType::default()),
            changes: Changes::NONE,
            derived,
            scratch: Scratch::default(),
            report: Report::default(),
            sampler_codes: SamplerCodes::default(),
            current: Address::default(),
            draw_number: 0,
            budget: 0,
        }
    }

    /// Draws with another rasteriser from now on, of the same profile: one with other tuning, or with a GPU.
    /// What is pending is drawn first; counters start anew.
    ///
    /// ```
    /// use ge::{Ge, GeOptions};
    /// use raster::{Rasterizer, TileSize, Tuning};
    ///
    /// let options = GeOptions::default();
    /// let mut ge = Ge::new(options);
    /// let tuning = Tuning { tile_size: TileSize::Small, ..Tuning::default() };
    /// ge.set_rasterizer(Rasterizer::with_tuning(options.profile, tuning));
    /// ```
    pub fn set_rasterizer(&mut self, rasterizer: Rasterizer) {
        self.finish();
        self.rasterizer = rasterizer;
    }

    /// The rasteriser that draws.
    #[must_use]
    pub const fn rasterizer(&self) -> &Rasterizer {
        &self.rasterizer
    }

    /// Draws everything that is pending, so that VRAM holds every pixel.
    pub fn finish(&mut self) {
        self.rasterizer
            .flush(&mut self.memory.vram, FlushReason::Finished);
    }

    /// Memory with every pixel in it: finishes pending draws first.
    pub fn memory(&mut self) -> &Memory {
        self.rasterizer
            .flush(&mut self.memory.vram, FlushReason::ProcessorRead);
        &self.memory
    }

    /// Memory for the host to write: finishes pending draws first. To write main memory alone,
    /// [`write`](Self::write) does not wait.
    pub fn memory_mut(&mut self) -> &mut Memory {
        self.rasterizer
            .flush(&mut self.memory.vram, FlushReason::ProcessorWrite);
        &mut self.memory
    }

    /// Writes bytes as the processor does: draws that are pending and touch them come first. Says how
    /// many bytes are mapped; the others are lost.
    pub fn write(&mut self, address: Address, bytes: &[u8]) -> usize {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        if let Some(range) = self.memory.vram_range(address, length) {
            let vram = &mut self.memory.vram;
            self.rasterizer
                .before_write(vram, range, FlushReason::ProcessorWrite);
        }
        self.memory.write(address, bytes)
    }

    /// Says whether memory changes behind the GE's back between runs: see [`HostWrites`].
    pub const fn set_host_writes(&mut self, writes: HostWrites) {
        self.host_writes = writes;
    }

    /// Notes that the host has changed `length` bytes from `address` on, in another way than through the GE or its
    /// [`Memory`]: textures there are looked at anew. Draws that are pending and touch the bytes should be finished
    /// before the host writes.
    pub fn note_written(&mut self, address: Address, length: u32) {
        self.memory.note_written(address, length);
    }

    /// Before a run: what may have been changed since the last one counts as changed.
    pub(crate) fn begin_run(&mut self) {
        if self.host_writes == HostWrites::Untold {
            self.memory.note_all_written();
        }
    }

    /// Writes commands, one behind the other. Says how many bytes are mapped.
    pub fn write_list(&mut self, address: Address, commands: &[Command]) -> usize {
        let bytes: Vec<u8> = commands
            .iter()
            .flat_map(|command| command.word().to_le_bytes())
            .collect();
        self.write(address, &bytes)
    }

    /// Sets how the copies of VRAM permute it; pending draws finish under the old way
    /// (`spec/ge-raster.md §13`).
    pub fn set_translation(&mut self, translation: EdramTranslation) {
        let translation = translation_of(self.profile, translation);
        if self.memory.vram.translation() != translation {
            self.rasterizer
                .flush(&mut self.memory.vram, FlushReason::ProcessorWrite);
            self.memory.vram.set_translation(translation);
        }
    }

    /// The registers.
    #[must_use]
    pub const fn registers(&self) -> &Registers {
        &self.registers
    }

    /// The matrices.
    #[must_use]
    pub const fn matrices(&self) -> &Matrices {
        &self.matrices
    }

    /// The working pointers.
    #[must_use]
    pub const fn pointers(&self) -> Pointers {
        self.pointers
    }

    /// CLUT memory.
    #[must_use]
    pub const fn clut(&self) -> &[u8; 1024] {
        self.clut.bytes()
    }

    /// Sets CLUT memory, which no register can bring back.
    pub fn set_clut(&mut self, memory: &[u8; 1024]) {
        self.clut.load(memory);
    }

    /// From now on writes down what primitives do to the pixel of so many bytes at an address, four at most, as
    /// VRAM's translation is now; to none when `None`, or where no VRAM is. What else writes memory,
    /// [`Observer::after_write`](crate::Observer::after_write) tells.
    pub fn watch(&mut self, place: Option<(Address, u32)>) {
        let range = place.and_then(|(address, length)| self.memory.vram_range(address, length));
        let vram = &self.memory.vram;
        self.rasterizer.watch(range.map(|range| VramRange {
            start: vram.primary_offset(range.start),
            ..range
        }));
    }

    /// What primitives did to the watched pixel since this was asked last, in order.
    pub fn take_fragments(&mut self) -> Vec<Fragment> {
        self.rasterizer.take_fragments()
    }

    /// What was met and not done as hardware does it.
    #[must_use]
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// What the rasteriser counted.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.rasterizer.statistics()
    }

    pub(crate) fn meet(&mut self, feature: Feature) {
        self.report.add(feature, self.current);
    }

    /// Finishes the draws that write into memory which is about to be read.
    pub(crate) fn wait_for_vram(&mut self, address: Address, length: u32, reason: FlushReason) {
        if let Some(range) = self.memory.vram_range(address, length) {
            self.rasterizer.before_read(&mut self.memory.vram, range, reason);
        }
    }

    /// Registers or matrices were set from outside a list: nothing derived holds.
    pub(crate) fn invalidate(&mut self) {
        self.changes = Changes::ALL;
    }

    /// Brings derived state up to date for draws in a mode.
    pub(crate) fn update_derived(&mut self, mode: CoordinateMode) {
        if self.changes == Changes::NONE && self.derived.mode == mode {
            return;
        }
        in_arithmetic!(self.profile, A => self.update_derived_in::<A>(mode));
    }

    fn update_derived_in<A: Geometry>(&mut self, mode: CoordinateMode) {
        let (derived, registers, matrices) = (&mut self.derived, &self.registers, &self.matrices);
        let all = derived.mode != mode;
        derived.mode = mode;
        if self.changes.has(Changes::PRODUCTS) {
            derived.products = Products::of::<A>(matrices);
        }
        if all || self.changes.has(Changes::STAGE) {
            derived.stage = VertexStage::of::<A>(registers, matrices, &derived.products, mode);
        }
        if all || self.changes.has(Changes::PIXEL) {
            derived.pixel = pixel_state_in::<A>(registers, matrices, mode);
        }
        self.changes = Changes::NONE;
    }
}

/// The translation that memory gets when one is asked for (`spec/ppsspp-profile.md §12`).
const fn translation_of(profile: Profile, translation: EdramTranslation) -> EdramTranslation {
    match profile {
        Profile::Hardware => translation,
        Profile::Ppsspp => EdramTranslation::IDENTITY,
    }
}

fn derive<A: Geometry>(registers: &Registers, matrices: &Matrices, mode: CoordinateMode) -> Derived {
    let products = Products::of::<A>(matrices);
    Derived {
        mode,
        pixel: pixel_state_in::<A>(registers, matrices, mode),
        stage: VertexStage::of::<A>(registers, matrices, &products, mode),
        products,
    }
}

/// The state of the pixel pipeline for draws from memory.
fn pixel_state_in<A: Geometry>(
    registers: &Registers,
    matrices: &Matrices,
    mode: CoordinateMode,
) -> PixelState {
    let mut switches = DrawSwitches::of(registers, mode);
    // PPSSPP asks first whether q can be anything but 1 (spec/ppsspp-profile.md §2.8).
    if A::PROFILE == Profile::Ppsspp && q_is_one(registers, matrices) {
        switches.projected = false;
    }
    pixel_state(registers, switches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{F32, T24};

    /// Words that look random.
    fn noise(state: &mut u32) -> u32 {
        *state ^= *state << 13;
        *state ^= *state >> 17;
        *state ^= *state << 5;
        *state
    }

    fn check<A: Geometry>(registers: &Registers, matrices: &Matrices, opcode: u8, argument: u32) {
        let mut changed = registers.clone();
        if !changed.store(Command::new(Opcode(opcode), argument)) {
            return;
        }
        let changes = Changes::by(Opcode(opcode));
        for mode in [CoordinateMode::Transform, CoordinateMode::Through] {
            let [before, after] =
                [registers, &changed].map(|registers| derive::<A>(registers, matrices, mode));
            // As text, in which what is no number equals itself.
            let differ = |before: &dyn std::fmt::Debug, after: &dyn std::fmt::Debug| {
                format!("{before:?}") != format!("{after:?}")
            };
            let pixel = differ(&before.pixel, &after.pixel);
            assert!(
                !pixel || changes.has(Changes::PIXEL),
                "{opcode:#x} changes pixels"
            );
            let stage = differ(&before.stage, &after.stage);
            assert!(
                !stage || changes.has(Changes::STAGE),
                "{opcode:#x} changes vertices"
            );
        }
    }

    #[test]
    fn what_follows_from_a_register_is_made_anew() {
        let mut state = 0x9E37_79B9;
        for round in 0..24 {
            let mut registers = Registers::default();
            for opcode in 0..=255 {
                let word = noise(&mut state) >> 8;
                // Most switches on, so that what they guard is looked at; but clear mode is off.
                let word = if (0x15..=0x28).contains(&opcode) && round % 4 != 0 {
                    word | 1
                } else {
                    word
                };
                let word = if opcode == 0xD3 && round % 4 != 1 { 0 } else { word };
                registers.store(Command::new(Opcode(opcode), word));
            }
            let matrices = Matrices::default();
            for opcode in 0..=255 {
                let old = registers.argument(Opcode(opcode));
                for argument in [
                    noise(&mut state) >> 8,
                    old ^ 1,
                    old ^ 1 << (noise(&mut state) % 24),
                    0,
                ] {
                    check::<T24>(&registers, &matrices, opcode, argument);
                    check::<F32>(&registers, &matrices, opcode, argument);
                }
            }
        }
    }
}
