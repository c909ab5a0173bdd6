//! What an observer sees, and in which order draws, host writes and copies take effect.

use ge::assembly::PrimitiveCode;
use ge::command::{Command, Opcode};
use ge::{Address, DrawEvent, DrawSource, Feature, Ge, Observer, Stop};
use raster::{Primitives, StateFlags};

use crate::{LIST, command, ge_with};

/// A draw, as far as these tests ask.
#[derive(Debug, PartialEq)]
struct Seen {
    number: u64,
    address: Address,
    source: DrawSource,
    primitive: PrimitiveCode,
    vertices: u32,
    primitives: usize,
    clear: bool,
}

#[derive(Default)]
struct Notes {
    commands: u64,
    draws: Vec<Seen>,
}

impl Observer for Notes {
    fn on_command(&mut self, _: &mut Ge, _: Address, _: Command) {
        self.commands += 1;
    }

    fn on_draw(&mut self, event: &DrawEvent<'_>) {
        self.draws.push(Seen {
            number: event.number,
            address: event.address,
            source: event.source,
            primitive: event.primitive,
            vertices: event.vertex_count,
            primitives: match event.draw.primitives {
                Primitives::Points(list) => list.len(),
                Primitives::Lines(list) | Primitives::Rectangles(list) => list.len(),
                Primitives::Triangles(list) => list.len(),
            },
            clear: event.draw.state.flags.contains(StateFlags::CLEAR),
        });
    }
}

const VERTICES: Address = Address::new(0x0810_0000);

/// A GE with 16-bit through-mode rectangles at [`VERTICES`], drawn white in clear mode on a frame of 8888.
fn ge_with_rectangles(corners: &[[i16; 2]], commands: &[Command]) -> Ge {
    let mut list = vec![
        command(Opcode::FBFORMAT, 3),
        command(Opcode::FBWIDTH, 64),
        command(Opcode::SCISSOR2, 63 << 10 | 63),
        command(Opcode::REGION2, 63 << 10 | 63),
        command(Opcode::CLEARMODE, 0x301),
        command(Opcode::MATAMBIENT, 0xFF_FFFF),
        command(Opcode::VTYPE, 0x80_0100),
        command(Opcode::BASE, 0x08_0000),
        command(Opcode::VADDR, VERTICES.get() & 0xFF_FFFF),
    ];
    list.extend(commands);
    list.extend([command(Opcode::FINISH, 0), command(Opcode::END, 0)]);
    let mut ge = ge_with(&list);
    let bytes: Vec<u8> = corners
        .iter()
        .flat_map(|&[x, y]| [x, y, 0].into_iter().flat_map(i16::to_le_bytes))
        .collect();
    ge.write(VERTICES, &bytes);
    ge
}

fn pixel(ge: &mut Ge, x: u32, y: u32) -> u32 {
    ge.memory()
        .word(Address::new(0x0400_0000 + 4 * (64 * y + x)))
        .expect("VRAM")
}

#[test]
fn draws_are_seen_with_their_state() {
    let draw = |count: u32| command(Opcode::PRIM, 6 << 16 | count);
    let corners = [[0, 0], [4, 4], [8, 8], [12, 12], [20, 20]];
    let mut ge = ge_with_rectangles(&corners, &[draw(0), draw(4), draw(1)]);
    let mut notes = Notes::default();
    let stop = ge.run_with(LIST, None, 100, &mut notes);
    assert_eq!(stop, Ok(Stop::Finished { id: 0 }));
    assert_eq!(notes.commands, 14);
    let seen = |number, position: u32, vertices, primitives| Seen {
        number,
        address: LIST.offset(4 * position),
        source: DrawSource::Primitive,
        primitive: PrimitiveCode::Rectangles,
        vertices,
        primitives,
        clear: true,
    };
    // The draw of no vertices is none; the draw of half a rectangle is one, of nothing.
    assert_eq!(notes.draws, [seen(0, 10, 4, 2), seen(1, 11, 1, 0)]);
    assert_eq!(
        [pixel(&mut ge, 3, 3), pixel(&mut ge, 4, 4), pixel(&mut ge, 11, 11)],
        [0xFF_FFFF, 0, 0xFF_FFFF]
    );
    assert!(ge.report().is_empty());
    assert_eq!(ge.pointers().vertex, VERTICES.offset(5 * 6));
}

/// Stops behind its last draw, having noted after each what the pixel at (1, 1) is.
struct Pixels {
    last: u64,
    seen: Vec<u32>,
}

