//! Moving pictures: APNG, whose delays are exact fractions of a second, and GIF.
use std::io::{BufWriter, Write};
use std::path::Path;

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbaImage};

use super::Picture;
use crate::error::HarnessError;
use crate::files;

/// How long each frame is shown, in seconds, as a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameDelay {
    numerator: u16,
    denominator: u16,
}

impl FrameDelay {
    /// `numerator` / `denominator` seconds; `None` unless both are above 0.
    #[must_use]
    pub const fn new(numerator: u16, denominator: u16) -> Option<Self> {
        if numerator == 0 || denominator == 0 {
            None
        } else {
            Some(Self {
                numerator,
                denominator,
            })
        }
    }

    /// One frame of the game, which draws 30 a second (`spec/mhp-formats.md` §5.7).
    pub const GAME_FRAME: Self = Self {
        numerator: 1,
        denominator: 30,
    };

    /// The delay in hundredths of a second that GIF frame `index` states. GIF counts nothing finer,
    /// so the rounding is spread: the moment at which a frame appears is never wrong by more than
    /// half a hundredth.
    fn hundredths(self, index: usize) -> u32 {
        let appears = |index: u64| {
            let (numerator, denominator) = (u64::from(self.numerator), u64::from(self.denominator));
            (index * numerator * 200 + denominator) / (denominator * 2)
        };
        let index = index as u64;
        (appears(index + 1) - appears(index)) as u32
    }
}

/// Writes an animated PNG that loops for ever. All frames have the size of the first.
///
/// # Errors
/// No frames, frames of different sizes, and as [`files::write`].
pub fn write_apng(path: &Path, frames: &[Picture], delay: FrameDelay) -> Result<(), HarnessError> {
    let first = same_size(path, frames)?;
    let mut bytes = Vec::new();
    encode_apng(&mut bytes, first, frames, delay).map_err(|error| failed(path, &error))?;
    files::write(path, &bytes)
}

fn encode_apng(
    bytes: &mut Vec<u8>,
    first: &Picture,
    frames: &[Picture],
    delay: FrameDelay,
) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(bytes, first.width(), first.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_animated(u32::try_from(frames.len()).unwrap_or(u32::MAX), 0)?;
    encoder.set_frame_delay(delay.numerator, delay.denominator)?;
    encoder.set_dispose_op(png::DisposeOp::None)?;
    encoder.set_blend_op(png::BlendOp::Source)?;
    let mut writer = encoder.write_header()?;
    for frame in frames {
        writer.write_image_data(frame.rgba())?;
    }
    writer.finish()
}

/// Writes an animated GIF that loops for ever: 256 colours a frame, a pixel opaque or not, delays in
/// hundredths of a second.
///
/// # Errors
/// No frames, frames of different sizes or above 65535 on a side, and as [`files::write`].
pub fn write_gif(path: &Path, frames: &[Picture], delay: FrameDelay) -> Result<(), HarnessError> {
    same_size(path, frames)?;
    files::write_with(path, |file| {
        let mut buffer = BufWriter::new(file);
        encode_gif(&mut buffer, frames, delay).map_err(|error| failed(path, &error))?;
        buffer.flush().map_err(|source| HarnessError::write(path, source))
    })
}

fn encode_gif(out: &mut impl Write, frames: &[Picture], delay: FrameDelay) -> image::ImageResult<()> {
    // 1 is the slowest and best of the encoder's 30 palettes, 10 its authors' usual one. Frames of
    // at most 256 colours are exact at any speed.
    let mut encoder = GifEncoder::new_with_speed(out, 10);
    encoder.set_repeat(Repeat::Infinite)?;
    for (index, frame) in frames.iter().enumerate() {
        let Some(image) = RgbaImage::from_raw(frame.width(), frame.height(), frame.rgba().to_vec()) else {
            continue;
        };
        let delay = Delay::from_numer_denom_ms(delay.hundredths(index) * 10, 1);
        encoder.encode_frame(Frame::from_parts(image, 0, 0, delay))?;
    }
    Ok(())
}

