//! A primitive in a tile, row by row, each row step by step through the pipeline (spec/ge-raster.md §11.1).
//!
//! A span is the covered part of a row. Every step runs over the whole span before the next one begins, so that
//! what the state decides is asked once per span; pixels drop out of a mask. Here each step is a loop over the pixels,
//! elsewhere it may be lanes of a vector or invocations of a shader: the records are the same.

use super::coverage;
use super::tile::Tile;
use super::{each, interpolate, texturing};
use crate::code::ColorTestFunction;
use crate::compiled::{AlphaSource, Blending, DrawState, Pipeline, Stencil};
use crate::format::quantize;
use crate::history::{Step, Trace};
use crate::reference::{blend, compare, fog, logic, stencil, texture_function};
use crate::setup::{Attributes, NONE, Primitive, PrimitiveFlags, Visit};

/// Pixels of a span at most: a row of the largest tile, a bit of the mask each.
pub(super) const SPAN: usize = 64;

/// What a kernel reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work<'a> {
    pub(crate) primitives: &'a [Primitive],
    pub(crate) attributes: &'a Attributes,
    pub(crate) states: &'a [DrawState],
}

/// How many pixels were covered, and how many passed all tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PixelCounts {
    pub(crate) covered: u64,
    pub(crate) passed: u64,
}

impl PixelCounts {
    pub(crate) fn add(&mut self, other: Self) {
        self.covered += other.covered;
        self.passed += other.passed;
    }
}

/// The covered part of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Column and row of its first pixel.
    pub(super) x: i32,
    pub(super) y: i32,
    /// The same, from the primitive's first pixel.
    pub(super) dx: i32,
    pub(super) dy: i32,
    pub(super) count: usize,
}

/// Values of a span's pixels between the steps.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(super) color: [u32; SPAN],
    pub(super) secondary: [u32; SPAN],
    pub(super) texel: [u32; SPAN],
    pub(super) depth: [u16; SPAN],
    pub(super) alpha: [u8; SPAN],
    pub(super) s: [i32; SPAN],
    pub(super) t: [i32; SPAN],
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self {
            color: [0; SPAN],
            secondary: [0; SPAN],
            texel: [0; SPAN],
            depth: [0; SPAN],
            alpha: [0; SPAN],
            s: [0; SPAN],
            t: [0; SPAN],
        }
    }
}

/// Draws a primitive into the tile. Tiles of more than one pixel cannot be traced.
pub(crate) fn draw<T: Trace>(
    tile: &mut Tile,
    work: Work<'_>,
    visit: &Visit,
    scratch: &mut Scratch,
    trace: &mut T,
) -> PixelCounts {
    let primitive = &work.primitives[visit.primitive as usize];
    let state = &work.states[primitive.state as usize];
    let left = i32::from(primitive.left).max(tile.left);
    let right = i32::from(primitive.right).min(tile.left + tile.size);
    let top = i32::from(primitive.top).max(tile.top);
    let bottom = i32::from(primitive.bottom).min(tile.top + tile.size);
    let mut counts = PixelCounts::default();
    if left >= right {
        return counts;
    }
    let has_edges = primitive.flags.contains(PrimitiveFlags::EDGES);
    let steps = primitive.edges.map(|edge| edge.right);
    for y in top..bottom {
        let columns = if has_edges {
            let mut edges = visit.edges;
            for (value, step) in edges.iter_mut().zip(&primitive.edges) {
                *value += step.right * (left - tile.left) + step.down * (y - tile.top);
            }
            coverage::covered(edges, steps, right - left)
        } else {
            0..right - left
        };
        if columns.is_empty() {
            continue;
        }
        let x = left + columns.start;
        let span = Span {
            x,
            y,
            dx: x - i32::from(primitive.left),
            dy: y - i32::from(primitive.top),
            count: (columns.end - columns.start) as usize,
        };
        counts.covered += span.count as u64;
        let passed = shade(tile, work.attributes, primitive, state, span, scratch, trace);
        counts.passed += u64::from(passed.count_ones());
    }
    tile.color_written |= state.pipeline.writes_color;
    tile.depth_written |= state.pipeline.writes_depth;
    counts
}

