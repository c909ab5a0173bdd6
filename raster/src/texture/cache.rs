//! Decoded textures, known again by what they contain.

use std::collections::HashMap;
use std::sync::Arc;

use super::Texture;
use super::decode::{self, Layout, LevelBytes};
use super::hash::Hasher;
use super::palette::Palette;
use crate::code::TextureFormat;
use crate::draw::{TexelOrder, TextureLevel, TextureSource};
use crate::statistics::Statistics;
use crate::vram::Vram;

/// Texels that are kept at most: 64 MiB of them. A single texture has at most 2^21.
const CAPACITY: usize = 1 << 24;

/// Textures by the hash of their bytes, their palette and how both are read: never by address, so that memory may
/// change behind it.
#[derive(Debug)]
pub(crate) struct TextureCache {
    textures: HashMap<u128, Entry>,
    texels: usize,
    capacity: usize,
    clock: u64,
    null: Arc<Texture>,
    /// Bytes of levels that are read from VRAM.
    gathered: Vec<u8>,
}

#[derive(Debug)]
struct Entry {
    texture: Arc<Texture>,
    last_use: u64,
}

impl TextureCache {
    pub(crate) fn new() -> Self {
        Self {
            textures: HashMap::new(),
            texels: 0,
            capacity: CAPACITY,
            clock: 0,
            null: Arc::new(Texture::null()),
            gathered: Vec::new(),
        }
    }

    /// The texture that stands for one that cannot be read.
    pub(crate) fn null(&self) -> Arc<Texture> {
        Arc::clone(&self.null)
    }

    /// The first `level_count` levels of a texture, decoded.
    pub(crate) fn get(
        &mut self,
        source: &TextureSource<'_>,
        level_count: usize,
        vram: &Vram,
        statistics: &mut Statistics,
    ) -> Arc<Texture> {
        let layout = Layout {
            format: source.format,
            order: source.order,
        };
        let count = level_count.min(source.levels.len()).min(8);
        if source.format == TextureFormat::INVALID || count == 0 {
            return self.null();
        }
        let mut gathered = std::mem::take(&mut self.gathered);
        let texture = self.find(
            layout,
            source,
            &source.levels[..count],
            vram,
            &mut gathered,
            statistics,
        );
        self.gathered = gathered;
        texture
    }