fn failed(path: &Path, error: &dyn std::error::Error) -> HarnessError {
    HarnessError::Picture {
        file: path.display().to_string(),
        message: format!("cannot be written: {error}"),
    }
}

/// The first frame, once all are known to have its size.
fn same_size<'a>(path: &Path, frames: &'a [Picture]) -> Result<&'a Picture, HarnessError> {
    let wrong = |message: String| HarnessError::Picture {
        file: path.display().to_string(),
        message,
    };
    let first = frames
        .first()
        .ok_or_else(|| wrong("an animation needs at least one frame".into()))?;
    let size = (first.width(), first.height());
    if size.0 == 0 || size.1 == 0 {
        return Err(wrong(format!(
            "an animation cannot hold {} x {} pixels",
            size.0, size.1
        )));
    }
    match frames
        .iter()
        .position(|frame| (frame.width(), frame.height()) != size)
    {
        Some(index) => Err(wrong(format!(
            "frame {index} is not {} x {} as the first",
            size.0, size.1
        ))),
        None => Ok(first),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::AnimationDecoder;

    use super::super::tests::places;
    use super::*;

    fn frames() -> Vec<Picture> {
        (0..6)
            .map(|index| {
                let mut frame = places(12, 8);
                frame.set_pixel(index, 0, [255, 0, 0, 255]);
                frame
            })
            .collect()
    }

    #[test]
    fn gif_delays_add_up() {
        let delays: Vec<_> = (0..6)
            .map(|index| FrameDelay::GAME_FRAME.hundredths(index))
            .collect();
        assert_eq!(delays, [3, 4, 3, 3, 4, 3]);
        let minute: u32 = (0..1800)
            .map(|index| FrameDelay::GAME_FRAME.hundredths(index))
            .sum();
        assert_eq!(minute, 6000);
    }

    #[test]
    fn an_apng_holds_every_frame_and_the_exact_delay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write_apng(&path, &frames(), FrameDelay::GAME_FRAME).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let decoder = image::codecs::png::PngDecoder::new(Cursor::new(&bytes)).unwrap();
        let read = decoder.apng().unwrap().into_frames().collect_frames().unwrap();
        assert_eq!(read.len(), 6);
        for (read, frame) in read.iter().zip(&frames()) {
            assert_eq!(read.buffer().as_raw(), frame.rgba());
        }
        let control = bytes.windows(4).position(|name| name == b"fcTL").unwrap();
        assert_eq!(
            bytes[control + 24..control + 28],
            [0, 1, 0, 30],
            "numerator and denominator"
        );
    }

    #[test]
    fn a_gif_of_few_colours_is_exact() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        write_gif(&path, &frames(), FrameDelay::GAME_FRAME).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let decoder = image::codecs::gif::GifDecoder::new(Cursor::new(&bytes)).unwrap();
        let read = decoder.into_frames().collect_frames().unwrap();
        assert_eq!(read.len(), 6);
        for (index, (read, frame)) in read.iter().zip(&frames()).enumerate() {
            assert_eq!(read.buffer().as_raw(), frame.rgba());
            assert_eq!(
                read.delay().numer_denom_ms(),
                (FrameDelay::GAME_FRAME.hundredths(index) * 10, 1)
            );
        }
    }

    #[test]
    fn frames_must_be_of_one_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let mixed = [places(4, 4), places(5, 4)];
        let error = write_apng(&path, &mixed, FrameDelay::GAME_FRAME).unwrap_err();
        assert!(
            error.to_string().ends_with("frame 1 is not 4 x 4 as the first"),
            "{error}"
        );
        assert!(write_gif(&path, &[], FrameDelay::GAME_FRAME).is_err());
        assert!(!path.exists());
    }
}
