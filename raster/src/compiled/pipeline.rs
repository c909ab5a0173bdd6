//! A state as the kernels want it: what has no effect is folded away, once, and not asked again per pixel
//! (spec/ge-raster.md §11.1, §15).

use super::blending::Blending;
use super::dither::Matrix;
use crate::code::{
    ColorTestFunction, CompareFunction, FrameFormat, LogicOperation, StencilOperation, TextureFunction,
};
use crate::format;
use crate::state::{ColorTest, MaskedTest, PixelState, StateFlags, StencilOperations};

/// The parts of a texture function that do not change from pixel to pixel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Combiner {
    pub(crate) function: TextureFunction,
    /// Whether the texel's alpha counts.
    pub(crate) uses_alpha: bool,
    /// Whether the colour is doubled.
    pub(crate) doubles: bool,
    /// The environment colour, red, green, blue.
    pub(crate) environment: [u32; 3],
}

/// The stencil test and what follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stencil {
    pub(crate) test: MaskedTest,
    pub(crate) operations: StencilOperations,
}

/// Where the stored alpha comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AlphaSource {
    /// It stays as it is.
    Stored,
    /// The stencil operation.
    Stencil,
    /// The fragment: in clear mode alone.
    Fragment,
}

/// The steps of the pixel pipeline that have an effect in a state.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pipeline {
    pub(crate) format: FrameFormat,
    /// Depths that are kept.
    pub(crate) depth_range: Option<(u32, u32)>,
    pub(crate) combiner: Option<Combiner>,
    pub(crate) secondary: bool,
    pub(crate) fog: Option<[u32; 3]>,
    pub(crate) alpha_test: Option<MaskedTest>,
    pub(crate) color_test: Option<ColorTest>,
    pub(crate) stencil: Option<Stencil>,
    pub(crate) depth_test: Option<CompareFunction>,
    /// Whether the depth test may come first, with the same result.
    pub(crate) depth_first: bool,
    pub(crate) blending: Blending,
    pub(crate) dither: Option<Matrix>,
    pub(crate) logic: Option<LogicOperation>,
    pub(crate) alpha_source: AlphaSource,
    /// Bits of the stored colour that stay.
    pub(crate) kept: u32,
    /// Whether depth is written.
    pub(crate) writes_depth: bool,
    /// Whether colour or alpha is written.
    pub(crate) writes_color: bool,
}

impl Pipeline {
    pub(crate) fn new(state: &PixelState) -> Self {
        let flags = state.flags;
        let on = |flag| flags.contains(flag);
        let clear = on(StateFlags::CLEAR);
        let drawing = |flag| on(flag) && !clear;
        let frame_format = state.target.format;

        let stencil = drawing(StateFlags::STENCIL_TEST).then_some(Stencil {
            test: state.stencil_test,
            operations: state.stencil_operations,
        });
        let stencil = stencil.filter(|stencil| !stencil_has_no_effect(stencil));
        let depth_test = drawing(StateFlags::DEPTH_TEST)
            .then_some(state.depth_function)
            .filter(|&function| function != CompareFunction::ALWAYS);
        let keeps = |operation| operation == StencilOperation::KEEP;
        let depth_first = stencil.is_none_or(|stencil| {
            let always = stencil.test.function == CompareFunction::ALWAYS;
            keeps(stencil.operations.depth_fail) && (keeps(stencil.operations.stencil_fail) || always)
        });

        let alpha_source = if clear {
            AlphaSource::Fragment
        } else if stencil.is_some() {
            AlphaSource::Stencil
        } else {
            AlphaSource::Stored
        };
        let mut kept = format::effective_mask(state.write_mask, frame_format);
        if (clear && !on(StateFlags::CLEAR_ALPHA)) || alpha_source == AlphaSource::Stored {
            kept |= 0xFF00_0000;
        }
        let logic = drawing(StateFlags::LOGIC_OPERATION).then_some(state.logic_operation);
        if (clear && !on(StateFlags::CLEAR_COLOR)) || logic == Some(LogicOperation::NO_OPERATION) {
            kept |= 0x00FF_FFFF;
        }
        let all = format::effective_mask(u32::MAX, frame_format);

        Self {
            format: frame_format,
            depth_range: (!on(StateFlags::THROUGH)
                && (state.depth_minimum, state.depth_maximum) != (0, 0xFFFF))
                .then_some((u32::from(state.depth_minimum), u32::from(state.depth_maximum))),
            combiner: drawing(StateFlags::TEXTURE).then_some(Combiner {
                function: state.texture.function,
                uses_alpha: on(StateFlags::TEXTURE_ALPHA),
                doubles: on(StateFlags::DOUBLE_COLOR),
                environment: components(state.texture.environment_color),
            }),
            secondary: drawing(StateFlags::SECONDARY_COLOR),
            fog: (drawing(StateFlags::FOG) && !on(StateFlags::THROUGH))
                .then_some(components(state.fog_color)),
            alpha_test: drawing(StateFlags::ALPHA_TEST)
                .then_some(state.alpha_test)
                .filter(|test| test.function != CompareFunction::ALWAYS),
            color_test: drawing(StateFlags::COLOR_TEST)
                .then_some(state.color_test)
                .filter(|test| test.function != ColorTestFunction::ALWAYS),
            stencil,
            depth_test,
            depth_first,
            blending: match drawing(StateFlags::BLEND).then_some(state.blend) {
                None => Blending::Off,
                Some(blend) => Blending::new(blend),
            },
            dither: on(StateFlags::DITHER)
                .then(|| Matrix::new(state.dither))
                .flatten(),
            logic: logic.filter(|&operation| operation != LogicOperation::COPY),
            alpha_source,
            kept,
            writes_depth: if clear {
                on(StateFlags::CLEAR_DEPTH)
            } else {
                on(StateFlags::DEPTH_TEST) && on(StateFlags::DEPTH_WRITE)
            },
            writes_color: kept & all != all,
        }
    }

