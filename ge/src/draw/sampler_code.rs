//! Which draws PPSSPP samples with code that cuts coordinates instead of rounding them
//! (`spec/ppsspp-profile.md §10.2`).
//!
//! It compiles a sampler for each kind of texturing. A draw whose vertices are all white, where the texture is modulated
//! by them, is drawn as if the texture replaced them: that sampler is not compiled at once, but when all that is
//! pending is drawn the next time. Until then a plain one stands in, which cuts.

use std::collections::HashSet;

use raster::{
    Blend, ColorTest, Draw, FrameFormat, LevelSize, MaskedTest, PixelState, Primitives, Scissor, StateFlags,
    Target, TexelOrder, TextureFormat, TextureFunction, TextureState,
};

/// What a sampler is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct SamplerKey {
    format: TextureFormat,
    is_swizzled: bool,
    size: LevelSize,
    /// Format of the palette, whether its index is changed, and whether all levels share it.
    palette: Option<(FrameFormat, bool, bool)>,
    /// Wrapping, alpha, doubling and mipmaps.
    flags: StateFlags,
    function: TextureFunction,
    has_standard_stride: bool,
    is_valid: bool,
}

impl SamplerKey {
    fn of(draw: &Draw<'_>) -> Option<Self> {
        let state = draw.state;
        let texture = draw.texture.as_ref()?;
        if state.flags.contains(StateFlags::CLEAR) || !state.flags.contains(StateFlags::TEXTURE) {
            return None;
        }
        let level = texture.levels.first()?;
        let clut = &texture.clut;
        let (bits, is_indexed) = match texture.format {
            TextureFormat::CLUT4 => (4, true),
            TextureFormat::CLUT8 => (8, true),
            TextureFormat::CLUT16 => (16, true),
            TextureFormat::CLUT32 => (32, true),
            TextureFormat::RGBA8888 => (32, false),
            _ => (16, false),
        };
        let width = 1 << level.size.log2_width;
        let kept = [
            StateFlags::CLAMP_S,
            StateFlags::CLAMP_T,
            StateFlags::TEXTURE_ALPHA,
            StateFlags::DOUBLE_COLOR,
            StateFlags::MIPMAP,
        ];
        Some(Self {
            format: texture.format,
            is_swizzled: texture.order == TexelOrder::Swizzled,
            size: level.size,
            palette: is_indexed.then(|| {
                let is_changed = (clut.shift, clut.mask, clut.start) != (0, 0xFF, 0);
                (clut.format, is_changed, clut.per_level)
            }),
            flags: only(state.flags, &kept),
            function: state.texture.function,
            has_standard_stride: level.buffer_width == u32::max(width, 128 / bits),
            is_valid: !level.bytes.is_empty() || level.vram.is_some(),
        })
    }
}

/// Keys that are remembered at most. No capture has more than a few hundred.
const MOST_KEYS: usize = 4096;

/// The compiled samplers, as far as they can be told from the draws: PPSSPP also draws what is pending when a draw reads
/// it, and where many states are, which is not followed. Each draw counts as a state of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct SamplerCodes {
    compiled: HashSet<SamplerKey>,
    /// What was asked for since all that was pending was drawn.
    requested: HashSet<SamplerKey>,
    /// Kinds of pixels that have been drawn.
    pipelines: HashSet<PixelState>,
    target: Option<Target>,
}

impl SamplerCodes {
    /// Whether a draw, the next one, is sampled with coordinates that are cut.
    pub(super) fn cuts(&mut self, draw: &Draw<'_>) -> bool {
        if self.pipelines.len().max(self.compiled.len()) > MOST_KEYS {
            *self = Self::default();
        }
        let is_new_target = self.target.replace(draw.state.target) != Some(draw.state.target);
        let is_new_pipeline = self.pipelines.insert(pipeline(draw.state));
        let key = SamplerKey::of(draw);
        let is_new_sampler = key.is_some_and(|key| !self.compiled.contains(&key));
        if is_new_target || is_new_pipeline || is_new_sampler {
            self.compiled.extend(self.requested.drain());
        }
        let Some(key) = key else { return false };
        self.compiled.insert(key);
        if key.function != TextureFunction::MODULATE || !is_white(draw) {
            return false;
        }
        let replacing = SamplerKey {
            function: TextureFunction::REPLACE,
            ..key
        };
        let is_compiled = self.compiled.contains(&replacing);
        if !is_compiled {
            self.requested.insert(replacing);
        }
        !is_compiled
    }
}

