//! Decoded texels for whoever wants to look at a texture.

use super::TextureCache;
use crate::draw::TextureSource;
use crate::statistics::Statistics;
use crate::vram::Vram;

/// A mip level, decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Texels {
    /// Columns, at most 512.
    pub width: u32,
    /// Rows, at most 512.
    pub height: u32,
    /// Row after row: red, green, blue, alpha.
    pub texels: Vec<[u8; 4]>,
}

impl TextureSource<'_> {
    /// A mip level as sampling sees it: decoded, through the CLUT, at most 512 by 512 texels. Levels that
    /// lie in VRAM are read from `vram` as it is. `None` where there is no such level, or no such format.
    #[must_use]
    pub fn texels(&self, level: usize, vram: &Vram) -> Option<Texels> {
        let mut statistics = Statistics::default();
        let texture = TextureCache::new().get(self, self.levels.len(), vram, &mut statistics);
        if statistics.textures_decoded == 0 {
            return None;
        }
        let place = texture.levels.get(level)?;
        let (width, height) = (1 << place.log2_width, 1 << place.log2_height);
        let first = place.first as usize;
        let texels = texture.texels.get(first..first + (width * height) as usize)?;
        Some(Texels {
            width,
            height,
            texels: texels.iter().map(|texel| texel.to_le_bytes()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::code::{FrameFormat, TextureFormat};
    use crate::draw::{Clut, TexelOrder, TextureLevel, TextureSource, VramRange};
    use crate::state::LevelSize;
    use crate::vram::Vram;

    #[test]
    fn levels_are_decoded_from_memory_and_from_vram() {
        let mut memory = [0; 1024];
        memory[4..8].copy_from_slice(&[9, 8, 7, 6]);
        let level = |bytes, vram, log2_width| TextureLevel {
            stamp: None,
            bytes,
            buffer_width: 32,
            size: LevelSize {
                log2_width,
                log2_height: 1,
            },
            vram,
        };
        let mut vram = Vram::default();
        vram.write(0x100, &[0x10]);
        let range = VramRange {
            start: 0x100,
            length: 17,
        };
        let levels = [level(&[0x01; 32], None, 2), level(&[], Some(range), 1)];
        let mut source = TextureSource {
            format: TextureFormat::CLUT4,
            order: TexelOrder::Linear,
            levels: &levels,
            clut: Clut {
                change: None,
                memory: &memory,
                format: FrameFormat::RGBA8888,
                shift: 0,
                mask: 0xFF,
                start: 0,
                per_level: false,
            },
        };
        let (on, off) = ([9, 8, 7, 6], [0; 4]);
        let first = source.texels(0, &vram).expect("level 0");
        assert_eq!((first.width, first.height), (4, 2));
        assert_eq!(first.texels, [on, off].repeat(4));
        let second = source.texels(1, &vram).expect("level 1");
        assert_eq!(second.texels, [off, on, off, off]);
        assert_eq!(source.texels(2, &vram), None);
        source.format = TextureFormat::INVALID;
        assert_eq!(source.texels(0, &vram), None);
    }
}
