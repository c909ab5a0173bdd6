//! Pixel and colour formats, with the codes that the GE's texture registers share with the file.

/// A colour with 8 bits a channel: red, green, blue, alpha.
pub type Rgba = [u8; 4];

/// How a colour is stored: the pixels of a direct image, or the entries of a CLUT.
///
/// Red stands in the lowest bits, then green, blue, alpha. The discriminant is the code in the file
/// and in the GE's `CLUTFORMAT`. Source: `spec/mhp-formats.md §2.2`, `spec/ge-raster.md §8.5`.
///
/// ```
/// use formats::tmh::ColorFormat;
///
/// assert_eq!(ColorFormat::Rgb565.decode(0x8410), [132, 130, 132, 255]);
/// assert_eq!(ColorFormat::Rgba4444.encode([255, 0, 0, 255]), 0xF00F);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ColorFormat {
    /// 5650: five bits of red, six of green, five of blue; opaque.
    Rgb565 = 0,
    /// 5551: five bits a colour and one of alpha.
    Rgba5551 = 1,
    /// 4444: four bits a channel.
    Rgba4444 = 2,
    /// 8888: a byte a channel.
    Rgba8888 = 3,
}

impl ColorFormat {
    /// All colour formats, by code.
    pub const ALL: [Self; 4] = [Self::Rgb565, Self::Rgba5551, Self::Rgba4444, Self::Rgba8888];

    /// The format of a code, 0 to 3.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }

    /// The code in the file and in `CLUTFORMAT`.
    #[must_use]
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// Bytes of one colour: 2 or 4.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Rgb565 | Self::Rgba5551 | Self::Rgba4444 => 2,
            Self::Rgba8888 => 4,
        }
    }

    /// The colour of a stored number, widened by bit replication as the GE does.
    ///
    /// Bits above the stored size are ignored.
    #[must_use]
    pub const fn decode(self, stored: u32) -> Rgba {
        match self {
            Self::Rgb565 => [widen_5(stored), widen_6(stored >> 5), widen_5(stored >> 11), 255],
            Self::Rgba5551 => [
                widen_5(stored),
                widen_5(stored >> 5),
                widen_5(stored >> 10),
                if stored & 0x8000 == 0 { 0 } else { 255 },
            ],
            Self::Rgba4444 => [
                widen_4(stored),
                widen_4(stored >> 4),
                widen_4(stored >> 8),
                widen_4(stored >> 12),
            ],
            Self::Rgba8888 => stored.to_le_bytes(),
        }
    }

    /// The stored number nearest to a colour, each channel rounded to nearest; alpha of one bit is
    /// set from 128 on.
    #[must_use]
    pub const fn encode(self, color: Rgba) -> u32 {
        let [red, green, blue, alpha] = color;
        match self {
            Self::Rgb565 => narrow(red, 31) | narrow(green, 63) << 5 | narrow(blue, 31) << 11,
            Self::Rgba5551 => {
                let opaque = (alpha >= 128) as u32;
                narrow(red, 31) | narrow(green, 31) << 5 | narrow(blue, 31) << 10 | opaque << 15
            }
            Self::Rgba4444 => {
                narrow(red, 15) | narrow(green, 15) << 4 | narrow(blue, 15) << 8 | narrow(alpha, 15) << 12
            }
            Self::Rgba8888 => u32::from_le_bytes(color),
        }
    }

    /// The colour as this format can hold it.
    #[must_use]
    pub const fn round(self, color: Rgba) -> Rgba {
        self.decode(self.encode(color))
    }

    /// Writes a stored number over the first bytes of `target`; bytes that `target` lacks are left
    /// out.
    pub(crate) fn put(self, stored: u32, target: &mut [u8]) {
        for (target, byte) in target.iter_mut().zip(&stored.to_le_bytes()[..self.size()]) {
            *target = *byte;
        }
    }
}

