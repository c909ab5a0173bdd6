//! Programs: draws in sequence over a few targets, with reads and writes of VRAM between them, run in any way and compared
//! with the reference.

use std::fmt;

use raster::{
    EdramTranslation, FlushReason, FrameFormat, Method, Profile, Rasterizer, SimdLevel, Target, Threads,
    TileSize, Tuning, Vram, VramRange,
};

use crate::soup::{Case, Random, random_case, submit};
use crate::{count, noise};

/// What a host does, in order.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Draw(Box<Case>),
    /// A draw whose CLUT memory is loaded from VRAM first.
    DrawWithClut(VramRange, Box<Case>),
    Read(VramRange),
    Write(VramRange, u64),
    Copy(VramRange, u32),
    Flush,
    Translate(EdramTranslation),
}

/// Random events from a seed.
#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) seed: u64,
    translation: EdramTranslation,
    /// What it may cost.
    allowance: u64,
    pub(crate) events: Vec<Event>,
}

impl fmt::Debug for Program {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "seed {}, {:?}", self.seed, self.translation)?;
        self.events
            .iter()
            .try_for_each(|event| writeln!(formatter, "{event:?}"))
    }
}

const WIDTHS: [u32; 5] = [0x400, 0, 0x200, 0x800, 0x1000];

fn translation(random: &mut Random) -> EdramTranslation {
    if random.one_in(2) {
        return EdramTranslation::default();
    }
    EdramTranslation::from_width(WIDTHS[random.below(5) as usize]).unwrap_or(EdramTranslation::IDENTITY)
}

/// A target: colour and depth apart, over each other, over an older target, across the end of VRAM, or with odd strides.
fn target(random: &mut Random, older: Option<Target>) -> Target {
    let near = |random: &mut Random, limit: u32| 16 * random.below(limit);
    let plain = Target {
        color_offset: 0,
        color_stride: 128,
        depth_stride: 128,
        depth_offset: 0x4_0000,
        format: FrameFormat::from_bits(random.below(4)),
        ..Target::default()
    };
    let stride = |random: &mut Random| match random.below(8) {
        0 => 0,
        1 => 4 * random.below(5) as u16,
        2 => 2044,
        3 => 4 * random.below(512) as u16,
        4 => 64,
        _ => 128,
    };
    match (random.below(10), older) {
        (0..=2, _) => plain,
        (3, _) => Target {
            depth_offset: near(random, 0x1000),
            ..plain
        },
        (4, _) => Target {
            depth_offset: plain.color_offset,
            ..plain
        },
        (5, _) => Target {
            color_offset: 0x20_0000 - 16 - near(random, 0x1000),
            depth_offset: (0x20_0000 - near(random, 0x2000)) % 0x20_0000,
            ..plain
        },
        (6 | 7, _) => Target {
            color_offset: near(random, 0x2_0000),
            depth_offset: near(random, 0x2_0000),
            color_stride: stride(random),
            depth_stride: stride(random),
            ..plain
        },
        (8, Some(older)) => Target {
            color_offset: older.depth_offset,
            depth_offset: older.color_offset,
            ..older
        },
        (_, Some(older)) => Target {
            color_offset: (older.color_offset + near(random, 0x400)) % 0x20_0000,
            depth_offset: (older.depth_offset + near(random, 0x400)) % 0x20_0000,
            ..plain
        },
        (_, None) => plain,
    }
}

/// Bytes of VRAM near a target's colours or depths, seen through some copy.
fn range(random: &mut Random, target: &Target) -> VramRange {
    let (copy, offset) = match random.below(6) {
        0 => (3, target.depth_offset),
        1 => (1, target.depth_offset),
        2 => (2, target.color_offset),
        3 => (random.below(4), 0x10 * random.below(0x2_0000)),
        _ => (0, target.color_offset),
    };
    VramRange {
        start: 0x20_0000 * copy + (offset + random.below(0xA000)) % 0x20_0000,
        length: match random.below(4) {
            0 => random.below(8),
            1 => random.below(0x1_0000),
            _ => random.below(0x800),
        },
    }
}

