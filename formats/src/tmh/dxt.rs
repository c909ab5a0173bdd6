//! DXT blocks in the PSP's order: indices first, the ends after them, red in the high bits.
//!
//! Source: `spec/ge-raster.md §8.8` (hw), `spec/mhp-formats.md §2.5`.

use super::{PixelFormat, Rgba};

/// The sixteen pixels of a block, row by row.
pub(super) type Pixels = [Rgba; 16];

/// Decodes a block; of DXT1's 8 bytes the rest is ignored.
pub(super) fn decode(format: PixelFormat, block: &[u8; 16]) -> Pixels {
    let [i0, i1, i2, i3, a0, a1, b0, b1, ..] = *block;
    let indices = u32::from_le_bytes([i0, i1, i2, i3]);
    let palette = palette(u16::from_le_bytes([a0, a1]), u16::from_le_bytes([b0, b1]));
    let mut pixels = [[0; 4]; 16];
    for (pixel, color) in pixels.iter_mut().enumerate() {
        *color = palette[(indices >> (pixel * 2) & 3) as usize];
        match format {
            PixelFormat::Dxt3 => color[3] = alpha_of_4_bits(block, pixel),
            PixelFormat::Dxt5 => color[3] = interpolated_alpha(block, pixel),
            _ => {}
        }
    }
    pixels
}

/// The colour of an end: the low bits stay 0, so white is (248, 252, 248).
pub(super) fn end_color(end: u16) -> [u8; 3] {
    [
        (end >> 8) as u8 & 0xF8,
        (end >> 3) as u8 & 0xFC,
        (end << 3) as u8 & 0xF8,
    ]
}

/// The end nearest to a colour.
pub(super) fn nearest_end([red, green, blue]: [u8; 3]) -> u16 {
    let narrow = |channel: u8, step: u16, largest: u16| ((u16::from(channel) + step / 2) / step).min(largest);
    narrow(red, 8, 31) << 11 | narrow(green, 4, 63) << 5 | narrow(blue, 8, 31)
}

/// The four colours between two ends. The second form, with a transparent black, is DXT3's and
/// DXT5's as well (hw).
pub(super) fn palette(first: u16, second: u16) -> [Rgba; 4] {
    let (a, b) = (end_color(first), end_color(second));
    let blend = |weight_a: u16, weight_b: u16| {
        let mut color = [255; 4];
        for channel in 0..3 {
            let sum = weight_a * u16::from(a[channel]) + weight_b * u16::from(b[channel]);
            color[channel] = (sum / (weight_a + weight_b)) as u8;
        }
        color
    };
    let last = if first > second {
        [blend(2, 1), blend(1, 2)]
    } else {
        [blend(1, 1), [0; 4]]
    };
    [blend(1, 0), blend(0, 1), last[0], last[1]]
}

/// Four bits a pixel, widened with zeros: 15 is 0xF0 (hw).
fn alpha_of_4_bits(block: &[u8; 16], pixel: usize) -> u8 {
    let byte = block[8 + pixel / 2];
    if pixel.is_multiple_of(2) {
        byte << 4
    } else {
        byte & 0xF0
    }
}

fn interpolated_alpha(block: &[u8; 16], pixel: usize) -> u8 {
    let [.., i0, i1, i2, i3, i4, i5, first, second] = *block;
    let indices = u64::from_le_bytes([i0, i1, i2, i3, i4, i5, 0, 0]);
    let index = (indices >> (pixel * 3) & 7) as u32;
    let (a, b) = (u32::from(first), u32::from(second));
    let blend = |steps: u32| {
        let n = index - 1;
        ((a * (steps - n) * 256 / steps + b * n * 256 / steps + 31) >> 8) as u8
    };
    match index {
        0 => first,
        1 => second,
        _ if a > b => blend(7),
        2..=5 => blend(5),
        6 => 0,
        _ => 255,
    }
}

