//! Jumps, calls, signals, stalls (spec/ge-frontend.md §2, hw: displaylist, signals).

use ge::command::{Command, Opcode};
use ge::{Address, Ge, GeError, Observer, Signal, Stop};

use crate::{LIST, MARK, command, ge_with};

const FINISH: Command = command(Opcode::FINISH, 0);
const END: Command = command(Opcode::END, 0);
const BASE: Command = command(Opcode::BASE, 0x08_0000);
const BUDGET: u64 = 1000;

fn mark(value: u32) -> Command {
    command(MARK, value)
}

/// Runs a list to its end and gives back what was marked last.
fn marked(commands: &[Command]) -> u32 {
    let mut ge = ge_with(commands);
    assert_eq!(ge.run(LIST, None, BUDGET), Ok(Stop::Finished { id: 0 }));
    ge.registers().argument(MARK)
}

#[test]
fn jumps_ignore_the_two_low_bits() {
    for low in 0..4 {
        let jump = command(Opcode::JUMP, 12 + low);
        assert_eq!(marked(&[BASE, jump, mark(1), FINISH, END]), 0, "+{low}");
    }
    assert_eq!(
        marked(&[BASE, command(Opcode::JUMP, 8 + 4), mark(1), FINISH, END]),
        0
    );
}

#[test]
fn bjump_jumps_before_any_test() {
    let jump = command(Opcode::BJUMP, 12);
    assert_eq!(marked(&[BASE, jump, mark(1), FINISH, END]), 0);
    let no_vertices = command(Opcode::BBOX, 0x1_0000);
    assert_eq!(
        marked(&[
            BASE,
            no_vertices,
            command(Opcode::BJUMP, 16),
            mark(1),
            FINISH,
            END
        ]),
        0
    );
}

#[test]
fn calls_return_with_their_offset() {
    let list = [
        BASE,
        command(Opcode::CALL, 24),
        // OFFSETADDR inside the call does not reach here.
        command(Opcode::JUMP, 16),
        mark(1),
        FINISH,
        END,
        command(Opcode::OFFSETADDR, 0x123),
        command(Opcode::RET, 0),
    ];
    assert_eq!(marked(&list), 0);
}

#[test]
fn a_return_without_a_call_goes_on() {
    assert_eq!(marked(&[command(Opcode::RET, 0), mark(7), FINISH, END]), 7);
}

#[test]
fn origin_makes_addresses_relative_to_itself() {
    let list = [
        command(Opcode::ORIGIN, 0),
        command(Opcode::JUMP, 12),
        mark(1),
        FINISH,
        END,
    ];
    assert_eq!(marked(&list), 0);
}

#[test]
fn end_looks_at_the_word_before_it_in_memory() {
    // FINISH without END does nothing, and neither does END behind anything else.
    assert_eq!(marked(&[FINISH, mark(3), END, mark(4), FINISH, END]), 4);
    // The word before is the one in memory, though a jump came from elsewhere.
    let list = [BASE, command(Opcode::JUMP, 12), FINISH, END];
    assert_eq!(marked(&list), 0);
}

#[test]
fn a_list_stalls_and_goes_on() {
    let mut ge = ge_with(&[mark(1), mark(2), FINISH, END]);
    let stall = LIST.offset(4);
    assert_eq!(
        ge.run(LIST, Some(stall), BUDGET),
        Ok(Stop::Stalled { address: stall })
    );
    assert_eq!(ge.registers().argument(MARK), 1);
    assert_eq!(ge.resume(None, BUDGET), Ok(Stop::Finished { id: 0 }));
    assert_eq!(ge.resume(None, BUDGET), Err(GeError::NoList));
}

#[test]
fn a_jump_can_skip_past_the_stall_address() {
    let mut ge = ge_with(&[BASE, command(Opcode::JUMP, 12), mark(1), FINISH, END]);
    assert_eq!(
        ge.run(LIST, Some(LIST.offset(8)), BUDGET),
        Ok(Stop::Finished { id: 0 })
    );
}

#[test]
fn lists_that_cannot_go_on_are_errors() {
    let mut ge = ge_with(&[BASE, command(Opcode::JUMP, 0)]);
    let exhausted = GeError::BudgetExhausted {
        address: LIST,
        budget: 10,
    };
    assert_eq!(ge.run(LIST, None, 10), Err(exhausted));
    let nowhere = Address::new(0x0C00_0000);
    assert_eq!(
        ge.run(nowhere, None, 10),
        Err(GeError::OutsideMemory { address: nowhere })
    );
    let odd = LIST.offset(2);
    assert_eq!(ge.run(odd, None, 10), Err(GeError::Unaligned { address: odd }));
    assert_eq!(
        ge.run(LIST, Some(odd), 10),
        Err(GeError::Unaligned { address: odd })
    );
}

