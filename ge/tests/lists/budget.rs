//! What a list may cost.

use std::num::NonZeroUsize;

use ge::command::{Command, Opcode};
use ge::{Address, Ge, GeError, GeOptions, Profile, Stop};
use raster::{Method, Rasterizer, Tuning};

use crate::{LIST, command};

/// Where vertices go.
const VERTICES: Address = Address::new(0x0810_0000);

/// A GE that is about to draw rectangles in through mode, from (0, 0) to (480, 272), with `draw` and an end.
fn ge_before(draw: &[Command]) -> Ge {
    let mut ge = Ge::new(GeOptions::default());
    let corners = [0_u16, 0, 0, 480, 272, 0];
    let vertices: Vec<u8> = corners
        .repeat(0x8000)
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    ge.write(VERTICES, &vertices);
    let state = [
        command(Opcode::VTYPE, 0x80_0100),
        command(Opcode::FBWIDTH, 512),
        command(Opcode::SCISSOR2, 271 << 10 | 479),
        command(Opcode::REGION2, 271 << 10 | 479),
        command(Opcode::BASE, 0x08_0000),
        command(Opcode::VADDR, VERTICES.get() & 0xFF_FFFF),
    ];
    let end = [command(Opcode::FINISH, 0), command(Opcode::END, 0)];
    ge.write_list(LIST, &[&state[..], draw, &end].concat());
    ge
}

#[test]
fn pixels_and_vertices_cost() {
    // Ten commands, two vertices, 480 x 272 pixels at 16 for one.
    let draw = [command(Opcode::PRIM, 6 << 16 | 2)];
    let cost = 9 + 2 + 480 * 272 / 16;
    assert!(matches!(
        ge_before(&draw).run(LIST, None, cost + 1),
        Ok(Stop::Finished { .. })
    ));
    assert!(matches!(
        ge_before(&draw).run(LIST, None, cost - 4),
        Err(GeError::BudgetExhausted { .. })
    ));
}

#[test]
fn one_draw_cannot_take_for_ever() {
    // Half a million screens in sixteen commands.
    let draw = [
        command(Opcode::VADDR, VERTICES.get() & 0xFF_FFFF),
        command(Opcode::PRIM, 6 << 16 | 0xFFFF),
    ];
    let mut ge = ge_before(&draw.repeat(16));
    let ended = ge.run(LIST, None, 1 << 20);
    assert!(
        matches!(
            ended,
            Err(GeError::BudgetExhausted {
                budget: 0x10_0000,
                ..
            })
        ),
        "{ended:?}"
    );
    ge.finish();
    let pixels = ge.statistics().pixels_covered;
    assert!((1..=17 << 20).contains(&pixels), "{pixels}");
}

/// The least budget for which a list of `draw` ends, on a GE that `prepare` has seen before.
fn least_budget(draw: &[Command], prepare: impl Fn(&mut Ge)) -> u64 {
    let ends = |budget: u64| {
        let mut ge = ge_before(draw);
        prepare(&mut ge);
        ge.run(LIST, None, budget).is_ok()
    };
    let (mut least, mut most) = (0, 1 << 20);
    assert!(ends(most));
    while most - least > 1 {
        let middle = u64::midpoint(least, most);
        if ends(middle) {
            most = middle;
        } else {
            least = middle;
        }
    }
    most
}

/// Draws with a texture of 512 x 512 texels from an address.
fn textured(address: u32) -> Vec<Command> {
    let prim = command(Opcode::PRIM, 6 << 16 | 4);
    vec![
        command(Opcode::TEXENABLE, 1),
        command(Opcode::TEXADDR0, address & 0xFF_FFFF),
        command(Opcode::TEXBUFW0, address >> 24 << 16 | 512),
        command(Opcode::TEXSIZE0, 0x909),
        command(Opcode::TEXFORMAT, 3),
        prim,
        prim,
    ]
}

#[test]
fn a_texture_costs_its_texels_whether_it_is_known_or_not() {
    let draw = textured(0x0900_0000);
    // Fifteen commands, two draws of four vertices and two screens, a command for 128 texels.
    let cost = 15 + 2 * (4 + 2 * 480 * 272 / 16 + 512 * 512 / 128);
    assert_eq!(least_budget(&draw, |_| {}), cost);
    let warm = least_budget(&draw, |ge| {
        assert!(ge.run(LIST, None, 1 << 20).is_ok());
    });
    assert_eq!(warm, cost);
}

#[test]
fn a_texture_in_the_target_costs_each_primitive_however_it_is_drawn() {
    let draw = textured(0x0400_0000);
    let cost = 15 + 2 * (4 + 2 * 480 * 272 / 16 + 2 * 512 * 512 / 128);
    assert_eq!(least_budget(&draw, |_| {}), cost);
    for (method, batch) in [(Method::Tiles, 1), (Method::Reference, 1000)] {
        let tuning = Tuning {
            method,
            batch_primitives: NonZeroUsize::new(batch).expect("not zero"),
            ..Tuning::default()
        };
        let other = least_budget(&draw, |ge| {
            ge.set_rasterizer(Rasterizer::with_tuning(Profile::Hardware, tuning));
        });
        assert_eq!(other, cost, "{tuning:?}");
    }
}

#[test]
fn a_stall_does_not_hide_that_work_was_left_out() {
    let draw = [command(Opcode::PRIM, 6 << 16 | 2)];
    let mut ge = ge_before(&draw);
    let behind = LIST.offset(7 * 4);
    assert!(matches!(
        ge.run(LIST, Some(behind), 100),
        Err(GeError::BudgetExhausted { .. })
    ));
}
