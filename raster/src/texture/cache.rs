//! Decoded textures, known again by what they contain.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::Texture;
use super::decode::{self, Layout, LevelBytes};
use super::hash::{FastHash, Hasher};
use super::memo::{Memo, PaletteKey, Place, Version};
use super::palette::Palette;
use crate::change::Change;
use crate::code::TextureFormat;
use crate::draw::{Stamp, TexelOrder, TextureLevel, TextureSource, VramRange};
use crate::statistics::Statistics;
use crate::vram::Vram;

/// Texels that are kept at most: 64 MiB of them. A single texture has at most 2^21.
const CAPACITY: usize = 1 << 24;

/// Textures by the hash of their bytes and of their colours, and how both are read: never by address, so that memory may
/// change behind it, and a copy elsewhere is the same texture.
///
/// What is hashed is remembered with the last change of the memory it stands in, where that is known, and not hashed
/// again before the next.
#[derive(Debug)]
pub(crate) struct TextureCache {
    textures: HashMap<u128, Entry, FastHash>,
    memo: Memo,
    texels: usize,
    capacity: usize,
    clock: u64,
    null: Arc<Texture>,
}

#[derive(Debug)]
struct Entry {
    texture: Arc<Texture>,
    last_use: u64,
}

impl TextureCache {
    pub(crate) fn new() -> Self {
        Self {
            textures: HashMap::default(),
            memo: Memo::default(),
            texels: 0,
            capacity: CAPACITY,
            clock: 0,
            null: Arc::new(Texture::null()),
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
        let levels = &source.levels[..count];
        let known = known(layout, levels, vram);
        let palette = PaletteKey::of(&source.clut, source.format.is_indexed());
        if let (Some((place, version)), Some(palette)) = (&known, palette)
            && let Some(texture) = self.memo.last(place, version, palette)
        {
            statistics.textures_reused += 1;
            return Arc::clone(texture);
        }
        let texture = self.find(layout, source, levels, vram, known.as_ref(), palette, statistics);
        if let (Some((place, version)), Some(palette)) = (known, palette) {
            self.memo.set_last(place, version, palette, &texture);
        }
        texture
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of `get`, which it has at hand"
    )]
    fn find(
        &mut self,
        layout: Layout,
        source: &TextureSource<'_>,
        levels: &[TextureLevel<'_>],
        vram: &Vram,
        known: Option<&(Place, Version)>,
        palette_key: Option<PaletteKey>,
        statistics: &mut Statistics,
    ) -> Arc<Texture> {
        let per_level = source.clut.per_level;
        let palette = Palette::new(&source.clut);
        let hash_of_palette = self
            .memo
            .palette_hash(palette_key, layout, levels.len(), |hasher| {
                hash_palette(hasher, layout, levels.len(), &palette, per_level);
            });
        let hash = known.and_then(|(place, version)| self.memo.hash(place, version));
        let mut gathered = hash.is_none().then(|| gather(layout, levels, vram));
        let hash = hash.unwrap_or_else(|| {
            statistics.textures_hashed += 1;
            let bytes = gathered.as_deref().unwrap_or_default();
            let hash = hash_of_bytes(layout, levels, bytes);
            if let Some(&(place, version)) = known {
                self.memo.set_hash(place, version, hash);
            }
            hash
        });
        let mut hasher = Hasher::new();
        hasher.wide_number(hash);
        hasher.wide_number(hash_of_palette);
        let key = hasher.finish();

        self.clock += 1;
        if let Some(entry) = self.textures.get_mut(&key) {
            entry.last_use = self.clock;
            statistics.textures_reused += 1;
            return Arc::clone(&entry.texture);
        }
        statistics.textures_decoded += 1;
        let gathered = gathered.get_or_insert_with(|| gather(layout, levels, vram));
        let mut shaped = [level_bytes(&TextureLevel::default(), &[]); 8];
        for ((shaped, level), bytes) in shaped.iter_mut().zip(levels).zip(&*gathered) {
            *shaped = level_bytes(level, bytes);
        }
        let texture = Arc::new(decode::decode(
            layout,
            &shaped[..levels.len()],
            &palette,
            per_level,
        ));
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

/// Where a level is read in VRAM, and how many bytes of it count.
fn range_in_vram(layout: Layout, level: &TextureLevel<'_>) -> Option<VramRange> {
    let range = level.vram.filter(|_| level.bytes.is_empty())?;
    let used = layout.used_bytes(&level_bytes(level, &[]));
    Some(VramRange {
        start: range.start % Vram::WINDOW as u32,
        length: range.length.min(u32::try_from(used).unwrap_or(u32::MAX)),
    })
}

/// The place of a texture's bytes and when each level changed last; `None` where that is not known of all.
fn known(layout: Layout, levels: &[TextureLevel<'_>], vram: &Vram) -> Option<(Place, Version)> {
    let mut place = Place::new(layout, vram.translation());
    let mut version = [Change::NONE; 8];
    for (level, change) in levels.iter().zip(&mut version) {
        let shape = level_bytes(level, &[]);
        let in_vram = range_in_vram(layout, level);
        let (stamp, length) = match in_vram {
            Some(range) => {
                let stamp = Stamp {
                    place: range.start.into(),
                    change: vram.latest_change(range),
                };
                (stamp, range.length as usize)
            }
            None => (level.stamp?, level.bytes.len()),
        };
        *change = stamp.change;
        place.push(stamp, in_vram.is_some(), length, &shape);
    }
    Some((place, version))
}

/// The bytes of each level that count.
fn gather<'a>(layout: Layout, levels: &[TextureLevel<'a>], vram: &'a Vram) -> Vec<Cow<'a, [u8]>> {
    let bytes = levels.iter().map(|level| match range_in_vram(layout, level) {
        Some(range) => vram.read_range(range),
        None => {
            let used = layout.used_bytes(&level_bytes(level, &[]));
            Cow::Borrowed(&level.bytes[..used.min(level.bytes.len())])
        }
    });
    bytes.collect()
}

/// The hash of the bytes of all levels and how they are read.
fn hash_of_bytes(layout: Layout, levels: &[TextureLevel<'_>], bytes: &[Cow<'_, [u8]>]) -> u128 {
    let mut hasher = Hasher::new();
    let swizzled = layout.order == TexelOrder::Swizzled;
    hasher.number(u64::from(layout.format.code()) | (u64::from(swizzled) << 8) | (levels.len() as u64) << 16);
    for (level, bytes) in levels.iter().zip(bytes) {
        let shape = level_bytes(level, bytes);
        hasher.number(
            u64::from(shape.buffer_width)
                | (u64::from(shape.size.sampled_width()) << 32)
                | (u64::from(shape.size.sampled_height()) << 48),
        );
        hasher.bytes(shape.bytes);
    }
    hasher.finish()
}

/// Hashes a palette. Only what texels of few bits can reach counts, so that what else lies in CLUT memory does not.
fn hash_palette(
    hasher: &mut Hasher,
    layout: Layout,
    level_count: usize,
    palette: &Palette<'_>,
    per_level: bool,
) {
    let mut colors = |count: u32, offset: u32| {
        for texel in (0..count).step_by(2) {
            let pair = [texel, texel + 1].map(|texel| u64::from(palette.color(texel, offset)));
            hasher.number(pair[0] | (pair[1] << 32));
        }
    };
    match layout.format {
        TextureFormat::CLUT4 if per_level => (0..level_count as u32).for_each(|level| colors(16, 16 * level)),
        TextureFormat::CLUT4 => colors(16, 0),
        TextureFormat::CLUT8 => colors(256, 0),
        TextureFormat::CLUT16 | TextureFormat::CLUT32 => {
            hasher.number(palette.parameters());
            hasher.bytes(palette.memory());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::FrameFormat;
    use crate::draw::Clut;
    use crate::state::LevelSize;

    const CLUT: Clut<'_> = Clut {
        change: None,
        memory: &[9; 1024],
        format: FrameFormat::RGBA8888,
        shift: 0,
        mask: 0xFF,
        start: 0,
        per_level: false,
    };

    fn level(bytes: &[u8], vram: Option<VramRange>) -> TextureLevel<'_> {
        TextureLevel {
            stamp: None,
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
