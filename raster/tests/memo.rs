//! What a rasteriser remembers of textures never shows: after any writes, draws are those of a rasteriser that has
//! not seen anything before.
#![forbid(unsafe_code)]

use std::num::NonZeroUsize;

use proptest::prelude::*;
use raster::{
    Change, Clut, CompareFunction, Draw, EdramTranslation, FlushReason, FrameFormat, LevelSize, PageChanges,
    PixelState, Primitives, Profile, Rasterizer, Scissor, ScreenVertex, Stamp, StateFlags, Subpixel, Target,
    TexelOrder, TextureFormat, TextureFunction, TextureLevel, TextureSource, Threads, Vram, VramRange,
};

/// Where textures, targets and depth buffers are: close together, so that they meet.
const PLACES: [u32; 6] = [0, 0x1000, 0x2400, 0x4000, 0x1F_F800, 0x1_0000];

/// Something that changes memory, or draws.
#[derive(Clone, Debug)]
enum Step {
    /// The host writes VRAM through a copy.
    Write {
        copy: u32,
        place: usize,
        inside: u32,
        bytes: Vec<u8>,
    },
    /// The host writes what is there.
    WriteAgain { copy: u32, place: usize, length: u32 },
    /// The host writes the plain bytes.
    Poke { place: usize, value: u8 },
    /// The host changes the permutation of the copies.
    Translate { width: u32 },
    /// The host writes its own memory, and tells.
    WriteOwn { start: usize, bytes: Vec<u8> },
    /// The palette changes.
    LoadClut { start: usize, bytes: Vec<u8> },
    /// A rectangle of colours, depths or both.
    Fill {
        target: (usize, usize, u32),
        corners: [i32; 4],
        color: u32,
        depth: u32,
        tested: bool,
    },
    /// A rectangle with a texture.
    Textured {
        target: (usize, usize, u32),
        corners: [i32; 4],
        texture: Texture,
    },
}

#[derive(Clone, Debug)]
struct Texture {
    /// A copy and a place in it, or an offset in the host's memory.
    levels: Vec<(Option<u32>, usize)>,
    format: u32,
    swizzled: bool,
    clut: (u32, u8, u8, bool),
}

fn step() -> impl Strategy<Value = Step> {
    let place = || 0..PLACES.len();
    let target = || (place(), place(), 0..4u32);
    let corners = || (0..24i32, 0..24i32, 1..24i32, 1..24i32).prop_map(|(x, y, w, h)| [x, y, x + w, y + h]);
    let bytes = |most| prop::collection::vec(0..4u8, 1..most);
    let texture = (
        prop::collection::vec((prop::option::of(0..4u32), place()), 1..3),
        prop_oneof![4..8u32, 0..11u32],
        any::<bool>(),
        (0..4u32, 0..3u8, 0..2u8, any::<bool>()),
    );
    let texture = texture.prop_map(|(levels, format, swizzled, clut)| Texture {
        levels,
        format,
        swizzled,
        clut,
    });
    prop_oneof![
        1 => (0..4u32, place(), 0..0x1000u32, bytes(80))
            .prop_map(|(copy, place, inside, bytes)| Step::Write { copy, place, inside, bytes }),
        1 => (0..4u32, place(), 1..0x2000u32)
            .prop_map(|(copy, place, length)| Step::WriteAgain { copy, place, length }),
        1 => (place(), any::<u8>()).prop_map(|(place, value)| Step::Poke { place, value }),
        1 => prop::sample::select(vec![0, 0x200, 0x400, 0x800, 0x1000]).prop_map(|width| Step::Translate { width }),
        1 => (0..OWN, bytes(80)).prop_map(|(start, bytes)| Step::WriteOwn { start, bytes }),
        2 => (prop_oneof![0..16usize, 0..1024usize], prop::collection::vec(any::<u8>(), 1..64)).prop_map(|(start, bytes)| Step::LoadClut { start, bytes }),
        1 => (target(), corners(), any::<u32>(), 0..0x1_0000u32, any::<bool>())
            .prop_map(|(target, corners, color, depth, tested)| Step::Fill { target, corners, color, depth, tested }),
        6 => (target(), corners(), texture)
            .prop_map(|(target, corners, texture)| Step::Textured { target, corners, texture }),
    ]
}

/// Bytes of the host's memory.
const OWN: usize = 0x5000;

/// Everything a sequence of steps changes.
struct World {
    vram: Vram,
    own: Vec<u8>,
    own_changes: PageChanges,
    clut: [u8; 1024],
    clut_change: Change,
    rasterizer: Rasterizer,
    /// Whether the rasteriser keeps what it knows from one draw to the next, and is told what it may know.
    remembers: bool,
}

impl World {
    fn new(remembers: bool) -> Self {
        Self {
            vram: Vram::default(),
            own: vec![0; OWN],
            own_changes: PageChanges::new(OWN),
            clut: [0; 1024],
            clut_change: Change::NONE,
            rasterizer: rasterizer(),
            remembers,
        }
    }

