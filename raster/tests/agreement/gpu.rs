//! The GPU draws what the processor draws, all 2 MiB of it. Where there is no adapter these tests skip and say so,
//! unless `GE_HARNESS_REQUIRE_GPU` is set: then they fail.

use std::sync::OnceLock;

use proptest::prelude::*;
use raster::{FlushReason, Gpu, GpuError, GpuOptions, Profile, Rasterizer, Tuning, Vram};

use crate::soup::{Case, random_case, submit};
use crate::{count, noise, tunings};

/// The adapter that the tests share.
fn gpu() -> Option<Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    GPU.get_or_init(|| match Gpu::open(&GpuOptions::default()) {
        Ok(gpu) => Some(gpu),
        Err(error) if std::env::var_os("GE_HARNESS_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    })
    .clone()
}

fn drawn(mut rasterizer: Rasterizer, cases: &[Case]) -> (Vram, [u64; 2], Rasterizer) {
    let mut vram = noise();
    for case in cases {
        submit(&mut rasterizer, &mut vram, case);
    }
    rasterizer.flush(&mut vram, FlushReason::Finished);
    let statistics = rasterizer.statistics();
    let counts = [statistics.pixels_covered, statistics.pixels_passed];
    (vram, counts, rasterizer)
}

/// Where two VRAMs part, in words.
fn difference(found: &Vram, expected: &Vram) -> Option<String> {
    let at = (found.bytes().iter().zip(expected.bytes())).position(|(a, b)| a != b)?;
    let word = |vram: &Vram| vram.bytes()[at & !3..][..4].to_vec();
    Some(format!(
        "at {at:#x}: {:02x?} instead of {:02x?}",
        word(found),
        word(expected)
    ))
}

fn agrees(gpu: &Gpu, profile: Profile, tuning: Tuning, seeds: &[u64]) -> Result<(), TestCaseError> {
    let cases: Vec<Case> = seeds.iter().map(|&seed| random_case(seed)).collect();
    let (expected, expected_counts, _) = drawn(Rasterizer::with_tuning(profile, tunings()[0]), &cases);
    let (found, counts, rasterizer) = drawn(Rasterizer::with_gpu(profile, tuning, gpu.clone()), &cases);
    prop_assert_eq!(rasterizer.device_lost(), None);
    prop_assert_eq!(difference(&found, &expected), None);
    prop_assert_eq!(counts, expected_counts);
    Ok(())
}

fn profiles() -> impl Strategy<Value = Profile> {
    prop_oneof![Just(Profile::Hardware), Just(Profile::Ppsspp)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gpu_draws_what_the_processor_draws(
        seeds in prop::collection::vec(any::<u64>(), 1..12), profile in profiles(), small in any::<bool>(),
    ) {
        if let Some(gpu) = gpu() {
            let mut tuning = Tuning::default();
            if small {
                tuning.batch_primitives = count(2);
            }
            agrees(&gpu, profile, tuning, &seeds)?;
        }
    }
}

#[test]
fn a_difference_would_be_seen() {
    let Some(gpu) = gpu() else { return };
    let cases: Vec<Case> = (0..40).map(random_case).collect();
    let on_gpu = || Rasterizer::with_gpu(Profile::Hardware, Tuning::default(), gpu.clone());
    let (full, counts, rasterizer) = drawn(on_gpu(), &cases);
    assert!(counts[0] > 1000 && counts[1] > 500, "{counts:?}");
    assert!(
        rasterizer
            .device_statistics()
            .is_some_and(|device| device.batches > 5)
    );
    let shorter = |last: usize| drawn(on_gpu(), &cases[..last]).0;
    assert!((30..40).any(|last| difference(&shorter(last), &full).is_some()));
    let mut bit = full.clone();
    bit.bytes_mut()[0x1234] ^= 1;
    assert!(difference(&bit, &full).is_some_and(|words| words.starts_with("at 0x1234")));
}

#[test]
fn a_lost_device_loses_no_pixel() {
    if gpu().is_none() {
        return;
    }
    for (seeds, lost_at) in [
        (100, 0),
        (100, 7),
        (100, 30),
        (100, 59),
        (5000, 20),
        (5100, 44),
        (5200, 59),
    ] {
        let cases: Vec<Case> = (seeds..seeds + 60).map(random_case).collect();
        let (expected, expected_counts, _) =
            drawn(Rasterizer::with_tuning(Profile::Hardware, tunings()[0]), &cases);
        let gpu = Gpu::open(&GpuOptions::default()).expect("an adapter");
        let mut rasterizer = Rasterizer::with_gpu(Profile::Hardware, Tuning::default(), gpu.clone());
        let mut vram = noise();
        for (number, case) in cases.iter().enumerate() {
            if number == lost_at {
                gpu.lose();
            }
            submit(&mut rasterizer, &mut vram, case);
        }
        rasterizer.flush(&mut vram, FlushReason::Finished);
        assert_eq!(difference(&vram, &expected), None, "lost at {lost_at}");
        let statistics = rasterizer.statistics();
        assert_eq!(
            [statistics.pixels_covered, statistics.pixels_passed],
            expected_counts
        );
        assert!(matches!(rasterizer.device_lost(), Some(GpuError::Lost { .. })));
        assert!(gpu.check().is_err());
    }
}

#[test]
fn a_small_adapter_draws_the_same() {
    let Some(_) = gpu() else { return };
    let smallest = GpuOptions {
        largest_binding: Some(Vram::SIZE as u64),
        ..GpuOptions::default()
    };
    let gpu = Gpu::open(&smallest).expect("a small adapter");
    agrees(
        &gpu,
        Profile::Hardware,
        Tuning::default(),
        &[1, 2, 3, 4, 5, 6, 7, 8],
    )
    .expect("the same bits");
    let too_small = GpuOptions {
        largest_binding: Some(Vram::SIZE as u64 - 1),
        ..GpuOptions::default()
    };
    assert!(matches!(
        Gpu::open(&too_small),
        Err(GpuError::TooSmall { found: 0x1F_FFFF, .. })
    ));
}

#[test]
fn register_soup_is_the_same() {
    let Some(gpu) = gpu() else { return };
    let seeds: Vec<u64> = (1000..2000).collect();
    for profile in [Profile::Hardware, Profile::Ppsspp] {
        agrees(&gpu, profile, Tuning::default(), &seeds).expect("the same bits");
    }
}

#[test]
fn the_device_passes_the_self_test() {
    if let Some(gpu) = gpu() {
        assert_eq!(gpu.self_test(), Ok(()));
    }
}

/// Draws that sample what draws before them left: the soup's textures in VRAM lie where it draws.
#[test]
fn textures_are_decoded_on_the_device() {
    let Some(gpu) = gpu() else { return };
    let cases: Vec<Case> = (5000..5400).map(random_case).collect();
    let (expected, _, _) = drawn(Rasterizer::with_tuning(Profile::Hardware, tunings()[0]), &cases);
    let on_gpu = Rasterizer::with_gpu(Profile::Hardware, Tuning::default(), gpu);
    let (found, _, rasterizer) = drawn(on_gpu, &cases);
    assert_eq!(difference(&found, &expected), None);
    let statistics = rasterizer.device_statistics().expect("a GPU");
    assert!(statistics.textures_decoded > 10, "{statistics}");
}

/// Draws that a small adapter's buffers do not hold together, and one that they do not hold at all.
mod small {
    use raster::{
        Clut, Draw, FlushReason, FrameFormat, Gpu, GpuOptions, LevelSize, PixelState, Primitives, Profile,
        Rasterizer, Scissor, ScreenVertex, StateFlags, Subpixel, Target, TexelOrder, TextureFormat,
        TextureFunction, TextureLevel, TextureSource, TextureState, Tuning, Vram,
    };

    use super::{difference, gpu, tunings};

    const LARGE: LevelSize = LevelSize {
        log2_width: 9,
        log2_height: 9,
    };

    /// A rectangle over all 1024 x 1024 pixels, with so many levels of 512 x 512 texels of one byte.
    fn draw(rasterizer: &mut Rasterizer, vram: &mut Vram, color: u32, levels: usize, bytes: &[u8]) {
        let flags = StateFlags::THROUGH.with(StateFlags::TEXTURE, levels > 0);
        let state = PixelState {
            flags: flags.with(StateFlags::MIPMAP, levels > 1),
            target: Target {
                color_stride: 1024,
                depth_stride: 1024,
                format: FrameFormat::RGB565,
                ..Target::default()
            },
            scissor: Scissor {
                left: 0,
                top: 0,
                right: 1023,
                bottom: 1023,
            },
            texture: TextureState {
                function: TextureFunction::REPLACE,
                highest_level: levels.saturating_sub(1) as u8,
                ..TextureState::default()
            },
            ..PixelState::default()
        };
        let level = TextureLevel {
            stamp: None,
            bytes,
            buffer_width: 512,
            size: LARGE,
            vram: None,
        };
        let all = vec![level; levels];
        let corner = |at: i32| ScreenVertex {
            x: Subpixel(16 * at),
            y: Subpixel(16 * at),
            s: at as f32 / 2.0,
            t: at as f32 / 2.0,
            color,
            ..ScreenVertex::default()
        };
        let source = TextureSource {
            format: TextureFormat::CLUT8,
            order: TexelOrder::Linear,
            levels: &all,
            clut: Clut {
                change: None,
                memory: &std::array::from_fn(|index| index as u8),
                format: FrameFormat::RGBA8888,
                shift: 0,
                mask: 0xFF,
                start: 0,
                per_level: false,
            },
        };
        rasterizer.draw(
            vram,
            &Draw {
                state: &state,
                texture: (levels > 0).then_some(source),
                vertices: &[corner(0), corner(1024)],
                primitives: Primitives::Rectangles(&[[0, 1]]),
            },
        );
    }

    /// A rectangle's colour, the levels of its texture, and which one that is.
    type Rectangle = (u32, usize, usize);

    #[test]
    fn batches_split_before_a_buffer_overflows() {
        if gpu().is_none() {
            return;
        }
        let smallest = GpuOptions {
            largest_binding: Some(Vram::SIZE as u64),
            ..GpuOptions::default()
        };
        let gpu = Gpu::open(&smallest).expect("a small adapter");
        let textures: Vec<Vec<u8>> = (0..3u8)
            .map(|seed| {
                (0..512 * 512)
                    .map(|index| (index / 7) as u8 ^ (seed * 85))
                    .collect()
            })
            .collect();
        // Full batches, batches left to the processor, and what is drawn.
        let cases: [(u64, u64, Vec<Rectangle>); 3] = [
            // 16,384 visits each, of which 131,072 fit.
            (1, 0, (1..12).map(|color| (color * 0x14_1210, 0, 0)).collect()),
            // 262,144 texels each, of which as many fit.
            (2, 0, vec![(0, 1, 0), (0, 1, 1), (0, 1, 2)]),
            // Twice as many.
            (1, 1, vec![(0, 1, 0), (0, 2, 1)]),
        ];
        for (full, on_processor, draws) in cases {
            let drawn = |mut rasterizer: Rasterizer| {
                let mut vram = Vram::default();
                for &(color, levels, texture) in &draws {
                    draw(&mut rasterizer, &mut vram, color, levels, &textures[texture]);
                }
                rasterizer.flush(&mut vram, FlushReason::Finished);
                (vram, rasterizer)
            };
            let (expected, _) = drawn(Rasterizer::with_tuning(Profile::Hardware, tunings()[0]));
            let (found, rasterizer) = drawn(Rasterizer::with_gpu(
                Profile::Hardware,
                Tuning::default(),
                gpu.clone(),
            ));
            assert_eq!(difference(&found, &expected), None);
            assert_eq!(rasterizer.device_lost(), None);
            assert_eq!(rasterizer.statistics().flushes(FlushReason::BatchFull), full);
            let statistics = rasterizer.device_statistics().expect("a GPU");
            assert_eq!(statistics.processor_batches, on_processor, "{statistics}");
        }
    }
}
