//! From registers to the state of the pixel pipeline.

use raster::{
    Blend, ColorTest, ColorTestFunction, CompareFunction, FrameFormat, LevelMode, LevelSize, LogicOperation,
    MaskedTest, PixelState, Scissor, StateFlags, StencilOperation, StencilOperations, Target, TextureFormat,
    TextureFunction, TextureState,
};
use vertex::CoordinateMode;

use crate::Registers;
use crate::command::Opcode;

/// The switches of a draw that immediate vertices bring themselves (`spec/ge-frontend.md §2.9`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DrawSwitches {
    pub(crate) mode: CoordinateMode,
    pub(crate) gouraud: bool,
    pub(crate) texture: bool,
    pub(crate) fog: bool,
    pub(crate) dither: bool,
    pub(crate) antialias: bool,
    /// Texture coordinates bring a q.
    pub(crate) projected: bool,
    /// Vertices bring a secondary colour.
    pub(crate) secondary: bool,
}

impl DrawSwitches {
    /// The switches of a draw from vertices in memory.
    pub(crate) fn of(registers: &Registers, mode: CoordinateMode) -> Self {
        let transform = mode == CoordinateMode::Transform;
        Self {
            mode,
            gouraud: registers.switch(Opcode::SHADE),
            texture: registers.switch(Opcode::TEXENABLE),
            fog: registers.switch(Opcode::FOGENABLE),
            dither: registers.switch(Opcode::DITHERENABLE),
            antialias: registers.switch(Opcode::ANTIALIAS),
            projected: transform && registers.field(Opcode::TEXMAPMODE, 1, 0) == 1,
            secondary: transform && registers.switch(Opcode::LIGHTING) && registers.switch(Opcode::LIGHTMODE),
        }
    }
}

/// The state of the pixel pipeline. What is off is left at its default, so that states that draw
/// the same are equal (`spec/ge-frontend.md §16`).
pub(crate) fn pixel_state(registers: &Registers, switches: DrawSwitches) -> PixelState {
    let through = switches.mode == CoordinateMode::Through;
    let clear = registers.switch(Opcode::CLEARMODE);
    let mut state = PixelState {
        flags: StateFlags::empty()
            .with(StateFlags::THROUGH, through)
            .with(StateFlags::DITHER, switches.dither),
        target: target(registers),
        scissor: scissor(registers),
        write_mask: registers.argument(Opcode::MASKRGB) | registers.field(Opcode::MASKALPHA, 7, 0) << 24,
        ..PixelState::default()
    };
    if !through {
        state.depth_minimum = registers.field(Opcode::MINZ, 15, 0) as u16;
        state.depth_maximum = registers.field(Opcode::MAXZ, 15, 0) as u16;
    }
    if switches.dither {
        state.dither = [0, 1, 2, 3].map(|row| registers.field(Opcode::DITHER0.nth(row), 15, 0) as u16);
    }
    if clear {
        // Flat, and without all that follows (spec/ge-raster.md §11.13).
        state.flags = state
            .flags
            .with(StateFlags::CLEAR, true)
            .with(
                StateFlags::CLEAR_COLOR,
                registers.field(Opcode::CLEARMODE, 8, 8) == 1,
            )
            .with(
                StateFlags::CLEAR_ALPHA,
                registers.field(Opcode::CLEARMODE, 9, 9) == 1,
            )
            .with(
                StateFlags::CLEAR_DEPTH,
                registers.field(Opcode::CLEARMODE, 10, 10) == 1,
            );
        return state;
    }
    let fog = switches.fog && !through;
    state.flags = state
        .flags
        .with(StateFlags::GOURAUD, switches.gouraud)
        .with(StateFlags::ANTIALIAS, switches.antialias)
        .with(StateFlags::SECONDARY_COLOR, switches.secondary)
        .with(StateFlags::FOG, fog);
    if fog {
        state.fog_color = registers.argument(Opcode::FOGCOLOR);
    }
    if switches.texture {
        texture(registers, switches.projected, &mut state);
    }
    tests(registers, &mut state);
    output(registers, &mut state);
    state
}

