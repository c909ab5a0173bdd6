//! The vertex stage: from decoded vertices to vertices on the screen, lit, fogged and with texture
//! coordinates (`spec/ge-frontend.md §8, §11 to §13`).

mod fog;
mod lanes;
#[cfg(test)]
mod one_by_one;
mod texture_coordinate;
mod viewport;

use fearless_simd::{Simd, dispatch, f32x16};
use raster::{Profile, ScreenVertex};
use vertex::{CoordinateMode, Vertices};

pub(crate) use fog::Fog;
#[cfg(test)]
pub(crate) use one_by_one::{hostile, levels};
pub(crate) use texture_coordinate::{Generation, q_is_one};
pub(crate) use viewport::{DepthRange, Placement, Viewport};

use crate::arithmetic::{
    Geometry, multiply_4x3, multiply_projection, transform_point_lanes, transform_projection_lanes,
};
use crate::command::Opcode;
use crate::lighting::Lighting;
use crate::{Matrices, Registers};

/// What clipping and rejection still need of a vertex on the screen.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct ClipVertex {
    /// x, y, z, w in clip space.
    pub(crate) position: [f32; 4],
    pub(crate) placement: Placement,
}

/// Vertices on the screen, in two arrays of the same length.
#[derive(Clone, Debug, Default)]
pub(crate) struct StagedVertices {
    pub(crate) screen: Vec<ScreenVertex>,
    pub(crate) clip: Vec<ClipVertex>,
}

impl StagedVertices {
    pub(crate) fn clear(&mut self) {
        self.screen.clear();
        self.clip.clear();
    }

    pub(crate) fn push(&mut self, screen: ScreenVertex, clip: ClipVertex) {
        self.screen.push(screen);
        self.clip.push(clip);
    }
}

/// The attributes that vertices without them take over from earlier ones
/// (`spec/ge-frontend.md §6.9`).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct StickyAttributes {
    /// As it was read: REVERSENORMAL is applied at each use.
    pub(crate) normal: [f32; 3],
    /// With the scale and offset of its own draw, where those applied.
    pub(crate) texture_coordinate: [f32; 2],
}

/// The products of the matrices that vertices are multiplied by
/// (`spec/ge-frontend.md §5.4`).
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Products {
    pub(crate) world_view: [f32; 12],
    pub(crate) combined: [f32; 16],
    /// View and projection alone, where some draws need them.
    view_projection: Option<[f32; 16]>,
}

/// The way of a position from model space to clip space.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Route {
    /// Through the product of all three matrices.
    Combined([f32; 16]),
    /// Through world space, then through the product of the other two: PPSSPP's way where a light has a place
    /// (`spec/ppsspp-profile.md §2.2`).
    ByWorld {
        world: [f32; 12],
        view_projection: [f32; 16],
    },
}

impl Route {
    #[inline(always)]
    fn clip_lanes<A: Geometry, S: Simd>(&self, point: [f32x16<S>; 3]) -> [f32x16<S>; 4] {
        match self {
            Self::Combined(matrix) => transform_projection_lanes::<A, S>(point, matrix),
            Self::ByWorld {
                world,
                view_projection,
            } => {
                let point = transform_point_lanes::<A, S>(point, world);
                transform_projection_lanes::<A, S>(point, view_projection)
            }
        }
    }
}

impl Products {
    /// The three matrices are combined once: vertices multiplied in three steps do not reproduce the
    /// recorded positions.
    pub(crate) fn of<A: Geometry>(matrices: &Matrices) -> Self {
        let world_view = multiply_4x3::<A>(&matrices.world, &matrices.view);
        let combined = multiply_projection::<A>(&world_view, &matrices.projection);
        Self {
            world_view,
            combined,
            view_projection: match A::PROFILE {
                Profile::Hardware => None,
                Profile::Ppsspp => Some(multiply_projection::<A>(&matrices.view, &matrices.projection)),
            },
        }
    }
}

/// Everything that a draw's vertices are put through.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VertexStage {
    mode: CoordinateMode,
    route: Route,
    world: [f32; 12],
    viewport: Viewport,
    fog: Fog,
    generation: Generation,
    lighting: Option<Lighting>,
    reverse_normals: bool,
    /// The colour of vertices without one.
    material_color: u32,
}

impl VertexStage {
    pub(crate) fn of<A: Geometry>(
        registers: &Registers,
        matrices: &Matrices,
        products: &Products,
        mode: CoordinateMode,
    ) -> Self {
        let transform = mode == CoordinateMode::Transform;
        let textured = registers.switch(Opcode::TEXENABLE) && !registers.switch(Opcode::CLEARMODE);
        let lighting =
            (transform && registers.switch(Opcode::LIGHTING)).then(|| Lighting::of::<A>(registers));
        Self {
            mode,
            route: match (&lighting, products.view_projection) {
                (Some(lighting), Some(view_projection)) if lighting.has_lamps() => Route::ByWorld {
                    world: matrices.world,
                    view_projection,
                },
                _ => Route::Combined(products.combined),
            },
            world: matrices.world,
            viewport: Viewport::of(registers),
            fog: if transform {
                Fog::of::<A>(registers, &products.world_view)
            } else {
                Fog::OFF
            },
            generation: if transform && textured {
                Generation::of::<A>(registers, matrices)
            } else {
                Generation::Copy
            },
            lighting,
            reverse_normals: registers.switch(Opcode::REVERSENORMAL),
            material_color: registers.argument(Opcode::MATAMBIENT)
                | registers.field(Opcode::MATALPHA, 7, 0) << 24,
        }
    }

    pub(crate) const fn viewport(&self) -> &Viewport {
        &self.viewport
    }

    /// Puts every vertex of `vertices` through, behind those that `out` holds already.
    pub(crate) fn process<A: Geometry>(
        &self,
        vertices: &Vertices,
        sticky: &StickyAttributes,
        out: &mut StagedVertices,
    ) {
        dispatch!(vertices.level(), simd => self.process_in::<A, _>(simd, vertices, sticky, out));
    }

    /// The attributes that later vertices without their own take from the vertex `row`, the last one
    /// that was read.
    pub(crate) fn remember(
        &self,
        vertices: &Vertices,
        row: usize,
        screen: &ScreenVertex,
        sticky: &mut StickyAttributes,
        textured: bool,
    ) {
        if let Some(normals) = vertices.normal() {
            sticky.normal = normals.map(|axis| axis.get(row).copied().unwrap_or_default());
        }
        // PPSSPP reads coordinates only while texturing is on, outside clear mode.
        if let (Some(pair), true) = (vertices.texture_coordinate(), textured) {
            sticky.texture_coordinate = match self.generation {
                Generation::Scale { .. } => [screen.s, screen.t],
                _ => pair.map(|axis| axis.get(row).copied().unwrap_or_default()),
            };
        }
    }
}
