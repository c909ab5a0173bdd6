//! The state of a draw in words.
use ge::DrawEvent;
use ge::command::Opcode;
use raster::{
    BlendEquation, BlendFactor, CompareFunction, MaskedTest, PixelState, StateFlags, StencilOperation,
};
use serde::Serialize;
use vertex::CoordinateMode;

use super::Registers;

/// What is on in a draw, each in words; what is off is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct State {
    /// What clear mode writes: `colour+alpha+depth`. Nothing but mask and dither counts beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clear: Option<String>,
    /// Equation and factors: `srcA, 1-srcA`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blend: Option<String>,
    /// The depth test: `<=`, with `read only` where depths are not written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<String>,
    /// The alpha test: `> 0x08`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_test: Option<String>,
    /// The stencil test, and what becomes of the stencil: stencil fails / depth fails / both pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stencil: Option<String>,
    /// The colour test: `!= 000000`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_test: Option<String>,
    /// The logic operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logic: Option<String>,
    /// Which orientation is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cull: Option<String>,
    /// Lights that are on: `0+2`, or `ambient alone`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light: Option<String>,
    /// Fog's colour: `80A0C0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fog: Option<String>,
    /// How texture coordinates are made, where they are not the vertex's: `matrix, from position`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texture_map: Option<String>,
    /// Bits of alpha, blue, green and red that are protected from writing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<String>,
    /// Whether colours are flat.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub flat: bool,
    /// Whether colours are dithered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dither: bool,
}

impl State {
    pub(super) fn new(event: &DrawEvent<'_>, registers: &Registers) -> Self {
        let pixel = event.draw.state;
        let on = |flag| pixel.flags.contains(flag);
        let common = Self {
            mask: (pixel.write_mask != 0).then(|| format!("{:08X}", pixel.write_mask)),
            dither: on(StateFlags::DITHER),
            ..Self::default()
        };
        if on(StateFlags::CLEAR) {
            return Self {
                clear: Some(clear(pixel)),
                ..common
            };
        }
        let transform = event.vertex_type.mode() == CoordinateMode::Transform;
        Self {
            blend: on(StateFlags::BLEND).then(|| blend(pixel)),
            depth: on(StateFlags::DEPTH_TEST).then(|| depth(pixel)),
            alpha_test: on(StateFlags::ALPHA_TEST).then(|| masked_test(pixel.alpha_test)),
            stencil: on(StateFlags::STENCIL_TEST).then(|| stencil(pixel)),
            color_test: on(StateFlags::COLOR_TEST).then(|| color_test(pixel)),
            logic: on(StateFlags::LOGIC_OPERATION).then(|| words(&pixel.logic_operation)),
            cull: registers.switch(Opcode::CULLENABLE).then(|| {
                match registers.switch(Opcode::CULL) {
                    true => "counter-clockwise",
                    false => "clockwise",
                }
                .to_owned()
            }),
            light: (transform && registers.switch(Opcode::LIGHTING)).then(|| lights(registers)),
            fog: on(StateFlags::FOG).then(|| color(pixel.fog_color)),
            texture_map: (transform && on(StateFlags::TEXTURE))
                .then(|| texture_map(registers))
                .flatten(),
            flat: !on(StateFlags::GOURAUD),
            ..common
        }
    }

    /// What is on, with its name before it.
    #[must_use]
    pub fn in_words(&self) -> Vec<String> {
        let named = [
            ("clear", &self.clear),
            ("blend", &self.blend),
            ("depth", &self.depth),
            ("alpha", &self.alpha_test),
            ("stencil", &self.stencil),
            ("colour", &self.color_test),
            ("logic", &self.logic),
            ("cull", &self.cull),
            ("light", &self.light),
            ("fog", &self.fog),
            ("map", &self.texture_map),
            ("mask", &self.mask),
        ];
        let mut parts: Vec<String> = named
            .into_iter()
            .filter_map(|(name, words)| Some(format!("{name} {}", words.as_ref()?)))
            .collect();
        let switches = [(self.flat, "flat"), (self.dither, "dither")];
        parts.extend(
            switches
                .into_iter()
                .filter(|(on, _)| *on)
                .map(|(_, name)| name.to_owned()),
        );
        parts
    }
}

