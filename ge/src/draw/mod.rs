//! Draws: vertices from memory, through the vertex stage and assembly, to the rasteriser.

mod alpha_test;
mod fetch;
mod sampler_code;
mod submit;

pub(crate) use sampler_code::SamplerCodes;
pub(crate) use submit::Submission;

use raster::{PixelState, Profile, StateFlags};
use vertex::{Component, CoordinateMode, VertexType};

use crate::Ge;
use crate::arithmetic::{Geometry, in_arithmetic};
use crate::assembly::{Culling, PrimitiveCode, Rules, Shading, Shapes};
use crate::command::Opcode;
use crate::observer::{DrawSource, Observer};
use crate::report::Feature;

impl Ge {
    /// The vertex type of the registers.
    pub(crate) const fn vertex_type(&self) -> VertexType {
        VertexType::from_argument(self.registers.argument(Opcode::VTYPE))
    }

    /// PRIM (`spec/ge-frontend.md §2.8`).
    pub(crate) fn draw_primitive<O: Observer>(
        &mut self,
        primitive: PrimitiveCode,
        count: u32,
        observer: &mut O,
    ) {
        // Not even a partial primitive is lost.
        if count == 0 {
            return;
        }
        if !self.afford(count as usize) {
            return;
        }
        let vertex_type = self.vertex_type();
        self.update_derived(vertex_type.mode());
        let Some(code) = self.assembler.begin(primitive, &mut self.scratch.staged) else {
            self.meet(Feature::ContinueOfNothing);
            return self.draw_primitive(PrimitiveCode::Points, count, observer);
        };
        let submission = Submission {
            source: DrawSource::Primitive,
            primitive,
            vertex_type,
            vertex_count: count,
        };
        self.scratch.assembled.clear(code);
        // Without positions nothing is drawn (hw: primitives/points).
        let fetched = match has_position(vertex_type) {
            true => self.fetch(vertex_type, count).map(|()| {
                in_arithmetic!(self.profile, A => self.stage_and_assemble::<A>());
            }),
            false => Ok(()),
        };
        match fetched {
            Ok(()) => self.advance(vertex_type, count),
            Err(feature) => self.meet(feature),
        }
        self.submit(submission, observer);
    }

    /// Moves the working pointers past what a draw has read (`spec/ge-frontend.md §2.7`).
    pub(crate) fn advance(&mut self, vertex_type: VertexType, count: u32) {
        match vertex_type.index().size() as u32 {
            0 => {
                let size = if self.decoder.vertex_type() == vertex_type {
                    self.decoder.layout().vertex_size as u32
                } else {
                    vertex_type.layout().vertex_size as u32
                };
                self.pointers.vertex = self.pointers.vertex.offset(count.wrapping_mul(size));
            }
            size => self.pointers.index = self.pointers.index.offset(count.wrapping_mul(size)),
        }
    }

    /// What decides, under the registers' state, which primitives are kept.
    pub(crate) fn rules(&self) -> Rules {
        let culls = self.registers.switch(Opcode::CULLENABLE) && !self.registers.switch(Opcode::CLEARMODE);
        let culling = culling(culls, self.registers.switch(Opcode::CULL));
        self.rules_of(&self.derived.pixel, culling)
    }

    /// What decides, under a state, which primitives are kept.
    pub(crate) fn rules_of(&self, state: &PixelState, culling: Culling) -> Rules {
        Rules {
            viewport: *self.derived.stage.viewport(),
            culling,
            shading: if state.flags.contains(StateFlags::GOURAUD) {
                Shading::Gouraud
            } else {
                Shading::Flat
            },
            shapes: (self.profile == Profile::Ppsspp).then(|| Shapes::of(state, culling)),
        }
    }

    /// Puts the fetched vertices through the vertex stage and forms primitives of them.
    fn stage_and_assemble<A: Geometry>(&mut self) {
        let rules = self.rules();
        let scratch = &mut self.scratch;
        let stage = &self.derived.stage;
        let carried = scratch.staged.screen.len();
        stage.process::<A>(&scratch.vertices, &self.sticky, &mut scratch.staged);
        let last = match scratch.indices.last() {
            Some(&row) => row as usize,
            None => scratch.vertices.len().saturating_sub(1),
        };
        if let Some(vertex) = scratch.staged.screen.get(carried + last) {
            let textured = self.derived.pixel.flags.contains(StateFlags::TEXTURE);
            stage.remember(&scratch.vertices, last, vertex, &mut self.sticky, textured);
        }
        let (staged, assembled) = (&mut scratch.staged, &mut scratch.assembled);
        if scratch.indices.is_empty() {
            let rows = 0..scratch.vertices.len() as u32;
            self.assembler.assemble::<A>(rows, &rules, staged, assembled);
        } else {
            let rows = scratch.indices.iter().copied();
            self.assembler.assemble::<A>(rows, &rules, staged, assembled);
        }
    }
}

/// The orientation that CULL's bit removes, if culling is on (hw: commands/cull).
pub(crate) const fn culling(on: bool, direction: bool) -> Culling {
    match (on, direction) {
        (false, _) => Culling::Off,
        (true, false) => Culling::Clockwise,
        (true, true) => Culling::CounterClockwise,
    }
}

/// Whether vertices have positions.
pub(crate) const fn has_position(vertex_type: VertexType) -> bool {
    !matches!(vertex_type.position(), Component::None)
}

/// Whether a morph of this type does something that nobody knows.
pub(crate) fn morphs_through(vertex_type: VertexType) -> bool {
    vertex_type.morph_count() > 1 && vertex_type.mode() == CoordinateMode::Through
}
