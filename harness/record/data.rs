//! Which bytes a command reads, by the rules that every recorder keeps (`spec/capture.md` §6).
use ge::command::{Command, Opcode};
use ge::{Address, Ge, Registers};
use raster::TextureFormat;
use vertex::{Component, IndexFormat, VertexType, index};

/// The texels of a mip level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Level {
    /// 0 to 7.
    pub(super) number: u8,
    pub(super) address: Address,
    /// Bytes that belong to the record.
    pub(super) size: usize,
    /// Bytes that sampling can reach: more where swizzled blocks go beyond the last row or column.
    pub(super) reach: usize,
}

impl Level {
    /// The levels that a draw's recorder writes: all that have an address, whether the draw uses them or not.
    pub(super) fn of_draw(ge: &Ge) -> Vec<Self> {
        let registers = ge.registers();
        let vertex_type = VertexType::from_argument(registers.argument(Opcode::VTYPE));
        let textured = registers.switch(Opcode::TEXENABLE)
            || registers.switch(Opcode::ANTIALIAS)
            || vertex_type.texture_coordinate() != Component::None;
        let levels = (0..8).filter(|_| textured);
        levels.filter_map(|number| Self::of(registers, number)).collect()
    }

    fn of(registers: &Registers, number: u8) -> Option<Self> {
        let stride = Opcode::TEXBUFW0.nth(number);
        let low = registers.argument(Opcode::TEXADDR0.nth(number)) & 0xFF_FFF0;
        let address = registers.field(stride, 19, 16) << 24 | low;
        let format = TextureFormat::from_bits(registers.argument(Opcode::TEXFORMAT));
        let bits = format.bits_per_texel() as usize;
        if address == 0 || bits == 0 {
            return None;
        }
        let size = Opcode::TEXSIZE0.nth(number);
        let width = 1_usize << registers.field(size, 3, 0);
        let height = 1_usize << registers.field(size, 11, 8);
        let buffer_width = buffer_width(format, registers.field(stride, 10, 0) as usize);
        let texels = buffer_width * height + width.saturating_sub(buffer_width);
        // Sampling ends at 512 texels. Swizzled blocks are 8 rows of 16 bytes, which hold 32 texels at most.
        let columns = buffer_width.max(width.min(512)).next_multiple_of(32);
        let sampled = columns * height.min(512).next_multiple_of(8);
        Some(Self {
            number,
            address: Address::new(address),
            size: texels * bits / 8,
            reach: texels.max(sampled) * bits / 8,
        })
    }
}

/// Texels from row to row: whole units of 16 bytes but for DXT, at least one.
fn buffer_width(format: TextureFormat, texels: usize) -> usize {
    let unit = 128 / format.bits_per_texel() as usize;
    let rounded = match format {
        TextureFormat::DXT1 | TextureFormat::DXT3 | TextureFormat::DXT5 => texels,
        _ => texels / unit * unit,
    };
    if rounded == 0 { unit } else { rounded }
}

/// The vertices and indices of a draw, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Vertices {
    pub(super) index_bytes: usize,
    pub(super) vertex_bytes: usize,
}

impl Vertices {
    /// What PRIM, BEZIER or SPLINE reads from the working pointers.
    pub(super) fn of_draw(ge: &mut Ge, command: Command) -> Self {
        let argument = command.argument() as usize;
        let count = match command.opcode() {
            Opcode::PRIM => argument & 0xFFFF,
            _ => (argument & 0xFF) * (argument >> 8 & 0xFF),
        };
        let vertex_type = VertexType::from_argument(ge.registers().argument(Opcode::VTYPE));
        let vertex_size = vertex_type.layout().vertex_size;
        if vertex_type.index() == IndexFormat::None {
            return Self {
                index_bytes: 0,
                vertex_bytes: count * vertex_size,
            };
        }
        let index_bytes = count * vertex_type.index().size();
        let mut bytes = vec![0; index_bytes];
        let at = ge.pointers().index;
        ge.memory().read(at, &mut bytes);
        let mut indices = Vec::new();
        // The bytes are exactly as many as the indices take.
        let decoded = index::decode(vertex_type.index(), &bytes, count, &mut indices);
        let highest = decoded
            .ok()
            .and_then(|()| indices.iter().map(|index| index % 0x1_0000).max());
        Self {
            index_bytes,
            vertex_bytes: (highest.unwrap_or(0) as usize + 1) * vertex_size,
        }
    }
}

/// The palette that LOADCLUT reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clut {
    pub(super) address: Address,
    pub(super) size: usize,
}

impl Clut {
    pub(super) fn of_load(ge: &Ge, command: Command) -> Self {
        let registers = ge.registers();
        let low = registers.argument(Opcode::CLUTADDR) & 0xFF_FFF0;
        // 64 blocks are written down as such, though the GE loads none.
        let blocks = match command.argument() & 0x7F {
            0x40 => 64,
            argument => argument & 0x3F,
        };
        Self {
            address: Address::new(registers.field(Opcode::CLUTADDRHI, 19, 16) << 24 | low),
            size: 32 * blocks as usize,
        }
    }
}
