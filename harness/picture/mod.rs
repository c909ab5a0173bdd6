//! Pictures: reading and writing them, comparing them, laying them out.
mod animation;
mod compare;
mod font;
mod heat;
mod read;
mod sheet;
mod write;

pub use animation::{FrameDelay, write_apng, write_gif};
pub use compare::{Comparison, DifferenceBox, SizesDiffer, compare};
pub use font::{GLYPH_HEIGHT, GLYPH_WIDTH, draw_text, text_width};
pub use heat::{heat_map, side_by_side};
pub use read::read;
pub use sheet::{Cell, contact_sheet};
pub use write::{Effort, encode_grey_png, encode_png, encode_png_with, write_png};

/// Width of the PSP's screen in pixels.
pub const SCREEN_WIDTH: u32 = 480;
/// Height of the PSP's screen in pixels.
pub const SCREEN_HEIGHT: u32 = 272;

/// An RGBA picture of 8 bits a channel, top row first, alpha not multiplied in.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Picture {
    /// A picture from its bytes, four a pixel; `None` if their number does not fit the size.
    #[must_use]
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Option<Self> {
        let bytes = (width as usize).checked_mul(height as usize)?.checked_mul(4)?;
        (bytes == rgba.len()).then_some(Self { width, height, rgba })
    }

    /// A picture of one colour.
    ///
    /// ```
    /// use ge_harness::picture::Picture;
    /// let grey = Picture::filled(3, 2, [128, 128, 128, 255]);
    /// assert_eq!(grey.pixel(2, 1), Some([128, 128, 128, 255]));
    /// assert_eq!(grey.pixel(3, 1), None);
    /// ```
    #[must_use]
    pub fn filled(width: u32, height: u32, colour: [u8; 4]) -> Self {
        Self {
            width,
            height,
            rgba: colour.repeat(width as usize * height as usize),
        }
    }

    /// Width in pixels.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The bytes, red, green, blue and alpha of each pixel.
    #[must_use]
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// The bytes, for whoever takes the picture apart.
    #[must_use]
    pub fn into_rgba(self) -> Vec<u8> {
        self.rgba
    }

    /// The pixels, row by row.
    pub fn pixels(&self) -> impl ExactSizeIterator<Item = [u8; 4]> + '_ {
        self.rgba.as_chunks::<4>().0.iter().copied()
    }

    /// One pixel, or `None` outside the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let at = self.offset(x, y)?;
        self.rgba.get(at..at + 4)?.try_into().ok()
    }

    /// Sets one pixel; outside the picture nothing happens.
    pub fn set_pixel(&mut self, x: u32, y: u32, colour: [u8; 4]) {
        if let Some(at) = self.offset(x, y) {
            self.rgba[at..at + 4].copy_from_slice(&colour);
        }
    }

    fn offset(&self, x: u32, y: u32) -> Option<usize> {
        (x < self.width && y < self.height).then(|| (y as usize * self.width as usize + x as usize) * 4)
    }

    /// The rectangle from (`x`, `y`), cut to what lies inside the picture.
    #[must_use]
    pub fn crop(&self, x: u32, y: u32, width: u32, height: u32) -> Self {
        let width = width.min(self.width.saturating_sub(x));
        let height = height.min(self.height.saturating_sub(y));
        let mut rgba = Vec::with_capacity(width as usize * height as usize * 4);
        if width > 0 {
            for row in y..y + height {
                let start = (row as usize * self.width as usize + x as usize) * 4;
                rgba.extend_from_slice(&self.rgba[start..start + width as usize * 4]);
            }
        }
        Self { width, height, rgba }
    }

    /// Copies `other` onto this picture with its top left corner at (`x`, `y`); what falls outside
    /// is left out.
    pub fn paste(&mut self, other: &Self, x: u32, y: u32) {
        let width = other.width.min(self.width.saturating_sub(x)) as usize * 4;
        if width == 0 || other.width == 0 {
            return;
        }
        for (row, source) in other.rgba.chunks_exact(other.width as usize * 4).enumerate() {
            let Some(at) = y.checked_add(row as u32).and_then(|y| self.offset(x, y)) else {
                break;
            };
            self.rgba[at..at + width].copy_from_slice(&source[..width]);
        }
    }

    /// The visible part of a saved PSP screen: 480 columns of one that is 512 wide, as PPSSPP saves
    /// them (`spec/capture.md` §8); any other picture is returned as it is.
    #[must_use]
    pub fn visible_screen(self) -> Self {
        if (self.width, self.height) == (512, SCREEN_HEIGHT) {
            return self.crop(0, 0, SCREEN_WIDTH, SCREEN_HEIGHT);
        }
        self
    }
}

impl std::fmt::Debug for Picture {
    /// The size alone: a failed assertion should not print a million bytes.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture({} x {})", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture in which each pixel tells its place.
    pub(super) fn places(width: u32, height: u32) -> Picture {
        let rgba = (0..height)
            .flat_map(|y| (0..width).flat_map(move |x| [x as u8, y as u8, 9, 255]))
            .collect();
        Picture::new(width, height, rgba).unwrap()
    }

    #[test]
    fn the_bytes_must_fit_the_size() {
        assert!(Picture::new(2, 2, vec![0; 16]).is_some());
        assert!(Picture::new(2, 2, vec![0; 15]).is_none());
        assert!(Picture::new(u32::MAX, u32::MAX, vec![0; 16]).is_none());
    }

    #[test]
    fn cropping_keeps_to_the_picture() {
        let picture = places(8, 6);
        let part = picture.crop(5, 4, 10, 10);
        assert_eq!((part.width(), part.height()), (3, 2));
        assert_eq!(part.pixel(0, 0), Some([5, 4, 9, 255]));
        assert_eq!(picture.crop(8, 0, 4, 4).width(), 0);
        assert_eq!(picture.crop(0, 9, 4, 4).height(), 0);
    }

    #[test]
    fn pasting_keeps_to_the_picture() {
        let mut picture = Picture::filled(4, 4, [0; 4]);
        picture.paste(&places(3, 3), 2, 3);
        assert_eq!(picture.pixel(2, 3), Some([0, 0, 9, 255]));
        assert_eq!(picture.pixel(3, 3), Some([1, 0, 9, 255]));
        assert_eq!(picture.pixel(1, 3), Some([0; 4]));
        picture.paste(&places(3, 3), 4, 0);
        picture.paste(&places(3, 3), 0, u32::MAX);
    }

    #[test]
    fn only_a_saved_screen_is_cropped() {
        assert_eq!(places(512, 272).visible_screen().width(), 480);
        assert_eq!(places(512, 273).visible_screen().width(), 512);
    }
}
