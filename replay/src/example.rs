//! A draw of a capture made by hand, to try replays on.

use formats::capture::{CaptureBuilder, RecordKind};

/// Adds a draw of a white rectangle with an alpha of 0: 4 x 4 pixels in clear mode at the top left of a buffer of 8888 at
/// 0x04000000, with 64 pixels a row.
///
/// ```
/// use formats::capture::{CaptureBuilder, InitialState, RecordKind};
/// use replay::{ReplayOptions, Replayer, draw_white_rectangle};
///
/// let mut builder = CaptureBuilder::new(&InitialState::blank());
/// draw_white_rectangle(&mut builder);
/// builder.words(RecordKind::Display, &[0x0400_0000, 64, 3]);
/// let capture = builder.build(*b"TEST00000")?;
/// let mut replayer = Replayer::new(&capture, ReplayOptions::default());
/// replayer.run()?;
/// let picture = replayer.picture()?;
/// assert_eq!(picture.pixel(3, 3), Some([255; 4]));
/// assert_eq!(picture.pixel(4, 3), Some([0, 0, 0, 255]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn draw_white_rectangle(builder: &mut CaptureBuilder) {
    let registers = [
        0x9D00_0040,
        0xD200_0003,
        0xD500_FC3F,
        0x1600_FC3F,
        0xD300_0301,
        0x55FF_FFFF,
        0x1280_0100,
        0x9C00_0000,
    ];
    builder.words(RecordKind::Registers, &registers);
    builder.bytes(RecordKind::Vertices, &[0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0]);
    builder.words(RecordKind::Registers, &[0x0406_0002]);
}