/// Takes a span through the pipeline; tells which pixels passed every test.
fn shade<T: Trace>(
    tile: &mut Tile,
    attributes: &Attributes,
    primitive: &Primitive,
    state: &DrawState,
    span: Span,
    scratch: &mut Scratch,
    trace: &mut T,
) -> u64 {
    let pipeline = &state.pipeline;
    let count = span.count;
    let all = u64::MAX >> (SPAN - count);
    let mut mask = all;
    let start = tile.index(span.x, span.y);
    let colors = &mut tile.colors[start..start + count];
    let depths = &mut tile.depths[start..start + count];

    if pipeline.uses_depth() || pipeline.depth_range.is_some() {
        let depth = &mut scratch.depth[..count];
        interpolate::depth(primitive.depth, span, depth);
        // Depth that is the same everywhere was compared with the range in set-up.
        if let Some((minimum, maximum)) = pipeline.depth_range
            && primitive.depth.right | primitive.depth.down != 0
        {
            mask = filter(mask, |index| {
                (minimum..=maximum).contains(&u32::from(depth[index]))
            });
            trace.step(|| Step::DepthRange {
                depth: depth[0],
                minimum: minimum as u16,
                maximum: maximum as u16,
                passes: mask == all,
            });
        }
        if let Some(function) = pipeline.depth_test
            && pipeline.depth_first
            && (!T::LISTENS || mask != 0)
        {
            mask = filter(mask, |index| {
                compare::passes(function, u32::from(depth[index]), u32::from(depths[index]))
            });
            trace.step(|| Step::DepthTest {
                function,
                incoming: depth[0],
                stored: depths[0],
                passes: mask == all,
            });
        }
        if mask == 0 {
            if T::LISTENS {
                color_pixels(attributes, primitive, state, span, all, scratch, trace);
            }
            return 0;
        }
    }

    color_pixels(attributes, primitive, state, span, mask, scratch, trace);

    if let Some(test) = pipeline.alpha_test {
        let (function, test_mask) = (test.function, u32::from(test.mask));
        let reference = u32::from(test.reference) & test_mask;
        mask = filter(mask, |index| {
            compare::passes(function, (scratch.color[index] >> 24) & test_mask, reference)
        });
        trace.step(|| Step::AlphaTest {
            test,
            alpha: (scratch.color[0] >> 24) as u8,
            passes: mask == all,
        });
        if T::LISTENS && mask == 0 {
            return 0;
        }
    }
    if let Some(fog_color) = pipeline.fog {
        apply_fog(
            attributes,
            primitive,
            fog_color,
            span,
            &mut scratch.color[..count],
            trace,
        );
    }
    if let Some(test) = pipeline.color_test {
        let test_mask = test.mask & 0x00FF_FFFF;
        mask = filter(mask, |index| {
            let equal = (scratch.color[index] ^ test.reference) & test_mask == 0;
            match test.function {
                ColorTestFunction::EQUAL => equal,
                ColorTestFunction::NOT_EQUAL => !equal,
                _ => false,
            }
        });
        trace.step(|| Step::ColorTest {
            test,
            color: scratch.color[0],
            passes: mask == all,
        });
    }
    if let Some(stencil) = &pipeline.stencil {
        mask = test_stencil(pipeline, stencil, mask, colors, depths, scratch, trace);
    }
    if mask == 0 {
        return 0;
    }
    if pipeline.writes_depth {
        for (index, (stored, &depth)) in depths.iter_mut().zip(&scratch.depth).enumerate() {
            if (mask >> index) & 1 == 1 {
                *stored = depth;
            }
        }
    }
    if pipeline.writes_color {
        write_colors(pipeline, span, mask, scratch, colors);
    }
    mask
}

/// The bits of the mask for which the condition holds.
#[inline]
fn filter(mask: u64, mut holds: impl FnMut(usize) -> bool) -> u64 {
    let mut kept = mask;
    let mut rest = mask;
    while rest != 0 {
        let index = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if !holds(index) {
            kept &= !(1 << index);
        }
    }
    kept
}

/// The colours after texturing and the secondary colour, clamped.
fn color_pixels<T: Trace>(
    attributes: &Attributes,
    primitive: &Primitive,
    state: &DrawState,
    span: Span,
    mask: u64,
    scratch: &mut Scratch,
    trace: &mut T,
) {
    let pipeline = &state.pipeline;
    let count = span.count;
    if primitive.gouraud == NONE {
        scratch.color[..count].fill(primitive.color);
        scratch.secondary[..count].fill(if pipeline.secondary {
            primitive.secondary
        } else {
            0
        });
    } else {
        let gouraud = &attributes.gouraud[primitive.gouraud as usize];
        interpolate::colors(gouraud, span, &mut scratch.color[..count]);
        if pipeline.secondary {
            interpolate::secondary(gouraud, span, &mut scratch.secondary[..count]);
        } else {
            scratch.secondary[..count].fill(0);
        }
    }
    trace.step(|| Step::Primitive {
        color: scratch.color[0],
        secondary: pipeline.secondary.then_some(scratch.secondary[0]),
    });
    if let Some(combiner) = pipeline.combiner {
        texturing::sample(attributes, primitive, state, span, mask, scratch);
        trace.step(|| Step::Texel {
            coordinates: (primitive.coordinates != NONE).then(|| {
                let [shift_s, shift_t] = state.sampler.first_shifts;
                [scratch.s[0] >> shift_s, scratch.t[0] >> shift_t]
            }),
            color: scratch.texel[0],
        });
        if primitive.flags.contains(PrimitiveFlags::COLOR_WITHOUT_NUMBER) {
            for index in 0..count {
                scratch.color[index] = texture_function::combine_without_number(
                    combiner,
                    scratch.texel[index],
                    scratch.secondary[index],
                );
            }
            trace.step(|| Step::Source {
                color: scratch.color[0],
            });
            return;
        }
        for index in 0..count {
            scratch.color[index] = texture_function::combine(
                combiner,
                scratch.color[index],
                scratch.texel[index],
                scratch.secondary[index],
            );
        }
    } else if pipeline.secondary {
        for index in 0..count {
            scratch.color[index] =
                texture_function::add_secondary(scratch.color[index], scratch.secondary[index]);
        }
    }
    trace.step(|| Step::Source {
        color: scratch.color[0],
    });
}