/// A colour with red in the low byte as RRGGBB.
pub(super) fn color(color: u32) -> String {
    let [red, green, blue, _] = color.to_le_bytes();
    format!("{red:02X}{green:02X}{blue:02X}")
}

/// `COPY_INVERTED` as `copy inverted`.
fn words(code: &dyn std::fmt::Debug) -> String {
    format!("{code:?}").to_lowercase().replace('_', " ")
}

fn clear(pixel: &PixelState) -> String {
    let parts = [
        (StateFlags::CLEAR_COLOR, "colour"),
        (StateFlags::CLEAR_ALPHA, "alpha"),
        (StateFlags::CLEAR_DEPTH, "depth"),
    ];
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|(flag, _)| pixel.flags.contains(*flag))
        .map(|(_, name)| name)
        .collect();
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join("+")
    }
}

fn blend(pixel: &PixelState) -> String {
    let blend = pixel.blend;
    let equation = match blend.equation {
        BlendEquation::ADD => String::new(),
        BlendEquation::SUBTRACT | BlendEquation::REVERSE_SUBTRACT => words(&blend.equation) + " ",
        // The others ignore their factors.
        other => return words(&other),
    };
    let factor = |factor, other: &str, fixed| match factor {
        BlendFactor::OTHER_COLOR => other.to_owned(),
        BlendFactor::INVERSE_OTHER_COLOR => format!("1-{other}"),
        BlendFactor::SOURCE_ALPHA => "srcA".to_owned(),
        BlendFactor::INVERSE_SOURCE_ALPHA => "1-srcA".to_owned(),
        BlendFactor::DESTINATION_ALPHA => "dstA".to_owned(),
        BlendFactor::INVERSE_DESTINATION_ALPHA => "1-dstA".to_owned(),
        BlendFactor::DOUBLE_SOURCE_ALPHA => "2srcA".to_owned(),
        BlendFactor::INVERSE_DOUBLE_SOURCE_ALPHA => "1-2srcA".to_owned(),
        BlendFactor::DOUBLE_DESTINATION_ALPHA => "2dstA".to_owned(),
        BlendFactor::INVERSE_DOUBLE_DESTINATION_ALPHA => "1-2dstA".to_owned(),
        _ => format!("fix {}", color(fixed)),
    };
    let source = factor(blend.source, "dst", blend.fixed_source);
    let destination = factor(blend.destination, "src", blend.fixed_destination);
    format!("{equation}{source}, {destination}")
}

/// A comparison of the incoming value with the one it is held against.
pub(crate) const fn compare(function: CompareFunction) -> &'static str {
    match function {
        CompareFunction::NEVER => "never",
        CompareFunction::ALWAYS => "always",
        CompareFunction::EQUAL => "==",
        CompareFunction::NOT_EQUAL => "!=",
        CompareFunction::LESS => "<",
        CompareFunction::LESS_OR_EQUAL => "<=",
        CompareFunction::GREATER => ">",
        _ => ">=",
    }
}

fn depth(pixel: &PixelState) -> String {
    let written = pixel.flags.contains(StateFlags::DEPTH_WRITE);
    format!(
        "{}{}",
        compare(pixel.depth_function),
        if written { "" } else { " read only" }
    )
}

fn masked_test(test: MaskedTest) -> String {
    match test.function {
        CompareFunction::NEVER | CompareFunction::ALWAYS => compare(test.function).to_owned(),
        function if test.mask == 0xFF => format!("{} 0x{:02X}", compare(function), test.reference),
        function => format!(
            "{} 0x{:02X} & 0x{:02X}",
            compare(function),
            test.reference,
            test.mask
        ),
    }
}

