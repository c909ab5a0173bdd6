//! A GE with the state that the test programs set, and a list being built.

use ge::command::{Command, Opcode};
use ge::{Address, Ge, GeOptions, Observer, Stop};
use vertex::{Component, VertexType};

/// Where lists go.
const LIST: u32 = 0x0800_0000;
/// Where data go.
const DATA: u32 = 0x0820_0000;
/// Where the depth buffer is.
const DEPTH_OFFSET: u32 = 0x11_0000;
/// Pixels between the rows of both buffers.
pub(crate) const STRIDE: u32 = 512;

/// An identity matrix, 4x3.
pub(crate) const IDENTITY: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
/// An identity matrix, 4x4.
pub(crate) const IDENTITY_4X4: [f32; 16] = [
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
];

pub(crate) struct Scene {
    pub(crate) ge: Ge,
    list: Vec<Command>,
    next_data: u32,
}

impl Scene {
    /// Registers all zero.
    pub(crate) fn blank() -> Self {
        Self {
            ge: Ge::new(GeOptions::default()),
            list: Vec::new(),
            next_data: DATA,
        }
    }

    /// What most programs set: a frame of 480 x 272 pixels in 8888, viewport (240, -136) at 2048,
    /// identity matrices, gouraud shading, and everything else off.
    pub(crate) fn new() -> Self {
        let mut scene = Self::blank();
        scene.set(Opcode::FBPTR, 0);
        scene.set(Opcode::FBWIDTH, STRIDE);
        scene.set(Opcode::FBFORMAT, 3);
        scene.set(Opcode::ZBPTR, DEPTH_OFFSET);
        scene.set(Opcode::ZBWIDTH, STRIDE);
        scene.scissor(0, 0, 479, 271);
        scene.position(Opcode::REGION2, 479, 271);
        scene.viewport([240.0, -136.0, 32767.5], [2048.0, 2048.0, 32767.5], [1808, 1912]);
        scene.set(Opcode::MAXZ, 0xFFFF);
        scene.set(Opcode::SHADE, 1);
        scene.float(Opcode::TEXSCALEU, 1.0);
        scene.float(Opcode::TEXSCALEV, 1.0);
        scene.matrix(Opcode::WORLDNUM, &IDENTITY);
        scene.matrix(Opcode::VIEWNUM, &IDENTITY);
        scene.matrix(Opcode::PROJNUM, &IDENTITY_4X4);
        scene
    }

    pub(crate) fn push(&mut self, command: Command) {
        self.list.push(command);
    }

    pub(crate) fn set(&mut self, opcode: Opcode, argument: u32) {
        self.push(Command::new(opcode, argument));
    }

    pub(crate) fn float(&mut self, opcode: Opcode, value: f32) {
        self.push(Command::float(opcode, value));
    }

    pub(crate) fn position(&mut self, opcode: Opcode, x: u32, y: u32) {
        self.set(opcode, y << 10 | x);
    }

    pub(crate) fn scissor(&mut self, left: u32, top: u32, right: u32, bottom: u32) {
        self.position(Opcode::SCISSOR1, left, top);
        self.position(Opcode::SCISSOR2, right, bottom);
    }

    /// Scale, centre, and the offset in whole pixels.
    pub(crate) fn viewport(&mut self, scale: [f32; 3], center: [f32; 3], offset: [u32; 2]) {
        for axis in 0..3 {
            self.float(Opcode::VPSCALEX.nth(axis), scale[usize::from(axis)]);
            self.float(Opcode::VPCENTERX.nth(axis), center[usize::from(axis)]);
        }
        self.set(Opcode::OFFSETX, 16 * offset[0]);
        self.set(Opcode::OFFSETY, 16 * offset[1]);
    }

    /// Loads a matrix from its first element on.
    pub(crate) fn matrix(&mut self, number: Opcode, elements: &[f32]) {
        self.set(number, 0);
        for &element in elements {
            self.float(number.nth(1), element);
        }
    }

