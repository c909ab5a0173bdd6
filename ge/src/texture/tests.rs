//! Whatever writes memory, draws show what is there: they are those of a GE whose rasteriser knows no texture yet.

use std::num::NonZeroUsize;

use proptest::prelude::*;
use raster::{EdramTranslation, Profile, Rasterizer, Threads};

use crate::command::{Command, Opcode};
use crate::memory::{Memory, Place};
use crate::{Address, Ge, GeOptions, HostWrites};

const LIST: Address = Address::new(0x0800_0000);
const VERTICES: Address = Address::new(0x0802_0000);

/// Where textures, palettes and both ends of transfers are: main memory, its last page, the scratchpad, and VRAM through
/// its copies.
const PLACES: [u32; 9] = [
    0x0810_0000,
    0x0810_0F00,
    0x09FF_F800,
    0x0001_0000,
    0x0001_3000,
    0x0400_2000,
    0x0420_2000,
    0x0440_0000,
    0x0460_2400,
];
/// Offsets in VRAM that are drawn to.
const TARGETS: [u32; 3] = [0, 0x2000, 0x1_0000];

#[derive(Clone, Debug)]
enum Step {
    Write {
        place: usize,
        inside: u32,
        bytes: Vec<u8>,
    },
    /// Past the GE and its memory: see [`World`].
    Poke {
        place: usize,
        inside: u32,
        value: u8,
    },
    PokeVram {
        offset: usize,
        value: u8,
    },
    SetClut {
        start: usize,
        value: u8,
    },
    Translate {
        width: u32,
    },
    LoadClut {
        place: usize,
        blocks: u32,
    },
    Transfer {
        from: usize,
        to: usize,
        size: [u32; 2],
        wide: bool,
    },
    Clear {
        target: usize,
        depth: usize,
        corners: [u16; 4],
        color: u32,
    },
    Textured {
        target: usize,
        corners: [u16; 4],
        texture: Texture,
    },
}

#[derive(Clone, Debug)]
struct Texture {
    place: usize,
    format: u32,
    mode: u32,
    clut: u32,
}

fn step() -> impl Strategy<Value = Step> {
    let place = || 0..PLACES.len();
    let target = || 0..TARGETS.len();
    let corners = || (0..24u16, 0..24u16, 1..24u16, 1..24u16).prop_map(|(x, y, w, h)| [x, y, x + w, y + h]);
    let texture = (
        place(),
        prop_oneof![4..8u32, 0..11u32],
        0..2u32,
        prop::sample::select(vec![0xFF03, 0xFF00, 0x1_0F05]),
    )
        .prop_map(|(place, format, mode, clut)| Texture {
            place,
            format,
            mode,
            clut,
        });
    prop_oneof![
        3 => (place(), 0..0x1100u32, prop::collection::vec(0..3u8, 1..100))
            .prop_map(|(place, inside, bytes)| Step::Write { place, inside, bytes }),
        2 => (place(), 0..0x100u32, any::<u8>()).prop_map(|(place, inside, value)| Step::Poke { place, inside, value }),
        1 => (0..0x4000usize, any::<u8>()).prop_map(|(offset, value)| Step::PokeVram { offset, value }),
        1 => (0..64usize, any::<u8>()).prop_map(|(start, value)| Step::SetClut { start, value }),
        1 => prop::sample::select(vec![0, 0x200, 0x400, 0x1000]).prop_map(|width| Step::Translate { width }),
        2 => (place(), 0..40u32).prop_map(|(place, blocks)| Step::LoadClut { place, blocks }),
        2 => (place(), place(), [1..32u32, 1..16u32], any::<bool>())
            .prop_map(|(from, to, size, wide)| Step::Transfer { from, to, size, wide }),
        2 => (target(), target(), corners(), any::<u32>())
            .prop_map(|(target, depth, corners, color)| Step::Clear { target, depth, corners, color }),
        6 => (target(), corners(), texture)
            .prop_map(|(target, corners, texture)| Step::Textured { target, corners, texture }),
    ]
}

struct World {
    ge: Ge,
    remembers: bool,
}