const fn widen_5(value: u32) -> u8 {
    let value = value & 31;
    (value << 3 | value >> 2) as u8
}

const fn widen_6(value: u32) -> u8 {
    let value = value & 63;
    (value << 2 | value >> 4) as u8
}

const fn widen_4(value: u32) -> u8 {
    (value & 15) as u8 * 17
}

const fn narrow(channel: u8, largest: u32) -> u32 {
    (channel as u32 * largest * 2 + 255) / 510
}

/// How the pixels of an image are stored. The discriminant is the code in the file and in the GE's
/// `TEXFORMAT`. Source: `spec/mhp-formats.md §2.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PixelFormat {
    /// 5650 colours.
    Rgb565 = 0,
    /// 5551 colours.
    Rgba5551 = 1,
    /// 4444 colours.
    Rgba4444 = 2,
    /// 8888 colours.
    Rgba8888 = 3,
    /// Indices of 4 bits into palettes of 16 entries; the left pixel is the low nibble.
    Clut4 = 4,
    /// Indices of 8 bits into palettes of 256 entries.
    Clut8 = 5,
    /// Indices of 16 bits into the whole CLUT.
    Clut16 = 6,
    /// Indices of 32 bits into the whole CLUT.
    Clut32 = 7,
    /// Blocks of 4 x 4 pixels in 8 bytes.
    Dxt1 = 8,
    /// Blocks of 4 x 4 pixels in 16 bytes, with 4 bits of alpha a pixel. Ships in neither game.
    Dxt3 = 9,
    /// Blocks of 4 x 4 pixels in 16 bytes, with interpolated alpha. Ships in neither game.
    Dxt5 = 10,
}

/// What a [`PixelFormat`] stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    Direct(ColorFormat),
    Indexed { bits: usize },
    Blocks { size: usize },
}

impl PixelFormat {
    /// All pixel formats, by code.
    pub const ALL: [Self; 11] = [
        Self::Rgb565,
        Self::Rgba5551,
        Self::Rgba4444,
        Self::Rgba8888,
        Self::Clut4,
        Self::Clut8,
        Self::Clut16,
        Self::Clut32,
        Self::Dxt1,
        Self::Dxt3,
        Self::Dxt5,
    ];

    /// The format of a code, 0 to 10.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }

    /// The code in the file and in `TEXFORMAT`.
    #[must_use]
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// Bits of one pixel, on average over a block for DXT: 4, 8, 16 or 32.
    #[must_use]
    pub const fn bits(self) -> usize {
        match self.storage() {
            Storage::Direct(color) => color.size() * 8,
            Storage::Indexed { bits } => bits,
            Storage::Blocks { size } => size * 8 / 16,
        }
    }

    /// The format of the pixels' colours, where pixels are colours and not indices or blocks.
    #[must_use]
    pub const fn color(self) -> Option<ColorFormat> {
        match self.storage() {
            Storage::Direct(color) => Some(color),
            _ => None,
        }
    }

    /// Whether pixels are indices into a CLUT.
    #[must_use]
    pub const fn is_indexed(self) -> bool {
        matches!(self.storage(), Storage::Indexed { .. })
    }

    /// Whether pixels come in blocks of 4 x 4.
    #[must_use]
    pub const fn is_block_compressed(self) -> bool {
        matches!(self.storage(), Storage::Blocks { .. })
    }

    /// Entries of one palette: 16 (CLUT4) or 256 (CLUT8). `None` where the whole CLUT is one
    /// palette (CLUT16, CLUT32) or there is none.
    #[must_use]
    pub const fn palette_entries(self) -> Option<usize> {
        match self {
            Self::Clut4 => Some(16),
            Self::Clut8 => Some(256),
            _ => None,
        }
    }