    /// Loads a matrix of 24-bit arguments.
    pub(crate) fn matrix_arguments(&mut self, number: Opcode, elements: &[u32]) {
        self.set(number, 0);
        for &element in elements {
            self.set(number.nth(1), element);
        }
    }

    /// Puts bytes into main memory, at a multiple of 64.
    pub(crate) fn data(&mut self, bytes: &[u8]) -> Address {
        let address = Address::new(self.next_data);
        self.ge.write(address, bytes);
        self.next_data += (bytes.len() as u32).next_multiple_of(64);
        address
    }

    /// Puts words into main memory.
    pub(crate) fn data_words(&mut self, words: &[u32]) -> Address {
        self.data(
            &words
                .iter()
                .flat_map(|word| word.to_le_bytes())
                .collect::<Vec<_>>(),
        )
    }

    /// Sets a working pointer.
    pub(crate) fn pointer(&mut self, opcode: Opcode, address: Address) {
        self.set(Opcode::BASE, address.get() >> 8 & 0x0F_0000);
        self.set(opcode, address.get());
    }

    /// Vertices of a type, and a PRIM over all of them.
    pub(crate) fn draw(&mut self, primitive: u32, vertex_type: VertexType, vertices: &[Vec<f64>]) {
        let bytes = encode(vertex_type, vertices);
        let address = self.data(&bytes);
        self.pointer(Opcode::VADDR, address);
        self.set(Opcode::VTYPE, vertex_type.argument());
        self.set(Opcode::PRIM, primitive << 16 | vertices.len() as u32);
    }

    /// Binds an 8888 texture at level `level`, its rows as long as it is wide, at least four.
    pub(crate) fn texture(&mut self, level: u8, log2: [u32; 2], texels: &[u32]) {
        let width = 1_usize << log2[0];
        let stride = width.max(4);
        let mut rows = vec![0; stride * (1 << log2[1])];
        for (row, source) in rows.chunks_exact_mut(stride).zip(texels.chunks(width)) {
            row[..source.len()].copy_from_slice(source);
        }
        let address = self.data_words(&rows);
        self.set(Opcode::TEXADDR0.nth(level), address.get());
        self.set(
            Opcode::TEXBUFW0.nth(level),
            (address.get() >> 8 & 0x0F_0000) | stride as u32,
        );
        self.set(Opcode::TEXSIZE0.nth(level), log2[1] << 8 | log2[0]);
        self.set(Opcode::TEXFORMAT, 3);
        self.set(Opcode::TEXENABLE, 1);
    }

    /// Runs what was built, to its end, and draws every pixel.
    pub(crate) fn run(&mut self) {
        self.run_with(&mut ());
    }

    pub(crate) fn run_with(&mut self, observer: &mut impl Observer) {
        self.set(Opcode::FINISH, 0);
        self.set(Opcode::END, 0);
        self.ge.write_list(Address::new(LIST), &self.list);
        self.list.clear();
        let stop = self.ge.run_with(Address::new(LIST), None, 1 << 20, observer);
        assert_eq!(stop, Ok(Stop::Finished { id: 0 }));
        self.ge.finish();
    }

    /// Forgets the data, so that their memory is used again.
    pub(crate) fn forget_data(&mut self) {
        self.next_data = DATA;
    }

    /// Fills the frame with a word.
    pub(crate) fn fill(&mut self, word: u32) {
        let row = word.to_le_bytes().repeat(STRIDE as usize);
        let vram = self.ge.memory_mut().vram_mut();
        for y in 0..272 {
            vram.write(4 * STRIDE * y, &row);
        }
    }

    /// A pixel of the frame, 0xAABBGGRR.
    pub(crate) fn pixel(&mut self, x: u32, y: u32) -> u32 {
        self.ge
            .memory()
            .word(Address::new(0x0400_0000 + 4 * (STRIDE * y + x)))
            .expect("VRAM")
    }

