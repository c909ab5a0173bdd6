//! The draws of a capture, with the state that a reader looks for first.
use ge::command::{Command, Opcode, disassemble};
use serde::Serialize;
use vertex::{CoordinateMode, IndexFormat, VertexType};

use super::table::{Align, Table};

/// One PRIM, BEZIER or SPLINE.
#[derive(Debug, Serialize)]
pub(super) struct Draw {
    draw: usize,
    record: usize,
    /// The command as text, without the number of vertices.
    primitive: String,
    vertices: usize,
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
    format: String,
    width: u32,
    height: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Target {
    address: u32,
    stride: u32,
    format: &'static str,
}

impl Draw {
    pub(super) const fn vertex_count(&self) -> usize {
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

/// Follows the commands of a capture and notes its draws.
pub(super) struct DrawList {
    registers: [u32; 256],
    pub(super) draws: Vec<Draw>,
    pub(super) commands: usize,
    pub(super) block_transfers: usize,
    pub(super) clut_loads: usize,
}

impl DrawList {
    /// Starts with the state that the capture begins in.
    pub(super) fn new(registers: &[u32; 256]) -> Self {
        Self {
            registers: *registers,
            draws: Vec::new(),
            commands: 0,
            block_transfers: 0,
            clut_loads: 0,
        }
    }

    /// One word of record `record`.
    pub(super) fn command(&mut self, record: usize, word: u32) {
        let command = Command::from_word(word);
        let opcode = command.opcode();
        self.registers[usize::from(opcode.0)] = word;
        self.commands += 1;
        match opcode {
            Opcode::PRIM | Opcode::BEZIER | Opcode::SPLINE => {
                let draw = self.draw(record, command);
                self.draws.push(draw);
            }
            Opcode::XFERSTART => self.block_transfers += 1,
            Opcode::LOADCLUT => self.clut_loads += 1,
            _ => {}
        }
    }

    fn register(&self, opcode: Opcode) -> u32 {
        Command::from_word(self.registers[usize::from(opcode.0)]).argument()
    }

    fn is_on(&self, opcode: Opcode) -> bool {
        self.register(opcode) & 1 != 0
    }

    fn draw(&self, record: usize, command: Command) -> Draw {
        let argument = command.argument();
        let (primitive, vertices) = match command.opcode() {
            Opcode::PRIM => {
                let text = disassemble(command.word());
                let kind = text
                    .strip_prefix("PRIM ")
                    .and_then(|text| text.split(',').next())
                    .unwrap_or(&text);
                (kind.to_owned(), argument & 0xFFFF)
            }
            Opcode::BEZIER => ("bezier".to_owned(), (argument & 0xFF) * (argument >> 8 & 0xFF)),
            _ => ("spline".to_owned(), (argument & 0xFF) * (argument >> 8 & 0xFF)),
        };
        let vertex_type = VertexType::from_argument(self.register(Opcode::VTYPE));
        let clearing = self.is_on(Opcode::CLEARMODE);
        let texture = self.is_on(Opcode::TEXENABLE) && !clearing;
        Draw {
            draw: self.draws.len(),
            record,
            primitive,
            vertices: vertices as usize,
            vertex_type: vertex_type_text(vertex_type),
            indexed: vertex_type.index() != IndexFormat::None,
            through: vertex_type.mode() == CoordinateMode::Through,
            texture: texture.then(|| self.texture()),
            target: Target {
                address: self.register(Opcode::FBPTR) & 0x1F_FFF0,
                stride: self.register(Opcode::FBWIDTH) & 0x7FC,
                format: ["5650", "5551", "4444", "8888"][(self.register(Opcode::FBFORMAT) & 3) as usize],
            },
            state: if clearing { vec!["clear"] } else { self.switches() },
        }
    }

    fn texture(&self) -> Texture {
        const FORMATS: [&str; 11] = [
            "5650", "5551", "4444", "8888", "CLUT4", "CLUT8", "CLUT16", "CLUT32", "DXT1", "DXT3", "DXT5",
        ];
        let size = self.register(Opcode::TEXSIZE0);
        let format = self.register(Opcode::TEXFORMAT) & 0xF;
        Texture {
            format: FORMATS
                .get(format as usize)
                .map_or_else(|| format!("format {format}"), ToString::to_string),
            width: 1 << (size & 0xF),
            height: 1 << (size >> 8 & 0xF),
        }
    }

    fn switches(&self) -> Vec<&'static str> {
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
        SWITCHES
            .iter()
            .filter(|(opcode, _)| self.is_on(*opcode))
            .map(|(_, name)| *name)
            .collect()
    }
}

/// A vertex type in the disassembler's words.
pub(crate) fn vertex_type_text(vertex_type: VertexType) -> String {
    let text = disassemble(Command::new(Opcode::VTYPE, vertex_type.argument()).word());
    text.strip_prefix("VTYPE ")
        .map_or_else(|| text.clone(), str::to_owned)
}
