//! The vertex stage: from decoded vertices to vertices on the screen, lit, fogged and with texture
//! coordinates (`spec/ge-frontend.md §8, §11 to §13`).

mod fog;
mod texture_coordinate;
mod viewport;

use raster::{Profile, ScreenVertex, Subpixel};
use vertex::{CoordinateMode, Vertices};

pub(crate) use fog::Fog;
pub(crate) use texture_coordinate::{Generation, GenerationInput, q_is_one};
pub(crate) use viewport::{DepthRange, Placement, Viewport};

use crate::arithmetic::{
    Geometry, multiply_4x3, multiply_projection, transform_direction, transform_point, transform_projection,
};
use crate::command::Opcode;
use crate::lighting::{Lighting, Lit};
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
    #[inline]
    fn clip<A: Geometry>(&self, point: [f32; 3]) -> [f32; 4] {
        match self {
            Self::Combined(matrix) => transform_projection::<A>(point, matrix),
            Self::ByWorld {
                world,
                view_projection,
            } => transform_projection::<A>(transform_point::<A>(point, world), view_projection),
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
        let first = out.screen.len();
        let Some(positions) = vertices.position() else {
            return;
        };
        match self.mode {
            CoordinateMode::Through => self.place_through(positions, out),
            CoordinateMode::Transform => self.place_transformed::<A>(positions, out),
        }
        let staged = &mut out.screen[first..];
        self.color::<A>(vertices, positions, sticky, staged);
        if self.fog != Fog::OFF {
            for (row, vertex) in staged.iter_mut().enumerate() {
                vertex.fog = self.fog.factor::<A>(point(positions, row));
            }
        }
        self.coordinates::<A>(vertices, positions, sticky, staged);
    }

    fn place_through(&self, [x, y, z]: [&[f32]; 3], out: &mut StagedVertices) {
        for ((&x, &y), &z) in x.iter().zip(y).zip(z) {
            let vertex = ScreenVertex {
                x: Subpixel(through_subpixel(x)),
                y: Subpixel(through_subpixel(y)),
                // Saturates; whether hardware clamps here or per pixel is not known.
                z: (z as u32).min(0xFFFF),
                fog: 1.0,
                q: 1.0,
                w: 1.0,
                ..ScreenVertex::default()
            };
            out.push(vertex, ClipVertex::default());
        }
    }

    fn place_transformed<A: Geometry>(&self, positions: [&[f32]; 3], out: &mut StagedVertices) {
        for row in 0..positions[0].len() {
            let position = self.route.clip::<A>(point(positions, row));
            let projected = self.viewport.project::<A>(position);
            let vertex = ScreenVertex {
                x: Subpixel(projected.x),
                y: Subpixel(projected.y),
                z: projected.z,
                fog: 1.0,
                q: 1.0,
                w: position[3],
                ..ScreenVertex::default()
            };
            out.push(
                vertex,
                ClipVertex {
                    position,
                    placement: projected.placement,
                },
            );
        }
    }

    fn normal(&self, normals: Option<[&[f32]; 3]>, sticky: &StickyAttributes, row: usize) -> [f32; 3] {
        let [x, y, z] = normals.map_or(sticky.normal, |columns| columns.map(|column| column[row]));
        if self.reverse_normals {
            [-x, -y, -z]
        } else {
            [x, y, z]
        }
    }

    fn color<A: Geometry>(
        &self,
        vertices: &Vertices,
        positions: [&[f32]; 3],
        sticky: &StickyAttributes,
        staged: &mut [ScreenVertex],
    ) {
        let colors = vertices.color();
        let Some(lighting) = &self.lighting else {
            match colors {
                Some(colors) => {
                    for (vertex, &color) in staged.iter_mut().zip(colors) {
                        vertex.color = color;
                    }
                }
                None => {
                    for vertex in staged {
                        vertex.color = self.material_color;
                    }
                }
            }
            return;
        };
        let normals = vertices.normal();
        for (row, vertex) in staged.iter_mut().enumerate() {
            let position = transform_point::<A>(point(positions, row), &self.world);
            let normal = self.world_normal::<A>(self.normal(normals, sticky, row));
            let color = colors.map(|colors| colors[row]);
            let Lit { primary, secondary } = lighting.light::<A>(position, normal, color);
            (vertex.color, vertex.secondary) = (primary, secondary);
        }
    }

    fn world_normal<A: Geometry>(&self, normal: [f32; 3]) -> [f32; 3] {
        A::normalize(transform_direction::<A>(normal, &self.world))
    }

    fn coordinates<A: Geometry>(
        &self,
        vertices: &Vertices,
        positions: [&[f32]; 3],
        sticky: &StickyAttributes,
        staged: &mut [ScreenVertex],
    ) {
        let own = vertices.texture_coordinate();
        let normals = vertices.normal();
        // A sticky pair was scaled when it was read.
        let generation = match (own, &self.generation) {
            (None, Generation::Scale { .. }) => &Generation::Copy,
            (_, generation) => generation,
        };
        for (row, vertex) in staged.iter_mut().enumerate() {
            let normal = self.normal(normals, sticky, row);
            let input = GenerationInput {
                position: point(positions, row),
                texture_coordinate: own.map_or(sticky.texture_coordinate, |pair| pair.map(|axis| axis[row])),
                normal,
                world_normal: if generation.needs_world_normal() {
                    self.world_normal::<A>(normal)
                } else {
                    [0.0; 3]
                },
            };
            [vertex.s, vertex.t, vertex.q] = generation.generate::<A>(&input);
        }
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

/// Sixteenths of a pixel of a through-mode coordinate, truncated (`spec/ge-raster.md §2.3`). Beyond
/// 65,536 pixels either way the coordinate stays there: nothing on a screen of 1,024 can tell.
fn through_subpixel(pixels: f32) -> i32 {
    const LIMIT: f32 = (1 << 20) as f32;
    (16.0 * pixels).clamp(-LIMIT, LIMIT) as i32
}

/// A row's position. What is no number becomes the largest one, as PPSSPP does (unverified,
/// `spec/ge-frontend.md §4.3`): frames are known that count on such rectangles.
#[inline]
fn point(positions: [&[f32]; 3], row: usize) -> [f32; 3] {
    positions.map(|axis| {
        let value = axis[row];
        if value.is_finite() {
            value
        } else if value.is_nan() {
            f32::MAX
        } else {
            f32::MAX.copysign(value)
        }
    })
}
