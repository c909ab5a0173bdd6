//! The vertex stage for a block of vertices side by side.
//!
//! What is the same for all vertices of a draw is decided outside the loops over lanes. No closures here: one that
//! is not inlined into its caller is compiled without the caller's instructions.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16, u32x16};
use raster::{ScreenVertex, Subpixel};
use vertex::{Blocks, CoordinateMode, LANES, Vertices};

use super::{ClipVertex, Fog, Generation, Placement, StagedVertices, StickyAttributes, VertexStage};
use crate::arithmetic::{Geometry, transform_direction_lanes, transform_point_lanes};

/// A block's vertices as they are handed on, each number in an array.
#[derive(Clone, Debug, Default)]
struct Block {
    x: [i32; LANES],
    y: [i32; LANES],
    z: [i32; LANES],
    color: [u32; LANES],
    secondary: [u32; LANES],
    fog: [f32; LANES],
    coordinate: [[f32; LANES]; 3],
    clip: [[f32; LANES]; 4],
    placement: [u32; LANES],
}

impl Block {
    /// Adds the first `count` vertices to those that are staged.
    fn append(&self, count: usize, mode: CoordinateMode, out: &mut StagedVertices) {
        let [s, t, q] = &self.coordinate;
        let count = count.min(LANES);
        out.screen.extend((0..count).map(|lane| ScreenVertex {
            x: Subpixel(self.x[lane]),
            y: Subpixel(self.y[lane]),
            z: self.z[lane] as u32,
            color: self.color[lane],
            secondary: self.secondary[lane],
            fog: self.fog[lane],
            s: s[lane],
            t: t[lane],
            q: q[lane],
            w: match mode {
                CoordinateMode::Through => 1.0,
                CoordinateMode::Transform => self.clip[3][lane],
            },
        }));
        match mode {
            CoordinateMode::Through => {
                out.clip.resize(out.screen.len(), ClipVertex::default());
            }
            CoordinateMode::Transform => {
                let [x, y, z, w] = &self.clip;
                out.clip.extend((0..count).map(|lane| ClipVertex {
                    position: [x[lane], y[lane], z[lane], w[lane]],
                    placement: Placement::of_bits(self.placement[lane]),
                }));
            }
        }
    }
}

/// Number `index` of the blocks of each column.
#[inline(always)]
fn load3<S: Simd>(simd: S, [x, y, z]: [&[[f32; LANES]]; 3], index: usize) -> [f32x16<S>; 3] {
    [
        f32x16::simd_from(simd, x[index]),
        f32x16::simd_from(simd, y[index]),
        f32x16::simd_from(simd, z[index]),
    ]
}

/// A vector in all lanes.
#[inline(always)]
fn splat3<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> [f32x16<S>; 3] {
    [
        f32x16::splat(simd, x),
        f32x16::splat(simd, y),
        f32x16::splat(simd, z),
    ]
}

/// What is no number becomes the largest one, as PPSSPP does (unverified, `spec/ge-frontend.md §4.3`): frames are
/// known that count on such rectangles.
#[inline(always)]
fn made_finite<S: Simd>(value: f32x16<S>) -> f32x16<S> {
    let largest = f32x16::splat(value.token(), f32::MAX);
    let beyond = value.simd_eq(value).select(largest.copysign(value), largest);
    value.abs().simd_le(f32::MAX).select(value, beyond)
}

/// Truncated to an integer within limits; 0 for what is no number.
#[inline(always)]
pub(super) fn clamped<S: Simd>(value: f32x16<S>, low: f32, high: f32) -> i32x16<S> {
    let simd = value.token();
    let (low, high) = (f32x16::splat(simd, low), f32x16::splat(simd, high));
    let value = value.simd_lt(low).select(low, value);
    let value = value.simd_gt(high).select(high, value);
    let value = value.simd_eq(value).select(value, f32x16::splat(simd, 0.0));
    value.to_int()
}

