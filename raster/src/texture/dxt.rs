//! DXT1, DXT3 and DXT5 as the GE reads them (spec/ge-raster.md §8.8, hw: texcolors).

use crate::code::TextureFormat;

/// The texels of a block, four rows of four, in 8888. DXT1 has 8 bytes, the others 16.
pub(super) fn decode_block(format: TextureFormat, block: &[u8; 16]) -> [u32; 16] {
    let half = |at: usize| u16::from_le_bytes([block[at], block[at + 1]]);
    let (first, second) = (half(4), half(6));
    let mut colors = colors(first, second);
    // Two bits a texel, from the lowest on, in the order of the texels.
    let codes = u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
    let mut texels = [0; 16];
    for (index, texel) in texels.iter_mut().enumerate() {
        *texel = (codes >> (2 * index)) & 3;
    }
    let tail = u64::from(half(8))
        | (u64::from(half(10)) << 16)
        | (u64::from(half(12)) << 32)
        | (u64::from(half(14)) << 48);
    match format {
        TextureFormat::DXT3 => {
            for (index, texel) in texels.iter_mut().enumerate() {
                // Four bits, without replication: 15 gives F0.
                let alpha = ((tail >> (4 * index)) & 15) as u32;
                *texel = colors[(*texel & 3) as usize] | (alpha << 28);
            }
        }
        TextureFormat::DXT5 => {
            let mut alphas = [0; 8];
            for (code, alpha) in alphas.iter_mut().enumerate() {
                *alpha = u32::from(interpolated_alpha(block[14], block[15], code as u32)) << 24;
            }
            for (index, texel) in texels.iter_mut().enumerate() {
                let code = ((tail >> (3 * index)) & 7) as usize;
                *texel = colors[(*texel & 3) as usize] | alphas[code];
            }
        }
        _ => {
            let opaque = if first > second { 4 } else { 3 };
            for color in &mut colors[..opaque] {
                *color |= 0xFF00_0000;
            }
            for texel in &mut texels {
                *texel = colors[(*texel & 3) as usize];
            }
        }
    }
    texels
}

/// The four colours between two endpoints, alpha 0. Red is in the endpoints' top bits, and they are widened
/// without replication.
fn colors(first: u16, second: u16) -> [u32; 4] {
    let split = |color: u16| {
        let color = u32::from(color);
        [(color >> 11) << 3, ((color >> 5) & 63) << 2, (color & 31) << 3]
    };
    let (a, b) = (split(first), split(second));
    let join = |[red, green, blue]: [u32; 3]| red | (green << 8) | (blue << 16);
    let mix = |of_a: u32, of_b: u32| {
        join([0, 1, 2].map(|index| (of_a * a[index] + of_b * b[index]) / (of_a + of_b)))
    };
    // Unlike on the PC, the three-colour mode exists in DXT3 and DXT5 too.
    if first > second {
        [join(a), join(b), mix(2, 1), mix(1, 2)]
    } else {
        [join(a), join(b), mix(1, 1), 0]
    }
}

/// One of the eight alphas between two endpoints.
fn interpolated_alpha(first: u8, second: u8, code: u32) -> u8 {
    let (a, b) = (u32::from(first), u32::from(second));
    let mix = |parts: u32| {
        let n = code - 1;
        ((a * (parts - n) * 256 / parts + b * n * 256 / parts + 31) >> 8) as u8
    };
    match code {
        0 => first,
        1 => second,
        _ if first > second => mix(7),
        6 => 0,
        7 => 255,
        _ => mix(5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Texel by texel.
    fn reference(format: TextureFormat, bytes: &[u8; 16]) -> [u32; 16] {
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let (first, second) = (half(4), half(6));
        let colors = colors(first, second);
        let transparent = format == TextureFormat::DXT1 && first <= second;
        let mut texels = [0; 16];
        for (index, texel) in texels.iter_mut().enumerate() {
            let (row, column) = (index / 4, index % 4);
            let code = (bytes[row] >> (2 * column)) & 3;
            let alpha = match format {
                // Rows of four bits, without replication: 15 gives F0.
                TextureFormat::DXT3 => u32::from((half(8 + 2 * row) >> (4 * column)) & 15) << 4,
                TextureFormat::DXT5 => {
                    let field =
                        u64::from(half(8)) | (u64::from(half(10)) << 16) | (u64::from(half(12)) << 32);
                    u32::from(interpolated_alpha(
                        bytes[14],
                        bytes[15],
                        ((field >> (3 * index)) & 7) as u32,
                    ))
                }
                _ if transparent && code == 3 => 0,
                _ => 255,
            };
            *texel = colors[usize::from(code)] | (alpha << 24);
        }
        texels
    }

    proptest! {
        #[test]
        fn blocks_are_their_texels(mut block in any::<[u8; 16]>(), same in any::<bool>()) {
            if same {
                (block[6], block[7]) = (block[4], block[5]);
            }
            for format in [TextureFormat::DXT1, TextureFormat::DXT3, TextureFormat::DXT5] {
                prop_assert_eq!(decode_block(format, &block), reference(format, &block), "{:?}", format);
            }
        }
    }

    fn shown(first: u16, second: u16) -> [u32; 4] {
        // The specification's table shows blue, green, red.
        colors(first, second).map(|color| color & 0x00FF_FFFF)
    }

    #[test]
    fn colours_of_the_specification() {
        assert_eq!(shown(0xFFFF, 0xFFFF), [0xF8_FCF8, 0xF8_FCF8, 0xF8_FCF8, 0]);
        assert_eq!(
            shown(0xFFE3, 0x8410),
            [0x18_FCF8, 0x80_8080, 0x3A_D2D0, 0x5D_A9A8]
        );
        assert_eq!(shown(0x8410, 0xF85F), [0x80_8080, 0xF8_08F8, 0xBC_44BC, 0]);
        assert_eq!(shown(0x7890, 0x1234)[2..], [0x8A_2155, 0x95_3232]);
    }

    #[test]
    fn alphas_of_the_specification() {
        let between = |first, second| [2, 3, 4, 5, 6, 7].map(|code| interpolated_alpha(first, second, code));
        assert_eq!(between(0xFF, 0x0E), [0xDC, 0xBA, 0x97, 0x75, 0x52, 0x30]);
        assert_eq!(between(0xE1, 0x59), [0xCD, 0xBA, 0xA6, 0x93, 0x7F, 0x6C]);
        assert_eq!(between(0x55, 0xFF), [0x77, 0x99, 0xBB, 0xDD, 0x00, 0xFF]);
    }

    #[test]
    fn dxt3_alpha_is_not_replicated() {
        let mut block = [0; 16];
        block[8] = 0xF5;
        let texels = decode_block(TextureFormat::DXT3, &block);
        assert_eq!(
            (texels[0] >> 24, texels[1] >> 24, texels[2] >> 24),
            (0x50, 0xF0, 0)
        );
    }
}
