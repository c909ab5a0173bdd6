//! Command words as text.

use std::fmt::{self, Write};

use raster::{
    BlendEquation, BlendFactor, ColorTestFunction, CompareFunction, FrameFormat, LevelMode, LogicOperation,
    StencilOperation, TextureFormat, TextureFunction,
};
use vertex::{Component, CoordinateMode, IndexFormat, VertexColor, VertexType};

use super::{Argument, Command};
use crate::Float24;
use crate::assembly::PrimitiveCode;

/// A command word as text: the opcode's name, then the fields of its argument, in words. Bits that
/// no field covers follow in brackets.
///
/// ```
/// use ge::command::disassemble;
///
/// assert_eq!(disassemble(0x0404_0018), "PRIM triangle strip, 24 vertices");
/// assert_eq!(disassemble(0x4246_FFFF), "VPSCALEX 32767.5");
/// assert_eq!(disassemble(0x1200_8B22), "VTYPE uv16 n8 p16 w3x8 i8 transform");
/// assert_eq!(disassemble(0x1E00_0101), "TEXENABLE on [+0x000100]");
/// ```
#[must_use]
pub fn disassemble(word: u32) -> String {
    let command = Command::from_word(word);
    let mut text = command.opcode().to_string();
    // Writing to a string cannot fail.
    let _ = write_argument(&mut text, command);
    text
}

fn write_argument(text: &mut String, command: Command) -> fmt::Result {
    let argument = command.argument();
    let kind = command.opcode().argument();
    if !matches!(kind, Argument::Ignored | Argument::Unknown) {
        text.push(' ');
        write_fields(text, kind, argument)?;
    }
    match argument & !kind.used_bits() {
        0 => Ok(()),
        rest => write!(text, " [+{rest:#08X}]"),
    }
}

/// Bits `high..=low` of `value`.
const fn field(value: u32, high: u32, low: u32) -> u32 {
    value >> low & ((1 << (high - low + 1)) - 1)
}

const fn choose(bit: u32, off: &'static str, on: &'static str) -> &'static str {
    if bit & 1 == 0 { off } else { on }
}