fn stencil(pixel: &PixelState) -> String {
    let operations = pixel.stencil_operations;
    let all = [operations.stencil_fail, operations.depth_fail, operations.pass];
    let mut text = format!(
        "{}: {}",
        masked_test(pixel.stencil_test),
        all.map(|one| words(&one)).join("/")
    );
    if all.contains(&StencilOperation::REPLACE) {
        text += &format!(" by 0x{:02X}", pixel.stencil_test.reference);
    }
    text
}

fn color_test(pixel: &PixelState) -> String {
    let test = pixel.color_test;
    let function = compare(CompareFunction::from_bits(test.function.code().into()));
    match test.function.code() {
        0 | 1 => function.to_owned(),
        _ if test.mask == 0xFF_FFFF => format!("{function} {}", color(test.reference)),
        _ => format!("{function} {} & {}", color(test.reference), color(test.mask)),
    }
}

fn lights(registers: &Registers) -> String {
    let on: Vec<String> = (0..4)
        .filter(|&light| registers.switch(Opcode::LIGHT0.nth(light)))
        .map(|light| light.to_string())
        .collect();
    if on.is_empty() {
        "ambient alone".to_owned()
    } else {
        on.join("+")
    }
}

fn texture_map(registers: &Registers) -> Option<String> {
    let lights = registers.argument(Opcode::TEXSHADELS);
    match registers.argument(Opcode::TEXMAPMODE) & 3 {
        1 => {
            let text = registers.command(Opcode::TEXMAPMODE).to_string();
            text.split_once(' ').map(|(_, words)| words.to_owned())
        }
        2 => Some(format!(
            "environment, lights {} and {}",
            lights & 3,
            lights >> 8 & 3
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Blend, ColorTest, ColorTestFunction, StencilOperations};

    #[test]
    fn blends_are_read_as_factors() {
        let blended = |equation, source, destination| {
            blend(&PixelState {
                blend: Blend {
                    equation,
                    source,
                    destination,
                    fixed_source: 0x00_11_22,
                    fixed_destination: 0x33_44_55,
                    ..Blend::default()
                },
                ..PixelState::default()
            })
        };
        let add = BlendEquation::ADD;
        assert_eq!(
            blended(add, BlendFactor::SOURCE_ALPHA, BlendFactor::INVERSE_SOURCE_ALPHA),
            "srcA, 1-srcA"
        );
        assert_eq!(
            blended(add, BlendFactor::OTHER_COLOR, BlendFactor::OTHER_COLOR),
            "dst, src"
        );
        assert_eq!(
            blended(
                BlendEquation::REVERSE_SUBTRACT,
                BlendFactor::FIXED,
                BlendFactor::FIXED
            ),
            "reverse subtract fix 221100, fix 554433"
        );
        assert_eq!(
            blended(BlendEquation::MAXIMUM, BlendFactor::FIXED, BlendFactor::FIXED),
            "maximum"
        );
    }

    #[test]
    fn tests_are_read_as_comparisons() {
        let test = |function, mask| MaskedTest {
            function,
            reference: 8,
            mask,
            ..MaskedTest::default()
        };
        assert_eq!(masked_test(test(CompareFunction::GREATER, 0xFF)), "> 0x08");
        assert_eq!(masked_test(test(CompareFunction::EQUAL, 0x0F)), "== 0x08 & 0x0F");
        assert_eq!(masked_test(test(CompareFunction::ALWAYS, 0)), "always");
        let pixel = PixelState {
            stencil_test: test(CompareFunction::ALWAYS, 0xFF),
            stencil_operations: StencilOperations {
                pass: StencilOperation::REPLACE,
                ..StencilOperations::default()
            },
            color_test: ColorTest {
                function: ColorTestFunction::NOT_EQUAL,
                mask: 0xFF_FFFF,
                reference: 0xFF,
                ..ColorTest::default()
            },
            depth_function: CompareFunction::LESS_OR_EQUAL,
            ..PixelState::default()
        };
        assert_eq!(stencil(&pixel), "always: keep/keep/replace by 0x08");
        assert_eq!(color_test(&pixel), "!= FF0000");
        assert_eq!(depth(&pixel), "<= read only");
    }
}