/// Encodes a block as DXT1.
///
/// Every pair of ends among the block's own colours, rounded, is tried in both forms, and the first
/// with the least squared error is taken; the result depends on nothing but the pixels. A pixel of
/// alpha below 128 becomes transparent black, which only the second form has.
pub(super) fn encode_dxt1(pixels: &Pixels) -> [u8; 8] {
    let transparent = |color: &Rgba| color[3] < 128;
    let keeps_transparency = pixels.iter().any(transparent);
    let mut ends: Vec<u16> = Vec::with_capacity(16);
    for &[red, green, blue, _] in pixels.iter().filter(|color| !transparent(color)) {
        let end = nearest_end([red, green, blue]);
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    if ends.is_empty() {
        // Index 3 everywhere; equal ends choose the form in which it is transparent.
        return [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
    }

    let mut best: Option<(u32, u32, u16, u16)> = None;
    for (number, &one) in ends.iter().enumerate() {
        for &other in &ends[number..] {
            let (low, high) = (one.min(other), one.max(other));
            let forms = [(high, low), (low, high)];
            for (first, second) in forms {
                if keeps_transparency && first > second {
                    continue;
                }
                let (error, indices) = choose_indices(pixels, first, second);
                if best.is_none_or(|(least, ..)| error < least) {
                    best = Some((error, indices, first, second));
                }
            }
        }
    }
    let (_, indices, first, second) = best.unwrap_or_default();
    let mut block = [0; 8];
    block[..4].copy_from_slice(&indices.to_le_bytes());
    block[4..6].copy_from_slice(&first.to_le_bytes());
    block[6..].copy_from_slice(&second.to_le_bytes());
    block
}

/// The nearest of the four colours for each pixel, and the sum of squared errors.
fn choose_indices(pixels: &Pixels, first: u16, second: u16) -> (u32, u32) {
    let palette = palette(first, second);
    let mut total = 0;
    let mut indices = 0;
    for (pixel, color) in pixels.iter().enumerate() {
        let opaque = color[3] >= 128;
        let nearest = (0..4_u32)
            .zip(&palette)
            .filter(|(_, candidate)| (candidate[3] == 255) == opaque)
            .map(|(index, candidate)| (if opaque { distance(color, candidate) } else { 0 }, index))
            .min();
        let (error, index) = nearest.unwrap_or_default();
        total += error;
        indices |= index << (pixel * 2);
    }
    (total, indices)
}

fn distance(a: &Rgba, b: &Rgba) -> u32 {
    a.iter()
        .zip(b)
        .take(3)
        .map(|(&a, &b)| u32::from(a.abs_diff(b)).pow(2))
        .sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn colors(first: u16, second: u16) -> [[u8; 3]; 4] {
        palette(first, second).map(|[red, green, blue, _]| [red, green, blue])
    }

    /// `spec/mhp-formats.md §2.5`, test.
    #[test]
    fn ends_have_red_high_and_indices_come_first() {
        let mut block = [0; 16];
        block[..8].copy_from_slice(&[0xE4, 0x00, 0xFF, 0x1B, 0x00, 0xF8, 0x1F, 0x00]);
        let palette: [Rgba; 4] = [
            [248, 0, 0, 255],
            [0, 0, 248, 255],
            [165, 0, 82, 255],
            [82, 0, 165, 255],
        ];
        let rows = [[0, 1, 2, 3], [0, 0, 0, 0], [3, 3, 3, 3], [3, 2, 1, 0]];
        let expected = rows.concat().into_iter().map(|index: usize| palette[index]);
        assert!(decode(PixelFormat::Dxt1, &block).into_iter().eq(expected));

        assert_eq!(
            super::palette(0x07E0, 0xFFFF),
            [
                [0, 252, 0, 255],
                [248, 252, 248, 255],
                [124, 252, 124, 255],
                [0, 0, 0, 0]
            ]
        );
    }

    /// `spec/ge-raster.md §8.8`, hardware vectors, which stand there as blue, green, red.
    #[test]
    fn colors_between_the_ends_are_those_of_hardware() {
        assert_eq!(
            colors(0xFFFF, 0xFFFF),
            [[0xF8, 0xFC, 0xF8], [0xF8, 0xFC, 0xF8], [0xF8, 0xFC, 0xF8], [0; 3]]
        );
        assert_eq!(
            colors(0xFFE3, 0x8410),
            [
                [0xF8, 0xFC, 0x18],
                [0x80; 3],
                [0xD0, 0xD2, 0x3A],
                [0xA8, 0xA9, 0x5D]
            ]
        );
        assert_eq!(
            colors(0x8410, 0xF85F),
            [[0x80; 3], [0xF8, 0x08, 0xF8], [0xBC, 0x44, 0xBC], [0; 3]]
        );
        assert_eq!(
            colors(0x7890, 0x1234)[2..],
            [[0x55, 0x21, 0x8A], [0x32, 0x32, 0x95]]
        );
    }

    /// `spec/ge-raster.md §8.8`, hardware vectors.
    #[test]
    fn interpolated_alphas_are_those_of_hardware() {
        for (first, second, expected) in [
            (0xFF, 0x0E, [0xDC, 0xBA, 0x97, 0x75, 0x52, 0x30]),
            (0xE1, 0x59, [0xCD, 0xBA, 0xA6, 0x93, 0x7F, 0x6C]),
            (0x55, 0xFF, [0x77, 0x99, 0xBB, 0xDD, 0x00, 0xFF]),
        ] {
            let mut block = [0; 16];
            // Pixel n takes index n modulo 8: the 24 bits of eight pixels, twice.
            let eight: u64 = (0..8).map(|index: u64| index << (index * 3)).sum();
            block[8..14].copy_from_slice(&(eight | eight << 24).to_le_bytes()[..6]);
            block[14] = first;
            block[15] = second;
            let alphas = decode(PixelFormat::Dxt5, &block).map(|color| color[3]);
            for half in alphas.chunks_exact(8) {
                assert_eq!(half[..2], [first, second]);
                assert_eq!(half[2..], expected);
            }
        }
    }

    #[test]
    fn four_bits_of_alpha_are_not_replicated() {
        let mut block = [0; 16];
        block[8..].copy_from_slice(&[0x05, 0xF0, 0, 0, 0, 0, 0, 0x90]);
        let alphas = decode(PixelFormat::Dxt3, &block).map(|color| color[3]);
        assert_eq!(alphas[..4], [0x50, 0x00, 0x00, 0xF0]);
        assert_eq!(alphas[15], 0x90);
    }

    fn through_dxt1(pixels: &Pixels) -> Pixels {
        let mut block = [0; 16];
        block[..8].copy_from_slice(&encode_dxt1(pixels));
        decode(PixelFormat::Dxt1, &block)
    }

    proptest! {
        /// A block of two colours that ends can hold, and transparency, is kept exactly.
        #[test]
        fn two_colors_are_exact(first: u16, second: u16, choice in prop::array::uniform16(0..3_usize)) {
            let opaque = |end| {
                let [red, green, blue] = end_color(end);
                [red, green, blue, 255]
            };
            let colors = [opaque(first), opaque(second), [0; 4]];
            let pixels = choice.map(|index| colors[index]);
            prop_assert_eq!(through_dxt1(&pixels), pixels);
        }

        /// What a block decodes to is encoded without loss once both of its ends are in the picture.
        #[test]
        fn decoded_blocks_are_exact(first: u16, second: u16, rest in prop::array::uniform14(0..4_usize)) {
            let palette = palette(first, second);
            let mut pixels = [palette[0]; 16];
            pixels[1] = palette[1];
            for (pixel, index) in pixels[2..].iter_mut().zip(rest) {
                *pixel = palette[index];
            }
            prop_assert_eq!(through_dxt1(&pixels), pixels);
        }

        #[test]
        fn any_block_encodes(pixels: [Rgba; 16]) {
            for (before, after) in pixels.iter().zip(through_dxt1(&pixels)) {
                prop_assert_eq!(before[3] >= 128, after[3] == 255);
            }
        }
    }
}
