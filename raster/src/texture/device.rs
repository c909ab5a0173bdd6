//! Textures in VRAM that a device decodes, where the device is ahead of the processor there.

use bytemuck::{Pod, Zeroable};

use super::decode::{Layout, LevelBytes};
use super::hash::Hasher;
use super::{Level, Texture};
use crate::code::{FrameFormat, TextureFormat};
use crate::draw::{Clut, TexelOrder, TextureSource, VramRange};
use crate::format;
use crate::vram::EdramTranslation;

/// A level as the shader reads it (gpu/shader/decode.wgsl).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub(crate) struct LevelRecord {
    start: u32,
    length: u32,
    row_bytes: u32,
    pub(crate) log2_width: u32,
    pub(crate) log2_height: u32,
    format: u32,
    swizzled: u32,
    /// Where the level begins, from the texture's first texel on until the texture has its place.
    first: u32,
    shift: u32,
    mask: u32,
    entry_start: u32,
    entry_offset: u32,
    last_entry: u32,
    translation: u32,
    padding: [u32; 2],
}

impl LevelRecord {
    /// The same for a texture whose first texel is that one.
    pub(crate) fn placed_at(self, first: u32) -> Self {
        Self {
            first: self.first + first,
            ..self
        }
    }
}

/// How a texture is decoded on a device.
#[derive(Clone, Debug)]
pub(crate) struct DeviceDecode {
    /// The texture, without texels.
    pub(crate) texture: Texture,
    pub(crate) levels: Vec<LevelRecord>,
    /// The palette's entries in 8888.
    pub(crate) palette: Vec<u32>,
    /// The VRAM that is read.
    pub(crate) ranges: Vec<VramRange>,
    /// A hash of all of that.
    pub(crate) key: u128,
    /// What to decode on the processor instead.
    pub(crate) source: OwnedSource,
}

/// A texture's source that outlives the draw. All levels lie in VRAM.
#[derive(Clone, Debug)]
pub(crate) struct OwnedSource {
    format: TextureFormat,
    order: TexelOrder,
    levels: Vec<(u32, crate::state::LevelSize, VramRange)>,
    clut_memory: Box<[u8; 1024]>,
    clut: (FrameFormat, u8, u8, u8, bool),
}

impl DeviceDecode {
    /// For the first `level_count` levels of a texture; `None` where a device cannot decode it: compressed
    /// formats, and levels outside VRAM.
    pub(crate) fn new(
        source: &TextureSource<'_>,
        level_count: usize,
        translation: EdramTranslation,
    ) -> Option<Self> {
        if source.format.code() > TextureFormat::CLUT32.code() {
            return None;
        }
        let layout = Layout {
            format: source.format,
            order: source.order,
        };
        let count = level_count.min(source.levels.len()).min(8);
        let mut texture = Texture {
            levels: Vec::with_capacity(count),
            texels: Vec::new(),
        };
        let mut levels = Vec::with_capacity(count);
        let mut ranges = Vec::with_capacity(count);
        let mut owned = Vec::with_capacity(count);
        let mut first = 0;
        for (number, level) in source.levels[..count].iter().enumerate() {
            let range = level.vram.filter(|_| level.bytes.is_empty())?;
            let shape = LevelBytes {
                bytes: &[],
                buffer_width: level.buffer_width.min(2048),
                size: level.size,
            };
            let length = layout.used_bytes(&shape).min(range.length as usize) as u32;
            let log2_width = level.size.sampled_width().ilog2();
            let log2_height = level.size.sampled_height().ilog2();
            let per_level = source.clut.per_level && source.format == TextureFormat::CLUT4;
            texture.levels.push(Level {
                first,
                log2_width,
                log2_height,
            });
            levels.push(LevelRecord {
                start: range.start,
                length,
                row_bytes: layout.row_bytes(&shape) as u32,
                log2_width,
                log2_height,
                format: source.format.code().into(),
                swizzled: (source.order == TexelOrder::Swizzled).into(),
                first,
                shift: u32::from(source.clut.shift & 31),
                mask: source.clut.mask.into(),
                entry_start: u32::from(source.clut.start & 31) << 4,
                entry_offset: if per_level { 16 * number as u32 } else { 0 },
                last_entry: if source.clut.format == FrameFormat::RGBA8888 {
                    0xFF
                } else {
                    0x1FF
                },
                translation: translation.width().unwrap_or(u32::MAX),
                padding: [0; 2],
            });
            ranges.push(VramRange { length, ..range });
            owned.push((level.buffer_width, level.size, range));
            first += 1 << (log2_width + log2_height);
        }
        if levels.is_empty() {
            return None;
        }
        let palette = match source.format.is_indexed() {
            true => entries(&source.clut),
            false => vec![0],
        };
        let mut hasher = Hasher::new();
        hasher.bytes(bytemuck::cast_slice(&levels));
        hasher.bytes(bytemuck::cast_slice(&palette));
        let clut = &source.clut;
        Some(Self {
            texture,
            levels,
            palette,
            ranges,
            key: hasher.finish(),
            source: OwnedSource {
                format: source.format,
                order: source.order,
                levels: owned,
                clut_memory: Box::new(*clut.memory),
                clut: (clut.format, clut.shift, clut.mask, clut.start, clut.per_level),
            },
        })
    }
}

impl OwnedSource {
    /// Hands the source to whoever decodes it.
    pub(crate) fn with<T>(&self, decode: impl FnOnce(&TextureSource<'_>) -> T) -> T {
        let levels: Vec<_> = self
            .levels
            .iter()
            .map(|&(buffer_width, size, range)| crate::draw::TextureLevel {
                stamp: None,
                bytes: &[],
                buffer_width,
                size,
                vram: Some(range),
            })
            .collect();
        let (format, shift, mask, start, per_level) = self.clut;
        decode(&TextureSource {
            format: self.format,
            order: self.order,
            levels: &levels,
            clut: Clut {
                change: None,
                memory: &self.clut_memory,
                format,
                shift,
                mask,
                start,
                per_level,
            },
        })
    }
}

/// All entries of CLUT memory in 8888.
fn entries(clut: &Clut<'_>) -> Vec<u32> {
    if clut.format == FrameFormat::RGBA8888 {
        let words = clut.memory.chunks_exact(4);
        words
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect()
    } else {
        let pairs = clut.memory.chunks_exact(2);
        pairs
            .map(|pair| format::expand_texel(u16::from_le_bytes([pair[0], pair[1]]), clut.format))
            .collect()
    }
}
