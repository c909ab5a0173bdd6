//! Records as the shader reads them (shader/bindings.wgsl), beside those that set-up already makes in that form.

use bytemuck::{Pod, Zeroable};

use crate::code::CompareFunction;
use crate::compiled::{AlphaSource, Blending, DrawState, Pipeline};
use crate::state::{Blend, StencilOperations, Target};
use crate::texture::Filter;
use crate::vram::EdramTranslation;

/// What holds for a whole batch.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(super) struct Globals {
    color_offset: u32,
    color_stride: u32,
    format: u32,
    depth_offset: u32,
    depth_stride: u32,
    translation: u32,
    uses_depth: u32,
    affine: u32,
    perspective: u32,
    planes: u32,
    padding: [u32; 2],
}

/// Where the kinds of attributes begin, in words; colour planes begin at 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct AttributePlaces {
    pub(super) affine: u32,
    pub(super) perspective: u32,
    pub(super) planes: u32,
}

impl Globals {
    pub(super) fn new(
        target: &Target,
        translation: EdramTranslation,
        uses_depth: bool,
        places: AttributePlaces,
    ) -> Self {
        Self {
            color_offset: target.color_offset & !15,
            color_stride: target.color_stride.into(),
            format: target.format.code().into(),
            depth_offset: target.depth_offset & !15,
            depth_stride: target.depth_stride.into(),
            translation: translation.width().unwrap_or(u32::MAX),
            uses_depth: uses_depth.into(),
            affine: places.affine,
            perspective: places.perspective,
            planes: places.planes,
            padding: [0; 2],
        }
    }
}

/// A tile and its visits.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(super) struct TileRecord {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) first: u32,
    pub(super) count: u32,
}

/// A state: its pipeline, and where and how its texture's levels are sampled.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(super) struct StateRecord {
    flags: u32,
    selectors: u32,
    kept: u32,
    depth_range: u32,
    environment: u32,
    fog_color: u32,
    color_reference: u32,
    color_mask: u32,
    fixed_source: u32,
    fixed_destination: u32,
    dither: [u32; 2],
    masked_tests: u32,
    comparisons: u32,
    sampling: u32,
    padding: u32,
    levels: [[u32; 2]; 8],
}

/// Sets fields of a word, from the lowest bit upwards.
fn fields(values: &[(u32, u32)]) -> u32 {
    let mut at = 0;
    let mut word = 0;
    for &(value, bits) in values {
        word |= (value & ((1 << bits) - 1)) << at;
        at += bits;
    }
    word
}

/// Three bits: passes when less, when equal, when greater.
fn comparison(function: CompareFunction) -> u32 {
    match function {
        CompareFunction::NEVER => 0,
        CompareFunction::ALWAYS => 0b111,
        CompareFunction::EQUAL => 0b010,
        CompareFunction::NOT_EQUAL => 0b101,
        CompareFunction::LESS => 0b001,
        CompareFunction::LESS_OR_EQUAL => 0b011,
        CompareFunction::GREATER => 0b100,
        _ => 0b110,
    }
}

fn color([red, green, blue]: [u32; 3]) -> u32 {
    red | (green << 8) | (blue << 16)
}