impl VertexStage {
    /// Puts every vertex of `vertices` through, behind those that `out` holds already.
    #[inline(always)]
    pub(super) fn process_in<A: Geometry, S: Simd>(
        &self,
        simd: S,
        vertices: &Vertices,
        sticky: &StickyAttributes,
        out: &mut StagedVertices,
    ) {
        let columns = vertices.blocks();
        let Some(positions) = columns.position else {
            return;
        };
        out.screen.reserve(vertices.len());
        out.clip.reserve(vertices.len());
        let mut block = Block {
            fog: [1.0; LANES],
            ..Block::default()
        };
        // A sticky pair was scaled when it was read.
        let generation = match (columns.texture_coordinate, &self.generation) {
            (None, Generation::Scale { .. }) => &Generation::Copy,
            (_, generation) => generation,
        };
        for first in (0..vertices.len()).step_by(LANES) {
            let index = first / LANES;
            let [x, y, z] = load3(simd, positions, index);
            let position = [made_finite(x), made_finite(y), made_finite(z)];
            match self.mode {
                CoordinateMode::Through => place_through([x, y, z], &mut block),
                CoordinateMode::Transform => self.place_transformed::<A, S>(position, &mut block),
            }
            let normal = self.normals(simd, &columns, sticky, index);
            let world_normal = if self.lighting.is_some() || generation.needs_world_normal() {
                A::normalize_lanes(transform_direction_lanes::<A, S>(normal, &self.world))
            } else {
                normal
            };
            self.color::<A, S>(simd, &columns, position, world_normal, index, &mut block);
            if self.fog != Fog::OFF {
                self.fog
                    .factor_lanes::<A, S>(position)
                    .store_array(&mut block.fog);
            }
            let [u, v] = match columns.texture_coordinate {
                Some([u, v]) => [
                    f32x16::simd_from(simd, u[index]),
                    f32x16::simd_from(simd, v[index]),
                ],
                None => [
                    f32x16::splat(simd, sticky.texture_coordinate[0]),
                    f32x16::splat(simd, sticky.texture_coordinate[1]),
                ],
            };
            let generated = generation.generate_lanes::<A, S>(position, [u, v], normal, world_normal);
            for (values, out) in generated.into_iter().zip(&mut block.coordinate) {
                values.store_array(out);
            }
            block.append(vertices.len() - first, self.mode, out);
        }
    }

    /// The normals of a block, as they count.
    #[inline(always)]
    fn normals<S: Simd>(
        &self,
        simd: S,
        columns: &Blocks<'_>,
        sticky: &StickyAttributes,
        index: usize,
    ) -> [f32x16<S>; 3] {
        let [x, y, z] = match columns.normal {
            Some(normals) => load3(simd, normals, index),
            None => splat3(simd, sticky.normal),
        };
        if self.reverse_normals {
            [-x, -y, -z]
        } else {
            [x, y, z]
        }
    }

    #[inline(always)]
    fn place_transformed<A: Geometry, S: Simd>(&self, position: [f32x16<S>; 3], block: &mut Block) {
        let clip = self.route.clip_lanes::<A, S>(position);
        let projected = self.viewport.project_lanes::<A, S>(clip);
        projected.x.store_array(&mut block.x);
        projected.y.store_array(&mut block.y);
        projected.z.store_array(&mut block.z);
        projected.placement.store_array(&mut block.placement);
        for (values, out) in clip.into_iter().zip(&mut block.clip) {
            values.store_array(out);
        }
    }

    #[inline(always)]
    fn color<A: Geometry, S: Simd>(
        &self,
        simd: S,
        columns: &Blocks<'_>,
        position: [f32x16<S>; 3],
        world_normal: [f32x16<S>; 3],
        index: usize,
        block: &mut Block,
    ) {
        let colors = columns.color.map(|colors| &colors[index]);
        let Some(lighting) = &self.lighting else {
            block.color = colors.copied().unwrap_or([self.material_color; LANES]);
            return;
        };
        let position = transform_point_lanes::<A, S>(position, &self.world);
        let colors = colors.map(|colors| u32x16::simd_from(simd, *colors));
        let (primary, secondary) = lighting.light_lanes::<A, S>(simd, position, world_normal, colors);
        primary.store_array(&mut block.color);
        secondary.store_array(&mut block.secondary);
    }
}

/// Sixteenths of a pixel of a through-mode coordinate, truncated (`spec/ge-raster.md §2.3`). Beyond 65,536 pixels
/// either way the coordinate stays there: nothing on a screen of 1,024 can tell. Depths saturate; whether hardware
/// clamps here or per pixel is not known.
#[inline(always)]
fn place_through<S: Simd>([x, y, z]: [f32x16<S>; 3], block: &mut Block) {
    const LIMIT: f32 = (1 << 20) as f32;
    clamped(x * 16.0, -LIMIT, LIMIT).store_array(&mut block.x);
    clamped(y * 16.0, -LIMIT, LIMIT).store_array(&mut block.y);
    clamped(z, 0.0, 65535.0).store_array(&mut block.z);
}
