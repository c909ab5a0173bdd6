//! The stages of a pixel (spec/ge-raster.md §11.1).

use super::{
    Pixel, Shaded, Stored, blend, compare, detail, each, fog, interpolate, logic, stencil, texel,
    texture_function,
};
use crate::code::{ColorTestFunction, FrameFormat};
use crate::compiled::{AlphaSource, Blending, Pipeline};
use crate::format;
use crate::history::{Step, Trace};
use crate::setup::PrimitiveFlags;
use crate::state::{Blend, ColorTest, MaskedTest, StencilOperations};

/// What a covered pixel makes of what is stored, told step by step. A discarded pixel leaves everything but, where the
/// stencil or the depth test failed, the stencil.
pub(crate) fn shade<T: Trace>(pixel: Pixel<'_>, stored: Stored, trace: &mut T) -> Shaded {
    let pipeline = &pixel.state.pipeline;
    let unchanged = Shaded {
        stored,
        passed: false,
    };
    let depth = interpolate::depth(pixel);
    if !passes_depth_range(pipeline, depth, trace) {
        return unchanged;
    }
    let mut source = source_color(pixel, trace);
    if !passes_alpha_test(pipeline, source, trace) {
        return unchanged;
    }
    if let Some(fog_color) = pipeline.fog {
        let factor = interpolate::fog(pixel);
        source = fog::fogged(source, factor, fog_color);
        trace.step(|| Step::Fog {
            factor: factor as u8,
            color: source,
        });
    }
    if !passes_color_test(pipeline, source, trace) {
        return unchanged;
    }

    let stored_stencil = stored.color >> 24;
    let mut written_stencil = stored_stencil;
    if let Some(stencil) = &pipeline.stencil {
        let operate = |operation| {
            stencil::operate(
                operation,
                stored_stencil,
                u32::from(stencil.test.reference),
                pipeline.format,
            )
        };
        let StencilOperations {
            stencil_fail,
            depth_fail,
            pass,
            ..
        } = stencil.operations;
        let failed = |operation| Shaded {
            stored: Stored {
                color: with_stencil(pipeline, stored.color, operate(operation)),
                ..stored
            },
            passed: false,
        };
        if !passes_stencil_test(stencil.test, stored_stencil, trace) {
            return failed(stencil_fail);
        }
        if !passes_depth_test(pipeline, depth, stored.depth, trace) {
            return failed(depth_fail);
        }
        written_stencil = operate(pass);
    } else if !passes_depth_test(pipeline, depth, stored.depth, trace) {
        return unchanged;
    }

    let alpha = match pipeline.alpha_source {
        AlphaSource::Stored => stored_stencil,
        AlphaSource::Stencil => written_stencil,
        AlphaSource::Fragment => source >> 24,
    };
    let color = final_color(pixel, source, stored.color) | (alpha << 24);
    Shaded {
        stored: Stored {
            color: masked(pipeline, color, stored.color),
            depth: if pipeline.writes_depth {
                depth
            } else {
                stored.depth
            },
        },
        passed: true,
    }
}

fn passes_depth_range<T: Trace>(pipeline: &Pipeline, depth: u16, trace: &mut T) -> bool {
    let Some((minimum, maximum)) = pipeline.depth_range else {
        return true;
    };
    let passes = (minimum..=maximum).contains(&u32::from(depth));
    trace.step(|| Step::DepthRange {
        depth,
        minimum: minimum as u16,
        maximum: maximum as u16,
        passes,
    });
    passes
}

/// The colour after texturing and the secondary colour, clamped (spec/ge-raster.md §7.1 to §7.3, §10).
fn source_color<T: Trace>(pixel: Pixel<'_>, trace: &mut T) -> u32 {
    let pipeline = &pixel.state.pipeline;
    let primary = interpolate::primary(pixel);
    let secondary = if pipeline.secondary {
        interpolate::secondary(pixel)
    } else {
        0
    };
    trace.step(|| Step::Primitive {
        color: primary,
        secondary: pipeline.secondary.then_some(secondary),
    });
    let source = match pipeline.combiner {
        None => texture_function::add_secondary(primary, secondary),
        Some(combiner) => {
            let texel = filtered_texel(pixel, trace);
            let flags = pixel.primitive.flags;
            if flags.contains(PrimitiveFlags::COLOR_WITHOUT_NUMBER) {
                texture_function::combine_without_number(combiner, texel, secondary)
            } else {
                texture_function::combine(combiner, primary, texel, secondary)
            }
        }
    };
    trace.step(|| Step::Source { color: source });
    source
}