    fn draw(&mut self, state: &PixelState, texture: Option<&Texture>, corners: [i32; 4], color: u32, z: u32) {
        if !self.remembers {
            self.rasterizer.flush(&mut self.vram, FlushReason::Finished);
            self.rasterizer = rasterizer();
        }
        let corner = |x: i32, y: i32| ScreenVertex {
            x: Subpixel(16 * x),
            y: Subpixel(16 * y),
            z,
            color,
            s: x as f32,
            t: y as f32,
            q: 1.0,
            w: 1.0,
            ..ScreenVertex::default()
        };
        let [left, top, right, bottom] = corners;
        // Twice, so that a texture may change between two primitives.
        let vertices = [
            corner(left, top),
            corner(right, bottom),
            corner(left + 3, top + 1),
            corner(right + 3, bottom + 1),
        ];
        let size = LevelSize {
            log2_width: 5,
            log2_height: 5,
        };
        let levels = texture
            .map_or(&[][..], |texture| &texture.levels)
            .iter()
            .map(|&(copy, place)| {
                let start = (PLACES[place] as usize).min(OWN - 16);
                TextureLevel {
                    bytes: if copy.is_none() { &self.own[start..] } else { &[] },
                    stamp: (self.remembers && copy.is_none()).then(|| Stamp {
                        place: start as u64,
                        change: self.own_changes.latest(start, OWN - start),
                    }),
                    buffer_width: 64,
                    size,
                    vram: copy.map(|copy| VramRange {
                        start: copy << 21 | PLACES[place],
                        length: 0x4000,
                    }),
                }
            });
        let levels: Vec<_> = levels.collect();
        let source = texture.map(|texture| TextureSource {
            format: TextureFormat::from_bits(texture.format),
            order: if texture.swizzled {
                TexelOrder::Swizzled
            } else {
                TexelOrder::Linear
            },
            levels: &levels,
            clut: Clut {
                memory: &self.clut,
                change: self.remembers.then_some(self.clut_change),
                format: FrameFormat::from_bits(texture.clut.0),
                shift: texture.clut.1,
                mask: 0xFF,
                start: texture.clut.2,
                per_level: texture.clut.3,
            },
        });
        let primitives = Primitives::Rectangles(&[[0, 1], [2, 3]]);
        self.rasterizer.draw(
            &mut self.vram,
            &Draw {
                state,
                texture: source,
                vertices: &vertices,
                primitives,
            },
        );
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Write {
                copy,
                place,
                inside,
                bytes,
            } => {
                let start = copy << 21 | (PLACES[*place] + inside) & 0x1F_FFFF;
                self.write(start, bytes);
            }
            Step::WriteAgain { copy, place, length } => {
                let range = VramRange {
                    start: copy << 21 | PLACES[*place],
                    length: *length,
                };
                self.rasterizer
                    .before_read(&mut self.vram, range, FlushReason::ProcessorRead);
                let bytes = self.vram.read_range(range).into_owned();
                self.write(range.start, &bytes);
            }
            Step::Poke { place, value } => {
                self.rasterizer.flush(&mut self.vram, FlushReason::ProcessorWrite);
                self.vram.bytes_mut()[PLACES[*place] as usize] = *value;
            }
            Step::Translate { width } => {
                self.rasterizer.flush(&mut self.vram, FlushReason::ProcessorWrite);
                self.vram
                    .set_translation(EdramTranslation::from_width(*width).unwrap_or_default());
            }
            Step::WriteOwn { start, bytes } => {
                self.own_changes.write(&mut self.own, *start, bytes);
            }
            Step::LoadClut { start, bytes } => {
                for (old, &new) in self.clut[*start..].iter_mut().zip(bytes) {
                    if *old != new {
                        *old = new;
                        self.clut_change = Change::next();
                    }
                }
            }
            Step::Fill {
                target,
                corners,
                color,
                depth,
                tested,
            } => {
                let mut state = state(
                    *target,
                    StateFlags::DEPTH_WRITE.with(StateFlags::DEPTH_TEST, *tested),
                );
                state.depth_function = CompareFunction::GREATER_OR_EQUAL;
                self.draw(&state, None, *corners, *color, *depth);
            }
            Step::Textured {
                target,
                corners,
                texture,
            } => {
                let mipmaps = texture.levels.len() > 1;
                let flags = StateFlags::TEXTURE.with(StateFlags::MIPMAP, mipmaps);
                let mut state = state(*target, flags.with(StateFlags::TEXTURE_ALPHA, true));
                state.texture.function = TextureFunction::REPLACE;
                state.texture.highest_level = texture.levels.len() as u8 - 1;
                state.texture.level_bias = 16 * i32::from(mipmaps && corners[0] % 2 == 0);
                self.draw(&state, Some(texture), *corners, !0, 0);
            }
        }
    }

    fn write(&mut self, start: u32, bytes: &[u8]) {
        let range = VramRange {
            start,
            length: bytes.len() as u32,
        };
        self.rasterizer
            .before_write(&mut self.vram, range, FlushReason::ProcessorWrite);
        self.vram.write(start, bytes);
    }
}