impl StateRecord {
    /// `first_texel` is where the texture begins among all texels.
    pub(super) fn new(state: &DrawState, first_texel: u32) -> Self {
        let (pipeline, sampler) = (&state.pipeline, &state.sampler);
        let blend = match pipeline.blending {
            Blending::Off => None,
            Blending::ByAlpha => Some(Blend::BY_ALPHA),
            Blending::General(blend) => Some(blend),
        };
        let stencil = pipeline.stencil.as_ref();
        let alpha_test = pipeline.alpha_test.unwrap_or_default();
        let color_test = pipeline.color_test.unwrap_or_default();
        let stencil_test = stencil.map(|stencil| stencil.test).unwrap_or_default();
        let operations = stencil.map_or_else(StencilOperations::default, |stencil| stencil.operations);
        let (minimum, maximum) = pipeline.depth_range.unwrap_or_default();
        let of_blend = |value: fn(&Blend) -> u32| blend.as_ref().map_or(0, value);
        let mut levels = [[0; 2]; 8];
        for (words, level) in levels.iter_mut().zip(sampler.levels()) {
            *words = [
                first_texel + level.first as u32,
                fields(&[
                    (level.log2_width, 4),
                    (level.log2_height, 4),
                    (level.shift_s, 5),
                    (level.shift_t, 5),
                ]),
            ];
        }
        Self {
            flags: flags(state),
            selectors: fields(&[
                (
                    pipeline
                        .combiner
                        .map_or(0, |combiner| combiner.function.code().into()),
                    3,
                ),
                (blend.is_some().into(), 2),
                (of_blend(|blend| blend.equation.code().into()), 3),
                (of_blend(|blend| blend.source.code().into()), 4),
                (of_blend(|blend| blend.destination.code().into()), 4),
                (pipeline.logic.map_or(0, |operation| operation.code().into()), 4),
                (
                    match pipeline.alpha_source {
                        AlphaSource::Stored => 0,
                        AlphaSource::Stencil => 1,
                        AlphaSource::Fragment => 2,
                    },
                    2,
                ),
                (color_test.function.code().into(), 2),
            ]),
            kept: pipeline.kept,
            depth_range: minimum | (maximum << 16),
            environment: pipeline
                .combiner
                .map_or(0, |combiner| color(combiner.environment)),
            fog_color: pipeline.fog.map_or(0, color),
            color_reference: color_test.reference & 0x00FF_FFFF,
            color_mask: color_test.mask & 0x00FF_FFFF,
            fixed_source: of_blend(|blend| blend.fixed_source),
            fixed_destination: of_blend(|blend| blend.fixed_destination),
            dither: pipeline.dither.map_or([0; 2], |matrix| matrix.words()),
            masked_tests: fields(&[
                (alpha_test.reference.into(), 8),
                (alpha_test.mask.into(), 8),
                (stencil_test.reference.into(), 8),
            ]) | (u32::from(stencil_test.mask) << 24),
            comparisons: fields(&[
                (comparison(alpha_test.function), 3),
                (comparison(stencil_test.function), 3),
                (pipeline.depth_test.map_or(0, comparison), 3),
                (operations.stencil_fail.code().into(), 3),
                (operations.depth_fail.code().into(), 3),
                (operations.pass.code().into(), 3),
            ]),
            sampling: fields(&[
                (sampler.highest_level as u32, 3),
                (sampler.first_shifts[0], 5),
                (sampler.first_shifts[1], 5),
            ]),
            padding: 0,
            levels,
        }
    }
}

/// The switches, in the order of shader/bindings.wgsl.
fn flags(state: &DrawState) -> u32 {
    let Pipeline {
        depth_range,
        combiner,
        secondary,
        fog,
        alpha_test,
        color_test,
        stencil,
        depth_test,
        depth_first,
        dither,
        logic,
        writes_depth,
        writes_color,
        ..
    } = &state.pipeline;
    let sampler = &state.sampler;
    let [clamps_s, clamps_t] = sampler.clamps();
    [
        depth_range.is_some(),
        combiner.is_some(),
        combiner.is_some_and(|combiner| combiner.uses_alpha),
        combiner.is_some_and(|combiner| combiner.doubles),
        *secondary,
        fog.is_some(),
        alpha_test.is_some(),
        color_test.is_some(),
        stencil.is_some(),
        depth_test.is_some(),
        *depth_first,
        dither.is_some(),
        logic.is_some(),
        *writes_depth,
        *writes_color,
        sampler.minify == Filter::Linear,
        sampler.magnify == Filter::Linear,
        sampler.mipmaps,
        sampler.mix_levels,
        sampler.takes_mean_at_once(),
        clamps_s,
        clamps_t,
        sampler.rounds,
    ]
    .into_iter()
    .enumerate()
    .fold(0, |word, (bit, on)| word | (u32::from(on) << bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_those_of_the_processor() {
        for code in 0..8 {
            let function = CompareFunction::from_bits(code);
            for (bit, (incoming, stored)) in [(1, 2), (2, 2), (3, 2)].into_iter().enumerate() {
                let passes = crate::reference::passes(function, incoming, stored);
                assert_eq!((comparison(function) >> bit) & 1 == 1, passes, "{function:?}");
            }
        }
    }

    #[test]
    fn sizes_are_those_of_the_shader() {
        assert_eq!(size_of::<StateRecord>(), 8 * 16);
        assert_eq!(size_of::<crate::setup::Primitive>(), 5 * 16);
        assert_eq!(size_of::<crate::setup::Visit>(), 16);
        assert_eq!(size_of::<crate::setup::Gouraud>(), 21 * 4);
        assert_eq!(size_of::<crate::setup::AffineCoordinates>(), 18 * 4);
        assert_eq!(size_of::<crate::setup::PerspectiveCoordinates>(), 20 * 4);
        assert_eq!(size_of::<Globals>() % 16, 0);
    }
}