/// The texel at the pixel: 0 where the texture cannot be read (spec/ge-raster.md §8.9).
fn filtered_texel<T: Trace>(pixel: Pixel<'_>, trace: &mut T) -> u32 {
    let (sampler, texture) = (&pixel.state.sampler, &pixel.state.texture);
    let coordinates = interpolate::coordinates(pixel);
    let color = match coordinates {
        None => 0,
        Some(coordinates) => {
            let selection = detail::select(sampler, detail::detail(pixel));
            texel::sample(sampler, texture, selection, coordinates)
        }
    };
    trace.step(|| Step::Texel {
        coordinates: coordinates.map(|[s, t]| {
            let [shift_s, shift_t] = sampler.first_shifts;
            [s >> shift_s, t >> shift_t]
        }),
        color,
    });
    color
}

fn passes_alpha_test<T: Trace>(pipeline: &Pipeline, source: u32, trace: &mut T) -> bool {
    let Some(test) = pipeline.alpha_test else {
        return true;
    };
    let mask = u32::from(test.mask);
    let alpha = source >> 24;
    let passes = compare::passes(test.function, alpha & mask, u32::from(test.reference) & mask);
    trace.step(|| Step::AlphaTest {
        test,
        alpha: alpha as u8,
        passes,
    });
    passes
}

fn passes_color_test<T: Trace>(pipeline: &Pipeline, source: u32, trace: &mut T) -> bool {
    let Some(test) = pipeline.color_test else {
        return true;
    };
    let ColorTest {
        reference,
        mask,
        function,
        ..
    } = test;
    let masked = |color: u32| color & mask & 0x00FF_FFFF;
    let passes = match function {
        ColorTestFunction::ALWAYS => true,
        ColorTestFunction::EQUAL => masked(source) == masked(reference),
        ColorTestFunction::NOT_EQUAL => masked(source) != masked(reference),
        _ => false,
    };
    trace.step(|| Step::ColorTest {
        test,
        color: source,
        passes,
    });
    passes
}

/// The reference stands on the left (spec/ge-raster.md §11.6).
fn passes_stencil_test<T: Trace>(test: MaskedTest, stored: u32, trace: &mut T) -> bool {
    let mask = u32::from(test.mask);
    let passes = compare::passes(test.function, u32::from(test.reference) & mask, stored & mask);
    trace.step(|| Step::StencilTest {
        test,
        stored: stored as u8,
        passes,
    });
    passes
}

fn passes_depth_test<T: Trace>(pipeline: &Pipeline, incoming: u16, stored: u16, trace: &mut T) -> bool {
    let Some(function) = pipeline.depth_test else {
        return true;
    };
    let passes = compare::passes(function, u32::from(incoming), u32::from(stored));
    trace.step(|| Step::DepthTest {
        function,
        incoming,
        stored,
        passes,
    });
    passes
}

/// Red, green and blue after blending, dithering, the clamp and the logic operation.
fn final_color(pixel: Pixel<'_>, source: u32, stored: u32) -> u32 {
    let pipeline = &pixel.state.pipeline;
    let components = source.to_le_bytes();
    let blended = match &pipeline.blending {
        Blending::Off => each(|index| i32::from(components[index])),
        Blending::ByAlpha => blend::blended(&Blend::BY_ALPHA, source, stored),
        Blending::General(blend) => blend::blended(blend, source, stored),
    };
    let dither = match pipeline.dither {
        None => 0,
        Some(matrix) => matrix.row(pixel.y)[(pixel.x & 3) as usize],
    };
    let [red, green, blue] = blended.map(|component| (component + dither).clamp(0, 255) as u32);
    let color = red | (green << 8) | (blue << 16);
    match pipeline.logic {
        None => color,
        Some(operation) => logic::operate(operation, color, stored) & 0x00FF_FFFF,
    }
}

/// The stored colour with another stencil value, where the mask lets it.
fn with_stencil(pipeline: &Pipeline, stored: u32, stencil: u32) -> u32 {
    masked(pipeline, (stored & 0x00FF_FFFF) | (stencil << 24), stored)
}

/// The colour where bits may be written, the stored one elsewhere, cut to the frame's format (spec/ge-raster.md §11.12).
fn masked(pipeline: &Pipeline, color: u32, stored: u32) -> u32 {
    let merged = (color & !pipeline.kept) | (stored & pipeline.kept);
    match pipeline.format {
        FrameFormat::RGBA8888 => merged,
        packed => format::expand(format::pack(merged, packed), packed),
    }
}