fn target(registers: &Registers) -> Target {
    Target {
        color_offset: registers.argument(Opcode::FBPTR) & 0x1F_FFF0,
        color_stride: (registers.argument(Opcode::FBWIDTH) & 0x7FC) as u16,
        depth_stride: (registers.argument(Opcode::ZBWIDTH) & 0x7FC) as u16,
        depth_offset: registers.argument(Opcode::ZBPTR) & 0x1F_FFF0,
        format: FrameFormat::from_bits(registers.argument(Opcode::FBFORMAT)),
        ..Target::default()
    }
}

/// REGION2 is a second maximum; REGION1 is no minimum (`spec/ge-raster.md §2.6`).
fn scissor(registers: &Registers) -> Scissor {
    let [left, top] = registers.position(Opcode::SCISSOR1);
    let [right, bottom] = registers.position(Opcode::SCISSOR2);
    let [region_right, region_bottom] = registers.position(Opcode::REGION2);
    Scissor {
        left: left as u16,
        top: top as u16,
        right: right.min(region_right) as u16,
        bottom: bottom.min(region_bottom) as u16,
    }
}

/// The number of the highest level in use: 0 without mipmapping (`spec/ge-raster.md §9.5`).
pub(crate) fn highest_level(registers: &Registers) -> u8 {
    match registers.field(Opcode::TEXFILTER, 2, 2) {
        0 => 0,
        _ => registers.field(Opcode::TEXMODE, 18, 16) as u8,
    }
}

fn texture(registers: &Registers, projected: bool, state: &mut PixelState) {
    let highest_level = highest_level(registers);
    let mipmap = highest_level > 0;
    let function = TextureFunction::from_bits(registers.argument(Opcode::TEXFUNC));
    state.flags = state
        .flags
        .with(StateFlags::TEXTURE, true)
        .with(StateFlags::PROJECTED, projected)
        .with(
            StateFlags::MINIFY_LINEAR,
            registers.field(Opcode::TEXFILTER, 0, 0) == 1,
        )
        .with(
            StateFlags::MAGNIFY_LINEAR,
            registers.field(Opcode::TEXFILTER, 8, 8) == 1,
        )
        .with(StateFlags::MIPMAP, mipmap)
        .with(
            StateFlags::MIPMAP_LINEAR,
            mipmap && registers.field(Opcode::TEXFILTER, 1, 1) == 1,
        )
        .with(StateFlags::CLAMP_S, registers.field(Opcode::TEXWRAP, 0, 0) == 1)
        .with(StateFlags::CLAMP_T, registers.field(Opcode::TEXWRAP, 8, 8) == 1)
        .with(
            StateFlags::TEXTURE_ALPHA,
            registers.field(Opcode::TEXFUNC, 8, 8) == 1,
        )
        .with(
            StateFlags::DOUBLE_COLOR,
            registers.field(Opcode::TEXFUNC, 16, 16) == 1,
        );
    let mut sizes = [LevelSize::default(); 8];
    for (size, level) in sizes.iter_mut().zip(0..=highest_level) {
        *size = level_size(registers, level);
    }
    // The level of detail also decides between the two filters, with or without mipmapping.
    let level_mode = LevelMode::from_bits(registers.argument(Opcode::TEXLEVEL));
    state.texture = TextureState {
        sizes,
        format: TextureFormat::from_bits(registers.argument(Opcode::TEXFORMAT)),
        function,
        level_mode,
        highest_level,
        level_bias: i32::from(registers.field(Opcode::TEXLEVEL, 23, 16) as u8 as i8),
        level_slope: match level_mode {
            LevelMode::SLOPE => registers.float(Opcode::TEXLODSLOPE).to_bits(),
            _ => 0,
        },
        environment_color: match function {
            TextureFunction::BLEND => registers.argument(Opcode::TEXENV),
            _ => 0,
        },
    };
}

/// The size of a mip level.
pub(crate) fn level_size(registers: &Registers, level: u8) -> LevelSize {
    let size = Opcode::TEXSIZE0.nth(level);
    LevelSize {
        log2_width: registers.field(size, 3, 0) as u8,
        log2_height: registers.field(size, 11, 8) as u8,
    }
}

fn masked_test(registers: &Registers, opcode: Opcode) -> MaskedTest {
    MaskedTest {
        function: CompareFunction::from_bits(registers.field(opcode, 2, 0)),
        reference: registers.field(opcode, 15, 8) as u8,
        mask: registers.field(opcode, 23, 16) as u8,
        ..MaskedTest::default()
    }
}