impl Observer for Pixels {
    fn after_draw(&mut self, ge: &mut Ge, number: u64) {
        assert_eq!(number, self.seen.len() as u64);
        self.seen.push(pixel(ge, 1, 1));
    }

    fn stops(&self) -> bool {
        self.seen.len() as u64 > self.last
    }
}

#[test]
fn pixels_are_seen_behind_each_draw_and_a_stopped_list_goes_on() {
    let draw = command(Opcode::PRIM, 6 << 16 | 2);
    let color = |color| command(Opcode::MATAMBIENT, color);
    let corners = [[0, 0], [4, 4]].repeat(3);
    let list = [draw, color(0xFF), draw, color(0xFF00), draw];
    let mut ge = ge_with_rectangles(&corners, &list);
    let mut pixels = Pixels {
        last: 1,
        seen: Vec::new(),
    };
    let stop = ge.run_with(LIST, None, 100, &mut pixels);
    assert_eq!(
        stop,
        Ok(Stop::Observed {
            address: LIST.offset(4 * 12)
        })
    );
    assert_eq!(pixels.seen, [0xFF_FFFF, 0xFF]);
    pixels.last = 9;
    assert_eq!(
        ge.resume_with(None, 100, &mut pixels),
        Ok(Stop::Finished { id: 0 })
    );
    assert_eq!(pixels.seen, [0xFF_FFFF, 0xFF, 0xFF00]);
}

#[test]
fn host_writes_come_after_the_draws_before_them() {
    let mut ge = ge_with_rectangles(&[[0, 0], [4, 4]], &[command(Opcode::PRIM, 6 << 16 | 2)]);
    ge.run(LIST, None, 10_000).expect("the list ends");
    ge.write(Address::new(0x0400_0000), &[1, 2, 3, 4]);
    assert_eq!(
        [pixel(&mut ge, 0, 0), pixel(&mut ge, 1, 0)],
        [0x0403_0201, 0xFF_FFFF]
    );
}

#[test]
fn a_transfer_sees_the_draw_before_and_not_the_one_after() {
    let draw = command(Opcode::PRIM, 6 << 16 | 2);
    let transfer = [
        command(Opcode::XFERSRCW, 0x04_0000 | 64),
        command(Opcode::XFERDST, 0x10_0000),
        command(Opcode::XFERDSTW, 0x04_0000 | 64),
        command(Opcode::XFERSIZE, 63 << 10 | 63),
        command(Opcode::XFERSTART, 1),
    ];
    let list = [&[draw][..], &transfer, &[draw]].concat();
    let mut ge = ge_with_rectangles(&[[0, 0], [4, 4], [8, 8], [12, 12]], &list);
    ge.run(LIST, None, 10_000).expect("the list ends");
    let copied = |ge: &mut Ge, x: u32, y: u32| {
        ge.memory()
            .word(Address::new(0x0410_0000 + 4 * (64 * y + x)))
            .expect("VRAM")
    };
    assert_eq!([copied(&mut ge, 1, 1), copied(&mut ge, 9, 9)], [0xFF_FFFF, 0]);
    assert_eq!(pixel(&mut ge, 9, 9), 0xFF_FFFF);
}

#[test]
fn what_is_not_done_is_reported_with_its_place() {
    let list = [
        command(Opcode::REGION1, 5),
        command(Opcode::VADDR, 0),
        command(Opcode::BASE, 0),
    ];
    let nowhere = [command(Opcode::VADDR, 0), command(Opcode::PRIM, 6 << 16 | 2)];
    let mut ge = ge_with_rectangles(&[], &[&list[..], &nowhere].concat());
    ge.run(LIST, None, 10_000).expect("the list ends");
    let place = |feature| ge.report().get(feature).map(|met| (met.count, met.first));
    assert_eq!(place(Feature::RegionRate), Some((1, LIST.offset(4 * 9))));
    assert_eq!(
        place(Feature::VerticesOutsideMemory),
        Some((1, LIST.offset(4 * 13)))
    );
    assert_eq!(ge.report().iter().count(), 2);
}

#[test]
fn a_draw_without_positions_only_advances() {
    let color = command(Opcode::VTYPE, 0x80_001C);
    let mut ge = ge_with_rectangles(&[], &[color, command(Opcode::PRIM, 6 << 16 | 2)]);
    ge.run(LIST, None, 10_000).expect("the list ends");
    // Three bytes stand in for a position, as in PPSSPP and its captures (unverified).
    assert_eq!(ge.pointers().vertex, VERTICES.offset(2 * 8));
    assert!(ge.memory().vram().bytes().iter().all(|&byte| byte == 0));
}
