//! Draws as text: a line each, or everything of one.
use std::io::{self, Write};

use ge::Matrices;
use ge::command::Opcode;
use vertex::VertexType;

use super::{Draw, Registers, Seen, Texture};
use crate::inspect::{Align, Table, count, vector};

/// Writes one aligned line a draw.
///
/// # Errors
/// What `out` returns.
pub fn write_table(out: &mut dyn Write, draws: &[Draw]) -> io::Result<()> {
    let mut table = Table::new([
        ("draw", Align::Right),
        ("record", Align::Right),
        ("primitive", Align::Left),
        ("vertices", Align::Right),
        ("drawn", Align::Right),
        ("pixels", Align::Right),
        ("vertex type", Align::Left),
        ("target", Align::Left),
        ("texture", Align::Left),
        ("state", Align::Left),
    ]);
    for draw in draws {
        table.row([
            draw.draw.to_string(),
            draw.record.to_string(),
            draw.primitive.clone(),
            draw.vertices.to_string(),
            draw.primitives.to_string(),
            draw.pixels_passed.to_string(),
            draw.vertex_type.clone(),
            format!("{:08X} {}", draw.target.address, draw.target.format),
            draw.texture.as_ref().map_or_else(String::new, short_texture),
            draw.state.in_words().join("; "),
        ]);
    }
    table.write(out)
}

/// Address, format and size of a texture.
pub(crate) fn short_texture(texture: &Texture) -> String {
    let Texture {
        address,
        format,
        width,
        height,
        ..
    } = texture;
    format!("{address:08X} {format} {width}x{height}")
}

/// Writes all state of a draw. Registers that `before`, the state of the draw before, had otherwise are marked with a
/// star.
///
/// # Errors
/// What `out` returns.
pub fn write_details(out: &mut dyn Write, seen: Seen<'_>, before: Option<&Registers>) -> io::Result<()> {
    let Seen {
        draw,
        registers,
        matrices,
    } = seen;
    writeln!(
        out,
        "draw {}, record {}: {}, {}",
        draw.draw,
        draw.record,
        draw.primitive,
        count(draw.vertices as usize, "vertex")
    )?;
    writeln!(
        out,
        "  {} drawn, {} of {} pixels passed; {}",
        count(draw.primitives, "primitive"),
        draw.pixels_passed,
        draw.pixels_covered,
        draw.vertex_type
    )?;
    let target = draw.target;
    let [left, top, right, bottom] = target.scissor;
    writeln!(
        out,
        "  target   {:08X} {}, stride {}; depth {:08X}, stride {}; x {left}..{right}, y {top}..{bottom}",
        target.address, target.format, target.stride, target.depth_address, target.depth_stride
    )?;
    if let Some(texture) = &draw.texture {
        write_texture(out, texture)?;
    }
    let state = draw.state.in_words();
    if !state.is_empty() {
        writeln!(out, "  state    {}", state.join("; "))?;
    }
    writeln!(out, "  registers (* changed since the draw before)")?;
    for opcode in Opcode::all().filter(|opcode| holds_state(*opcode)) {
        let command = registers.command(opcode);
        let changed = before.is_some_and(|before| before.command(opcode) != command);
        if command.argument() != 0 || changed {
            let mark = if changed { '*' } else { ' ' };
            writeln!(out, "  {mark} {:08X}  {command}", command.word())?;
        }
    }
    if !draw.through {
        let vertex_type = VertexType::from_argument(draw.vertex_type_argument);
        write_matrices(out, matrices, vertex_type, registers)?;
    }
    writeln!(out)
}

fn write_texture(out: &mut dyn Write, texture: &Texture) -> io::Result<()> {
    writeln!(
        out,
        "  texture  {}, stride {}{}, {}; {}; {}; {}",
        short_texture(texture),
        texture.buffer_width,
        if texture.swizzled { ", swizzled" } else { "" },
        count(texture.levels, "level"),
        texture.function,
        texture.filter,
        texture.wrap
    )?;
    if let Some(clut) = &texture.clut {
        writeln!(
            out,
            "  CLUT     {:08X} {}, shift {}, mask 0x{:02X}, start {}",
            clut.address, clut.format, clut.shift, clut.mask, clut.start
        )?;
    }
    Ok(())
}

/// Whether a draw depends on what the opcode last set: not on commands that do something, nor on matrices' ports,
/// nor on immediate vertices.
fn holds_state(opcode: Opcode) -> bool {
    match opcode {
        Opcode::LOADCLUT | Opcode::TEXFLUSH | Opcode::TEXSYNC => false,
        Opcode(0x2A | 0x2B | 0x3A..=0x41) => false,
        // Block transfers.
        Opcode(0xB2..=0xB5 | 0xEA..=0xEE) => false,
        Opcode(code) => (0x12..=0xE9).contains(&code) && opcode.name().is_some() && !steers(opcode),
    }
}

const fn steers(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::OFFSETADDR | Opcode::ORIGIN)
}

fn write_matrices(
    out: &mut dyn Write,
    matrices: &Matrices,
    vertex_type: VertexType,
    registers: &Registers,
) -> io::Result<()> {
    for (bone, matrix) in matrices.bones.iter().enumerate().take(vertex_type.weight_count()) {
        write_matrix(out, &format!("bone {bone}"), matrix.chunks_exact(3))?;
    }
    write_matrix(out, "world", matrices.world.chunks_exact(3))?;
    write_matrix(out, "view", matrices.view.chunks_exact(3))?;
    write_matrix(out, "projection", matrices.projection.chunks_exact(4))?;
    if registers.argument(Opcode::TEXMAPMODE) & 3 == 1 {
        write_matrix(out, "texture", matrices.texture.chunks_exact(3))?;
    }
    Ok(())
}

/// A matrix in the order in which it is loaded: the images of the axes, then the translation.
fn write_matrix<'a>(
    out: &mut dyn Write,
    name: &str,
    rows: impl Iterator<Item = &'a [f32]>,
) -> io::Result<()> {
    let rows: Vec<String> = rows.map(vector).collect();
    writeln!(out, "  {name:<11} {}", rows.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_is_what_draws_depend_on() {
        for (opcode, expected) in [
            (Opcode::VTYPE, true),
            (Opcode::TEXADDR7, true),
            (Opcode::MASKALPHA, true),
            (Opcode::PRIM, false),
            (Opcode::BONEDATA, false),
            (Opcode::ORIGIN, false),
            (Opcode::LOADCLUT, false),
            (Opcode::XFERSTART, false),
            (Opcode::VAP, false),
            (Opcode(0x29), false),
        ] {
            assert_eq!(holds_state(opcode), expected, "{opcode}");
        }
    }
}
