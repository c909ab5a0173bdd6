//! The alpha tests that PPSSPP's software renderer leaves out and adds.
//!
//! It simplifies a state by the alphas that vertices and palette can bring (`spec/ppsspp-profile.md §11`,
//! `spec/ge-raster.md §15`): where none is 0, a test for more than 0 refuses nothing. The specification is silent
//! on how it judges a palette; its pictures show that it ANDs whole entries, not their alphas, so that
//! transparent entries go unnoticed where all colours share a bit. What the test would have refused then leaves the
//! stored colour as it is, but dithers it once more, and writes depth.
//!
//! Seen with palettes of 8888 (capture 21797: 4 of 16 palettes share a bit, and only theirs do it) and of
//! 4444 (7932), under source alpha blending. Everywhere else the test stays.
//!
//! The other way round it adds a test for not 0 where there is none, neither depth nor stencil is written, source alpha
//! blends and an alpha may be 0 (`spec/ppsspp-profile.md §11`, number 2). Then such pixels are not dithered once more
//! (capture 21763).

use raster::{
    BlendEquation, BlendFactor, CompareFunction, Draw, FrameFormat, MaskedTest, PixelState, StateFlags,
    TextureFormat, TextureSource,
};

/// The state that PPSSPP draws with, where its alpha test is another.
pub(super) fn state_of_ppsspp(draw: &Draw<'_>) -> Option<PixelState> {
    state_without_alpha_test(draw).or_else(|| state_with_alpha_test(draw))
}

/// The state with the test that PPSSPP adds.
fn state_with_alpha_test(draw: &Draw<'_>) -> Option<PixelState> {
    let state = draw.state;
    let flags = state.flags;
    let depth_is_written = StateFlags::DEPTH_TEST.with(StateFlags::DEPTH_WRITE, true);
    let added = !flags.contains(StateFlags::CLEAR)
        && (!flags.contains(StateFlags::ALPHA_TEST) || counts_as_off(state.alpha_test))
        && !flags.contains(StateFlags::STENCIL_TEST)
        && !flags.contains(depth_is_written)
        && blends_by_source_alpha(state)
        && (texture_may_be_transparent(draw) || draw.vertices.iter().any(|vertex| vertex.color >> 24 == 0));
    added.then(|| PixelState {
        flags: flags.with(StateFlags::ALPHA_TEST, true),
        alpha_test: MaskedTest {
            function: CompareFunction::NOT_EQUAL,
            mask: 0xFF,
            ..MaskedTest::default()
        },
        ..*state
    })
}

/// Whether an alpha of the texture counts and may be 0.
fn texture_may_be_transparent(draw: &Draw<'_>) -> bool {
    let textured = StateFlags::TEXTURE.with(StateFlags::TEXTURE_ALPHA, true);
    draw.state.flags.contains(textured)
        && draw
            .texture
            .as_ref()
            .is_some_and(|texture| texture.format != TextureFormat::RGB565 && !entries_share_a_bit(texture))
}

/// Whether PPSSPP takes a test for none: one for at least 0, but not one that always passes (capture 13462 has both).
fn counts_as_off(test: MaskedTest) -> bool {
    test.function == CompareFunction::GREATER_OR_EQUAL && test.reference & test.mask == 0
}

/// The state without its alpha test, where PPSSPP takes that for one that refuses nothing.
fn state_without_alpha_test(draw: &Draw<'_>) -> Option<PixelState> {
    let state = draw.state;
    let textured = StateFlags::TEXTURE.with(StateFlags::TEXTURE_ALPHA, true);
    let left_out = state.flags.contains(textured.with(StateFlags::ALPHA_TEST, true))
        && refuses_zero_alone(state.alpha_test)
        && blends_by_source_alpha(state)
        && draw.vertices.iter().all(|vertex| vertex.color >> 24 != 0)
        && draw.texture.as_ref().is_some_and(entries_share_a_bit);
    left_out.then(|| PixelState {
        flags: state.flags.with(StateFlags::ALPHA_TEST, false),
        alpha_test: MaskedTest::default(),
        ..*state
    })
}

/// Whether alpha 0 is refused, and no other.
fn refuses_zero_alone(test: MaskedTest) -> bool {
    [CompareFunction::GREATER, CompareFunction::NOT_EQUAL].contains(&test.function)
        && (test.reference, test.mask) == (0, 0xFF)
}