    /// The bits of an 8888 colour that may be written.
    pub(crate) fn written_bits(&self) -> u32 {
        format::effective_mask(!self.kept, self.format)
    }

    /// Whether stored depth is read or written.
    pub(crate) fn uses_depth(&self) -> bool {
        self.depth_test.is_some() || self.writes_depth
    }
}

/// Whether every pixel passes the stencil test and keeps its value.
fn stencil_has_no_effect(stencil: &Stencil) -> bool {
    stencil.test.function == CompareFunction::ALWAYS
        && stencil.operations.depth_fail == StencilOperation::KEEP
        && stencil.operations.pass == StencilOperation::KEEP
}

fn components(color: u32) -> [u32; 3] {
    let [red, green, blue, _] = color.to_le_bytes().map(u32::from);
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::BlendFactor;

    #[test]
    fn clear_mode_leaves_dither_and_masks() {
        let flags = StateFlags::CLEAR
            .with(StateFlags::CLEAR_ALPHA, true)
            .with(StateFlags::BLEND, true)
            .with(StateFlags::TEXTURE, true)
            .with(StateFlags::STENCIL_TEST, true)
            .with(StateFlags::DEPTH_TEST, true)
            .with(StateFlags::DITHER, true);
        let state = PixelState {
            flags,
            dither: [1; 4],
            write_mask: 0x0F00_0000,
            ..PixelState::default()
        };
        let state = PixelState {
            target: crate::Target {
                format: FrameFormat::RGBA8888,
                ..state.target
            },
            ..state
        };
        let pipeline = Pipeline::new(&state);
        assert_eq!(pipeline.kept, 0x0FFF_FFFF);
        assert!(pipeline.dither.is_some() && pipeline.combiner.is_none() && pipeline.stencil.is_none());
        assert!(pipeline.depth_test.is_none() && !pipeline.writes_depth && pipeline.writes_color);
        assert_eq!(pipeline.blending, Blending::Off);
    }

    #[test]
    fn depth_may_come_first_where_stencil_does_not_see_it() {
        let mut state = PixelState {
            flags: StateFlags::STENCIL_TEST.with(StateFlags::DEPTH_TEST, true),
            depth_function: CompareFunction::GREATER,
            ..PixelState::default()
        };
        state.stencil_test.function = CompareFunction::EQUAL;
        state.stencil_operations.pass = StencilOperation::REPLACE;
        assert!(Pipeline::new(&state).depth_first);
        state.stencil_operations.stencil_fail = StencilOperation::ZERO;
        assert!(!Pipeline::new(&state).depth_first);
        state.stencil_test.function = CompareFunction::ALWAYS;
        assert!(Pipeline::new(&state).depth_first);
        state.stencil_operations.depth_fail = StencilOperation::ZERO;
        assert!(!Pipeline::new(&state).depth_first);
    }

    #[test]
    fn fixed_factors_of_one_and_zero_are_no_blending() {
        let mut state = PixelState {
            flags: StateFlags::BLEND,
            ..PixelState::default()
        };
        state.blend.source = BlendFactor::FIXED;
        state.blend.destination = BlendFactor::FIXED;
        state.blend.fixed_source = 0xFF_FFFF;
        assert_eq!(Pipeline::new(&state).blending, Blending::Off);
        state.blend.fixed_destination = 1;
        assert_ne!(Pipeline::new(&state).blending, Blending::Off);
    }
}
