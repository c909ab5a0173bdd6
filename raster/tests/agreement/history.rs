//! A watched pixel tells what drawing did to it: the same draws, watched, leave the same VRAM, and what is told of the
//! pixel begins and ends with what lies there.

use proptest::prelude::*;
use raster::{
    FlushReason, Fragment, PixelState, Profile, Rasterizer, Scissor, Step, Target, Threads, Vram, VramRange,
};

use crate::soup::{Case, Random, random_case, submit};
use crate::{count, noise};

fn rasterizer(profile: Profile) -> Rasterizer {
    Rasterizer::new(profile, Threads::Count(count(1)))
}

fn place(target: &Target, [x, y]: [u32; 2]) -> VramRange {
    let pixel = y * u32::from(target.color_stride) + x;
    VramRange {
        start: target.color_offset + pixel * target.format.bytes(),
        length: target.format.bytes(),
    }
}

/// The bits of the pixel and its depth.
fn stored(vram: &Vram, target: &Target, position: [u32; 2]) -> (u32, u16) {
    let range = place(target, position);
    let mut color = [0; 4];
    vram.read(range.start & 0x1F_FFFF, &mut color[..range.length as usize]);
    let mut depth = [0; 2];
    let [x, y] = position;
    let offset = target.depth_offset + 2 * (y * u32::from(target.depth_stride) + x);
    vram.read(0x60_0000 + offset, &mut depth);
    (u32::from_le_bytes(color), u16::from_le_bytes(depth))
}

/// Whether each pixel that may be drawn has bytes of its own.
fn is_plain(PixelState { target, scissor, .. }: &PixelState) -> bool {
    (target.color_offset, target.depth_offset, target.color_stride) == (0, 0x4_0000, 128)
        && scissor.right < 128
        && scissor.bottom < 256
}

/// How many fragments were seen, how many of them passed, and by how many kinds of steps others were discarded.
#[derive(Debug, Default)]
struct Seen {
    fragments: u64,
    passed: u64,
    discarded_by: std::collections::BTreeSet<&'static str>,
}

impl Seen {
    fn add(&mut self, fragments: &[Fragment]) {
        for fragment in fragments {
            self.fragments += 1;
            self.passed += u64::from(fragment.passed);
            let name = fragment.discarded_by().map(|step| match step {
                Step::DepthRange { .. } => "depth range",
                Step::DepthTest { .. } => "depth test",
                Step::AlphaTest { .. } => "alpha test",
                Step::ColorTest { .. } => "colour test",
                Step::StencilTest { .. } => "stencil test",
                other => panic!("{other:?} discards nothing"),
            });
            self.discarded_by.extend(name);
        }
    }
}

/// What covers and passes where nothing but the pixel may be drawn, as the statistics count it.
fn counts_of_pixel(profile: Profile, vram: &Vram, case: &Case, [x, y]: [u32; 2]) -> [u64; 2] {
    let scissor = case.state.scissor;
    let inside = (u32::from(scissor.left)..=u32::from(scissor.right)).contains(&x)
        && (u32::from(scissor.top)..=u32::from(scissor.bottom)).contains(&y);
    if !inside {
        return [0; 2];
    }
    let (x, y) = (x as u16, y as u16);
    let alone = case.with_state(PixelState {
        scissor: Scissor {
            left: x,
            top: y,
            right: x,
            bottom: y,
        },
        ..case.state
    });
    let mut vram = vram.clone();
    let mut rasterizer = rasterizer(profile);
    submit(&mut rasterizer, &mut vram, &alone);
    rasterizer.flush(&mut vram, FlushReason::Finished);
    let statistics = rasterizer.statistics();
    [statistics.pixels_covered, statistics.pixels_passed]
}

fn history_is_what_is_drawn(profile: Profile, seeds: &[u64], seen: &mut Seen) -> Result<(), TestCaseError> {
    let mut random = Random(seeds.iter().fold(1, |sum, seed| sum ^ seed));
    let (mut expected, mut vram) = (noise(), noise());
    let (mut unwatched, mut watched) = (rasterizer(profile), rasterizer(profile));
    for case in seeds.iter().map(|&seed| random_case(seed)) {
        let target = case.state.target;
        let position = [40 + random.below(60), 40 + random.below(30)];
        let before = stored(&vram, &target, position);
        let counts = counts_of_pixel(profile, &vram, &case, position);
        submit(&mut unwatched, &mut expected, &case);
        unwatched.flush(&mut expected, FlushReason::Finished);
        watched.watch(Some(place(&target, position)));
        submit(&mut watched, &mut vram, &case);
        watched.flush(&mut vram, FlushReason::Finished);
        prop_assert!(vram.bytes() == expected.bytes(), "watching changed pixels");
        let fragments = watched.take_fragments();
        seen.add(&fragments);
        for fragment in &fragments {
            prop_assert_eq!(
                fragment.passed,
                fragment.discarded_by().is_none(),
                "{:?}",
                fragment
            );
        }
        if !is_plain(&case.state) {
            continue;
        }
        let mut value = before;
        for fragment in &fragments {
            prop_assert_eq!(fragment.position.map(u32::from), position);
            prop_assert_eq!((fragment.before.stored, fragment.before.depth), value);
            value = (fragment.after.stored, fragment.after.depth);
        }
        prop_assert_eq!(value, stored(&expected, &target, position), "{:?}", fragments);
        let passed = fragments.iter().filter(|fragment| fragment.passed).count();
        // What PPSSPP covers depends on the scissor, from which its quads count (spec/ppsspp-profile.md §5.2).
        if profile == Profile::Hardware {
            prop_assert_eq!([fragments.len() as u64, passed as u64], counts);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn history_ends_with_what_drawing_leaves(seeds in prop::collection::vec(any::<u64>(), 1..12)) {
        for profile in [Profile::Hardware, Profile::Ppsspp] {
            history_is_what_is_drawn(profile, &seeds, &mut Seen::default())?;
        }
    }
}

#[test]
fn every_test_is_seen_to_discard() {
    let mut seen = Seen::default();
    let seeds: Vec<u64> = (0..5000).collect();
    for seeds in seeds.chunks(50) {
        history_is_what_is_drawn(Profile::Hardware, seeds, &mut seen).unwrap();
    }
    assert!(seen.fragments > 200 && seen.passed > 50, "{seen:?}");
    let all = [
        "alpha test",
        "colour test",
        "depth range",
        "depth test",
        "stencil test",
    ];
    assert!(seen.discarded_by.iter().eq(&all), "{seen:?}");
}