    fn find(
        &mut self,
        layout: Layout,
        source: &TextureSource<'_>,
        levels: &[TextureLevel<'_>],
        vram: &Vram,
        gathered: &mut Vec<u8>,
        statistics: &mut Statistics,
    ) -> Arc<Texture> {
        // First gather what lies in VRAM, then borrow it.
        gathered.clear();
        let mut places = [(0, 0); 8];
        for (place, level) in places.iter_mut().zip(levels) {
            if let (true, Some(range)) = (level.bytes.is_empty(), level.vram) {
                let used = layout
                    .used_bytes(&level_bytes(level, &[]))
                    .min(range.length as usize);
                let start = gathered.len();
                gathered.resize(start + used, 0);
                vram.read(range.start, &mut gathered[start..]);
                *place = (start, start + used);
            }
        }
        let mut bytes = [LevelBytes {
            bytes: &[],
            buffer_width: 0,
            size: Default::default(),
        }; 8];
        for ((bytes, level), place) in bytes.iter_mut().zip(levels).zip(places) {
            let from_vram = level.bytes.is_empty() && level.vram.is_some();
            *bytes = level_bytes(
                level,
                if from_vram {
                    &gathered[place.0..place.1]
                } else {
                    level.bytes
                },
            );
            let used = layout.used_bytes(bytes).min(bytes.bytes.len());
            bytes.bytes = &bytes.bytes[..used];
        }
        let bytes = &bytes[..levels.len()];

        let palette = Palette::new(&source.clut);
        let key = key(layout, bytes, &palette, source.clut.per_level);
        self.clock += 1;
        if let Some(entry) = self.textures.get_mut(&key) {
            entry.last_use = self.clock;
            statistics.textures_reused += 1;
            return Arc::clone(&entry.texture);
        }
        statistics.textures_decoded += 1;
        let texture = Arc::new(decode::decode(layout, bytes, &palette, source.clut.per_level));
        self.texels += texture.texels.len();
        if self.texels > self.capacity {
            self.shrink();
        }
        self.textures.insert(
            key,
            Entry {
                texture: Arc::clone(&texture),
                last_use: self.clock,
            },
        );
        texture
    }

    /// Drops what was not used for longest, down to half the capacity.
    fn shrink(&mut self) {
        let mut ages: Vec<(u64, u128)> = self
            .textures
            .iter()
            .map(|(&key, entry)| (entry.last_use, key))
            .collect();
        ages.sort_unstable();
        for (_, key) in ages {
            if self.texels <= self.capacity / 2 {
                break;
            }
            if let Some(entry) = self.textures.remove(&key) {
                self.texels -= entry.texture.texels.len();
            }
        }
    }
}

fn level_bytes<'a>(level: &TextureLevel<'_>, bytes: &'a [u8]) -> LevelBytes<'a> {
    // No register holds a buffer width above 2047; a larger one would only overflow.
    LevelBytes {
        bytes,
        buffer_width: level.buffer_width.min(2048),
        size: level.size,
    }
}

fn key(layout: Layout, levels: &[LevelBytes<'_>], palette: &Palette<'_>, per_level: bool) -> u128 {
    let mut hasher = Hasher::new();
    let swizzled = layout.order == TexelOrder::Swizzled;
    hasher.number(u64::from(layout.format.code()) | (u64::from(swizzled) << 8) | (levels.len() as u64) << 16);
    for level in levels {
        hasher.number(
            u64::from(level.buffer_width)
                | (u64::from(level.size.log2_width) << 32)
                | (u64::from(level.size.log2_height) << 40),
        );
        hasher.bytes(level.bytes);
    }
    // Of a palette only what texels of few bits can reach counts, so that what else lies in CLUT memory does not.
    let mut colors = |count: u32, offset: u32| {
        for texel in (0..count).step_by(2) {
            let pair = [texel, texel + 1].map(|texel| u64::from(palette.color(texel, offset)));
            hasher.number(pair[0] | (pair[1] << 32));
        }
    };
    match layout.format {
        TextureFormat::CLUT4 if per_level => {
            (0..levels.len() as u32).for_each(|level| colors(16, 16 * level))
        }
        TextureFormat::CLUT4 => colors(16, 0),
        TextureFormat::CLUT8 => colors(256, 0),
        TextureFormat::CLUT16 | TextureFormat::CLUT32 => {
            hasher.number(palette.parameters());
            hasher.bytes(palette.memory());
        }
        _ => {}
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::FrameFormat;
    use crate::draw::{Clut, VramRange};
    use crate::state::LevelSize;

    const CLUT: Clut<'_> = Clut {
        memory: &[9; 1024],
        format: FrameFormat::RGBA8888,
        shift: 0,
        mask: 0xFF,
        start: 0,
        per_level: false,
    };

    fn level(bytes: &[u8], vram: Option<VramRange>) -> TextureLevel<'_> {
        TextureLevel {
            bytes,
            buffer_width: 16,
            size: LevelSize {
                log2_width: 4,
                log2_height: 2,
            },
            vram,
        }
    }

    fn source<'a>(levels: &'a [TextureLevel<'a>]) -> TextureSource<'a> {
        TextureSource {
            format: TextureFormat::CLUT8,
            order: TexelOrder::Linear,
            levels,
            clut: CLUT,
        }
    }

    #[test]
    fn the_same_content_is_decoded_once() {
        let (mut cache, mut statistics) = (TextureCache::new(), Statistics::default());
        let mut vram = Vram::default();
        let bytes: Vec<u8> = (0..64).collect();
        vram.write(0x1000, &bytes);
        let mut get = |level: TextureLevel<'_>, vram: &Vram| {
            cache.get(&source(&[level]), 1, vram, &mut statistics);
            (statistics.textures_decoded, statistics.textures_reused)
        };
        let in_vram = level(
            &[],
            Some(VramRange {
                start: 0x1000,
                length: 64,
            }),
        );
        assert_eq!(get(level(&bytes, None), &vram), (1, 0));
        assert_eq!(get(in_vram, &vram), (1, 1));
        vram.write(0x1000 + 63, &[1]);
        assert_eq!(get(in_vram, &vram), (2, 1));
        vram.write(0x1000 + 64, &[1]);
        assert_eq!(get(in_vram, &vram), (2, 2));
    }

    #[test]
    fn its_size_is_bounded() {
        let (mut cache, mut statistics) = (TextureCache::new(), Statistics::default());
        cache.capacity = 1000;
        for number in 0..100u8 {
            cache.get(
                &source(&[level(&[number; 64], None)]),
                1,
                &Vram::default(),
                &mut statistics,
            );
            assert!(cache.texels <= 1000);
            let total: usize = cache
                .textures
                .values()
                .map(|entry| entry.texture.texels.len())
                .sum();
            assert_eq!(total, cache.texels);
        }
    }

    #[test]
    fn no_levels_and_no_format_give_the_null_texture() {
        let (mut cache, mut statistics) = (TextureCache::new(), Statistics::default());
        let vram = Vram::default();
        assert_eq!(
            *cache.get(&source(&[]), 1, &vram, &mut statistics),
            Texture::null()
        );
        let invalid = TextureSource {
            format: TextureFormat::INVALID,
            ..source(&[])
        };
        assert_eq!(*cache.get(&invalid, 1, &vram, &mut statistics), Texture::null());
    }
}
