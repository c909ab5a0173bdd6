//! Fog (spec/ge-raster.md §11.4).

/// The colour in the fog; alpha stays. A factor of 255 leaves the colour, 0 is nothing but fog.
#[inline]
pub(crate) fn fogged(color: u32, factor: u32, fog_color: [u32; 3]) -> u32 {
    let c = color.to_le_bytes().map(u32::from);
    let mixed = |index: usize| (c[index] * factor + fog_color[index] * (255 - factor) + 255) >> 8;
    mixed(0) | (mixed(1) << 8) | (mixed(2) << 16) | (color & 0xFF00_0000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixes_and_keeps_the_ends() {
        let fog = [0x77; 3];
        assert_eq!(fogged(0x80FF_00FF, 0x7F, fog), 0x80BB_3CBB);
        for level in 0..=255 {
            let color = 0x4000_0000 | (level * 0x01_0101);
            assert_eq!(fogged(color, 255, fog), color);
            assert_eq!(fogged(color, 0, fog), 0x4077_7777);
        }
    }
}