fn write_fields(text: &mut String, kind: Argument, a: u32) -> fmt::Result {
    match kind {
        Argument::Ignored | Argument::Unknown => Ok(()),
        Argument::Address | Argument::LowAddress => write!(text, "{:#08X}", a & kind.used_bits()),
        Argument::WordAddress | Argument::BufferOffset => write!(text, "{:#08X}", a & kind.used_bits()),
        Argument::HighAddress => write!(text, "{:#010X}", field(a, 19, 16) << 24),
        Argument::Offset => write!(text, "{:#010X}", a << 8),
        Argument::Primitive => {
            let primitive = PrimitiveCode::from_bits(field(a, 18, 16));
            write!(text, "{primitive}, {} vertices", field(a, 15, 0))
        }
        Argument::Bezier => write!(text, "{} x {} points", field(a, 7, 0), field(a, 15, 8)),
        Argument::Spline => write!(
            text,
            "{} x {} points, u {}, v {}",
            field(a, 7, 0),
            field(a, 15, 8),
            edge_type(field(a, 17, 16)),
            edge_type(field(a, 19, 18)),
        ),
        Argument::Count => write!(text, "{} vertices", field(a, 15, 0)),
        Argument::EndData | Argument::FinishId => write!(text, "{:#06X}", field(a, 15, 0)),
        Argument::Signal => write!(text, "{} {:#06X}", signal(field(a, 23, 16)), field(a, 15, 0)),
        Argument::VertexType => write_vertex_type(text, VertexType::from_argument(a)),
        Argument::Position => write!(text, "({}, {})", field(a, 9, 0), field(a, 19, 10)),
        Argument::Size => write!(text, "{} x {}", field(a, 9, 0) + 1, field(a, 19, 10) + 1),
        Argument::Switch => text.write_str(choose(a, "off", "on")),
        Argument::BoneNumber => {
            let element = field(a, 6, 0);
            write!(
                text,
                "{element} (bone {}, element {})",
                element / 12,
                element % 12
            )
        }
        Argument::ElementNumber => write!(text, "{}", field(a, 3, 0)),
        Argument::Float => write!(text, "{}", Float24::from_argument(a)),
        Argument::PatchDivision => write!(text, "{} x {}", field(a, 6, 0), field(a, 14, 8)),
        Argument::PatchPrimitive => {
            text.write_str(["triangles", "lines", "points", "points"][(a & 3) as usize])
        }
        Argument::PatchFacing => text.write_str(choose(a, "as generated", "negated")),
        Argument::Fixed => write!(text, "{}", f64::from(field(a, 15, 0)) / 16.0),
        Argument::Shade => text.write_str(choose(a, "flat", "gouraud")),
        Argument::MaterialUpdate => write_list(
            text,
            &[
                (a & 1, "ambient"),
                (a >> 1 & 1, "diffuse"),
                (a >> 2 & 1, "specular"),
            ],
        ),
        Argument::Color => write!(text, "{:#08X}", a),
        Argument::Byte => write!(text, "{:#04X}", field(a, 7, 0)),
        Argument::LightMode => text.write_str(choose(a, "single color", "separate specular")),
        Argument::LightType => write!(
            text,
            "{}, {}",
            ["directional", "point", "spot", "spot (3)"][field(a, 9, 8) as usize],
            [
                "diffuse",
                "diffuse and specular",
                "powered diffuse",
                "diffuse (3)"
            ][field(a, 1, 0) as usize],
        ),
        Argument::Cull => text.write_str(choose(a, "clockwise", "counter-clockwise")),
        Argument::BufferStride => {
            write!(text, "{} pixels, high {:#04X}", a & 0x7FC, field(a, 23, 16))
        }
        Argument::TextureStride => {
            write!(
                text,
                "{} texels, high {:#010X}",
                field(a, 10, 0),
                field(a, 19, 16) << 24
            )
        }
        Argument::TransferStride => {
            write!(
                text,
                "{} pixels, high {:#010X}",
                a & 0x7F8,
                field(a, 23, 16) << 24
            )
        }
        Argument::TextureSize => write!(text, "{} x {}", 1u32 << field(a, 3, 0), 1u32 << field(a, 11, 8)),
        Argument::TextureMapMode => write!(
            text,
            "{}, from {}",
            ["uv", "matrix", "environment", "uv (3)"][field(a, 1, 0) as usize],
            ["position", "uv", "normalized normal", "normal"][field(a, 9, 8) as usize],
        ),
        Argument::ShadeLights => write!(text, "s {}, t {}", field(a, 1, 0), field(a, 9, 8)),
        Argument::TextureMode => write!(
            text,
            "{}, {} CLUT, levels to {}",
            choose(a, "linear", "swizzled"),
            choose(a >> 8, "one", "own"),
            field(a, 18, 16)
        ),
        Argument::TextureFormat => write!(text, "{:?}", TextureFormat::from_bits(field(a, 3, 0))),
        Argument::ClutBlocks => write!(text, "{} blocks", field(a, 5, 0)),
        Argument::ClutFormat => write!(
            text,
            "{:?}, shift {}, mask {:#04X}, start {}",
            FrameFormat::from_bits(field(a, 1, 0)),
            field(a, 6, 2),
            field(a, 15, 8),
            field(a, 20, 16)
        ),
        Argument::TextureFilter => {
            text.write_str(choose(a, "nearest", "linear"))?;
            if field(a, 2, 2) == 1 {
                write!(text, " mipmap {}", choose(a >> 1, "nearest", "linear"))?;
            }
            write!(text, ", magnify {}", choose(a >> 8, "nearest", "linear"))
        }
        Argument::TextureWrap => write!(
            text,
            "s {}, t {}",
            choose(a, "repeat", "clamp"),
            choose(a >> 8, "repeat", "clamp")
        ),
        Argument::TextureLevel => write!(
            text,
            "{:?}, bias {}",
            LevelMode::from_bits(field(a, 1, 0)),
            f64::from(field(a, 23, 16) as u8 as i8) / 16.0
        ),
        Argument::TextureFunction => {
            write!(text, "{:?}", TextureFunction::from_bits(field(a, 2, 0)))?;
            text.write_str(choose(a >> 8, " RGB", " RGBA"))?;
            text.write_str(choose(a >> 16, "", " doubled"))
        }
        Argument::FrameFormat => write!(text, "{:?}", FrameFormat::from_bits(field(a, 1, 0))),
        Argument::ClearMode => {
            text.write_str(choose(a, "off, ", "on, "))?;
            write_list(
                text,
                &[
                    (a >> 8 & 1, "color"),
                    (a >> 9 & 1, "alpha"),
                    (a >> 10 & 1, "depth"),
                ],
            )
        }
        Argument::Depth => write!(text, "{}", field(a, 15, 0)),
        Argument::ColorTest => write!(text, "{:?}", ColorTestFunction::from_bits(field(a, 1, 0))),
        Argument::MaskedTest => write!(
            text,
            "{:?} {:#04X}, mask {:#04X}",
            CompareFunction::from_bits(field(a, 2, 0)),
            field(a, 15, 8),
            field(a, 23, 16)
        ),
        Argument::StencilOperations => write!(
            text,
            "fail {:?}, depth fail {:?}, pass {:?}",
            StencilOperation::from_bits(field(a, 2, 0)),
            StencilOperation::from_bits(field(a, 10, 8)),
            StencilOperation::from_bits(field(a, 18, 16))
        ),
        Argument::CompareFunction => write!(text, "{:?}", CompareFunction::from_bits(field(a, 2, 0))),
        Argument::BlendMode => write!(
            text,
            "{:?}, source {:?}, destination {:?}",
            BlendEquation::from_bits(field(a, 10, 8)),
            BlendFactor::from_bits(field(a, 3, 0)),
            BlendFactor::from_bits(field(a, 7, 4))
        ),
        Argument::DitherRow => {
            let column = |index: u32| (field(a, 4 * index + 3, 4 * index) as i32) << 28 >> 28;
            write!(text, "{} {} {} {}", column(0), column(1), column(2), column(3))
        }
        Argument::LogicOperation => write!(text, "{:?}", LogicOperation::from_bits(field(a, 3, 0))),
        Argument::TransferStart => text.write_str(choose(a, "16-bit pixels", "32-bit pixels")),
        Argument::ImmediateVertex => {
            let primitive = PrimitiveCode::from_bits(field(a, 10, 8));
            write!(
                text,
                "alpha {:#04X}, {primitive}, flags {:#06X}",
                field(a, 7, 0),
                field(a, 23, 11)
            )
        }
    }
}