    pub(super) const fn storage(self) -> Storage {
        match self {
            Self::Rgb565 => Storage::Direct(ColorFormat::Rgb565),
            Self::Rgba5551 => Storage::Direct(ColorFormat::Rgba5551),
            Self::Rgba4444 => Storage::Direct(ColorFormat::Rgba4444),
            Self::Rgba8888 => Storage::Direct(ColorFormat::Rgba8888),
            Self::Clut4 => Storage::Indexed { bits: 4 },
            Self::Clut8 => Storage::Indexed { bits: 8 },
            Self::Clut16 => Storage::Indexed { bits: 16 },
            Self::Clut32 => Storage::Indexed { bits: 32 },
            Self::Dxt1 => Storage::Blocks { size: 8 },
            Self::Dxt3 | Self::Dxt5 => Storage::Blocks { size: 16 },
        }
    }
}

impl From<ColorFormat> for PixelFormat {
    fn from(color: ColorFormat) -> Self {
        match color {
            ColorFormat::Rgb565 => Self::Rgb565,
            ColorFormat::Rgba5551 => Self::Rgba5551,
            ColorFormat::Rgba4444 => Self::Rgba4444,
            ColorFormat::Rgba8888 => Self::Rgba8888,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `spec/mhp-formats.md §2.2`, anchors; `spec/ge-raster.md §8.5`, hardware vectors.
    #[test]
    fn stored_colors_widen_as_on_hardware() {
        use ColorFormat::*;
        for (format, stored, color) in [
            (Rgb565, 0x0821, [8, 4, 8, 255]),
            (Rgb565, 0x8410, [132, 130, 132, 255]),
            (Rgb565, 0x000E, [0x73, 0, 0, 255]),
            (Rgb565, 0x2825, [0x29, 0x04, 0x29, 255]),
            (Rgba5551, 0x0220, [0, 140, 0, 0]),
            (Rgba5551, 0xC210, [132, 132, 132, 255]),
            (Rgba4444, 0x1234, [68, 51, 34, 17]),
            (Rgba4444, 0xF00F, [255, 0, 0, 255]),
            (Rgba8888, 0x0403_0201, [1, 2, 3, 4]),
        ] {
            assert_eq!(format.decode(stored), color, "{format:?} {stored:#x}");
            assert_eq!(format.encode(color), stored, "{format:?} {color:?}");
        }
    }

    #[test]
    fn every_16_bit_color_survives_widening() {
        for format in [ColorFormat::Rgb565, ColorFormat::Rgba5551, ColorFormat::Rgba4444] {
            for stored in 0..=0xFFFF {
                assert_eq!(format.encode(format.decode(stored)), stored, "{format:?}");
            }
        }
    }

    #[test]
    fn channels_round_to_the_nearest_step() {
        assert_eq!(ColorFormat::Rgba5551.encode([0, 0, 0, 127]), 0);
        assert_eq!(ColorFormat::Rgba5551.encode([0, 0, 0, 128]), 0x8000);
        // 8.2258 a step of five bits: 4 is below half of one, 5 above.
        assert_eq!(ColorFormat::Rgb565.encode([4, 0, 0, 0]), 0);
        assert_eq!(ColorFormat::Rgb565.encode([5, 0, 0, 0]), 1);
        // 17 a step of four bits.
        assert_eq!(ColorFormat::Rgba4444.encode([8, 9, 0, 0]), 0x10);
    }

    #[test]
    fn codes_and_sizes() {
        let bits: Vec<usize> = PixelFormat::ALL.iter().map(|format| format.bits()).collect();
        assert_eq!(bits, [16, 16, 16, 32, 4, 8, 16, 32, 4, 8, 8]);
        for (code, format) in (0..).zip(PixelFormat::ALL) {
            assert_eq!(format.code(), code);
            assert_eq!(PixelFormat::from_code(code), Some(format));
        }
        assert_eq!(PixelFormat::from_code(11), None);
        assert_eq!(ColorFormat::from_code(4), None);
        assert_eq!(PixelFormat::from_code(u32::MAX), None);
    }
}
