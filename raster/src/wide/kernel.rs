//! A primitive in a tile, block by block (spec/ge-raster.md §11.1).

use fearless_simd::{Simd, SimdBase, i16x32, i32x16, prelude::*, u32x16};

use super::blend::{self, Signed};
use super::color::{Pairs, doubled, quantized, shown};
use super::combine;
use super::coordinates::{Area, Coordinates};
use super::detail::{self, QuadDetail};
use super::lanes::{COLUMNS, LANES, ROWS, SIDE, bits, compare, inlined, mask as lanes_of, rectangle_mask};
use super::level::{Instructions, at_level};
use super::plane::{Anchor, HalvesPlane, LanePlane};
use super::portable;
use super::sample::{self, Choices};
use super::stencil;
use super::tile::Tile;
use crate::code::{ColorTestFunction, LogicOperation};
use crate::compiled::{AlphaSource, Blending, DrawState, Pipeline, Stencil};
use crate::setup::{Attributes, NONE, Primitive, PrimitiveFlags, Visit};
use crate::texture::{LevelChoice, choose_level};

/// What the kernel reads.
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

/// Draws primitives into the tile, in order.
pub(crate) fn draw_visits(
    instructions: Instructions,
    tile: &mut Tile,
    work: Work<'_>,
    visits: &[Visit],
) -> PixelCounts {
    match instructions {
        Instructions::Portable => portable::draw_visits(tile, work, visits),
        Instructions::Vector(level) => {
            at_level!(level, simd => draw_all(simd, tile, work, visits), portable::draw_visits(tile, work, visits))
        }
    }
}

#[inline(always)]
fn draw_all<S: Simd>(simd: S, tile: &mut Tile, work: Work<'_>, visits: &[Visit]) -> PixelCounts {
    let mut counts = PixelCounts::default();
    for visit in visits {
        let primitive = &work.primitives[visit.primitive as usize];
        let state = &work.states[primitive.state as usize];
        draw(simd, tile, work.attributes, primitive, state, visit, &mut counts);
        tile.color_written |= state.pipeline.writes_color;
        tile.depth_written |= state.pipeline.writes_depth;
    }
    counts
}

/// Where colours come from.
enum Primary<S: Simd> {
    Flat {
        color: Pairs<S>,
        secondary: Option<Pairs<S>>,
    },
    Gouraud {
        color: [LanePlane<S>; 4],
        secondary: Option<[LanePlane<S>; 3]>,
    },
}

/// How the level of detail is found.
enum Detail<'a> {
    /// The same everywhere.
    Flat(LevelChoice),
    /// Quad by quad.
    Quads(QuadDetail<'a>),
}

/// How much fog there is.
enum Fog<S: Simd> {
    None,
    Flat(u32),
    Plane(HalvesPlane<S>),
}

/// A primitive in a tile, ready for its blocks.
struct Shading<'a, S: Simd> {
    primitive: &'a Primitive,
    state: &'a DrawState,
    anchor: Anchor,
    primary: Primary<S>,
    coordinates: Coordinates<'a, S>,
    detail: Detail<'a>,
    fog: Fog<S>,
}