/// Whether the vertices leave the texture as it is.
fn is_white(draw: &Draw<'_>) -> bool {
    let white = match draw.state.flags.contains(StateFlags::TEXTURE_ALPHA) {
        true => 0xFFFF_FFFF,
        false => 0x00FF_FFFF,
    };
    let is_white = |index: u32| {
        let vertex = draw.vertices.get(index as usize);
        vertex.is_some_and(|vertex| vertex.color & white == white)
    };
    match draw.primitives {
        Primitives::Points(points) => points.iter().all(|&point| is_white(point)),
        Primitives::Lines(lines) => lines.as_flattened().iter().all(|&end| is_white(end)),
        Primitives::Triangles(triangles) => triangles.as_flattened().iter().all(|&corner| is_white(corner)),
        // Flat: the second corner's colour.
        Primitives::Rectangles(rectangles) => rectangles.iter().all(|&[_, second]| is_white(second)),
    }
}

/// What the code for pixels depends on.
fn pipeline(state: &PixelState) -> PixelState {
    let kind = |test: MaskedTest| MaskedTest {
        function: test.function,
        ..MaskedTest::default()
    };
    let kept = [
        StateFlags::CLEAR,
        StateFlags::CLEAR_COLOR,
        StateFlags::CLEAR_ALPHA,
        StateFlags::CLEAR_DEPTH,
        StateFlags::THROUGH,
        StateFlags::FOG,
        StateFlags::ALPHA_TEST,
        StateFlags::COLOR_TEST,
        StateFlags::STENCIL_TEST,
        StateFlags::DEPTH_TEST,
        StateFlags::DEPTH_WRITE,
        StateFlags::BLEND,
        StateFlags::DITHER,
        StateFlags::LOGIC_OPERATION,
    ];
    PixelState {
        flags: only(state.flags, &kept),
        color_test: ColorTest {
            function: state.color_test.function,
            ..ColorTest::default()
        },
        blend: Blend {
            fixed_source: 0,
            fixed_destination: 0,
            ..state.blend
        },
        target: Target {
            format: state.target.format,
            ..Target::default()
        },
        scissor: Scissor::default(),
        depth_minimum: 0,
        depth_maximum: 0,
        alpha_test: kind(state.alpha_test),
        stencil_test: kind(state.stencil_test),
        dither: [0; 4],
        fog_color: 0,
        write_mask: u32::from(state.write_mask != 0),
        texture: TextureState::default(),
        ..*state
    }
}

/// Some of the switches.
fn only(flags: StateFlags, kept: &[StateFlags]) -> StateFlags {
    let on = kept.iter().filter(|&&flag| flags.contains(flag));
    on.fold(StateFlags::empty(), |all, &flag| all.with(flag, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Clut, ScreenVertex, TextureLevel, TextureSource};

    /// A draw of a texture of so many columns, as a power of two, in a colour.
    fn cuts(codes: &mut SamplerCodes, log2_width: u8, color: u32, flags: StateFlags) -> bool {
        let state = PixelState {
            flags: flags.with(StateFlags::TEXTURE, true),
            ..PixelState::default()
        };
        let size = LevelSize {
            log2_width,
            log2_height: 5,
        };
        let levels = [TextureLevel {
            stamp: None,
            bytes: &[0; 4],
            buffer_width: 1 << log2_width,
            size,
            vram: None,
        }];
        codes.cuts(&Draw {
            state: &state,
            texture: Some(TextureSource {
                format: TextureFormat::RGBA8888,
                order: TexelOrder::Linear,
                levels: &levels,
                clut: Clut {
                    change: None,
                    memory: &[0; 1024],
                    format: FrameFormat::RGBA8888,
                    shift: 0,
                    mask: 0xFF,
                    start: 0,
                    per_level: false,
                },
            }),
            vertices: &[ScreenVertex {
                color,
                ..ScreenVertex::default()
            }],
            primitives: Primitives::Points(&[0]),
        })
    }

    #[test]
    fn a_replacing_sampler_is_there_once_pending_states_were_drawn() {
        let (white, alpha) = (0xFFFF_FFFF, StateFlags::TEXTURE_ALPHA);
        let mut codes = SamplerCodes::default();
        assert!(
            !cuts(&mut codes, 5, 0xFF80_FFFF, alpha),
            "what is not white is modulated"
        );
        assert!(cuts(&mut codes, 5, white, alpha));
        assert!(cuts(&mut codes, 5, white, alpha), "nothing was drawn in between");
        assert!(
            cuts(&mut codes, 6, white, alpha),
            "another sampler, for which all is drawn"
        );
        assert!(!cuts(&mut codes, 5, white, alpha));
        // So it is for other pixels.
        assert!(cuts(&mut codes, 7, white, alpha));
        assert!(cuts(&mut codes, 7, white, alpha));
        assert!(!cuts(&mut codes, 7, white, alpha.with(StateFlags::BLEND, true)));
    }

    #[test]
    fn alpha_has_to_be_white_where_it_counts() {
        let translucent = 0x40FF_FFFF;
        assert!(!cuts(
            &mut SamplerCodes::default(),
            5,
            translucent,
            StateFlags::TEXTURE_ALPHA
        ));
        assert!(cuts(
            &mut SamplerCodes::default(),
            5,
            translucent,
            StateFlags::empty()
        ));
    }
}
