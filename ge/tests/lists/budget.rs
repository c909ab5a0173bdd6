//! What a list may cost.

use ge::command::{Command, Opcode};
use ge::{Address, Ge, GeError, GeOptions, Stop};

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
