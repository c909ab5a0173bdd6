//! Immediate vertices: vertices that registers describe (`spec/ge-frontend.md §2.9`).

use raster::{ScreenVertex, StateFlags, Subpixel};
use vertex::CoordinateMode;

use crate::Ge;
use crate::arithmetic::in_arithmetic;
use crate::assembly::{Assembler, Culling, PrimitiveCode};
use crate::command::Opcode;
use crate::draw::{Submission, culling};
use crate::observer::{DrawSource, Observer};
use crate::pixel_state::{DrawSwitches, level_size, pixel_state};
use crate::report::Feature;
use crate::vertex_stage::ClipVertex;

/// Vertices that wait to be drawn, and the flags of the first of them.
///
/// They wait only as long as no other command comes, so that a primitive is drawn with the registers as
/// they are when it is complete (hw: primitives/immediate, where clear mode changes between runs).
#[derive(Clone, Debug, Default)]
pub(crate) struct ImmediateVertices {
    run: Option<Run>,
    vertices: Vec<ScreenVertex>,
    assembler: Assembler,
}

/// What the first vertex of a run says for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    /// `Continue` once a part of the run is drawn.
    code: PrimitiveCode,
    flags: u32,
}

/// Vertices that wait at most; a longer run is drawn in parts.
const MOST: usize = 0x4000;

impl ImmediateVertices {
    pub(crate) const fn are_waiting(&self) -> bool {
        !self.vertices.is_empty()
    }
}

impl Run {
    const fn has(self, bit: u32) -> bool {
        self.flags >> bit & 1 == 1
    }

    const fn culling(self) -> Culling {
        culling(self.has(19), self.has(20))
    }
}

impl Ge {
    /// VAP: sends the vertex that the registers describe.
    pub(crate) fn send_immediate<O: Observer>(&mut self, observer: &mut O) {
        let argument = self.registers.argument(Opcode::VAP);
        let code = PrimitiveCode::from_bits(argument >> 8);
        let vertex = self.immediate_vertex();
        if code != PrimitiveCode::Continue {
            self.flush_immediate(observer);
            self.immediate.run = None;
            // Lists that reset all registers send such a point (ppsspp).
            if argument == 0 && vertex == self.blank_vertex() {
                return;
            }
            self.immediate.run = Some(Run {
                code,
                flags: argument,
            });
        } else if self.immediate.run.is_none() {
            return self.meet(Feature::ContinueOfNothing);
        }
        self.immediate.vertices.push(vertex);
        if self.immediate.vertices.len() >= MOST {
            self.flush_immediate(observer);
        }
    }

    /// What a vertex is when all its registers are zero.
    fn blank_vertex(&self) -> ScreenVertex {
        let [x, y] = self.immediate_origin();
        ScreenVertex {
            x: Subpixel(-x),
            y: Subpixel(-y),
            w: 1.0,
            ..ScreenVertex::default()
        }
    }

    /// What is subtracted from x and y, in sixteenths of a pixel.
    fn immediate_origin(&self) -> [i32; 2] {
        match self.vertex_type().mode() {
            CoordinateMode::Through => [0x8000; 2],
            CoordinateMode::Transform => {
                [Opcode::OFFSETX, Opcode::OFFSETY].map(|opcode| self.registers.field(opcode, 15, 0) as i32)
            }
        }
    }

    fn immediate_vertex(&self) -> ScreenVertex {
        let registers = &self.registers;
        let through = self.vertex_type().is_through();
        let [x, y] = self.immediate_origin();
        let [mut s, mut t, q] = registers.floats(Opcode::VTCS);
        if through {
            // Normalised, unlike the texel coordinates of vertices in memory (ppsspp).
            let size = level_size(registers, 0);
            s *= (1_u32 << size.log2_width) as f32;
            t *= (1_u32 << size.log2_height) as f32;
        }
        let separate = registers.switch(Opcode::LIGHTMODE) && !through;
        ScreenVertex {
            x: Subpixel(registers.field(Opcode::VSCX, 15, 0) as i32 - x),
            y: Subpixel(registers.field(Opcode::VSCY, 15, 0) as i32 - y),
            z: registers.field(Opcode::VSCZ, 15, 0),
            color: registers.argument(Opcode::VCV) | registers.field(Opcode::VAP, 7, 0) << 24,
            secondary: if separate {
                registers.argument(Opcode::VSCV)
            } else {
                0
            },
            // The coefficient is floor(256 f), at most 255 (spec/ge-raster.md §7.5).
            fog: registers.field(Opcode::VFC, 7, 0) as f32 / 256.0,
            s,
            t,
            q,
            w: 1.0,
        }
    }

    /// Draws the immediate vertices that wait.
    pub(crate) fn flush_immediate<O: Observer>(&mut self, observer: &mut O) {
        let Some(run) = self.immediate.run else { return };
        if self.immediate.vertices.is_empty() {
            return;
        }
        let vertex_type = self.vertex_type();
        self.update_derived(vertex_type.mode());
        let switches = DrawSwitches {
            gouraud: run.has(18),
            texture: run.has(21),
            fog: run.has(22),
            dither: run.has(23),
            antialias: run.has(11),
            secondary: self.registers.switch(Opcode::LIGHTMODE) && !vertex_type.is_through(),
            ..DrawSwitches::of(&self.registers, vertex_type.mode())
        };
        let state = pixel_state(&self.registers, switches);
        let clear = state.flags.contains(StateFlags::CLEAR);
        let culling = if clear { Culling::Off } else { run.culling() };
        let rules = self.rules_of(&state, culling);
        let immediate = &mut self.immediate;
        let staged = &mut self.scratch.staged;
        immediate.assembler.begin(run.code, staged);
        let count = immediate.vertices.len() as u32;
        for vertex in immediate.vertices.drain(..) {
            staged.push(vertex, ClipVertex::default());
        }
        let (assembler, assembled) = (&mut immediate.assembler, &mut self.scratch.assembled);
        in_arithmetic!(self.profile, A => assembler.assemble::<A>(0..count, &rules, staged, assembled));
        immediate.run = Some(Run {
            code: PrimitiveCode::Continue,
            ..run
        });
        let submission = Submission {
            source: DrawSource::Immediate,
            primitive: run.code,
            vertex_type,
            vertex_count: count,
        };
        self.submit_with(&state, submission, observer);
    }
}