/// The names of those whose bit is set, or `none`.
fn write_list(text: &mut String, names: &[(u32, &str)]) -> fmt::Result {
    let mut separator = "";
    for &(_, name) in names.iter().filter(|(bit, _)| *bit != 0) {
        write!(text, "{separator}{name}")?;
        separator = " and ";
    }
    text.write_str(if separator.is_empty() { "none" } else { "" })
}

const fn edge_type(bits: u32) -> &'static str {
    ["uniform", "open at the start", "open at the end", "open"][(bits & 3) as usize]
}

const fn signal(behaviour: u32) -> &'static str {
    match behaviour {
        0x01 => "suspend",
        0x02 => "continue",
        0x03 => "pause",
        0x08 => "sync",
        0x10 => "jump",
        0x11 => "call",
        0x12 => "return",
        0x13 => "relative jump",
        0x14 => "relative call",
        0x15 => "origin jump",
        0x16 => "origin call",
        0x20..=0x27 => "texture address",
        0x28..=0x2F => "relative texture address",
        0x30..=0x38 => "CLUT or transfer address",
        0xF0 | 0xFF => "breakpoint",
        _ => "unknown",
    }
}

fn write_vertex_type(text: &mut String, format: VertexType) -> fmt::Result {
    let bits = |component: Component| 8 * component.size();
    if format.texture_coordinate() != Component::None {
        write!(text, "uv{} ", bits(format.texture_coordinate()))?;
    }
    match format.color() {
        VertexColor::None => {}
        VertexColor::Invalid1 => text.write_str("c?1 ")?,
        VertexColor::Invalid2 => text.write_str("c?2 ")?,
        VertexColor::Invalid3 => text.write_str("c?3 ")?,
        VertexColor::Rgb565 => text.write_str("c565 ")?,
        VertexColor::Rgba5551 => text.write_str("c5551 ")?,
        VertexColor::Rgba4444 => text.write_str("c4444 ")?,
        VertexColor::Rgba8888 => text.write_str("c8888 ")?,
    }
    if format.normal() != Component::None {
        write!(text, "n{} ", bits(format.normal()))?;
    }
    if format.position() != Component::None {
        write!(text, "p{} ", bits(format.position()))?;
    }
    if format.weight() != Component::None {
        write!(text, "w{}x{} ", format.weight_count(), bits(format.weight()))?;
    }
    if format.morph_count() > 1 {
        write!(text, "m{} ", format.morph_count())?;
    }
    if format.index() != IndexFormat::None {
        write!(text, "i{} ", 8 * format.index().size())?;
    }
    text.write_str(match format.mode() {
        CoordinateMode::Transform => "transform",
        CoordinateMode::Through => "through",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Opcode;

    #[test]
    fn fields_in_words() {
        for (word, text) in [
            (0x0000_0000, "NOP"),
            (0x0800_1235, "JUMP 0x001234 [+0x000001]"),
            (0x0E11_0800, "SIGNAL call 0x0800"),
            (0x1288_009C, "VTYPE c8888 p8 m3 through"),
            (0x2A00_000D, "BONENUM 13 (bone 1, element 1)"),
            (0x4C00_7108, "OFFSETX 1808.5"),
            (0xB800_0908, "TEXSIZE0 256 x 512"),
            (0xC8F0_0001, "TEXLEVEL CONSTANT, bias -1"),
            (0xD300_0501, "CLEARMODE on, color and depth"),
            (
                0xDF00_0132,
                "BLENDMODE SUBTRACT, source SOURCE_ALPHA, destination INVERSE_SOURCE_ALPHA",
            ),
            (0xE200_1F08, "DITHER0 -8 0 -1 1"),
            (0xEE04_3DDF, "XFERSIZE 480 x 272"),
            (0xF700_07FF, "VAP alpha 0xFF, continue, flags 0x0000"),
        ] {
            assert_eq!(disassemble(word), text);
        }
    }

    #[test]
    fn every_opcode_reads_every_argument() {
        for opcode in Opcode::all() {
            for argument in [0, 0xFF_FFFF, 0x55_5555, 0xAA_AAAA] {
                let text = disassemble(Command::new(opcode, argument).word());
                assert!(text.starts_with(&opcode.to_string()), "{text}");
            }
        }
    }
}