fn rasterizer() -> Rasterizer {
    Rasterizer::new(Profile::Hardware, Threads::Count(NonZeroUsize::MIN))
}

fn state((color, depth, format): (usize, usize, u32), flags: StateFlags) -> PixelState {
    PixelState {
        flags: flags.with(StateFlags::THROUGH, true),
        target: Target {
            color_offset: PLACES[color],
            color_stride: 64,
            depth_stride: 64,
            depth_offset: PLACES[depth],
            format: FrameFormat::from_bits(format),
            ..Target::default()
        },
        scissor: Scissor {
            left: 0,
            top: 0,
            right: 63,
            bottom: 63,
        },
        ..PixelState::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_draw_shows_what_a_texture_was(
        steps in prop::collection::vec(step(), 1..24),
        textures in prop::collection::vec(0..24usize, 24),
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
        let (mut remembering, mut fresh) = (World::new(true), World::new(false));
        for (number, step) in steps.iter().enumerate() {
            remembering.take(step);
            fresh.take(step);
            // Sometimes, so that draws are pending too.
            if number % 3 == 0 {
                remembering.rasterizer.flush(&mut remembering.vram, FlushReason::Finished);
                fresh.rasterizer.flush(&mut fresh.vram, FlushReason::Finished);
                prop_assert!(remembering.vram.bytes() == fresh.vram.bytes(), "step {}", number);
            }
        }
        remembering.rasterizer.flush(&mut remembering.vram, FlushReason::Finished);
        fresh.rasterizer.flush(&mut fresh.vram, FlushReason::Finished);
        prop_assert!(remembering.vram.bytes() == fresh.vram.bytes(), "at the end");
    }

    #[test]
    fn ranges_of_vram_change_where_their_bytes_do(
        steps in prop::collection::vec(step(), 1..24),
        ranges in prop::collection::vec((0..4u32, 0..PLACES.len(), 1..0x3000u32), 6),
    ) {
        let mut world = World::new(true);
        let looked = |vram: &Vram| {
            let look = |&(copy, place, length): &(u32, usize, u32)| {
                let range = VramRange { start: copy << 21 | PLACES[place], length };
                (vram.translation(), vram.latest_change(range), vram.read_range(range).into_owned())
            };
            ranges.iter().map(look).collect::<Vec<_>>()
        };
        let mut before = looked(&world.vram);
        for step in &steps {
            world.take(step);
            world.rasterizer.flush(&mut world.vram, FlushReason::Finished);
            let now = looked(&world.vram);
            for (then, now) in before.iter().zip(&now) {
                let same = (then.0, then.1) == (now.0, now.1);
                prop_assert!(!same || then.2 == now.2, "{step:?}");
            }
            before = now;
        }
    }
}

#[test]
fn a_texture_is_looked_at_once_and_again_when_its_pages_change() {
    let mut world = World::new(true);
    let texture = |levels| Texture {
        levels,
        format: 3,
        swizzled: false,
        clut: (3, 0, 0, false),
    };
    let (own, in_vram) = (texture(vec![(None, 3)]), texture(vec![(Some(0), 5)]));
    let counts = |world: &mut World, texture: &Texture| {
        let step = Step::Textured {
            target: (0, 0, 3),
            corners: [0, 0, 8, 8],
            texture: texture.clone(),
        };
        world.take(&step);
        world.rasterizer.flush(&mut world.vram, FlushReason::Finished);
        let statistics = world.rasterizer.statistics();
        (
            statistics.textures_decoded,
            statistics.textures_reused,
            statistics.textures_hashed,
        )
    };
    world.own_changes.write(&mut world.own, 0x4000, &[7; 0x800]);
    assert_eq!(counts(&mut world, &own), (1, 0, 1));
    assert_eq!(counts(&mut world, &own), (1, 1, 1));
    assert_eq!(counts(&mut world, &in_vram), (2, 1, 2));
    assert_eq!(
        counts(&mut world, &own),
        (2, 2, 2),
        "the draw before had another one"
    );
    // The same bytes again, and others in another page.
    world.own_changes.write(&mut world.own, 0x4000, &[7; 0x800]);
    world.own_changes.write(&mut world.own, 0, &[1]);
    assert_eq!(counts(&mut world, &own), (2, 3, 2));
    // Another byte in the page, behind what the texture uses.
    world.own_changes.write(&mut world.own, 0x4FFF, &[1]);
    let (decoded, reused, hashed) = counts(&mut world, &own);
    assert_eq!((decoded + reused, hashed), (6, 3));
    world.vram.note_all_changed();
    assert_eq!(
        counts(&mut world, &in_vram),
        (decoded, reused + 1, 4),
        "the bytes are the same"
    );
    assert_eq!(counts(&mut world, &in_vram), (decoded, reused + 2, 4));
}
