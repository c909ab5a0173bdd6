//! Lists of random draws: vertices of all formats, immediate ones, patches, textures and palettes, block transfers between
//! draws, over a few targets that may overlap. Whichever way they are drawn, they leave the same memory.

use std::fmt;

use ge::command::{Command, Opcode, disassemble};
use ge::{Address, Ge, GeError, GeOptions, Profile, Stop};
use raster::{Rasterizer, Tuning};

use crate::tuning::{reference, tunings};
use crate::{LIST, command};

/// Random bytes.
const NOISE: u32 = 0x0810_0000;
const NOISE_SIZE: u32 = 0x1_0000;
/// Vertices of 16 bytes in through mode, near the frame: texture coordinates of 16 bits, 8888, positions of 16 bits.
const VERTICES: u32 = 0x0812_0000;
const VERTEX_TYPE: u32 = 0x80_011E;
const VERTEX_COUNT: u32 = 512;

/// Numbers that a seed brings (splitmix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, limit: u32) -> u32 {
        (self.bits() % u64::from(limit)) as u32
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.below(count) == 0
    }

    fn any(&mut self) -> u32 {
        self.bits() as u32 & 0xFF_FFFF
    }

    /// A float of 24 bits: mostly sensible.
    fn float(&mut self, high: f32) -> u32 {
        match self.below(12) {
            0 => self.any(),
            1 => 0,
            _ => (high * (self.below(2048) as f32 / 1024.0 - 1.0)).to_bits() >> 8,
        }
    }

    /// An address in VRAM through some copy, near the targets.
    fn vram(&mut self) -> u32 {
        let offset = self.below(0x1_0000) + if self.one_in(2) { 0x1_0000 } else { 0 };
        0x0400_0000 + 0x20_0000 * self.below(4) + (offset & !15)
    }

    fn address(&mut self) -> u32 {
        if self.one_in(3) {
            self.vram()
        } else {
            NOISE + (self.below(NOISE_SIZE / 2) & !15)
        }
    }
}

/// Commands that belong together.
type Step = Vec<Command>;

/// Where matrices, the viewport and the frame are.
fn prelude() -> Step {
    let float = |number: f32| number.to_bits() >> 8;
    let mut commands = vec![
        command(Opcode::REGION2, 127 << 10 | 127),
        command(Opcode::SCISSOR2, 111 << 10 | 119),
        command(Opcode::FBWIDTH, 128),
        command(Opcode::ZBPTR, 0x2_0000),
        command(Opcode::ZBWIDTH, 128),
        command(Opcode::MAXZ, 0xFFFF),
        command(Opcode::VPSCALEX, float(64.0)),
        command(Opcode::VPSCALEY, float(-64.0)),
        command(Opcode::VPSCALEZ, float(30_000.0)),
        command(Opcode::VPCENTERX, float(2048.0)),
        command(Opcode::VPCENTERY, float(2048.0)),
        command(Opcode::VPCENTERZ, float(32_000.0)),
        command(Opcode::OFFSETX, (2048 - 64) * 16),
        command(Opcode::OFFSETY, (2048 - 56) * 16),
        command(Opcode::TEXSCALEU, float(1.0)),
        command(Opcode::TEXSCALEV, float(1.0)),
        command(Opcode::MATALPHA, 0xFF),
        command(Opcode::MATAMBIENT, 0xFF_FFFF),
        command(Opcode::BONENUM, 0),
    ];
    for number in 0..96 {
        let one = number % 12 % 4 == 0;
        commands.push(command(Opcode::BONEDATA, float(f32::from(u8::from(one)))));
    }
    for (number, data) in [
        (Opcode::WORLDNUM, Opcode::WORLDDATA),
        (Opcode::VIEWNUM, Opcode::VIEWDATA),
        (Opcode::TGENNUM, Opcode::TGENDATA),
    ] {
        commands.push(command(number, 0));
        let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        commands.extend(identity.map(|element| command(data, float(element))));
    }
    commands.push(command(Opcode::PROJNUM, 0));
    // w is 1 + z / 2.
    let projection = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.5],
        [0.0, 0.0, 0.0, 1.0],
    ];
    commands.extend(
        projection
            .as_flattened()
            .iter()
            .map(|&element| command(Opcode::PROJDATA, float(element))),
    );
    commands
}

/// The pointer registers for an absolute address.
fn pointer(opcode: Opcode, address: u32) -> [Command; 2] {
    [
        command(Opcode::BASE, address >> 8 & 0x0F_0000),
        command(opcode, address & 0xFF_FFFF),
    ]
}