pub(crate) fn random_program(seed: u64, draws: u32) -> Program {
    let mut random = Random(seed);
    let random = &mut random;
    let first = target(random, None);
    let mut targets = vec![first];
    for _ in 0..random.below(3) {
        let older = targets[random.below(targets.len() as u32) as usize];
        targets.push(target(random, Some(older)));
    }
    let mut current = first;
    let mut events = Vec::new();
    for _ in 0..draws {
        if random.one_in(4) {
            current = targets[random.below(targets.len() as u32) as usize];
        }
        match random.below(16) {
            0 => events.push(Event::Flush),
            1 => events.push(Event::Read(range(random, &current))),
            2 => events.push(Event::Write(range(random, &current), random.bits())),
            3 => {
                let from = range(random, &current);
                events.push(Event::Copy(from, range(random, &current).start));
            }
            4 if random.one_in(4) => events.push(Event::Translate(translation(random))),
            _ => {}
        }
        let mut case = random_case(random.bits());
        case.state.target = current;
        if current.color_stride > 1024 && random.one_in(3) {
            case.stretch();
        }
        for level in &mut case.levels {
            // Where its target is, or another one.
            let place = targets[random.below(targets.len() as u32) as usize];
            if level.vram.is_some() && random.one_in(2) {
                let start = range(random, &place).start;
                let length = if random.one_in(2) { 0x1000 } else { 0x1_0000 };
                level.vram = Some(VramRange { start, length });
            }
        }
        let case = Box::new(case);
        if random.one_in(12) {
            let range = VramRange {
                length: 1024,
                ..range(random, &current)
            };
            events.push(Event::DrawWithClut(range, case));
        } else {
            events.push(Event::Draw(case));
        }
    }
    Program {
        seed,
        translation: translation(random),
        allowance: if random.one_in(8) {
            random.below(200_000).into()
        } else {
            u64::MAX
        },
        events,
    }
}

/// What a program leaves, and what was seen of it.
#[derive(PartialEq, Eq)]
pub(crate) struct Outcome {
    vram: Vec<u8>,
    /// What was read while it ran.
    read: Vec<u8>,
    /// The counters that must not depend on the way of drawing, and what is left of the allowance.
    pub(crate) counts: [u64; 10],
}

impl Outcome {
    /// Whether the same pixels were drawn, however many draws that took.
    fn shows_the_same(&self, other: &Self) -> bool {
        let primitives_and_pixels = |outcome: &Self| outcome.counts[1..8].to_vec();
        self.vram == other.vram
            && self.read == other.read
            && primitives_and_pixels(self) == primitives_and_pixels(other)
    }

    /// What differs from what is expected, in words.
    pub(crate) fn difference(&self, expected: &Self) -> Option<String> {
        let unlike: Vec<usize> = (0..expected.vram.len())
            .filter(|&at| self.vram[at] != expected.vram[at])
            .collect();
        if let Some(&first) = unlike.first() {
            let bytes = |vram: &[u8]| vram[first & !15..][..16].to_vec();
            return Some(format!(
                "{} bytes of VRAM, the first at {first:#x}: {:02x?} instead of {:02x?}",
                unlike.len(),
                bytes(&self.vram),
                bytes(&expected.vram)
            ));
        }
        if self.read != expected.read {
            return Some("what was read on the way".to_owned());
        }
        (self.counts != expected.counts)
            .then(|| format!("counts {:?} instead of {:?}", self.counts, expected.counts))
    }
}

pub(crate) fn run(profile: Profile, tuning: Tuning, program: &Program) -> Outcome {
    run_with(profile, tuning, program, submit)
}

/// The program with everything drawn after each primitive, so that nothing is ever pending.
fn run_one_by_one(profile: Profile, program: &Program) -> Outcome {
    run_with(profile, reference(), program, |rasterizer, vram, case| {
        for primitive in case.one_by_one() {
            submit(rasterizer, vram, &primitive);
            rasterizer.flush(vram, FlushReason::Finished);
        }
    })
}