impl World {
    /// Where the rasteriser remembers textures from step to step, or not. What is poked is told if `writes` says so.
    fn new(remembers: bool, writes: HostWrites) -> Self {
        let mut ge = Ge::new(GeOptions {
            threads: Threads::Count(NonZeroUsize::MIN),
            ..GeOptions::default()
        });
        ge.set_host_writes(writes);
        // Something everywhere, so that each byte shows.
        let noise: Vec<u8> = (0..0x4000_u32)
            .map(|index| (index.wrapping_mul(0x9E37_79B9) >> 13) as u8)
            .collect();
        for place in PLACES {
            ge.write(Address::new(place), &noise);
        }
        ge.set_clut(noise[..1024].try_into().expect("1024 bytes"));
        Self { ge, remembers }
    }

    fn take(&mut self, step: &Step) {
        if !self.remembers {
            self.ge.set_rasterizer(Rasterizer::new(
                Profile::Hardware,
                Threads::Count(NonZeroUsize::MIN),
            ));
        }
        let at = |place: usize, inside: u32| Address::new(PLACES[place] + inside);
        match step {
            Step::Write { place, inside, bytes } => {
                self.ge.write(at(*place, *inside), bytes);
            }
            Step::Poke { place, inside, value } => {
                self.ge.finish();
                let address = at(*place, *inside);
                let Memory { scratchpad, ram, .. } = &mut self.ge.memory;
                match Memory::default().place(address) {
                    Some(Place::Scratchpad(offset)) => scratchpad.bytes[offset] = *value,
                    Some(Place::Ram(offset)) => ram.bytes[offset] = *value,
                    _ => return,
                }
                if self.ge.host_writes == HostWrites::Told {
                    self.ge.note_written(address, 1);
                }
            }
            Step::PokeVram { offset, value } => self.ge.memory_mut().vram_mut().bytes_mut()[*offset] = *value,
            Step::SetClut { start, value } => {
                let mut clut = *self.ge.clut();
                clut[*start] = *value;
                self.ge.set_clut(&clut);
            }
            Step::Translate { width } => {
                self.ge
                    .set_translation(EdramTranslation::from_width(*width).unwrap_or_default());
            }
            Step::LoadClut { place, blocks } => {
                let address = at(*place, 0).get();
                self.run(&[
                    (Opcode::CLUTADDR, address & 0xFF_FFFF),
                    (Opcode::CLUTADDRHI, address >> 24 << 16),
                    (Opcode::LOADCLUT, *blocks),
                ]);
            }
            Step::Transfer { from, to, size, wide } => {
                let (from, to) = (at(*from, 0).get(), at(*to, 0).get());
                self.run(&[
                    (Opcode::XFERSRC, from & 0xFF_FFFF),
                    (Opcode::XFERSRCW, from >> 24 << 16 | 32),
                    (Opcode::XFERDST, to & 0xFF_FFFF),
                    (Opcode::XFERDSTW, to >> 24 << 16 | 64),
                    (Opcode::XFERSIZE, (size[1] - 1) << 10 | (size[0] - 1)),
                    (Opcode::XFERSTART, (*wide).into()),
                ]);
            }
            Step::Clear {
                target,
                depth,
                corners,
                color,
            } => {
                self.rectangle(
                    *corners,
                    *color,
                    &[
                        (Opcode::FBPTR, TARGETS[*target]),
                        (Opcode::ZBPTR, TARGETS[*depth]),
                        (Opcode::CLEARMODE, 0x701),
                    ],
                );
            }
            Step::Textured {
                target,
                corners,
                texture,
            } => {
                let address = at(texture.place, 0).get();
                self.rectangle(
                    *corners,
                    !0,
                    &[
                        (Opcode::FBPTR, TARGETS[*target]),
                        (Opcode::CLEARMODE, 0),
                        (Opcode::TEXENABLE, 1),
                        (Opcode::TEXADDR0, address & 0xFF_FFFF),
                        (Opcode::TEXBUFW0, address >> 24 << 16 | 64),
                        (Opcode::TEXSIZE0, 0x505),
                        (Opcode::TEXMODE, texture.mode),
                        (Opcode::TEXFORMAT, texture.format),
                        (Opcode::TEXFUNC, 0x103),
                        (Opcode::CLUTFORMAT, texture.clut),
                    ],
                );
            }
        }
    }