/// Draws a primitive into the tile.
#[inline(always)]
fn draw<S: Simd>(
    simd: S,
    tile: &mut Tile,
    attributes: &Attributes,
    primitive: &Primitive,
    state: &DrawState,
    visit: &Visit,
    counts: &mut PixelCounts,
) {
    let area = Area {
        left: (i32::from(primitive.left) - tile.left).max(0),
        top: (i32::from(primitive.top) - tile.top).max(0),
        right: (i32::from(primitive.right) - tile.left).min(tile.size),
        bottom: (i32::from(primitive.bottom) - tile.top).min(tile.size),
    };
    if area.left >= area.right || area.top >= area.bottom {
        return;
    }
    let pipeline = &state.pipeline;
    let anchor = Anchor {
        dx: tile.left - i32::from(primitive.left),
        dy: tile.top - i32::from(primitive.top),
    };
    let shading = Shading::new(simd, attributes, primitive, state, anchor, area);
    let uses_depth = pipeline.uses_depth() || pipeline.depth_range.is_some();
    let depth_plane = LanePlane::new(simd, primitive.depth, anchor);
    let depth_varies = primitive.depth.right | primitive.depth.down != 0;
    let has_edges = primitive.flags.contains(PrimitiveFlags::EDGES);
    let (columns, rows) = (i32x16::simd_from(simd, COLUMNS), i32x16::simd_from(simd, ROWS));
    let edge_lanes = inlined(
        #[inline(always)]
        |number: usize| {
            let step = &primitive.edges[number];
            columns * step.right + rows * step.down
        },
    );
    let edge_lanes = [edge_lanes(0), edge_lanes(1), edge_lanes(2)];
    let blocks_in_row = tile.size / SIDE;
    for row in area.top / SIDE..=(area.bottom - 1) / SIDE {
        let top = row * SIDE;
        for column in area.left / SIDE..=(area.right - 1) / SIDE {
            let left = column * SIDE;
            let mut mask = rectangle_mask(
                (area.left - left, area.right - left),
                (area.top - top, area.bottom - top),
            );
            if has_edges {
                let edge = inlined(
                    #[inline(always)]
                    |number: usize| {
                        let step = &primitive.edges[number];
                        let base = visit.edges[number] + step.right * left + step.down * top;
                        edge_lanes[number] + base
                    },
                );
                let outside = edge(0) | edge(1) | edge(2);
                mask &= !bits(outside.simd_lt(i32x16::splat(simd, 0)));
                if mask == 0 {
                    continue;
                }
            }
            counts.covered += u64::from(mask.count_ones());
            let block = (row * blocks_in_row + column) as usize;
            let mut depth = u32x16::splat(simd, 0);
            if uses_depth {
                depth = shown_depth(simd, depth_plane.at((column, row)));
                // Depth that is the same everywhere was compared with the range in set-up.
                if let (Some((minimum, maximum)), true) = (pipeline.depth_range, depth_varies) {
                    let (minimum, maximum) = (u32x16::splat(simd, minimum), u32x16::splat(simd, maximum));
                    mask &= bits(depth.simd_ge(minimum) & depth.simd_le(maximum));
                }
                if let (Some(function), true) = (pipeline.depth_test, pipeline.depth_first) {
                    let stored = u32x16::load_array_ref(simd, &tile.depths[block]);
                    mask &= bits(compare(simd, function, depth, stored));
                }
                if mask == 0 {
                    continue;
                }
            }
            let mut color = shading.color(simd, (column, row), mask);
            if let Some(test) = pipeline.alpha_test {
                let test_mask = u32::from(test.mask);
                let alpha = (color.words() >> 24) & test_mask;
                let reference = u32x16::splat(simd, u32::from(test.reference) & test_mask);
                mask &= bits(compare(simd, test.function, alpha, reference));
                if mask == 0 {
                    continue;
                }
            }
            if let Some(fog_color) = pipeline.fog {
                color = shading.fogged(simd, (column, row), color, fog_color);
            }
            if let Some(test) = pipeline.color_test {
                let test_mask = test.mask & 0x00FF_FFFF;
                let different = (color.words() ^ test.reference) & test_mask;
                let equal = bits(different.simd_eq(u32x16::splat(simd, 0)));
                mask &= match test.function {
                    ColorTestFunction::EQUAL => equal,
                    ColorTestFunction::NOT_EQUAL => !equal,
                    _ => 0,
                };
            }
            let stored = u32x16::load_array_ref(simd, &tile.colors[block]);
            let mut changed = stored;
            let mut new_alpha = None;
            if let Some(stencil) = &pipeline.stencil {
                let stored_depth = u32x16::load_array_ref(simd, &tile.depths[block]);
                let tested = test_stencil(simd, pipeline, stencil, mask, stored, depth, stored_depth);
                mask = tested.mask;
                changed = tested.colors;
                new_alpha = Some(tested.alpha);
                if mask == 0 {
                    changed.store_array(&mut tile.colors[block]);
                    continue;
                }
            }
            if mask == 0 {
                continue;
            }
            counts.passed += u64::from(mask.count_ones());
            let passed = lanes_of(simd, mask);
            if pipeline.writes_depth {
                let stored = u32x16::load_array_ref(simd, &tile.depths[block]);
                passed.select(depth, stored).store_array(&mut tile.depths[block]);
            }
            if pipeline.writes_color {
                let written = written(simd, pipeline, color, stored, new_alpha);
                passed
                    .select(written, changed)
                    .store_array(&mut tile.colors[block]);
            } else if pipeline.stencil.is_some() {
                changed.store_array(&mut tile.colors[block]);
            }
        }
    }
}

#[inline(always)]
fn shown_depth<S: Simd>(simd: S, value: i32x16<S>) -> u32x16<S> {
    let (least, most) = (i32x16::splat(simd, 0), i32x16::splat(simd, 0xFFFF));
    (value >> 14).max(least).min(most).bitcast()
}