fn target(random: &mut Random) -> Step {
    let stride = [128, 128, 128, 64, 256, 0, 12, 2044][random.below(8) as usize];
    let depth_stride = [128, 128, stride, 64][random.below(4) as usize];
    let place = |random: &mut Random| match random.below(5) {
        0 => random.below(0x2000) * 16,
        1 => 0x20_0000 - 16 - random.below(0x400) * 16,
        2 => 0x1000,
        3 => 0x2_0000,
        _ => 0,
    };
    vec![
        command(Opcode::FBPTR, place(random)),
        command(Opcode::FBWIDTH, stride),
        command(Opcode::FBFORMAT, random.below(4)),
        command(Opcode::ZBPTR, place(random)),
        command(Opcode::ZBWIDTH, depth_stride),
    ]
}

fn texture(random: &mut Random) -> Step {
    let mut commands = Step::new();
    let highest = random.below(4);
    for level in 0..=highest as u8 {
        let address = random.address();
        let stride = 16 << random.below(4);
        let [width, height] = [0; 2].map(|_: u32| random.below(8));
        commands.extend([
            command(Opcode::TEXADDR0.nth(level), address & 0xFF_FFF0),
            command(Opcode::TEXBUFW0.nth(level), address >> 8 & 0x0F_0000 | stride),
            command(Opcode::TEXSIZE0.nth(level), height << 8 | width),
        ]);
    }
    commands.extend([
        command(
            Opcode::TEXMODE,
            highest << 16 | random.below(2) << 8 | random.below(2),
        ),
        command(Opcode::TEXFORMAT, random.below(12)),
        command(Opcode::TEXFILTER, random.below(2) << 8 | random.below(8)),
        command(Opcode::TEXWRAP, random.below(2) << 8 | random.below(2)),
        command(Opcode::TEXLEVEL, random.below(256) << 16 | random.below(3)),
        command(Opcode::TEXLODSLOPE, random.float(2.0)),
        command(Opcode::TEXENABLE, u32::from(!random.one_in(5))),
        command(
            Opcode::TEXFUNC,
            random.below(2) << 16 | random.below(2) << 8 | random.below(6),
        ),
    ]);
    commands
}

fn palette(random: &mut Random) -> Step {
    let address = random.address();
    vec![
        command(Opcode::CLUTADDR, address & 0xFF_FFF0),
        command(Opcode::CLUTADDRHI, address >> 8 & 0x0F_0000),
        command(
            Opcode::CLUTFORMAT,
            random.below(4) << 16 | 0xFF00 | random.below(4) << 2 | random.below(4),
        ),
        command(Opcode::LOADCLUT, random.below(34)),
    ]
}

fn transfer(random: &mut Random) -> Step {
    let [source, destination] = [0; 2].map(|_: u32| random.address());
    let stride = |random: &mut Random| 8 * random.below(24);
    let position = |random: &mut Random| random.below(20) << 10 | random.below(20);
    vec![
        command(Opcode::XFERSRC, source & 0xFF_FFF0),
        command(Opcode::XFERSRCW, source >> 8 & 0xFF_0000 | stride(random)),
        command(Opcode::XFERDST, destination & 0xFF_FFF0),
        command(Opcode::XFERDSTW, destination >> 8 & 0xFF_0000 | stride(random)),
        command(Opcode::XFERSRCPOS, position(random)),
        command(Opcode::XFERDSTPOS, position(random)),
        command(Opcode::XFERSIZE, random.below(32) << 10 | random.below(64)),
        command(Opcode::XFERSTART, random.below(2)),
    ]
}

/// Registers of the pixel pipeline and of lighting, and switches.
fn registers(random: &mut Random) -> Step {
    let mut commands = Step::new();
    for _ in 0..1 + random.below(6) {
        let any = random.any();
        commands.push(match random.below(12) {
            0..=3 => {
                // Lighting to the logic operation.
                let opcode = Opcode(0x17 + random.below(0x12) as u8);
                command(opcode, u32::from(random.one_in(2)))
            }
            4 => command(Opcode(0x53 + random.below(0x48) as u8), random.float(4.0)),
            5 => command(Opcode::SHADE, any & 1),
            6 => command(
                Opcode::CLEARMODE,
                any & if random.one_in(4) { 0x701 } else { 0x700 },
            ),
            7 if random.one_in(4) => {
                let corner = |random: &mut Random| random.below(128) << 10 | random.below(128);
                let opcode = [Opcode::SCISSOR1, Opcode::SCISSOR2][random.below(2) as usize];
                command(opcode, corner(random))
            }
            7 => command(Opcode::ZTEST, any & 7),
            8 => command(Opcode::FOG1.nth(random.below(2) as u8), random.float(2.0)),
            9 => command(Opcode::TEXMAPMODE, if random.one_in(3) { any & 0x303 } else { 0 }),
            10 => command(
                [Opcode::MINZ, Opcode::MAXZ][random.below(2) as usize],
                [0, 0xFFFF, 0x4000, 0xC000][random.below(4) as usize],
            ),
            _ => command(Opcode(0xD8 + random.below(0x12) as u8), any),
        });
    }
    commands
}