fn tests(registers: &Registers, state: &mut PixelState) {
    let mut on = |opcode, flag| {
        let switch = registers.switch(opcode);
        state.flags = state.flags.with(flag, switch);
        switch
    };
    let alpha = on(Opcode::ALPHATESTENABLE, StateFlags::ALPHA_TEST);
    let color = on(Opcode::COLORTESTENABLE, StateFlags::COLOR_TEST);
    let stencil = on(Opcode::STENCILTESTENABLE, StateFlags::STENCIL_TEST);
    let depth = on(Opcode::ZTESTENABLE, StateFlags::DEPTH_TEST);
    if alpha {
        state.alpha_test = masked_test(registers, Opcode::ALPHATEST);
    }
    if color {
        state.color_test = ColorTest {
            reference: registers.argument(Opcode::COLORREF),
            mask: registers.argument(Opcode::COLORTESTMASK),
            function: ColorTestFunction::from_bits(registers.argument(Opcode::COLORTEST)),
            ..ColorTest::default()
        };
    }
    if stencil {
        let operation = |low| StencilOperation::from_bits(registers.field(Opcode::STENCILOP, low + 2, low));
        state.stencil_test = masked_test(registers, Opcode::STENCILTEST);
        state.stencil_operations = StencilOperations {
            stencil_fail: operation(0),
            depth_fail: operation(8),
            pass: operation(16),
            ..StencilOperations::default()
        };
    }
    if depth {
        state.depth_function = CompareFunction::from_bits(registers.argument(Opcode::ZTEST));
        state.flags = state
            .flags
            .with(StateFlags::DEPTH_WRITE, !registers.switch(Opcode::ZWRITEDISABLE));
    }
}

fn output(registers: &Registers, state: &mut PixelState) {
    if registers.switch(Opcode::BLENDENABLE) {
        let code = |high, low| registers.field(Opcode::BLENDMODE, high, low);
        state.flags = state.flags.with(StateFlags::BLEND, true);
        state.blend = Blend::from_codes(
            code(10, 8),
            [code(3, 0), code(7, 4)],
            [Opcode::BLENDFIXA, Opcode::BLENDFIXB].map(|opcode| registers.argument(opcode)),
        );
    }
    if registers.switch(Opcode::LOGICOPENABLE) {
        state.flags = state.flags.with(StateFlags::LOGIC_OPERATION, true);
        state.logic_operation = LogicOperation::from_bits(registers.argument(Opcode::LOGICOP));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;

    fn state(words: &[u32]) -> PixelState {
        let mut registers = Registers::default();
        for &word in words {
            registers.store(Command::from_word(word));
        }
        pixel_state(
            &registers,
            DrawSwitches::of(&registers, CoordinateMode::Transform),
        )
    }

    #[test]
    fn what_is_off_leaves_no_trace() {
        let noise = [
            0xDB12_3407,
            0xDF00_03AA,
            0xE012_3456,
            0xC312_3405,
            0xCF12_3456,
            0xE600_0005,
            0xDE00_0007,
        ];
        assert_eq!(state(&noise), state(&[]));
        let clear = [0xD300_0101, 0x1E00_0001, 0x2100_0001, 0x2300_0001, 0x5000_0001];
        assert_eq!(state(&clear), state(&[0xD300_0101]));
    }

    #[test]
    fn region_2_is_a_second_scissor() {
        let inside = state(&[0xD404_0010, 0xD504_3DDF, 0x1602_01FF, 0x1500_0801]);
        assert_eq!(
            inside.scissor,
            Scissor {
                left: 16,
                top: 256,
                right: 479,
                bottom: 128
            }
        );
    }

    #[test]
    fn texture_state_of_a_swizzled_clut_texture() {
        let state = state(&[
            0x1E00_0001,
            0xC300_0005,
            0xC600_0107,
            0xC203_0101,
            0xB800_0908,
            0xC8F0_0002,
            0xD03F_8000,
        ]);
        assert!(
            state
                .flags
                .contains(StateFlags::TEXTURE.with(StateFlags::MIPMAP_LINEAR, true))
        );
        assert_eq!(state.texture.highest_level, 3);
        assert_eq!(
            state.texture.sizes[0],
            LevelSize {
                log2_width: 8,
                log2_height: 9
            }
        );
        assert_eq!(state.texture.level_bias, -16);
        assert_eq!(f32::from_bits(state.texture.level_slope), 1.0);
    }
}