impl<'a, S: Simd> Shading<'a, S> {
    #[inline(always)]
    fn new(
        simd: S,
        attributes: &'a Attributes,
        primitive: &'a Primitive,
        state: &'a DrawState,
        anchor: Anchor,
        area: Area,
    ) -> Self {
        let pipeline = &state.pipeline;
        let primary = if primitive.gouraud == NONE {
            Primary::Flat {
                color: Pairs::splat(simd, primitive.color),
                secondary: pipeline.secondary.then(
                    #[inline(always)]
                    || Pairs::splat(simd, primitive.secondary),
                ),
            }
        } else {
            let gouraud = &attributes.gouraud[primitive.gouraud as usize];
            let [red, green, blue, alpha] = &gouraud.primary;
            let lanes = inlined(
                #[inline(always)]
                |plane| LanePlane::new(simd, plane, anchor),
            );
            Primary::Gouraud {
                color: [lanes(*red), lanes(*green), lanes(*blue), lanes(*alpha)],
                secondary: pipeline.secondary.then(
                    #[inline(always)]
                    || {
                        let [red, green, blue] = &gouraud.secondary;
                        [lanes(*red), lanes(*green), lanes(*blue)]
                    },
                ),
            }
        };
        let coordinates = if pipeline.combiner.is_some() {
            Coordinates::new(simd, attributes, primitive, anchor, area)
        } else {
            Coordinates::None
        };
        let flags = primitive.flags;
        let detail = if flags.contains(PrimitiveFlags::DETAIL_FROM_SLOPE) {
            Detail::Quads(QuadDetail::Slope(&attributes.planes[primitive.slope as usize]))
        } else if flags.contains(PrimitiveFlags::DETAIL_PER_QUAD)
            && flags.contains(PrimitiveFlags::PERSPECTIVE)
        {
            Detail::Quads(QuadDetail::Quotients(
                &attributes.perspective[primitive.coordinates as usize],
            ))
        } else {
            Detail::Flat(choose_level(&state.sampler, primitive.detail))
        };
        let fog = if pipeline.fog.is_none() {
            Fog::None
        } else if flags.contains(PrimitiveFlags::FOG_PLANE) {
            Fog::Plane(HalvesPlane::new(
                simd,
                &attributes.planes[primitive.fog as usize],
                anchor,
            ))
        } else if primitive.fog < 255 {
            Fog::Flat(primitive.fog)
        } else {
            Fog::None
        };
        Self {
            primitive,
            state,
            anchor,
            primary,
            coordinates,
            detail,
            fog,
        }
    }

    /// The colours after texturing and the secondary colour, clamped; right in the lanes of `mask`.
    #[inline(always)]
    fn color(&self, simd: S, block: (i32, i32), mask: u32) -> Pairs<S> {
        let (color, secondary) = match &self.primary {
            Primary::Flat { color, secondary } => (*color, *secondary),
            Primary::Gouraud {
                color: [red, green, blue, alpha],
                secondary,
            } => {
                let at = inlined(
                    #[inline(always)]
                    |plane: &LanePlane<S>| shown(simd, plane.at(block)),
                );
                let color = Pairs::of_components([at(red), at(green), at(blue), at(alpha)]);
                let secondary = secondary.as_ref().map(
                    #[inline(always)]
                    |[red, green, blue]| {
                        Pairs::of_components([at(red), at(green), at(blue), u32x16::splat(simd, 0)])
                    },
                );
                (color, secondary)
            }
        };
        let Some(combiner) = &self.state.pipeline.combiner else {
            return match secondary {
                Some(secondary) => combine::added(simd, color, secondary),
                None => color,
            };
        };
        let texel = self.texel(simd, block, mask);
        if self
            .primitive
            .flags
            .contains(PrimitiveFlags::COLOR_WITHOUT_NUMBER)
        {
            return combine::combined_without_number(simd, combiner, texel, secondary);
        }
        combine::combined(simd, combiner, color, texel, secondary)
    }

    #[inline(always)]
    fn texel(&self, simd: S, block: (i32, i32), mask: u32) -> Pairs<S> {
        if let Coordinates::None = self.coordinates {
            return Pairs::splat(simd, 0);
        }
        let coordinates = self.coordinates.at(simd, block, mask);
        let (sampler, texture) = (&self.state.sampler, &*self.state.texture);
        let choices = match self.detail {
            Detail::Flat(choice) => Choices::One(choice),
            Detail::Quads(source) => {
                let details = detail::details(simd, source, self.primitive, sampler, self.anchor, block);
                Choices::Lanes(detail::levels(simd, sampler, details))
            }
        };
        sample::sampled(simd, sampler, texture, &choices, coordinates, mask)
    }

    #[inline(always)]
    fn fogged(&self, simd: S, block: (i32, i32), color: Pairs<S>, fog_color: [u32; 3]) -> Pairs<S> {
        let factor = match &self.fog {
            Fog::None => return color,
            Fog::Flat(factor) => u32x16::splat(simd, *factor),
            Fog::Plane(plane) => {
                let (least, most) = (i32x16::splat(simd, 0), i32x16::splat(simd, 255));
                plane.floor_at(simd, block).max(least).min(most).bitcast()
            }
        };
        combine::fogged(simd, color, doubled(factor), fog_color)
    }
}