fn draw(random: &mut Random) -> Step {
    let mut commands = Step::new();
    let count = 1 + random.below(14);
    if random.one_in(3) {
        // Random bytes of any format, or what lies in VRAM.
        let through = if random.one_in(2) { 0x80_0000 } else { 0 };
        let indices = if random.one_in(4) {
            random.below(4) << 11
        } else {
            0
        };
        let weights = if random.one_in(6) {
            random.any() & 0x1C_C600
        } else {
            0
        };
        let format = random.any() & 0x1FF | 0x80 | through | indices | weights;
        commands.push(command(Opcode::VTYPE, format));
        commands.extend(pointer(Opcode::VADDR, random.address()));
        commands.extend(pointer(Opcode::IADDR, NOISE + random.below(NOISE_SIZE / 2)));
    } else {
        commands.push(command(Opcode::VTYPE, VERTEX_TYPE));
        let first = 16 * random.below(VERTEX_COUNT - 32);
        commands.extend(pointer(Opcode::VADDR, VERTICES + first));
    }
    if random.one_in(8) {
        commands.push(command(
            Opcode::PATCHDIV,
            (1 + random.below(6)) << 8 | (1 + random.below(6)),
        ));
        commands.push(command(Opcode::PATCHPRIM, random.below(3)));
        let [columns, rows] = [0; 2].map(|_: u32| 3 + random.below(5));
        let opcode = if random.one_in(2) {
            Opcode::SPLINE
        } else {
            Opcode::BEZIER
        };
        commands.push(command(opcode, random.below(16) << 16 | rows << 8 | columns));
    } else {
        let primitive = if random.one_in(3) { 6 } else { random.below(8) };
        commands.push(command(Opcode::PRIM, primitive << 16 | count));
    }
    commands
}

fn immediate(random: &mut Random) -> Step {
    let kind = random.below(7);
    let flags = random.any() & 0xFF_F800;
    let mut commands = Step::new();
    for number in 0..1 + random.below(6) {
        let kind = if number == 0 { kind } else { 7 };
        commands.extend([
            command(Opcode::VSCX, (2048 - 64) * 16 + random.below(2000)),
            command(Opcode::VSCY, (2048 - 56) * 16 + random.below(2000)),
            command(Opcode::VSCZ, random.below(0x1_0000)),
            command(Opcode::VTCS, random.float(2.0)),
            command(Opcode::VTCT, random.float(2.0)),
            command(Opcode::VTCQ, random.float(1.0)),
            command(Opcode::VCV, random.any()),
            command(Opcode::VFC, random.below(256)),
            command(Opcode::VSCV, random.any()),
            command(Opcode::VAP, flags | kind << 8 | random.below(256)),
        ]);
    }
    commands
}

#[derive(Clone)]
struct List {
    seed: u64,
    budget: u64,
    steps: Vec<Step>,
}

impl List {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let random = &mut random;
        let count = 10 + random.below(50);
        let steps = (0..count)
            .map(|_| match random.below(20) {
                0 => target(random),
                1..=3 => texture(random),
                4 => palette(random),
                5 => transfer(random),
                6..=9 => registers(random),
                10 => immediate(random),
                11 if random.one_in(4) => vec![Command::from_word(random.bits() as u32)],
                _ => draw(random),
            })
            .collect();
        let budget = if random.one_in(6) {
            200 + u64::from(random.below(20_000))
        } else {
            1 << 20
        };
        Self { seed, budget, steps }
    }
}

impl fmt::Display for List {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "seed {}, budget {}:", self.seed, self.budget)?;
        for command in self.steps.iter().flatten() {
            writeln!(
                formatter,
                "{:08X} {}",
                command.word(),
                disassemble(command.word())
            )?;
        }
        Ok(())
    }
}

/// What a list leaves: how it ended, VRAM, the noise in main memory, and what was drawn.
#[derive(PartialEq)]
struct Outcome {
    ended: Result<Stop, GeError>,
    vram: Vec<u8>,
    noise: Vec<u8>,
    pixels: [u64; 2],
}

