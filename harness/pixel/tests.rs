//! Histories of captures that are made for it.
use formats::capture::{CaptureBuilder, InitialState, RecordKind};
use replay::{PictureError, ReplayMode, ReplayOptions, draw_white_rectangle};

use super::{Event, History, MadeBy, PixelError, Position, history};
use crate::replay::NamedCapture;

/// A white rectangle of 4 x 4 pixels with an alpha of 0 in clear mode, a copy, a fill and a block transfer over it.
fn written_by_all(display: Option<[u32; 3]>) -> NamedCapture {
    let mut builder = CaptureBuilder::new(&InitialState::blank());
    draw_white_rectangle(&mut builder);
    let mut texture = [0x0400_0000, 64, 0, 0].map(u32::to_le_bytes).concat();
    texture.extend([0x11; 16]);
    builder.bytes(RecordKind::from_byte(0x18).unwrap(), &texture);
    builder.words(RecordKind::MemorySet, &[0x0400_0000, 0x77, 6]);
    let transfer = [
        0xB200_1000,
        0xB304_0040,
        0xEB00_0000,
        0xB400_0000,
        0xB504_0040,
        0xEC00_0001,
        0xEE00_0402,
        0xEA00_0001,
    ];
    builder.words(RecordKind::Registers, &transfer);
    if let Some(display) = display {
        builder.words(RecordKind::Display, &display);
    }
    NamedCapture {
        name: "made".to_owned(),
        capture: builder.build(*b"TEST00000").unwrap(),
        archive: None,
    }
}

const DISPLAY: [u32; 3] = [0x0400_0000, 64, 3];

fn told(mode: ReplayMode, x: u32, y: u32) -> History {
    let options = ReplayOptions {
        mode,
        ..ReplayOptions::default()
    };
    history(&written_by_all(Some(DISPLAY)), options, Position { x, y }).unwrap()
}

/// What happened, and the bits before and after.
fn changes(history: &History) -> Vec<(&'static str, u32, u32)> {
    let told = history.events.iter().map(|event| match event {
        Event::Draw { fragments, .. } => ("draw", fragments[0].before.stored, fragments[0].after.stored),
        Event::Transfer { before, after, .. } => ("transfer", before.stored, after.stored),
        Event::Copy { before, after, .. } => ("copy", before.stored, after.stored),
        Event::Fill { before, after, .. } => ("fill", before.stored, after.stored),
    });
    told.collect()
}

#[test]
fn everything_that_writes_is_told_in_its_order() {
    let faithful = told(ReplayMode::Faithful, 1, 0);
    assert_eq!(
        changes(&faithful),
        [
            ("draw", 0, 0xFF_FFFF),
            ("copy", 0xFF_FFFF, 0x1111_1111),
            // The fill ends inside the pixel.
            ("fill", 0x1111_1111, 0x1111_7777),
            ("transfer", 0x1111_7777, 0),
        ]
    );
    assert_eq!(faithful.made_by, Some(MadeBy::Transfer { source: 0x0400_1000 }));
    let reference = told(ReplayMode::Reference, 1, 0);
    assert_eq!(
        changes(&reference),
        [
            ("copy", 0, 0x1111_1111),
            ("draw", 0x1111_1111, 0xFF_FFFF),
            ("transfer", 0xFF_FFFF, 0)
        ],
        "copies do not wait, and fills are not made"
    );
}

#[test]
fn what_writes_elsewhere_is_not_told() {
    assert_eq!(
        changes(&told(ReplayMode::Faithful, 0, 1)),
        [("draw", 0, 0xFF_FFFF)]
    );
    assert_eq!(
        told(ReplayMode::Faithful, 0, 1).made_by,
        Some(MadeBy::Draw { draw: 0 })
    );
    // Columns 1 to 3 and rows 0 and 1 are transferred.
    let names = |x, y| -> Vec<&str> {
        changes(&told(ReplayMode::Faithful, x, y))
            .iter()
            .map(|change| change.0)
            .collect()
    };
    assert_eq!(names(3, 1), ["draw", "transfer"]);
    assert_eq!(names(3, 2), ["draw"]);
    assert!(names(4, 1).is_empty() && told(ReplayMode::Faithful, 4, 1).made_by.is_none());
}

#[test]
fn without_a_buffer_in_vram_there_is_no_history() {
    let refused = |display| {
        let position = Position { x: 0, y: 0 };
        history(&written_by_all(display), ReplayOptions::default(), position).unwrap_err()
    };
    assert_eq!(refused(None), PixelError::Display(PictureError::NothingShown));
    assert_eq!(
        refused(Some([0x0880_0000, 64, 3])),
        PixelError::OutsideVram(0x0880_0000)
    );
    assert_eq!(
        refused(Some([0x0400_0000, 64, 9])),
        PixelError::Display(PictureError::Format(9))
    );
}