/// What the stencil test leaves.
struct Tested<S: Simd> {
    mask: u32,
    /// The stored colours, with another stencil value where a test failed.
    colors: u32x16<S>,
    /// The stencil value of pixels that pass, for the colour write to store: blending sees the old one.
    alpha: u32x16<S>,
}

/// The stencil test, the depth test if it had to wait, and the stencil value of pixels that fail.
#[inline(always)]
fn test_stencil<S: Simd>(
    simd: S,
    pipeline: &Pipeline,
    stencil: &Stencil,
    mask: u32,
    stored: u32x16<S>,
    depth: u32x16<S>,
    stored_depth: u32x16<S>,
) -> Tested<S> {
    let test_mask = u32::from(stencil.test.mask);
    let reference = u32::from(stencil.test.reference);
    let value = stored >> 24;
    let operations = &stencil.operations;
    let operated = inlined(
        #[inline(always)]
        |operation| stencil::operated(simd, operation, value, reference, pipeline.format),
    );
    let passes = bits(compare(
        simd,
        stencil.test.function,
        u32x16::splat(simd, reference & test_mask),
        value & test_mask,
    ));
    let depth_passes = match pipeline.depth_test.filter(|_| !pipeline.depth_first) {
        Some(function) => bits(compare(simd, function, depth, stored_depth)),
        None => u32::MAX,
    };
    let failed = lanes_of(simd, mask & !passes)
        .select(operated(operations.stencil_fail), operated(operations.depth_fail));
    let passed = mask & passes & depth_passes;
    let kept = pipeline.kept | 0x00FF_FFFF;
    let changed = quantized(((failed << 24) & !kept) | (stored & kept), pipeline.format);
    Tested {
        mask: passed,
        colors: lanes_of(simd, mask & !passed).select(changed, stored),
        alpha: operated(operations.pass),
    }
}

/// The colours to store where pixels pass.
#[inline(always)]
fn written<S: Simd>(
    simd: S,
    pipeline: &Pipeline,
    source: Pairs<S>,
    stored: u32x16<S>,
    new_alpha: Option<u32x16<S>>,
) -> u32x16<S> {
    let mut signed = match &pipeline.blending {
        Blending::Off => Signed::of(source),
        Blending::ByAlpha => blend::blended_by_alpha(simd, source, Pairs::of(stored)),
        Blending::General(state) => blend::blended(simd, state, source, Pairs::of(stored)),
    };
    if let Some(matrix) = pipeline.dither {
        // Blocks begin where the matrix does.
        let entries = matrix.entries();
        let (mut even, mut odd) = ([0; 2 * LANES], [0; 2 * LANES]);
        for (lane, &entry) in entries.iter().enumerate() {
            (even[2 * lane], even[2 * lane + 1], odd[2 * lane]) = (entry, entry, entry);
        }
        signed.even += i16x32::simd_from(simd, even);
        signed.odd += i16x32::simd_from(simd, odd);
    }
    let mut result = signed.clamped(simd).words() & 0x00FF_FFFF;
    if let Some(operation) = pipeline.logic {
        result = operated(simd, operation, result, stored) & 0x00FF_FFFF;
    }
    result |= match pipeline.alpha_source {
        // `kept` protects the alpha.
        AlphaSource::Stored => u32x16::splat(simd, 0),
        AlphaSource::Stencil => new_alpha.map_or(
            u32x16::splat(simd, 0),
            #[inline(always)]
            |alpha| alpha << 24,
        ),
        AlphaSource::Fragment => source.words() & 0xFF00_0000,
    };
    quantized(
        (result & !pipeline.kept) | (stored & pipeline.kept),
        pipeline.format,
    )
}

/// The logic operation on all bits of source and stored colour (spec/ge-raster.md §11.11).
#[inline(always)]
fn operated<S: Simd>(simd: S, operation: LogicOperation, source: u32x16<S>, stored: u32x16<S>) -> u32x16<S> {
    // The code is its own truth table: bit 3 for a source of 0 and a stored 0, bit 2 for 0 and 1, bit 1 for 1 and
    // 0, bit 0 for 1 and 1.
    let code = u32::from(operation.code());
    let all = inlined(
        #[inline(always)]
        |bit: u32| u32x16::splat(simd, 0u32.wrapping_sub((code >> bit) & 1)),
    );
    (all(3) & !source & !stored)
        | (all(2) & !source & stored)
        | (all(1) & source & !stored)
        | (all(0) & source & stored)
}