impl Outcome {
    fn difference(&self, expected: &Self) -> Option<String> {
        let first = |found: &[u8], expected: &[u8]| (0..expected.len()).find(|&at| found[at] != expected[at]);
        if self.ended != expected.ended {
            return Some(format!("{:?} instead of {:?}", self.ended, expected.ended));
        }
        if let Some(at) = first(&self.vram, &expected.vram) {
            return Some(format!("VRAM from {at:#x} on"));
        }
        if let Some(at) = first(&self.noise, &expected.noise) {
            return Some(format!("main memory from {at:#x} of the noise on"));
        }
        (self.pixels != expected.pixels)
            .then(|| format!("{:?} pixels instead of {:?}", self.pixels, expected.pixels))
    }
}

fn run(profile: Profile, tuning: Tuning, list: &List) -> Outcome {
    let mut ge = Ge::new(GeOptions {
        profile,
        ..GeOptions::default()
    });
    ge.set_rasterizer(Rasterizer::with_tuning(profile, tuning));
    let mut random = Random(1);
    let noise: Vec<u8> = (0..NOISE_SIZE).map(|_| random.bits() as u8).collect();
    ge.write(Address::new(NOISE), &noise);
    let mut vertices = Vec::new();
    for _ in 0..VERTEX_COUNT {
        let [s, t] = [0; 2].map(|_: u16| random.below(200) as u16);
        vertices.extend(s.to_le_bytes());
        vertices.extend(t.to_le_bytes());
        vertices.extend((random.bits() as u32).to_le_bytes());
        let [x, y] = [0; 2].map(|_: i16| random.below(150) as i16 - 12);
        vertices.extend(x.to_le_bytes());
        vertices.extend(y.to_le_bytes());
        vertices.extend((random.bits() as u16).to_le_bytes());
        vertices.extend([0; 2]);
    }
    ge.write(Address::new(VERTICES), &vertices);
    let vram: Vec<u8> = (0..0x20_0000 / 8)
        .flat_map(|_| random.bits().to_le_bytes())
        .collect();
    ge.memory_mut().vram_mut().bytes_mut().copy_from_slice(&vram);
    let mut commands = prelude();
    commands.extend(list.steps.iter().flatten());
    commands.extend([command(Opcode::FINISH, 0), command(Opcode::END, 0)]);
    ge.write_list(LIST, &commands);
    let ended = ge.run(LIST, None, list.budget);
    ge.finish();
    let statistics = ge.statistics();
    let pixels = [statistics.pixels_covered, statistics.pixels_passed];
    let memory = ge.memory();
    let mut noise = vec![0; NOISE_SIZE as usize];
    memory.read(Address::new(NOISE), &mut noise);
    Outcome {
        ended,
        vram: memory.vram().bytes().to_vec(),
        noise,
        pixels,
    }
}

/// The list without the steps that do not matter to a failure.
fn shrunk(list: &List, fails: impl Fn(&List) -> bool) -> List {
    let mut list = list.clone();
    let mut length = list.steps.len();
    while length > 0 {
        let mut start = 0;
        while start < list.steps.len() {
            let mut shorter = list.clone();
            let end = (start + length).min(list.steps.len());
            shorter.steps.drain(start..end);
            if fails(&shorter) {
                list = shorter;
            } else {
                start += length;
            }
        }
        length /= 2;
    }
    list
}

/// Lists in several ways each: `GE_HARNESS_SOUP_LISTS` asks for more, `GE_HARNESS_SOUP_SEED` for others. A failure prints
/// what is left of a list when all that does not matter is left out.
fn lists_agree(profile: Profile) {
    let setting = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = setting("GE_HARNESS_SOUP_SEED", 0);
    let count = setting("GE_HARNESS_SOUP_LISTS", 200);
    let ways = tunings();
    let (mut covered, mut finished) = (0, 0);
    for seed in first..first + count {
        let list = List::new(seed);
        let expected = run(profile, reference(), &list);
        covered += expected.pixels[0];
        finished += u64::from(matches!(expected.ended, Ok(Stop::Finished { .. })));
        for number in 0..2 {
            let tuning = ways[(seed as usize + 2 * number) % ways.len()];
            if run(profile, tuning, &list).difference(&expected).is_none() {
                continue;
            }
            let difference =
                |list: &List| run(profile, tuning, list).difference(&run(profile, reference(), list));
            let small = shrunk(&list, |list| difference(list).is_some());
            let what = difference(&small).unwrap_or_default();
            panic!("{profile:?}, {tuning:?}: {what}\n{small}");
        }
    }
    assert!(
        covered > 1000 * count && finished > count / 4,
        "{covered} pixels, {finished} ends"
    );
}

#[test]
fn lists_of_random_draws_agree_with_the_reference() {
    lists_agree(Profile::Hardware);
}

#[test]
fn lists_of_random_draws_agree_with_the_reference_in_ppsspps_profile() {
    lists_agree(Profile::Ppsspp);
}