fn apply_fog<T: Trace>(
    attributes: &Attributes,
    primitive: &Primitive,
    fog_color: [u32; 3],
    span: Span,
    colors: &mut [u32],
    trace: &mut T,
) {
    if !primitive.flags.contains(PrimitiveFlags::FOG_PLANE) {
        if primitive.fog < 255 {
            for color in &mut *colors {
                *color = fog::fogged(*color, primitive.fog, fog_color);
            }
        }
        trace.step(|| Step::Fog {
            factor: primitive.fog as u8,
            color: colors[0],
        });
        return;
    }
    let plane = attributes.planes[primitive.fog as usize];
    let mut value = plane.at(span.dx, span.dy);
    for color in colors {
        let factor = (value >> 32).clamp(0, 255) as u32;
        *color = fog::fogged(*color, factor, fog_color);
        trace.step(|| Step::Fog {
            factor: factor as u8,
            color: *color,
        });
        value = value.wrapping_add(plane.right());
    }
}

/// The stencil test, the depth test if it had to wait, and the stencil value of pixels that fail. That of the others
/// goes to `scratch.alpha`, for the colour write to store: blending sees the old one.
fn test_stencil<T: Trace>(
    pipeline: &Pipeline,
    stencil: &Stencil,
    mask: u64,
    colors: &mut [u32],
    depths: &[u16],
    scratch: &mut Scratch,
    trace: &mut T,
) -> u64 {
    let test_mask = u32::from(stencil.test.mask);
    let reference = u32::from(stencil.test.reference);
    let alpha_kept = pipeline.kept | 0x00FF_FFFF;
    filter(mask, |index| {
        let stored = colors[index] >> 24;
        let operate = |operation| stencil::operate(operation, stored, reference, pipeline.format);
        let operations = &stencil.operations;
        let passes = compare::passes(stencil.test.function, reference & test_mask, stored & test_mask);
        trace.step(|| Step::StencilTest {
            test: stencil.test,
            stored: stored as u8,
            passes,
        });
        let mut depth_passes = || {
            let Some(function) = pipeline.depth_test.filter(|_| !pipeline.depth_first) else {
                return true;
            };
            let (incoming, stored) = (scratch.depth[index], depths[index]);
            let passes = compare::passes(function, u32::from(incoming), u32::from(stored));
            trace.step(|| Step::DepthTest {
                function,
                incoming,
                stored,
                passes,
            });
            passes
        };
        let failed = if !passes {
            operations.stencil_fail
        } else if !depth_passes() {
            operations.depth_fail
        } else {
            scratch.alpha[index] = operate(operations.pass) as u8;
            return true;
        };
        let color = (operate(failed) << 24 & !alpha_kept) | (colors[index] & alpha_kept);
        colors[index] = quantize(color, pipeline.format);
        false
    })
}

fn write_colors(pipeline: &Pipeline, span: Span, mask: u64, scratch: &Scratch, colors: &mut [u32]) {
    match pipeline.blending {
        Blending::Off => write_blended(pipeline, span, mask, scratch, colors, |source, _| {
            let [red, green, blue, _] = source.to_le_bytes().map(i32::from);
            [red, green, blue]
        }),
        Blending::ByAlpha => {
            write_blended(pipeline, span, mask, scratch, colors, blend::blended_by_alpha);
        }
        Blending::General(state) => {
            write_blended(pipeline, span, mask, scratch, colors, |source, stored| {
                blend::blended(&state, source, stored)
            });
        }
    }
}

#[inline]
fn write_blended(
    pipeline: &Pipeline,
    span: Span,
    mask: u64,
    scratch: &Scratch,
    colors: &mut [u32],
    blended: impl Fn(u32, u32) -> [i32; 3],
) {
    let dither = pipeline.dither.map(|matrix| matrix.row(span.y));
    for (index, (color, &source)) in colors.iter_mut().zip(&scratch.color).enumerate() {
        if (mask >> index) & 1 == 0 {
            continue;
        }
        let stored = *color;
        let mut components = blended(source, stored);
        if let Some(row) = dither {
            let entry = row[(span.x as usize + index) & 3];
            components = each(|index| components[index] + entry);
        }
        let [red, green, blue] = each(|index| components[index].clamp(0, 255) as u32);
        let mut result = red | (green << 8) | (blue << 16);
        if let Some(operation) = pipeline.logic {
            result = logic::operate(operation, result, stored) & 0x00FF_FFFF;
        }
        result |= match pipeline.alpha_source {
            // `kept` protects the alpha.
            AlphaSource::Stored => 0,
            AlphaSource::Stencil => u32::from(scratch.alpha[index]) << 24,
            AlphaSource::Fragment => source & 0xFF00_0000,
        };
        *color = quantize(
            (result & !pipeline.kept) | (stored & pipeline.kept),
            pipeline.format,
        );
    }
}