    /// A rectangle in through mode whose texels are its pixels.
    fn rectangle(&mut self, [left, top, right, bottom]: [u16; 4], color: u32, state: &[(Opcode, u32)]) {
        let corner = |x: u16, y: u16| {
            let [low, high] = [color as u16, (color >> 16) as u16];
            [x, y, low, high, x, y, color as u16, 0]
        };
        let vertices = [corner(left, top), corner(right, bottom)];
        let bytes: Vec<u8> = vertices
            .iter()
            .flatten()
            .flat_map(|half| half.to_le_bytes())
            .collect();
        self.ge.write(VERTICES, &bytes);
        let frame = [
            (Opcode::VTYPE, 0x80_011E),
            (Opcode::BASE, 0x08_0000),
            (Opcode::VADDR, VERTICES.get() & 0xFF_FFFF),
            (Opcode::FBWIDTH, 64),
            (Opcode::ZBWIDTH, 64),
            (Opcode::FBFORMAT, 3),
            (Opcode::SCISSOR2, 63 << 10 | 63),
            (Opcode::REGION2, 63 << 10 | 63),
        ];
        self.run(&[&frame, state, &[(Opcode::PRIM, 6 << 16 | 2)]].concat());
    }

    fn run(&mut self, commands: &[(Opcode, u32)]) {
        let end = [(Opcode::FINISH, 0), (Opcode::END, 0)];
        let words: Vec<Command> = commands
            .iter()
            .chain(&end)
            .map(|&(opcode, argument)| Command::new(opcode, argument))
            .collect();
        self.ge.write_list(LIST, &words);
        self.ge.run(LIST, None, 1 << 20).expect("a list that ends");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_draw_shows_what_a_texture_was(
        steps in prop::collection::vec(step(), 1..40),
        textures in prop::collection::vec(0..40usize, 40),
        told: bool,
    ) {
        // Few textures, many times.
        let mut steps = steps;
        for (index, other) in textures.into_iter().enumerate().take(steps.len()) {
            let texture = steps.get(other).and_then(|step| match step {
                Step::Textured { texture, .. } => Some(texture.clone()),
                _ => None,
            });
            if let (Some(known), Step::Textured { texture, .. }) = (texture, &mut steps[index]) {
                *texture = known;
            }
        }
        let writes = if told { HostWrites::Told } else { HostWrites::Untold };
        let (mut remembering, mut fresh) = (World::new(true, writes), World::new(false, writes));
        for step in &steps {
            remembering.take(step);
            fresh.take(step);
        }
        let same = remembering.ge.memory().vram().bytes() == fresh.ge.memory().vram().bytes();
        prop_assert!(same);
    }
}

#[test]
fn only_a_run_whose_host_does_not_tell_looks_again() {
    let texture = Texture {
        place: 0,
        format: 3,
        mode: 0,
        clut: 0,
    };
    let step = Step::Textured {
        target: 0,
        corners: [0, 0, 8, 8],
        texture,
    };
    let counts = |world: &mut World| {
        world.take(&step);
        let statistics = world.ge.statistics();
        (statistics.textures_decoded, statistics.textures_hashed)
    };
    let mut world = World::new(true, HostWrites::Told);
    assert_eq!([counts(&mut world), counts(&mut world)], [(1, 1), (1, 1)]);
    world.ge.write(Address::new(PLACES[0]), &[1]);
    assert_eq!([counts(&mut world), counts(&mut world)], [(2, 2), (2, 2)]);
    world.ge.write(Address::new(PLACES[0]), &[1]);
    assert_eq!(counts(&mut world), (2, 2), "nothing was changed");
    world.ge.note_written(Address::new(PLACES[0]), 4);
    assert_eq!(counts(&mut world), (2, 3));
    world.ge.set_host_writes(HostWrites::Untold);
    assert_eq!([counts(&mut world), counts(&mut world)], [(2, 4), (2, 5)]);
}