/// Whether alpha 0 leaves the stored colour as it is.
fn blends_by_source_alpha(state: &PixelState) -> bool {
    state.flags.contains(StateFlags::BLEND)
        && state.blend.equation == BlendEquation::ADD
        && state.blend.source == BlendFactor::SOURCE_ALPHA
        && state.blend.destination == BlendFactor::INVERSE_SOURCE_ALPHA
}

/// Whether a bit is set in all entries of the palette. Indices that are shifted, masked or offset are not
/// followed: no picture shows what PPSSPP makes of them.
fn entries_share_a_bit(texture: &TextureSource<'_>) -> bool {
    let clut = &texture.clut;
    if (clut.shift, clut.mask, clut.start, clut.per_level) != (0, 0xFF, 0, false) {
        return false;
    }
    let entries = match texture.format {
        TextureFormat::CLUT4 => 16,
        TextureFormat::CLUT8 => 256,
        _ => return false,
    };
    let width = match clut.format {
        FrameFormat::RGBA8888 => 4,
        _ => 2,
    };
    let mut shared = [0xFF; 4];
    for entry in clut.memory.chunks_exact(width).take(entries) {
        for (shared, byte) in shared.iter_mut().zip(entry) {
            *shared &= byte;
        }
    }
    shared[..width].iter().any(|&byte| byte != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Blend, Clut, Primitives, ScreenVertex, TexelOrder};

    /// Source alpha blending, and an alpha test for more than 0.
    fn state() -> PixelState {
        PixelState {
            flags: StateFlags::TEXTURE
                .with(StateFlags::TEXTURE_ALPHA, true)
                .with(StateFlags::ALPHA_TEST, true)
                .with(StateFlags::BLEND, true),
            alpha_test: MaskedTest {
                function: CompareFunction::GREATER,
                mask: 0xFF,
                ..MaskedTest::default()
            },
            blend: Blend {
                equation: BlendEquation::ADD,
                source: BlendFactor::SOURCE_ALPHA,
                destination: BlendFactor::INVERSE_SOURCE_ALPHA,
                ..Blend::default()
            },
            ..PixelState::default()
        }
    }

    fn is_left_out(
        state: &PixelState,
        vertex_alpha: u8,
        format: FrameFormat,
        palette: &[u8],
        shift: u8,
    ) -> bool {
        drawn_with(state, vertex_alpha, format, palette, shift).is_some_and(|state| {
            assert!(state.flags.contains(StateFlags::BLEND));
            !state.flags.contains(StateFlags::ALPHA_TEST)
        })
    }

    fn drawn_with(
        state: &PixelState,
        vertex_alpha: u8,
        format: FrameFormat,
        palette: &[u8],
        shift: u8,
    ) -> Option<PixelState> {
        let mut memory = [0; 1024];
        memory[..palette.len()].copy_from_slice(palette);
        let draw = Draw {
            state,
            texture: Some(TextureSource {
                format: TextureFormat::CLUT4,
                order: TexelOrder::Linear,
                levels: &[],
                clut: Clut {
                    change: None,
                    memory: &memory,
                    format,
                    shift,
                    mask: 0xFF,
                    start: 0,
                    per_level: false,
                },
            }),
            vertices: &[ScreenVertex {
                color: u32::from(vertex_alpha) << 24 | 0xFF_FFFF,
                ..ScreenVertex::default()
            }],
            primitives: Primitives::Points(&[0]),
        };
        state_of_ppsspp(&draw)
    }

    /// Sixteen entries: one transparent, the others opaque.
    fn palette(transparent: u32, opaque: u32) -> Vec<u8> {
        let entry = |index| {
            if index == 0 {
                transparent
            } else {
                opaque | 0xFF00_0000
            }
        };
        (0..16).flat_map(|index| u32::to_le_bytes(entry(index))).collect()
    }

    #[test]
    fn transparent_entries_hide_behind_a_common_bit() {
        let rgba = FrameFormat::RGBA8888;
        assert!(is_left_out(&state(), 0xFF, rgba, &palette(0x0E489D, 0xC8F780), 0));
        assert!(!is_left_out(
            &state(),
            0xFF,
            rgba,
            &palette(0x2B7445, 0x000A00),
            0
        ));
        // The last entry counts, and what follows the sixteenth does not.
        let mut last = palette(0xFF_FFFF, 0xFF_FFFF);
        assert!(is_left_out(&state(), 0xFF, rgba, &last, 0));
        last[15 * 4..].fill(0);
        assert!(!is_left_out(&state(), 0xFF, rgba, &last, 0));
    }

    #[test]
    fn narrow_entries_are_two_bytes() {
        let entry = |index: u16| index << 12 | 0x0FFF;
        let mut narrow: Vec<u8> = (0..16).flat_map(|index| entry(index).to_le_bytes()).collect();
        assert!(is_left_out(&state(), 0xFF, FrameFormat::RGBA4444, &narrow, 0));
        narrow[6..8].fill(0);
        assert!(!is_left_out(&state(), 0xFF, FrameFormat::RGBA4444, &narrow, 0));
    }

    #[test]
    fn other_states_keep_the_test() {
        let (rgba, white) = (FrameFormat::RGBA8888, palette(0xFF_FFFF, 0xFF_FFFF));
        let keeps = |state: &PixelState| !is_left_out(state, 0xFF, rgba, &white, 0);
        let changed = |change: fn(&mut PixelState)| {
            let mut state = state();
            change(&mut state);
            keeps(&state)
        };
        assert!(changed(|state| state.alpha_test.reference = 1));
        assert!(changed(|state| state.alpha_test.mask = 0x7F));
        assert!(changed(
            |state| state.alpha_test.function = CompareFunction::GREATER_OR_EQUAL
        ));
        assert!(changed(|state| state.blend.equation = BlendEquation::SUBTRACT));
        assert!(changed(|state| state.blend.destination = BlendFactor::FIXED));
        assert!(changed(
            |state| state.flags = state.flags.with(StateFlags::BLEND, false)
        ));
        assert!(changed(
            |state| state.flags = state.flags.with(StateFlags::TEXTURE_ALPHA, false)
        ));
        // A vertex may make alpha 0; indices may miss entries.
        assert!(!is_left_out(&state(), 0, rgba, &white, 0));
        assert!(!is_left_out(&state(), 0xFF, rgba, &white, 1));
    }

    #[test]
    fn a_test_is_added_where_alpha_may_be_0() {
        // spec/ppsspp-profile.md §11, number 2.
        let rgba = FrameFormat::RGBA8888;
        let (shared, apart) = (palette(0x0E489D, 0xC8F780), palette(0x2B7445, 0x000A00));
        let off = PixelState {
            flags: state().flags.with(StateFlags::ALPHA_TEST, false),
            ..state()
        };
        let is_added = |state: &PixelState, vertex_alpha, palette: &[u8]| {
            drawn_with(state, vertex_alpha, rgba, palette, 0).is_some_and(|drawn| {
                assert_eq!(drawn.alpha_test.function, CompareFunction::NOT_EQUAL);
                assert_eq!((drawn.alpha_test.reference, drawn.alpha_test.mask), (0, 0xFF));
                drawn.flags.contains(StateFlags::ALPHA_TEST)
            })
        };
        assert!(is_added(&off, 0xFF, &apart));
        assert!(!is_added(&off, 0xFF, &shared));
        assert!(is_added(&off, 0, &shared));
        let with = |function, flags: &[StateFlags]| PixelState {
            flags: flags
                .iter()
                .fold(state().flags, |all, &flag| all.with(flag, true)),
            alpha_test: MaskedTest {
                function,
                ..state().alpha_test
            },
            ..state()
        };
        let at_least = CompareFunction::GREATER_OR_EQUAL;
        assert!(is_added(&with(at_least, &[]), 0xFF, &apart));
        assert!(is_added(
            &with(at_least, &[StateFlags::DEPTH_WRITE]),
            0xFF,
            &apart
        ));
        let writes = [StateFlags::DEPTH_TEST, StateFlags::DEPTH_WRITE];
        for kept in [
            with(CompareFunction::ALWAYS, &[]),
            with(at_least, &writes),
            with(at_least, &[StateFlags::STENCIL_TEST]),
            with(at_least, &[StateFlags::CLEAR]),
        ] {
            assert!(drawn_with(&kept, 0xFF, rgba, &apart, 0).is_none());
        }
    }
}