    /// The frame's pixels without alpha, 480 by 272.
    pub(crate) fn picture(&mut self) -> Vec<u32> {
        let memory = self.ge.memory();
        let bytes = &memory.vram().bytes()[..(4 * STRIDE * 272) as usize];
        let rows = bytes.chunks_exact(4 * STRIDE as usize);
        rows.flat_map(|row| row[..4 * 480].chunks_exact(4))
            .map(|pixel| u32::from_le_bytes([pixel[0], pixel[1], pixel[2], 0]))
            .collect()
    }

    /// Depth of a pixel in the linear view of the third copy.
    pub(crate) fn set_depth(&mut self, x: u32, y: u32, depth: u16) {
        let offset = 0x60_0000 + DEPTH_OFFSET + 2 * (STRIDE * y + x);
        self.ge
            .memory_mut()
            .vram_mut()
            .write(offset, &depth.to_le_bytes());
    }
}

/// Bytes of vertices, their numbers in memory order: weights, texture coordinates, colour, normal,
/// position. Numbers of integer formats are stored as they are, a colour as its word; one morph
/// target behind the other.
pub(crate) fn encode(vertex_type: VertexType, vertices: &[Vec<f64>]) -> Vec<u8> {
    let layout = vertex_type.layout();
    let number_parts = [
        (layout.weight, vertex_type.weight(), vertex_type.weight_count()),
        (layout.texture_coordinate, vertex_type.texture_coordinate(), 2),
    ];
    let direction_parts = [
        (layout.normal, vertex_type.normal(), 3),
        (layout.position, vertex_type.position(), 3),
    ];
    let mut bytes = vec![0; vertices.len() * layout.vertex_size];
    for (vertex, record) in vertices
        .iter()
        .zip(bytes.chunks_exact_mut(layout.vertex_size.max(1)))
    {
        let mut numbers = vertex.iter().copied();
        for target in record.chunks_exact_mut(layout.target_size) {
            put_numbers(target, &number_parts, &mut numbers);
            let size = vertex_type.color().size();
            if let (Some(offset), true) = (layout.color, size > 0) {
                let word = numbers.next().expect("a colour") as i64 as u32;
                target[offset..offset + size].copy_from_slice(&word.to_le_bytes()[..size]);
            }
            put_numbers(target, &direction_parts, &mut numbers);
        }
    }
    bytes
}

fn put_numbers(
    target: &mut [u8],
    parts: &[(Option<usize>, Component, usize)],
    numbers: &mut impl Iterator<Item = f64>,
) {
    for &(offset, format, count) in parts {
        let Some(offset) = offset else { continue };
        for slot in target[offset..].chunks_mut(format.size()).take(count) {
            let number = numbers.next().expect("a number for each part");
            let stored = match format {
                Component::Float => (number as f32).to_bits(),
                _ => number as i64 as u32,
            };
            slot.copy_from_slice(&stored.to_le_bytes()[..format.size()]);
        }
    }
}

/// Vertices as a vector file lists them: an array of numbers each.
pub(crate) fn numbers(vertices: &serde_json::Value) -> Vec<Vec<f64>> {
    let of = |vertex: &serde_json::Value| {
        super::shared::array(vertex)
            .iter()
            .map(|number| number.as_f64().unwrap_or_default())
            .collect()
    };
    super::shared::array(vertices).iter().map(of).collect()
}

/// The picture that a list of rectangles (x, y, width, height, colour) describes, 480 by 272.
pub(crate) fn rectangles(picture: &serde_json::Value) -> Vec<u32> {
    let mut pixels = vec![0; 480 * 272];
    for rectangle in super::shared::array(picture) {
        let [x, y, width, height, color] = super::shared::words(rectangle)[..] else {
            panic!("{rectangle}")
        };
        for row in y..y + height {
            let start = (row * 480 + x) as usize;
            pixels[start..start + width as usize].fill(color);
        }
    }
    pixels
}