fn run_with(
    profile: Profile,
    tuning: Tuning,
    program: &Program,
    submit: impl Fn(&mut Rasterizer, &mut Vram, &Case),
) -> Outcome {
    let mut vram = Vram::new(program.translation);
    vram.bytes_mut().copy_from_slice(noise().bytes());
    let mut rasterizer = Rasterizer::with_tuning(profile, tuning);
    rasterizer.set_allowance(program.allowance);
    let mut read = Vec::new();
    for event in &program.events {
        match event {
            Event::Draw(case) => submit(&mut rasterizer, &mut vram, case),
            Event::DrawWithClut(range, case) => {
                rasterizer.before_read(&mut vram, *range, FlushReason::ClutLoad);
                let mut case = case.clone();
                vram.read(range.start, &mut case.clut_memory);
                submit(&mut rasterizer, &mut vram, &case);
            }
            &Event::Read(range) => {
                rasterizer.before_read(&mut vram, range, FlushReason::ProcessorRead);
                read.extend_from_slice(&vram.read_range(range));
            }
            &Event::Write(range, seed) => {
                rasterizer.before_write(&mut vram, range, FlushReason::ProcessorWrite);
                let mut random = Random(seed);
                let bytes: Vec<u8> = (0..range.length).map(|_| random.word() as u8).collect();
                vram.write(range.start, &bytes);
            }
            &Event::Copy(from, start) => {
                rasterizer.before_read(&mut vram, from, FlushReason::TransferRead);
                let bytes = vram.read_range(from).into_owned();
                let to = VramRange { start, ..from };
                rasterizer.before_write(&mut vram, to, FlushReason::TransferWrite);
                vram.write(start, &bytes);
            }
            Event::Flush => rasterizer.flush(&mut vram, FlushReason::Finished),
            &Event::Translate(translation) => {
                rasterizer.flush(&mut vram, FlushReason::Finished);
                vram.set_translation(translation);
            }
        }
    }
    rasterizer.flush(&mut vram, FlushReason::Finished);
    let statistics = rasterizer.statistics();
    Outcome {
        vram: vram.bytes().to_vec(),
        read,
        counts: [
            statistics.draws,
            statistics.points,
            statistics.lines,
            statistics.triangles,
            statistics.rectangles,
            statistics.invisible_primitives,
            statistics.pixels_covered,
            statistics.pixels_passed,
            statistics.antialiased_lines,
            rasterizer.allowance(),
        ],
    }
}

/// The way that defines what is right.
pub(crate) fn reference() -> Tuning {
    Tuning {
        threads: Threads::Count(count(1)),
        method: Method::Reference,
        ..Tuning::default()
    }
}

/// Any tile size, number of threads, size of batches and instruction set.
fn random_tuning(random: &mut Random) -> Tuning {
    let sizes = [TileSize::Small, TileSize::Medium, TileSize::Large];
    let levels = [
        SimdLevel::Portable,
        SimdLevel::Sse4,
        SimdLevel::Avx2,
        SimdLevel::Avx512,
    ];
    Tuning {
        threads: Threads::Count(count([1, 2, 8][random.below(3) as usize])),
        tile_size: sizes[random.below(3) as usize],
        batch_primitives: count([1, 2, 3, 7, 0x1_0000, 0x1_0000][random.below(6) as usize]),
        method: Method::Tiles,
        simd: levels[random.below(4) as usize],
    }
}

/// The tunings that a program is run with.
pub(crate) fn tunings_of(seed: u64) -> [Tuning; 3] {
    let mut random = Random(!seed);
    [0; 3].map(|_: u32| random_tuning(&mut random))
}

/// The program without all events that do not matter to a failure.
fn shrunk(program: &Program, fails: impl Fn(&Program) -> bool) -> Program {
    let mut program = program.clone();
    let mut length = program.events.len();
    while length > 0 {
        let mut start = 0;
        while start < program.events.len() {
            let mut shorter = program.clone();
            shorter
                .events
                .drain(start..(start + length).min(program.events.len()));
            if fails(&shorter) {
                program = shorter;
            } else {
                start += length;
            }
        }
        length /= 2;
    }
    // Fewer primitives.
    for at in 0..program.events.len() {
        let primitives = |program: &Program| match &program.events[at] {
            Event::Draw(case) | Event::DrawWithClut(_, case) => case.indices.len(),
            _ => 0,
        };
        for number in (0..primitives(&program)).rev() {
            let mut shorter = program.clone();
            if let Event::Draw(case) | Event::DrawWithClut(_, case) = &mut shorter.events[at] {
                case.indices.remove(number);
            }
            if fails(&shorter) {
                program = shorter;
            }
        }
    }
    program
}

/// Runs a program in several ways. Panics with what is left of it when one does not agree with the reference.
pub(crate) fn agrees(profile: Profile, program: &Program, tunings: &[Tuning]) -> [u64; 10] {
    let expected = run(profile, reference(), program);
    for &tuning in tunings {
        let differs =
            |program: &Program| run(profile, tuning, program).difference(&run(profile, reference(), program));
        if run(profile, tuning, program) == expected {
            continue;
        }
        let small = shrunk(program, |program| differs(program).is_some());
        panic!(
            "{profile:?}, {tuning:?}: {}\n{small:?}",
            differs(&small).unwrap_or_default()
        );
    }
    // One draw costs less than several that look at the same texture.
    if program.allowance == u64::MAX {
        let differs = |program: &Program| {
            let expected = run_one_by_one(profile, program);
            !run(profile, reference(), program).shows_the_same(&expected)
        };
        if differs(program) {
            panic!(
                "{profile:?}, primitive by primitive\n{:?}",
                shrunk(program, differs)
            );
        }
    }
    expected.counts
}