fn signal(behaviour: u32, value: u32, data: u32) -> [Command; 2] {
    [
        command(Opcode::SIGNAL, behaviour << 16 | value),
        command(Opcode::END, data),
    ]
}

/// Notes what calls back.
#[derive(Default)]
struct Notes {
    signals: Vec<(u8, u16)>,
    finishes: Vec<u16>,
}

impl Observer for Notes {
    fn on_signal(&mut self, signal: Signal) {
        self.signals.push((signal.behaviour, signal.value));
    }

    fn on_finish(&mut self, id: u16) {
        self.finishes.push(id);
    }
}

fn noted(list: &[Command]) -> (Ge, Notes, Result<Stop, GeError>) {
    let mut ge = ge_with(list);
    let mut notes = Notes::default();
    let stop = ge.run_with(LIST, None, BUDGET, &mut notes);
    (ge, notes, stop)
}

#[test]
fn signals_that_call_back_go_on() {
    let list = [
        &signal(1, 0x11, 0)[..],
        &signal(2, 0x22, 0),
        &[command(Opcode::FINISH, 9), END],
    ]
    .concat();
    let (_, notes, stop) = noted(&list);
    assert_eq!(stop, Ok(Stop::Finished { id: 9 }));
    assert_eq!(notes.signals, [(1, 0x11), (2, 0x22)]);
    assert_eq!(notes.finishes, [9]);
}

#[test]
fn a_pausing_signal_waits_for_the_finish() {
    let list = [
        &signal(3, 0x33, 0)[..],
        &[mark(1), FINISH, END, mark(2), FINISH, END],
    ]
    .concat();
    let (mut ge, notes, stop) = noted(&list);
    assert_eq!(stop, Ok(Stop::Paused { signal: 0x33 }));
    assert_eq!(
        (notes.signals, ge.registers().argument(MARK)),
        (vec![(3, 0x33)], 1)
    );
    assert_eq!(ge.resume(None, BUDGET), Ok(Stop::Finished { id: 0 }));
    assert_eq!(ge.registers().argument(MARK), 2);
}

#[test]
fn a_sync_signal_passes_over_one_finish() {
    let list = [&signal(8, 0, 0)[..], &[FINISH, END, mark(5), FINISH, END]].concat();
    assert_eq!(marked(&list), 5);
}

#[test]
fn signals_jump_and_call() {
    // Absolute, and relative to the signal's own address.
    for (behaviour, target) in [(0x10, LIST.get() + 12), (0x13, 12)] {
        let list = [
            &signal(behaviour, target >> 16, target & 0xFFFF)[..],
            &[mark(1), FINISH, END],
        ]
        .concat();
        assert_eq!(marked(&list), 0, "{behaviour:#x}");
    }
    // A call by signal gives BASE back.
    let target = LIST.get() + 24;
    let list = [
        &[BASE][..],
        &signal(0x11, target >> 16, target & 0xFFFF),
        &[mark(1), FINISH, END, command(Opcode::BASE, 0x01_0000)],
        &signal(0x12, 0, 0),
    ]
    .concat();
    let (ge, _, stop) = noted(&list);
    assert_eq!(stop, Ok(Stop::Finished { id: 0 }));
    assert_eq!(ge.registers().command(Opcode::BASE), BASE);
    assert_eq!(ge.registers().argument(MARK), 1);
}

#[test]
fn signals_without_a_meaning_hang() {
    for behaviour in [0x00, 0xEE] {
        let (_, _, stop) = noted(&signal(behaviour, 0, 0));
        let address = LIST.offset(4);
        assert_eq!(
            stop,
            Err(GeError::Hangs {
                address,
                behaviour: behaviour as u8
            })
        );
    }
    let list = [&signal(0xFF, 0, 0)[..], &[FINISH, END]].concat();
    assert_eq!(marked(&list), 0);
}

#[test]
fn base_is_ored_before_the_offset_is_added() {
    let mut ge = ge_with(&[
        command(Opcode::BASE, 0x08_FFFF),
        command(Opcode::OFFSETADDR, 0x10),
        command(Opcode::VADDR, 0x12_3457),
        command(Opcode::BASE, 0x04_0000),
        FINISH,
        END,
    ]);
    ge.run(LIST, None, BUDGET).expect("the list ends");
    assert_eq!(
        ge.pointers().vertex,
        Address::new(0x0812_4457),
        "and later changes do not move it"
    );
    assert_eq!(ge.registers().command(Opcode::BASE).word(), 0x1004_0000);
}

#[test]
fn counters_show_in_the_number_registers() {
    let mut ge = ge_with(&[
        command(Opcode::WORLDNUM, 0xFF_FFF3),
        command(Opcode::WORLDDATA, 0x3F_8000),
        FINISH,
        END,
    ]);
    ge.run(LIST, None, BUDGET).expect("the list ends");
    assert_eq!(ge.registers().argument(Opcode::WORLDNUM), 4);
    assert_eq!(ge.matrices().world[3], 1.0);
}
