//! Curved surfaces: BEZIER and SPLINE (`spec/ge-frontend.md §15`).
//!
//! The control points are fetched like the vertices of any draw. The points of the surface are then
//! vertices with float components, and take the ordinary way to the screen.

mod basis;
mod surface;

use vertex::Decoder;

use crate::Ge;
use crate::arithmetic::in_arithmetic;
use crate::assembly::PatchPrimitive;
use crate::command::Opcode;
use crate::draw::{Submission, has_position};
use crate::observer::{DrawSource, Observer};
use crate::report::Feature;
use basis::Axis;
use surface::{ControlPoints, SurfaceFormat};

/// Points of a surface at most. A list that asks for more gets coarser patches, as PPSSPP's do where
/// its buffers end: the machine has no such limit, and no game comes near it.
const MOST_POINTS: usize = 1 << 18;

/// How the patches of a surface lie in its vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Patches share borders of control points, and have vertices of their own.
    Bezier,
    /// One grid over all patches; edge types of u and v, in two bits each.
    Spline { edges: u32 },
}

impl Ge {
    /// BEZIER or SPLINE, as the registers last held it.
    pub(crate) fn draw_patch<O: Observer>(&mut self, opcode: Opcode, observer: &mut O) {
        let counts = [
            self.registers.field(opcode, 7, 0),
            self.registers.field(opcode, 15, 8),
        ];
        let kind = match opcode {
            Opcode::SPLINE => Kind::Spline {
                edges: self.registers.field(opcode, 19, 16),
            },
            _ => Kind::Bezier,
        };
        let count = counts[0] * counts[1];
        if !self.afford(count as usize) {
            return;
        }
        let vertex_type = self.vertex_type();
        self.update_derived(vertex_type.mode());
        if self.registers.switch(Opcode::PATCHCULLENABLE) {
            self.meet(Feature::PatchCulling);
        }
        let primitive = PatchPrimitive::of(self.registers.argument(Opcode::PATCHPRIM)).code();
        self.scratch.assembled.clear(primitive);
        let drawn = counts.iter().all(|&count| count >= 4) && has_position(vertex_type);
        if drawn {
            if let Err(feature) = self.fetch(vertex_type, count) {
                return self.meet(feature);
            }
            self.tessellate(kind, counts);
        }
        self.advance(vertex_type, count);
        if !drawn {
            return;
        }
        let submission = Submission {
            source: match kind {
                Kind::Bezier => DrawSource::Bezier,
                Kind::Spline { .. } => DrawSource::Spline,
            },
            primitive,
            vertex_type,
            vertex_count: count,
        };
        self.submit(submission, observer);
    }

    /// The subdivisions of u and v, 1 to 127.
    fn divisions(&mut self, patches: [usize; 2]) -> [usize; 2] {
        let mut divisions = [
            self.registers.field(Opcode::PATCHDIV, 6, 0),
            self.registers.field(Opcode::PATCHDIV, 14, 8),
        ]
        .map(|division| division.max(1) as usize);
        let points =
            |divisions: [usize; 2]| patches[0] * (divisions[0] + 1) * patches[1] * (divisions[1] + 1);
        if points(divisions) > MOST_POINTS {
            self.meet(Feature::PatchTooFine);
            while points(divisions) > MOST_POINTS && divisions != [1, 1] {
                divisions = divisions.map(|division| (division / 2).max(1));
            }
        }
        divisions
    }

    /// Turns the fetched control points into the vertices and primitives of their surface.
    fn tessellate(&mut self, kind: Kind, counts: [u32; 2]) {
        let counts = counts.map(|count| count as usize);
        let patches = counts.map(|count| match kind {
            Kind::Bezier => (count - 1) / 3,
            Kind::Spline { .. } => count - 3,
        });
        let divisions = self.divisions(patches);
        let axes = [0, 1].map(|axis| match kind {
            Kind::Bezier => Axis::bezier(patches[axis], divisions[axis]),
            Kind::Spline { edges } => {
                Axis::spline(patches[axis], divisions[axis], edges >> (2 * axis), self.profile)
            }
        });
        if !self.afford(axes[0].points.len() * axes[1].points.len()) {
            return;
        }
        let lit = self.registers.switch(Opcode::LIGHTING);
        let format = SurfaceFormat::of(self.scratch.vertices.vertex_type(), lit);
        let controls = ControlPoints::new(&self.scratch.vertices, &self.scratch.indices, counts[0]);
        let facing = self.registers.switch(Opcode::PATCHFACING);
        let bytes = &mut self.scratch.bytes;
        surface::evaluate(&controls, &axes, format, facing, self.profile, bytes);
        let surface_type = format.vertex_type(self.derived.mode);
        let points = axes[0].points.len() * axes[1].points.len();
        // The bytes hold exactly these vertices.
        let decoded = Decoder::new(surface_type).decode(bytes, points, &mut self.scratch.vertices);
        if decoded.is_err() {
            return;
        }
        let scratch = &mut self.scratch;
        scratch.staged.clear();
        let stage = &self.derived.stage;
        in_arithmetic!(self.profile, A => {
            stage.process::<A>(&scratch.vertices, &self.sticky, &mut scratch.staged);
        });
        let rules = self.rules();
        let primitive = PatchPrimitive::of(self.registers.argument(Opcode::PATCHPRIM));
        let width = axes[0].points.len();
        let (staged, assembled) = (&mut self.scratch.staged, &mut self.scratch.assembled);
        let [u, v] = &axes;
        match kind {
            // Patch by patch, those along v first, as PPSSPP goes; it shows only where they overlap.
            Kind::Bezier => {
                let patches = (0..u.patches).flat_map(|pu| (0..v.patches).map(move |pv| [pu, pv]));
                let quads = patches.flat_map(|[pu, pv]| {
                    let corners = (0..v.division).flat_map(|j| (0..u.division).map(move |i| [i, j]));
                    corners.map(move |[i, j]| [pu * u.step + i, pv * v.step + j])
                });
                in_arithmetic!(self.profile, A => {
                    primitive.assemble::<A>(width, quads, &rules, staged, assembled);
                });
            }
            Kind::Spline { .. } => {
                let (columns, rows) = (u.patches * u.division, v.patches * v.division);
                let quads = (0..rows).flat_map(|j| (0..columns).map(move |i| [i, j]));
                in_arithmetic!(self.profile, A => {
                    primitive.assemble::<A>(width, quads, &rules, staged, assembled);
                });
            }
        }
    }
}
