//! The draws of a capture, with the state that a reader looks for first.
use ge::command::{Command, Opcode, disassemble};
use serde::Serialize;
use vertex::VertexType;

use super::table::{Align, Table};
use crate::draws::{Registers, Seen};

/// One PRIM, BEZIER or SPLINE that draws, or a run of immediate vertices.
#[derive(Debug, Serialize)]
pub(super) struct Draw {
    draw: u64,
    record: usize,
    /// What is drawn, in words.
    primitive: String,
    vertices: u32,
    vertex_type: String,
    indexed: bool,
    through: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    texture: Option<Texture>,
    target: Target,
    /// What else is on: `blend`, `depth test` and so on.
    state: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
struct Texture {
    format: &'static str,
    width: u32,
    height: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Target {
    address: u32,
    stride: u16,
    format: &'static str,
}

impl Draw {
    /// A draw of a replay: what `ge-harness draws` numbers, no more and no less.
    pub(super) fn new(seen: Seen<'_>) -> Self {
        let Seen { draw, registers, .. } = seen;
        Self {
            draw: draw.draw,
            record: draw.record,
            primitive: draw.primitive.clone(),
            vertices: draw.vertices,
            vertex_type: draw.vertex_type.clone(),
            indexed: draw.indexed,
            through: draw.through,
            texture: draw.texture.as_ref().map(|texture| Texture {
                format: texture.format,
                width: texture.width,
                height: texture.height,
            }),
            target: Target {
                address: draw.target.address & 0x1F_FFF0,
                stride: draw.target.stride,
                format: draw.target.format,
            },
            state: switches(registers),
        }
    }

    pub(super) const fn vertex_count(&self) -> u32 {
        self.vertices
    }

    pub(super) const fn is_through(&self) -> bool {
        self.through
    }

    pub(super) const fn is_textured(&self) -> bool {
        self.texture.is_some()
    }

    pub(super) fn target_text(&self) -> String {
        let Target {
            address,
            stride,
            format,
        } = self.target;
        format!("{address:#08X}, stride {stride}, {format}")
    }

    pub(super) fn table(draws: &[Self]) -> Table<8> {
        let mut table = Table::new([
            ("draw", Align::Right),
            ("record", Align::Right),
            ("primitive", Align::Left),
            ("vertices", Align::Right),
            ("vertex type", Align::Left),
            ("texture", Align::Left),
            ("target", Align::Left),
            ("state", Align::Left),
        ]);
        for draw in draws {
            let texture = draw.texture.as_ref();
            table.row([
                draw.draw.to_string(),
                draw.record.to_string(),
                draw.primitive.clone(),
                draw.vertices.to_string(),
                draw.vertex_type.clone(),
                texture.map_or_else(String::new, |texture| {
                    format!("{} {}x{}", texture.format, texture.width, texture.height)
                }),
                format!("{:#08X} {}", draw.target.address, draw.target.format),
                draw.state.join(", "),
            ]);
        }
        table
    }
}

/// What is on at a draw.
fn switches(registers: &Registers) -> Vec<&'static str> {
    const SWITCHES: [(Opcode, &str); 9] = [
        (Opcode::LIGHTING, "lit"),
        (Opcode::FOGENABLE, "fog"),
        (Opcode::CULLENABLE, "cull"),
        (Opcode::BLENDENABLE, "blend"),
        (Opcode::ALPHATESTENABLE, "alpha test"),
        (Opcode::ZTESTENABLE, "depth test"),
        (Opcode::STENCILTESTENABLE, "stencil"),
        (Opcode::COLORTESTENABLE, "color test"),
        (Opcode::LOGICOPENABLE, "logic"),
    ];
    if registers.switch(Opcode::CLEARMODE) {
        return vec!["clear"];
    }
    SWITCHES
        .iter()
        .filter(|(opcode, _)| registers.switch(*opcode))
        .map(|(_, name)| *name)
        .collect()
}

/// A vertex type in the disassembler's words.
pub(crate) fn vertex_type_text(vertex_type: VertexType) -> String {
    let text = disassemble(Command::new(Opcode::VTYPE, vertex_type.argument()).word());
    text.strip_prefix("VTYPE ")
        .map_or_else(|| text.clone(), str::to_owned)
}
