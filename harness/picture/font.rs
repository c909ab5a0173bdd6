//! A font of 5 x 7 pixels for the labels of contact sheets, drawn for this project.
use super::Picture;

/// Width of a glyph in pixels.
pub const GLYPH_WIDTH: u32 = 5;
/// Height of a glyph in pixels.
pub const GLYPH_HEIGHT: u32 = 7;

/// Seven rows a glyph, the leftmost pixel in bit 4.
#[rustfmt::skip]
const GLYPHS: [(char, [u8; GLYPH_HEIGHT as usize]); 50] = [
    ('0', [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]),
    ('1', [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('2', [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111]),
    ('3', [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110]),
    ('4', [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]),
    ('5', [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]),
    ('6', [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]),
    ('7', [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]),
    ('8', [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]),
    ('9', [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100]),
    ('A', [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
    ('B', [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110]),
    ('C', [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110]),
    ('D', [0b11100, 0b10010, 0b10001, 0b10001, 0b10001, 0b10010, 0b11100]),
    ('E', [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111]),
    ('F', [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000]),
    ('G', [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01111]),
    ('H', [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001]),
    ('I', [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('J', [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100]),
    ('K', [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001]),
    ('L', [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111]),
    ('M', [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001]),
    ('N', [0b10001, 0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001]),
    ('O', [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('P', [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000]),
    ('Q', [0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101]),
    ('R', [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001]),
    ('S', [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110]),
    ('T', [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100]),
    ('U', [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110]),
    ('V', [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100]),
    ('W', [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b10101, 0b01010]),
    ('X', [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001]),
    ('Y', [0b10001, 0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100]),
    ('Z', [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111]),
    (' ', [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000]),
    ('.', [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b01100]),
    (',', [0b00000, 0b00000, 0b00000, 0b00000, 0b01100, 0b00100, 0b01000]),
    (':', [0b00000, 0b01100, 0b01100, 0b00000, 0b01100, 0b01100, 0b00000]),
    ('-', [0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000]),
    ('+', [0b00000, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0b00000]),
    ('/', [0b00000, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b00000]),
    ('#', [0b01010, 0b01010, 0b11111, 0b01010, 0b11111, 0b01010, 0b01010]),
    ('%', [0b11001, 0b11001, 0b00010, 0b00100, 0b01000, 0b10011, 0b10011]),
    ('*', [0b00000, 0b00100, 0b10101, 0b01110, 0b10101, 0b00100, 0b00000]),
    ('(', [0b00010, 0b00100, 0b01000, 0b01000, 0b01000, 0b00100, 0b00010]),
    (')', [0b01000, 0b00100, 0b00010, 0b00010, 0b00010, 0b00100, 0b01000]),
    ('=', [0b00000, 0b00000, 0b11111, 0b00000, 0b11111, 0b00000, 0b00000]),
    ('_', [0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b11111]),
];

/// What stands for a character that the font does not have.
const UNKNOWN: [u8; GLYPH_HEIGHT as usize] = [0b11111, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11111];

fn glyph(character: char) -> [u8; GLYPH_HEIGHT as usize] {
    let character = character.to_ascii_uppercase();
    GLYPHS
        .iter()
        .find(|(known, _)| *known == character)
        .map_or(UNKNOWN, |(_, rows)| *rows)
}

/// Width in pixels of `text` drawn at `scale`: glyphs stand one column apart.
#[must_use]
pub fn text_width(text: &str, scale: u32) -> u32 {
    let count = text.chars().count() as u32;
    (count * (GLYPH_WIDTH + 1)).saturating_sub(1) * scale
}

/// Draws `text` with its top left corner at (`x`, `y`), each pixel of the font `scale` pixels wide and high.
/// Digits, Latin letters (as capitals) and common signs are there; anything else is an empty box.
/// What falls outside the picture is left out.
///
/// ```
/// use ge_harness::picture::{Picture, draw_text, text_width};
/// let mut label = Picture::filled(text_width("24", 1), 7, [0, 0, 0, 255]);
/// draw_text(&mut label, "24", 0, 0, 1, [255, 255, 255, 255]);
/// assert_eq!(label.width(), 11);
/// assert_eq!(label.pixel(1, 0), Some([255, 255, 255, 255]));
/// ```
pub fn draw_text(picture: &mut Picture, text: &str, x: u32, y: u32, scale: u32, colour: [u8; 4]) {
    for (index, character) in text.chars().enumerate() {
        let left = x + index as u32 * (GLYPH_WIDTH + 1) * scale;
        for (row, bits) in (0..).zip(glyph(character)) {
            for column in (0..GLYPH_WIDTH).filter(|column| bits & (0b10000 >> column) != 0) {
                for dot in 0..scale * scale {
                    let (across, down) = (dot % scale, dot / scale);
                    picture.set_pixel(left + column * scale + across, y + row * scale + down, colour);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_its_own() {
        for (index, (character, rows)) in GLYPHS.iter().enumerate() {
            assert!(rows.iter().all(|row| *row < 0b100000), "{character}");
            for (other, other_rows) in &GLYPHS[..index] {
                assert_ne!(rows, other_rows, "{character} looks like {other}");
            }
        }
    }

    #[test]
    fn text_is_as_wide_as_it_says() {
        for scale in 1..4 {
            let mut picture = Picture::filled(60, 40, [0; 4]);
            draw_text(&mut picture, "MH", 0, 0, scale, [255; 4]);
            let inked = (0..60).filter(|&x| (0..40).any(|y| picture.pixel(x, y) == Some([255; 4])));
            assert_eq!(inked.max(), Some(text_width("MH", scale) - 1));
        }
    }

    #[test]
    fn text_past_the_edge_is_cut() {
        let mut picture = Picture::filled(4, 4, [0; 4]);
        draw_text(&mut picture, "88888", 2, 2, 3, [255; 4]);
    }
}
